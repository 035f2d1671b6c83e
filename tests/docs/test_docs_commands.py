"""What the documentation tells people to type works: its commands, its requests, its YAML.

Each page's commands run in the order of the page, as one script, in a folder of their own and against a service of
their own. What cannot run is listed here with its reason.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from chummer_files import SAMURAI_4
from jsonschema import Draft202012Validator
from pages import GUIDES, HISTORY, PAGES, ROOT, Block, blocks

from fracas.encounters.backups import back_up
from fracas.web.combat import EXAMPLE
from fracas.web.settings import Settings

ADDRESS = "127.0.0.1:8844"
LANGUAGES = {"sh", "json", "yaml", "csv", "js", "ts", "python", "text"}
BLOCKS = [block for page in PAGES if page not in (HISTORY, *GUIDES) for block in blocks(page)]

BUNDLE = "tests/acceptance/test_inside.py makes one, and tests/browser/test_playground.py opens it"
MINUTES = "takes minutes; tests/cli runs a part of it"
EXAMPLES = "tests/cli/test_cli_commands.py runs it, and looks at what it says"
INSTALLED = "what is tested is installed already; tests/acceptance/test_wheel.py installs it"
UNRELEASED = "the package index has no release yet; tests/acceptance/test_wheel.py installs what it will have"
DOCKER = "needs a Docker engine; tests/docs/test_release.py looks at the files"
GENERATED = "tests/acceptance/test_generated_clients.py runs the generators, on the same document in a file"
NOT_RUN = {
    ("CONTRIBUTING.md", "git clone <address of the repository> fracas"): INSTALLED,
    ("CONTRIBUTING.md", "cd fracas"): INSTALLED,
    ("CONTRIBUTING.md", "python3 -m venv .venv"): INSTALLED,
    ("CONTRIBUTING.md", ".venv/bin/pip install -e ."): INSTALLED,
    ("docs/install.md", "uvx fracas serve             # runs Fracas without installing it"): UNRELEASED,
    ("docs/install.md", "uv tool install fracas       # installs the command `fracas`"): UNRELEASED,
    ("docs/install.md", "pipx install fracas"): UNRELEASED,
    ("docs/install.md", "git clone <address of the repository> fracas"): INSTALLED,
    ("docs/install.md", "cd fracas"): INSTALLED,
    ("docs/install.md", "scripts/serve"): INSTALLED,
    ("docs/install.md", "docker build -t fracas ."): DOCKER,
    ("docs/install.md", "docker run --init -p 127.0.0.1:8844:8844 -v fracas-data:/data fracas"): DOCKER,
    (
        "docs/install.md",
        "docker run -p 127.0.0.1:8844:8844 -v fracas-data:/data -v ./packs:/packs:ro -e FRACAS_PACKS=/packs fracas",
    ): DOCKER,
    ("docs/install.md", "docker save fracas -o fracas.tar"): DOCKER,
    (
        "docs/http.md",
        "openapi-python-client generate --url http://127.0.0.1:8844/openapi.json --meta none",
    ): GENERATED,
    ("docs/http.md", "npx openapi-typescript http://127.0.0.1:8844/openapi.json -o fracas.ts"): GENERATED,
    (
        "docs/foundry.md",
        "python scripts/build_module.py module --manifest https://example.org/module.json "
        "--download https://example.org/fracas.zip",
    ): "tests/docs/test_release.py makes both files",
    ("docs/inside.md", "fracas export inside playground --page"): BUNDLE,
    ("docs/examples.md", "fracas examples                          # all built-in packs"): EXAMPLES,
    ("docs/bench.md", ".venv/bin/fracas bench --markdown docs/bench.md"): MINUTES,
    (
        "docs/dice.md",
        "fracas verify log.json --commitment 5f7c...",
    ): "abbreviated; encounters.md has it whole",
    (
        "docs/dice.md",
        "fracas verify log.json --head 3f09a1c2d4e5b687",
    ): "an example; tests/encounters/test_chain.py has heads of its own",
}
"""Lines of commands, and why they are left out."""

TESTED_ELSEWHERE = {
    ("docs/dice.md", "js"): "tests/encounters/test_audit_by_hand.py",
    ("docs/dice.md", "python"): "tests/encounters/test_audit_by_hand.py",
    ("docs/http.md", "python"): "tests/acceptance/test_generated_clients.py",
    ("docs/http.md", "ts"): "tests/acceptance/test_generated_clients.py",
    ("docs/foundry.md", "js"): "tests/browser/test_foundry_attack.py",
    ("docs/inside.md", "js"): "tests/browser/test_playground.py",
    ("integrations/README.md", "js"): "tests/browser/test_attack_macro.py",
}
"""Programs: they need a browser, or a test of their own."""

BEFORE = {
    "docs/keeping-fights.md": """
