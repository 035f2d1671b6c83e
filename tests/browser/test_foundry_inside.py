"""Fracas inside Foundry: the browser of the game master runs it, players ask it, and other game masters go on with it.

All other journeys of the module run inside as well, in the night: ``pytest --inside tests/browser/test_foundry_*.py``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from foundry_worlds import (
    ADA,
    GM,
    GUARD,
    ROOK,
    Foundry,
    Table,
    alley,
    api,
    card,
    command,
    settle,
    take_aim_at,
    user,
    with_combat,
)
from playwright.sync_api import Browser, Page, expect

from fracas.encounters.audit import verify

pytestmark = pytest.mark.browser

HERE = Path(__file__).resolve().parent
SECOND_GM = "hm00000000000000"
NOWHERE = "http://127.0.0.1:9"
"""What runs inside never calls a service."""
ITS_OWN = ("asked", "committed", "continuation", "encounter", "fight")
"""Of a card: times, seeds, signed words and ids of fights."""
PATIENCE = 200_000
"""Milliseconds for what starts Fracas on a machine under load."""


def opened(browser: Browser, foundry: Foundry, name: str, **more: Any) -> Table:
    seed = with_combat(alley(NOWHERE, **{"fracas.where": "inside"}), ROOK, GUARD)
    seed["documents"]["User"].append(user(SECOND_GM, "Second", 4))
    return Table(browser, foundry, name, {**seed, **more})


def patient(page: Page) -> Page:
    page.set_default_timeout(PATIENCE)
    return page


def journal(table: Table) -> dict[str, Any]:
    (entry,) = table.world.documents["JournalEntry"].values()
    return dict(entry)


def state(page: Page) -> Any:
    return page.evaluate(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          return fightOf().state();
        }"""
    )


def plain(found: Any) -> Any:
    """Without what each Fracas has of its own."""
    if isinstance(found, dict):
        return {key: plain(value) for key, value in found.items() if key not in ITS_OWN}
    return [plain(one) for one in found] if isinstance(found, list) else found


def reload(page: Page) -> None:
    page.reload()
    page.wait_for_function("globalThis.ready === true")


