"""How a table reaches an attack in the Foundry module, and in how many clicks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from foundry_worlds import (
    ADA,
    BEN,
    FIRST,
    GM,
    GRENADE,
    GUARD,
    PREDATOR,
    ROOK,
    SECOND,
    THUG,
    ZIP_GUN,
    Foundry,
    Table,
    alike,
    alley,
    api,
    asked,
    card,
    command,
    listen,
    pistol,
    plaza,
    settle,
    skill,
    station,
    street,
    take_aim_at,
    with_combat,
)
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser


def katana() -> dict[str, Any]:
    return {
        "_id": "katana0000000000",
        "name": "Katana",
        "type": "Melee Weapon",
        "flags": {"fracas": {"entry": "sr4-core:weapon/katana"}},
        "system": {},
    }


FIVES = "CONFIG.Dice.randomUniform = () => 0.8"
"""Foundry's dice all show 5: the attack hits, and the armor does not hold all of it."""


@pytest.fixture
def fresh(browser: Browser, foundry: Foundry, fracas: str, request: pytest.FixtureRequest) -> Iterator[Table]:
    """The alley as the module leaves it after the installation: nobody has set anything but the address."""
    seed = alley(fracas)
    del seed["settings"]["fracas.worldDecisions"]
    table = Table(browser, foundry, re.sub(r"\W+", "-", request.node.name), seed)
    yield table
    table.close()


def token(page: Page, name: str) -> Locator:
    return page.locator("#tokens").get_by_role("button", name=name)


def counted(page: Page) -> None:
    """From now on ``clicks`` holds every press of a button of the mouse, and of a key."""
    page.evaluate(
        """() => {
          globalThis.clicks = [];
          const modifiers = ["Shift", "Control", "Alt"];
          addEventListener("pointerdown", ({ target }) => clicks.push(target.textContent.trim()), true);
          addEventListener("keydown", ({ key }) => modifiers.includes(key) || clicks.push(key), true);
        }"""
    )


def clicks(page: Page) -> list[str]:
    found: list[str] = page.evaluate("clicks")
    return found


def wounds(page: Page, actor: str = GUARD) -> int:
    monitor = "id => game.actors.get(id).system.conditionMonitor"
    found: dict[str, Any] = page.evaluate(monitor, actor)
    return int(found["physical"]["value"] + found["stun"]["value"])


def test_four_clicks_from_the_module_to_a_wound(fresh: Table) -> None:
    gm = fresh(GM, dice="foundry")
    gm.evaluate(FIVES)
    counted(gm)
    token(gm, "Rook").click()
    token(gm, "Guard").hover()
    gm.keyboard.press("t")
    gm.keyboard.press("Shift+F")
    gm.locator(".fracas-attack").get_by_role("button", name="Roll and apply").click()
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    assert wounds(gm) > 0
    assert clicks(gm) == ["Rook", "t", "F", "Roll and apply"]


def test_a_player_and_the_gm_need_four_clicks_together(fresh: Table) -> None:
    gm, ada = fresh(GM), fresh(ADA, dice="foundry")
    ada.evaluate(FIVES)
    for page in (gm, ada):
        counted(page)
    token(ada, "Guard").hover()  # nothing is selected: Ada's own character attacks
    ada.keyboard.press("t")
    ada.keyboard.press("Shift+F")
    form = ada.locator(".fracas-attack")
    expect(form.locator("[data-path='fire.mode']")).to_have_value("semi-automatic")  # all that the pistol can
    expect(form.get_by_role("button", name="Roll and apply")).to_have_count(0)
    form.get_by_role("button", name="Roll", exact=True).click()
    card(gm).get_by_role("button", name="Apply").click()
    expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    assert wounds(gm) > 0
    assert [*clicks(ada), *clicks(gm)] == ["t", "F", "Roll", "Apply"]