python -c "from fracas.web.database import open_store, own_database; open_store(own_database()).close()"
""",
    "docs/foundry-packs.md": "fracas new pack my-guns --ruleset sr4",
    "docs/packs.md": "fracas new pack my-guns --ruleset sr4",
}
"""What a reader of a page has done by then."""


def of_language(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language]


def test_every_block_says_its_language() -> None:
    """Then the tests below know what to do with it."""
    assert [block.place for block in BLOCKS if block.language not in LANGUAGES] == []


def test_what_is_left_out_is_there_and_tested_elsewhere() -> None:
    lines = {(block.page, line.strip()) for block in of_language("sh") for line in block.text.splitlines()}
    assert set(NOT_RUN) - lines == set()
    programs = {(block.page, block.language) for block in BLOCKS if block.language in ("js", "ts", "python")}
    assert programs == set(TESTED_ELSEWHERE)
    assert [test for test in TESTED_ELSEWHERE.values() if not (ROOT / test).is_file()] == []


# Commands

TEN_MINUTES = "CONTRIBUTING.md"
"""tests/acceptance/test_contributing.py runs every command of it, and fires the weapon."""

SHELL_PAGES = sorted({block.page for block in of_language("sh")} - {TEN_MINUTES})
SERVES = re.compile(r"^(?:\.venv/bin/)?fracas serve\b(.*)$")


@pytest.fixture(scope="module")
def address(serve: Callable[..., Any]) -> Iterator[str]:
    with serve() as service:
        yield f"127.0.0.1:{service.port}"


@pytest.fixture
def folder(tmp_path: Path, fracas: str) -> Path:
    """Where a reader types: the data of the clone, its programs, a curl that fails when it is refused, a request."""
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, does in {
        "fracas": f'exec {fracas} "$@"',
        "curl": f'exec "{_program("curl")}" --fail-with-body "$@"',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n", "utf-8")
        (programs / name).chmod(0o755)
    (tmp_path / "attack.json").write_text(json.dumps(EXAMPLE), "utf-8")
    (tmp_path / "datapacks").symlink_to(ROOT / "datapacks")
    return tmp_path


def _program(name: str) -> str:
    found = shutil.which(name)
    assert found, f"the documentation uses {name}: install it"
    return found


def _script(page: str) -> tuple[str, list[str]]:
    """What is typed, and the options of each service that is started."""
    typed, served = [BEFORE.get(page, "")], []
    for block in of_language("sh"):
        for line in block.text.splitlines() if block.page == page else ():
            if found := SERVES.match(line.partition("  #")[0]):
                served.append(found[1])
            elif (page, line.strip()) not in NOT_RUN:
                typed.append(line)
    return "\n".join(typed), served


@pytest.mark.slow
@pytest.mark.parametrize("page", SHELL_PAGES)
def test_the_commands_of_a_page(
    page: str, folder: Path, address: str, serve: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    _write_files_beside(page, folder)
    script, served = _script(page)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FRACAS_")}
    path = os.pathsep.join((str(folder / ".venv" / "bin"), kept["PATH"]))
    done = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", script.replace(ADDRESS, address)],
        cwd=folder,
        env={**kept, "PATH": path, "PYTHONUTF8": "1", "XDG_DATA_HOME": str(folder)},
        capture_output=True,
        encoding="utf-8",
        timeout=200,
    )
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    monkeypatch.chdir(folder)
    for options in served:
        with serve(*options.split()) as service:
            assert "LEFT OUT" not in service.said()


def _write_files_beside(page: str, folder: Path) -> None:
    """What a page shows, where it says that it lies; and the save file of which it speaks."""
    if page == "docs/examples.md":
        (block,) = (one for one in of_language("yaml") if one.page == page)
        _pack(folder / "my-pack", {"examples.yaml": block.text})
    if page == "docs/packs.md":
        (block,) = (one for one in of_language("csv") if one.page == page)
        (folder / "crew.csv").write_text(block.text, "utf-8")
        (folder / "nightjar.chum").write_bytes(SAMURAI_4)


def test_lists_of_combatants_stand_where_they_are_read() -> None:
    assert [block.page for block in of_language("csv")] == ["docs/packs.md"]


def test_the_hand_made_die_is_the_one_that_the_page_tells(folder: Path) -> None:
    (line,) = (block.text for block in of_language("sh") if "openssl" in block.text)
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, encoding="utf-8", check=True, timeout=200
    )
    told = re.search(r"It gives `(\w+) (\w\w)\.\.\.`", (ROOT / "docs/dice.md").read_text("utf-8"))
    assert told
    assert "".join(told.groups()) in done.stdout


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 200
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_copy_of_a_running_service_is_whole(tmp_path: Path, serve: Callable[..., Any]) -> None:
    """As docs/keeping-fights.md says: with the command, and by a plain copy once the service has ended."""
    original, copy, plain = (tmp_path / name for name in ("encounters.db", "fights-of-today.db", "plain.db"))
    with serve(FRACAS_DATABASE_URL=str(original)) as service:
        fight = _Fight(f"127.0.0.1:{service.port}", "sr4")
        assert back_up(str(original), copy) == 1
        with serve(FRACAS_DATABASE_URL=str(original)) as other:
            wait_for(lambda: f"another service uses {original} too" in other.said())
        assert "another service" not in service.said()
    plain.write_bytes(original.read_bytes())
    assert not Path(f"{original}-wal").exists()
    for file in (copy, plain):
        with serve(FRACAS_DATABASE_URL=str(file)) as service:
            fight.address = f"127.0.0.1:{service.port}"
            assert fight.view()["version"] == 1


# Requests

STAGES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("stages.yaml").read_text("utf-8"))
KEYS = itertools.count(1)


def _post(address: str, path: str, body: Any, secret: str = "") -> Any:
    headers = {"Content-Type": "application/json", "If-Match": "*", "Idempotency-Key": f"docs-{next(KEYS)}"}
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    request = urllib.request.Request(f"http://{address}{path}", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=600) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{path} {body}: {error.read().decode()}") from None


def _values(text: str) -> Iterator[Any]:
    """The JSON values of a block, one after the other."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        yield value


