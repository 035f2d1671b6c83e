"""Shoves, grapples and execution attacks (rulebook sections 8.1 and 8.3): refusals, numbers, effects, odds."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from cwn_table import Answers, distribution, every_path, facts_of, play, prepare, rules
from hypothesis import given, settings
from hypothesis import strategies as st

from fracas.errors import InputError
from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.ruleset import Prepared
from fracas.kernel.stage import Effect, Stage, from_json, to_json
from fracas.rulesets.cwn import RULESET

BRAWLER = {"base_attack_bonus": 1, "strength": 14, "dexterity": 10, "skills": {"punch": 1, "exert": 2}}
FOE = {"ranged_ac": 12, "melee_ac": 12, "skill_bonus": 1}
SNIPER = {"dexterity": 14, "skills": {"shoot": 1}}
VICTIM = {"save": 12, "soak": 2, "hp": 4, "trauma_target": 6, "unsuspecting": True}
PISTOL = {
    "type": "gun", "skills": ["shoot"], "attributes": ["dexterity"], "damage": "1d2", "trauma_rating": 3,
    "range_normal": 10, "range_long": 40, "rounds": 3,
}  # fmt: skip


def bout(**more: Any) -> dict[str, Any]:
    return {"attacker": BRAWLER, "target": FOE, "weapon": "unarmed"} | more


def execution(**more: Any) -> dict[str, Any]:
    return {"attacker": SNIPER, "target": VICTIM, "weapon": PISTOL, "distance": 8} | more


def of(procedure: str, situation: dict[str, Any], **more: Any) -> Prepared:
    return prepare(situation, procedure=procedure, **more)


def totals(prepared: Prepared) -> dict[str, int]:
    return {tally.to: tally.total for tally in prepared.tallies}


def chance(stage: Stage | None, **facts: Any) -> Fraction:
    found = distribution(stage, DefaultPolicy())
    return found.chance(lambda end: facts.items() <= dict(end.notes()).items())


WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def won(mine: int, theirs: int, *, tie: bool) -> Fraction:
    """The chance to win an opposed check of 2d6 each."""
    good = sum(
        one * other
        for first, one in WAYS.items()
        for second, other in WAYS.items()
        if first + mine > second + theirs or (tie and first + mine == second + theirs)
    )
    return Fraction(good, 36 * 36)


class TestShove:
    def test_the_better_of_exert_and_punch_counts(self) -> None:
        assert totals(of("shove", bout()))["contest.first"] == 1 + 2

    @pytest.mark.parametrize(("size", "less"), [("alike", 0), ("larger", 2), ("barely-feasible", 4)])
    def test_size(self, size: str, less: int) -> None:
        assert totals(of("shove", bout(target=FOE | {"size": size})))["contest.first"] == 3 - less

    def test_there_is_no_damage_and_no_shock(self) -> None:
        sword = bout(weapon="sword", attacker=BRAWLER | {"skills": {"stab": 1, "punch": 0}})
        progress = play(sword, [[2]], procedure="shove")
        assert progress.effects() == ()
        assert facts_of(progress)["result"] == "miss"

    def test_the_target_may_answer_the_attack(self) -> None:
        able = FOE | {"can_total_defense": True}
        progress = play(bout(target=able), [[10]], {("total-defense", "target"): "defend"}, procedure="shove")
        assert facts_of(progress)["result"] == "miss"
        assert Effect("spend", "target", "main-action", 1) in progress.effects()

    @pytest.mark.parametrize(
        ("pc", "other", "tie"), [(True, False, True), (False, False, False), (True, True, False)]
    )
    def test_odds(self, pc: bool, other: bool, tie: bool) -> None:
        situation = bout(attacker=BRAWLER | {"player": pc}, target=FOE | {"player": other})
        stage = of("shove", situation).stage
        hit = Fraction(21 - (12 - 3), 20)  # base 1, Strength 1, Punch 1 against 12
        assert chance(stage, hit=True) == hit
        assert chance(stage, result="shoved") == hit * won(3, 1, tie=tie)

    def test_a_gun_shoves_nobody(self) -> None:
        prepared = of("shove", bout(weapon="heavy-pistol"))
        assert [refusal.code for refusal in prepared.refusals] == ["not_a_melee_weapon"]

    def test_what_is_missing_is_told(self) -> None:
        with pytest.raises(InputError) as caught:
            of("shove", {"weapon": "unarmed"})
        assert {problem.path for problem in caught.value.problems} >= {
            "situation.attacker.base_attack_bonus",
            "situation.target.melee_ac",
        }


class TestGrapple:
    def test_punch_alone_counts(self) -> None:
        assert totals(of("grapple", bout()))["contest.first"] == 1 + 1

    def test_odds_against_a_drone_are_those_of_the_attack(self) -> None:
        stage = of("grapple", bout(target={"melee_ac": 15, "ranged_ac": 15, "machine": True})).stage
        assert chance(stage, result="grappled") == Fraction(21 - (15 - 3), 20)

    def test_electric_skin_of_both(self) -> None:
        skin = {"augmentations": ["sharkskin-electrodes"]}
        both = bout(attacker=BRAWLER | skin, target=FOE | skin)
        progress = play(both, [[15], [6, 6], [1, 1]], procedure="grapple")
        scheduled = [
            (effect.who, effect.what, dict(effect.detail)["while"])
            for effect in progress.effects()
            if effect.type == "schedule"
        ]
        assert scheduled == [
            ("attacker", "grapple-damage", "grappling"),
            ("attacker", "sharkskin-shock", "grappling"),
            ("target", "sharkskin-shock-held", "grappled"),
        ]

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            ({"hands_free": False}, "grapple_hands_full"),
            ({"grappling": True}, "grapple_second_victim"),
        ],
    )
    def test_refused(self, said: dict[str, Any], code: str) -> None:
        prepared = of("grapple", bout(attacker=BRAWLER | said))
        assert [refusal.code for refusal in prepared.refusals] == [code]

    def test_escaping_takes_a_better_check_than_everybodys(self) -> None:
        held = {"strength": 10, "skills": {"punch": 0}}
        one = of("escape-grapple", {"escaper": held, "target": FOE_CHECK}).stage
        assert chance(one, escaped=True) == won(0, 1, tie=False)
        two = of("escape-grapple", {"escaper": held, "target": FOE_CHECK, "holder_2": FOE_CHECK}).stage
        # For each own total: the chance that both are lower.
        lower = {
            total: sum(ways for other, ways in WAYS.items() if other + 1 < total) for total in range(2, 13)
        }
        wanted = sum(Fraction(WAYS[total], 36) * Fraction(lower[total], 36) ** 2 for total in WAYS)
        assert chance(two, escaped=True) == wanted

    def test_getting_free_ends_what_everybody_holds(self) -> None:
        held = {"strength": 18, "skills": {"punch": 4}, "player": True}
        situation = {"escaper": held, "target": FOE_CHECK, "holder_3": FOE_CHECK}
        progress = play(situation, [[6, 6], [1, 1], [1, 1]], procedure="escape-grapple")
        assert [(effect.who, effect.what) for effect in progress.effects()] == [
            ("escaper", "grappled"),
            ("target", "grappling"),
            ("escaper", "grappled"),
            ("holder_3", "grappling"),
        ]

    def test_dragging_must_be_won(self) -> None:
        mine = {"strength": 14, "skills": {"punch": 1}, "player": True}
        stage = of("drag-grappled", {"attacker": mine, "target": FOE_CHECK}).stage
        assert chance(stage, result="drag") == won(2, 1, tie=False)


FOE_CHECK = {"skill_bonus": 1}


class TestExecution:
    @pytest.mark.parametrize(("distance", "difficulty"), [(2, 6), (8, 8), (40, 10)])
    def test_the_difficulty_follows_the_range(self, distance: int, difficulty: int) -> None:
        stage: Any = of("execution-attack", execution(distance=distance)).stage
        assert stage.awaits.request.target == difficulty
        assert stage.awaits.request.plus == 1 + 1

    def test_from_close_by_it_is_sure(self) -> None:
        blade = execution(weapon="knife", distance=1, attacker={"strength": 10, "skills": {"stab": 2}})
        prepared = of("execution-attack", blade)
        assert prepared.stage is not None
        assert prepared.stage.awaits is not None
        assert "execution.check" not in totals(prepared)
        assert totals(prepared)["execution.save"] == 12 + 2

    def test_an_assassin_needs_no_check_at_arms_length(self) -> None:
        able = SNIPER | {"foci": {"assassin": 1}}
        pistol = PISTOL | {"pistol_sized": True}
        near = of("execution-attack", execution(attacker=able, weapon=pistol, distance=2))
        far = of("execution-attack", execution(attacker=able, weapon=pistol, distance=3))
        assert "execution.check" not in totals(near)
        assert "execution.check" in totals(far)

    def test_an_untrained_attacker_makes_the_save_no_easier(self) -> None:
        assert (
            totals(of("execution-attack", execution(attacker={"dexterity": 10, "skills": {}})))[
                "execution.save"
            ]
            == 12
        )

    def test_a_stat_block_uses_its_skill(self) -> None:
        soldier = {"attack_bonus_ranged": 5, "skill_bonus": 2}
        told = totals(of("execution-attack", execution(attacker=soldier)))
        assert (told["execution.check"], told["execution.save"]) == (2, 14)

    @pytest.mark.parametrize(
        ("target", "weapon", "down"),
        [
            ({"named": True}, {}, "mortally-wounded"),
            ({"named": False}, {}, "dead"),
            ({"named": True, "frail": True}, {}, "dead"),
            ({"named": True}, {"non_lethal": "always"}, "incapacitated"),
        ],
    )
    def test_who_fails_the_save_falls(
        self, target: dict[str, Any], weapon: dict[str, Any], down: str
    ) -> None:
        situation = execution(target=VICTIM | target, weapon=PISTOL | weapon)
        wounded = down == "mortally-wounded"
        dice = [[6, 6], [3], *([[20]] if wounded else [])]
        facts = facts_of(play(situation, dice, procedure="execution-attack"))
        assert facts["down"] == down
        assert facts["hp_after"] == 0
        assert facts["traumatic"] == (not weapon)

    def test_soak_saves_nobody_who_fails(self) -> None:
        progress = play(execution(), [[6, 6], [3]], procedure="execution-attack")
        assert Effect("spend", "target", "soak", 2) not in progress.effects()
        assert Effect("mark", "target", "hp", 4) in progress.effects()

    def test_the_damage_of_who_makes_it_is_traumatic_without_a_roll(self) -> None:
        facts = facts_of(play(execution(), [[6, 6], [20], [2]], procedure="execution-attack"))
        assert facts["damage"] == (2 + 1) * 3
        assert facts["hp_loss"] == 9 - 2

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"target": VICTIM | {"unsuspecting": False}}, "execution_target_wary"),
            ({"target": VICTIM | {"foci": {"alert": 1}}}, "execution_target_alert"),
            ({"attack": {"prepared": False}}, "execution_unprepared"),
            ({"distance": 41}, "beyond_long_range"),
            ({"weapon": PISTOL | {"rounds": 0}}, "empty_magazine"),
            ({"weapon": PISTOL | {"ready": False}}, "weapon_not_ready"),
            ({"target": VICTIM | {"cover": "total"}}, "no_line_of_fire"),
        ],
    )
    def test_refused(self, more: dict[str, Any], code: str) -> None:
        prepared = of("execution-attack", execution(**more))
        assert prepared.stage is None
        assert [refusal.code for refusal in prepared.refusals] == [code]

    def test_without_a_save_it_asks_for_one(self) -> None:
        nobody = {name: value for name, value in VICTIM.items() if name != "save"}
        with pytest.raises(InputError) as caught:
            of("execution-attack", execution(target=nobody))
        assert [problem.path for problem in caught.value.problems] == ["situation.target.save"]

    @settings(max_examples=25, deadline=None)
    @given(
        st.integers(0, 2),
        st.sampled_from([0, 1, 2]),
        st.integers(2, 19),
        st.sampled_from([2, 8, 20]),
    )
    def test_odds_are_those_of_all_dice(self, shoot: int, eye: int, save: int, distance: int) -> None:
        attacker = {"dexterity": 10, "skills": {"shoot": shoot}, "foci": {"snipers-eye": eye}}
        situation = execution(attacker=attacker, target=VICTIM | {"save": save}, distance=distance)
        stage = of("execution-attack", situation).stage
        assert stage is not None
        brute: dict[Stage, float] = defaultdict(float)
        for outcome, weight, _ in every_path(stage, Answers()):
            brute[outcome] += weight
        found = distribution(stage, DefaultPolicy())
        assert set(found.outcomes) == set(brute)
        for outcome, weight in found.outcomes.items():
            assert weight / found.total == pytest.approx(brute[outcome], abs=1e-12)


@pytest.mark.parametrize(
    ("procedure", "situation"),
    [
        ("shove", bout(target=FOE | {"size": "larger", "prone": True})),
        ("grapple", bout(target=FOE | {"size": "larger"}, attacker=BRAWLER | {"circumstances": 5})),
        ("drag-grappled", {"attacker": {"skill_bonus": 2}, "target": FOE_CHECK | {"size": "larger"}}),
        ("escape-grapple", {"escaper": FOE_CHECK | {"circumstances": 3}, "target": FOE_CHECK}),
        ("execution-attack", execution(attacker=SNIPER | {"killing_blow": True, "level": 3})),
    ],
)
def test_rebuilt_is_prepared_again(procedure: str, situation: dict[str, Any]) -> None:
    remembering = rules(procedure).remembering()
    prepared = of(procedure, situation, modifiers=remembering)
    assert prepared.rebuild is not None
    rebuilt = 0
    for tally in prepared.tallies:
        for entry in tally.changing():
            stage = prepared.rebuild(remembering.retally(tally, entry.id))
            again = of(procedure, situation, modifiers=rules(procedure).without(tally.to, entry.id)).stage
            assert stage is None or stage == again
            rebuilt += stage is not None
    assert rebuilt > 0


@pytest.mark.parametrize("id", ["shove", "grapple", "drag-grappled", "escape-grapple", "execution-attack"])
def test_stages_survive_json_and_measures_read_every_end(id: str) -> None:
    situations = {
        "shove": bout(),
        "grapple": bout(),
        "drag-grappled": {"attacker": FOE_CHECK, "target": FOE_CHECK},
        "escape-grapple": {"escaper": FOE_CHECK, "target": FOE_CHECK},
        "execution-attack": execution(),
    }
    procedure = RULESET.procedures[id]
    decisions = [info.id for info in procedure.decisions]
    prepared = of(id, situations[id], open_=decisions)
    for policy in (Answers(), _Last()):
        stage: Any = prepared.stage
        while stage.awaits is not None:
            assert from_json(to_json(stage)) == stage
            assert stage.effects() == ()
            awaited = stage.awaits
            answers = awaited.request.spread().answers if hasattr(awaited, "request") else ()
            stage = stage.advance(answers[-1] if answers else policy.choose(awaited)[0])
        assert from_json(to_json(stage)) == stage
        assert all(isinstance(measure.of(stage.notes()), float) for measure in procedure.measures)
    for end in distribution(prepared.stage, DefaultPolicy()).outcomes:
        assert all(0 <= measure.of(end.notes()) <= 1000 for measure in procedure.measures)


class _Last(Answers):
    """Always takes the last option."""

    def choose(self, decision: Any) -> tuple[str, str]:
        return decision.options[-1].id, "chosen"
