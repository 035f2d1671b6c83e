"""What is around a combatant: how far everybody is, in which range band and cover, who is engaged, how far they may
move."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import asin, degrees, hypot
from typing import Any

from fracas.encounters import moving
from fracas.encounters.command_context import CommandContext, item_named, mine
from fracas.exports.cards.terms import label_of
from fracas.kernel.intents import Participant
from fracas.kernel.items import slug_of
from fracas.kernel.placing import in_force
from fracas.space import Area, Point, between, distance, is_in_way, rounded, turned

BEYOND = "beyond"
"""The band of what is farther than the last one."""


def surroundings(
    context: CommandContext, id: str, item: str = "", spot: Point | None = None
) -> dict[str, Any]:
    """Everybody on the map as a combatant has them around.

    Args:
        context: that of the fight, for the caller.
        item: the weapon whose range bands are wanted; "" for the first one in hand that has any.
        spot: a place on the map to which distances are wanted, too.

    Raises:
        InputError: nobody is called so, or they have no such thing.
        ForbiddenError: the combatant is not the author's.
        RefusedError: it has left the fight.
    """
    one = mine(context, id)
    scene, rules = context.scene(), context.rules
    me = scene.table.participants[id]
    others = [
        other
        for other in scene.table.participants.values()
        if other.id != id and other.position is not None and _seen(context, other.id)
    ]
    named = item_named(context, one, item or None)
    weapon, bands = _weapon(context, me, named)
    reach = rules.reach(me, scene.game.packs)
    areas = in_force(scene.table)
    between_us = _in_the_way(me, others)
    rows = [_row(context, me, other, between_us[other.id], bands, reach, areas, spot) for other in others]
    if me.position is not None:
        rows.sort(key=lambda row: row["metres"])
    return {
        "combatant": id,
        "version": context.history.version,
        "unit": {"name": rules.unit.name, "metres": rules.unit.metres},
        "position": me.position._asdict() if me.position else None,
        "movement": _movement(context, id),
        "reach": rounded(reach),
        "engaged": [row["id"] for row in rows if row["engaged"]],
        "item": weapon or None,
        "bands": [{"band": band, "label": label_of(band), "until": rounded(until)} for band, until in bands],
        "spot": None if spot is None or me.position is None else rounded(distance(me.position, spot)),
        "others": rows,
    }


def _seen(context: CommandContext, id: str) -> bool:
    one = context.state.combatants[id]
    return not one.hidden or context.by.commands(id)


def _weapon(context: CommandContext, me: Participant, item: str) -> tuple[str, Sequence[tuple[str, float]]]:
    """A weapon and its range bands: the one that is named, or the first in hand that has any."""
    ready = [name for name, state in me.items.items() if state.get("ready")]
    for name in [item] if item else ready:
        entry = context.game.packs.entry("weapon", slug_of(name))
        if entry is not None and (found := context.rules.range_bands(me, entry.data, context.game.packs)):
            return name, found
    return item, ()


def _movement(context: CommandContext, id: str) -> dict[str, Any]:
    found = moving.movement(context.scene(), id)
    words = context.rules.words
    entries = {slug: context.game.packs.entry("action", slug) for slug in found.ways}
    ways = [
        {"action": slug, "label": entry.label, "metres": found.ways[slug]}
        for slug, entry in entries.items()
        if entry is not None
    ]
    return {
        "span": {"phase": words.slot, "pass": words.part, "turn": words.turn}[found.span],
        "left": found.left,
        "moved": found.moved,
        "ways": sorted(ways, key=lambda way: way["metres"]),
    }


def _row(
    context: CommandContext,
    me: Participant,
    other: Participant,
    in_the_way: Sequence[str],
    bands: Sequence[tuple[str, float]],
    reach: float,
    areas: Mapping[str, Area],
    spot: Point | None,
) -> dict[str, Any]:
    """One combatant as another has them."""
    assert other.position is not None
    reported: dict[str, Any] = {"id": other.id, "name": other.name, "side": other.side}
    reported["from_spot"] = None if spot is None else rounded(distance(spot, other.position))
    if me.position is None:
        nothing = dict.fromkeys(("metres", "distance", "bearing", "band", "cover"))
        return {**reported, **nothing, "in_reach": False, "engaged": False, "in_the_way": []}
    metres, rules = between(me.position, other.position), context.rules
    theirs = rules.reach(other, context.game.packs)
    foes = other.side != me.side and other.able and me.able
    band = next((band for band, until in bands if metres <= until + 0.005), BEYOND) if bands else None
    return {
        **reported,
        "metres": rounded(metres),
        "distance": rules.unit.of(metres),
        "bearing": round(turned(me.position, other.position)) % 360,
        "band": band,
        "cover": rules.cover_between(me, other, areas),
        "in_reach": metres <= reach + 0.005,
        "engaged": foes and metres <= max(reach, theirs) + 0.005,
        "in_the_way": list(in_the_way),
    }


def _in_the_way(me: Participant, others: Sequence[Participant]) -> dict[str, list[str]]:
    """Who stands in the line to each of the others. Of a body only those are asked who stand in its direction."""
    found: dict[str, list[str]] = {other.id: [] for other in others}
    eye = me.position
    if eye is None:
        return found
    placed = [(turned(eye, other.position), other) for other in others if other.position is not None]
    placed.sort(key=lambda one: one[0])
    angles = [angle for angle, _ in placed]
    for angle, third in placed:
        assert third.position is not None
        far = hypot(third.position.x - eye.x, third.position.y - eye.y)
        half = third.position.size / 2
        width = 180.0 if far <= half else degrees(asin(half / far)) + 0.01
        for turn in (-360, 0, 360):  # directions go round
            first = bisect_left(angles, angle - width + turn)
            last = bisect_right(angles, angle + width + turn)
            for _, other in placed[first:last]:
                if other is not third and other.position and is_in_way(eye, other.position, third.position):
                    found[other.id].append(third.id)
    return {id: list(dict.fromkeys(ids)) for id, ids in found.items()}
