"""Where things stand on the table after an attack, with few and with many combatants; clicks to a wound; and keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from console_page import FEW, SCREEN, Console, console_of
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

SKIRMISHES = {
    "cwn": ("Trouble in the alley", "street-thug"),
    "imperium": ("A quarrel in the underhive", "hive-guard"),
    "sr4": ("The loading dock", "guard"),
    "sr5": ("The front gate", "gate-guard"),
}
"""Each with somebody who joins until there are many."""
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
FOLD = 800
"""Pixels from the top that a GM sees at once on a desktop."""
MANY = 20
MOST_CLICKS = 4
SENTENCE = (
    "The Corporate lieutenant hits the Ork street samurai with the long sniper rifle: 12 boxes of Physical. "
)
"""More than any action comes to, three times over."""
FULL = """(sentence) => {
  const result = document.querySelector(".result");
  const put = (words) => {
    const made = document.createElement("div");
    made.innerHTML = words;
    return made.firstChild;
  };
  result.classList.add("long", "hit");
  result.querySelector("h2").textContent = sentence.repeat(3);
  for (const one of result.querySelectorAll(".then")) one.remove();
  const chips = '<span class="chip word bad"><span>Has suffered a Traumatic Hit</span></span>'.repeat(5);
  const lines = `<li><strong>${sentence}</strong></li>`.repeat(5);
  result.querySelector(".say").after(put(`<p class="then"><span>${sentence}</span>${chips}</p>`));
  result.querySelector(".foot").before(put(`<ul class="then ticker">${lines}</ul>`));
  const throws = Array.from({length: 9}, () => put(`<span>${sentence}</span>`));
  result.querySelector(".came-to")?.append(...throws);
}"""
"""A result that has more of everything than any action comes to."""
CUT_OFF = """(all) => all.filter((one) =>
  one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map((one) => one.innerText)"""
"""Parts of a result that go on beyond their edges."""
PARTS = ".result .say, .result h2, .result .then"
LONGEST = """(words) => {
  const chip = (label) => `<span class="chip word bad"><span>${label}</span></span>`;
  const result = document.querySelector(".result");
  result.querySelector("h2").textContent = words.title;
  for (const one of result.querySelectorAll(".then")) one.remove();
  result.querySelector(".say").insertAdjacentHTML("afterend",
    `<p class="then"><span>${words.then}</span>${words.conditions.map(chip).join("")}</p>`
    + `<ul class="then ticker"><li><strong>${words.change}</strong></li></ul>`);
}"""
"""A result with other words."""
WORST_WOUND = {
    "title": "Brother Halvard, zealot hits Cult fanatic 1 with the Eviscerator: 18 damage, serious injury of the right "
    "arm, dead, a critical hit, 1 point of bleeding, drops what the right arm holds",
    "then": "Cult fanatic 1 has 56 of 56 Injury Total, 3 of 5 Right arm.",
    "conditions": [
        "Leg acutely injured", "Suffers from injuries", "Prone", "Arm seriously injured", "Dead or dying",
    ],
    "change": "Cult fanatic 1 is no longer heavily injured in a leg",
}  # fmt: skip
"""The most that a blow comes to in any of the four games."""
PLACES = """() => Object.fromEntries([...document.querySelectorAll("[data-measure], .thumb")].map((one) => {
  const {top, bottom} = one.getBoundingClientRect();
  return [one.dataset.measure ?? "bar", [Math.round(top + scrollY), Math.round(bottom + scrollY)]];
}))"""


@pytest.fixture
def console(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, {**SCREEN, "reduced_motion": "reduce"}) as console:
        yield console


def attack(console: Console) -> None:
    """The next attack that anybody can make at a click, and then whoever can make one again."""
    console.until_attack()
    with console.change():
        console.page.locator(".weapon-slot form .weapon").first.click()
    console.answer_all()


def places(console: Console, size: Any) -> dict[str, list[int]]:
    console.page.set_viewport_size(size)
    found: dict[str, list[int]] = console.page.evaluate(PLACES)
    return found


def check(console: Console) -> None:
    """After an attack, whatever it came to: the first screen has its result, and what can be done next."""
    attack(console)
    console.page.set_viewport_size(PHONE)
    assert console.page.locator(f"{PARTS}, .came-to").evaluate_all(CUT_OFF) == []
    console.page.set_viewport_size(DESKTOP)
    console.until_attack()
    console.page.evaluate(FULL, SENTENCE)
    top, bottom = 0, 1
    wide = places(console, DESKTOP)
    assert wide["result"][bottom] <= wide["acting"][top]
    assert wide["acting"][bottom] <= FOLD, wide
    narrow = places(console, PHONE)
    bar = narrow["bar"][top]
    assert bar < PHONE["height"] == narrow["bar"][bottom]
    for part in ("result", "target", "best attack"):
        assert 0 < narrow[part][top] < narrow[part][bottom] <= bar, (part, narrow)
    assert console.acting() in console.page.locator(".thumb").inner_text()
    assert console.sticks_out() == []
    assert console.page.locator(".person .boxes").evaluate_all(CUT_OFF) == []  # a troll has many
    console.page.evaluate(LONGEST, WORST_WOUND)
    assert console.page.locator(PARTS).evaluate_all(CUT_OFF) == []
    console.page.set_viewport_size(DESKTOP)
    assert console.page.locator(PARTS).evaluate_all(CUT_OFF) == []


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_the_first_screen(console: Console, ruleset: str) -> None:
    label, more = SKIRMISHES[ruleset]
    console.page.set_viewport_size(DESKTOP)
    console.play(label)
    check(console)
    console.crowd(more, MANY)
    assert console.people().count() == MANY
    check(console)
    row = console.page.locator("li.person .aim").evaluate_all(
        "all => all.map((one) => one.scrollWidth - one.clientWidth)"
    )
    assert max(row) <= 1  # a number at the end of a name is not cut


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_clicks_to_the_first_wound(console: Console, ruleset: str) -> None:
    """From Play on; an attack that misses or does nothing says nothing about it, and a new fight is begun."""
    for _ in range(FEW):
        console.play(SKIRMISHES[ruleset][0])
        clicks = 1 + console.answer_all()
        while not (attacks := console.page.locator(".weapon-slot form .weapon")).count():
            console.done()
            clicks += 1
        with console.change():
            attacks.first.click()
        clicks += 1 + console.answer_all()
        if console.page.locator(".boxes i.fresh, .bar .new[width]:not([width='0'])").count():
            assert clicks <= MOST_CLICKS
            return
    raise AssertionError("nobody is ever wounded")


def test_a_melee_fighter_strikes_at_a_click_from_afar(console: Console) -> None:
    """While the scene keeps the sides 8 metres apart: a charge, or a run and a blow."""
    blade, page = "Dov, blade", console.page
    console.play("Trouble in the alley")
    console.until_acts(blade)
    console.choose_actor(blade)
    sword = page.locator(".weapon-slot form .weapon")
    expect(sword).to_contain_text("Charge")
    with console.change():
        page.get_by_role("button", name="Run: in melee with").click()
    expect(sword).to_contain_text("Make a Melee Attack")
    with console.change():
        sword.click()
    console.answer_all()
    assert blade in console.result().inner_text()


def test_an_action_that_asks_nothing_takes_one_click(console: Console) -> None:
    """It is the result then, and undone as one; with Shift its form opens."""
    console.play("The loading dock")
    console.until_acts("Vex")
    ready = console.page.locator(".moves").get_by_role("button", name="Ready a weapon")
    ready.click(modifiers=["Shift"])
    expect(console.action_form("Vex", "Ready a weapon")).to_be_visible()
    console.page.keyboard.press("Escape")
    with console.change():
        ready.click()
    expect(console.result().get_by_role("heading")).to_contain_text("Vex: Ready a weapon")
    budget = console.page.locator(".acting .budget")
    left = budget.inner_text()
    for _ in range(2):  # an action after an undo is undone, too
        with console.change():
            console.page.keyboard.press("u")
        expect(budget).not_to_have_text(left, use_inner_text=True)
        with console.change():
            ready.click()
        expect(budget).to_have_text(left, use_inner_text=True)


def test_a_target_by_its_row_and_the_undo_of_an_action(console: Console) -> None:
    """A row is aimed at wherever it is clicked; an action is undone whole, whatever it asked on the way."""
    console.play("The loading dock", asks=True)
    console.until_attack()
    row = console.person("Guard 2").locator(".line")
    row.click(position={"x": 300, "y": 30})
    expect(console.page.locator(".person.aimed .aim")).to_have_attribute("title", "Guard 2")
    for value in (3, 0):  # a number of a row is set where it stands, and does not aim
        console.set_number("Physical", "Guard 2", value)
        assert console.gauges("Guard 2")["Physical"] == f"{value}/10"
    before, actor = console.version, console.acting()
    with console.change():
        console.page.locator(".weapon-slot form .weapon").first.click()
    assert console.answer_all()  # Edge is asked
    assert "Guard 2" in console.result().inner_text()
    assert console.version > before + 1
    budget = console.page.locator(".acting .budget").inner_text()
    console.press("Undo action")
    assert console.acting() == actor
    assert console.page.locator(".acting .budget").inner_text() != budget
    assert not console.questions().count()
    console.press("Redo")
    assert console.questions().count()  # a step at a time


def test_the_keys(console: Console) -> None:
    """Each key of the list presses what it says; while a field has the focus, none does."""
    page = console.page
    console.play("The loading dock")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    keys.wait_for()
    before = console.version
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    keys.wait_for(state="hidden")
    assert console.version == before
    page.get_by_role("button", name="all keys").click()
    keys.get_by_role("button", name="Close").click()

    console.until_attack()
    first = page.locator(".targets :checked").get_attribute("value")
    page.keyboard.press("t")
    expect(page.locator(".targets :checked")).not_to_have_attribute("value", first or "")
    page.keyboard.press("/")
    assert "Find an action" in console.focused()
    before = console.version
    page.keyboard.type("n1u")
    assert page.get_by_role("searchbox").input_value() == "n1u"
    assert console.version == before
    page.get_by_role("searchbox").fill("full def")
    console.all_actions()
    found = page.locator("#all-actions .acts button:visible").all_inner_texts()
    assert found
    assert all("full def" in label.casefold() for label in found)
    page.locator("#result").click()
    page.keyboard.press("Tab")
    with console.change():
        page.keyboard.press("1")
    console.answer_all()
    with console.change():
        page.keyboard.press("u")
    with console.change():
        page.keyboard.press("n")
    page.keyboard.press("a")
    page.wait_for_url("**/people")
