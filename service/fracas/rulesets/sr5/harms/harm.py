"""What damage does to somebody: boxes on the monitors, and what full monitors mean. Rulebook section 8.6.

Every procedure that does damage takes its facts and effects from here.
"""

from __future__ import annotations

from fracas.kernel.stage import Effect, Fact
from fracas.rulesets.sr5.harms.monitors import Condition, Monitors

PRONE, UNCONSCIOUS, DYING, DEAD = "prone", "unconscious", "dying", "dead"
DISABLED, STABILIZED = "disabled", "stabilized"
BLEED = "bleed"
"""The action of the packs that takes a box more from the dying."""

DAZED = "dumpshock"

_GREAT_DAMAGE = 10


def knocks_down(boxes: int, limit: int) -> bool:
    """Whether the boxes of one attack make somebody fall: as many as the Physical limit, or 10.

    Args:
        limit: below 0 where nobody knows it.
    """
    return boxes > 0 and (boxes >= _GREAT_DAMAGE or 0 <= limit <= boxes)


def facts_after(after: Condition) -> dict[str, Fact]:
    """The monitors after damage, for the explanation."""
    facts: dict[str, Fact] = {
        "physical_after": after.physical,
        "stun_after": after.stun,
        "overflow": after.overflow,
        "unconscious": after.unconscious,
        "dying": after.dying,
        "dead": after.dead,
    }
    return facts | ({"disabled": True} if after.disabled else {})


def marks(who: str, monitors: Monitors | None, boxes: int, track: str) -> list[Effect]:
    """Boxes on the tracks, and what full monitors mean. Without monitors, the boxes on their track only."""
    if not boxes:
        return []
    if monitors is None:
        return [Effect("mark", who, track, boxes)]
    after = monitors.after(boxes, track)
    tracks = (("stun", after.stun - monitors.stun), ("physical", after.physical - monitors.physical))
    effects = [Effect("mark", who, name, more) for name, more in tracks if more]
    states = (
        (UNCONSCIOUS, after.unconscious),
        (DYING, after.dying),
        (DEAD, after.dead),
        (DISABLED, after.disabled),
    )
    effects += [Effect("add-condition", who, name) for name, holds in states if holds]
    if monitors.stabilized and after.dying and after.physical > monitors.physical:
        effects.append(Effect("remove-condition", who, STABILIZED))
    begins = after.dying and not after.dead and (monitors.stabilized or not monitors.now().dying)
    return effects + (bleeding(who, monitors) if begins else [])


def dazed(who: str, minutes: int) -> list[Effect]:
    """What dumpshock leaves for some minutes, whether or not a box gets through."""
    time = (("length", minutes), ("unit", "minute"))
    return [Effect("add-condition", who, DAZED, None, time)] if minutes else []


def bleeding(who: str, monitors: Monitors) -> list[Effect]:
    """The next box that somebody dying loses, after as many minutes as the Body."""
    when = (("when", "turn-begin"), ("turns", monitors.bleeds), ("while", DYING))
    return [Effect("schedule", who, BLEED, None, when)]


def healed(who: str, monitors: Monitors, physical: int, stun: int) -> list[Effect]:
    """Boxes that are no longer filled, and what ends with a full monitor: who is healed below it wakes."""
    effects = [
        Effect("mark", who, track, -boxes)
        for track, boxes in (("physical", physical), ("stun", stun))
        if boxes
    ]
    before = monitors.now()
    now = monitors._replace(physical=monitors.physical - physical, stun=monitors.stun - stun).now()
    ended = [DYING, STABILIZED] if before.dying and not now.dying else []
    ended += [UNCONSCIOUS] if before.unconscious and not now.unconscious else []
    return effects + [Effect("remove-condition", who, name) for name in ended]
