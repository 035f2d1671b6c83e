"""Opposed checks of strength: two people throw 2d6 each, and what follows knows how to go on.

Rulebook sections 1.2 (ties go to the player character) and 8.1.
"""

from __future__ import annotations

from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Roll, Stage
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE


class Contest(Waiting, kind="cwn.contest"):
    """Waits for the check of the one who wants something.

    Attributes:
        who, bonus: the record, and what is added to the 2d6.
        others: (record, bonus, what they must roll beyond the first one's total to win: 0 where they win ties, or 1) of
            all who oppose; the first one must beat every one of them.
        end: ``settled(won)`` gives what follows.
    """

    who: str
    bonus: int
    others: tuple[tuple[str, int, int], ...]
    end: Any

    def begun(self) -> Stage:
        """This stage, or what follows where nobody opposes."""
        if self.others:
            return self
        stage: Stage = self.end.settled(True)
        return stage

    @property
    def awaits(self) -> Awaited:
        return Roll(("contest",), (self.who,), Total(CHECK_DICE, self.bonus))

    def advance(self, answer: Any) -> Stage:
        return Opposed(answer, self.others, self.end)


class Opposed(Waiting, kind="cwn.opposed"):
    """Waits for the check of one who opposes a total of `total`; the rest as in `Contest`."""

    total: int
    others: tuple[tuple[str, int, int], ...]
    end: Any

    @property
    def awaits(self) -> Awaited:
        who, bonus, beyond = self.others[0]
        return Roll((f"{who}.contest",), (who,), Total(CHECK_DICE, bonus, self.total + beyond))

    def advance(self, answer: Any) -> Stage:
        if not answer and len(self.others) > 1:
            return self._replace(others=self.others[1:])
        stage: Stage = self.end.settled(not answer)
        return stage


def beyond_of(player: bool, other_player: bool) -> int:
    """What somebody must roll beyond the other's total to hold out against it: ties go to the player character.

    Between two of a kind things stay as they are, and whoever opposes wins the tie.
    """
    return 1 if player and not other_player else 0


class Grip(Part, kind="cwn.grip"):
    """What follows an attack that does no damage: on a hit `then` begins, on a miss it is over.

    Attributes:
        victim: the record of whoever is attacked.
        name: the word for what was tried, in the outcome.
        then: the `Contest`.
    """

    victim: str
    name: str
    then: Any

    def followed(self, guard: Any, spent: tuple[str, ...], hit: bool) -> Stage:
        """What follows when it is settled whether the attack hits."""
        if not hit:
            return self.then.end.missed(spent)  # type: ignore[no-any-return]
        contest: Contest = self.then
        return contest._replace(end=contest.end.with_spent(spent)).begun()
