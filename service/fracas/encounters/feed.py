"""The live feed: everybody who listens to a fight gets each of its events, in order, each once.

A listener is a place in the log: the version that it got last. The newest events are kept in memory, shared by all
who listen to the same fight; a listener that lags behind them, or comes back after a while, reads the store until it
has caught up. So nothing is lost however slow a listener is, and nothing is sent twice.

What other processes append to a PostgreSQL database is heard by the store. Elsewhere, and should a message get lost,
the store is looked at once in a heartbeat.
"""

from __future__ import annotations

import logging
import time
import weakref
from collections import Counter
from collections.abc import Callable
from threading import Condition, Lock
from typing import Any, NamedTuple

from fracas.encounters import views
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event, dumps, event_of
from fracas.errors import FracasError, InputError, NoEncounterError, TokenError

HEARTBEAT = 15.0
"""Seconds after which a listener is called although nothing happened, and its token looked at."""

LISTENERS = 256
"""Who may listen at the same time in a process."""

KEPT = 64
"""Events of a fight that are kept in memory while there are listeners."""

PAGE = 100
"""Events sent at once at most."""

_LOG = logging.getLogger(__name__)


class FeedFullError(FracasError):
    """Too many listen already; try again later.

    Attributes:
        mine: whether these are the caller's own, or those of the one fight; else of all fights.
    """

    code = "feed-full"

    def __init__(self, message: str, mine: bool = False) -> None:
        super().__init__(message)
        self.mine = mine


class Message(NamedTuple):
    """An event as a listener may see it.

    Attributes:
        type: of the event, or ``views.HIDDEN``.
        text: the whole of it as JSON.
    """

    version: int
    type: str
    text: str


class Feed:
    """The live feed of all fights of a process.

    Args:
        heartbeat: seconds, see `HEARTBEAT`.
        listeners: how many at most, see `LISTENERS`.
        each_fight, each_caller: how many of them at most; all if 0.
        kept: events in memory for each fight that has listeners.
    """

    def __init__(
        self,
        encounters: Encounters,
        heartbeat: float = HEARTBEAT,
        listeners: int = LISTENERS,
        kept: int = KEPT,
        each_fight: int = 0,
        each_caller: int = 0,
    ) -> None:
        self.encounters = encounters
        self.heartbeat = heartbeat
        self.kept = kept
        self.most = listeners
        self.each_fight = each_fight or listeners
        self.each_caller = each_caller or listeners
        self._callers: Counter[str] = Counter()
        self.closed = False
        self._guard = Lock()
        self._channels: dict[str, _Channel] = {}
        self._listening = 0
        encounters.listen(self._appended)

    def start(self) -> None:
        """Hear from now on what other processes do."""
        # The store's thread must not keep alive what nobody else uses any more.
        heard = weakref.WeakMethod(self._heard)

        def hear(id: str | None, version: int) -> None:
            method = heard()
            if method is not None:
                method(id, version)

        self.encounters.store.start_listener(hear)

    @property
    def listening(self) -> int:
        """How many listen."""
        return self._listening

    def subscribe(self, id: str, viewer: Author, after: int = 0, caller: str = "") -> Subscription:
        """Listen to a fight.

        Args:
            after: the version of the event after which to begin.
            caller: the address of the listener.

        Raises:
            FeedFullError: too many listen already.
            NoEncounterError: there is none of that id.
            TokenError: the viewer's token is not good.
            InputError: the fight has not come as far as `after`.
        """
        channel = self._enter(id, caller)
        try:
            channel.look()
            if channel.gone:
                raise NoEncounterError(id)
            token = channel.tokens.get(viewer.token)
            if token is None:
                raise TokenError("this token is not known for this encounter, or was revoked")
            if after > channel.newest:
                message = f"the newest event is {channel.newest}; {after} is still to come"
                raise InputError.one("after", "out-of-range", message)
        except BaseException:
            self._leave(channel, caller)
            raise
        over = channel.ended and after == channel.newest
        return Subscription(self, channel, viewer, token, after, over, caller)

    def tokens_changed(self, id: str) -> None:
        """Have the tokens of all who listen to a fight looked at now."""
        channel = self._channels.get(id)
        if channel is not None:
            channel.doubt()

    def deleted(self, id: str) -> None:
        """Nobody can listen to a fight any more."""
        self.tokens_changed(id)

    def close(self) -> None:
        """Everybody's listening is over, for good."""
        with self._guard:
            self.closed = True
            channels = list(self._channels.values())
        for channel in channels:
            channel.wake()

    def _enter(self, id: str, caller: str) -> _Channel:
        with self._guard:
            channel = self._channels.get(id)
            if self._listening >= self.most or self.closed:
                message = f"{self._listening} listen already, and the limit 'listeners' is {self.most}: try again later"
                raise FeedFullError(message)
            for count, most, name in (
                (channel.listening if channel else 0, self.each_fight, "listeners-per-fight"),
                (self._callers[caller], self.each_caller, "listeners-per-caller"),
            ):
                if count >= most:
                    message = (
                        f"{count} listen already, which is the limit '{name}': close one that is not needed"
                    )
                    raise FeedFullError(message, True)
            self._listening += 1
            self._callers[caller] += 1
            if channel is None:
                channel = self._channels[id] = _Channel(id, self.encounters, self.kept)
            channel.listening += 1
        return channel

    def _leave(self, channel: _Channel, caller: str) -> None:
        with self._guard:
            self._listening -= 1
            self._callers[caller] -= 1
            if not self._callers[caller]:
                del self._callers[caller]
            channel.listening -= 1
            if not channel.listening:
                del self._channels[channel.id]

    def _appended(self, id: str, event: Event) -> None:
        channel = self._channels.get(id)
        if channel is not None:
            channel.put(event)

    def _heard(self, id: str | None, version: int) -> None:
        """What the store heard of this process and others."""
        if id is not None:
            channel = self._channels.get(id)
            if channel is not None:
                channel.hear(version)
            return
        with self._guard:
            channels = list(self._channels.values())
        for channel in channels:
            channel.doubt()


