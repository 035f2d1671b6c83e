"""Stages with something around them: the chain goes on as it would, and its outcome tells or does something else."""

from __future__ import annotations

from typing import Any, Protocol

from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Facts, Fork, Stage


class Wrap(Protocol):
    """What is around a chain. A value of a registered class.

    It may have a method ``notes(outcome)``, which gives all facts in place of those of the outcome, and a method
    ``effects(outcome)``, which gives all effects.
    """

    def put(self, stage: Stage) -> Stage:
        """Around the next stage, which may be a fork."""


class Around(Waiting, kind="sr4.around"):
    """A stage with something around it."""

    stage: Any
    wrap: Any

    @property
    def awaits(self) -> Awaited:
        awaited: Awaited = self.stage.awaits
        return awaited

    @property
    def weigh(self) -> Any:
        """See `kernel.odds.Transitions`."""
        return getattr(self.stage, "weigh", None)

    def advance(self, answer: Any) -> Stage:
        wrap: Wrap = self.wrap
        return wrap.put(self.stage.advance(answer))

    def notes(self) -> Facts:
        told = getattr(self.wrap, "notes", None) if self.stage.awaits is None else None
        facts: Facts = told(self.stage) if told else self.stage.notes()
        return facts

    def effects(self) -> tuple[Effect, ...]:
        if self.stage.awaits is not None:
            return ()
        done = getattr(self.wrap, "effects", None)
        effects: tuple[Effect, ...] = done(self.stage) if done else self.stage.effects()
        return effects


class Unopposed(Part, kind="sr4.unopposed"):
    """An attack against which nobody makes a defense: the outcome says that the defense had no hits."""

    def put(self, stage: Stage) -> Stage:
        if isinstance(stage, Fork):
            return Fork(tuple((label, Around(branch, self)) for label, branch in stage.branches))
        return Around(stage, self)

    def notes(self, outcome: Stage) -> Facts:
        return {**outcome.notes(), "defense_hits": 0}


def unopposed(stage: Stage) -> Stage:
    """The stages of an attack against somebody unaware."""
    return Unopposed().put(stage)
