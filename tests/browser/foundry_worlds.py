"""Worlds for the stand-in of Foundry: a game master, a player with a runner, and a guard; sheets of Shadowrun 4."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from foundry_server import Handler, World
from playwright.sync_api import Browser, Locator, Page, expect

GM, ADA, BEN = "gm00000000000000", "ada0000000000000", "ben0000000000000"
ROOK, GUARD, THUG = "rook000000000000", "guard00000000000", "thug000000000000"
PREDATOR, GRENADE, ZIP_GUN = "predator00000000", "grenade000000000", "zipgun0000000000"
FIRST, SECOND = "goona00000000000", "goonb00000000000"
VEST, HELMET = "vest000000000000", "helmet0000000000"
EVERYWHERE: dict[str, Any] = {}
"""Settings that hold in all worlds of this run, below those that a test names."""
HTTPS_FOUNDRY = "https://foundry.example"
"""An origin that the service allows; only what a test gives the browser is found there."""
Json = dict[str, Any]


class Foundry(NamedTuple):
    """Where the stand-in's pages are, under an origin that the service allows and under one that it does not."""

    origin: str
    foreign: str


def user(id: str, name: str, role: int) -> Json:
    return {"_id": id, "name": name, "role": role, "ownership": {"default": 0, id: 3}}


def actor(
    id: str, name: str, *items: Json, owner: str = "", entry: str = "", at: int = 0, **stats: int
) -> Json:
    """A sheet; attributes that are not said are 3.

    What the facts of the game system do not list as stored is refused in every ``system``. What the system works out
    by itself stands beside it, as ``derived``, by path.
    """
    names = (
        "BODY",
        "AGILITY",
        "REACTION",
        "STRENGTH",
        "CHARISMA",
        "INTUITION",
        "LOGIC",
        "WILLPOWER",
        "EDGE",
    )
    sheet = {stat: stats.get(stat.lower(), 3) for stat in names}
    return {
        "_id": id,
        "name": name,
        "type": "character",
        "ownership": {"default": 0, **({owner: 3} if owner else {})},
        "flags": {"fracas": {"entry": f"sr4-core:combatant/{entry}"}} if entry else {},
        "prototypeToken": {"x": at},
        "system": {
            "sheetStats": {**sheet, "CURRENTEDGE": sheet["EDGE"]},
            "armor": {"ballistic": 6, "impact": 4},
            "conditionMonitor": {"physical": {"value": 0}, "stun": {"value": 0}},
            "derivedStats": {"passesString": "1/0/0"},
        },
        "items": [*items],
        "effects": [],
    }


def skill(name: str, rating: int) -> Json:
    """A skill of Shadowrun 4 as its compendium has it."""
    label = f"sr4.skills.{name.lower().replace(' ', '')}"
    system = {"rating": rating, "label": label}
    return {"_id": f"{name.lower():0<16}", "name": name, "type": "Skill", "system": system}


def pistol(entry: str = "sr4-core:weapon/ares-predator-iv") -> Json:
    return {
        "_id": PREDATOR,
        "name": "Ares Predator IV",
        "type": "Ranged Weapon",
        "flags": {"fracas": {"entry": entry}} if entry else {},
        "system": {
            "category": "HEAVY_PISTOLS",
            "attackSkill": "PISTOLS",
            "damage": 5,
            "damageType": "PHYSICAL",
            "ap": -1,
            "mode": "SEMI_AUTOMATIC",
            "rc": 0,
            "maxAmmo": 15,
            "currentAmmo": 15,
        },
    }


def alley(address: str, **settings: Any) -> Json:
    """Ada's runner with a pistol, and a guard twelve metres away. Who owns somebody is asked for their decisions."""
    return {
        "system": "shadowrun4e",
        "settings": {"fracas.address": address, "fracas.worldDecisions": "ask", **EVERYWHERE, **settings},
        "documents": {
            "User": [
                user(GM, "Gamemaster", 4),
                {**user(ADA, "Ada", 1), "character": ROOK},
                user(BEN, "Ben", 1),
            ],
            "Actor": [
                actor(ROOK, "Rook", skill("Pistols", 4), pistol(), owner=ADA, agility=5, at=0),
                actor(GUARD, "Guard", skill("Dodge", 2), at=12),
            ],
        },
    }


def street(address: str) -> Json:
    """The alley with a thug two metres behind the guard; the runner has a grenade and a pistol of no pack, too."""
    seed = alley(address)
    grenade = {**pistol("sr4-core:weapon/fragmentation-grenade"), "_id": GRENADE, "name": "Grenade"}
    homemade = {**pistol(entry=""), "_id": ZIP_GUN, "name": "Zip gun"}
    homemade["system"] = {**homemade["system"], "damage": 4, "ap": 0, "armorType": "ballistic"}
    seed["documents"]["Actor"][0]["items"] += [grenade, homemade]
    seed["documents"]["Actor"].append(actor(THUG, "Thug", at=14))
    return seed


