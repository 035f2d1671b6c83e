"""A GM and a player at one fight, each at a browser of their own: what one does shows at the other's at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from console_page import PHONE, Console, console_of
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

ATTACK = "Fire semi-automatically"
POOR = {6: 2}
"""Dice with which nobody is hit, and the fight goes on."""


@pytest.fixture
def gm(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address) as console:
        yield console


@pytest.fixture
def player(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, PHONE) as console:
        yield console


def test_a_gm_and_a_player_answer_each_other(gm: Console, player: Console) -> None:
    gm.begin("Shadowrun 4", "The back door", apply="waits for the GM's word")
    gm.join("Vex", player=True)
    gm.join("Guard")
    link = gm.invite("Ana", "Vex")
    gm.page.get_by_role("link", name="Table", exact=True).click()
    gm.arrive()

    player.page.goto(link)
    player.arrive()
    assert link.rpartition("#")[2] not in player.page.url
    expect(player.page.get_by_role("heading", name="The back door")).to_be_visible()
    for name in ("Undo", "Roll initiative", "Open Vex", "Open Guard"):
        expect(gm.page.get_by_role("button", name=name, exact=True)).to_be_visible()
        expect(player.page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(player.page.get_by_role("link", name="People")).to_have_count(0)

    player.page.get_by_role("button", name="Add to the dice").click()  # random digits of their browser
    for console in (gm, player):
        expect(console.page.locator("#head")).to_contain_text("Added to the dice, in order: Ana")
    player.page.get_by_role("button", name="Copy the hash of the log").click()
    expect(player.page.locator("#head code")).to_have_attribute("title", re.compile("[0-9a-f]{64}"))

    gm.press("Roll initiative")
    expect(player.page.get_by_role("button", name="Add to the dice")).to_have_count(0)
    expect(player.mine()).to_have_count(1)
    player.answer_all()
    expect(gm.questions()).to_have_count(0)

    gm.by_hand("Vex", dice="typed in")
    gm.until_acts("Vex")
    player.expect_as(gm)
    player.act("Vex", ATTACK)
    player.answer("No")
    player.dice().fill("1 2 3")
    gm.by_hand("Guard", dice="Fracas rolls")
    player.expect_as(gm)
    expect(player.dice()).to_have_value("1 2 3")
    player.answer_all(POOR)
    expect(player.questions()).to_contain_text("Apply the effects of Fire semi-automatically")
    expect(player.mine()).to_have_count(0)
    assert player.sticks_out() == []
    expect(gm.questions()).to_contain_text(ATTACK)
    gm.expect_as(player)
    gm.answer_all()
    expect(player.questions()).to_have_count(0)

    gm.until_acts("Guard")
    gm.act("Guard", ATTACK)
    expect(player.questions()).to_contain_text("React to Fire semi-automatically by Guard?")
    player.expect_as(gm)
    player.answer_all()
    expect(gm.questions()).to_contain_text("Apply the effects of Fire semi-automatically")
    gm.expect_as(player)
    gm.answer_all()
    expect(player.questions()).to_have_count(0)
    expect(player.result()).to_contain_text("Guard")

    seen = player.version
    gm.press("Undo")
    player.expect_other_than(seen)
    expect(player.questions()).to_contain_text("Apply the effects of Fire semi-automatically")

    gm.page.get_by_role("link", name="People").click()
    gm.page.wait_for_url("**/people")
    gm.expect_live()
    gm.page.get_by_role("button", name="Take it back: the key of Ana").click()
    expect(player.page.get_by_role("heading", level=1)).not_to_contain_text("The back door")
    expect(player.page.get_by_role("main")).to_contain_text("key")
