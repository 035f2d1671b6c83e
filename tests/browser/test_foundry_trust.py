"""What the Foundry module does not believe: names, and what the client of a player says of others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from foundry_worlds import (
    ADA,
    BEN,
    GM,
    GUARD,
    ROOK,
    Foundry,
    Table,
    alley,
    api,
    card,
    take_aim_at,
    with_combat,
)
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVIL = "<img src=x onerror='globalThis.hacked=1'>@UUID[Actor.rook000000000000]{me} [[/r 1d20]]"
PHYSICAL = "system.conditionMonitor.physical.value"
COMMAND = """async (command) => {
  const { fightOf } = await import("/modules/fracas/scripts/fight.mjs");
  return fightOf().command(command);
}"""
POST = """async (card) => {
  const { post } = await import("/modules/fracas/scripts/conversation.mjs");
  return (await post(card)).id;
}"""
ASK = """async ([name, data]) => {
  const { askGamemaster } = await import("/modules/fracas/scripts/requests.mjs");
  return askGamemaster(name, data).then(() => "done", (error) => error.message);
}"""


@pytest.fixture
def table(browser: Browser, foundry: Foundry, fracas: str, request: pytest.FixtureRequest) -> Iterator[Table]:
    table = Table(browser, foundry, request.node.name, with_combat(alley(fracas), ROOK, GUARD))
    yield table
    table.close()


def boxes(page: Page, actor: str = GUARD) -> int:
    found: int = page.evaluate(f"game.actors.get('{actor}').{PHYSICAL}")
    return found


def made_card(**more: Any) -> dict[str, Any]:
    """A card without a fight: three boxes for the guard, who is prone."""
    effects = [
        {"type": "mark", "who": "target", "what": "physical", "amount": 3},
        {"type": "item", "who": "attacker", "what": "ares-predator-iv", "change": {"rounds": -1}},
        {"type": "add-condition", "who": "target", "what": "prone"},
    ]
    answer = {
        "status": "resolved",
        "modifiers": [],
        "refusals": [],
        "rolls": [],
        "decisions": [],
        "outcome": {},
    }
    who = {
        "attacker": {"name": "Rook", "actor": f"Actor.{ROOK}"},
        "target": {"name": "Guard", "actor": f"Actor.{GUARD}"},
    }
    card = {"title": "Shot", "who": who, "things": {}, "question": None, "state": "open"}
    return {**card, "answer": {**answer, "effects": effects}, **more}


def test_a_name_is_a_text_wherever_it_stands(table: Table, fracas: str, tmp_path: Path) -> None:
    for actor in table.world.documents["Actor"].values():
        actor["name"] = f"{actor['name']} {EVIL}"
        for item in actor["items"]:
            item["name"] += "" if item["type"] == "Skill" else EVIL
    for combatant in table.world.documents["Combat"]["combat0000000000"]["combatants"]:
        combatant["name"] += EVIL[: 80 - len(combatant["name"])]
    table.world.documents["Actor"][GUARD]["system"]["sheetStats"]["BODY"] = None
    gm, ada = table(GM), table(ADA)
    take_aim_at(gm)
    api(gm, "attack() && null")
    expect(gm.locator(".fracas-attack")).to_contain_text("body")
    gm.screenshot(path=tmp_path / "dialog.png")
    gm.evaluate(POST, {**made_card(title=EVIL), "who": {"target": {"name": EVIL, "actor": f"Actor.{GUARD}"}}})
    expect(card(ada)).to_contain_text("onerror")
    api(gm, "beginFight()")
    expect(gm.locator("#notifications .warning")).to_contain_text("onerror")
    for page in (gm, ada):
        page.wait_for_timeout(100)
        assert page.evaluate("globalThis.hacked") is None
        assert page.locator("img[src=x]").count() == 0
    for message in table.world.documents["ChatMessage"].values():
        assert "<img" not in message["content"]
        assert "[[" not in message["content"]
        assert "@UUID[" not in message["content"]


def test_undo_names_what_was_edited_in_between(table: Table) -> None:
    gm = table(GM)
    gm.evaluate(POST, made_card())
    card(gm).get_by_role("button", name="Apply").click()
    gm.wait_for_function(f"game.actors.get('{GUARD}').{PHYSICAL} === 3")
    card(gm).get_by_role("button", name="Undo").click()
    expect(card(gm).get_by_role("button", name="Apply")).to_be_visible()
    guard = table.world.documents["Actor"][GUARD]
    assert (boxes(gm), guard["effects"]) == (0, [])
    assert gm.evaluate("notices") == [], "nobody touched anything: all is as it was"

    card(gm).get_by_role("button", name="Apply").click()
    gm.wait_for_function(f"game.actors.get('{GUARD}').{PHYSICAL} === 3")
    expect(card(gm).get_by_role("button", name="Undo")).to_be_visible()
    gm.evaluate("([id, path]) => game.actors.get(id).update({[path]: 5})", [GUARD, PHYSICAL])
    gm.evaluate("id => game.actors.get(id).items.contents.at(-1).delete()", ROOK)
    card(gm).get_by_role("button", name="Undo").click()
    expect(card(gm).get_by_role("button", name="Apply")).to_be_visible()
    assert boxes(gm) == 2, "the three boxes of the card are gone, the two others stay"
    told = sorted(one["text"] for one in gm.evaluate("notices"))
    assert told == [
        "Guard: physical was changed by hand since; what the card had done to it is taken off, which makes 2",
        "Rook: rounds is gone, so nothing was taken back there",
    ]


def test_what_is_taken_back_is_not_what_a_message_says(table: Table) -> None:
    """A player writes himself what the game master's client would write for him."""
    gm, ada = table(GM), table(ADA)
    change = {"item": "", "path": "ownership.default", "from": 3, "to": 0}
    done = [{"actor": f"Actor.{GUARD}", "changes": [change], "added": [], "removed": []}]
    ada.evaluate(POST, made_card(state="applied", done=done))
    card(gm).get_by_role("button", name="Undo").click()
    expect(gm.locator("#notifications .info")).to_have_text("There is nothing to take back.")
    assert table.world.documents["Actor"][GUARD]["ownership"] == {"default": 0}
    message = gm.evaluate("game.messages.contents.at(-1).id")
    pressed = {"message": message, "pressed": {"press": "apply"}}
    assert ada.evaluate(ASK, ["press", pressed]) == "Only a game master may do this."
    assert boxes(gm) == 0

    # What the message shows is what its effects are, and to whom they go.
    lie = made_card(who={**made_card()["who"], "target": {"name": "Guard", "actor": f"Actor.{ROOK}"}})
    id = ada.evaluate(POST, lie)
    shown = '<section class="fracas fracas-card">Nothing happens.</section>'
    ada.evaluate("([id, content]) => game.messages.get(id).update({content})", [id, shown])
    expect(card(gm)).to_contain_text("Guard (Rook): physical +3")


