"""What every part of the rules reads: attribute modifiers, and dice that are written as text (rulebook section 1.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.required import Faults

_DICE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?")
Known = Mapping[str, Any]
"""What is known of a situation, by path."""
Names = Sequence[str]
LIKE_DICE = " such as 1d8 or 2d6+1"


class Dice(NamedTuple):
    """Dice written as text: ``2d6+1``."""

    dice: int
    sides: int
    plus: int

    @property
    def parts(self) -> tuple[tuple[int, int]]:
        """The dice without what is added."""
        return ((self.dice, self.sides),)


def attribute_modifier(score: int) -> int:
    """The modifier of an attribute's score (section 1.1)."""
    for least, modifier in ((18, 2), (14, 1), (8, 0), (4, -1)):
        if score >= least:
            return modifier
    return -2


def dice_of(facts: Known, field: str) -> Dice | None:
    """The dice that a field holds as text; None where there are none, or the text is none of dice."""
    match = _DICE.fullmatch(str(facts.get(field, "")))
    return Dice(int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def dice_text(facts: Known, field: str, faults: Faults) -> None:
    """Note that the text of a field is none of dice."""
    if field in facts and dice_of(facts, field) is None:
        faults.wrong(field, "bad-dice", f"dice are written{LIKE_DICE}, not {facts[field]!r}")
