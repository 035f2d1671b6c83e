"""People in the console: how they get into a fight and are edited there, and a GM and a player at one fight, each at a
browser of their own: what one does shows at the other's at once."""

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
    gm.begin("Shadowrun 4", "The back door", apply="waits for the GM")
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

    gm.real_dice("Vex")
    gm.until_acts("Vex")
    player.expect_as(gm)
    player.act("Vex", ATTACK)
    player.answer("No")
    player.dice().fill("1 2 3")
    gm.real_dice("Guard")
    gm.real_dice("Guard", False)
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
    gm.page.get_by_role("button", name="Revoke the invitation of Ana").click()
    expect(player.page.get_by_role("heading", level=1)).not_to_contain_text("The back door")
    expect(player.page.get_by_role("main")).to_contain_text("key")


@pytest.mark.parametrize("ruleset", ["Shadowrun 4", "Cities Without Number", "Imperium"])
def test_a_name_alone_is_enough_to_fight(gm: Console, ruleset: str) -> None:
    """In one line each, with the keyboard; nothing is missing when the fight begins, and both sides act."""
    gm.begin(ruleset, "A brawl", apply="happens at once")
    quick = gm.page.get_by_role("region", name="Add combatants")
    for name, side, count in (("Ann", "crew", "1"), ("Thug", "gang", "3")):
        quick.get_by_label("Count").fill(count)
        quick.get_by_label("Side").fill(side)
        quick.get_by_role("textbox", name="Name").fill(name)
        gm.page.keyboard.press("Enter")
        expect(quick).to_contain_text("joined")
        expect(quick.get_by_role("textbox", name="Name")).to_have_value("")
    expect(gm.here()).to_have_count(4)
    expect(gm.here().last).to_contain_text("Thug 3")
    assert gm.page.get_by_text("The rules ask for it").count() == 0
    gm.page.get_by_role("link", name="To the table").click()
    gm.arrive()
    gm.press("Roll initiative")
    gm.until_acts("Ann")
    gm.until_acts("Thug 1")
    assert gm.complaints == []


def test_a_pasted_table_asks_for_what_is_missing(gm: Console) -> None:
    gm.begin("Shadowrun 4", "Bouncers", apply="happens at once")
    box = gm.page.get_by_role("region", name="Paste a table or a stat block")
    text = box.get_by_role("textbox", name="Table or stat block")
    text.fill(
        "Name, Body, Agility, Reaction, Intuition, Weapon\n"
        "Nightjar, 3, 5, 4, , Ingram Smartgun X\n"
        "Ork x2, 6, 3, 3, 2, Clubb"
    )
    box.get_by_role("button", name="Preview").click()
    expect(box).to_contain_text("Nightjar has no")
    expect(box).to_contain_text("Left out: Weapon: Clubb (did you mean 'Club'?)")
    assert gm.here().count() == 0
    box.get_by_label("Intuition of Nightjar").fill("5")
    box.get_by_role("button", name="Add 3 combatants").click()
    expect(box).to_contain_text("3 combatants joined: Nightjar, Ork 1, Ork 2.")
    expect(text).to_have_value("")
    expect(gm.here()).to_have_count(3)
    gm.page.get_by_role("button", name="Edit Nightjar").click()
    values = gm.page.get_by_role("group", name="Values of Nightjar")
    expect(values.get_by_role("spinbutton", name="Intuition")).to_have_value("5")
    expect(values.get_by_role("spinbutton", name="Strength")).to_have_value("3")
    assert gm.complaints == []


def test_a_row_is_edited_with_a_click_a_number_and_enter(gm: Console) -> None:
    gm.play("The loading dock")
    gm.open(f"{gm.fight}/people")
    gm.expect_live()
    gm.page.get_by_role("button", name="Edit Brick").click()
    values = gm.page.get_by_role("group", name="Values of Brick")
    with gm.page.expect_response("**/by-hand"):
        values.get_by_role("spinbutton", name="Physical").fill("4")
        gm.page.keyboard.press("Enter")
    with gm.page.expect_response("**/by-hand"):
        values.get_by_role("button", name="Hidden from players").click()
    expect(gm.here().filter(has_text="Brick")).to_contain_text("hidden from players")
    expect(values.get_by_role("spinbutton", name="Physical")).to_have_value("4")  # the row stays open

    values.get_by_label("Another value").select_option(label="Metatype")
    kind = values.locator(".chosen-field")
    expect(kind.get_by_role("combobox")).to_have_value("troll")
    values.get_by_label("Another value").select_option(label="Armor worn")
    expect(kind.get_by_role("listbox")).to_be_visible()
    with gm.page.expect_response("**/by-hand"):
        kind.get_by_role("listbox").select_option(label=["Helmet", "Armor jacket"])
        kind.get_by_role("button", name="Save").click()
    gm.open(gm.fight)
    gm.arrive()
    assert gm.gauges("Brick")["Physical"] == "4/13"
    assert gm.complaints == []


