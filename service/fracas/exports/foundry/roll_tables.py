"""Roll tables of the tables of a pack that are rolled; pages of the journal show all."""

from __future__ import annotations

from collections.abc import Mapping
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
from fracas.exports.table_ranges import BOUNDS, Rolled, rolled
from fracas.packs.entries import Entry, Pack

ICON = "icons/svg/d20-grey.svg"


def roll_tables(pack: Pack) -> list[Document]:
    """One for each table that is rolled, with its dice."""
    found = ((entry, rolled(entry.data)) for entry in pack.entries if entry.kind == "table")
    return [_roll_table(pack, entry, how) for entry, how in found if how is not None]


def _roll_table(pack: Pack, entry: Entry, how: Rolled) -> Document:
    rows: Mapping[str, Mapping[str, Any]] = entry.data["rows"]
    given = {name for pair in BOUNDS for name in pair}
    document = {
        "_id": document_id("RollTable", entry.id),
        "name": plain(entry.label),
        "img": ICON,
        "description": "".join(
            f"<p>{text_html(text)}</p>" for text in (remarks(entry), source(entry)) if text
        ),
        "results": [
            _result(pack, entry, name, {key: each for key, each in row.items() if key not in given}, range)
            for (name, row), range in zip(rows.items(), how.ranges, strict=True)
        ],
        "formula": how.dice,
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
