"""Typed roll requests: what is rolled, how faces become an answer, and how likely each answer is.

A request is a small immutable value. Its answer is the smallest fact that the rule needs (net hits, a total,
whether a target was met); the caller keeps the faces, for the explanation. The kinds of requests are in `pools` and
`totals`.

Faces come as *groups*: one list of faces for each part that one player throws at once, in the order of
`groups()`. A group of no dice is not thrown and has no list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fracas._former_names import in_module
from fracas.errors import DiceError, InputError

MAX_DICE = 150
"""The largest pool that is rolled or computed."""
MAX_SIDES = 250

Faces = tuple[int, ...]
Answer = int | bool | tuple[int, ...]
Facts = dict[str, int | bool | str]


class Group(NamedTuple):
    """Dice of one kind thrown together."""

    dice: int
    sides: int
    exploding: bool = False
    """Each highest face asks for one more die of the same group."""

    def __str__(self) -> str:
        return f"{self.dice}d{self.sides}" + ("!" if self.exploding else "")


@lru_cache(maxsize=4096)
def one_group(dice: int, sides: int, exploding: bool = False) -> tuple[Group, ...]:
    """The groups of `dice` dice of one kind: one, or none if there are no dice.

    Raises:
        InputError: more dice than `MAX_DICE`, or a die of a size that is not known.
    """
    check_size(dice)
    if not 2 <= sides <= MAX_SIDES:
        raise InputError.one("dice", "unknown-die", f"a die with {sides} sides; 2 to {MAX_SIDES} are known")
    return (Group(dice, sides, exploding),) if dice else ()


class Spread(NamedTuple):
    """An exact distribution: `weights[i] / total` is the chance of `answers[i]`."""

    answers: tuple[Answer, ...]
    weights: tuple[int, ...]
    total: int


class Request(Protocol):
    """What every typed request can do."""

    @property
    def kind(self) -> str: ...

    def groups(self) -> tuple[Group, ...]:
        """The dice to throw, part by part, without those that count zero."""

    def answer(self, faces: Sequence[Faces]) -> Answer:
        """What the rule needs of these faces, which fit `groups()`."""

    def facts(self, faces: Sequence[Faces]) -> tuple[Facts, ...]:
        """What a person wants to know of each part: one mapping a part, also for parts of no dice."""

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        """The faces of each part, in the order of `facts`; none for a part of no dice."""

    def spread(self) -> Spread:
        """How likely each answer is."""


def check_size(dice: int) -> None:
    """Raises InputError if a roll of so many dice is larger than `MAX_DICE`."""
    if dice > MAX_DICE:
        raise InputError.one("dice", "too-many-dice", f"a roll of {dice} dice; at most {MAX_DICE} are rolled")


def check_faces(
    request: Request, faces: Sequence[Sequence[int]], path: str = "dice", first: int = 0
) -> tuple[Faces, ...]:
    """The faces, if they fit what `request` asks for; errors count the lists from `first`.

    Raises:
        DiceError: another number of groups, of dice or of pips than asked for; it says what was asked.
    """
    groups = request.groups()
    asked = f"{request} asks for {', '.join(map(str, groups)) if groups else 'no dice'}"
    if len(faces) != len(groups):
        raise DiceError.one(path, "wrong-dice", f"{asked}: {len(groups)} lists of faces, not {len(faces)}")
    return tuple(
        _check_group(group, list(given), f"{path}[{first + index}]", asked)
        for index, (group, given) in enumerate(zip(groups, faces, strict=True))
    )


def _check_group(group: Group, given: list[int], path: str, asked: str) -> Faces:
    for index, face in enumerate(given):
        if type(face) is not int or not 1 <= face <= group.sides:
            raise DiceError.one(
                f"{path}[{index}]",
                "wrong-face",
                f"{asked}: a face is a whole number 1 to {group.sides}, not {face!r}",
            )
    needed = _needed(group, given)
    if len(given) != needed:
        added = f" ({needed - group.dice} of them for each {group.sides})" if needed > group.dice else ""
        raise DiceError.one(path, "wrong-dice", f"{asked}: {needed} dice{added}, not {len(given)}")
    return tuple(given)


def _needed(group: Group, given: list[int]) -> int:
    """How many dice belong to the group: an exploding one goes on for each highest face, wave after wave."""
    needed = wave = group.dice
    while group.exploding and wave and needed <= len(given):
        wave = given[needed - wave : needed].count(group.sides)
        needed += wave
    return needed


if not TYPE_CHECKING:
    _POOLS = ("GLITCHES", "UNTOLD", "UNTOLD_SMOOTH", "Opposed", "Pool", "glitch_of")
    __getattr__ = in_module(
        __name__,
        **{name: f"fracas.dice.pools.{name}" for name in _POOLS},
        **{name: f"fracas.dice.totals.{name}" for name in ("Kept", "Total")},
    )
