"""From the test of suppressive fire to boxes on the monitors of whoever is in the zone: rulebook section 8.7.

test -> fork: the zone, and for each person in it: getting away -> resistance
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage
from fracas.rulesets.sr4.composing import Beside, Told, spent_edge
from fracas.rulesets.sr4.harms.damage import AttackOutcome, Plan
from fracas.rulesets.sr4.ranged.ranged_stages import CRITICAL_GLITCH, struck
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver

ZONE = "zone"
"""The branch of the shooter; the others are named after the records of the people."""

SUPPRESSING = "suppressing"
"""The condition of the shooter, until the next own Action Phase."""


class Exposed(Part, kind="sr4.exposed"):
    """Somebody in the zone.

    Attributes:
        who: the record.
        avoid: the test to get away; None for who cannot try.
        plan: what a hit does.
    """

    who: str
    avoid: Side | None
    plan: Shared[Plan]


class Lying(Part, kind="sr4.lying"):
    """Somebody in the zone who lies prone, and is safe."""

    who: str
    plan: Shared[Plan]


class Suppress(Receiver, kind="sr4.suppress"):
    """Takes the test of the shooter: its hits are the threshold.

    Attributes:
        rounds: ammunition spent.
        own: what the shooter resists when explosive ammunition misfires; None where nothing is known of it.
        misfires: the ammunition goes off in the weapon on a critical glitch.
        rules: of the tests that follow.
    """

    people: tuple[Shared[Exposed | Lying], ...]
    rounds: int
    own: Shared[Plan] | None
    misfires: bool
    rules: RollRules

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        opened = Zone(net, self.rounds, edge_spent[0])
        return fire_zone(opened, net, self.people, self.rules)

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        if glitch != CRITICAL_GLITCH or not self.misfires:
            return self.take(hits, False, edge_spent)
        zone: Stage = Told(Zone(0, self.rounds, edge_spent[0]), (("misfire", True),))
        if self.own is not None:
            own = struck(self.own, self.rules, may_use_edge=not edge_spent[0])
            zone = Beside(zone, own, "misfire_")
        return fire_zone(zone, 0, self.people, self.rules)

    def forgo(self) -> Stage:
        """Without dice nobody is kept down."""
        return fire_zone(Zone(0, 0, 0), 0, self.people, self.rules)

    def short(self, net: int, scoreless: bool) -> int:
        return 1 - net


def fire_zone(
    zone: Stage, threshold: int, people: Sequence[Shared[Exposed | Lying]], rules: RollRules
) -> Fork:
    """The fork: the zone itself, and what it means for everybody in it."""
    branches = [(ZONE, zone)]
    branches += [(one.value.who, _keep_down(one.value, threshold, rules)) for one in people]
    return Fork(tuple(branches))


def _keep_down(one: Exposed | Lying, threshold: int, rules: RollRules) -> Stage:
    if threshold <= 0 or isinstance(one, Lying):
        return AttackOutcome("safe", 0, "", one.plan, 0, (0, 0))
    if one.avoid is None:
        return struck(one.plan, rules)
    return dice_test.start(one.avoid, None, Avoid(threshold, one.plan, rules), rules)


class Avoid(Receiver, kind="sr4.avoid-suppression"):
    """Takes the test to get away: as many hits as the threshold, or the weapon hits."""

    threshold: int
    plan: Shared[Plan]
    rules: RollRules

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        if net >= self.threshold:
            return AttackOutcome("avoided", 0, "", self.plan, 0, (0, edge_spent[0]))
        return struck(self.plan, self.rules, spent=edge_spent[0])

    def short(self, net: int, scoreless: bool) -> int:
        return self.threshold - net

    def critical(self) -> int:
        return self.threshold + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"avoid_threshold": self.threshold}


class Zone(Outcome, kind="sr4.suppressed-zone"):
    """What the shooter has made of it.

    Attributes:
        threshold: his hits; 0 is no threat.
        rounds: ammunition spent; 0 where the zone was there already.
        edge_spent: points of Edge that he has spent.
    """

    threshold: int
    rounds: int
    edge_spent: int

    def notes(self) -> Facts:
        return {"result": SUPPRESSING if self.threshold else "no-threat", "threshold": self.threshold}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge_spent)
        if not self.rounds:
            return
        yield Effect("item", "attacker", "weapon", -self.rounds, (("state", "rounds"),))
        yield Effect("gain", "attacker", "rounds-fired", self.rounds)
        yield Effect("gain", "attacker", "attacks-made", 1)
        if self.threshold:
            lasts = (("set_suppression", self.threshold),)
            yield Effect("add-condition", "attacker", SUPPRESSING, None, lasts)
