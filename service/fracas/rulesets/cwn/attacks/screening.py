"""Who screens the target: opposed checks before the attack roll, and who is attacked in the end (section 3.2).

Attacker and screeners throw 2d6 each. Of the screeners who beat the attacker the one with the lowest total is attacked;
a player character wins a tie.
"""

from __future__ import annotations

from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Roll, Stage
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE, is_won


class Screener(Part, kind="cwn.screener"):
    """Somebody in the way.

    Attributes:
        record: who it is.
        bonus: added to the 2d6.
        player: belongs to a player.
        attack: the first stage of the attack on the screener.
    """

    record: str
    bonus: int
    player: bool
    attack: Any


class Screened(Part, kind="cwn.screened"):
    """An attack on somebody who is screened; `attack` is that on the ward, the rest as in `Screener`."""

    bonus: int
    player: bool
    attack: Any
    screeners: tuple[Screener, ...]


class ScreenCheck(Waiting, kind="cwn.screen-check"):
    """Waits for the attacker's check."""

    screened: Screened

    @property
    def awaits(self) -> Awaited:
        return Roll(("screen",), ("attacker",), Total(CHECK_DICE, self.screened.bonus))

    def advance(self, answer: Any) -> Stage:
        return Screening(self.screened, answer, 0, None)


class Screening(Waiting, kind="cwn.screening"):
    """Waits for the check of a screener.

    Attributes:
        total: of the attacker's check.
        at: whose turn it is, from 0.
        caught: (total, place) of the lowest screener who has beaten the attacker; None while there is none.
    """

    screened: Screened
    total: int
    at: int
    caught: tuple[int, int] | None

    @property
    def awaits(self) -> Awaited:
        one = self.screened.screeners[self.at]
        return Roll((f"{one.record}.screen",), (one.record,), Total(CHECK_DICE, one.bonus))

    def advance(self, answer: Any) -> Stage:
        screened, caught = self.screened, self.caught
        one = screened.screeners[self.at]
        if is_won(answer, self.total, one.player, screened.player) and (caught is None or answer < caught[0]):
            caught = (answer, self.at)
        if self.at + 1 < len(screened.screeners):
            return self._replace(at=self.at + 1, caught=caught)
        stage: Stage = screened.attack if caught is None else screened.screeners[caught[1]].attack
        return stage
