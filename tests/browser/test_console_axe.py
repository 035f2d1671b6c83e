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


def test_the_table(console: Console, fight: str) -> None:
    """With questions, with the form of a deed and its odds, and with what came of it."""
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
    console.page.get_by_role("button", name=f"Edit {who}", exact=True).click()
    expect(console.page.get_by_role("form", name=f"Edit {who}")).to_be_visible()
    assert faults(console) == []


@pytest.mark.parametrize("part", ["/log", "/people"])
def test_pages_of_a_fight(console: Console, fight: str, part: str) -> None:
    console.open(fight + part)
    console.expect_live()
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
