"""Checks, saves, Morale, injuries, healing, drugs, poison: odds, numbers, what requests lack (cwn.md 1, 9 to 11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from cwn_table import Answers, distribution, every_path, facts_of, play, prepare, shelf
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import scale

from fracas.errors import InputError
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.stage import Fork, from_json, to_json
from fracas.kernel.tally import HandModifier
from fracas.rulesets.cwn import RULESET
from fracas.rulesets.cwn.checks.saves import KINDS, better_attribute, least_face, save_base
from fracas.rulesets.cwn.checks.skill_check import is_won
from fracas.rulesets.cwn.harms.care import forced_strain
from fracas.rulesets.cwn.harms.harm import (
    MORTALLY_WOUNDED,
    Hurt,
    InjuryEnd,
    Risk,
    after_harm,
    injured,
    injury_rows,
)

Situation = dict[str, Any]

SAMPLES: Mapping[str, list[Situation]] = {
    "skill-check": [
        {
            "tester": {"skills": {"fix": 1}, "intelligence": 14, "masterful_expertise": True},
            "helper": {"skill_bonus": 1},
            "check": {"skills": ["fix"], "attributes": ["intelligence"], "difficulty": 10},
        },
        {
            "tester": {"skill_bonus": 2, "player": True, "masterful_expertise": True},
            "opponent": {"skills": {"exert": 1}, "dexterity": 14},
            "check": {"skills": ["exert"], "attributes": ["dexterity"]},
            "chase": {"on": "foot", "stunts": 1, "enraged": True},
        },
        {"tester": {"skill_bonus": 2}, "check": {"difficulty": 8, "drop_lowest": True, "aided": True}},
    ],
    "saving-throw": [
        {"saver": "wren", "save": {"kind": "luck", "bonus": 2}},
        {"saver": "gang-boss", "save": {"kind": "mental"}},
    ],
    "morale": [{"tester": {"morale": 8, "drugs": ["olympus", "boneshaker"]}, "morale_check": {"led": 1}}],
    "reaction-roll": [{"face": {"charisma": 18}, "reaction": {"bonus": -1}}],
    "major-injury": [
        {"victim": {"save": 13, "traumatic_before": True, "injury_roll": -1}},
        {"victim": {"save": 13, "traumatic_before": True, "augmentations": ["redundant-systems"]}},
    ],
    "stabilize": [
        {
            "healer": {"skills": {"heal": 1}, "dexterity": 12, "intelligence": 12, "foci": {"healer": 1}},
            "patient": {"rounds_down": 3},
            "stabilizing": {"medkit": False, "aided": True},
        }
    ],
    "first-aid": [
        {"healer": {"skills": {"heal": 2}}, "patient": {"hp": 1, "hp_maximum": 6}, "aid": {"medkit": True}}
    ],
    "frailty": [
        {
            "healer": {"skills": {"heal": 0}, "dexterity": 14},
            "patient": {},
            "frailty": {"way": "treatment", "medkit": True},
        },
        {"healer": {"save": 12}, "frailty": {"way": "unattended"}},
    ],
    "take-drug": [
        {
            "giver": {"save": 12, "constitution": 12, "system_strain": 6, "permanent_strain": 3, "hp": 9},
            "drug": {"use": "reset", "worn_off": True},
        }
    ],
    "poison": [
        {"victim": {"save": 12, "hp": 6, "named": True, "traumatic_before": True}, "drug": {"damage": "2d4"}},
        {"victim": {"save": 12, "hp": 6}, "drug": "chokeout", "medic": {"skills": {"heal": 1}}},
    ],
}
"""Situations of the procedures that roll."""

CASES = [(procedure, at) for procedure, found in SAMPLES.items() for at in range(len(found))]


@pytest.mark.parametrize(("procedure", "at"), CASES)
def test_odds_are_what_all_dice_give(procedure: str, at: int) -> None:
    """And every stage on the way survives JSON."""
    chosen = {("masterful-expertise", "tester"): "reroll"}
    prepared = prepare(SAMPLES[procedure][at], open_={"masterful-expertise"}, procedure=procedure)
    assert prepared.stage is not None
    found = distribution(prepared.stage, Answers(chosen))
    expected: dict[Any, float] = {}
    for outcome, chance, _ in every_path(prepared.stage, Answers(chosen)):
        expected[outcome] = expected.get(outcome, 0) + chance
        assert from_json(to_json(outcome)) == outcome
    assert set(found.outcomes) == set(expected)
    for outcome, weight in found.outcomes.items():
        assert weight / found.total == pytest.approx(expected[outcome])
    measures = RULESET.procedures[procedure].measures
    for measure in measures:
        values = [measure.of(outcome.notes()) for outcome in found.outcomes]
        assert all(isinstance(value, float) for value in values)


@pytest.mark.parametrize(("procedure", "at"), CASES)
def test_each_number_can_be_rebuilt(procedure: str, at: int) -> None:
    """The chain with one more in a number is the one that a modifier typed by hand gives."""
    situation = SAMPLES[procedure][at]
    prepared = prepare(situation, procedure=procedure)
    if prepared.rebuild is None:
        return
    for tally in prepared.tallies:
        typed = prepare(situation, hand=[HandModifier(tally.to, "More", 1)], procedure=procedure)
        changed = next(one for one in typed.tallies if one.to == tally.to)
        assert changed.total == tally.total + 1
        assert prepared.rebuild(changed) == typed.stage
        assert typed.stage != prepared.stage


LACKING: list[tuple[str, Situation, str]] = [
    ("skill-check", {"tester": {"skill_bonus": 1}}, "situation.check.difficulty"),
    ("skill-check", {"tester": {}, "check": {"difficulty": 8}}, "situation.tester.skills"),
    (
        "skill-check",
        {"tester": {"strength": 10}, "check": {"skills": ["fix"], "difficulty": 8}},
        "situation.tester.skills",
    ),
    ("saving-throw", {"saver": {"save": 12}}, "situation.save.kind"),
    ("saving-throw", {"saver": {}, "save": {"kind": "luck"}}, "situation.saver.save"),
    (
        "saving-throw",
        {"saver": {"level": 1, "wisdom": 10}, "save": {"kind": "mental"}},
        "situation.saver.charisma",
    ),
    ("morale", {"tester": {}}, "situation.tester.morale"),
    ("major-injury", {"victim": {"save": 12}}, "situation.victim.traumatic_before"),
    ("stabilize", {"healer": {"skill_bonus": 1}, "patient": {"hp": 0}}, "situation.patient.rounds_down"),
    (
        "stabilize",
        {"healer": {"skill_bonus": 1}, "patient": {"rounds_down": 1}},
        "situation.stabilizing.medkit",
    ),
    ("first-aid", {"healer": {}, "patient": {"hp": 1}}, "situation.healer.skills"),
    ("rest", {"sleeper": {"hp": 1}}, "situation.sleeper.level"),
    ("frailty", {"healer": {}}, "situation.frailty.way"),
    ("take-drug", {"giver": {}}, "situation.drug"),
    ("take-drug", {"giver": {}, "drug": "reset"}, "situation.giver.system_strain"),
    ("poison", {"victim": {}, "drug": "chokeout"}, "situation.victim.save"),
    ("poison", {"victim": {"save": 12}, "drug": {"damage": "much"}}, "situation.drug.damage"),
]


@pytest.mark.parametrize(("procedure", "situation", "path"), LACKING)
def test_what_a_request_lacks_is_told(procedure: str, situation: Situation, path: str) -> None:
    with pytest.raises(InputError) as caught:
        prepare(situation, procedure=procedure)
    assert path in [problem.path for problem in caught.value.problems]


class TestSaves:
    @given(st.integers(-30, 60))
    def test_a_1_fails_and_a_20_saves(self, target: int) -> None:
        assert 1 < least_face(target) <= 20
        if 2 <= target <= 20:
            assert least_face(target) == target

    @given(st.sampled_from(KINDS), st.integers(1, 10), st.lists(st.integers(3, 18), min_size=6, max_size=6))
    def test_characters_save_by_level_and_the_better_attribute(
        self, kind: str, level: int, scores: list[int]
    ) -> None:
        names = ("strength", "constitution", "dexterity", "intelligence", "wisdom", "charisma")
        facts: dict[str, Any] = {f"one.{name}": score for name, score in zip(names, scores, strict=True)}
        facts["one.level"] = level
        pairs = {"physical": names[:2], "evasion": names[2:4], "mental": names[4:], "luck": ()}
        best = better_attribute(facts, "one", pairs[kind])
        base = save_base(facts, "one", kind)
        assert base is not None
        assert sum(entry.value or 0 for entry in base) == 16 - level - (best[1] if best else 0)

    def test_every_combatant_of_the_pack_saves_by_what_its_block_says(self) -> None:
        for entry in shelf().entries("combatant"):
            if "save" in entry.data:
                prepared = prepare({"saver": entry.slug, "save": {"kind": "luck"}}, procedure="saving-throw")
                assert [tally.total for tally in prepared.tallies] == [entry.data["save"]], entry.id

    def test_a_gut_wound_lowers_the_modifier(self) -> None:
        saver = {"level": 1, "strength": 8, "constitution": 14, "constitution_change": -1}
        prepared = prepare({"saver": saver, "save": {"kind": "physical"}}, procedure="saving-throw")
        assert prepared.tallies[0].total == 15


class TestHeavyArmor:
    """Section 7: each heavy piece takes 1 off Sneak and Exert, and off nothing else."""

    def total(self, used: list[str], **tester: Any) -> int:
        situation = {"tester": tester, "check": {"skills": used, "difficulty": 8}}
        (tally,) = prepare(situation, procedure="skill-check").tallies
        return tally.total

    @pytest.mark.parametrize(
        ("skill", "armor", "total"),
        [
            ("sneak", ["plated-longcoat", "absorption-plates"], 2 - 2),
            ("exert", ["heavy-armored-suit"], 2 - 1),
            ("sneak", ["street-leathers"], 2),
            ("notice", ["plated-longcoat", "joint-reinforcement"], 2),
        ],
    )
    def test_what_it_takes_off(self, skill: str, armor: list[str], total: int) -> None:
        assert self.total([skill], skills={skill: 2}, armor=armor) == total

    def test_of_several_skills_the_best_in_that_armor_serves(self) -> None:
        armor = ["plated-longcoat", "absorption-plates"]
        assert self.total(["exert", "punch"], skills={"exert": 2, "punch": 1}, armor=armor) == 1

    def test_the_bonus_of_a_stat_block_has_it_in_it(self) -> None:
        assert self.total(["sneak"], skill_bonus=2, armor=["heavy-armored-suit"]) == 2


@given(st.integers(0, 30), st.integers(0, 30), st.booleans(), st.booleans())
def test_one_side_of_an_opposed_check_wins(mine: int, theirs: int, player: bool, other: bool) -> None:
    won = is_won(mine, theirs, player, other)
    if mine != theirs:
        assert won == (mine > theirs)
    elif player != other:
        assert won == player
        assert is_won(theirs, mine, other, player) != won
    else:
        assert not won


class TestInjuries:
    @settings(max_examples=scale(20, 60))
    @given(st.integers(-12, 24), st.sets(st.sampled_from(("head", "eyes", "right-leg", "left-arm"))))
    def test_every_total_has_a_row(self, rolled: int, spared: set[str]) -> None:
        risk = Risk(12, True, 0, False, False, injury_rows(shelf(), spared))
        hurt = injured(Hurt(0, 0, 0, None, MORTALLY_WOUNDED), risk, rolled)
        assert hurt.injury
        assert (hurt.down == "dead") == (rolled <= 1)
        if rolled >= 11:
            assert hurt.injury == "flesh-wound"
            assert not hurt.injured

    def test_only_what_the_rule_names_calls_for_a_save(self) -> None:
        risk = Risk(12, False, 0, False, False, injury_rows(shelf()))
        for down, traumatic, before, saves in (
            (MORTALLY_WOUNDED, True, False, True),
            (MORTALLY_WOUNDED, False, True, True),
            (MORTALLY_WOUNDED, False, False, False),
            ("dead", True, True, False),
            ("incapacitated", True, True, False),
            ("none", True, True, False),
        ):
            end = InjuryEnd(Hurt(5, 0, 5, 5, down, traumatic))
            stage = after_harm(end, "victim", risk._replace(before=before))
            assert (stage != end) == saves
            assert after_harm(end, "victim", risk._replace(before=before, exempt=True)) == end

    def test_what_is_not_known_is_said_so(self) -> None:
        risk = Risk(None, True, 0, False, False, injury_rows(shelf()))
        end = after_harm(InjuryEnd(Hurt(5, 0, 5, 5, MORTALLY_WOUNDED)), "victim", risk)
        assert end.notes()["major_injury"] == "unknown"

    def test_branches_of_a_fork_have_odds_of_their_own(self) -> None:
        risk = Risk(13, True, 0, False, False, injury_rows(shelf()))
        end = InjuryEnd(Hurt(5, 0, 5, 5, MORTALLY_WOUNDED))
        fork = Fork(
            (
                ("one", after_harm(end, "one", risk)),
                ("other", after_harm(end, "other", risk._replace(save=20))),
            )
        )
        found = odds(fork, Transitions(Answers()))
        for name, chance in (("one", 12 / 20), ("other", 19 / 20)):
            injured_ = found.branches[name].chance(lambda stage: stage.notes()["major_injury"] != "none")
            assert float(injured_) == pytest.approx(chance)

    def test_a_skull_citadel_keeps_the_head_whole(self) -> None:
        victim = {"save": 20, "traumatic_before": True, "augmentations": ["skull-citadel"]}
        for rolled, injury in ((3, "flesh-wound"), (4, "flesh-wound"), (2, "internal-damage")):
            progress = play({"victim": victim}, [[2], [rolled]], procedure="major-injury")
            assert facts_of(progress)["major_injury"] == injury


class TestStrain:
    @given(st.integers(0, 10), st.integers(0, 10))
    def test_forced_strain_fills_and_then_knocks_out(self, points: int, room: int) -> None:
        effects = list(forced_strain("one", points, room))
        gained = sum(effect.amount or 0 for effect in effects if effect.type == "gain")
        assert gained == min(points, room)
        assert any(effect.what == "unconscious" for effect in effects) == (points > room)

    def test_where_nothing_is_told_nothing_is_refused(self) -> None:
        situation = {"healer": {"skills": {"heal": 0}}, "patient": {"hp": 1}, "aid": {"medkit": True}}
        assert not prepare(situation, procedure="first-aid").refusals
        full = {**situation, "patient": {"hp": 1, "constitution": 9, "system_strain": 9}}
        assert [one.code for one in prepare(full, procedure="first-aid").refusals] == ["strain_full"]
        full["patient"] = {**full["patient"], "recovery_points": 1}
        assert not prepare(full, procedure="first-aid").refusals
