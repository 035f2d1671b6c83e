"""The production server: Granian, which runs on Windows, macOS and Linux."""

from __future__ import annotations

import gc
import json
import os
import secrets
import socket
import time
from collections.abc import Callable
from contextlib import closing, suppress
from threading import Thread
from typing import Any

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from fracas.engine.game import Games
from fracas.engine.opening import keep_built_in
from fracas.errors import MAX_SHOWN, DatabaseError, FracasError
from fracas.web import addresses, browser
from fracas.web.application import read_packs
from fracas.web.combat import EXAMPLE
from fracas.web.database import claim, open_store, with_database
from fracas.web.settings import Settings

PATIENCE = 10
"""Seconds until a worker that was asked to stop is made to: a client may not fetch what was sent to it."""


class CannotListenError(FracasError):
    """The address is taken or not ours."""

    code = "cannot-listen"


SHARED = (
    "CAUTION: another service uses {} too. Both work, but each shows what the other does only after seconds; "
    "PostgreSQL is made for several services."
)


class _Server(Granian):  # type: ignore[valid-type, misc]
    """Granian, with something to do as soon as its worker has been started."""

    def __init__(self, *args: Any, once_started: Callable[[], None], **options: Any) -> None:
        super().__init__(*args, **options)
        self._once_started = once_started

    def startup(self, *args: Any) -> None:
        super().startup(*args)
        # Not before the worker is there: a process with several threads must not be copied.
        Thread(target=self._once_started, name="fracas-started", daemon=True).start()


def run(settings: Settings, say: Callable[[str], object], *, opens_browser: bool = False) -> None:
    """Serve until interrupted.

    Args:
        say: prints a line.
        opens_browser: open the console in the browser as soon as the service answers.

    Raises:
        PackError: a pack cannot be used.
        DatabaseError: the database of encounters cannot be opened.
        CannotListenError: the address is taken or not ours.
    """
    # Faults show here, before any worker starts; nothing of the database is left open that a worker could inherit.
    _check_address(settings)
    say("Reading the packs")
    keep_built_in()
    for line in _complaints(read_packs(settings)):
        say(line)
    say("Preparing the database")
    settings = with_database(settings)
    store = open_store(settings.database)
    store.close()
    made = "" if settings.admin_token else secrets.token_urlsafe(24)
    secret = settings.secret or secrets.token_bytes(32)
    settings = settings._replace(secret=secret, admin_token=settings.admin_token or made)
    os.environ.update(settings.to_environment())

    claims: list[object] = []

    def once_started() -> None:
        gc.enable()
        with suppress(OSError):  # nobody reads any more what is given
            if store.file is not None:
                claims.append(claim(store.file))
                if claims == [None]:
                    say(SHARED.format(store.name))
            _wait_for(settings)
            for line in _welcome(settings):
                say(line)
        if opens_browser:
            browser.open_page(f"{addresses.page(settings.host, settings.port)}/")

    for line in (*_notes(settings, store.name, made), "Starting the service"):
        say(line)
    server = _Server(
        "fracas.web.asgi:app",
        address=addresses.numeric(settings.host),
        port=settings.port,
        interface=Interfaces.ASGI,
        workers=1,
        workers_kill_timeout=PATIENCE,
        log_level=LogLevels.error,
        websockets=False,
        once_started=once_started,
    )
    try:
        server.serve(target_loader=_application, wrap_loader=False)
    finally:
        with suppress(DatabaseError), closing(open_store(settings.database)) as left:
            left.fold_journal()


def _application() -> Any:
    """What the server calls. Granian's own loader would let modules of the current folder take the place of ours."""
    from fracas.web.asgi import app

    return app


def _complaints(games: Games) -> list[str]:
    """What is wrong with the packs that are left out."""
    lines = []
    for folder, problems in games.left_out.items():
        lines += [f"LEFT OUT: the pack {folder}", *(f"  {problem}" for problem in problems[:MAX_SHOWN]), ""]
    return lines


def _check_address(settings: Settings) -> None:
    try:
        address = addresses.numeric(settings.host)
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, settings.port))
    except OSError as error:
        message = f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}"
        raise CannotListenError(message) from error


def _notes(settings: Settings, database: str, made: str) -> list[str]:
    """What to know of the service while it starts.

    Args:
        database: where encounters are kept.
        made: the administrator's token, if it is one of this start.
    """
    address = addresses.page(settings.host, settings.port)
    quote = '\\"' if os.name == "nt" else '"'
    body = json.dumps(EXAMPLE, separators=(",", ":")).replace('"', quote)
    wrapped = f'"{body}"' if os.name == "nt" else f"'{body}'"
    return [
        "",
        f"Encounters are kept in {database}",
        *([f"Administrator's token, until the service stops: {made}"] if made else []),
        "Resolve an attack:",
        "",
        f'  curl -s {address}/v1/resolve -H "Content-Type: application/json" -d {wrapped}',
        "",
    ]


def _wait_for(settings: Settings) -> None:
    while not addresses.answers(settings.host, settings.port):
        time.sleep(0.1)


def _welcome(settings: Settings) -> list[str]:
    """Where the service is found, once it answers."""
    address = addresses.page(settings.host, settings.port)
    lines = ["", f"Fracas serves {address} (bridge to tables: {address}/bridge, interface: {address}/docs)"]
    if settings.public:
        lines += [
            f"Others open {settings.public}/, through the proxy",
            "Anyone who reaches it may use it: only encounters ask for a token.",
        ]
    elif not addresses.is_loopback(settings.host):
        if network := addresses.network_pages(settings.host, settings.port):
            outside = " (from outside this container: the address of its computer, with the published port)"
            lines.append(
                f"Others on the network open {' or '.join(f'{each}/' for each in network)}"
                f"{outside if addresses.in_container() else ''}"
            )
        lines.append(
            "Use it in a network that you trust: nothing is encrypted, and only encounters ask for a token."
        )
    return [*lines, f"Open the console: {address}/ (Ctrl+C stops the service)"]
