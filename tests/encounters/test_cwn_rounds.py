"""Rules of rounds of Cities Without Number in fights: limits of actions, things in hand, what lasts how long, machines.

cwn.md, sections 1.7, 2, 3, 9.1, 10.3, 11 and 13; golden tests G34, G35, G37; rulings R12, R18.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, hold, join, near
from sr4_phases import audited, offered, settle
from table_play import OpenTable, Table


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """`me` acts first, then `foe`."""
    table = open_table("cwn")
    join(table, "me", weapons=["heavy-pistol", "sword", "advanced-bow"])
    join(table, "foe", "others", weapons=["sword"])
    begin(table)
    return table


def why_not(table: Table, action: str, who: str = "me") -> list[str]:
    return [reason["message"] for reason in offered(table, action, who)["reasons"]]


def refused(table: Table, action: str, target: str = "", who: str = "me", **said: Any) -> list[str]:
    reasons = table.refused("act", combatant=who, action=action, target=target or None, **said)
    return [message for _, message in reasons]


def next_round(table: Table) -> None:
    while table.acting or table.state.phase == "due":
        table.do("next")
    begin(table)


def state_of(table: Table, item: str, who: str = "me") -> dict[str, Any]:
    return dict(table.one(who).items[item])


class TestCharge:
    """G35."""

    @pytest.mark.parametrize(("metres", "allowed"), [(2, False), (3, True), (20, True), (21, False)])
    def test_from_3_metres_to_twice_the_move(self, metres: int, allowed: bool, table: Table) -> None:
        hold(table, "sword")
        said = {"situation": {"attack": {"charge_distance": metres}}}
        if allowed:
            table.act("me", "charge", "foe", **said)
            assert table.one("me").spent == {"main": 1, "move": 1}
        else:
            wanted = (
                "needs a straight run of 3 metres" if metres < 3 else "needs a way of at most twice the Move"
            )
            assert refused(table, "charge", "foe", **said) == [wanted]

    def test_half_as_far_when_prone(self, table: Table) -> None:
        hold(table, "sword")
        table.do("set", combatant="me", add=["prone"])
        assert table.shown("me")["movement"] == {"mode": "crawl", "metres": 5, "turn": 10}
        said = {"situation": {"attack": {"charge_distance": 11}}}
        assert "needs a way of at most twice the Move" in refused(table, "charge", "foe", **said)

    def test_not_with_a_pistol(self, table: Table) -> None:
        said = {"item": "heavy-pistol", "situation": {"attack": {"charge_distance": 5}}}
        assert refused(table, "charge", "foe", **said) == ["needs a ready melee or thrown weapon"]


class TestTotalDefense:
    """G37 and R18."""

    def test_it_takes_an_unspent_main_action(self, table: Table) -> None:
        table.act("me", "improvise-main")
        assert refused(table, "total-defense") == ["Main Actions spent: needs 1 Main Action, 0 left"]

    def test_it_raises_both_armor_classes_and_stops_shock(self, table: Table) -> None:
        table.do("next")
        table.act("me", "total-defense")
        assert table.one("me").spent == {"main": 1}
        step = table.act("foe", "melee-attack", "me").data["step"]
        numbers = {one["to"]: one for one in step["open"]["tallies"]}
        assert (
            next(line for line in numbers["target.ac"]["entries"] if line["id"] == "total-defense")["value"]
            == 2
        )
        shock = {line["id"]: line["verdict"] for line in numbers["shock.immunity"]["entries"]}
        assert shock["total-defense-shock"] == "applied"

    def test_then_no_snap_attack(self, table: Table) -> None:
        table.do("next")
        table.act("me", "total-defense")
        reasons = refused(table, "snap-attack", "foe", situation={"distance": 4})
        assert reasons == ["Main Actions spent: needs 1 Main Action, 0 left"]

    def test_and_no_total_defense_after_a_snap_attack(self, table: Table) -> None:
        table.do("next")
        table.act("me", "snap-attack", "foe", situation={"distance": 4})
        settle(table)
        assert refused(table, "total-defense") == ["Main Actions spent: needs 1 Main Action, 0 left"]


class TestThings:
    def test_a_thing_is_readied_once_and_stowed_once(self, table: Table) -> None:
        assert refused(table, "ready-stow", item="heavy-pistol") == ["it is Readied already"]
        assert refused(table, "stow", item="sword") == ["it is Stowed already"]
        table.act("me", "ready-stow", item="sword")
        assert state_of(table, "sword")["ready"] is True

    def test_what_lies_on_the_ground_is_picked_up_with_a_move(self, table: Table) -> None:
        table.act("me", "drop-item", item="heavy-pistol")
        assert refused(table, "ready-stow", item="heavy-pistol") == ["it lies on the ground: pick it up"]
        assert refused(table, "pick-up", item="sword") == ["needs the thing within reach"]
        table.act("me", "pick-up")
        known = state_of(table, "heavy-pistol")
        assert (known["ready"], known["dropped"]) == (True, False)
        assert table.one("me").spent == {"move": 1}

    def test_who_stands_up_takes_along_what_he_dropped(self, table: Table) -> None:
        table.act("me", "go-prone")
        assert why_not(table, "go-prone") == ["is prone already"]
        table.act("me", "drop-item", item="heavy-pistol")
        table.act("me", "stand-up")
        assert table.conditions("me") == []
        assert state_of(table, "heavy-pistol")["ready"] is True

    def test_half_the_strength_is_readied_and_the_strength_stowed(self, table: Table) -> None:
        """Strength 4: two items Readied, four Stowed. A pistol and a sword are one each, a bow is two."""
        table.do("set", combatant="me", fields={"strength": 4})
        wanted = "1 of 2 items are Readied already, and this one counts 2"
        assert refused(table, "ready-stow", item="advanced-bow") == [wanted]
        table.act("me", "ready-stow", item="sword")
        next_round(table)
        table.act("me", "stow", item="heavy-pistol")
        next_round(table)
        table.do("set", combatant="me", fields={"strength": 2})
        wanted = "3 of 2 items are Stowed already, and this one counts 1"
        assert refused(table, "stow", item="sword") == [wanted]

    def test_reloading_takes_a_spare_magazine(self, table: Table) -> None:
        assert refused(table, "reload", item="heavy-pistol") == ["it is fully loaded"]
        hold(table, "heavy-pistol", rounds=1, spare_magazines=1)
        table.act("me", "reload")
        known = state_of(table, "heavy-pistol")
        assert (known["rounds"], known["spare_magazines"]) == (8, 0)
        hold(table, "heavy-pistol", rounds=1)
        next_round(table)
        assert refused(table, "reload", item="heavy-pistol") == ["needs a ready magazine or quiver"]

    def test_a_bow_is_loaded_with_a_move_or_on_turn(self, table: Table) -> None:
        hold(table, "advanced-bow", rounds=0, spare_magazines=2)
        table.act("me", "reload-on-turn")
        assert table.one("me").spent == {}
        hold(table, "advanced-bow", rounds=0)
        table.do("set", combatant="me", fields={"skills": {"shoot": 0}})
        assert why_not(table, "reload-on-turn") == ["needs Shoot-1"]
        table.act("me", "reload-quick")
        assert table.one("me").spent == {"move": 1}
        assert refused(table, "reload-quick", item="heavy-pistol")[0] == "needs a weapon that reloads quickly"

    def test_a_thrown_knife_lies_where_it_fell(self, table: Table) -> None:
        table.do("set", combatant="me", items={"knife": {"ready": True}})
        said = {"item": "knife", "situation": {"distance": 5, "attack": {"kind": "thrown"}}}
        table.act("me", "ranged-attack", "foe", **said)
        settle(table)
        known = state_of(table, "knife")
        assert (known["ready"], known["dropped"]) == (False, True)


class TestReflexes:
    def test_once_a_scene(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"augmentations": ["enhanced-reflexes-1"]})
        table.act("me", "enhanced-reflexes")
        assert table.shown("me")["budget"] == {"main": 2, "move": 1}
        next_round(table)
        assert why_not(table, "enhanced-reflexes") == ["needs a use of Enhanced Reflexes left in this scene"]

    def test_grade_three_twice_and_an_instant_costs_strain(self, table: Table) -> None:
        table.do(
            "set", combatant="me", fields={"augmentations": ["enhanced-reflexes-3"], "system_strain": 13}
        )
        table.act("me", "enhanced-reflexes")
        next_round(table)
        table.do("next")
        table.act("me", "enhanced-reflexes-instant")
        assert table.one("me").sheet["system_strain"] == 14
        next_round(table)
        assert why_not(table, "enhanced-reflexes") == ["needs a use of Enhanced Reflexes left in this scene"]

    def test_they_do_not_hack(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"augmentations": ["enhanced-reflexes-1"]})
        table.do("set", combatant="me", add=["hijacking"])
        table.act("me", "enhanced-reflexes")
        table.act("me", "command-hijacked-device")
        wanted = "the Main Action of Enhanced Reflexes does not serve in cyberspace"
        assert why_not(table, "command-hijacked-device") == [wanted]
        table.act("me", "improvise-main")

    def test_not_without_room_for_strain(self, table: Table) -> None:
        fields = {"augmentations": ["enhanced-reflexes-2"], "system_strain": 14}
        table.do("set", combatant="me", fields=fields)
        assert why_not(table, "enhanced-reflexes-instant") == ["needs room for 1 point of System Strain"]


class TestFalling:
    def test_the_knocked_out_wake_with_a_hit_point_after_ten_minutes(self, table: Table) -> None:
        """G34: ten minutes are a hundred rounds, that of the fall the first of them."""
        table.do("set", combatant="foe", fields={"hp": 0}, add=["incapacitated"])
        for _ in range(99):
            next_round(table)
            assert table.shown("foe")["unable"] == "Incapacitated"
        next_round(table)
        assert table.conditions("foe") == []
        assert table.one("foe").sheet["hp"] == 1
        assert not table.shown("foe")["unable"]

    def test_the_stabilized_wake_frail(self, table: Table) -> None:
        table.do("set", combatant="foe", fields={"hp": 0}, add=["stabilized"])
        for _ in range(100):
            next_round(table)
        assert table.conditions("foe") == ["frail"]
        assert table.one("foe").sheet["hp"] == 1

    def test_zombie_wires_move_somebody_who_is_dying(self, table: Table) -> None:
        """60 hit points when whole: it walks with 15."""
        assert why_not(table, "zombie-wires") != []
        fields = {"augmentations": ["zombie-wires"], "hp": 0}
        table.do("set", combatant="me", fields=fields, add=["mortally-wounded"])
        table.act("me", "zombie-wires")
        sheet = table.one("me").sheet
        assert (sheet["system_strain"], sheet["hp"]) == (2, 15)
        assert not table.shown("me")["unable"]
        table.act("me", "improvise-main")
        assert "only 1 time a fight" in why_not(table, "zombie-wires")
        for _ in range(6):
            next_round(table)
        assert table.conditions("me") == ["mortally-wounded"]
        next_round(table)
        assert table.conditions("me") == ["dead"]

    def test_a_quarter_of_the_hit_points_more_kills_it(self, table: Table) -> None:
        fields = {"augmentations": ["zombie-wires"], "hp": 0, "hp_maximum": 3}
        table.do("set", combatant="me", fields=fields, add=["mortally-wounded"])
        table.act("me", "zombie-wires")
        table.do("next")
        table.do("set", combatant="foe", fields={"base_attack_bonus": 30})
        table.act("foe", "melee-attack", "me")
        settle(table)
        assert "dead" in table.conditions("me")
        assert "zombie-walking" not in table.conditions("me")
        assert not {"engaged"} & {*table.conditions("me"), *table.conditions("foe")}
        assert table.shown("me")["unable"]

    def test_morale_is_checked_by_npcs(self, table: Table) -> None:
        assert "needs an NPC, and an event that shakes Morale" in why_not(table, "check-morale")
        assert offered(table, "check-morale", "foe")["judged"] == ["an NPC, and an event that shakes Morale"]
        join(table, "other", "others", hp=0)
        assert offered(table, "check-morale", "foe")["judged"] == []


class TestMachines:
    @pytest.fixture
    def machines(self, table: Table) -> Table:
        for id, entry in (("bee", "hummingbird"), ("dog", "pitbull"), ("van", "car")):
            table.join(entry, id=id, side="players", weapons=["heavy-pistol"], asks=False)
        return table

    def test_a_drone_under_control_has_no_turn_of_its_own(self, machines: Table) -> None:
        machines.act("me", "take-control-of-drone", "bee")
        assert machines.conditions("bee") == ["controlled"]
        assert "acts by the Actions of me, who controls it" in refused(machines, "run", who="bee")
        next_round(machines)
        assert "bee" not in machines.acting
        assert "dog" in machines.acting
        machines.act("me", "release-drone")
        next_round(machines)
        assert "bee" in machines.acting

    def test_as_many_drones_as_the_unit_bears(self, machines: Table) -> None:
        machines.act("me", "take-control-of-drone", "bee")
        next_round(machines)
        assert refused(machines, "take-control-of-drone", "dog") == ["controls 1 drones at most"]
        machines.do("set", combatant="me", fields={"augmentations": ["remote-control-unit"]})
        machines.act("me", "take-control-of-drone", "dog")
        assert offered(machines, "drone-attack")["judged"] == []
        assert refused(machines, "take-control-of-drone", "van")[0] == "a drone is controlled"

    def test_a_drone_by_itself_fires_at_2(self, machines: Table) -> None:
        next_round(machines)
        step = machines.act("dog", "ranged-attack", "foe", situation={"distance": 5}).data["step"]
        total = next(one for one in step["open"]["tallies"] if one["to"] == "attack.bonus")["total"]
        assert total == 2
        settle(machines)
        assert refused(machines, "go-prone", who="dog") == ["a machine does not go prone"]

    def test_each_vehicle_is_a_side_of_its_own(self, tmp_path: Path) -> None:
        table = Table(tmp_path, "cwn", name="van.db")
        for id in ("me", "driver"):
            join(table, id)
        join(table, "foe", "others")
        table.join("car", id="van", side="players")
        table.do("set", combatant="driver", add=["driving"], towards=["van"])
        table.begin(me={"side": 8}, driver={"side": 2}, foe={"side": 5})
        order = []
        while table.acting:
            order.append(table.acting)
            table.do("next")
        assert order == [["me"], ["foe"], ["driver"]]
        assert "a vehicle acts by those who are in it" in refused(table, "run", who="van")
        table.close()

    def test_a_wheel_let_go_of_for_a_round(self, machines: Table) -> None:
        machines.act("me", "take-the-wheel", "van")
        next_round(machines)
        machines.act("me", "drive", "van")
        next_round(machines)
        next_round(machines)
        assert machines.conditions("me") == ["driving", "out-of-control"]
        machines.act("me", "drive", "van")
        assert machines.conditions("me") == ["driving", "on-course"]
        audited(machines)


def test_surprise_keeps_from_free_attacks_and_screens_none(table: Table) -> None:
    near(table, "me", "foe")
    table.do("set", combatant="foe", add=["surprised"])
    table.act("me", "run")
    assert not any(one.slug == "left-melee" for one in table.one("me").conditions)
