"""A replayable 12d6 with its faces against two dice rollers."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from statistics import median

from fracas.bench.timing import Figure, Row, in_turn
from fracas.dice.sources import SeededDice

NODE = Figure("a replayable 12d6 with its faces", "rpg-dice-roller's `12d6>=5`, in Node.js", "µs", 3.0)
D20 = Figure("the same 12d6", "d20's `12d6`", "µs", 10.0)
FIGURES = (NODE, D20)

NODE_TOOLS = Path(__file__).resolve().parents[3] / "tests" / "js"
_SCRIPT = """
import { DiceRoll } from '@dice-roller/rpg-dice-roller';
const times = [];
for (let run = 0; run < 8; run++) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < 20000; i++) new DiceRoll('12d6>=5');
  times.push(Number(process.hrtime.bigint() - start) / 20000 / 1000);
}
console.log(JSON.stringify(times.slice(1)));
"""


def measure() -> list[Row]:
    source = SeededDice(bytes(range(32)))

    def ours() -> tuple[tuple[int, ...], int]:
        faces = source.throw(12, 6)
        return faces, faces.count(5) + faces.count(6)

    return [_against_node(ours), _against_d20(ours)]


def _against_node(ours: object) -> Row:
    assert callable(ours)
    node = shutil.which("node")
    if node is None or not (NODE_TOOLS / "node_modules" / "@dice-roller").is_dir():
        return NODE.missing("node or @dice-roller/rpg-dice-roller is not installed")
    ratios, mine, theirs = [], [], []
    for _ in range(5):
        done = subprocess.run(
            [node, "--input-type=module", "-e", _SCRIPT],
            cwd=NODE_TOOLS,
            capture_output=True,
            text=True,
            check=True,
        )
        peer = median(json.loads(done.stdout))
        own, _, _ = in_turn(ours, ours, runs=3)
        mine.append(own * 1e6)
        theirs.append(peer)
        ratios.append(peer / (own * 1e6))
    return NODE.row(median(mine), median(theirs), median(ratios))


def _against_d20(ours: object) -> Row:
    assert callable(ours)
    try:
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            import d20
    except ImportError:
        return D20.missing("d20 is not installed")
    mine, theirs, ratio = in_turn(ours, lambda: d20.roll("12d6"))
    return D20.row(mine * 1e6, theirs * 1e6, ratio)
