"""Melee in fights of Cities Without Number: within reach, leaving, swarms, screens (cwn.md, sections 3, 4.6, 8.4).

Golden test G31, ruling R13.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, hold, join, near
from sr4_phases import audited, offered, settle
from table_play import OpenTable, Table

from fracas.encounters.log import log_markdown
from fracas.encounters.surroundings import surroundings

Sit = Callable[..., Table]


@pytest.fixture
def table(open_table: OpenTable) -> Table:
    """`me` and `friend` act first; `foe` has a sword in the hand, `bare` nothing at all."""
    table = open_table("cwn")
    for id in ("me", "friend"):
        join(table, id, weapons=["sword", "heavy-pistol", "knife"])
    join(table, "foe", "others", weapons=["sword", "heavy-pistol"])
    join(table, "bare", "others", weapons=[])
    begin(table)
    return table


def towards(table: Table, id: str, slug: str) -> set[str]:
    return {other for one in table.one(id).conditions if one.slug == slug for other in one.towards}


def strike(table: Table, who: str, target: str, action: str = "melee-attack", **said: Any) -> dict[str, Any]:
    event = table.act(who, action, target, **said)
    settle(table)
    assert event.data["step"] is not None
    step: dict[str, Any] = event.data["step"]
    return step


class TestReach:
    def test_nobody_is_in_melee_with_one_who_is_down(self, table: Table) -> None:
        strike(table, "me", "foe")
        table.do("set", combatant="foe", fields={"hp": 0})
        assert (towards(table, "me", "engaged"), towards(table, "foe", "engaged")) == (set(), set())
        text = log_markdown(table.encounters, table.id, table.gm)
        assert "me is no longer in melee with foe (foe cannot act)" in text

    def test_who_attacks_in_melee_is_within_reach_of_each_other(self, table: Table) -> None:
        strike(table, "me", "foe")
        assert towards(table, "me", "engaged") == {"foe"}
        assert towards(table, "foe", "engaged") == {"me"}
        audited(table)

    def test_a_shot_brings_nobody_nearer(self, table: Table) -> None:
        hold(table, "heavy-pistol")
        strike(table, "me", "foe", "ranged-attack", situation={"distance": 5})
        assert towards(table, "me", "engaged") == set()

    def test_a_knife_is_thrown_in_a_ranged_attack_and_only_if_that_is_said(self, table: Table) -> None:
        hold(table, "knife")
        said = {"combatant": "me", "action": "ranged-attack", "target": "foe", "item": "knife"}
        [(_, why)] = table.refused("act", **said, situation={"distance": 1})
        assert why == "this weapon strikes unless it is thrown: choose “thrown” as the kind of attack"
        thrown = {"distance": 1, "attack": {"kind": "thrown"}}
        tallies = strike(table, "me", "foe", "ranged-attack", item="knife", situation=thrown)["open"][
            "tallies"
        ]
        assert not any(one["label"].startswith("Shock") for one in tallies)

    @pytest.mark.parametrize("edges", [[], ["ghost"]])
    def test_only_ghosts_have_a_way_unseen(self, table: Table, edges: list[str]) -> None:
        table.do("set", combatant="me", fields={"edges": edges})
        table.do("place", positions={"me": {"x": 0, "y": 0}, "foe": {"x": 9, "y": 0}})
        found = surroundings(table.encounters.context(table.fight, table.gm), "me")["movement"]["ways"]
        assert ("ghost-move" in {way["action"] for way in found}) == bool(edges)

    def test_a_move_goes_to_somebody(self, table: Table) -> None:
        table.act("me", "run", "foe")
        assert towards(table, "foe", "engaged") == {"me"}
        table.act("friend", "run", "foe")
        assert towards(table, "foe", "engaged") == {"me", "friend"}

    def test_a_gun_is_fired_in_melee_with_an_armed_foe_only(self, table: Table) -> None:
        hold(table, "heavy-pistol")
        near(table, "me", "bare")
        step = strike(table, "me", "bare", "ranged-attack", situation={"distance": 1})
        assert "one-handed-gun-in-melee" not in applied(step)
        table.do("undo")
        near(table, "me", "foe")
        step = strike(table, "me", "foe", "ranged-attack", situation={"distance": 1})
        assert applied(step)["one-handed-gun-in-melee"] == -4

    def test_nobody_is_in_melee_with_who_is_down(self, table: Table) -> None:
        hold(table, "heavy-pistol")
        near(table, "me", "foe")
        table.do("set", combatant="foe", fields={"hp": 0})
        step = strike(table, "me", "bare", "ranged-attack", situation={"distance": 5})
        assert "one-handed-gun-in-melee" not in applied(step)

    def test_fists_hold_nobody_in_melee_but_a_trained_fighter_s(self, table: Table) -> None:
        near(table, "me", "bare")
        assert "needs an armed foe in melee" in why_not(table, "fighting-withdrawal")
        table.do("set", combatant="bare", fields={"foci": {"unarmed-combatant": 1}})
        assert why_not(table, "fighting-withdrawal") == []


def applied(step: Any, tally: str = "attack.bonus") -> dict[str, int]:
    found = next(one for one in step["open"]["tallies"] if one["to"] == tally)
    return {line["id"]: line["value"] for line in found["entries"] if line["verdict"] == "applied"}


def why_not(table: Table, action: str, who: str = "me") -> list[str]:
    return [reason["message"] for reason in offered(table, action, who)["reasons"]]


class TestLeaving:
    """G31 and R13."""

    def fenced(self, table: Table, *foes: str) -> None:
        for foe in foes:
            near(table, "me", foe)

    def test_each_armed_foe_strikes_freely_at_who_runs(self, table: Table) -> None:
        table.do("set", combatant="bare", items={"knife": {"ready": True}})
        self.fenced(table, "foe", "bare")
        table.act("me", "run")
        assert towards(table, "me", "left-melee") == {"foe", "bare"}
        assert towards(table, "foe", "engaged") == set()
        for foe in ("foe", "bare"):
            before = dict(table.one(foe).spent)
            strike(table, foe, "me", "free-attack", item={"foe": "sword", "bare": "knife"}[foe])
            assert table.one(foe).spent == before
            assert table.refused("act", combatant=foe, action="free-attack", target="me")
        assert towards(table, "me", "left-melee") == set()
        audited(table)

    def test_nobody_strikes_at_who_has_withdrawn(self, table: Table) -> None:
        self.fenced(table, "foe")
        table.act("me", "fighting-withdrawal")
        table.act("me", "run")
        assert towards(table, "me", "left-melee") == set()
        assert table.conditions("me") == []
        assert why_not(table, "free-attack", "foe") == ["needs a foe who leaves melee without withdrawing"]

    def test_the_unarmed_do_not_strike(self, table: Table) -> None:
        self.fenced(table, "bare")
        table.act("me", "run")
        assert towards(table, "me", "left-melee") == set()

    def test_enhanced_reflexes_leave_melee_unharmed(self, table: Table) -> None:
        self.fenced(table, "foe")
        table.do("set", combatant="me", fields={"augmentations": ["enhanced-reflexes-2"]})
        assert why_not(table, "swift-move")[0] == "needs the Move that Enhanced Reflexes II give"
        table.act("me", "enhanced-reflexes")
        table.act("me", "swift-move")
        assert towards(table, "me", "left-melee") == set()
        assert towards(table, "foe", "engaged") == set()
        assert table.shown("me")["budget"] == {"main": 2, "move": 1, "swift-move": 0}

    def test_a_charge_leaves_melee_as_well(self, table: Table) -> None:
        table.do("set", combatant="bare", items={"knife": {"ready": True}})
        self.fenced(table, "foe")
        strike(table, "me", "bare", "charge", situation={"attack": {"charge_distance": 5}})
        assert towards(table, "me", "left-melee") == {"foe"}
        assert towards(table, "me", "engaged") == {"bare"}

    def test_who_is_held_goes_nowhere(self, table: Table) -> None:
        table.do("set", combatant="foe", add=["grappling"], towards=["me"])
        assert table.conditions("me") == ["grappled"]
        assert why_not(table, "run") == ["not while grappled"]
        assert table.view()["combatants"][0]["movement"]["metres"] == 0


class TestSwarm:
    def test_the_others_help_the_one_who_strikes(self, table: Table) -> None:
        table.act("me", "swarm-attack", "foe")
        table.act("friend", "swarm-attack", "foe")
        assert towards(table, "friend", "swarming") == {"foe"}
        step = strike(table, "friend", "foe", "strike-as-swarm")
        assert applied(step)["swarm"] == 2
        assert table.one("me").spent == table.one("friend").spent == {"main": 1}
        assert table.refused("act", combatant="me", action="strike-as-swarm", target="foe")
        audited(table)

    def test_it_strikes_whom_it_was_formed_against(self, table: Table) -> None:
        table.act("me", "swarm-attack", "foe")
        reasons = table.refused("act", combatant="me", action="strike-as-swarm", target="bare")
        assert ("needs", "needs to be part of a swarm") in reasons

    def test_a_fifth_does_not_join(self, tmp_path: Path) -> None:
        table = Table(tmp_path, "cwn", name="swarm.db")
        for number in range(1, 6):
            join(table, f"p{number}", weapons=["sword"])
        join(table, "foe", "others")
        begin(table)
        for number in range(1, 5):
            table.act(f"p{number}", "swarm-attack", "foe")
        reasons = table.refused("act", combatant="p5", action="swarm-attack", target="foe")
        assert reasons == [("needs", "needs at most four in the swarm")]
        table.do("set", combatant="p2", fields={"hp": 0})  # only survivors count
        step = strike(table, "p1", "foe", "strike-as-swarm")
        assert applied(step)["swarm"] == 4
        assert table.refused("act", combatant="p5", action="swarm-attack", target="foe")
        table.close()

    def test_it_is_over_with_the_round(self, table: Table) -> None:
        table.act("me", "swarm-attack", "foe")
        while table.acting:
            table.do("next")
        assert table.conditions("me") == []


class TestScreen:
    @pytest.fixture
    def screened(self, table: Table) -> Table:
        """`me` screens `friend`; it is the turn of the others."""
        table.act("me", "screen-ally", "friend")
        table.do("next")
        table.do("set", combatant="bare", items={"knife": {"ready": True}})
        assert set(table.acting) == {"foe", "bare"}
        return table

    def test_an_attack_on_the_ward_meets_the_screen(self, screened: Table) -> None:
        step = strike(screened, "foe", "friend")
        assert step["open"]["who"] == {"attacker": "foe", "target": "friend", "screener_1": "me"}
        assert towards(screened, "foe", "screened-off") == {"me"}
        audited(screened)

    def test_who_is_struck_in_place_of_the_ward_is_in_melee(self, screened: Table) -> None:
        sure = [{"to": "screen.attacker", "label": "sure", "value": -20}]
        strike(screened, "foe", "friend", modifiers=sure)
        assert towards(screened, "me", "engaged") == {"foe"}
        audited(screened)

    def test_as_many_attackers_as_the_skill(self, screened: Table) -> None:
        strike(screened, "foe", "friend")
        step = strike(screened, "bare", "friend", item="knife")
        assert step["open"]["who"] == {"attacker": "bare", "target": "friend"}

    def test_who_was_screened_off_is_so_again(self, screened: Table) -> None:
        strike(screened, "foe", "friend")
        screened.do("set", combatant="foe", add=["reflexes-boosted"])
        step = strike(screened, "foe", "friend")
        assert step["open"]["who"]["screener_1"] == "me"

    def test_nobody_parries_bullets(self, screened: Table) -> None:
        hold(screened, "heavy-pistol", "foe")
        step = strike(screened, "foe", "friend", "ranged-attack", situation={"distance": 4})
        assert "screener_1" not in step["open"]["who"]
        screened.do("set", combatant="me", fields={"augmentations": ["dermal-armor-1"]})
        screened.do("set", combatant="bare", items={"heavy-pistol": {"ready": True, "rounds": 8}})
        said = {"item": "heavy-pistol", "situation": {"distance": 4}}
        step = strike(screened, "bare", "friend", "ranged-attack", **said)
        assert step["open"]["who"]["screener_1"] == "me"

    def test_it_ends_with_the_next_turn(self, screened: Table) -> None:
        screened.do("next")
        begin(screened)
        assert screened.conditions("me") == []

    def test_an_ally_is_screened(self, table: Table) -> None:
        reasons = table.refused("act", combatant="me", action="screen-ally", target="foe")
        assert reasons == [("rules", "needs an ally: another combatant of the same side")]

    def test_it_takes_a_skill(self, table: Table) -> None:
        table.do("set", combatant="me", fields={"skills": {"shoot": 0}})
        reasons = table.refused("act", combatant="me", action="screen-ally", target="friend")
        assert reasons == [("needs", "needs level 1 in a combat skill")]
