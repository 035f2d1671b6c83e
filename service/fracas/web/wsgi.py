"""The application for a WSGI server, with settings from the environment."""

from __future__ import annotations

from fracas.web.application import create_app

app = create_app()