def test_a_side_is_a_group_and_leaves_after_a_question(gm: Console) -> None:
    gm.play("The loading dock")
    gm.open(f"{gm.fight}/people")
    gm.expect_live()
    asked: list[str] = []
    gm.page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    gm.page.get_by_label("Edit the side corp").click()
    with gm.page.expect_response("**/group"):
        gm.page.get_by_role("button", name="Hide all of corp").click()
    expect(gm.here().filter(has_text="hidden from players")).to_have_count(3)
    with gm.page.expect_response("**/group"):
        gm.page.get_by_role("button", name="Remove all of corp").click()
    expect(gm.here()).to_have_count(2)
    assert asked == ["Remove all 3 of corp from the fight?"]


def test_initiative_by_hand(gm: Console) -> None:
    gm.begin("Imperium", "In this order", apply="happens at once")
    quick = gm.page.get_by_role("region", name="Add combatants")
    for name in ("Slow", "Fast"):
        quick.get_by_role("textbox", name="Name").fill(name)
        quick.get_by_role("button", name="Add").click()
        expect(gm.here().filter(has_text=name)).to_have_count(1)
    gm.page.get_by_text("Initiative by hand").click()
    gm.page.get_by_label("Slow", exact=True).first.fill("9")
    gm.page.get_by_label("Fast", exact=True).first.fill("19")
    gm.page.get_by_role("button", name="Begin Round 1 with these").click()
    expect(gm.page.get_by_role("button", name="Set Initiative")).to_be_visible()
    gm.page.get_by_role("link", name="To the table").click()
    gm.arrive()
    assert gm.acting() == "Fast"


def test_an_invitation_is_a_code_and_a_link_and_says_who_cannot_open_it(gm: Console) -> None:
    gm.play("The loading dock")
    gm.open(f"{gm.fight}/people")
    gm.expect_live()
    link = gm.invite("Chris", "Vex")
    card = gm.page.get_by_role("region", name="Invitation for Chris")
    expect(card).to_contain_text("Chris plays Vex.")
    expect(card).to_contain_text("Phones and other computers cannot open")
    expect(card.locator("svg.qr path")).to_have_count(1)
    gm.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card.get_by_role("button", name="Copy link").click()
    expect(card.get_by_role("button", name="Copied")).to_be_visible()
    assert gm.page.evaluate("navigator.clipboard.readText()") == link
    expect(gm.here().filter(has_text="Vex")).to_contain_text("Chris plays")
    plays = gm.page.get_by_role("group", name="Plays")
    expect(plays.get_by_role("checkbox", checked=True)).to_have_count(0)
    plays.get_by_role("checkbox", name="Rook").check()
    form = gm.page.get_by_role("region", name="Invite people")
    form.get_by_role("radio", name="Observer").check(force=True)
    expect(plays).to_have_count(0)  # who watches plays nobody
    gm.invite("Olga")
    expect(gm.page.get_by_role("region", name="Who may enter")).to_contain_text("Olga observer")


@pytest.mark.parametrize("name", ["Oberkommandierender der siebenundzwanzigsten Sturmabteilung " + "x" * 20])
def test_long_names_and_pages_of_people_fit_on_a_phone(player: Console, name: str) -> None:
    player.begin("Shadowrun 4", name, apply="happens at once")
    quick = player.page.get_by_role("region", name="Add combatants")
    quick.get_by_role("textbox", name="Name").fill(name)
    quick.get_by_role("button", name="Add").click()
    expect(player.here()).to_have_count(1)
    player.page.get_by_role("button", name=f"Edit {name}").click()
    expect(player.page.get_by_role("group", name=f"Values of {name}")).to_be_visible()
    player.invite(name, name)
    assert player.sticks_out() == []
    player.open(f"{player.fight}/log")
    player.expect_live()
    assert player.sticks_out() == []
    player.open()
    assert player.sticks_out() == []


def test_a_players_phone_shows_their_monitors_whose_turn_it_is_and_their_question_first(
    gm: Console, player: Console
) -> None:
    gm.play("The loading dock", asks=True)
    gm.open(f"{gm.fight}/people")
    gm.expect_live()
    link = gm.invite("Ana", "Vex")
    player.page.goto(link)
    player.arrive()
    mine = player.page.get_by_role("region", name="Vex", exact=True)
    expect(mine.get_by_role("img", name="Physical of Vex: 0 of 10 boxes filled")).to_be_visible()
    question = player.mine().first
    expect(question).to_be_visible()
    asked, sheet = question.bounding_box(), mine.bounding_box()
    assert asked
    assert sheet
    assert asked["y"] < sheet["y"]
    gm.open(gm.fight)
    gm.arrive()
    while gm.mine().count():
        gm.answer("No")
    expect(player.page.locator(".turn-note")).to_contain_text(re.compile(r" acts?\."))
    assert player.sticks_out() == []
    result = player.page.locator("[data-measure=result]").bounding_box()
    assert result
    assert result["y"] < PHONE["viewport"]["height"]
    assert player.complaints == []


def test_an_observer_watches_and_is_offered_nothing(gm: Console, player: Console) -> None:
    gm.play("The loading dock")
    gm.open(f"{gm.fight}/people")
    gm.expect_live()
    gm.page.get_by_role("radio", name="Observer").check(force=True)
    link = gm.invite("Eve")
    player.page.goto(link)
    player.arrive()
    expect(player.page.locator(".turn-note")).to_contain_text(re.compile(r" acts?\."))
    expect(player.page.locator("#main button:visible")).to_have_count(1)  # the hash of the log is copied
    assert player.sticks_out() == []
