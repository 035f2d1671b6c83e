"""What else a melee attack may do: strike its own wielder, and end a movement.

Rulebook sections 9.5 (interception) and 12.1 (a glitch with a monofilament whip).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from fracas.kernel.stage import Awaited, Effect, Facts, Fork, Shared, Stage, stage_class
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
        side = plan.resist._replace(edge=0, edge_after=0) if edge_spent else plan.resist
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
        return _intercepted(receiver.take(net, scoreless, edge_spent))

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        receiver: GlitchReceiver = self.then
        return _intercepted(receiver.take_told(hits, glitch, edge_spent))

    def take_both_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        receiver: GlitchReceiver = self.then
        return _intercepted(receiver.take_both_told(net, scoreless, glitch, edge_spent))

    def forgo(self) -> Stage | None:
        receiver: Receiver = self.then
        forgone = receiver.forgo()
        return forgone and _intercepted(forgone)

    def short(self, net: int, scoreless: bool) -> int | None:
        return short_of(self.then, net, scoreless)

    def notes(self) -> Facts:
        receiver: Receiver = self.then
        return receiver.notes()


def _intercepted(stage: Stage) -> Stage:
    """An interception from its result on; what it does to its wielder is none."""
    if isinstance(stage, Fork):
        return Fork(tuple((name, part if name else _intercepted(part)) for name, part in stage.branches))
    return Intercepted(stage)


@stage_class
class Intercepted(NamedTuple):
    """An interception after its test: its outcome says whether the movement ends."""

    stage: Any
    kind: Literal["sr4.intercepted"] = "sr4.intercepted"

    @property
    def awaits(self) -> Awaited:
        awaited: Awaited = self.stage.awaits
        return awaited

    @property
    def weigh(self) -> Any:
        return getattr(self.stage, "weigh", None)

    def advance(self, answer: Any) -> Stage:
        return _intercepted(self.stage.advance(answer))

    @property
    def _ends(self) -> bool:
        return self.stage.awaits is None and self.stage.notes().get("result") == "hit"

    def notes(self) -> Facts:
        notes: Facts = self.stage.notes()
        return {**notes, "movement_ends": self._ends} if self.awaits is None else notes

    def effects(self) -> tuple[Effect, ...]:
        effects: tuple[Effect, ...] = self.stage.effects()
        return (*effects, Effect("remove-condition", "target", "running")) if self._ends else effects
