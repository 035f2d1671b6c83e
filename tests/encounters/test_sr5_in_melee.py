"""Who is in melee with whom, as a fight of Shadowrun 5 keeps it (sections 9.2 to 9.4)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sr4_phases import audited
from sr5_board import codes, core_table_of, join, pools, table_of, throw
from table_play import OpenTable, Table


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """`ann` and `pal` against `bob` and `cas`, whom nothing hurts; everybody throws with the service."""
    table = open_table("sr5")
    for id, side in (("ann", "crew"), ("bob", "foes"), ("pal", "crew"), ("cas", "foes")):
        tough = {"body": 20, "willpower": 20} if side == "foes" else {}
        join(table, id, side=side, dice="service", weapons=["katana"], **tough)
    table.begin(ann={"score": 20}, bob={"score": 15}, pal={"score": 10}, cas={"score": 5})
    return table


def melee(table: Table, id: str) -> set[str]:
    return {other for one in table.one(id).conditions if one.slug == "in-melee" for other in one.towards}


def counted(table: Table, who: str, action: str, target: str, **more: object) -> set[str]:
    """The modifiers that count in the numbers of an attack."""
    step = table.act(who, action, target, **more).data["step"]["open"]
    return {
        entry["id"]
        for tally in step["tallies"]
        for entry in tally["entries"]
        if entry["verdict"] == "applied" and entry["value"]
    }


def test_an_attack_brings_both_into_melee_and_what_follows_counts_it(table: Table) -> None:
    counted(table, "ann", "melee-attack", "bob", item="katana")
    assert (melee(table, "ann"), melee(table, "bob")) == ({"bob"}, {"ann"})
    table.do("next")
    table.do("set", combatant="bob", items={"ares-predator-v": {"ready": True, "rounds": 15, "loaded": True}})
    shot = {"item": "ares-predator-v", "situation": {"distance": 3}}
    assert "attacker-in-melee" in counted(table, "bob", "fire-semi-automatic", "pal", **shot)
    table.do("next")
    assert "friends-in-melee" in counted(table, "pal", "melee-attack", "bob", item="katana")
    assert melee(table, "bob") == {"ann", "pal"}
    audited(table)


def test_nobody_has_friends_in_a_melee_alone(table: Table) -> None:
    assert "friends-in-melee" not in counted(table, "ann", "melee-attack", "bob", item="katana")
    table.do("next")
    assert "friends-in-melee" not in counted(table, "bob", "melee-attack", "ann", item="katana")


@pytest.mark.parametrize("action", ["run", "sprint", "leave-melee"])
def test_whoever_runs_or_leaves_is_in_melee_with_nobody(action: str, table: Table) -> None:
    table.act("ann", "melee-attack", "bob", item="katana")
    table.do("next")
    table.act("bob", action)
    assert (melee(table, "ann"), melee(table, "bob")) == (set(), set())


def test_it_ends_with_whoever_goes_down(table: Table) -> None:
    table.act("ann", "melee-attack", "bob", item="katana")
    table.do("set", combatant="bob", add=["unconscious"])
    assert melee(table, "ann") == set()


def test_nobody_leaves_a_melee_that_they_are_not_in(table: Table) -> None:
    assert codes(table, "ann", "leave-melee") == ["needs"]


def hit_the_spirit_of_fire(table: Table) -> None:
    """With a katana and five net hits."""
    join(table, "ann", weapons=["katana"], armor=["armor-jacket"])
    table.join({"use": "spirit-of-fire"}, id="fire", asks=False, dice="hand")
    table.begin(ann={"score": 20}, fire={"score": 5})
    table.act("ann", "melee-attack", "fire", item="katana")
    throw(table, 5, 0)


def test_an_energy_aura_burns_who_hits(tmp_path: Path) -> None:
    """13.2: twice Force 4 against armor 12 - 4, in the step of the blow; the log proves it."""
    with closing(core_table_of(tmp_path)) as table:
        hit_the_spirit_of_fire(table)
        throw(table, 3)
        assert pools(table) == {"attacker.soak": 4 + 12 - 4}
        throw(table, 2)
        assert table.one("ann").sheet["physical"] == 2 * 4 - 2
        assert table.one("fire").sheet["physical"] == 3 + 3 + 5 - 3 - 8 // 2
        audited(table)


def test_by_the_house_rules_an_energy_aura_burns_nobody(tmp_path: Path) -> None:
    with closing(table_of(tmp_path)) as table:
        hit_the_spirit_of_fire(table)
        assert pools(table) == {"soak": 5 + 8 - 3}
        throw(table, 0)
        assert not table.steps()
        assert table.one("ann").sheet["physical"] == 0
