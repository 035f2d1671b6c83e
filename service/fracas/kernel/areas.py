"""Where people are when something strikes an area: around a spot that is aimed at, from which it may scatter."""

from __future__ import annotations

from math import cos, hypot, radians, sin

from fracas.kernel.fields import number

__all__ = ["BEARING", "FROM_BLAST", "FROM_SPOT", "apart"]

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


def apart(distance: float, bearing: float, scatter: float, direction: float) -> float:
    """How far a place is from another one, both seen from the spot that is aimed at.

    Args:
        distance, bearing: of a person; degrees clockwise, 0 beyond the spot.
        scatter, direction: of where it strikes.
    """
    across = distance * sin(radians(bearing)) - scatter * sin(radians(direction))
    along = distance * cos(radians(bearing)) - scatter * cos(radians(direction))
    return hypot(across, along)
