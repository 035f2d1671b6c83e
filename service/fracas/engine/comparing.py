"""Weapons compared: the exact odds of the same attack with each, against rising armor (`Ruleset.comparison`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.engine.game import Game
from fracas.engine.requests import DiceWish, check_request
from fracas.engine.running import give_odds
from fracas.errors import FracasError, OverBudgetError
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.ruleset import Comparison
from fracas.packs.entries import Entry

_KEPT = 512
"""Weapons whose numbers are kept."""
PLAIN: Mapping[str, Any] = {
    "options": {},
    "modifiers": [],
    "decisions": [],
    "mode": "auto",
    "dice": DiceWish(),
    "attribution": False,
    "exact": False,
}
"""What a request that weighs a weapon has beside its situation."""


class Point(NamedTuple):
    """What an attack does against so much armor: None for what its procedure does not measure."""

    armor: int
    hit: float | None
    damage: float | None


class Curve(NamedTuple):
    """The numbers of one weapon.

    Attributes:
        why: why there are none, or not all; "" where they are complete.
    """

    entry: Entry
    points: Sequence[Point] = ()
    why: str = ""


class Comparisons:
    """The numbers of weapons, kept for as long as the packs stay as they are."""

    def __init__(self) -> None:
        self._digest = ""
        self._kept: dict[str, Curve] = {}

    def curve(self, game: Game, entry: Entry, digest: str, budget: Budget = UNLIMITED) -> Curve:
        """
        Args:
            digest: of the library.
            budget: see `curve`.
        """
        if digest != self._digest or len(self._kept) >= _KEPT:
            self._digest, self._kept = digest, {}
        comparison = game.ruleset.comparison
        if comparison is None:
            return Curve(entry, why=f"{game.ruleset.label} does not say how weapons are compared")
        if entry.id not in self._kept:
            self._kept[entry.id] = curve(game, comparison, entry, budget)
        return self._kept[entry.id]


def curve(game: Game, comparison: Comparison, entry: Entry, budget: Budget = UNLIMITED) -> Curve:
    """The exact numbers of a weapon against each value of armor, some 20 to 150 ms.

    Args:
        budget: processor time; what is not known when it ends stays unknown.
    """
    points: list[Point] = []
    for armor in comparison.values:
        sample = comparison.sample(entry, armor, game.packs)
        if sample is None:
            return Curve(entry, why="it does no damage of its own to one person")
        try:
            budget.check()
            reported = _measured(game, sample.procedure, sample.situation, budget)
        except OverBudgetError:
            return Curve(entry, points, "the rest takes too long to work out")
        except FracasError as error:
            return Curve(entry, why=f"it cannot be tried: {error.message}")
        if reported is None:
            return Curve(entry, why="such an attack is not possible with it")
        points.append(Point(armor, reported.get(comparison.hit), reported.get(comparison.damage)))
    return Curve(entry, points)


def _measured(
    game: Game, procedure: str, situation: Mapping[str, object], budget: Budget
) -> Mapping[str, float] | None:
    """The measures of an attack by id; None where it is refused."""
    given = {**PLAIN, "procedure": procedure, "situation": situation}
    answer = give_odds(check_request(given, game), budget)
    if "measures" not in answer:
        return None
    return {one["id"]: one["value"] for one in answer["measures"] if one["value"] is not None}
