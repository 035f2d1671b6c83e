"""What else may come of a shot than a hit: barriers, called shots without damage, ammunition that goes off too early.

Rulebook sections 8.10, 11.5 and 11.8. Each stage stands around the comparison of the Damage Value with the armor.
"""

from __future__ import annotations

from fracas.dice.pools import GLITCHES
from fracas.kernel.forms import Outcome
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.rulesets.sr4.composing import Beside, Told
from fracas.rulesets.sr4.harms.damage import AttackOutcome, Hit, Plan
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import Passing, Receiver

ITEM, TRICK = "item", "trick"
"""Called shots that do no damage."""

DROPPED: tuple[tuple[str, Fact], ...] = (("ready", False), ("dropped", True))
"""The state of a thing that has left the hand."""

CRITICAL_GLITCH = GLITCHES.index("critical")


class CalledShot(Receiver, kind="sr4.called-shot"):
    """Takes the attack test of a called shot that does no damage.

    Attributes:
        what: ``item`` or ``trick``.
        strength: of the target, which holds on to the item.
        item: slug of what the target may lose; "" where nobody says it.
    """

    plan: Shared[Plan]
    what: str
    strength: int
    item: str

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        grazes = net == 0 and plan.defended and plan.grazing != "off"
        if grazes and plan.grazing == "hits" and scoreless:
            grazes = False
        result = "hit" if net > 0 else "graze" if grazes else "miss"
        attack = AttackOutcome(result, 0, "", self.plan, 0, edge_spent)
        return CalledOutcome(attack, max(0, net), self.what, self.strength, self.item)

    def forgo(self) -> Stage:
        """An attacker without dice makes no attack."""
        return AttackOutcome("no-attack", 0, "", self.plan, 0, (0, 0))

    def short(self, net: int, scoreless: bool) -> int:
        needed = 1 if self.what == TRICK else max(1, self.strength + 1 - self.plan.value.value)
        return needed - net


class CalledOutcome(Outcome, kind="sr4.called-outcome"):
    """How a called shot without damage ended; `attack` is all that it has in common with others."""

    attack: AttackOutcome
    net: int
    what: str
    strength: int
    item: str

    @property
    def power(self) -> int:
        """The modified DV, which must exceed the Strength."""
        return self.attack.plan.value.value + self.net

    @property
    def succeeded(self) -> bool:
        return self.attack.result == "hit" and (self.what == TRICK or self.power > self.strength)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {**self.attack.notes(), "net_hits": self.net}
        if self.what == TRICK:
            return facts | {"trick": self.succeeded}
        if self.attack.result == "hit":
            facts |= {"power": self.power, "resists": self.strength}
        return facts | {"item_dropped": self.succeeded}

    def effects(self) -> tuple[Effect, ...]:
        lost = self.what == ITEM and self.item and self.succeeded
        return self.attack.effects() + ((dropped(self.attack.plan.value.who, self.item),) if lost else ())


def dropped(who: str, item: str) -> Effect:
    """A thing lies on the ground; `item`: its slug, or the record of a weapon."""
    return Effect("item", who, item, None, DROPPED)


class Through(Passing, kind="sr4.through"):
    """Takes the attack test of a shot through a barrier: the modified DV must exceed its armor.

    Attributes:
        barrier: armor after penetration.
        then: what takes the test where the shot comes through.
    """

    barrier: int
    plan: Shared[Plan]
    then: Receiver

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        plan, receiver = self.plan.value, self.then
        if net < 0 or (net == 0 and not plan.contact) or plan.value + net > self.barrier:
            return receiver.take(net, scoreless, edge_spent)
        return AttackOutcome("stopped", 0, "", self.plan, 0, edge_spent)

    def short(self, net: int, scoreless: bool) -> int | None:
        short = self.then.short(net, scoreless)
        return None if short is None else max(short, self.barrier + 1 - self.plan.value.value - net)

    def notes(self) -> Facts:
        return {"barrier_armor": self.barrier}


class Misfire(Passing, kind="sr4.misfire"):
    """Takes the attack test with ammunition that explodes in the weapon on a critical glitch.

    Attributes:
        attack: the plan of the attack.
        own: what the shooter resists then; None where too little is known of him.
        then: what takes the test otherwise.
        rules: of the resistance test.
    """

    attack: Shared[Plan]
    own: Shared[Plan] | None
    then: Receiver
    rules: RollRules

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return self.take_both_told(hits, False, glitch, edge_spent)

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        if glitch != CRITICAL_GLITCH:
            return self.take(net, scoreless, edge_spent)
        missed = AttackOutcome("miss", 0, "", self.attack, 0, edge_spent)
        told = Told(missed, (("misfire", True),))
        if self.own is None:
            return told
        return Beside(told, struck(self.own, self.rules, may_use_edge=not edge_spent[0]), "misfire_")


def struck(shared: Shared[Plan], rules: RollRules, *, spent: int = 0, may_use_edge: bool = True) -> Stage:
    """The resistance of somebody who is hit without an attack test: the DV of the weapon, without net hits.

    Args:
        spent: points of Edge that he has spent to get out of the way.
        may_use_edge: he may spend one here.
    """
    plan = shared.value
    converted = plan.track == "physical" and plan.value <= plan.armor
    hit = Hit("hit", plan.value, "stun" if converted else plan.track, shared, 0, (0, spent), rules)
    side = plan.resist
    if not may_use_edge:
        side = side.without_edge()
    elif plan.edge_points <= spent:
        side = side.without_points()
    return dice_test.start(side, None, hit, rules)
