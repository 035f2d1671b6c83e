"""axe-core finds nothing serious on the console's pages, light or dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from console_page import SCREEN, Console, console_of
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[1] / "js/node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
ATTACK = "Fire semi-automatically"
NARROW: Any = {"width": 390, "height": 844}
TABLES = {
    "cwn": ("Trouble in the alley", "street-thug"),
    "imperium": ("A quarrel in the underhive", "hive-guard"),
    "sr5": ("The front gate", "gate-guard"),
}
"""Skirmishes, and who joins them."""
RUN = """options => axe.run(document, {resultTypes: ["violations"], ...options}).then(({violations, passes}) => ({
  checked: passes.length,
  faults: violations.filter((one) => options.impacts.includes(one.impact)).flatMap((one) => one.nodes.map(
    (node) => `${one.id} at ${node.target.join(" ")}: ${node.failureSummary}: ${node.html.slice(0, 160)}`)),
}))"""


def faults(console: Console) -> list[str]:
    """What axe finds in light, and of colours in dark."""
    page = console.page
    page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = []
    for scheme, more in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        told: dict[str, Any] = page.evaluate(RUN, {"impacts": SERIOUS, **more})
        assert told["checked"]
        found += [f"{scheme}: {fault}" for fault in told["faults"]]
    page.emulate_media(color_scheme="light")
    return found


@pytest.fixture(scope="module")
def console(browser: Browser, address: str) -> Iterator[Console]:
    with console_of(browser, address, {**SCREEN, "reduced_motion": "reduce"}) as console:
        yield console


@pytest.fixture(scope="module")
def fight(console: Console) -> str:
    console.play("The loading dock", asks=True)
    return console.fight


def test_the_map(browser: Browser, address: str) -> None:
    with console_of(browser, address, {**SCREEN, "reduced_motion": "reduce"}) as console:
        console.play("The front gate")
        console.page.goto(console.page.url + "/map")
        console.page.get_by_role("button", name="on the map").click()
        console.page.locator("[data-token]").first.wait_for()
        assert faults(console) == []


def test_the_table(console: Console, fight: str) -> None:
    """With questions, with the form of an action and its odds, and with what came of it."""
    console.questions().first.wait_for()
    assert faults(console) == []
    who = console.until_offered(ATTACK)
    form = console.choose(who, ATTACK)
    expect(form.get_by_text("Chance to hit").first).to_be_visible()
    assert faults(console) == []
    console.act(who, ATTACK)
    console.answer_all()
    expect(console.page.locator("[data-measure=result]")).to_contain_text(who)
    assert faults(console) == []
    console.unfold(who)
    console.page.locator("#reasons summary").click()
    console.all_actions()
    assert faults(console) == []
    console.page.set_viewport_size(NARROW)
    assert faults(console) == []
    console.page.set_viewport_size(SCREEN["viewport"])
    console.edit(who)
    expect(console.page.get_by_role("form", name=f"Edit {who}")).to_be_visible()
    assert faults(console) == []
    console.page.keyboard.press("Escape")
    console.page.locator("h1").click(force=True)
    console.page.keyboard.press("?")
    console.page.get_by_role("dialog", name="Keys").wait_for()
    assert faults(console) == []


@pytest.mark.parametrize("ruleset", ["cwn", "imperium", "sr5"])
def test_the_table_of_other_games(console: Console, ruleset: str) -> None:
    """After an attack, with its form, with twenty combatants, and at the end."""
    label, more = TABLES[ruleset]
    console.play(label)
    console.until_attack()
    with console.change():
        console.page.locator(".weapon-slot form .weapon").first.click()
    console.answer_all()
    console.until_attack()
    assert faults(console) == []
    console.page.locator(".more-of").first.click()
    expect(console.page.locator("#odds .odds-top")).to_be_visible()
    console.page.locator("#idle summary").click()
    assert faults(console) == []
    console.crowd(more, 20)
    assert faults(console) == []
    console.open(f"{console.fight}/summary")
    console.expect_live()
    console.end_fight()
    assert faults(console) == []
    table = console.fight
    console.open(table)
    expect(console.page.get_by_role("heading", name="Who did what")).to_be_visible()
    assert faults(console) == []


@pytest.mark.parametrize("part", ["/log", "/people"])
def test_pages_of_a_fight(console: Console, fight: str, part: str) -> None:
    console.open(fight + part)
    console.expect_live()
    assert faults(console) == []


def test_people_at_work(console: Console, fight: str) -> None:
    """With a preview that lacks something, an open row, Initiative by hand and an invitation."""
    console.open(fight + "/people")
    console.expect_live()
    page = console.page
    page.get_by_role("button", name="Insert the example").click()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#loaded .numbers").first).to_be_visible()
    page.get_by_role("button", name="Edit Brick").click()
    values = page.get_by_role("group", name="Values of Brick")
    values.get_by_label("Another value").select_option(label="Metatype")
    expect(values.locator(".chosen-field select")).to_be_visible()
    page.get_by_text("Initiative by hand").click()
    page.get_by_label("Edit the side corp").click()
    console.invite("Ada", "Rook")
    expect(page.get_by_role("img", name="QR code of the invitation")).to_be_visible()
    assert faults(console) == []


@pytest.mark.parametrize(
    "path",
    [
        "/console/",
        "/console/?game=imperium",
        "/bridge",
        "/book/sr4",
        "/console/packs?ruleset=sr4&kind=weapon",
        "/console/entries/sr4-core:modifier/take-aim",
        "/console/compare?ruleset=cwn&weapon=heavy-pistol&weapon=sword",
        "/book/",
        "/book/cwn/5",
        "/console/check",
        "/console/connect",
        "/console/enter",
        "/console/fight/0",
    ],
)
def test_other_pages(console: Console, path: str) -> None:
    console.open(path)
    assert faults(console) == []
