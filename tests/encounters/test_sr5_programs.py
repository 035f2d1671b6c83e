"""Programs in fights of Shadowrun 5: a host that launches IC, agents, sprites; and critters."""

from __future__ import annotations

from pathlib import Path

import pytest
from sr5_board import codes, faces, join, pools, table_of, throw
from table_play import OpenTable, Table
from test_sr5_matrix_fights import DECKER, offered

from fracas.encounters.permission import intent_of


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


@pytest.fixture
def host(table: Table) -> Table:
    """A decker in a host of rating 5, which has been alarmed in the first turn."""
    join(table, "decker", side="ours", **DECKER)
    sheet = {
        "use": "patrol-ic",
        "device_rating": 5,
        "attack": 6,
        "firewall": 8,
        "sleaze": 5,
        "data_processing": 7,
    }
    table.join(sheet, id="host", side="theirs", asks=False, dice="hand")
    table.begin(decker={"score": 20}, host={"score": 5})
    table.act("host", "sound-the-alarm")
    return table


def after_turn(host: Table) -> None:
    """The next turn begins, with what is due."""
    while host.state.phase != "turn-over":
        host.do("next")
    host.begin(decker={"score": 20}, host={"score": 5})
    timer = host.state.timers[host.state.due]
    host.act(timer.who, timer.action, timer=timer.id)


def test_a_host_launches_ic_turn_by_turn(host: Table) -> None:
    """W24: Probe in the second turn, Killer in the third; what has crashed comes again."""
    assert host.conditions("host") == ["alarmed"]
    assert "probe-ic" not in host.state.combatants
    for turn, kind in ((2, "probe"), (3, "killer")):
        after_turn(host)
        assert (host.state.turn, host.one(f"{kind}-ic").sheet["ic"]) == (turn, kind)
    killer = host.one("killer-ic")
    assert killer.side == "theirs"
    assert killer.sheet["initiative"] == 10
    assert {name: killer.sheet[name] for name in ("device_rating", "attack", "firewall")} == {
        "device_rating": 5,
        "attack": 6,
        "firewall": 8,
    }
    assert "physical" not in killer.sheet
    assert codes(host, "decker", "fire-burst", "killer-ic")  # nobody shoots at a program
    host.do("set", combatant="killer-ic", fields={"device_damage": 10, "intuition": 0, "firewall": 0})
    host.act("decker", "data-spike", "killer-ic")
    host.dice(faces(6 + 5 + 2, 5))
    assert host.conditions("killer-ic") == ["crashed"]


def test_a_pulse_storm_is_noise_for_those_in_it(table: Table) -> None:
    """Three net hits are three dice less of 13, to the end of the next turn."""
    join(table, "decker", side="ours", **DECKER)
    own = {
        "technomancer": True,
        "resonance": 5,
        "skills": {"software": 4},
        "interface": "hot-sim",
        "firewall": 3,
    }
    join(table, "other", side="theirs", **own)
    table.begin(other={"score": 20, "world": "matrix", "bonus": 3}, decker={"score": 5})
    table.act("other", "thread-complex-form", "decker", situation={"act": "pulse-storm", "force": 5})
    for hits in (3, 0, 2):
        throw(table, hits)
    assert table.conditions("decker") == ["stormed"]
    table.do("next")
    table.act("decker", "hack-on-the-fly", "other")
    assert pools(table)["action"] == 6 + 5 + 2 - 3


@pytest.mark.parametrize(("score", "found"), [(39, []), (40, ["converging"])])
def test_a_score_that_is_set_by_hand_brings_the_grid(table: Table, score: int, found: list[str]) -> None:
    join(table, "decker", side="ours", **DECKER)
    table.do("set", combatant="decker", fields={"overwatch": score})
    assert [one for one in table.conditions("decker") if one == "converging"] == found


def test_a_sprite_has_what_its_level_gives(table: Table) -> None:
    """W27: a Machine sprite of Level 4."""
    table.join({"use": "machine-sprite", "force": 4}, id="sprite", asks=False)
    sprite = table.one("sprite").sheet
    ratings = ("attack", "sleaze", "data_processing", "firewall", "initiative")
    assert [sprite[name] for name in ratings] == [5, 4, 7, 6, 11]


@pytest.mark.parametrize(("option", "attribute"), [("vr", 6 + 4), ("rating_twice", 4 + 4)])
def test_initiative_of_an_agent(tmp_path: Path, option: str, attribute: int) -> None:
    """Data Processing and the rating, or by the option twice the rating; four dice, and no bonus actions."""
    table = table_of(tmp_path, {"agent_initiative": option})
    table.join("agent", id="agent", asks=False, dice="hand")
    table.do("begin-turn")
    numbers = {one["to"]: one["total"] for one in table.step().tallies}
    assert numbers == {"initiative.attribute": attribute, "initiative.dice": 4}
    table.close()


def test_a_critter_is_offered_its_powers(table: Table) -> None:
    table.join("barghest", id="barghest", asks=False, side="theirs")
    join(table, "guard", side="ours")
    table.begin(barghest={"score": 20}, guard={"score": 5})
    scene = table.encounters.context(table.fight, table.gm).scene()
    action = scene.game.packs.entry("action", "use-power")
    assert action is not None
    intent = intent_of(scene, scene.state.combatants["barghest"], action, "", "guard", {})
    powers = [one.situation["act"] for one in scene.rules.suggested(scene.table, "barghest", intent)]
    assert powers == ["fear", "paralyzing-howl"]


def test_what_strikes_an_agent_strikes_the_deck_of_its_owner(table: Table) -> None:
    """An agent and its owner name the same deck: they share its boxes and its Overwatch Score, and it is bricked."""
    join(
        table, "decker", side="ours", **{**DECKER, "deck": "Sony CIY-720", "device_damage": 0, "overwatch": 3}
    )
    agent = {"use": "agent", "deck": "Sony CIY-720", "device_damage": 0, "overwatch": 3}
    table.join(agent, id="agent", side="ours", asks=False, dice="hand")
    join(table, "foe", side="theirs", **{**DECKER, "overwatch": 0})
    table.begin(foe={"score": 20}, agent={"score": 10}, decker={"score": 5})
    table.act("foe", "data-spike", "agent")
    throw(table, 4, 2)
    throw(table, 2)
    boxes = table.one("agent").sheet["device_damage"]
    assert boxes > 0
    assert table.one("decker").sheet["device_damage"] == boxes
    table.do("next")
    table.act("agent", "hack-on-the-fly", "foe")
    throw(table, 3, 2)
    assert table.one("decker").sheet["overwatch"] == table.one("agent").sheet["overwatch"] == 3 + 2
    table.do("set", combatant="decker", fields={"device_damage": 10})
    assert "bricked" in table.conditions("decker")


@pytest.mark.parametrize(
    "action", ["bleed", "resist-toxin", "be-drugged", "regenerate", "be-dumped", "jack-out", "enter-cold-sim"]
)
def test_a_program_is_not_offered_what_takes_a_body(table: Table, action: str) -> None:
    table.join("agent", id="agent", side="theirs", asks=False)
    sheet = {"use": "vampire", "data_processing": 4, "interface": "ar"}
    table.join(sheet, id="vampire", side="ours", asks=False)
    table.begin(agent={"score": 20, "world": "matrix"}, vampire={"score": 20, "world": "physical"})
    program, body = (offered(table, who, action) for who in ("agent", "vampire"))
    assert "needs" in {reason["code"] for reason in program["reasons"]}
    assert (program["missing"], program["unlikely"]) == ([], False)
    assert body["allowed"] or body["missing"] or body["unlikely"]
