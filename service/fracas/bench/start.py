"""Cold starts: of the command line against importing flask, and of the service against a second."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from fracas.bench.http import started
from fracas.bench.timing import Figure, Row
from fracas.engine.opening import keep_built_in
from fracas.web.combat import EXAMPLE

FLASK = 'python -c "import flask"'
HELP = Figure("`fracas --help`, from a cold process", FLASK, "ms", 3.0, at_most=True)
ATTACK = Figure("`fracas resolve`, a first attack, from a cold process", FLASK, "ms", 3.0, at_most=True)
SERVICE = Figure("`fracas serve`, until it answers `/health`", "the limit", "ms", 1.0, at_most=True)
FIGURES = (HELP, ATTACK, SERVICE)

RUNS = 7
ALLOWED = 1000.0
"""Milliseconds in which a service has started."""


def measure() -> list[Row]:
    keep_built_in()  # as the first start of the service does
    with tempfile.TemporaryDirectory() as folder:
        request = Path(folder) / "attack.json"
        request.write_text(json.dumps(EXAMPLE), "utf-8")
        flask = [sys.executable, "-c", "import flask"]
        program = [sys.executable, "-m", "fracas.cli"]
        return [
            _compare(HELP, [*program, "--help"], flask),
            _compare(ATTACK, [*program, "resolve", str(request)], flask),
            _service(folder),
        ]


def _service(folder: str) -> Row:
    """Starts after the first one, which compiles the packs and makes the database."""
    database = str(Path(folder) / "encounters.db")
    took = []
    for _ in range(RUNS + 1):
        begin = time.perf_counter()
        with started(database):
            took.append((time.perf_counter() - begin) * 1e3)
    middle = median(took[1:])
    return SERVICE.row(middle, ALLOWED, middle / ALLOWED, f"the first start {took[0]:,.0f} ms")


def _compare(figure: Figure, ours: list[str], peer: list[str]) -> Row:
    _seconds(ours), _seconds(peer)
    pairs = [(_seconds(ours), _seconds(peer)) for _ in range(RUNS)]
    return figure.row(
        median(mine for mine, _ in pairs) * 1e3,
        median(other for _, other in pairs) * 1e3,
        median(mine / other for mine, other in pairs),
    )


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start
