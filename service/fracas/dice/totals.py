"""Sums of dice: all of them, or the highest or lowest.

`requests` says what every request can do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from fracas.dice import exact
from fracas.dice.requests import Answer, Faces, Facts, Group, Spread, check_size, one_group


class Total(NamedTuple):
    """A sum of dice and a fixed number: d20+7, 2d10+4, d100.

    `dice` holds (count, sides) pairs. With `target` the answer is whether the sum is at least `target`
    (or, `under`, at most `target`); without it the answer is the sum.
    """

    dice: tuple[tuple[int, int], ...]
    plus: int = 0
    target: int | None = None
    under: bool = False
    kind: Literal["total"] = "total"

    def groups(self) -> tuple[Group, ...]:
        return tuple(group for count, sides in self.dice for group in one_group(count, sides, False))

    def answer(self, faces: Sequence[Faces]) -> Answer:
        total = sum([sum(group) for group in faces]) + self.plus
        return total if self.target is None else self.meets(total)

    def meets(self, total: int) -> bool:
        """Whether `total` meets the target, which is set."""
        assert self.target is not None
        return total <= self.target if self.under else total >= self.target

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        total = sum([sum(group) for group in faces]) + self.plus
        facts: Facts = {"total": total}
        if self.target is not None:
            facts["target"] = self.target
            facts["meets"] = self.meets(total)
        return (facts,)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (tuple(face for group in faces for face in group),)

    def spread(self) -> Spread:
        return _total_spread(self)

    def __str__(self) -> str:
        text = " + ".join(f"{count}d{sides}" for count, sides in self.dice) or "0"
        if self.plus:
            text += f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}"
        if self.target is not None:
            text += f" {'<=' if self.under else '>='} {self.target}"
        return text


@lru_cache(maxsize=4096)
def _total_spread(request: Total) -> Spread:
    check_size(sum(count for count, _ in request.dice))
    weights = exact.sums(request.dice)
    lowest = sum(count for count, _ in request.dice) + request.plus
    total = sum(weights)
    if request.target is None:
        return Spread(tuple(range(lowest, lowest + len(weights))), weights, total)
    met = sum(weight for index, weight in enumerate(weights) if request.meets(lowest + index))
    pairs = [(answer, weight) for answer, weight in ((True, met), (False, total - met)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), total)


class Kept(NamedTuple):
    """The highest of some dice, or the lowest, added up: 3d6 without the lowest.

    Attributes:
        keep: how many of the dice count.
        target: with it the answer is whether the sum is at least this; otherwise the sum.
        low: the lowest dice count, not the highest.
    """

    dice: int
    sides: int
    keep: int
    plus: int = 0
    target: int | None = None
    low: bool = False
    kind: Literal["kept"] = "kept"

    def groups(self) -> tuple[Group, ...]:
        return one_group(self.dice, self.sides, False)

    def total(self, faces: Sequence[Faces]) -> int:
        """The sum of the dice that count, and what is added."""
        thrown = sorted((face for group in faces for face in group), reverse=not self.low)
        return sum(thrown[: self.keep]) + self.plus

    def answer(self, faces: Sequence[Faces]) -> Answer:
        total = self.total(faces)
        return total if self.target is None else total >= self.target

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        facts: Facts = {"total": self.total(faces)}
        if self.target is not None:
            facts |= {"target": self.target, "meets": self.total(faces) >= self.target}
        return (facts,)

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (tuple(face for group in faces for face in group),)

    def spread(self) -> Spread:
        return _kept_spread(self)

    def __str__(self) -> str:
        text = f"{'lowest' if self.low else 'highest'} {self.keep} of {self.dice}d{self.sides}"
        if self.plus:
            text += f" {'+' if self.plus > 0 else '-'} {abs(self.plus)}"
        return text if self.target is None else f"{text} >= {self.target}"


@lru_cache(maxsize=256)
def _kept_spread(request: Kept) -> Spread:
    check_size(request.dice)
    sums = exact.kept(request.dice, request.sides, request.keep, request.low)
    total = request.sides**request.dice
    if request.target is None:
        return Spread(tuple(found + request.plus for found in sums), tuple(sums.values()), total)
    met = sum(weight for found, weight in sums.items() if found + request.plus >= request.target)
    pairs = [(answer, weight) for answer, weight in ((True, met), (False, total - met)) if weight]
    return Spread(tuple(answer for answer, _ in pairs), tuple(weight for _, weight in pairs), total)
