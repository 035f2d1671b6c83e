"""The command line in processes of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import SR4, Done, Run


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs ``fracas`` with these words, away from the clone."""
    folder = tmp_path_factory.mktemp("elsewhere")

    def run(*words: Any, given: str | bytes = b"", **variables: str) -> Done:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")}
        done = subprocess.run(
            [sys.executable, "-m", "fracas.cli", *map(str, words)],
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            cwd=folder,
            env={**kept, "PYTHONUTF8": "1", "COLUMNS": "90", **variables},
            timeout=60,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def attack(tmp_path: Path) -> Path:
    """A request in a file."""
    path = tmp_path / "attack.json"
    path.write_text(json.dumps(SR4), "utf-8")
    return path
