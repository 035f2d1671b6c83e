"""Suppressive fire of Shadowrun 5 in a fight: the zone, and whoever moves in it."""

from __future__ import annotations

import pytest
from sr5_board import join, left
from table_play import OpenTable, Table

from fracas.encounters.log import log_markdown


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    table = open_table("sr5")
    join(table, "ann", weapons=["ak-97"])
    join(table, "bob")
    join(table, "cas", weapons=["ares-predator-v"])  # which is not the one that counts
    table.begin(ann={"score": 20, "world": "physical"}, bob={"score": 12}, cas={"score": 5})
    table.act("ann", "suppressive-fire", situation={"distance": 20}, ask=False)
    table.dice([5, 6, 5, 1, 2, 3, 4, 2, 3, 4])
    return table


def test_the_hits_stand_and_the_rounds_are_gone(table: Table) -> None:
    assert "suppressing" in table.conditions("ann")
    assert table.one("ann").items["ak-97"]["rounds"] == 18


def test_whoever_crosses_needs_as_many_hits(table: Table) -> None:
    """Reaction 4 + Edge 3 against 3 hits; then DV 10 against no armor, Body 4."""
    table.do("next")
    table.act("bob", "cross-suppressed-zone", "ann")
    table.dice([5, 6, 5, 1, 2, 3, 4])
    assert table.one("bob").sheet["physical"] == 0
    table.act("cas", "cross-suppressed-zone", "ann")
    table.dice([5, 6, 1, 1, 2, 3, 4])
    table.dice([5, 1, 2, 3])
    assert table.one("cas").sheet["physical"] == 9
    text = log_markdown(table.encounters, table.id, table.gm)
    assert "ann hits cas: 9 boxes" in text.replace("Ann", "ann")  # not with the weapon of the one who crosses


def test_it_ends_with_the_next_phase_of_the_shooter(table: Table) -> None:
    for _ in range(3):
        table.do("next")
    assert "suppressing" in table.conditions("ann")
    table.begin(ann={"score": 4, "world": "physical"}, bob={"score": 12}, cas={"score": 5})
    assert "suppressing" in table.conditions("ann")
    table.do("next")
    table.do("next")
    assert "suppressing" not in table.conditions("ann")


# --- People in the zone ------------------------------------------------------------------------------------------

HITS: list[int] = [5, 6, 5, 1, 2, 3, 4, 2, 3, 4]


@pytest.fixture
def zone(open_table: OpenTable) -> Table:
    """Bob and Cas are in the zone, which has three hits; Dan is not."""
    table = open_table("sr5")
    for name in ("ann", "bob", "cas", "dan"):
        join(table, name, weapons=["ak-97"], asks=name == "cas", edge_points=0)
    table.begin(ann={"score": 9, "world": "physical"}, bob={"score": 12}, cas={"score": 14}, dan={"score": 3})
    table.do("next")
    table.do("next")
    table.act("ann", "suppressive-fire", "bob", others=["cas"], situation={"distance": 20}, ask=False)
    return table


def shoots(table: Table, who: str, target: str) -> int:
    """Dice of a shot."""
    table.act(who, "fire-semi-automatic", target, situation={"distance": 5}, ask=False)
    dice = [sum(group["count"] for group in part["groups"]) for part in table.question()["parts"]]
    table.dice(*([2] * count for count in dice))
    return dice[0]


def test_whoever_is_inside_loses_as_many_dice(zone: Table) -> None:
    zone.answer("none", owner="cas")
    zone.dice(HITS)
    assert "suppressed" in zone.conditions("bob")
    assert zone.conditions("dan") == []
    assert shoots(zone, "bob", "dan") == 10 - 3
    zone.do("next")
    assert shoots(zone, "dan", "bob") == 10


def test_whoever_hits_the_dirt_is_spared(zone: Table) -> None:
    """With an action that he saved; it ends nothing of the fire, but a prone man loses no dice."""
    assert "hit-the-dirt" in [option["id"] for option in zone.question("cas")["options"]]
    zone.answer("hit-the-dirt", owner="cas")
    zone.dice(HITS)
    assert set(zone.conditions("cas")) == {"prone", "suppressed"}
    zone.do("set", combatant="cas", items={"ak-97": {"ready": True}})
    assert left(zone, "cas") == {"simple": 1, "free": 1}
    zone.act("cas", "cross-suppressed-zone", "ann")
    zone.dice([5, 5, 5, 1, 1, 2, 3])
    assert zone.one("cas").sheet["physical"] == 0


def test_whoever_leaves_is_free_and_whoever_enters_is_not(zone: Table) -> None:
    zone.answer("none", owner="cas")
    zone.dice(HITS)
    zone.act("bob", "leave-suppressed-zone", "ann")
    zone.dice([5, 5, 5, 1, 1, 2, 3])
    assert "suppressed" not in zone.conditions("bob")
    assert "keeps-down" in zone.conditions("ann")  # Cas
    zone.act("dan", "enter-suppressed-zone", "ann")
    zone.dice([5, 5, 5, 1, 1, 2, 3])
    assert "suppressed" in zone.conditions("dan")
    zone.do("next")
    assert shoots(zone, "dan", "bob") == 10 - 3


def test_the_fire_ends_for_all_with_the_next_phase_of_the_shooter(zone: Table) -> None:
    zone.answer("none", owner="cas")
    zone.dice(HITS)
    zone.do("next")
    zone.do("next")
    zone.begin(ann={"score": 4}, bob={"score": 12}, cas={"score": 5}, dan={"score": 1})
    assert shoots(zone, "bob", "dan") == 10 - 3
    zone.do("next")
    zone.do("next")
    assert zone.acting == ["ann"]
    assert [zone.conditions(who) for who in ("ann", "bob", "cas")] == [[], [], []]


def test_a_shooter_who_drops_his_gun_keeps_nobody_down(zone: Table) -> None:
    zone.answer("none", owner="cas")
    zone.dice(HITS)
    zone.act("ann", "drop-object", item="ak-97")
    assert [zone.conditions(who) for who in ("ann", "bob", "cas")] == [[], [], []]
