"""Under the path of a public address everything works in a browser, and no request leaves the path."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bridge_page import Bridge
from console_page import Console, console_of
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PATH = "/beside/fracas"


@pytest.fixture(scope="module")
def below(serve: Callable[..., Any]) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    public = f"http://127.0.0.1:{port}{PATH}"
    with serve(FRACAS_PORT=str(port), FRACAS_PUBLIC_URL=public):
        yield public


def asked_by(page: Page) -> list[str]:
    """The addresses of all requests that a page makes from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def test_a_fight_with_a_player_who_watches(browser: Browser, below: str) -> None:
    with console_of(browser, below) as gm, console_of(browser, below) as player:
        asked = [asked_by(gm.page), asked_by(player.page)]
        gm.play("The loading dock")
        gm.page.get_by_role("link", name="People").click()
        link = gm.invite("Ada")
        gm.page.get_by_role("link", name="Table", exact=True).click()
        gm.expect_live()
        player.page.goto(link)
        player.arrive()
        gm.go_on()
        player.expect_as(gm)  # what the feed has told
        leave(player)
        assert [url for urls in asked for url in urls if not url.startswith(f"{below}/")] == []


def leave(player: Console) -> None:
    """A link of a page, which must not lead out of the path."""
    player.page.get_by_role("link", name="Fracas, start").click()
    expect(player.page.get_by_role("heading", name="Start a fight")).to_be_visible()


def test_the_bridge_page_and_the_interface(page: Page, below: str) -> None:
    asked = asked_by(page)
    bridge = Bridge(page, below)
    bridge.shoot()
    with page.expect_response("**/v1/resolve"):
        bridge.roll.click()
    with page.expect_response("**/openapi.json") as answer:
        page.goto(f"{below}/docs")
    assert answer.value.ok
    assert [server["url"] for server in answer.value.json()["servers"]] == [PATH]
    assert [url for url in asked if not url.startswith((f"{below}/", "data:"))] == []
    assert any(url.endswith("/v1/resolve") for url in asked)