@pytest.mark.parametrize("version", [13, 14])
def test_decisions_are_asked_of_those_who_want_them(fresh: Table, version: int) -> None:
    """Ada wants to decide and the game master does not; then the world asks all, but Ada wants no more."""
    gm, ada, ben = (fresh(user, version=version) for user in (GM, ADA, BEN))
    fast = "attack({fast: true, situation: {fire: {mode: 'semi-automatic'}}}).then(() => null)"
    ada.evaluate("game.settings.set('fracas', 'decisions', 'ask')")
    gm.wait_for_function("id => game.settings.storage.get('world').getItem('fracas.decisions', id)", arg=ADA)
    take_aim_at(gm)
    api(gm, fast)
    expect(card(ada).locator(".fracas-waits")).to_contain_text("Rook: Spend Edge before the roll?")
    assert card(ben).get_by_role("button").count() == 0
    settle(ada)
    expect(card(gm).locator(".fracas-waits")).to_have_count(
        0
    )  # the guard is the game master's, who is not asked
    gm.evaluate("game.settings.set('fracas', 'worldDecisions', 'ask')")
    ada.evaluate("game.settings.set('fracas', 'decisions', 'default')")
    ada.wait_for_function("game.settings.get('fracas', 'worldDecisions') === 'ask'")
    take_aim_at(ada)
    api(ada, fast)
    expect(card(gm).locator(".fracas-waits")).to_contain_text("Guard: Spend Edge before the roll?")


