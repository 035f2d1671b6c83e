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
from threading import Lock

from fracas.encounters import sight
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event
from fracas.encounters.feed_channel import Channel, Kept, Message
from fracas.errors import FracasError, InputError, NoEncounterError, TokenError

HEARTBEAT = 15.0
"""Seconds after which a listener is called although nothing happened, and its token looked at."""

LISTENERS = 256
"""Who may listen at the same time in a process."""

KEPT = 64
"""Events of a fight that are kept in memory while there are listeners."""

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
        self._channels: dict[str, Channel] = {}
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

    def _enter(self, id: str, caller: str) -> Channel:
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
                channel = self._channels[id] = Channel(id, self.encounters, self.kept)
            channel.listening += 1
        return channel

    def _leave(self, channel: Channel, caller: str) -> None:
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
        channel: Channel,
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
        self._sees = () if sight.sees_all(viewer) else ("of", *sorted(viewer.combatants))
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
        found: list[Kept] = []
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
