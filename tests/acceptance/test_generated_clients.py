"""Clients that well-known generators make of our document: they resolve, they play, and lose nothing on the way.

The programs in ``tests/clients`` are what a person writes with them.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from http_client import send
from said_situations import situation

from fracas.engine.opening import open_games

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "clients"
TOOLS = ROOT / "tests" / "js" / "node_modules"
PAGE = ROOT / "docs" / "http.md"


def attack(
    ruleset: str, procedure: str, action: str, people: tuple[str, str], weapon: str, **more: Any
) -> dict[str, Any]:
    """An attack as a request, and as an action in a fight."""
    attacker, target = people
    said = {"weapon": weapon, "distance": 8, **more}
    whole = {"attacker": attacker, "target": {"use": target}, **said}
    request = {"ruleset": ruleset, "procedure": procedure, "situation": whole}
    return {"request": request, "attacker": attacker, "target": target, "action": action, "situation": said}


SHOT = {"fire": {"mode": "semi-automatic"}}
ATTACKS = [
    attack("sr4", "ranged-attack", "fire-semi-automatic", ("rook", "guard"), "ares-predator-iv", **SHOT),
    attack(
        "sr5", "ranged-attack", "fire-semi-automatic", ("kestrel", "gate-guard"), "ares-predator-v", **SHOT
    ),
    attack("cwn", "attack", "ranged-attack", ("wren", "street-thug"), "heavy-pistol"),
    attack(
        "imperium", "shooting", "fire-weapon", ("agent", "cult-fanatic"), "autogun", fire={"mode": "single"}
    ),
]
WRONG = [
    {"ruleset": "sr9", "procedure": "ranged-attack", "situation": {}},
    {"ruleset": "sr4", "procedure": "attack", "situation": {}},
    {"ruleset": "sr4", "procedure": "ranged-attack"},
]


def run(*command: str, cwd: Path, given: Any = None, **variables: str) -> str:
    text = None if given is None else json.dumps(given)
    environment = {**os.environ, **variables}
    done = subprocess.run(
        command,
        input=text,
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(service: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the document."""
    made = tmp_path_factory.mktemp("clients")
    (made / "openapi.json").write_bytes(send(service.port, "GET", "/openapi.json").body)
    return made


@pytest.fixture(scope="module")
def python_client(folder: Path) -> Path:
    """Where Python finds the client."""
    (folder / "config.yml").write_text("post_hooks: []\n", "utf-8")  # which would only format it
    made = folder / "python"
    made.mkdir()
    told = run(
        sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--config", "config.yml",
        "--meta", "none", "--output-path", str(made / "fracas_client"), cwd=folder,
    )  # fmt: skip
    assert "ERROR" not in told
    left_out = re.findall(r"WARNING parsing (.*) within", told)
    assert set(left_out) <= {"POST /v1/packs/check", "GET /foundry/fracas.zip"}, told  # archives
    return made


@pytest.fixture(scope="module")
def compiled(folder: Path) -> Path:
    """Where Node finds the compiled programs; the wrong ones make the compiler complain."""
    made = folder / "ts"
    made.mkdir()
    (made / "node_modules").symlink_to(TOOLS, target_is_directory=True)
    run(str(TOOLS / ".bin" / "openapi-typescript"), "../openapi.json", "-o", "fracas.ts", cwd=made)
    programs = [Path(shutil.copy(program, made)).name for program in sorted(PROGRAMS.glob("*.ts"))]
    (made / "documented.ts").write_text(documented("ts"), "utf-8")
    options = {
        "strict": True,
        "target": "ES2022",
        "module": "ESNext",
        "moduleResolution": "bundler",
        "lib": ["ES2022", "DOM"],
        "types": [],
        "skipLibCheck": True,
        "outDir": "out",
    }
    (made / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": options, "files": [*programs, "documented.ts"]}), "utf-8"
    )
    (made / "package.json").write_text('{"type": "module"}', "utf-8")
    run(str(TOOLS / ".bin" / "tsc"), "-p", ".", cwd=made)
    return made / "out"


def documented(language: str) -> str:
    """The program that the page shows."""
    (program,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert program.count("\n") <= 12
    return program


def check(found: Mapping[str, Any], ruleset: str) -> None:
    """What a program tells of an attack and a fight is what the service says of them."""
    assert found["answer"]["status"] == "resolved"
    assert found["answer"]["ruleset"] == ruleset
    assert found["answer"]["rolls"]
    assert found["answer"]["outcome"]
    assert found["answer"]["modifiers"]
    chances = [row["chance"] for row in found["odds"]["branches"][0]["outcomes"]]
    assert sum(chances) == pytest.approx(1)
    assert found["fight"]["ruleset"] == ruleset
    assert {one["id"] for one in found["fight"]["combatants"]} == {"one", "other"}
    assert found["fight"]["version"] >= 4
    assert found["fight"]["steps"] == []


def test_a_python_client_plays_every_ruleset_and_loses_nothing(service: Any, python_client: Path) -> None:
    games = open_games([])
    requests = [
        {
            "ruleset": id,
            "procedure": procedure.id,
            "situation": situation(
                procedure, games.game(id).packs, random.Random(f"{procedure.id} {number}")
            ),
            "options": games.game(id).options({}),
            "mode": "step",
            "modifiers": [{"to": "attack.pool", "label": "Luck", "value": 1}],
            "dice": [[1, 2], [3]],
        }
        for id in games.ids()
        for procedure in games.game(id).ruleset.procedures.values()
        for number in range(3)
    ]
    for each in ATTACKS:
        given = {
            "address": f"http://127.0.0.1:{service.port}",
            "attack": each,
            "requests": [each["request"], *(requests if each is ATTACKS[0] else ())],
            "wrong": WRONG if each is ATTACKS[0] else [],
        }
        program = str(PROGRAMS / "play.py")
        found = json.loads(
            run(sys.executable, program, cwd=python_client, given=given, PYTHONPATH=str(python_client))
        )
        check(found, each["request"]["ruleset"])
        assert found["changed"] == []
        assert found["wrong"] == []


def test_the_documented_python_works(service: Any, python_client: Path) -> None:
    program = documented("python").replace("http://127.0.0.1:8844", f"http://127.0.0.1:{service.port}")
    told = run(sys.executable, "-c", program, cwd=python_client, PYTHONPATH=str(python_client))
    assert re.fullmatch(r"resolved \d+\n", told)


def test_the_documented_typescript_works(service: Any, compiled: Path) -> None:
    program = compiled / "documented.js"
    text = program.read_text("utf-8").replace("http://127.0.0.1:8844", f"http://127.0.0.1:{service.port}")
    (compiled / "documented_here.js").write_text(text, "utf-8")
    assert "damage" in run("node", "documented_here.js", cwd=compiled)


def test_a_typescript_client_plays_every_ruleset_and_compiles_nothing_wrong(
    service: Any, compiled: Path
) -> None:
    address = f"http://127.0.0.1:{service.port}"
    found = json.loads(run("node", "play.js", address, json.dumps(ATTACKS), cwd=compiled))
    for each, told in zip(ATTACKS, found, strict=True):
        check(told, each["request"]["ruleset"])
