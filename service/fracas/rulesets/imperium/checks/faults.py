"""What a situation lacks or contradicts, and dice written as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel import required

_DICE = re.compile(r"([1-9]\d?)d([1-9]\d{0,2})([+-]\d{1,3})?|(\d{1,3})")
_LIKE = "such as 2d10+4"


class Dice(NamedTuple):
    """Dice and a number: ``2d10+4``; ``1`` is a number without dice.

    Attributes:
        dice: (count, sides), at most one pair.
    """

    dice: tuple[tuple[int, int], ...]
    plus: int = 0


NO_DICE = Dice(())


class Faults(required.Faults):
    """What a situation lacks or contradicts, with the numbers and dice that it names."""

    def number(self, facts: Mapping[str, Any], field: str, what: str) -> int:
        """A number of the situation; 0, and a fault, where it is not given."""
        if field not in facts:
            self.need(field, what)
        return int(facts.get(field, 0))

    def dice(self, facts: Mapping[str, Any], field: str, what: str) -> Dice:
        """Dice of the situation; none, and a fault, where they are not given or not written as dice."""
        if field not in facts:
            self.need(field, f"{what}, {_LIKE}")
            return NO_DICE
        found = dice_of(facts[field])
        if found is None:
            self.wrong(field, "bad-dice", f"dice are written {_LIKE}, not {facts[field]!r}")
        return found or NO_DICE


def dice_of(text: str) -> Dice | None:
    """The dice that a text names; None where it is none of dice."""
    match = _DICE.fullmatch(text)
    if match is None:
        return None
    if match[4]:
        return Dice((), int(match[4]))
    return Dice(((int(match[1]), int(match[2])),), int(match[3] or 0))
