"""Several attacks with one action, held against single attacks that are put together here, one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sr4_table import (
    chances,
    effects,
    explain,
    lines,
    measures,
    odds,
    request,
    resolve,
    seed,
    step,
    total,
)
from tiers import scale

from fracas.engine import running
from fracas.errors import InputError

FACTS = ("result", "damage", "track", "knockdown", "physical_after", "stun_after", "unconscious")
SHOOTER = {"agility": 5, "skills": {"automatics": 5, "pistols": 4}, "rounds_before": 0, "targets_before": 0}
TARGETS = ("target", "target_2", "target_3")
SMG, PISTOL, OTHER = "ingram-smartgun-x", "ares-predator-iv", "colt-america-l36"

Chances = dict[tuple[Any, ...], float]


def volley(situation: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return resolve(situation, procedure="ranged-volley", **more)


def of_branch(answer: Mapping[str, Any], branch: str, names: tuple[str, ...] = FACTS) -> Chances:
    """The odds of each combination of facts of one branch; they add up to one."""
    rows = next(one["outcomes"] for one in answer["branches"] if one["branch"] == branch)
    assert sum(row["chance"] for row in rows) == pytest.approx(1, abs=1e-12)
    found: Chances = defaultdict(float)
    for row in rows:
        found[tuple(row["outcome"].get(name) for name in names)] += row["chance"]
    return dict(found)


def volley_odds(situation: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return odds(situation, procedure="ranged-volley", **more)


def same(found: Chances, expected: Chances) -> None:
    assert found.keys() == expected.keys()
    for key, chance in expected.items():
        assert found[key] == pytest.approx(chance, abs=1e-12)


people = st.fixed_dictionaries(
    {
        "reaction": st.integers(0, 4),
        "body": st.integers(0, 4),
        "willpower": st.integers(1, 6),
        "impact": st.integers(0, 4),
        "ballistic": st.integers(0, 5),
        "physical": st.integers(0, 7),
        "stun": st.integers(0, 7),
        "unaware": st.booleans(),
        "prone": st.booleans(),
        "defenses_made": st.integers(0, 2),
    }
)


# Shot that spreads.


@settings(max_examples=25)
@given(
    st.integers(0, 6),
    people,
    st.sampled_from(["narrow", "medium", "wide"]),
    st.fixed_dictionaries({"grazing_hits": st.booleans(), "graze_on_zero": st.booleans()}),
)
def test_at_one_target_it_is_a_single_attack(
    pool: int, target: dict[str, Any], choke: str, options: dict[str, Any]
) -> None:
    situation = {
        "attacker": {"pool": pool},
        "target": target,
        "weapon": "remington-990",
        "fire": {"mode": "semi-automatic", "choke": choke},
    }
    found = volley_odds({**situation, "volley": "spread-shot"}, options=options)
    single = odds(situation, options=options)
    same(of_branch(found, "target"), chances(single, FACTS))
    for name in ("hit", "damage", "physical", "knockdown"):
        assert measures(found)[name] == pytest.approx(measures(single)[name])


@pytest.mark.parametrize("choose", ["push", "none"])
def test_edge_of_either_side_does_the_same_as_in_a_single_attack(choose: str) -> None:
    situation = {
        "attacker": {"pool": 4, "edge": 2, "edge_points": 1},
        "target": {"reaction": 3, "body": 2, "impact": 2, "edge": 2, "edge_points": 1},
        "weapon": "remington-990",
        "fire": {"mode": "semi-automatic", "choke": "medium"},
    }
    decisions = [
        {"decision": "edge-before", "by": "attacker", "choose": choose},
        {"decision": "edge-after", "by": "target", "choose": "reroll", "roll": "defense"},
    ]
    found = of_branch(volley_odds(situation, decisions=decisions), "target", FACTS[:4])
    same(found, chances(odds(situation, decisions=decisions), FACTS[:4]))


def test_each_target_s_odds_are_those_of_being_the_only_one() -> None:
    base = {"attacker": {"pool": 5}, "weapon": "remington-990", "fire": {"choke": "wide"}}
    persons = ["guard", "vex", {"use": "brick", "unaware": True}]
    together = volley_odds({**base, **dict(zip(TARGETS, persons, strict=True))})
    assert {one["branch"] for one in together["branches"]} == {"fired", *TARGETS}
    for branch, person in zip(TARGETS, persons, strict=True):
        alone = volley_odds({**base, "target": person})
        same(of_branch(together, branch), of_branch(alone, "target"))


def test_without_dice_nothing_is_fired() -> None:
    situation = {"attacker": {"pool": 0}, "weapon": "remington-990", "target": "guard", "target_2": "vex"}
    answer = volley({**situation, "fire": {"choke": "wide"}})
    assert answer["outcome"]["target.result"] == answer["outcome"]["target_2.result"] == "no-attack"
    assert answer["effects"] == []


def test_what_no_modifier_s_absence_changes_is_counted_with_all_targets() -> None:
    situation = {
        "attacker": {"pool": 9, "running": True},
        "weapon": "remington-990",
        "fire": {"choke": "wide"},
        "target": "guard",
        "target_2": {"use": "vex", "cover": "partial"},
    }
    answer = volley_odds(situation, attribution=True)
    rows = {(row["to"], row["id"]): row["change"]["damage"] for row in answer["attribution"]}
    damage = measures(answer)["damage"]
    standing = measures(volley_odds({**situation, "attacker": {"pool": 9}}))["damage"]
    open_ = measures(volley_odds({**situation, "target_2": "vex"}))["damage"]
    assert rows["attack.pool", "attacker-running"] == pytest.approx(damage - standing)
    assert rows["attack.pool", "target-partial-cover"] == pytest.approx(damage - open_)


# Full bursts that are split.


@pytest.mark.parametrize("said", [{}, {"rounds_before": 0, "targets_before": 0, "bursts_before": 0}])
def test_the_parts_of_a_burst_know_of_each_other_whatever_was_before(said: dict[str, Any]) -> None:
    situation = {
        "attacker": {"pool": 12, "deployed": True, **said},
        "weapon": SMG,
        "volley": "split-burst",
        "fire": {"spread": "narrow"},
        "target": "guard",
        "target_2": "vex",
    }
    answer = explain(situation, procedure="ranged-volley")
    assert (total(answer, "attack.pool"), total(answer, "target_2.attack.pool")) == (12, 5)
    flat = explain(situation, procedure="ranged-volley", options={"recoil": "flat"})
    assert total(flat, "target_2.attack.pool") == 12 - 2 - (6 - 3)


@settings(max_examples=25)
@given(people, people, st.sampled_from(["narrow", "wide"]), st.booleans(), st.integers(6, 12))
def test_the_parts_of_a_burst_are_single_attacks_one_after_the_other(
    one: dict[str, Any], other: dict[str, Any], spread: str, long_first: bool, loaded: int
) -> None:
    base = {"weapon": {"use": SMG, "rounds": loaded}, "distance": 5}
    bursts = ["long-burst", "short-burst"] if long_first else ["short-burst", "long-burst"]
    fired = min(loaded, 6 if long_first else 3)
    situation = {
        **base,
        "attacker": SHOOTER,
        "volley": "split-burst",
        "long_first": long_first,
        "fire": {"spread": spread},
        "target": one,
        "target_2": other,
    }
    if loaded == fired:  # nothing is left for the short burst
        assert explain(situation, procedure="ranged-volley")["status"] == "refused"
        return
    found = volley_odds(situation)
    first = {**base, "attacker": SHOOTER, "target": one, "fire": {"mode": bursts[0], "spread": spread}}
    second = {
        "weapon": {"use": SMG, "rounds": loaded - fired},
        "distance": 5,
        "attacker": {**SHOOTER, "rounds_before": fired, "targets_before": 1},
        "target": other,
        "fire": {"mode": bursts[1], "spread": spread},
    }
    same(of_branch(found, "target"), chances(odds(first), FACTS))
    same(of_branch(found, "target_2"), chances(odds(second), FACTS))


@pytest.mark.parametrize("targets", [2, 3])
@pytest.mark.parametrize("loaded", [6, 7, 8, 9, 10, 11, 30])
def test_a_full_burst_takes_ten_rounds_or_all_there_are(targets: int, loaded: int) -> None:
    situation: dict[str, Any] = {
        "attacker": {"pool": 20},
        "weapon": {"use": SMG, "rounds": loaded},
        "volley": "split-burst",
        "fire": {"spread": "narrow"},
        **dict.fromkeys(TARGETS[:targets], "guard"),
    }
    answer = volley(situation, dice=seed(4))
    if loaded == 6 and targets == 3:
        assert answer["status"] == "refused"
        return
    spent = [effect["amount"] for effect in effects(answer, "item", "weapon")]
    assert sum(spent) == -min(loaded, 10)
    assert sum(effect["amount"] for effect in effects(answer, "gain", "rounds-fired")) == min(loaded, 10)
    assert len(effects(answer, "gain", "attacks-made")) == targets


# A firearm in each hand.

TWO = {"weapon": PISTOL, "weapon_2": OTHER, "fire": {"mode": "semi-automatic"}, "distance": 4}


@settings(max_examples=25)
@given(people, people, st.integers(1, 8), st.booleans(), st.booleans())
def test_at_two_targets_they_are_single_attacks_with_a_split_pool(
    one: dict[str, Any], other: dict[str, Any], share: int, ambidextrous: bool, off_hand: bool
) -> None:
    shooter = {**SHOOTER, "ambidextrous": ambidextrous, "off_hand": off_hand}
    situation = {
        **TWO,
        "attacker": {**shooter, "split_dice": share},
        "target": one,
        "target_2": {**other, "distance": 4},
    }
    found = volley_odds(situation)
    first = {
        "attacker": {**shooter, "split_dice": share},
        "target": one,
        "weapon": PISTOL,
        "fire": {"mode": "semi-automatic"},
        "distance": 4,
    }
    second = {
        **first,
        "attacker": {**shooter, "split_dice": 9 - share, "off_hand": not off_hand, "targets_before": 1},
        "target": other,
        "weapon": OTHER,
    }
    same(of_branch(found, "target"), chances(odds(first), FACTS))
    same(of_branch(found, "target_2"), chances(odds(second), FACTS))


def one_after_the_other(target: dict[str, Any], options: dict[str, Any]) -> Chances:
    """The odds of the second shot at the same target, over all that the first one may have done."""
    first = {
        "attacker": {**SHOOTER, "split_dice": 5},
        "target": target,
        "weapon": PISTOL,
        "fire": {"mode": "semi-automatic"},
        "distance": 4,
    }
    known: dict[Any, Chances] = {}
    found: Chances = defaultdict(float)
    for row in odds(first, options=options)["branches"][0]["outcomes"]:
        outcome = row["outcome"]
        down = outcome["unconscious"]
        after = {
            **target,
            "physical": outcome["physical_after"],
            "stun": outcome["stun_after"],
            "prone": target["prone"] or outcome.get("knockdown", False),
            "defenses_made": target["defenses_made"] + 1,
            "unaware": target["unaware"] or down,
        }
        key = tuple(after.values())
        if key not in known:
            second = {
                **first,
                "attacker": {**SHOOTER, "split_dice": 4, "off_hand": True},
                "target": after,
                "weapon": OTHER,
            }
            known[key] = chances(odds(second, options=options), FACTS)
        for facts, chance in known[key].items():
            found[facts] += row["chance"] * chance
    return dict(found)


NIMBLE = {"reaction": 9, "body": 2, "willpower": 3, "impact": 0, "ballistic": 0, "physical": 2, "stun": 2}
"""Knocked down by the first shot as often as not, and with dice left for the second."""


@settings(max_examples=scale(13, 40))
@given(people, st.sampled_from(["always", "within_5m"]), st.booleans())
@example({**NIMBLE, "unaware": False, "prone": False, "defenses_made": 1}, "always", True)
def test_at_one_target_the_second_finds_what_the_first_has_left(
    target: dict[str, Any], prone: str, grazing: bool
) -> None:
    target = {**target, "body": max(1, target["body"])}
    options = {"prone_vs_ranged": prone, "grazing_hits": grazing}
    found = volley_odds({**TWO, "attacker": SHOOTER, "target": target}, options=options)
    same(of_branch(found, "weapon_2"), one_after_the_other(target, options))


def test_whoever_is_down_is_taken_out_once() -> None:
    target = {"reaction": 0, "body": 1, "ballistic": 0, "willpower": 1, "physical": 8, "stun": 0}
    answer = volley_odds({**TWO, "attacker": SHOOTER, "target": target})
    down = {key[0]: chance for key, chance in of_branch(answer, "weapon_2", ("unconscious",)).items()}
    assert measures(answer)["down"] == pytest.approx(down[True])
    assert measures(answer)["down"] < 1


@given(
    st.integers(0, 6),
    st.integers(0, 6),
    st.integers(0, 4),
    st.integers(0, 4),
    st.sampled_from(["short-burst", "semi-automatic"]),
)
def test_recoil_of_each_counts_for_both(before: int, before_2: int, rc: int, rc_2: int, mode: str) -> None:
    """By the formula of section 8.6, for each firearm by itself."""
    situation = {
        "attacker": {**SHOOTER, "pool": 40, "rounds_before": before + before_2, "rounds_before_2": before_2},
        "target": "guard",
        "weapon": {"use": "steyr-tmp", "rc": rc},
        "weapon_2": {"use": "steyr-tmp", "rc": rc_2},
        "fire": {"mode": mode, "spread": "narrow"},
    }
    rounds = 3 if mode == "short-burst" else 1
    left = max(0, before + rounds - 1 - rc), max(0, before_2 + rounds - 1 - rc_2)
    answer = explain(situation, procedure="ranged-volley")
    assert total(answer, "attack.pool") == 20 - sum(left)
    assert total(answer, "weapon_2.attack.pool") == 20 - 2 - sum(left)


def test_whose_the_rounds_were_must_be_known() -> None:
    situation = {
        "attacker": {**SHOOTER, "pool": 20, "rounds_before": 2},
        "target": "guard",
        "weapon": "steyr-tmp",
        "weapon_2": "steyr-tmp",
    }
    answer = explain(situation, procedure="ranged-volley")
    for to in ("attack.pool", "weapon_2.attack.pool"):
        assert lines(answer, to)["recoil-before"]["verdict"] == "unknown"


def test_flat_recoil_knows_only_that_there_was_an_attack() -> None:
    situation = {
        "attacker": {**SHOOTER, "pool": 20, "rounds_before": 2, "rounds_before_2": 1, "bursts_before": 2},
        "target": "guard",
        "weapon": "steyr-tmp",
        "weapon_2": "steyr-tmp",
    }
    answer = explain(situation, procedure="ranged-volley", options={"recoil": "flat"})
    assert total(answer, "attack.pool") == 10 - 1 - 1
    assert total(answer, "weapon_2.attack.pool") == 10 - 2 - 1 - 1


@pytest.mark.parametrize(
    ("said", "pools"),
    [
        ({"specialized": True}, (6, 3)),  # 5 + 4 + 2 = 11 with both, of one skill: 6 and 5 - 2
        ({"specialized": True, "specialized_2": False}, (5, 2)),  # the smaller is 9
        ({"specialized_2": True}, (5, 2)),
    ],
)
def test_a_specialization_covers_the_first_or_also_the_second(
    said: dict[str, Any], pools: tuple[int, int]
) -> None:
    situation = {**TWO, "attacker": {**SHOOTER, **said}, "target": "guard"}
    answer = explain(situation, procedure="ranged-volley")
    assert (total(answer, "attack.pool"), total(answer, "weapon_2.attack.pool")) == pools


# Edge: one point for the action of the attacker, one for each test of the target.


def asked(points: int, **more: Any) -> list[str]:
    """Who is asked for Edge about which roll, when everybody adds dice afterwards where he may."""
    situation = {
        **TWO,
        "attacker": {**SHOOTER, "pool": 40, "edge": 2, "edge_points": 3},
        "target": {"use": "guard", "body": 30, "reaction": 9, "edge": 2, "edge_points": points},
        **more,
    }
    _, questions = step(
        situation,
        lambda question: "add" if question["decision"] == "edge-after" else None,
        procedure="ranged-volley",
        dice=seed(1),
    )
    return [
        f"{question['by']} {question['about']['roll']}"
        for question in questions
        if question.get("decision") == "edge-after"
    ]


def test_the_attacker_spends_one_point_of_edge() -> None:
    assert asked(0).count("attacker attack") == 1


@pytest.mark.parametrize("points", [1, 2, 3])
def test_the_target_spends_no_more_than_it_has(points: int) -> None:
    mine = [one for one in asked(points) if one.startswith("target")]
    assert len(mine) == points


def test_at_two_targets_each_has_points_of_its_own() -> None:
    other = {"use": "vex", "edge_points": 1, "body": 30, "distance": 4}
    found = asked(1, target_2=other)
    assert sum(one.startswith("target ") for one in found) == 1
    assert sum(one.startswith("target_2 ") for one in found) == 1


# What a request may say.


@pytest.mark.parametrize(
    ("situation", "path"),
    [
        ({"weapon": SMG, "target": "guard", "fire": {"spread": "narrow"}}, "target_2"),
        ({"weapon": SMG, "fire": {"spread": "narrow"}}, "target"),
        ({"weapon": SMG, "target": "guard", "target_3": "vex", "fire": {"spread": "narrow"}}, "target_2"),
        ({"weapon": "remington-990", "target": "guard", "volley": "spread-shot"}, "fire.choke"),
        ({"weapon": PISTOL, "target": "guard", "volley": "two-firearms"}, "weapon_2"),
        ({**TWO, "target": "guard", "target_2": {"reaction": 3, "armor": []}}, "target_2.body"),
        ({**TWO, "target": "guard", "weapon_2": {"skill": "pistols", "dv": 4}}, "weapon_2.damage"),
        ({**TWO, "target": "guard", "weapon_2": "uzi-iv"}, "fire_2.spread"),
        ({"weapon": SMG, "target": "guard", "target_2": "vex", "fire": {"mode": "short-burst"}}, "fire.mode"),
    ],
)
def test_what_is_missing_is_called_by_its_own_name(situation: dict[str, Any], path: str) -> None:
    with pytest.raises(InputError) as caught:
        explain({"attacker": SHOOTER, **situation}, procedure="ranged-volley")
    assert f"situation.{path}" in {problem.path for problem in caught.value.problems}


@pytest.mark.parametrize("share", [9, 20])
def test_a_share_leaves_the_other_a_die(share: int) -> None:
    with pytest.raises(InputError) as caught:
        explain(
            {**TWO, "attacker": {**SHOOTER, "split_dice": share}, "target": "guard"},
            procedure="ranged-volley",
        )
    assert [problem.path for problem in caught.value.problems] == ["situation.attacker.split_dice"]


def test_who_was_attacked_before_is_no_further_target() -> None:
    """Both were shot at with the first Simple Action: each has one other target before."""
    situation = {
        **TWO,
        "attacker": {**SHOOTER, "targets_before": 1},
        "target": "guard",
        "target_2": {"use": "vex", "distance": 4, "attacked_before": True},
    }
    answer = explain(situation, procedure="ranged-volley")
    assert lines(answer, "attack.pool")["other-targets"]["value"] == -2
    assert lines(answer, "target_2.attack.pool")["other-targets"]["value"] == -2


def test_another_target_of_the_second_firearm_may_stand_elsewhere() -> None:
    situation = {**TWO, "attacker": SHOOTER, "target": "guard", "target_2": "vex"}
    answer = explain(situation, procedure="ranged-volley")
    assert lines(answer, "attack.pool")["range-medium"]["verdict"] == "failed"
    assert lines(answer, "target_2.attack.pool")["range-medium"]["verdict"] == "unknown"
    situation["target_2"] = {"use": "vex", "distance": 10}
    assert (
        lines(explain(situation, procedure="ranged-volley"), "target_2.attack.pool")["range-medium"]["value"]
        == -1
    )


def test_modifiers_typed_by_hand_count_for_the_attack_that_they_name() -> None:
    situation = {**TWO, "attacker": SHOOTER, "target": "guard"}
    typed = [
        {"to": "weapon_2.attack.pool", "label": "Wind", "value": 3},
        {"to": "defense.pool", "label": "Slick floor", "value": -1},
    ]
    answer = explain(situation, procedure="ranged-volley", modifiers=typed)
    assert total(answer, "attack.pool") == 5
    assert total(answer, "weapon_2.attack.pool") == 5
    assert (total(answer, "defense.pool"), total(answer, "weapon_2.defense.pool")) == (2, 2)


@pytest.mark.parametrize("number", range(12))
def test_whatever_falls_the_marks_are_the_damage(number: int) -> None:
    kinds: list[dict[str, Any]] = [
        {**TWO, "target": {"use": "guard", "physical": number % 9}},
        {
            "weapon": SMG,
            "fire": {"spread": "narrow"},
            "target": "guard",
            "target_2": "brick",
            "target_3": "vex",
        },
        {"weapon": "mossberg-am-cmdt", "fire": {"choke": "wide"}, "target": "guard", "target_2": "vex"},
    ]
    answer = volley({"attacker": {**SHOOTER, "pool": 14}, **kinds[number % 3]}, dice=seed(number))
    outcome = answer["outcome"]
    boxes = sum(damage for name, damage in outcome.items() if name.endswith(".damage"))
    assert sum(effect["amount"] for effect in effects(answer, "mark")) == boxes


def test_odds_weigh_an_action_with_three_targets_and_all_decisions_at_once() -> None:
    """Branches are told apart early: the work stays that of three attacks."""
    asked_ = request(
        {
            "attacker": {**SHOOTER, "edge": 3, "edge_points": 1},
            "weapon": SMG,
            "fire": {"spread": "narrow"},
            **dict.fromkeys(TARGETS, "vex"),
        },
        procedure="ranged-volley",
        decisions=[
            {"decision": "edge-after", "by": "attacker", "choose": "reroll"},
            {"decision": "edge-after", "by": "target_2", "choose": "add"},
        ],
        attribution=False,
    )
    answer = running.give_odds(asked_)
    for branch in TARGETS:
        of_branch(answer, branch)
