"""What else a melee attack may do: strike its own wielder, and end a movement.

Rulebook sections 9.5 (interception) and 12.1 (a glitch with a monofilament whip).
"""

from __future__ import annotations

from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage
from fracas.rulesets.sr4.composing import Around, Wrap, seen_as
from fracas.rulesets.sr4.harms.damage import Hit, Plan
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import Passing, Receiver

BACKLASH = "backlash"
"""The branch of what a weapon does to its own wielder, and its result."""


class Backfiring(Passing, kind="sr4.backfiring"):
    """Takes the attack test with a weapon that strikes its wielder on a glitch, whatever it does to the target.

    Attributes:
        then: takes the result for the target.
        plan: how the wielder resists; who resists is called the target in it.
        rules: of the wielder's resistance test.
    """

    then: Receiver
    plan: Shared[Plan]
    rules: RollRules

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return self.take_both_told(hits, False, glitch, edge_spent)

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        stage = self.take(net, scoreless, edge_spent)
        if not glitch:
            return stage
        return Fork((("", stage), (BACKLASH, self._strike_back(bool(edge_spent[0])))))

    def _strike_back(self, edge_spent: bool) -> Stage:
        """The wielder resists; a point of Edge spent on the attack was that of the whole action."""
        plan = self.plan.value
        side = plan.resist.without_edge() if edge_spent else plan.resist
        track = "stun" if plan.track == "physical" and plan.value <= plan.armor else plan.track
        hit = Hit(BACKLASH, plan.value, track, self.plan, 0, (0, 0), self.rules)
        return seen_as(dice_test.start(side, None, hit, self.rules), (("target", "attacker"),))


class Intercepting(Passing, kind="sr4.intercepting"):
    """Takes the attack test of an interception: a hit ends the movement of the target."""

    then: Receiver

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return Intercepted().put(self.then.take(net, scoreless, edge_spent))

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return Intercepted().put(self.then.take_told(hits, glitch, edge_spent))

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        return Intercepted().put(self.then.take_both_told(net, scoreless, glitch, edge_spent))

    def forgo(self) -> Stage | None:
        forgone = self.then.forgo()
        return forgone and Intercepted().put(forgone)


class Intercepted(Wrap, kind="sr4.intercepted"):
    """The outcome of an interception says whether the movement ends; what it does to its wielder is none."""

    def put(self, stage: Stage) -> Stage:
        if isinstance(stage, Fork):
            return Fork(tuple((name, part if name else self.put(part)) for name, part in stage.branches))
        return Around(stage, self)

    def notes(self, outcome: Stage) -> Facts:
        facts = outcome.notes()
        return {**facts, "movement_ends": facts.get("result") == "hit"}

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        ends = outcome.notes().get("result") == "hit"
        stops = (Effect("remove-condition", "target", "running"),) if ends else ()
        return (*outcome.effects(), *stops)
