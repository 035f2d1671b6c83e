"""The interface's page works offline and sends real requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from fracas.web.combat import EXAMPLE

pytestmark = pytest.mark.browser

SECONDS = 120
"""The page draws the whole interface, which takes long on a machine under load."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One for all: it takes long to load."""
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        context.set_default_timeout(SECONDS * 1000)
        yield context.new_page()


@pytest.fixture(scope="module")
def docs(complaints: list[str], asked: list[str], page: Page, address: str) -> Page:
    """The page, opened as a person does who follows the console's link."""
    page.goto(f"{address}/docs")
    expect(page.locator(".opblock").first).to_be_visible(timeout=SECONDS * 1000)
    return page


@pytest.fixture(scope="module")
def complaints(page: Page) -> list[str]:
    """What the browser complains of; it grows while a test runs."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("requestfailed", lambda request: found.append(f"{request.url}: {request.failure}"))
    return found


@pytest.fixture(scope="module")
def asked(page: Page) -> list[str]:
    """The addresses that the browser asks for; it grows while a test runs."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def test_every_operation_is_listed_and_all_of_the_page_comes_from_the_service(
    complaints: list[str], asked: list[str], docs: Page, address: str, tmp_path: Path
) -> None:
    paths = docs.request.get(f"{address}/openapi.json").json()["paths"]
    listed = {
        (
            block.locator(".opblock-summary-method").inner_text(),
            block.locator(".opblock-summary-path").get_attribute("data-path"),
        )
        for block in docs.locator(".opblock").all()
    }
    screenshot = docs.screenshot(path=tmp_path / "docs.png", full_page=True)

    methods = ("get", "post", "put", "patch", "delete")
    assert listed == {
        (word.upper(), path) for path, item in paths.items() for word in item if word in methods
    }
    assert ("POST", "/v1/resolve") in listed
    assert docs.url == f"{address}/docs"
    assert docs.locator(".info .title").inner_text().startswith("Fracas")
    assert screenshot.startswith(b"\x89PNG")
    assert f"{address}/openapi.json" in asked
    assert [url for url in asked if not url.startswith((f"{address}/", "data:"))] == []
    assert complaints == []


def test_the_prefilled_attack_is_resolved_by_try_it_out(complaints: list[str], docs: Page) -> None:
    block = docs.locator("#operations-combat-resolve")
    block.locator(".opblock-summary").click()
    block.get_by_role("button", name="Try it out").click()
    assert json.loads(block.locator("textarea.body-param__text").input_value()) == EXAMPLE

    with docs.expect_response("**/v1/resolve") as caught:
        block.get_by_role("button", name="Execute").click()
    shown = block.locator(".live-responses-table .response")
    expect(shown.locator(".response-col_status")).to_contain_text("200")
    answer = caught.value.json()
    assert answer["status"] == "resolved"
    expect(shown.locator(".response-col_description")).to_contain_text('"result": ')
    assert complaints == []


def test_another_procedure_brings_its_own_request(complaints: list[str], docs: Page) -> None:
    docs.get_by_label("Requests of the procedure").select_option("cwn attack")
    block = docs.locator("#operations-combat-getOdds")
    block.locator(".opblock-summary").click()
    body = block.locator(".opblock-section-request-body")
    body.get_by_text("Schema", exact=True).click()
    expect(body).to_contain_text("CwnAttackRequest")
    expect(body).not_to_contain_text("Sr4")
    assert complaints == []
