"""The guides for authors of games, done as they say: files are written, commands typed, and results compared."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from outside_game import register
from pages import GUIDES, Block, blocks

GAME, PROCEDURE = GUIDES
FILE = re.compile(r"# (\S+?)(, at the end)?\n")
"""The first line of a block that is a file: its path."""
NOT_TYPED = {
    "python3 -m venv .venv": "the test has an environment",
    ". .venv/bin/activate": "the test has an environment",
    "pip install fracas": "what is tested is installed already",
    "pip install -e .": "the test registers the package, which needs no network",
}


def typed(found: list[Block]) -> Iterator[str]:
    """What the reader does, in the order of the page."""
    for block in found:
        if block.language == "sh":
            yield from (line for line in block.text.splitlines() if line not in NOT_TYPED)
        elif block.language != "text":
            file = FILE.match(block.text)
            assert file, f"{block.place}: the first line names the file"
            into = ">>" if file[2] else ">"
            yield f"cat {into} {file[1]} <<'END OF FILE'\n{block.text[file.end() :]}END OF FILE"


def run(script: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=200,
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    return done.stdout


def test_the_game_of_the_guide_is_written_checked_and_fought(
    tmp_path: Path, serve: Callable[..., Any]
) -> None:
    found = list(blocks(GAME))
    home = tmp_path / "punts-game"
    (project,) = (block.text for block in found if block.language == "toml")
    assert set(tomllib.loads(project)["project"]["entry-points"]) == {"fracas.rulesets"}
    (tmp_path / "site").mkdir()
    environment = register(project, tmp_path / "site")
    environment["PYTHONPATH"] += f":{home}"
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    before, served, after = "\n".join(typed(found)).partition("fracas serve --packs pack\n")
    assert served
    said = run(before, tmp_path, environment)
    results = [line for block in found if block.language == "text" for line in block.text.splitlines()]
    assert [line for line in results if line not in said] == []
    assert said.count("all is well") == before.count("fracas check pack")
    with serve("--packs", str(home / "pack"), PYTHONPATH=environment["PYTHONPATH"]) as service:
        address = f"127.0.0.1:{service.port}"
        summary = run(after.replace("127.0.0.1:8844", address), home, environment)
        assert "LEFT OUT" not in service.said()
    assert re.search(r"^Reed (hits|misses) Moss with the Ash pole", summary, re.MULTILINE)


def test_the_procedure_of_the_guide_gives_the_results_that_stand_there() -> None:
    """Blocks with a prompt are compared with what they show; the others are carried out."""
    names: dict[str, Any] = {"__name__": "nets"}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    sessions = 0
    for block in blocks(PROCEDURE):
        assert block.language == "python", block.place
        if block.text.startswith(">>>"):
            session = parser.get_doctest(block.text, {}, block.place, PROCEDURE, block.line)
            session.globs = names
            runner.run(session, clear_globs=False)
            sessions += 1
        else:
            exec(compile(block.text, block.place, "exec", dont_inherit=True), names)
    assert sessions
    assert runner.summarize(verbose=False).failed == 0
