"""Events of a fight, and its history: which of them count after undo and redo.

An event is what one command did. Its version is its number in the fight, from 1 without gaps. Undo and redo are events
as well: they change which of the others count, and take nothing out of the log. The count of dice drawn goes on
through them, so that no die is ever drawn twice.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from fracas.errors import EventError, suggestion

KNOWN: Mapping[str, int] = {
    "created": 1,
    "joined": 1,
    "left": 1,
    "began-turn": 1,
    "rolled-initiative": 1,
    "acted": 1,
    "delayed": 1,
    "intervened": 1,
    "answered": 1,
    "contested": 1,
    "applied": 1,
    "discarded": 1,
    "bought": 1,
    "set": 1,
    "placed": 1,
    "moved": 1,
    "mapped": 1,
    "ruled": 1,
    "advanced": 1,
    "undone": 1,
    "redone": 1,
    "contributed": 1,
    "reseeded": 1,
    "closed": 1,
}
"""The types of events, each with the version of its data that is written. All that are listed can be read."""

TIMELESS = ("undone", "redone", "contributed", "reseeded")
"""Types that concern the log and the dice, not the state: they are not folded, and no undo takes them back."""

dumps: Callable[[Any], str]
loads: Callable[[str], Any]
try:
    import orjson
except ImportError:  # the extra `fast` is not installed

    def dumps(data: Any) -> str:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    loads = json.loads

    def _canonical(event: Mapping[str, Any]) -> bytes:
        return _canonical_by_python(event)

else:
    _MARKS = bytes.maketrans(b",[123456789", b"::000000000")
    _OTHERS = bytes(set(range(256)) - set(b'0123456789.e:,["'))
    _FRACTION = re.compile(rb":00*[.e]")
    """A fraction where a number may stand, with all such places and all digits alike, and what else there is left out.
    Two fixed characters at its beginning are found several times as fast as one."""

    def dumps(data: Any) -> str:
        return orjson.dumps(data).decode()

    loads = orjson.loads

    def _canonical(event: Mapping[str, Any]) -> bytes:
        try:
            text = orjson.dumps(event, option=orjson.OPT_SORT_KEYS)
        except TypeError:  # numbers of more than 64 bits
            return _canonical_by_python(event)
        # Both write everything alike but fractions, of which there are few.
        found = _FRACTION.search(text.translate(_MARKS, _OTHERS))
        return _canonical_by_python(event) if found else text


NOTHING_BEFORE = "0" * 64
"""What the first event carries in place of the hash of the one before."""


class Event(NamedTuple):
    """What one command did.

    Attributes:
        version: its number in the fight.
        type: one of `KNOWN`.
        v: the version of its data.
        at: when, in milliseconds since the epoch; the fold uses it for deadlines only.
        by: who: ``{"role": "player", "token": "...", "label": "..."}``.
        hidden: only the GM sees it.
        draws: dice draws of the fight so far, this event's included.
        data: what happened; see `fold`.
        previous: the `digest` of the event before; "" in fights that an earlier version of Fracas wrote.
        salt: 16 random bytes as hexadecimal, for the GM alone: without them a player who knows most of an event could
            find the rest by trying what gives its digest.
    """

    version: int
    type: str
    v: int
    at: int
    by: Mapping[str, str]
    hidden: bool
    draws: int
    data: Mapping[str, Any]
    previous: str = ""
    salt: str = ""

    def plain(self) -> dict[str, Any]:
        """The event as JSON data."""
        found = self._asdict()
        if not self.previous:
            del found["previous"], found["salt"]
        return found

    def to_json(self) -> str:
        return dumps(self.plain())


def digest(event: Mapping[str, Any]) -> str:
    """The hash of an event, as `Event.plain` gives it: the SHA-256 of its canonical JSON, in hexadecimal.

    Canonical are the fields of every object sorted by name, no spaces, numbers and texts as Python writes them, UTF-8.
    The event after it carries this hash, so nobody changes an event without changing all that follow.
    """
    return hashlib.sha256(_canonical(event)).hexdigest()


def _canonical_by_python(event: Mapping[str, Any]) -> bytes:
    return json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def event_of(text: str) -> Event:
    """The event that `Event.to_json` wrote.

    Raises:
        EventError: it is none, or of a type or version that is not known.
    """
    try:
        data = loads(text)
        event = Event(**data)
    except (ValueError, TypeError) as error:
        raise EventError(f"this is no event: {error}") from None
    check(event)
    return event


def as_stored(event: Event) -> Event:
    """An event that was just made, as `event_of` gives it back. The numbers of a step that begins are most of it, and
    what reading their text would give (`engine.report.tallies`): they are neither written nor read for it."""
    step = event.data.get("step") or {}
    opened = step.get("open")
    if not opened:
        return event_of(event.to_json())
    rest = {**event.data, "step": {**step, "open": {**opened, "tallies": None}}}
    found = event_of(event._replace(data=rest).to_json())
    found.data["step"]["open"]["tallies"] = list(opened["tallies"])
    return found


def check(event: Event) -> None:
    """
    Raises:
        EventError: the type or version of an event is not known.
    """
    newest = KNOWN.get(event.type)
    if newest is None:
        hint = suggestion(event.type, KNOWN)
        raise EventError(
            f"event {event.version}: no type {event.type!r} is known" + (f" ({hint})" if hint else "")
        )
    if event.v not in range(1, newest + 1):
        message = (
            f"event {event.version}: version {event.v} of {event.type!r} is not known; the newest is {newest}"
        )
        raise EventError(message)


def dice_fell(event: Event, draws: int) -> bool:
    """Whether dice fall in an event: of the seed, or typed in by people.

    Args:
        draws: those before it.
    """
    if event.draws > draws:
        return True
    steps = event.data.get("steps") if event.type == "answered" else None
    if not steps:
        return False
    answers, question = steps[0]["answers"], steps[0]["question"] or {}
    return bool(answers[0][0] == "r" if answers else question.get("kind") == "roll")


Ranges = tuple[tuple[int, int], ...]
"""Versions of events, as ranges (first, last), in order."""


class History(NamedTuple):
    """Which events count.

    Attributes:
        version: of the newest event.
        past: the events that count.
        future: those that redo would bring back, the next one first.
        draws: dice draws so far; undo takes none of them back.
        touched: when the last undo, redo or restoration was, for deadlines; 0 for never.
        contributions: what others have added to the seed of the dice, each with the label of its token.
        seeds: how many seeds the fight has had; a restored backup goes on with another one.
        since: dice draws when the present seed came.
        rolled: the newest event in which dice fell; 0 for none.
    """

    version: int = 0
    past: Ranges = ()
    future: Ranges = ()
    draws: int = 0
    touched: int = 0
    contributions: tuple[tuple[str, str], ...] = ()
    seeds: int = 1
    since: int = 0
    rolled: int = 0

    @property
    def untouched(self) -> bool:
        """No die has fallen yet from the present seed."""
        return self.draws == self.since

    def after(self, event: Event) -> History:
        """
        Raises:
            EventError: the event is not the next one, or undoes or redoes what is not there.
        """
        if event.version != self.version + 1:
            raise EventError(f"event {event.version} does not follow event {self.version}")
        if event.draws < self.draws:
            raise EventError(f"event {event.version} takes dice draws back")
        if event.type == "undone":
            past, future = cut(self.past, event.data["to"])
            if not future:
                raise EventError(f"event {event.version} undoes nothing")
            return self._replace(
                version=event.version,
                past=past,
                future=joined(future, self.future),
                draws=event.draws,
                touched=event.at,
            )
        if event.type == "redone":
            back, future = cut(self.future, event.data["to"], contained=True)
            if not back:
                raise EventError(f"event {event.version} redoes nothing")
            return self._replace(
                version=event.version,
                past=joined(self.past, back),
                future=future,
                draws=event.draws,
                touched=event.at,
            )
        if event.type == "contributed":
            one = (event.by.get("label", ""), event.data["entropy"])
            return self._replace(version=event.version, contributions=(*self.contributions, one))
        if event.type == "reseeded":
            return self._replace(
                version=event.version,
                contributions=(),
                seeds=self.seeds + 1,
                since=self.draws,
                touched=event.at,
            )
        past = joined(self.past, ((event.version, event.version),))
        rolled = event.version if dice_fell(event, self.draws) else self.rolled
        return self._replace(version=event.version, past=past, future=(), draws=event.draws, rolled=rolled)

    def last(self, steps: int = 1) -> int | None:
        """The version that counts last if so many events are undone; None if there are not so many beside the first."""
        versions = backwards(self.past)
        found = 0
        for _ in range(steps + 1):
            found = next(versions, 0)
        return found or None

    def next(self, steps: int = 1) -> int | None:
        """The last of so many events that redo would bring back; None if there are not so many."""
        left = steps
        for first, last in self.future:
            size = last - first + 1
            if left <= size:
                return first + left - 1
            left -= size
        return None


_LAST = itemgetter(1)


def counts(ranges: Ranges, version: int) -> bool:
    """The event is among them."""
    at = bisect_left(ranges, version, key=_LAST)
    return at < len(ranges) and ranges[at][0] <= version


def cut(ranges: Ranges, to: int, contained: bool = False) -> tuple[Ranges, Ranges]:
    """What stands up to and with `to`, and what stands after it, in the order of the ranges."""
    for at, (first, last) in enumerate(ranges):
        if first <= to <= last:
            rest = ((to + 1, last),) if to < last else ()
            return (*ranges[:at], (first, to)), (*rest, *ranges[at + 1 :])
    return ((), ranges) if contained else (ranges, ())


def joined(first: Ranges, second: Ranges) -> Ranges:
    if first and second and first[-1][1] + 1 == second[0][0]:
        return (*first[:-1], (first[-1][0], second[0][1]), *second[1:])
    return first + second


def backwards(ranges: Ranges) -> Iterator[int]:
    for first, last in reversed(ranges):
        yield from range(last, first - 1, -1)
