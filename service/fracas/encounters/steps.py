"""Steps of resolutions: how a command makes one begin or go on, and what an event tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.encounters import conversation, effects, fold, order
from fracas.encounters.consequences import condition, resolved
from fracas.encounters.conversation import Talk, Turned, resumed
from fracas.encounters.desk import Desk
from fracas.encounters.permission import Scene, intent_of, judge
from fracas.encounters.sheets import item_record, merged, record_of, records
from fracas.encounters.state import Resolution, State, to_json
from fracas.engine import report
from fracas.engine.game import Game
from fracas.engine.requests import Choice, DiceWish, Request, check_request
from fracas.engine.running import prepare
from fracas.errors import InputError, RefusedError
from fracas.kernel import readers
from fracas.kernel.ruleset import Prepared
from fracas.kernel.stage import to_json as stage_json
from fracas.kernel.turns import InitiativeRoll, TurnRules
from fracas.packs.entries import Entry

Step = dict[str, Any]

NO_REACTION = "none"
MAX_ROUNDS = 20
"""How often initiative may be rolled again for ties."""


class Wish(NamedTuple):
    """What a command says of a step beside who does what: situation, modifiers, choices."""

    situation: Mapping[str, Any] = {}
    modifiers: Sequence[Mapping[str, Any]] = ()
    decisions: Sequence[Mapping[str, str]] = ()

    def choices(self) -> list[Choice]:
        return [
            Choice(one["decision"], one["choose"], one.get("by", ""), one.get("roll", ""))
            for one in self.decisions
        ]


def request_of(
    game: Game,
    rules: TurnRules,
    state: State,
    one: Resolution,
    wish: Wish,
    brought: Mapping[str, Any],
    ask: bool,
) -> Request:
    """The request that resolves a step, with all that the fight knows.

    Args:
        brought: fields that the action itself sets.
        ask: decisions may be asked.

    Raises:
        InputError: the situation or the modifiers do not fit.
    """
    told = merged(brought, wish.situation)
    data = {
        "procedure": one.procedure,
        "situation": merged(known_of(game, rules, state, one, told), told),
        "options": {id: value for id, value in state.options.items() if id in game.house_rules},
        "modifiers": [
            *wish.modifiers,
            *_of_conditions(rules, state, one, game.procedure(one.procedure).targets),
        ],
        "decisions": [{"by": "", "roll": "", **choice} for choice in wish.decisions],
        "mode": "step" if ask else "auto",
        "dice": DiceWish(),
        "attribution": True,
        "exact": False,
    }
    return check_request(data, game)


def _of_conditions(
    rules: TurnRules, state: State, one: Resolution, targets: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """What conditions add to the numbers of those who are in them, as modifiers."""
    for record, id in one.who.items():
        for to, label, value in effects.tally_changes(state.combatants[id]):
            if to in targets and rules.tallies.get(to) == record:
                yield {"to": to, "label": label, "value": value}


def known_of(
    game: Game, rules: TurnRules, state: State, one: Resolution, told: Mapping[str, Any]
) -> dict[str, Any]:
    """What the fight knows of a step: sheets with their conditions, the weapon, and what the ruleset adds."""
    procedure = game.procedure(one.procedure)
    known: dict[str, Any] = {
        record: record_of(procedure, record, state.combatants[id]) for record, id in one.who.items()
    }
    if one.item:
        for record in records(procedure, "weapon"):
            item = state.combatants[one.actor].items.get(one.item, {})
            known[record] = item_record(procedure, record, one.item, item)
    if one.purpose == "action":
        table = order.table_of(rules, state)
        actor, target = table.participants[one.actor], table.participants.get(one.target)
        known = merged(known, rules.situate(table, actor, target, procedure.id, told))
    return known


def overruled(desk: Desk, one: Resolution, wish: Wish, brought: Mapping[str, Any]) -> str | None:
    """The first field of a situation that is said although the fight, the weapon or the action settles it.

    Only a GM may say such; a player may add what nobody knows yet.
    """
    known = merged(known_of(desk.game, desk.rules, desk.state, one, merged(brought, wish.situation)), brought)
    entry = desk.game.shelf.entry("weapon", one.item) if one.item else None
    for record in records(desk.game.procedure(one.procedure), "weapon"):
        known[record] = merged(dict(entry.data) if entry else {}, known.get(record, {}))
    for name, value in wish.situation.items():
        have = known.get(name)
        if not isinstance(have, Mapping):
            if name in known:
                return name
            continue
        said = value if isinstance(value, Mapping) else {"use": value}
        found = next((field for field in said if field in have or field == "use"), None)
        if found is not None:
            return f"{name}.{found}"
    return None


def prepared(request: Request) -> Prepared:
    """The procedure made ready.

    Raises:
        RefusedError: the rules make it impossible, for the reasons that they give.
        InputError: the situation lacks something.
    """
    found = prepare(request, request.asked)
    if found.stage is None:
        reasons = [(refusal.code, refusal.label) for refusal in found.refusals]
        raise RefusedError(*reasons[0], more=reasons[1:])
    return found


def talk_of(desk: Desk, state: State, one: Resolution, choices: list[Choice], quiet: bool = False) -> Talk:
    """Who is asked, and who throws; `quiet`: the actor is asked nothing."""

    def asks(id: str) -> bool:
        combatant = state.combatants.get(id)
        return combatant is not None and combatant.asks and not (quiet and id == one.actor)

    def by_hand(id: str) -> bool:
        combatant = state.combatants.get(id)
        return combatant is not None and combatant.dice == "hand"

    return Talk(one.who, asks, by_hand, desk.dice, choices)


def begin(
    desk: Desk, state: State, one: Resolution, wish: Wish, brought: Mapping[str, Any], quiet: bool
) -> Step:
    """A resolution that begins at once: prepared, and played to its first question or its end.

    Raises:
        RefusedError, InputError: see `prepared`.
    """
    one, progress, talk = _made_ready(desk, state, one, wish, brought, quiet)
    turned = conversation.go_on(progress, talk)
    return {"open": to_json(one), **_ended(desk, state, one, turned)}


def _made_ready(
    desk: Desk, state: State, one: Resolution, wish: Wish, brought: Mapping[str, Any], quiet: bool
) -> tuple[Resolution, readers.Progress, Talk]:
    talk = talk_of(desk, state, one, wish.choices(), quiet)
    ask = any(talk.asks(id) for id in one.who.values())
    found = prepared(request_of(desk.game, desk.rules, state, one, wish, brought, ask))
    assert found.stage is not None
    one = one._replace(
        first=stage_json(found.stage),
        tallies=tuple(report.tallies(found.tallies)),
        facts=dict(found.facts),
        request=None,
    )
    return one, readers.begin(found.stage), talk


def begin_with_reaction(
    desk: Desk, one: Resolution, wish: Wish, brought: Mapping[str, Any], quiet: bool
) -> Step | None:
    """A resolution that first asks its target how it reacts; None if it has no choice, or wants none.

    Raises:
        RefusedError, InputError: the step could not be resolved, whatever the reaction.
    """
    target = desk.state.combatants.get(one.target)
    if target is None or not target.asks or target.id == one.actor:
        return None
    options = reactions(desk.scene(), one)
    if not options:
        return None
    # What is wrong shows before anybody is asked.
    _made_ready(desk, desk.state, one, wish, brought, quiet)
    request = {
        "situation": wish.situation,
        "modifiers": list(wish.modifiers),
        "decisions": list(wish.decisions),
        "brought": merged(_ended_by_acting(desk, one), brought),
        "quiet": quiet,
    }
    none = {"id": NO_REACTION, "label": "No reaction", "cost": {}}
    question = {
        "kind": "reaction",
        "owners": [target.id],
        "options": [none, *options],
        "default": NO_REACTION,
    }
    waiting = one._replace(request=request)
    return {"open": to_json(waiting), "answers": [], "question": asked(desk, waiting, question)}


def _ended_by_acting(desk: Desk, one: Resolution) -> dict[str, Any]:
    """What conditions give to the actor that this very action ends, such as aiming: it still counts for the action."""
    procedure, actor = desk.game.procedure(one.procedure), desk.state.combatants[one.actor]
    record = records(procedure, "combatant")[0]
    left = effects.ended(desk.rules, actor, "own-action", "other-action", action=one.action)
    had, has = record_of(procedure, record, actor), record_of(procedure, record, left)
    return {record: {name: value for name, value in had.items() if has.get(name) != value}}


def reactions(scene: Scene, one: Resolution) -> list[dict[str, Any]]:
    """What the target of a step may do before any dice fall."""
    target = scene.state.combatants[one.target]
    found = []
    for action in scene.game.shelf.entries("action"):
        if one.procedure in action.data.get("answers", ()):
            verdict = judge(scene, target.id, action, intent_of(scene, target, action, "", "", {}))
            if not verdict.reasons:
                cost: dict[str, int] = dict(verdict.payment)
                if verdict.skips:
                    cost["coming slots"] = verdict.skips
                found.append({"id": action.slug, "label": action.label, "cost": cost})
    return found


def react(desk: Desk, one: Resolution, option: str) -> Step:
    """The target's reaction is chosen: it happens, and the step is prepared and goes on.

    Raises:
        RefusedError: the reaction is not possible any more.
    """
    assert one.request is not None
    state, before = desk.state, None
    if option != NO_REACTION:
        action = desk.game.shelf.entry("action", option)
        assert isinstance(action, Entry)
        target = state.combatants[one.target]
        scene = desk.scene()
        verdict = judge(scene, target.id, action, intent_of(scene, target, action, "", "", {}))
        if verdict.reasons:
            raise RefusedError(*verdict.reasons[0], more=verdict.reasons[1:])
        before = deed(desk, target.id, action, dict(verdict.payment), verdict.skips)
        state = fold.acted(desk.rules, state, before)
    said = one.request
    wish = Wish(said["situation"], said["modifiers"], said["decisions"])
    ready, progress, talk = _made_ready(desk, state, one, wish, said["brought"], said["quiet"])
    turned = conversation.go_on(progress, talk)
    made = {"first": ready.first, "tallies": to_json(ready.tallies), "facts": ready.facts}
    return {
        "resolution": one.id,
        "reaction": option,
        "before": before,
        "prepared": made,
        **_ended(desk, state, ready, turned),
    }


def deed(desk: Desk, who: str, action: Entry, payment: Mapping[str, int], skips: int) -> dict[str, Any]:
    """What an event tells of an action: its price, and what it does by itself."""
    limit = action.data.get("limit")
    return {
        "combatant": who,
        "action": action.slug,
        "label": action.label,
        "payment": payment,
        "skips": skips,
        "limit": f"{limit['per']}:{action.slug}" if limit else None,
        "effects": [
            {"type": "add-condition", "who": who, "what": slug, **condition(desk, slug, {}, action.slug)}
            for slug in action.data.get("conditions", ())
        ],
    }


def go_on(
    desk: Desk, one: Resolution, answers: Sequence[Any], progress: readers.Progress, choices: list[Choice]
) -> Step:
    """A resolution after an answer, played to its next question or its end."""
    talk = talk_of(desk, desk.state, one, choices)
    turned = conversation.go_on(progress, talk)
    turned = turned._replace(answers=(*answers, *turned.answers))
    return {"resolution": one.id, **_ended(desk, desk.state, one, turned)}


def _ended(desk: Desk, state: State, one: Resolution, turned: Turned) -> Step:
    """What an event tells of the end of a conversation, or of its next question."""
    step: Step = {"answers": list(turned.answers), "question": None}
    if turned.question is not None:
        step["question"] = asked(desk, one, turned.question)
        return step
    progress = turned.progress
    step |= {"outcome": dict(progress.details), "effects": resolved(desk, one, progress.effects())}
    step["applied"] = True
    if one.purpose == "initiative":
        table = order.table_of(desk.rules, state)
        step["rolled"] = {
            id: dict(desk.rules.rolled(table.participants[id], progress.details))
            for id in one.counts_for
            if id in table.participants
        }
    elif step["effects"] and desk.state.settings["apply"] == "confirm":
        step["applied"] = False
        options = [{"id": "apply", "label": "Apply the effects"}, {"id": "discard", "label": "Discard them"}]
        question = {"kind": "confirm", "owners": [], "options": options, "default": "apply"}
        step["question"] = asked(desk, one, question)
    return step


def asked(desk: Desk, one: Resolution, question: Mapping[str, Any]) -> dict[str, Any]:
    """A question with its id and when it was asked; the deadline follows from that and from the settings.

    An event may open several steps, each with a question, but asks only one question of each.
    """
    return {"id": f"q{desk.version}.{one.id}", **question, "asked": desk.at}


def initiative(desk: Desk, state: State, wish: Wish) -> tuple[list[Step], State]:
    """The initiative rolls that the ruleset asks for, again while it asks for more, until people must answer.

    Raises:
        InputError: a sheet lacks what the roll needs.
    """
    steps: list[Step] = []
    for _ in range(MAX_ROUNDS):
        waiting = {
            id
            for one in state.resolutions.values()
            if one.purpose == "initiative"
            for id in (one.actor, *one.counts_for)
        }
        wanted = [
            roll
            for roll in desk.rules.initiative(order.table_of(desk.rules, state))
            if roll.who not in waiting
        ]
        if not wanted:
            break
        for roll in wanted:
            step = _initiative_step(desk, state, roll, wish, len(steps))
            state = fold.steps(desk.rules, state, [step])
            steps.append(step)
    return steps, state


def _initiative_step(desk: Desk, state: State, roll: InitiativeRoll, wish: Wish, number: int) -> Step:
    procedure = desk.game.procedure(roll.procedure)
    combatant = state.combatants[roll.who]
    one = Resolution(
        f"r{desk.version}.{number}",
        "initiative",
        roll.who,
        "",
        "",
        "",
        tuple(roll.counts_for),
        roll.procedure,
        {records(procedure, "combatant")[0]: roll.who},
        combatant.hidden,
        None,
        None,
        (),
        {},
    )
    mine = [choice for choice in wish.decisions if choice.get("combatant", roll.who) == roll.who]
    plain = [{key: value for key, value in choice.items() if key != "combatant"} for choice in mine]
    try:
        return begin(desk, state, one, Wish({}, (), plain), roll.situation, False)
    except InputError as error:
        raise InputError(
            problem._replace(path=f"{roll.who}.{problem.path.rpartition('.')[2]}")
            for problem in error.problems
        ) from None


def resume(one: Resolution) -> readers.Progress:
    """Where a resolution stands.

    Raises:
        StageCodecError: another version of Fracas began it.
    """
    return resumed(one.first, one.answers)
