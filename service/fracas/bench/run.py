"""Running the rows and reporting them."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from typing import Any

from fracas import __version__
from fracas.bench import dice, encounters, feed, http, odds, packs, start, store
from fracas.bench.timing import Row
from fracas.errors import UnknownNameError, suggestion

PARTS: dict[str, Callable[[], list[Row]]] = {
    "odds": odds.measure,
    "dice": dice.measure,
    "packs": packs.measure,
    "store": store.measure,
    "start": start.measure,
    "http": http.measure,
    "encounters": encounters.measure,
    "feed": feed.measure,
}


def run_all(only: Sequence[str], progress: Callable[[str], object] | None = None) -> dict[str, Any]:
    """All parts, or those named; `met` is False when a figure misses its goal.

    Raises:
        UnknownNameError: a part that does not exist.
    """
    for name in only:
        if name not in PARTS:
            raise UnknownNameError.one(
                "--only", "unknown-part", f"no part named {name!r}", suggestion(name, PARTS)
            )
    rows: list[Row] = []
    for name, measure in PARTS.items():
        if not only or name in only:
            if progress:
                progress(f"measuring {name} ...")
            rows += measure()
    return {
        "version": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rows": [{**row._asdict(), "met": row.met} for row in rows],
        "met": all(row.met is not False for row in rows),
        "text": "\n".join(_line(row) for row in rows),
    }


def _line(row: Row) -> str:
    if row.ratio is None or row.ours is None or row.peer is None:
        return f"  ----  {row.name}: {row.note}"
    verdict = "  ok  " if row.met else " MISS "
    bound = "at most" if row.at_most else "at least"
    figures = (
        f"{row.ours:,.1f} {row.unit} against {row.peer:,.1f}: ratio {row.ratio:.2f} ({bound} {row.goal:g})"
    )
    return f"{verdict}  {row.name}: {figures}"
