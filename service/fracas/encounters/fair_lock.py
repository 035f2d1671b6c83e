"""A lock that is fair: threads are served in the order in which they came."""

from __future__ import annotations

from collections import deque
from threading import Lock


class FairLock:
    """A queue in order of arrival; used with ``with``, and not by a thread that holds it already."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._waiting: deque[Lock] = deque()
        self._busy = False

    def __enter__(self) -> None:
        with self._guard:
            if not self._busy:
                self._busy = True
                return
            mine = Lock()
            mine.acquire()
            self._waiting.append(mine)
        try:
            mine.acquire()  # until the one before lets go
        except BaseException:  # Ctrl-C: a thread that gives up must not keep the others waiting
            self._give_up(mine)
            raise

    def __exit__(self, *_: object) -> None:
        with self._guard:
            self._pass_on()

    def _give_up(self, mine: Lock) -> None:
        with self._guard:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:
                self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            self._waiting.popleft().release()
        else:
            self._busy = False
