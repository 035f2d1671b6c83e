"""What positions say of a step: the facts that follow from them, and which of these a command says otherwise.

The ruleset derives them (`kernel.placing`). What a command or a sheet says counts before them, and a step keeps both,
so that people see where a number is from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.encounters import order
from fracas.encounters.glossary import Glossary
from fracas.encounters.sheets import participant_roles, record_of
from fracas.encounters.state import Resolution, State
from fracas.engine.game import Game
from fracas.exports.cards.terms import label_of
from fracas.kernel.intents import StepContext
from fracas.kernel.placing import Placing
from fracas.kernel.ruleset import Procedure
from fracas.kernel.turns import TurnRules
from fracas.space import Point, Position, cost_of, landing, rounded

SPOT, EYE, RUN_UP = "spot", "eye", "run_up"
FROM_POSITIONS, BY_HAND = "from_positions", "by_hand"
"""What a resolution keeps of places: the spot that it is done to, from where, the metres moved for it; the facts that
follow from positions, by path; and of these the ones that a command says otherwise, with what positions give."""

Nested = Mapping[str, Any]


def facts_of(game: Game, rules: TurnRules, state: State, one: Resolution, reported: Nested) -> dict[str, Any]:
    """What positions say of a step, nested as in a request; without what sheets and conditions say."""
    if one.purpose != "action" or not any(one.position for one in state.combatants.values()):
        return {}
    table = order.table_of(rules, state)
    if one.actor not in table.participants:
        return {}
    procedure = game.procedure(one.procedure)
    sides = participant_roles(procedure)[0]
    own = next(iter(sides), "")
    others = {
        record: table.participants[id]
        for record, id in one.who.items()
        if id in table.participants
        and record not in (own, "target")
        and (id != one.target or record != "target")
    }
    target = table.participants.get(one.target)
    step = StepContext(table, table.participants[one.actor], target, procedure.id, reported, others)
    placing = Placing(point_in(one.places.get(SPOT)), one.places.get(RUN_UP))
    found = rules.placed(step, placing, procedure.vocabulary)
    return _without_sheets(procedure, state, one, found)


def _without_sheets(procedure: Procedure, state: State, one: Resolution, found: Nested) -> dict[str, Any]:
    left = dict(found)
    for record, id in one.who.items():
        if isinstance(left.get(record), Mapping):
            known = record_of(procedure, record, state.combatants[id], one.item if id == one.actor else None)
            left[record] = {name: value for name, value in left[record].items() if name not in known}
            if not left[record]:
                del left[record]
    return left


def kept(facts: Nested, reported: Nested) -> dict[str, Any]:
    """What a resolution keeps of the facts that follow from positions: those that count, and those given otherwise."""
    found: dict[str, dict[str, Any]] = {FROM_POSITIONS: {}, BY_HAND: {}}
    for path, value in flat(facts):
        given = _at(reported, path)
        if given is None:
            found[FROM_POSITIONS][path] = value
        elif given != value:
            found[BY_HAND][path] = value
    return {name: part for name, part in found.items() if part}


def flat(nested: Nested, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values of nested facts, by path."""
    for name, value in nested.items():
        whole = f"{path}.{name}" if path else name
        if isinstance(value, Mapping):
            yield from flat(value, whole)
        else:
            yield whole, value


def _at(nested: Nested, path: str) -> Any:
    value: Any = nested
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def without(given: Nested, facts: Nested) -> dict[str, Any]:
    """What is given by the fight's scene alone, without what positions say."""
    known = dict(flat(facts))
    return {name: value for name, value in given.items() if name not in known}


def shown(places: Nested, outcome: Nested, glossary: Glossary) -> dict[str, Any]:
    """Where a step takes place: its spot, where it landed, and what follows from positions."""
    there = landed(places, outcome)
    point = point_in(places.get(SPOT))
    return {
        "spot": point._asdict() if point else None,
        "landed": there._asdict() if there else None,
        "facts": list(_sentences(places, glossary)),
    }


def sentences(one: Resolution, glossary: Glossary) -> list[dict[str, Any]]:
    """The facts of a step that positions say, and those that a command says otherwise, each as a sentence."""
    return list(_sentences(one.places, glossary))


def _sentences(places: Nested, glossary: Glossary) -> Iterator[dict[str, Any]]:
    for kind, reason in (
        (FROM_POSITIONS, "from positions"),
        (BY_HAND, "by positions; another is entered by hand"),
    ):
        for path, value in places.get(kind, {}).items():
            record, _, name = path.rpartition(".")
            whose = f"{label_of(record)}, " if record and record not in ("attack", "environment") else ""
            shown = glossary.value(value if not isinstance(value, float) else rounded(value))
            unit = f" {glossary.rules.unit.name}" if "distance" in name or name == "from_target" else ""
            text = f"{whose}{label_of(name)}: {shown}{unit} ({reason})"
            yield {"field": path, "value": value, "by_hand": kind == BY_HAND, "text": text}


def point_in(data: Nested | None) -> Point | None:
    return Point(**data) if data else None


def cost(state: State, start: Position, goal: Point) -> float:
    """Metres of movement that a straight way takes."""
    return cost_of([start.point, goal], state.areas.values())


def is_around(procedure: Procedure, record: str) -> bool:
    """Whether a person of a procedure may stand anywhere around a spot."""
    fields = procedure.vocabulary.fields
    return any(f"{record}.{name}" in fields for name in ("bearing", "center_distance", "from_target"))


def landed(places: Nested, outcome: Nested) -> Point | None:
    """Where something landed that was thrown at a spot, after its scatter; None where nobody knows."""
    spot, eye = point_in(places.get(SPOT)), point_in(places.get(EYE))
    facts = {path.rpartition(".")[2]: value for path, value in outcome.items()}
    metres = facts.get("scatter")
    if spot is None or not isinstance(metres, (int, float)):
        return None
    if not metres:
        return spot
    towards = facts.get("direction")
    if eye is None or not isinstance(towards, (int, float)):
        return None
    there = landing(eye, spot, metres, towards)
    return Point(rounded(there.x, 3), rounded(there.y, 3), spot.elevation)


def takes_spot(game: Game, rules: TurnRules, procedure: str) -> bool:
    """Whether a procedure is about something that happens at a place: people have their distances from there."""
    if procedure in rules.at_places:
        return True
    vocabulary = game.procedure(procedure).vocabulary
    return (
        any(
            path.rpartition(".")[2]
            in ("bearing", "blast_distance", "center_distance", "from_target", "distance")
            for path in vocabulary.fields
            if "." in path
        )
        or "distance" in vocabulary.fields
    )
