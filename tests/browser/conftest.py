"""The real service, a stand-in for a virtual tabletop's own server, and Chromium."""

from __future__ import annotations

import http.server
import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from foundry_server import Handler as FoundryHandler
from foundry_worlds import Foundry, Table, alley
from playwright.sync_api import Browser, Page, sync_playwright
from tables_server import HTTPS_TABLE, OTHER_NAME, Handler, Tables

CHROMIUM_ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {OTHER_NAME} 127.0.0.1",
)


@pytest.fixture(scope="module")
def tables() -> Iterator[Tables]:
    Handler.over.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Tables(f"http://localhost:{server.server_port}", f"http://127.0.0.1:{server.server_port}")
        Handler.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def foundry() -> Iterator[Foundry]:
    """The stand-in of a Foundry server; `foundry_worlds` makes its worlds."""
    FoundryHandler.over.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), FoundryHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Foundry(f"http://localhost:{server.server_port}", f"http://127.0.0.1:{server.server_port}")
        FoundryHandler.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def fracas(foundry: Foundry, serve: Callable[..., Any]) -> Iterator[str]:
    """The address of a service that allows the stand-in's first origin."""
    with serve(FRACAS_ORIGINS=foundry.origin) as service:
        yield f"http://127.0.0.1:{service.port}"


@pytest.fixture(scope="module")
def address(tables: Tables, serve: Callable[..., Any]) -> Iterator[str]:
    """Where the service listens, which pages of the allowed origins may call."""
    with serve(FRACAS_ORIGINS=f"{tables.allowed},{HTTPS_TABLE}", FRACAS_HOSTS=OTHER_NAME) as service:
        yield f"http://127.0.0.1:{service.port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=list(CHROMIUM_ARGS),
            headless=True,
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a fresh profile."""
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        yield context.new_page()


@pytest.fixture
def table(browser: Browser, foundry: Foundry, fracas: str, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A world of this test alone: the alley."""
    table = Table(browser, foundry, re.sub(r"\W+", "-", request.node.name), alley(fracas))
    yield table
    table.close()
