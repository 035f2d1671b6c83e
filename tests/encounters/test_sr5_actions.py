"""Every action of the packs of Shadowrun 5 in a fight: it can be played, and costs what it says."""

from __future__ import annotations

from typing import Any

import pytest
from late_packs import late
from sr4_phases import audited, offered, settle
from sr5_action_plays import PLAYS, SOMEBODY, WEAPONS, Play
from table_play import OpenTable, Table, games

from fracas.encounters.offers import may_be_tried, odds
from fracas.encounters.prices import price
from fracas.encounters.scene import Scene
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import records
from fracas.packs.entries import Entry

GAME = late(lambda: games().game("sr5"))


def actions() -> list[Entry]:
    return GAME.packs.entries("action")


def test_every_play_has_an_action() -> None:
    assert set(PLAYS) <= {action.slug for action in actions()}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


def made_ready(table: Table, play: Play) -> dict[str, Any]:
    """What a play needs is set; what its command says."""
    if play.item:
        things: dict[str, Any] = {name: {"ready": False} for name in WEAPONS}
        things[play.item] = {"ready": not play.away, **play.state}
        table.do("set", combatant="me", items=things)
    for id, fields, conditions in (
        ("me", play.fields, play.conditions),
        ("foe", play.of_foe, play.on_foe),
    ):
        if fields or conditions:
            table.do("set", combatant=id, fields=dict(fields), add=list(conditions))
    for slug, said in play.before:
        table.act("me", slug, **said)
        settle(table)
    said = {key: dict(value) if key == "situation" else value for key, value in play.said.items()}
    if play.due:
        while table.state.phase != "due":
            if table.state.phase == "turn-over":
                table.begin(me={"score": 15}, foe={"score": 20}, third={"score": 1})
            else:
                table.do("next")
        said["timer"] = table.state.due
    return said


@pytest.mark.each("action", actions, ids=lambda action: action.slug)
def test_every_action_is_played(action: Entry, table: Table) -> None:
    """What a fight offers can be done, costs what it says, and leaves a fight that goes on."""
    play = PLAYS.get(action.slug, Play())
    join(table)
    bonus = {"world": play.world, "bonus": 3}
    table.begin(me={"score": 20, **bonus}, foe={"score": 15}, third={"score": 1})
    said = made_ready(table, play)
    if has_target(action) and not play.alone:
        said["target"] = "foe"
    if play.others:
        said["others"] = ["third"]
    if not play.due and "item" not in said:
        assert may_be_tried(offered(table, action.slug))
    if "procedure" in action.data and not play.due:
        wanted = {"command": "act", "combatant": "me", "action": action.slug, **said}
        assert odds(table.encounters.context(table.fight, table.gm), load_command(wanted))["measures"]
    event = table.act("me", action.slug, **said)
    assert event.data["forced"] == []
    context = table.encounters.context(table.fight, table.gm)
    assert event.data["payment"] in price(
        Scene.of(context.game, context.rules, context.state), action.data, len(said.get("others", ()))
    )
    settle(table)
    assert not table.steps()
    while table.acting or table.state.phase == "due":
        table.do("next")
    audited(table)


def join(table: Table) -> None:
    for id, side in (("me", "crew"), ("foe", "others"), ("third", "others")):
        table.join(
            {**SOMEBODY, "name": id}, id=id, side=side, weapons=list(WEAPONS), dice="service", asks=False
        )


def has_target(action: Entry) -> bool:
    procedure = action.data.get("procedure")
    return bool(procedure) and len(records(GAME.procedure(procedure), "combatant")) > 1
