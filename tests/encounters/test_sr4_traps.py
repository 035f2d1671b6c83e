"""Traps of section 18 that only a sequence of phases shows."""

from __future__ import annotations

import pytest
from table_play import OpenTable, Table


@pytest.fixture
def fight(open_table: OpenTable) -> Table:
    table = open_table()
    for who in ("rook", "guard"):
        table.join(who, side=who, dice="hand", asks=False)
    return table


def shoot(table: Table, defense: int) -> None:
    """Rook misses the guard, who defends with so many dice."""
    table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 4})
    parts = {
        part["label"]: sum(group["count"] for group in part["groups"]) for part in table.question()["parts"]
    }
    assert parts["defense"] == defense
    table.dice([2] * parts["attack"], [5] * defense)


def test_trap_9_defenses_count_until_the_own_phase_and_not_until_the_next_pass_or_turn(fight: Table) -> None:
    fight.begin(rook={"hits": 1}, guard={"hits": 9})
    fight.do("next")  # the guard's phase is over before anybody shoots
    shoot(fight, 3)
    shoot(fight, 2)  # the same attacker, and the first defense was a success
    fight.do("next")
    fight.begin(rook={"hits": 9}, guard={"hits": 1})
    shoot(fight, 1)  # a new turn and a new pass, but his phase has not come
    fight.do("next")
    assert fight.acting == ["guard"]
    fight.do("next")
    fight.begin(rook={"hits": 9}, guard={"hits": 1})
    shoot(fight, 3)  # his phase has come in between
