"""Damage over tracks: what stands between a blow and a combatant takes of it what it has, and the rest goes on.

Temporary hit points before hit points, a shield before armor before the hull: such tracks lie over one another. What
is left of the last one says what becomes of its owner.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.forms import Part
from fracas.kernel.stage import Effect

__all__ = ["Body"]


class Body(Part, kind="body"):
    """A combatant who can be hurt.

    Attributes:
        who: the record.
        tracks: the name of each and what is left of it, in the order in which they take damage. The last one takes
            all the rest, also what is beyond its end.
        thresholds: (points, condition) pairs: with so few points left of the last track, or fewer, its owner gets into
            the condition.
        soak: what is taken off each blow before.
    """

    who: str
    tracks: tuple[tuple[str, int], ...]
    thresholds: tuple[tuple[int, str], ...] = ()
    soak: int = 0

    def suffered(self, damage: int) -> int:
        """What is left of the damage of a blow after `soak`; never below 0."""
        return max(0, damage - self.soak)

    def taken(self, damage: int) -> dict[str, int]:
        """What each track takes of the damage of a blow, those that take none left out."""
        rest, found = self.suffered(damage), {}
        *over, (last, _) = self.tracks
        for track, left in over:
            part = min(rest, max(0, left))
            found[track] = part
            rest -= part
        found[last] = rest
        return {track: part for track, part in found.items() if part}

    def left(self, damage: int) -> int:
        """What is left of the last track after a blow; below 0 for what is beyond its end."""
        last, points = self.tracks[-1]
        return points - self.taken(damage).get(last, 0)

    def reached(self, damage: int) -> tuple[str, ...]:
        """The conditions that a blow brings: those whose threshold was not reached before."""
        before, now = self.tracks[-1][1], self.left(damage)
        return tuple(condition for points, condition in self.thresholds if now <= points < before)

    def hurt(self, damage: int) -> Iterator[Effect]:
        """The effects of a blow: marks on the tracks, and conditions."""
        for track, part in self.taken(damage).items():
            yield Effect("mark", self.who, track, part)
        for condition in self.reached(damage):
            yield Effect("add-condition", self.who, condition)
