"""Packs as CSV files, one for each kind of entry."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from fracas.exports.readable import by_kind, plain, readable, source, titles
from fracas.packs.entries import Entry, Pack

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Begins each file: without it, Excel takes UTF-8 for the code page of its country. Other programs skip it."""

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_ABOUT = ("source", "provenance", "confidence", "notes", "tags")


def csv_files(pack: Pack) -> dict[str, str]:
    """The files by their names (``weapons.csv``): texts in UTF-8 with a mark at their begin and lines of CR LF.

    A line is an entry, and nested values are written as people read them; in ``tables.csv`` it is one cell of a table.
    """
    ruleset = pack.manifest.ruleset
    return {
        f"{kind}.csv": BOM + written(_cells(entries) if kind == "tables" else _rows(entries, kind, ruleset))
        for kind, entries in by_kind(pack).items()
    }


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula. Numbers stay numbers."""
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def written(rows: Iterable[Iterable[str]]) -> str:
    """Rows as the text of a CSV file, with no formula among them."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows([guarded(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def _rows(entries: list[Entry], kind: str, ruleset: str) -> list[list[str]]:
    fields = _fields(entries, kind, ruleset)
    about = [name for name in _ABOUT if any(name in entry.meta for entry in entries)]
    rows = [["id", "label", *fields, *about]]
    for entry in entries:
        own = [readable(entry.data.get(name)) for name in fields]
        rows.append([entry.id, plain(entry.label), *own, *(_about(entry, name) for name in about)])
    return rows


def _cells(entries: list[Entry]) -> list[list[str]]:
    """Of tables: each cell, and what its column means."""
    rows = [["id", "label", "row", "column", "value", "meaning", "source", "notes"]]
    for entry in entries:
        meanings = entry.data.get("columns", {})
        about = [_about(entry, "source"), _about(entry, "notes")]
        rows += [
            [entry.id, plain(entry.label), row, column, plain(value), plain(meanings.get(column)), *about]
            for row, values in entry.data.get("rows", {}).items()
            for column, value in values.items()
        ]
    return rows


def _fields(entries: list[Entry], kind: str, ruleset: str) -> list[str]:
    """The fields that some entry has, in the order of the schema."""
    has = dict.fromkeys(name for entry in entries for name in entry.data)
    known = [name for name in titles(kind, ruleset) if name in has]
    return [*known, *(name for name in has if name not in known)]


def _about(entry: Entry, name: str) -> str:
    return source(entry) if name == "source" else readable(entry.meta.get(name))
