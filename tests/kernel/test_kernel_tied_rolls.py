"""Initiative that is rolled once, with further rolls that break ties."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.tied_rolls import Unit, equals, lacking, name_of, place, score_of, standing


def unit(side: str, *score: int, tier: int = 1, player: bool = False) -> Unit:
    return Unit(tier, side, player, score, "side", ())


UNITS = st.builds(
    lambda side, score, tier, player: unit(side, *score, tier=tier, player=player),
    st.sampled_from("abc"),
    st.lists(st.integers(1, 3), max_size=3),
    st.integers(0, 1),
    st.booleans(),
)


def test_rolls_are_kept_by_number_and_read_as_far_as_they_go() -> None:
    assert [name_of("side", at) for at in range(3)] == ["side", "side_2", "side_3"]
    assert score_of({"side": 5, "side_2": 3, "side_4": 1, "own": 8}, "side") == (5, 3)
    assert score_of({"total": 6}, "own") == (6,)
    assert score_of({}, "own") == ()


@given(st.lists(UNITS, max_size=6))
def test_the_order_goes_by_tier_first_roll_players_and_further_rolls(units: list[Unit]) -> None:
    for one, other in pairwise(sorted(units, key=place)):
        first = [-(unit.score or (0,))[0] for unit in (one, other)]
        assert (one.tier, first[0], not one.player) <= (other.tier, first[1], not other.player)


@given(st.lists(UNITS, max_size=6), st.integers(0, 2))
def test_equals_are_all_that_have_rolled_and_no_two_groups_alike(units: list[Unit], at: int) -> None:
    groups = [group for _, group in equals(units, at)]
    assert sorted(id(one) for group in groups for one in group) == sorted(
        id(one) for one in units if len(one.score) > at
    )
    keys = [{(one.tier, one.player, one.score[at]) for one in group} for group in groups]
    assert all(len(key) == 1 for key in keys)
    assert len(set(map(frozenset, keys))) == len(keys)


def test_only_different_sides_that_tie_roll_again() -> None:
    a, b, again = unit("a", 4), unit("b", 4), unit("b", 4, 2)
    assert lacking([a, unit("a", 4)], 1) == []
    assert lacking([a, b], 1) == [a, b]
    assert lacking([a, again], 1) == [a]
    assert lacking([unit("a", 4, 2), again], 1) == [unit("a", 4, 2), again]
    assert lacking([unit("a", 4, 1), again], 1) == []


def test_what_people_see() -> None:
    assert [standing(one) for one in (unit("a", 7), unit("a", 7, 5), unit("a", tier=0))] == [
        "7",
        "7 (5)",
        "first",
    ]
