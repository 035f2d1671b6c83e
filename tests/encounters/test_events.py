"""Events that are not known, histories that do not fit, and steps that other code began."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_play import OpenTable, Table

from fracas.encounters import encounters
from fracas.encounters.events import KNOWN, Event, History, as_stored, counts, event_of
from fracas.encounters.fold import NOTHING, apply
from fracas.encounters.records import StoredEvent
from fracas.errors import EventError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.join("vex", player=True, asks=False)
    table.join("guard", dice="hand")
    table.begin(vex={"hits": 5}, guard={"hits": 1})
    return table


BY = {"role": "gm", "token": "t", "label": "GM"}


def event(version: int, type: str = "set", v: int = 1, draws: int = 0, **data: object) -> Event:
    return Event(version, type, v, 0, BY, False, draws, data)


def test_unknown_types_and_versions_are_refused_by_name(table: Table) -> None:
    rules = table.encounters.rules(table.fight)
    with pytest.raises(EventError, match="event 9: no type 'actd' is known"):
        apply(rules, table.state, event(9, "actd"))
    with pytest.raises(EventError, match="event 9: version 2 of 'acted' is not known; the newest is 1"):
        apply(rules, table.state, event(9, "acted", KNOWN["acted"] + 1))
    with pytest.raises(EventError, match=r"event 9 \(acted\) does not fit the fight"):
        apply(rules, table.state, event(9, "acted", combatant="nobody"))
    for text in ("", "[]", "{}", '{"version": 1}', "null"):
        with pytest.raises(EventError):
            event_of(text)


def test_a_fight_with_an_event_of_the_future_is_refused_and_the_others_are_not(table: Table) -> None:
    version = table.fight.history.version
    told = event(version + 1, "teleported", combatant="vex").to_json()
    table.store.append(
        table.id,
        version,
        [StoredEvent(version + 1, told)],
        deadline=None,
        now=table.now,
        was=table.fight.head,
    )
    with pytest.raises(EventError, match="'teleported'"):
        table.opened_again().fight(table.id)
    with pytest.raises(EventError, match="'teleported'"):
        table.do("next")


def test_a_step_begun_by_other_code_is_refused_and_can_be_discarded(table: Table) -> None:
    table.act("vex", "fire-semi-automatic", "guard", situation={"distance": 4})
    asked = table.question()["id"]
    with table.store._database.writing() as connection:
        for column, name in (("body", "events"), ("body", "snapshots")):
            connection.exec_driver_sql(f"UPDATE {name} SET {column} = replace({column}, 'sr4.', 'sr9.')")
    table.encounters = table.opened_again()
    (step,) = table.view()["steps"]
    assert "sr9." in step["facts"]["fault"]
    ((code, message),) = table.refused("answer", question=asked)
    assert code == "other-version"
    assert "discard it and begin it again" in message
    table.do("discard", resolution=step["id"])
    assert not table.steps()
    table.act("vex", "fire-semi-automatic", "guard", situation={"distance": 4})


def test_every_event_names_who_and_when(table: Table) -> None:
    table.now += 5000
    event = table.act("vex", "run", by=table.player("vex", token="abc"))
    assert (event.at, event.by) == (table.now, {"role": "player", "token": "abc", "label": "a player"})
    assert orjson.loads(event.to_json())["by"]["token"] == "abc"


def test_an_event_is_folded_as_it_is_read_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Event, Event]] = []

    def stored(event: Event) -> Event:
        made.append((as_stored(event), event_of(event.to_json())))
        return made[-1][0]

    monkeypatch.setattr(encounters, "as_stored", stored)
    table.act(
        "vex", "fire-semi-automatic", target="guard", item="colt-america-l36", situation={"distance": 5}
    )
    assert [found.data["step"]["open"]["tallies"] != [] for found, _ in made] == [True]
    for found, read in made:
        assert repr(found) == repr(read)  # which tells lists from tuples


class TestHistory:
    def test_an_event_must_be_the_next_one(self) -> None:
        history = History().after(event(1))
        with pytest.raises(EventError, match="does not follow"):
            history.after(event(3))
        with pytest.raises(EventError, match="takes dice draws back"):
            history.after(event(2, draws=4)).after(event(3, draws=3))

    def test_what_is_not_there_is_not_undone(self) -> None:
        history = History().after(event(1)).after(event(2))
        for to in (2, 7):
            with pytest.raises(EventError):
                history.after(event(3, "undone", to=to))
        with pytest.raises(EventError, match="redoes nothing"):
            history.after(event(3, "redone", to=2))

    @given(st.lists(st.tuples(st.sampled_from(["set", "undone", "redone"]), st.integers(1, 6)), max_size=40))
    def test_it_is_two_lists(self, moves: list[tuple[str, int]]) -> None:
        """What counts and what redo would bring back are what two plain lists would say."""
        history, past, future = History().after(event(1)), [1], list[int]()
        for type, steps in moves:
            version = history.version + 1
            if type == "set":
                history = history.after(event(version))
                past, future = [*past, version], []
            elif type == "undone" and (to := history.last(steps)) is not None:
                assert to == past[-steps - 1]
                history = history.after(event(version, "undone", to=to))
                past, future = past[:-steps], past[-steps:] + future
            elif type == "redone" and (to := history.next(steps)) is not None:
                assert to == future[steps - 1]
                history = history.after(event(version, "redone", to=to))
                past, future = past + future[:steps], future[steps:]
            else:
                assert len(past if type == "undone" else future) <= steps - (type == "redone")
            assert [at for at in range(1, history.version + 1) if counts(history.past, at)] == sorted(past)
            assert [at for first, last in history.future for at in range(first, last + 1)] == future
            assert [at for first, last in history.past for at in range(first, last + 1)] == past


def test_the_state_before_the_first_event_is_empty() -> None:
    assert (NOTHING.combatants, NOTHING.turn) == ({}, 0)
