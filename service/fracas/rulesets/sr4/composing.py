"""Stages made of stages: something around a chain, a chain under other names, one that follows from an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Stage

EDGE_ATTRIBUTE = "edge-attribute"
"""The track of Edge that is burned: the attribute itself."""


def spent_edge(who: str, points: int) -> Iterator[Effect]:
    """The points of Edge that somebody has spent; nothing for none."""
    if points:
        yield Effect("spend", who, "edge", points)


def spent_edges(people: Iterable[str], points: Iterable[int]) -> Iterator[Effect]:
    """The same of several."""
    for who, spent in zip(people, points, strict=True):
        yield from spent_edge(who, spent)


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
    def weigh(self) -> Any:
        """See `kernel.odds.Transitions`."""
        return getattr(self.stage, "weigh", None)

    def notes(self) -> Facts:
        return self.stage.notes()


def labelled(awaited: Awaited, prefix: str) -> Awaited:
    """What a stage waits for, with something before the names of its rolls."""
    if isinstance(awaited, Roll):
        return awaited._replace(labels=tuple(f"{prefix}{label}" for label in awaited.labels))
    return awaited


# Something around a chain: it goes on as it would, and its outcome tells or does something else.


class Wrap(Part):
    """What is around a chain; by itself it changes nothing."""

    def put(self, stage: Stage) -> Stage:
        """Around the next stage; of a fork, around the branches that it concerns."""
        if not isinstance(stage, Fork):
            return Around(stage, self)
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


class Around(Within, kind="sr4.around"):
    """A stage with something around it."""

    stage: Stage
    wrap: Wrap

    def advance(self, answer: Any) -> Stage:
        return self.wrap.put(self.stage.advance(answer))

    def notes(self) -> Facts:
        return self.wrap.notes(self.stage) if self.stage.awaits is None else super().notes()

    def effects(self) -> tuple[Effect, ...]:
        return self.wrap.effects(self.stage) if self.stage.awaits is None else ()


class Unopposed(Wrap, kind="sr4.unopposed"):
    """An attack against which nobody makes a defense: the outcome says that the defense had no hits."""

    def notes(self, outcome: Stage) -> Facts:
        return {**outcome.notes(), "defense_hits": 0}


Kept = tuple[str, str, str, int | None, tuple[tuple[str, Fact], ...]]
"""An effect that a stage holds: its fields in their order."""


class Besides(Wrap, kind="sr4.besides"):
    """An outcome that has more effects: what was settled before the first die fell. Of a fork, the first branch."""

    extra: tuple[Kept, ...]

    def concerned(self, fork: Fork) -> Sequence[bool]:
        return [not at for at in range(len(fork.branches))]

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        return (*(Effect(*one) for one in self.extra), *outcome.effects())


def besides(stage: Stage, extra: Iterable[Effect]) -> Stage:
    """A stage whose outcome has these effects too."""
    kept = tuple(one[:] for one in extra)
    return Besides(kept).put(stage) if kept else stage


# A chain under other names: what is written for one ``target`` serves for each of several.

Names = tuple[tuple[str, str], ...]
"""(record in the stage, record of the request) pairs."""


def seen_as(stage: Stage, names: Names) -> Stage:
    """A stage in which records have other names."""
    if isinstance(stage, Fork):
        return Fork(tuple((label, seen_as(part, names)) for label, part in stage.branches))
    return SeenAs(stage, names)


class SeenAs(Within, kind="sr4.seen-as"):
    """A stage in which records have other names: who throws, who decides, and whom effects are for."""

    stage: Stage
    names: Names

    def called(self, who: str) -> str:
        return next((name for known, name in self.names if known == who), who)

    @property
    def awaits(self) -> Awaited:
        awaited: Awaited = self.stage.awaits
        if isinstance(awaited, Roll):
            return awaited._replace(by=tuple(map(self.called, awaited.by)))
        return awaited and awaited._replace(by=self.called(awaited.by))

    def advance(self, answer: Any) -> Stage:
        return seen_as(self.stage.advance(answer), self.names)

    def effects(self) -> tuple[Effect, ...]:
        return tuple(map(self._concerning, self.stage.effects()))

    def _concerning(self, effect: Effect) -> Effect:
        # the detail that names a record
        detail = ((name, self.called(str(of)) if name == "towards" else of) for name, of in effect.detail)
        return effect._replace(who=self.called(effect.who), detail=tuple(detail))


# More of an outcome.


class Told(Outcome, kind="sr4.told"):
    """An outcome with more to tell."""

    outcome: Stage
    facts: tuple[tuple[str, Fact], ...]

    def notes(self) -> Facts:
        return {**self.outcome.notes(), **dict(self.facts)}

    def changes(self) -> Iterator[Effect]:
        yield from self.outcome.effects()


class Beside(Within, kind="sr4.beside"):
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