def test_players_are_asked_how_they_react(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """In a fight, as the module leaves it after the installation: Ada may dodge, and nobody is asked about Edge.

    Who wants to be asked nothing is not, from then on.
    """
    seed = with_combat(alley(fracas), ROOK, GUARD)
    del seed["settings"]["fracas.worldDecisions"]
    seed["documents"]["Actor"][1]["items"].append(pistol())
    table = Table(browser, foundry, "reactions", seed)
    gm, ada = table(GM), table(ADA)
    api(gm, "beginFight()")
    command(gm, {"command": "begin-turn", "given": {"rook": {"hits": 0}, "guard": {"hits": 4}}})
    shot = "{action: 'fire-semi-automatic', situation: {distance: 12}, fast: true}"
    take_aim_at(gm, GUARD, ROOK)
    api(gm, f"attack({shot}).then(() => null)")
    expect(card(ada).locator(".fracas-waits")).to_contain_text(
        "Rook: React to Fire semi-automatically by Guard?"
    )
    card(ada).get_by_role("button", name="No reaction").click()
    expect(card(gm).locator(".fracas-waits")).to_contain_text("Game master: apply the effects")
    ada.evaluate("game.settings.set('fracas', 'decisions', 'default')")
    gm.wait_for_function(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          return !(await fightOf().state()).combatants.find(({ id }) => id === "rook").asks_reactions;
        }"""
    )
    table.close()


def test_players_choose_their_defense_outside_a_fight(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    """In melee; the guard's defense is the game master's, who is not asked."""
    seed = alley(fracas)
    del seed["settings"]["fracas.worldDecisions"]
    rook, guard = seed["documents"]["Actor"]
    rook["items"] = [skill("Dodge", 3), skill("Blades", 3), katana()]
    guard["items"] += [skill("Blades", 3), katana()]
    guard["prototypeToken"]["x"] = 1
    table = Table(browser, foundry, "defense", seed)
    gm, ada = table(GM), table(ADA)
    take_aim_at(gm, GUARD, ROOK)
    api(gm, "attack({fast: true, procedure: 'melee-attack'}).then(() => null)")
    expect(card(ada).locator(".fracas-waits")).to_contain_text("Rook: How to defend?")
    card(ada).get_by_role("button", name="Dodge").click()
    expect(card(gm).locator(".fracas-waits")).to_have_count(0)
    take_aim_at(ada, ROOK, GUARD)
    api(ada, "attack({fast: true, procedure: 'melee-attack'}).then(() => null)")
    expect(card(gm)).to_contain_text("attack Rook")
    expect(card(gm).locator(".fracas-waits")).to_have_count(0)
    table.close()


def opened(page: Page, actor: str = ROOK, sheet: str = "v2") -> Locator:
    """The sheet of an actor, as the application of one version of Foundry shows it."""
    page.evaluate(
        """([id, sheet]) => {
          const actor = game.actors.get(id) ?? canvas.tokens.get(id).actor;
          const { ActorSheetV2 } = foundry.applications.sheets;
          const { ActorSheet } = foundry.appv1.sheets;
          globalThis.sheet = sheet === "v2" ? new ActorSheetV2({ document: actor }) : new ActorSheet(actor);
          return globalThis.sheet.render({ force: true }).then(() => null);
        }""",
        [actor, sheet],
    )
    return page.locator(".application, .window-app").last


def heretics(address: str) -> dict[str, Any]:
    """Sheets of Dark Heresy 2, which are of the old application."""
    seed = alley(address)
    seed["system"] = "dark-heresy"
    weapon = {"_id": PREDATOR, "name": "Autopistol", "type": "weapon", "system": {"damage": "1d10+2"}}
    for one, items in zip(seed["documents"]["Actor"], ([weapon], []), strict=True):
        one |= {"type": "acolyte", "system": {}, "items": items}
    return seed


def runners(address: str) -> dict[str, Any]:
    seed = plaza(address)
    seed["documents"]["Actor"][0]["items"] = [
        {"_id": PREDATOR, "name": "Predator", "type": "weapon", "system": {}}
    ]
    return seed


@pytest.mark.parametrize(
    ("seed", "sheet", "place"),
    [
        (alley, "v2", ".item-actions"),
        (runners, "v2", ".list-item-icons"),
        (station, "v2", ".item-controls-small"),
        (heretics, "v1", ".name"),
    ],
    ids=["shadowrun4e", "shadowrun5e", "swnr", "dark-heresy"],
)
def test_each_weapon_on_a_sheet_has_a_button(
    browser: Browser,
    foundry: Foundry,
    fracas: str,
    seed: Callable[[str], dict[str, Any]],
    sheet: str,
    place: str,
) -> None:
    """In the row that the system's own template has, once, also when the sheet is rendered again."""
    table = Table(browser, foundry, f"row-{place.strip('.')}", seed(fracas))
    gm = table(GM)
    shown = opened(gm, sheet=sheet)
    expect(shown.locator(".fracas-weapon-button")).to_have_count(1)
    for parts in (["main"], None):
        gm.evaluate("parts => sheet.render({parts}).then(() => null)", parts)
        expect(shown.locator(f"{place} > .fracas-weapon-button")).to_have_count(1)
    table.close()


def test_the_button_of_a_weapon_attacks_with_it(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """Three clicks of the player with an open sheet, then that of the game master; others see no button."""
    table = Table(browser, foundry, "weapon-button", street(fracas))
    ada, ben = table(ADA), table(BEN)
    shown = opened(ada)
    counted(ada)
    token(ada, "Guard").hover()
    ada.keyboard.press("t")
    shown.get_by_role("button", name="Attack with Zip gun").click()
    form = ada.locator(".fracas-attack")
    expect(form.locator("[data-choice=weapon]")).to_have_value(ZIP_GUN)
    expect(form.locator(".window-title")).to_have_text("Rook attacks Guard")
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(card(ada)).to_contain_text("Ranged attack: Zip gun")
    assert len(clicks(ada)) == 3
    opened(ben)
    expect(ben.locator("[data-item-id]").first).to_be_visible()
    assert ben.locator(".fracas-weapon-button").count() == 0
    table.close()


@pytest.mark.parametrize("version", [13, 14])
def test_a_token_has_buttons_for_its_weapons(
    browser: Browser, foundry: Foundry, fracas: str, version: int
) -> None:
    """An unlinked token attacks with its own weapon, and nobody else."""
    seed = alike(fracas)
    for goon in seed["documents"]["ActorDelta"]:
        goon["items"].append(pistol())
    table = Table(browser, foundry, f"hud-{version}", seed)
    gm = table(GM, version=version)
    token(gm, "Rook").hover()
    gm.keyboard.press("t")
    token(gm, "Second goon").click(button="right")
    gm.locator("#token-hud").get_by_role("button", name="Attack with Ares Predator IV").click()
    form = gm.locator(".fracas-attack")
    expect(form.locator(".window-title")).to_have_text("Second goon attacks Rook")
    expect(form.locator("[data-choice=weapon]")).to_have_value(PREDATOR)
    expect(gm.locator("#token-hud")).to_have_count(0)
    token(gm, "First goon").click(button="right")
    button = gm.locator("#token-hud").get_by_role("button", name="Attack with Ares Predator IV")
    button.click(modifiers=["Shift"])  # at once
    expect(card(gm)).to_contain_text("Ranged attack: Ares Predator IV")
    assert {FIRST, SECOND} == set(gm.evaluate("game.collections.get('ActorDelta').map(({_id}) => _id)"))
    table.close()


def drop(page: Page, uuid: str, slot: int) -> None:
    """Drags an item to the hotbar, of which the module knows whether it is a weapon once the sheet mapping is there."""
    page.evaluate(
        """async ([uuid, slot]) => {
          await (await import("/modules/fracas/scripts/settings.mjs")).activeMapping();
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text/plain", JSON.stringify({ type: "Item", uuid }));
          const place = document.querySelector(`#hotbar [data-slot="${slot}"]`);
          place.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [uuid, slot],
    )


@pytest.mark.parametrize("seed", [street, station], ids=["shadowrun4e", "swnr"])
def test_a_weapon_on_the_hotbar_attacks(
    browser: Browser, foundry: Foundry, fracas: str, seed: Callable[[str], dict[str, Any]]
) -> None:
    """Also where the game system has a macro of its own for items; all else is left to it, and to Foundry."""
    made = seed(fracas)
    table = Table(browser, foundry, f"hotbar-{made['system']}", made)
    gm = table(GM)
    rook, *_ = made["documents"]["Actor"]
    other, weapon = rook["items"][0], next(one for one in rook["items"] if one["_id"] == PREDATOR)
    for _ in range(2):
        drop(gm, f"Actor.{ROOK}.Item.{PREDATOR}", 3)
        expect(gm.locator("#hotbar [data-slot='3']")).to_have_text(weapon["name"])
    assert gm.evaluate("game.macros.size") == 1
    token(gm, made["documents"]["Actor"][1]["name"]).hover()
    gm.keyboard.press("t")
    gm.locator("#hotbar [data-slot='3']").click()  # whoever is selected: the weapon is of this actor
    form = gm.locator(".fracas-attack")
    expect(form.locator("[data-choice=weapon]")).to_have_value(PREDATOR)
    expect(form.locator(".window-title")).to_contain_text(f"{rook['name']} attacks")

    gm.evaluate("game.settings.set('fracas', 'hotbar', 'system')")
    drop(gm, f"Actor.{ROOK}.Item.{PREDATOR}", 4)
    gm.evaluate("game.settings.set('fracas', 'hotbar', 'fracas')")
    drop(gm, f"Actor.{ROOK}.Item.{other['_id']}", 5)
    if made["system"] == "swnr":
        assert gm.evaluate("game.macros.size") == 1
    else:
        gm.wait_for_function("game.macros.size === 3")
    assert gm.evaluate("game.macros.filter(({command}) => command.includes('fracas')).length") == 1
    table.close()


@pytest.mark.parametrize("version", [13, 14])
def test_an_attack_once_more(table: Table, version: int) -> None:
    ada, ben = table(ADA, version=version), table(BEN, version=version)
    take_aim_at(ada)
    api(ada, "attack({fast: true}).then(() => null)")
    for page in (ada, ben):
        card(page).click(button="right")
    ada.locator("#context-menu").get_by_text("Attack again").click()
    form = ada.locator(".fracas-attack")
    expect(form.locator(".window-title")).to_have_text("Rook attacks Guard")
    expect(form.locator("[data-choice=weapon]")).to_have_value(PREDATOR)
    assert ben.locator("#context-menu").inner_text() == ""


def test_other_modules_hear_of_attacks(browser: Browser, foundry: Foundry, fracas: str) -> None:
    """One client tells of an outcome, once; and any listener may call an attack off before the roll."""
    table = Table(browser, foundry, "public-hooks", street(fracas))
    gm, ada, ben = table(GM), table(ADA), table(BEN)
    for page in (gm, ada, ben):
        page.evaluate(
            """() => {
              globalThis.heard = [];
              globalThis.objects = false;
              const short = ({ attacker, actor, targets, item }) => {
                return [attacker.name, actor.id, targets.map(({ id }) => id), item.id];
              };
              Hooks.on("fracas.preAttack", (attack) => {
                heard.push(["before", ...short(attack), attack.situation.fire.mode]);
                return !objects;
              });
              Hooks.on("fracas.attack", (attack) => {
                heard.push(["after", ...short(attack), "result" in attack.outcome, attack.message.isAuthor]);
              });
            }"""
        )
    take_aim_at(ada)
    attack = (
        "attack({fast: true, situation: {fire: {mode: 'semi-automatic'}}}).then((made) => made?.id ?? null)"
    )
    ada.evaluate("objects = true")
    assert api(ada, attack) is None
    assert ada.evaluate("game.messages.size") == 0
    ada.evaluate("objects = false")
    assert api(ada, attack)
    whose = ["Rook", ROOK, [f"token-{GUARD}"], PREDATOR]
    before = ["before", *whose, "semi-automatic"]
    assert ada.evaluate("heard") == [before, before]  # Edge is asked: there is no outcome yet
    settle(ada)
    settle(gm)
    settle(ada)
    settle(gm)
    after = ["after", *whose, True, True]
    ada.wait_for_function("heard.length === 3")
    card(gm).get_by_role("button", name="Apply").click()  # which changes the message, and is no attack
    expect(card(ada).locator(".fracas-state")).to_contain_text("applied")
    assert ada.evaluate("heard") == [before, before, after]
    assert [page.evaluate("heard") for page in (gm, ben)] == [[], []]
    gm.evaluate("heard.length = 0")

    table.world.settings["fracas.worldDecisions"] = "default"
    blind = table(ADA, decisions="default", visibility="blind")  # an outcome that she may not see
    take_aim_at(blind)
    gm.evaluate("game.settings.set('fracas', 'worldDecisions', 'default')")
    blind.wait_for_function("game.settings.get('fracas', 'worldDecisions') === 'default'")
    api(blind, attack)
    gm.wait_for_function("heard.length === 1")
    assert gm.evaluate("heard[0].slice(0, 5)") == ["after", *whose]
    assert not any(kind == "after" for kind, *_ in blind.evaluate("globalThis.heard ?? []"))
    table.close()


def texts(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("canvas.interface.texts")
    return found


def test_damage_scrolls_above_the_token(table: Table) -> None:
    """On the screen of everyone who sees the token; after a private roll, of those who may see the sheet."""
    table.world.settings["fracas.worldDecisions"] = "default"
    gm, ada = table(GM, dice="foundry"), table(ADA)
    gm.evaluate(FIVES)
    for visibility in ("public", "gm"):
        gm.evaluate("value => game.settings.set('fracas', 'visibility', value)", visibility)
        take_aim_at(gm)
        api(gm, "attack({fast: true}).then(() => null)")
        card(gm).get_by_role("button", name="Apply").click()
        expect(card(gm).locator(".fracas-state")).to_contain_text("applied")
    first, second = texts(gm)
    assert (first["x"], first["y"]) == (1200, 0)
    amounts = [re.fullmatch(r"(\d+) physical", text["content"]) for text in (first, second)]
    assert sum(int(amount[1]) for amount in amounts if amount) == wounds(gm)
    monitor = "game.actors.get(id).system.conditionMonitor.physical.value"
    ada.wait_for_function(f"([id, boxes]) => {monitor} === boxes", arg=[GUARD, wounds(gm)])
    assert texts(ada) == [first]


@pytest.mark.parametrize("version", [13, 14])
def test_effects_of_conditions_show_how_long_they_last(
    browser: Browser, foundry: Foundry, fracas: str, version: int
) -> None:
    seed = with_combat(alley(fracas, **{"fracas.worldDecisions": "default"}), ROOK, GUARD)
    table = Table(browser, foundry, f"durations-{version}", seed)
    gm = table(GM, version=version)
    gm.evaluate("game.modules.get('fracas').api.beginFight().then(() => null)")
    duration = """([rounds, version]) => game.actors.get("guard00000000000").effects.some(({flags, duration}) => {
      if (flags.fracas?.condition !== "out-of-breath") return false;
      return version < 14 ? duration?.rounds === rounds : duration?.value === rounds && duration.units === "rounds";
    })"""
    out = {"command": "set", "combatant": "guard", "add": ["out-of-breath"]}
    command(gm, out)
    gm.wait_for_function(duration, arg=[2, version])
    gm.evaluate(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          const { forward } = await import("/modules/fracas/scripts/combat-view.mjs");
          for (let state = await fightOf().state(); state.turn < 2; state = await fightOf().state()) {
            await fightOf().command({ command: forward(state) });
          }
        }"""
    )
    command(gm, out)
    gm.wait_for_function(duration, arg=[3, version])  # one round longer, from where it began
    table.close()


def draw(page: Page, version: int, x: float, radius: float) -> None:
    """A circle around a spot, by the tool that this version of Foundry has for it; in metres."""
    page.evaluate(
        """([version, x, radius]) => {
          const [layer, kind, data] = version < 14
            ? ["templates", "MeasuredTemplate", { t: "circle", x: 100 * x, y: 0, distance: radius }]
            : ["regions", "Region", {
                name: "Blast",
                shapes: [{ type: "circle", x: 100 * x, y: 0, radius: 100 * radius }],
              }];
          canvas[layer].activate();
          return canvas.scene.createEmbeddedDocuments(kind, [data]).then(() => null);
        }""",
        [version, x, radius],
    )


@pytest.mark.parametrize("version", [13, 14])
def test_a_circle_says_who_stands_in_a_blast_and_where(
    browser: Browser, foundry: Foundry, fracas: str, version: int
) -> None:
    """The circle that is placed while the dialog is open, or was before; nothing of it concerns a pistol."""
    table = Table(browser, foundry, f"circle-{version}", street(fracas))
    table.world.settings["fracas.worldDecisions"] = "default"
    ada = table(ADA, version=version)
    take_aim_at(ada)
    ada.evaluate("id => game.modules.get('fracas').api.attack({weapon: id}) && null", GRENADE)
    form = ada.locator(".fracas-attack")
    expect(form.locator("[data-choice=way]")).to_be_visible()
    draw(ada, version, 13, 5)  # a metre behind the guard, and a metre before the thug
    expect(form.locator(".fracas-note")).to_contain_text(
        ["In the circle, whose middle is aimed at: Guard, Thug"]
    )
    expect(form.locator("[data-choice=way]")).to_have_value("blast-attack")
    expect(form.locator("[data-path=distance]")).to_have_value("13")
    expect(form.locator("[data-path=aim]")).to_have_value("place")
    expect(form.locator("[data-measure=hurt]")).to_be_visible()
    listen(ada)
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(card(ada)).to_contain_text("Grenade or area weapon: Grenade")
    said = asked(ada, "/v1/resolve")[0]["body"]["situation"]
    around = [
        (said[who]["name"], said[who]["distance"], said[who]["bearing"]) for who in ("victim_1", "victim_2")
    ]
    assert around == [("Guard", 1, 180), ("Thug", 1, 0)]
    assert "target" not in said
    who = ada.evaluate("JSON.parse(game.messages.contents.at(-1).flags.fracas.card).who")
    assert [who[one]["name"] for one in ("attacker", "victim_1", "victim_2")] == ["Rook", "Guard", "Thug"]

    take_aim_at(ada)
    ada.evaluate("id => game.modules.get('fracas').api.attack({weapon: id}) && null", PREDATOR)
    draw(ada, version, 13, 3)
    expect(form.locator("[data-choice=way]")).to_have_value("ranged-attack")
    expect(form.locator(".fracas-note")).to_have_count(0)
    form.get_by_role("button", name="Close").click()
    ada.evaluate("game.user.targets.clear()")
    draw(ada, version, 14, 1)  # before the dialog, around the thug alone
    ada.evaluate("id => game.modules.get('fracas').api.attack({weapon: id}) && null", GRENADE)
    expect(form.locator(".window-title")).to_have_text("Rook attacks Thug")
    table.close()


def test_the_scene_suggests_and_people_decide(table: Table) -> None:
    """Cover from walls, darkness, and what the attacker sees: marked, and said only when it is taken."""
    ada = table(ADA)
    ada.evaluate(
        """([guard]) => {
          canvas.walls.push([600, -100, 600, -10]);  // before a third of the guard
          canvas.effects.darkness = 0.5;
          canvas.visibility.unseen.push(guard);
        }""",
        [f"token-{GUARD}"],
    )
    take_aim_at(ada)
    api(ada, "attack() && null")
    form = ada.locator(".fracas-attack")
    suggested = form.locator(".fracas-suggestion")
    expect(suggested).to_contain_text(
        [
            "Suggested by the scene:Cover: partial? Walls block 3 of 9 lines of sight.",
            "Suggested by the scene:Visibility: partial light? The darkness at the target is 50 %.",
            "Suggested by the scene:Hidden? The attacker's token does not see the target's.",
        ]
    )
    hit = form.locator("[data-measure=hit]")
    expect(hit).to_have_text("77%")  # as without them
    suggested.first.get_by_role("button", name="Take").click()
    expect(suggested).to_have_count(2)
    expect(form.locator("[data-path='target.cover']")).to_have_value("partial")
    expect(hit).not_to_have_text("77%")
    suggested.first.get_by_role("button", name="Take").click()
    expect(form.locator("[data-path=visibility][value=partial-light]")).to_be_checked()
    expect(suggested).to_have_count(1)
    form.get_by_role("button", name="Close").click()

    ada.evaluate(
        "() => { canvas.walls.length = 0; canvas.effects.light = true; canvas.visibility.unseen.length = 0; }"
    )
    api(ada, "attack() && null")
    expect(hit).to_be_visible()
    assert suggested.count() == 0


def test_in_a_fight_a_circle_names_those_who_are_in_it(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    """And other modules hear of an attack there as well."""
    seed = with_combat(street(fracas), ROOK, GUARD, THUG)
    seed["settings"]["fracas.worldDecisions"] = "default"
    table = Table(browser, foundry, "circle-in-a-fight", seed)
    gm = table(GM)
    gm.evaluate("game.modules.get('fracas').api.beginFight().then(() => null)")
    gm.evaluate(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          const { forward } = await import("/modules/fracas/scripts/combat-view.mjs");
          for (let state = await fightOf().state(); !state.acting.includes("rook"); state = await fightOf().state()) {
            await fightOf().command({ command: forward(state) });
          }
          const items = { "ares-predator-iv": { ready: false }, "fragmentation-grenade": { ready: true } };
          await fightOf().command({ command: "set", combatant: "rook", items });
          globalThis.heard = [];
          Hooks.on("fracas.attack", ({ attacker, targets, item }) => {
            heard.push([attacker.name, targets.map(({ name }) => name), item.name]);
          });
        }"""
    )
    draw(gm, 13, 13, 5)
    token(gm, "Rook").click()
    gm.evaluate("id => game.modules.get('fracas').api.attack({weapon: id}) && null", GRENADE)
    form = gm.locator(".fracas-attack")
    expect(form.locator(".window-title")).to_have_text("Rook attacks Guard, Thug")
    expect(form.locator("[data-choice=way] option:checked")).to_have_text("Throw a grenade")
    expect(form.locator("[data-path=aim]")).to_have_value("place")
    expect(form.locator("[data-measure=hurt]")).to_be_visible()
    form.get_by_role("button", name="Roll", exact=True).click()
    gm.wait_for_function("heard.length === 1")
    assert gm.evaluate("heard[0]") == ["Rook", ["Guard", "Thug"], "Grenade"]
    table.close()


@pytest.mark.parametrize("version", [13, 14])
def test_in_a_fight_that_knows_positions_a_circle_is_the_place_of_the_blast(
    browser: Browser, foundry: Foundry, fracas: str, version: int
) -> None:
    """The service finds who is in reach; the module says the spot alone, and no distances."""
    seed = with_combat(street(fracas), ROOK, GUARD, THUG)
    seed["settings"] |= {"fracas.worldDecisions": "default", "fracas.positions": True}
    table = Table(browser, foundry, f"spot-{version}", seed)
    gm = table(GM, version=version)
    gm.evaluate("game.modules.get('fracas').api.beginFight().then(() => null)")
    gm.evaluate(
        """async () => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          const { forward } = await import("/modules/fracas/scripts/combat-view.mjs");
          const placed = ({ combatants }) => combatants.every(({ position }) => position);
          const ready = (state) => placed(state) && state.acting.includes("rook");
          for (let state = await fightOf().state(); !ready(state); state = await fightOf().state()) {
            if (placed(state)) await fightOf().command({ command: forward(state) });
            else await new Promise((resolve) => setTimeout(resolve, 50));
          }
          const items = { "ares-predator-iv": { ready: false }, "fragmentation-grenade": { ready: true } };
          await fightOf().command({ command: "set", combatant: "rook", items });
        }"""
    )
    draw(gm, version, 13, 5)
    token(gm, "Rook").click()
    gm.evaluate("id => game.modules.get('fracas').api.attack({weapon: id}) && null", GRENADE)
    form = gm.locator(".fracas-attack")
    expect(form.locator("[data-choice=way] option:checked")).to_have_text("Throw a grenade")
    expect(form.locator("[data-measure=hurt]")).to_be_visible()
    listen(gm)
    form.get_by_role("button", name="Roll", exact=True).click()
    expect(card(gm)).to_contain_text("Throw a grenade")
    (done,) = (one for one in asked(gm, "/commands") if one["body"]["command"] == "act")
    act = done["body"]
    assert act["spot"] == {"x": 13, "y": 0, "elevation": 0}
    assert not {"target", "others"} & act.keys()
    assert not {"distance", "aim", "victim_1"} & act["situation"].keys()
    (step,) = done["answer"]["steps"]
    facts = {one["field"]: one["value"] for one in step["places"]["facts"]}
    assert facts["distance"] == 13
    assert sorted(facts[f"victim_{n}.distance"] for n in (1, 2)) == [1, 1]
    table.close()
