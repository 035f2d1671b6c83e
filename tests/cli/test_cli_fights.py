"""``fracas fights``: what is kept, and what nobody has touched for long."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fracas.cli import main
from fracas.encounters.records import NewEncounter, Snapshot, StoredEvent
from fracas.web.database import milliseconds, open_store

DAY = 86_400_000


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Three fights, touched now, 20 and 40 days ago."""
    url = str(tmp_path / "fights.db")
    store = open_store(url)
    for days in (0, 40, 20):
        new = NewEncounter(
            f"{days:016x}", f"After\n{days} days", "sr4", b"s" * 32, milliseconds() - days * DAY
        )
        store.create(new, [StoredEvent(1, "{}")], Snapshot(1, "{}"), ())
    store.close()
    return url


def run(database: str, *options: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["fights", "--database", database, *options], input=typed)


def titles(database: str, *options: str) -> Any:
    return [row["title"] for row in json.loads(run(database, "--json", *options).output)["fights"]]


def test_fights_are_listed_the_oldest_first(database: str) -> None:
    result = run(database)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line[:16] for line in lines] == [f"{days:016x}" for days in (40, 20, 0)]
    assert "open  sr4" in lines[0]
    assert lines[0].endswith("1 events  After 40 days")
    assert titles(database, "--older-than", "30d") == ["After\n40 days"]
    assert len(titles(database, "--older-than", "2w")) == 2
    assert len(titles(database, "--older-than", "23h")) == 2


def test_old_ones_are_removed_by_who_agrees(database: str) -> None:
    assert "1 fight with" in run(database, "--older-than", "30d", "--remove", typed="n\n").stderr
    assert len(titles(database)) == 3
    assert "Removed 1 fight" in run(database, "--older-than", "30d", "--remove", typed="y\n").output
    assert "Removed 1 fight" in run(database, "--older-than", "10d", "--remove", "--yes").output
    assert titles(database) == ["After\n0 days"]
    assert run(database, "--older-than", "10d").output == "No fights\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--remove",), "needs --older-than"),
        (("--older-than", "30"), "no time such as 30d"),
        (("--older-than", "0d"), "no time such as 30d"),
    ],
)
def test_what_is_no_use(database: str, options: tuple[str, ...], message: str) -> None:
    result = run(database, *options)
    assert result.exit_code == 2
    assert message in result.output + result.stderr
    assert len(titles(database)) == 3
