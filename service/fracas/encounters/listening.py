"""Hearing what other processes append to the same PostgreSQL database."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread, current_thread
from typing import TYPE_CHECKING, Any

from fracas.encounters.store import Heard

if TYPE_CHECKING:
    import psycopg

CHANNEL = "fracas"

POLL = 0.25
"""Seconds after which the thread looks whether it shall stop."""

LONGEST_PAUSE = 5.0
"""Seconds between two attempts to reach a server that is gone; the first follow faster."""

_log = logging.getLogger(__name__)


class Listener:
    """A thread with a connection of its own; it comes back after every failure.

    Args:
        connect: opens a connection in autocommit mode.
        heard: called with an encounter's id and its version; (None, 0) says that some news may have been missed.
    """

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]], heard: Heard) -> None:
        self._connect = connect
        self._heard = heard
        self._stop = Event()
        self._tried = Event()
        self._thread = Thread(target=self._run, name="fracas-listener", daemon=True)
        self._thread.start()
        self._tried.wait(LONGEST_PAUSE)

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not current_thread():
            self._thread.join(LONGEST_PAUSE)

    def _run(self) -> None:
        import psycopg

        pause = POLL
        while not self._stop.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    if self._tried.is_set():
                        self._tell(None, 0)
                    self._tried.set()
                    pause = POLL
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=POLL):
                            encounter, _, version = notice.payload.rpartition(" ")
                            self._tell(encounter, int(version))
            except (psycopg.Error, OSError) as error:
                self._tried.set()
                if not self._stop.is_set():
                    _log.warning("listening to PostgreSQL failed, trying again: %s", type(error).__name__)
                self._stop.wait(pause)
                pause = min(pause * 2, LONGEST_PAUSE)

    def _tell(self, encounter: str | None, version: int) -> None:
        try:
            self._heard(encounter, version)
        except Exception:
            _log.exception("what was heard of an encounter could not be passed on")
