"""Attacks on somebody who is screened (rulebook section 3.2): who is struck, with whose numbers, and the odds of it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from cwn_table import Answers, distribution, every_path, facts_of, play, prepare, rules
from hypothesis import given, settings
from hypothesis import strategies as st

from fracas.errors import InputError
from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.stage import Stage, from_json, to_json
from fracas.kernel.tally import HandModifier
from fracas.rulesets.cwn.attacks.blows import AttackEnd

BRUTE = {"attack_bonus_melee": 5, "attack_bonus_ranged": 5, "skill_bonus": 1}
WARD = {"melee_ac": 12, "trauma_target": 6, "soak": 0, "hp": 6}
GUARD = {"melee_ac": 15, "trauma_target": 9, "soak": 2, "hp": 9, "skill_bonus": 2}
CLUB = {"type": "melee", "damage": "1d2"}


def attack(**more: Any) -> dict[str, Any]:
    return {"attacker": BRUTE, "target": WARD, "weapon": CLUB, "screener_1": GUARD} | more


def test_between_npcs_a_tie_gets_past() -> None:
    assert facts_of(play(attack(), [[3, 4], [3, 3], [1]]))["target_ac"] == 12
    tie = facts_of(play(attack(), [[3, 4], [3, 3], [1]]))
    assert "redirected_to" not in tie
    pc = attack(screener_1=GUARD | {"player": True})
    assert facts_of(play(pc, [[3, 4], [3, 3], [1]]))["redirected_to"] == "screener_1"
    both = attack(screener_1=GUARD | {"player": True}, attacker=BRUTE | {"player": True})
    assert "redirected_to" not in facts_of(play(both, [[3, 4], [3, 3], [1]]))


def test_the_first_named_of_two_equals_is_struck() -> None:
    two = attack(screener_2=GUARD | {"melee_ac": 17})
    facts = facts_of(play(two, [[1, 1], [6, 6], [6, 6], [1]]))
    assert facts["redirected_to"] == "screener_1"
    assert facts["target_ac"] == 15


def test_who_is_struck_in_place_of_another_answers_for_it() -> None:
    able = GUARD | {"can_total_defense": True, "veterans_luck": True}
    answers = {("veterans-luck", "screener_1"): "use"}
    progress = play(attack(screener_1=able), [[1, 1], [6, 6], [15]], answers)
    assert not facts_of(progress)["hit"]
    assert {(effect.who, effect.what) for effect in progress.effects()} == {("screener_1", "veterans-luck")}


def test_what_a_screener_lacks_is_told_with_its_record() -> None:
    with pytest.raises(InputError) as caught:
        prepare(attack(screener_2={"skill_bonus": 1}))
    assert {problem.path for problem in caught.value.problems} == {
        "situation.screener_2.melee_ac",
        "situation.screener_2.soak",
    }


def test_a_screener_without_any_skill_is_told_to_say_one() -> None:
    numbers = {name: value for name, value in GUARD.items() if name != "skill_bonus"}
    with pytest.raises(InputError) as caught:
        prepare(attack(screener_1=numbers))
    assert [problem.path for problem in caught.value.problems] == ["situation.screener_1.skills"]


def test_level_and_modifier_serve_as_the_check_of_the_attacker() -> None:
    fighter = {"base_attack_bonus": 1, "attribute_modifier": 1, "skill_level": 2}
    prepared = prepare(attack(attacker=fighter))
    assert {tally.to: tally.total for tally in prepared.tallies}["screen.attacker"] == 3


def test_the_skill_of_the_weapon_in_hand_counts() -> None:
    able = GUARD | {"skill_bonus": None, "strength": 10, "dexterity": 15, "skills": {"shoot": 3, "stab": 1}}
    totals = {tally.to: tally.total for tally in prepare(attack(screener_1=able)).tallies}
    assert totals["screen.screener_1"] == 3 + 1
    totals = {
        tally.to: tally.total for tally in prepare(attack(screener_1=able | {"screen_skill": "stab"})).tallies
    }
    assert totals["screen.screener_1"] == 1 + 1


def test_modifiers_typed_in_for_the_attack_count_whoever_is_struck() -> None:
    hand = [HandModifier("attack.bonus", "bad light", -3), HandModifier("screener_1.target.ac", "bush", 1)]
    totals = {tally.to: tally.total for tally in prepare(attack(), hand=hand).tallies}
    assert totals["attack.bonus"] == totals["screener_1.attack.bonus"] == 2
    assert (totals["target.ac"], totals["screener_1.target.ac"]) == (12, 16)


def test_modifiers_of_the_target_are_those_of_each() -> None:
    prone = attack(screener_1=GUARD | {"prone": True, "total_defense": True})
    totals = {tally.to: tally.total for tally in prepare(prone).tallies}
    assert totals["attack.bonus"] == 5
    assert totals["screener_1.attack.bonus"] == 5 + 2
    assert totals["screener_1.target.ac"] == 15 + 2


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(8, 20)), min_size=1, max_size=2),
    st.booleans(),
)
def test_odds_are_those_of_all_dice(screeners: list[tuple[int, bool, int]], player: bool) -> None:
    situation = attack(attacker=BRUTE | {"player": player}, weapon=CLUB | {"damage": "1d2"})
    for number, (bonus, pc, ac) in enumerate(screeners, start=1):
        situation[f"screener_{number}"] = GUARD | {"skill_bonus": bonus, "player": pc, "melee_ac": ac}
    stage: Any = prepare(situation).stage
    first = {total: 6 - abs(7 - total) for total in range(2, 13)}
    struck: dict[str, float] = defaultdict(float)
    for mine, weight in first.items():
        for theirs in _all_totals(first, len(screeners)):
            chance = weight / 36
            caught: tuple[int, str] = (99, "target")
            for (bonus, pc, _), (number, (total, share)) in zip(
                screeners, enumerate(theirs, start=1), strict=True
            ):
                chance *= share / 36
                sum_ = total + bonus
                beats = sum_ > mine + 1 or (sum_ == mine + 1 and pc and not player)
                if beats and sum_ < caught[0]:
                    caught = (sum_, f"screener_{number}")
            struck[caught[1]] += chance
    found = distribution(stage, DefaultPolicy())
    for who in ("target", "screener_1", "screener_2"):
        told = found.chance(lambda end, who=who: isinstance(end, AttackEnd) and end.victim == who)  # type: ignore[misc]
        assert float(told) == pytest.approx(struck[who])


def _all_totals(weights: dict[int, int], people: int) -> list[list[tuple[int, int]]]:
    found: list[list[tuple[int, int]]] = [[]]
    for _ in range(people):
        found = [[*some, one] for some in found for one in weights.items()]
    return found


def test_odds_of_one_screener_die_by_die() -> None:
    small = attack(weapon=CLUB | {"damage": "1d2"}, screener_1=GUARD | {"player": True})
    stage: Any = prepare(small).stage
    brute: dict[Stage, float] = defaultdict(float)
    for outcome, chance, _ in every_path(stage, Answers()):
        brute[outcome] += chance
    found = distribution(stage, DefaultPolicy())
    assert set(found.outcomes) == set(brute)
    for outcome, weight in found.outcomes.items():
        assert weight / found.total == pytest.approx(brute[outcome], abs=1e-12)


def test_rebuilt_is_prepared_again() -> None:
    remembering = rules().remembering()
    situation = attack(screener_1=GUARD | {"prone": True}, attacker=BRUTE | {"flashbanged": True})
    prepared = prepare(situation, modifiers=remembering)
    assert prepared.rebuild is not None
    rebuilt = 0
    for tally in prepared.tallies:
        for entry in tally.changing():
            stage = prepared.rebuild(remembering.retally(tally, entry.id))
            again = prepare(situation, modifiers=rules().without(tally.to, entry.id)).stage
            assert stage is None or stage == again
            rebuilt += stage is not None
    assert rebuilt >= 3


def test_every_stage_survives_json() -> None:
    stage: Any = prepare(attack(screener_2=GUARD | {"player": True})).stage
    while stage.awaits is not None:
        assert from_json(to_json(stage)) == stage
        stage = stage.advance(stage.awaits.request.spread().answers[-1])
    assert from_json(to_json(stage)) == stage