class Subscription:
    """A listener of a fight, until `close`, which any thread may call; all else is for one thread.

    Attributes:
        sent: the version up to which everything was sent.
        over: the fight is closed, and everything was sent.
    """

    def __init__(
        self,
        feed: Feed,
        channel: _Channel,
        viewer: Author,
        token: str,
        after: int,
        over: bool,
        caller: str,
    ) -> None:
        self.viewer = viewer
        self.sent = after
        self.over = over
        self._feed = feed
        self._caller = caller
        self._channel = channel
        self._past = channel.past
        self._token = token
        self._sees = () if views.sees_all(viewer) else ("of", *sorted(viewer.combatants))
        self._settled = 0
        self._left = False

    def next(self) -> list[Message] | None:
        """The next events, as soon as there are any.

        Returns:
            no events after a heartbeat without any; None when there will be none any more: the fight was closed or
            deleted, the token revoked or rotated, or the feed closed.
        """
        try:
            return self._next()
        except NoEncounterError:
            return None
        except FracasError as error:
            _LOG.warning("encounter %s: a listener is dropped: %s", self._channel.id, error)
            return None

    def _next(self) -> list[Message] | None:
        channel = self._channel
        deadline = time.monotonic() + self._feed.heartbeat
        found: list[_Kept] = []
        awake = True
        while awake and not found:
            awake = self.over or channel.wait(self.sent, self._settled, deadline, self._stopped)
            if self.over or not self._welcome():
                return None
            found = channel.after(self.sent)
        if found:
            self.sent = found[-1].version
            self.over = found[-1].type == "closed"
        return channel.render(found, self.viewer, self._sees)

    def _stopped(self) -> bool:
        return self._feed.closed or self._left

    def _welcome(self) -> bool:
        channel = self._channel
        self._settled = channel.settle(self._feed.heartbeat / 4)
        if self._stopped() or channel.gone or channel.past != self._past:
            return False
        return channel.tokens.get(self.viewer.token) == self._token

    def close(self) -> None:
        """Listen no longer."""
        if not self._left:
            self._left = True
            self._feed._leave(self._channel, self._caller)
            self._channel.wake()


class _Kept:
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


class _Channel:
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
        self._kept: dict[int, _Kept] = {}
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
            self._keep(_Kept(event))
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

    def _keep(self, kept: _Kept) -> None:
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

    def after(self, sent: int) -> list[_Kept]:
        """The events after `sent`, a page of them at most."""
        found = self._known(sent)
        if not found and sent < self.newest:
            with self._loading:  # one reads for all
                found = self._known(sent) or self._load(sent)
        return found

    def _known(self, sent: int) -> list[_Kept]:
        found: list[_Kept] = []
        while len(found) < PAGE and (kept := self._kept.get(sent + len(found) + 1)):
            found.append(kept)
        return found

    def _load(self, sent: int) -> list[_Kept]:
        newest = self.newest
        rows = self._encounters.store.events(self.id, sent, min(newest, sent + PAGE))
        if not rows:
            raise NoEncounterError(self.id)
        found = [_Kept(event_of(row.body)) for row in rows]
        with self._changed:
            for kept in found:
                if kept.version > newest - self._most:
                    self._keep(kept)
        return found

    def render(self, found: list[_Kept], viewer: Author, sees: Any) -> list[Message]:
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
