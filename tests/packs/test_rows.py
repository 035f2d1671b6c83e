"""The inventories of the rulebooks: every row of every table is in the pack with its numbers, or says why it is not.

``rows_<ruleset>.yaml`` lists each table of a rulebook with the number of rows that it prints, what stands for each, and
the numbers of each row, which have been compared with the rulebook. It is the one place where they stand a second time:
what the rules make of them is shown by the worked examples of the packs.

``rows`` is a list of names, or maps each name to its cells: a list in the order of ``columns``, the value of the only
column, or fields by name. ``numbers`` adds fields by name, where only a few rows have them. A cell that is a
list stands for a field with several numbers, such as the changes of a drug: all of them in the order of reading.
``flags`` maps a field to the rows for which it is true, ``words`` a field to its words by row; other rows have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from shipped_library import library

from fracas.packs.entries import KINDS
from fracas.packs.library import RulesetPacks
from fracas.packs.yaml_source import load

KEYS = {
    "section",
    "title",
    "kind",
    "entry",
    "columns",
    "rows",
    "numbers",
    "flags",
    "words",
    "count",
    "remark",
}
RULESETS = ("cwn", "imperium", "sr4", "sr5")


@cache
def rows_of(ruleset: str) -> dict[str, Any]:
    path = Path(__file__).with_name(f"rows_{ruleset}.yaml")
    found: dict[str, Any] = load(path.read_bytes(), path.name).data
    return found


def inventory(ruleset: str) -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = rows_of(ruleset)["tables"]
    return tables


TABLES = [
    pytest.param(ruleset, table, id=f"{ruleset} {table['section']} {table['title']}")
    for ruleset in RULESETS
    for table in inventory(ruleset)
]


def shelf(ruleset: str) -> RulesetPacks:
    return library().ruleset_packs(ruleset)


@pytest.mark.parametrize(("ruleset", "table"), TABLES)
def test_no_row_is_missing(ruleset: str, table: dict[str, Any]) -> None:
    if "not_data" in table:
        assert set(table) == {"section", "title", "not_data"}
        assert table["not_data"]
        return
    assert set(table) <= KEYS
    assert table["kind"] in KINDS
    rows = [*table["rows"]]
    assert len(rows) == len(set(rows))
    assert set(table.get("numbers", ())) <= set(rows)
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


NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([dx/+-]\d+)*[A-Z]?")
"""What counts as a number in a text: dice, and an availability such as 12R."""


def numbers(value: Any) -> Iterator[Any]:
    """The numbers of a field, however deep, in the order of reading."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from numbers(one)
    elif (isinstance(value, int | float) and not isinstance(value, bool)) or (
        isinstance(value, str) and NUMBER.fullmatch(value)
    ):
        yield value


def data_of(ruleset: str, table: dict[str, Any], row: str) -> Mapping[str, Any]:
    """What the packs say of a row: an entry, or a row of one that is a table."""
    of_table = "entry" in table
    entry = shelf(ruleset).entry(KINDS[table["kind"]], table["entry"] if of_table else row)
    assert entry is not None
    found: Mapping[str, Any] = entry.data["rows"][row] if of_table else entry.data
    return found


def cells(table: dict[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row that has numbers with its fields."""
    yield from table.get("numbers", {}).items()
    columns = table.get("columns", ())
    for row, typed in table["rows"].items() if isinstance(table["rows"], dict) else ():
        if isinstance(typed, dict) and not columns:
            yield row, typed
        elif typed is not None:
            yield row, dict(zip(columns, typed if len(columns) > 1 else [typed], strict=True))


@pytest.mark.parametrize(("ruleset", "table"), [one for one in TABLES if "rows" in one.values[1]])
def test_the_numbers_are_those_of_the_rulebook(ruleset: str, table: dict[str, Any]) -> None:
    wrong = {}
    for row, fields in cells(table):
        data = data_of(ruleset, table, row)
        for name, typed in fields.items():
            found = data.get(name)
            held = [] if typed is None else typed if isinstance(typed, list) else [typed]
            if found != typed and [*numbers(found)] != held:
                wrong[row, name] = f"{found} in the pack, {typed} in the rulebook"
    assert wrong == {}


@pytest.mark.parametrize(("ruleset", "table"), [one for one in TABLES if "flags" in one.values[1]])
def test_the_flags_are_those_of_the_rulebook(ruleset: str, table: dict[str, Any]) -> None:
    for field, rows in table["flags"].items():
        held = [row for row in table["rows"] if data_of(ruleset, table, row).get(field) is True]
        assert held == rows, field


@pytest.mark.parametrize(("ruleset", "table"), [one for one in TABLES if "words" in one.values[1]])
def test_the_words_are_those_of_the_rulebook(ruleset: str, table: dict[str, Any]) -> None:
    for field, rows in table["words"].items():
        held = {row: data_of(ruleset, table, row).get(field) for row in table["rows"]}
        assert {row: words for row, words in held.items() if words} == rows, field


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_prices_of_actions_and_the_house_rules(ruleset: str) -> None:
    """What the manifests say that may be spent, what each type of action costs, and the default of each house rule."""
    held: dict[str, Any] = {}
    for pack in shelf(ruleset).packs:
        raw = pack.manifest.raw
        said = {**raw.get("economy", {}), "option_defaults": raw.get("option_defaults")}
        said["options"] = {id: rule["default"] for id, rule in raw.get("options", {}).items()}
        parts = ("budget", "bonus", "types", "options", "option_defaults")
        held[pack.manifest.id] = {part: said[part] for part in parts if said.get(part)}
    assert held == rows_of(ruleset)["packs"]


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
