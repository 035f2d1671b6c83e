"""The check of tables that are rolled: their rows must take every number of their dice once."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.errors import Problem
from fracas.exports.table_ranges import BOUNDS, rolled
from fracas.packs.entries import Fault
from fracas.packs.library import Library

_BOUNDS = " or ".join(f"{low} and {high}" for low, high in BOUNDS)


def rolled_table_faults(library: Library) -> Iterator[Fault]:
    """Tables that name dice which do not fit their rows."""
    for pack in library.packs.values():
        for entry in pack.entries:
            dice = entry.data.get("roll") if entry.kind == "table" else None
            if dice is not None and rolled(entry.data) is None:
                count, sides = map(int, dice.split("d"))
                numbers = f"every number from {count} to {count * sides} once, in this order"
                message = f"the rows of a table that is rolled with {dice} must take {numbers}"
                hint = f"give each row {_BOUNDS}, or leave out 'roll' if it is never rolled"
                path = ("roll",)
                problem = Problem(entry.location_of(path), "roll-fits-no-rows", message, hint)
                yield Fault(entry.author_of(path), problem)
