"""What people see on a terminal: colours, and lines that fit."""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import begin, variables

pty = pytest.importorskip("pty", reason="terminals of this kind are POSIX's")

COLOUR = re.compile(r"\x1b\[(?:\d+;)*3\dm")
"""What rich writes for a colour; bold and dim are none."""
STYLE = re.compile(r"\x1b\[[\d;]*m")
WEAPON = "sr4-core:weapon/ares-predator-iv"


@pytest.fixture
def on_terminal(warm: subprocess.Popen[bytes], tmp_path: Path) -> Callable[..., str]:
    """What a command prints on a terminal with so many columns."""
    kept = {name: value for name, value in variables().items() if name != "NO_COLOR"}

    def run(columns: int, *words: Any, **more: str) -> str:
        ours, theirs = pty.openpty()
        streams = dict.fromkeys(("output", "errors"), os.ttyname(theirs)) | {"input": os.devnull}
        begin(
            warm,
            tmp_path,
            words,
            {**kept, "COLUMNS": str(columns), "TERM": "xterm-256color", **more},
            streams,
        )
        out = b""
        while ours in select.select([ours, warm.stdout], [], [])[0]:
            out += os.read(ours, 65_536)
        assert warm.stdout
        status = int(warm.stdout.readline())
        os.close(theirs)
        while part := _read(ours):
            out += part
        os.close(ours)
        assert status == 0, out
        return out.decode().replace("\r\n", "\n")

    return run


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux: the other end is closed
        return b""


@pytest.mark.parametrize("words", [("resolve", "{attack}"), ("odds", "{attack}"), ("why", WEAPON)])
def test_lines_fit_the_terminal_and_have_colours(
    on_terminal: Callable[..., str], attack: Path, words: tuple[str, ...]
) -> None:
    words = tuple(word.format(attack=attack) for word in words)
    for columns in (60, 100):
        out = on_terminal(columns, *words)
        assert COLOUR.search(out)
        lines = STYLE.sub("", out).splitlines()
        # A path or an id is not broken.
        assert [line for line in lines if len(line) > columns and "/" not in line] == []
        assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_no_color_is_respected(on_terminal: Callable[..., str], attack: Path, command: str) -> None:
    assert not COLOUR.search(on_terminal(80, command, attack, NO_COLOR="1"))
    assert not STYLE.search(on_terminal(80, command, attack, TERM="dumb"))


def test_what_goes_on_is_indented(on_terminal: Callable[..., str], attack: Path) -> None:
    lines = STYLE.sub("", on_terminal(60, "resolve", attack)).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("Not given, "))
    assert lines[at + 1].startswith("    ")


def test_places_of_one_folder_name_it_once(on_terminal: Callable[..., str]) -> None:
    out = STYLE.sub("", on_terminal(80, "why", WEAPON))
    assert re.search(r"^  dv  .* weapons\.yaml:\d+:\d+$", out, re.MULTILINE)
    assert len(re.findall(r"^in .*sr4-core/$", out, re.MULTILINE)) == 1
