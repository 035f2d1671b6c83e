"""The exact odds of what a form says: the numbers that decide, the picture, and what each modifier is worth."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from werkzeug.datastructures import MultiDict

from fracas.book.wording import flat
from fracas.encounters import offers
from fracas.encounters.bulk_join import sheet_fields
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.encounters import Encounters
from fracas.encounters.exchanges import ESTIMATED, sentence
from fracas.encounters.fight import Fight
from fracas.encounters.fight_exchanges import Blow, fought, opponents_of, round_of, usual_blows
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import participant_roles
from fracas.engine import text
from fracas.engine.game import Game
from fracas.errors import InputError, OverBudgetError
from fracas.kernel.ruleset import DOWN, HIT
from fracas.kernel.vocabulary import Vocabulary
from fracas.packs.entries import Entry
from fracas.web import work
from fracas.web.console import charts, forms
from fracas.web.console.fights import vocabulary_of
from fracas.web.console.pages import reasons
from fracas.web.settings import Settings

BESIDE = "beside."
"""Of hidden fields that say where a control stands, so that it stays there under the hands of the user."""
COUNTING = ("applied", "capped", "suppressed")
SEVERAL = 6
"""Attacks of an exchange that a form shows."""
_TOGETHER = 4
"""Attackers whose best order is looked for."""
LEAST_WORTH = 0.0005
"""A smaller change of the first measure is not shown beside a modifier."""
_HARM = ("damage", "net-damage", "boxes")
"""Measures of how much harm is done, the first that there is."""


class Measured(NamedTuple):
    """A number of the odds for people.

    Attributes:
        unit: "%" or "".
    """

    label: str
    value: str
    unit: str


def reported(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    form: MultiDict[str, str],
    settings: Settings,
) -> dict[str, Any]:
    """The odds of what a form says; where the rules cannot do without something, the controls for it."""
    nothing: dict[str, Any] = {"exchange": "", "odds": None, "needed": [], "lacking": [], "refusals": []}
    vocabulary = vocabulary_of(encounters, fight, form.get("action", ""))
    if vocabulary is None:
        return nothing
    game = encounters.game(fight)
    entry = game.packs.entry("action", form["action"])
    settled = flat(entry.data.get("situation", {})) if entry else {}
    scene = fight.state.settings.get("scene", {})
    given = forms.given_of(form, vocabulary)
    sheet = (
        fight.state.combatants[form["combatant"]].sheet
        if form.get("combatant") in fight.state.combatants
        else {}
    )
    choosers = forms.entry_controls(vocabulary, game.packs, settled, sheet, given, forms.read_of(game))
    own = [*choosers, *forms.own_controls(vocabulary, settled, scene, sheet_fields(game))]
    folded = {one.name for one in own if one.kind in ("choice", "flag") and not one.value}
    further = about(encounters, fight, entry.data["procedure"] if entry else "", vocabulary, settled)
    folded.update(one.name for _, controls in further for one in controls)
    above = folded.union(one.name for one in own)
    wanted = dict(forms.command_of(form, vocabulary)) | {"command": "act"}
    try:
        context = encounters.context(fight, viewer)._replace(budget=work.budget(settings.budget))
        answer = offers.odds(context, load_command(wanted))
    except InputError as error:
        wanting = _wanting(error, vocabulary, [one for one in choosers if not one.value])
        return nothing | {
            "needed": [one for one in wanting if one.name in above],
            "lacking": [one for one in wanting if one.name not in above],
            "refusals": [] if wanting else [{"label": reason} for reason in reasons(error)],
            "kept": _kept(vocabulary, given, above),
        }
    target = fight.state.combatants.get(form.get("target", ""))
    measures = [one for one in answer.get("measures", ()) if one["value"] is not None]
    top, rest = _measured(measures, target.name if target else "", not form.getlist("others"))
    changes = {(row["to"], row["id"]): row["change"] for row in answer.get("attribution", ())}
    first = answer["measures"][0] if answer.get("measures") else None
    numbers = list(_numbers(answer["modifiers"], vocabulary, given, above, folded, _beside(form)))
    for number in numbers:
        for row in number["rows"]:
            change = changes.get((number["to"], row["id"]), {}).get(first["id"]) if first else None
            row["worth"] = change if change is not None and abs(change) >= LEAST_WORTH else None
    lines = {(number["to"], row["id"]): row for number in numbers for row in number["rows"]}
    asked = (row["control"].name for number in numbers for row in number["waiting"] if row["control"])
    return nothing | {
        "odds": answer,
        "lines": lines,
        "worth": text.changed_measures(answer, answer.get("attribution", ())) if "measures" in answer else [],
        "top": top,
        "exchange": fight.id if target and _repeats(measures) else "",
        "rest": rest,
        "numbers": numbers,
        "idle": sum(len(number["waiting"]) + len(number["idle"]) for number in numbers),
        "standing": _standing(encounters, fight, viewer, target.id) if target else "",
        "kept": _kept(vocabulary, given, above.union(asked)),
        "chart": charts.outcomes(_of_target(game, entry, answer), _drops(game, entry)),
        "refusals": answer.get("refusals", ()),
    }


def exchanged(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    form: MultiDict[str, str],
    settings: Settings,
) -> dict[str, Any]:
    """What comes of the action of a form that is taken several times: a sentence, and each time.

    Raises:
        InputError, ForbiddenError, RefusedError, OverBudgetError: see `fight_exchanges.fought`.
    """
    vocabulary = vocabulary_of(encounters, fight, form.get("action", ""))
    if vocabulary is None:
        raise InputError.one("action", "no-procedure", "this action rolls no dice")
    wanted = dict(forms.command_of(form, vocabulary)) | {"command": "act"}
    budget = work.budget(settings.budget * work.EXCHANGE)
    context = encounters.context(fight, viewer)._replace(budget=budget)
    answer = fought([Blow(context, load_command(wanted), times=SEVERAL)])
    people = fight.state.combatants
    if answer["status"] != "resolved":
        return {"answer": answer, "sentence": "", "further": []}
    further = _together(context, form) if viewer.role == "gm" else ()
    return {
        "answer": answer,
        "sentence": sentence(answer, people[form["target"]].name),
        "estimated": ESTIMATED if answer["attacks"][-1]["estimated"] else "",
        "further": [*further],
    }


def _together(context: CommandContext, form: Mapping[str, str]) -> Iterator[str]:
    """What all on a side could do: the best order of one attack of each on the target, and what the actor survives."""
    people = context.state.combatants
    actor, target = people[form["combatant"]], people[form["target"]]
    allies = [one.id for one in people.values() if one.side == actor.side]
    try:
        blows = [*usual_blows(context, target.id, allies)][:_TOGETHER]
        if len(blows) > 1:
            answer = fought(blows, "best")
            if answer["status"] == "resolved":
                order = ", ".join(row["label"] for row in answer["attacks"])
                worst = answer["orders"]["worst"][-1]["down"]
                yield (
                    f"One attack by each on the side of {actor.name}, in the best order ({order}), drops {target.name} "
                    f"with a chance of {answer['down']:.0%}; in the worst order {worst:.0%}."
                )
        blows = round_of(context, actor.id, opponents_of(context, actor.id))
        if blows:
            answer = fought(blows)
            if answer["status"] == "resolved":
                yield _survival(actor.name, answer, sum(blow.times for blow in blows))
    except OverBudgetError:
        yield "There was no time for what the others could do."


def _survival(name: str, answer: Mapping[str, Any], times: int) -> str:
    """The chance to survive a round of so many attacks, or of those for which there was time."""
    attacks = "attack" if times == 1 else "attacks"
    chance = f"{'about ' if answer['attacks'][-1]['estimated'] else ''}{answer['standing']:.0%}"
    if answer["cut"]:
        return (
            f"The opponents make {times} {attacks} in a round. {name} survives the first {len(answer['attacks'])} "
            f"with a chance of {chance}; there was no time for the others."
        )
    return (
        f"{name} survives a round of all opponents with a chance of {chance}: {times} {attacks}, each "
        f"opponent's likeliest as often as its actions last."
    )


def _repeats(measures: Sequence[Mapping[str, Any]]) -> bool:
    """Whether it is an attack: what may hit, and take its target out."""
    known = {one["id"] for one in measures}
    return DOWN in known and bool(known & {*_OF_ONE})


_OF_ONE = {HIT: "Chance to hit", "struck": "Chance to hit", "hurt": "Chance to hurt"}
"""Numbers of people, which are chances where there is one target."""


def _measured(
    measures: Sequence[Mapping[str, Any]], target: str, alone: bool
) -> tuple[list[Measured], list[Measured]]:
    """What decides, and what else there is of measures: whether it succeeds, the harm, and whether the target drops.

    Args:
        target: what the target is called, "" for none.
        alone: nobody else is concerned: the expected number of people hit is a chance.
    """
    if not measures:
        return [], []
    harm = next((one for id in _HARM for one in measures if one["id"] == id), None)
    down = next((one for one in measures if one["id"] == DOWN), None)
    wanted = [one for one in (measures[0], down, harm) if one is not None]
    top = list({one["id"]: one for one in wanted}.values())
    more = [one for one in measures if one not in top and one["value"]]
    found = []
    for one in top:
        label = one["label"]
        single = bool(target) and alone and one["value"] <= 1
        if single and one["id"] in _OF_ONE:
            label = _OF_ONE[one["id"]]
        elif one["id"] == DOWN and (single or (target and label.startswith("Chance"))):
            label = f"Chance to drop {target}"
        found.append(_in_words(label, one["value"]))
    of_one = text.OF_ONE if target and alone else {}
    return found, [_in_words(of_one.get(one["label"], one["label"]), one["value"]) for one in more]


def _in_words(label: str, value: float) -> Measured:
    if not label.startswith("Chance"):
        return Measured(label, f"{value:.1f}", "")
    plain = value in (0, 1) or 0.0995 <= value <= 0.9895
    return Measured(label, f"{value * 100:.0f}" if plain else f"{value * 100:.1f}", "%")


def _standing(encounters: Encounters, fight: Fight, viewer: Author, id: str) -> str:
    """How a target stands now: "6 of 10 Physical"; "" where the viewer does not know it."""
    seen = next((one for one in encounters.view(fight, viewer)["combatants"] if one["id"] == id), None)
    gauges = [gauge for gauge in (seen or {}).get("gauges", ()) if gauge["harm"] and gauge["most"]]
    known = ", ".join(f"{gauge['value']} of {gauge['most']} {gauge['label']}" for gauge in gauges)
    return f"{seen['name']} has {known}." if seen and known else ""


def _of_target(game: Game, action: Entry | None, answer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The branches of odds of which a picture is drawn: of a spell on one target that of the target, not of Drain."""
    branches: Sequence[Mapping[str, Any]] = answer.get("branches", ())
    attack = game.ruleset.attacks.get(action.data.get("procedure", "")) if action else None
    if attack is None or len(branches) == 1:
        return branches
    struck = [one for one in branches if re.fullmatch(rf"{attack.target}(_\d+)?", one["branch"])]
    return struck if len(struck) == 1 else branches