def _request(block: Block) -> dict[str, Any] | None:
    """The body of a request to resolve; None for a command of a fight."""
    first = next(_values(block.text))
    return None if "command" in first else first


def _stages_of(block: Block) -> list[dict[str, Any]]:
    return [stage for stage in STAGES if stage["page"] == block.page and stage["holds"] in block.text]


def test_every_command_of_a_fight_has_its_stage() -> None:
    """A block that is missing here: add a stage to stages.yaml."""
    commands = [block for block in of_language("json") if _request(block) is None]
    assert [block.place for block in commands if len(_stages_of(block)) != 1] == []
    used = [stage["holds"] for block in commands for stage in _stages_of(block)]
    assert sorted(used) == sorted(stage["holds"] for stage in STAGES)


@pytest.mark.parametrize("block", of_language("json"), ids=lambda block: block.place)
def test_the_request_of_a_page(block: Block, address: str) -> None:
    if body := _request(block):
        given = {"ruleset": "sr4", "procedure": "ranged-attack", **body}
        known = {"attacker": "rook", "target": "guard", "weapon": "ares-predator-iv", "distance": 12}
        given["situation"] = {**known, "fire": {"mode": "semi-automatic"}, **body.get("situation", {})}
        assert _post(address, "/v1/resolve", given)["status"] == "resolved"
        assert _post(address, "/v1/odds", given)["status"] == "resolved"
        return
    (stage,) = _stages_of(block)
    fight = _Fight(address, stage["ruleset"])
    first, *more = _values(block.text)
    for command in [*stage["before"], first]:
        fight.do(command)
    for command in more:
        for between in stage.get("between", ()):
            fight.do(between)
        fight.do(command)


