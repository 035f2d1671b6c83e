"""Edge that was spent, and attacks without a defense."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fracas.kernel.composing import Wrapper
from fracas.kernel.stage import Effect, Facts, Stage

EDGE_ATTRIBUTE = "edge-attribute"
"""The track of Edge that is burned: the attribute itself."""


def spent_edge(who: str, points: int) -> Iterator[Effect]:
    """The points of Edge that a combatant has spent; nothing for none."""
    if points:
        yield Effect("spend", who, "edge", points)


def spent_edges(people: Iterable[str], points: Iterable[int]) -> Iterator[Effect]:
    """The same of several."""
    for who, spent in zip(people, points, strict=True):
        yield from spent_edge(who, spent)


class Unopposed(Wrapper, kind="sr4.unopposed"):
    """An attack without a defense: the outcome says that the defense had no hits."""

    def notes(self, outcome: Stage) -> Facts:
        return {**outcome.notes(), "defense_hits": 0}


def unopposed(stage: Stage) -> Stage:
    """The stages of an attack against an unaware target."""
    return Unopposed().put(stage)