def _drops(game: Game, action: Entry | None) -> Callable[[Mapping[str, Any]], bool]:
    """Whether an outcome of an action takes its target out."""
    procedure = game.ruleset.procedures.get(action.data.get("procedure", "")) if action else None
    downs = [measure for measure in procedure.measures if measure.id == DOWN] if procedure else []
    return lambda facts: any(measure.of(facts) for measure in downs)


def _beside(form: Mapping[str, str]) -> dict[str, str]:
    """Beside which entries of the odds the form has a control, and for which path."""
    return {form[name]: name.removeprefix(BESIDE) for name in form if name.startswith(BESIDE)}


def _kept(
    vocabulary: Vocabulary, given: Mapping[str, Any], elsewhere: Collection[str]
) -> list[forms.Control]:
    """The controls of what was given among the odds and is asked nowhere else any more: it stays given."""
    fields = (vocabulary.fields.get(path) for path in given if forms.SITUATION + path not in elsewhere)
    made = (forms.control(field, given) for field in fields if field is not None)
    return [one for one in made if one is not None]


def about(
    encounters: Encounters,
    fight: Fight,
    procedure: str | None,
    vocabulary: Vocabulary | None,
    settled: Iterable[str],
) -> Iterator[tuple[str, list[forms.Control]]]:
    """What else may hold of the target and of the actor, each under its title."""
    if vocabulary is None or not procedure:
        return
    people = participant_roles(encounters.game(fight).procedure(procedure))[0]
    titles = ("More about who acts", "More about the target")
    for record, title in reversed(list(zip(people, titles, strict=False))):
        controls = forms.person_controls(vocabulary, record, settled)
        if controls:
            yield title, controls


