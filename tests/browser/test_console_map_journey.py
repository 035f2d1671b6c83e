"""The map in the console: a fight with the map alone, by mouse, by keyboard and on a phone."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator

import pytest
from console_page import PHONE, Console, console_of
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def console(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address) as console:
        yield console


def to_the_map(console: Console, skirmish: str) -> None:
    """From the first page to a running fight, with everybody on the map."""
    console.play(skirmish)
    console.page.get_by_role("navigation", name="Fight").get_by_role("link", name="Map").click()
    console.page.get_by_role("button", name=re.compile("Place .* on the map")).click()
    expect(console.page.locator("[data-token]").first).to_be_visible()


def acting(console: Console) -> Locator:
    return console.page.locator("[data-token]:has(.piece.acts)").first


def drag(console: Console, token: Locator, x: float, y: float) -> None:
    """Drag a token so many pixels."""
    token.locator(".piece").scroll_into_view_if_needed()
    box = token.locator(".piece").bounding_box()
    assert box is not None
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = console.page.mouse
    mouse.move(*at)
    mouse.down()
    mouse.move(at[0] + x / 2, at[1] + y / 2)
    mouse.move(at[0] + x, at[1] + y)
    mouse.up()


def swipe(page: Page, at: tuple[float, float], x: float, y: float) -> None:
    """A finger that goes so many pixels from a place on the screen."""
    browser = page.context.new_cdp_session(page)
    for step in range(12):
        kind = "touchStart" if step == 0 else "touchMove" if step < 11 else "touchEnd"
        points = [{"x": at[0] + x * step / 10, "y": at[1] + y * step / 10}] if step < 11 else []
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(20)


DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""A picture of one pixel."""
PRESSED = (
    "#action-panel .submit-bar .main",
    ".question button.main",
    ".question button",
    ".weapon.best",
    ".thumb .order-button button:not(.square)",
    ".enders button",
)
"""What is pressed on the map, the first of these that stands there."""


def fight_on(console: Console, until: str = ".note.over", most: int = 150) -> None:
    """Fight on the map until something stands there, such as that one side is out: best attacks, defaults, and whatever
    comes next."""
    page = console.page
    version = page.locator("[data-map]")
    for _ in range(most):
        if page.locator(until).count():
            return
        if page.locator("[data-token] .piece.acts").count():
            expect(page.locator("[data-token]:has(.piece.acts.chosen)")).to_have_attribute(
                "data-token", page.locator("#map-who").input_value()
            )
        before = version.get_attribute("data-version") or ""
        page.locator(":is(" + ", ".join(PRESSED) + "):visible").first.wait_for()
        found = (page.locator(f"{one}:visible") for one in PRESSED)
        next(one for one in found if one.count()).first.click()
        page.wait_for_function(
            """seen => document.querySelector("[data-map]").dataset.version !== seen
              || document.querySelector("#action-panel form")""",
            arg=before,
        )
    raise AssertionError(f"after {most} presses there is no {until}")


def test_a_fight_with_the_map_alone(console: Console) -> None:
    to_the_map(console, "The front gate")
    page = console.page
    before = acting(console).get_attribute("data-cx")
    distances = page.get_by_role("region", name=re.compile("^From ")).get_by_role("row")
    first = distances.nth(1).inner_text()
    drag(console, acting(console), 30, 40)
    expect(acting(console)).not_to_have_attribute("data-cx", before or "")
    expect(distances.nth(1)).not_to_have_text(first)
    # A pointer on another token: how far away they are, and how far they reach
    other = page.locator("[data-token][data-movable]:not(:has(.piece.acts))").first
    other.locator(".piece").hover()
    expect(page.locator("#map-line text")).to_contain_text("away")
    expect(page.locator("#map-hover circle").first).to_be_attached()
    page.mouse.move(0, 0)
    expect(page.locator("#map-hover circle")).to_have_count(0)
    # Too far: the refusal gives the metres
    drag(console, acting(console), 500, 0)
    if page.get_by_label("Move tokens freely").is_checked():
        raise AssertionError("tokens move by the rules unless the GM says otherwise")
    expect(page.locator("#notice")).to_contain_text("m more in this")
    fight_on(console)
    expect(page.locator(".note.over")).to_be_visible()
    assert page.url.endswith("/map")
    assert console.complaints == []


