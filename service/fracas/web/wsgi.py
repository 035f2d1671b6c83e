"""The application for a WSGI server, with settings from the environment."""

from __future__ import annotations

import sys

from fracas.encounters.feed import Feed
from fracas.web.application import create_app
from fracas.web.clock import Clock
from fracas.web.database import with_database
from fracas.web.settings import Settings
from fracas.web.stopping import call_when_stopping
from fracas.web.turns import InTurn

SWITCH_SECONDS = 0.0001
"""How soon a thread that has work to do is heard. Only one works at a time, so it is the arrivals that are heard."""

sys.setswitchinterval(SWITCH_SECONDS)
_application = create_app(with_database(Settings.from_environment()))
_feed: Feed = _application.extensions["fracas.feed"]
_clock = Clock(_application.extensions["fracas.encounters"])


def _stop() -> None:
    _feed.close()
    _clock.stop()


_feed.start()
_clock.start()
call_when_stopping(_stop)
app = InTurn(_application)
