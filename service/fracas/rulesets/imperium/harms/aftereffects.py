"""What follows for a combatant from an attack, or from what else hurts: see `Aftereffect`. Some of it stuns."""

from __future__ import annotations

from typing import Any, cast

from fracas.dice.totals import Total
from fracas.kernel.composing import ThenAlso, Within
from fracas.kernel.forms import Continuation, Outcome, Part
from fracas.kernel.percentiles import Testing, Weighed, ways_of
from fracas.kernel.stage import Effect, Fork, Stage
from fracas.kernel.steps import Throw
from fracas.rulesets.imperium.checks.percentile import Percentile
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
        end = Dazed(self.who, self.unit, had, 0)
        if self.test is None:
            return ThenAlso(settled, Throw("dazed", self.who, self.dice, Blinded(end)), "")
        return ThenAlso(settled, FlashTest(self.label, self.who, self.test, Flashed(end, self.dice)), "")


class FlashTest(Testing, kind="imperium.flash-test"):
    """Waits for the test of Toughness before what stuns."""

    def spread(self, inputs: Any) -> Weighed:
        """The faces that pass and those that do not, each taken together."""
        return ways_of(self.test.passes)


class Flashed(Continuation, kind="imperium.flashed"):
    """What comes of the test."""

    end: Dazed
    dice: Total

    def on_result(self, test: Percentile, face: int) -> Stage:
        return self.end if test.passes(face) else Throw("dazed", self.end.who, self.dice, Blinded(self.end))


class Blinded(Continuation, kind="imperium.blinded"):
    """Takes the dice of how long it stuns."""

    end: Dazed

    def on_result(self, rolled: int) -> Stage:
        return self.end._replace(actions=max(0, rolled) * self.end.unit)


class Dazed(Outcome, kind="imperium.dazed"):
    """How many actions it costs a combatant: of several stuns the longer counts."""

    who: str
    unit: int
    had: int
    actions: int

    def notes(self) -> dict[str, Any]:
        return {"stunned_actions": max(self.had, self.actions)} if self.actions else {}

    def changes(self) -> tuple[Effect, ...]:
        if self.actions <= self.had:
            return ()
        marks = Effect("mark", self.who, injury.STUNNED_ACTIONS, self.actions - self.had)
        return marks, Effect("add-condition", self.who, injury.STUNNED)
