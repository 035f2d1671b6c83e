"""Percentile dice: margins, matched dice, reversed rolls and halves (sections 1, 3.2 and 7 of the reference)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imperium_play import core, patched

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel.tally import Entry, tally_of
from fracas.rulesets.imperium.checks.percentile import (
    Halving,
    Percentile,
    dice_of,
    halved,
    halved_again,
    halvings_of,
    location_bands,
    location_of,
    matched,
    reversed_face,
    shown_chance,
)

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


def test_locations_of_a_roll_to_hit() -> None:
    bands = location_bands(core().packs)
    found = [location_of(face, bands) for face in range(1, 101)]
    assert [found.count(place) for place, _, _ in bands] == [10, 10, 40, 15, 15, 10]
    assert [location_of(face, bands) for face in (10, 5, 100, 15, 16, 57, 9)] == [
        "right-leg",
        "body",
        "head",
        "body",
        "right-arm",
        "right-arm",
        "left-arm",
    ]


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


def test_halves_come_in_the_order_of_their_table() -> None:
    reasons = ("merged-action", "extreme-range")
    found = halvings_of(core().packs, reasons)
    assert [(one.id, one.parts) for one in found] == [("extreme-range", (1, 2)), ("merged-action", (1, 2))]
    thirds = halvings_of(patched("halving", "extreme-range", divisor=3, order=9).packs, reasons)
    assert [(one.id, one.parts) for one in thirds] == [("merged-action", (1, 2)), ("extreme-range", (1, 3))]


def test_a_layer_may_move_locations_but_leave_none_out() -> None:
    fewer = patched("hit-location", "head", **{"from": 96})
    with pytest.raises(InputError, match="no row for 91"):
        location_bands(fewer.packs)
    moved = patched("hit-location", "head", **{"from": 21})  # the body stands first
    assert location_of(12, location_bands(moved.packs)) == "body"


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("2d10+4", Total(((2, 10),), 4)),
        ("1d6-4", Total(((1, 6),), -4)),
        ("3", Total((), 3)),
        ("d6", None),
        ("0d6", None),
        ("many", None),
    ],
)
def test_dice_as_text(text: str, dice: Total | None) -> None:
    assert dice_of(text) == dice
