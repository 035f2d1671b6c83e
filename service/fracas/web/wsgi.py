"""The application for a WSGI server, with settings from the environment."""

from __future__ import annotations

import gc
import sys

from fracas.encounters.feed import Feed
from fracas.web.application import create_app
from fracas.web.clock import Clock
from fracas.web.database import with_database
from fracas.web.public_address import AtPublicAddress
from fracas.web.settings import Settings
from fracas.web.stopping import call_when_stopping
from fracas.web.turns import InTurn

SWITCH_SECONDS = 0.0001
"""How soon a thread that has work to do is heard. Only one works at a time, so it is the arrivals that are heard."""

sys.setswitchinterval(SWITCH_SECONDS)
_settings = with_database(Settings.from_environment())
_application = create_app(_settings)
_feed: Feed = _application.extensions["fracas.feed"]
_clock = Clock(_application.extensions["fracas.encounters"])


def _stop() -> None:
    _feed.close()
    _clock.stop()


_feed.start()
_clock.start()
call_when_stopping(_stop)
gc.freeze()  # the packs stay: looking through them for garbage would hold every caller up for half a second
_in_turn = InTurn(_application)
app = AtPublicAddress(_in_turn, _settings.public) if _settings.public else _in_turn
