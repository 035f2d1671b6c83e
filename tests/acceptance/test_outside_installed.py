"""The game of docs/lanterns in an empty environment, into which pip installs Fracas's wheel and the game's folder.

What `test_outside_game` plays is played there again: every reader, a fight, the console, and documents for Foundry.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
import test_outside_game as game
from outside_game import GAME, PACK, ROOT
from test_wheel import run, wait_until_served

pytestmark = pytest.mark.slow

(
    test_the_service_takes_the_game_as_one_of_its_own,
    test_every_reader_runs_its_stages,
    test_a_fight_is_played_taken_back_and_proven,
    test_a_macro_of_its_pack_makes_a_request,
    test_the_console_and_the_documents_for_foundry_have_it,
) = (
    game.test_the_service_takes_the_game_as_one_of_its_own,
    game.test_every_reader_runs_its_stages,
    game.test_a_fight_is_played_taken_back_and_proven,
    game.test_a_macro_of_its_pack_makes_a_request,
    game.test_the_console_and_the_documents_for_foundry_have_it,
)


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """Variables that lead to no clone and set up no service."""
    away = ("PYTHON", "FRACAS_", "VIRTUAL_ENV")
    found = {name: value for name, value in os.environ.items() if not name.startswith(away)}
    return found | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


@pytest.fixture(scope="module")
def programs(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with Fracas and the game."""
    folder = tmp_path_factory.mktemp("empty")
    run(environment, folder, sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
    shutil.copytree(GAME, folder / "lanterns", ignore=shutil.ignore_patterns("__pycache__"))
    run(environment, folder, sys.executable, "-m", "venv", folder / "venv")
    (wheel,) = folder.glob("*.whl")
    pip = folder / "venv/bin/pip"
    constraints = ROOT / "constraints.txt"
    run(environment, folder, pip, "install", "--quiet", "-c", constraints, wheel, folder / "lanterns")
    return folder / "venv/bin"


@pytest.fixture(scope="module")
def client(
    programs: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[game.Client]:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    # A stray file where a GM starts the service takes no module's place.
    (elsewhere / "flask_smorest.py").write_text("raise SystemExit('of the folder')\n")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [programs / "fracas", "serve", "--port", str(port), "--packs", PACK]
    log, kept = elsewhere / "log", {**environment, "FRACAS_DATABASE_URL": str(elsewhere / "fights.db")}
    with (
        log.open("wb") as output,
        subprocess.Popen(command, cwd=elsewhere, env=kept, stdout=output, stderr=output) as process,
    ):
        try:
            wait_until_served(f"http://127.0.0.1:{port}", process, log)
            yield game.Client(port)
            # A worker packs this.
            with urlopen(f"http://127.0.0.1:{port}/foundry/module.json", timeout=200) as answer:
                module = json.load(answer)
            with urlopen(module["download"], timeout=100) as answer:
                assert answer.read(2) == b"PK"
        finally:
            process.terminate()
    assert "of the folder" not in log.read_text("utf-8")


def test_its_programs_check_resolve_weigh_and_export_it(
    programs: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    def fracas(*words: str | Path) -> str:
        return run(environment, tmp_path, programs / "fracas", *words)

    where = run(environment, tmp_path, programs / "python", "-c", "import fracas, lanterns; print(lanterns)")
    assert str(programs.parent) in where
    assert "all is well" in fracas("check", PACK)
    (tmp_path / "blow.json").write_text(json.dumps(game.BLOW), "utf-8")
    said = fracas("resolve", "blow.json", "--packs", PACK, "--dice", "9 / 4")
    assert "Wick hits Shade with the Lamp pole: 4 damage." in said
    assert "Chance to hit: 66.67%" in fracas("odds", "blow.json", "--packs", PACK)
    assert "Boathook" in fracas("list", "weapons", "--ruleset", "lanterns", "--packs", PACK)
    fracas("export", "foundry", "lanterns-core", "--packs", PACK, "--out", "foundry")
    assert list((tmp_path / "foundry").rglob("module.json"))
    fracas("export", "roll20", "lanterns-core", "--packs", PACK, "--out", "roll20")
    assert "Light a flare" in (next((tmp_path / "roll20").rglob("*.js"))).read_text("utf-8")
