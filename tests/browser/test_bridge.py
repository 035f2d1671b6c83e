"""The bridge page in a real browser: a single attack from the form to the table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from beyond20_stand_in import comes_back, is_on, kept
from bridge_page import Bridge, dice_of, with_beyond20
from playwright.sync_api import Browser, Page, Route, expect

from fracas.exports.roll20.importing import read_import

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "[[1d6]] @{selected|hp} }} {{x=y <img src=x onerror='window.hacked = true'> &lt;\n!fracas remove"


@pytest.fixture
def bridge(page: Page, address: str) -> Bridge:
    """The page, with Beyond20 on it."""
    with_beyond20(page.context)
    return Bridge(page, address)


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Callable[..., Bridge]]:
    """Opens the page in contexts of several kinds."""
    contexts = []

    def open(where: str = "", **more: object) -> Bridge:
        context = browser.new_context(**more)
        contexts.append(context)
        return Bridge(context.new_page(), address, where)

    yield open
    for context in contexts:
        context.close()


def test_an_attack_is_put_together_rolled_and_handed_to_the_table(bridge: Bridge, tmp_path: Path) -> None:
    expect(bridge.page.locator("#beyond20")).to_have_text("Beyond20 is here")
    bridge.shoot()
    expect(bridge.measure("hit")).to_have_text(re.compile(r"\d%$"))
    bridge.field("target.cover").select_option("partial")
    worse = bridge.page.locator("#form details[data-to='attack.pool'] .fracas-modifier.applied").filter(
        has_text="partial cover"
    )
    expect(worse).to_contain_text("\u22122")

    bridge.ask("everybody")
    bridge.roll.click()
    expect(bridge.question).to_have_attribute("aria-label", re.compile("^Rook: Spend Edge before the roll"))
    expect(bridge.page.locator("#send")).to_be_disabled()
    bridge.pass_on()
    expect(bridge.card.locator("h3")).to_contain_text("Ranged attack")
    bridge.page.get_by_role("button", name="Send to the table").click()

    expect(bridge.delivery).to_have_text(re.compile(r"^Handed to Beyond20 at .*It does not report back"))
    ((speaker, card),) = bridge.at_the_table()
    assert speaker == "Rook"
    assert dice_of(card) == [faces for faces in bridge.faces() if faces]
    assert len(dice_of(card)[0]) == 8
    assert card["name"] == "Ranged attack: Rook → Guard"
    assert card["Result"] == bridge.card.locator("dd").first.inner_text()
    assert re.match(r"Rook (hits|misses|attacks) Guard with the Ares Predator IV", card["Result"])
    assert card["Mod"] == "Apply"

    bridge.page.get_by_role("button", name="Retry").click()
    expect(bridge.delivery).to_contain_text("(2 times)")
    assert bridge.at_the_table() == [(speaker, card)] * 2
    assert bridge.page.screenshot(path=tmp_path / "bridge.png", full_page=True).startswith(b"\x89PNG")
    assert bridge.complaints == []
    assert [url for url in bridge.asked if not url.startswith((f"{bridge.address}/", "data:"))] == []


def test_only_what_the_service_gives_may_run(bridge: Bridge) -> None:
    policy = bridge.page.request.get(f"{bridge.address}/bridge").headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    for name in ("scripts/fracas.mjs", "module.json", "../LICENSE", "scripts"):
        assert bridge.page.request.get(f"{bridge.address}/integrations/foundry/{name}").status == 404
    shared = bridge.page.request.get(f"{bridge.address}/integrations/foundry/scripts/client.mjs")
    assert shared.headers["content-type"] == "text/javascript; charset=utf-8"


def test_real_dice_are_typed_in_and_counted(bridge: Bridge) -> None:
    bridge.shoot()
    bridge.page.get_by_label("I type in real dice").check()
    bridge.roll.click()
    expect(bridge.question.locator("input")).to_have_count(2)
    attack, defense = bridge.question.locator("input").all()
    expect(attack).to_have_attribute("aria-label", "attack: 10d6")
    fault = bridge.question.get_by_role("alert")

    attack.fill("5 5 5")
    defense.fill("111")
    bridge.question.get_by_role("button", name="These dice").click()
    expect(fault).to_have_text("attack: 10d6: 10 dice are expected, not 3")
    expect(attack).to_be_focused()
    attack.fill("5, 5, 5, 7, 1, 1, 1, 1, 1, 1")
    attack.press("Enter")
    expect(fault).to_have_text("attack: 10d6: 7 is on no die with 6 sides")
    attack.fill("six")
    attack.press("Enter")
    expect(fault).to_have_text("attack: 10d6: numbers are expected")
    attack.fill("5 5 5 2 2 2 1 1 1 1")
    attack.press("Enter")

    soak = bridge.question.get_by_label("soak: 8d6")
    soak.fill("66221133")
    soak.press("Enter")
    expect(bridge.question).to_have_count(0)
    assert bridge.faces() == [[5, 5, 5, 2, 2, 2, 1, 1, 1, 1], [1, 1, 1], [6, 6, 2, 2, 1, 1, 3, 3]]
    expect(bridge.card.locator(".fracas-facts").first).to_contain_text("3 hits")
    expect(bridge.card.locator(".fracas-die.success")).to_have_count(5)
    expect(bridge.card.locator(".fracas-state")).to_have_text("hit")


def test_dice_with_proof_tell_seed_and_commitment(bridge: Bridge) -> None:
    bridge.shoot()
    bridge.page.get_by_label("… with proof").check()
    bridge.roll.click()
    bridge.pass_on()
    proof = bridge.card.locator("details").filter(has_text="Proof of the dice")
    proof.locator("summary").click()
    seed = proof.locator("dd").last.inner_text()
    assert re.fullmatch("[0-9a-f]{64}", seed)
    bridge.page.locator("#send").click()
    ((_, card),) = bridge.at_the_table()
    assert card["Seed"] == seed


def test_what_is_impossible_cannot_be_rolled_and_says_why(bridge: Bridge) -> None:
    bridge.shoot()
    bridge.field("distance").fill("5000")
    expect(bridge.page.locator("#form .fracas-fault")).to_contain_text("range")
    expect(bridge.roll).to_be_disabled()
    bridge.field("distance").fill("")
    expect(bridge.roll).to_be_enabled()


def test_without_beyond20_it_says_so(opened: Callable[..., Bridge]) -> None:
    bridge = opened()
    bridge.shoot()
    bridge.roll.click()
    expect(bridge.page.locator("#beyond20")).to_have_text("Beyond20 is not on this page", timeout=120_000)
    bridge.page.locator("#send").click()
    expect(bridge.delivery).to_have_text(re.compile("^Not sent: Beyond20 is not on this page"))
    # It comes while the page is open, as when the extension is switched on.
    bridge.page.evaluate("document.dispatchEvent(new CustomEvent('Beyond20_Loaded', {detail: [{}]}))")
    expect(bridge.page.locator("#beyond20")).to_have_text("Beyond20 is here")
    bridge.page.evaluate("document.dispatchEvent(new CustomEvent('Beyond20_disconnect', {detail: []}))")
    expect(bridge.page.locator("#beyond20")).to_have_text("Looking for Beyond20 …")
    assert bridge.complaints == []


@pytest.mark.parametrize("name", ["chromium", "firefox"])
def test_beyond20_takes_the_address_that_the_page_shows(opened: Callable[..., Bridge], name: str) -> None:
    agent = {"user_agent": "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"}
    bridge = opened(**(agent if name == "firefox" else {}))
    bridge.page.get_by_text("How cards get to the table").click()
    entered = bridge.page.locator("#domain").inner_text()
    assert "\n".join(kept(entered)) == entered != ""
    assert is_on(bridge.page.url, entered, name)
    expect(bridge.page.locator("[data-domain=refused]")).to_be_hidden()


ADDRESSES = (
    ("http://127.0.0.1:8844", 1, 2),
    ("http://localhost:8844", 1, 2),
    ("http://192.168.0.7:8844", 1, 2),
    ("https://fracas.example.org", 1, 1),
    ("https://fracas.example.org:8443", 1, 2),
    ("http://gm-pc:8844", 0, 0),
    ("http://[::1]:8844", 0, 0),
)
"""Addresses of the service, with how many lines Beyond20 needs in Chromium and in Firefox to be on them."""


def test_every_address_of_the_service_is_written_as_beyond20_wants_it(bridge: Bridge) -> None:
    script = """async ([origin, firefox]) => {
        const {customDomains} = await import("/static/beyond20.js");
        return customDomains(new URL(origin), firefox);
    }"""
    for origin, *counts in ADDRESSES:
        for browser, count in zip(("chromium", "firefox"), counts, strict=True):
            lines = bridge.page.evaluate(script, [origin, browser == "firefox"])
            assert len(lines) == count
            assert is_on(f"{origin}/bridge", "\n".join(lines), browser) == (count > 0)


LOADED = """() => performance.getEntriesByType("navigation")[0].loadEventEnd"""
"""Milliseconds from the start of a page to the end of its loading."""


def test_a_page_that_is_loaded_again_loads_slowly_enough_for_beyond20(bridge: Bridge) -> None:
    expect(bridge.page.locator("#beyond20")).to_have_text("Beyond20 is here")
    for where in ("", "?ruleset=cwn"):
        bridge.page.goto(f"{bridge.address}/bridge{where}")  # which waits until it is loaded
        bridge.page.wait_for_function(f"({LOADED})() > 0")
        assert comes_back(bridge.page.evaluate(LOADED))
    bridge.page.reload()
    bridge.page.wait_for_function(f"({LOADED})() > 0")
    assert comes_back(bridge.page.evaluate(LOADED))
    expect(bridge.page.locator("iframe")).to_have_count(0)
    assert bridge.complaints == []


def test_an_extension_that_keeps_rolls_to_itself_is_named(page: Page, address: str) -> None:
    with_beyond20(page.context, {"vtt-tab": {"id": 0, "title": "D&D Beyond", "vtt": "dndbeyond"}})
    bridge = Bridge(page, address)
    expect(page.locator("#beyond20")).to_have_text("Beyond20 is here, but set to keep rolls to itself")
    bridge.shoot()
    bridge.roll.click()
    page.locator("#send").click()
    expect(bridge.delivery).to_contain_text("which is set to send rolls nowhere")


def test_cards_are_copied_for_the_chat_and_for_the_mod(bridge: Bridge) -> None:
    bridge.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=bridge.address)
    bridge.shoot()
    bridge.roll.click()
    copied = "() => navigator.clipboard.readText()"
    bridge.page.get_by_role("button", name="Copy as Roll20").click()
    expect(bridge.delivery).to_have_text("Copied as Roll20: paste it into the chat of the table.")
    card = bridge.page.evaluate(copied)
    assert re.match(r"&\{template:default\} \{\{name=Ranged attack", card)
    assert "\n" not in card
    bridge.page.get_by_role("button", name="Copy for the Mod").click()
    expect(bridge.delivery).to_contain_text("Copied for the Mod")
    told = read_import(bridge.page.evaluate(copied))
    assert ("attacker", "item", "weapon/rounds", -1) in told.changes
    bridge.page.get_by_role("button", name="Copy as text").click()
    expect(bridge.delivery).to_contain_text("Copied as text")
    assert bridge.page.evaluate(copied).startswith("Ranged attack")


def test_where_the_browser_does_not_copy_the_text_is_there_to_be_selected(bridge: Bridge) -> None:
    bridge.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    bridge.shoot()
    bridge.roll.click()
    bridge.page.get_by_role("button", name="Copy as Roll20").click()
    area = bridge.page.get_by_label("The browser does not let this page copy")
    expect(area).to_be_focused()
    selected = "(area) => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert area.evaluate(selected).startswith("&{template:default}")


def test_questions_are_asked_of_those_of_whom_people_want_it(bridge: Bridge) -> None:
    bridge.shoot()
    bridge.roll.click()
    expect(bridge.card.locator(".fracas-dice li").first).to_be_visible()
    expect(bridge.card.locator(".fracas-state")).not_to_have_text("waiting")
    expect(bridge.question).to_have_count(0)
    expect(bridge.card).not_to_contain_text("Decisions")

    bridge.ask("actor")
    bridge.page.reload()  # it stays
    bridge.shoot()
    bridge.roll.click()
    asked = []
    while bridge.page.locator("#card header .fracas-state").inner_text() == "waiting":
        label = bridge.question.get_attribute("aria-label")
        asked.append(label)
        bridge.question.get_by_role("button", name="Push" if len(asked) == 1 else "None").first.click()
        expect(bridge.page.locator(f"#questions form[aria-label={json.dumps(label)}]")).to_have_count(0)
    assert 1 <= len(asked) <= 2
    assert all(label.startswith("Rook: Spend Edge") for label in asked)
    bridge.card.get_by_text("Decisions", exact=True).first.click()
    expect(bridge.card.locator("dd").last).to_have_text("Rook: Spend Edge before the roll: push")


def test_a_modifier_is_typed_in_with_what_it_is_for(bridge: Bridge) -> None:
    bridge.shoot()
    pool = bridge.page.locator("#form details[data-to='attack.pool']")
    before = 10
    expect(pool.locator("summary .fracas-value")).to_have_text(str(before))
    hand = pool.locator(".by-hand")
    expect(hand).to_have_count(1)
    hand.get_by_label("What for").press_sequentially("slick floor")
    hand.get_by_label("By hand", exact=True).press_sequentially("-12", delay=150)
    expect(pool.locator("summary .fracas-value")).to_have_text("0")
    expect(hand).to_have_count(2)
    expect(hand.first.get_by_label("By hand", exact=True)).to_be_focused()
    hand.first.get_by_label("By hand", exact=True).fill("-2")
    expect(pool.locator("summary .fracas-value")).to_have_text(str(before - 2))
    hand.last.get_by_label("By hand", exact=True).fill("1")
    expect(pool.locator("summary .fracas-value")).to_have_text(str(before - 1))
    hand.nth(1).get_by_label("By hand", exact=True).fill("")
    expect(pool.locator("summary .fracas-value")).to_have_text(str(before - 2))
    expect(hand).to_have_count(2)
    bridge.roll.click()
    bridge.card.get_by_text("Numbers").click()
    expect(bridge.card).to_contain_text("slick floor -2")


REQUESTS = [
    block
    for page in ("README.md", "docs/roll20.md", "docs/http.md")
    for block in re.findall(r"```(?:json|sh)\n(.*?)```", (ROOT / page).read_text("utf-8"), re.S)
    if {"ruleset", "procedure", "situation"} <= set(re.findall(r'"(\w+)":', block))
]
"""Requests as the documentation shows them."""


def test_the_requests_of_the_documentation_fill_the_form(bridge: Bridge) -> None:
    assert len(REQUESTS) >= 2
    for text in REQUESTS:
        bridge.page.get_by_text("Paste from Roll20").click()
        bridge.page.locator("#pasted").fill(text)
        with bridge.page.expect_response("**/v1/odds"):
            bridge.page.get_by_role("button", name="Fill the form with it").click()
        expect(bridge.page.locator("#paste")).not_to_have_attribute("open", "")
        expect(bridge.page.locator("#trouble")).to_be_hidden()
        expect(bridge.measure("hit")).to_be_visible()
        expect(bridge.roll).to_be_enabled()


def test_modifiers_and_house_rules_are_pasted_too(bridge: Bridge) -> None:
    request = {
        "ruleset": "sr4",
        "procedure": "ranged-attack",
        "situation": {"attacker": "rook", "target": "guard", "weapon": "ares-predator-iv"}
        | {"fire": {"mode": "semi-automatic"}, "distance": 12},
        "modifiers": [
            {"to": "attack.pool", "label": "slick floor", "value": -1},
            {"to": "attack.pool", "value": 3},
        ],
        "options": {"recoil": "flat"},
        "decisions": [{"decision": "edge-before", "choose": "push"}],
        "dice": {"source": "system"},
        "cards": ["roll20"],
    }
    bridge.page.get_by_text("Paste from Roll20").click()
    bridge.page.locator("#pasted").fill(json.dumps(request))
    bridge.page.get_by_role("button", name="Fill the form with it").click()
    pool = bridge.page.locator("#form details[data-to='attack.pool']")
    expect(pool.get_by_label("What for").first).to_have_value("slick floor")
    expect(pool.locator("summary .fracas-value")).to_have_text("12")
    notes = bridge.page.locator("#notes")
    expect(notes).to_contain_text('options {"recoil":"flat"}')
    expect(notes).to_contain_text(
        "Not taken from what was pasted, as the page has settings of its own: dice, cards."
    )
    bridge.roll.click()
    for name in ("Numbers", "Decisions"):
        bridge.card.locator("summary", has_text=name).click()
    expect(bridge.card).to_contain_text("slick floor -1, By hand +3")
    expect(bridge.card).to_contain_text("Spend Edge before the roll: push")


PASTED: dict[str, str] = {
    "": "There is no request in it",
    "Rook attacks": "There is no request in it",
    "[1]": "There is no request in it",
    "{}": "The request lacks ruleset, procedure, situation.",
    '{"ruleset": "sr4", "procedure": "ranged-attack"}': "The request lacks situation.",
    '{"ruleset": 1, "procedure": "x", "situation": {}}': "ruleset: a word in quotation marks is expected",
    '{"ruleset": "sr4", "procedure": "x", "situation": [1]}': "situation: fields in { } are expected",
    '{"ruleset": "sr4", "procedure": "x", "situation": {}, "modifer": []}': "A request has no modifer. It may",
    '{"ruleset": "sr4", "procedure": "x", "situation": {}, "modifiers": [{"to": "x"}]}': "modifiers: a list is",
    '{"ruleset": "sr4", "situation": {"attacker": {"agility":,"edge":3}}}': "There is nothing behind agility: that",
    '{"ruleset": "sr4", "situation": {"attacker": {"edge":}}}': "There is nothing behind edge: that attribute",
    '{"ruleset": "sr4", "situation": {"edge":@{selected|edge}}}': "Roll20 found no @{selected|edge}",
    '{"ruleset": "sr4" "procedure": "x"}': "This is no request: ",
    '{"ruleset": "d20", "procedure": "x", "situation": {}}': "There is no game d20 here.",
    '{"ruleset": "sr4", "procedure": "x", "situation": {}}': "This game has no x.",
}
"""What is pasted, and what the page says of it."""


def test_what_is_wrong_with_what_was_pasted_is_said(bridge: Bridge) -> None:
    bridge.page.get_by_text("Paste from Roll20").click()
    for text, told in PASTED.items():
        bridge.page.locator("#pasted").fill(text)
        bridge.page.get_by_role("button", name="Fill the form with it").click()
        expect(bridge.page.locator("#trouble")).to_contain_text(told)
        expect(bridge.page.locator("#single select[name=ruleset]")).not_to_have_value("")


def test_what_a_macro_of_roll20_whispers_fills_the_form(bridge: Bridge) -> None:
    situation = {
        "attacker": {"agility": 6, "skills": {"pistols": 5}, "physical": 0, "stun": 0, "name": "Wisp"},
        "target": {"use": "guard", "name": HOSTILE[:70]},
        "weapon": "ares-predator-iv",
        "fire": {"mode": "semi-automatic"},
        "distance": 12,
    }
    request = {"ruleset": "sr4", "procedure": "ranged-attack", "situation": situation}
    bridge.page.get_by_text("Paste from Roll20").click()
    area = bridge.page.get_by_label("What a macro of Fracas whispered")
    take = bridge.page.get_by_role("button", name="Fill the form with it")
    area.fill(f"(From Ada): {json.dumps(request)} ")
    take.click()
    expect(bridge.page.locator("#trouble")).to_be_hidden()
    expect(bridge.page.locator("#single select[name=attacker]")).to_have_value("")
    expect(bridge.page.locator("#single select[name=target]")).to_have_value("guard")
    expect(bridge.field("distance")).to_have_value("12")
    pool = bridge.page.locator("#form details[data-to='attack.pool'] summary .fracas-value")
    expect(pool).to_have_text("10")

    bridge.roll.click()
    expect(bridge.card.locator("h3")).to_contain_text("[[1d6]] @{selected|hp}")
    bridge.page.locator("#send").click()
    ((speaker, _),) = bridge.at_the_table()  # nothing of the name is left that a chat would read
    assert speaker == "Wisp"
    assert bridge.page.evaluate("window.hacked") is None
    assert bridge.complaints == []


def test_whoever_attacks_has_a_weapon_of_his_own_until_one_is_chosen(bridge: Bridge) -> None:
    bridge.choose("ruleset", "sr4")
    weapon = bridge.page.locator("#single select[name=weapon]")
    bridge.choose("attacker", "kestrel")
    bridge.choose("attacker", "rook")
    expect(weapon).to_have_value("ares-predator-iv")
    assert weapon.locator("option").all_inner_texts()[:3] == ["–", "Ares Predator IV", "Ingram Smartgun X"]
    bridge.choose("procedure", "melee-attack")
    expect(weapon).to_have_value("katana")
    bridge.choose("weapon", "combat-axe")
    with bridge.page.expect_response("**/v1/odds"):
        bridge.choose("attacker", "vex")
    expect(weapon).to_have_value("combat-axe")


def test_the_address_of_the_page_may_say_who_and_what(opened: Callable[..., Bridge]) -> None:
    said = "ruleset=sr4&procedure=melee-attack&attacker=brick&target=vex&weapon=katana&distance=x&contact=true&y=1"
    bridge = opened(f"?{said}")
    expect(bridge.page.locator("#single select[name=weapon]")).to_have_value("katana")
    expect(bridge.page.locator("#single select[name=attacker]")).to_have_value("brick")
    expect(bridge.page.locator("#single select[name=procedure]")).to_have_value("melee-attack")
    expect(bridge.field("contact")).to_be_checked()
    expect(bridge.field("distance")).to_have_value("")


def test_the_link_in_the_documentation_is_an_attack_that_can_be_rolled(opened: Callable[..., Bridge]) -> None:
    text = (ROOT / "docs/roll20.md").read_text("utf-8")
    ((link,),) = [re.findall(r"^http://127\.0\.0\.1:8844/bridge(\?\S+)$", text, re.M)]
    bridge = opened(link)
    expect(bridge.measure("hit")).to_be_visible()
    expect(bridge.roll).to_be_enabled()
    expect(bridge.field("fire.mode")).to_have_value("semi-automatic")


def test_another_game_and_another_procedure_have_their_own_fields(bridge: Bridge) -> None:
    bridge.choose("ruleset", "cwn")
    bridge.choose("weapon", "heavy-pistol")
    expect(bridge.page.locator("#form .fracas-missing")).to_contain_text("Distance")
    expect(bridge.roll).to_be_disabled()
    bridge.choose("procedure", "saving-throw")
    expect(bridge.page.locator("#single select[name=saver]")).to_be_visible()
    slow: list[Route] = []
    bridge.page.route("**/v1/rulesets/imperium", lambda route: slow.append(route), times=1)
    bridge.choose("ruleset", "imperium")
    for gone in (
        "#form",
        "#records",
    ):  # while the service takes its time nobody fills in what will be replaced
        expect(bridge.page.locator(gone)).to_be_empty()
    slow[0].continue_()
    expect(bridge.page.locator("#single select[name=weapon]")).to_be_visible()
    bridge.page.get_by_text("More combatants and items").click()
    expect(bridge.page.locator("#single select[name=other_1]")).to_be_visible()
    bridge.page.reload()  # the game stays
    expect(bridge.page.locator("#single select[name=ruleset]")).to_have_value("imperium")
    expect(bridge.page.locator("#single select[name=weapon]")).to_be_visible()


def test_all_of_it_works_by_keyboard(bridge: Bridge) -> None:
    bridge.shoot()
    press = bridge.page.keyboard.press
    bridge.field("distance").focus()
    for _ in range(60):
        press("Tab")
        if bridge.page.evaluate("document.activeElement.name") == "asked":
            break
    press("End")
    press("Tab")
    expect(bridge.roll).to_be_focused()
    press("Enter")
    # The question has the focus, with what happens when nobody says anything.
    expect(bridge.question.locator("button.main")).to_be_focused()
    for _ in range(8):
        if bridge.page.locator("#card header .fracas-state").inner_text() != "waiting":
            break
        asked = bridge.question.get_attribute("aria-label")
        press("Enter")
        expect(bridge.page.locator(f"#questions form[aria-label={json.dumps(asked)}]")).to_have_count(0)
    expect(bridge.page.locator("#send")).to_be_focused()
    press("Enter")
    assert len(bridge.handed()) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_is_labelled_and_can_be_read(
    opened: Callable[..., Bridge], scheme: str, tmp_path: Path
) -> None:
    phone = {"width": 360, "height": 740}
    bridge = opened(viewport=phone, color_scheme=scheme, has_touch=True)
    bridge.shoot()
    bridge.roll.click()
    expect(bridge.card).to_be_in_viewport()
    bridge.page.screenshot(path=tmp_path / f"phone-{scheme}.png", full_page=True)
    assert bridge.page.evaluate("document.documentElement.scrollWidth") <= phone["width"]
    assert bridge.page.evaluate(UNNAMED) == []
    assert bridge.page.evaluate(FAINT) == []


UNNAMED = """() => [...document.querySelectorAll("input, select, textarea, button")]
    .filter((one) => one.checkVisibility())
    .filter((one) => !(one.labels?.[0] ?? one).textContent.trim() && !one.getAttribute("aria-label"))
    .map((one) => one.outerHTML)"""
"""Controls without a name for a screen reader."""

FAINT = """() => {
  const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
  const rgb = (colours) => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1); }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (parts) => parts.map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const found = [];
  for (const one of document.querySelectorAll("body *")) {
    const own = [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    const faint = one.closest(":disabled, .hush, option, .skip, .failed, .suppressed");
    if (!own || faint || !one.checkVisibility()) continue;
    const grounds = [];
    for (let at = one; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const ground = rgb(["white", ...grounds]);
    const text = rgb([`rgb(${ground})`, getComputedStyle(one).color]);
    const [low, high] = [light(text), light(ground)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push(`${one.className} ${one.textContent.trim().slice(0, 40)} ${contrast.toFixed(2)}`);
  }
  return found;
}"""
"""Texts with less contrast than 4.5 to 1."""


def test_the_first_target_is_a_foe_and_odds_show_what_can_happen(opened: Callable[..., Bridge]) -> None:
    bridge = opened("?ruleset=sr4&distance=12&fire.mode=semi-automatic")
    expect(bridge.page.locator("#single select[name=attacker]")).to_have_value("rook")
    expect(bridge.page.locator("#single select[name=target]")).to_have_value("guard")
    expect(bridge.measure("hit")).to_be_visible()
    expect(bridge.page.locator("#form dl")).not_to_contain_text("person in the way")
