"""Deckers and riggers in fights of Shadowrun 5: single devices, virtual reality, machines that a rigger moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sr5_board import after, codes, faces, join, left, pools, table_of, throw
from table_play import OpenTable, Table

from fracas.encounters.offers import offers

DECKER: dict[str, Any] = {
    "logic": 6,
    "attack": 7,
    "sleaze": 6,
    "data_processing": 5,
    "firewall": 4,
    "device_rating": 4,
    "interface": "hot-sim",
    "skills": {
        "cybercombat": 5,
        "hacking": 5,
        "electronic-warfare": 4,
        "computer": 5,
        "pistols": 3,
        "gymnastics": 3,
    },
}
RIGGER: dict[str, Any] = {
    "logic": 5,
    "intuition": 5,
    "control_rig": 2,
    "interface": "ar",
    "dni": True,
    "skills": {"gunnery": 6, "pistols": 3},
}


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    return open_table("sr5")


def offered(table: Table, who: str, action: str) -> dict[str, Any]:
    found = offers(table.encounters.context(table.fight, table.gm), who)
    return next(one for one in found["actions"] if one["action"] == action)


class TestDevices:
    def test_the_table_of_devices_decides_which_are_offered(self, table: Table) -> None:
        join(table, "decker", side="ours", **DECKER)
        known = {"side": "theirs", "firewall": 3, "device_rating": 3}
        join(table, "plain", **known)
        join(table, "wired", smartlink="worn", initiative_dice=2, **known)
        table.begin(decker={"score": 20}, plain={"score": 8}, wired={"score": 5})
        context = table.encounters.context(table.fight, table.gm)
        found = {who: offers(context, "decker", aim=who)["usual"] for who in ("plain", "wired")}
        devices = {
            who: [one["situation"].get("device") for one in usual if one["action"] == "data-spike"]
            for who, usual in found.items()
        }
        assert devices == {"plain": [None], "wired": ["smartlink", "wired-reflexes", None]}

    @pytest.fixture
    def gun(self, table: Table) -> Table:
        """The decker has three marks on a guard with a pistol in the hand."""
        join(table, "decker", side="ours", **DECKER)
        join(table, "guard", side="theirs", firewall=3, weapons=["ares-predator-v"])
        table.do("set", combatant="guard", items={"ares-predator-v": {"ready": True}}, add=["marked-thrice"])
        table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
        return table

    def test_a_gun_reboots_by_itself(self, gun: Table) -> None:
        """W72 for a gun: off at once, and back at the end of the next turn; the marks on its owner stay."""
        gun.act("decker", "reboot-device", "guard", situation={"device": "ares-predator-v"})
        throw(gun, 4, 2)
        assert gun.conditions("guard") == ["marked-thrice", "device-reboots"]
        gun.do("next")
        shot = {
            "combatant": "guard",
            "action": "fire-semi-automatic",
            "target": "decker",
            "item": "ares-predator-v",
        }
        assert ("rules", "the weapon reboots") in gun.refused("act", situation={"distance": 5}, **shot)
        after(gun, decker={"score": 20}, guard={"score": 5})
        assert "device-reboots" in gun.conditions("guard")
        after(gun, decker={"score": 5}, guard={"score": 20})
        gun.act("guard", "fire-semi-automatic", "decker", item="ares-predator-v", situation={"distance": 5})

    def test_a_gun_has_no_more_boxes_than_its_monitor(self, gun: Table) -> None:
        """W8: 10 boxes of 9. What is bricked is not bricked once more, and the log names the gun."""
        spike = {"target": "guard", "situation": {"device": "ares-predator-v"}, "ask": False}
        event = gun.act("decker", "data-spike", **spike)
        assert event.data["label"] == "Data spike: Ares Predator V"
        throw(gun, 5, 2)
        throw(gun, 0)
        assert gun.one("guard").sheet["damage_of_ares_predator_v"] == 9
        assert gun.one("guard").items["ares-predator-v"]["bricked"]
        gun.act("decker", "data-spike", **spike)
        throw(gun, 5, 2)
        event = gun.dice(faces(pools(gun)["soak"]))
        (step,) = event.data["steps"]
        assert not step["outcome"]["bricked"]

    def test_nobody_jumps_into_a_person(self, gun: Table) -> None:
        assert codes(gun, "decker", "jump-into-device", "guard") == ["needs"]

    def test_who_jams_signals_jams_them_for_all(self, gun: Table) -> None:
        gun.act("decker", "jam-signals", "guard")
        throw(gun, 3)
        (jamming,) = gun.one("decker").conditions
        assert (jamming.slug, jamming.towards) == ("jamming", ())

    def test_ware_that_nerves_drive_does_not_reboot(self, gun: Table) -> None:
        said = {"situation": {"device": "wired-reflexes"}}
        assert codes(gun, "decker", "reboot-device", "guard", **said) == ["nerve_driven"]


class TestVirtualReality:
    @pytest.fixture
    def shooting(self, tmp_path: Path) -> Iterator[Table]:
        table = table_of(tmp_path, name="limp.db")
        join(table, "decker", side="ours", weapons=["ares-predator-v"], **DECKER)
        join(table, "guard", side="theirs", weapons=["ares-predator-v"])
        for who in ("decker", "guard"):
            table.do("set", combatant=who, items={"ares-predator-v": {"ready": True}})
        table.begin(guard={"score": 20}, decker={"score": 5, "world": "matrix", "bonus": 3})
        yield table
        table.close()

    def test_by_the_option_a_limp_body_defends_itself_with_six_dice_less(self, tmp_path: Path) -> None:
        with closing(table_of(tmp_path, {"vr_meat": "minus6"}, "meat.db")) as table:
            join(table, "decker", side="ours", **DECKER)
            join(table, "guard", side="theirs", weapons=["ares-predator-v"])
            table.do("set", combatant="guard", items={"ares-predator-v": {"ready": True}})
            table.begin(guard={"score": 20}, decker={"score": 5, "world": "matrix", "bonus": 3})
            at = {"item": "ares-predator-v", "situation": {"distance": 5}}
            table.act("guard", "fire-semi-automatic", "decker", **at)
            sheet = table.one("decker").sheet
            assert pools(table)["defense"] == sheet["reaction"] + sheet["intuition"] - 6

    @pytest.mark.parametrize(("option", "defended"), [("none", False), ("normal", True)])
    def test_a_parked_machine_defends_itself_only_by_the_option(
        self, tmp_path: Path, option: str, defended: bool
    ) -> None:
        with closing(table_of(tmp_path, {"parked_defense": option}, f"{option}.db")) as table:
            join(table, "guard", weapons=["ares-predator-v"])
            table.join({"use": "gm-nissan-doberman"}, id="drone", asks=False, dice="hand")
            table.do("set", combatant="guard", items={"ares-predator-v": {"ready": True}})
            table.do("set", combatant="drone", add=["parked"])
            table.begin(guard={"score": 20}, drone={"score": 5})
            at = {"item": "ares-predator-v", "situation": {"distance": 5}}
            table.act("guard", "fire-semi-automatic", "drone", **at)
            assert ("defense" in pools(table)) is defended

    @pytest.mark.parametrize(("cuts", "dice"), [(True, 0), (False, 2)])
    def test_noise_switches_smartlinks_off(self, tmp_path: Path, cuts: bool, dice: int) -> None:
        with closing(table_of(tmp_path, {"noise_cuts_wireless": cuts}, f"{cuts}.db")) as table:
            join(table, "guard", weapons=["ares-predator-v"], smartlink="implanted", dni=True)
            join(table, "jammer", **DECKER)
            table.do("set", combatant="guard", items={"ares-predator-v": {"ready": True}})
            table.begin(jammer={"score": 20, "world": "matrix", "bonus": 2}, guard={"score": 5})
            table.act("jammer", "jam-signals")
            throw(table, 3)
            table.do("next")
            at = {"item": "ares-predator-v", "situation": {"distance": 4}}
            table.act("guard", "fire-semi-automatic", "jammer", **at)
            assert pools(table)["attack"] == 5 + 4 + dice

    def test_a_host_takes_marks_on_the_one_that_the_grid_finds_in_it(self, tmp_path: Path) -> None:
        with closing(table_of(tmp_path, name="host.db")) as table:
            join(table, "decker", side="ours", **DECKER)
            table.join({"use": "patrol-ic", "device_rating": 4}, id="host", asks=False, dice="service")
            table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, host={"score": 5})
            table.act("decker", "enter-exit-host")
            table.do("set", combatant="decker", add=["converging"])
            table.do("next")
            (due,) = table.state.timers
            table.act("decker", "converge", timer=due)
            assert table.conditions("decker") == ["in-host", "marked-thrice"]
            assert table.one("decker").conditions[-1].towards == ("host",)
            table.do("next")
            assert table.state.timers[table.state.due].action == "sound-the-alarm"
            table.act("host", "sound-the-alarm", timer=table.state.due)
            assert table.conditions("host") == ["marking", "alarmed"]
            assert "launch-ic" in [timer.action for timer in table.state.timers.values()]

    def test_by_a_clock_the_grid_looks_for_a_persona_as_each_turn_ends(self, tmp_path: Path) -> None:
        with closing(table_of(tmp_path, {"overwatch": "clock"}, "clock.db")) as table:
            join(table, "decker", side="ours", overwatch=11, dice="hand", **DECKER)
            join(table, "guard", side="theirs", firewall=3, device_rating=3)
            table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
            table.act("decker", "data-spike", "guard")
            throw(table, 3, 5)
            assert table.conditions("decker") == ["sought-by-the-grid"]
            while table.state.phase != "due":
                table.do("next")
            table.act("decker", "converge", timer=table.state.due)
            assert pools(table) == {"search": 12, "defense": 4 + 6}
            throw(table, 2, 2)
            assert table.one("decker").sheet["overwatch"] == 14
            after(table, decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
            while table.state.phase != "due":
                table.do("next")
            table.act("decker", "converge", timer=table.state.due)
            throw(table, 5, 2)
            throw(table, 5)  # two boxes are those of the attack that failed
            throw(table, 1)
            assert table.one("decker").sheet["overwatch"] == 0
            assert set(table.conditions("decker")) == {"dumpshock", "rebooting", "traced"}

    def test_the_body_lies_limp(self, shooting: Table) -> None:
        at = {"item": "ares-predator-v", "situation": {"distance": 5}}
        shooting.act("guard", "fire-semi-automatic", "decker", **at)
        assert pools(shooting).keys() == {"attack"}  # nobody defends
        throw(shooting, 0)
        shooting.do("next")
        assert codes(shooting, "decker", "fire-semi-automatic", "guard", **at) == ["rules"]
        assert codes(shooting, "decker", "fire-mounted-weapon", "guard", **at) == ["rules"]
        shooting.act("decker", "switch-interface-mode")
        assert shooting.conditions("decker") == ["in-ar"]
        shooting.act("decker", "fire-semi-automatic", "guard", **at)
        throw(shooting, 0, 0)

    def test_by_a_house_rule_the_body_acts(self, tmp_path: Path) -> None:
        """W11 counts the price of taking cover in hot-sim, which the rule itself forbids."""
        with closing(table_of(tmp_path, {"limp_in_vr": False}, "acts.db")) as table:
            join(table, "decker", side="ours", **DECKER)
            join(table, "guard", side="theirs", firewall=3, device_rating=3)
            table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
            for action in ("data-spike", "hack-on-the-fly"):
                table.act("decker", action, "guard")
                while table.steps():
                    throw(table, *(1 for _ in pools(table)))
            table.act("decker", "take-cover")
            assert left(table, "decker") == {"free": 1}

    def test_dumpshock_throws_one_back_into_the_body(self, shooting: Table) -> None:
        shooting.do("set", combatant="decker", add=["dumpshock"])
        shooting.do("next")
        shooting.act("decker", "drop-prone")
        assert "prone" in shooting.conditions("decker")

    def test_modes_give_way_to_each_other(self, table: Table) -> None:
        join(table, "decker", side="ours", **{**DECKER, "interface": "ar"})
        table.begin(decker={"score": 20, "world": "matrix", "bonus": 3})
        table.act("decker", "enter-hot-sim")
        table.act("decker", "enter-cold-sim")
        assert table.conditions("decker") == ["in-cold-sim"]
        assert left(table, "decker") == {"simple": 2, "free": 1, "bonus-matrix": 1}


class TestRiggers:
    @pytest.fixture
    def drone(self, table: Table) -> Table:
        join(table, "rigger", side="ours", **RIGGER)
        table.join("steel-lynx", id="lynx", side="ours", asks=False, dice="hand")
        table.join("gm-nissan-doberman", id="dog", side="theirs", asks=False, dice="hand")
        for who, gun in (("lynx", "stoner-ares-m202"), ("dog", "ingram-valiant")):
            table.do("set", combatant=who, items={gun: {"ready": True}})
        table.begin(rigger={"score": 20, "world": "matrix", "bonus": 2}, lynx={"score": 10}, dog={"score": 5})
        return table

    def test_a_drone_on_its_own_fires_by_its_autosoft(self, drone: Table) -> None:
        """W40: Pilot 3 + Targeting 5. Before, it had no skill with its own gun but by one of the actions."""
        drone.do("next")
        assert drone.acting == ["lynx"]
        event = drone.act(
            "lynx", "fire-full-automatic", "dog", item="stoner-ares-m202", situation={"distance": 20}
        )
        assert pools(drone)["attack"] == 3 + 5
        tallies = {one["to"]: one["entries"] for one in event.data["step"]["open"]["tallies"]}
        parts = {to: [line["label"] for line in tallies[to]][:2] for to in ("attack.pool", "defense.pool")}
        assert parts == {"attack.pool": ["Pilot", "Targeting"], "defense.pool": ["Pilot", "Evasion"]}

    def test_a_drone_that_drives_and_fires_loses_two_dice(self, drone: Table) -> None:
        assert not offered(drone, "rigger", "drive-and-fire")["allowed"]
        drone.do("next")
        drone.act("lynx", "drive-and-fire")
        gun = {"item": "stoner-ares-m202", "situation": {"distance": 20}}
        drone.act("lynx", "fire-full-automatic", "dog", **gun)
        assert pools(drone)["attack"] == 3 + 5 - 2

    def test_machines_jump_into_nothing(self, drone: Table) -> None:
        drone.do("next")
        assert not offered(drone, "lynx", "rigger-jump-in")["allowed"]

    def test_a_rigger_fires_what_is_mounted_on_the_machine(self, drone: Table) -> None:
        assert offered(drone, "rigger", "rigger-jump-in")["allowed"]
        drone.act("rigger", "rigger-jump-in", "lynx")
        assert (drone.conditions("rigger"), drone.conditions("lynx")) == (
            ["jumped-in"],
            ["moved-by-its-rigger"],
        )
        fires = offered(drone, "rigger", "fire-mounted-weapon")
        assert (fires["missing"], fires["defaults"]) == ([], {"fire": {"mode": "full-automatic"}})
        rounds = drone.one("lynx").items["stoner-ares-m202"]["rounds"]
        drone.act(
            "rigger",
            "fire-mounted-weapon",
            "dog",
            item="stoner-ares-m202",
            situation={"distance": 20, "fire": {"mode": "full-automatic"}},
        )
        assert (
            pools(drone)["attack"] == 5 + 6 + 2
        )  # Logic, Gunnery, the control rig; the Body of 6 takes the recoil
        throw(drone, 0, 0)
        assert drone.one("lynx").items["stoner-ares-m202"]["rounds"] == rounds - 6
        assert codes(drone, "rigger", "drop-prone") == ["needs", "rules"]  # a body, which lies limp
        drone.do("next")
        assert drone.acting == ["dog"]  # the machine acts with its rigger
        drone.act("dog", "fire-burst", "lynx", item="ingram-valiant", situation={"distance": 20})
        assert pools(drone)["defense"] == 5 + 5 - 2  # Intuition twice, against a burst
        throw(drone, 0, 0)
        after(
            drone, rigger={"score": 20, "world": "matrix", "bonus": 2}, lynx={"score": 10}, dog={"score": 5}
        )
        drone.act("rigger", "switch-interface-mode")
        assert (drone.conditions("rigger"), drone.conditions("lynx")) == (["in-ar"], [])

    def test_the_only_machine_of_a_side_need_not_be_named(self, drone: Table) -> None:
        drone.act("rigger", "rigger-jump-in")
        assert drone.one("rigger").conditions[-1].towards == ("lynx",)
        assert "moved-by-its-rigger" in drone.conditions("lynx")

    def test_a_rigger_who_is_jumped_in_rams_with_the_machine(self, drone: Table) -> None:
        """Reaction 4 - 1 for no pilot skill + control rig 2; three times Body 6, and half of it for the Steel Lynx."""
        drone.act("rigger", "rigger-jump-in", "lynx")
        drone.act("rigger", "ram", "dog", situation={"impact_speed": 250})
        assert pools(drone) == {"attack": 4 - 1 + 2, "defense": 3 + 3}
        throw(drone, 3, 1)
        assert pools(drone) == {"target.soak": 4}
        throw(drone, 0)
        assert pools(drone) == {"machine.soak": 6 + 12 - 6}
        throw(drone, 0)
        assert drone.one("dog").sheet["physical"] == 18 + 2
        assert drone.one("lynx").sheet["physical"] == 9
        assert drone.one("rigger").sheet["physical"] == 0

    def test_who_drives_by_hand_names_the_vehicle_once(self, table: Table) -> None:
        join(table, "driver", side="ours", skills={"pilot-ground-craft": 3})
        table.join("ford-americar", id="car", side="ours", asks=False, dice="hand")
        table.begin(driver={"score": 20}, car={"score": 1})
        table.act("driver", "control-vehicle-by-hand", "car")
        assert table.conditions("driver") == ["drives"]
        after(table, driver={"score": 20}, car={"score": 1})
        table.act("driver", "make-vehicle-test", situation={"threshold": 2})
        assert pools(table) == {"driving": 4 + 3}

    def test_a_machine_whose_device_is_bricked_does_not_act(self, drone: Table) -> None:
        drone.do("set", combatant="lynx", add=["disabled"])
        while drone.state.phase != "turn-over":
            assert drone.acting != ["lynx"]
            drone.do("next")

    def test_a_rigger_feels_what_strikes_the_machine(self, drone: Table) -> None:
        """W43: half of the boxes, rounded up; a machine that is out throws its rigger out, too."""
        drone.do("set", combatant="rigger", fields={"firewall": 5, "willpower": 4, "stun": 0, "physical": 0})
        drone.act("rigger", "rigger-jump-in", "lynx")
        drone.act("rigger", "make-vehicle-test", situation={"threshold": 1})
        limits = {one["to"]: one["total"] for one in drone.step().tallies}
        assert limits["driving.limit"] == 5 + 2  # Handling of the machine, and the control rig
        throw(drone, 2)
        drone.do("next")
        drone.act(
            "dog", "fire-burst", "lynx", item="ingram-valiant", situation={"distance": 20, "load": "apds"}
        )
        throw(drone, 3, 0)
        throw(drone, 7)
        assert drone.one("lynx").sheet["physical"] == 5
        drone.do("next")
        drone.act("rigger", "feel-the-machine", timer=drone.state.due)
        throw(drone, 2)
        assert drone.one("rigger").sheet["stun"] == 3 - 2  # from augmented reality into cold-sim


class TestPaying:
    """What deckers and drivers do in one turn, and which of it is too much (sections 2, 4 and 5)."""

    @pytest.fixture
    def decker(self, table: Table) -> Table:
        """Two Simple actions and three bonus ones of the Matrix; the guard has a gun in the hand."""
        join(table, "decker", side="ours", **DECKER)
        join(table, "guard", side="theirs", firewall=3, device_rating=3, weapons=["ares-predator-v"])
        table.do("set", combatant="guard", items={"ares-predator-v": {"ready": True}})
        table.begin(decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
        return table

    def do(self, table: Table, action: str, target: str = "", **more: Any) -> None:
        """Something of the Matrix, whatever comes of it."""
        table.act("decker", action, target, **more)
        while table.steps():
            throw(table, *(1 for _ in pools(table)))

    def test_five_units_in_hot_sim(self, decker: Table) -> None:
        """W11: 2 + 2 + 1, and the clip for the Free action of the phase."""
        decker.do("set", combatant="guard", add=["marked-once"])
        self.do(decker, "hack-on-the-fly", "guard")
        self.do(decker, "data-spike", "guard")
        self.do(decker, "control-device-free", "guard", situation={"device": "ares-predator-v"})
        assert left(decker, "decker") == {"simple": 1}
        self.do(decker, "send-message")
        assert left(decker, "decker") == {}

    def test_six_units_are_too_many(self, decker: Table) -> None:
        self.do(decker, "hack-on-the-fly", "guard")
        self.do(decker, "hack-on-the-fly", "guard")
        assert codes(decker, "decker", "brute-force", "guard") == ["too-dear"]

    def test_attributes_are_swapped_once_in_a_phase_of_others(self, decker: Table) -> None:
        """W1: Attack 7 and Firewall 4 change places in the phase of the guard; in the own phase a second one costs a
        Simple action, if the player chooses it."""
        decker.do("next")
        assert decker.acting == ["guard"]
        decker.act("decker", "change-configuration")
        decker.do("set", combatant="decker", fields={"attack": 4, "firewall": 7})
        assert codes(decker, "decker", "change-configuration")[0] == "out-of-turn"
        after(decker, decker={"score": 20, "world": "matrix", "bonus": 3}, guard={"score": 5})
        decker.act("decker", "change-configuration")
        assert codes(decker, "decker", "change-configuration") == ["choose-payment"]
        decker.act("decker", "data-spike", "guard")
        limits = {one["to"]: one["total"] for one in decker.step().tallies}
        assert limits["matrix.limit"] == 4

    def test_who_pays_for_the_control_of_a_car(self, table: Table) -> None:
        """W34: by hand it is physical, through AR of the Matrix, and jumped in a Free action."""
        wired = {"initiative_dice": 3, "interface": "ar", "dni": True}
        join(table, "hand", weapons=["ares-predator-v"], **wired)
        join(table, "ar", **wired)
        join(table, "rigger", **{**RIGGER, "interface": "hot-sim", "data_processing": 5})
        table.join("steel-lynx", id="lynx", asks=False, dice="hand")
        table.do("set", combatant="rigger", add=["jumped-in"])
        table.begin(
            hand={"score": 20, "world": "physical", "bonus": 2},
            ar={"score": 15, "world": "matrix", "bonus": 2},
            rigger={"score": 10, "world": "matrix", "bonus": 3},
            lynx={"score": 5},
        )
        table.act("hand", "control-vehicle-by-hand")
        assert left(table, "hand") == {"simple": 2, "free": 1}
        table.act("hand", "use-skill")
        assert left(table, "hand") == {"free": 1}
        table.do("next")
        table.act("ar", "control-vehicle")
        assert left(table, "ar") == {"simple": 2, "free": 1}
        table.do("next")
        table.act("rigger", "control-vehicle-jumped-in")
        assert left(table, "rigger") == {"simple": 2, "bonus-matrix": 3}
