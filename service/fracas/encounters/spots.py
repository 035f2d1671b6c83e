"""Where on the map an action is best done that strikes several at once: places tried, with the exact odds of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from fracas.encounters.action_commands import action_of, items_named
from fracas.encounters.command_context import CommandContext, mine
from fracas.encounters.offers import odds
from fracas.encounters.permission import intent_of
from fracas.encounters.placing import takes_spot
from fracas.engine.budgets import seconds_of_work
from fracas.errors import FracasError, InputError, OverBudgetError
from fracas.kernel.intents import Participant
from fracas.space import Point, distance, rounded

TRIED = 12
"""How many places are tried at most."""
SHOWN = 3
SECONDS = 1.0
"""Of processor time for all of them; the places that it does not reach are left out."""
DOWN, HARM = "down", ("damage", "hurt", "struck")
_ALL = 4.0
"""Metres around a place in which others count for it, where nobody knows how far the action reaches."""


def best_spots(context: CommandContext, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The places where an action does most, the best first: those of opponents, and those between two of them.

    Each has its ``spot``, the ``measures`` of all together, what it does to each of the ``people``, and its ``worth``:
    the opponents that it takes out on average, less those of the own side.

    Args:
        wanted: as a command ``act``; its spot counts for nothing.

    Raises:
        InputError: the action is not done to a place, or the rules lack a fact.
    """
    one, action = mine(context, wanted["combatant"]), action_of(context, wanted["action"])
    procedure = action.data.get("procedure", "")
    if not (procedure and takes_spot(context.game, context.rules, procedure)):
        raise InputError.one("action", "not-at-a-place", f"{action.label} is not done to a place")
    if one.position is None:
        raise InputError.one("combatant", "no-position", f"it is not known where {one.name} is")
    context = context._replace(budget=seconds_of_work(SECONDS))
    sides = {id: other.side for id, other in context.state.combatants.items()}
    found: list[dict[str, Any]] = []
    fault: FracasError | None = None
    for spot in _candidates(context, one.id, wanted):
        try:
            reported = odds(
                context,
                {**wanted, "spot": spot._asdict(), "others": (), "target": None, "attribution": False},
            )
        except OverBudgetError:
            break
        except FracasError as error:
            fault = fault or error
            continue
        if reported["status"] == "resolved":
            worth = _worth(reported.get("people", ()), sides, one.side)
            shown = {name: reported[name] for name in ("measures", "people")}
            found.append({"spot": spot._asdict(), **shown, "worth": worth})
    if not found and fault is not None:
        raise fault
    found.sort(key=lambda row: -row["worth"])
    return found[:SHOWN]


def _worth(people: Sequence[Mapping[str, Any]], sides: Mapping[str, str], own: str) -> float:
    total = 0.0
    for row in people:
        values = row["measures"]
        harm = next((values[id] for id in HARM if id in values), 0.0)
        total += (values.get(DOWN, 0.0) + harm / 100) * (-1 if sides.get(row["who"]) == own else 1)
    return total


def _candidates(context: CommandContext, id: str, wanted: Mapping[str, Any]) -> Iterator[Point]:
    """Places worth trying: those with the most opponents around them first."""
    scene = context.scene()
    me = scene.table.participants[id]
    foes = [
        other
        for other in scene.table.participants.values()
        if other.side != me.side and other.able and other.position is not None and _seen(context, other)
    ]
    action = action_of(context, wanted["action"])
    item, _ = items_named(context, context.state.combatants[id], action, wanted, None)
    intent = intent_of(scene, context.state.combatants[id], action, item, "", wanted["situation"])
    reach = context.rules.spread(scene.table, id, intent).reach or _ALL
    places = {other.position.point for other in foes if other.position is not None}
    for one, other in combinations(sorted(places), 2) if len(places) <= 40 else ():
        if 0 < distance(one, other) <= 2 * reach:
            places.add(Point(*(rounded((a + b) / 2) for a, b in zip(one, other, strict=True))))

    def crowd(spot: Point) -> tuple[float, Point]:
        near = (distance(spot, other.position) for other in foes if other.position is not None)
        return -sum(max(0.0, 1 - far / (reach + 1)) for far in near), spot

    yield from sorted(places, key=crowd)[:TRIED]


def _seen(context: CommandContext, one: Participant) -> bool:
    return context.by.role != "player" or not context.state.combatants[one.id].hidden
