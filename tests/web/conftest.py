"""The application in this process, for tests that need no server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from inside_service import InsideService
from service_packs import STREET, TOKEN, write
from werkzeug.test import Client

from fracas.engine import checking, opening
from fracas.web.application import create_app
from fracas.web.limits import Limits
from fracas.web.settings import Settings

SECRET = b"a secret of the tests, 32 bytes."
LIMITS = Limits(fights_per_caller=1_000_000, tokens_per_caller=1_000_000)
"""The tests all call from one address."""


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app(Settings(secret=SECRET, limits=LIMITS))


@pytest.fixture(scope="session")
def inside() -> Iterator[InsideService]:
    service = InsideService()
    yield service
    service.close()


@pytest.fixture
def client(request: pytest.FixtureRequest, app: Flask) -> Client:
    """With ``--inside`` it speaks with Fracas as pages have it, see `inside_service`."""
    if request.config.getoption("--inside"):
        return Client(request.getfixturevalue("inside").wsgi)
    return app.test_client()


@pytest.fixture(scope="session")
def document(app: Flask) -> Any:
    return json.loads(app.test_client().get("/openapi.json").data)


@pytest.fixture(scope="module")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The street is the only built-in pack."""
    folder = tmp_path_factory.mktemp("built-in")
    write(folder / "street", STREET)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("fracas.packs.shipped", checking.__name__, opening.__name__):
            patch.setattr(f"{module}.shipped", lambda name: folder)
        yield folder


@pytest.fixture(scope="module")
def plain(built_in: Path) -> FlaskClient:
    """A service without packs of its own, and without an administrator."""
    return create_app(Settings()).test_client()


@pytest.fixture
def added(tmp_path: Path) -> Path:
    return tmp_path / "packs"


@pytest.fixture
def start(built_in: Path, added: Path) -> Callable[[], FlaskClient]:
    """Starts a service with the packs that lie in the folder by then."""
    return lambda: create_app(Settings(packs=(added,), admin_token=TOKEN)).test_client()
