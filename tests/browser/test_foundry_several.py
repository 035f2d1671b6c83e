"""The Foundry module where there are several: attacks on one card, tokens of one actor, commands that an undo takes
along; and sheets of another game."""

from __future__ import annotations

import re
import time

import pytest
from foundry_worlds import (
    FIRST,
    GM,
    GUARD,
    HELMET,
    PREDATOR,
    ROOK,
    SECOND,
    THUG,
    VEST,
    Foundry,
    Table,
    alike,
    api,
    card,
    command,
    skill,
    station,
    street,
    take_aim_at,
    told,
    with_combat,
)
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PHYSICAL = "system.conditionMonitor.physical.value"
FIVES = "CONFIG.Dice.randomUniform = () => 0.8"


def press(page: Page, label: str) -> None:
    card(page).get_by_role("button", name=label, exact=True).click()


def boxes(table: Table, id: str) -> int:
    """Of both tracks, of an actor or of an unlinked token."""
    with table.world.lock:
        held = table.world.documents
        one = held["Actor"].get(id) or held["ActorDelta"][id]
        return sum(track["value"] for track in one["system"]["conditionMonitor"].values())


def test_a_volley_is_one_card(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """A full burst that is split between two: an attack, a defense and a soak of each, and one Undo for all."""
    seed = street(fracas)
    rook = seed["documents"]["Actor"][0]
    (gun,) = [one for one in rook["items"] if one["_id"] == PREDATOR]
    gun["flags"] = {"fracas": {"entry": "sr4-core:weapon/ingram-smartgun-x"}}
    gun["name"] = "Ingram"
    more = {"category": "SUBMACHINE_GUNS", "attackSkill": "AUTOMATICS", "mode": "BURST_FULL_AUTO"}
    gun["system"] |= {**more, "maxAmmo": 32, "currentAmmo": 32, "ap": 0, "rc": 2}
    rook["items"].append(skill("Automatics", 5))
    table = Table(browser, foundry, "volley", seed)
    gm = table(GM, worldDecisions="default", dice="foundry")
    take_aim_at(gm, ROOK, GUARD, THUG)
    unaware = {"target": {"unaware": True}, "target_2": {"unaware": True, "distance": 14}, "apart": 1}
    situation = {**unaware, "volley": "split-burst"}
    wanted = {"weapon": PREDATOR, "procedure": "ranged-volley", "situation": situation}
    gm.evaluate("wanted => game.modules.get('fracas').api.attack(wanted) && null", wanted)
    form = gm.locator(".fracas-attack")
    expect(form.locator("[data-path='fire.spread']")).to_have_value("narrow")  # the first of two
    expect(form.locator(".fracas-odds dl")).to_be_visible()
    gm.evaluate(FIVES)
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(card(gm).locator(".fracas-title")).to_have_text(re.compile(": Ingram$"))
    thrown = [(roll["label"], roll["by"], len(roll["faces"])) for roll in told(gm)["answer"]["rolls"]]
    assert thrown == [
        ("target.attack", "attacker", 9),
        ("target.soak", "target", 9),
        ("target_2.attack", "attacker", 1),
        ("target_2.soak", "target_2", 9),
    ]
    press(gm, "Apply")
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    # 5 and 9 hits and 2 of the burst are 16, 9 soaked; 5 and 1 hit and 5 of the longer burst are 11, 9 soaked.
    assert [boxes(table, id) for id in (GUARD, THUG)] == [7, 2]
    press(gm, "Undo")
    expect(card(gm).get_by_role("button", name="Apply")).to_be_visible()
    assert [boxes(table, id) for id in (GUARD, THUG)] == [0, 0]
    table.close()


def test_tokens_of_one_actor_have_each_its_own_damage(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    table = Table(browser, foundry, "alike", with_combat(alike(fracas), ROOK, FIRST, SECOND))
    gm = table(GM, version=14, worldDecisions="default", dice="foundry")

    # Without a fight: what a card does to one of them.
    take_aim_at(gm, ROOK, SECOND)
    gm.evaluate(FIVES)
    wanted = {"fast": True, "situation": {"fire": {"mode": "semi-automatic"}, "target": {"unaware": True}}}
    gm.evaluate("wanted => game.modules.get('fracas').api.attack(wanted).then(() => null)", wanted)
    press(gm, "Apply")
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    hurt = told(gm)["answer"]["outcome"]["damage"]
    assert hurt > 0
    assert [boxes(table, one) for one in (FIRST, SECOND, GUARD)] == [0, hurt, 0]
    press(gm, "Undo")
    expect(card(gm).get_by_role("button", name="Apply")).to_be_visible()
    assert boxes(table, SECOND) == 0

    # In a fight: two combatants, each with the sheet of its token.
    api(gm, "beginFight().then(() => null)")
    expect(gm.locator(".fracas-status span")).to_have_text("not begun")
    command(gm, {"command": "set", "combatant": "second-goon", "fields": {"physical": 4}, "add": ["prone"]})
    gm.wait_for_function(f"canvas.tokens.get('{SECOND}').actor.statuses.has('prone')")
    assert [boxes(table, one) for one in (FIRST, SECOND)] == [0, 4]
    gm.evaluate("([id, path]) => canvas.tokens.get(id).actor.update({[path]: 2})", [FIRST, PHYSICAL])
    sheets = """async () => {
      const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
      const { combatants } = await fightOf().state();
      return combatants.map(({ sheet }) => sheet.physical).join();
    }"""
    gm.wait_for_function(f"({sheets})().then((now) => now === '0,2,4')")
    toggle = "id => canvas.tokens.get(id).actor.toggleStatusEffect('blind').then(() => null)"
    gm.evaluate(toggle, FIRST)  # the parent of which is an ActorDelta in Foundry 14
    gm.wait_for_function(
        f"canvas.tokens.get('{FIRST}').actor.effects.contents[0]?.flags.fracas?.condition === 'dazzled'"
    )
    command(gm, {"command": "undo", "steps": 3})
    gm.wait_for_function(f"!canvas.tokens.get('{SECOND}').actor.statuses.has('prone')")
    assert [boxes(table, one) for one in (FIRST, SECOND)] == [0, 0]
    assert boxes(table, GUARD) == 0
    table.close()


def test_what_goes_with_an_undo_is_listed_first(browser: Browser, foundry: Foundry, fracas: str) -> None:
    table = Table(browser, foundry, "later", with_combat(street(fracas), ROOK, GUARD))
    gm = table(GM)
    api(gm, "beginFight(undefined, {settings: {apply: 'at-once'}}).then(() => null)")
    command(gm, {"command": "begin-turn", "given": {"rook": {"hits": 9}, "guard": {"hits": 0}}})
    command(gm, {"command": "set", "combatant": "rook", "asks": False})
    take_aim_at(gm)
    wanted = {"action": "fire-semi-automatic", "situation": {"distance": 3}, "fast": True}
    gm.evaluate("wanted => game.modules.get('fracas').api.attack(wanted).then(() => null)", wanted)
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    command(gm, {"command": "set", "combatant": "guard", "fields": {"physical": 7}})
    command(gm, {"command": "next"})
    gm.wait_for_function(f"game.actors.get('{GUARD}').{PHYSICAL} === 7")

    press(gm, "Undo")
    question = gm.locator("dialog.dialog")
    expect(question.locator("li")).to_have_text(
        ["Rook: acts (fire semi automatic)", "Guard: set by hand (physical 7)", "Rook: is done"]
    )
    question.get_by_role("button", name="No").click()
    expect(question).to_have_count(0)
    assert boxes(table, GUARD) == 7
    press(gm, "Undo")
    question.get_by_role("button", name="Yes").click()
    expect(card(gm).locator(".fracas-state")).to_contain_text("taken back")
    gm.wait_for_function(f"game.actors.get('{GUARD}').{PHYSICAL} === 0")
    table.close()


def test_hit_points_and_the_soak_of_each_piece_of_armor(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    """Cities Without Number, on sheets of Systems Without Number: the damage goes into vest and helmet first."""
    table = Table(browser, foundry, "station", with_combat(station(fracas), ROOK, GUARD))
    gm = table(GM)
    api(gm, "beginFight().then(() => null)")
    for one in ("wren", "thug"):
        command(gm, {"command": "set", "combatant": one, "asks": False})
    command(gm, {"command": "set", "combatant": "wren", "dice": "hand"})
    given = {one: {"side": total, "own": total} for one, total in (("wren", 7), ("thug", 3))}
    command(gm, {"command": "begin-turn", "given": given})
    gm.wait_for_function("game.combat.combatant?.name === 'Wren'")
    assert gm.evaluate("game.combat.turns.map(({ name }) => name)") == ["Wren", "Thug"]
    gm.evaluate("CONFIG.Dice.randomUniform = () => 0.7")  # 15 of 20, 6 of 8, 5 of 6
    take_aim_at(gm)
    gm.evaluate("game.modules.get('fracas').api.attack() && null")
    form = gm.locator(".fracas-attack")
    expect(form.locator("[data-choice=weapon]")).to_have_value("heavy-pistol")
    form.get_by_role("button", name="Roll", exact=True).click()
    waits = card(gm).locator(".fracas-waits")
    for roll in ("attack 1d20 + 4 >= 13", "damage 1d8 + 1", "trauma 1d6"):
        expect(waits).to_contain_text(roll)
        if roll.startswith("attack"):  # what the button does, a macro can do
            answer = (
                "game.modules.get('fracas').api.answer(game.messages.contents.at(-1).id, {press: 'foundry'})"
            )
            gm.evaluate(f"{answer}.then(() => null)")
        else:
            press(gm, "Roll in Foundry")
    # 6 of the die and 1 for Dexterity are 7: vest and helmet hold off 2 and 3, two hit points are lost.
    assert armed(table) == {"hp": 20, "vest": 2, "helmet": 3, "rounds": 8}
    press(gm, "Apply")
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    until(table, {"hp": 18, "vest": 0, "helmet": 0, "rounds": 7})
    press(gm, "Undo")
    until(table, {"hp": 20, "vest": 2, "helmet": 3, "rounds": 8})
    table.close()


def until(table: Table, wanted: dict[str, int]) -> None:
    """Waits for sheets that are written one after another."""
    end = time.monotonic() + 200
    while (now := armed(table)) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    assert now == wanted


def armed(table: Table) -> dict[str, int]:
    """Hit points and Soak of the thug, and the rounds of what shoots at him."""
    with table.world.lock:
        actors = table.world.documents["Actor"]
        items = {one["_id"]: one["system"] for id in (ROOK, GUARD) for one in actors[id]["items"]}
        return {
            "hp": actors[GUARD]["system"]["health"]["value"],
            "vest": items[VEST]["soak"]["value"],
            "helmet": items[HELMET]["soak"]["value"],
            "rounds": items[PREDATOR]["ammo"]["value"],
        }


def test_a_step_that_nobody_shows_gets_one_card(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """A turn that the tracker began: the game master's client posts the cards, however often it hears of them."""
    table = Table(browser, foundry, "one-card", with_combat(street(fracas), ROOK, GUARD, THUG))
    gm = table(GM)
    api(gm, "beginFight().then(() => null)")
    command(gm, {"command": "begin-turn"})
    gm.evaluate(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          const state = await fightOf().state();
          for (let time = 0; time < 3; time++) Hooks.callAll("fracas.encounter", game.combat, state);
        }"""
    )
    expect(gm.locator(".fracas-card", has_text="Spend Edge before the roll").first).to_be_visible()
    gm.wait_for_timeout(600)
    steps = gm.evaluate("game.messages.map((message) => message.flags.fracas.step)")
    assert sorted(steps) == sorted(set(steps))
    table.close()


def test_whoever_is_out_of_the_fight_is_attacked_after_a_question(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    """The chat says that a side is beaten; an attack on the fallen is asked about, and taken when it is confirmed."""
    table = Table(browser, foundry, "fallen", with_combat(street(fracas), ROOK, GUARD))
    gm = table(GM)
    api(gm, "beginFight(undefined, {settings: {apply: 'at-once'}}).then(() => null)")
    command(gm, {"command": "begin-turn", "given": {"rook": {"hits": 9}, "guard": {"hits": 0}}})
    command(gm, {"command": "set", "combatant": "rook", "asks": False, "side": "runners"})
    command(gm, {"command": "set", "combatant": "guard", "side": "corp"})
    command(gm, {"command": "set", "combatant": "guard", "add": ["dead"]})
    expect(gm.locator(".fracas-happenings")).to_contain_text("All of the corp are out of the fight")

    take_aim_at(gm)
    wanted = {"action": "fire-semi-automatic", "situation": {"distance": 3}, "fast": True}
    attack = "wanted => game.modules.get('fracas').api.attack(wanted).then(() => null)"
    for answer, cards in (("No", 0), ("Yes", 1)):
        gm.evaluate(f"wanted => void ({attack})(wanted)", wanted)
        question = gm.locator("dialog.dialog")
        expect(question).to_contain_text("Guard is out of the fight")
        question.get_by_role("button", name=answer).click()
        expect(question).to_have_count(0)
        expect(gm.locator(".fracas-card")).to_have_count(cards)
    table.close()
