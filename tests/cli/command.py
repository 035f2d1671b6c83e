"""What the tests of the command line send, and how a command ended."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple, Protocol

SR4: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": {"use": "guard", "rounds_before": 0},
        "target": "rook",
        "weapon": "ak-97",
        "fire": {"mode": "short-burst", "spread": "narrow"},
        "distance": 20,
    },
}
"""sr4.md, EX-05."""


class Done(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)

    def complaint(self) -> str:
        """The one clear message of a command that failed; a traceback is none."""
        assert self.status != 0, self.out
        assert "Traceback" not in self.out + self.err, self.err
        complaints = [line for line in self.err.splitlines() if line.startswith("Error: ")]
        assert len(complaints) == 1, self.err
        return self.err.partition("Error: ")[2].strip()


class Run(Protocol):
    def __call__(self, *words: Any, given: str | bytes = b"", **variables: str) -> Done: ...


def variables(**given: str) -> dict[str, str]:
    """The environment of a command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")}
    return {**kept, "PYTHONUTF8": "1", "COLUMNS": "90", **given}


def begin(
    process: subprocess.Popen[bytes],
    folder: Path,
    words: tuple[Any, ...],
    variables: dict[str, str],
    streams: dict[str, str],
) -> None:
    """Order a command; the process answers with a line once it has ended."""
    assert process.stdin
    order = {"words": [*map(str, words)], "folder": str(folder), "variables": variables, **streams}
    process.stdin.write(json.dumps(order).encode() + b"\n")
    process.stdin.flush()