def alike(address: str) -> Json:
    """The alley with two goons: unlinked tokens of the guard."""
    seed = alley(address)
    guard = seed["documents"]["Actor"][1]
    seed["documents"]["ActorDelta"] = [
        {**copy.deepcopy(guard), "_id": id, "actorId": GUARD, "name": name, "prototypeToken": {"x": at}}
        for id, name, at in ((FIRST, "First goon", 8), (SECOND, "Second goon", 12))
    ]
    return seed


def station(address: str) -> Json:
    """Sheets of Systems Without Number: Wren with a heavy pistol, and a thug in a vest and a helmet ten metres away."""
    pistol = {
        "_id": PREDATOR,
        "name": "Heavy Pistol",
        "type": "weapon",
        "flags": {"fracas": {"entry": "cwn-core:weapon/heavy-pistol"}},
        "system": {
            "damage": "1d8",
            "shock": {"dmg": "0", "ac": 0},
            "trauma": {"die": "1d6", "rating": 3},
            "range": {"normal": 10, "max": 100},
            "ammo": {"max": 8, "value": 8, "burst": False, "suppress": False},
            "isTwoHanded": False,
            "isNonLethal": False,
            "isMelee": False,
            "stat": "dex",
            "location": "readied",
        },
    }
    wren = {
        "level": {"value": 3},
        "ab": 2,
        "health": {"value": 14, "max": 14},
        "meleeAc": 13,
        "systemStrain": {"value": 1},
        "speed": 10,
    }
    wrens = {
        "stats.str.total": 10,
        "stats.dex.total": 14,
        "stats.wis.total": 11,
        "ac": 15,
        "modifiedTraumaTarget": 7,
    }
    thug = {
        "ab": 1,
        "meleeAb": 1,
        "health": {"value": 20, "max": 20},
        "meleeAc": 12,
        "speed": 10,
    }
    worn = [
        {
            "_id": id,
            "name": name,
            "type": "armor",
            "system": {"location": "readied", "use": True, "soak": soak},
        }
        for id, name, soak in (
            (VEST, "Vest", {"value": 2, "max": 5}),
            (HELMET, "Helmet", {"value": 3, "max": 3}),
        )
    ]
    shoot = {"_id": "shoot00000000000", "name": "Shoot", "type": "skill", "system": {"rank": 1}}
    common = {"flags": {}, "effects": [], "ownership": {"default": 0}}
    seed = alley(address)
    seed["system"] = "swnr"
    seed["documents"]["Actor"] = [
        {
            **common,
            "_id": ROOK,
            "name": "Wren",
            "type": "character",
            "system": wren,
            "derived": wrens,
            "items": [shoot, pistol],
            "prototypeToken": {"x": 0},
        },
        {
            **common,
            "_id": GUARD,
            "name": "Thug",
            "type": "npc",
            "system": thug,
            "derived": {"ac": 13, "modifiedTraumaTarget": 6},
            "items": worn,
            "prototypeToken": {"x": 10},
        },
    ]
    return seed


def plaza(address: str) -> Json:
    """Sheets of Shadowrun 5: Ada's runner, and a spirit."""
    names = ("body", "agility", "reaction", "strength", "willpower", "logic", "intuition", "charisma")
    attributes = {name: {"base": 3, "value": 3} for name in names}
    seed = alley(address)
    seed["system"] = "shadowrun5e"
    rook, guard = seed["documents"]["Actor"]
    both = {"armor": {"rating": {"base": 9, "value": 9}}, "skills": {"active": {"pistols": {"value": 4}}}}
    edge = {"edge": {"value": 3, "uses": 3}}
    rook |= {"items": [], "system": {**both, "attributes": {**attributes, **edge}}}
    force = {"force": {"base": 4, "value": 4}}
    guard |= {"items": [], "type": "spirit", "system": {**both, "attributes": {**attributes, **force}}}
    return seed


def with_combat(seed: Mapping[str, Any], *actors: str) -> Json:
    """The same with a Combat of these actors, or unlinked tokens, which no fight of the service knows yet."""
    known = {one["_id"]: one for kind in ("Actor", "ActorDelta") for one in seed["documents"].get(kind, ())}
    combatants = [
        {
            "_id": f"c{number:0<15}",
            "actorId": known[id].get("actorId", id),
            "tokenId": id if "actorId" in known[id] else f"token-{id}",
            "name": known[id]["name"],
        }
        for number, id in enumerate(actors, 1)
    ]
    combat = {
        "_id": "combat0000000000",
        "round": 0,
        "turn": None,
        "active": True,
        "combatants": combatants,
    }
    return {**seed, "documents": {**seed["documents"], "Combat": [combat]}}


def make_world(name: str, seed: Mapping[str, Any]) -> World:
    world = Handler.worlds[name] = World(seed)
    return world


PATIENT = """
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(ms < 1000 ? ms : 12 * ms);
"""
"""On a slow machine an answer that takes seconds is no failure."""


