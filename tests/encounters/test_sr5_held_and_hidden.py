"""Who is held, hidden or in a storm in fights of Shadowrun 5 (sections 12.1, 12.5 and 13.2)."""

from __future__ import annotations

import pytest
from sr5_board import codes, join, pools, throw
from table_play import OpenTable, Table
from test_sr5_matrix_fights import DECKER


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


@pytest.fixture
def two(table: Table) -> Table:
    """Two deckers, the second of which runs silent."""
    join(table, "decker", side="ours", **DECKER)
    join(table, "other", side="theirs", **DECKER)
    table.do("set", combatant="other", add=["running-silent"])
    matrix = {"world": "matrix", "bonus": 3}
    table.begin(decker={"score": 20, **matrix}, other={"score": 5, **matrix})
    return table


def test_nothing_is_done_to_an_icon_that_runs_silent_before_it_is_found(two: Table) -> None:
    assert codes(two, "decker", "data-spike", "other") == ["rules"]
    two.act("decker", "matrix-perception", "other")
    throw(two, 3, 2)
    assert "spotted" in two.conditions("other")
    two.act("decker", "data-spike", "other")


def test_a_mark_shows_an_icon_that_runs_silent(two: Table) -> None:
    two.do("set", combatant="other", add=["marked-once"], towards=["decker"])
    two.act("decker", "data-spike", "other")


def test_who_hides_is_lost_until_found_again(two: Table) -> None:
    two.do("set", combatant="other", add=["spotted"], towards=["decker"], remove=["running-silent"])
    two.do("next")
    two.act("other", "hide-icon", "decker")
    throw(two, 3, 2)
    assert two.conditions("other") == []
    assert two.conditions("decker") == ["lost-sight"]
    while two.state.phase != "turn-over":
        two.do("next")
    matrix = {"world": "matrix", "bonus": 3}
    two.begin(decker={"score": 20, **matrix}, other={"score": 5, **matrix})
    assert codes(two, "decker", "hack-on-the-fly", "other") == ["rules"]
    two.act("decker", "matrix-perception", "other")
    throw(two, 2)
    assert two.conditions("decker") == []
    two.act("decker", "hack-on-the-fly", "other")


def test_nobody_hides_from_those_with_a_mark(two: Table) -> None:
    two.do("set", combatant="other", add=["marked-once"], towards=["decker"])
    two.do("next")
    assert codes(two, "other", "hide-icon", "decker") == ["rules"]


def test_an_electron_storm_is_noise(two: Table) -> None:
    """W29: noise 2 for those in it."""
    two.join({"use": "fault-sprite", "force": 5}, id="sprite", side="theirs", asks=False, dice="hand")
    while two.state.phase != "turn-over":
        two.do("next")
    two.begin(sprite={"score": 25}, decker={"score": 20, "world": "matrix", "bonus": 3}, other={"score": 5})
    two.act("sprite", "ic-attack", "decker", situation={"act": "electron-storm"})
    throw(two, 4, 2)
    throw(two, 2)
    assert two.conditions("decker") == ["in-an-electron-storm"]
    two.do("next")
    two.act("decker", "matrix-perception", "other")
    assert pools(two)["action"] == 4 + 5 + 2 - 2


@pytest.mark.parametrize(
    ("way", "held", "against"), [("break-out", "engulfed", 4 + 4), ("break-loose", "stuck", 4 + 4)]
)
def test_who_is_held_breaks_out(table: Table, way: str, held: str, against: int) -> None:
    """Strength 3 + Body 4 against twice the Force of a spirit of water, whose Body is its Force."""
    join(table, "guard", side="ours")
    table.join("spirit-of-water", id="spirit", side="theirs", asks=False, dice="hand")
    table.begin(spirit={"score": 20}, guard={"score": 5})
    act = {"engulfed": "engulf", "stuck": "binding"}[held]
    table.act("spirit", "use-power", "guard", situation={"act": act})
    throw(table, 4)
    throw(table, 3)
    wounds = 0
    if held == "engulfed":  # 2 x 4 + 1, of which 4 are resisted
        throw(table, 4)
        wounds = -1
    assert held in table.conditions("guard")
    table.do("next")
    assert codes(table, "guard", "run") == ["forbidden"]
    table.act("guard", way, "spirit")
    assert pools(table) == {"test": 3 + 4 + wounds, "opposing": against}
    throw(table, 3, 2)
    assert held not in table.conditions("guard")


def test_only_those_who_are_held_escape_a_hold_and_by_a_test(table: Table) -> None:
    """Strength 3 + Unarmed Combat 3; with a hit too few the hold stays."""
    join(table, "guard", side="ours")
    join(table, "brick", side="theirs")
    table.begin(guard={"score": 20}, brick={"score": 5})
    assert codes(table, "guard", "escape-hold") == ["needs"]
    for hits, left in ((1, ["held"]), (2, [])):
        table.do("set", combatant="guard", add=["held"], towards=["brick"])
        table.act("guard", "escape-hold", situation={"threshold": 2})
        assert pools(table) == {"test": 3 + 3}
        throw(table, hits)
        assert table.conditions("guard") == left
        while table.acting != ["guard"] or table.one("guard").spent:
            table.do("next")
            if table.state.phase == "turn-over":
                table.begin(guard={"score": 20}, brick={"score": 5})
