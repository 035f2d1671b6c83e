"""Edge that was spent, and attacks without a defense: what stages of stages (`kernel.composing`) say of it here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fracas.kernel.composing import ExtraEffects as Besides
from fracas.kernel.composing import KeptEffect as Kept
from fracas.kernel.composing import RenamedRoles as SeenAs
from fracas.kernel.composing import Roles as Names
from fracas.kernel.composing import ThenAlso as Beside
from fracas.kernel.composing import WithFacts as Told
from fracas.kernel.composing import Within, labelled
from fracas.kernel.composing import Wrapped as Around
from fracas.kernel.composing import Wrapper as Wrap
from fracas.kernel.composing import with_effects as besides
from fracas.kernel.composing import with_roles as seen_as
from fracas.kernel.stage import Effect, Facts, Stage

__all__ = [
    "EDGE_ATTRIBUTE",
    "Around",
    "Beside",
    "Besides",
    "Kept",
    "Names",
    "SeenAs",
    "Told",
    "Within",
    "Wrap",
    "besides",
    "labelled",
    "seen_as",
    "spent_edge",
    "spent_edges",
    "unopposed",
]

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


class Unopposed(Wrap, kind="sr4.unopposed"):
    """An attack against which nobody makes a defense: the outcome says that the defense had no hits."""

    def notes(self, outcome: Stage) -> Facts:
        return {**outcome.notes(), "defense_hits": 0}


def unopposed(stage: Stage) -> Stage:
    """The stages of an attack against somebody unaware."""
    return Unopposed().put(stage)
