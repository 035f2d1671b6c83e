"""The production server: Granian, which runs on Windows, macOS and Linux."""

from __future__ import annotations

import json
import os
import secrets
import socket
from collections.abc import Callable

from fracas.encounters.feed import LISTENERS
from fracas.engine.game import Games
from fracas.errors import MAX_SHOWN, FracasError
from fracas.web.application import read_packs
from fracas.web.combat import EXAMPLE
from fracas.web.database import open_store, with_database
from fracas.web.settings import Settings
from fracas.web.turns import THREADS

PATIENCE = 10
"""Seconds until a worker that was asked to stop is made to: somebody may not fetch what was sent to him."""


class CannotListenError(FracasError):
    """The address is taken or not ours."""

    code = "cannot-listen"


def run(settings: Settings, say: Callable[[str], object]) -> None:
    """Serve until interrupted.

    Raises:
        PackError: a pack cannot be used.
        DatabaseError: the database of encounters cannot be opened.
        CannotListenError: the address is taken or not ours.
    """
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    # Faults show here, before any worker starts; nothing of the database is left open that a worker could inherit.
    for line in _complaints(read_packs(settings)):
        say(line)
    _check_address(settings)
    settings = with_database(settings)
    store = open_store(settings.database)
    store.close()
    made = "" if settings.admin_token else secrets.token_urlsafe(24)
    secret = settings.secret or secrets.token_bytes(32)
    settings = settings._replace(secret=secret, admin_token=settings.admin_token or made)
    os.environ.update(settings.to_environment())
    for line in _welcome(settings):
        say(line)
    say(f"Encounters are kept in {store.name.removeprefix('sqlite+pysqlite:///')}")
    if made:
        say(f"Administrator's token, until the service stops: {made}")
    server = Granian(
        "fracas.web.wsgi:app",
        address=_address(settings.host),
        port=settings.port,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=THREADS + LISTENERS,
        workers_kill_timeout=PATIENCE,
        log_level=LogLevels.error,  # it warns of many threads, which mostly wait
        websockets=False,
    )
    server.serve()


def _complaints(games: Games) -> list[str]:
    """What is wrong with the packs that are left out."""
    lines = []
    for folder, problems in games.left_out.items():
        lines += [f"LEFT OUT: the pack {folder}", *(f"  {problem}" for problem in problems[:MAX_SHOWN]), ""]
    return lines


def _address(host: str) -> str:
    """The address of a name, which is all that the server takes."""
    found = socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM)
    best = min(
        found, key=lambda each: each[0] != socket.AF_INET
    )  # where a name has both kinds, the older one
    return str(best[4][0])


def _check_address(settings: Settings) -> None:
    try:
        address = _address(settings.host)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, settings.port))
    except OSError as error:
        message = f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}"
        raise CannotListenError(message) from error


def _welcome(settings: Settings) -> list[str]:
    name = settings.host.strip("[]")
    host = f"[{name}]" if ":" in name else name
    address = f"http://{host}:{settings.port}"
    quote = '\\"' if os.name == "nt" else '"'
    body = json.dumps(EXAMPLE, separators=(",", ":")).replace('"', quote)
    wrapped = f'"{body}"' if os.name == "nt" else f"'{body}'"
    lines = [
        f"Open the console: {address}/",
        f"Fracas serves {address} (bridge to tables: {address}/bridge, interface: {address}/docs)",
    ]
    if name not in ("127.0.0.1", "localhost", "::1"):
        lines.append(
            "Everybody who reaches this address may use the service: only encounters ask for a token."
        )
    lines += [
        "Resolve an attack:",
        "",
        f'  curl -s {address}/v1/resolve -H "Content-Type: application/json" -d {wrapped}',
        "",
    ]
    return lines
