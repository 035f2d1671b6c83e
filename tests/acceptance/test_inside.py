"""Fracas in the Python for browsers gives the same answers as in that of this computer."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import recorded_fights
from inside_bundle import PYODIDE, the_bundle
from inside_service import SERVE, InsideService
from recorded_fights import FOLDER, plain, read, replay
from tiers import TESTS, scale
from werkzeug.test import Client

from fracas.encounters.audit import verify
from fracas.encounters.encounters import Encounters
from fracas.encounters.memory_store import MemoryStore
from fracas.engine.opening import open_games
from fracas.inside import bundle
from fracas.inside.running import Inside
from fracas.web.application import assembled
from fracas.web.settings import Settings

RECORDINGS = ("sr4-firefight", "cwn-streetfight", "imperium-ambush", "sr5-extraction")
LARGEST = 9_000_000
"""Bytes of a bundle, compressed."""

EXAMPLES = (SERVE.parent / "played_examples.py").read_text("utf-8")


@pytest.fixture(scope="module")
def inside() -> Iterator[InsideService]:
    service = InsideService()
    yield service
    service.close()


def test_the_bundle_is_small_and_lists_what_it_has() -> None:
    folder = the_bundle()
    told = json.loads((folder / bundle.CONTENTS).read_text("utf-8"))
    found = {path.name for path in folder.iterdir()} - {bundle.CONTENTS}
    assert told["files"].keys() == found
    together = 0
    for name, part in told["files"].items():
        content = (folder / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == part["sha256"]
        assert len(content) == part["size"]
        together += min(len(content), len(gzip.compress(content, 9)))
    assert together <= LARGEST
    licenses = (folder / bundle.LICENSES).read_text("utf-8")
    for name in ("Mozilla Public License", "Python Software Foundation", "Flask 3", "marshmallow", "CC0"):
        assert name in licenses


def test_the_archive_has_no_source_and_nothing_that_only_a_service_needs() -> None:
    with zipfile.ZipFile(the_bundle() / bundle.ARCHIVE) as archive:
        names = archive.namelist()
    assert not [name for name in names if name.endswith(".py")]
    assert not [name for name in names if name.startswith(("sqlalchemy", "fracas/cli", "fracas/web/serving"))]
    assert "fracas/rulesets/sr5/procedures.pyc" in names


def test_two_exports_are_the_same_bytes(tmp_path: Path) -> None:
    """In the night alone."""
    parts = bundle.build(tmp_path, PYODIDE)
    told = json.loads((the_bundle() / bundle.CONTENTS).read_text("utf-8"))
    assert {name: part._asdict() for name, part in parts.items()} == told["files"]


def test_another_pyodide_is_refused(tmp_path: Path) -> None:
    for name in bundle.HASHES:
        (tmp_path / name).write_bytes((PYODIDE / name).read_bytes())
    (tmp_path / "pyodide.mjs").write_bytes(b"export const loadPyodide = null;\n")
    with pytest.raises(bundle.BundleError, match=r"pyodide\.mjs is not that of Pyodide"):
        bundle.build(tmp_path / "out", tmp_path)
    assert not (tmp_path / "out").exists()


def _played(every: int) -> dict[str, Any]:
    """The worked examples and odds here, by a hash of each."""
    space: dict[str, Any] = {"every": every, "library": open_games(()).library}
    exec(compile(EXAMPLES, "played_examples.py", "exec"), space)
    told: dict[str, Any] = json.loads(space["told"])
    return told


def test_worked_examples_and_odds_are_the_same(inside: InsideService) -> None:
    """All examples; the odds of all in the night, else of a sample."""
    every = scale(24, 1)
    here = _played(every)
    code = f"every = {every}\nlibrary = None\n{EXAMPLES}\ntold"
    there = json.loads(inside.python(code))
    assert here["passed"] == here["examples"] > 1100
    assert len(here["odds"]) > scale(40, 1100)
    assert there["examples"] == here["examples"]
    assert [name for name, odds in here["odds"].items() if there["odds"][name] != odds] == []
    assert there["failed"] == []


REQUESTS: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/health", None),
    ("GET", "/v1/rulesets", None),
    *(("GET", f"/v1/rulesets/{id}", None) for id in ("sr4", "sr5", "cwn", "imperium")),
    ("GET", "/v1/rulesets/nothing", None),
    ("GET", "/v1/packs", None),
    ("GET", "/v1/packs/sr4-core", None),
    ("GET", "/v1/packs/sr4-core/weapons?page_size=5", None),
    ("GET", "/v1/entries/sr4-core:weapon/ares-predator-iv", None),
    ("GET", "/v1/entries/sr4-core:weapon/nothing", None),
    ("POST", "/v1/resolve", {"ruleset": "sr4", "procedure": "ranged-attak", "situation": {}}),
    ("POST", "/v1/resolve", {"ruleset": "sr4", "procedure": "ranged-attack", "situation": {"x": 1}}),
    ("POST", "/v1/resolve", ["no object"]),
    ("PUT", "/v1/resolve", {}),
    ("GET", "/v1/encounters/none", None),
    ("GET", "/foundry/mappings", None),
    ("GET", "/foundry/documents?pack=cwn-core&system=swnr", None),
    ("GET", "/book/sr5/", None),
    ("GET", "/console/compare", None),
    ("GET", "/console/nothing", None),
    ("GET", "/nothing", None),
)


def _plain_json(text: bytes) -> Any:
    """Here orjson may have written it, which escapes fewer characters; the text itself if it is no JSON."""
    try:
        return json.dumps(json.loads(text))
    except ValueError:
        return text


def test_the_interface_answers_the_same(inside: InsideService) -> None:
    games = open_games(())
    settings = Settings(workers=0)
    here = Client(assembled(settings, games, Encounters(games, MemoryStore(), lambda: 0)))
    differing = []
    for method, path, body in REQUESTS:
        data = None if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        native = here.open(path, method=method, data=data, headers=kind)
        status, headers, answer = inside.call(method, path, kind, data or b"")
        types = (native.headers.get("Content-Type"), dict(headers).get("Content-Type"))
        same = answer == native.data or _plain_json(answer) == _plain_json(native.data)
        if (status, types[1]) != (native.status_code, types[0]) or not same:
            differing.append((method, path, status, native.status_code, answer[:200], native.data[:200]))
    assert differing == []


OF_THE_INTERFACE = (
    "test_book_pages.py",
    "test_encounter_commands.py",
    "test_encounter_offers.py",
    "test_encounter_skirmishes.py",
    "test_one_of_each.py",
    "test_short_fight_answers.py",
    "test_web_answers.py",
    "test_web_cards.py",
    "test_web_errors.py",
    "test_web_mutations.py",
)
"""Files under ``tests/web`` that need no server."""


@pytest.mark.slow
def test_the_tests_of_the_interface_pass_there_too() -> None:
    """By day without the last, the longest."""
    files = [str(TESTS / "web" / name) for name in OF_THE_INTERFACE[: scale(-1, len(OF_THE_INTERFACE))]]
    command = [sys.executable, "-m", "pytest", "-q", "--inside", "-p", "no:xdist", *files]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:]


class _Line:
    """In place of a connection to a service, see `fight_players.Line`."""

    def __init__(self, inside: InsideService) -> None:
        self._inside = inside

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, str], Any]:
        data = b"" if body is None else json.dumps(body).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        status, said, answer = self._inside.call(method, path, {**kind, **(headers or {})}, data)
        return status, dict(said), json.loads(answer) if answer else None

    def close(self) -> None:
        """Others use it, too."""


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recorded_fight_goes_the_same_way_and_is_proven(
    name: str, inside: InsideService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here verifies what was played there."""
    monkeypatch.setattr(recorded_fights, "Line", lambda port: _Line(inside))
    recording = read(FOLDER / f"{name}.jsonl")
    table = replay(0, recording)
    log = table.log()
    assert plain(log["state"]) == recording["end"]
    report = verify(log)
    assert report.ok, report.first_difference


