"""Checks, Morale, healing, drugs and poison in fights (cwn.md, sections 1.2, 9 to 11; R12)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cwn_rounds import begin, hold, join
from sr4_phases import audited
from table_play import Table

from fracas.encounters.log import log_markdown
from fracas.errors import ForbiddenError


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Table]:
    """`me` and `friend` act first, `foe` after them."""
    table = sat_down(tmp_path)
    begin(table)
    yield table
    table.close()


def sat_down(folder: Path, **options: Any) -> Table:
    table = Table(folder, "cwn", options=options)
    for id in ("me", "friend"):
        join(table, id)
    join(table, "foe", "others", hp=90)
    for id in ("me", "friend", "foe"):
        table.do("set", combatant=id, dice="hand")
    return table


def total(event: Any, tally: str) -> int:
    """A number of the step that an event began."""
    found: int = next(one["total"] for one in event.data["step"]["open"]["tallies"] if one["to"] == tally)
    return found


def to_slot(table: Table, who: str) -> None:
    """Goes on until somebody acts."""
    while who not in table.acting:
        table.do("next" if table.acting else "begin-turn")


def fall(table: Table, who: str) -> None:
    table.do("set", combatant=who, fields={"hp": 0}, add=["mortally-wounded"])


class TestStabilizing:
    def test_a_round_is_whole_when_the_slot_of_the_fall_comes_back(self, fight: Table) -> None:
        """R12: `friend` falls in the slot of the others, which comes after that of the players."""
        fight.do("next")
        fall(fight, "friend")
        difficulties = []
        for _ in range(3):
            to_slot(fight, "me")
            event = fight.act("me", "stabilize", "friend")
            difficulties.append(total(event, "stabilize.difficulty"))
            fight.dice([1, 1])
            fight.do("next")
        assert difficulties == [8, 9, 10]
        audited(fight)

    def test_whoever_falls_in_the_own_slot_is_a_round_later_in_it(self, fight: Table) -> None:
        fall(fight, "friend")
        event = fight.act("me", "stabilize-without-medkit", "friend")
        assert total(event, "stabilize.difficulty") == 8 + 2
        fight.dice([1, 1])
        fight.do("next")
        to_slot(fight, "me")
        event = fight.act("me", "stabilize", "friend")
        assert total(event, "stabilize.difficulty") == 8 + 1

    def test_alone_everybody_counts_by_the_slot_of_whoever_acted(self, tmp_path: Path) -> None:
        table = sat_down(tmp_path, initiative="individual")
        table.begin(me={"own": 8}, foe={"own": 5}, friend={"own": 2})
        to_slot(table, "foe")
        fall(table, "friend")
        to_slot(table, "me")
        assert total(table.act("me", "stabilize", "friend"), "stabilize.difficulty") == 8
        table.dice([1, 1])
        to_slot(table, "foe")
        table.do("set", combatant="foe", fields={"skills": {"heal": 0}})
        event = table.act("foe", "apply-trauma-patch", "friend", force=True)
        assert total(event, "stabilize.difficulty") == 6 + 1
        text = log_markdown(table.encounters, table.id, table.gm)
        assert "foe: Apply a Trauma Patch: friend" in text  # of the other side, and not against them
        table.close()

    @pytest.mark.parametrize(("foe", "added"), [(9, (1, 2)), (2, (0, 1))])
    def test_whoever_acted_when_somebody_fell_may_be_out_of_it(
        self, foe: int, added: tuple[int, ...], tmp_path: Path
    ) -> None:
        """R12: the place in the order counts, before or after that of `me`, though nobody acts there any more."""
        table = sat_down(tmp_path, initiative="individual")
        table.begin(me={"own": 5}, foe={"own": foe}, friend={"own": 1})
        to_slot(table, "foe")
        fall(table, "friend")
        table.do("next")
        table.do("set", combatant="foe", fields={"hp": 0}, add=["dead"])
        for turn, more in zip((2, 3), added, strict=True):
            while table.state.turn < turn:
                table.do("next" if table.acting else "begin-turn")
            to_slot(table, "me")
            assert total(table.act("me", "stabilize", "friend"), "stabilize.difficulty") == 8 + more
            table.dice([1, 1])
        table.close()

    def test_one_healer_a_round(self, fight: Table) -> None:
        fall(fight, "foe")
        fight.act("me", "stabilize", "foe")
        fight.dice([1, 1])
        assert fight.conditions("foe") == ["mortally-wounded", "tended"]
        reasons = fight.refused("act", combatant="friend", action="stabilize", target="foe")
        assert any("not yet treated by another" in reason for _, reason in reasons)
        fight.do("next")
        to_slot(fight, "friend")
        fight.act("friend", "stabilize", "foe")
        fight.dice([6, 6])
        assert fight.conditions("foe") == ["stabilized"]

    def test_the_stabilized_wake_frail_with_a_hit_point(self, fight: Table) -> None:
        fall(fight, "friend")
        fight.act("me", "stabilize", "friend")
        fight.dice([6, 6])
        (condition,) = fight.one("friend").conditions
        assert (condition.slug, condition.until) == ("stabilized", 100)  # ten minutes of six seconds
        for _ in range(100):
            while fight.acting:
                fight.do("next")
            fight.do("begin-turn")
        assert fight.conditions("friend") == ["frail"]
        assert fight.one("friend").sheet["hp"] == 1
        assert fight.shown("friend")["unable"] == ""

    def test_a_body_that_stabilizes_itself(self, fight: Table) -> None:
        fight.do(
            "set",
            combatant="me",
            fields={"augmentations": ["emergency-stabilization-factor"], "system_strain": 13},
        )
        fall(fight, "me")
        fight.do("next")
        fight.act("me", "emergency-stabilization", by=fight.player("me"))
        assert fight.conditions("me") == ["stabilized"]
        assert fight.one("me").sheet["system_strain"] == 14
        fall(fight, "me")
        fight.do("set", combatant="me", remove=["stabilized"])
        assert fight.refused("act", combatant="me", action="emergency-stabilization")

    def test_only_the_mortally_wounded_are_stabilized(self, fight: Table) -> None:
        reasons = fight.refused("act", combatant="me", action="stabilize", target="friend")
        assert any("a mortally wounded patient" in reason for _, reason in reasons)


class TestHealing:
    def test_first_aid_costs_strain_and_stops_at_what_somebody_had_at_first(self, fight: Table) -> None:
        fight.do("set", combatant="friend", fields={"hp": 57})
        fight.act("me", "first-aid", "friend")
        fight.dice([6])
        assert fight.one("friend").sheet["hp"] == 60
        assert fight.one("friend").sheet["system_strain"] == 1

    def test_doses_of_lurch_add_up(self, fight: Table) -> None:
        for action in ("give-lurch", "give-lurch"):
            fight.act("me", action)
            fight.dice([1])
            fight.do("next")
            to_slot(fight, "me")
        assert fight.conditions("me") == ["lurch-dose", "lurch-dose"]
        assert fight.one("me").sheet["system_strain"] == 2
        reasons = fight.refused("act", combatant="me", action="give-lurch")
        assert reasons == [("not_skilled", "Each dose of Lurch in a day takes a level of Heal more")]


class TestMorale:
    def test_the_broken_are_told(self, fight: Table) -> None:
        fight.do("set", combatant="foe", fields={"morale": 8})
        fight.act("foe", "check-morale", situation={"morale_check": {"trigger": "ally-died"}})
        fight.dice([4, 4])
        assert fight.conditions("foe") == ["morale-broken"]

    def test_pcs_never_check(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"morale": 8})
        reasons = fight.refused("act", combatant="me", action="check-morale")
        assert reasons

    def test_drugs_hold_the_nerve(self, fight: Table) -> None:
        """Of Boneshaker and Psycho together 2 and not 4; Olympus once in a scene."""
        fight.do(
            "set", combatant="foe", fields={"morale": 7}, add=["on-boneshaker", "on-psycho", "on-olympus"]
        )
        event = fight.act("foe", "check-morale")
        assert total(event, "morale.score") == 9
        fight.dice([6, 6])
        fight.dice([1, 1])
        assert "morale-broken" not in fight.conditions("foe")
        assert "olympus-steadied" in fight.conditions("foe")
        fight.act("foe", "check-morale")
        fight.dice([6, 6])
        assert "morale-broken" in fight.conditions("foe")


class TestDrugs:
    def test_boneshaker_in_an_attack(self, fight: Table) -> None:
        event = fight.act("me", "use-drug", situation={"drug": "boneshaker"})
        assert event.data["payment"] == {"main": 1}
        assert fight.conditions("me") == ["on-boneshaker"]
        to_slot(fight, "foe")
        to_slot(fight, "me")
        hold(fight, "sword")
        event = fight.act("me", "melee-attack", "foe")
        added = {
            entry["id"]: entry["value"]
            for one in event.data["step"]["open"]["tallies"]
            if one["to"] == "attack.bonus"
            for entry in one["entries"]
            if entry["verdict"] == "applied"
        }
        assert added["boneshaker"] == 2

    def test_what_boneshaker_leaves(self, fight: Table) -> None:
        fight.act("me", "use-drug", situation={"drug": "boneshaker"})
        fight.act("me", "drug-wears-off", situation={"drug": {"use": "boneshaker"}})
        assert fight.conditions("me") == []
        assert fight.one("me").sheet["system_strain"] == 2

    def test_too_much_strain_knocks_out(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"system_strain": 13}, add=["on-boneshaker"])
        fight.act("me", "drug-wears-off", situation={"drug": {"use": "boneshaker"}})
        assert fight.conditions("me") == ["unconscious"]
        assert fight.one("me").sheet["system_strain"] == 14

    def test_avalanche_lends_hit_points(self, fight: Table) -> None:
        fight.do("set", combatant="friend", fields={"hp": 20})
        fight.act("me", "use-drug", "friend", situation={"drug": "avalanche"})
        assert fight.one("friend").sheet["hp"] == 30
        fight.do("set", combatant="friend", fields={"hp": 26})
        fight.act("friend", "drug-wears-off", situation={"drug": {"use": "avalanche"}})
        assert fight.one("friend").sheet["hp"] == 20
        assert fight.conditions("friend") == []


class TestPoison:
    def test_hellbender_harms_in_each_round_until_it_ends(self, fight: Table) -> None:
        """A failed save, two rounds, and 1d10 as each of them ends."""
        fight.do("set", combatant="foe", fields={"save": 15})
        fight.act("foe", "be-poisoned", situation={"drug": "hellbender"})
        fight.dice([2])
        fight.dice([2])
        assert fight.conditions("foe") == ["poisoned-hellbender"]
        assert fight.one("foe").sheet["hp"] == 90
        lost = []
        for _ in range(4):
            before = fight.one("foe").sheet["hp"]
            while fight.acting:
                fight.do("next")
            if fight.state.phase == "due":
                fight.act("foe", "suffer-poison", timer=fight.state.due)
                fight.dice([7])
                fight.do("next")
            lost.append(before - fight.one("foe").sheet["hp"])
            fight.do("begin-turn")
        assert lost == [7, 7, 0, 0]
        assert fight.conditions("foe") == []
        audited(fight)

    def test_the_poison_of_the_dead_is_over(self, fight: Table) -> None:
        fight.do("set", combatant="foe", fields={"save": 15})
        fight.act("foe", "be-poisoned", situation={"drug": "hellbender"})
        fight.dice([2])
        fight.dice([2])
        assert fight.state.timers
        fight.do("set", combatant="foe", add=["dead"])
        assert not fight.state.timers

    def test_whoever_is_saved_suffers_nothing(self, fight: Table) -> None:
        fight.act("foe", "be-poisoned", situation={"drug": "hellbender"})
        fight.dice([20])
        assert fight.conditions("foe") == []
        assert not fight.state.timers


class TestChecks:
    def test_the_players_win_ties(self, fight: Table) -> None:
        situation = {"check": {"skills": ["exert"], "attributes": ["strength"]}}
        for who, other, wins in (("me", "foe", True), ("foe", "me", False)):
            to_slot(fight, who)
            fight.act(who, "make-check", other, situation=situation)
            fight.dice([3, 3])
            event = fight.dice([3, 3])
            assert event.data["steps"][0]["outcome"]["success"] is wins

    def test_masterful_expertise_once_in_a_scene(self, fight: Table) -> None:
        fight.do("set", combatant="me", fields={"edges": ["masterful-expertise"]}, asks=True)
        situation = {"check": {"skills": ["notice"], "attributes": ["wisdom"], "difficulty": 12}}
        fight.act("me", "make-check", situation=situation)
        fight.dice([1, 1])
        assert fight.question()["decision"] == "masterful-expertise"
        fight.answer("reroll")
        event = fight.dice([6, 6])
        assert event.data["steps"][0]["outcome"]["success"] is True
        assert fight.conditions("me") == ["expertise-used"]
        to_slot(fight, "foe")
        to_slot(fight, "me")
        fight.act("me", "make-check", situation=situation)
        event = fight.dice([1, 1])
        assert event.data["steps"][0]["outcome"]["success"] is False

    def test_whoever_is_stolen_upon_is_surprised(self, fight: Table) -> None:
        fight.act("me", "sneak-up", "foe")
        fight.dice([5, 5])
        fight.dice([2, 2])
        assert fight.conditions("foe") == ["surprised"]


def test_whoever_joins_hurt_is_whole_at_what_the_packs_say(fight: Table) -> None:
    fight.join({"use": "wren", "hp": 5}, id="wren", player=True)
    assert fight.one("wren").sheet["hp_maximum"] == 14
    fight.join({"use": "wren", "hp": 20, "hp_maximum": 20}, id="other", player=True)
    assert fight.one("other").sheet["hp_maximum"] == 20


def test_a_blow_at_the_dying_does_not_give_them_more_time(fight: Table) -> None:
    fall(fight, "foe")
    fight.do("next")
    to_slot(fight, "me")
    (condition,) = fight.one("foe").conditions
    hold(fight, "sword")
    fight.act("me", "melee-attack", "foe", confirm=True)
    fight.dice([19])
    while fight.steps():
        question = fight.question()
        fight.dice(*([1] * group["count"] for part in question["parts"] for group in part["groups"]))
    assert [one for one in fight.one("foe").conditions if one.slug == "mortally-wounded"] == [condition]


def test_reset_wears_off_by_itself(fight: Table) -> None:
    """Five minutes are fifty rounds; the save is at 16 - 5 - 1 and 0."""
    fight.do("set", combatant="me", fields={"system_strain": 6, "permanent_strain": 2, "constitution": 14})
    fight.act("me", "use-drug", situation={"drug": "reset"}, by=fight.player("me"))
    assert fight.one("me").sheet["system_strain"] == 2
    (timer,) = fight.state.timers.values()
    assert (timer.action, timer.turn, timer.situation) == ("drug-wears-off", 50, {"drug": {"use": "reset"}})
    while fight.state.phase != "due":
        fight.do("next" if fight.acting else "begin-turn")
    assert fight.state.turn == 50
    fight.act("me", "drug-wears-off", timer=fight.state.due)
    fight.dice([10])
    assert fight.one("me").sheet["system_strain"] == 14
    assert fight.one("me").sheet["hp"] == 1
    assert fight.conditions("me") == []
    fight.do("next")
    assert fight.state.phase == "turn-over"


def test_a_player_does_not_say_how_able_somebody_is(fight: Table) -> None:
    situation = {"tester": {"skill_bonus": 9}, "check": {"skills": ["fix"], "difficulty": 9}}
    with pytest.raises(ForbiddenError):
        fight.act("me", "make-check", situation=situation, by=fight.player("me"))
    fight.act("me", "make-check", situation=situation)


def test_doses_are_used_up_where_they_are_counted(fight: Table) -> None:
    """Pim of the pack carries two doses of Lurch and three Trauma Patches."""
    fight.join("pim", id="pim", side="players", dice="hand")
    fight.do("next")
    to_slot(fight, "pim")
    fall(fight, "friend")
    fight.act("pim", "apply-trauma-patch", "friend")
    fight.dice([1, 1, 1])  # the focus Healer
    assert fight.one("pim").items["trauma-patch"]["rounds"] == 2
    fight.do("set", combatant="pim", items={"lurch": {"rounds": 1}})
    to_slot(fight, "foe")
    to_slot(fight, "pim")
    fight.act("pim", "give-lurch", "me")
    fight.dice([4])
    assert fight.one("pim").items["lurch"]["rounds"] == 0
    to_slot(fight, "foe")
    to_slot(fight, "pim")
    reasons = fight.refused("act", combatant="pim", action="give-lurch", target="me")
    assert reasons == [("no_dose", "No dose is left to give")]
