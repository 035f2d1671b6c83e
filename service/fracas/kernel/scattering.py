"""What goes off somewhere and reaches all that are near, wherever it scatters."""

from __future__ import annotations

from math import cos, hypot, radians, sin

from fracas.dice.totals import Total
from fracas.kernel.fields import number
from fracas.kernel.forms import Continuation, Part
from fracas.kernel.stage import Facts, Fork, Stage
from fracas.kernel.steps import Result, Throw

__all__ = ["BEARING", "FROM_BLAST", "FROM_SPOT", "Area", "Direction", "Scatter", "Spot", "way"]

FROM_BLAST = number(
    "Distance from the blast",
    "Metres, measured where it goes off; scatter does not change it any more.",
    most=10_000,
    example=2,
)
"""A field of a person near it: how far from where it strikes."""
FROM_SPOT = number(
    "Distance from the spot aimed at",
    "Metres; with scatter the distance from the blast follows.",
    most=10_000,
    example=3,
)
"""The same: how far from the spot aimed at."""
BEARING = number(
    "Bearing from the spot aimed at",
    "Degrees: 0 is beyond it as the attacker sees it, 90 to the right, 180 on this side of it.",
    most=360,
    example=90,
)
"""The same: in which direction from the spot aimed at."""

_FINE = 6
"""Decimal places of a way: what only rounding makes longer counts as the number it is."""


def way(distance: float, bearing: float, scatter: float, direction: float) -> float:
    """How far one at a distance and bearing from the point aimed at is from where it strikes; angles in degrees."""
    return hypot(
        distance * sin(radians(bearing)) - scatter * sin(radians(direction)),
        distance * cos(radians(bearing)) - scatter * cos(radians(direction)),
    )


class Spot(Part, kind="spot"):
    """Where a combatant is, seen from the spot aimed at: how far, and in which direction in degrees."""

    distance: float
    bearing: float = 0

    def way(self, scatter: float, direction: float) -> float:
        """How far that is from where it goes off."""
        return round(way(self.distance, self.bearing, scatter, direction), _FINE)


class Area(Continuation, kind="area"):
    """All that it may reach: each has a branch, named after its record.

    Attributes:
        people: record, spot, and what takes how far that is from where it goes off.
    """

    people: tuple[tuple[str, Spot, Result], ...]

    def on_result(self, answer: tuple[float, float]) -> Fork:
        """`answer`: how far and in which direction it scattered."""
        return Fork(tuple((who, then.on_result(spot.way(*answer))) for who, spot, then in self.people))


class Scatter(Continuation, kind="scattered"):
    """What comes of a throw for how far something flies astray: none of it, or a throw for the direction.

    Attributes:
        by: the record of who throws.
        faces: the degrees for each face of the die of the direction, which are counted from 0 beyond the spot.
        then: takes how far and in which direction it scattered, such as an `Area`.
        less: what is taken off the distance, such as for a good throw.
    """

    by: str
    faces: tuple[int, ...]
    then: Result
    less: int = 0

    def on_result(self, answer: int) -> Stage:
        scatter = max(0, answer - self.less)
        if not scatter:
            return self.then.on_result((0, 0))
        direction = Total(((1, len(self.faces)),))
        return Throw("direction", self.by, direction, Direction(scatter, self.faces, self.then))


class Direction(Continuation, kind="direction"):
    """What comes of the throw for the direction."""

    scatter: int
    faces: tuple[int, ...]
    then: Result

    def on_result(self, answer: int) -> Stage:
        return self.then.on_result((self.scatter, self.faces[answer - 1]))

    def notes(self) -> Facts:
        return {"scatter": self.scatter}
