"""Data bombs in fights of Shadowrun 5: where they are kept, who sets them off, and how they go (section 12.1)."""

from __future__ import annotations

from typing import Any

import pytest
from sr5_board import join, pools, throw
from table_play import OpenTable, Table
from test_sr5_matrix_fights import DECKER

HACKER: dict[str, Any] = {**DECKER, "interface": "ar", "skills": {**DECKER["skills"], "software": 4}}


@pytest.fixture
def mined(open_table: OpenTable) -> Table:
    """The decker has set a data bomb of rating 2 on a file of the guard, whose colleague has a mark there, too."""
    table = open_table("sr5")
    for who in ("decker", "colleague"):
        join(table, who, side=who, device_damage=0, **HACKER)
    join(table, "guard", side="theirs", **{**HACKER, "firewall": 3, "device_rating": 3})
    table.do("set", combatant="guard", add=["marked-once"])
    table.begin(
        decker={"score": 20, "world": "matrix", "bonus": 3},
        colleague={"score": 10, "world": "matrix", "bonus": 3},
        guard={"score": 5, "world": "matrix", "bonus": 3},
    )
    table.act("decker", "set-data-bomb", "guard")
    throw(table, 3, 1)
    return table


def bombed(table: Table) -> bool:
    return "data-bomb" in table.conditions("guard")


def test_a_bomb_stays_on_the_icon_with_its_rating(mined: Table) -> None:
    (bomb,) = (one for one in mined.one("guard").conditions if one.slug == "data-bomb")
    assert dict(bomb.sets)["bomb"] == 2
    mined.do("undo")
    assert not bombed(mined)


def test_who_touches_the_file_takes_its_damage(mined: Table) -> None:
    mined.do("next")
    mined.act("colleague", "edit-file", "guard")
    throw(mined, 3, 1)
    assert mined.question()["parts"][0]["label"] == "bomb_value"
    mined.dice([6, 3])
    assert pools(mined) == {"bomb_soak": 8}
    throw(mined, 2)
    assert (bombed(mined), mined.one("colleague").sheet["device_damage"]) == (False, 9 - 2)
    mined.do("undo")
    assert (bombed(mined), mined.one("colleague").sheet["device_damage"]) == (True, 0)


def test_it_lets_those_pass_who_set_it(mined: Table) -> None:
    mined.do("next")
    mined.do("next")
    mined.do("next")
    mined.begin(
        decker={"score": 20, "world": "matrix", "bonus": 3}, colleague={"score": 10}, guard={"score": 5}
    )
    mined.act("decker", "edit-file", "guard")
    throw(mined, 3, 1)
    mined.do("next")  # nothing more is asked
    assert bombed(mined)


@pytest.mark.parametrize(("hits", "goes_off"), [(3, False), (2, True)])
def test_who_fails_to_disarm_it_sets_it_off(mined: Table, hits: int, goes_off: bool) -> None:
    mined.do("next")
    mined.act("colleague", "disarm-data-bomb", "guard")
    assert pools(mined)["defense"] == 2 * 2
    throw(mined, hits, 2)
    if goes_off:
        mined.dice([6, 6])
        throw(mined, 2)
    assert (bombed(mined), mined.one("colleague").sheet["device_damage"]) == (False, 10 if goes_off else 0)


def test_owners_disarm_what_is_on_their_own_icon(mined: Table) -> None:
    mined.do("next")
    mined.do("next")
    mined.act("guard", "disarm-data-bomb")
    throw(mined, 2, 1)
    assert not bombed(mined)
