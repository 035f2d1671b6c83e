"""How people get up and get on in a fight (rulebook sections 5.2 and 6)."""

from __future__ import annotations

import pytest
from sr4_phases import again, hold, join, left, pool_of, refused, shoot
from table_play import Table


class TestStandingUp:
    def test_the_unhurt_get_up_at_once(self, fight: Table) -> None:
        assert refused(fight, "stand-up") == ["needs to be prone"]
        fight.act("me", "drop-prone")
        event = fight.act("me", "stand-up")
        assert event.data["step"]["answers"] == []
        assert fight.conditions("me") == []
        assert left(fight)["simple"] == 1

    def wounded(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"physical": 3, "stun": 1}, add=["prone"], dice="hand")

    def test_the_wounded_roll_body_and_willpower(self, fight: Table) -> None:
        self.wounded(fight)
        step = fight.act("me", "stand-up").data["step"]
        assert pool_of(step, "test.pool") == {"body": 4, "second-willpower": 3, "tester-wounds": -1}
        fight.dice([5, 5, 1, 2, 3, 4])
        assert fight.conditions("me") == []

    def test_a_failure_leaves_the_action_spent(self, fight: Table) -> None:
        self.wounded(fight)
        fight.act("me", "stand-up")
        fight.dice([5, 4, 1, 2, 3, 4])
        assert fight.conditions("me") == ["prone"]
        assert left(fight)["simple"] == 1
        fight.act("me", "stand-up")
        fight.dice([5, 5, 1, 2, 3, 4])
        assert fight.conditions("me") == []

    def test_a_scratch_is_a_wound(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"stun": 1}, add=["prone"], dice="hand")
        fight.act("me", "stand-up")
        assert sum(group["count"] for group in fight.question()["parts"][0]["groups"]) == 7

    def test_whoever_is_held_does_not(self, fight: Table) -> None:
        fight.do("set", combatant="me", add=["prone", "held"])
        assert "not while held" in refused(fight, "stand-up")


