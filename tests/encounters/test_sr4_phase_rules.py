"""What an Action Phase allows in Shadowrun 4, and what it costs: bursts of both hands, movement first, holds, charges,
and what somebody says who only plays (rulebook sections 4 to 6, 9.1 and 9.4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sr4_phases import READY, again, audited, hold, join, offered, pool_of, refused, settle
from table_play import Table

from fracas.encounters.offers import may_be_tried, offers
from fracas.errors import ForbiddenError

INGRAM, HK, WARHAWK, PREDATOR = "ingram-smartgun-x", "hk-227-x", "ruger-super-warhawk", "ares-predator-iv"
ONE_BURST = "only one long burst in an Action Phase"
MOVE_FIRST = "how one moves is declared before the other actions of the Action Phase"


def fight_of(table: Table, foe: int = 1, **me: Any) -> Table:
    """The Action Phase of `me`; `foe`, whom nothing hurts, acts with so many hits."""
    join(table, "me", **me)
    join(table, "foe", body=50, willpower=50)
    table.begin(me={"hits": 5}, foe={"hits": foe})
    return table


class TestGunsInBothHands:
    @pytest.fixture
    def fight(self, table: Table) -> Table:
        fight_of(table, agility=20, weapons=[INGRAM, HK, WARHAWK, PREDATOR])
        table.do("set", combatant="me", items=dict.fromkeys((INGRAM, HK, WARHAWK, PREDATOR), READY))
        return table

    def both(self, *modes: str) -> dict[str, Any]:
        fire, other = ({"mode": mode, "spread": "narrow"} for mode in modes)
        return {"distance": 4, "fire": fire, "fire_2": other}

    def test_two_long_bursts_at_once_are_one_too_many(self, fight: Table) -> None:
        said = self.both("long-burst", "long-burst")
        reasons = refused(fight, "fire-two-weapons", "foe", item=INGRAM, second_item=HK, situation=said)
        assert reasons == [ONE_BURST]
        said = self.both("short-burst", "long-burst")
        fight.act("me", "fire-two-weapons", "foe", item=INGRAM, second_item=HK, situation=said)
        assert fight.one("me").items[HK]["rounds"] == 28 - 6

    @pytest.mark.parametrize("modes", [("long-burst", "short-burst"), ("short-burst", "long-burst")])
    def test_the_long_burst_of_either_hand_is_the_one_of_the_phase(
        self, fight: Table, modes: tuple[str, str]
    ) -> None:
        fight.act("me", "fire-two-weapons", "foe", item=INGRAM, second_item=HK, situation=self.both(*modes))
        said = {"distance": 4, "fire": {"spread": "narrow"}}
        assert refused(fight, "fire-long-burst", "foe", item=HK, situation=said) == [ONE_BURST]
        assert refused(fight, "fire-short-burst", "foe", item=HK, situation=said | {"distance": 900}) != [
            ONE_BURST
        ]
        again(fight)
        fight.act("me", "fire-long-burst", "foe", item=HK, situation=said)
        audited(fight)

    def test_at_a_barrier_too(self, fight: Table) -> None:
        burst = {"distance": 4, "fire": {"spread": "narrow"}}
        fight.act("me", "fire-long-burst", "foe", item=HK, situation=burst)
        wall = {"distance": 4, "barrier": {"material": "average"}, "fire": {"mode": "long-burst"}}
        assert refused(fight, "shoot-barrier", item=INGRAM, situation=wall) == [ONE_BURST]

    def test_a_single_shot_weapon_in_the_other_hand_has_fired(self, fight: Table) -> None:
        said = {"distance": 4, "fire": {"mode": "semi-automatic"}, "fire_2": {"mode": "single-shot"}}
        pair = {"item": PREDATOR, "second_item": WARHAWK, "situation": said}
        fight.act("me", "fire-two-weapons", "foe", **pair)
        again_ = ["a single-shot weapon fires once in an Action Phase"]
        assert refused(fight, "fire-single-shot", "foe", item=WARHAWK, situation={"distance": 4}) == again_
        assert refused(fight, "fire-two-weapons", "foe", **pair) == again_


class TestMovementFirst:
    @pytest.mark.parametrize("mode", ["walk", "run", "sprint"])
    def test_it_is_declared_before_the_other_actions(self, table: Table, mode: str) -> None:
        fight_of(table, passes=2)
        table.act("me", "take-aim")
        assert refused(table, mode) == [MOVE_FIRST]
        again(table)
        table.act("me", mode)
        table.act("me", "observe-in-detail")

    def test_what_was_done_before_the_phase_does_not_count(self, table: Table) -> None:
        fight_of(table, foe=9)
        table.act("me", "kneel")
        table.do("next")
        table.act("me", "run")
        assert "running" in table.conditions("me")

    def test_one_may_think_again_before_anything_else(self, table: Table) -> None:
        fight_of(table)
        for mode in ("walk", "run", "sprint"):
            table.act("me", mode)

    def test_who_lies_gets_up_first(self, table: Table) -> None:
        fight_of(table)
        table.do("set", combatant="me", add=["prone"])
        table.act("me", "stand-up")
        table.act("me", "run")
        assert refused(table, "walk") == ["runs until the next Action Phase"]

    def test_the_gamemaster_may_force_it(self, table: Table) -> None:
        fight_of(table)
        table.act("me", "speak")
        event = table.act("me", "walk", force=True)
        assert event.data["forced"] == [MOVE_FIRST]


class TestWhatAHoldCosts:
    def grabbed(self, table: Table) -> None:
        """`me` gets hold of `foe` by an attack."""
        table.do("set", combatant="me", dice="hand")
        table.do("set", combatant="foe", dice="hand")
        table.act("me", "subdue", "foe", item="unarmed-attack")
        thrown = []
        for part in table.question()["parts"]:
            for group in part["groups"]:
                hits = 3 if part["label"] == "attack" else 0
                thrown.append([5] * hits + [2] * (group["count"] - hits))
        table.dice(*thrown)
        assert table.conditions("foe") == ["in-melee", "held"]

    @pytest.fixture
    def grip(self, table: Table) -> Table:
        join(table, "me", strength=9)
        join(table, "foe", passes=2)
        table.begin(me={"hits": 5}, foe={"hits": 1})
        self.grabbed(table)
        return table

    def test_a_pass_without_an_action_costs_nothing(self, grip: Table) -> None:
        grip.do("next")
        grip.do("next")
        assert (grip.state.part, grip.acting) == (2, ["foe"])
        grip.do("next")
        grip.begin(me={"hits": 5}, foe={"hits": 1})
        assert grip.conditions("foe") == ["in-melee", "held"]
        grip.act("me", "keep-hold", "foe")
        grip.do("next")
        assert grip.conditions("foe") == ["in-melee", "held"]

    def test_a_delayed_action_that_is_never_used_does_not_pay(self, grip: Table) -> None:
        again(grip)
        assert grip.conditions("foe") == ["in-melee", "held"]
        grip.do("delay", combatant="me")
        grip.do("next", combatant="foe")
        assert grip.state.phase == "waiting"
        assert grip.conditions("foe") == ["in-melee", "held"]
        grip.do("next")
        assert grip.state.part == 2
        assert (grip.conditions("foe"), grip.conditions("me")) == (["in-melee"], ["in-melee"])

    def test_a_delayed_action_that_is_used_for_it_does(self, grip: Table) -> None:
        again(grip)
        grip.do("delay", combatant="me")
        grip.do("intervene", combatant="me", when="before")
        grip.act("me", "keep-hold", "foe")
        for _ in range(3):
            grip.do("next")
        assert grip.state.phase == "turn-over"
        assert grip.conditions("foe") == ["in-melee", "held"]
        audited(grip)


class TestReceivingACharge:
    SAID = {"attacker": {"receiving_charge": True}, "target": {"defense": "dodge"}}
    NONE = ["receiving a charge takes a delayed action"]

    def strike(self, table: Table, action: str = "melee-attack") -> dict[str, int]:
        event = table.act("me", action, "foe", item="katana", situation=self.SAID)
        found = pool_of(event.data["step"], "melee-attack.pool")
        settle(table)
        return found

    @pytest.fixture
    def fight(self, table: Table) -> Table:
        fight_of(table, weapons=["katana"])
        return table

    def test_not_in_ones_own_phase(self, fight: Table) -> None:
        assert refused(fight, "melee-attack", "foe", item="katana", situation=self.SAID) == self.NONE

    def test_with_the_delayed_action(self, fight: Table) -> None:
        fight.do("delay", combatant="me")
        fight.do("intervene", combatant="me", when="before")
        assert self.strike(fight)["melee-receiving-charge"] == 1
        fight.do("next")
        assert fight.acting == ["foe"]
        assert refused(fight, "intercept", "foe", item="katana", situation=self.SAID) == self.NONE

    def test_while_it_is_held(self, fight: Table) -> None:
        fight.do("delay", combatant="me")
        assert self.strike(fight, "intercept")["melee-receiving-charge"] == 1

    def test_who_waits_for_the_end_of_the_other(self, fight: Table) -> None:
        fight.do("delay", combatant="me")
        fight.do("intervene", combatant="me", when="after")
        fight.do("next", combatant="foe")
        assert self.strike(fight)["melee-receiving-charge"] == 1
        fight.do("next")
        fight.begin(me={"hits": 5}, foe={"hits": 1})
        assert refused(fight, "melee-attack", "foe", item="katana", situation=self.SAID) == self.NONE

    def test_a_player_may_say_it_when_it_is_so(self, fight: Table) -> None:
        me = fight.player("me")
        said = {"attacker": {"receiving_charge": True}}
        fight.do("delay", me, combatant="me")
        fight.do("intervene", me, combatant="me", when="before")
        fight.act("me", "melee-attack", "foe", by=me, item="katana", situation=said)


class TestAScoreOfNothing:
    def fallen(self, table: Table, passes: int = 3) -> None:
        """`me` falls to a score of 0 by wounds while `foe` acts, and has two passes to come."""
        join(table, "me", passes=passes, body=30, reaction=1, intuition=2, dice="hand")
        join(table, "medic", passes=3, dice="hand", magic=5)
        table.begin(me={"hits": 0}, medic={"hits": 0})
        assert table.acting == ["medic"]
        table.do("set", combatant="me", fields={"physical": 9})
        assert table.shown("me")["rank"] == "0"

    def aid(self, table: Table) -> None:
        table.act("medic", "first-aid", "me")
        while table.steps():
            groups = [group for part in table.question()["parts"] for group in part["groups"]]
            table.dice(*([5] * group["count"] for group in groups))
        assert table.one("me").sheet["physical"] < 9
        assert int(table.shown("me")["rank"]) > 0

    def test_who_is_healed_has_no_action_in_this_turn(self, table: Table) -> None:
        self.fallen(table)
        self.aid(table)
        assert "Initiative Score of 0 or less" in refused(table, "take-aim", who="me")[0]
        for part in (2, 3):
            table.do("next")
            assert (table.state.part, table.acting) == (part, ["medic"])
        table.do("next")
        assert table.state.phase == "turn-over"
        table.begin(me={"hits": 9}, medic={"hits": 0})
        assert table.acting == ["me"]
        audited(table)

    def test_what_is_set_by_hand_has_never_been(self, table: Table) -> None:
        self.fallen(table)
        table.do("set", combatant="me", fields={"physical": 0})
        table.do("next")
        assert table.acting == ["me"]

    def test_a_score_above_it_rises_as_before(self, table: Table) -> None:
        self.fallen(table)
        table.do("set", combatant="me", fields={"physical": 6})
        assert table.shown("me")["rank"] == "1"
        table.act("medic", "first-aid", "me")
        while table.steps():
            groups = [group for part in table.question()["parts"] for group in part["groups"]]
            table.dice(*([5] * group["count"] for group in groups))
        assert int(table.shown("me")["rank"]) > 1
        table.do("next")
        assert table.acting == ["me"]


class TestConsequences:
    FREE = {"burn": "burning", "acid-burns": "acid-burning", "bleed": "dying"}
    FREE |= {"dumpshock": "in-cold-sim"}

    @pytest.mark.parametrize(("action", "condition"), FREE.items())
    def test_they_are_no_moves_of_players(self, table: Table, action: str, condition: str) -> None:
        fight_of(table)
        table.do("set", combatant="me", add=[condition])
        told = offers(table.encounters.context(table.fight, table.player("me")), "me")
        found = next(one for one in told["actions"] if one["action"] == action)
        assert [one["message"] for one in found["reasons"]] == ["only the GM may say that it happens"]
        assert may_be_tried(offered(table, action))
        with pytest.raises(ForbiddenError, match="only the GM"):
            table.act("me", action, by=table.player("me"))

    def test_when_it_is_due_its_owner_plays_it(self, tmp_path: Path) -> None:
        table = Table(tmp_path, options={"fire_spreads": True})
        fight_of(table)
        table.do("set", combatant="me", fields={"burning_dv": 3}, add=["burning"])
        table.act("me", "burn")
        settle(table)
        while table.state.phase != "due":
            if table.state.phase == "turn-over":
                table.begin(me={"hits": 5}, foe={"hits": 1})
            else:
                table.do("next")
        timer = table.state.timers[table.state.due]
        with pytest.raises(ForbiddenError):
            table.act("me", "burn", by=table.player("me"))
        table.act("me", timer.action, by=table.player("me"), timer=timer.id)
        table.close()


class TestWhatAPlayerAdds:
    @pytest.mark.parametrize(
        "gear",
        [
            {"gyro": 6},
            {"recoil_compensation": 4},
            {"smartlink": True},
            {"flare_compensation": True},
            {"senses": ["thermographic"]},
            {"magnification": True},
        ],
    )
    def test_no_gear_that_the_sheet_does_not_name(self, table: Table, gear: dict[str, Any]) -> None:
        (name,) = gear
        fight_of(table, weapons=[PREDATOR])
        table.do("set", combatant="me", fields={"smartlink": None, "senses": None})
        said = {"distance": 4, "attacker": gear}
        with pytest.raises(ForbiddenError, match=f"situation.attacker.{name}"):
            table.act("me", "fire-semi-automatic", "foe", by=table.player("me"), situation=said)
        table.act("me", "fire-semi-automatic", "foe", situation=said)
        table.act("me", "fire-semi-automatic", "foe", by=table.player("me"), situation={"distance": 4})

    def test_what_only_people_see_is_his_to_say(self, table: Table) -> None:
        fight_of(table, weapons=[PREDATOR])
        said = {"distance": 4, "attacker": {"deployed": True, "off_hand": True}}
        table.act("me", "fire-semi-automatic", "foe", by=table.player("me"), situation=said)

    def test_what_the_sheet_names_counts(self, table: Table) -> None:
        fight_of(table, weapons=[PREDATOR])
        table.do("set", combatant="me", fields={"gyro": 3})
        hold(table, PREDATOR)
        shot: dict[str, Any] = {"situation": {"distance": 4}}
        table.act("me", "fire-semi-automatic", "foe", **shot)
        step = table.act("me", "fire-semi-automatic", "foe", **shot).data["step"]
        assert "recoil" not in pool_of(step)
