"""Wounds, care and spells of Shadowrun 5 in fights, with dice typed in by hand."""

from __future__ import annotations

import pytest
from sr5_board import codes, join
from table_play import OpenTable, Table


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


def test_somebody_dying_bleeds_until_he_is_stabilized(table: Table) -> None:
    join(table, "ann", skills={"first-aid": 4, "blades": 5}, weapons=["knife"])
    join(table, "bob", physical=8)
    table.do("set", combatant="ann", items={"knife": {"ready": True}})
    table.begin(ann={"score": 20, "world": "physical", "bonus": 2}, bob={"score": 8})
    table.act("ann", "melee-attack", "bob", item="knife", ask=False)
    table.dice([5, 6, 5, 1, 2, 3, 4, 1, 2, 3], [2] * 6)  # 4 + 4 less 2 for wounds
    table.dice([5, 5, 1, 1])
    assert table.one("bob").sheet["physical"] == 8 + 3 + 1 + 3 - 2
    assert {"unconscious", "dying", "prone"} <= set(table.conditions("bob"))
    (timer,) = table.state.timers.values()
    assert timer.action == "bleed"
    table.act("ann", "stabilize", "bob", ask=False)
    table.dice([5, 6, 1, 2, 3, 4, 1])
    assert "stabilized" in table.conditions("bob")
    assert "dying" not in table.conditions("bob")


def test_a_magician_with_two_bonus_actions_casts_twice(table: Table) -> None:
    join(table, "ann", magic=5, awakened="magician", drain_attribute="logic", skills={"spellcasting": 5})
    join(table, "bob")
    table.begin(ann={"score": 20, "world": "magic", "bonus": 2}, bob={"score": 8})
    for stun, willpower in ((3, [5, 2, 3, 4]), (6, [5, 2, 3])):  # three boxes take a die
        spell = {"spell": {"use": "stunbolt"}, "force": 4}
        table.act("ann", "cast-combat-spell", "bob", situation=spell, ask=False)
        table.dice([5, 6, 5, 6, 5, 1, 2, 3, 4, 1])
        table.dice(willpower)
        table.dice([5, 6, 2, 3, 4, 1, 2])
        assert table.one("bob").sheet["stun"] == stun
    assert table.one("ann").sheet["stun"] == 0
    assert codes(table, "ann", "cast-combat-spell", "bob") == ["too-dear"]