def test_arrows_move_and_walls_are_drawn(console: Console) -> None:
    to_the_map(console, "The front gate")
    page = console.page
    token = acting(console)
    before = float(token.get_attribute("data-cx") or 0)
    token.locator(".piece").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#map-said")).to_have_text("1.0 m from where they stand")
    page.keyboard.press("Enter")
    expect(acting(console)).not_to_have_attribute("data-cx", str(before))
    page.locator("#map-tools").get_by_text("Walls").click()
    page.locator(".map-scroll").focus()
    for key in ("Shift+ArrowDown", "ArrowLeft", "Enter", "Shift+ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".wall-line")).to_have_count(1)
    ends = [at.split(",") for at in (page.locator(".wall-line").get_attribute("points") or "").split()]
    assert ends[0][0] == ends[1][0]
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#map-line text")).to_have_text("1.0 m")
    page.keyboard.press("Escape")
    picture = page.get_by_label("Picture under the map")
    picture.set_input_files({"name": "notes.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(page.locator("#map-file-wrong")).to_contain_text("notes.png is not a picture")
    picture.set_input_files({"name": "large.png", "mimeType": "image/png", "buffer": bytes(3_000_001)})
    expect(page.locator("#map-file-wrong")).to_contain_text("large.png is too large")
    picture.set_input_files({"name": "dot.png", "mimeType": "image/png", "buffer": DOT})
    expect(page.locator("#map-picture")).to_be_visible()
    expect(page.locator("#map-file-wrong")).to_be_hidden()
    page.get_by_role("button", name="Remove Wall 1").click()
    expect(page.locator(".wall-line")).to_have_count(0)
    assert console.complaints == []


def test_a_blast_is_placed_previewed_and_thrown(console: Console) -> None:
    to_the_map(console, "The front gate")
    page = console.page
    status = page.evaluate(
        """async () => {
          const who = document.getElementById("map-who").value;
          const thing = { action: "ready-small-weapon", item: "grenade-fragmentation" };
          const said = { command: "act", combatant: who, ...thing, key: "ready" };
          const address = `${document.querySelector("[data-map]").dataset.map.replace("/map", "")}/command`;
          return (await fetch(address, { method: "POST", body: new URLSearchParams(said) })).status;
        }"""
    )
    assert status == 204
    page.reload()
    page.locator("#map-tools").get_by_text("Blast").click()
    box = page.locator(".field-map").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.5)
    expect(page.locator("circle.blast")).to_be_visible()
    panel = page.get_by_role("region", name=re.compile("^Throw a grenade"))
    panel.get_by_role("button", name="Best point").click()
    expect(panel.locator(".victims li").first).to_contain_text("to drop")
    expect(panel).to_contain_text("people drop on average")
    version = int(page.locator("[data-map]").get_attribute("data-version") or 0)
    panel.get_by_role("button", name="Throw").click()
    page.wait_for_function(
        "seen => Number(document.querySelector('[data-map]').dataset.version) > seen", arg=version
    )
    assert console.complaints == []


def test_the_map_on_a_phone(browser: Browser, address: str) -> None:
    with console_of(browser, address, PHONE) as console:
        to_the_map(console, "The loading dock")
        page = console.page
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, "the page scrolls sideways"
        expect(page.get_by_role("button", name="End turn")).to_be_visible()
        page.evaluate("scrollTo(0, 0)")
        token, scrolls = acting(console), page.locator(".map-scroll")
        before = token.get_attribute("data-cy") or ""
        box = token.locator(".piece").bounding_box()
        assert box is not None
        swipe(page, (box["x"] + 14, box["y"] + 14), 0, 40)
        expect(token).not_to_have_attribute("data-cy", before)
        swipe(page, (300, box["y"] - 150), -150, 0)
        assert scrolls.evaluate("element => element.scrollLeft") > 50, "a finger beside the tokens scrolls"
        fight_on(console, ".clock :text('Combat Turn 2')")
        assert console.complaints == []
