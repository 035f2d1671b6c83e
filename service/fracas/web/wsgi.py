"""The application for a WSGI server, with settings from the environment."""

from __future__ import annotations

import sys

from fracas.web.application import create_app
from fracas.web.turns import InTurn

SWITCH_SECONDS = 0.0001
"""How soon a thread that has work to do is heard. Only one works at a time, so it is the arrivals that are heard."""

sys.setswitchinterval(SWITCH_SECONDS)
app = InTurn(create_app())
