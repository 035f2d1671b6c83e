"""The page docs/bench.md, as ``fracas bench --markdown`` writes it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from fracas.bench.run import PARTS
from fracas.bench.timing import Figure

HEAD = """\
# Measurements

Written by `fracas bench --markdown`; do not edit the numbers by hand. [performance.md](performance.md) shows where the
time goes. Fracas and each peer are measured alternately, several times, and most figures are medians. A slow machine
slows both, so compare the ratios, not the times. If the peer is a limit, the ratio is the used share of that limit.

## How to repeat it

In a clone where `scripts/test` has installed the peers, with nothing else running:

```sh
.venv/bin/fracas bench --markdown docs/bench.md
```

`--only dice` measures only that part, and the page marks the others as not measured.

## The run

"""
COLUMNS = ("figure", "peer", "ours", "peer's", "ratio", "goal", "met", "note")
NOT_MEASURED = "not measured in this run"


def page(report: Mapping[str, Any]) -> str:
    """A report of `fracas.bench.run.run_all` as Markdown; every figure of the bench has its line."""
    rows = {row["name"]: row for row in report["rows"]}
    table = (_line(_cells(figure, rows.get(figure.name))) for figure in _figures())
    return HEAD + "\n".join(
        [*_facts(report), "", _line(COLUMNS), "|---|---|--:|--:|--:|---|---|---|", *table, ""]
    )


def _figures() -> Iterator[Figure]:
    for part in PARTS.values():
        yield from part.figures


def _facts(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"- date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    yield f"- machine: {platform.system()} {report['machine']}, {os.cpu_count()} processors{_model()}"
    yield f"- versions: Fracas {report['version']}, Python {report['python']}"


def _model() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = [platform.processor()]
    return f" ({names[0]})" if names and names[0] else ""


def _cells(figure: Figure, row: Mapping[str, Any] | None) -> Iterator[str]:
    yield figure.name
    yield figure.against
    if row is None:
        yield from ("", "", "", _goal(figure), "", NOT_MEASURED)
        return
    for value in (row["ours"], row["peer"]):
        yield "" if value is None else f"{value:,.1f} {figure.unit}"
    yield "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    yield _goal(figure)
    yield {True: "yes", False: "**no**", None: ""}[row["met"]]
    yield row["note"]


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    return f"{'at most' if figure.at_most else 'at least'} {figure.goal:g}"


def _line(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