class TestMovement:
    def moves(self, table: Table, who: str = "me") -> tuple[str, float | None, float | None]:
        told = table.shown(who)["movement"]
        return told["mode"], told["metres"], told["turn"]

    def test_who_declares_nothing_stands(self, fight: Table) -> None:
        assert self.moves(fight) == ("stationary", 0, 0)
        assert self.moves(fight, "foe") == ("stationary", 0, 0)

    def test_walking_takes_no_action_and_running_a_free_one(self, fight: Table) -> None:
        fight.act("me", "walk")
        assert self.moves(fight) == ("walk", 10, 10)
        assert left(fight) == {"simple": 2, "free": 1}
        fight.act("me", "run")
        assert self.moves(fight) == ("run", 25, 25)
        assert left(fight) == {"simple": 2, "free": 0}
        assert refused(fight, "walk") == ["runs until the next Action Phase"]

    @pytest.mark.parametrize(("metatype", "run"), [("dwarf", 20), ("elf", 25), ("troll", 35), ("ork", 25)])
    def test_the_rates_are_those_of_the_metatype(self, metatype: str, run: int, table: Table) -> None:
        join(table, "me", metatype=metatype)
        table.begin(me={"hits": 5})
        table.act("me", "run")
        assert self.moves(table) == ("run", run, run)

    def test_they_are_divided_by_the_passes_of_the_turn(self, table: Table) -> None:
        """SR4-EX-32: also by those that Edge buys."""
        join(table, "me")
        join(table, "foe", passes=3)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.act("me", "run")
        assert self.moves(table) == ("run", pytest.approx(25 / 3), 25)
        for _ in range(2):
            table.do("next")
        table.do("spend", combatant="foe", on="extra-pass")
        assert table.view()["parts"] == 4
        assert self.moves(table) == ("run", 6.25, 25)

    def test_the_mode_keeps_in_passes_without_an_action(self, table: Table) -> None:
        join(table, "me")
        join(table, "foe", passes=2)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        table.act("me", "run")
        table.do("next")
        table.do("next")
        assert (table.state.part, table.acting) == (2, ["foe"])
        assert self.moves(table) == ("run", 12.5, 25)
        assert refused(table, "walk")[0] == "me has no Action Phase now: no action in pass 2"
        table.do("next")
        table.begin(me={"hits": 1}, foe={"hits": 5})
        assert self.moves(table)[0] == "run"  # until one acts again
        table.do("next")
        assert (table.acting, self.moves(table)[0]) == (["me"], "stationary")

    def test_running_hampers_tests_but_not_defense(self, fight: Table) -> None:
        fight.act("me", "run")
        step = fight.act("me", "observe-in-detail").data["step"]
        assert pool_of(step, "test.pool")["tester-running"] == -2
        hold(fight, "ares-predator-iv")
        assert pool_of(shoot(fight))["attacker-running"] == -2
        fight.do("next")
        hold(fight, "ares-predator-iv", "foe")
        event = fight.act("foe", "fire-semi-automatic", "me", situation={"distance": 4})
        assert pool_of(event.data["step"], "defense.pool")["target-running"] == 2

    def test_a_sprint_is_in_place_of_the_free_action(self, fight: Table) -> None:
        fight.do("set", combatant="me", dice="hand")
        fight.act("me", "sprint")
        assert left(fight) == {"simple": 1, "free": 1}
        fight.dice([5, 6, 1, 2, 3, 6])  # Running 3 + Strength 3
        assert self.moves(fight) == ("sprint", 31, 31)
        assert refused(fight, "sprint") == ["only 1 time a phase"]
        assert pool_of(fight.act("me", "observe-in-detail").data["step"], "test.pool")["tester-running"] == -2
        fight.do("discard", resolution=fight.step().id)
        again(fight)
        assert self.moves(fight)[0] == "stationary"

    def test_a_long_sprint_tires(self, fight: Table) -> None:
        """Body 4 and no hit: the fifth turn in a row costs a box of Stun, and so does each that follows."""
        fight.do("set", combatant="me", dice="hand")
        stun = []
        for _ in range(6):
            step = fight.act("me", "sprint").data["step"]
            assert pool_of(step, "test.pool") == {"strength": 3, "skill": 3}
            fight.dice([2] * 6)
            stun.append(fight.one("me").sheet["stun"])
            again(fight)
        assert stun == [0, 0, 0, 0, 1, 2]
        again(fight)  # a turn of rest
        fight.act("me", "sprint")
        fight.dice([2] * 6)
        assert fight.one("me").sheet["stun"] == 2

    def test_a_second_pass_of_the_same_turn_tires_no_more(self, table: Table) -> None:
        join(table, "me", passes=2, body=1, dice="hand")
        join(table, "foe")
        stun = []
        for _ in range(3):
            table.begin(me={"hits": 5}, foe={"hits": 1})
            for _ in range(2):
                table.act("me", "sprint")
                table.dice([2] * 6)
                stun.append(table.one("me").sheet["stun"])
                table.do("next")
                while table.acting == ["foe"]:
                    table.do("next")
        assert stun == [0, 0, 1, 1, 2, 2]

    def test_nobody_runs_lying_down_or_held(self, fight: Table) -> None:
        fight.act("me", "run")
        fight.do("set", combatant="me", add=["prone"])
        assert self.moves(fight) == ("stationary", 0, 0)
        for action in ("run", "walk", "sprint"):
            assert "not while prone" in refused(fight, action)
        fight.do("set", combatant="me", remove=["prone"], add=["held"])
        assert self.moves(fight) == ("stationary", 0, 0)
        for action in ("run", "walk", "sprint"):
            assert "not while held" in refused(fight, action)

    def test_who_falls_runs_no_more_and_gets_up_to_run(self, fight: Table) -> None:
        fight.act("me", "run")
        fight.act("me", "drop-prone")
        fight.do("next")
        hold(fight, "ares-predator-iv", "foe")
        event = fight.act("foe", "fire-semi-automatic", "me", situation={"distance": 4})
        lines = pool_of(event.data["step"], "defense.pool")
        assert lines["target-prone"] == -2
        assert "target-running" not in lines

    def test_swimming(self, fight: Table) -> None:
        fight.act("me", "walk")
        event = fight.act("me", "swim")
        assert event.data["judged"] == ["water to swim in"]
        assert self.moves(fight) == ("swim", 5, 5)

    def test_without_a_metatype_only_the_mode_is_told(self, table: Table) -> None:
        table.join({"name": "Stranger", "reaction": 3, "intuition": 3}, id="me", asks=False)
        table.begin(me={"hits": 5})
        table.act("me", "run")
        assert self.moves(table) == ("run", None, None)

    def test_a_rate_that_is_said_counts(self, table: Table) -> None:
        table.join({"use": "rook", "run": 30}, id="me", asks=False)
        table.begin(me={"hits": 5})
        table.act("me", "run")
        assert self.moves(table) == ("run", 30, 30)
        assert table.one("me").sheet["walk"] == 10

    def test_everybody_sees_it(self, fight: Table) -> None:
        fight.act("me", "walk")
        assert fight.shown("me", fight.observer)["movement"] == {"mode": "walk", "metres": 10, "turn": 10}
        assert "sheet" not in fight.shown("me", fight.observer)
