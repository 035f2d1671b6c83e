"""What percentile dice mean in Imperium: locations, halves in order, dice as text (sections 1, 3.2 and 7)."""

from __future__ import annotations

import pytest
from imperium_play import core, patched

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.rulesets.imperium.checks.percentile import (
    dice_of,
    halvings_of,
    location_bands,
    location_of,
)


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
