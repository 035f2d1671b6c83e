"""Tables of the packs, which rules read: numbers that a layer may override."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError, suggestion
from fracas.kernel.vocabulary import EntryLookup

__all__ = ["Row", "row_of", "rows_if_any", "rows_of", "source_of"]

Row = Mapping[str, Any]
"""The numbers of one row, by column."""


def rows_of(lookup: EntryLookup, table: str) -> Mapping[str, Row]:
    """The rows of a table.

    Raises:
        InputError: the packs in use have no such table.
    """
    entry = lookup.entry("table", table)
    if entry is None:
        raise InputError.one("situation", "missing-table", f"the packs in use have no table {table!r}")
    rows: Mapping[str, Row] = entry.data["rows"]
    return rows


def rows_if_any(lookup: EntryLookup | None, table: str) -> Mapping[str, Row]:
    """The same; none where the packs in use have no such table, or nobody knows the packs."""
    entry = None if lookup is None else lookup.entry("table", table)
    rows: Mapping[str, Row] = {} if entry is None else entry.data["rows"]
    return rows


def row_of(lookup: EntryLookup, table: str, row: str) -> Row:
    """One row of a table.

    Raises:
        InputError: the packs in use have no such table, or it has no such row.
    """
    found = rows_of(lookup, table).get(row)
    if found is None:
        hint = suggestion(row, rows_of(lookup, table))
        raise InputError.one("situation", "missing-table", f"{table!r} has no row {row!r}", hint)
    return found


def source_of(lookup: EntryLookup, table: str) -> str:
    """The id of a table, as the source of a line that has a number of it; "" if the packs in use have no such table."""
    entry = lookup.entry("table", table)
    return entry.id if entry is not None else ""
