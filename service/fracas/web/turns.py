"""Requests take turns, fairly by caller.

The work of most requests is short and bound by the processor, and Python runs one thread at a time anyway: letting
requests interrupt each other only lengthens the longest waits. So they are handled one after the other. Who waits is
served in turn by caller: one who sends a thousand requests at once delays another's by one of them.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")


class Caller(NamedTuple):
    """Who is served in turn.

    Attributes:
        address: of the computer; of an IPv6 address its network, all of whose addresses one computer may have.
        token: what it shows, or "": people behind one address are served in turn, too.
    """

    address: str
    token: str = ""


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The address as limits count it."""
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:100]
    if read.version == 4:
        return str(read)
    return str(read.ipv4_mapped or ipaddress.ip_network((read, 64), strict=False))


class Waiting(Generic[_T]):
    """What waits: first in turn by address, then by token, then in order of arrival."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_T]]] = OrderedDict()
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._counts.total()

    def of(self, address: str) -> int:
        """How many of an address wait."""
        return self._counts[address]

    def put(self, caller: Caller, item: _T) -> None:
        self._waiting.setdefault(caller.address, OrderedDict()).setdefault(caller.token, deque()).append(item)
        self._counts[caller.address] += 1

    def drop(self, caller: Caller, item: _T) -> None:
        """Take back what was put, if it still waits."""
        tokens = self._waiting.get(caller.address)
        queue = tokens.get(caller.token) if tokens else None
        if queue and item in queue:
            queue.remove(item)
            self._took(caller.address, caller.token)

    def next(self, busy: frozenset[str] = frozenset()) -> _T | None:
        """The next in turn, of an address that is not busy; None if there is none."""
        for address, tokens in self._waiting.items():
            if address not in busy:
                token, queue = next(iter(tokens.items()))
                item = queue.popleft()
                tokens.move_to_end(token)
                self._waiting.move_to_end(address)
                self._took(address, token)
                return item
        return None

    def _took(self, address: str, token: str) -> None:
        self._counts[address] -= 1
        tokens = self._waiting[address]
        if not tokens[token]:
            del tokens[token]
        if not tokens:
            del self._waiting[address], self._counts[address]


class CrowdedError(Exception):
    """So many wait already that no one else may.

    Attributes:
        most: how many may.
        mine: whether they are the caller's own.
    """

    def __init__(self, most: int, mine: bool) -> None:
        super().__init__(most, mine)
        self.most = most
        self.mine = mine


class Lane:
    """Work of which so much is done at a time; for one event loop.

    Args:
        places: how much is done at a time.
        share: how much of it may be of one address; all if 0.
        each: how many of one address may wait; without limit if 0.
        all: how many may wait in all; without limit if 0.
    """

    def __init__(self, places: int, share: int = 0, each: int = 0, all: int = 0) -> None:
        self._places = places
        self._share = share or places
        self._each, self._all = each, all
        self._busy: Counter[str] = Counter()
        self._waiting: Waiting[tuple[Caller, asyncio.Future[None]]] = Waiting()

    def __len__(self) -> int:
        """How many are served or wait."""
        return self._busy.total() + len(self._waiting)

    def is_free(self, caller: Caller) -> bool:
        """Whether the caller would be served at once."""
        served = self._busy.total()
        return served < self._places and self._busy[caller.address] < self._share

    def enter_at_once(self, caller: Caller) -> None:
        """Take a place that `is_free`."""
        self._busy[caller.address] += 1

    async def enter(self, caller: Caller) -> None:
        """Wait for a place; `leave` lets go of it.

        Raises:
            CrowdedError: too many wait already.
        """
        if self.is_free(caller):
            return self.enter_at_once(caller)
        if self._each and self._waiting.of(caller.address) >= self._each:
            raise CrowdedError(self._each, True)
        if self._all and len(self._waiting) >= self._all:
            raise CrowdedError(self._all, False)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put(caller, (caller, turn))
        try:
            await turn
        except asyncio.CancelledError:
            self._waiting.drop(caller, (caller, turn))
            if turn.done() and not turn.cancelled():  # it came in the same moment
                self.leave(caller)
            raise

    def leave(self, caller: Caller) -> None:
        """Let the next one have the place."""
        self._busy[caller.address] -= 1
        if not self._busy[caller.address]:
            del self._busy[caller.address]
        while self._busy.total() < self._places:
            full = frozenset(address for address, count in self._busy.items() if count >= self._share)
            found = self._waiting.next(full)
            if found is None:
                return
            follower, turn = found
            if not turn.done():
                self.enter_at_once(follower)
                turn.set_result(None)


class Trials:
    """How many trials of an address may yet fail: each has held up all others, and for nothing.

    Args:
        most: that may fail one after the other.
        every: seconds after which one more may.
        now: seconds that pass.
    """

    def __init__(self, most: int = 4, every: float = 20.0, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._every, self._now = most, every, now
        self._ends: dict[str, float] = {}  # when what has failed is forgotten

    def may(self, address: str) -> bool:
        """Whether one more may be made."""
        return self._left(address) <= (self._most - 1) * self._every

    def failed(self, address: str) -> None:
        """One has failed."""
        now = self._now()
        for one in [one for one, end in self._ends.items() if end < now]:
            del self._ends[one]
        self._ends[address] = now + self._left(address) + self._every

    def _left(self, address: str) -> float:
        return max(0.0, self._ends.get(address, 0.0) - self._now())
