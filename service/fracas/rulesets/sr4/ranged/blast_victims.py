"""Those whom a blast may reach, and what it does to each of them: rulebook sections 8.11 and 11."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, radians, sin

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.harms.damage import shock_test
from fracas.rulesets.sr4.harms.harm import (
    ELECTRICITY,
    facts_after,
    facts_of_elements,
    knocks_down,
    marks,
    stays_with,
    suffered,
)
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.sheet import Monitors


class Victim(Part, kind="sr4.blast-victim"):
    """Somebody whom the blast may reach.

    Attributes:
        who: the record, such as ``victim_1``.
        measured: metres from where it goes off, whatever the scatter; None where it follows from the scatter.
        distance: metres from the spot aimed at.
        bearing: degrees from there; 0 is beyond the spot, as the attacker sees it.
        rebound: metres that the blast goes to a wall and back to here; None without a wall.
        armor: Impact after armor penetration.
        resist: the resistance test.
        edge_points: points of Edge before the attack.
        knockdown: boxes of one hit above this knock down; so do 10.
        monitors: None when the situation does not tell them.
        hard: a vehicle: what does not exceed its armor, and Stun, does nothing; nor does it fall (section 11.9).
        element, had, shock_pool, pain: as of a `damage.Plan`.
    """

    who: str
    measured: float | None
    distance: float
    bearing: float
    rebound: float | None
    armor: int
    resist: Side
    edge_points: int
    knockdown: int
    monitors: Monitors | None
    hard: bool = False
    element: str = ""
    had: int = 0
    shock_pool: int = -1
    pain: tuple[int, int] = (0, 3)

    def way(self, scatter: float, direction: int) -> float:
        """Metres from where it goes off."""
        if self.measured is not None:
            return self.measured
        return hypot(
            self.distance * sin(radians(self.bearing)) - scatter * sin(radians(direction)),
            self.distance * cos(radians(self.bearing)) - scatter * cos(radians(direction)),
        )


class Engulfed(Receiver, kind="sr4.engulfed"):
    """Takes the resistance test: each hit lowers the DV by one."""

    metres: int
    dv: int
    track: str
    converted: bool
    victim: Shared[Victim]
    rules: RollRules

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        damage = max(0, self.dv - net)
        reached = Reached("hit", self.metres, damage, self.track, self.victim, edge_spent[0])
        victim = self.victim.value
        if victim.element == ELECTRICITY:
            return shock_test(
                reached, victim.who, victim.shock_pool, victim.monitors, victim.pain, 0, self.rules
            )
        goes = stays_with(victim.element, self.dv, victim.armor)
        return reached._replace(lasting=goes) if goes else reached

    def short(self, net: int, scoreless: bool) -> int:
        return self.dv - net

    def critical(self) -> int:
        return self.dv

    def notes(self) -> Facts:
        return {
            "dv": self.dv,
            "modified_armor": self.victim.value.armor,
            "converted_to_stun": self.converted,
        }


class Reached(Outcome, kind="sr4.struck"):
    """What the blast did to somebody.

    Attributes:
        result: ``hit``, ``in-area`` (reached by what does no damage), ``bounced`` (off a vehicle) or ``outside``.
        metres: started metres from where it went off.
        damage: boxes after resistance.
        track: ``physical`` or ``stun``; "" without a hit.
        edge_spent: points of Edge spent on resisting.
        shock_turns, lasting: as of a `damage.AttackOutcome`.
    """

    result: str
    metres: int
    damage: int
    track: str
    victim: Shared[Victim]
    edge_spent: int
    shock_turns: int = 0
    lasting: int = 0

    @property
    def knockdown(self) -> bool:
        victim = self.victim.value
        return not victim.hard and knocks_down(self.damage, victim.knockdown)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "result": self.result,
            "distance": self.metres,
            "damage": self.damage,
            "track": self.track or None,
            "knockdown": self.knockdown,
        }
        monitors = self.victim.value.monitors
        if monitors is not None:
            facts |= facts_after(monitors.after(self.damage, self.track))
        return facts | facts_of_elements(self.shock_turns, self.victim.value.element, self.lasting)

    def changes(self) -> Iterator[Effect]:
        victim = self.victim.value
        yield from spent_edge(victim.who, self.edge_spent)
        yield from suffered(
            victim.who,
            marks(victim.who, victim.monitors, self.damage, self.track),
            self.knockdown,
            self.shock_turns,
            victim.element,
            self.lasting,
            victim.had,
        )
