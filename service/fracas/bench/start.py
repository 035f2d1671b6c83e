"""Cold starts of the command line against importing flask."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from fracas.bench.timing import Figure, Row
from fracas.web.combat import EXAMPLE

FLASK = 'python -c "import flask"'
HELP = Figure("`fracas --help`, from a cold process", FLASK, "ms", 3.0, at_most=True)
ATTACK = Figure("`fracas resolve`, a first attack, from a cold process", FLASK, "ms", 3.0, at_most=True)
FIGURES = (HELP, ATTACK)

RUNS = 7


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        request = Path(folder) / "attack.json"
        request.write_text(json.dumps(EXAMPLE), "utf-8")
        flask = [sys.executable, "-c", "import flask"]
        program = [sys.executable, "-m", "fracas.cli"]
        return [
            _compare(HELP, [*program, "--help"], flask),
            _compare(ATTACK, [*program, "resolve", str(request)], flask),
        ]


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