def test_a_fight_outlasts_a_reload_within_a_question_and_goes_to_another_game_master(
    browser: Browser, foundry: Foundry
) -> None:
    table = opened(browser, foundry, "inside")
    gm, ada = patient(table(GM)), patient(table(ADA))
    api(gm, "beginFight()")
    ada.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
    command(gm, {"command": "begin-turn", "given": {"rook": {"hits": 4}, "guard": {"hits": 0}}})
    ada.wait_for_function("game.combat.combatant?.name === 'Rook'")

    # Ada's own role, by way of the game master's client.
    seen = {one["id"]: one for one in state(ada)["combatants"]}
    assert (seen["rook"].get("sheet") is None, seen["guard"].get("sheet") is None) == (False, True)
    assert ada.evaluate("game.journal.size") == 0
    refused = ada.evaluate(
        """async () => {
          const asked = { method: "POST", headers: {}, body: '{"ruleset": "sr4"}' };
          const ask = (path) => game.users.activeGM.query("fracas.ask", { ...asked, path });
          const paths = ["/v1/encounters", "/v1/encounters/%2e%2e/encounters", "/v1/encounters/..\\\\encounters"];
          return (await Promise.all(paths.map(ask))).map(({ status }) => status);
        }"""
    )
    assert refused == [403] * 3

    take_aim_at(ada)
    wanted = {"action": "fire-semi-automatic", "fast": True}
    ada.evaluate("wanted => game.modules.get('fracas').api.attack(wanted).then(() => null)", wanted)
    expect(card(ada).get_by_role("button", name="No", exact=True)).to_be_visible()
    reload(gm)
    settle(ada)
    expect(card(ada).locator(".fracas-waits")).to_contain_text("Game master: apply the effects")

    version = state(gm)["version"]
    assert journal(table)["ownership"]["default"] == 0
    secret = journal(table)["flags"]["fracas"]["secret"]
    second = patient(table(SECOND_GM))
    second.wait_for_function("Object.keys(game.settings.get('fracas', 'journalKeys')).length === 1")
    gm.context.close()
    table.pages.remove(gm)

    second.wait_for_function("game.user.isActiveGM")
    assert state(second)["version"] == version
    assert journal(table)["flags"]["fracas"]["secret"] == secret
    assert journal(table)["flags"]["fracas"]["claim"]["number"] == 3
    card(second).get_by_role("button", name="Apply").click()
    expect(card(ada).locator(".fracas-state")).to_contain_text("applied")
    ada.wait_for_function(
        "game.actors.getName('Rook').items.getName('Ares Predator IV').system.currentAmmo === 14"
    )

    log = second.evaluate(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          return fightOf().client.ask(`${fightOf().path}/log`, { token: fightOf().token });
        }"""
    )
    report = verify(log)
    assert report.ok, report.first_difference

    second.evaluate("game.combat.delete().then(() => null)")
    second.wait_for_function("game.journal.contents[0].pages.size === 0")
    table.close()


def test_two_windows_of_a_game_master_do_not_write_one_journal(browser: Browser, foundry: Foundry) -> None:
    table = opened(browser, foundry, "inside-twice")
    first = patient(table(GM))
    api(first, "beginFight()")
    command(first, {"command": "begin-turn"})
    second = patient(table(GM))
    second.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
    first.wait_for_function("notices.some(({ text }) => text.includes('another window'))")
    before = state(second)["version"]
    assert api(first, "initiative()") is None
    assert "another window" in first.evaluate("notices.at(-1).text")
    assert state(second)["version"] == before
    command(second, {"command": "undo"})
    assert state(second)["version"] > before
    table.close()


def test_another_browser_of_the_only_game_master_needs_the_recovery_key(
    browser: Browser, foundry: Foundry
) -> None:
    """In a Foundry that gives players everything; what they are given says nothing."""
    table = opened(browser, foundry, "inside-key", hides=False)
    gm = patient(table(GM))
    api(gm, "beginFight()")
    command(gm, {"command": "begin-turn"})
    version = state(gm)["version"]
    gm.evaluate("void new (game.settings.menus.get('fracas.connection').type)().render({force: true})")
    key = str(gm.locator(".fracas-key code").text_content())
    ada = table(ADA)
    given = ada.evaluate("JSON.stringify(game.journal.contents[0].toObject())")
    assert '"lines"' in given
    assert not any(word in given for word in ("seed", "command", "rook", key))
    gm.context.close()
    table.pages.remove(gm)
    again = patient(table(GM))
    dialog = again.get_by_role("dialog").or_(again.locator("dialog")).filter(has_text="recovery key")
    dialog.get_by_label("Recovery key").fill("not this one")
    dialog.get_by_role("button", name="Confirm").click()
    expect(dialog).to_contain_text("26 letters and digits")
    dialog.get_by_label("Recovery key").fill(key.lower())
    dialog.get_by_role("button", name="Confirm").click()
    again.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
    assert state(again)["version"] == version
    table.close()


def test_players_who_may_not_ask_learn_what_to_allow(browser: Browser, foundry: Foundry) -> None:
    seed = with_combat(alley(NOWHERE, **{"fracas.where": "inside"}), ROOK, GUARD)
    for one in seed["documents"]["User"]:
        one["permissions"] = {"QUERY_USER": False}
    table = Table(browser, foundry, "inside-mute", seed)
    table(GM)
    ada = patient(table(ADA))
    take_aim_at(ada)
    assert api(ada, "attack({fast: true})") is None
    assert "Query Users" in ada.evaluate("notices.at(-1).text")
    table.close()


def test_cards_are_those_of_a_service(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """With the same dice, card by card: attacks outside of a fight, and the actions and undos of one."""
    cards = []
    for where in ("service", "inside"):
        seed = with_combat(alley(fracas, **{"fracas.where": where}), ROOK, GUARD)
        table = Table(browser, foundry, f"cards-{where}", seed)
        gm = patient(table(GM, dice="foundry"))
        gm.evaluate("CONFIG.Dice.randomUniform = () => 0.8")
        take_aim_at(gm)
        shot = {
            "fast": True,
            "situation": {"fire": {"mode": "semi-automatic"}, "target": {"cover": "partial"}},
        }
        attack = "wanted => game.modules.get('fracas').api.attack(wanted).then(() => null)"
        gm.evaluate(attack, shot)
        api(gm, "beginFight()")
        for id in ("rook", "guard"):
            command(gm, {"command": "set", "combatant": id, "dice": "hand"})
        command(gm, {"command": "begin-turn", "given": {"rook": {"hits": 4}, "guard": {"hits": 0}}})
        gm.wait_for_function("game.combat.combatant?.name === 'Rook'")
        gm.evaluate(attack, {"fast": True, "action": "fire-semi-automatic"})
        settle(gm)
        kept = gm.evaluate("game.messages.contents.map((one) => one.flags.fracas.card)")
        cards.append([plain(json.loads(one)) for one in kept])
        table.close()
    assert len(cards[0]) >= 2
    assert cards[1] == cards[0]


def test_no_game_master_no_fracas(browser: Browser, foundry: Foundry) -> None:
    table = opened(browser, foundry, "inside-alone")
    ada = patient(table(ADA))
    take_aim_at(ada)
    assert api(ada, "attack({fast: true})") is None
    assert "No game master is connected" in ada.evaluate("notices.at(-1).text")
    table.close()


@pytest.mark.slow
@pytest.mark.timeout(3700)
def test_the_journeys_of_the_module_run_inside_too() -> None:
    """In the night alone."""
    files = sorted(str(path) for path in HERE.glob("test_foundry_*.py") if path != Path(__file__))
    command = [sys.executable, "-m", "pytest", "-q", "--inside", "--nightly", "-p", "no:xdist", *files]
    done = subprocess.run(command, cwd=HERE.parents[1], capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stdout[-3000:]
