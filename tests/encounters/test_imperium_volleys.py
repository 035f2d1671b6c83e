"""Fights of the Inquisitor universe: several people struck at once, riders, silencers, power and force weapons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from imperium_rounds import begin, join
from table_play import OpenTable, Table


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """`me` acts first, then `foe` and `other`."""
    table = open_table("imperium", options={"pinning": False})
    able = ["psyker", "specialist-weapon-power"]
    weapons = ["autogun", "stub-gun", "power-axe", "force-sword", "frag-grenade"]
    join(table, "me", 60, weapons=weapons, traits=able, willpower=65, asks=True)
    join(table, "foe", 40, weapons=["sword"], side="others")
    join(table, "other", 30, weapons=["knife"], side="others", toughness=40)
    begin(table)
    return table


def hold(table: Table, item: str, **state: Any) -> None:
    away = {name: {"ready": False} for name in table.one("me").items if name != item}
    table.do("set", combatant="me", items={**away, item: {"ready": True, **state}})


def told(table: Table) -> Mapping[str, Any]:
    """How the newest step ended."""
    outcome: Mapping[str, Any] = table.encounters.events(table.id)[-1].data["steps"][0]["outcome"]
    return outcome


def at(distance: int, mode: str = "single", **more: Any) -> dict[str, Any]:
    return {"distance": distance, "visibility": [], "fire": {"mode": mode}, **more}


def test_full_automatic_fire_hurts_each_target_by_itself(table: Table) -> None:
    """60 / 2 = 30 for both at short range. Two shots each: 22 is critical in the body, 31 misses."""
    hold(table, "autogun")
    said = at(10, "full-auto", other_1={"distance": 12})
    said["fire"]["shots"] = 4
    table.act("me", "fire-weapon", "foe", item="autogun", others=["other"], situation=said)
    # foe: 1 + 1 + 2 = 4, doubled 8: 2 levels of 5. other: 30 reversed 03 is the right leg, 3 + 1 + 2 = 6 of 4: 2 levels
    for dice in ([22], [1, 1], [31], [30], [3, 1]):
        table.dice(dice)
    table.dice([41])  # 41 > 40: falls
    table.dice([99])
    assert (table.one("foe").sheet["injuries"], table.one("foe").sheet["injury_total"]) == ({"body": 2}, 8)
    assert (table.one("other").sheet["injuries"], table.one("other").sheet["injury_total"]) == (
        {"right-leg": 2},
        6,
    )
    assert "prone" in {one.slug for one in table.one("other").conditions}
    assert table.one("me").items["autogun"]["rounds"] == 26


def test_a_grenade_strikes_all_who_are_near(table: Table) -> None:
    """Thrown 5 yards, S 50 / 10: 60. 36 reversed 63 is the right arm of the foe; 50 is the body of the other."""
    hold(table, "frag-grenade")
    said = at(5, other_1={"from_target": 3})
    table.act("me", "throw-grenade", "foe", item="frag-grenade", others=["other"], situation=said)
    table.dice([36])
    table.dice([1, 2])  # 3 points: 1 level each, which asks for nothing
    table.dice([50])
    assert table.one("foe").sheet["injuries"] == {"right-arm": 1}
    assert table.one("other").sheet["injuries"] == {"body": 1}


def test_a_silencer_on_the_gun_counts_in_the_fight(table: Table) -> None:
    hold(table, "stub-gun", fixed="removable-silencer")
    table.act("me", "fire-weapon", "foe", item="stub-gun", situation=at(5))
    table.dice([66])
    assert (told(table)["shot_chance"], told(table)["heard"]) == (50, True)


def test_a_rider_with_a_rifle_has_no_hand_for_the_reins(table: Table) -> None:
    hold(table, "autogun")
    table.do("set", combatant="me", add=["mounted"])
    table.act("me", "fire-weapon", "foe", item="autogun", situation=at(10))
    table.dice([61])  # Initiative 60
    assert told(table)["result"] == "fell"
    assert {one.slug for one in table.one("me").conditions} >= {"prone"}
    assert "mounted" not in {one.slug for one in table.one("me").conditions}
    assert table.one("me").items["autogun"]["rounds"] == 30


def test_a_power_axe_destroys_the_sword_that_parries_it(table: Table) -> None:
    """50 + 10 - 25 = 35: 50 is parried."""
    hold(table, "power-axe")
    table.act("me", "attack", "foe", item="power-axe")
    table.dice([50])
    table.dice([25])
    assert told(table)["broken"] == "target"
    state = table.one("foe").items["sword"]
    assert (state["destroyed"], state["ready"]) == (True, False)
    table.act("me", "attack", "foe", item="power-axe")
    table.dice([61])
    assert told(table)["result"] == "miss"  # nothing is left to parry with: 60


def test_a_psyker_is_asked_whether_to_use_the_force_weapon(table: Table) -> None:
    """50 + 10 - 25 = 35. Without the test 1 + 1 + 2 = 4 points: 1 level."""
    hold(table, "force-sword")
    table.act("me", "attack", "foe", item="force-sword")
    table.dice([35])
    table.answer("spare")
    table.dice([1, 1])
    assert told(table)["net_damage"] == 4
    assert table.one("foe").sheet["injuries"] == {"body": 1}
