"""``fracas verify``: what it says, and how it ends."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from command import Run

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.log import log_json, log_markdown
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.sql_store import SqlStore
from fracas.engine.loading import load
from fracas.engine.opening import open_games
from fracas.errors import InputError


class Logs:
    """A small fight: its log while it was open, when it was closed, and as text."""

    def __init__(self, folder: Path) -> None:
        store = SqlStore(f"sqlite:///{(folder / 'fights.db').as_posix()}")
        store.migrate()
        encounters = Encounters(open_games(()), store, lambda: 1_800_000_000_000)
        wish = {"ruleset": "sr4", "title": "Alley", "settings": {"apply": "at-once"}}
        fight, issued = encounters.begin(load(NewEncounterSchema(), wish))
        gm = Author("gm", issued[0].token.id, "GM")

        def do(**body: Any) -> None:
            encounters.command(fight.id, gm, body)

        do(command="join", combatant="rook", asks=False)
        do(command="join", combatant="guard", asks=False)
        do(command="begin-turn")
        do(command="undo")
        do(command="begin-turn")
        self.open: dict[str, Any] = log_json(encounters, fight.id, gm)
        do(command="close")
        self.closed: dict[str, Any] = json.loads(json.dumps(log_json(encounters, fight.id, gm)))
        self.seen: dict[str, Any] = log_json(encounters, fight.id, Author("observer"))
        self.text = log_markdown(encounters, fight.id, gm)
        store.close()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return Logs(tmp_path_factory.mktemp("fight"))


def test_a_right_log(run: Run, logs: Logs, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(logs.closed), "utf-8")
    done = run("verify", path)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "Alley (sr4, closed, as seen by: gm)"
    assert [line.split()[0] for line in lines[1:-3]] == ["ok"] * 7
    assert [line.strip() for line in lines[-3:-1]] == [
        "The dice come from the seed alone: no player contributed",
        "Thrown again after an undo: initiative of event 6, 2 times",
    ]
    assert lines[-1] == "The log is right."


def test_a_log_of_an_open_fight_and_one_of_an_observer(run: Run, logs: Logs) -> None:
    done = run("verify", "-", given=json.dumps(logs.open))
    assert done.status == 0
    assert "its seed is secret until it is closed" in done.out
    assert done.out.splitlines()[-1] == "No difference in what can be checked."
    done = run("verify", "-", given=json.dumps(logs.seen))
    assert done.status == 0
    assert "the log does not show everything" in done.out


def test_a_die_that_was_changed(run: Run, logs: Logs) -> None:
    log = json.loads(json.dumps(logs.closed))
    step = log["events"][3]["data"]["rolls"][0]
    faces = step["answers"][0][1][0][0][0]
    right, faces[2] = faces[2], 7 - faces[2]
    done = run("verify", "-", given=json.dumps(log))
    assert (done.status, done.err) == (1, "")
    told = f"event 4 (began-turn): initiative: draw 0, die 3: the log says {faces[2]}, the seed gives {right}"
    assert done.out.splitlines()[-1] == f"First difference: {told}"
    done = run("verify", "-", "--json", given=json.dumps(log))
    assert done.status == 1
    assert (done.data["status"], done.data["ok"]) == ("differs", False)
    first = done.data["first_difference"]
    assert (first["event"], first["check"], first["found"], first["expected"]) == (4, "dice", faces[2], right)
    assert first["text"] == told


def test_json_for_programs(run: Run, logs: Logs) -> None:
    data = run("verify", "-", "--json", given=json.dumps(logs.closed)).data
    assert (data["status"], data["ok"], data["first_difference"]) == ("right", True, None)
    assert data["counts"]["events"] == 7
    assert [check["status"] for check in data["checks"]] == ["ok"] * 7


def test_the_commitment_that_was_noted(run: Run, logs: Logs) -> None:
    given = json.dumps(logs.closed)
    assert run("verify", "-", "--commitment", logs.closed["commitment"], given=given).status == 0
    done = run("verify", "-", "--commitment", "0" * 64, given=given)
    assert done.status == 1
    assert "event 1 (created): commitment, as it was noted" in done.out
    assert "64 hexadecimal digits" in run("verify", "-", "--commitment", "00", given=given).err


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "this is no JSON"),
    "half": (b'{"format": "fracas-log"', "this is no JSON"),
    "no text": (b"\xff\xfe\x00", "this is no JSON"),
    "markdown": (b"# Alley\n", "format=json"),
    "no object": (b"[]", "a log is a JSON object"),
    "another format": (b'{"format": "x"}', "its format is not 'fracas-log'"),
    "a newer version": (b'{"format": "fracas-log", "version": 3}', "version 2 and those before are known"),
    "incomplete": (b'{"format": "fracas-log", "version": 1}', "'title' is missing"),
    "deep": (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}", "100 levels deep"),
    "rather deep": (b'{"a":' + b"[" * 150 + b"]" * 150 + b"}", "100 levels deep"),
    "twice": (b'{"format": 1, "format": 2}', "stands twice"),
    "no number": (b'{"format": NaN}', "NaN is no number"),
    "a long number": (b'{"format": ' + b"9" * 5000 + b"}", "this is no JSON"),
}


@pytest.mark.parametrize(("given", "word"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read(run: Run, given: bytes, word: str) -> None:
    done = run("verify", "-", given=given)
    assert done.status == 2
    assert word in done.complaint()
    assert done.complaint().startswith("<standard input>: ")


def test_what_cannot_be_read_as_json(run: Run) -> None:
    done = run("verify", "nowhere.json", "--json")
    assert done.status == 2
    assert done.data["status"] == "unreadable"
    assert done.data["problems"][0]["code"] == "unreadable"


def test_a_text_is_no_log(run: Run, logs: Logs) -> None:
    assert "format=json" in run("verify", "-", given=logs.text).complaint()


def test_a_log_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = import_module("fracas.cli.verify")
    monkeypatch.setattr(command, "MAX_FILE", 10)
    path = tmp_path / "log.json"
    path.write_bytes(b"[" + b" " * 20 + b"]")
    with pytest.raises(InputError, match="at most 10 bytes"):
        command._read(path)


def test_help_names_the_ways_it_ends(run: Run) -> None:
    done = run("verify", "--help")
    assert done.status == 0
    for word in ("LOG", "--commitment", "--json", "standard input"):
        assert word in done.out
