"""The tables of a pack that are rolled, as Roll20's rollable tables and as lines that the Mod TableExport imports.

A rollable table draws a row by its weight and knows no dice, so a row that 2d6 hit on 7 weighs more than one on 12. It
cannot be read: tables to look things up in are handouts, which `mod` makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.dice.exact import sums
from fracas.exports.readable import plain
from fracas.exports.roll20.escaping import spelled
from fracas.exports.table_ranges import BOUNDS, Rolled, rolled
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
    """The tables of a pack that are rolled."""
    found = ((entry, rolled(entry.data)) for entry in pack.entries if entry.kind == "table")
    return [
        Table(f"{pack.id}-{entry.slug}", entry.id, plain(entry.label), tuple(_rows(entry, how)))
        for entry, how in found
        if how is not None
    ]


def _rows(entry: Entry, how: Rolled) -> Iterator[tuple[str, int]]:
    rows: Mapping[str, Mapping[str, Any]] = entry.data["rows"]
    bounds = {name for pair in BOUNDS for name in pair}
    for (name, row), weight in zip(rows.items(), _weights(how), strict=True):
        facts = ((key.replace("_", " "), plain(value)) for key, value in row.items() if key not in bounds)
        parts = "; ".join(f"{key}: {text}" for key, text in facts if text)
        title = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).capitalize()
        yield spelled(f"{title}. {parts}" if parts else title)[:_LONGEST].strip(), weight


def _weights(how: Rolled) -> list[int]:
    """How many ways the dice have to hit each range."""
    count, sides = map(int, how.dice.split("d"))
    ways = sums(((count, sides),))
    return [sum(ways[low - count : high - count + 1]) for low, high in how.ranges]


def import_lines(pack: Pack) -> list[str]:
    """Commands for Roll20's chat, a message each, with which TableExport makes the tables of a pack.

    Only the game master sees the tables. TableExport refuses a name that there is already: remove the table to import
    it again.
    """
    lines = []
    for table in tables(pack):
        lines.append(f"!import-table --{table.name} --hide")
        lines += [f"!import-table-item --{table.name} --{text} --{weight} --" for text, weight in table.rows]
    return lines