def test_nobody_becomes_another_in_the_fight(table: Table, fracas: str) -> None:
    logged: list[str] = []

    def log(message: ConsoleMessage) -> None:
        logged.append(message.text)

    gm, ada = table(GM), table(ADA)
    for page in (gm, ada):
        page.on("console", log)
    api(gm, "beginFight()")
    gm.evaluate(COMMAND, {"command": "begin-turn", "given": {"rook": {"hits": 4}, "guard": {"hits": 0}}})
    ada.wait_for_function("Object.keys(game.settings.get('fracas', 'tokens')).length === 1")
    ada.wait_for_function("game.combat.combatant?.name === 'Rook'")
    secrets = [page.evaluate("Object.values(game.settings.get('fracas', 'tokens'))[0]") for page in (gm, ada)]

    # Her combatant says that it is the guard: she gets no token for him.
    own = "game.combat.combatants.find((one) => one.name === 'Rook')"
    ada.evaluate(f"{own}.update({{'flags.fracas.combatant': 'guard'}}, {{fracas: true}})")
    ada.evaluate("game.settings.set('fracas', 'tokens', {})")
    ada.reload()
    ada.wait_for_function(
        "globalThis.ready && Object.keys(game.settings.get('fracas', 'tokens')).length === 1"
    )
    refused = ada.evaluate(
        "([run, command]) => eval(`(${run})`)(command).then(() => 'taken', (error) => error.status)",
        [COMMAND, {"command": "next", "combatant": "guard"}],
    )
    assert refused == 403

    # Her own token is none for the game master's client.
    given = {"fight": gm.evaluate("game.combat.getFlag('fracas', 'encounter').id")}
    given["secret"] = ada.evaluate("Object.values(game.settings.get('fracas', 'tokens'))[0]")
    ada.evaluate(
        "([gm, given]) => game.users.get(gm).query('fracas.token', given).catch(() => {})", [GM, given]
    )
    assert gm.evaluate("Object.values(game.settings.get('fracas', 'tokens'))[0]") == secrets[0]

    # What the game master's client does for her, it does for hers only.
    ids = gm.evaluate("Object.fromEntries(game.combat.combatants.map((one) => [one.name, one.id]))")
    for combatant, wanted in (("Guard", {"defeated": True}), ("Rook", {"initiative": 99, "defeated": True})):
        wish = {"combat": "combat0000000000", "kind": "edit", "combatant": ids[combatant], "wanted": wanted}
        assert ada.evaluate(ASK, ["combat", wish]) == "Only a game master may do this."
    state = gm.evaluate("import('/modules/fracas/scripts/fight.mjs').then(({fightOf}) => fightOf().state())")
    assert [one["able"] for one in state["combatants"]] == [True, True]

    # A message that waits for a hidden step is not filled in.
    for step in range(state["version"] + 1, state["version"] + 4):
        ada.evaluate(POST, made_card(fight=given["fight"], step=f"r{step}"))
    act = {"command": "act", "combatant": "rook", "action": "fire-semi-automatic", "target": "guard"}
    situation = {"distance": 12, "target": {"cover": "none"}}
    gm.evaluate(COMMAND, {**act, "situation": situation, "hidden": True, "force": True})
    gm.wait_for_timeout(800)
    forged = [one for one in table.world.documents["ChatMessage"].values() if one["author"] == ADA]
    assert len(forged) == 3
    kept = [json.loads(one["flags"]["fracas"]["card"]) for one in forged]
    assert all(one["answer"]["rolls"] == [] and one["question"] is None for one in kept)
    assert not any(secret in line for secret in (*secrets, given["secret"]) for line in logged)


