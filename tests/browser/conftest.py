"""The real service, a stand-in for a virtual tabletop's own server, and Chromium."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, cast

import pytest
from foundry_server import Handler as FoundryHandler
from foundry_worlds import EVERYWHERE, HTTPS_FOUNDRY, Foundry, Table, alley
from lasting_chromium import LastingChromium
from playwright.sync_api import Browser, Page, expect, sync_playwright
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


def pytest_configure(config: pytest.Config) -> None:
    """With ``--inside``, worlds of Foundry run Fracas themselves."""
    if config.getoption("--inside"):
        EVERYWHERE["fracas.where"] = "inside"


NEED_A_SERVICE = (
    "test_foundry_connection.py",
    "test_foundry_combat.py::test_it_goes_on_after_a_reload_with_what_happened_meanwhile",
    "test_foundry_combat.py::test_it_goes_on_when_the_service_has_been_started_again",
    "test_foundry_combat.py::test_what_people_did_while_no_game_master_was_there",
)
"""Files, and beginnings of names, of journeys that are about the way to a service, or in which fights go on while no
game master is there."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--inside"):
        later = [item for item in items if item.nodeid.partition("browser/")[2].startswith(NEED_A_SERVICE)]
        items[:] = [item for item in items if item not in later]
        config.hook.pytest_deselected(items=later)


expect.set_options(timeout=120_000)  # milliseconds: a machine under load must not fail a right page


@contextmanager
def listening(handler: type[Handler] | type[FoundryHandler]) -> Iterator[int]:
    """A server of pages; the port on which it listens."""
    handler.over.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        handler.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def tables() -> Iterator[Tables]:
    with listening(Handler) as port:
        yield Tables(f"http://localhost:{port}", f"http://127.0.0.1:{port}")


@pytest.fixture(scope="session")
def foundry() -> Iterator[Foundry]:
    """The stand-in of a Foundry server; `foundry_worlds` makes its worlds."""
    with listening(FoundryHandler) as port:
        yield Foundry(f"http://localhost:{port}", f"http://127.0.0.1:{port}")


@pytest.fixture(scope="session")
def fracas(foundry: Foundry, tables: Tables, serve: Callable[..., Any]) -> Iterator[str]:
    """The address of the service, which pages of the first origins of the stand-ins and of both by https may call."""
    origins = (foundry.origin, HTTPS_FOUNDRY, tables.allowed, HTTPS_TABLE)
    with serve(FRACAS_ORIGINS=",".join(origins), FRACAS_HOSTS=OTHER_NAME) as service:
        yield f"http://127.0.0.1:{service.port}"


@pytest.fixture(scope="session")
def address(fracas: str) -> str:
    """The same, for what has nothing to do with Foundry."""
    return fracas


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright, closing(LastingChromium(playwright, CHROMIUM_ARGS)) as chromium:
        yield cast(Browser, chromium)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Kill a Chromium that a test waited for too long: cleaning up after the test need not wait for it as well."""
    chromium = item.funcargs.get("browser")
    if chromium and call.excinfo and "from pytest-timeout" in str(call.excinfo.value):
        chromium.kill()
    return (yield)


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
