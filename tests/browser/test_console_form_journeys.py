"""Forms of the console in front of people: what is wrong stands at its field, and what is missing at the button."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from console_page import PHONE, SCREEN, Console, choose, console_of
from playwright.sync_api import Browser, Locator, expect

pytestmark = pytest.mark.browser

SHOT = "Fire a weapon"


@pytest.fixture(params=[SCREEN, PHONE], ids=["desktop", "phone"])
def console(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Console]:
    with console_of(browser, address, {**request.param, "reduced_motion": "reduce"}) as console:
        yield console


def test_a_shot_says_what_it_lacks_and_offers_what_the_gun_can(console: Console) -> None:
    console.play("A quarrel in the underhive")
    console.until_acts("Corvane Hale, agent")
    form = console.choose("Corvane Hale, agent", SHOT)
    mode = form.get_by_role("group", name="Firing mode")
    submit = form.get_by_role("button", name=SHOT, exact=True)
    assert mode.locator("label").all_inner_texts() == ["not set", "single", "semi auto"]  # of a bolt pistol
    choose(form, "Firing mode", "not set")
    expect(submit).to_be_disabled()
    expect(form.locator("#action-state")).to_have_text("Missing: Firing mode")
    form.locator("#odds").get_by_role("link", name="Firing mode").click()
    expect(mode.get_by_role("radio", name="not set")).to_be_focused()
    choose(form, "Firing mode", "single")
    expect(submit).to_be_enabled()
    expect(form.locator("#action-state")).to_have_text(re.compile(r"^\d+ % to hit, [\d.]+ % to drop "))


def test_a_wrong_field_is_marked_until_it_is_mended(console: Console) -> None:
    console.play("A quarrel in the underhive")
    console.until_acts("Corvane Hale, agent")
    form = console.choose("Corvane Hale, agent", SHOT)
    distance = form.get_by_role("spinbutton", name="Distance")
    distance.fill("9")
    distance.evaluate(
        "one => { one.max = ''; one.min = ''; one.form.noValidate = true; }"
    )  # as a script would send it
    distance.fill("-5")
    submit = form.get_by_role("button", name=SHOT, exact=True)
    submit.click()
    wrong = form.locator(".control.wrong")
    expect(wrong).to_have_count(1)
    expect(wrong).to_contain_text("Distance")
    expect(wrong.locator(".error")).to_contain_text("0 to")
    expect(distance).to_have_attribute("aria-invalid", "true")
    expect(distance).to_be_focused()
    assert reachable(submit)
    expect(console.notice()).to_be_empty()
    distance.fill("9")
    expect(wrong).to_have_count(0)
    expect(distance).not_to_have_attribute("aria-invalid", "true")
    with console.change():
        submit.click()


def test_what_no_field_is_about_stands_above_the_button(console: Console) -> None:
    """And goes when something is changed."""
    console.play("The loading dock")
    who = console.until_offered("Fire semi-automatically")
    form = console.choose(who, "Fire semi-automatically")
    distance = form.get_by_role("spinbutton", name="Distance")
    distance.fill("5000")
    expect(form.locator(".refusals li").first).to_be_visible()
    submit = form.get_by_role("button", name="Fire semi-automatically", exact=True)
    submit.click()
    wrong = form.locator("#action-wrong")
    expect(wrong).to_be_visible()
    assert reachable(submit)
    distance.fill("5")
    expect(wrong).to_be_hidden()


def test_damage_that_is_no_number(console: Console) -> None:
    console.play("The loading dock")
    row = console.unfold("Brick")
    amount = row.get_by_role("spinbutton", name="How much")
    amount.evaluate("one => { one.form.noValidate = true; one.min = ''; }")
    amount.fill("-2")
    row.get_by_role("button", name="Damage").click()
    expect(row.locator(".error")).to_have_text("must be a whole number of 1 or more (for instance 3)")
    amount.fill("3")
    expect(row.locator(".error")).to_have_count(0)
    with console.change():
        row.get_by_role("button", name="Damage").click()
    assert console.gauges("Brick")["Physical"].startswith("3/")
    expect(row.get_by_role("button", name="Heal")).to_be_visible()  # it stays open
    row.get_by_role("group").filter(has_text="Remove").locator("summary").click()
    with console.change():
        row.get_by_role("button", name="Remove Brick").click()
    expect(console.person("Brick")).to_have_count(0)
    console.press("Undo")
    expect(console.person("Brick")).to_have_count(1)


def reachable(button: Locator) -> bool:
    """Whether a click at the middle of a button reaches it."""
    return bool(
        button.evaluate(
            """one => {
              one.scrollIntoView({block: "nearest"});
              const {left, top, width, height} = one.getBoundingClientRect();
              return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
            }"""
        )
    )


def test_dice_that_cannot_fall(console: Console) -> None:
    """A face that the die does not have stands at the field of the dice."""
    console.play("Trouble in the alley")
    who = console.until_offered("Make a Ranged Attack")
    form = console.choose(who, "Make a Ranged Attack")
    form.get_by_role("switch", name=f"Real dice for {who}").check()
    console.act(who, "Make a Ranged Attack")
    console.dice().fill("25")
    console.mine().first.get_by_role("button", name="Take these dice").click()
    error = console.mine().first.locator(".error")
    expect(error).to_contain_text("1 to 20")
    expect(console.notice()).to_be_empty()
    console.dice().fill("20")
    expect(error).to_have_count(0)
    console.answer()
