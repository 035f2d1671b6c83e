"""Roll tables of the tables of a pack."""

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
from fracas.exports.table_ranges import BOUNDS, ranges
from fracas.packs.entries import Entry, Pack

ICON = "icons/svg/d20-grey.svg"


def roll_tables(pack: Pack) -> list[Document]:
    """One for each table: of rows with ranges that dice can roll, else with a row as likely as any other."""
    return [
        _roll_table(pack, entry) for entry in pack.entries if entry.kind == "table" and entry.data.get("rows")
    ]


def _roll_table(pack: Pack, entry: Entry) -> Document:
    rows: Mapping[str, Mapping[str, Any]] = entry.data["rows"]
    found = ranges(list(rows.values()))
    formula, bounds = found or (f"1d{len(rows)}", [(at, at) for at in range(1, len(rows) + 1)])
    said = set() if found is None else {name for pair in BOUNDS for name in pair}
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
