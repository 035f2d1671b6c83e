"""The application in this process, for tests that need no server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from fracas.web.application import create_app
from fracas.web.settings import Settings

SECRET = b"a secret of the tests, 32 bytes."


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app(Settings(secret=SECRET))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="session")
def document(app: Flask) -> Any:
    return json.loads(app.test_client().get("/openapi.json").data)
