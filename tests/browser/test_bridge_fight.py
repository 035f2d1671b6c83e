"""The bridge page in a running fight: actions, questions, secrets, and cards that go to the table by themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from bridge_page import Alley, Bridge, dice_of, with_beyond20
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def alley(page: Page, address: str) -> Alley:
    return Alley(page.request, address)


@pytest.fixture
def bridge(page: Page, address: str, alley: Alley) -> Bridge:
    """The page of the game master, opened by a link with the token."""
    with_beyond20(page.context)
    bridge = Bridge(page, address, alley.where)
    expect(standing(bridge)).to_contain_text("Rook to act")
    return bridge


def standing(bridge: Bridge) -> Any:
    return bridge.page.locator("#standing")


def fire(bridge: Bridge) -> None:
    bridge.choose("action", "fire-semi-automatic")
    bridge.field("distance").fill("12")
    expect(bridge.measure("hit")).to_be_visible()
    bridge.roll.click()


def test_an_action_is_taken_its_questions_answered_and_its_card_handed_over(
    bridge: Bridge, alley: Alley, tmp_path: Path
) -> None:
    assert bridge.page.url == f"{bridge.address}/bridge"
    assert alley.token not in bridge.page.evaluate("JSON.stringify(history.state) + location.href")
    expect(bridge.page.locator("#fight select[name=target]")).to_have_value("guard")
    expect(bridge.page.locator("#fight select[name=item]")).to_have_value("ares-predator-iv")
    fire(bridge)
    expect(bridge.question).to_have_attribute("aria-label", re.compile("^Rook: Spend Edge before the roll"))
    bridge.question.get_by_role("button", name=re.compile("^Push")).click()
    expect(bridge.question).to_have_attribute("aria-label", re.compile("^Game master: Apply the effects of "))
    expect(bridge.card.locator(".fracas-dice li").first).to_contain_text("d6!")
    bridge.page.screenshot(path=tmp_path / "fight.png", full_page=True)
    bridge.question.get_by_role("button", name="Apply").click()
    expect(bridge.question).to_have_count(0)
    expect(bridge.card.locator(".fracas-state")).not_to_have_text("waiting")

    bridge.page.locator("#send").click()
    ((_, card),) = bridge.at_the_table()
    assert dice_of(card) == [faces for faces in bridge.faces() if faces]
    (rook,) = (one for one in alley.state()["combatants"] if one["id"] == "rook")
    assert rook["sheet"]["edge_points"] == 2
    assert bridge.complaints == []


def test_an_action_without_dice_is_done_and_what_is_not_allowed_any_more_is_not(
    bridge: Bridge, alley: Alley
) -> None:
    bridge.choose("action", "take-aim")
    expect(bridge.roll).to_have_text("Take aim")
    bridge.roll.click()
    expect(bridge.delivery).to_have_text("Done.")
    bridge.choose("action", "fire-semi-automatic")
    bridge.field("distance").fill("12")
    expect(bridge.roll).to_have_text("Fire semi-automatically")
    expect(bridge.roll).to_be_enabled()
    alley.command("next")
    expect(bridge.page.locator("#notes p").first).to_have_text(re.compile("^Not now: "))
    expect(bridge.roll).to_be_disabled()
    expect(bridge.field("distance")).to_have_value("12")


def test_what_not_everybody_may_see_stays_on_the_page(bridge: Bridge, alley: Alley) -> None:
    bridge.page.get_by_label("Send each new public card to the table by itself").check()
    alley.command("next")
    alley.command("next")
    expect(standing(bridge)).to_contain_text("Sniper to act")
    bridge.choose("combatant", "sniper")
    bridge.choose("target", "rook")
    bridge.page.locator("#form [data-path='distance']").first.fill("12")
    expect(bridge.measure("hit")).to_be_visible()
    bridge.roll.click()
    bridge.pass_on(apply=True)
    expect(bridge.page.locator("#secret")).to_be_visible()
    assert len(bridge.faces()[0]) > 3
    for name in ("Send to the table", "Copy as Roll20", "Copy for the Mod", "Copy as text"):
        expect(bridge.page.get_by_role("button", name=name)).to_have_count(0)
    expect(bridge.page.locator("#past li")).to_have_count(1)
    expect(bridge.page.locator("#past li")).to_contain_text("(secret)")
    bridge.page.get_by_text("Cards of this fight").click()
    bridge.page.locator("#past button").click()
    expect(bridge.page.locator("#secret")).to_be_visible()
    assert bridge.handed() == []


def test_cards_of_others_go_to_the_table_by_themselves_once(bridge: Bridge, alley: Alley) -> None:
    bridge.page.get_by_label("Send each new public card to the table by itself").check()
    before = alley.state()["version"]
    situation = {"distance": 12, "target": {"cover": "partial"}}
    done = alley.command(
        "act", combatant="rook", action="fire-semi-automatic", target="guard", situation=situation, ask=False
    )
    for step in done["steps"]:
        alley.command("answer", question=step["question"]["id"], choose=step["question"]["default"])
    expect(bridge.page.locator("#past li")).to_have_count(1)
    expect(bridge.delivery).to_contain_text("Handed to Beyond20")
    alley.command("undo", steps=1)
    alley.command("redo")
    alley.command("next")
    expect(standing(bridge)).not_to_contain_text("Rook")
    ((speaker, _),) = bridge.at_the_table()
    assert speaker == "Rook"
    expect(bridge.card.locator("h3")).to_contain_text("Rook")
    alley.command("undo", to=before)
    expect(standing(bridge)).to_contain_text("Rook to act")
    expect(bridge.page.locator("#past li")).to_have_count(0)


def test_a_reload_keeps_the_fight_and_leaving_forgets_it(bridge: Bridge, alley: Alley) -> None:
    bridge.page.reload()
    expect(standing(bridge)).to_contain_text("Rook to act")
    bridge.page.get_by_role("button", name="Leave this fight").click()
    expect(bridge.page.get_by_label("Id of the fight")).to_be_visible()
    assert bridge.page.evaluate("sessionStorage.length + localStorage.length") == 0
    bridge.page.reload()
    expect(bridge.page.get_by_label("A single attack")).to_be_checked()

    bridge.page.get_by_label("A running fight").check()
    bridge.page.get_by_label("Id of the fight").fill(alley.id)
    bridge.page.get_by_label("Your token").fill("wrong")
    bridge.page.get_by_role("button", name="Connect").click()
    expect(bridge.page.locator("#trouble")).to_contain_text("token")
    bridge.page.get_by_label("Your token").fill(alley.token)
    bridge.page.get_by_role("button", name="Connect").click()
    expect(standing(bridge)).to_contain_text("Rook to act")


def test_whoever_is_done_passes_on(bridge: Bridge, alley: Alley) -> None:
    bridge.page.get_by_role("button", name="End turn").click()
    expect(standing(bridge)).to_contain_text("Guard at the door to act")
    assert alley.state()["acting"] == ["guard"]


def test_a_player_sees_and_commands_only_his_own(page: Page, address: str) -> None:
    alley = Alley(page.request, address, open_sheets=True)
    headers = {"Authorization": f"Bearer {alley.token}"}
    wanted = {"role": "player", "label": "Ada", "combatants": ["rook"]}
    made = page.request.post(
        f"{address}/v1/encounters/{alley.id}/tokens", data=wanted, headers=headers
    ).json()
    with_beyond20(page.context)
    bridge = Bridge(page, address, f"#fight={alley.id}&token={made['secret']}")
    expect(standing(bridge)).to_contain_text("Rook to act")
    # The sheet of the guard is open to him, but not to be commanded.
    bridge.choose("combatant", "guard")
    expect(page.locator("#fight select[name=combatant] option")).to_have_text(["Rook"])
    assert page.locator("#fight select[name=target] option").all_inner_texts() == ["Guard at the door"]
    fire(bridge)
    for _ in range(2):
        expect(bridge.question).to_have_count(1)
        label = bridge.question.get_attribute("aria-label")
        assert label.startswith("Rook: ")
        bridge.question.locator("button.main").click()
        expect(page.locator(f'#questions form[aria-label="{label}"]')).to_have_count(0)
    # What is left is for the game master to apply.
    expect(bridge.question).to_have_count(0)
    assert [one for one in bridge.complaints if "403" not in one] == []


def test_pasted_positions_are_one_event_and_faults_name_the_line(bridge: Bridge, alley: Alley) -> None:
    page, version = bridge.page, alley.state()["version"]
    page.get_by_text("Paste where combatants are").click()
    box = page.get_by_label("A line for each combatant")
    assert "Rook, 0, 0" in (box.get_attribute("placeholder") or "")
    box.fill("Rook, 0, 0\nGuard at the dor, 10, 5\nSniper, 2")
    page.get_by_role("button", name="Place them in the fight").click()
    trouble = page.locator("#trouble")
    expect(trouble).to_contain_text("line 2.who: there is no combatant")
    expect(trouble).to_contain_text("did you mean 'Guard at the door'?")
    expect(trouble).to_contain_text("line 3.y: a number is expected")
    assert alley.state()["version"] == version
    box.fill("Rook, 0, 0\nGuard at the door, 10, 5\nSniper, 20, 0, 10")
    page.get_by_label("They count in").select_option("ft")
    page.get_by_role("button", name="Place them in the fight").click()
    expect(trouble).to_be_hidden()
    expect(bridge.delivery).to_contain_text("Guard at the door is placed on the map")
    state = alley.state()
    assert state["version"] == version + 1
    at = {one["id"]: one["position"] for one in state["combatants"]}
    assert (at["guard"]["x"], at["guard"]["y"]) == (3.048, 1.524)
    assert at["sniper"]["elevation"] == 3.048
    # The distance need not be typed any more
    bridge.choose("action", "fire-semi-automatic")
    expect(bridge.measure("hit")).to_be_visible()
    alley.command("undo", steps=1)
    assert all(one["position"] is None for one in alley.state()["combatants"])
    assert [one for one in bridge.complaints if "422" not in one] == []


def test_the_box_for_positions_fits_on_a_phone(bridge: Bridge) -> None:
    bridge.page.set_viewport_size({"width": 390, "height": 844})
    bridge.page.get_by_text("Paste where combatants are").click()
    expect(bridge.page.get_by_role("button", name="Place them in the fight")).to_be_visible()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert bridge.page.evaluate(wide) <= 0
