"""From the test against a spirit to the services that it owes, and to the drain: from memory, see `spirits`.

test of the caster -> test of the spirit -> fork: what became of the spirit, and the drain
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.magic.spell_outcomes import Drain, Drained
from fracas.rulesets.sr4.magic.spell_vocabulary import CASTER
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver
from fracas.rulesets.sr4.rolls.sides import RollRules, Side

SPIRIT = "spirit"
"""The branch of what became of the spirit."""
LEAST_DRAIN, DRAIN_A_HIT = 2, 2
BANISHED, SERVICES = "banished", "services"
UNKNOWN = -1


class SpiritTest(Part, kind="sr4.spirit-test"):
    """What the stages after the caster's test need.

    Attributes:
        banishes: net hits take services; otherwise they are services.
        services: that the spirit owes before; `UNKNOWN` where nobody says it.
        opposes: the test of the spirit.
        drain: its value comes from the hits of the spirit.
        rules: of the tests that follow.
    """

    banishes: bool
    services: int
    opposes: Side
    drain: Drain
    rules: RollRules


def begin(side: Side, plan: Shared[SpiritTest]) -> Stage:
    """The test of the caster."""
    return dice_test.start(side, None, Conjured(plan), plan.value.rules)


class Conjured(Receiver, kind="sr4.conjured"):
    """Takes the test of the caster; the spirit opposes it, whatever the hits: they make the drain."""

    plan: Shared[SpiritTest]

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        then = Withstands(self.plan, net, edge_spent[0])
        return dice_test.start(plan.opposes, None, then, plan.rules)

    def short(self, net: int, scoreless: bool) -> int:
        return 1 - net


class Withstands(Receiver, kind="sr4.spirit-withstands"):
    """Takes the test of the spirit. `edge_spent`: points of the caster on his own."""

    plan: Shared[SpiritTest]
    hits: int
    edge_spent: int

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        ended = SpiritEnd(plan.banishes, plan.services, max(0, self.hits - net), edge_spent[0])
        value = max(LEAST_DRAIN, DRAIN_A_HIT * net)
        resist = plan.drain.resist.without_edge() if self.edge_spent else plan.drain.resist
        taken = Drained(plan.drain, value, self.edge_spent)
        return Fork(((SPIRIT, ended), (CASTER, dice_test.start(resist, None, taken, plan.rules))))

    def short(self, net: int, scoreless: bool) -> int:
        return self.hits - net

    def critical(self) -> int:
        return self.hits + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"hits_against": self.hits}


class SpiritEnd(Outcome, kind="sr4.spirit-end"):
    """What became of the spirit.

    Attributes:
        net: net hits of the caster; none: the spirit does not come, or stays.
        edge_spent: points of Edge of the spirit.
    """

    banishes: bool
    services: int
    net: int
    edge_spent: int

    @property
    def taken(self) -> int:
        """Services that it owes no more."""
        return min(self.net, self.services) if self.services > UNKNOWN else self.net

    @property
    def banished(self) -> bool:
        return self.net > 0 and self.services > UNKNOWN and self.net >= self.services

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.net > 0, SERVICES: self.net}
        if self.banishes:
            facts |= {SERVICES: self.taken, BANISHED: self.banished}
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("target", self.edge_spent)
        if self.banishes and self.taken:
            yield Effect("spend", "target", SERVICES, self.taken)
        if self.banishes and self.banished:
            yield Effect("add-condition", "target", BANISHED)
