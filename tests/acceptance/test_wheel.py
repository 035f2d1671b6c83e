"""The wheel, installed alone into an empty environment away from the clone, does everything."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from fracas.web.application import create_app
from fracas.web.combat import EXAMPLE
from fracas.web.settings import Settings

pytestmark = pytest.mark.slow

REPO = Path(__file__).resolve().parents[2]
SHIPPED = ("datapacks", "schemas", "integrations")
GUIDE = "docs/foundry.md"
"""The page that the module's package shows."""
BOOK = "docs/rulebooks"
"""The chapters that `fracas book` and `/book` show."""
REQUEST = {**EXAMPLE, "dice": {"source": "seed", "seed": "5eed" * 8}}
"""The example with committed dice, so that every resolution of it is the same."""


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """Variables for the programs of this test: none that leads to the clone or sets up the service."""
    away = ("PYTHON", "FRACAS_", "VIRTUAL_ENV")
    found = {name: value for name, value in os.environ.items() if not name.startswith(away)}
    found |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    return found


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder to work in."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def wheel(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(environment, folder, sys.executable, "-m", "build", "--wheel", "--outdir", folder, REPO)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def fracas(wheel: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program ``fracas`` of an environment that holds only the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    run(environment, folder, sys.executable, "-m", "venv", folder)
    constraints = REPO / "constraints.txt"
    run(environment, folder, folder / "bin/pip", "install", "--quiet", "-c", constraints, wheel)
    return folder / "bin/fracas"


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """How the clone resolves the request."""
    response = create_app(Settings()).test_client().post("/v1/resolve", json=REQUEST)
    assert response.status_code == 200
    answer: dict[str, Any] = response.get_json()
    return answer


@pytest.fixture(scope="module")
def served(fracas: Path, environment: dict[str, str], elsewhere: Path) -> Iterator[str]:
    """The address of the service that the installed program serves."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    log = elsewhere / "log"
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [fracas, "serve", "--port", str(port)],
            cwd=elsewhere,
            env=environment,
            stdout=output,
            stderr=output,
        ) as process,
    ):
        try:
            wait_until_served(address, process, log)
            yield address
        finally:
            process.terminate()


def wait_until_served(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=200):
                return
        except urllib.error.URLError:
            time.sleep(0.1)
    pytest.fail(f"the service did not start:\n{log.read_text('utf-8')}")


def run(environment: dict[str, str], folder: Path, *command: str | Path) -> str:
    """What a program prints."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"{' '.join(map(str, command))} failed:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=300) as response:
        text: str = response.read().decode()
    return text


def test_packs_schemas_and_integrations_travel_inside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        for folder in SHIPPED:
            inside = {
                name.removeprefix("fracas/shipped/"): archive.read(name)
                for name in names
                if name.startswith(f"fracas/shipped/{folder}/")
            }
            files = (path for path in (REPO / folder).rglob("*") if path.is_file())
            clone = {path.relative_to(REPO).as_posix(): path.read_bytes() for path in files}
            assert clone
            assert inside == {name: text for name, text in clone.items() if "node_modules" not in name}
    assert "fracas/shipped/integrations/macros/attack.js" in names
    assert "fracas/py.typed" in names


def test_nothing_else_travels_inside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [PurePosixPath(name) for name in archive.namelist()]
    tops = {name.parts[0] for name in names}
    unwanted = re.compile(r"tests?|node_modules|\..*|__pycache__|.*\.py[cod]|.*cache")
    assert tops == {"fracas", wheel.name.rpartition("-py3-")[0] + ".dist-info"}
    assert {name.parts[2] for name in names if name.parts[:2] == ("fracas", "shipped")} == {*SHIPPED, "docs"}
    pages = {GUIDE, *(path.relative_to(REPO).as_posix() for path in (REPO / BOOK).rglob("*.*"))}
    assert {str(name) for name in names if name.parts[2:3] == ("docs",)} == {
        f"fracas/shipped/{page}" for page in pages
    }
    assert [str(name) for name in names if any(unwanted.fullmatch(part) for part in name.parts)] == []


def test_the_installed_program_is_the_one_that_runs(
    fracas: Path, environment: dict[str, str], elsewhere: Path
) -> None:
    where = run(
        environment, elsewhere, fracas.parent / "python", "-c", "import fracas; print(fracas.__file__)"
    )
    assert fracas.parent.parent in Path(where.strip()).parents


def test_it_resolves_a_request_of_a_file(
    fracas: Path, environment: dict[str, str], elsewhere: Path, expected: dict[str, Any]
) -> None:
    (elsewhere / "attack.json").write_text(json.dumps(REQUEST), "utf-8")
    answer = json.loads(run(environment, elsewhere, fracas, "resolve", "--json", "attack.json"))
    assert answer == expected
    assert answer["outcome"]["result"] in run(environment, elsewhere, fracas, "resolve", "attack.json")


def test_its_worked_examples_pass(fracas: Path, environment: dict[str, str], elsewhere: Path) -> None:
    printed = run(environment, elsewhere, fracas, "examples")
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed", printed.strip())


def test_it_serves_the_interface(served: str, expected: dict[str, Any]) -> None:
    health = json.loads(get(f"{served}/health"))
    assert health["status"] == "ok"
    assert health["packs"] == len(list((REPO / "datapacks").glob("*/pack.yaml")))
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{served}/v1/resolve", json.dumps(REQUEST).encode(), headers)
    with urllib.request.urlopen(request, timeout=300) as response:
        assert json.load(response) == expected


def test_it_serves_the_page_with_all_that_it_loads(served: str) -> None:
    page = get(f"{served}/docs")
    loaded = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert "/static/docs.js" in loaded
    assert len(loaded) == 4
    for path in (*loaded, "/openapi.json"):
        assert get(f"{served}{path}")


def test_it_serves_the_module_for_foundry_with_its_compendiums(served: str) -> None:
    manifest = json.loads(get(f"{served}/foundry/module.json"))
    with urllib.request.urlopen(manifest["download"], timeout=300) as response:
        archive = zipfile.ZipFile(io.BytesIO(response.read()))
    assert json.loads(archive.read("module.json")) == manifest
    logs = {name.rpartition("/")[0]: name for name in archive.namelist() if name.endswith(".log")}
    assert set(logs) == {each["path"] for each in manifest["packs"]}
    assert b"Ares Predator IV" in archive.read(logs["packs/sr4-core-items-shadowrun4e"])
    assert json.loads(get(f"{served}/foundry/documents?pack=sr4-core&system=shadowrun4e"))["compendiums"]


def test_it_exports_packs(fracas: Path, environment: dict[str, str], elsewhere: Path) -> None:
    run(environment, elsewhere, fracas, "export", "csv", "cwn-core", "--out", "sheets")
    assert (elsewhere / "sheets" / "weapons.csv").stat().st_size > 1000
    run(environment, elsewhere, fracas, "export", "foundry", "cwn-core", "--out", "module")
    assert (elsewhere / "module/packs/cwn-core-journal/CURRENT").is_file()
