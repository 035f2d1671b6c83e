"""Drones, vehicles and hackers in fights of Cities Without Number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, join
from sr4_phases import audited, offered
from table_play import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, "cwn")
    join(table, "me", augmentations=["remote-control-unit"])
    join(table, "friend")
    join(table, "foe", "others", save=14)
    join(table, "other", "others", save=14)
    for id, entry, weapons in (
        ("drone", "kerberos", ["drone-cannon", "heavy-pistol"]),
        ("bee", "hummingbird", []),
        ("van", "car", []),
        ("bike", "motorcycle", []),
    ):
        table.join(entry, id=id, side="players", weapons=weapons, asks=False)
    begin(table)
    for id in ("me", "friend", "foe", "other"):
        table.do("set", combatant=id, dice="hand")
    yield table
    audited(table)
    table.close()


def bind(table: Table, who: str, condition: str, whom: str) -> None:
    table.do("set", combatant=who, add=[condition], towards=[whom])


def throw_dice(table: Table, **faces: list[int]) -> list[str]:
    """Throws until the step is over, one group after the other; dots of labels are two underscores."""
    labels = []
    while table.steps():
        for part in [part for part in table.question()["parts"] if part["hand"]]:
            labels.append(part["label"])
            table.dice(faces[part["label"].replace(".", "__")], owner=part["who"])
    return labels


def total_of(event: Any, tally: str) -> int:
    found = next(one for one in event.data["step"]["open"]["tallies"] if one["to"] == tally)
    return int(found["total"])


def hp(table: Table, *ids: str) -> list[int]:
    return [table.one(id).sheet["hp"] for id in ids]


def to_round_end(table: Table) -> None:
    while table.acting:
        table.do("next")


def next_round(table: Table) -> None:
    to_round_end(table)
    while table.state.phase == "due":
        table.do("next")
    begin_turn(table)


def begin_turn(table: Table) -> None:
    """Who has got into a vehicle rolls for its side."""
    table.do("begin-turn")
    while table.steps():
        question = table.steps()[0].question
        assert question is not None
        table.do("answer", question=question["id"])


class TestDrones:
    def test_a_volley_costs_the_pilots_main_and_the_drones_rounds(self, table: Table) -> None:
        bind(table, "me", "controlling", "drone")
        event = table.act("me", "drone-attack", "foe", others=["drone", "other"], situation={"distance": 8})
        assert total_of(event, "attack.bonus") == 3 + 1 + 1
        assert total_of(event, "target_2.attack.bonus") == 2
        labels = throw_dice(
            table,
            target__attack=[12],
            target__damage=[4, 4],
            target__trauma=[1],
            target_2__attack=[1],
        )
        assert labels == ["target.attack", "target.damage", "target.trauma", "target_2.attack"]
        assert hp(table, "foe", "other") == [51, 60]  # 8, and 1 of the better attribute
        assert table.one("drone").items["drone-cannon"]["rounds"] == 9
        assert table.one("drone").items["heavy-pistol"]["rounds"] == 7
        assert "rounds" not in table.one("me").items["sword"]
        assert table.one("me").spent == {"main": 1}
        before = table.state
        table.do("undo")
        table.do("redo")
        assert table.state == before

    def test_the_drone_need_not_be_named(self, table: Table) -> None:
        bind(table, "me", "controlling", "drone")
        table.act("me", "drone-attack", "foe", situation={"distance": 8})
        assert dict(table.step().who) == {"attacker": "me", "target": "foe", "drone": "drone"}
        throw_dice(table, target__attack=[1])
        assert table.one("drone").items["drone-cannon"]["rounds"] == 9
        assert table.one("drone").items["heavy-pistol"]["rounds"] == 8  # it had no target

    def test_another_drone_may_be_its_target(self, table: Table) -> None:
        bind(table, "me", "controlling", "drone")
        table.act("me", "drone-attack", "bee", situation={"distance": 8})
        throw_dice(table, target__attack=[10], target__damage=[2, 3], target__trauma=[1])
        assert table.conditions("bee") == ["defeated"]

    def test_who_does_not_fly_it_does_not_fire(self, table: Table) -> None:
        wanted: dict[str, Any] = {"combatant": "me", "action": "drone-attack", "target": "foe"}
        bind(table, "me", "controlling", "bee")
        reasons = table.refused("act", **wanted, others=["drone"], situation={"distance": 8})
        assert ("rules", "needs a drone that fires, as the first of the others") in reasons
        table.do("set", combatant="bee", add=["defeated"])
        reasons = table.refused("act", **wanted, situation={"distance": 8})
        assert ("rules", "Hummingbird is out of it") in reasons

    def test_an_empty_weapon_costs_nothing(self, table: Table) -> None:
        bind(table, "me", "controlling", "drone")
        table.do("set", combatant="drone", items={"drone-cannon": {"rounds": 0}})
        reasons = table.refused(
            "act", combatant="me", action="drone-attack", target="foe", situation={"distance": 8}
        )
        assert [code for code, _ in reasons] == ["empty_magazine"]

    def test_a_drone_by_itself_fires_all_it_has(self, table: Table) -> None:
        table.do("set", combatant="drone", fields={"targeting_logic": 2})
        event = table.act(
            "drone", "drone-fires-alone", "foe", others=["drone", "other"], situation={"distance": 8}
        )
        assert [total_of(event, to) for to in ("attack.bonus", "target_2.attack.bonus")] == [4, 4]
        assert table.one("drone").items["heavy-pistol"]["rounds"] == 7
        bind(table, "me", "controlling", "drone")
        reasons = table.refused("act", combatant="drone", action="drone-fires-alone", target="foe")
        assert ("needs", "needs to be a drone that nobody controls") in reasons


class TestVehicles:
    def test_who_stops_driving_loses_control_a_round_later(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        bind(table, "friend", "aboard", "van")
        table.act("me", "drive", "van")
        assert table.conditions("van") == ["under-way"]
        to_round_end(table)
        assert table.state.phase != "due"
        begin_turn(table)
        table.act("me", "drive", "van")
        next_round(table)
        to_round_end(table)
        timer = table.state.due
        assert timer
        table.act("van", "lose-control", timer=timer)
        assert set(table.step().who.values()) == {"van", "me", "friend"}
        labels = throw_dice(
            table,
            control=[2],
            victim_2__physical=[20],
            victim_2__luck=[20],
            victim_3__physical=[20],
            victim_3__luck=[2],
        )
        assert labels[0] == "control"
        assert hp(table, "me", "friend") == [60, 30]
        assert table.conditions("van") == []

    def test_luck_keeps_it_going_for_another_round(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        table.act("me", "drive", "van")
        next_round(table)
        to_round_end(table)
        table.act("van", "lose-control", timer=table.state.due)
        throw_dice(table, control=[20])
        assert table.conditions("van") == ["under-way"]
        assert hp(table, "me") == [60]
        while table.state.phase == "due":
            table.do("next")
        begin_turn(table)
        to_round_end(table)
        assert table.state.due

    def test_what_stands_does_not_crash(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        table.act("me", "drive", "van")
        next_round(table)
        while "me" not in table.acting:  # a vehicle is a side of its own, and has rolled
            table.do("next")
        table.act("me", "stop-vehicle", "van")
        assert table.conditions("van") == []
        to_round_end(table)
        assert not table.state.due

    def test_nobody_drives_what_he_is_not_in(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        reasons = table.refused("act", combatant="me", action="stop-vehicle", target="bike")
        assert ("rules", "drives another vehicle") in reasons

    def test_motion_counts_for_those_within_and_without(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        bind(table, "friend", "aboard", "van")
        to_round_end(table)
        begin_turn(table)
        shot = {"situation": {"distance": 5}, "item": "heavy-pistol"}

        def numbers(who: str, target: str) -> tuple[int, int]:
            table.do("set", combatant=who, items={"heavy-pistol": {"ready": True, "rounds": 8}})
            event = table.act(who, "ranged-attack", target, **shot)
            found = total_of(event, "attack.bonus"), total_of(event, "target.ac")
            throw_dice(table, attack=[1])
            return found

        while "foe" not in table.acting:
            table.do("next")
        assert numbers("foe", "van") == (5, 7)  # 11, stationary -4
        next_round(table)
        while "me" not in table.acting:
            table.do("next")
        table.act("me", "drive", "van")
        assert numbers("friend", "foe")[0] == 5 - 4
        while "other" not in table.acting:
            table.do("next")
        assert numbers("other", "van") == (5, 12)  # 11, and Drive-1

    def test_ramming_harms_whom_it_strikes(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        table.do("set", combatant="foe", fields={"hp": 80, "trauma_target": 6, "soak": 0})
        table.act("me", "ram", "foe")
        assert dict(table.step().who) == {"attacker": "me", "target": "foe", "vehicle": "van"}
        throw_dice(table, check=[6, 6], dodge=[1, 1], target__save=[2], target__trauma=[1])
        assert hp(table, "foe", "van") == [50, 30]
        assert table.conditions("van") == ["under-way"]

    def test_two_vehicles_and_who_drives_the_other(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        bind(table, "foe", "driving", "bike")
        table.act("me", "ram", "bike")
        assert table.step().who["other_driver"] == "foe"
        throw_dice(table, check=[6, 6], dodge=[1, 1], target__trauma=[1], vehicle__trauma=[1])
        assert hp(table, "bike", "van") == [0, 6]  # 30 less 4, 30 less 6
        assert table.conditions("bike") == ["wrecked"]
        assert table.one("bike").conditions[0].sets == {"wreck_damage": 26}

    def test_those_aboard_a_wreck_suffer_what_it_suffered(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        bind(table, "friend", "aboard", "van")
        table.do("set", combatant="van", fields={"hp": 4})
        rifle = {"weapon": "anti-materiel-rifle", "attack": {"rested": True}, "distance": 50}
        while "foe" not in table.acting:
            table.do("next")
        table.act("foe", "ranged-attack", "van", item="heavy-pistol", situation=rifle)
        throw_dice(table, attack=[20], damage=[6, 6, 6], trauma=[1])
        assert table.conditions("van") == ["wrecked"]
        table.do("next")
        assert (table.state.phase, table.state.timers[table.state.due].label) == (
            "due",
            "A vehicle is destroyed",
        )
        table.act("van", "vehicle-is-destroyed", timer=table.state.due)
        throw_dice(table, victim_2__save=[20], victim_3__save=[2])
        assert hp(table, "me", "friend") == [54, 47]  # 18 + 1 less 6 = 13, and half of it
        table.do("next")
        assert (table.state.phase, table.state.timers) == ("turn-over", {})
        assert ("rules", "Car is out of it") in table.refused(
            "act", combatant="me", action="drive", target="van"
        )

    def test_nothing_is_due_of_a_wreck_with_nobody_aboard(self, table: Table) -> None:
        table.do("set", combatant="van", add=["wrecked"])
        assert not table.state.timers
        table.do("next")
        assert table.state.phase != "due"

    def test_a_wreck_that_the_gm_declares_calls_for_it_as_well(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        event = table.do("set", combatant="van", add=["wrecked"])
        [timer] = table.state.timers.values()
        assert (timer.when, timer.action, timer.lasting) == ("now", "vehicle-is-destroyed", "wrecked")
        assert event.data["effects"][-1]["timer"]["label"] == "A vehicle is destroyed"
        table.do("set", combatant="van", remove=["wrecked"])
        table.do("next")
        assert not table.state.timers

    def test_only_the_gm_says_that_a_vehicle_crashes(self, table: Table) -> None:
        bind(table, "me", "driving", "van")
        table.act("van", "crash")
        labels = throw_dice(table, victim_2__physical=[2], victim_2__luck=[2], victim_2__major_injury=[12])
        assert labels[-1] == "victim_2.major_injury"
        assert hp(table, "me") == [0]
        assert "mortally-wounded" in table.conditions("me")


class TestHacking:
    GLITCH: Any = {"hack": {"verb": "glitch"}}

    def test_programs_take_slots_and_access(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"access": 1, "cpu_slots": 1, "edges": ["hacker"]})
        blind = {"hack": {"verb": "blind"}}
        table.act("me", "run-program", "foe", situation=blind)
        throw_dice(table, check=[6, 6])
        assert table.conditions("foe") == ["blinded"]
        assert table.conditions("me") == ["blinding"]
        assert table.one("me").sheet["access"] == 0
        wanted: dict[str, Any] = {"combatant": "me", "action": "run-program", "target": "other"}
        assert ("needs", "needs a free CPU slot") in table.refused("act", **wanted, situation=self.GLITCH)
        table.act("me", "end-program")
        assert table.conditions("foe") == table.conditions("me") == []
        assert [code for code, _ in table.refused("act", **wanted, situation=blind)] == ["no_access"]
        table.act("me", "run-program", "other", situation=self.GLITCH)
        throw_dice(table, check=[6, 6])
        assert set(table.conditions("other")) == {"glitched", "glitched-today"}

    def test_a_failed_program_costs_its_access(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"access": 3})
        table.act("me", "run-program", "foe", situation={"hack": {"verb": "blind"}})
        throw_dice(table, check=[1, 1])
        assert table.conditions("foe") == []
        assert table.one("me").sheet["access"] == 2

    def test_a_hijacked_drone_changes_hands(self, table: Table) -> None:
        bind(table, "foe", "controlling", "drone")
        event = table.act(
            "me", "run-program", "drone", situation={"hack": {"verb": "hijack", "wireless": True}}
        )
        assert total_of(event, "hack.difficulty") == 9  # the pilot is of level 5
        assert total_of(event, "hack.check") == -1
        throw_dice(table, check=[6, 6])
        assert table.conditions("foe") == []
        assert table.conditions("drone") == ["hijacked"]
        next_round(table)
        assert "drone" not in table.acting
        assert offered(table, "command-hijacked-device")["reasons"] == []
        table.act("me", "drone-attack", "foe", situation={"distance": 8})
        throw_dice(table, target__attack=[1])
        table.act("me", "end-program")
        assert table.conditions("drone") == []
        next_round(table)
        assert "drone" in table.acting

    def test_a_glitched_drone_does_nothing_for_some_rounds(self, table: Table) -> None:
        event = table.act("me", "run-program", "drone", situation=self.GLITCH)
        assert total_of(event, "hack.difficulty") == 8
        throw_dice(table, check=[6, 6])
        for _ in range(3):  # Program-1: three rounds
            assert table.shown("drone")["unable"]
            next_round(table)
        assert not table.shown("drone")["unable"]
        codes = [
            code
            for code, _ in table.refused(
                "act", combatant="me", action="run-program", target="drone", situation=self.GLITCH
            )
        ]
        assert codes == ["once_a_day"]

    def test_a_drone_that_was_deactivated_is_rebooted(self, table: Table) -> None:
        table.act("me", "run-program", "drone", situation={"hack": {"verb": "deactivate"}})
        throw_dice(table, check=[6, 6])
        assert table.conditions("drone") == ["shut-down"]
        assert table.refused("act", combatant="drone", action="run")
        table.act("drone", "reboot-device")
        assert table.conditions("drone") == []

    def test_who_defends_must_be_beaten_first(self, table: Table) -> None:
        while "foe" not in table.acting:
            table.do("next")
        table.act("other", "run-program", "foe", situation={"hack": {"verb": "defend"}})
        assert table.conditions("foe") == ["defended"]
        assert table.conditions("other") == ["defending"]
        next_round(table)
        table.act("me", "run-program", "foe", situation={"hack": {"verb": "blind"}})
        assert table.step().who["defender"] == "other"
        labels = throw_dice(table, breach=[3, 3], defense=[3, 4])
        assert labels == ["breach", "defense"]
        assert table.conditions("foe") == ["defended"]
        table.act("friend", "run-program", "foe", situation={"hack": {"verb": "blind"}})
        assert throw_dice(table, breach=[6, 6], defense=[3, 4], check=[6, 6])[-1] == "check"
        assert set(table.conditions("foe")) == {"defended", "blinded"}

    def test_one_defends_oneself(self, table: Table) -> None:
        table.do("set", combatant="foe", add=["defended"])
        table.act("me", "run-program", "foe", situation={"hack": {"verb": "blind"}})
        throw_dice(table, breach=[3, 3], defense=[6, 6])
        assert table.conditions("foe") == ["defended"]

    def test_shielding_and_buffer_are_used_up(self, table: Table) -> None:
        table.do("set", combatant="foe", fields={"shielding": 4, "neural_buffer": 3})
        table.act("me", "stun-avatar", "foe")
        throw_dice(table, check=[6, 6], opposed=[1, 1], damage=[9])
        sheet = table.one("foe").sheet
        assert (sheet["shielding"], sheet["neural_buffer"], sheet["hp"]) == (0, 0, 58)

    def test_kill_finishes_whoever_is_unconscious(self, table: Table) -> None:
        table.do("set", combatant="foe", add=["unconscious"])
        table.act("me", "kill-avatar", "foe")
        throw_dice(table, check=[6, 6], opposed=[1, 1])
        assert "dead" in table.conditions("foe")

    def test_a_paralyzed_avatar_freezes_the_body_alone(self, table: Table) -> None:
        table.act("me", "paralyze-avatar", "foe")
        throw_dice(table, check=[6, 6], opposed=[1, 1])
        assert table.conditions("foe") == ["avatar-paralyzed"]
        while "foe" not in table.acting:
            table.do("next")
        assert ("rules", "the avatar is paralyzed") in table.refused("act", combatant="foe", action="run")
        table.act("foe", "run-program", "me", situation=self.GLITCH)
        throw_dice(table, check=[1, 1])
        table.act("me", "end-program")
        assert table.conditions("foe") == []
        table.act("foe", "run")

    def test_the_plug_is_pulled(self, table: Table) -> None:
        bind(table, "me", "paralyzing", "foe")
        table.do("set", combatant="foe", add=["jacked-in"])
        table.act("foe", "be-unplugged")
        assert table.conditions("foe") == ["unplugged"]
        assert table.conditions("me") == []
        while "foe" not in table.acting:
            table.do("next")
        codes = [
            code for code, _ in table.refused("act", combatant="foe", action="melee-attack", target="me")
        ]
        assert "too-dear" in codes
        table.do("next")
        assert table.conditions("foe") == []
