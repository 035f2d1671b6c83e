"""CONTRIBUTING.md, done as it says: from an empty folder to a new weapon that is fired over HTTP."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"
COMMAND = re.compile(r"^\s*`?\.venv/bin/fracas ([^`\n]+)`?", re.MULTILINE)


def commands() -> list[list[str]]:
    """Every ``fracas`` command of the ten minutes, but the one that serves."""
    text = PAGE.read_text("utf-8").partition("## What may be in a pack")[0]
    found = [shlex.split(line) for line in COMMAND.findall(text)]
    return [words for words in found if words[0] != "serve"]


def fracas(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "fracas.cli", *words],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")},
        capture_output=True,
        encoding="utf-8",
        timeout=200,
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.slow
def test_the_ten_minutes_lead_to_a_weapon_that_fires(tmp_path: Path, serve: Callable[..., Any]) -> None:
    outputs = {tuple(words[:2]): fracas(tmp_path, *words) for words in commands()}
    assert set(outputs) >= {("list", "weapons"), ("new", "pack"), ("new", "weapon"), ("check", "my-guns")}
    assert "all is well" in outputs["check", "my-guns"]
    weapons = tmp_path / "my-guns" / "weapons.yaml"
    text = weapons.read_text("utf-8")
    before, slug, entry = text.partition("slug: back-alley-special")
    assert slug
    weapons.write_text(before + slug + re.sub(r"\n    dv: 5\n", "\n    dv: 7\n", entry, count=1), "utf-8")
    assert "all is well" in fracas(tmp_path, "check", "my-guns")
    situation = {
        "attacker": "rook",
        "target": "guard",
        "weapon": "back-alley-special",
        "fire": {"mode": "semi-automatic"},
        "distance": 4,
    }
    body = {"ruleset": "sr4", "procedure": "ranged-attack", "situation": situation}
    with serve("--packs", str(tmp_path / "my-guns")) as service:
        request = urllib.request.Request(
            f"http://127.0.0.1:{service.port}/v1/resolve",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=200) as response:
            answer = json.load(response)
    assert answer["status"] == "resolved"
    totals = {tally["to"]: tally["total"] for tally in answer["modifiers"]}
    assert totals["damage.value"] == 7
