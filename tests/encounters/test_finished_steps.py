"""A step that is over can still be told, with every die; one that was taken back, or is not for the asker, not."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from table_play import OpenTable, Table

from fracas.encounters import finished, reported_steps
from fracas.encounters.command_context import Author

SHOT = {
    "combatant": "rook",
    "action": "fire-semi-automatic",
    "target": "guard",
    "situation": {"distance": 12},
}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table()
    table.do("join", combatant="rook", player=True, asks=True)
    table.do("join", combatant="guard")
    table.do("begin-turn", given={"rook": {"hits": 4}, "guard": {"hits": 0}})
    return table


def told(table: Table, id: str, viewer: Author | None = None) -> dict[str, Any] | None:
    fight = table.encounters.fight(table.id)
    return finished.step(table.encounters, fight, id, viewer or table.gm)


def test_a_step_is_told_from_its_first_question_to_its_end(table: Table) -> None:
    version = table.do("act", **SHOT).version
    id = f"r{version}"
    asked = told(table, id)
    assert asked is not None
    assert asked["question"]["kind"] == "decision"
    assert (asked["rolls"], asked["done"]) == ([], False)
    while table.state.resolutions:
        question = table.state.resolutions[id].question
        assert question is not None
        table.do("answer", question=question["id"], choose=question["default"])
    over = told(table, id)
    assert over is not None
    assert (over["question"], over["done"]) == (None, True)
    assert over["outcome"]["result"] in ("hit", "miss")
    assert [roll["by"] for roll in over["rolls"]][:2] == ["attacker", "target"]
    assert over["rolls"][0]["faces"]
    assert over["modifiers"] == asked["modifiers"]
    assert {one["decision"] for one in over["decisions"]} >= {"edge-before"}

    table.do("undo", to=version - 1)
    assert told(table, id) is None
    table.do("redo", steps=2)
    again = told(table, id)
    assert again is not None
    assert again["rolls"] == over["rolls"][: len(again["rolls"])]


@pytest.mark.parametrize("asks", [False, True])
def test_an_answer_has_of_a_step_what_playing_it_again_gives(table: Table, asks: bool) -> None:
    table.do("set", combatant="rook", asks=asks)
    done = table.done("act", **SHOT)
    while table.state.resolutions:
        (open_,) = table.state.resolutions.values()
        assert open_.question is not None
        done = table.done("answer", question=open_.question["id"], choose=open_.question["default"])
    ended = partial(reported_steps.ended, table.encounters, viewer=table.gm, explain="all")
    assert list(done.played) == [ended(done)[0]["id"]]
    assert ended(done) == ended(done._replace(played={}))


def test_initiative_that_asked_nothing_is_told(table: Table) -> None:
    table.do("set", combatant="rook", asks=False)
    for _ in range(2):
        table.do("next")
    version = table.do("begin-turn").version
    first = told(table, f"r{version}.0")
    assert first is not None
    assert (first["purpose"], len(first["rolls"])) == ("initiative", 1)


def test_what_is_hidden_is_not_told(table: Table) -> None:
    table.do("set", combatant="rook", asks=False)
    version = table.do("act", **SHOT, hidden=True).version
    assert told(table, f"r{version}") is not None
    assert told(table, f"r{version}", table.observer) is None
    assert told(table, f"r{version}", table.player("rook")) is None


@pytest.mark.parametrize("id", ["r1", "r2.7", "r999999", "q4.r4", "r-1", "r0", "", "r4/../r4"])
def test_what_no_event_began_is_not_there(table: Table, id: str) -> None:
    assert told(table, id) is None
