"""Lines that import tables go through a reader of the grammar that TableExport documents, and give the tables back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from exported_packs import LIBRARIES, PACKS, core
from hypothesis import given
from hypothesis import strategies as st
from roll20_grammar import messages

from fracas.exports.roll20.escaping import spelled
from fracas.exports.roll20.tables import import_lines, tables
from fracas.packs.entries import Pack


class Imported(NamedTuple):
    """A table as TableExport makes it."""

    shown: bool
    rows: list[tuple[str, int]]


_WRITTEN = {"<%%91%%>": "[", "<%%93%%>": "]", "<%%-%%>": "--"}
"""How the names of items are written, but not those of tables."""


def imported(lines: list[str]) -> dict[str, Imported]:
    """What TableExport does with these messages, one after the other.

    Its grammar: ``!import-table --NAME --show|hide``, then ``!import-table-item --NAME --ITEM --WEIGHT --AVATAR``; a
    message is split at blanks before ``--``; a name that there is already is refused, and 0 is no weight.
    """
    found: dict[str, Imported] = {}
    for line in lines:
        (message,) = messages(line)
        assert (message.kind, message.live) == ("command", ()), line
        command, *parts = re.split(r"\s+--", line)
        if command == "!import-table":
            name, how = parts
            assert name not in found
            assert how in ("show", "hide")
            assert not re.search(r"[\[\]|{}]|--", name)
            found[name] = Imported(how == "show", [])
        else:
            assert command == "!import-table-item"
            name, item, weight, avatar = parts
            assert item
            assert int(weight) >= 1
            assert avatar == ""
            text = re.sub(r"<%%.*?%%>", lambda found: _WRITTEN[found[0]], item)
            found[name].rows.append((text, int(weight)))
    return found


def table_pack(rows: Mapping[str, Mapping[str, Any]], **more: str) -> Pack:
    """A pack with one table."""
    pack = core().packs["sr4-core"]
    table = next(entry for entry in pack.entries if entry.kind == "table")
    return pack._replace(entries=(table._replace(data={"rows": rows, **more}),))


ROLLED = {
    "sr4-core": {"scatter-direction": [1] * 6},
    "sr5-core": {},
    "cwn-core": {"reactions": [1, 9, 16, 9, 1], "major-injuries": [1] * 10 + [2]},
    "imperium-core": {
        "hit-location": [10, 10, 40, 15, 15, 10],
        "psychic-backlash": [3, 2, 2, 1, 1, 1],
        "vehicle-damage": [4, 2, 2, 1, 1],
    },
}
"""The tables of packs that people roll, with the ways that their dice have to each row."""


@pytest.mark.parametrize(("library", "id"), PACKS)
def test_every_table_that_is_rolled_comes_back_for_the_game_master(library: str, id: str) -> None:
    pack = LIBRARIES[library]().packs[id]
    made = tables(pack)
    assert imported(import_lines(pack)) == {table.name: Imported(False, list(table.rows)) for table in made}
    expected = ROLLED.get(pack.id, {})
    weights = {f"{pack.id}:table/{slug}": found for slug, found in expected.items()}
    assert {table.entry_id: [weight for _, weight in table.rows] for table in made} == weights


@pytest.mark.parametrize(
    ("dice", "rows", "weights"),
    [
        (
            "2d6",
            {"low": (2, 5), "seven": (6, 8), "high": (9, 12)},
            [10, 16, 10],
        ),  # of 36 ways: 1+2+3+4, 5+6+5, 4+3+2+1
        ("1d6", {"one": (1, 1), "others": (2, 6)}, [1, 5]),
        ("3d6", {"least": (None, 3), "others": (4, None)}, [1, 215]),
    ],
)
def test_a_row_weighs_as_much_as_dice_have_ways_to_it(
    dice: str, rows: Mapping[str, tuple[int, int]], weights: list[int]
) -> None:
    written = {name: {"least": low, "most": high, "effect": "x"} for name, (low, high) in rows.items()}
    (table,) = tables(table_pack(written, roll=dice))
    assert [weight for _, weight in table.rows] == weights


def test_what_is_looked_up_is_not_rolled() -> None:
    assert tables(table_pack({"metres-1": {"from": 1, "to": 2}, "metres-3": {"from": 3, "to": 6}})) == []


@given(st.text())
def test_what_is_spelled_is_never_read(text: str) -> None:
    shown = spelled(text)
    assert not re.search(r"[\[\]{}@%&?#<>|\"'\n\r\u2028\u2029=~`$\\^*_]|--", shown)
    assert not shown.startswith(("!", "/", "-", " "))
    assert spelled(shown) == shown


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=4, max_size=4))
def test_rows_of_any_text_come_back(facts: list[tuple[str, str]]) -> None:
    rows = {f"row-{at}": {"what": key, "more": value} for at, (key, value) in enumerate(facts)}
    pack = table_pack(rows, roll="1d4")
    (table,) = tables(pack)
    assert imported(import_lines(pack)) == {table.name: Imported(False, list(table.rows))}
    assert len(table.rows) == len(facts)
