"""Tables of a pack as Roll20's rollable tables, and as lines that the Mod TableExport imports.

A rollable table draws a row by its weight and knows no dice, so a row that 2d6 hit on 7 weighs more than one on 12.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.dice.exact import sums
from fracas.exports.readable import plain
from fracas.exports.roll20.escaping import spelled
from fracas.exports.table_ranges import BOUNDS, ranges
from fracas.packs.entries import Entry, Pack

_LONGEST = 400
"""Characters of a row; Roll20 shows it on one line."""


class Table(NamedTuple):
    """
    Attributes:
        name: unlike that of any other table of any pack; what ``/roll 1t[name]`` takes.
        entry_id: of the pack's entry that it was made of.
        label: for people.
        rows: text and weight of each.
    """

    name: str
    entry_id: str
    label: str
    rows: tuple[tuple[str, int], ...]


def tables(pack: Pack) -> list[Table]:
    """The tables of a pack: of rows with ranges that dice can roll, else with a row as likely as any other."""
    return [
        Table(f"{pack.id}-{entry.slug}", entry.id, plain(entry.label), tuple(_rows(entry)))
        for entry in pack.entries
        if entry.kind == "table" and entry.data.get("rows")
    ]


def _rows(entry: Entry) -> Iterator[tuple[str, int]]:
    rows: Mapping[str, Mapping[str, Any]] = entry.data["rows"]
    found = ranges(list(rows.values()))
    said = set() if found is None else {name for pair in BOUNDS for name in pair}
    weights = [1] * len(rows) if found is None else _weights(*found)
    for (name, row), weight in zip(rows.items(), weights, strict=True):
        facts = ((key.replace("_", " "), plain(value)) for key, value in row.items() if key not in said)
        parts = "; ".join(f"{key}: {text}" for key, text in facts if text)
        title = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).capitalize()
        yield spelled(f"{title}. {parts}" if parts else title)[:_LONGEST].strip(), weight


def _weights(dice: str, bounds: list[tuple[int, int]]) -> list[int]:
    """How many ways dice have to hit each range."""
    count, sides = map(int, dice.split("d"))
    ways = sums(((count, sides),))
    return [sum(ways[low - count : high - count + 1]) for low, high in bounds]


def import_lines(pack: Pack) -> list[str]:
    """Commands for Roll20's chat, a message each, with which TableExport makes the tables of a pack.

    Everybody sees the tables. TableExport refuses a name that there is already: remove the table to import it again.
    """
    lines = []
    for table in tables(pack):
        lines.append(f"!import-table --{table.name} --show")
        lines += [f"!import-table-item --{table.name} --{text} --{weight} --" for text, weight in table.rows]
    return lines
