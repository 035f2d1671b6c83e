"""The application as a function, for a worker of a page: texts and bytes in, texts and bytes out, no threads."""

from __future__ import annotations

import io
import json
import sys
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_to_bytes
from wsgiref.types import StartResponse, WSGIApplication

from fracas.encounters.encounters import Encounters
from fracas.encounters.memory_store import MemoryStore
from fracas.engine.game import Games
from fracas.packs import compiled
from fracas.packs.library import Library
from fracas.packs.shipped import lie_in
from fracas.web.application import PARTS, assembled
from fracas.web.limits import Limits
from fracas.web.settings import Settings

FILES: Final = "files/"
"""Where an archive has what is no code."""
PACKS: Final = "packs.json"
HOST: Final = "localhost"
"""What the application is called: no name leads to it."""

_ALONE = 1_000_000
"""Limits of one caller do not bind: whoever calls is at this table, and the page is theirs."""


class Inside:
    """A Fracas in memory.

    Args:
        packs: compiled packs.
        lines: of the journal that was kept, see `encounters.memory_store`.
        parts: of the application.
        prefix: the path under which pages of it are shown.
        admin: what whoever runs it shows to make tokens of any fight; nobody does if it is empty.
        secret: signs continuations; a random one if None, so that the next start knows none of them.

    Raises:
        PackError: the packs are of another version.
        DatabaseError: the journal cannot be used.
    """

    def __init__(
        self,
        packs: bytes,
        lines: Iterable[str] = (),
        parts: Iterable[str] = PARTS,
        prefix: str = "",
        admin: str = "",
        secret: bytes | None = None,
    ) -> None:
        self._prefix = prefix
        self._written: list[tuple[str, str]] = []
        games = Games(Library(compiled.opened(packs)))
        store = MemoryStore(lambda encounter, line: self._written.append((encounter, line)), lines)
        self._fights = Encounters(games, store, lambda: time.time_ns() // 1_000_000)
        limits = Limits(fights_per_caller=_ALONE, tokens_per_caller=_ALONE)
        settings = Settings(limits=limits, workers=0, admin_token=admin, secret=secret)
        self.app = assembled(settings, games, self._fights, frozenset(parts))

    def call(
        self, method: str, path: str, headers: str, body: bytes | memoryview = b""
    ) -> tuple[int, str, bytes]:
        """Answer a request.

        Args:
            path: under the prefix, with its query.
            headers: a JSON object.

        Returns:
            status, headers as a JSON list of pairs, and body.
        """
        environ = _environ(method, path.removeprefix(self._prefix), json.loads(headers), bytes(body))
        environ["SCRIPT_NAME"] = self._prefix
        return answered(self.app.wsgi_app, environ)

    def written(self) -> str:
        """What is to be kept before anybody may see the last answer: a JSON list of encounters and lines.

        Each line is given once.
        """
        written_lines = json.dumps(self._written) if self._written else ""
        self._written.clear()
        return written_lines

    def answer_overdue(self) -> None:
        """Give the defaults of questions whose time is over; ask for it now and then."""
        self._fights.answer_overdue()

    def version(self, encounter: str) -> int:
        """The newest version of an encounter; 0 if there is none of this id."""
        row = self._fights.store.row(encounter)
        return row.version if row is not None else 0


def start(archive: str, lines: str, parts: str, how: str) -> Inside:
    """What the worker calls, with JSON lists of lines and parts: Fracas with what its archive contains.

    Args:
        how: a JSON object of other arguments of `Inside`; the secret in hexadecimal.
    """
    with zipfile.ZipFile(archive) as opened:
        names = [name for name in opened.namelist() if name.startswith(FILES)]
        opened.extractall("/", names)
        packs = opened.read(PACKS)
    lie_in(Path("/") / FILES)
    more = json.loads(how)
    if "secret" in more:
        more["secret"] = bytes.fromhex(more["secret"])
    return Inside(packs, json.loads(lines), json.loads(parts) or PARTS, **more)


def _environ(method: str, path: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    path, _, query = path.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": unquote_to_bytes(path or "/").decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": HOST,
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": HOST,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    environ.pop("HTTP_CONTENT_LENGTH", None)
    return environ


def answered(app: WSGIApplication, environ: dict[str, Any]) -> tuple[int, str, bytes]:
    """What a WSGI application answers: status, headers as JSON, body."""
    given: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        given[:] = [int(status[:3]), headers]
        return body.write

    body = io.BytesIO()
    starts: StartResponse = start_response
    parts = app(environ, starts)
    try:
        for part in parts:
            body.write(part)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    status, headers = given
    return status, json.dumps(headers), body.getvalue()
