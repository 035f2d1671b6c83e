"""Commands about where combatants are: place, move, and the walls and zones of the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.encounters import moving
from fracas.encounters.command_context import Command, CommandContext, Draft, for_gm, known, mine
from fracas.encounters.pasted_positions import positions_in
from fracas.encounters.permission import why_not_now
from fracas.encounters.scene import Reason, Scene
from fracas.encounters.state import Combatant, to_json
from fracas.errors import InputError, Problem, RefusedError, suggestion
from fracas.kernel.vocabulary import Vocabulary
from fracas.space import Area, Point, Position, rounded

MAX_AREAS = 200
"""Walls and zones of a map."""
_FINE = 3
"""Decimal places of coordinates: a yard, or half a square, is no whole number of centimetres."""


def place(context: CommandContext, command: Command) -> Draft:
    """Combatants are somewhere, by the GM's word, however far that is from where they were."""
    for_gm(context, "say where combatants are; they move with the command move")
    wanted = command["positions"]
    if command["text"]:
        if wanted:
            raise InputError.one("text", "unknown-field", "positions are given as well: one of the two")
        names = {id: one.name for id, one in context.state.combatants.items() if not one.gone}
        wanted = positions_in(command["text"], command["unit"], names)
    people = {id: known(context, id, f"positions.{id}") for id in wanted}
    positions = {
        id: None if given is None else to_json(position_of(given, people[id].position))
        for id, given in wanted.items()
    }
    if not positions:
        raise InputError.one("positions", "missing-field", "nobody is named")
    return "placed", {"positions": positions}, all(one.hidden for one in people.values())


def move(context: CommandContext, command: Command) -> Draft:
    """Combatants move, by the rules of their movement."""
    scene = context.scene()
    moves: dict[str, Any] = {}
    reasons: list[Reason] = []
    for id, given in command["moves"].items():
        moves[id], why_not = travel(context, scene, mine(context, id), given)
        reasons += why_not
    if not moves:
        raise InputError.one("moves", "missing-field", "nobody is named")
    if reasons and not command["force"]:
        raise RefusedError(*reasons[0], more=tuple(reasons[1:]))
    if reasons:
        for_gm(context, "force a movement")
    data = {"moves": moves, "forced": [reason for _, reason in reasons]}
    return "moved", data, all(context.state.combatants[id].hidden for id in moves)


def travel(
    context: CommandContext, scene: Scene, one: Combatant, given: Mapping[str, Any], action: str = ""
) -> tuple[dict[str, Any], list[Reason]]:
    """What an event records of the way of a combatant, and why it may not be gone.

    Args:
        given: as `schemas.MovementSchema` leaves it.
        action: the slug of the action with which they move; "" for none.

    Raises:
        RefusedError: it is not known where they are, or no turn has begun.
    """
    if one.position is None:
        raise RefusedError("no-position", f"it is not known where {one.name} is: place them first")
    if not context.state.turn:
        message = f"no {context.rules.words.turn} has begun: the GM places combatants before (place)"
        raise RefusedError("not-begun", message)
    span = context.rules.movement_span(context.state.options)
    via = [point_of(stop) for stop in given["via"]]
    goal = position_of(given, one.position)
    found = moving.way(context.state, one, goal, via, given["factor"], span)
    if fire := moving.under_fire(scene, one, found):
        found["through"] = fire
    reasons = why_not_now(scene, one.id)
    if not reasons and one.id not in context.state.acting and not action:
        who = scene.called(context.state.acting) if context.state.acting else "nobody"
        reasons = [
            (
                "not-your-turn",
                f"{one.name} moves in their own {context.rules.words.slot}; it is that of {who}",
            )
        ]
    if not reasons and (far := moving.too_far(scene, one.id, found["taken"], action)):
        reasons = [far]
    return found, reasons


