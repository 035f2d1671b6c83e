"""What people see on a terminal: colours, and lines that fit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pty = pytest.importorskip("pty", reason="terminals of this kind are POSIX's")

COLOUR = re.compile(r"\x1b\[(?:\d+;)*3\dm")
"""What rich writes for a colour; bold and dim are none."""
STYLE = re.compile(r"\x1b\[[\d;]*m")
WEAPON = "sr4-core:weapon/ares-predator-iv"


def on_terminal(columns: int, *words: Any, **more: str) -> str:
    """What a command prints on a terminal with so many columns."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FRACAS_", "NO_COLOR"))}
    command = [sys.executable, "-m", "fracas.cli", *map(str, words)]
    env = {**kept, "PYTHONUTF8": "1", "COLUMNS": str(columns), "TERM": "xterm-256color", **more}
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.STDOUT, env=env) as process:
        os.close(theirs)
        out = b""
        while part := _read(ours):
            out += part
    os.close(ours)
    assert process.returncode == 0, out
    return out.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: the other end is closed
        return b""


@pytest.mark.parametrize("words", [("resolve", "{attack}"), ("odds", "{attack}"), ("why", WEAPON)])
def test_lines_fit_the_terminal_and_have_colours(attack: Path, words: tuple[str, ...]) -> None:
    words = tuple(word.format(attack=attack) for word in words)
    for columns in (60, 100):
        out = on_terminal(columns, *words)
        assert COLOUR.search(out)
        lines = STYLE.sub("", out).splitlines()
        # A path or an id is not broken.
        assert [line for line in lines if len(line) > columns and "/" not in line] == []
        assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_no_color_is_respected(attack: Path, command: str) -> None:
    assert not COLOUR.search(on_terminal(80, command, attack, NO_COLOR="1"))
    assert not STYLE.search(on_terminal(80, command, attack, TERM="dumb"))


def test_what_goes_on_is_indented(attack: Path) -> None:
    lines = STYLE.sub("", on_terminal(60, "resolve", attack)).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("outcome: "))
    assert lines[at + 1].startswith("    ")


def test_places_of_one_folder_name_it_once() -> None:
    out = STYLE.sub("", on_terminal(80, "why", WEAPON))
    assert re.search(r"^  dv  .* weapons\.yaml:\d+:\d+$", out, re.MULTILINE)
    assert len(re.findall(r"^in .*sr4-core/$", out, re.MULTILINE)) == 1
