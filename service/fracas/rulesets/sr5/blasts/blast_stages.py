"""From the throw to boxes on the monitors of everybody in reach: rulebook section 11.4.

    test (3) -> Scatter -> Direction -> fork: where it landed, and one branch for each person

With 3 hits it lands on the spot. The direction is thrown only where it matters for a combatant.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, cos, hypot, radians, sin

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Shared, Stage
from fracas.kernel.turns import NEXT_PART
from fracas.rulesets.sr5.harms.damage import HIT, MISS, AttackOutcome, Plan, soak
from fracas.rulesets.sr5.rolls.dice_test import Receiver, spent_edge

LANDING = "blast"
"""The branch for where it went off; the others are named after the records of the people."""
GRENADE = "grenade-goes-off"
"""The action of the packs that comes when a fuse has burned down."""
THRESHOLD = 3
_SECTORS = 6


class Reach(Part, kind="sr5.reach"):
    """A combatant whom the blast may reach.

    Attributes:
        measured: metres from where it goes off, whatever the scatter; -1 where it follows from the scatter.
        distance, bearing: metres and degrees from the spot aimed at.
        plan: how damage is resisted.
    """

    measured: float
    distance: float
    bearing: float
    plan: Shared[Plan]

    def way(self, scatter: int, direction: int) -> int:
        """Started metres from where it goes off."""
        if self.measured >= 0:
            return ceil(self.measured)
        across = self.distance * sin(radians(self.bearing)) - scatter * sin(radians(direction))
        along = self.distance * cos(radians(self.bearing)) - scatter * cos(radians(direction))
        return ceil(round(hypot(across, along), 6))


class Blast(Part, kind="sr5.blast"):
    """What the stages after the test need.

    Attributes:
        value: Damage Value at the center; 0 for what does no damage.
        loss: of the Damage Value with each started metre.
        radius: metres within which it has its full effect, and beyond which none; -1 where it is lost by and by.
        dice: six-sided dice of scatter.
        per_hit: metres of scatter less for each hit.
        rounds: ammunition spent.
        fused: it goes off later.
    """

    value: int
    loss: int
    radius: int
    dice: int
    per_hit: int
    rounds: int
    fused: bool
    people: tuple[Reach, ...]

    def value_at(self, metres: int) -> int:
        """The Damage Value that is left after so many started metres."""
        if self.radius >= 0 and metres > self.radius:
            return 0
        return max(0, self.value - self.loss * metres)

    def asks_direction(self) -> bool:
        return not self.people or any(reach.measured < 0 for reach in self.people)


class Launched(Receiver, kind="sr5.launched"):
    """Takes the throw: with 3 hits it lands on the spot, otherwise each hit makes the scatter less."""

    blast: Shared[Blast]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        blast = self.blast.value
        if hits >= THRESHOLD or not blast.dice:
            return go_off(self.blast, 0, 0, spent[0])
        return Scatter(self.blast, hits * blast.per_hit, spent[0])

    def short(self, hits: int, other_hits: int) -> int:
        return THRESHOLD - hits

    def notes(self) -> Facts:
        return {"threshold": THRESHOLD}


class Scatter(Waiting, kind="sr5.scatter"):
    """How far from the spot it lands: the dice less `less`, which may be more than they show."""

    blast: Shared[Blast]
    less: int
    spent: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("scatter",), ("attacker",), Total(((self.blast.value.dice, 6),)))

    def advance(self, answer: int) -> Stage:
        metres = max(0, answer - self.less)
        if metres and self.blast.value.asks_direction():
            return Direction(self.blast, metres, self.spent)
        return go_off(self.blast, metres, 0, self.spent)


class Direction(Waiting, kind="sr5.direction"):
    """Where the scatter leads: a sixth of the circle for each face, 6 beyond the spot, then clockwise."""

    blast: Shared[Blast]
    metres: int
    spent: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("direction",), ("attacker",), Total(((1, _SECTORS),)))

    def advance(self, answer: int) -> Stage:
        return go_off(self.blast, self.metres, 360 // _SECTORS * (answer % _SECTORS), self.spent)


def go_off(shared: Shared[Blast], scatter: int, direction: int, spent: int) -> Fork:
    """The fork: where it landed, and what that means for everybody."""
    blast = shared.value
    branches: list[tuple[str, Stage]] = [
        (LANDING, Landed(scatter, direction if scatter else 0, blast.rounds, blast.fused, spent))
    ]
    for reach in () if blast.fused else blast.people:
        metres = reach.way(scatter, direction)
        value = blast.value_at(metres)
        # Gas and smoke do no damage of their own, and yet meet everybody within their radius
        met = not blast.value and blast.radius >= metres
        stage: Stage = AttackOutcome(HIT if met else MISS, 0, "", reach.plan, (0, 0))
        if value:
            stage = soak(reach.plan, value, 0, (0, 0))
        branches.append((reach.plan.value.who, stage))
    return Fork(tuple(branches))


class Landed(Outcome, kind="sr5.landed"):
    """Where it landed."""

    scatter: int
    direction: int
    rounds: int
    fused: bool
    spent: int

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"scatter": self.scatter}
        return facts | ({"direction": self.direction} if self.scatter else {})

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(("attacker", self.spent))
        if self.rounds:
            yield Effect("item", "attacker", "weapon", -self.rounds, (("state", "rounds"),))
        if self.fused:
            yield Effect("schedule", "attacker", GRENADE, None, (("when", NEXT_PART),))
