"""Effects that an outcome has besides its own: what was settled before the first die fell, such as burned Edge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Stage, stage_class

EDGE_ATTRIBUTE = "edge-attribute"
"""The track of Edge that is burned: the attribute itself."""

Told = tuple[str, str, str, int | None, tuple[tuple[str, Fact], ...]]


@stage_class
class Besides(NamedTuple):
    """A stage whose outcome has more effects; otherwise it is that stage.

    Attributes:
        extra: the effects, in the order of their fields.
    """

    stage: Any
    extra: tuple[Told, ...]
    kind: Literal["sr4.besides"] = "sr4.besides"

    @property
    def awaits(self) -> Awaited:
        awaited: Awaited = self.stage.awaits
        return awaited

    @property
    def weigh(self) -> Any:
        """See `kernel.odds.Transitions`."""
        return getattr(self.stage, "weigh", None)

    def advance(self, answer: Any) -> Stage:
        return _put(self.stage.advance(answer), self.extra)

    def notes(self) -> Facts:
        facts: Facts = self.stage.notes()
        return facts

    def effects(self) -> tuple[Effect, ...]:
        if self.stage.awaits is not None:
            return ()
        return (*(Effect(*one) for one in self.extra), *self.stage.effects())


def besides(stage: Stage, extra: Iterable[Effect]) -> Stage:
    """A stage whose outcome has these effects too. Of a fork, the first branch has them."""
    told = tuple((one.type, one.who, one.what, one.amount, one.detail) for one in extra)
    return _put(stage, told) if told else stage


def burned(stage: Stage, who: str) -> Stage:
    """What follows from Edge that is burned: a point of the attribute is gone for good (section 2)."""
    return besides(stage, [Effect("spend", who, EDGE_ATTRIBUTE, 1)])


def _put(stage: Stage, extra: tuple[Told, ...]) -> Stage:
    if not isinstance(stage, Fork):
        return Besides(stage, extra)
    (label, first), *others = stage.branches
    return Fork(((label, Besides(first, extra)), *others))
