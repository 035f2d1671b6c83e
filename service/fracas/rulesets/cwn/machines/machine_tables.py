"""Numbers of drones, vehicles and programs that stand in tables of the packs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.vocabulary import Catalog


def table_row(catalog: Catalog, table: str, row: str) -> Mapping[str, Any]:
    """A row of a table of the packs.

    Raises:
        InputError: the packs in use have no such table, or it has no such row.
    """
    entry = catalog.entry("table", table)
    found = entry.data["rows"].get(row) if entry else None
    if found is None:
        message = (
            f"the packs in use have no table {table!r}" if entry is None else f"{table!r} has no {row!r}"
        )
        raise InputError.one("situation", "missing-table", message)
    data: Mapping[str, Any] = found
    return data


FITTINGS = "vehicle-fittings"


def vehicle_armor(catalog: Catalog, facts: Mapping[str, Any], who: str) -> int:
    """Points of Armor off each hit, with what fittings add and take away; never below 0.

    Raises:
        InputError: the packs in use do not tell what a fitting does.
    """
    fitted = facts.get(f"{who}.vehicle_fittings", ())
    more = sum(table_row(catalog, FITTINGS, slug).get("armor", 0) for slug in fitted)
    return max(0, int(facts.get(f"{who}.vehicle_armor", 0)) + int(more))
