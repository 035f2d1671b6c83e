"""Grenades in a fight: several people in one step, each with dice of his own."""

from __future__ import annotations

import re

import pytest
from table_play import OpenTable, Table

from fracas.errors import InputError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table(settings={"apply": "at-once"})
    for id in ("rook", "vex", "guard"):
        table.join(id, dice="hand", asks=False)
    table.do("set", combatant="rook", items={"high-explosive-grenade": {"ready": True}})
    table.begin(rook={"hits": 5}, vex={"hits": 1}, guard={"hits": 0})
    return table


NEAR = {"distance": 10, "victim_1": {"blast_distance": 1}, "victim_2": {"blast_distance": 2}}


def throw(table: Table, *others: str) -> None:
    table.do(
        "act",
        combatant="rook",
        action="throw-grenade",
        item="high-explosive-grenade",
        others=list(others),
        situation=NEAR if others else {"distance": 10},
    )


def throw_all(table: Table, face: int) -> list[str]:
    """Everybody throws this face until the step is over; the labels of the rolls."""
    labels = []
    while table.steps():
        for part in table.question()["parts"]:
            labels.append(part["label"])
            groups = [[face] * group["count"] for group in part["groups"]]
            table.dice(*groups, owner=part["who"])
    return labels


def test_everybody_in_reach_throws_and_is_hurt(table: Table) -> None:
    throw(table, "vex", "guard")
    assert dict(table.step().who) == {"attacker": "rook", "victim_1": "vex", "victim_2": "guard"}
    labels = throw_all(table, 2)
    assert labels[-2:] == ["victim_1.soak", "victim_2.soak"]
    hurt = {id: table.one(id).sheet["physical"] for id in ("rook", "vex", "guard")}
    assert hurt == {"rook": 0, "vex": 8, "guard": 6}  # 10 less 2 a metre, and no hit
    before = table.state
    table.do("undo")
    table.do("redo")
    assert table.state == before


def test_a_throw_at_a_place_where_nobody_is(table: Table) -> None:
    throw(table)
    throw_all(table, 2)
    assert [table.one(id).sheet["physical"] for id in ("rook", "vex", "guard")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("action", "target", "others", "path"),
    [
        ("throw-grenade", None, ["vex", "vex"], "others[1]"),
        ("throw-grenade", "vex", ["vex"], "others[0]"),
        ("throw-grenade", None, ["nobody"], "others[0]"),
        ("throw-grenade", None, ["vex"] * 7, "others"),
        ("melee-attack", "guard", ["vex"], "others"),
    ],
)
def test_whom_a_step_cannot_concern(
    table: Table, action: str, target: str | None, others: list[str], path: str
) -> None:
    item = {"item": "high-explosive-grenade"} if action == "throw-grenade" else {}
    before = table.fight
    with pytest.raises(InputError) as caught:
        table.do("act", combatant="rook", action=action, target=target, others=others, **item)
    assert [problem.path for problem in caught.value.problems] == [path]
    assert table.fight == before


def test_what_is_hidden_stays_hidden(table: Table) -> None:
    table.do("set", combatant="guard", hidden=True)
    throw(table, "vex", "guard")
    assert not re.search(r"\bguard\b", table.all_that_is_told(table.player("vex")))  # not so house rules
