"""Foundry's Combat and a fight of the service follow each other: two clients, the real service, real Chromium."""

from __future__ import annotations

import itertools
import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from foundry_server import World
from foundry_worlds import (
    ADA,
    BEN,
    EVERYWHERE,
    GM,
    GUARD,
    PREDATOR,
    ROOK,
    Foundry,
    alley,
    api,
    join,
    make_world,
    plaza,
    press_begin,
    user,
    with_combat,
)
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COMBAT = "combat0000000000"
PHYSICAL = "system.conditionMonitor.physical.value"
CO_GM = "second0000000000"
NAMES = (f"fight{number}" for number in itertools.count(1))
Json = dict[str, Any]

STARTS = "Fracas starts in this browser."
"""A notice where worlds run it themselves."""


class Table:
    """A world whose Combat has a fight of the service, and what a test asks of it."""

    def __init__(self, gm: Page, world: World, name: str, address: str) -> None:
        self.gm, self.world, self.name, self.address = gm, world, name, address
        kept = gm.evaluate("game.settings.get('fracas', 'tokens')")
        ((self.fight, self.secret),) = kept.items()

    def ask(self, path: str = "", body: Json | None = None) -> Json:
        """Fracas, as the game master's own tool might."""
        if EVERYWHERE:
            return self._inside(path, body)
        request = urllib.request.Request(
            f"{self.address}/v1/encounters/{self.fight}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.secret}",
                "Content-Type": "application/json",
                "If-Match": "*",
                "Idempotency-Key": str(time.monotonic_ns()),
            },
        )
        with urllib.request.urlopen(request, timeout=120) as response:
            found: Json = json.load(response)
        return found

    def _inside(self, path: str, body: Json | None) -> Json:
        found: Json = self.gm.evaluate(
            """async ([path, token, body]) => {
              const { service } = await import("/modules/fracas/scripts/settings.mjs");
              const headers = { "If-Match": "*", "Idempotency-Key": crypto.randomUUID() };
              return service().ask(path, body ? { method: "POST", body, token, headers } : { token });
            }""",
            [f"/v1/encounters/{self.fight}{path}", self.secret, body],
        )
        return found

    def command(self, command: str, **more: Any) -> Json:
        return self.ask("/commands", {"command": command, **more})

    def there(self, id: str) -> Json:
        found: Json = next(one for one in self.ask()["combatants"] if one["id"] == id)
        return found

    def document(self, type: str, id: str) -> Json:
        with self.world.lock:
            found: Json = json.loads(json.dumps(self.world.documents[type][id]))
        return found

    def sheet(self, actor: str, path: str) -> Any:
        found: Any = self.document("Actor", actor)
        for step in path.split("."):
            found = found[step]
        return found

    def shows(self, what: Callable[[], Any], wanted: Any) -> None:
        """Wait until the world is so; what it was at the end is told."""
        deadline = time.monotonic() + 120
        while (found := what()) != wanted and time.monotonic() < deadline:
            self.gm.wait_for_timeout(30)
        assert found == wanted, self.gm.evaluate("notices")

    def tracker(self) -> list[tuple[str, bool, bool]]:
        """The lines of the game master's tracker: name, whether it is its turn, whether it is defeated."""
        lines: list[Json] = self.gm.evaluate(
            """() => game.combat.turns.map((one) => ({
              name: one.name, acts: one === game.combat.combatant, out: Boolean(one.defeated)}))"""
        )
        return [(line["name"], line["acts"], line["out"]) for line in lines]

    def fighters(self) -> dict[str, str]:
        """Ids in the fight by those of the Combatants."""
        found: dict[str, str] = self.document("Combat", COMBAT)["flags"]["fracas"]["fighters"]
        return found

    def boxes(self, actor: str = GUARD) -> int:
        found: int = self.sheet(actor, PHYSICAL)
        return found

    def rounds(self) -> int:
        (item,) = [one for one in self.document("Actor", ROOK)["items"] if one["_id"] == PREDATOR]
        found: int = item["system"]["currentAmmo"]
        return found

    def conditions(self, actor: str) -> set[str]:
        effects = self.document("Actor", actor)["effects"]
        return {one["flags"]["fracas"]["condition"] for one in effects if "fracas" in one.get("flags", {})}


