"""How far people are from where something strikes, whatever way it scatters."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.scattering import Spot


def apart(distance: int, bearing: int, scatter: int, direction: int) -> float:
    return Spot(distance, bearing).way(scatter, direction)


METRES, DEGREES = st.integers(0, 100), st.integers(0, 359)


@given(METRES, DEGREES, METRES, DEGREES)
def test_turning_everything_changes_nothing(
    distance: int, bearing: int, scatter: int, direction: int
) -> None:
    here = apart(distance, bearing, scatter, direction)
    assert isclose(here, apart(distance, bearing + 77, scatter, direction + 77), abs_tol=1e-5)
    assert isclose(here, apart(scatter, direction, distance, bearing), abs_tol=1e-5)
    assert abs(distance - scatter) - 1e-5 <= here <= distance + scatter + 1e-5


def test_plain_ones() -> None:
    assert apart(5, 30, 0, 0) == 5
    assert apart(3, 0, 4, 90) == 5
    assert apart(3, 180, 4, 0) == 7
    assert apart(6, 120, 6, 120) == 0
