"""Sprites in fights of Shadowrun 5, which are decompiled bit by bit (section 12.5)."""

from __future__ import annotations

import pytest
from sr5_board import join, pools, throw
from table_play import OpenTable, Table


@pytest.fixture
def opposed(open_table: OpenTable) -> Table:
    """A technomancer against a sprite of Level 4, which owes two tasks."""
    table = open_table("sr5")
    join(table, "rival", side="ours", technomancer=True, resonance=5, skills={"decompiling": 4})
    join(table, "sprite", side="theirs", nature="sprite", force=4, services=2)
    table.begin(rival={"score": 20}, sprite={"score": 10})
    return table


@pytest.mark.parametrize(("hits", "owes", "gone"), [(2, 1, []), (3, 0, ["decompiled"])])
def test_a_sprite_without_tasks_is_gone(opposed: Table, hits: int, owes: int, gone: list[str]) -> None:
    opposed.act("rival", "decompile-sprite", "sprite")
    assert pools(opposed) == {"decompiling": 9, "spirit": 4}
    throw(opposed, hits, 1)
    assert pools(opposed) == {"drain.drain": 9}
    throw(opposed, 0)
    assert (opposed.one("sprite").sheet["services"], opposed.conditions("sprite")) == (owes, gone)
    assert opposed.one("rival").sheet["stun"] == 2
    opposed.do("undo")
    assert (opposed.one("sprite").sheet["services"], opposed.conditions("sprite")) == (2, [])