def _wanting(
    error: InputError, vocabulary: Vocabulary, choosers: Sequence[forms.Control]
) -> list[forms.Control]:
    """Controls for what the rules cannot do without and nobody has entered, where a form can.

    `choosers`: of entries that nobody has chosen yet; each stands for all fields of its record.
    """
    by_record = {chooser.name.removeprefix(forms.SITUATION): chooser for chooser in choosers}
    found = []
    for problem in error.problems:
        path = problem.path.removeprefix(forms.SITUATION)
        chooser = by_record.get(path) or by_record.get(path.rpartition(".")[0])
        if chooser is not None and problem.code == "missing-field":
            found += [] if chooser in found else [chooser]
            continue
        field = vocabulary.fields.get(path)
        made = forms.control(field, {}) if field is not None and problem.code == "missing-field" else None
        if made is not None:
            found.append(made)
    return found


def _numbers(
    tallies: Sequence[Mapping[str, Any]],
    vocabulary: Vocabulary,
    given: Mapping[str, Any],
    above: Collection[str],
    folded: Collection[str],
    beside: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Each number with its entries: the ``rows`` that count; ``waiting``, which would count if what they wait for were
    given, here or where it is folded away; and ``idle``, which do not count as things are.

    Args:
        beside: the paths of what was given beside an entry before, where it stays.
    """
    shown = {name.removeprefix(forms.SITUATION) for name in above}
    away = {name.removeprefix(forms.SITUATION) for name in folded}
    for tally in tallies:
        rows, waiting, idle = [], [], []
        for entry in tally["entries"]:
            place = f"{tally['to']}/{entry['id']}"
            waits = entry["reason"] if entry["verdict"] == "unknown" else beside.get(place, "")
            field = vocabulary.fields.get(waits)
            asked = forms.control(field, given) if field is not None and waits not in shown else None
            if asked is not None:
                shown.add(waits)
            counts = entry["verdict"] in COUNTING and bool(entry["value"])
            if counts:
                rows.append({**entry})
            if asked is not None or waits in away:
                given_at = waits if waits in away else ""
                waiting.append({**entry, "control": asked, "given_at": given_at, "place": place})
                away.discard(waits)
            elif not counts:
                idle.append(entry["label"])
        yield {**tally, "rows": rows, "waiting": waiting, "idle": [*dict.fromkeys(idle)]}
