"""Which pages of other origins have called lately, for those who set up a virtual tabletop."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

MOST = 20
"""Origins that are remembered."""
MOST_MET = 100
"""Origins, and names of the service, whose first request is reported."""


class Call(NamedTuple):
    """The last request of an origin.

    Attributes:
        at: by the monotonic clock, in seconds.
        allowed: whether the origin may call.
    """

    origin: str
    at: float
    allowed: bool

    @property
    def ago(self) -> int:
        """Seconds since then."""
        return int(time.monotonic() - self.at)


class Callers:
    """The last request of each origin, the newest last."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, Call] = OrderedDict()
        self._met: set[str] = set()
        self._hosts: set[str] = set()
        self._lock = Lock()

    def called(self, origin: str, allowed: bool) -> bool:
        """Note a request, and return whether it is the first one of its origin: of `MOST_MET` origins at most."""
        with self._lock:
            self._calls[origin[:100]] = Call(origin[:100], time.monotonic(), allowed)
            self._calls.move_to_end(origin[:100])
            if len(self._calls) > MOST:
                self._calls.popitem(last=False)
            first = origin[:100] not in self._met and len(self._met) < MOST_MET
            if first:
                self._met.add(origin[:100])
            return first

    def misnamed(self, host: str) -> bool:
        """Note a name under which the service was called and does not answer, and return whether it is the first call
        under it: of `MOST_MET` names at most."""
        with self._lock:
            first = host[:100] not in self._hosts and len(self._hosts) < MOST_MET
            if first:
                self._hosts.add(host[:100])
            return first

    def newest(self) -> list[Call]:
        """The newest first."""
        with self._lock:
            return list(reversed(self._calls.values()))
