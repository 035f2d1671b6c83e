"""Percentile dice: margins, matched dice, reversed rolls and halves."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel import percentiles
from fracas.kernel.percentiles import halved, halved_again, matched, reversed_face, shown_chance, ways_of
from fracas.kernel.tally import Entry, tally_of


class Percentile(percentiles.Percentile, kind="example.percentile"):
    """A test."""


class Passing(percentiles.Passing, kind="example.passing"):
    """A test of which success counts."""


class Halving(percentiles.Halving, kind="example.halving"):
    """What lowers a chance."""


FACES = st.integers(1, 100)
CHANCES = st.integers(-60, 180)


@given(FACES)
def test_reversing_twice_gives_the_roll_again(face: int) -> None:
    assert reversed_face(reversed_face(face)) == face
    assert sorted(f"{face % 100:02}") == sorted(f"{reversed_face(face) % 100:02}")


@pytest.mark.parametrize(("face", "turned"), [(36, 63), (5, 50), (10, 1), (1, 10), (100, 100), (44, 44)])
def test_reversed_rolls_of_the_rulebook(face: int, turned: int) -> None:
    assert reversed_face(face) == turned


def test_ten_rolls_are_matched() -> None:
    assert [face for face in range(1, 101) if matched(face)] == [11, 22, 33, 44, 55, 66, 77, 88, 99, 100]


@given(CHANCES, FACES)
def test_margins(chance: int, face: int) -> None:
    test = Percentile(chance)
    assert test.passes(face) == (face <= chance)
    assert test.margin(face) == (chance - face if face <= chance else face - chance)
    told = test.facts_of(face)
    assert told == {
        "roll": face,
        "chance": shown_chance(chance),
        "success": face <= chance,
        "margin": abs(chance - face),
        "matched": matched(face),
    }
    assert 0 <= shown_chance(chance) <= 100


@given(CHANCES, FACES, st.integers(0, 10), st.integers(90, 101))
def test_rolls_that_always_succeed_or_fail(chance: int, face: int, low: int, high: int) -> None:
    test = Percentile(chance, low, high)
    assert test.passes(face) == (face <= low or (face < high and face <= chance))
    assert test.margin(face) >= (0 if test.passes(face) else 1)


def test_the_request_answers_with_the_face() -> None:
    test = Percentile(60)
    assert test.answer(((44,),)) == 44
    assert test.facts(((44,),))[0]["margin"] == 16
    spread = test.spread()
    assert (spread.answers, sum(spread.weights), spread.total) == (tuple(range(1, 101)), 100, 100)
    assert str(test) == "1d100 <= 60"


@given(CHANCES, st.lists(st.sampled_from([2, 3, 4]), max_size=3), st.sampled_from(["up", "down"]))
def test_each_half_is_rounded_by_itself(total: int, divisors: list[int], rounding: str) -> None:
    halvings = [Halving(f"h{at}", "", (1, divisor)) for at, divisor in enumerate(divisors)]
    found = halved(tally_of("x", "X", (Entry("base", "Base", total),)), halvings, rounding)
    expected = total
    for divisor in divisors:
        expected = (ceil if rounding == "up" else floor)(Fraction(expected, divisor))
    assert found.total == expected
    assert [entry.id for entry in found.entries[1:]] == [one.id for one in halvings]


@given(CHANCES, st.integers(-30, 30), st.sampled_from(["up", "down"]))
def test_halves_are_taken_anew_of_a_tally_that_changes(total: int, value: int, rounding: str) -> None:
    halvings = [Halving("far", ""), Halving("merged", "", (3, 4))]
    base, more = Entry("base", "Base", total), Entry("hand-1", "Hand", value, origin="hand")
    whole = halved(tally_of("x", "X", (base, more)), halvings, rounding)
    without = tally_of("x", "X", tuple(entry for entry in whole.entries if entry.id != "hand-1"))
    assert halved_again(without, halvings, rounding) == halved(
        tally_of("x", "X", (base,)), halvings, rounding
    )
    unmerged = tally_of("x", "X", tuple(entry for entry in whole.entries if entry.id != "merged"))
    assert halved_again(unmerged, halvings, rounding) == halved(
        tally_of("x", "X", (base, more)), halvings[:1], rounding
    )


@given(CHANCES, st.integers(0, 10), st.integers(90, 101))
def test_passing_or_failing_weighs_as_much_as_all_faces(chance: int, low: int, high: int) -> None:
    test = Percentile(chance, low, high)
    found, passing = Passing(test).spread(), sum(test.passes(face) for face in range(1, 101))
    weights = dict(zip(found.answers, found.weights, strict=True))
    assert weights == {way: weight for way, weight in ((True, passing), (False, 100 - passing)) if weight}
    assert found.total == 100


def test_one_face_stands_for_all_that_mean_the_same() -> None:
    assert ways_of(lambda face: face > 30) == ((1, 31), (30, 70), 100)
    assert ways_of(matched)[1] == (90, 10)
