"""A percentile test of which only success counts for what comes after it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fracas.dice.requests import Faces, Facts, Group, Spread
from fracas.kernel.forms import Part
from fracas.kernel.stage import Roll
from fracas.rulesets.imperium.checks.percentile import SIDES, Percentile


class Passing(Part, kind="imperium.passing"):
    """A request whose answer is whether the test succeeds; it tells as much as `Percentile` does.

    Odds see two followers in place of a hundred.
    """

    test: Percentile

    def groups(self) -> tuple[Group, ...]:
        return self.test.groups()

    def answer(self, faces: Sequence[Faces]) -> bool:
        return self.test.passes(faces[0][0])

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        return self.test.facts(faces)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return self.test.by_part(faces)

    def spread(self) -> Spread:
        return _passing_spread(self.test)

    def __str__(self) -> str:
        return str(self.test)


@lru_cache(maxsize=1024)
def _passing_spread(test: Percentile) -> Spread:
    passing = sum(test.passes(face) for face in range(1, SIDES + 1))
    pairs = [(answer, weight) for answer, weight in ((True, passing), (False, SIDES - passing)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), SIDES)


def pass_or_fail(label: str, by: str, test: Percentile) -> Roll:
    """The roll of a test of which only success counts; its facts are named after the label."""
    return Roll((label,), (by,), Passing(test))
