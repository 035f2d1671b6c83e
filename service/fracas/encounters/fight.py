"""A fight in memory: its state and history, brought up to date from the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from fracas.encounters import by_itself, fold
from fracas.encounters.events import (
    TIMELESS,
    Event,
    History,
    Ranges,
    cut,
    digest,
    dumps,
    event_of,
    loads,
)
from fracas.encounters.records import Snapshot
from fracas.encounters.state import State, state_of, to_json
from fracas.encounters.store import Store
from fracas.errors import FracasError
from fracas.kernel.turns import TurnRules


class OtherPastError(FracasError):
    """A fight in memory is not the one that is stored, as far as it goes."""

    code = "other-past"


SNAPSHOT_EVERY = 50
"""Events from one snapshot to the next: opening a fight folds at most so many."""


class Fight(NamedTuple):
    """A fight as its events up to `history.version` make it.

    Attributes:
        last_by: the token of the newest event, if that still counts and drew no dice; "" otherwise.
        changes: what the newest event changed, see `by_itself`; empty after undo and redo.
        head: the hash of the newest event, see `events.digest`.
    """

    id: str
    state: State
    history: History
    last_by: str = ""
    changes: tuple[Mapping[str, Any], ...] = ()
    head: str = ""

    @property
    def deadline(self) -> int | None:
        """When the first open question's time is over, in milliseconds since the epoch; None for never."""
        due = list(deadlines(self).values())
        return min(due, default=None)


def deadlines(fight: Fight) -> Mapping[str, int]:
    """When each open question's time is over, by resolution. After an undo the time begins anew."""
    seconds = fight.state.settings.get("timeout")
    if not seconds:
        return {}
    return {
        one.id: max(one.question["asked"], fight.history.touched) + seconds * 1000
        for one in fight.state.resolutions.values()
        if one.question is not None
    }


def opened(rules: TurnRules, store: Store, id: str, up_to: int | None = None) -> Fight:
    """A fight from its newest snapshot and the events after it; with `up_to` as it stood after that event.

    Raises:
        NoEncounterError: there is none of that id.
        EventError: its events are of a newer version, or do not fit together.
    """
    snapshot = store.snapshot(id, up_to)
    fight = _of_snapshot(rules, id, snapshot) if snapshot else Fight(id, fold.NOTHING, History())
    fight = caught_up(rules, store, fight, up_to)
    if not fight.head and (version := fight.history.version):  # an earlier version wrote the snapshot
        (last,) = stored_events(store.events(id, version - 1, version))
        fight = fight._replace(head=digest(last.plain()))
    return fight


def caught_up(rules: TurnRules, store: Store, fight: Fight, up_to: int | None = None) -> Fight:
    """The fight with the events that were stored since.

    Raises:
        OtherPastError: they do not go on from its newest event: a backup has taken the place of what it was.
    """
    events = list(stored_events(store.events(fight.id, fight.history.version, up_to)))
    if events and fight.head and events[0].previous not in ("", fight.head):
        raise OtherPastError(f"event {events[0].version} does not follow the event before that is known")
    timeless = max((number for number, event in enumerate(events, 1) if event.type in TIMELESS), default=0)
    if timeless:  # the states before the last undo or redo are nobody's concern
        history = fight.history
        for event in events[:timeless]:
            history = history.after(event)
        fight = Fight(fight.id, _rebuilt(rules, store, fight.id, history.past), history)
    for event in events[timeless:]:
        fight = after(rules, store, fight, event)
    return fight._replace(head=digest(events[-1].plain()) if events else fight.head)


def after(rules: TurnRules, store: Store, fight: Fight, event: Event, stood: Collection[Fight] = ()) -> Fight:
    """The fight after one more event, whose hash is still to come.

    Args:
        stood: the same fight as it stood a moment ago: where an undo or redo may lead.

    Raises:
        EventError: the event is not the next one, or does not fit.
    """
    history = fight.history.after(event)
    if event.type in TIMELESS:
        known = next((one for one in (fight, *stood) if one.history.past == history.past), None)
        state = known.state if known is not None else _rebuilt(rules, store, fight.id, history.past)
        return Fight(fight.id, state, history)
    # Players who could take back their own throws would throw until they like them.
    last_by = event.by["token"] if event.draws == fight.history.draws else ""
    state = fold.apply(rules, fight.state, event)
    return Fight(fight.id, state, history, last_by, by_itself.changes_in(event))


def _rebuilt(rules: TurnRules, store: Store, id: str, past: Ranges) -> State:
    """The state that some of the stored events make: from the newest snapshot that knows only of such."""
    state, rest, up_to = fold.NOTHING, past, past[-1][1]
    while (snapshot := store.snapshot(id, up_to)) is not None:
        known = _of_snapshot(rules, id, snapshot)
        had, left = cut(past, known.history.past[-1][1])
        if had == known.history.past:
            state, rest = known.state, left
            break
        # Within a range every snapshot fits: the next that may fit stands at the end of the range before, or below.
        up_to = max((last for _, last in past if last < snapshot.version), default=0)
    # Each range by itself: between two there may be thousands of events that no longer count.
    counting = (event for first, last in rest for event in stored_events(store.events(id, first - 1, last)))
    return fold.fold(rules, counting, state)


def stored_events(rows: Iterable[object]) -> Iterable[Event]:
    return (event_of(row.body) for row in rows)  # type: ignore[attr-defined]


def snapshot_of(fight: Fight) -> Snapshot:
    """What opening the fight begins with."""
    body = {
        "history": to_json(fight.history),
        "state": to_json(fight.state),
        "last_by": fight.last_by,
        "changes": list(fight.changes),
        "head": fight.head,
    }
    return Snapshot(fight.history.version, dumps(body))


def _of_snapshot(rules: TurnRules, id: str, snapshot: Snapshot) -> Fight:
    data = loads(snapshot.body)
    history = data["history"]
    past = tuple((first, last) for first, last in history["past"])
    future = tuple((first, last) for first, last in history["future"])
    added = tuple((label, text) for label, text in history.get("contributions", ()))
    known = History(**{**history, "past": past, "future": future, "contributions": added})
    changes = tuple(data.get("changes", ()))
    state = state_of({**data["state"], "options": {**rules.options, **data["state"]["options"]}})
    return Fight(id, state, known, data["last_by"], changes, data.get("head", ""))
