"""An action about to be taken: its target, with what, under which circumstances, and its exact odds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from fracas.book.wording import flat
from fracas.encounters import offers
from fracas.encounters.bulk_join import sheet_fields
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.permission import DOWN, paid_in
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import participant_roles
from fracas.engine import text
from fracas.engine.game import Game
from fracas.errors import InputError
from fracas.kernel.items import slug_of
from fracas.kernel.vocabulary import Vocabulary
from fracas.packs.entries import Entry
from fracas.web import work
from fracas.web.console import charts, forms, sessions
from fracas.web.console.fights import vocabulary_of
from fracas.web.console.pages import drawn, reasons
from fracas.web.settings import Settings

BESIDE = "beside."
"""Of hidden fields that say where a control stands, so that it stays there under the hands of the user."""
COUNTING = ("applied", "capped", "suppressed")
LEAST_WORTH = 0.0005
"""A smaller change of the first measure is not shown beside a modifier."""


def install(console: Blueprint, encounters: Encounters, settings: Settings) -> None:
    @console.get("/fight/<id>/deed")
    def deed(id: str) -> Response:
        """The form of an action: ``combatant``, ``action`` and perhaps ``item`` in the query."""
        viewer = sessions.viewer(encounters, id)
        fight = encounters.fight(id)
        who, slug = request.args.get("combatant", ""), request.args.get("action", "")
        (offer,) = offers.offers(encounters.context(fight, viewer), who, slug)["actions"]
        return drawn("_deed.html", **_form(encounters, fight, viewer, who, offer, settings))

    @console.post("/fight/<id>/odds")
    def odds(id: str) -> Response:
        """The odds of what the form says, with the numbers and what would still change them."""
        viewer = sessions.viewer(encounters, id)
        return drawn("_odds.html", **_odds(encounters, encounters.fight(id), viewer, request.form, settings))


def _odds(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    form: MultiDict[str, str],
    settings: Settings,
) -> dict[str, Any]:
    """The odds of what a form says; where the rules cannot do without something, the controls for it."""
    nothing: dict[str, Any] = {"odds": None, "needed": [], "lacking": [], "refusals": []}
    vocabulary = vocabulary_of(encounters, fight, form.get("action", ""))
    if vocabulary is None:
        return nothing
    game = encounters.game(fight)
    entry = game.packs.entry("action", form["action"])
    settled = flat(entry.data.get("situation", {})) if entry else {}
    scene = fight.state.settings.get("scene", {})
    said = forms.said_of(form, vocabulary)
    sheet = (
        fight.state.combatants[form["combatant"]].sheet
        if form.get("combatant") in fight.state.combatants
        else {}
    )
    choosers = forms.entry_controls(vocabulary, game.packs, settled, sheet, said)
    own = [*choosers, *forms.own_controls(vocabulary, settled, scene, sheet_fields(game))]
    folded = {one.name for one in own if one.kind in ("choice", "flag") and not one.value}
    about = _about(encounters, fight, entry.data["procedure"] if entry else "", vocabulary, settled)
    folded.update(one.name for _, controls in about for one in controls)
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
            "kept": _kept(vocabulary, said, above),
        }
    changes = {(row["to"], row["id"]): row["change"] for row in answer.get("attribution", ())}
    first = answer["measures"][0] if answer.get("measures") else None
    numbers = list(_numbers(answer["modifiers"], vocabulary, said, above, folded, _beside(form)))
    for number in numbers:
        for row in number["rows"]:
            change = changes.get((number["to"], row["id"]), {}).get(first["id"]) if first else None
            row["worth"] = change if change is not None and abs(change) >= LEAST_WORTH else None
    lines = {(number["to"], row["id"]): row for number in numbers for row in number["rows"]}
    asked = (row["control"].name for number in numbers for row in number["rows"] if row["control"])
    return nothing | {
        "odds": answer,
        "lines": lines,
        "worth": text.changed_measures(answer, answer.get("attribution", ())) if "measures" in answer else [],
        "numbers": numbers,
        "kept": _kept(vocabulary, said, above.union(asked)),
        "chart": charts.outcomes(answer.get("branches", ()), _drops(game, entry)),
        "refusals": answer.get("refusals", ()),
    }


def _drops(game: Game, action: Entry | None) -> Callable[[Mapping[str, Any]], bool]:
    """Whether an outcome of an action takes its target out."""
    procedure = game.ruleset.procedures.get(action.data.get("procedure", "")) if action else None
    downs = [measure for measure in procedure.measures if measure.id == DOWN] if procedure else []
    return lambda facts: any(measure.of(facts) for measure in downs)


def _beside(form: Mapping[str, str]) -> dict[str, str]:
    """Beside which entries of the odds the form has a control, and for which path."""
    return {form[name]: name.removeprefix(BESIDE) for name in form if name.startswith(BESIDE)}


def _kept(vocabulary: Vocabulary, said: Mapping[str, Any], elsewhere: Collection[str]) -> list[forms.Control]:
    """The controls of what was said among the odds and is asked nowhere else any more: it stays said."""
    fields = (vocabulary.fields.get(path) for path in said if forms.SITUATION + path not in elsewhere)
    made = (forms.control(field, said) for field in fields if field is not None)
    return [one for one in made if one is not None]


def _form(
    encounters: Encounters,
    fight: Fight,
    viewer: Author,
    who: str,
    offer: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    view = encounters.view(fight, viewer)
    me = next(one for one in view["combatants"] if one["id"] == who)
    others = [one for one in view["combatants"] if one["id"] != who and not one["gone"]]
    aim = request.args.get("target", "") or offer["target"]
    others.sort(key=lambda one: (one["id"] != aim, one["out"], one["side"] == me["side"], not one["able"]))
    vocabulary = vocabulary_of(encounters, fight, offer["action"])
    settled = {**flat(offer["situation"]), **offer["together"]}
    chosen = {
        name.removeprefix(forms.SITUATION): value
        for name, value in request.args.items()
        if name.startswith(forms.SITUATION)
    }
    scene = {**flat(offer["defaults"]), **fight.state.settings.get("scene", {}), **chosen}
    game = encounters.game(fight)
    known = sheet_fields(game)
    controls = []
    if vocabulary is not None:
        choosers = forms.entry_controls(vocabulary, game.packs, settled, me.get("sheet", {}), scene)
        controls = [*choosers, *forms.own_controls(vocabulary, settled, scene, known)]
    timer = request.args.get("timer", "")
    things = sorted(me.get("items", {}), key=lambda name: not me["items"][name].get("ready"))
    bare = encounters.rules(fight).bare_hands(me.get("sheet", {}))
    if bare and bare not in things and "items" in me:
        things.append(bare)
    item = request.args.get("item", "")
    item = item if item in things and item != offer["item"] else ""
    told = _odds(encounters, fight, viewer, _as_drawn(me, offer, others, controls, timer, item), settings)
    needed = {one.name for one in told["needed"]}
    first = [one for one in controls if one.name in needed or one.value not in ("", [])]
    first = [*_together(encounters.context(fight, viewer), who, offer), *first]
    return {
        "fight": view,
        "viewer": viewer,
        "me": me,
        "offer": offer,
        "others": others,
        "things": things,
        "thing_labels": {name: _label(encounters, fight, name) for name in (*things, offer["item"] or "")},
        "controls": first,
        "further": [one for one in controls if one not in first],
        "about": list(_about(encounters, fight, offer["procedure"], vocabulary, settled)),
        "ways_to_pay": [(forms.tokens(one), paid_in(one)) for one in offer["payments"]],
        "several": _several(encounters, fight, offer),
        "timer": timer,
        "item": item,
        **told,
    }


def _as_drawn(
    me: Mapping[str, Any],
    offer: Mapping[str, Any],
    others: Sequence[Mapping[str, Any]],
    controls: Iterable[forms.Control],
    timer: str,
    item: str,
) -> MultiDict[str, str]:
    """What the form says before anybody has changed it."""
    said: MultiDict[str, str] = MultiDict(
        {"command": "act", "combatant": me["id"], "action": offer["action"], "timer": timer, "item": item}
    )
    if offer["targets"] and others:
        said["target"] = others[0]["id"]
    for one in controls:
        said.setlist(one.name, one.value if isinstance(one.value, list) else [str(one.value)])
    return said


def _about(
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


def _together(context: CommandContext, who: str, offer: Mapping[str, Any]) -> Iterator[forms.Control]:
    """What the action is merged with, where there is anything: what can be done now stands first."""
    offered = offers.offers(context, who)["actions"] if offer["together"] else ()
    known = {one["action"]: one for one in offered}
    for field, slugs in offer["together"].items():
        others = [known[slug] for slug in slugs if slug in known]
        others.sort(key=lambda one: (not offers.may_be_tried(one), one["label"]))
        if others:
            yield forms.Control(
                forms.SITUATION + field,
                "choice",
                "Together with",
                "Both are one action, and each roll has half its chance. The other one comes next.",
                tuple((one["action"], one["label"]) for one in others),
            )


def _several(encounters: Encounters, fight: Fight, offer: Mapping[str, Any]) -> str:
    """What further people of the step are called; "" where it has no place for any."""
    if not offer["procedure"]:
        return ""
    procedure = encounters.game(fight).procedure(offer["procedure"])
    people, helpers = participant_roles(procedure)
    return "Also concerned" if len(people) > 2 else "Helped by" if helpers else ""


def _label(encounters: Encounters, fight: Fight, name: str) -> str:
    """What a thing of a combatant is called; of several of one model with its number."""
    entry = encounters.game(fight).packs.entry("weapon", slug_of(name))
    number = name.partition("#")[2]
    return (entry.label if entry else name) + (f" ({number})" if number and entry else "")


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
        chooser = by_record.get(path.rpartition(".")[0])
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
    said: Mapping[str, Any],
    above: Collection[str],
    folded: Collection[str],
    beside: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Each number with the entries that count, and those that would if what they wait for were given: here, or where
    it is folded away. `beside`: the paths of what was said beside an entry before, where it stays."""
    shown = {name.removeprefix(forms.SITUATION) for name in above}
    away = {name.removeprefix(forms.SITUATION) for name in folded}
    for tally in tallies:
        rows = []
        for entry in tally["entries"]:
            place = f"{tally['to']}/{entry['id']}"
            waits = entry["reason"] if entry["verdict"] == "unknown" else beside.get(place, "")
            field = vocabulary.fields.get(waits)
            asked = forms.control(field, said) if field is not None and waits not in shown else None
            if asked is not None:
                shown.add(waits)
            if asked is not None or waits in away or (entry["verdict"] in COUNTING and entry["value"]):
                said_at = waits if waits in away else ""
                rows.append({**entry, "control": asked, "said_at": said_at, "place": place})
                away.discard(waits)
        yield {**tally, "rows": rows}
