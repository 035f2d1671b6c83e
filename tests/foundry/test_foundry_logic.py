"""The parts of the Foundry module that need no Foundry, tested by Node's own runner (``*.test.mjs``)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from sheet_mappings import write_mappings
from system_facts import SYSTEMS, facts

HERE = Path(__file__).resolve().parent
FILES = sorted(HERE.glob("*.test.mjs"))


@pytest.fixture(scope="module")
def mappings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mappings as JSON, as the service gives them."""
    return write_mappings(tmp_path_factory.mktemp("mappings"))


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The facts of the game systems as JSON, with every path written out."""
    folder = tmp_path_factory.mktemp("systems")
    for system in SYSTEMS:
        (folder / f"{system}.json").write_text(json.dumps(facts(system).as_json()), "utf-8")
    return folder


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_logic(file: Path, mappings: Path, systems: Path) -> None:
    node = shutil.which("node")
    assert node, "Node is needed; scripts/test installs it"
    done = subprocess.run(
        [node, "--test", str(file)],
        env={**os.environ, "FRACAS_MAPPINGS": str(mappings), "FRACAS_SYSTEMS": str(systems)},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout + done.stderr
