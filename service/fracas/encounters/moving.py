"""How far combatants may move, who is in an area, and the way of a move, as the ruleset has it (`kernel.placing`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from fracas.encounters import effects
from fracas.encounters.permission import CHOOSE_PAYMENT, default_item, intent_of, judge
from fracas.encounters.scene import Reason, Scene
from fracas.encounters.state import Combatant, State, to_json
from fracas.kernel.intents import Intent
from fracas.kernel.placing import in_force
from fracas.space import Point, Position, cost_of, distance, length_of, rounded

_NEAR = 0.005
"""Metres of rounding: so much further does not count."""


class Movement(NamedTuple):
    """How far a combatant may move.

    Attributes:
        span: whose beginning gives all of it again: ``phase``, ``pass`` or ``turn``.
        left: metres without another action; None: as many as people allow.
        moved: metres in this span so far.
        ways: actions that let them move further: by slug, the metres that would be left after each.
    """

    span: str
    left: float | None
    moved: float
    ways: Mapping[str, float]


def movement(scene: Scene, id: str) -> Movement:
    """How far a combatant may move now, by the rules."""
    rules, table, one = scene.rules, scene.table, scene.state.combatants[id]
    span = rules.movement_span(scene.state.options)
    moved = one.used.get(f"{span}:{effects.MOVED}", 0) / 100
    if id not in table.participants:
        return Movement(span, 0, rounded(moved), {})
    granted = one.used.get(f"{span}:{effects.GRANTED}", 0) / 100
    free = rules.free_metres(table, id)
    lookup = scene.game.packs
    ways = {slug: metres - moved for slug, metres in rules.modes(table, id, lookup).items()}
    left = None if free is None else free + granted - moved
    if left is not None:
        ways |= {slug: left + metres for slug, metres in rules.strides(table, id, lookup).items()}
    ways = {
        slug: rounded(metres) for slug, metres in ways.items() if metres > _NEAR and _may(scene, one, slug)
    }
    return Movement(span, None if left is None else rounded(max(0.0, left)), rounded(moved), ways)


def _may(scene: Scene, one: Combatant, slug: str) -> bool:
    """Whether nothing speaks against an action of moving, without regard to where it leads."""
    action = scene.game.packs.entry("action", slug)
    if action is None:
        return False
    item = default_item(scene, one.id, action)
    reasons = judge(scene, one.id, action, intent_of(scene, one, action, item, "", {})).reasons
    return all(code == CHOOSE_PAYMENT for code, _ in reasons)


def too_far(scene: Scene, id: str, taken: float, action: str = "") -> Reason | None:
    """Why a combatant may not move so many metres, with an action that lets them move or without; None if they may."""
    found = movement(scene, id)
    most = found.ways.get(action, found.left)
    if found.left is None or most is None or taken <= most + _NEAR:
        return None
    words = {"phase": scene.rules.words.slot, "pass": scene.rules.words.part, "turn": scene.rules.words.turn}
    labels = {slug: _label(scene, slug) for slug in found.ways}
    unit = scene.rules.unit

    def far(metres: float) -> str:
        return f"{round(metres / unit.metres, 2):g} {unit.name}"

    further = " or ".join(
        f"{far(metres)} with {labels[slug]}" for slug, metres in found.ways.items() if metres > most + _NEAR
    )
    name = scene.table.participants[id].name if id in scene.table.participants else id
    text = f"{name} can move {far(most)} more in this {words[found.span]}, and this takes {far(taken)}"
    return "too-far", f"{text}; {further}" if further else text


def _label(scene: Scene, slug: str) -> str:
    entry = scene.game.packs.entry("action", slug)
    return entry.label if entry is not None else slug


def way(
    state: State, one: Combatant, goal: Position, via: Sequence[Point], factor: float, span: str
) -> dict[str, Any]:
    """What an event records of the way of a combatant: where it ends, its metres, and those that it takes of their
    movement."""
    assert one.position is not None
    whole = [one.position.point, *via, goal.point]
    metres, taken = length_of(whole), cost_of(whole, state.areas.values(), factor)
    return {
        "to": to_json(goal),
        "via": to_json(list(via)),
        "metres": rounded(metres),
        "taken": rounded(taken),
        "span": span,
    }


def under_fire(scene: Scene, one: Combatant, way: Mapping[str, Any]) -> list[str]:
    """The zones that others keep under fire and a way leads through, by their labels."""
    assert one.position is not None
    stops = [one.position.point, *(Point(**stop) for stop in way["via"]), Position(**way["to"]).point]
    return [
        area.label
        for area in in_force(scene.table).values()
        if area.by not in ("", one.id)
        and area.during == scene.rules.zone
        and any(area.touches(*pair) for pair in pairwise(stops))
    ]


def in_area(scene: Scene, id: str, intent: Intent, spot: Point) -> list[str]:
    """The combatants that an action at a spot may reach, the nearest to the spot first."""
    spread = scene.rules.spread(scene.table, id, intent)
    actor = scene.table.participants[id]
    found = [
        (distance(spot, one.position), one.id)
        for one in scene.table.participants.values()
        if one.position is not None
        and spread.has(actor.position, spot, one.position)
        and not (spread.foes and one.side == actor.side)
    ]
    return [other for _, other in sorted(found)]
