"""Stages made of stages: a wrapper around a chain, a chain with renamed roles, an outcome with more facts or effects.

Whatever was settled early in a chain travels with it so: the price of a throw that is made again is an effect of the
outcome, wherever that comes, and need not be a field of every stage on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Stage

__all__ = [
    "ExtraEffects",
    "KeptEffect",
    "RenamedRoles",
    "Roles",
    "ThenAlso",
    "WithFacts",
    "Within",
    "Wrapped",
    "Wrapper",
    "labelled",
    "with_effects",
    "with_roles",
]


class Within(Waiting):
    """A stage that plays another one: it waits for what that waits for."""

    @property
    def stage(self) -> Stage:
        """The other one: a field of the class."""
        raise NotImplementedError

    @property
    def awaits(self) -> Awaited:
        return self.stage.awaits

    @property
    def spread(self) -> Any:
        """See `kernel.odds.Transitions`."""
        return getattr(self.stage, "spread", None)

    def notes(self) -> Facts:
        return self.stage.notes()


def labelled(awaited: Awaited, prefix: str) -> Awaited:
    """What a stage waits for, with something before the names of its rolls."""
    if isinstance(awaited, Roll):
        return awaited._replace(labels=tuple(f"{prefix}{label}" for label in awaited.labels))
    return awaited


class Wrapper(Part):
    """What is around a chain, which goes on as it would: the outcome has other facts or effects. By itself it changes
    nothing."""

    def put(self, stage: Stage) -> Stage:
        """This around the next stage; of a fork, around the branches that it concerns."""
        if not isinstance(stage, Fork):
            return Wrapped(stage, self)
        both = zip(stage.branches, self.concerned(stage), strict=True)
        return Fork(tuple((label, self.put(part) if here else part) for (label, part), here in both))

    def concerned(self, fork: Fork) -> Sequence[bool]:
        """Whether it is around each branch; around all of them unless a class says otherwise."""
        return [True] * len(fork.branches)

    def notes(self, outcome: Stage) -> Facts:
        """All facts, in place of those of the outcome."""
        return outcome.notes()

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        """All effects, in place of those of the outcome."""
        return outcome.effects()


class Wrapped(Within, kind="sr4.around"):
    """A stage with a wrapper around it."""

    stage: Stage
    wrap: Wrapper

    def advance(self, answer: Any) -> Stage:
        return self.wrap.put(self.stage.advance(answer))

    def notes(self) -> Facts:
        return self.wrap.notes(self.stage) if self.stage.awaits is None else super().notes()

    def effects(self) -> tuple[Effect, ...]:
        return self.wrap.effects(self.stage) if self.stage.awaits is None else ()


KeptEffect = tuple[str, str, str, int | None, tuple[tuple[str, Fact], ...]]
"""An effect that a stage holds: its fields in their order."""


class ExtraEffects(Wrapper, kind="sr4.besides"):
    """A wrapper: the outcome has more effects, settled before the next die falls. Of a fork, the first branch has
    them."""

    extra: tuple[KeptEffect, ...]

    def concerned(self, fork: Fork) -> Sequence[bool]:
        return [not at for at in range(len(fork.branches))]

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        return (*(Effect(*one) for one in self.extra), *outcome.effects())


def with_effects(stage: Stage, extra: Iterable[Effect]) -> Stage:
    """A stage whose outcome has these effects too, before its own."""
    kept = tuple(one[:] for one in extra)
    return ExtraEffects(kept).put(stage) if kept else stage


Roles = tuple[tuple[str, str], ...]
"""(record in the stage, record of the request) pairs."""
_CONCERNS = "towards"
"""The detail of an effect that names a record."""


def with_roles(stage: Stage, names: Roles) -> Stage:
    """A stage in which records have other names: what is written for one ``target`` serves for each of several."""
    if isinstance(stage, Fork):
        return Fork(tuple((label, with_roles(part, names)) for label, part in stage.branches))
    return RenamedRoles(stage, names)


class RenamedRoles(Within, kind="sr4.seen-as"):
    """A stage in which records have other names: who throws, who decides, and who has the effects."""

    stage: Stage
    names: Roles

    def called(self, who: str) -> str:
        """The record of the request that stands for one in the stage."""
        return next((name for known, name in self.names if known == who), who)

    @property
    def awaits(self) -> Awaited:
        awaited: Awaited = self.stage.awaits
        if isinstance(awaited, Roll):
            return awaited._replace(by=tuple(map(self.called, awaited.by)))
        return None if awaited is None else awaited._replace(by=self.called(awaited.by))

    def advance(self, answer: Any) -> Stage:
        return with_roles(self.stage.advance(answer), self.names)

    def effects(self) -> tuple[Effect, ...]:
        return tuple(map(self._concerning, self.stage.effects()))

    def _concerning(self, effect: Effect) -> Effect:
        detail = ((name, self.called(str(of)) if name == _CONCERNS else of) for name, of in effect.detail)
        return effect._replace(who=self.called(effect.who), detail=tuple(detail))


class WithFacts(Outcome, kind="sr4.told"):
    """An outcome with more facts."""

    outcome: Stage
    facts: tuple[tuple[str, Fact], ...]

    def notes(self) -> Facts:
        return {**self.outcome.notes(), **dict(self.facts)}

    def changes(self) -> Iterator[Effect]:
        yield from self.outcome.effects()


class ThenAlso(Within, kind="sr4.beside"):
    """An outcome that stands, and something that follows from it.

    Attributes:
        settled: the outcome.
        stage: what follows: a chain without forks.
        prefix: what the names of its rolls and facts begin with.
    """

    settled: Stage
    stage: Stage
    prefix: str

    @property
    def awaits(self) -> Awaited:
        return labelled(self.stage.awaits, self.prefix)

    def advance(self, answer: Any) -> Stage:
        return self._replace(stage=self.stage.advance(answer))

    def notes(self) -> Facts:
        more = {f"{self.prefix}{name}": fact for name, fact in self.stage.notes().items()}
        return {**self.settled.notes(), **more}

    def effects(self) -> tuple[Effect, ...]:
        return self.settled.effects() + self.stage.effects()