@pytest.fixture
def world(fracas: str) -> tuple[str, World]:
    name = next(NAMES)
    seed = with_combat(alley(fracas), ROOK, GUARD)
    seed["documents"]["User"].append(user(CO_GM, "Second", 4))
    # So slow that no dice make it act together with the runner.
    seed["documents"]["Actor"][1]["system"]["sheetStats"] |= {"REACTION": 1, "INTUITION": 1}
    return name, make_world(name, seed)


@pytest.fixture
def table(browser: Browser, foundry: Foundry, fracas: str, world: tuple[str, World]) -> Iterator[Table]:
    name, made = world
    gm = join(browser, foundry, name, GM)
    press_begin(gm)
    yield Table(gm, made, name, fracas)
    for context in browser.contexts:
        context.close()


def icons(page: Page, actor: str) -> list[str]:
    """What is drawn on the token of an actor."""
    found: list[str] = page.evaluate(
        "id => canvas.tokens.placeables.find((one) => one.actor.id === id).icons", actor
    )
    return found


def begin(table: Table, rook: int = 3, guard: int = 1) -> None:
    """The first turn, with these hits for initiative."""
    table.command("begin-turn", given={"rook": {"hits": rook}, "guard": {"hits": guard}})
    table.shows(lambda: table.document("Combat", COMBAT)["round"], 1)
    table.shows(lambda: table.tracker()[0][1:], (True, False))


def combatant_of(table: Table, id: str) -> str:
    """The Combatant that stands for somebody in the fight."""
    return next(one for one, fighter in table.fighters().items() if fighter == id)


def settle(table: Table) -> None:
    """Every open question gets its default."""
    while questions := [one["question"] for one in table.ask()["steps"] if one["question"]]:
        table.command("answer", question=questions[0]["id"], choose=questions[0]["default"])


def attack(table: Table, own: int = 6, others: int = 3) -> str:
    """Rook shoots at the guard and all dice of each side show one face; the step waits to be applied."""
    for one in ("rook", "guard"):
        table.command("set", combatant=one, dice="hand")
    situation = {"distance": 12, "target": {"cover": "none"}}
    done = table.command(
        "act", combatant="rook", action="fire-semi-automatic", target="guard", situation=situation, ask=False
    )
    while (question := done["steps"][0]["question"])["kind"] != "confirm":
        more: Json = {"choose": question["default"]} if "options" in question else {}
        for part in question.get("parts", ()) if question["kind"] == "roll" else ():
            if part["hand"] and part["thrown"] is None:
                faces = own if part["who"] == "rook" else others
                more = {"dice": more.get("dice", []) + [[faces] * group["count"] for group in part["groups"]]}
        done = table.command("answer", question=question["id"], **more)
    step: str = done["steps"][0]["id"]
    return step


def test_everybody_in_the_combat_joins_with_what_the_sheet_says(table: Table) -> None:
    rook, guard = table.there("rook"), table.there("guard")
    assert rook["sheet"]["agility"] == 5
    assert rook["sheet"]["skills"] == {"pistols": 4}
    assert rook["sheet"]["ballistic"] == 6
    assert rook["items"] == {"ares-predator-iv": {"ready": True, "rounds": 15}}
    assert (rook["player"], guard["player"]) == (True, False)
    flag = table.document("Combat", COMBAT)["flags"]["fracas"]["encounter"]
    assert (flag["id"], flag["phase"]) == (table.fight, "setup")
    assert sorted(table.fighters().values()) == ["guard", "rook"]
    shown = table.gm.evaluate("notices.map(({ text }) => text)")
    assert [text for text in shown if text != STARTS] == [], (
        "everything that the rules need is on these sheets"
    )


