"""The second opinion on sr5: who acts when (1, 14), with the house rules or in Initiative Passes."""

from __future__ import annotations

from typing import NamedTuple

PASS = 10


class Fighter(NamedTuple):
    """Somebody in a fight.

    Attributes:
        score: as rolled.
        hurt: wound modifiers that came after the roll, 0 or less.
    """

    name: str
    score: int
    edge: int
    reaction: int
    intuition: int
    hurt: int = 0


def phases(fighters: list[Fighter], *, frozen: bool, passes: bool) -> list[list[str]]:
    """Names in the order of their phases, pass after pass.

    Scores are counted down from the highest; ties go by Edge, Reaction and Intuition. Nobody acts at 0 or less.

    Args:
        frozen: wounds lower the next roll only.
        passes: after each pass every score falls by 10, and whoever has some left acts again.
    """
    now = {one: one.score if frozen else one.score + one.hurt for one in fighters}
    found = []
    while True:
        acting = sorted(
            (one for one in fighters if now[one] >= 1),
            key=lambda one: (now[one], one.edge, one.reaction, one.intuition),
            reverse=True,
        )
        if not acting and found:
            return found
        found.append([one.name for one in acting])
        if not passes:
            return found
        now = {one: score - PASS for one, score in now.items()}
