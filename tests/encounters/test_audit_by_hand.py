"""What docs/dice.md tells people to compute gives the dice of the service."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from audited_logs import log_of
from hypothesis import given
from hypothesis import strategies as st
from table_play import Table

from fracas.dice.sources import SeededDice

DOC = (Path(__file__).parents[2] / "docs" / "dice.md").read_text("utf-8")
SEED = bytes(range(32))


def code(language: str, number: int = 0) -> str:
    return re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)[number]


@given(
    st.binary(min_size=32, max_size=32),
    st.integers(0, 2**40),
    st.integers(1, 80),
    st.sampled_from((4, 6, 20, 100)),
    st.lists(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20), max_size=3),
)
def test_the_python_of_the_documentation(
    seed: bytes, draw: int, count: int, sides: int, added: list[str]
) -> None:
    known: dict[str, Any] = {}
    exec(code("python"), known)
    source = SeededDice(seed, draw, added)
    assert tuple(known["faces"](seed.hex(), draw, count, sides, added)) == source.throw(count, sides)
    assert known["commitment"](seed.hex()) == source.commitment


def test_the_example_of_the_documentation() -> None:
    told = re.search(r"// \[([\d, ]+)\]", code("js"))
    assert told
    assert [int(face) for face in told[1].split(",")] == list(SeededDice(SEED, 7).throw(5, 6))
    assert SEED.hex() in code("js")


def test_the_browser_code_of_the_documentation() -> None:
    """Run by node, whose `crypto.subtle` is that of browsers."""
    function = code("js").partition("\nawait ")[0]
    asked = [(3, 5, 6), (4, 70, 100), (5, 200, 20)]
    added: list[list[str]] = [[], ["Würfel"], ["7 of clubs", "b", ""]]
    calls = ", ".join(
        f"await faces('{SEED.hex()}', {draw}, {count}, {sides}, {json.dumps(texts)})"
        for texts in added
        for draw, count, sides in asked
    )
    script = f"{function}\nconsole.log(JSON.stringify([{calls}]));"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, check=True, timeout=200
    )
    assert json.loads(done.stdout) == [
        list(SeededDice(SEED, draw, texts).throw(count, sides))
        for texts in added
        for draw, count, sides in asked
    ]


def test_the_hashes_of_the_documentation(tmp_path: Path) -> None:
    known: dict[str, Any] = {}
    exec(code("python", 1), known)
    table = Table(tmp_path)
    table.join("rook")
    log = log_of(table)
    assert known["head"](log) == log["head"]
    table.close()
