"""Effects that an outcome has besides its own: what was settled before the first die fell."""

from __future__ import annotations

from collections.abc import Iterable

from fracas.kernel.forms import Part
from fracas.kernel.stage import Effect, Fact, Fork, Stage
from fracas.rulesets.sr4.around import Around

EDGE_ATTRIBUTE = "edge-attribute"
"""The track of Edge that is burned: the attribute itself."""

Told = tuple[str, str, str, int | None, tuple[tuple[str, Fact], ...]]


class Besides(Part, kind="sr4.besides"):
    """An outcome that has more effects.

    Attributes:
        extra: the effects, in the order of their fields.
    """

    extra: tuple[Told, ...]

    def put(self, stage: Stage) -> Stage:
        if not isinstance(stage, Fork):
            return Around(stage, self)
        (label, first), *others = stage.branches
        return Fork(((label, Around(first, self)), *others))

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        return (*(Effect(*one) for one in self.extra), *outcome.effects())


def besides(stage: Stage, extra: Iterable[Effect]) -> Stage:
    """A stage whose outcome has these effects too. Of a fork, the first branch has them."""
    told = tuple((one.type, one.who, one.what, one.amount, one.detail) for one in extra)
    return Besides(told).put(stage) if told else stage
