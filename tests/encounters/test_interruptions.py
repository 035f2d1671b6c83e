"""Whoever an interruption takes out does not finish what it cuts in on; the event says so."""

from __future__ import annotations

from pathlib import Path

import cwn_rounds
import pytest
import sr4_phases
from sr4_phases import audited, settle
from table_play import OpenTable, Table

from fracas.encounters.log import log_markdown

NEAR = {"distance": 5}


@pytest.fixture
def cities(open_table: OpenTable) -> Table:
    """`me` and a thug with few hit points, who throws by hand, shoot at each other; `me` acts first."""
    table = open_table("cwn")
    cwn_rounds.join(table, "me", dexterity=18)
    cwn_rounds.join(table, "thug", "others", hp=1)
    table.do("set", combatant="thug", dice="hand")
    cwn_rounds.begin(table)
    for who in ("me", "thug"):
        cwn_rounds.hold(table, "heavy-pistol", who=who)
    return table


def shoots(table: Table, who: str, whom: str, action: str = "ranged-attack") -> None:
    table.act(
        who, action, whom, situation=NEAR, modifiers=[{"to": "attack.bonus", "label": "sure", "value": 30}]
    )


def test_a_held_action_that_kills_comes_first(cities: Table) -> None:
    cities.act("me", "hold-action")
    cities.do("next")
    shoots(cities, "thug", "me")
    [waiting] = cities.steps()
    shoots(cities, "me", "thug")
    assert not cities.steps()
    event = cities.encounters.events(cities.id)[-1]
    assert event.data["ended"] == [
        {
            "resolution": waiting.id,
            "combatant": "thug",
            "action": "ranged-attack",
            "label": "Make a Ranged Attack",
            "hidden": False,
        }
    ]
    said = "thug: Make a Ranged Attack ends unfinished, thug cannot act any more"
    assert said in log_markdown(cities.encounters, cities.id, cities.gm)
    assert cities.one("me").sheet["hp"] == 60
    cities.do("next")
    audited(cities)


def test_undo_brings_the_step_back(cities: Table) -> None:
    cities.act("me", "hold-action")
    cities.do("next")
    shoots(cities, "thug", "me")
    before = cities.state
    shoots(cities, "me", "thug")
    cities.do("undo")
    assert cities.state == before


def test_where_the_gm_confirms_it_ends_as_the_effects_are_applied(tmp_path: Path) -> None:
    table = Table(tmp_path, "cwn", {"apply": "confirm"})
    cwn_rounds.join(table, "me")
    cwn_rounds.join(table, "thug", "others", hp=1)
    table.do("set", combatant="thug", dice="hand")
    cwn_rounds.begin(table)
    for who in ("me", "thug"):
        cwn_rounds.hold(table, "heavy-pistol", who=who)
    table.act("me", "hold-action")
    table.do("next")
    shoots(table, "thug", "me")
    shoots(table, "me", "thug")
    assert [one.actor for one in table.steps()] == ["thug", "me"]
    event = table.do("apply", resolution=table.steps()[1].id)
    assert [one["combatant"] for one in event.data["ended"]] == ["thug"]
    assert not table.steps()
    table.close()


def test_snap_attacks_of_one_moment_are_simultaneous(cities: Table) -> None:
    shoots(cities, "thug", "me", "snap-attack")
    shoots(cities, "me", "thug", "snap-attack")
    [mine] = [one for one in cities.steps() if one.actor == "me"]
    cities.do("answer", question=mine.id)
    assert not cities.shown("thug")["able"]
    settle(cities)
    assert cities.one("me").sheet["hp"] < 60


def test_who_is_only_hurt_goes_on(cities: Table) -> None:
    cities.do("set", combatant="thug", fields={"hp": 60})
    cities.act("me", "hold-action")
    cities.do("next")
    shoots(cities, "thug", "me")
    shoots(cities, "me", "thug")
    assert [one.actor for one in cities.steps()] == ["thug"]
    assert "ended" not in cities.encounters.events(cities.id)[-1].data


@pytest.fixture
def runner(open_table: OpenTable) -> Table:
    """`me` may still intercept `foe`, who shoots at `friend` and throws by hand."""
    table = open_table()
    sr4_phases.join(table, "me", strength=40)
    sr4_phases.join(table, "foe", side="foes")
    sr4_phases.join(table, "friend")
    table.do("set", combatant="foe", dice="hand")
    table.begin(me={"hits": 5}, foe={"hits": 3}, friend={"hits": 1})
    sr4_phases.hold(table, "katana")
    sr4_phases.hold(table, "ares-predator-iv", who="foe")
    table.do("next")
    return table


def cut_down(table: Table) -> None:
    """`me` intercepts `foe`, with more dice than anybody could defend against."""
    sure = [{"to": "melee-attack.pool", "label": "sure", "value": 60}]
    table.act("me", "intercept", "foe", item="katana", situation={"distance": 1}, modifiers=sure)
    [own] = [one for one in table.steps() if one.actor == "me"] or [None]
    while own is not None and own.id in table.state.resolutions:
        parts = table.state.resolutions[own.id].question["parts"]  # type: ignore[index]
        faces = [[2] * group["count"] for part in parts if part["hand"] for group in part["groups"]]
        table.do("answer", question=own.id, dice=faces)


def test_an_interception_that_takes_somebody_out_comes_first(runner: Table) -> None:
    runner.act("foe", "fire-semi-automatic", "friend", situation=NEAR)
    cut_down(runner)
    assert not runner.steps()
    assert "dead" in runner.conditions("foe") or "unconscious" in runner.conditions("foe")
    assert runner.one("friend").sheet["physical"] + runner.one("friend").sheet["stun"] == 0
    audited(runner)


def test_those_who_act_at_the_same_time_still_do(runner: Table) -> None:
    runner.do("undo")
    runner.do("set", combatant="foe", rolled={"hits": 5})
    runner.do("begin-turn", given={id: {"hits": 3} for id in ("me", "foe", "friend")}, force=True)
    assert runner.state.together
    runner.act("foe", "fire-semi-automatic", "friend", situation=NEAR)
    cut_down(runner)
    assert [one.actor for one in runner.steps()] == ["foe"]
