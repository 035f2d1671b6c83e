"""What people of Cities Without Number have in hand when they join, and that fists are always there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cwn_rounds import begin, hold, join, near
from sr4_phases import audited, offered, refused, settle
from table_play import Table

from fracas.encounters.offers import may_be_tried, offers
from fracas.errors import InputError


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "cwn")
    yield table
    audited(table)
    table.close()


def test_a_stat_block_has_its_weapons_in_hand(table: Table) -> None:
    join(table, "me")
    guard = table.join("corp-guard", side="others", asks=False)
    assert {name: state["ready"] for name, state in table.one(guard).items.items()} == {
        "heavy-pistol": True,
        "advanced-club": True,
    }
    wren = table.join("wren", side="players", asks=False)
    assert [state["ready"] for state in table.one(wren).items.values()] == [
        True,
        False,
    ]  # Strength limits those
    begin(table, "others")
    offer = offered(table, "melee-attack", guard)
    assert (offer["allowed"], offer["item"]) == (True, "advanced-club")
    table.act(guard, "melee-attack", "me")
    settle(table)
    hold(table, "combat-rifle", rounds=30)
    while table.acting != ["me"] and "me" not in table.acting:
        table.do("next")
    reasons = refused(table, "ranged-attack", guard, situation={"distance": 1})
    assert any("two-handed" in reason for reason in reasons), reasons  # the club keeps the rifle busy


def test_a_fist_strikes_where_nothing_else_is_in_hand(table: Table) -> None:
    join(table, "me", weapons=["heavy-pistol"])
    join(table, "foe", "others", weapons=["heavy-pistol"])
    begin(table)
    offer = offered(table, "melee-attack")
    assert (offer["allowed"], offer["item"]) == (True, "unarmed")
    table.act("me", "melee-attack", "foe")
    settle(table)
    table.do("next", combatant="me")
    near(table, "foe", "me")
    table.act("foe", "shove", "me")
    settle(table)


def test_what_takes_a_weapon_that_nobody_has_is_not_offered(table: Table) -> None:
    join(table, "me", weapons=["sword"])
    join(table, "foe", "others")
    begin(table)
    for action in ("ranged-attack", "suppressive-fire", "throw-grenade", "fire-rocket", "set-charge"):
        assert not offered(table, action)["allowed"], action


def test_a_blow_does_not_reach_fifty_metres(table: Table) -> None:
    join(table, "me", weapons=["sword"])
    join(table, "foe", "others")
    begin(table)
    reasons = refused(table, "melee-attack", "foe", situation={"distance": 50})
    assert reasons == ["Out of melee range, to which a Run or a Charge leads"]
    assert table.conditions("foe") == []
    table.act("me", "melee-attack", "foe", situation={"distance": 2})
    settle(table)


def test_what_is_carried_is_said_at_joining(table: Table) -> None:
    me = table.join("wren", side="players", carried={"grenade-frag": 2}, asks=False)
    assert table.one(me).items["grenade-frag"]["rounds"] == 2
    with pytest.raises(InputError) as error:
        table.join("dov", side="players", carried={"grenade-fra": 2})
    assert [(one.path, one.code) for one in error.value.problems] == [
        ("carried.grenade-fra", "unknown-entry")
    ]
    join(table, "foe", "others")
    begin(table)
    assert may_be_tried(offered(table, "throw-grenade", me))


def test_a_medkit_is_carried_although_it_is_no_entry(table: Table) -> None:
    me = table.join("wren", side="players", carried={"medkit": 1}, asks=False)
    assert table.one(me).items["medkit"] == {"ready": True, "rounds": 1}
    table.join("dov", side="players", id="patient")
    table.join("gang-member", side="gang")
    table.begin(**{id: {"side": 8 if id != "gang-member" else 1} for id in table.state.combatants})
    table.do("set", combatant="patient", fields={"hp": 2})
    told = offers(table.encounters.context(table.fight, table.gm), me, "first-aid")
    assert (told["actions"][0]["allowed"], told["actions"][0]["target"]) == (True, "patient")
