"""Where encounters are kept, and the clock that answers what nobody answers in time."""

from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from fights import Fight, begin

from fracas.errors import DatabaseError
from fracas.web.application import create_app
from fracas.web.clock import Clock
from fracas.web.database import claim, data_folder, own_database, with_database
from fracas.web.settings import Settings


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": os.path.abspath("/data")}, Path(os.path.abspath("/data")) / "fracas"),
        ("linux", {"XDG_DATA_HOME": "data"}, Path.home() / ".local" / "share" / "fracas"),
        ("linux", {}, Path.home() / ".local" / "share" / "fracas"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, Path.home() / "Library" / "Application Support" / "Fracas"),
        ("win32", {"LOCALAPPDATA": "C:/Local"}, Path("C:/Local") / "Fracas"),
        ("win32", {}, Path.home() / "AppData" / "Local" / "Fracas"),
    ],
)
def test_the_folder_of_a_user(platform: str, environment: dict[str, str], expected: Path) -> None:
    assert data_folder(environment, platform) == expected


def test_the_folder_is_made(tmp_path: Path) -> None:
    environment = {"XDG_DATA_HOME": str(tmp_path / "a" / "b")}
    path = own_database(environment, "linux")
    assert path == str(tmp_path / "a" / "b" / "fracas" / "encounters.db")
    assert Path(path).parent.is_dir()
    assert own_database(environment, "linux") == path


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DatabaseError, match="--database or FRACAS_DATABASE_URL"):
        own_database({"XDG_DATA_HOME": str(tmp_path / "file")}, "linux")


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", home)
    with pytest.raises(DatabaseError, match="no home folder"):
        own_database({}, "linux")


def test_a_second_service_on_a_file_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "fights.db"
    first = claim(file)
    assert first is not None
    if os.name == "posix":
        for one in tmp_path.iterdir():  # the mark and its journal
            assert stat.S_IMODE(one.stat().st_mode) == 0o600, one
    assert claim(file) is None
    first.close()
    again = claim(file)
    assert again is not None
    again.close()


def test_a_database_that_is_named_stays(tmp_path: Path) -> None:
    named = Settings(database=str(tmp_path / "x.db"))
    assert with_database(named) is named


def test_fights_outlive_the_application(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "fights.db"))
    fight = begin(create_app(settings).test_client())
    fight.do("join", combatant="rook")
    before = fight.view()
    again = Fight(create_app(settings).test_client(), fight.begun)
    assert again.view() == before
    again.do("join", combatant="guard")
    assert fight.view()["version"] == 3  # the first one looks at what is there, too


def test_without_a_database_nothing_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    app = create_app(Settings())
    begin(app.test_client())
    assert len(list(tmp_path.iterdir())) == 1
    del app
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="there is no folder"):
        create_app(Settings(database=str(tmp_path / "nowhere" / "fights.db")))


def test_the_clock_answers_with_the_default(tmp_path: Path) -> None:
    app = create_app(Settings(database=str(tmp_path / "fights.db")))
    encounters = app.extensions["fracas.encounters"]
    fight = begin(app.test_client(), settings={"timeout": 60})
    fight.do("join", combatant="rook", player=True, asks=True)
    fight.do("begin-turn")
    question = fight.question()
    assert question["deadline"] == question["asked"] + 60_000
    clock = Clock(encounters, 0.01)
    clock.start()
    try:
        time.sleep(0.1)
        assert fight.question()["id"] == question["id"]  # it is not time yet
        now = encounters.now()
        encounters.now = lambda: now + 61_000
        deadline = time.monotonic() + 200
        while (fight.question() or {}).get("id") == question["id"] and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        clock.stop()
    event = fight.get("/events").json["events"][-1]
    assert (event["type"], event["by"]["role"], event["data"]["how"]) == ("answered", "clock", "timeout")


def test_the_clock_goes_on_after_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        calls = 0

        def answer_overdue(self) -> int:
            self.calls += 1
            raise DatabaseError("gone for a while")

    failing = Failing()
    clock = Clock(failing, 0.001)  # type: ignore[arg-type]
    clock.start()
    deadline = time.monotonic() + 200
    while failing.calls < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    clock.stop()
    calls = failing.calls
    time.sleep(0.05)
    assert failing.calls == calls >= 5
    assert caplog.text.count("overdue questions cannot be answered") == 1  # the same fault is told once


@pytest.mark.parametrize("arguments", [["--help"], ["resolve", "--help"], ["serve", "--help"]])
def test_the_command_line_does_not_load_the_database(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom fracas.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('sqlalchemy', 'alembic', 'flask') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=200)
    assert done.stdout.rstrip().endswith("[]")


def test_a_service_starts_without_what_few_callers_ask_for(tmp_path: Path) -> None:
    """Also with a database that is there already: the first start makes it by other means."""
    code = (
        "import sys\nfrom fracas.web.application import create_app\nfrom fracas.web.settings import Settings\n"
        "app = create_app(Settings(database=sys.argv[1]))\n"
        "late = ('markdown_it', 'sqlalchemy.dialects.postgresql', 'fracas.exports.foundry.compendiums')\n"
        "print([name for name in late if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, f"sqlite:///{tmp_path / 'kept.db'}"]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=200)
    assert done.stdout.rstrip().endswith("[]")
