"""Hearing that the server is about to stop.

The server waits for every answer that is under way, and a live feed never ends by itself. What it does with signals is
its own affair; Python reports each signal that has a handler through a socket as well, on every platform.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from threading import Thread, current_thread, main_thread

_STOPPING = frozenset(
    int(getattr(signal, name)) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)
)

_KEPT: list[socket.socket] = []


def call_when_stopping(act: Callable[[], object]) -> bool:
    """Call a function, in a thread of its own, as soon as the process is asked to stop.

    Returns:
        False, and nothing will be called, outside the main thread, which alone hears of signals.
    """
    if current_thread() is not main_thread():
        return False
    heard, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    _KEPT.append(told)

    def listen() -> None:
        # The sockets stay open: only the main thread could have Python forget them.
        while signals := heard.recv(64):
            if not _STOPPING.isdisjoint(signals):
                act()

    Thread(target=listen, name="fracas-stopping", daemon=True).start()
    return True