def join(
    browser: Browser,
    foundry: Foundry,
    world: str,
    user: str,
    *,
    version: int = 13,
    lang: str = "en",
    as_files: bool = False,
) -> Page:
    """A client of its own profile that has joined a world.

    Args:
        as_files: it fetches each module by itself, as in Foundry; otherwise they come with the page.
    """
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(120_000)
    page.add_init_script(PATIENT)
    page.goto(
        f"{foundry.origin}/join?world={world}&user={user}&version={version}&lang={lang}{'&files' * as_files}"
    )
    try:
        page.wait_for_function("globalThis.ready === true")
    finally:
        assert faults == [], faults
    return page


class Table:
    """A world of one test, which users join; each has a profile of his own."""

    def __init__(self, browser: Browser, foundry: Foundry, name: str, seed: Mapping[str, Any]) -> None:
        self._browser, self._foundry, self._name = browser, foundry, name
        self.world = make_world(name, seed)
        self.pages: list[Page] = []
        self._host: Page | None = None

    def __call__(
        self, user: str, *, version: int = 13, lang: str = "en", as_files: bool = False, **client: str
    ) -> Page:
        """A client, with settings of its own."""
        more: Any = {"version": version, "lang": lang, "as_files": as_files}
        if "fracas.where" in EVERYWHERE:
            self._have_host(user, version)
        page = join(self._browser, self._foundry, self._name, user, **more)
        self.pages.append(page)
        for key, value in client.items():
            page.evaluate("([key, value]) => game.settings.set('fracas', key, value)", [key, value])
        return page

    def _have_host(self, user: str, version: int) -> None:
        """A player alone has nobody to ask: until the game master comes, one is there."""
        if user == GM and self._host is not None:
            self._host.context.close()
            self._host = None
        elif user != GM and self._host is None and not any(f"user={GM}" in page.url for page in self.pages):
            self._host = join(self._browser, self._foundry, self._name, GM, version=version)

    def close(self) -> None:
        """Every text that was shown is translated."""
        if self._host is not None:
            self._host.context.close()
        for page in self.pages:
            assert page.evaluate("[...game.i18n.missing]") == []
            page.context.close()


def take_aim_at(page: Page, attacker: str = ROOK, *targets: str) -> None:
    """Select one token and target another, or several."""
    page.evaluate(
        """([attacker, targets]) => {
          const of = (id) => canvas.tokens.placeables.find((token) => [token.id, token.actor.id].includes(id));
          of(attacker).control();
          targets.forEach((id, at) => of(id).setTarget(true, { releaseOthers: at === 0 }));
        }""",
        [attacker, targets or (GUARD,)],
    )


def api(page: Page, call: str) -> Any:
    """What a macro calls: ``attack()``."""
    return page.evaluate(f"game.modules.get('fracas').api.{call}")


def press_begin(gm: Page) -> None:
    """Begins a fight by the tracker's button, and waits until everybody has joined it."""
    gm.locator(".fracas-status button").click()
    gm.wait_for_function(
        "Object.values(game.combat.flags.fracas?.fighters ?? {'': ''}).every((fighter) => fighter)"
    )
    expect(gm.locator(".fracas-status span")).to_have_text("not begun")


def command(page: Page, command: Json) -> Any:
    """A command of the fight, with this client's token."""
    return page.evaluate(
        """async (command) => {
          const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
          return fightOf().command(command);
        }""",
        command,
    )


def listen(page: Page) -> None:
    """From now on `asked` has what the module asks Fracas, wherever that runs, with the answers."""
    page.evaluate(
        """async () => {
          const { service } = await import("/modules/fracas/scripts/settings.mjs");
          const client = service();
          const ask = client.ask.bind(client);
          globalThis.asked = [];
          client.ask = async (path, what) => {
            const one = { path, body: what?.body ?? null };
            asked.push(one);
            return (one.answer = await ask(path, what));
          };
        }"""
    )


def asked(page: Page, path: str) -> list[Json]:
    """What was asked at paths that end so, as `path`, `body` and, if it is there, `answer`."""
    found: list[Json] = page.evaluate("path => asked.filter((one) => one.path.endsWith(path))", path)
    return found


def told(page: Page) -> Json:
    """The card that came last, as it is kept."""
    found: Json = json.loads(page.evaluate("game.messages.contents.at(-1).flags.fracas.card"))
    return found


def card(page: Page) -> Locator:
    """The card that came last."""
    return page.locator(".chat-message").last.locator(".fracas-card")


def settle(page: Page) -> None:
    """Says to every question of this client what the card proposes; applies nothing."""
    buttons = card(page).locator("[data-press=choose]:not([data-choose=apply]):not([data-choose=discard])")
    while buttons.count():
        waits = card(page).locator(".fracas-waits").inner_text()
        card(page).locator("button.default").click()
        page.wait_for_function(
            "asked => document.querySelector('.chat-message:last-child .fracas-waits')?.innerText !== asked",
            arg=waits,
        )
