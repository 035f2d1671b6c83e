"""One attack on several targets: the split pool, separate rolls, one point of Edge for all, and odds of each target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sr4_fight import RULES, fight, fighter
from sr4_table import GAME, effects, explain, lines, measures, odds, request, resolve, seed, step, total

from fracas.dice.sources import SeededDice
from fracas.engine.running import prepare
from fracas.errors import InputError
from fracas.kernel import readers
from fracas.kernel.intents import StepContext
from fracas.kernel.procedures import owners_of
from fracas.kernel.stage import Fork, from_json, to_json
from fracas.rulesets.sr4.melee.melee_attack import MeleeAttack
from fracas.rulesets.sr4.melee.melee_sweep import MeleeSweep
from fracas.rulesets.sr4.melee.melee_vocabulary import SWEPT

ATTACK, SWEEP = MeleeAttack.id, MeleeSweep.id


def sweep(*targets: Any, **more: Any) -> dict[str, Any]:
    """The Rook with a katana against these."""
    return {"attacker": "rook", "weapon": "katana", **dict(zip(SWEPT, targets, strict=False)), **more}


def branch(answer: Mapping[str, Any], name: str, *facts: str) -> dict[tuple[Any, ...], float]:
    """The odds of one target."""
    (found,) = [one for one in answer["branches"] if one["branch"] == name]
    chances: dict[tuple[Any, ...], float] = {}
    for row in found["outcomes"]:
        key = tuple(row["outcome"].get(fact) for fact in facts)
        chances[key] = chances.get(key, 0.0) + row["chance"]
    return chances


OUTCOME = ("result", "damage", "track", "knockdown")
STATES = st.fixed_dictionaries(
    {"use": st.sampled_from(["guard", "vex"])},
    optional={
        "prone": st.booleans(),
        "unaware": st.booleans(),
        "defenses_made": st.integers(0, 2),
        "stun": st.integers(0, 4),
        "weapon": st.sampled_from(["knife", "staff", "club"]),
        "in_moving_vehicle": st.booleans(),
    },
)


@settings(max_examples=15, deadline=None)
@given(first=STATES, second=STATES, part=st.integers(1, 8))
def test_the_odds_of_each_are_those_of_an_attack_with_its_part(
    first: dict[str, Any], second: dict[str, Any], part: int
) -> None:
    parts = {"target": (first, part), "target_2": (second, 9 - part)}
    said = {who: {**one, "split_dice": dice} for who, (one, dice) in parts.items()}
    found = odds(sweep(*said.values()), procedure=SWEEP)
    expected: dict[str, float] = {}
    for who, (one, dice) in parts.items():
        single = {"attacker": {"use": "rook", "split_dice": dice}, "target": one, "weapon": "katana"}
        alone = odds(single, procedure=ATTACK)
        chances = branch(found, who, *OUTCOME)
        assert chances == pytest.approx(branch(alone, "", *OUTCOME), abs=1e-12)
        assert sum(chances.values()) == pytest.approx(1)
        for name, value in measures(alone).items():
            expected[name] = expected.get(name, 0.0) + value
    assert measures(found) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(STATES)
def test_one_target_is_an_attack_as_any_other(target: dict[str, Any]) -> None:
    situation = {"attacker": "rook", "target": target, "weapon": "katana"}
    found, alone = (odds(situation, procedure=procedure) for procedure in (SWEEP, ATTACK))
    assert branch(found, "target", *OUTCOME) == pytest.approx(branch(alone, "", *OUTCOME), abs=1e-12)
    assert measures(found) == pytest.approx(measures(alone), abs=1e-12)


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ([None, None], [5, 4]),
        ([None, None, None], [3, 3, 3]),
        ([None] * 4, [3, 2, 2, 2]),
        ([7, None], [7, 2]),
        ([None, 1, None], [4, 1, 4]),
        ([6, 2, 1], [6, 2, 1]),
    ],
)
def test_the_pool_is_split_evenly_unless_said(said: list[int | None], parts: list[int]) -> None:
    people = [{"use": "guard", "split_dice": dice} if dice else "guard" for dice in said]
    answer = explain(sweep(*people), procedure=SWEEP)
    names = ["melee-attack.pool", *(f"{who}.melee-attack.pool" for who in SWEPT[1:])]
    assert [total(answer, name) - 1 for name in names[: len(parts)]] == parts  # and 1 for Reach
    assert sum(parts) == 9
    for name, part in zip(names, parts, strict=False):
        assert lines(answer, name)["split"]["value"] == part - 9


@pytest.mark.parametrize(
    ("situation", "path"),
    [
        (sweep({"use": "guard", "split_dice": 5}, {"use": "guard", "split_dice": 5}), "target.split_dice"),
        (sweep({"use": "guard", "split_dice": 5}, {"use": "guard", "split_dice": 3}), "target.split_dice"),
        (sweep("guard", {"use": "guard", "split_dice": 9}), "target_2.split_dice"),
        (sweep("guard", "guard", "guard", attacker={"use": "rook", "pool": 2}), "target_3"),
        ({"attacker": "rook", "target_2": "guard"}, "target"),
        (sweep("guard", "guard", aim="throw-held"), "aim"),
        (sweep("guard", {"use": "guard", "body": None}), "target_2.body"),
        (sweep("guard", "guard", {"use": "guard", "armor": None}), "target_3.armor"),
        (sweep({"use": "guard", "reaction": None}, "guard"), "target.reaction"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_of_the_right_target(situation: dict[str, Any], path: str) -> None:
    with pytest.raises(InputError) as caught:
        explain(situation, procedure=SWEEP)
    assert {problem.path for problem in caught.value.problems} == {f"situation.{path}"}


# --- Edge --------------------------------------------------------------------------------------------------


def asked_for_edge(push: str) -> list[str]:
    """The rolls of the attacker about which Edge is offered beforehand; `push`: the one on which it is spent."""
    answer, asked = step(
        sweep("guard", "guard", "guard"),
        choose=lambda one: (
            "push" if (one["decision"], one["about"].get("roll")) == ("edge-before", push) else None
        ),
        procedure=SWEEP,
        dice=seed(3),
    )
    spent = [effect["amount"] for effect in effects(answer, "spend", "edge") if effect["who"] == "attacker"]
    assert spent == ([1] if push else [])
    return [
        one["about"]["roll"]
        for one in asked
        if one.get("decision") == "edge-before" and one["by"] == "attacker"
    ]


def test_a_point_of_edge_is_spent_once_in_the_action() -> None:
    rolls = ["target.attack", "target_2.attack", "target_3.attack"]
    assert asked_for_edge("") == rolls
    assert asked_for_edge("target.attack") == rolls[:1]
    assert asked_for_edge("target_2.attack") == rolls[:2]


def test_edge_after_the_roll_counts_for_the_attacks_that_follow() -> None:
    """With a point spent for certain on the first attack, the second is plain; on the second only, the first is."""
    plain = odds(sweep("guard", "guard"), procedure=SWEEP)

    def adding(roll: str) -> Mapping[str, Any]:
        choice = {"decision": "edge-after", "by": "attacker", "choose": "add", "roll": roll}
        return odds(sweep("guard", "guard"), procedure=SWEEP, decisions=[choice])

    for roll, other in (("target.attack", "target_2"), ("target_2.attack", "target"), ("", "target_2")):
        found = adding(roll)
        assert branch(found, other, *OUTCOME) == pytest.approx(branch(plain, other, *OUTCOME), abs=1e-12)
        mine = "target" if other == "target_2" else "target_2"
        assert branch(found, mine, "result")["hit",] > branch(plain, mine, "result")["hit",] + 0.1


@pytest.mark.parametrize("number", range(6))
def test_it_plays_to_its_end_with_every_question_open(number: int) -> None:
    """The stages go through JSON between any two answers."""
    answer, asked = step(
        sweep("guard", {"use": "vex", "weapon": "staff"}, {"use": "brick", "unaware": True}, "rook"),
        choose=lambda one: one["default"] if number % 2 else min(option["id"] for option in one["options"]),
        procedure=SWEEP,
        dice=seed(number),
    )
    people = {one["by"] for one in asked if one["kind"] == "decision"}
    assert people <= {"attacker", "target", "target_2", "target_3", "target_4"}
    outcome = answer["outcome"]
    for who in SWEPT:
        assert outcome[f"{who}.damage"] >= 0
        marked = [one["amount"] for one in effects(answer, "mark") if one["who"] == who]
        assert sum(marked) == outcome[f"{who}.damage"]
    defended = {one["who"] for one in effects(answer, "gain", "defenses-made")}
    assert defended == {"target", "target_2", "target_4"}  # the third sees nothing coming


def test_a_sweep_without_dice_for_anybody_is_none() -> None:
    worn_out = {"use": "rook", "physical": 9, "stun": 9, "willpower": 20, "body": 20}
    answer = resolve(sweep("guard", "guard", attacker=worn_out), procedure=SWEEP)
    assert answer["outcome"]["target.result"] == answer["outcome"]["target_2.result"] == "no-attack"
    assert answer["effects"] == []


# --- Attribution -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opened", [False, True])
def test_attribution_is_the_odds_without_a_modifier(opened: bool) -> None:
    second = {"use": "vex", "weapon": "staff", "stun": 3, "defenses_made": 1}
    situation = sweep({"use": "guard", "prone": True}, second, visibility=["partial-light"])
    decisions = [{"decision": "reach-use", "choose": "dice-of-the-other", "by": "target_2"}] if opened else []
    found = odds(situation, procedure=SWEEP, attribution=True, decisions=decisions)
    rows = {(row["to"], row["id"]): row for row in found["attribution"]}
    expected = {
        ("melee-attack.pool", "melee-opponent-prone"),
        ("melee-attack.pool", "melee-visibility"),
        ("target_2.melee-attack.pool", "melee-visibility"),
        ("target_2.melee-defense.pool", "melee-target-wounds"),
        ("target_2.melee-defense.pool", "melee-defenses-made"),
    }
    assert expected <= rows.keys()
    for to, id in expected:
        row = rows[to, id]
        back = [{"to": to, "label": "Back", "value": -row["value"]}]
        without = measures(odds(situation, procedure=SWEEP, decisions=decisions, modifiers=back))
        for name, change in row["change"].items():
            assert measures(found)[name] - without[name] == pytest.approx(change, abs=1e-12), (to, id, name)


def test_a_modifier_typed_by_hand_is_for_one_target() -> None:
    hand = [{"to": "target_2.melee-attack.pool", "label": "Slippery", "value": -3}]
    answer = explain(sweep("guard", "guard"), procedure=SWEEP, modifiers=hand)
    assert (total(answer, "melee-attack.pool"), total(answer, "target_2.melee-attack.pool")) == (6, 2)


# --- What a fight knows ------------------------------------------------------------------------------------


def test_what_a_fight_knows_of_each_target() -> None:
    striker, first = fighter("s"), fighter("a", items={"katana": {"ready": True}})
    surprised = frozenset({"surprised"})
    second = fighter("b", conditions=surprised, towards={"surprised": frozenset({"s"})})
    third = fighter("c", items={"club": {"ready": True}, "knife": {"ready": False}}, conditions=surprised)
    third = third._replace(towards={"surprised": frozenset({"a"})})
    table = fight(striker, first, second, third)
    known = RULES.situate(
        StepContext(table, striker, first, SWEEP, {}, {"target_2": second, "target_3": third})
    )
    assert [known[who].get("in_hand") for who in SWEPT[:3]] == [["katana"], None, ["club"]]
    assert [known[who]["unaware"] for who in SWEPT[:3]] == [False, True, False]
    assert MeleeSweep.vocabulary.parse(known, GAME.packs).facts


def test_every_number_has_its_owner() -> None:
    owners = owners_of((MeleeSweep(),))
    for name in MeleeSweep.targets:
        record = next((who for who in SWEPT[1:] if name.startswith(f"{who}.")), "target")
        assert owners[name] in ("attacker", record), name


def test_the_stages_survive_json_at_a_fork() -> None:
    """The first attack done, the second still to come."""
    wish = request(sweep("guard", "guard", "guard"), procedure=SWEEP)
    stage = prepare(wish, wish.attempt).stage
    assert stage is not None
    progress, dice = readers.begin(stage), SeededDice(bytes(32))
    while not isinstance(progress.stage, Fork):
        awaited = progress.stage.awaits
        progress = readers.throw(progress, dice.deal(awaited.request))  # type: ignore[union-attr]
    assert from_json(to_json(progress.stage)) == progress.stage