def test_nobody_else_answers_what_a_player_asks_of_the_game_master(table: Table) -> None:
    """Everybody sees that something is asked, and any client may send a query: the answer is known by a code."""
    gm, ada, ben = table(GM), table(ADA), table(BEN)
    gm.evaluate(
        """async () => {
          const { onRequest } = await import("/modules/fracas/scripts/requests.mjs");
          onRequest("slow", () => new Promise((done) => (globalThis.answer = () => done("from the game master"))));
        }"""
    )
    ada.evaluate(
        """async () => {
          const { askGamemaster } = await import("/modules/fracas/scripts/requests.mjs");
          askGamemaster("slow", {}).then((found) => (globalThis.found = found));
        }"""
    )
    gm.wait_for_function("Boolean(globalThis.answer)")
    ben.evaluate(
        """async (ada) => {
          const asking = game.users.get(ada);
          const { id } = JSON.parse(asking.flags.fracas.request);
          for (const code of [undefined, "", id]) await asking.query("fracas.reply", { id, code, result: "from Ben" });
          await game.users.activeGM.query("fracas.code", { id, code: "Ben's" });
        }""",
        ADA,
    )
    assert ada.evaluate("globalThis.found ?? null") is None
    gm.evaluate("answer()")
    ada.wait_for_function("globalThis.found === 'from the game master'")
