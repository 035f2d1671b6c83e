"""What people type who follow the documentation, quickly: the program ``fracas`` is a copy of a warm process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import warm_process

TYPED = """\
import fcntl, json, os, sys, tempfile

orders, answers, turn = sys.argv[1:4]
with tempfile.TemporaryDirectory() as folder:
    said = {name: os.path.join(folder, name) for name in ("output", "errors")}
    for path in said.values():
        open(path, "x").close()
    order = {"words": sys.argv[4:], "folder": os.getcwd(), "variables": dict(os.environ), "input": os.devnull}
    with open(turn) as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        with open(orders, "w") as pipe:
            pipe.write(json.dumps({**order, **said}) + "\\n")
        with open(answers) as pipe:
            status = int(pipe.readline())
    for name, stream in (("output", sys.stdout), ("errors", sys.stderr)):
        with open(said[name], encoding="utf-8") as text:
            stream.write(text.read())
sys.exit(status)
"""
"""Orders a command from the process, by two named pipes, and tells what it said."""


@pytest.fixture(scope="session")
def fracas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A command line that begins ``fracas`` with whatever words follow it."""
    if not hasattr(os, "fork"):
        yield f'"{sys.executable}" -m fracas.cli'
        return
    folder: Path = tmp_path_factory.mktemp("typed")
    program, turn = folder / "typed.py", folder / "turn"
    program.write_text(TYPED, "utf-8")
    turn.touch()
    pipes = [folder / "orders", folder / "answers"]
    for pipe in pipes:
        os.mkfifo(pipe)
    # Open both ways, so that neither ends when one command has been given or answered.
    ends = [os.open(pipe, os.O_RDWR) for pipe in pipes]
    process = subprocess.Popen([sys.executable, warm_process.__file__], stdin=ends[0], stdout=ends[1])
    yield " ".join(f'"{word}"' for word in (sys.executable, "-I", "-S", program, *pipes, turn))
    process.terminate()
    process.wait(200)
    for end in ends:
        os.close(end)