class _Fight:
    """A fight whose GM commands for everybody and takes each default."""

    def __init__(self, address: str, ruleset: str) -> None:
        self.address = address
        made = _post(address, "/v1/encounters", {"ruleset": ruleset, "settings": {"apply": "at-once"}})
        self.path = f"/v1/encounters/{made['id']}"
        self.secret = made["tokens"]["gm"]["secret"]

    def view(self) -> Any:
        request = urllib.request.Request(
            f"http://{self.address}{self.path}", headers={"Authorization": f"Bearer {self.secret}"}
        )
        with urllib.request.urlopen(request, timeout=600) as response:
            return json.load(response)

    def do(self, command: dict[str, Any]) -> None:
        if "timer" in command:  # the ids of a fight are its own
            command = {**command, "timer": self.view()["timers"][0]["id"]}
        self.send(command)
        while asked := [step["question"] for step in self.view()["steps"] if step["question"]]:
            self.send({"command": "answer", "question": asked[0]["id"], "choose": asked[0].get("default")})

    def send(self, command: dict[str, Any]) -> None:
        _post(self.address, f"{self.path}/commands", command, self.secret)


# YAML

PACK = {
    "id": "from-the-page",
    "title": "From the documentation",
    "version": "1.0.0",
    "schema_version": 2,
    "ruleset": "sr4",
    "status": "wip",
    "licenses": {"data": "CC0-1.0"},
    "sources": [{"id": "fracas", "title": "Fracas"}, {"id": "our-table", "title": "Our table"}],
}


