"""Requests take turns: bodies are read side by side, the work is done one request after the other.

The work is bound by the processor, and Python runs one thread at a time anyway: letting requests interrupt each
other only lengthens the longest waits. But a caller that sends slowly must not hold up the rest. So each request
has a thread that waits for its body, and then for its turn, in order of arrival.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from fracas.encounters.fair_lock import FairLock
from fracas.web.settings import most_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

THREADS = 64
"""Callers that may be sending or waiting at the same time."""

SLOW = ("/v1/packs/check", "/v1/packs/reload", "/console/check")
"""What may take seconds takes turns of its own, so that it does not hold up a fight."""

STREAMED = "fracas.streamed"
"""Set in the environment of a request whose answer goes on for as long as a client listens."""

CHUNK = 65_536
MAX_DRAINED = 64 * 1_048_576
"""Bytes of a body that is too large which are read, so that its sender can hear the answer."""


class InTurn:
    """A WSGI application whose requests take turns."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app
        self._turns = FairLock()
        self._slow = FairLock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        body = _read(environ)
        environ["wsgi.input"] = io.BytesIO(body)
        if environ.pop(
            "HTTP_TRANSFER_ENCODING", None
        ):  # the chunks are put together: the length is known now
            environ["CONTENT_LENGTH"] = str(len(body))
        with self._slow if environ.get("PATH_INFO") in SLOW else self._turns:
            answer = self._app(environ, start_response)
            if STREAMED in environ:
                return answer  # piece by piece, and without a turn
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
    most = most_of(environ.get("PATH_INFO") or "")
    chunked = not length and bool(environ.get("HTTP_TRANSFER_ENCODING"))
    if chunked:
        body = _up_to(stream, most + 1)
        if len(body) <= most:
            return body
    elif not length.isdigit() or int(length) <= most:
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
