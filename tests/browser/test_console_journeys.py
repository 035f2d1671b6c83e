"""The first minute in the console: from the start page to a wound and back, on any device, whatever comes between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from console_page import FEW, PHONE, Console, console_of
from playwright.sync_api import Browser, Locator, expect

pytestmark = pytest.mark.browser


class Skirmish(NamedTuple):
    """A ready-made fight, and an attack that whoever begins it can make.

    Attributes:
        lucky: by the sides of dice, the best face where it is not the highest.
    """

    label: str
    attack: str
    said: dict[str, str] = {}
    lucky: dict[int, int] = {}


SKIRMISHES = {
    "cwn": Skirmish("Trouble in the alley", "Make a Ranged Attack"),
    "imperium": Skirmish("A quarrel in the underhive", "Fire a weapon", {"firing_mode": "single"}, {100: 1}),
    "sr4": Skirmish("The loading dock", "Fire semi-automatically"),
    "sr5": Skirmish("The front gate", "Fire a semi-automatic shot (SA)"),
}


@pytest.fixture
def console(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address) as console:
        yield console


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_the_first_minute(console: Console, ruleset: str) -> None:
    """From the start to a wound with dice that somebody throws at the table, and its undo."""
    skirmish = SKIRMISHES[ruleset]
    console.play(skirmish.label)
    who = console.until_offered(skirmish.attack)
    form = console.choose(who, skirmish.attack)
    form.get_by_role("switch", name=f"Real dice for {who}").check()
    target = console.target(form).inner_text()
    whole = console.gauges(target)
    console.act(who, skirmish.attack, **skirmish.said)
    console.answer_all(skirmish.lucky)
    wounded = console.gauges(target)
    assert wounded != whole
    console.press("Undo")
    assert console.gauges(target) == whole
    console.press("Redo")
    assert console.gauges(target) == wounded


def test_a_reload_in_the_middle_of_a_question(console: Console) -> None:
    console.play(SKIRMISHES["sr4"].label, asks=True)
    before, version = console.questions().all_inner_texts(), console.version
    assert before
    console.page.reload()
    console.expect_live()
    assert (console.questions().all_inner_texts(), console.version) == (before, version)
    who = console.until_offered(SKIRMISHES["sr4"].attack)
    console.real_dice(who)
    console.act(who, SKIRMISHES["sr4"].attack)
    while not console.dice().count():
        console.answer()
    asked = console.questions().first.inner_text()
    assert "Your dice" in asked
    console.page.reload()
    assert console.questions().first.inner_text() == asked
    console.answer_all()
    assert not console.questions().count()


def test_the_service_restarts_in_the_middle_of_a_question(
    browser: Browser, serve: Callable[..., Any]
) -> None:
    """The page says so, keeps what it shows, and goes on by itself."""
    with ExitStack() as browsers:
        with serve() as service:
            console = browsers.enter_context(console_of(browser, f"http://127.0.0.1:{service.port}"))
            console.play(SKIRMISHES["sr4"].label, asks=True)
            before, version = console.questions().all_inner_texts(), console.version
        expect(console.page.get_by_role("status").filter(has_text="reconnecting")).to_be_visible()
        console.mine().first.get_by_role("button").first.click()
        expect(console.notice()).to_contain_text("The service does not answer")
        with serve(FRACAS_PORT=str(service.port)):
            console.expect_live()
            assert (console.questions().all_inner_texts(), console.version) == (before, version)
            expect(console.notice()).to_be_empty()
            console.answer()


def test_the_end_and_its_proof(console: Console) -> None:
    """A step back on the timeline, and the end, after which each die is shown to be as the seed says."""
    console.play(SKIRMISHES["imperium"].label)
    before = console.version
    console.done()
    console.look_back(before)
    console.press("Back to here")
    expect(console.past()).to_have_count(0)
    console.open(f"{console.fight}/people")
    console.expect_live()
    console.end_fight()
    over = console.page.get_by_role("status").filter(has_text="over")
    expect(over).to_be_visible()
    console.open(f"{console.fight}/log")
    expect(over).to_be_visible()
    console.page.get_by_role("button", name="Verify every die").click()
    proof = "Every die and outcome is as the seed and the rules say"
    expect(console.page.get_by_role("heading", name=proof)).to_be_visible()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, PHONE) as console:
        yield console


def test_on_a_phone(phone: Console) -> None:
    """Nothing reaches beyond the right edge, on no page that a fight needs."""
    wide: dict[str, list[str]] = {}

    def look(at: str) -> None:
        if found := phone.sticks_out():
            wide[at] = found

    phone.open()
    look("start")
    phone.play(SKIRMISHES["sr4"].label, asks=True)
    look("table with questions")
    skirmish = SKIRMISHES["sr4"]
    who = phone.until_offered(skirmish.attack)
    form = phone.choose(who, skirmish.attack)
    expect(form.get_by_text("Chance to hit").first).to_be_visible()
    look("table with an action")
    phone.act(who, skirmish.attack)
    phone.answer_all()
    look("table after an action")
    for path in (
        f"{phone.fight}/log",
        f"{phone.fight}/people",
        "/console/packs",
        "/console/connect",
        "/console/enter",
    ):
        phone.open(path)
        look(path)
    assert wide == {}


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_by_keyboard_alone(console: Console, ruleset: str) -> None:
    """From the start page through an attack, its undo and the end of the turn: Tab and Enter, and the keys of the
    table."""
    skirmish = SKIRMISHES[ruleset]
    page = console.page
    console.open()
    play = page.get_by_role("button", name=f"Play “{skirmish.label}”")
    games = page.get_by_role("group", name="Game").get_by_role("radio")
    page.keyboard.press("Tab")
    while not console.focused().startswith("input"):
        page.keyboard.press("Tab")
    for _ in range(games.count()):
        if play.count():
            break
        with page.expect_response("**/console/?game=*"):
            page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="New fight")).to_be_visible()
        expect(page.locator(".htmx-request")).to_have_count(0)
    console.tab_to(f"Play “{skirmish.label}”")
    page.keyboard.press("Enter")
    console.arrive()
    while not page.locator("#weapons form").count():
        console.tab_to("End turn")
        with console.change():
            page.keyboard.press("Enter")
    who = console.acting()
    console.tab_to("to hit")
    with console.change():
        page.keyboard.press("Enter")
    expect(console.result()).to_contain_text(who)
    focused = page.locator(":focus")  # htmx gives it back when it has settled
    expect(focused).to_have_count(1)
    with console.change():
        page.keyboard.press("u")
    with console.change():
        page.keyboard.press("1")
    expect(console.result()).to_contain_text(who)
    with console.change():
        page.keyboard.press("n")
    assert console.complaints == []


@pytest.mark.parametrize("ruleset", SKIRMISHES)
def test_a_player_on_a_phone(browser: Browser, console: Console, phone: Console, ruleset: str) -> None:
    """With the bar under the thumb: an attack, whose result is in view at once, and the end of the turn."""
    console.play(SKIRMISHES[ruleset].label)
    own = player_of(console)
    table = console.page.url
    console.open(f"{console.fight}/people")
    console.expect_live()
    link = console.invite("Ana", own)
    console.page.goto(table)
    console.arrive()
    phone.page.goto(link)
    phone.arrive()
    for _ in range(FEW):
        if own in phone.all_acting() and phone.page.locator("#weapons form").count():
            break
        console.done()
        phone.expect_as(console)
    phone.choose_actor(own)
    place = phone.page.locator(".weapon.best").bounding_box()
    assert place is not None
    assert place["y"] + place["height"] <= 780  # there the bar begins
    assert in_view(phone.page.locator(".targets"))
    assert in_view(phone.result().get_by_role("heading"))
    bar = phone.page.get_by_role("region", name="Turn", exact=True)
    phone.page.mouse.wheel(0, 600)
    with phone.change():
        bar.get_by_role("button", name="% to hit").click()
    phone.answer_all()
    assert in_view(phone.result().get_by_role("heading"))
    assert own in bar.inner_text()
    assert phone.sticks_out() == []
    console.expect_as(phone)
    expect(console.result()).to_contain_text(own)
    with phone.change():
        bar.get_by_role("button", name="End turn").click()


def player_of(console: Console) -> str:
    """Somebody of the side that the players have in a skirmish: the first one."""
    return console.people().first.locator(".aim").get_attribute("title") or ""


def in_view(part: Locator) -> bool:
    return bool(
        part.evaluate(
            "one => { const {top, bottom} = one.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }"
        )
    )


def test_twenty_combatants_and_three_hundred_events(console: Console) -> None:
    """A long fight has the same first screen, its whole log, and a timeline through all of it."""
    console.play(SKIRMISHES["sr4"].label)
    console.crowd("guard", 20)
    who = console.page.locator("li.person").last.get_attribute("id") or ""
    said = {"combatant": who.removeprefix("person-"), "track": "stun", "amount": "1"}
    missing = 300 - console.version
    with console.elsewhere() as fight:
        for number in range(missing):
            form = {**said, "way": ("damage", "heal")[number % 2], "key": f"event {number}"}
            assert console.page.request.post(f"{fight}/harm", form=form).ok
    assert console.version >= 300
    console.until_attack()
    with console.change():
        console.page.keyboard.press("1")
    console.answer_all()
    assert in_view(console.result().get_by_role("heading"))
    console.look_back(console.version - 2)
    console.page.get_by_role("button", name="To the present").click()
    expect(console.past()).to_have_count(0)
    version = console.version
    console.open(f"{console.fight}/log")
    expect(console.page.locator("[data-version]").first).to_have_attribute("data-version", str(version))
    console.open(f"{console.fight}/summary")
    expect(console.page.get_by_role("heading", name="Who did what")).to_be_visible()
    assert console.page.get_by_role("row").count() == 21
