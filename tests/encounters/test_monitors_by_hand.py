"""Boxes and hit points that the GM sets, or with which a combatant joins: they mean what they mean after a hit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table_play import Table

PEOPLE = [("sr4", "rook", 5), ("sr5", "kestrel", 101)]
"""A ruleset, somebody with 10 Physical boxes and Stun, and the turn in which they bleed if they are dying in turn 1:
Body 4 later in sr4, Body 5 minutes in sr5."""
WAYS = ("join", "set")


def hurt(folder: Path, ruleset: str, one: str, way: str, **boxes: int) -> Table:
    table = Table(folder, ruleset)
    said: dict[str, Any] = {"use": one}
    table.join(said | boxes if way == "join" else said, id="me", side="ours")
    table.join({"use": one}, id="other", side="ours")
    table.begin(**{id: {"score": 10} for id in ("me", "other") if way == "set" or id == "other"})
    if way == "set":
        table.do("set", combatant="me", fields=boxes)
    return table


def shown(table: Table) -> list[str]:
    return [condition["slug"] for condition in table.shown("me")["conditions"]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("ruleset", "one", "due"), PEOPLE)
def test_a_full_monitor_knocks_out_and_bleeds(
    tmp_path: Path, ruleset: str, one: str, due: int, way: str
) -> None:
    table = hurt(tmp_path, ruleset, one, way, physical=12)
    assert shown(table) == ["dying"]
    (timer,) = table.state.timers.values()
    assert (timer.action, timer.who, timer.lasting) == ("bleed", "me", "dying")
    assert timer.turn == (due if way == "set" else due - 1)  # who joins before the first turn
    table.close()


@pytest.mark.parametrize(("ruleset", "one", "due"), PEOPLE)
def test_a_condition_bleeds_as_boxes_do_and_once(tmp_path: Path, ruleset: str, one: str, due: int) -> None:
    table = hurt(tmp_path, ruleset, one, "set", physical=0)
    table.do("set", combatant="me", add=["dying"])
    table.do("set", combatant="me", fields={"physical": 12})
    table.do("set", combatant="me", fields={"physical": 13})
    assert [(timer.action, timer.turn) for timer in table.state.timers.values()] == [("bleed", due)]
    table.close()


def test_fire_and_acid_go_on(tmp_path: Path) -> None:
    table = hurt(tmp_path, "sr4", "rook", "set", physical=0)
    table.do("set", combatant="me", add=["burning", "acid-burning"])
    table.do("set", combatant="me", fields={"burning_dv": 4})
    assert [timer.action for timer in table.state.timers.values()] == ["burn", "acid-burns"]
    table.close()


@pytest.mark.parametrize(("ruleset", "one", "due"), PEOPLE)
def test_stun_knocks_out_and_does_not_bleed(tmp_path: Path, ruleset: str, one: str, due: int) -> None:
    table = hurt(tmp_path, ruleset, one, "set", stun=12)
    assert (shown(table), table.state.timers) == (["unconscious"], {})
    table.close()


@pytest.mark.parametrize(("ruleset", "one", "due"), PEOPLE)
def test_boxes_that_are_taken_back_wake(tmp_path: Path, ruleset: str, one: str, due: int) -> None:
    table = hurt(tmp_path, ruleset, one, "set", physical=30)
    assert (shown(table), table.state.timers) == (["dead"], {})
    table.do("set", combatant="me", fields={"physical": 12})
    assert shown(table) == ["dying"]
    assert [timer.turn for timer in table.state.timers.values()] == [due]
    table.do("set", combatant="me", fields={"physical": 3})
    assert (shown(table), table.shown("me")["able"]) == ([], True)
    table.close()


def test_who_is_dying_by_hand_can_be_stabilized(tmp_path: Path) -> None:
    table = hurt(tmp_path, "sr4", "rook", "set", physical=12)
    table.act("other", "stabilize", "me", situation={"tester": {"pool": 20}})
    table.do("set", combatant="me", add=["stabilized"])
    table.do("set", combatant="me", fields={"stun": 1})
    assert shown(table) == ["stabilized"]
    table.close()


@pytest.mark.parametrize(
    ("who", "state"),
    [
        ("wren", "mortally-wounded"),
        ("street-thug", "dead"),
        ({"use": "wren", "frail": True}, "dead"),
        ("kerberos", "defeated"),
        ("car", "wrecked"),
    ],
)
@pytest.mark.parametrize("way", WAYS)
def test_0_hit_points_in_cwn(tmp_path: Path, who: Any, state: str, way: str) -> None:
    table = Table(tmp_path, "cwn")
    said = who if isinstance(who, dict) else {"use": who}
    table.join(said | ({"hp": 0} if way == "join" else {}), id="me", side="ours")
    if way == "set":
        table.do("set", combatant="me", fields={"hp": 0})
    assert [slug for slug in shown(table) if slug != "frail"] == [state]
    table.do("set", combatant="me", fields={"hp": 4})
    assert ({*shown(table)} <= {"frail"}, table.shown("me")["able"]) == (True, True)
    table.close()
