"""The live feed in process: who listens is told every event he may know of, in order, each once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from table_play import games

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed, FeedFullError, Subscription
from fracas.encounters.feed_channel import Message
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.sql_store import SqlStore
from fracas.encounters.tokens import author_of
from fracas.engine.loading import load
from fracas.errors import DatabaseError, InputError, NoEncounterError, TokenError

SOON = 100.0
"""Seconds in which a test expects what should happen at once."""


class Listening:
    """A fight with rook in it, and the feed of a process."""

    def __init__(self, store: SqlStore, **settings: Any) -> None:
        self.encounters = Encounters(games(), store, lambda: 1_800_000_000_000)
        self.feed = Feed(self.encounters, **{"heartbeat": SOON, **settings})
        self.feed.start()
        fight, issued = self.encounters.begin(load(NewEncounterSchema(), {"ruleset": "sr4"}))
        self.id = fight.id
        self.gm, self.observer = (author_of(one.token) for one in issued)
        self.do("join", combatant="rook", player=True)

    def do(self, command: str, **fields: Any) -> int:
        """The version that a command of the GM makes."""
        return self.encounters.command(self.id, self.gm, {"command": command, **fields}).events[-1].version

    def change(self, count: int = 1) -> int:
        """The last version of so many changes."""
        for at in range(count):
            self.do("set", combatant="rook", fields={"reaction": 3 + at % 5})
        return self.encounters.row(self.id).version

    def listen(self, viewer: Author | None = None, after: int = 2) -> Subscription:
        return self.feed.subscribe(self.id, viewer or self.gm, after)


@pytest.fixture
def table(store: SqlStore) -> Iterator[Listening]:
    listening = Listening(store)
    yield listening
    listening.feed.close()


def take(subscription: Subscription, up_to: int) -> list[Message]:
    """What is told up to a version."""
    found: list[Message] = []
    while not found or found[-1].version < up_to:
        told = subscription.next()
        assert told, f"after {[one.version for one in found]} came {told}"
        found += told
    return found


def versions(told: list[Message]) -> list[int]:
    return [one.version for one in told]


def test_everybody_is_told_every_event_in_order(table: Listening) -> None:
    listeners = [table.listen(viewer) for viewer in (table.gm, table.observer, table.observer)]
    last = table.change(5)
    told = [take(one, last) for one in listeners]
    assert [versions(one) for one in told] == [[3, 4, 5, 6, 7]] * 3
    assert [json.loads(one.text)["version"] for one in told[0]] == versions(told[0])
    assert {one.type for one in told[0]} == {"set"}


def test_what_is_the_same_for_several_is_made_once(table: Listening) -> None:
    first, second, other = (table.listen(viewer) for viewer in (table.observer, table.observer, table.gm))
    table.change()
    assert take(first, 3)[0] is take(second, 3)[0]
    assert "reaction" in take(other, 3)[0].text
    assert "reaction" not in take(first := table.listen(table.observer), 3)[0].text


def test_undo_and_redo_are_told_as_they_are(table: Listening) -> None:
    listener = table.listen()
    table.change(2)
    table.do("undo", steps=2)
    table.do("redo")
    told = take(listener, 6)
    assert [(one.version, one.type) for one in told] == [(3, "set"), (4, "set"), (5, "undone"), (6, "redone")]


def test_who_comes_back_gets_what_he_missed(table: Listening) -> None:
    last = table.change(8)
    for after in range(last):
        with closing(table.listen(after=after)) as listener:
            assert versions(take(listener, last)) == list(range(after + 1, last + 1))
    listener = table.listen(after=last)
    assert versions(take(listener, table.change(2))) == [last + 1, last + 2]


def test_a_slow_listener_loses_nothing(store: SqlStore) -> None:
    table = Listening(store, kept=4)
    slow, fast = table.listen(), table.listen()
    for last in range(3, 150):
        table.change()
        assert versions(take(fast, last)) == [last]
    assert versions(take(slow, 149)) == list(range(3, 150))


def test_many_who_come_and_go_while_it_is_fought(table: Listening) -> None:
    """Nothing is lost, doubled or reordered wherever a listener begins."""
    last = 90

    def listen(start: int) -> list[int]:
        found: list[int] = []
        after = start % 3
        while after < last:
            with closing(table.listen(table.observer if start % 2 else table.gm, after)) as listener:
                for told in iter(listener.next, None):
                    found += versions(told)
                    after = found[-1] if found else after
                    if after >= last or (start % 4 == 0 and len(told) > 1):
                        break
        return found

    with ThreadPoolExecutor(13) as pool:
        heard = [pool.submit(listen, start) for start in range(12)]
        pool.submit(table.change, last - 2).result(60)
        for start, one in enumerate(heard):
            assert one.result(60) == list(range(start % 3 + 1, last + 1))


def test_a_listener_is_called_in_every_heartbeat(store: SqlStore) -> None:
    table = Listening(store, heartbeat=0.05)
    listener = table.listen()
    assert [listener.next(), listener.next()] == [[], []]
    table.change()
    assert versions(take(listener, 3)) == [3]


@pytest.mark.parametrize("way", ["revoke", "rotate"])
def test_a_token_that_is_not_good_any_more_listens_no_longer(table: Listening, way: str) -> None:
    watching, playing = [table.listen(table.observer) for _ in range(4)], [table.listen() for _ in range(2)]
    with ThreadPoolExecutor(6) as pool:
        over = [pool.submit(one.next) for one in watching]
        going_on = [pool.submit(one.next) for one in playing]
        getattr(table.encounters, way)(table.id, table.observer.token)
        table.feed.tokens_changed(table.id)
        assert [one.result(SOON / 2) for one in over] == [None] * 4
        table.change()
        assert [versions(one.result(SOON / 2) or []) for one in going_on] == [[3], [3]]
    assert {one.next() for one in watching} == {None}


@pytest.mark.parametrize("way", ["revoke", "rotate"])
def test_what_another_process_did_to_a_token_is_known_within_a_heartbeat(store: SqlStore, way: str) -> None:
    table = Listening(store, heartbeat=0.05)
    listener = table.listen(table.observer)
    getattr(Encounters(games(), store, lambda: 1), way)(table.id, table.observer.token)
    assert None in (listener.next() for _ in range(3))


def test_nothing_more_is_told_to_a_token_that_was_revoked(table: Listening) -> None:
    """Also what happened before, but was not fetched."""
    listener = table.listen(table.observer)
    table.change(3)
    table.encounters.revoke(table.id, table.observer.token)
    table.feed.tokens_changed(table.id)
    assert listener.next() is None


def test_a_fight_that_was_deleted_is_over(table: Listening) -> None:
    listeners = [table.listen() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        over = [pool.submit(one.next) for one in listeners]
        table.encounters.delete(table.id)
        table.feed.deleted(table.id)
        assert [one.result(SOON / 2) for one in over] == [None] * 4
    with pytest.raises(NoEncounterError):
        table.listen()


def test_a_fight_that_was_closed_is_over_after_its_last_event(table: Listening) -> None:
    listener = table.listen()
    table.change()
    last = table.do("close")
    assert [one.type for one in take(listener, last)] == ["set", "closed"]
    assert listener.over
    assert listener.next() is None
    late = table.listen()
    assert not late.over
    assert versions(take(late, last)) == [3, 4]
    assert table.listen(after=last).over


def test_only_so_many_listen_at_once(store: SqlStore) -> None:
    table = Listening(store, listeners=3)
    listeners = [table.listen() for _ in range(3)]
    with pytest.raises(FeedFullError):
        table.listen()
    listeners[0].close()
    listeners[0].close()
    assert table.feed.listening == 2
    table.listen()
    with pytest.raises(FeedFullError):
        table.listen()


def test_who_may_not_listen_takes_nobody_s_place(table: Listening) -> None:
    stranger = Author("gm", "0123456789abcdef", "a stranger")
    with pytest.raises(TokenError):
        table.listen(stranger)
    with pytest.raises(NoEncounterError):
        table.feed.subscribe("nobody-fights", table.gm)
    with pytest.raises(InputError, match="the newest event is 2"):
        table.listen(after=3)
    assert table.feed.listening == 0


def test_at_the_end_nobody_waits(table: Listening) -> None:
    listeners = [table.listen() for _ in range(5)]
    with ThreadPoolExecutor(5) as pool:
        over = [pool.submit(one.next) for one in listeners]
        table.feed.close()
        assert [one.result(SOON / 2) for one in over] == [None] * 5
    with pytest.raises(FeedFullError):
        table.listen()


def test_an_event_that_a_role_may_not_know_is_only_counted(table: Listening) -> None:
    player = author_of(table.encounters.add_token(table.id, "player", "Ana", ["rook"]).token)
    everything, outside, mine = (table.listen(one) for one in (table.gm, table.observer, player))
    table.do("join", combatant={"use": "guard"}, id="lurker", name="The Lurker", hidden=True)
    last = table.do("set", combatant="lurker", fields={"reaction": 5})
    for listener in (outside, mine):
        told = take(listener, last)
        events = table.encounters.events(table.id, 2, 4)
        assert [json.loads(one.text) for one in told] == [
            {"version": event.version, "type": "hidden", "previous": event.previous} for event in events
        ]
        assert {one.type for one in told} == {"hidden"}
    assert [one.type for one in take(everything, last)] == ["joined", "set"]


def test_a_listener_whose_store_fails_is_let_go(
    table: Listening, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(id: str) -> None:
        raise DatabaseError("the disk is gone")

    listener = table.listen()
    monkeypatch.setattr(table.encounters.store, "row", broken)
    table.feed.tokens_changed(table.id)
    assert listener.next() is None
    assert "a listener is dropped: the disk is gone" in caplog.text


def test_who_leaves_does_not_disturb_the_others(table: Listening) -> None:
    leaving, staying = table.listen(), table.listen()
    leaving.close()
    table.change()
    assert versions(take(staying, 3)) == [3]
    staying.close()
    assert table.feed.listening == 0
