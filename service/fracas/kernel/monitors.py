"""Condition monitors: a track of boxes for each of two kinds of damage, and what full tracks mean.

This knows no edition. How long tracks are, what becomes of boxes beyond their end, and who dies of overflow,
rulesets say; what is shown of it, and what follows for a combatant, is the same wherever there are such monitors.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from fracas.kernel.stage import Effect, Fact
from fracas.kernel.tracks import Gauge

__all__ = [
    "BLEED",
    "DEAD",
    "DYING",
    "PHYSICAL",
    "STABILIZED",
    "STUN",
    "UNCONSCIOUS",
    "Condition",
    "bled",
    "boxes_held",
    "by_hand",
    "emptied",
    "facts_after",
    "gauges",
    "half_up",
    "marked",
    "mended",
    "states",
    "worst",
    "wounds",
]

PHYSICAL, STUN = "physical", "stun"
"""The tracks, one for each kind of damage."""
UNCONSCIOUS, DYING, DEAD, STABILIZED = "unconscious", "dying", "dead", "stabilized"
"""The slugs of the conditions that full tracks bring, and of the one that stops dying."""
BLEED = "bleed"
"""The action of the packs that takes a box more from the dying."""


class Condition(NamedTuple):
    """Monitors as boxes stand on them.

    Attributes:
        overflow: Physical boxes beyond the end of the track.
        broken: of a machine, which is none of the others.
        beyond: boxes beyond the end of a track that has no overflow: of a machine, or of a combatant with one track.
    """

    physical: int
    stun: int
    overflow: int
    unconscious: bool
    dying: bool
    dead: bool
    broken: bool = False
    beyond: int = 0


def half_up(number: int) -> int:
    """Half of a number, rounded up."""
    return -(-number // 2)


def wounds(physical: int, stun: int, pain: tuple[int, int], together: bool = False) -> int:
    """The number of wound modifiers that boxes make, counted track by track.

    Args:
        pain: boxes of each track for which pain takes nothing, and boxes that make a modifier.
        together: both kinds are on one track.
    """
    ignored, step = pain
    tracks = (physical + stun,) if together else (physical, stun)
    return sum(max(0, boxes - ignored) // step for boxes in tracks)


def facts_after(after: Condition, broken: str) -> dict[str, Fact]:
    """The monitors after damage, for the explanation; `broken`: what a machine is that is out of order."""
    facts: dict[str, Fact] = {
        "physical_after": after.physical,
        "stun_after": after.stun,
        "overflow": after.overflow,
        "unconscious": after.unconscious,
        "dying": after.dying,
        "dead": after.dead,
    }
    if after.broken:
        facts[broken] = True
    if after.beyond:
        facts["beyond_the_track"] = after.beyond
    return facts


def boxes_held(facts: Mapping[str, Any], stun_for_a_box: int = 1) -> float:
    """Of the damage in the facts of an outcome, the boxes that the tracks still held: what overflows was not there to
    lose. All of it where nobody knows how long the tracks are.

    Args:
        stun_for_a_box: how many boxes of Stun beyond their own track make one on the Physical track.
    """
    each = stun_for_a_box if facts.get("track") == STUN and facts.get("dying") else 1
    beyond = (facts.get("overflow") or 0) * each + (facts.get("beyond_the_track") or 0)
    return float(max(0, (facts.get("damage") or 0) - beyond))


def worst(now: Condition, broken: str) -> str:
    """The one word for why a combatant cannot act: the name of the worst state; "" where no track that counts is
    full."""
    if now.broken:
        return broken
    return DEAD if now.dead else DYING if now.dying else UNCONSCIOUS if now.unconscious else ""


def marked(who: str, physical: int, stun: int) -> list[Effect]:
    """Boxes more on the tracks."""
    return [
        Effect("mark", who, track, boxes) for track, boxes in ((STUN, stun), (PHYSICAL, physical)) if boxes
    ]


def states(who: str, after: Condition, broken: str) -> list[Effect]:
    """The conditions that full tracks put a combatant into."""
    held = (
        (UNCONSCIOUS, after.unconscious),
        (DYING, after.dying),
        (DEAD, after.dead),
        (broken, after.broken),
    )
    return [Effect("add-condition", who, name) for name, holds in held if holds]


def bled(who: str, turns: int) -> Effect:
    """The next box that a combatant dying loses, as a turn begins that is so many turns off."""
    when = (("when", "turn-begin"), ("turns", turns), ("while", DYING))
    return Effect("schedule", who, BLEED, None, when)


def mended(boxes: int, filled: tuple[int, int], first: str) -> tuple[int, int]:
    """The Physical and the Stun boxes that so many healed boxes empty.

    Args:
        filled: Physical and Stun boxes.
        first: the track that is healed first; the other one has what is left.
    """
    physical, stun = filled
    if first == STUN:
        stun, physical = mended(boxes, (stun, physical), PHYSICAL)
        return physical, stun
    return min(boxes, physical), min(boxes - min(boxes, physical), stun)


def gauges(
    sheet: Mapping[str, Any], physical: tuple[int, int] | None = None, stun: tuple[int, int] | None = None
) -> list[Gauge]:
    """The tracks of a combatant, each with its filled boxes and all of them, and the Edge that is left; without the
    tracks that the combatant does not have or that are not known."""
    tracks = ((PHYSICAL, "Physical", physical), (STUN, "Stun", stun))
    found = [Gauge(track, label, *boxes) for track, label, boxes in tracks if boxes is not None]
    points = sheet.get("edge_points")
    if isinstance(points, int):
        found.append(Gauge("edge", "Edge", points, sheet.get("edge"), fills=False, harm=False))
    return found


def emptied(who: str, physical: int, stun: int, before: Condition, now: Condition) -> list[Effect]:
    """So many boxes are no longer filled, and what ends with a full track: who is healed below it wakes."""
    taken = ((PHYSICAL, physical), (STUN, stun))
    effects = [Effect("mark", who, track, -boxes) for track, boxes in taken if boxes]
    ended = [DYING, STABILIZED] if before.dying and not now.dying else []
    ended += [UNCONSCIOUS] if before.unconscious and not now.unconscious else []
    return effects + [Effect("remove-condition", who, name) for name in ended]


def by_hand(
    who: str,
    before: Condition | None,
    now: Condition | None,
    had: Collection[str],
    has: Collection[str],
    broken: str,
    bleeds: int,
) -> list[Effect]:
    """The states of full tracks where boxes or conditions are set by hand, or a combatant joins with them: those that
    begin, as after a hit, and those that end; and the bleeding of who is dying then.

    Args:
        before: the tracks before; None for a combatant who joins, or where they are not known.
        now: the tracks now; None where they are not known.
        had: the conditions before.
        has: the conditions now.
        bleeds: see `bled`; 0 where the dying lose no more boxes.
    """
    begun, ended = [], []
    if now is not None and now != before:
        kept = (*has, DYING) if STABILIZED in has and not now.dead else has
        begun = [effect for effect in states(who, now, broken) if effect.what not in kept]
        if before is not None:
            ended = [effect.what for effect in emptied(who, 0, 0, before, now)]
            ended += [DEAD] if before.dead and not now.dead else []
            ended += [broken] if before.broken and not now.broken else []
    left = ({*has} | {effect.what for effect in begun}) - {*ended}
    bleeding = DYING in left and left.isdisjoint((DEAD, STABILIZED))
    if bleeds and bleeding and not (DYING in had and DEAD not in had):
        begun.append(bled(who, bleeds))
    return begun + [Effect("remove-condition", who, name) for name in ended if name in has]
