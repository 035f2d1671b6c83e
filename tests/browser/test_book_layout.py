"""Rulebooks and the odds on a phone and on a large screen: nothing sticks out, tables scroll by themselves or fit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from console_page import PHONE, SCREEN, Console, console_of
from playwright.sync_api import Browser, expect
from tiers import scale

from fracas.packs.manuscript import read

pytestmark = pytest.mark.browser

ATTACK = "Fire semi-automatically"
RULESETS = ("cwn", "imperium", "sr4", "sr5")
PAGES = ["", *RULESETS, *(f"{one}/{chapter.id}" for one in RULESETS for chapter in read(one).chapters)]


@pytest.fixture(scope="module")
def phone(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, PHONE) as console:
        yield console


@pytest.fixture(scope="module")
def screen(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, SCREEN) as console:
        yield console


def test_no_page_of_a_rulebook_sticks_out(phone: Console) -> None:
    """In the night all of them, else a sample."""
    found = {}
    for page in PAGES[:: scale(4, 1)]:
        phone.open(f"/book/{page}")
        for size in (PHONE["viewport"], SCREEN["viewport"]):  # what takes long is to load a page
            phone.page.set_viewport_size(size)
            if out := phone.sticks_out():
                found[page, size["width"]] = out
        phone.page.set_viewport_size(PHONE["viewport"])
    assert found == {}


def test_chapters_stand_beside_the_text_where_there_is_room(phone: Console, screen: Console) -> None:
    for console, there in ((phone, False), (screen, True)):
        console.open("/book/sr4/8")
        chapters = console.page.get_by_role("navigation", name="All chapters")
        expect(chapters).to_be_visible(visible=there)
    screen.page.get_by_role("link", name="9. Melee combat").first.click()
    expect(screen.page.get_by_role("heading", name="9.1 Modifiers of the attacker")).to_be_visible()


def test_what_each_modifier_is_worth_fits_a_phone(phone: Console) -> None:
    phone.play("The loading dock")
    who = phone.until_offered(ATTACK)
    form = phone.choose(who, ATTACK)
    form.get_by_text("What each modifier is worth").click()
    table = form.locator("#worth .scroll")
    expect(table).to_be_visible()
    assert table.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    assert phone.sticks_out() == []
