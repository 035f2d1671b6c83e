"""Surprise: everybody tests, and each is surprised by certain others, for one pass (sr4.md 10.4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.encounters import audit, log
from fracas.errors import ForbiddenError, InputError


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    for name, side in (("rook", "players"), ("vex", "players"), ("guard", "others")):
        table.join(name, side=side, dice="hand")
    return table


# Dice: Rook throws Reaction 4 + Intuition 4, Vex 5 + 5, the guard 3 + 3.
DICE = {"rook": 8, "vex": 10, "guard": 6}


def surprise(table: Table, hits: dict[str, int], more: dict[str, int] | None = None, **fields: Any) -> None:
    table.do("contest", contest="surprise", **fields)
    for id, count in hits.items():
        dice = DICE[id] + (more or {}).get(id, 0)
        table.dice([5] * count + [2] * (dice - count), owner=id)


def towards(table: Table, id: str) -> set[str]:
    return {other for one in table.one(id).conditions if one.slug == "surprised" for other in one.towards}


def test_each_is_surprised_by_those_who_threw_more(table: Table) -> None:
    surprise(table, {"rook": 3, "vex": 5, "guard": 4})
    assert {id: towards(table, id) for id in DICE} == {"rook": {"guard"}, "vex": set(), "guard": {"vex"}}


def test_on_a_tie_both_are_surprised(table: Table) -> None:
    surprise(table, {"rook": 3, "vex": 5, "guard": 3})
    assert (towards(table, "rook"), towards(table, "guard")) == ({"guard"}, {"rook", "vex"})


def test_by_the_other_rule_a_tie_surprises_nobody(tmp_path: Path) -> None:
    table = Table(tmp_path, options={"surprise_tie": "sr4a"}, name="other.db")
    for name, side in (("rook", "players"), ("guard", "others")):
        table.join(name, side=side, dice="hand")
    surprise(table, {"rook": 3, "guard": 3})
    assert (towards(table, "rook"), towards(table, "guard")) == (set(), set())
    table.close()


def test_ambushers_throw_more_and_are_surprised_by_none_they_wait_for(table: Table) -> None:
    situations = {"guard": {"tester": {"ambushing": True}}, "rook": {"tester": {"alerted": True}}}
    surprise(table, {"rook": 6, "vex": 2, "guard": 4}, {"guard": 6, "rook": 3}, situations=situations)
    assert {id: towards(table, id) for id in DICE} == {"rook": set(), "vex": {"guard"}, "guard": set()}


def test_what_surprise_keeps_from_doing_and_for_how_long(table: Table) -> None:
    surprise(table, {"rook": 1, "vex": 5, "guard": 4})  # Rook is surprised by the guard, the guard by Vex
    for id in DICE:
        table.do("set", combatant=id, dice="service", fields={"passes": 2})
    table.begin(rook={"hits": 9}, vex={"hits": 0}, guard={"hits": 0})
    shot = {
        "combatant": "rook",
        "action": "fire-semi-automatic",
        "target": "guard",
        "situation": {"distance": 5},
    }
    assert ("rules", "surprised by Guard") in table.refused("act", **shot)
    assert table.refused("act", combatant="rook", action="drop-prone")
    table.act("rook", "observe-in-detail")  # what has nothing to do with them is allowed
    table.do("next")
    assert table.acting == ["vex"]
    table.do("set", combatant="vex", asks=False)
    table.act("vex", "fire-semi-automatic", "guard", situation={"distance": 5})
    [row] = [event for event in table.encounters.events(table.id) if event.type == "acted"][-1:]
    labels = [one["to"] for one in row.data["step"]["open"]["tallies"]]
    assert "defense.pool" not in labels  # the guard does not see it coming
    table.do("next")
    table.do("next")
    assert table.state.part == 2
    assert {id: towards(table, id) for id in DICE} == {"rook": set(), "vex": set(), "guard": set()}
    table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 5})


def test_who_is_surprised_by_one_still_defends_against_another(table: Table) -> None:
    surprise(table, {"rook": 1, "vex": 5, "guard": 4})
    for id in DICE:
        table.do("set", combatant=id, dice="service", asks=False)
    table.begin(rook={"hits": 0}, vex={"hits": 9}, guard={"hits": 0})
    table.act(
        "vex", "fire-semi-automatic", "rook", situation={"distance": 5}
    )  # whom only the guard surprised
    event = [event for event in table.encounters.events(table.id) if event.type == "acted"][-1]
    assert "defense.pool" in [one["to"] for one in event.data["step"]["open"]["tallies"]]


def test_only_those_named_take_part(table: Table) -> None:
    table.do("contest", contest="surprise", combatants=["rook", "guard"])
    assert sorted(one.actor for one in table.steps()) == ["guard", "rook"]
    assert table.view()["contest"] == "surprise"


def test_a_step_that_is_given_up_lets_the_others_be_compared(table: Table) -> None:
    table.do("contest", contest="surprise")
    [vex] = [one.id for one in table.steps() if one.actor == "vex"]
    table.dice([5] * 4 + [2] * 4, owner="rook")
    table.dice([2] * 6, owner="guard")
    assert towards(table, "guard") == set()
    table.do("discard", resolution=vex)
    assert towards(table, "guard") == {"rook"}
    assert table.view()["contest"] is None


def test_undo_takes_back_each_throw_and_the_log_is_proven(table: Table) -> None:
    before = table.state
    surprise(table, {"rook": 3, "vex": 5, "guard": 4})
    after = table.state
    table.do("undo", steps=4)
    assert table.state == before
    table.do("redo", steps=4)
    assert table.state == after
    table.do("close")
    report = audit.verify(log.log_json(table.encounters, table.id, table.gm))
    assert report.ok, report.first_difference


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"contest": "suprise"}, "contest"),
        ({"contest": "surprise", "combatants": ["rook", "nobody"]}, "combatants[1]"),
        ({"contest": "surprise", "combatants": ["rook"]}, "combatants"),
        ({"contest": "surprise", "situations": {"nobody": {}}}, "situations"),
        (
            {"contest": "surprise", "situations": {"rook": {"tester": {"alrted": True}}}},
            "situations.rook.tester.alrted",
        ),
    ],
)
def test_what_cannot_be(table: Table, fields: dict[str, Any], path: str) -> None:
    before = table.fight
    with pytest.raises(InputError) as caught:
        table.do("contest", **fields)
    assert [problem.path for problem in caught.value.problems] == [path]
    assert table.fight == before


def test_people_of_one_side_do_not_surprise_each_other_and_the_answer_says_so(table: Table) -> None:
    assert table.refused("contest", contest="surprise", combatants=["rook", "vex"]) == [
        (
            "one-side",
            "all who take part are on the side 'players', and no side surprises itself: "
            "set the side of some of them first",
        )
    ]
    table.do("set", combatant="vex", side="traitors")
    surprise(table, {"rook": 1, "vex": 5}, combatants=["rook", "vex"])
    assert towards(table, "rook") == {"vex"}


def test_the_log_calls_the_test_by_its_name(table: Table) -> None:
    surprise(table, {"rook": 3, "vex": 5, "guard": 4})
    text = log.log_markdown(table.encounters, table.id, table.gm)
    assert "Guard: Surprise, answered" in text
    assert "initiative roll" not in text


def test_only_the_gm_calls_for_it(table: Table) -> None:
    with pytest.raises(ForbiddenError):
        table.do("contest", table.player("rook"), contest="surprise")
