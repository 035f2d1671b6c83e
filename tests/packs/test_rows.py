"""The inventories of the rulebooks: every row of every table is in the pack, or says why it is not.

``rows_<ruleset>.yaml`` lists each table of a rulebook with the number of rows that it prints and what stands for each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fracas.packs.entries import KINDS
from fracas.packs.library import Library, Shelf
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load

LIBRARY = Library.read([shipped("datapacks")])
RULESETS = ("cwn", "imperium", "sr4", "sr5")


def inventory(ruleset: str) -> list[dict[str, Any]]:
    path = Path(__file__).with_name(f"rows_{ruleset}.yaml")
    tables: list[dict[str, Any]] = load(path.read_bytes(), path.name).data["tables"]
    return tables


TABLES = [
    pytest.param(ruleset, table, id=f"{ruleset} {table['section']} {table['title']}")
    for ruleset in RULESETS
    for table in inventory(ruleset)
]


def shelf(ruleset: str) -> Shelf:
    return LIBRARY.shelf(ruleset)


@pytest.mark.parametrize(("ruleset", "table"), TABLES)
def test_no_row_is_missing(ruleset: str, table: dict[str, Any]) -> None:
    if "not_data" in table:
        assert set(table) == {"section", "title", "not_data"}
        assert table["not_data"]
        return
    assert set(table) <= {"section", "title", "kind", "entry", "rows", "count", "remark"}
    assert table["kind"] in KINDS
    rows = table["rows"]
    assert len(rows) == len(set(rows))
    if "entry" in table:
        entry = shelf(ruleset).entry("table", table["entry"])
        assert entry is not None, table["entry"]
        found = set(entry.data["rows"])
    else:
        found = set(shelf(ruleset).names(KINDS[table["kind"]]))
    assert [row for row in rows if row not in found] == []
    assert len(rows) == table["count"] or table.get("remark"), (
        "say why there are more or fewer entries than rows"
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_table_of_a_pack_is_accounted_for(ruleset: str) -> None:
    """Nothing in a table entry but what an inventory lists: a row that was made up would show here."""
    listed: dict[str, set[str]] = {}
    for table in inventory(ruleset):
        if "entry" in table:
            listed.setdefault(table["entry"], set()).update(table["rows"])
    extra = {
        entry.slug: sorted(set(entry.data["rows"]) - listed.get(entry.slug, set()))
        for entry in shelf(ruleset).entries("table")
    }
    assert {slug: rows for slug, rows in extra.items() if rows} == {}


LEAST = {
    ("sr4", "weapon"): 85,
    ("sr4", "armor"): 18,
    ("sr4", "combatant"): 6,
    ("cwn", "combatant"): 26,
    ("imperium", "combatant"): 6,
    ("sr5", "combatant"): 6,
}


@pytest.mark.parametrize(("ruleset", "kind"), LEAST)
def test_there_are_enough(ruleset: str, kind: str) -> None:
    assert len(shelf(ruleset).entries(kind)) >= LEAST[ruleset, kind]
