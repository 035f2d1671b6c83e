"""Which pages of other origins have called lately, for those who set up a virtual tabletop."""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

MOST = 20
"""Origins that are remembered."""


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
        self._lock = Lock()

    def called(self, origin: str, allowed: bool) -> None:
        with self._lock:
            self._calls[origin[:100]] = Call(origin[:100], time.monotonic(), allowed)
            self._calls.move_to_end(origin[:100])
            if len(self._calls) > MOST:
                self._calls.popitem(last=False)

    def newest(self) -> list[Call]:
        """The newest first."""
        with self._lock:
            return list(reversed(self._calls.values()))
