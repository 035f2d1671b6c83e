"""Hearing that the server is about to stop.

The server waits for every answer that is under way, and a live feed never ends by itself.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any

_STOPPING = ("SIGINT", "SIGTERM", "SIGBREAK")


def call_when_stopping(act: Callable[[], object]) -> bool:
    """Call a function, in a thread of its own, as soon as the process is asked to stop; what the server does then, it
    still does.

    Returns:
        False, and nothing will be called, outside the main thread, which alone hears of signals.
    """
    if current_thread() is not main_thread():
        return False
    for name in _STOPPING:
        if hasattr(signal, name):
            _add(getattr(signal, name), act)
    return True


def _add(number: int, act: Callable[[], object]) -> None:
    before: Any = signal.getsignal(number)

    def heard(number: int, frame: FrameType | None) -> None:
        # Not here: the thread that was interrupted may hold what the function waits for.
        Thread(target=act, name="fracas-stopping", daemon=True).start()
        if callable(before):
            before(number, frame)

    signal.signal(number, heard)
