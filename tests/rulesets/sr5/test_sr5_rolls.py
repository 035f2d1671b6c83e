"""Tests with limits and Edge: dice by dice, and their odds against every throw counted one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.dice.sources import Dealt
from fracas.kernel import readers
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Roll, Stage, from_json, stage_class, to_json
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Side
from fracas.rulesets.sr5.rolls.success_test import Contest, Progress, Threshold
from fracas.rulesets.sr5.sheet import limit_of


@stage_class
class Seen(NamedTuple):
    """What a receiver was told."""

    hits: int
    other_hits: int
    spent: tuple[int, int]
    kind: Literal["test.sr5-seen"] = "test.sr5-seen"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


class Look(dice_test.Receiver, kind="test.sr5-look"):
    """A receiver that only looks."""

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return Seen(hits, other_hits, spent)


def play(stage: Stage, faces: list[list[int]], choices: dict[str, str] | None = None) -> Any:
    """Run with these dice and choices; every die is used, and every decision not named is declined."""
    left = list(faces)
    progress = readers.begin(stage)
    while (awaited := progress.stage.awaits) is not None:
        assert from_json(to_json(progress.stage)) == progress.stage
        if isinstance(awaited, Roll):
            groups = [tuple(left.pop(0)) for _ in awaited.request.groups()]
            progress = readers.throw(progress, Dealt(tuple(groups), "given"))
        else:
            progress = readers.choose(progress, (choices or {}).get(awaited.id, awaited.default))
    assert not left
    return progress


def asked(stage: Stage) -> list[str]:
    """The options of the decision that is awaited."""
    assert isinstance(stage.awaits, Decision)
    return [option.id for option in stage.awaits.options]


# --- Limits -------------------------------------------------------------------------------------------------


def test_a_limit_counts_before_the_comparison() -> None:
    end = play(dice_test.start(Side("a", "x", 5, 2), Side("b", "y", 4, 3), Look()), [[5] * 5, [6] * 4])
    assert end.stage == Seen(2, 3, (0, 0))
    assert end.details["a_hits"] == 5


@given(st.lists(st.integers(1, 6), min_size=1, max_size=8), st.integers(0, 8))
def test_as_many_hits_count_as_the_limit_lets(faces: list[int], limit: int) -> None:
    end = play(dice_test.start(Side("a", "x", len(faces), limit), None, Look()), [faces])
    assert end.stage.hits == min(limit, sum(face >= 5 for face in faces))


@pytest.mark.parametrize(
    ("name", "sheet", "limit"),
    [
        ("physical", {"strength": 3, "body": 4, "reaction": 4}, 5),
        ("physical", {"strength": 3, "body": 3, "reaction": 3}, 4),
        ("mental", {"logic": 5, "intuition": 4, "willpower": 3}, 6),
        ("social", {"charisma": 3, "willpower": 3, "essence": 0.3}, 4),
        ("social", {"charisma": 3, "willpower": 3, "essence": 6}, 5),
        ("physical", {"strength": 3, "body": 3}, None),
    ],
)
def test_limits(name: str, sheet: dict[str, float], limit: int | None) -> None:
    assert limit_of({f"x.{key}": value for key, value in sheet.items()}, "x", name) == limit


# --- Edge ---------------------------------------------------------------------------------------------------


def edgy(pool: int, limit: int | None = None) -> Side:
    return Side("a", "x", pool, limit, 2, 2, True)


def test_pushing_before_makes_all_dice_explode_and_ignores_the_limit() -> None:
    stage = dice_test.start(edgy(2, 1), None, Look())
    end = play(stage, [[6, 5, 6, 1, 6, 2, 5]], {"edge-before": "push"})
    assert end.stage == Seen(5, 0, (1, 0))


def test_only_the_dice_of_edge_explode_afterwards() -> None:
    end = play(dice_test.start(edgy(2, 1), None, Look()), [[6, 1], [6, 2, 5]], {"edge-after": "push-after"})
    assert end.stage == Seen(3, 0, (1, 0))


def test_a_second_chance_keeps_hits_and_limit_and_no_six_explodes() -> None:
    stage = dice_test.start(edgy(4, 3), None, Look())
    end = play(stage, [[5, 1, 2, 3], [6, 6, 1]], {"edge-after": "second-chance"})
    assert end.stage == Seen(3, 0, (1, 0))


def test_one_point_a_test() -> None:
    """After a Second Chance no Close Call is offered, though the glitch stays."""
    stage = dice_test.start(edgy(3), None, Look())
    end = play(stage, [[1, 1, 5], [5, 5]], {"edge-after": "second-chance", "close-call": "cancel"})
    assert end.stage == Seen(3, 0, (1, 0))
    assert end.details["a_glitch"] == "glitch"
    pushed = play(stage, [[1, 1, 1, 1, 5]], {"edge-before": "push", "close-call": "cancel"})
    assert pushed.stage.spent == (1, 0)


def test_a_close_call_is_offered_for_a_glitch_only() -> None:
    stage = dice_test.start(Side("a", "x", 3, closes=True), None, Look())
    assert play(stage, [[1, 5, 2]]).records[-1].roll
    glitch = readers.throw(readers.begin(stage), Dealt(((1, 1, 5),), "given"))
    assert asked(glitch.stage) == ["none", "cancel"]
    critical = readers.throw(readers.begin(stage), Dealt(((1, 1, 2),), "given"))
    assert asked(critical.stage) == ["none", "lessen"]
    assert readers.choose(critical, "lessen").details["a_glitch"] == "glitch"


def test_both_sides_decide_for_themselves() -> None:
    stage = dice_test.start(edgy(2), Side("b", "y", 2, None, 0, 3), Look())
    end = play(stage, [[5, 1], [5, 2], [5, 1], [5, 6, 1, 2]], {"edge-after": "push-after"})
    assert end.stage == Seen(2, 3, (1, 1))
    assert [record.decision.by for record in end.records if hasattr(record, "decision")] == ["x", "x", "y"]


def test_bought_hits_need_four_dice() -> None:
    stage = dice_test.start(Side("a", "x", 9, can_buy=True), None, Look())
    assert asked(stage) == ["none", "buy"]
    assert play(stage, [], {"buy-hits": "buy"}).stage == Seen(2, 0, (0, 0))
    assert isinstance(dice_test.start(Side("a", "x", 3, can_buy=True), None, Look()).awaits, Roll)


def test_without_dice_a_contest_is_forgone_unless_edge_pushes() -> None:
    assert dice_test.start(Side("a", "x", 0), Side("b", "y", 4), Contest()).awaits is None
    stage = dice_test.start(Side("a", "x", 0, None, 2), Side("b", "y", 1), Contest())
    assert play(stage, [[5, 5], [1]], {"edge-before": "push"}).details["success"] is True


def test_glitches_take_more_than_half() -> None:
    for faces, glitch in (([1, 1, 5, 2], "none"), ([1, 1, 1, 5], "glitch"), ([1, 1, 1, 2], "critical")):
        end = play(dice_test.start(Side("a", "x", 4), None, Look()), [faces])
        assert end.details["a_glitch"] == glitch


# --- Odds ---------------------------------------------------------------------------------------------------


def test_odds_are_those_of_every_throw() -> None:
    """Three dice with a limit of 2 against two with a limit of 1, counted one by one."""
    counted: Counter[tuple[int, int]] = Counter()
    for faces in product(range(1, 7), repeat=5):
        hits = [face >= 5 for face in faces]
        counted[min(2, sum(hits[:3])), min(1, sum(hits[3:]))] += 1
    stage = dice_test.start(Side("a", "x", 3, 2), Side("b", "y", 2, 1), Look())
    found = odds(stage, Transitions(readers.DefaultPolicy())).only
    for (mine, theirs), weight in counted.items():
        chance = found.chance(lambda end, at=(mine, theirs): (end.hits, end.other_hits) == at)  # type: ignore[misc]
        assert chance == Fraction(weight, 6**5)


class Always:
    """A policy that takes these options wherever they are offered."""

    def __init__(self, *wanted: str) -> None:
        self.wanted = wanted

    def choose(self, decision: Decision) -> tuple[str, str]:
        offered = [option.id for option in decision.options if option.id in self.wanted]
        return (offered or [decision.default])[0], "policy"


def test_odds_of_a_second_chance_are_those_of_every_throw() -> None:
    counted: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=2):
        hits = sum(face >= 5 for face in faces)
        for again in product(range(1, 7), repeat=2):
            counted[min(1, hits + sum(face >= 5 for face in again[: 2 - hits]))] += 1
    side = Side("a", "x", 2, 1, 0, 2, True)
    clever = Transitions(
        Always("second-chance"), readers.PolicyInputs(frozenset(), frozenset({"second-chance"}))
    )
    for transitions in (Transitions(Always("second-chance")), clever):
        found = odds(dice_test.start(side, None, Look()), transitions).only
        assert found.chance(lambda end: end.hits == 1) == Fraction(counted[1], 6**4)


def test_weighing_less_changes_no_odds() -> None:
    """Throws that a policy does not tell apart are taken together."""
    stage = dice_test.start(edgy(4, 2), Side("b", "y", 3, None, 0, 2, True), Threshold(1))
    options = frozenset({"push-after", "cancel", "lessen"})
    policy = Always(*options)
    full = odds(stage, Transitions(policy)).only
    brief = odds(stage, Transitions(policy, readers.PolicyInputs(frozenset(), options))).only
    assert {end: full.chance(lambda one, end=end: one == end) for end in full.outcomes} == {
        end: brief.chance(lambda one, end=end: one == end) for end in brief.outcomes
    }


# --- Extended tests -----------------------------------------------------------------------------------------


def test_an_extended_test_ends_when_its_dice_do() -> None:
    stage = Progress(Side("test", "tester", 3), 9, 0, 0, 20, 0).go_on()
    end = play(stage, [[5, 5, 1], [5, 1], [2]])
    assert (end.details["success"], end.details["hits"], end.details["rolls"]) == (False, 3, 3)


def test_one_point_of_edge_in_a_whole_extended_test() -> None:
    side = Side("test", "tester", 3, 1, 0, 2)
    end = play(
        Progress(side, 9, 0, 0, 2, 0).go_on(), [[5, 5, 1], [5, 6, 1], [5, 5]], {"edge-after": "push-after"}
    )
    assert end.details["hits"] == 2 + 2 + 1
    assert end.stage.effects() == (Effect("spend", "tester", "edge", 1),)