def test_after_a_reload_only_the_journal_is_left_and_that_is_enough(inside: InsideService) -> None:
    line = _Line(inside)
    status, _, begun = line.send("POST", "/v1/encounters", {"ruleset": "cwn", "skirmish": _skirmish("cwn")})
    assert status == 201, begun
    shown = {"Authorization": f"Bearer {begun['tokens']['gm']['secret']}"}
    path = f"/v1/encounters/{begun['id']}"
    commands = f"{path}/commands"
    assert (
        line.send(
            "POST", commands, {"command": "begin-turn"}, shown | {"Idempotency-Key": "one", "If-Match": "*"}
        )[0]
        == 200
    )
    before = line.send("GET", path, None, shown)[2]
    log = line.send("GET", f"{path}/log", None, shown)[2]
    inside.restart()
    assert line.send("GET", path, None, shown)[2] == before
    assert line.send("GET", f"{path}/log", None, shown)[2] == log
    # What was acknowledged is not done twice.
    again = line.send(
        "POST", commands, {"command": "begin-turn"}, shown | {"Idempotency-Key": "one", "If-Match": "*"}
    )
    assert again[0] == 200
    assert line.send("GET", path, None, shown)[2]["version"] == before["version"]
    report = verify(log)
    assert report.ok, report.first_difference


def _skirmish(ruleset: str) -> str:
    return open_games(()).game(ruleset).packs.entries("skirmish")[0].slug


def test_what_it_writes_is_told_once_and_the_clock_needs_no_thread() -> None:
    """On the Python of this computer, where it runs as well."""
    with zipfile.ZipFile(the_bundle() / bundle.ARCHIVE) as archive:
        packs = archive.read("packs.json")
    inside = Inside(packs, prefix="/play")
    kind = json.dumps({"Content-Type": "application/json"})
    status, headers, body = inside.call("POST", "/play/v1/encounters", kind, b'{"ruleset":"sr4"}')
    assert status == 201, body
    assert dict(json.loads(headers))["Location"].startswith("/play/v1/encounters/")
    (written,) = json.loads(inside.written())
    id = json.loads(body)["id"]
    assert written[0] == id
    assert inside.written() == ""
    inside.answer_overdue()
    assert inside.version(id) == 1
    assert inside.version("none") == 0
    again = Inside(packs, [written[1]])
    assert again.version(id) == 1
