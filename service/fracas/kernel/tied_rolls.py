"""Initiative that is rolled once in a fight, by sides or by each combatant, with further rolls that break ties.

What each roll gave is kept by whose it was, such as ``side`` or ``own``; those who tie roll again, players before the
rest without a roll. A further roll is kept as ``side_2``, ``side_3`` and so on, and decides among those who had tied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from fracas.kernel.intents import Participant
from fracas.kernel.stage import Facts

__all__ = ["Score", "Unit", "equals", "lacking", "name_of", "place", "score_of", "standing"]

Score = tuple[int, ...]
"""A roll, and further ones that broke ties."""


class Unit(NamedTuple):
    """Those who stand at one place of the order.

    Attributes:
        tier: 0 for those who come first whatever is rolled, 1 for the rest.
        player: a player's, or a side with one in it.
        score: the roll, then further rolls that broke ties; empty before the roll.
        key: the name of the roll, such as ``side`` or ``own``.
    """

    tier: int
    side: str
    player: bool
    score: Score
    key: str
    members: tuple[Participant, ...]


def name_of(key: str, at: int) -> str:
    """The name under which a roll is kept; `at`: 0 for the first one, then those that break ties."""
    return key if at == 0 else f"{key}_{at + 1}"


def score_of(rolled: Facts, key: str) -> Score:
    """The rolls so far that are kept under `key` or, of a first one by hand, as ``total``."""
    given = rolled.get(key, rolled.get("total"))  # a total by itself is given by hand
    found = [given] if isinstance(given, int) else []
    while found and isinstance(value := rolled.get(name_of(key, len(found))), int):
        found.append(value)
    return tuple(found)


def equals(found: Iterable[Unit], at: int) -> Iterator[tuple[Any, list[Unit]]]:
    """Units that are equal in the score's place `at`, of those that have one."""

    def equal(unit: Unit) -> tuple[int, bool, int]:
        return unit.tier, unit.player, unit.score[at]

    rolled = [unit for unit in found if len(unit.score) > at]
    return ((key, list(group)) for key, group in groupby(sorted(rolled, key=equal), key=equal))


def lacking(tied: list[Unit], at: int) -> list[Unit]:
    """Of units that tie up to the place `at`, those whose next roll is missing; none where all belong together."""
    if len({unit.side for unit in tied}) < 2:
        return []
    found = [unit for unit in tied if len(unit.score) <= at]
    if not found:
        for _, part in equals(tied, at):
            found += lacking(part, at + 1)
    return found


def place(unit: Unit) -> tuple[Any, ...]:
    """Sorts units into the order in which they act; players come before others with the same first roll."""
    first, *further = unit.score or (0,)
    return unit.tier, -first, not unit.player, tuple(-score for score in further)


def standing(unit: Unit) -> str:
    """The roll and those that broke ties, ``7`` or ``7 (5)``; ``first`` for those who come first."""
    if not unit.tier:
        return "first"
    first, *further = unit.score or ("",)
    return f"{first} ({', '.join(map(str, further))})" if further else str(first)
