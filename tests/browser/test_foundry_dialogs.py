"""The dialogs of the Foundry module for packs and for mappings of one's own: real Chromium, the real service."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from foundry_server import World
from foundry_worlds import ADA, GM, GUARD, PREDATOR, ROOK, Foundry, alley, join, make_world, with_combat
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser

NAMES = (f"dialogs{number}" for number in itertools.count(1))
JOURNAL, TABLES = "world.fracas-sr4-core-journal", "world.fracas-sr4-core-tables"
ITEMS = "world.fracas-sr4-core-items-shadowrun4e"
GM_JOURNAL, ACTORS = "world.fracas-sr4-core-gm", "world.fracas-sr4-core-actors-shadowrun4e"
Json = dict[str, Any]


class Stocked(NamedTuple):
    """A world into which sr4-core was imported, its game master, and what the dialog told of that."""

    gm: Page
    world: World
    name: str
    told: str


@pytest.fixture(scope="module")
def stocked(browser: Browser, foundry: Foundry, fracas: str) -> Iterator[Stocked]:
    name = next(NAMES)
    world = make_world(name, with_combat(alley(fracas), ROOK, GUARD))
    gm = join(browser, foundry, name, GM)
    gm.evaluate(
        """() => {
          globalThis.progress = new Set();
          const look = () => progress.add(document.querySelector(".fracas-progress")?.textContent ?? "");
          new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    told = imported(gm, "sr4-core").inner_text()
    yield Stocked(gm, world, name, told)
    gm.context.close()


def opened(page: Page, script: str, name: str, id: str) -> Locator:
    page.evaluate(
        f"""async () => {{
          const {{ {name} }} = await import("/modules/fracas/scripts/{script}.mjs");
          await new {name}().render({{ force: true }});
        }}"""
    )
    return page.locator(f"#{id}")


def imported(page: Page, *packs: str, overwrite: bool = False) -> Locator:
    """The dialog after an import of packs."""
    form = page.locator("#fracas-import")
    if form.count() == 0:
        opened(page, "import-dialog", "ImportPacksDialog", "fracas-import")
    for pack in packs:
        form.locator(f"input[value={pack}]").check()
    if overwrite:
        form.locator("input[name=overwrite]").check()
    form.locator(".fracas-results").evaluate_all("found => found.forEach((one) => one.remove())")
    form.get_by_role("button", name="Import").click()
    expect(form.locator(".fracas-results")).to_be_visible(timeout=150_000)
    return form


def held(world: World, pack: str, type: str) -> dict[str, Json]:
    """What came from a pack."""
    with world.lock:
        there = world.documents.get(f"{pack}:{type}", {})
        return {id: one for id, one in there.items() if "fracas" in one.get("flags", {})}


def own_guns(world: World) -> int:
    with world.lock:
        return sum(one["name"] == "My own gun" for one in world.documents[f"{ITEMS}:Item"].values())


def named(documents: dict[str, Json], name: str) -> Json:
    (found,) = [one for one in documents.values() if one["name"] == name]
    return found


def test_packs_become_compendiums_and_are_brought_up_to_date(stocked: Stocked, tmp_path: Path) -> None:
    gm, made, _, told = stocked
    gm.screenshot(path=tmp_path / "import.png")
    steps = [line for line in gm.evaluate("[...progress]") if line]
    assert len(steps) > 10, "how far it is was shown all the time"
    items, tables = held(made, ITEMS, "Item"), held(made, TABLES, "RollTable")
    journals = held(made, JOURNAL, "JournalEntry")
    assert len(items) > 150
    assert [one["name"] for one in tables.values()] == ["Direction of scatter"], (
        "what is rolled; the rest is read"
    )
    assert len(named(journals, "Street combat core (sr4): Tables")["pages"]) > 50
    assert sum(len(one["pages"]) for one in journals.values()) > 400
    assert made.packs[ITEMS]["system"] == "shadowrun4e"
    predator = named(items, "Ares Predator IV")
    assert predator["flags"]["fracas"]["entry"] == "sr4-core:weapon/ares-predator-iv"
    assert "_key" not in str(predator)
    assert f"Street combat core (sr4): items for Shadowrun 4: {len(items)} new, 0 updated" in told
    assert gm.evaluate("notices.filter(({ kind }) => kind === 'error')") == []

    form = imported(gm)
    expect(form).to_contain_text(f"0 new, 0 updated, {len(items)} as they were")
    assert held(made, ITEMS, "Item") == items, "nothing was written"


def test_what_players_are_not_to_see_is_closed_to_them(
    browser: Browser, foundry: Foundry, stocked: Stocked
) -> None:
    ada = join(browser, foundry, stocked.name, ADA)
    told = ada.evaluate(SIDEBAR)
    assert told["gm"] == [], "of the compendiums for the GM, and of what is in them"
    assert told["names"] >= 5
    gm = stocked.gm.evaluate(SIDEBAR)
    assert {one.partition(" ")[0] for one in gm["gm"]} == {GM_JOURNAL, ACTORS}
    assert f"{ACTORS} Guard" in gm["gm"]
    assert f"{GM_JOURNAL} Street combat core (sr4): Skirmishes" in gm["gm"]

    # A compendium that the GM opens stays open; one whose rights nobody has set is closed by the next import.
    stocked.gm.evaluate(
        """async ([journal, actors]) => {
          await game.packs.get(journal).configure({ ownership: { PLAYER: "OBSERVER" } });
          await game.packs.get(actors).configure({ ownership: undefined });
        }""",
        [GM_JOURNAL, ACTORS],
    )
    ada.wait_for_function("([actors]) => game.packs.get(actors).visible", arg=[ACTORS])
    imported(stocked.gm)
    ada.wait_for_function("([actors]) => !game.packs.get(actors).visible", arg=[ACTORS])
    assert ada.evaluate("([journal]) => game.packs.get(journal).visible", [GM_JOURNAL])
    ada.context.close()


SIDEBAR = f"""async () => {{
  const seen = game.packs.filter(({{ visible }}) => visible);
  const closed = seen.filter(({{ collection }}) => ["{GM_JOURNAL}", "{ACTORS}"].includes(collection));
  const documents = await Promise.all(closed.map((pack) => pack.getDocuments()));
  const world = [...game.actors, ...game.journal].filter((one) => one.flags.fracas?.entry && one.visible);
  return {{
    names: seen.length,
    gm: [...documents.flat().filter(({{ visible }}) => visible), ...world].map((one) => `${{one.pack}} ${{one.name}}`),
  }};
}}"""
"""What the sidebar shows to a user of combatants and skirmishes."""


def test_documents_and_compendiums_are_in_folders_by_kind(stocked: Stocked) -> None:
    found = stocked.gm.evaluate(
        """async (packs) => Object.fromEntries(await Promise.all(packs.map(async (id) => {
          const pack = game.packs.get(id);
          const around = [pack.folder.name, game.folders.get(pack.folder._source.folder)?.name];
          const inside = new Set((await pack.getDocuments()).map((one) => pack.folders.get(one._source.folder)?.name));
          return [id, [around, [...inside].sort()]];
        })))""",
        [ITEMS, ACTORS],
    )
    around = [stocked.gm.evaluate("game.packs.get('world.fracas-fracas-macros').folder.name"), "Fracas"]
    assert around == ["Fracas", "Fracas"]
    (title, above), kinds = found[ITEMS]
    assert (title.startswith("Street combat core"), above) == (True, "Fracas")
    assert kinds == ["Actions", "Armor", "Weapons"]
    skirmishes = {"A summoned spirit", "The drone patrol", "The loading dock", "The server room"}
    assert found[ACTORS] == [
        [title, "Fracas"],
        sorted({"Machines and vehicles", "Other combatants", *skirmishes}),
    ]


def test_what_people_changed_is_kept_and_listed_until_they_say_otherwise(stocked: Stocked) -> None:
    gm, made, *_ = stocked
    items = held(made, ITEMS, "Item")
    predator, katana = named(items, "Ares Predator IV"), named(items, "Katana")
    journal = named(held(made, JOURNAL, "JournalEntry"), "Street combat core (sr4): Actions")
    page = journal["pages"][0]
    gm.evaluate(
        """async ([items, predator, journal, own, page]) => {
          const pack = game.packs.get(items);
          await (await pack.getDocument(predator)).update({ "system.damage": 9 });
          await pack.documentClass.createDocuments([{ name: "My own gun", type: "Ranged Weapon" }], { pack: items });
          const found = await game.packs.get(journal).getDocument(own);
          await found.pages.get(page).update({ "text.content": "<p>Ours</p>" });
        }""",
        [ITEMS, predator["_id"], JOURNAL, journal["_id"], page["_id"]],
    )
    # As if the pack had other content since: the katana that nobody touched, and the pistol, and a page.
    for document in (predator, katana, page, journal["pages"][1]):
        document["flags"]["fracas"]["hash"] = "another"
    form = imported(gm)
    now = held(made, ITEMS, "Item")
    assert now[predator["_id"]]["system"]["damage"] == 9
    assert now[katana["_id"]]["flags"]["fracas"]["hash"] != "another"
    assert own_guns(made) == 1
    kept = form.locator(".fracas-kept li").all_inner_texts()
    assert sorted(kept) == sorted(["Ares Predator IV", page["name"]])
    pages = {one["_id"]: one for one in held(made, JOURNAL, "JournalEntry")[journal["_id"]]["pages"]}
    assert pages[page["_id"]]["text"]["content"] == "<p>Ours</p>"
    assert pages[journal["pages"][1]["_id"]]["flags"]["fracas"]["hash"] != "another"
    assert len(pages) == len(journal["pages"])
    expect(form).to_contain_text("1 updated")

    imported(gm, overwrite=True)
    assert held(made, ITEMS, "Item")[predator["_id"]]["system"]["damage"] != 9
    assert own_guns(made) == 1, "what is not ours is never touched"


def test_an_imported_weapon_on_a_sheet_is_known_to_the_fight(stocked: Stocked) -> None:
    known = stocked.gm.evaluate(
        """async ([items, guard]) => {
          const pack = game.packs.get(items);
          const gun = pack.contents.find(({ name }) => name === "Colt America L36");
          await game.actors.get(guard).createEmbeddedDocuments("Item", [gun.toObject()]);
          const fight = await game.modules.get("fracas").api.beginFight();
          return (await fight.state()).combatants.find(({ id }) => id === "guard").items;
        }""",
        [ITEMS, GUARD],
    )
    assert list(known) == ["colt-america-l36"]


def test_a_skirmish_is_put_on_the_scene_and_fought(
    browser: Browser, foundry: Foundry, stocked: Stocked, tmp_path: Path
) -> None:
    gm, world = stocked.gm, stocked.world
    form = opened(gm, "skirmish-dialog", "SkirmishDialog", "fracas-skirmish")
    form.get_by_role("combobox").select_option(label="The loading dock")
    expect(form.locator(".hint")).to_contain_text("Rook wants out")
    gm.screenshot(path=tmp_path / "skirmish.png")
    form.get_by_role("button", name="Place").click()
    expect(form).to_have_count(0)
    with world.lock:
        tokens = {one["name"]: one for one in world.documents["Scene"]["scene"]["tokens"]}
        placed = [one for one in world.documents["Actor"].values() if one.get("folder")]
        (combat,) = [one for one in world.documents["Combat"].values() if one["active"]]
    sides = {"Rook": False, "Vex": False, "Guard 1": True, "Guard 2": True, "Brick": True}
    assert {name: one["hidden"] for name, one in tokens.items()} == sides
    assert tokens["Guard 1"]["x"] - tokens["Rook"]["x"] == 1200, "twelve metres"
    assert {one["name"]: one["type"] for one in placed} == dict.fromkeys(
        ("Rook", "Vex", "Guard", "Brick"), "npc"
    )
    assert {one["ownership"]["default"] for one in placed} == {0}
    assert sorted(one["hidden"] for one in combat["combatants"]) == [False, False, True, True, True]

    ada = join(browser, foundry, stocked.name, ADA)
    assert ada.evaluate("game.actors.filter((one) => one.visible && one.folder).length") == 0
    ada.evaluate("game.modules.get('fracas').api.skirmish()")
    expect(ada.locator("#notifications .warning")).to_contain_text("Only a game master")
    assert ada.locator("#fracas-skirmish").count() == 0
    ada.context.close()

    known = gm.evaluate(
        """async () => {
          const fight = await game.modules.get("fracas").api.beginFight();
          return (await fight.state()).combatants.map(({ name, items, hidden }) => [name, Object.keys(items), hidden]);
        }"""
    )
    arms = {name: items for name, items, _ in known}
    assert set(arms) == set(tokens)
    assert "ares-predator-iv" in arms["Rook"]
    assert {name for name, _, hidden in known if hidden} == {"Guard 1", "Guard 2", "Brick"}
    assert gm.evaluate("notices.filter(({ kind }) => kind !== 'info')") == [], "the sheets lack nothing"

    # Once more: the world's actors are taken, and a player's token that is there.
    own = gm.evaluate(
        """async (ada) => {
          const rook = game.actors.find(({ name, folder }) => name === "Rook" && folder);
          await rook.update({ [`ownership.${ada}`]: 3 });
          const { placeSkirmish, skirmishes } = await import("/modules/fracas/scripts/skirmish.mjs");
          const dock = skirmishes().find(({ name }) => name === "The loading dock");
          const tokens = await placeSkirmish(dock, { combat: false });
          return tokens.map(({ id }) => id);
        }""",
        ADA,
    )
    with world.lock:
        now = world.documents["Scene"]["scene"]["tokens"]
        assert len([one for one in world.documents["Actor"].values() if one.get("folder")]) == len(placed)
    assert own[0] == tokens["Rook"]["_id"]
    assert len(now) == len(tokens) + 4


def test_fields_of_any_system_can_be_chosen(
    browser: Browser, foundry: Foundry, fracas: str, tmp_path: Path
) -> None:
    seed = alley(fracas)
    seed["system"] = "homemade"
    hero = seed["documents"]["Actor"][0]
    hero["type"] = "hero"
    hero["system"] = {
        "tough": 4,
        "quick": {"value": 5, "bonus": 1},
        "wounds": {"left": 8, "all": 10},
        "notes": "<p>long</p>",
    }
    hero["items"][-1]["type"] = "weapon"
    hero["items"][-1]["system"] = {"damage": 5, "shots": {"now": 9, "full": 15}}
    name = next(NAMES)
    make_world(name, seed)
    page = join(browser, foundry, name, GM)
    form = opened(page, "mapping-dialog", "MappingDialog", "fracas-mapping")
    form.locator("select[name=ruleset]").select_option("sr4")
    expect(form.locator(".fracas-missing")).to_contain_text("Without a place: body, agility")
    for field, path in (
        ("combatant.body.from", "system.tough"),
        ("combatant.agility.from", "system.quick.value"),
        ("combatant.physical.from", "system.wounds.left"),
        ("combatant.physical.down_from", "system.wounds.all"),
        ("weapon.rounds.from", "system.shots.now"),
    ):
        form.locator(f"select[name='{field}']").select_option(path)
    expect(form.locator("tr[data-field=agility] .fracas-value")).to_have_text("5")
    expect(form.locator("tr[data-field=physical] .fracas-value")).to_have_text("2")
    expect(form.locator(".fracas-missing")).not_to_contain_text("agility")
    page.screenshot(path=tmp_path / "mapping.png")
    form.locator("select[name=skills]").select_option("items|Skill|system.rating")
    form.get_by_role("button", name="Save and use").click()
    notice = page.locator("#notifications .info").last
    expect(notice).to_contain_text("used from now on. Without a place: reaction, strength")
    expect(notice).not_to_contain_text("skills")
    found = page.evaluate(
        """async ([rook, pistol]) => {
          const { activeMapping } = await import("/modules/fracas/scripts/settings.mjs");
          const { combatantOf, weaponOf, changesOf } = await import("/modules/fracas/scripts/sheet-mapping.mjs");
          const mapping = await activeMapping();
          const actor = game.actors.get(rook);
          return {
            ruleset: mapping.ruleset,
            said: combatantOf(mapping, actor).said,
            weapon: weaponOf(mapping, actor.items.get(pistol)).said,
            damage: changesOf(mapping, actor, "physical", { by: 3 }),
          };
        }""",
        [ROOK, PREDATOR],
    )
    assert found["ruleset"] == "sr4"
    assert found["said"] == {"name": "Rook", "body": 4, "agility": 5, "physical": 2, "skills": {"pistols": 4}}
    assert found["weapon"] == {"use": "ares-predator-iv", "rounds": 9}
    assert found["damage"] == [{"item": "", "path": "system.wounds.left", "from": 8, "to": 5}]

    form = opened(page, "mapping-dialog", "MappingDialog", "fracas-mapping").last
    expect(form.locator("select[name='combatant.body.from']")).to_have_value("system.tough")
    expect(form.locator("select[name=skills]")).to_have_value("items|Skill|system.rating")
    page.context.close()
