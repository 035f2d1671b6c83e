"""Running the rows and reporting them."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from fracas import __version__
from fracas.bench import (
    console,
    dice,
    encounters,
    feed,
    forecasts,
    holding,
    http,
    inside,
    odds,
    packs,
    positions,
    start,
    store,
)
from fracas.bench.timing import Figure, Row
from fracas.errors import UnknownNameError, suggestion


class Part(NamedTuple):
    """Figures that are measured together."""

    figures: tuple[Figure, ...]
    measure: Callable[[], list[Row]]


PARTS = {
    "odds": Part(odds.FIGURES, odds.measure),
    "dice": Part(dice.FIGURES, dice.measure),
    "packs": Part(packs.FIGURES, packs.measure),
    "store": Part(store.FIGURES, store.measure),
    "start": Part(start.FIGURES, start.measure),
    "inside": Part(inside.FIGURES, inside.measure),
    "http": Part(http.FIGURES, http.measure),
    "encounters": Part(encounters.FIGURES, encounters.measure),
    "positions": Part(positions.FIGURES, positions.measure),
    "forecast": Part(forecasts.FIGURES, forecasts.measure),
    "feed": Part(feed.FIGURES, feed.measure),
    "console": Part(console.FIGURES, console.measure),
    "holding": Part(holding.FIGURES, holding.measure),
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
    for name, part in PARTS.items():
        if not only or name in only:
            if progress:
                progress(f"measuring {name} ...")
            rows += part.measure()
    return {
        "version": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rows": [{**row._asdict(), "met": row.met} for row in rows],
        "met": all(row.met is not False for row in rows),
        "text": "\n".join(_line(row) for row in rows),
    }


def _line(row: Row) -> str:
    if row.ratio is None or row.ours is None or row.peer is None or row.goal is None:
        return f"  ----  {row.name}: {row.note}"
    verdict = "  ok  " if row.met else " MISS "
    bound = "at most" if row.at_most else "at least"
    figures = (
        f"{row.ours:,.1f} {row.unit} against {row.peer:,.1f}: ratio {row.ratio:.2f} ({bound} {row.goal:g})"
    )
    text = f"{verdict}  {row.name}, against {row.against}: {figures}"
    return f"{text}; {row.note}" if row.note else text
