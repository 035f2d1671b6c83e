"""The Foundry module in a fight of the service: two clients, tokens, cards that follow, what only the owner may do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from foundry_worlds import (
    ADA,
    GM,
    GRENADE,
    GUARD,
    ROOK,
    THUG,
    ZIP_GUN,
    Foundry,
    Table,
    alley,
    api,
    card,
    command,
    settle,
    street,
    take_aim_at,
    told,
    with_combat,
)
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def version() -> int:
    """Of Foundry, if a test does not say it."""
    return 13


@pytest.fixture
def fight(browser: Browser, foundry: Foundry, fracas: str, version: int) -> Iterator[tuple[Page, Page]]:
    """The game master and Ada in a fight whose first turn has begun, Rook before the guard."""
    table = Table(browser, foundry, f"fight-{id(object())}", with_combat(alley(fracas), ROOK, GUARD))
    gm, ada = table(GM, version=version), table(ADA, version=version)
    api(gm, "beginFight()")
    ada.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
    command(gm, {"command": "begin-turn", "given": {"rook": {"hits": 4}, "guard": {"hits": 0}}})
    ada.wait_for_function("game.combat.combatant?.name === 'Rook'")
    yield gm, ada
    table.close()


def shoot(page: Page) -> None:
    """Through the dialog, with the action that it proposes."""
    take_aim_at(page)
    api(page, "attack() && null")
    form = page.locator(".fracas-attack")
    form.locator("[data-choice=way]").select_option(label="Fire semi-automatically")
    expect(form.locator("[data-measure=hit]")).to_be_visible()
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(form).to_have_count(0)


@pytest.mark.parametrize("version", [13, 14])
def test_from_the_players_attack_to_applied_damage_to_undo(fight: tuple[Page, Page], tmp_path: Path) -> None:
    gm, ada = fight
    shoot(ada)
    expect(card(gm)).to_contain_text("Fire semi-automatically")
    expect(card(ada).get_by_role("button", name="No", exact=True)).to_be_visible()
    settle(ada)
    expect(card(ada).locator(".fracas-waits")).to_contain_text("Game master: apply the effects")
    assert card(ada).get_by_role("button").count() == 0
    assert ada.screenshot(path=tmp_path / "ada.png").startswith(b"\x89PNG")

    outcome = json.loads(gm.evaluate("game.messages.contents.at(-1).flags.fracas.card"))["answer"]["outcome"]
    card(gm).get_by_role("button", name="Apply").click()
    expect(card(ada).locator(".fracas-state")).to_contain_text("applied")
    gm.wait_for_function(
        "game.actors.getName('Rook').items.getName('Ares Predator IV').system.currentAmmo === 14"
    )
    damage = outcome["damage"] if outcome.get("track") == "physical" else 0
    ada.wait_for_function(f"game.actors.get('{GUARD}').system.conditionMonitor.physical.value === {damage}")
    assert gm.screenshot(path=tmp_path / "gm.png").startswith(b"\x89PNG")

    assert card(ada).get_by_role("button").count() == 0
    card(gm).get_by_role("button", name="Undo").click()
    expect(card(ada).locator(".fracas-waits")).to_contain_text("Game master: apply the effects")
    ada.wait_for_function(f"game.actors.get('{GUARD}').system.conditionMonitor.physical.value === 0")
    gm.wait_for_function(
        "game.actors.getName('Rook').items.getName('Ares Predator IV').system.currentAmmo === 15"
    )

    step = gm.evaluate("game.messages.contents.at(-1).flags.fracas.step")
    command(gm, {"command": "undo", "to": int(step.removeprefix("r")) - 1})
    expect(card(ada).locator(".fracas-state")).to_contain_text("taken back")


def test_a_player_cannot_answer_for_others(fight: tuple[Page, Page]) -> None:
    gm, ada = fight
    command(gm, {"command": "set", "combatant": "guard", "asks": True})
    shoot(ada)
    expect(card(ada).locator(".fracas-waits")).to_contain_text(
        "Guard: React to Fire semi-automatically by Rook?"
    )
    assert card(ada).get_by_role("button").count() == 0
    question = json.loads(gm.evaluate("game.messages.contents.at(-1).flags.fracas.card"))["question"]["id"]
    refused = ada.evaluate(
        """async (question) => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          return fightOf().command({ command: "answer", question }).then(() => "taken", (error) => error.status);
        }""",
        question,
    )
    assert refused == 403


def test_a_hand_throws_foundrys_dice(fight: tuple[Page, Page]) -> None:
    gm, ada = fight
    command(gm, {"command": "set", "combatant": "rook", "dice": "hand"})
    ada.evaluate("CONFIG.Dice.randomUniform = () => 0.8")
    shoot(ada)
    card(ada).get_by_role("button", name="No", exact=True).click()
    card(ada).get_by_role("button", name="Roll in Foundry").click()
    expect(card(gm).locator(".fracas-dice li").first).to_contain_text("5")
    rolls = json.loads(gm.evaluate("game.messages.contents.at(-1).flags.fracas.card"))["answer"]["rolls"]
    assert set(rolls[0]["faces"]) == {5}
    assert rolls[0]["by"] == "attacker"


def test_what_asks_nothing_gets_a_card_as_well(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """Where effects are applied at once: initiative as one card for all, a blast on two, a weapon that no pack has."""
    table = Table(browser, foundry, "at-once", with_combat(street(fracas), ROOK, GUARD, THUG))
    gm = table(GM)
    gm.evaluate(
        "game.modules.get('fracas').api.beginFight(undefined, {settings: {apply: 'at-once'}}).then(() => null)"
    )
    items = {"fragmentation-grenade": {"ready": True}}
    quick = {"reaction": 9, "intuition": 9}  # so that he is first, however the dice fall
    command(gm, {"command": "set", "combatant": "rook", "asks": False, "items": items, "fields": quick})
    gm.evaluate("game.modules.get('fracas').api.initiative().then(() => null)")
    expect(card(gm)).to_contain_text("initiative")
    rolls = told(gm)["answer"]["rolls"]
    assert [(roll["by"], len(roll["faces"]) > 0) for roll in rolls] == [
        (id, True) for id in ("rook", "guard", "thug")
    ]

    form = gm.locator(".fracas-attack")
    take_aim_at(gm, ROOK, GUARD, THUG)
    wanted = {"action": "throw-grenade", "weapon": GRENADE}
    gm.evaluate("wanted => game.modules.get('fracas').api.attack(wanted) && null", wanted)
    expect(form.locator("[data-choice=weapon]")).to_have_value("fragmentation-grenade")
    expect(form.locator(".fracas-missing")).to_have_text("Thug: Distance from the blast")
    assert form.locator("[data-path='fire.mode']").count() == 0, "the action says it"
    form.locator("[data-path='victim_1.blast_distance']").fill("2")
    expect(form.locator("[data-measure=hurt]")).to_be_visible()
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(card(gm).locator(".fracas-title")).to_have_text("Throw a grenade: Grenade")
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    assert {roll["by"] for roll in told(gm)["answer"]["rolls"]} >= {"attacker", "target", "victim_1"}
    expect(card(gm).get_by_role("button")).to_have_text(["Undo"])

    take_aim_at(gm)
    wanted = {"action": "fire-semi-automatic", "weapon": ZIP_GUN, "situation": {"distance": 3}, "fast": True}
    gm.evaluate("wanted => game.modules.get('fracas').api.attack(wanted).then(() => null)", wanted)
    expect(card(gm).locator(".fracas-title")).to_have_text("Fire semi-automatically: Zip gun")
    totals = [one["total"] for one in told(gm)["answer"]["modifiers"] if one["label"].startswith("Damage")]
    assert totals[0] == 4, "the pistol at hand would do 5"
    table.close()


def test_secrets_are_in_no_document(fight: tuple[Page, Page]) -> None:
    gm, ada = fight
    shoot(ada)
    secrets = [page.evaluate("Object.values(game.settings.get('fracas', 'tokens'))[0]") for page in (gm, ada)]
    everything = gm.evaluate("JSON.stringify([...game.collections.values()].map((one) => one.toJSON()))")
    assert len(set(secrets)) == 2
    assert not any(secret in everything for secret in secrets)
    assert not any(secret in json.dumps(page.evaluate("wire")) for secret in secrets for page in (gm, ada))


def test_a_reloaded_client_knows_its_fight(fight: tuple[Page, Page]) -> None:
    gm, ada = fight
    shoot(ada)
    for page in (ada, gm):
        page.reload()
        page.wait_for_function("globalThis.ready === true")
    expect(card(ada).get_by_role("button", name="No", exact=True)).to_be_visible()
    settle(ada)
    expect(card(gm).get_by_role("button", name="Apply")).to_be_visible()


def test_a_player_who_lost_his_token_gets_another(fight: tuple[Page, Page]) -> None:
    _, ada = fight
    ada.evaluate("game.settings.set('fracas', 'tokens', {})")
    ada.reload()
    ada.wait_for_function(
        "globalThis.ready && Object.keys(game.settings.get('fracas', 'tokens')).length === 1"
    )
    shoot(ada)
    expect(card(ada).get_by_role("button", name="No", exact=True)).to_be_visible()