def test_tokens_tell_where_they_stand_and_go_where_the_fight_says(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    name, seed = next(NAMES), with_combat(alley(fracas, **{"fracas.positions": True}), ROOK, GUARD)
    made = make_world(name, seed)
    gm = join(browser, foundry, name, GM)
    press_begin(gm)
    table = Table(gm, made, name, fracas)

    def stands(id: str) -> tuple[float, float, float] | None:
        at = table.there(id)["position"]
        return at and (at["x"], at["y"], at["elevation"])

    table.shows(lambda: (stands("rook"), stands("guard")), ((0, 0, 0), (12, 0, 0)))
    before = table.ask()["version"]
    gm.evaluate(
        """ids => canvas.tokens.placeables[0].document.parent.updateEmbeddedDocuments(
          "Token", [{ _id: ids[0], x: 250, y: -50 }, { _id: ids[1], x: 950, y: 350, elevation: 2 }])""",
        [f"token-{ROOK}", f"token-{GUARD}"],
    )
    table.shows(lambda: (stands("rook"), stands("guard")), ((3, 0, 0), (10, 4, 2)))
    (event,) = table.ask(f"/events?after={before}")["events"]  # moved together, told together
    assert event["type"] == "placed"
    gm.evaluate("() => canvas.walls.push([700, -500, 700, 500])")  # ends no move that the fight has made
    table.command("place", positions={"guard": {"x": 5, "y": 1, "elevation": 0}})
    token = "id => { const { x, y, elevation } = canvas.tokens.get(id).document; return [x, y, elevation]; }"
    table.shows(lambda: gm.evaluate(token, f"token-{GUARD}"), [450, 50, 0])
    gm.wait_for_timeout(200)
    assert [one["type"] for one in table.ask(f"/events?after={event['version']}")["events"]] == ["placed"]
    gm.context.close()


def test_what_a_sheet_lacks_is_named(browser: Browser, foundry: Foundry, fracas: str) -> None:
    seed = with_combat(alley(fracas), ROOK, GUARD)
    guard = seed["documents"]["Actor"][1]
    guard["system"]["sheetStats"]["BODY"] = None
    guard["system"]["armor"] = {"ballistic": None, "impact": None}
    name = next(NAMES)
    make_world(name, seed)
    gm = join(browser, foundry, name, GM)
    gm.locator(".fracas-status button").click()
    notice = gm.locator("#notifications .warning")
    expect(notice).to_have_text(
        "Guard: the sheet does not have body, ballistic, impact. What needs them will ask for them."
    )
    expect(gm.locator(".fracas-status span")).to_have_text("not begun")
    gm.context.close()


def test_the_tracker_follows_the_fight_with_its_turns_passes_and_order(table: Table) -> None:
    table.gm.evaluate("game.combat.startCombat()")
    table.shows(lambda: table.document("Combat", COMBAT)["round"], 1)
    expect(table.gm.locator(".fracas-status span")).to_contain_text("initiative is rolled")
    settle(table)
    table.shows(lambda: table.tracker()[0][1], True)
    encounter = table.ask()
    scores = {one["id"]: int(one["rank"]) for one in encounter["combatants"]}
    shown = {
        table.fighters()[one["_id"]]: one["initiative"]
        for one in table.document("Combat", COMBAT)["combatants"]
    }
    assert {id: int(number) for id, number in shown.items()} == scores
    first = encounter["acting"][0]
    table.shows(lambda: table.tracker()[0], (first.capitalize(), True, False))

    table.gm.evaluate("game.combat.nextTurn()")
    table.shows(lambda: table.ask()["acting"][:1] != [first], True)
    table.shows(lambda: table.tracker()[1][1], True)
    table.gm.evaluate("game.combat.nextTurn()")
    table.shows(lambda: table.ask()["phase"], "turn-over")
    expect(table.gm.locator(".fracas-status span")).to_have_text("the turn is over")
    table.gm.evaluate("game.combat.nextRound()")
    table.shows(lambda: (table.ask()["turn"], table.document("Combat", COMBAT)["round"]), (2, 2))
    settle(table)
    table.shows(lambda: table.tracker()[0][1], True)
    table.gm.evaluate("game.combat.nextTurn()")
    table.shows(lambda: table.tracker()[1][1], True)

    table.gm.evaluate("game.combat.previousTurn() && null")
    table.shows(lambda: table.tracker()[0][1], True)
    assert table.ask()["turn"] == 2


def test_a_turn_of_several_passes(table: Table) -> None:
    """Who has no slot in a pass stands below; the last line of the tracker is not the end of the round."""
    table.command("set", combatant="rook", fields={"passes": 2})
    begin(table, rook=3, guard=1)
    status = table.gm.locator(".fracas-status span")
    expect(status).to_have_text("Initiative Pass 1/2 · a combatant acts")
    table.gm.evaluate("game.combat.nextTurn()")
    table.shows(table.tracker, [("Rook", False, False), ("Guard", True, False)])
    table.gm.evaluate("game.combat.nextTurn()")  # Foundry's next round
    table.shows(table.tracker, [("Rook", True, False), ("Guard", False, False)])
    expect(status).to_have_text("Initiative Pass 2/2 · a combatant acts")
    assert (table.ask()["turn"], table.document("Combat", COMBAT)["round"]) == (1, 1)

    table.gm.evaluate("game.combat.previousTurn() && null")
    table.shows(table.tracker, [("Rook", False, False), ("Guard", True, False)])
    expect(status).to_have_text("Initiative Pass 1/2 · a combatant acts")
    table.gm.locator(".fracas-status [data-fracas=redo]").click()
    table.shows(table.tracker, [("Rook", True, False), ("Guard", False, False)])

    table.command("set", combatant="guard", add=["incapacitated"])
    table.gm.evaluate("game.combat.nextTurn()")
    table.shows(lambda: table.ask()["phase"], "turn-over")
    table.shows(table.tracker, [("Rook", False, False), ("Guard", False, True)])
    over = table.ask()["version"]
    table.command("begin-turn", given={"rook": {"hits": 2}})
    table.shows(lambda: table.document("Combat", COMBAT)["round"], 2)
    table.shows(table.tracker, [("Rook", True, False), ("Guard", False, True)])

    table.gm.evaluate("game.combat.previousTurn() && null")
    table.shows(lambda: table.document("Combat", COMBAT)["round"], 1)
    table.shows(lambda: table.document("Combat", COMBAT)["flags"]["shadowrun4e"], {"initiativePass": 2})
    assert table.ask()["undoable"] == over - 3, (
        "the turn that had begun, and nothing else; two events are undo and redo"
    )
    table.command("undo", steps=2)  # also what struck the guard down
    table.shows(table.tracker, [("Rook", True, False), ("Guard", False, False)])
    expect(status).to_have_text("Initiative Pass 2/2 · a combatant acts")


def test_a_system_that_steps_its_own_way_never_takes_the_fight_back(
    browser: Browser, foundry: Foundry, fracas: str
) -> None:
    """Its own buttons move the fight on; it neither rolls nor asks, and a player's press is no game master's."""
    name = next(NAMES)
    world = make_world(name, with_combat(plaza(fracas), ROOK, GUARD))
    gm = join(browser, foundry, name, GM, version=14)
    api(gm, "beginFight(game.combat, { options: { initiative_passes: true } }).then(() => null)")
    expect(gm.locator(".fracas-status span")).to_have_text("not begun")
    table = Table(gm, world, name, fracas)
    assert gm.evaluate("[Combat.name, CONFIG.time.roundTime]") == ["SystemCombat", 3]
    gm.evaluate("game.combat.rollAll()")  # before the turn begins nothing is rolled
    expect(gm.locator("#notifications")).to_contain_text("Initiative is rolled when the turn begins")
    table.command("begin-turn", given={"rook": {"score": 19}, "guard": {"score": 12}})
    table.shows(table.tracker, [("Rook", True, False), ("Guard", False, False)])
    gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({initiative: 15})")
    table.shows(lambda: table.there("guard")["rank"], "15")

    ben, ada = join(browser, foundry, name, BEN, version=14), join(browser, foundry, name, ADA, version=14)
    for page in (ben, ada):
        page.wait_for_function("game.combat?.turn === 0")
    version = table.ask()["version"]
    ben.evaluate("game.combat.nextTurn()")
    expect(ben.locator("#notifications")).to_contain_text("It is not your turn")
    for step in ("nextTurn", "previousTurn"):
        message = {"type": "doCombatFunction", "data": {"id": COMBAT, "name": step}}
        ben.evaluate("message => game.socket.emit('system.shadowrun5e', message)", message)
    ben.wait_for_timeout(200)
    assert (table.ask()["version"], table.ask()["acting"]) == (version, ["rook"]), "only Rook's player may"
    for own in ("applyModeChange", "toggleSeizeInitiative"):
        ada.evaluate("name => game.combat.combatants.find((one) => one.name === 'Rook')[name]()", own)
        expect(ada.locator("#notifications")).to_contain_text("The fight has the order")
        message = {"type": "doCombatantFunction", "data": {"id": combatant_of(table, "guard"), "name": own}}
        ben.evaluate("message => game.socket.emit('system.shadowrun5e', message)", message)
    expect(gm.locator("#notifications")).to_contain_text("The fight has the order")
    assert (table.ask()["version"], table.there("guard")["rank"]) == (version, "15")
    ada.evaluate("game.combat.nextTurn()")
    table.shows(table.tracker, [("Rook", False, False), ("Guard", True, False)])
    assert table.ask()["version"] == version + 1
    gm.evaluate("game.combat.nextTurn()")
    table.shows(lambda: (table.ask()["part"], table.ask()["acting"]), (2, ["rook"]))
    # What the system's own tracker shows follows, too.
    table.shows(lambda: table.document("Combat", COMBAT).get("system"), {"pass": 2})
    gm.evaluate("game.combat.nextPass()")
    acted = "game.combat.combatants.map((one) => [one.name, one.system?.acted ?? false])"
    table.shows(lambda: gm.evaluate(acted), [["Rook", True], ["Guard", False]])
    table.shows(lambda: table.ask()["acting"], ["guard"])
    gm.evaluate("game.combat.previousPass()")
    table.shows(lambda: table.ask()["acting"], ["rook"])
    for _ in ("rook", "guard"):
        gm.evaluate("game.combat.nextTurn()")
    table.shows(lambda: table.ask()["phase"], "turn-over")
    assert gm.evaluate("[globalThis.asked ?? [], game.time.worldTime, game.combat.combatants.size]") == [
        [],
        0,
        2,
    ]
    gm.evaluate("""() => {
      globalThis.steps = [];
      const keep = (hook) => Hooks.on(hook, (_, { round }, { direction }) => steps.push([hook, round, direction]));
      ["combatRound", "combatTurn"].forEach(keep);
    }""")
    gm.evaluate("game.combat.nextRound()")
    table.shows(lambda: (table.ask()["turn"], world.time), (2, 3))
    ben.wait_for_function("game.time.worldTime === 3")
    assert ["combatRound", 2, 1] in gm.evaluate("steps")
    gm.evaluate("game.combat.previousTurn()")
    table.shows(lambda: (table.ask()["turn"], world.time), (1, 0))
    assert [
        one["content"]
        for one in world.documents.get("ChatMessage", {}).values()
        if "system" in one["content"]
    ] == []
    for context in browser.contexts:
        context.close()


def test_a_status_set_in_foundry_is_a_condition_of_the_fight(table: Table) -> None:
    begin(table)
    toggle = "([id, status, how]) => game.actors.get(id).toggleStatusEffect(status, how)"
    table.gm.evaluate(toggle, [GUARD, "prone", {}])
    table.shows(lambda: [one["slug"] for one in table.there("guard")["conditions"]], ["prone"])
    table.shows(lambda: table.conditions(GUARD), {"prone"})
    assert len(table.document("Actor", GUARD)["effects"]) == 1, "the status shows the condition"
    table.gm.evaluate(toggle, [GUARD, "fracas-aiming", {}])  # a status of our own
    table.shows(lambda: {one["slug"] for one in table.there("guard")["conditions"]}, {"aiming", "prone"})
    table.gm.evaluate(toggle, [GUARD, "fracas-aiming", {}])
    table.gm.evaluate(toggle, [GUARD, "stun", {}])  # which the mapping does not name
    table.gm.evaluate(toggle, [GUARD, "prone", {}])
    table.shows(lambda: table.there("guard")["conditions"], [])
    table.command("undo", steps=1)
    table.shows(lambda: table.conditions(GUARD), {"prone"})

    # Foundry's own button for the defeated: it marks the line, and sets the skull.
    skull = [GUARD, "dead", {"active": True, "overlay": True}]
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({defeated: true})")
    table.gm.evaluate(toggle, skull)
    table.shows(lambda: table.tracker()[1], ("Guard", False, True))
    table.shows(
        lambda: {one["slug"] for one in table.there("guard")["conditions"]}, {"prone", "incapacitated"}
    )
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({defeated: false})")
    table.gm.evaluate(toggle, [*skull[:2], {"active": False, "overlay": True}])
    table.shows(lambda: table.there("guard")["able"], True)
    table.shows(lambda: [one["name"] for one in table.document("Actor", GUARD)["effects"]], ["stun", "Prone"])


def test_what_people_did_while_no_game_master_was_there(
    browser: Browser, foundry: Foundry, table: Table
) -> None:
    begin(table)
    ada = join(browser, foundry, table.name, ADA)
    ada.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
    table.gm.goto("about:blank")
    ada.wait_for_function("!game.users.activeGM")
    ada.evaluate("([id, path]) => game.actors.get(id).update({[path]: 2})", [ROOK, PHYSICAL])
    ada.evaluate("id => game.actors.get(id).toggleStatusEffect('prone')", ROOK)
    table.command("set", combatant="rook", fields={"physical": 3})
    table.gm.go_back()
    table.gm.wait_for_function("globalThis.ready === true")
    table.shows(lambda: (table.there("rook")["sheet"]["physical"], table.boxes(ROOK)), (5, 5))
    table.shows(lambda: [one["slug"] for one in table.there("rook")["conditions"]], ["prone"])
    expect(table.gm.locator("#notifications .info")).to_contain_text("Rook")


def test_a_score_that_is_set_in_the_tracker_becomes_the_score_of_the_fight(table: Table) -> None:
    begin(table, rook=5, guard=0)
    before = int(table.there("guard")["rank"])
    assert [name for name, _, _ in table.tracker()] == ["Rook", "Guard"]
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({initiative: 30})")
    table.shows(lambda: table.there("guard")["rank"], "30")
    assert table.there("guard")["rolled"]["hits"] == 30 - before
    table.shows(
        lambda: table.tracker(), [("Rook", True, False), ("Guard", False, False)]
    )  # it is Rook's turn yet
    table.command("undo", steps=1)
    table.shows(lambda: table.document("Combat", COMBAT)["combatants"][1]["initiative"], before)


def test_foundrys_own_moves_of_the_turn_are_no_commands(table: Table) -> None:
    """When the order changes Foundry moves the turn, so that it stays with whoever has it."""
    begin(table)
    table.gm.evaluate(
        """Hooks.on("updateCombatant", (one, changes) => {
          if (!("initiative" in changes)) return;
          one.combat.update({turn: 1 - one.combat.turn});
        })"""
    )
    version = table.ask()["version"]
    table.command("set", combatant="guard", rolled={"hits": 9})
    table.shows(
        lambda: table.document("Combat", COMBAT)["flags"]["fracas"]["encounter"]["version"], version + 1
    )
    table.gm.wait_for_timeout(400)
    assert table.ask()["version"] == version + 1
    assert table.tracker() == [("Rook", True, False), ("Guard", False, False)]


def test_damage_rounds_and_conditions_come_to_the_sheets_and_go_with_undo(
    table: Table, tmp_path: Path
) -> None:
    begin(table)
    step = attack(table)
    assert (table.boxes(), table.rounds()) == (0, 15)
    done = table.command("apply", resolution=step)
    effects = next(event for event in done["events"] if event["type"] == "applied")["data"]["effects"]
    table.shows(table.rounds, 14)
    after = table.there("guard")
    assert after["sheet"]["physical"] + after["sheet"]["stun"] > 3, effects
    table.shows(table.boxes, after["sheet"]["physical"])
    table.shows(lambda: table.sheet(GUARD, "system.conditionMonitor.stun.value"), after["sheet"]["stun"])
    table.shows(lambda: table.conditions(GUARD), {one["slug"] for one in after["conditions"]})

    table.gm.screenshot(path=tmp_path / "hurt.png")

    table.command("undo", steps=1)
    table.shows(lambda: (table.boxes(), table.rounds()), (0, 15))
    table.shows(lambda: table.conditions(GUARD), set())
    table.command("redo", steps=1)
    table.shows(lambda: (table.boxes(), table.rounds()), (after["sheet"]["physical"], 14))


def test_a_condition_is_shown_with_its_status_and_ended_by_taking_it_away(table: Table) -> None:
    begin(table)
    table.command("set", combatant="guard", add=["prone", "shaken", "treated"])
    table.shows(lambda: table.conditions(GUARD), {"prone", "shaken", "treated"})
    statuses = "id => [...game.actors.get(id).statuses]"
    table.shows(lambda: table.gm.evaluate(statuses, GUARD), ["prone", "fracas-shaken"])
    assert icons(table.gm, GUARD) == ["icons/svg/prone.svg", "icons/svg/lightning.svg"]
    table.gm.evaluate(
        "id => game.actors.get(id).effects.find((one) => one.flags.fracas.condition === 'prone').delete()",
        GUARD,
    )
    table.shows(lambda: {one["slug"] for one in table.there("guard")["conditions"]}, {"shaken", "treated"})
    table.shows(lambda: table.conditions(GUARD), {"shaken", "treated"})


def test_what_people_write_on_a_sheet_goes_to_the_fight_and_stays(table: Table) -> None:
    begin(table)
    table.gm.evaluate("([id, path]) => game.actors.get(id).update({[path]: 4})", [GUARD, PHYSICAL])
    table.shows(lambda: table.there("guard")["sheet"]["physical"], 4)
    table.gm.evaluate(
        "([id, item]) => game.actors.get(id).items.get(item).update({'system.currentAmmo': 6})",
        [ROOK, PREDATOR],
    )
    table.shows(lambda: table.there("rook")["items"]["ares-predator-iv"]["rounds"], 6)
    table.command("set", combatant="guard", fields={"physical": 5})
    table.shows(table.boxes, 5)
    assert table.rounds() == 6


def test_defeated_and_hidden_go_both_ways(table: Table) -> None:
    begin(table)
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({defeated: true})")
    table.shows(lambda: table.there("guard")["able"], False)
    table.shows(lambda: table.tracker()[1], ("Guard", False, True))
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({defeated: false})")
    table.shows(lambda: table.there("guard")["able"], True)
    table.shows(lambda: table.tracker()[1], ("Guard", False, False))

    table.command("set", combatant="guard", fields={"physical": 12})
    table.shows(lambda: table.tracker()[1], ("Guard", False, True))
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').update({defeated: false})")
    expect(table.gm.locator("#notifications .warning").last).to_contain_text("Guard is still out")
    assert table.tracker()[1] == ("Guard", False, True)

    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Rook').update({hidden: true})")
    table.shows(lambda: table.there("rook")["hidden"], True)
    table.shows(lambda: table.document("Combat", COMBAT)["combatants"][0].get("hidden"), True)


def test_who_comes_and_goes_does_so_on_both_sides(table: Table) -> None:
    begin(table)
    table.command("join", combatant={"use": "guard", "name": "Late guard"}, id="late")
    table.shows(lambda: sorted(name for name, _, _ in table.tracker()), ["Guard", "Late guard", "Rook"])
    table.command("undo", steps=1)
    table.shows(lambda: sorted(name for name, _, _ in table.tracker()), ["Guard", "Rook"])
    table.gm.evaluate("game.combat.combatants.find((one) => one.name === 'Guard').delete()")
    table.shows(lambda: table.there("guard")["gone"], True)
    table.gm.evaluate(
        "id => game.combat.createEmbeddedDocuments('Combatant', [{actorId: id, name: 'Guard again'}])", GUARD
    )
    table.shows(
        lambda: [one["name"] for one in table.ask()["combatants"] if not one["gone"]], ["Rook", "Guard again"]
    )
    late = "game.combat.combatants.find((one) => one.name === 'Guard again')"
    table.gm.wait_for_function(f"game.combat.getFlag('fracas', 'fighters')[{late}.id] === 'guard-again'")
    table.gm.evaluate(f"{late}.update({{initiative: 99}})")
    table.shows(lambda: table.there("guard-again")["rank"] not in ("", "99"), True)


def test_it_goes_on_after_a_reload_with_what_happened_meanwhile(table: Table) -> None:
    begin(table)
    table.gm.goto("about:blank")
    table.command("set", combatant="guard", fields={"physical": 3}, add=["prone"])
    table.command("next")
    assert table.boxes() == 0, "nobody was there to write it"
    table.gm.go_back()
    table.gm.wait_for_function("globalThis.ready === true")
    table.shows(table.boxes, 3)
    table.shows(lambda: table.conditions(GUARD), {"prone"})
    table.shows(lambda: table.tracker()[1][:2], ("Guard", True))
    table.command("set", combatant="guard", fields={"physical": 4})
    table.shows(table.boxes, 4)
    version = table.ask()["version"]
    table.shows(lambda: table.document("Combat", COMBAT)["flags"]["fracas"]["encounter"]["version"], version)


def test_only_the_active_game_masters_client_writes(browser: Browser, foundry: Foundry, table: Table) -> None:
    """A player's client and that of another game master write nothing; when the first is gone, the other takes over."""
    begin(table)
    writes: list[str] = []
    player, other = join(browser, foundry, table.name, ADA), join(browser, foundry, table.name, CO_GM)
    for page in (player, other):
        page.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
        page.on("request", lambda asked: writes.append(asked.url) if "/world/operate" in asked.url else None)
    table.command("set", combatant="guard", fields={"physical": 2})
    table.shows(table.boxes, 2)
    for page in (player, other):
        page.wait_for_function(f"game.actors.get('{GUARD}').{PHYSICAL} === 2")
    assert writes == []

    table.gm.goto("about:blank")
    table.gm = other
    other.wait_for_function("game.user.isActiveGM")
    table.command("set", combatant="guard", fields={"physical": 5})
    table.shows(table.boxes, 5)
    assert writes != []


def test_a_player_ends_his_own_turn_and_nobody_elses(
    browser: Browser, foundry: Foundry, table: Table
) -> None:
    begin(table)
    ben, ada = join(browser, foundry, table.name, BEN), join(browser, foundry, table.name, ADA)
    for page in (ben, ada):
        page.wait_for_function("game.combat?.turn === 0")
    ben.evaluate("game.combat.nextTurn()")
    ben.wait_for_timeout(400)
    assert table.ask()["acting"] == ["rook"], "it is not Ben's"
    ada.evaluate("game.combat.nextTurn()")
    table.shows(lambda: table.ask()["acting"], ["guard"])
    ada.wait_for_function("game.combat.combatant?.name === 'Guard'")
    ada.evaluate("game.combat.nextTurn()")
    ada.wait_for_timeout(400)
    assert table.ask()["acting"] == ["guard"], "the guard's turn is not Ada's"
    ada.evaluate(
        "game.combat.combatants.find((one) => one.name === 'Guard').update({initiative: 40}).catch(() => {})"
    )
    ada.wait_for_timeout(400)
    assert table.there("guard")["rank"] != "40"


def test_it_goes_on_when_the_service_has_been_started_again(
    browser: Browser, foundry: Foundry, serve: Callable[..., Any], tmp_path: Path
) -> None:
    name = next(NAMES)
    kept = {"FRACAS_ORIGINS": foundry.origin, "FRACAS_DATABASE_URL": str(tmp_path / "fights.db")}
    with serve(**kept) as service:
        port = service.port
        address = f"http://127.0.0.1:{port}"
        made = make_world(name, with_combat(alley(address), ROOK, GUARD))
        gm = join(browser, foundry, name, GM)
        press_begin(gm)
        table = Table(gm, made, name, address)
        begin(table)
    with serve(FRACAS_PORT=str(port), **kept):
        table.command("set", combatant="guard", fields={"physical": 6})
        table.shows(table.boxes, 6)
        gm.context.close()
