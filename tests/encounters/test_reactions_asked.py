"""Who is asked about reactions and not about what they spend on rolls: `asks_reactions` without `asks`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, hold
from cwn_rounds import join as join_cwn
from table_play import Table

NEAR: dict[str, Any] = {"distance": 5}


def tables(folder: Path, ruleset: str) -> Iterator[Table]:
    table = Table(folder, ruleset)
    yield table
    table.close()


@pytest.fixture
def sr4(tmp_path: Path) -> Iterator[Table]:
    yield from tables(tmp_path, "sr4")


@pytest.fixture
def cwn(tmp_path: Path) -> Iterator[Table]:
    yield from tables(tmp_path, "cwn")


def questions(table: Table) -> list[tuple[str, str]]:
    """What is asked until the step is over, each answered with its default: the kind, and the decision of it."""
    found = []
    while table.steps():
        question = table.question()
        found.append((question["kind"], question.get("decision", "")))
        table.answer(question["default"])
    return found


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"asks": False}, []),
        ({"asks": False, "asks_reactions": True}, [("reaction", ""), ("decision", "melee-defense")]),
        ({"asks": True}, None),
    ],
    ids=["nothing", "reactions", "everything"],
)
def test_melee_in_sr4(sr4: Table, wish: dict[str, Any], expected: list[tuple[str, str]] | None) -> None:
    """The full parry costs an action, and how to defend is the defender's choice; Edge is neither."""
    sr4.join("brick", side="runners", asks=False)
    sr4.join("vex", side="corp", **wish)
    sr4.begin(brick={"hits": 9}, vex={"hits": 1})
    sr4.act("brick", "melee-attack", "vex", situation={})
    found = questions(sr4)
    if expected is None:
        assert {"edge-before", "melee-defense"} <= {decision for _, decision in found}
    else:
        assert found == expected


def test_what_the_attacker_spends_is_not_a_reaction(sr4: Table) -> None:
    sr4.join("vex", side="runners", asks=False, asks_reactions=True)
    sr4.join("guard", side="corp", asks=False)
    sr4.begin(vex={"hits": 9}, guard={"hits": 1})
    sr4.act("vex", "melee-attack", "guard", situation={})
    assert questions(sr4) == []


def test_total_defense_in_cwn_is_a_reaction(cwn: Table) -> None:
    join_cwn(cwn, "me")
    join_cwn(cwn, "foe", "others")
    begin(cwn)
    hold(cwn, "heavy-pistol", rounds=8)
    cwn.do("set", combatant="foe", asks_reactions=True)
    cwn.act("me", "ranged-attack", "foe", situation={"distance": 5})
    assert questions(cwn) == [("decision", "total-defense")]


def test_the_wish_can_change_and_stands_in_the_transcript(sr4: Table) -> None:
    sr4.join("vex", asks=False)
    assert not sr4.one("vex").asks_reactions
    event = sr4.do("set", combatant="vex", asks_reactions=True)
    assert sr4.one("vex").asks_reactions
    assert event.data["is"] == {"asks_reactions": True}
