"""Steps as callers of the interface get them: with a sentence, `hit` and `damage`, and explained as they want.

An event of the log holds all of a step, and so does the step itself. An answer to a command says it once, in the step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters import finished, placing, sight, views, wording
from fracas.encounters.by_itself import CHANGES
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Done, Encounters
from fracas.encounters.events import Event
from fracas.encounters.fight import Fight
from fracas.encounters.glossary import Glossary
from fracas.encounters.throws import THROW
from fracas.engine import report
from fracas.engine.game import Game
from fracas.engine.summary import attack_facts, summary
from fracas.kernel.items import slug_of

Reported = dict[str, Any]
Data = Mapping[str, Any]

IN_STEPS = ("answers", "outcome", "effects", "prepared", "question", "besides")
"""Parts of a step that an event holds, and that stand in the step itself."""
NOT_IN_EVENTS = ("step", "rolls", "steps", "action_tags", "spares", CHANGES)
"""Parts of an event that a short answer leaves out, or has in a short form."""
SHOWN = {
    "condition": ("label", "unit", "until", "towards", "item"),
    "timer": ("id", "label", "when", "turn"),
}
"""What of a condition, or of something that is due later, a short answer has."""


def under_way(
    encounters: Encounters, fight: Fight, viewer: Author, explain: str, events: Sequence[Event] | None = None
) -> list[Reported]:
    """The steps under way.

    Args:
        explain: see `engine.requests.EXPLAIN`.
        events: those of a command that is answered, if it is one.
    """
    glossary = encounters.glossary(fight)
    found = views.steps(fight, viewer, glossary)
    return [_reported_step(glossary, fight, one, viewer, _wanted(explain, one, events)) for one in found]


def _wanted(explain: str, one: Data, events: Sequence[Event] | None) -> str:
    """Commands are answered with a short explanation where it is new, not with every question that follows."""
    if explain != "applied" or events is None:
        return explain
    pieces = [piece for event in events for piece in finished.pieces(event.data)]
    ready = [piece for piece in pieces if piece.get("open") or piece.get("prepared")]
    new = {(piece.get("open") or {}).get("id", piece.get("resolution")) for piece in ready}
    return explain if one["id"] in new else "none"


def step(encounters: Encounters, fight: Fight, id: str, viewer: Author, explain: str) -> Reported | None:
    """A step under way or over; None if there is none that stands and that the viewer may see."""
    found = finished.step(encounters, fight, id, viewer)
    return reported(encounters, fight, found, viewer, explain) if found is not None else None


def reported(encounters: Encounters, fight: Fight, found: Data, viewer: Author, explain: str) -> Reported:
    """A step as `finished.step` found it."""
    return _reported_step(encounters.glossary(fight), fight, found, viewer, explain)


def ended(encounters: Encounters, done: Done, viewer: Author, explain: str) -> list[Reported]:
    """The steps that a command ended, as far as the viewer may see them."""
    fight, events = done.fight, done.events
    ids = dict.fromkeys(id for event in events for id in finished.steps_of(event))
    over = [id for id in ids if id not in fight.state.resolutions]
    found = [finished.step(encounters, fight, id, viewer, events, done.played.get(id)) for id in over]
    glossary = encounters.glossary(fight)
    return [
        _reported_step(glossary, fight, one, viewer, _wanted(explain, one, events))
        for one in found
        if one is not None
    ]


def event(done: Done, event: Event, viewer: Author, glossary: Glossary, explain: str) -> Reported:
    """An event of a command as a viewer sees it, without what its steps say of themselves, unless everything is wanted.

    The effects stand in its data, and then have no lines of their own.
    """
    shown = views.event_seen(event, viewer, done.fight.state, glossary, explain == "all")
    data = shown.get("data")
    if explain == "all" or not data:
        return shown
    brief = {name: part for name, part in data.items() if part and name not in NOT_IN_EVENTS}
    if data.get(THROW, {}).get("times") == 1:  # nothing was thrown again
        del brief[THROW]
    if data.get("effects"):
        brief["effects"] = _effects(data["effects"], glossary)
    if data.get("step"):
        brief["step"] = _piece(data["step"])
    for several in ("rolls", "steps"):
        if several in data:
            brief[several] = [_piece(one) for one in data[several]]
    brief_event = {name: part for name, part in shown.items() if name != "lines"} | {"data": brief}
    return brief_event | ({"lines": shown["lines"]} if shown.get("lines") else {})


def _piece(piece: Data) -> Reported:
    """Which step it is, and whether its effects are applied."""
    shown = {name: part for name, part in piece.items() if name not in IN_STEPS}
    if shown.get("open"):
        shown["open"] = {"id": shown["open"]["id"]}
    return shown


def _effects(effects: Sequence[Data], glossary: Glossary) -> list[Reported]:
    """Those that people keep on sheets, and not what a fight only counts for a slot, such as rounds fired."""
    return [_effect(one) for one in effects if wording.is_reported(one, glossary)]


def _effect(effect: Data) -> Reported:
    """An effect without the rules of its condition or timer; `what` is the slug of the condition."""
    known = dict(effect)
    for kind, shown in SHOWN.items():
        if (its := effect.get(kind)) and isinstance(its, Mapping):
            known[kind] = {name: part for name, part in its.items() if name in shown and part}
    return known


def _reported_step(glossary: Glossary, fight: Fight, one: Data, viewer: Author, explain: str) -> Reported:
    game = glossary.of
    shown = {"id": one["id"], "summary": "", **one, **report.procedure_of(game.ruleset.id, one["procedure"])}
    del shown["ruleset"], shown["named"], shown["items"]
    procedure = game.ruleset.procedures.get(one["procedure"])
    names = _names(game, fight, one, viewer)
    question = one["question"]
    if question and not one["done"]:
        owners = [names[id] for id in question["owners"] if id in names]
        shown["summary"] = ": ".join([*([" and ".join(owners)] if owners else []), question.get("text", "")])
    elif one["done"] and procedure is not None:
        answer = {"status": "resolved", **one}
        action = game.packs.entry("action", one["action"]) if one["action"] else None
        shown["summary"] = summary(game.ruleset, procedure, names, answer, action.label if action else "")
        facts = attack_facts(game.ruleset, procedure, one["outcome"])
        shown["outcome"] = facts | one["outcome"] | facts
    if explain != "all":
        shown["effects"] = _effects(one["effects"], glossary)
        if not shown.get("changes"):
            shown.pop("changes", None)
    if one.get("places"):
        assert game.ruleset.turns is not None
        shown["places"] = placing.shown(one["places"], one["outcome"], Glossary(game, game.ruleset.turns))
    decides = bool(one["decisions"]) or bool(question and question["kind"] == "decision")
    brief = {name: part for name, part in shown.items() if name not in ("modifiers", "facts")}
    if explain == "none":
        return brief
    numbers = one["modifiers"]
    if explain != "all" and one["done"] and procedure is not None:
        beside = (decision.numbers_without(one["outcome"]) for decision in procedure.decisions)
        others = frozenset().union(*beside)
        numbers = [number for number in numbers if number["to"] not in others]
    found = report.founded(numbers, game.packs, game.ruleset.id, explain)
    return brief | report.explained(found, one["facts"], explain, shown.get("rule", ""), decides)


def _names(game: Game, fight: Fight, one: Data, viewer: Author) -> dict[str, str]:
    """What combatants are called, by id and by the records of a step that they fill in; and its weapons."""
    people = fight.state.combatants
    seen = {id: person.name for id, person in people.items() if sight.sees(viewer, fight.state, id)}
    names = {**seen, **one["named"], **{record: seen[id] for record, id in one["who"].items() if id in seen}}
    weapons = {record: game.packs.entry("weapon", slug_of(item)) for record, item in one["items"].items()}
    return {**names, **{record: entry.label for record, entry in weapons.items() if entry is not None}}
