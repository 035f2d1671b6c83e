"""What a process knows of a fight that has listeners: its newest events, as each listener sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Lock
from typing import Any, NamedTuple

from fracas.encounters import views
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event, dumps, event_of
from fracas.errors import NoEncounterError

PAGE = 100
"""Events sent at once at most."""


class Message(NamedTuple):
    """An event as a listener may see it.

    Attributes:
        type: of the event, or ``sight.HIDDEN``.
        text: the whole of it as JSON.
    """

    version: int
    type: str
    text: str


class Kept:
    """An event in memory, with what was made of it for those who listen."""

    __slots__ = ("event", "sent")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.sent: dict[Any, Message] = {}

    @property
    def version(self) -> int:
        return self.event.version

    @property
    def type(self) -> str:
        return self.event.type


class Channel:
    """What is known of a fight that has listeners.

    Attributes:
        listening: how many.
        newest: the version of the last event.
        ended: the fight is closed, so that there will be no other.
        gone: the fight was deleted.
        tokens: the good ones, each with the hash of its secret.
        past: how often a backup has taken the place of the fight; who listened before has to begin anew.
    """

    def __init__(self, id: str, encounters: Encounters, kept: int) -> None:
        self.id = id
        self.listening = 0
        self.newest = 0
        self.ended = False
        self.gone = False
        self.past = 0
        self._row = (0, "")
        self.tokens: dict[str, str] = {}
        self._encounters = encounters
        self._most = kept
        self._kept: dict[int, Kept] = {}
        self._changed = Condition(Lock())
        self._heard = 0
        self._doubts = 0
        self._settled = 0
        self._looked = 0.0
        self._looking = Lock()
        self._loading = Lock()
        self._rendering = Lock()

    # News

    def put(self, event: Event) -> None:
        """This process has stored an event."""
        with self._changed:
            self._keep(Kept(event))
            self._advance(event.version)

    def hear(self, version: int) -> None:
        """Some process has changed the fight: each version is heard once; anything else concerns tokens or the end."""
        with self._changed:
            if version > self._heard:
                self._heard = version
                self._advance(version)
            else:
                self._doubts += 1
                self._changed.notify_all()

    def doubt(self) -> None:
        """What is known may be out of date."""
        with self._changed:
            self._doubts += 1
            self._changed.notify_all()

    def wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _advance(self, version: int) -> None:
        if version > self.newest:
            self.newest = version
            self._changed.notify_all()

    def _keep(self, kept: Kept) -> None:
        self._kept.setdefault(kept.version, kept)
        while len(self._kept) > self._most:
            del self._kept[min(self._kept)]

    # Listening

    def wait(self, sent: int, settled: int, deadline: float, stopped: Callable[[], bool]) -> bool:
        """Wait for anything after the event `sent`, or doubts after those `settled`; False when the time was over."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self.newest > sent or self._doubts > settled or stopped(),
                max(0.0, deadline - time.monotonic()),
            )

    def settle(self, age: float) -> int:
        """Look at the store if what is known is in doubt or older than `age`; the doubts that are settled then."""
        if self._doubts > self._settled or self._looked < time.monotonic() - age:
            self.look(age)
        return self._settled

    def look(self, age: float = 0.0) -> None:
        """Look at the store, unless that was done less than `age` seconds ago."""
        doubts = self._doubts
        began = time.monotonic()
        with self._looking:
            if self._settled >= doubts and self._looked > began - age:
                return
            doubts, looked, newest = self._doubts, time.monotonic(), self.newest
            row = self._encounters.store.row(self.id)
            found = self._encounters.store.tokens(self.id) if row else []
            self.tokens = {token.id: token.hash for token in found if token.revoked is None}
            with self._changed:
                if row is not None and (
                    row.version < newest or (row.version == self._row[0] and row.head != self._row[1])
                ):
                    self.past += 1
                    self._kept.clear()
                    self.newest = self._heard = 0
                self._row = (row.version, row.head) if row else (0, "")
                self.gone = row is None
                self.ended = row is not None and row.closed is not None
                self._settled, self._looked = doubts, looked
                self._heard = max(self._heard, row.version if row else 0)
                self._advance(row.version if row else 0)

    def after(self, sent: int) -> list[Kept]:
        """The events after `sent`, a page of them at most."""
        found = self._known(sent)
        if not found and sent < self.newest:
            with self._loading:  # one reads for all
                found = self._known(sent) or self._load(sent)
        return found

    def _known(self, sent: int) -> list[Kept]:
        found: list[Kept] = []
        while len(found) < PAGE and (kept := self._kept.get(sent + len(found) + 1)):
            found.append(kept)
        return found

    def _load(self, sent: int) -> list[Kept]:
        newest = self.newest
        rows = self._encounters.store.events(self.id, sent, min(newest, sent + PAGE))
        if not rows:
            raise NoEncounterError(self.id)
        found = [Kept(event_of(row.body)) for row in rows]
        with self._changed:
            for kept in found:
                if kept.version > newest - self._most:
                    self._keep(kept)
        return found

    def render(self, found: list[Kept], viewer: Author, sees: Any) -> list[Message]:
        """Events as a viewer may see them; made once for all who see the same, `sees`."""
        if any(sees not in kept.sent for kept in found):
            with self._rendering:
                missing = [kept for kept in found if sees not in kept.sent]
                fight = self._encounters.fight(self.id) if missing else None
                glossary = self._encounters.glossary(fight) if fight else None
                for kept in missing:
                    assert fight is not None
                    assert glossary is not None
                    seen = views.event_seen(kept.event, viewer, fight.state, glossary)
                    kept.sent[sees] = Message(kept.version, seen["type"], dumps(seen))
        return [kept.sent[sees] for kept in found]
