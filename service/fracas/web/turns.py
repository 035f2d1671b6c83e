"""Requests take turns: bodies are read side by side, the work is done one request after the other.

The work is bound by the processor, and Python runs one thread at a time anyway: letting requests interrupt each
other only lengthens the longest waits. But a caller that sends slowly must not hold up the rest. So each request
has a thread that waits for its body, and then for its turn, in order of arrival.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any

from fracas.web.settings import MAX_BODY

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

THREADS = 64
"""Callers that may be sending or waiting at the same time."""

SLOW = ("/v1/packs/check", "/v1/packs/reload")
"""What may take seconds takes turns of its own, so that it does not hold up a fight."""

CHUNK = 65_536
MAX_DRAINED = 64 * 1_048_576
"""Bytes of a body that is too large which are read, so that its sender can hear the answer."""


class Turns:
    """A queue in order of arrival: a lock that is fair."""

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
        mine.acquire()  # until the one before lets go

    def __exit__(self, *_: object) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._busy = False


class InTurn:
    """A WSGI application whose requests take turns."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._turns = Turns()
        self._slow = Turns()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = _read(environ)
        environ["wsgi.input"] = io.BytesIO(body)
        if environ.pop(
            "HTTP_TRANSFER_ENCODING", None
        ):  # the chunks are put together: the length is known now
            environ["CONTENT_LENGTH"] = str(len(body))
        with self._slow if environ.get("PATH_INFO") in SLOW else self._turns:
            answer = self._app(environ, start_response)
            try:
                return [b"".join(answer)]
            finally:
                close: Any = getattr(answer, "close", None)
                if close is not None:
                    close()


def _read(environ: WSGIEnvironment) -> bytes:
    """The body; of one that is too large its beginning, which the application refuses."""
    stream: Any = environ["wsgi.input"]
    length = environ.get("CONTENT_LENGTH") or ""
    chunked = not length and bool(environ.get("HTTP_TRANSFER_ENCODING"))
    if chunked:
        body = _up_to(stream, MAX_BODY + 1)
        if len(body) <= MAX_BODY:
            return body
    elif not length.isdigit() or int(length) <= MAX_BODY:
        return _up_to(stream, int(length)) if length.isdigit() else b""
    else:
        body = b""
    for _ in range(MAX_DRAINED // CHUNK):
        if not stream.read(CHUNK):
            break
    return body


def _up_to(stream: Any, size: int) -> bytes:
    parts = []
    while size > 0 and (part := stream.read(min(size, CHUNK))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
