"""Every action of the packs of Cities Without Number in a fight: it can be played, and costs what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cwn_action_plays import PLAYS
from cwn_rounds import WEAPONS, begin, join, made_ready
from sr4_phases import audited, offered, settle
from table_play import Table, games

from fracas.encounters.offers import may_be_tried, odds
from fracas.encounters.prices import price
from fracas.encounters.scene import Scene
from fracas.encounters.schemas import load_command
from fracas.encounters.sheets import records
from fracas.packs.entries import Entry


def action_of(slug: str) -> Entry:
    found = games().game("cwn").packs.entry("action", slug)
    assert found is not None, slug
    return found


def actions() -> list[Entry]:
    return games().game("cwn").packs.entries("action")


HOUSE_RULES = {"total-defense-before-the-roll": {"instants_after_roll": False}}


def test_every_action_has_a_play_and_every_play_an_action() -> None:
    assert {action.slug for action in actions()} == set(PLAYS)


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    action = request.node.callspec.params["name"]
    table = Table(tmp_path, "cwn", options=HOUSE_RULES.get(action, {}))
    yield table
    table.close()


def _has_target(action: Entry) -> bool:
    procedure = action.data.get("procedure")
    sides = records(games().game("cwn").procedure(procedure), "combatant") if procedure else ()
    return len(sides) > 1


@pytest.mark.parametrize("name", PLAYS)
def test_every_action_is_played(name: str, table: Table) -> None:
    """What a fight offers can be done, costs what it says, and leaves a fight that goes on."""
    play, action = PLAYS[name], action_of(name)
    for id in ("me", "friend"):
        join(table, id)
    join(table, "foe", "others", hp=90, weapons=["sword", *WEAPONS])
    for id, entry in (("drone", "pitbull"), ("car", "car")):
        guns = ["heavy-pistol", "mounted-autogun", "main-tank-gun"][: 3 if id == "car" else 1]
        table.join(entry, id=id, side="players", weapons=guns, asks=False)
    begin(table)
    said = made_ready(table, play)
    if play.target is None and _has_target(action):
        said["target"] = play.whom
    told = offered(table, action.slug, play.actor)
    if "weapon" not in said.get("situation", {}):  # which no offer knows
        assert may_be_tried(told), told["reasons"]
    if "procedure" in action.data:
        wanted = {"command": "act", "combatant": play.actor, "action": action.slug, **said}
        told = odds(
            table.encounters.context(table.fight, table.gm),
            load_command(wanted | {"target": said.get("target") or None}),
        )
        assert told["measures"]
    event = table.act(play.actor, action.slug, **said)
    assert event.data["forced"] == []
    fight = table.fight
    context = table.encounters.context(fight, table.gm)
    assert event.data["payment"] in price(Scene.of(context.game, context.rules, fight.state), action.data)
    settle(table)
    assert not table.steps()
    while table.acting or table.state.phase == "due":
        table.do("next")
    audited(table)
