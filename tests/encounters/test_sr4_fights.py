"""Combat steps of Shadowrun 4 in a fight, with the dice of the rulebook's worked examples typed in by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from table_play import Table


def pools(table: Table) -> dict[str, int]:
    """How many dice each part of the roll that is asked for has."""
    return {
        part["label"]: sum(group["count"] for group in part["groups"]) for part in table.question()["parts"]
    }


def rolls(table: Table, *dice: list[int]) -> None:
    table.dice(*dice)


class TestRecoilOverTwoShots:
    """SR4-EX-07: a whole Action Phase."""

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        table.join("rook", side="runners", dice="hand", asks=False)
        table.join("guard", side="corp", dice="hand", asks=False)
        table.begin(rook={"hits": 3}, guard={"hits": 1})
        return table

    def shoot(self, table: Table) -> None:
        table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 4})

    def test_the_whole_phase(self, fight: Table) -> None:
        self.shoot(fight)
        assert pools(fight) == {"attack": 11, "defense": 3}
        rolls(fight, [4, 4, 5, 5, 5, 6, 2, 3, 1, 3, 3], [4, 2, 6])
        assert pools(fight) == {"soak": 8}
        rolls(fight, [6, 4, 1, 5, 2, 2, 4, 6])
        guard = fight.one("guard")
        assert (guard.sheet["physical"], guard.sheet["stun"]) == (5, 0)
        assert fight.conditions("guard") == ["prone"]
        assert fight.one("rook").items["ares-predator-iv"]["rounds"] == 14

        self.shoot(fight)
        assert pools(fight) == {"attack": 10, "defense": 0}  # recoil; wounds, prone, and one defense made
        rolls(fight, [5, 6, 1, 4, 2, 3, 2, 4, 4, 1])
        assert pools(fight) == {"soak": 8}  # no wounds
        rolls(fight, [2, 1, 3, 2, 6, 4, 5, 3])
        assert fight.one("guard").sheet["physical"] == 10
        assert not fight.shown("guard")["able"]
        assert {"prone"} <= set(fight.conditions("guard"))

        third = fight.refused("act", combatant="rook", action="fire-semi-automatic", target="guard")
        assert [code for code, _ in third] == ["limit", "too-dear"]
        fight.do("next")
        assert fight.state.phase == "turn-over"  # the guard acts no more

    def test_recoil_ends_with_the_phase(self, fight: Table) -> None:
        self.shoot(fight)
        rolls(fight, [1] * 11, [5, 5, 5])
        fight.do("next")
        fight.do("next")
        fight.begin(rook={"hits": 3}, guard={"hits": 1})
        self.shoot(fight)
        assert pools(fight) == {"attack": 11, "defense": 3}  # the guard's phase has come in between as well

    def test_undo_brings_everything_back(self, fight: Table) -> None:
        before = fight.state
        self.shoot(fight)
        rolls(fight, [4, 4, 5, 5, 5, 6, 2, 3, 1, 3, 3], [4, 2, 6])
        rolls(fight, [6, 4, 1, 5, 2, 2, 4, 6])
        after = fight.state
        fight.do("undo", steps=3)
        assert fight.state == before
        fight.do("redo", steps=3)
        assert fight.state == after
        fight.do("undo", to=5)
        assert fight.state.resolutions  # the shot stands, and its dice are awaited again
        assert pools(fight) == {"attack": 11, "defense": 3}


class TestFullDodgeAsAnInterrupt:
    """SR4-EX-13."""

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        gunman: dict[str, Any] = {
            "name": "Gunman",
            "agility": 4,
            "reaction": 5,
            "intuition": 5,
            "skills": {"pistols": 4},
            "physical": 0,
            "stun": 0,
            "smartlink": False,
        }
        table.join(gunman, dice="hand", weapons=["ares-predator-iv"])
        table.join("rook", player=True, dice="hand", asks=True)
        table.begin(gunman={"hits": 3}, rook={"hits": 1})
        return table

    def shoot(self, table: Table) -> None:
        table.act("gunman", "fire-semi-automatic", "rook", situation={"distance": 4})

    def test_it_takes_the_coming_phase_and_lasts(self, fight: Table) -> None:
        rook = fight.player("rook")
        self.shoot(fight)
        question = fight.question("rook")
        assert (question["kind"], question["default"]) == ("reaction", "none")
        costs = {option["id"]: option["cost"] for option in question["options"]}
        assert costs["full-dodge"] == {"coming slots": 1}
        fight.answer("full-dodge", by=rook)
        assert fight.conditions("rook") == ["full-dodge"]
        fight.answer("none", by=rook)  # no Edge beforehand
        assert pools(fight) == {"attack": 8, "defense": 6}
        fight.dice([2, 6, 3, 4, 5, 1, 6, 3], by=fight.player("gunman"))
        done = fight.dice([3, 3, 1, 6, 5, 6], by=rook)
        if done.data["steps"][0]["question"]:
            done = fight.answer("none", by=rook)  # nor afterwards
        outcome = done.data["steps"][0]["outcome"]
        assert (outcome["attack_hits"], outcome["defense_hits"], outcome["result"]) == (3, 3, "graze")
        assert fight.one("rook").sheet["physical"] == 0

        self.shoot(fight)
        fight.answer("none", by=rook)
        assert pools(fight) == {"attack": 7, "defense": 5}
        fight.dice([1] * 7, [1] * 5)
        while fight.steps():
            fight.answer("none")
        fight.do("next")
        assert fight.state.phase == "turn-over"  # the coming phase was given up
        assert fight.one("rook").skips == 0
        fight.begin(gunman={"hits": 3}, rook={"hits": 9})
        assert fight.acting == ["rook"]
        assert fight.conditions("rook") == []  # it has lasted up to here

    def test_without_an_action_left_it_takes_the_first_of_the_next_turn(self, fight: Table) -> None:
        fight.do("next")
        fight.do("next")
        fight.begin(gunman={"hits": 3}, rook={"hits": 9})
        fight.do("next", combatant="rook")
        self.shoot(fight)
        fight.answer("full-dodge", by=fight.player("rook"))
        fight.do("discard", resolution=fight.step().id)
        fight.do("next")
        fight.begin(gunman={"hits": 3}, rook={"hits": 9})
        assert fight.acting == ["gunman"]
        fight.do("next")
        assert fight.state.phase == "turn-over"

    def test_who_acts_and_has_spent_all_gives_up_the_phase_after_this_one(self, fight: Table) -> None:
        fight.act("gunman", "take-aim")
        fight.act("gunman", "take-aim")
        fight.act("gunman", "full-dodge")
        assert (fight.one("gunman").spent, fight.one("gunman").skips) == ({"simple": 2}, 1)
        fight.do("next")
        fight.do("next")
        assert fight.conditions("gunman") == ["full-dodge"]
        fight.begin(gunman={"hits": 3}, rook={"hits": 1})
        assert fight.acting == ["rook"]
        assert fight.conditions("gunman") == ["full-dodge"]
        fight.do("next")
        fight.begin(gunman={"hits": 3}, rook={"hits": 1})
        assert (fight.acting, fight.conditions("gunman")) == (["gunman"], [])

    def test_a_delayed_action_is_the_next_one(self, fight: Table) -> None:
        fight.do("set", combatant="rook", rolled={"hits": 9})
        fight.do("delay", combatant="gunman")
        fight.do("delay", combatant="rook")
        fight.do("next", combatant="rook")  # waits on: the gunman may act
        fight.do("intervene", combatant="gunman", when="now")
        self.shoot(fight)
        fight.answer("full-dodge", by=fight.player("rook"))
        fight.do("discard", resolution=fight.step().id)
        assert fight.refused("intervene", combatant="rook") == [("not-delaying", "Rook does not delay")]
        fight.do("next")
        assert fight.state.phase == "turn-over"
        assert fight.one("rook").skips == 0

    def test_not_while_surprised(self, fight: Table) -> None:
        fight.do("set", combatant="rook", add=["surprised"])
        self.shoot(fight)
        assert fight.question()["kind"] != "reaction"

    def test_a_full_parry_is_no_defense_against_bullets(self, fight: Table) -> None:
        fight.do("set", combatant="rook", add=["full-parry"], asks=False)
        self.shoot(fight)
        assert pools(fight) == {"attack": 8, "defense": 4}


class TestAiming:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        table.join("vex", dice="hand", asks=False)
        table.join("rook", dice="hand", asks=True, player=True)
        table.begin(vex={"hits": 3}, rook={"hits": 1})
        return table

    def shot(self, table: Table) -> int:
        table.act("vex", "fire-semi-automatic", "rook", situation={"distance": 4})
        table.answer("none", owner="rook")
        table.answer("none", owner="rook")
        return pools(table)["attack"]

    def test_aim_counts_for_the_shot_although_the_target_is_asked_first(self, fight: Table) -> None:
        fight.act("vex", "take-aim")
        assert fight.conditions("vex") == ["aiming"]
        assert self.shot(fight) == 6 + 5 + 2 + 1
        assert fight.conditions("vex") == []

    def test_aim_adds_up(self, fight: Table) -> None:
        fight.act("vex", "take-aim")
        fight.act("vex", "take-aim")
        assert fight.conditions("vex") == ["aiming", "aiming"]
        fight.do("next")
        fight.do("next")
        fight.begin(vex={"hits": 3}, rook={"hits": 1})
        assert self.shot(fight) == 6 + 5 + 2 + 2

    def test_any_other_action_loses_it(self, fight: Table) -> None:
        fight.act("vex", "take-aim")
        fight.act("vex", "speak")
        assert fight.conditions("vex") == []
        assert self.shot(fight) == 6 + 5 + 2


class TestEdge:
    def join(self, table: Table, **fields: Any) -> None:
        table.join("vex", **{"player": True, "dice": "service", **fields})
        table.join("guard", dice="service")
        table.begin(vex={"hits": 3}, guard={"hits": 1})

    def shoot(self, table: Table) -> None:
        table.act("vex", "fire-semi-automatic", "guard", situation={"distance": 4})

    def test_it_is_offered_to_its_owner_before_and_after(self, table: Table) -> None:
        self.join(table)
        self.shoot(table)
        question = table.question()
        assert (question["owners"], question["decision"]) == (["vex"], "edge-before")
        table.answer("push", by=table.player("vex"))
        while table.steps():
            assert table.question()["decision"] != "edge-after"  # a point a roll
            table.answer("none")
        assert table.one("vex").sheet["edge_points"] == 3

    def test_not_to_those_who_have_none_left(self, table: Table) -> None:
        self.join(table)
        table.do("set", combatant="vex", fields={"edge": 0, "edge_points": 0})
        self.shoot(table)
        assert not table.steps()

    def test_not_to_those_who_do_not_want_to_be_asked(self, table: Table) -> None:
        self.join(table, asks=False)
        self.shoot(table)
        assert not table.steps()

    def test_a_point_is_spent_once(self, table: Table) -> None:
        """Edge that has gone elsewhere while the question was open cannot be chosen any more."""
        self.join(table)
        table.do("set", combatant="vex", fields={"edge_points": 1})
        self.shoot(table)
        table.do("set", combatant="vex", fields={"edge_points": 0})
        reasons = table.refused("answer", question=table.question()["id"], choose="push")
        assert reasons == [("cannot-pay", "Vex has no edge left for it")]

    def test_edge_in_the_initiative_test(self, table: Table) -> None:
        table.join("vex", player=True)
        table.do("begin-turn")
        assert table.state.phase == "initiative"
        table.answer("push", by=table.player("vex"))
        assert table.state.phase == "slot"
        assert table.one("vex").sheet["edge_points"] == 3

    def test_decisions_may_be_taken_beforehand(self, table: Table) -> None:
        table.join("vex", player=True)
        decisions = [
            {"combatant": "vex", "decision": "edge-before", "choose": "none"},
            {"combatant": "vex", "decision": "edge-after", "choose": "none"},
        ]
        table.do("begin-turn", decisions=decisions)
        assert table.state.phase == "slot"
        table.join("guard")
        table.act(
            "vex",
            "fire-semi-automatic",
            "guard",
            situation={"distance": 4},
            decisions=[{"decision": "edge-before", "choose": "push"}],
        )
        assert table.one("vex").sheet["edge_points"] == 3


class TestEffects:
    @pytest.fixture
    def fight(self, tmp_path: Path) -> Iterator[Table]:
        table = Table(tmp_path, settings={"apply": "confirm"})
        table.join("rook", side="runners", dice="hand", asks=False)
        table.join("guard", side="corp", dice="hand", asks=False)
        table.begin(rook={"hits": 3}, guard={"hits": 1})
        table.act("rook", "fire-semi-automatic", "guard", situation={"distance": 4})
        table.dice([4, 4, 5, 5, 5, 6, 2, 3, 1, 3, 3], [4, 2, 6])
        table.dice([6, 4, 1, 5, 2, 2, 4, 6])
        yield table
        table.close()

    def test_they_wait_for_the_gm(self, fight: Table) -> None:
        assert fight.one("guard").sheet["physical"] == 0
        assert fight.question()["kind"] == "confirm"
        assert fight.refused("next")[0][0] == "step-open"
        fight.answer("apply")
        assert fight.one("guard").sheet["physical"] == 5
        assert fight.conditions("guard") == ["prone"]
        assert not fight.steps()

    def test_some_of_them(self, fight: Table) -> None:
        one = fight.step()
        damage = next(
            at
            for at, effect in enumerate(one.effects)
            if effect["type"] == "mark" and effect["who"] == "guard"
        )
        fight.do("apply", resolution=one.id, only=[damage])
        assert fight.one("guard").sheet["physical"] == 5
        assert fight.conditions("guard") == []
        assert fight.one("rook").items["ares-predator-iv"]["rounds"] == 15

    def test_none_of_them(self, fight: Table) -> None:
        fight.do("discard", resolution=fight.step().id)
        assert fight.one("guard").sheet["physical"] == 0
        assert not fight.steps()
        assert fight.one("rook").spent == {"simple": 1}  # the action is gone

    def test_a_further_shot_waits(self, fight: Table) -> None:
        reasons = fight.refused("act", combatant="rook", action="fire-semi-automatic", target="guard")
        assert reasons[0][0] == "step-open"


def test_those_of_one_score_shoot_each_other(table: Table) -> None:
    """Both attacks count: who is shot first is still there."""
    for name in ("left", "right"):
        sheet = {
            "use": "guard",
            "name": name,
            "body": 1,
            "armor": [],
            "reaction": 1,
            "intuition": 5,
            "skills": {"pistols": 6, "dodge": 0},
        }
        table.join(sheet, dice="hand", asks=False)
    table.begin(left={"hits": 1}, right={"hits": 1})
    assert sorted(table.acting) == ["left", "right"]
    for one, other in (("left", "right"), ("right", "left")):
        table.act(one, "fire-semi-automatic", other, situation={"distance": 4})
        asked = pools(table)
        table.dice([5] * asked["attack"], [1] * asked["defense"])
        table.dice([1] * pools(table)["soak"])
        assert not table.shown(other)["able"]
    assert not table.shown("left")["able"]
    table.do("next")
    assert table.state.phase == "turn-over"
    assert table.refused("act", combatant="left", action="speak")[0][0] == "unable"


def test_who_is_taken_out_acts_no_more(table: Table) -> None:
    table.join("vex", asks=False)
    table.join("guard")
    table.begin(vex={"hits": 3}, guard={"hits": 1})
    table.do("set", combatant="guard", fields={"physical": 10})
    reasons = table.refused("act", combatant="guard", action="speak")
    assert reasons == [("unable", f"Guard cannot act: {table.shown('guard')['unable']}")]
    table.do("next")
    assert table.state.phase == "turn-over"


def test_who_is_taken_out_by_somebody_who_cut_in_does_not_go_on(table: Table) -> None:
    for name in ("vex", "rook", "guard"):
        table.join(name, asks=False)
    table.begin(vex={"hits": 3}, rook={"hits": 4}, guard={"hits": 2})
    table.do("delay", combatant="vex")
    table.do("intervene", combatant="vex", when="before")
    assert table.acting == ["vex"]
    table.do("set", combatant="rook", add=["unconscious"])
    table.do("next")
    assert table.acting == ["guard"]
