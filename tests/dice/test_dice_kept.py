"""Some of several dice kept: answers and spreads against every way the dice can fall."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.dice.requests import MAX_DICE, Group
from fracas.dice.totals import Kept
from fracas.errors import InputError
from fracas.kernel.stage import from_json, to_json


@given(
    st.integers(1, 4),
    st.integers(2, 6),
    st.integers(1, 4),
    st.integers(-3, 3),
    st.booleans(),
    st.integers(2, 20),
)
def test_spread_is_what_all_faces_give(
    dice: int, sides: int, keep: int, plus: int, low: bool, target: int
) -> None:
    for wanted in (None, target):
        request = Kept(dice, sides, keep, plus, wanted, low)
        throws = list(product(range(1, sides + 1), repeat=dice))
        counted = Counter(request.answer([throw]) for throw in throws)
        spread = request.spread()
        assert dict(zip(spread.answers, spread.weights, strict=True)) == dict(counted)
        assert spread.total == len(throws)


@pytest.mark.parametrize(
    ("request_", "faces", "total"),
    [
        (Kept(3, 6, 2), (1, 5, 4), 9),
        (Kept(3, 6, 2, low=True), (1, 5, 4), 5),
        (Kept(2, 20, 1, 3), (7, 18), 21),
        (Kept(3, 6, 5), (1, 2, 3), 6),
    ],
)
def test_which_dice_count(request_: Kept, faces: tuple[int, ...], total: int) -> None:
    assert request_.answer([faces]) == total
    assert request_.facts([faces]) == ({"total": total},)
    assert request_.by_part([faces]) == (faces,)


def test_target_and_text() -> None:
    request = Kept(3, 6, 2, -1, 8)
    assert str(request) == "highest 2 of 3d6 - 1 >= 8"
    assert str(Kept(3, 6, 2, 1)) == "highest 2 of 3d6 + 1"
    assert request.groups() == (Group(3, 6, exploding=False),)
    assert request.facts([(4, 5, 1)]) == ({"total": 8, "target": 8, "meets": True},)
    assert from_json(to_json(request)) == request


def test_too_many_dice() -> None:
    with pytest.raises(InputError):
        Kept(MAX_DICE + 1, 6, 2).spread()
