"""A thread that answers questions whose time is over."""

from __future__ import annotations

import logging
from threading import Event, Thread

from fracas.encounters.encounters import Encounters

EVERY = 0.5
"""Seconds from one look to the next."""

_LOG = logging.getLogger(__name__)


class Clock:
    """Gives the defaults of overdue questions; begins with `start` and ends with `stop`."""

    def __init__(self, encounters: Encounters, every: float = EVERY) -> None:
        self._encounters = encounters
        self._every = every
        self._stop = Event()
        self._thread = Thread(target=self._run, name="fracas-clock", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def _run(self) -> None:
        reported = ""
        while not self._stop.wait(self._every):
            try:
                self._encounters.answer_overdue()
                reported = ""
            except Exception as error:  # the next look may succeed, so nothing may end the clock
                if str(error) != reported:
                    _LOG.exception("overdue questions cannot be answered")
                reported = str(error)
