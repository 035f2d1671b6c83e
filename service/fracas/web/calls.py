"""One request as WSGI has it, and its answer: what passes between the server, the application and its workers."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

STREAMED = "fracas.streamed"
"""Set in the environment of a request whose answer goes on for as long as a client listens."""

Environ = dict[str, Any]


class Answer(NamedTuple):
    """The answer to a request.

    Attributes:
        body: the whole of it.
        stream: what follows as it comes, for one that goes on; `close` ends it from any thread.
    """

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    stream: Iterator[bytes] | None = None
    close: Callable[[], object] | None = None


def environ_of(scope: Mapping[str, Any]) -> Environ:
    """The environment of a request of ASGI, without its body."""
    path = scope.get("raw_path") or scope["path"].encode()
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path.partition(b"?")[0]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": str((scope.get("server") or ("", 0))[0]),
        "SERVER_PORT": str((scope.get("server") or ("", 0))[1]),
        "REMOTE_ADDR": str((scope.get("client") or ("", 0))[0]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}"
        environ[key] = text
    return environ


def called(app: WSGIApplication, environ: Environ, body: bytes) -> Answer:
    """What the application answers."""
    environ["wsgi.input"] = io.BytesIO(body)
    environ["wsgi.errors"] = sys.stderr
    reported: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        reported[:] = [int(status.split()[0]), headers]
        return _written

    found: Iterable[bytes] = app(environ, start_response)
    close: Any = getattr(found, "close", None)
    if STREAMED in environ:
        return Answer(reported[0], reported[1], b"", iter(found), close)
    try:
        return Answer(reported[0], reported[1], b"".join(found))
    finally:
        if close is not None:
            close()


def _written(part: bytes) -> object:
    raise AssertionError("the application returns its answers")


_PLAIN = (str, int, bool, float, type(None))


def plain(environ: Environ) -> Environ:
    """What of an environment another process can use."""
    return {name: value for name, value in environ.items() if isinstance(value, _PLAIN)}
