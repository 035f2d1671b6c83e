"""The application for the server, with settings from the environment."""

from __future__ import annotations

import gc
import sys
from functools import partial

from fracas.encounters.feed import Feed
from fracas.engine.game import Games
from fracas.web.application import create_app
from fracas.web.calls import Environ
from fracas.web.clock import Clock
from fracas.web.database import with_database
from fracas.web.gate import Gate
from fracas.web.public_address import amend
from fracas.web.settings import Settings
from fracas.web.stopping import call_when_stopping
from fracas.web.workers import Workers

SWITCH_SECONDS = 0.0001
"""How soon a thread that has work to do is heard. Only one works at a time, so it is the arrivals that are heard."""

gc.disable()  # what is made here stays, see below
sys.setswitchinterval(SWITCH_SECONDS)
_settings = with_database(Settings.from_environment())
_application = create_app(_settings)
_games: Games = _application.extensions["fracas"]
_feed: Feed = _application.extensions["fracas.feed"]
_clock = Clock(_application.extensions["fracas.encounters"])
_workers = (
    Workers(_settings.workers, _settings.to_environment(), lambda: _games.library.digest)
    if _settings.workers
    else None
)
gc.enable()
gc.freeze()  # the packs stay: nobody need look for garbage among them, nor for the little that the start has left


def _start() -> None:
    _feed.start()
    _clock.start()
    call_when_stopping(_stop)


def _stop() -> None:
    _feed.close()
    _clock.stop()
    if _workers is not None:
        _workers.end()


def _as_it_is(environ: Environ) -> None:
    """Without a public address nothing changes."""


app = Gate(
    _application,
    budget=_settings.budget,
    bodies=_settings.limits.bodies_per_caller,
    waiting=_settings.limits.work_per_caller,
    listeners=_settings.limits.listeners,
    workers=_workers,
    amend=partial(amend, address=_settings.public) if _settings.public else _as_it_is,
    starts=_start,
    stops=_stop,
    forwarded=_settings.public is not None,
)
