"""What damage does to a combatant: boxes on the monitors, and what full monitors mean. Rulebook section 8.6.

Every procedure that does damage takes its facts and effects from here.
"""

from __future__ import annotations

from fracas.kernel import monitors
from fracas.kernel.monitors import STABILIZED, Condition
from fracas.kernel.stage import Effect, Fact
from fracas.rulesets.sr5.harms.monitors import Monitors

PRONE, DISABLED = "prone", "disabled"

DAZED = "dumpshock"

_GREAT_DAMAGE = 10


def knocks_down(boxes: int, limit: int) -> bool:
    """Whether the boxes of one attack make a combatant fall: as many as the Physical limit, or 10.

    Args:
        limit: below 0 where nobody knows it.
    """
    return boxes > 0 and (boxes >= _GREAT_DAMAGE or 0 <= limit <= boxes)


def facts_after(after: Condition) -> dict[str, Fact]:
    """The monitors after damage, for the explanation."""
    return monitors.facts_after(after, DISABLED)


def marks(who: str, filled: Monitors | None, boxes: int, track: str) -> list[Effect]:
    """Boxes on the tracks, and what full monitors mean. Without monitors, the boxes on their track only."""
    if not boxes:
        return []
    if filled is None:
        return [Effect("mark", who, track, boxes)]
    after = filled.after(boxes, track)
    effects = monitors.marked(who, after.physical - filled.physical, after.stun - filled.stun)
    effects += monitors.states(who, after, DISABLED)
    if filled.stabilized and after.dying and after.physical > filled.physical:
        effects.append(Effect("remove-condition", who, STABILIZED))
    begins = after.dying and not after.dead and (filled.stabilized or not filled.now().dying)
    return effects + (bleeding(who, filled) if begins else [])


def dazed(who: str, minutes: int) -> list[Effect]:
    """What dumpshock leaves for some minutes, whether or not a box gets through."""
    time = (("length", minutes), ("unit", "minute"))
    return [Effect("add-condition", who, DAZED, None, time)] if minutes else []


def bleeding(who: str, filled: Monitors) -> list[Effect]:
    """The next box that a dying combatant loses, after as many minutes as the Body."""
    return [monitors.bled(who, filled.bleeds)]


def healed(who: str, filled: Monitors, physical: int, stun: int) -> list[Effect]:
    """Boxes that are no longer filled, and what ends with a full monitor."""
    left = filled._replace(physical=filled.physical - physical, stun=filled.stun - stun)
    return monitors.emptied(who, physical, stun, filled.now(), left.now())
