"""A fight that is opened from snapshots is the one that its log tells, and is found with few looks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from fracas.bench.table import GM, played
from fracas.encounters import fold
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event, History, counts, event_of
from fracas.encounters.fight import Fight, opened
from fracas.encounters.fights import rules_of
from fracas.encounters.records import Snapshot
from fracas.encounters.sql_store import SqlStore
from fracas.engine.game import Game, Games
from fracas.engine.opening import open_games

EVENTS = 820


@pytest.fixture(scope="module")
def games() -> Games:
    return open_games(())


@pytest.fixture(scope="module")
def stores(games: Games, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    """A fight called ``long``."""
    with closing(SqlStore(str(tmp_path_factory.mktemp("opening") / "fights.db"))) as store:
        store.migrate()
        played(games, EVENTS).copy_to(store, "long", EVENTS)
        yield store


def _told(games: Games, events: list[Event]) -> tuple[object, History]:
    """State and history by the log alone."""
    history = History()
    for event in events:
        history = history.after(event)
    counting = (event for event in events if counts(history.past, event.version))
    return fold.fold(rules_of(games.game("sr4")), counting), history


def _log(store: SqlStore) -> list[Event]:
    return [event_of(row.body) for row in store.events("long")]


def test_a_fight_opens_as_it_stood_after_any_event(games: Games, stores: SqlStore) -> None:
    events, rules = _log(stores), rules_of(games.game("sr4"))
    assert {"undone", "redone"} <= {event.type for event in events}
    for up_to in range(1, EVENTS, 13):
        fight = opened(rules, stores, "long", up_to)
        assert (fight.state, fight.history) == _told(games, events[:up_to])


def test_after_undoing_most_of_a_fight_few_snapshots_are_looked_at(
    games: Games, stores: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int | None] = []
    look = stores.snapshot

    def counted(encounter: str, up_to: int | None = None) -> Snapshot | None:
        looks.append(up_to)
        return look(encounter, up_to)

    monkeypatch.setattr(stores, "snapshot", counted)
    encounters = Encounters(games, stores, lambda: 1_900_000_000_000)
    first = encounters.fight("long").history.past[0][1]
    encounters.command("long", GM, {"command": "undo", "to": min(first, 60)})
    commands: list[dict[str, Any]] = [{"command": "set", "combatant": "rook", "fields": {"physical": 1}}]
    commands += [{"command": word} for _ in range(15) for word in ("undo", "redo")]
    for command in commands:
        looks.clear()
        fight = encounters.command("long", GM, command).fight
        assert len(looks) <= 3
        assert (fight.state, fight.history) == _told(games, _log(stores))
    looks.clear()
    again: Fight = Encounters(games, stores, lambda: 0).fight("long")
    assert len(looks) <= 4
    assert again == fight


def test_an_undo_leads_back_to_the_very_state_that_stood_a_moment_ago(games: Games, stores: SqlStore) -> None:
    encounters = Encounters(games, stores, lambda: 1_900_000_000_000)
    numbered = [{"command": "set", "combatant": "rook", "fields": {"physical": boxes}} for boxes in (2, 3)]
    first, second = (encounters.command("long", GM, command).fight for command in numbered)
    undone = encounters.command("long", GM, {"command": "undo"}).fight
    redone = encounters.command("long", GM, {"command": "redo"}).fight
    assert undone.state is first.state
    assert redone.state is second.state
    assert undone.history.past != redone.history.past == _told(games, _log(stores))[1].past


def test_the_house_rules_of_a_fight_are_put_together_once(
    games: Games, stores: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    encounters = Encounters(games, stores, lambda: 1_900_000_000_000)
    shot = {"command": "act", "combatant": "rook", "action": "fire-semi-automatic", "target": "vex"}
    shot |= {"situation": {"distance": 10}, "force": True, "confirm": True}
    for command in ({"command": "set", "combatant": "rook", "fields": {"physical": 0}}, shot):
        encounters.command("long", GM, command)
    made: list[object] = []
    monkeypatch.setattr(Game, "options", lambda game, given: made.append(given) or {})
    encounters.command("long", GM, {"command": "undo"})
    encounters.command("long", GM, shot)
    assert not made
