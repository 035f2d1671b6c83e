"""Every action of the packs of the Inquisitor universe in a fight: it can be played, and costs what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from imperium_action_plays import PLAYS, WEAPONS
from imperium_rounds import begin, join
from sr4_phases import audited, offered, settle
from table_play import OpenTable, Table, games

from fracas.encounters.offers import may_be_tried, odds
from fracas.encounters.prices import price
from fracas.encounters.scene import Scene
from fracas.encounters.schemas import load_command
from fracas.packs.entries import Entry


def action_of(slug: str) -> Entry:
    found = games().game("imperium").packs.entry("action", slug)
    assert found is not None, slug
    return found


def actions() -> list[Entry]:
    return games().game("imperium").packs.entries("action")


def test_every_action_has_a_play_and_every_play_an_action() -> None:
    assert {action.slug for action in actions()} == set(PLAYS)


def test_whatever_takes_an_action_can_be_merged() -> None:
    """Offers name partners for it, so its procedure has the field that names one."""
    paid = [action for action in actions() if "type" in action.data and "procedure" in action.data]
    procedure = games().game("imperium").procedure
    fields = {action.slug: procedure(action.data["procedure"]).vocabulary.fields for action in paid}
    assert [slug for slug, known in fields.items() if "action.merged_with" not in known] == []


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    play = PLAYS[request.node.callspec.params["name"]]
    table = Table(tmp_path, "imperium", options=play.options)
    yield table
    table.close()


@pytest.mark.parametrize("name", PLAYS)
def test_every_action_is_played(name: str, table: Table) -> None:
    """What a fight offers can be done, costs what it says, and leaves a fight that goes on."""
    play, action = PLAYS[name], action_of(name)
    join(table, "me", 60, weapons=WEAPONS, dice="service", **play.fields)
    join(table, "foe", 40, side="others", weapons=["sword"], dice="service", **play.of_foe)
    begin(table)
    if play.item:
        states = {name: {"ready": name == play.item} for name in WEAPONS}
        table.do("set", combatant="me", items=states)
    if action.slug == "reload":
        table.do("set", combatant="me", items={play.item: {"rounds": 1}})
    if play.conditions:
        table.do("set", combatant="me", add=list(play.conditions))
    for slug, said in play.before:
        table.act("me", slug, **said)
        settle(table)
    if "item" not in play.said:  # an offer means another thing
        assert may_be_tried(offered(table, action.slug))
    if "procedure" in action.data:
        wanted = {"command": "act", "combatant": "me", "action": action.slug, **play.said}
        assert odds(table.encounters.context(table.fight, table.gm), load_command(wanted))["measures"]
    event = table.act("me", action.slug, **play.said)
    assert event.data["forced"] == []
    context = table.encounters.context(table.fight, table.gm)
    assert event.data["payment"] in price(Scene.of(context.game, context.rules, context.state), action.data)
    settle(table)
    assert not table.steps()
    while table.acting or table.state.phase == "due":
        table.do("next")
    audited(table)


def test_what_the_gm_says_no_player_does(open_table: OpenTable) -> None:
    table = open_table("imperium")
    join(table, "me", player=True, dice="service")
    join(table, "foe", side="others", dice="service")
    begin(table, me=60, foe=40)
    left_to_the_gm = [action.slug for action in actions() if action.data.get("gm")]
    assert left_to_the_gm
    for slug in left_to_the_gm:
        with pytest.raises(Exception, match="only the GM may say that it happens"):
            table.act("me", slug, by=table.player("me"), **PLAYS[slug].said)
