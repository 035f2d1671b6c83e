"""What follows for a combatant from an attack, or from what else hurts: see `Aftereffect`. Some of it stuns."""

from __future__ import annotations

from typing import Any, cast

from fracas.dice.totals import Total
from fracas.kernel.composing import ThenAlso, Within
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Effect, Fork, Stage
from fracas.kernel.steps import Filling, Throw
from fracas.rulesets.imperium.checks.percentile import Percentile, either
from fracas.rulesets.imperium.harms import injury
from fracas.rulesets.imperium.harms.bodies import DEAD, UNCONSCIOUS


class Aftereffect(Part):
    """Something that follows for a combatant: what it is of, and who they are, a class says.

    Attributes:
        who: the record.
    """

    who: str

    def follows(self, settled: Stage) -> Stage:
        """What comes of the outcome of this combatant: itself, where nothing follows."""
        raise NotImplementedError

    def around(self, stage: Stage) -> Stage:
        """The stage, and what follows from its outcome; of a fork, from the branch of this combatant."""
        if isinstance(stage, Fork):
            parts = ((who, self.around(part) if who == self.who else part) for who, part in stage.branches)
            return Fork(tuple(parts))
        return self.follows(stage) if stage.awaits is None else Unsettled(stage, self)


class Unsettled(Within, kind="imperium.unsettled"):
    """A stage from whose outcome something may follow."""

    stage: Stage
    after: Any

    def advance(self, answer: Any) -> Stage:
        return cast(Stage, self.after.around(self.stage.advance(answer)))


class Dazzling(Aftereffect, kind="imperium.dazzling"):
    """What stuns, such as a flash.

    Attributes:
        test: of Toughness; None for those who have none: the unaware, and machines.
        dice: of how long, in spans of so many actions (`unit`).
        had: actions that were to be lost before.
        label: of the roll of the test.
    """

    test: Percentile | None
    dice: Total
    unit: int
    had: int
    label: str = "flash"

    def follows(self, settled: Stage) -> Stage:
        facts = settled.notes()
        if not facts.get("hit", True) or facts.get("down") in (UNCONSCIOUS, DEAD):
            return settled
        had = max(self.had, int(facts.get("stunned_actions") or 0))
        end = Dazed(self.who, self.unit, had)
        dazed: Stage = Throw("dazed", self.who, self.dice, Filling(end, "spans"))
        if self.test is not None:
            dazed = either(self.label, self.who, self.test, end, dazed)
        return ThenAlso(settled, dazed, "")


class Dazed(Outcome, kind="imperium.dazed"):
    """How many spans of `unit` actions it costs a combatant: of several stuns the longer counts."""

    who: str
    unit: int
    had: int
    spans: int = 0

    @property
    def actions(self) -> int:
        return self.spans * self.unit

    def notes(self) -> dict[str, Any]:
        return {"stunned_actions": max(self.had, self.actions)} if self.actions else {}

    def changes(self) -> tuple[Effect, ...]:
        if self.actions <= self.had:
            return ()
        marks = Effect("mark", self.who, injury.STUNNED_ACTIONS, self.actions - self.had)
        return marks, Effect("add-condition", self.who, injury.STUNNED)
