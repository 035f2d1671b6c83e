"""The Foundry module and its service: the preflight, who is refused, and what people are told when it does not work."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from foundry_worlds import (
    ADA,
    GM,
    GUARD,
    HTTPS_FOUNDRY,
    ROOK,
    Foundry,
    Handler,
    Table,
    alley,
    api,
    make_world,
    take_aim_at,
    with_combat,
)
from playwright.sync_api import Browser, Locator, Page, Route, expect

pytestmark = pytest.mark.browser


@contextlib.contextmanager
def silence() -> Iterator[str]:
    """An address at which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def set_address(page: Page, address: str) -> None:
    page.evaluate("address => game.settings.set('fracas', 'address', address)", address)


def check(page: Page) -> Locator:
    """The dialog "Test connection", opened from the settings' menu."""
    page.evaluate("new (game.settings.menus.get('fracas.connection').type)().render({force: true})")
    found = page.locator("#fracas-connection")
    expect(found.locator(".fracas-check").first).to_be_visible()
    return found


def bad(dialog: Locator) -> Locator:
    return dialog.locator(".fracas-check.bad")


def test_all_is_well(table: Table) -> None:
    dialog = check(table(GM, as_files=True))
    expect(dialog.locator(".fracas-check.good")).to_have_count(3)
    assert bad(dialog).count() == 0
    expect(dialog.locator("[data-step=token]")).to_contain_text("You have no token")


def test_the_browser_asks_before_it_sends(table: Table, fracas: str, foundry: Foundry) -> None:
    """The preflight, as the browser's network log has it."""
    ada = table(ADA)
    network = ada.context.new_cdp_session(ada)
    network.send("Network.enable")
    asked: list[dict[str, Any]] = []
    network.on("Network.requestWillBeSent", lambda event: asked.append(event))
    take_aim_at(ada)
    api(ada, "attack({fast: true, situation: {fire: {mode: 'semi-automatic'}}})")
    own = [event["request"] for event in asked if event["request"]["url"].startswith(fracas)]
    preflights = [request["url"] for request in own if request["method"] == "OPTIONS"]
    assert f"{fracas}/v1/resolve" in preflights
    assert any(request["method"] == "POST" and request["url"] == f"{fracas}/v1/resolve" for request in own)


def test_a_page_of_an_unknown_origin_is_told_how_to_be_allowed(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    make_world("foreign", alley(fracas))
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{foundry.foreign}/join?world=foreign&user={GM}")
        page.wait_for_function("globalThis.ready === true")
        dialog = check(page)
        expect(bad(dialog)).to_contain_text("runs, but does not allow this page")
        expect(bad(dialog)).to_contain_text(f"fracas serve --origin {foundry.foreign}")

        take_aim_at(page)
        assert page.evaluate("game.modules.get('fracas').api.attack({fast: true})") is None
        assert page.evaluate("notices.at(-1).kind") == "error"
        assert page.locator(".chat-message").count() == 0


def test_a_service_that_is_down(table: Table) -> None:
    gm = table(GM)
    with silence() as address:
        set_address(gm, address)
        dialog = check(gm)
        expect(bad(dialog)).to_contain_text(f"Nothing answers at {address}.")
        expect(bad(dialog)).to_contain_text("fracas serve")


def test_a_service_that_is_too_slow_is_not_taken_for_one_that_refuses(table: Table, fracas: str) -> None:
    kind = table(GM).evaluate(
        """async (address) => {
          const { ServiceClient } = await import("/modules/fracas/scripts/client.mjs");
          return new ServiceClient({ address, timeout: 1 }).ruleset("sr4").then(() => "", (error) => error.kind);
        }""",
        fracas,
    )
    assert kind == "down"


def test_something_else_answers(table: Table, foundry: Foundry) -> None:
    gm = table(GM)
    set_address(gm, foundry.origin)
    expect(bad(check(gm))).to_contain_text("is not Fracas")


def test_no_address_at_all(table: Table) -> None:
    gm = table(GM)
    set_address(gm, "here")
    expect(bad(check(gm))).to_contain_text("Nothing answers at here.")


def test_a_wrong_token(browser: Browser, foundry: Foundry, fracas: str) -> None:
    table = Table(browser, foundry, "wrong-token", with_combat(alley(fracas), ROOK, GUARD))
    gm = table(GM)
    api(gm, "beginFight()")
    dialog = check(gm)
    expect(dialog.locator("[data-step=token]")).to_have_class(re.compile("good"))

    gm.evaluate("""async () => {
      const fight = game.combat.getFlag("fracas", "encounter").id;
      await game.settings.set("fracas", "tokens", {[fight]: "frc_wrong"});
    }""")
    dialog.get_by_role("button", name="Test again").click()
    expect(bad(dialog)).to_contain_text("does not accept your token")
    expect(dialog.locator(".fracas-check.good")).to_have_count(3)
    table.close()


def test_a_version_that_does_not_fit(table: Table) -> None:
    gm = table(GM)
    gm.evaluate("game.modules.get('fracas').version = '7.3.0'")
    gm.evaluate("game.settings.set('fracas', 'address', game.settings.get('fracas', 'address'))")
    expect(bad(check(gm))).to_contain_text("this module version 7.3.0")


def test_german(table: Table) -> None:
    gm = table(GM, lang="de")
    expect(check(gm)).to_contain_text("Fracas antwortet")


@pytest.fixture
def hosted(browser: Browser, foundry: Foundry, fracas: str) -> Iterator[Page]:
    """The game master at a Foundry served by https, which the service allows."""
    with browser.new_context() as context:
        make_world("hosted", alley(fracas))

        def forward(route: Route) -> None:
            if "/world/feed" in route.request.url:
                state = json.dumps(Handler.worlds["hosted"].state(GM))
                route.fulfill(body=f"data: {state}\n\n", content_type="text/event-stream")
            else:
                route.fulfill(
                    response=route.fetch(url=route.request.url.replace(HTTPS_FOUNDRY, foundry.origin))
                )

        context.route(f"{HTTPS_FOUNDRY}/**", forward)
        page = context.new_page()
        page.goto(f"{HTTPS_FOUNDRY}/join?world=hosted&user={GM}")
        page.wait_for_function("globalThis.ready === true")
        yield page


def test_an_https_page_without_permission(hosted: Page) -> None:
    dialog = check(hosted)
    expect(bad(dialog)).to_contain_text("does not let this page reach your computer")
    expect(bad(dialog)).to_contain_text("site settings")


def test_an_https_page_with_permission(hosted: Page) -> None:
    hosted.context.grant_permissions(["local-network-access"], origin=HTTPS_FOUNDRY)
    expect(check(hosted).locator(".fracas-check.good")).to_have_count(3)


def test_an_https_page_and_plain_http_elsewhere(hosted: Page) -> None:
    set_address(hosted, "http://fracas.example")
    expect(bad(check(hosted))).to_contain_text("plain http")
