"""Edge and bought hits: when they are offered, what they cost, and that a point is spent once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sr4_table import SINGLE, STEPPER, effects, request, step

from fracas.engine.running import Answer
from fracas.errors import InputError

GUN = {"dv": 6, "damage": "physical", "ap": 0, "armor_kind": "ballistic", "rc": 0}


def attack(
    attacker: Mapping[str, Any] | None = None, target: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    body = {"pool": 2, "body": 3, "willpower": 3, "ballistic": 1, "physical": 0, "stun": 0}
    return {
        "attacker": {"pool": 4, **(attacker or {})},
        "target": {**body, **(target or {})},
        "weapon": GUN,
        "fire": SINGLE,
    }


def edgy(points: int, edge: int = 2) -> dict[str, int]:
    return {"edge": edge, "edge_points": points}


def play(situation: dict[str, Any], dice: list[list[int]], **wishes: str) -> tuple[dict[str, Any], list[str]]:
    """Go through an attempt; wishes are `attack_before="push"`, by roll and moment. Answers what was asked."""
    left = list(dice)
    asked: list[str] = []

    def roll(question: Mapping[str, Any]) -> Answer:
        groups = len(question["groups"])
        given, left[:groups] = tuple(map(tuple, left[:groups])), []
        return Answer(dice=given)

    def choose(question: Mapping[str, Any]) -> str | None:
        moment = f"{question['about']['roll']}_{question['decision'].removeprefix('edge-')}"
        asked.append(f"{moment}: {' '.join(option['id'] for option in question['options'])}")
        return wishes.get(moment)

    answer, _ = step(situation, choose, roll)
    assert not left
    return answer, asked


def buying(question: Mapping[str, Any]) -> str | None:
    """Buys hits wherever they are offered."""
    return "buy" if "buy" in [option["id"] for option in question["options"]] else None


HIT = [[5, 5, 5, 2], [3, 4], [2, 2, 2, 2]]


def test_nobody_is_asked_who_has_no_edge() -> None:
    for who in ({}, {"edge": 3}, edgy(0, edge=0)):
        _, asked = play(attack(who, who), HIT)
        assert asked == []


def test_who_has_no_point_left_may_still_burn_the_attribute() -> None:
    """If he wants to be asked: a question for every roll would be a nuisance."""
    assert not play(attack(edgy(0), edgy(0)), HIT)[1]
    willing = {**edgy(0), "burns_edge": True}
    _, asked = play(attack(willing, willing), HIT)
    assert asked == ["attack_before: none burn", "defense_before: none burn", "soak_before: none burn"]


def test_everything_that_is_offered() -> None:
    answer, asked = play(attack(edgy(1), edgy(2)), HIT)
    assert asked == [
        "attack_before: none push burn",
        "defense_before: none push burn",
        "attack_after: none add reroll",
        "defense_after: none add reroll",
        "soak_before: none push burn",
        "soak_after: none add reroll",
    ]
    assert effects(answer, "spend") == []


def test_the_attacker_spends_one_point_a_test() -> None:
    answer, asked = play(attack(edgy(5)), [[5, 5, 5, 2, 3, 4], *HIT[1:]], attack_before="push")
    assert asked == ["attack_before: none push burn"]
    assert effects(answer, "spend") == [{"type": "spend", "who": "attacker", "what": "edge", "amount": 1}]
    assert answer["outcome"]["attack_hits"] == 3


def test_a_target_s_last_point_goes_to_one_of_its_tests() -> None:
    answer, asked = play(attack({}, edgy(1)), [HIT[0], [3, 4, 2, 2], HIT[2]], defense_before="push")
    assert asked == ["defense_before: none push burn", "soak_before: none burn"]
    assert effects(answer, "spend") == [{"type": "spend", "who": "target", "what": "edge", "amount": 1}]
    answer, asked = play(attack({}, edgy(1)), [*HIT, [1, 2]], soak_after="add")
    assert [line.partition(":")[0] for line in asked] == [
        "defense_before",
        "defense_after",
        "soak_before",
        "soak_after",
    ]
    assert effects(answer, "spend") == [{"type": "spend", "who": "target", "what": "edge", "amount": 1}]


def test_two_points_serve_defense_and_resistance() -> None:
    dice = [HIT[0], HIT[1], [2, 2], [2, 2, 2, 2], [5, 5, 2, 2]]
    answer, _ = play(attack({}, edgy(2)), dice, defense_after="reroll", soak_after="reroll")
    assert effects(answer, "spend") == [{"type": "spend", "who": "target", "what": "edge", "amount": 2}]
    assert answer["outcome"]["damage"] == 6 + 3 - 2


def test_nothing_to_reroll_when_every_die_is_a_hit() -> None:
    _, asked = play(attack(edgy(1)), [[5, 6, 5, 6], *HIT[1:]])
    assert asked[-1] == "attack_after: none add"


@pytest.mark.parametrize(
    ("dice", "offered", "glitch"),
    [([1, 1, 5, 5], True, "glitch"), ([1, 1, 2, 3], True, "critical"), ([1, 5, 5, 5], False, "none")],
)
def test_a_glitch_can_be_negated(dice: list[int], offered: bool, glitch: str) -> None:
    rest = HIT[1:] if 5 in dice else HIT[1:2]
    plain, asked = play(attack(edgy(1)), [dice, *rest])
    assert asked[-1].endswith("negate-glitch") is offered
    assert plain["outcome"]["attack_glitch"] == glitch
    if offered:
        answer, _ = play(attack(edgy(1)), [dice, *rest], attack_after="negate-glitch")
        assert answer["outcome"] == {**plain["outcome"], "attack_glitch": "negated"}
        assert len(effects(answer, "spend")) == 1


def test_a_reroll_keeps_hits_and_the_ones_of_the_first_throw() -> None:
    dice = [[5, 1, 1, 2], HIT[1], [1, 1, 6], HIT[2]]
    answer, _ = play(attack(edgy(1)), dice, attack_after="reroll")
    outcome = answer["outcome"]
    assert (outcome["attack_hits"], outcome["attack_ones"], outcome["attack_glitch"]) == (2, 2, "glitch")


def test_dice_added_after_count_for_the_glitch() -> None:
    """2 ones of 4 dice glitch; 2 of 6 do not; 2 and 1 of 6 do again; the die that a 6 brings does not count."""
    calm = play(attack(edgy(1)), [[5, 1, 1, 2], HIT[1], [3, 3], HIT[2]], attack_after="add")
    wild = play(attack(edgy(1)), [[5, 1, 1, 2], HIT[1], [1, 6, 1], HIT[2]], attack_after="add")
    assert (calm[0]["outcome"]["attack_ones"], calm[0]["outcome"]["attack_glitch"]) == (2, "none")
    assert (wild[0]["outcome"]["attack_ones"], wild[0]["outcome"]["attack_glitch"]) == (3, "glitch")


def test_a_long_shot_is_for_a_pool_of_nothing_and_does_not_explode() -> None:
    answer, asked = play(attack({"pool": 0, **edgy(1)}), [[6, 3], *HIT[1:]], attack_before="long-shot")
    assert asked == ["attack_before: none long-shot burn"]
    assert answer["outcome"]["attack_hits"] == 1
    assert effects(answer, "spend") == [{"type": "spend", "who": "attacker", "what": "edge", "amount": 1}]


@pytest.mark.parametrize(("pool", "offered"), [(3, False), (4, True), (11, True)])
def test_hits_are_bought_by_four_dice(pool: int, offered: bool) -> None:
    situation = attack({"pool": pool})
    _, asked = step(situation, options={"buying_hits": True})
    decisions = [question for question in asked if question["kind"] == "decision"]
    of_the_attack = [question["decision"] for question in decisions if question["about"]["roll"] == "attack"]
    assert of_the_attack == ["buy-hits"] * offered
    if offered:
        answer, _ = step(situation, buying, options={"buying_hits": True})
        assert answer["outcome"]["attack_hits"] == pool // 4
    _, closed = step(situation)
    assert all(question["kind"] == "roll" for question in closed)


def test_bought_hits_leave_no_edge_for_afterwards() -> None:
    situation = {"tester": {"pool": 9, **edgy(1)}}
    answer, asked = step(situation, buying, procedure="success-test", options={"buying_hits": True})
    assert answer["outcome"]["hits"] == 2
    assert all(question["decision"] != "edge-after" for question in asked if question["kind"] == "decision")
    assert not any(question["groups"] for question in asked if question["kind"] == "roll")


@pytest.mark.parametrize("choice", ["negate-glitch", "long-shot"])
def test_what_is_not_offered_cannot_be_chosen(choice: str) -> None:
    question = STEPPER.begin(request(attack(edgy(1)), mode="step"))
    with pytest.raises(InputError) as caught:
        STEPPER.go_on(question["continuation"], Answer(choose=choice))
    assert [problem.code for problem in caught.value.problems] == ["unknown-option"]