def map_areas(context: CommandContext, command: Command) -> Draft:
    """Walls and zones of the map, set or removed."""
    for_gm(context, "draw the map")
    areas: dict[str, Any] = {}
    problems: list[Problem] = []
    for id, given in command["areas"].items():
        if given is None:
            if id not in context.state.areas:
                hint = suggestion(id, context.state.areas)
                problems.append(Problem(f"areas.{id}", "unknown-area", f"no area {id!r}", hint))
            areas[id] = None
        else:
            problems += _faults(context, given, f"areas.{id}")
            areas[id] = to_json(_area(given))
    if problems:
        raise InputError(problems)
    if not areas:
        raise InputError.one("areas", "missing-field", "no area is named")
    left = {*context.state.areas, *areas} - {id for id, one in areas.items() if one is None}
    if len(left) > MAX_AREAS:
        raise RefusedError("too-many", f"at most {MAX_AREAS} walls and zones are on a map: remove some")
    return "mapped", {"areas": areas}, False


def position_of(given: Mapping[str, Any], before: Position | None = None) -> Position:
    """Where a combatant is, as it is given; of what is left out, what was known before holds.

    ``facing`` is cleared by null; of a combatant who always has a size and an elevation, null is as if left out.
    """
    base = before or Position(0, 0)
    more = {name: rounded(given[name], _FINE) for name in ("elevation", "size") if given[name] is not None}
    facing = given.get("facing", base.facing)
    facing = None if facing is None else rounded(facing, _FINE)
    return base._replace(facing=facing, x=rounded(given["x"], _FINE), y=rounded(given["y"], _FINE), **more)


def point_of(given: Mapping[str, Any]) -> Point:
    return Point(*(rounded(given[name] or 0, _FINE) for name in ("x", "y", "elevation")))


def _area(given: Mapping[str, Any]) -> Area:
    height, cover = (None if given[name] is None else rounded(given[name]) for name in ("height", "cover"))
    return Area(
        given["label"],
        tuple(point_of(one) for one in given["points"]),
        rounded(given["radius"]),
        rounded(given["elevation"]),
        height,
        rounded(given["factor"]),
        cover,
        given["inside"],
        given["across"],
    )


def _faults(context: CommandContext, given: Mapping[str, Any], path: str) -> list[Problem]:
    """What is wrong with an area beyond its form."""
    found = []
    if len(given["points"]) == 1 and not given["radius"]:
        found.append(Problem(f"{path}.radius", "missing-field", "a round zone has a radius, in metres"))
    wall = len(given["points"]) == 2
    for name in ("inside", "across", "radius") if wall else ("cover",):
        if given[name]:
            what = (
                "of a zone: a wall has two points"
                if wall
                else "of a wall: a zone has one point, or 3 and more"
            )
            found.append(Problem(f"{path}.{name}", "unknown-field", f"{name} is {what}"))
    if given["factor"] != 1 and wall:
        found.append(Problem(f"{path}.factor", "unknown-field", "the ground of a wall is not walked on"))
    for where, fields in zip(("inside", "across"), _fields(context), strict=True):
        for name, value in given[where].items():
            found += _against(context, fields, name, value, f"{path}.{where}.{name}")
    return found


Fields = dict[str, list[tuple[Vocabulary, str]]]
"""Where a name is a field: in these vocabularies, with the whole path."""


def _fields(context: CommandContext) -> tuple[Fields, Fields]:
    """The fields of people, by their names, and those of what is around them, by their paths."""
    people: Fields = {}
    around: Fields = {}
    for procedure in context.game.ruleset.procedures.values():
        vocabulary = procedure.vocabulary
        for path, field in vocabulary.fields.items():
            record, _, name = path.rpartition(".")
            kind = vocabulary.records[record].entry_kind if record in vocabulary.records else ""
            if field.derived_from is None and kind in ("", "combatant"):
                found, key = (people, name) if kind else (around, path)
                found.setdefault(key, []).append((vocabulary, path))
    return people, around


def _against(context: CommandContext, fields: Fields, name: str, value: Any, path: str) -> list[Problem]:
    if name not in fields:
        message = f"no procedure reads {name!r}"
        return [Problem(path, "unknown-field", message, suggestion(name, fields))]
    faults = [vocabulary.fault(field, value, context.game.packs) for vocabulary, field in fields[name]]
    return [] if "" in faults else [Problem(path, "wrong-value", faults[0])]
