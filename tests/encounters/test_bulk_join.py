"""People who join together: all of them or none, in one go."""

from __future__ import annotations

from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.encounters.audit import verify
from fracas.encounters.bulk_join import joins_of_list, people_of
from fracas.encounters.events import Event
from fracas.encounters.fight import SNAPSHOT_EVERY, opened
from fracas.encounters.log import log_json
from fracas.errors import ForbiddenError, FracasError, InputError

GUARD: dict[str, Any] = {"command": "join", "combatant": "guard"}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("rook")
    return table


def joined(table: Table, text: str) -> None:
    bodies = joins_of_list(
        table.encounters.game(table.fight), people_of(table.encounters.game(table.fight), text, "l.csv")
    )
    table.encounters.commands(table.id, table.gm, bodies)


def test_a_list_joins(table: Table) -> None:
    joined(table, "name,use,side,hidden,count\nDoor guard,guard,corp,no,2\nSniper,guard,corp,yes,\n")
    assert {one.name: (one.side, one.hidden) for one in table.state.combatants.values()} == {
        "Rook": ("others", False),
        "Door guard 1": ("corp", False),
        "Door guard 2": ("corp", False),
        "Sniper": ("corp", True),
    }
    assert table.fight == opened(table.encounters.rules(table.fight), table.store, table.id)
    table.do("close")
    assert verify(log_json(table.encounters, table.id, table.gm)).ok


@pytest.mark.parametrize(
    "bad",
    [
        {"command": "join", "combatant": "nobody"},
        {"command": "join", "combatant": "guard", "weapons": ["no-such-weapon"]},
        {"command": "join", "combatant": "guard", "id": "rook"},
        {"command": "join", "combatant": {"body": "many"}},
        {"command": "joins"},
        {"command": "next", "combatant": "rook"},
    ],
)
@pytest.mark.parametrize("at", [0, 1, 3])
def test_whoever_cannot_join_keeps_all_out(table: Table, bad: dict[str, Any], at: int) -> None:
    heard: list[Event] = []
    table.encounters.listen(lambda _, event: heard.append(event))
    before, stored = table.fight, table.store.events(table.id)
    bodies = [GUARD] * 3
    bodies.insert(at, bad)
    with pytest.raises(FracasError):
        table.encounters.commands(table.id, table.gm, bodies)
    assert table.fight == before
    assert table.store.events(table.id) == stored
    assert table.opened_again().fight(table.id) == before
    assert heard == []
    assert table.do("join", combatant="guard").version == before.history.version + 1


def test_only_the_gm_lets_people_join(table: Table) -> None:
    before = table.fight
    with pytest.raises(ForbiddenError):
        table.encounters.commands(table.id, table.player("rook"), [GUARD])
    assert table.fight == before


def test_nobody_joins_where_nobody_is_named(table: Table) -> None:
    before = table.fight
    assert table.encounters.commands(table.id, table.gm, []).events == ()
    assert table.fight == before


def test_each_event_is_heard_once_it_is_stored(table: Table) -> None:
    heard: list[tuple[int, int]] = []

    def listener(id: str, event: Event) -> None:
        row = table.store.row(id)
        assert row is not None
        heard.append((event.version, row.version))

    table.encounters.listen(listener)
    first = table.fight.history.version
    done = table.encounters.commands(table.id, table.gm, [GUARD] * 3)
    assert heard == [(first + number, first + 3) for number in (1, 2, 3)]
    assert [event.version for event in done.events] == [version for version, _ in heard]


def test_a_crowd_that_passes_a_snapshot_leaves_one(table: Table) -> None:
    table.encounters.commands(table.id, table.gm, [GUARD] * (SNAPSHOT_EVERY + 3))
    snapshot = table.store.snapshot(table.id)
    assert snapshot is not None
    assert snapshot.version == table.fight.history.version
    assert table.opened_again().fight(table.id) == table.fight
    table.do("undo", steps=SNAPSHOT_EVERY + 3)
    assert list(table.state.combatants) == ["rook"]
    table.do("redo", steps=3)
    assert len(table.state.combatants) == 4
    assert table.opened_again().fight(table.id) == table.fight


def test_a_crowd_that_is_too_large_is_told_before_anybody_joins(table: Table) -> None:
    before = table.fight
    with pytest.raises(InputError, match="220 people; at most 200"):
        joined(table, "use,count\n" + "guard,20\n" * 11)
    with pytest.raises(FracasError, match="at most 200"):  # one is there already
        joined(table, "use,count\n" + "guard,20\n" * 10)
    assert table.fight == before


def test_if_another_process_was_faster_all_try_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    other, append = table.opened_again(), table.store.append
    waiting = [{"command": "join", "combatant": "vex"}]

    def late(*args: Any, **fields: Any) -> None:
        if waiting:
            other.command(table.id, table.gm, waiting.pop())
        append(*args, **fields)

    monkeypatch.setattr(table.store, "append", late)
    done = table.encounters.commands(table.id, table.gm, [GUARD] * 2)
    assert list(done.fight.state.combatants) == ["rook", "vex", "guard", "guard-2"]
    assert table.opened_again().fight(table.id) == done.fight