def _pack(folder: Path, files: dict[str, str], **manifest: Any) -> None:
    folder.mkdir()
    (folder / "pack.yaml").write_text(yaml.safe_dump(PACK | manifest, sort_keys=False), "utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


def _shipped(pack: str, file: str) -> Any:
    return yaml.safe_load((ROOT / "datapacks" / pack / file).read_text("utf-8"))


def _shipped_entry(kind: str, slug: str) -> dict[str, Any]:
    (found,) = (one for one in _shipped("sr4-core", f"{kind}.yaml")["entries"] if one["slug"] == slug)
    return found


def _check_pack(pack: Path) -> None:
    program = pack.parent / ".venv" / "bin" / "fracas"
    done = subprocess.run([program, "check", str(pack)], capture_output=True, encoding="utf-8", timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all is well" in done.stdout


def examples(block: Block, folder: Path) -> None:
    _pack(folder / "pack", {"examples.yaml": block.text})
    _check_pack(folder / "pack")


def tables(block: Block, folder: Path) -> None:
    _pack(folder / "pack", {"tables.yaml": block.text})
    _check_pack(folder / "pack")


def skirmish(block: Block, folder: Path) -> None:
    """A pack that has it, and all of whose people are those of the core."""
    needs = [{"id": "sr4-core", "version": ">=0.1,<1"}]
    _pack(folder / "pack", {"skirmishes.yaml": block.text}, requires=needs)
    _check_pack(folder / "pack")


def weapon_of_the_core(block: Block, folder: Path) -> None:
    file = yaml.safe_load(block.text.replace("    ...\n", ""))
    for entry in file["entries"]:
        shipped = _shipped_entry(file["kind"], entry["slug"])
        assert entry == {name: shipped[name] for name in entry}


def modifier_of_the_core(block: Block, folder: Path) -> None:
    for entry in yaml.safe_load(block.text):
        assert entry == _shipped_entry("modifiers", entry["slug"])


def economy_of_the_core(block: Block, folder: Path) -> None:
    said = yaml.safe_load(block.text)
    assert said["economy"] == _shipped("sr4-core", "pack.yaml")["economy"]


def layer(block: Block, folder: Path) -> None:
    """The manifest, with an entry that another block changes."""
    _pack(folder / "pack", {}, **yaml.safe_load(block.text))
    patch = {"patch": "sr4-core:weapon/ak-97", "set": {"dv": 7}, "source": {"ref": "our-table"}}
    weapons = {"kind": "weapons", "ruleset": "sr4", "entries": [patch]}
    (folder / "pack" / "weapons.yaml").write_text(yaml.safe_dump(weapons), "utf-8")
    _check_pack(folder / "pack")


def changes(block: Block, folder: Path) -> None:
    """Entries that change the core; what is left out of the whole one is as in the core."""
    core = _shipped_entry("weapons", "ak-97")
    entries = yaml.safe_load(block.text.replace("    ...\n", ""))["entries"]
    for entry in entries:
        if "replace" in entry:
            rest = {name: value for name, value in core.items() if name not in ("slug", *entry)}
            entry |= {**rest, "source": {"ref": "our-table"}}
    file = {"kind": "weapons", "ruleset": "sr4", "entries": entries}
    needs = [{"id": "sr4-core", "version": ">=0.1,<1"}]
    _pack(folder / "pack", {"weapons.yaml": yaml.safe_dump(file)}, layer="house", requires=needs)
    _check_pack(folder / "pack")


def fields_of_a_mapping(block: Block, folder: Path) -> None:
    mapping = yaml.safe_load((ROOT / "integrations/foundry/mappings/generic.yaml").read_text("utf-8"))
    mapping["combatants"][0]["fields"] |= yaml.safe_load(block.text)
    schema = json.loads((ROOT / "schemas/foundry/sheet-mapping.schema.json").read_text("utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(mapping)] == []


def fights(block: Block, folder: Path) -> None:
    """A layer of the core."""
    needs = [{"id": "sr4-core", "version": ">=0.1,<1"}]
    _pack(folder / "pack", {"fights.yaml": block.text}, requires=needs)
    _check_pack(folder / "pack")


def container(block: Block, folder: Path) -> None:
    """What it tells the service, the service understands."""
    (service,) = yaml.safe_load(block.text)["services"].values()
    assert Settings.from_environment(service["environment"]).hosts == ("nas.local", "nas")


def tactics(block: Block, folder: Path) -> None:
    _pack(folder / "pack", {"tactics.yaml": block.text})
    _check_pack(folder / "pack")


def request_for_a_forecast(block: Block, folder: Path) -> None:
    (folder / "fight.yaml").write_text(block.text, "utf-8")
    program = folder / ".venv" / "bin" / "fracas"
    command = [program, "forecast", "fight.yaml", "--fights", "2"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=200, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    for change in yaml.safe_load(block.text)["compare"]:
        assert f"With {change['label']}:" in done.stdout


YAML: dict[tuple[str, str], Callable[[Block, Path], None]] = {
    ("docs/examples.md", "kind: examples"): examples,
    ("docs/packs.md", "kind: weapons"): weapon_of_the_core,
    ("docs/packs.md", "# pack.yaml"): layer,
    ("docs/packs.md", "# weapons.yaml"): changes,
    ("docs/packs.md", "slug: target-good-cover"): modifier_of_the_core,
    ("docs/packs.md", "economy:"): economy_of_the_core,
    ("docs/packs.md", "kind: tables"): tables,
    ("docs/packs.md", "kind: skirmishes"): skirmish,
    ("docs/packs.md", "basics:"): fights,
    ("docs/packs.md", "default: steady"): tactics,
    ("docs/forecast.md", "compare:"): request_for_a_forecast,
    ("docs/foundry.md", "down_from:"): fields_of_a_mapping,
    ("docs/install.md", "services:"): container,
}
"""What holds the YAML of a page, by words that only that block has."""


def _holders(block: Block) -> list[Callable[[Block, Path], None]]:
    return [holds for (page, part), holds in YAML.items() if page == block.page and part in block.text]


def test_every_yaml_is_held_against_something() -> None:
    """A block that is missing here: add it to YAML."""
    held = of_language("yaml")
    assert [block.place for block in held if len(_holders(block)) != 1] == []
    assert len(held) == len(YAML)


@pytest.mark.parametrize("block", of_language("yaml"), ids=lambda block: block.place)
def test_the_yaml_of_a_page(block: Block, folder: Path) -> None:
    for holds in _holders(block):
        holds(block, folder)
