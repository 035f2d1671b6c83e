"""Drones, vehicles and programs of Cities Without Number beside a second opinion, which counts every throw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from cwn_table import Answers, facts_of, play, prepare, shelf
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import scale

from fracas.errors import InputError
from fracas.kernel.odds import Odds, Transitions, odds
from fracas.kernel.tally import Entry, HandModifier
from fracas.rulesets.cwn import RULESET
from fracas.rulesets.cwn.machines.hack import DEVICE_VERBS
from fracas.rulesets.cwn.vocabulary import VEHICLE_FITTINGS

ONE_DIE = range(1, 21)
TWO_DICE = [first + second for first, second in product(range(1, 7), repeat=2)]
HACKER = {"skills": {"program": 2}, "intelligence": 14}
SOMEBODY = {
    "ranged_ac": 13,
    "melee_ac": 13,
    "trauma_target": 6,
    "soak": 2,
    "hp": 20,
    "save": 14,
    "named": True,
}
RIDER = {"save": 14, "soak": 0, "hp": 12, "hp_maximum": 15, "named": False}


def found(procedure: str, situation: Mapping[str, Any], hand: tuple[HandModifier, ...] = ()) -> Odds:
    prepared = prepare(situation, hand=hand, procedure=procedure)
    assert prepared.stage is not None, prepared.refusals
    return odds(prepared.stage, Transitions(Answers()))


def chance(told: Odds, branch: str = "", **facts: Any) -> Fraction:
    """The chance that a branch ends with these facts."""
    there = told.branches[branch] if branch else told.only
    weight = sum(
        weight
        for stage, weight in there.outcomes.items()
        if all(stage.notes().get(name) == value for name, value in facts.items())
    )
    return Fraction(weight, there.total)


def mean(told: Odds, branch: str, fact: str) -> Fraction:
    there = told.branches[branch] if branch else told.only
    weighed = sum(int(stage.notes().get(fact) or 0) * weight for stage, weight in there.outcomes.items())
    return Fraction(weighed, there.total)


def wins(mine: int, theirs: int, *, ties: bool = False) -> Fraction:
    """The chance of an opposed check."""
    won = [
        left + mine > right + theirs or (ties and left + mine == right + theirs)
        for left, right in product(TWO_DICE, repeat=2)
    ]
    return Fraction(sum(won), len(won))


def saves(target: int) -> Fraction:
    return Fraction(sum(face == 20 or (face > 1 and face >= target) for face in ONE_DIE), 20)


class TestVehicles:
    @pytest.mark.parametrize("save", [2, 9, 14, 25])
    def test_two_saves_of_a_crash(self, save: int) -> None:
        told = found("crash", {"vehicle": "car", "victim_1": {**RIDER, "save": save}})
        made = saves(save)
        assert chance(told, "victim_1", result="fine", hp_after=12) == made**2
        assert chance(told, "victim_1", result="one-failed", hp_after=5) == 2 * made * (1 - made)
        assert chance(told, "victim_1", result="both-failed", down="dead") == (1 - made) ** 2

    def test_half_the_maximum_may_be_all_that_is_left(self) -> None:
        rider = {**RIDER, "hp": 7, "named": True, "traumatic_before": True}
        progress = play({"vehicle": "car", "victim_1": rider}, [[2], [20], [14]], procedure="crash")
        facts = facts_of(progress)
        assert facts["victim_1.down"] == "mortally-wounded"
        assert facts["victim_1.major_injury"] == "none"

    def test_a_body_that_bears_no_injury_bears_none_in_a_crash(self) -> None:
        for spared in ({"foci": {"all-natural": 1}}, {"augmentations": ["full-body-conversion"]}):
            rider = {**RIDER, "named": True, **spared}
            facts = facts_of(play({"vehicle": "car", "victim_1": rider}, [[2], [2]], procedure="crash"))
            assert facts["victim_1.down"] == "mortally-wounded"
            assert "victim_1.major_injury" not in facts
        rider = {**RIDER, "named": True, "augmentations": ["redundant-systems"]}
        facts = facts_of(play({"vehicle": "car", "victim_1": rider}, [[2], [2]], procedure="crash"))
        assert facts["victim_1.major_injury"] == "redundant-systems-broken"

    def test_a_house_rule_rounds_halves_up(self) -> None:
        situation = {"vehicle": "car", "victim_1": RIDER}
        up = play(situation, [[2], [20]], options={"half_rounding": "up"}, procedure="crash")
        assert facts_of(up)["victim_1.hp_loss"] == 8
        wreck = {"vehicle": {"use": "car", "wreck_damage": 11}, "victim_1": RIDER}
        up = play(wreck, [[20]], options={"half_rounding": "up"}, procedure="vehicle-destroyed")
        assert facts_of(up)["victim_1.hp_loss"] == 6

    def test_luck_averts_a_crash_beforehand(self) -> None:
        situation = {"vehicle": "car", "crash": {"uncontrolled": True}, "victim_1": RIDER}
        told = found("crash", situation)
        made = saves(14)
        assert chance(told, "crash", result="crashed") == 1 - made
        assert chance(told, "victim_1", result="fine") == (1 - made) * made**2
        prepared = prepare(situation, procedure="crash")
        assert prepared.rebuild is not None
        luck = next(tally for tally in prepared.tallies if tally.to == "victim_1.save.luck")
        stage = prepared.rebuild(raised(luck, -4))
        assert stage is not None
        assert stage.awaits.request.target == 10  # type: ignore[union-attr]

    @pytest.mark.parametrize(("mine", "theirs", "ties"), [(2, 1, False), (0, 3, False), (1, 1, True)])
    def test_ramming_somebody(self, mine: int, theirs: int, ties: bool) -> None:
        situation = {
            "attacker": {"skill_bonus": mine, "player": ties},
            "target": {**SOMEBODY, "hp": 100, "skill_bonus": theirs},
            "vehicle": {"machine": True, "hp": 20, "hp_maximum": 30},
        }
        told = found("ram", situation)
        rammed, struck, traumatic = wins(mine, theirs, ties=ties), 1 - saves(14), Fraction(7, 12)
        assert sum(chance(told, branch, hp_loss=28) for branch in told.branches) == pytest.approx(
            float(rammed * struck * (1 - traumatic))
        )
        assert sum(chance(told, branch, hp_loss=88) for branch in told.branches) == pytest.approx(
            float(rammed * struck * traumatic)
        )

    def test_a_vehicle_at_rest_is_rammed_without_a_check(self) -> None:
        situation = {"attacker": {"skill_bonus": 0}, "target": "motorcycle", "vehicle": "car"}
        prepared = prepare(situation, procedure="ram")
        assert [tally.to for tally in prepared.tallies if tally.to.startswith("ram.")] == ["ram.check"]
        facts = facts_of(play(situation, [[1], [1]], procedure="ram"))
        assert facts["ram.result"] == "rammed"

    def test_what_is_immune_to_guns_is_not_to_vehicles(self) -> None:
        situation = {"attacker": {"skill_bonus": 0}, "target": "tank", "vehicle": "apc"}
        facts = facts_of(play(situation, [[12], [1]], procedure="ram"))
        assert (facts["target.damage"], facts["vehicle.damage"]) == (90, 30)

    @pytest.mark.parametrize("fittings", [[], ["armor-plating"], ["reactive-defenses"], [*VEHICLE_FITTINGS]])
    def test_fittings(self, fittings: list[str]) -> None:
        rows = shelf().entry("table", "vehicle-fittings")
        assert rows is not None
        armor = 6 + sum(rows.data["rows"][slug].get("armor", 0) for slug in fittings)
        situation = {
            "attacker": {"attack_bonus_ranged": 40},
            "target": {"use": "car", "vehicle_fittings": fittings},
            "weapon": "anti-materiel-rifle",
            "attack": {"rested": True},
            "distance": 10,
        }
        assert facts_of(play(situation, [[1], [8, 8, 8], [1]]))["damage"] == 24 - armor

    def test_a_blast_finds_the_fittings_too(self) -> None:
        situation = {
            "attacker": {},
            "aim": "goes-off",
            "weapon": "grenade-frag",
            "target": {"use": "car", "vehicle_fittings": ["augmented-armor"]},
        }
        facts = facts_of(play(situation, [[6, 6]], procedure="blast"))
        assert facts["target.damage"] == 12 - 9

    @pytest.mark.parametrize(
        ("procedure", "situation", "missing"),
        [
            ("crash", {"vehicle": "car"}, {"situation.victim_1"}),
            ("crash", {"vehicle": "car", "victim_1": {"hp": 3}}, {"situation.victim_1.save"}),
            ("vehicle-destroyed", {"vehicle": {"wreck_damage": 3}}, {"situation.victim_1"}),
            ("vehicle-destroyed", {"vehicle": "car", "victim_1": RIDER}, {"situation.vehicle.wreck_damage"}),
            (
                "ram",
                {"attacker": {"skill_bonus": 1}, "target": {**SOMEBODY, "skill_bonus": 1}},
                {"situation.vehicle.hp_maximum"},
            ),
            ("drone-attack", {"attacker": {}, "target": SOMEBODY}, {"situation.volley.weapons"}),
            ("hack", {"hacker": HACKER, "target": {}}, {"situation.hack.verb"}),
            ("hack", {"hacker": HACKER, "hack": {"verb": "blind"}}, {"situation.target.hit_dice"}),
            (
                "hack",
                {"hacker": HACKER, "target": {"machine": True}, "hack": {"verb": "blind"}},
                {"situation.target.operator_level"},
            ),
            (
                "hack",
                {"hacker": HACKER, "hack": {"verb": "blind", "on": "network-device"}},
                {"situation.hack.security"},
            ),
            ("cyber-attack", {"hacker": HACKER, "target": {"skill_bonus": 1}}, {"situation.hack.verb"}),
            (
                "cyber-attack",
                {"hacker": HACKER, "target": {"demon": True}, "hack": {"verb": "stun"}},
                {"situation.target.skill_bonus"},
            ),
        ],
    )
    def test_what_is_missing_is_named(
        self, procedure: str, situation: dict[str, Any], missing: set[str]
    ) -> None:
        with pytest.raises(InputError) as error:
            prepare(situation, procedure=procedure)
        assert missing <= {problem.path for problem in error.value.problems}


def raised(tally: Any, value: int) -> Any:
    """A tally with one more part."""
    return tally._replace(entries=(*tally.entries, Entry("more", "More", value)), total=tally.total + value)


class TestDrones:
    OPERATOR: Mapping[str, Any] = {
        "base_attack_bonus": 2,
        "skills": {"drive": 1},
        "intelligence": 10,
        "dexterity": 14,
        "foci": {},
    }

    def volley(self, **volley: Any) -> dict[str, Any]:
        return {
            "attacker": self.OPERATOR,
            "target": SOMEBODY,
            "target_2": {**SOMEBODY, "ranged_ac": 11, "distance": 50},
            "volley": {"weapons": ["heavy-pistol", "combat-rifle"], **volley},
            "distance": 8,
        }

    def test_each_branch_is_an_attack_by_itself(self) -> None:
        told = found("drone-attack", self.volley())
        plain = {"weapon": "combat-rifle", "attacker": {"attack_bonus_ranged": 2, "foci": {}}, "distance": 50}
        alone = found("attack", {**plain, "target": {**SOMEBODY, "ranged_ac": 11}})
        for fact in ("damage", "hp_loss", "hit", "traumatic"):
            assert mean(told, "target_2", fact) == mean(alone, "", fact)
        aimed = found(
            "attack",
            {
                "weapon": "heavy-pistol",
                "attacker": {"base_attack_bonus": 2, "skill_level": 1, "attribute_modifier": 1},
                "target": SOMEBODY,
                "distance": 8,
            },
        )
        for fact in ("damage", "hp_loss", "hit", "traumatic"):
            assert mean(told, "target", fact) == mean(aimed, "", fact)

    def test_the_operator_may_aim_another_weapon(self) -> None:
        for aimed, bonuses in ((1, [4, 2]), (2, [2, 4]), (3, [2, 2])):
            totals = {
                tally.to: tally.total
                for tally in prepare(self.volley(aimed=aimed), procedure="drone-attack").tallies
            }
            assert [totals["attack.bonus"], totals["target_2.attack.bonus"]] == bonuses

    def test_the_better_skill_and_attribute_count(self) -> None:
        for skills, intelligence, total in (
            ({"drive": 1, "program": 3}, 18, 2 + 3 + 2),
            ({"shoot": 4}, 10, 2 - 2 + 1),
        ):
            situation = self.volley()
            situation["attacker"] = {**self.OPERATOR, "skills": skills, "intelligence": intelligence}
            tallies = prepare(situation, procedure="drone-attack").tallies
            assert next(tally.total for tally in tallies if tally.to == "attack.bonus") == total

    def test_what_the_operator_is_in_does_not_count(self) -> None:
        with pytest.raises(InputError):
            prepare(
                {**self.volley(), "attacker": {**self.OPERATOR, "engaged": True}}, procedure="drone-attack"
            )

    def test_refusals_of_any_weapon(self) -> None:
        situation = self.volley()
        situation["target_2"] = {**situation["target_2"], "distance": 5000}
        refusals = prepare(situation, procedure="drone-attack").refusals
        assert [refusal.code for refusal in refusals] == ["beyond_long_range"]
        situation = self.volley()
        situation["target"] = "apc"
        refusals = prepare(situation, procedure="drone-attack").refusals
        assert [refusal.code for refusal in refusals] == ["target_immune"]

    def test_a_modifier_by_hand_concerns_the_weapon_that_it_names(self) -> None:
        hand = (HandModifier("target_2.attack.bonus", "Luck", 5),)
        prepared = prepare(self.volley(), hand=hand, procedure="drone-attack")
        totals = {tally.to: tally.total for tally in prepared.tallies}
        assert (totals["attack.bonus"], totals["target_2.attack.bonus"]) == (4, 7)
        bare = prepare(self.volley(), procedure="drone-attack")
        assert bare.rebuild is not None
        bonus = next(tally for tally in bare.tallies if tally.to == "target_2.attack.bonus")
        rebuilt = bare.rebuild(raised(bonus, 5))
        assert rebuilt == prepared.stage


class TestHacking:
    @pytest.mark.parametrize(("save", "hit_dice"), [(15, 1), (12, 6), (8, 12)])
    def test_sabotage(self, save: int, hit_dice: int) -> None:
        target = {"hit_dice": hit_dice, "save": save}
        told = found("hack", {"hacker": HACKER, "target": target, "hack": {"verb": "sabotage"}})
        difficulty = 7 + -(-hit_dice // 3)
        works = Fraction(sum(dice + 2 >= difficulty for dice in TWO_DICE), 36)
        made = saves(save)
        assert chance(told, success=True) == works
        assert chance(told, sabotage="sabotaged") == works * (1 - made) ** 2
        assert chance(told, sabotage="frozen") == works * 2 * made * (1 - made)
        assert chance(told, sabotage="none") == works * made**2

    @pytest.mark.parametrize("player", [False, True])
    def test_whoever_defends_comes_first(self, player: bool) -> None:
        situation = {
            "hacker": {"skill_bonus": 3, "player": player},
            "target": {"hit_dice": 1, "defended": True},
            "defender": {"skill_bonus": 2},
            "hack": {"verb": "glitch"},
        }
        told = found("hack", situation)
        past = wins(5, 2, ties=player)
        works = Fraction(sum(dice + 5 >= 8 for dice in TWO_DICE), 36)
        assert chance(told, defended=True) == 1 - past
        assert chance(told, success=True) == past * works

    def test_every_verb_has_its_access_and_modifier(self) -> None:
        table = shelf().entry("table", "hacking-verbs")
        assert table is not None
        rows = table.data["rows"]
        avatars = RULESET.procedures["cyber-attack"].vocabulary.fields["hack.verb"].choices
        assert {*DEVICE_VERBS, *avatars} == set(rows)
        for verb in DEVICE_VERBS:
            hack: dict[str, Any] = {"verb": verb, "on": "network-device", "security": 8}
            if "device" not in rows[verb]["on"]:
                hack = {"verb": verb}
            prepared = prepare({"hacker": HACKER, "target": {"hit_dice": 2}, "hack": hack}, procedure="hack")
            assert prepared.facts["access_cost"] == rows[verb]["access"]
            checks = [tally.total for tally in prepared.tallies if tally.to == "hack.check"]
            assert checks == ([] if rows[verb]["check"] is None else [3 + rows[verb]["check"]])

    @pytest.mark.parametrize("level", [0, 1, 3])
    def test_stun_by_level(self, level: int) -> None:
        situation = {
            "hacker": {"skills": {"program": level}, "intelligence": 10},
            "target": {"skill_bonus": 1, "hp": 200, "shielding": 4, "neural_buffer": 3},
            "hack": {"verb": "stun"},
        }
        told = found("cyber-attack", situation)
        won = wins(level + 1, 1)
        throws = [sum(dice) for dice in product(range(1, 11), repeat=max(1, level))]
        lost = Fraction(sum(max(0, damage - 7) for damage in throws), len(throws))
        assert chance(told, success=True) == won
        assert mean(told, "", "hp_loss") == won * lost

    def test_kill_multiplies_before_what_shields(self) -> None:
        situation = {
            "hacker": {"skills": {"program": 1}, "intelligence": 10},
            "target": {"skill_bonus": 1, "hp": 200, "shielding": 10, "cyber_trauma_target": 5, "armor": []},
            "hack": {"verb": "kill"},
        }
        told = found("cyber-attack", situation)
        throws = [die * (3 if trauma >= 5 else 1) for die in range(1, 11) for trauma in range(1, 9)]
        lost = Fraction(sum(max(0, damage - 10) for damage in throws), len(throws))
        assert mean(told, "", "hp_loss") == wins(1, 1) * lost

    def test_what_raises_the_trauma_target_beside_armor(self) -> None:
        target = {"skill_bonus": 1, "armor": ["heavy-armored-suit"], "trauma_sources": ["hard-to-kill"]}
        situation = {"hacker": HACKER, "target": target, "hack": {"verb": "kill"}}
        totals = {tally.to: tally.total for tally in prepare(situation, procedure="cyber-attack").tallies}
        assert totals["trauma.target"] == 7

    @settings(max_examples=scale(20, 60), deadline=None)
    @given(
        shielding=st.integers(0, 30),
        buffer=st.integers(0, 30),
        hp=st.integers(1, 60),
        dice=st.tuples(st.integers(1, 10), st.integers(1, 10)),
        trauma=st.integers(1, 8),
    )
    def test_damage_is_neither_lost_nor_made(
        self, shielding: int, buffer: int, hp: int, dice: tuple[int, int], trauma: int
    ) -> None:
        target = {"skill_bonus": 0, "shielding": shielding, "neural_buffer": buffer, "hp": hp}
        situation = {
            "hacker": HACKER,
            "target": {**target, "cyber_trauma_target": 6, "named": False},
            "hack": {"verb": "kill"},
        }
        progress = play(situation, [[6, 6], [1, 1], [*dice], [trauma]], procedure="cyber-attack")
        facts = facts_of(progress)
        damage = sum(dice) * (3 if trauma >= 6 else 1)
        assert facts["shielding_absorbed"] + facts["buffer_absorbed"] + facts["hp_loss"] == damage
        assert facts["buffer_absorbed"] == 0 or facts["shielding_absorbed"] == shielding
        assert facts["hp_loss"] == 0 or facts["buffer_absorbed"] == buffer
        assert (facts["down"] == "dead") == (facts["hp_loss"] >= hp)
        spent = {effect.what: effect.amount for effect in progress.stage.effects() if effect.type == "spend"}
        assert spent.get("shielding", 0) == facts["shielding_absorbed"]
        assert spent.get("neural-buffer", 0) == facts["buffer_absorbed"]
