"""What is around a combatant: how far everybody is, in which range band and cover, who is engaged, how far they may
move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.encounters import moving
from fracas.encounters.command_context import CommandContext, item_named, mine
from fracas.exports.cards.card import label_of
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
        item: the weapon whose range bands are told; "" for the first one in hand that has any.
        spot: a place on the map to which distances are told, too.

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
    reach = rules.reach(me, scene.game.shelf)
    areas = in_force(scene.table)
    rows = [_row(context, me, other, others, bands, reach, areas, spot) for other in others]
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
        entry = context.game.shelf.entry("weapon", slug_of(name))
        if entry is not None and (found := context.rules.range_bands(me, entry.data, context.game.shelf)):
            return name, found
    return item, ()


def _movement(context: CommandContext, id: str) -> dict[str, Any]:
    found = moving.movement(context.scene(), id)
    words = context.rules.words
    entries = {slug: context.game.shelf.entry("action", slug) for slug in found.ways}
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
    others: Sequence[Participant],
    bands: Sequence[tuple[str, float]],
    reach: float,
    areas: Mapping[str, Area],
    spot: Point | None,
) -> dict[str, Any]:
    """One combatant as another has them."""
    assert other.position is not None
    told: dict[str, Any] = {"id": other.id, "name": other.name, "side": other.side}
    told["from_spot"] = None if spot is None else rounded(distance(spot, other.position))
    if me.position is None:
        nothing = dict.fromkeys(("metres", "distance", "bearing", "band", "cover"))
        return {**told, **nothing, "in_reach": False, "engaged": False, "in_the_way": []}
    metres, rules = between(me.position, other.position), context.rules
    theirs = rules.reach(other, context.game.shelf)
    foes = other.side != me.side and other.able and me.able
    band = next((band for band, until in bands if metres <= until + 0.005), BEYOND) if bands else None
    return {
        **told,
        "metres": rounded(metres),
        "distance": rules.unit.of(metres),
        "bearing": round(turned(me.position, other.position)) % 360,
        "band": band,
        "cover": rules.cover_between(me, other, areas),
        "in_reach": metres <= reach + 0.005,
        "engaged": foes and metres <= max(reach, theirs) + 0.005,
        "in_the_way": [
            third.id
            for third in others
            if third is not other
            and third.position is not None
            and distance(me.position, third.position) < metres
            and is_in_way(me.position, other.position, third.position)
        ],
    }
