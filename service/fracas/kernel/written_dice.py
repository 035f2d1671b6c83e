"""Dice that are written as text, as games print them: ``2d6+1``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.required import Faults

__all__ = ["LIKE_DICE", "Dice", "dice_of", "dice_text"]

_DICE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?")
LIKE_DICE = " such as 1d8 or 2d6+1"
"""How messages say what is expected, behind "dice"."""


class Dice(NamedTuple):
    """Dice written as text.

    Attributes:
        dice: how many.
        sides: of each.
        plus: what is added to their sum.
    """

    dice: int
    sides: int
    plus: int

    @property
    def parts(self) -> tuple[tuple[int, int]]:
        """The dice without what is added."""
        return ((self.dice, self.sides),)


def dice_of(facts: Mapping[str, Any], field: str) -> Dice | None:
    """The dice that a field holds as text; None where there are none, or the text is none of dice."""
    match = _DICE.fullmatch(str(facts.get(field, "")))
    return Dice(int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def dice_text(facts: Mapping[str, Any], field: str, faults: Faults) -> None:
    """Note that the text of a field is none of dice."""
    if field in facts and dice_of(facts, field) is None:
        faults.wrong(field, "bad-dice", f"dice are written{LIKE_DICE}, not {facts[field]!r}")
