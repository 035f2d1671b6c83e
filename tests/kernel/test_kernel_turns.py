"""What items and tracks mean where a ruleset has no more to say."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.kernel.intents import Participant, plainly_handled
from fracas.kernel.tracks import Gauge, Track
from fracas.kernel.turns import TurnRules


@pytest.mark.parametrize(
    ("what", "item", "after"),
    [
        ("ready", {"ready": False, "dropped": True}, {"ready": True, "dropped": False}),
        ("drop", {"ready": True, "dropped": False}, {"ready": False, "dropped": True}),
        ("unload", {"rounds": 4, "loaded": True, "magazine": 12}, {"rounds": 0, "loaded": False, "magazine": 12}),
        ("load", {"rounds": 4, "loaded": False, "magazine": 12}, {"rounds": 12, "loaded": True, "magazine": 12}),
        ("fill", {"rounds": 0, "loaded": False, "magazine": 6}, {"rounds": 6, "loaded": True, "magazine": 6}),
        ("load", {"loaded": False}, {"loaded": True}),
        ("use", {"ready": True}, {"ready": True}),
    ],
)  # fmt: skip
def test_what_handling_does_to_an_item(what: str, item: dict[str, Any], after: dict[str, Any]) -> None:
    assert {**item, **plainly_handled(what, item)} == after


class Plain(TurnRules):
    tracks = {
        "hp": Track("hp", -1, gauge="HP", out="down"),
        "strain": Track("strain", gauge="Strain", harm=False),
        "luck": Track("luck", -1),
    }


def test_tracks_are_gauges_and_may_take_out() -> None:
    rules = Plain()
    one = Participant("one", "One", "side", False, {"hp": 4, "strain": 0, "luck": 0})
    assert rules.gauges(one, None) == [  # type: ignore[arg-type]
        Gauge("hp", "HP", 4, fills=False),
        Gauge("strain", "Strain", 0, harm=False),
    ]
    assert [rules.unable(one._replace(sheet=sheet)) for sheet in (one.sheet, {"hp": 0}, {})] == [
        "",
        "down",
        "",
    ]
