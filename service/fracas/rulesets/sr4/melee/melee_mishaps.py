"""What else a melee attack may do: strike its own wielder, and end a movement.

Rulebook sections 9.5 (interception) and 12.1 (a glitch with a monofilament whip).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from fracas.kernel.stage import Effect, Facts, Fork, Shared, Stage, stage_class
from fracas.rulesets.sr4.around import Around
from fracas.rulesets.sr4.harms.damage import Hit, Plan
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import GlitchReceiver, Receiver, RollRules, short_of
from fracas.rulesets.sr4.seen_as import seen_as

BACKLASH = "backlash"
"""The branch of what a weapon does to its own wielder, and its result."""


@stage_class
class Backfiring(NamedTuple):
    """Takes the attack test with a weapon that strikes its wielder on a glitch, whatever it does to the target.

    Attributes:
        then: takes the result for the target.
        plan: how the wielder resists; who resists is called the target in it.
        rules: of the wielder's resistance test.
    """

    then: Any
    plan: Shared[Plan]
    rules: RollRules
    kind: Literal["sr4.backfiring"] = "sr4.backfiring"

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        receiver: Receiver = self.then
        return receiver.take(net, scoreless, edge_spent)

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

    def forgo(self) -> Stage | None:
        receiver: Receiver = self.then
        return receiver.forgo()

    def short(self, net: int, scoreless: bool) -> int | None:
        return short_of(self.then, net, scoreless)

    def notes(self) -> Facts:
        receiver: Receiver = self.then
        return receiver.notes()


@stage_class
class Intercepting(NamedTuple):
    """Takes the attack test of an interception: a hit ends the movement of the target."""

    then: Any
    kind: Literal["sr4.intercepting"] = "sr4.intercepting"

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        receiver: Receiver = self.then
        return Intercepted().put(receiver.take(net, scoreless, edge_spent))

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        receiver: GlitchReceiver = self.then
        return Intercepted().put(receiver.take_told(hits, glitch, edge_spent))

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        receiver: GlitchReceiver = self.then
        return Intercepted().put(receiver.take_both_told(net, scoreless, glitch, edge_spent))

    def forgo(self) -> Stage | None:
        receiver: Receiver = self.then
        forgone = receiver.forgo()
        return forgone and Intercepted().put(forgone)

    def short(self, net: int, scoreless: bool) -> int | None:
        return short_of(self.then, net, scoreless)

    def notes(self) -> Facts:
        receiver: Receiver = self.then
        return receiver.notes()


@stage_class
class Intercepted(NamedTuple):
    """The outcome of an interception says whether the movement ends; what it does to its wielder is none."""

    kind: Literal["sr4.intercepted"] = "sr4.intercepted"

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
