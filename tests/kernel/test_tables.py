"""Tables of the packs: what is not there is named, with the nearest name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fracas.errors import InputError
from fracas.kernel.required import has_record
from fracas.kernel.tables import row_of, rows_if_any, rows_of

ROWS = {"easy": {"target": 6}, "hard": {"target": 10}}


class Packs:
    """A catalog with one table."""

    def entry(self, kind: str, reference: str) -> Any:
        return SimpleNamespace(data={"rows": ROWS}) if (kind, reference) == ("table", "targets") else None


def test_a_row_is_found_and_a_missing_one_is_named() -> None:
    packs: Any = Packs()
    assert rows_of(packs, "targets") == ROWS
    assert row_of(packs, "targets", "hard") == {"target": 10}
    with pytest.raises(InputError, match="no table 'tragets'"):
        row_of(packs, "tragets", "hard")
    with pytest.raises(InputError, match="'targets' has no row 'hrad'") as caught:
        row_of(packs, "targets", "hrad")
    assert "hard" in str(caught.value.problems[0].hint)


def test_a_record_is_there_if_a_field_of_it_is() -> None:
    facts = {"victim_10.hp": 3}
    assert has_record(facts, "victim_10")
    assert not has_record(facts, "victim_1")


def test_rows_that_packs_may_leave_out() -> None:
    packs: Any = Packs()
    assert rows_if_any(packs, "targets") == ROWS
    assert rows_if_any(packs, "no-such-table") == rows_if_any(None, "targets") == {}
