"""The first page of the console: games, house rules, the fights of a browser, and the way in for players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from console_page import PHONE, Console, console_of
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def gm(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address) as console:
        yield console


@pytest.fixture
def player(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, PHONE) as console:
        yield console


def test_house_rules_are_chosen_before_play_and_shown_in_the_settings(gm: Console) -> None:
    gm.open()
    gm.choose_game("Shadowrun 4")
    gm.page.get_by_role("group", name="Glitch rule").get_by_role("radio", name="more than half").check(
        force=True
    )
    gm.page.get_by_role("switch", name="Grazing hits").uncheck()
    gm.page.get_by_role("button", name="Play “The loading dock”").click()
    gm.arrive()
    gm.open(f"{gm.fight}/people")
    settings = gm.page.get_by_role("region", name="Settings")
    expect(settings).to_contain_text("Glitch rule instead of half or more")
    expect(settings.get_by_role("radio", name="more than half")).to_be_checked()
    expect(settings).to_contain_text("Grazing hits instead of on")
    expect(settings.get_by_role("switch", name="Grazing hits")).to_be_disabled()
    expect(settings).to_contain_text(
        "House rules change between two Combat Turns, and Combat Turn 1 is not over"
    )
    gm.open()
    gm.choose_game("Shadowrun 4")
    gm.page.get_by_role("switch", name="Grazing hits").uncheck()
    gm.page.get_by_role("button", name="Reset").click()
    expect(gm.page.get_by_role("switch", name="Grazing hits")).to_be_checked()
    assert gm.complaints == []


def test_fights_are_listed_with_their_turn_and_day_and_can_be_removed(gm: Console) -> None:
    gm.play("The loading dock")
    fight = gm.fight
    gm.open()
    listed = gm.page.get_by_role("region", name="Fights of this browser").get_by_role("listitem")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("Shadowrun 4, Combat Turn 1, today")
    gm.page.get_by_role("link", name="Open The loading dock").click()
    gm.arrive()
    assert gm.fight == fight
    gm.open()
    asked: list[str] = []
    gm.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    gm.page.get_by_role("button", name="Remove The loading dock from this list").click()
    expect(gm.page.get_by_role("region", name="Fights of this browser")).to_have_count(0)
    assert len(asked) == 1
    assert "Without another key" in asked[0]


def test_a_player_joins_with_a_pasted_invitation(gm: Console, player: Console) -> None:
    gm.play("The loading dock")
    gm.open(f"{gm.fight}/people")
    gm.expect_live()
    link = gm.invite("Bo", "Rook")
    player.open()
    player.page.get_by_role("textbox", name="Invitation").fill(link)
    player.page.get_by_role("button", name="Join").click()
    player.arrive()
    assert player.fight == gm.fight
    player.open()
    expect(player.page.get_by_role("region", name="Fights of this browser")).to_contain_text("as Bo")
    assert player.sticks_out() == []
    assert player.complaints == []


def test_the_log_is_searched_and_goes_back(gm: Console) -> None:
    gm.play("The loading dock")
    gm.open(f"{gm.fight}/log")
    gm.expect_live()
    events = gm.page.locator("article.event")
    expect(events).to_have_count(gm.version)
    gm.page.get_by_role("radio", name="Changes by hand").check(force=True)
    expect(events.filter(has_text="Combat Turn 1 begins")).to_have_count(0)
    gm.page.get_by_role("searchbox", name="Search the log").fill("brick joins")
    expect(events).to_have_count(1)
    gm.page.get_by_role("button", name="Back to after event").click()
    expect(events).to_have_count(1)
    gm.page.get_by_role("searchbox", name="Search the log").fill("")
    gm.page.get_by_role("radio", name="Everything").check(force=True)
    expect(events.filter(has_text="undone by").first).to_be_visible()
    assert gm.complaints == []
