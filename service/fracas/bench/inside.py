"""Fracas in a page, in Node: start, a step, its odds, memory and size, beside the Python of this computer."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from fracas.bench.timing import Figure, Row, in_turn
from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.engine.requests import RequestSchema
from fracas.web.bench import ATTACK

HERE = "the same call in the Python of this computer"
START = Figure("Fracas in a page, in Node: until it answers", "the limit", "ms", 1.0, at_most=True)
RESOLVE = Figure("the same: an SR4 attack resolved", HERE, "ms", 8.0, at_most=True)
ODDS = Figure("the same: its odds", HERE, "ms", 8.0, at_most=True)
MEMORY = Figure("the same: memory of its Python after these", "the limit", "MB", 1.0, at_most=True)
SIZE = Figure("the bundle for pages, compressed", "the limit", "MB", 1.0, at_most=True)
FIGURES = (START, RESOLVE, ODDS, MEMORY, SIZE)

ALLOWED_START, ALLOWED_MEMORY, ALLOWED_SIZE = 2500.0, 128.0, 9.0
RUNS = 5
PYODIDE = Path(__file__).resolve().parents[3] / "tests" / "js" / "node_modules" / "pyodide"
_SCRIPT = """
const [base, attack] = process.argv.slice(1);
const { startEngine } = await import(`${base}engine.mjs`);
const begin = performance.now();
const engine = await startEngine(base);
const body = new TextEncoder().encode(attack);
const call = (path) => engine.call("POST", path, { "Content-Type": "application/json" }, body);
if (call("/v1/resolve").status !== 200) throw new Error("it does not answer");
const start = performance.now() - begin;
const each = (path) => {
  const times = [];
  for (let at = 0; at < 60; at++) {
    const before = performance.now();
    call(path);
    times.push(performance.now() - before);
  }
  return times.sort((one, two) => one - two)[30];
};
console.log(JSON.stringify({ start, resolve: each("/v1/resolve"), odds: each("/v1/odds"), memory: engine.memory() }));
"""


def measure() -> list[Row]:
    node = shutil.which("node")
    if node is None or not PYODIDE.is_dir():
        return [figure.missing("node or pyodide is not installed") for figure in FIGURES]
    from fracas.inside.bundle import build

    with tempfile.TemporaryDirectory() as folder:
        size = sum(part.packed for part in build(Path(folder), PYODIDE).values()) / 1e6
        runs = [_run(node, Path(folder)) for _ in range(RUNS)]
    resolve, odds = _here()
    took = {name: median(run[name] for run in runs) for name in runs[0]}
    memory = took["memory"] / 1e6
    return [
        START.row(took["start"], ALLOWED_START, took["start"] / ALLOWED_START),
        RESOLVE.row(took["resolve"], resolve, took["resolve"] / resolve),
        ODDS.row(took["odds"], odds, took["odds"] / odds),
        MEMORY.row(memory, ALLOWED_MEMORY, memory / ALLOWED_MEMORY),
        SIZE.row(size, ALLOWED_SIZE, size / ALLOWED_SIZE),
    ]


def _run(node: str, folder: Path) -> dict[str, float]:
    command = [node, "--input-type=module", "-e", _SCRIPT, f"{folder.as_posix()}/", json.dumps(ATTACK)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _here() -> tuple[float, float]:
    """Milliseconds of the two calls without a server: reading the body, the work, and writing the answer."""
    games: Games = open_games(())
    schema, text = RequestSchema(games), json.dumps(ATTACK)

    def resolve() -> Any:
        return json.dumps(running.resolve(load(schema, json.loads(text))))

    def odds() -> Any:
        return json.dumps(running.give_odds(load(schema, json.loads(text))))

    return tuple(in_turn(work, work, runs=3)[0] * 1e3 for work in (resolve, odds))  # type: ignore[return-value]
