"""Dice that are thrown again after an undo are counted and named; a fight may keep its rolls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from audited_logs import changed, log_of, noticed, rechained
from hypothesis import given
from hypothesis import strategies as st
from table_play import OpenTable, Table

from fracas.encounters.audit import verify
from fracas.encounters.records import StoredEvent
from fracas.encounters.throws import beyond, gaps
from fracas.encounters.transcript import written


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    for name in ("rook", "guard"):
        table.join(name, id=name)
    return table


def times(table: Table) -> list[int | None]:
    return [event.data.get("throw", {}).get("times") for event in table.encounters.events(table.id)]


def again(log: dict[str, object]) -> list[str]:
    report = verify(log)
    assert report.ok, report.first_difference
    return [note for note in report.notes if note.startswith("Thrown again")]


def text_of(table: Table) -> str:
    game, rules = table.encounters.game(table.fight), table.encounters.rules(table.fight)
    return written(game, rules, table.fight, table.encounters.events(table.id), table.observer)


def test_initiative_that_is_thrown_five_times(table: Table) -> None:
    for _ in range(4):
        table.do("begin-turn")
        table.do("undo")
        table.do("set", combatant="guard", fields={"reaction": 3})  # it does not hide behind other events
    table.encounters = table.opened_again()
    event = table.do("begin-turn")
    assert event.data["throw"] == {"of": ["began-turn", 1], "times": 5}
    assert again(log_of(table)) == [
        f"Thrown again after an undo: initiative of event {event.version}, 5 times"
    ]
    assert "initiative thrown 5 times" in text_of(table)
    table.do("close")
    assert len(again(log_of(table, table.observer))) == 1


def test_what_is_thrown_for_the_first_time_is_not_counted(table: Table) -> None:
    table.do("begin-turn")
    table.do("undo")
    table.do("redo")
    table.do("next")
    table.do("next")
    while table.state.phase != "turn-over":
        table.do("next")
    table.do("begin-turn")
    assert {one for one in times(table) if one} == {1}
    assert again(log_of(table)) == []


def test_attacks_and_dice_that_people_type_in(table: Table) -> None:
    table.do("set", combatant="rook", dice="hand")
    table.begin(rook={"hits": 5}, guard={"hits": 1})
    before = table.fight.history.version
    for _ in range(2):
        table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 4})
        parts = table.question()["parts"]
        count = sum(group["count"] for part in parts if part["hand"] for group in part["groups"])
        table.dice([1] * count)
        if table.fight.history.past[-1][1] and len(times(table)) < before + 4:
            table.do("undo", to=before)
    event = table.encounters.events(table.id)[-1]
    assert event.data["throw"]["of"][:4] == ["answered", "action", "rook", "fire-semi-automatic"]
    assert event.data["throw"]["times"] == 2
    assert len(again(log_of(table))) == 1


def test_logs_of_earlier_versions_are_counted_as_well(table: Table) -> None:
    for _ in range(3):
        table.do("begin-turn")
        table.do("undo")
    log = json.loads(json.dumps(log_of(table)))
    for event in log["events"]:
        event["data"].pop("throw", None)
        del event["previous"], event["salt"]
    log["version"] = 1
    assert again(log) == ["Thrown again after an undo: initiative of event 8, 3 times"]


def test_a_count_that_is_not_right(table: Table) -> None:
    table.do("begin-turn")
    table.do("undo")
    event = table.do("begin-turn")
    log, path = log_of(table), ("events", event.version - 1, "data", "throw")
    assert noticed(rechained(changed(log, (*path, "times"), lambda _: 1)))
    assert noticed(rechained(changed(log, path, lambda _: None)))
    assert noticed(rechained(changed(log, (*path, "of", 1), lambda _: 2)))


def test_a_fight_that_keeps_its_rolls(tmp_path: Path) -> None:
    table = Table(tmp_path, settings={"keep_rolls": True})
    for name in ("rook", "guard"):
        table.join(name, id=name)
    rolled = table.do("begin-turn").version
    code, message = table.refused("undo")[0]
    assert code == "rolls-kept"
    assert f"dice fell in event {rolled}" in message
    table.do("set", combatant="guard", name="Other")
    table.do("undo")
    table.do("redo")
    assert table.refused("undo", to=1)[0][0] == "rolls-kept"
    table.encounters = table.opened_again()
    table.do("undo", to=rolled)
    assert table.refused("undo")[0][0] == "rolls-kept"
    log = log_of(table)
    assert verify(log).ok
    at = next(number for number, event in enumerate(log["events"]) if event["type"] == "undone")
    assert noticed(rechained(changed(log, ("events", at, "data", "to"), lambda _: 2)))
    table.close()


def test_dice_typed_in_are_kept_too(tmp_path: Path) -> None:
    table = Table(tmp_path, settings={"keep_rolls": True})
    table.join("rook", id="rook", dice="hand")
    table.do("begin-turn")
    asked = table.fight.history.version
    count = table.question()["parts"][0]["groups"][0]["count"]
    table.dice([3] * count)
    assert table.refused("undo", to=asked)[0][0] == "rolls-kept"
    table.close()


@pytest.mark.parametrize(
    ("past", "version", "expected"),
    [(((1, 3),), 3, ()), (((1, 2), (6, 7)), 9, ((3, 5), (8, 9))), (((1, 1),), 2, ((2, 2),))],
)
def test_gaps(past: object, version: int, expected: object) -> None:
    assert gaps(past, version) == expected  # type: ignore[arg-type]


RANGES = st.sets(st.integers(1, 30)).map(lambda versions: ranges_of(sorted(versions)))


def ranges_of(versions: list[int]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for version in versions:
        if found and found[-1][1] == version - 1:
            found[-1] = (found[-1][0], version)
        else:
            found.append((version, version))
    return tuple(found)


def versions_of(ranges: tuple[tuple[int, int], ...]) -> set[int]:
    return {version for first, last in ranges for version in range(first, last + 1)}


@given(RANGES, RANGES)
def test_what_is_beyond(ranges: tuple[tuple[int, int], ...], known: tuple[tuple[int, int], ...]) -> None:
    assert versions_of(beyond(ranges, known)) == versions_of(ranges) - versions_of(known)


def test_a_fight_with_many_undos_reads_each_event_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    original = table.store.events

    def events(id: str, after: int = 0, up_to: int | None = None) -> list[StoredEvent]:
        found = original(id, after, up_to)
        read.extend(row.version for row in found)
        return found

    for _ in range(15):
        table.do("begin-turn")
        table.do("undo")
    monkeypatch.setattr(table.store, "events", events)
    assert table.do("begin-turn").data["throw"]["times"] == 16
    assert len(read) <= 4
