"""Condition monitors, wounds and the Physical limit of Shadowrun 5: rulebook sections 8.2 and 8.6.

All functions take the flat facts of a situation and the name of a side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel import monitors
from fracas.kernel.forms import Part
from fracas.kernel.monitors import Condition, half_up, wounds
from fracas.rulesets.sr5.rolls.limits import limit_of

Facts = Mapping[str, Any]

BOXES_FOR_A_WOUND = 3
STUN_FOR_A_BOX = 2
"""Stun boxes beyond the monitor that make a Physical one."""
_BASE = 8
_TURNS_OF_A_MINUTE = 20


def wound_modifier(facts: Facts, who: str) -> int | None:
    """Dice lost to wounds, 0 or negative; None when a track is not said."""
    physical, stun = facts.get(f"{who}.physical"), facts.get(f"{who}.stun")
    if physical is None or stun is None:
        return None
    if facts.get(f"{who}.vehicle"):
        return 0
    pain = facts.get(f"{who}.pain_resistance", 0), BOXES_FOR_A_WOUND
    return -wounds(physical, stun, pain, bool(facts.get(f"{who}.grunt")))


def physical_limit(facts: Facts, who: str) -> int | None:
    """The Physical limit with what drugs add to it; None when an attribute is not said."""
    limit = limit_of(facts, who, "physical")
    return None if limit is None else max(0, limit + int(facts.get(f"{who}.limit_bonus", 0)))


def boxes_held(facts: Mapping[str, Any]) -> float:
    """Of the damage in the facts of an outcome, the boxes that the monitors still held."""
    return monitors.boxes_held(facts, STUN_FOR_A_BOX)


class Monitors(Part, kind="sr5.monitors"):
    """The condition monitors of a combatant, and the boxes filled so far.

    Attributes:
        physical_boxes: 8 + half the Body, rounded up; of a grunt half the better of Body and Willpower.
        stun_boxes: 8 + half the Willpower, rounded up.
        overflow_boxes: Body; full, it kills.
        single: a grunt: both kinds fill the Physical monitor, and the one who has it full is out.
        vehicle: it has no Stun monitor; full, it is disabled.
        stabilized: with a full Physical monitor, but not dying any more, until the next wound.
    """

    physical: int
    stun: int
    physical_boxes: int
    stun_boxes: int
    overflow_boxes: int
    single: bool = False
    vehicle: bool = False
    stabilized: bool = False

    @classmethod
    def of(cls, facts: Facts, who: str) -> Monitors | None:
        """None when the request lacks something that they need."""
        vehicle, single = bool(facts.get(f"{who}.vehicle")), bool(facts.get(f"{who}.grunt"))
        unsaid = 0 if vehicle else None
        body, willpower = facts.get(f"{who}.body"), facts.get(f"{who}.willpower", unsaid)
        physical, stun = facts.get(f"{who}.physical"), facts.get(f"{who}.stun", unsaid)
        if physical is None or stun is None or body is None or willpower is None:
            return None
        return cls(
            physical,
            stun,
            _BASE + half_up(max(body, willpower) if single else body),
            _BASE + half_up(willpower),
            body,
            single,
            vehicle,
            bool(facts.get(f"{who}.stabilized")),
        )

    @property
    def bleeds(self) -> int:
        """Combat turns after which the dying lose a box more: Body minutes."""
        return max(1, self.overflow_boxes) * _TURNS_OF_A_MINUTE

    def now(self) -> Condition:
        """The monitors as they are."""
        return self.after(0, "physical")

    def after(self, boxes: int, track: str) -> Condition:
        """Mark boxes. Stun beyond its monitor becomes Physical, a box for each two; a half box is lost."""
        physical, stun = self.physical, self.stun
        if self.vehicle:
            physical += boxes
            beyond = max(0, physical - self.physical_boxes)
            return Condition(physical, stun, 0, False, False, False, physical >= self.physical_boxes, beyond)
        if self.single:
            physical, stun = (physical, stun + boxes) if track == "stun" else (physical + boxes, stun)
            beyond = max(0, physical + stun - self.physical_boxes)
            out = physical + stun >= self.physical_boxes
            return Condition(physical, stun, 0, out, False, False, beyond=beyond)
        if track == "stun":
            room = max(0, self.stun_boxes - stun)
            stun += min(room, boxes)
            physical += max(0, boxes - room) // STUN_FOR_A_BOX
        else:
            physical += boxes
        overflow = max(0, physical - self.physical_boxes)
        dying = physical >= self.physical_boxes
        dead = dying and overflow >= max(1, self.overflow_boxes)
        return Condition(physical, stun, overflow, dying or stun >= self.stun_boxes, dying, dead)
