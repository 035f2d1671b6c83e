"""Roll tables of the tables of a pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from fracas.exports.foundry.documents import (
    Document,
    document_id,
    embedded,
    entry_flags,
    finished,
    text_html,
)
from fracas.exports.readable import plain, remarks, source
from fracas.packs.entries import Entry, Pack

ICON = "icons/svg/d20-grey.svg"
_DICE = (4, 6, 8, 10, 12, 20, 100)
_BOUNDS = (("least", "most"), ("from", "to"))
"""Columns in which tables of packs give the lowest and the highest roll of a row."""


def roll_tables(pack: Pack) -> list[Document]:
    """One for each table: of rows with ranges that dice can roll, else with a row as likely as any other."""
    return [
        _roll_table(pack, entry) for entry in pack.entries if entry.kind == "table" and entry.data.get("rows")
    ]


def _roll_table(pack: Pack, entry: Entry) -> Document:
    rows: Mapping[str, Mapping[str, Any]] = entry.data["rows"]
    found = ranges(list(rows.values()))
    formula, bounds = found or (f"1d{len(rows)}", [(at, at) for at in range(1, len(rows) + 1)])
    said = set() if found is None else {name for pair in _BOUNDS for name in pair}
    document = {
        "_id": document_id("RollTable", entry.id),
        "name": plain(entry.label),
        "img": ICON,
        "description": "".join(
            f"<p>{text_html(text)}</p>" for text in (remarks(entry), source(entry)) if text
        ),
        "results": [
            _result(pack, entry, name, {key: each for key, each in row.items() if key not in said}, range)
            for (name, row), range in zip(rows.items(), bounds, strict=True)
        ],
        "formula": formula,
        "replacement": True,
        "displayRoll": True,
    }
    return finished("RollTable", document, entry_flags(pack, entry))


def _result(pack: Pack, entry: Entry, name: str, row: Mapping[str, Any], range: tuple[int, int]) -> Document:
    least, most = range
    facts = ((key.replace("_", " ").replace("-", " "), plain(value)) for key, value in row.items())
    document = {
        "_id": document_id("TableResult", f"{entry.id}/{name}"),
        "type": "text",
        "name": name.replace("-", " ").capitalize(),
        "description": "".join(f"<p>{text_html(key)}: {text_html(text)}</p>" for key, text in facts if text),
        "img": ICON,
        "documentUuid": None,
        "weight": most - least + 1,
        "range": [least, most],
        "drawn": False,
    }
    return embedded(document, entry_flags(pack, entry, row=name))


def ranges(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[tuple[int, int]]] | None:
    """The dice that roll a table whose rows give their lowest and highest roll, and the range of each row.

    The first and the last row may be open: they end where the dice do. None if the rows have no ranges, if there are
    gaps between them, or if no dice roll just these numbers.

    >>> ranges([{"least": None, "most": 2}, {"least": 3, "most": 11}, {"least": 12, "most": None}])
    ('2d6', [(2, 2), (3, 11), (12, 12)])
    """
    names = next((pair for pair in _BOUNDS if all(pair[0] in row and pair[1] in row for row in rows)), None)
    if names is None or not rows:
        return None
    said = [(row[names[0]], row[names[1]]) for row in rows]
    ends = [(low if low is not None else high, high if high is not None else low) for low, high in said]
    if not all(type(low) is int and type(high) is int and low <= high for low, high in ends):
        return None
    if any(after[0] != before[1] + 1 for before, after in pairwise(ends)):
        return None
    dice = _dice(ends[0][0], ends[-1][1])
    return None if dice is None else (dice, ends)


def _dice(least: int, most: int) -> str | None:
    """The dice whose sum goes from one number to the other."""
    if least == 1:
        return f"1d{most}" if most > 1 else None
    return next((f"{least}d{sides}" for sides in _DICE if least > 1 and least * sides == most), None)
