"""A change of what the service declares shows as a difference of a file, and never by surprise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import unified_diff

import pytest
from pinned_declarations import NAMES, PINNED, declarations, folded

AGAIN = "if this is wanted, run: python tests/web/pinned_declarations.py"


@pytest.fixture(scope="module")
def declared() -> Mapping[str, str]:
    return declarations()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_declared_is_what_stands_written(declared: Mapping[str, str], name: str) -> None:
    written = (PINNED / name).read_text(encoding="utf-8")
    differences = list(
        unified_diff(
            written.splitlines(), declared[name].splitlines(), "written", "declared", lineterm="", n=1
        )
    )
    assert not differences, "\n".join([AGAIN, *differences[:60]])


def test_folding_keeps_everything() -> None:
    data = {"a" * 60: [["b" * 50, {}], "c" * 90, [], None], "d": {"e": {"f": "g" * 130}}}
    text = folded(data)
    assert json.loads(text) == data
    assert text.count("\n") > 5
