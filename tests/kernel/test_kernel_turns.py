"""What handling an item does to it, where a ruleset has no more to say."""

from __future__ import annotations

from typing import Any

import pytest

from fracas.kernel.intents import plainly_handled


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
