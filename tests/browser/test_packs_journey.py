"""The console's packs in Chromium: compare weapons by keyboard, read an entry, check a pack; on a phone too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
FAULTY = """kind: armor
ruleset: sr4
entries:
  - {slug: a, label: A, balistic: 3, impact: 1, source: {ref: ours}}
"""


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains of, such as styles that the policy forbids."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport=PHONE) as context:
        yield context.new_page()


def test_weapons_are_found_and_compared_by_keyboard(
    page: Page, complaints: list[str], address: str, tmp_path: Path
) -> None:
    page.goto(f"{address}/console/packs?ruleset=sr4")
    page.get_by_label("Search").focus()
    page.keyboard.type("ares predator")
    first = page.get_by_label("Compare Ares Predator IV", exact=True)
    expect(first).to_be_visible()
    first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Ares Predator IV", exact=True)).to_be_focused()
    page.get_by_role("button", name="Compare the chosen weapons").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Weapons side by side")).to_be_visible()

    page.get_by_label("Second weapon").focus()
    page.keyboard.type("Katana")
    page.get_by_role("button", name="Compare", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".legend").first).to_contain_text("Katana")
    damage = page.get_by_role("img", name="Expected damage against Armor")
    expect(damage).to_be_visible()
    strokes = damage.locator("polyline").evaluate_all("all => all.map(one => getComputedStyle(one).stroke)")
    assert len(set(strokes)) == 2
    rows = page.get_by_role("table").filter(has_text="Chance to hit and expected damage").locator("tbody tr")
    expect(rows).to_have_count(11)
    expect(page.locator("tr.differs").filter(has_text="Skill")).to_be_visible()
    boxes = [select.bounding_box() or {} for select in page.get_by_role("combobox").all()]
    assert len(boxes) == 4
    assert all(one["x"] + one["width"] < other["x"] for one, other in pairwise(boxes))
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=tmp_path / "compare.png", full_page=True)
    page.emulate_media(color_scheme="light")

    page.get_by_role("link", name="Katana").click()
    expect(page.get_by_role("heading", name="Katana")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Reach")).to_be_visible()
    page.screenshot(path=tmp_path / "entry.png", full_page=True)
    assert complaints == []


def test_an_uploaded_pack_is_checked(page: Page, complaints: list[str], address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/console/packs")
    page.get_by_role("link", name="Check a pack of your own").click()
    file = tmp_path / "armor.yaml"
    file.write_text(FAULTY, "utf-8")
    page.get_by_label("Pack", exact=True).set_input_files(file)
    page.get_by_role("button", name="Check the pack").click()
    expect(page.locator(".faults")).to_contain_text("ballistic")
    expect(page.locator(".faults code").first).to_contain_text(":4:")
    page.screenshot(path=tmp_path / "check.png", full_page=True)

    file.write_text(FAULTY.replace("balistic", "ballistic"), "utf-8")
    page.get_by_label("Pack", exact=True).set_input_files(file)
    page.get_by_role("button", name="Check the pack").click()
    expect(page.get_by_role("heading", name="armor.yaml: no faults")).to_be_visible()
    assert complaints == []


@pytest.mark.parametrize(
    "path",
    [
        "packs?ruleset=sr4&kind=weapon",
        "compare?ruleset=cwn&weapon=heavy-pistol&weapon=sword&weapon=club&weapon=sniper-rifle",
        "entries/sr4-core:modifier/take-aim",
        "entries/sr4-core:table/visibility",
        "check",
    ],
)
def test_nothing_sticks_out_on_a_phone(phone: Page, address: str, path: str, tmp_path: Path) -> None:
    phone.goto(f"{address}/console/{path}")
    phone.screenshot(path=tmp_path / "phone.png", full_page=True)
    wide = phone.evaluate(
        "[...document.querySelectorAll('main *')].filter(one => !one.closest('.scroll, svg, pre')"
        " && one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 80))"
    )
    assert wide == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
