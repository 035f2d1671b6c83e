"""Odds of chains whose throws differ in size: stage after stage in order, each once, and still exact."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_rules import Aim, Climb, Done, Endless, Fixed, ForkOnHit, Strike

from fracas.dice.pools import Pool
from fracas.dice.requests import Spread
from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel import odds as odds_module
from fracas.kernel.expectations import Valuation
from fracas.kernel.odds import MAX_PATHS, Distribution, Odds, Transitions, odds
from fracas.kernel.readers import DefaultPolicy, PolicyInputs
from fracas.kernel.stage import Awaited, Decision, Effect, Facts, Fork, Option, Roll, Stage, stage_class


@stage_class
class Relay(NamedTuple):
    """The result of each throw says how many sides the next die has: denominators differ from way to way."""

    sides: int
    left: int
    kind: Literal["toy.relay"] = "toy.relay"

    @property
    def awaits(self) -> Awaited:
        return Roll(("relay",), ("runner",), Total(((1, self.sides),))) if self.left else None

    def advance(self, answer: Any) -> Stage:
        return Relay(answer % 5 + 2, self.left - 1)

    def notes(self) -> Facts:
        return {"damage": self.sides, "yielded": False}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Circle(NamedTuple):
    """A faulty procedure: it comes back to where it was."""

    at: int
    kind: Literal["toy.circle"] = "toy.circle"

    @property
    def awaits(self) -> Awaited:
        return Roll(("circle",), ("runner",), Total(((1, 7),)))

    def advance(self, answer: Any) -> Stage:
        return Relay(2 + answer, 2) if self.at else Circle(1 - self.at)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Round(NamedTuple):
    """Another: each throw leads to two stages that lead here."""

    sides: int
    kind: Literal["toy.round"] = "toy.round"

    @property
    def awaits(self) -> Awaited:
        return Roll(("round",), ("runner",), Total(((1, self.sides),)))

    def advance(self, answer: Any) -> Stage:
        return Round(answer % 4 + 2)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


def by_hand(stage: Relay) -> dict[Stage, Fraction]:
    found: dict[Stage, Fraction] = defaultdict(Fraction)
    if not stage.left:
        return {stage: Fraction(1)}
    for face in range(1, stage.sides + 1):
        for end, chance in by_hand(Relay(face % 5 + 2, stage.left - 1)).items():
            found[end] += chance / stage.sides
    return found


def chances(distribution: Distribution) -> dict[Stage, Fraction]:
    return {stage: Fraction(weight, distribution.total) for stage, weight in distribution.outcomes.items()}


def in_order(stage: Stage, policy: Any = None) -> Odds:
    """The odds by way of the order, however few denominators there are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odds_module, "MANY_TOTALS", 0)
        return odds(stage, Transitions(policy or DefaultPolicy()))


@given(sides=st.integers(2, 6), left=st.integers(0, 6))
def test_ways_of_different_sizes_are_weighed_exactly(sides: int, left: int) -> None:
    stage = Relay(sides, left)
    found = odds(stage, Transitions(DefaultPolicy()))
    assert chances(found.only) == by_hand(stage)
    assert chances(in_order(stage).only) == by_hand(stage)


def test_a_long_chain_meets_each_stage_once() -> None:
    """A stage is looked up once for its own sake and once for its place; not once for every way that leads to it."""
    calls = 0

    class Counting(Transitions):
        def __call__(self, *args: Any) -> Any:
            nonlocal calls
            calls += 1
            return super().__call__(*args)

    found = odds(Relay(6, 60), Counting(DefaultPolicy()))
    assert sum(chances(found.only).values()) == 1
    assert calls < 4 * 5 * 60


STAGES = [
    Aim(2, (("guard", 5),)),
    Aim(2, (("guard", 5), ("giant", 7))),
    Climb(0),
    ForkOnHit(),
    Strike(3, 1),
    Fork((("left", Fork((("up", Strike(1, 3)), ("", Relay(3, 3))))), ("", Done(2)))),
    Done(1),
]


@pytest.mark.parametrize("policy", [Fixed(), Fixed(style="wild"), Fixed(**{"yield": "yield"})])
@pytest.mark.parametrize("stage", STAGES)
def test_both_ways_find_the_same(stage: Stage, policy: Fixed) -> None:
    found, ordered = odds(stage, Transitions(policy)), in_order(stage, policy)
    assert set(found.branches) == set(ordered.branches)
    for name, branch in found.branches.items():
        assert chances(branch) == chances(ordered.branches[name])
    assert set(found.glitches) == set(ordered.glitches)
    for name, glitches in found.glitches.items():
        assert ordered.glitches[name] == pytest.approx(glitches, abs=1e-12)


@pytest.mark.parametrize("stage", [Circle(0), Round(5), Endless()])
def test_what_goes_on_for_ever_is_refused(stage: Stage) -> None:
    if isinstance(stage, Circle):
        stage = Fork((("", Round(5)), ("circle", stage)))
    for weigh in (in_order, lambda stage: odds(stage, Transitions(DefaultPolicy()))):
        with pytest.raises(InputError) as caught:
            weigh(stage)
        assert [problem.code for problem in caught.value.problems] == ["too-complex"]


@pytest.mark.parametrize("stage", [STAGES[0], STAGES[1], Relay(6, 7)])
def test_expectations_over_the_outcomes_are_those_of_a_valuation(stage: Stage) -> None:
    def measured(outcome: Stage) -> tuple[float, ...]:
        facts = outcome.notes()
        return float(facts["damage"] or 0), float(facts["yielded"] or 0), 1.0

    transitions = Transitions(DefaultPolicy())
    expected = odds(stage, transitions).expected(measured)
    assert expected == pytest.approx(Valuation(transitions, measured)(stage), abs=1e-12)


def test_steps_are_counted_and_more_may_be_allowed() -> None:
    transitions = Transitions(DefaultPolicy())
    transitions.allow(5)
    with pytest.raises(InputError, match="too-complex"):
        odds(Relay(6, 3), transitions)
    transitions.allow(MAX_PATHS)
    assert chances(odds(Relay(6, 3), transitions).only) == by_hand(Relay(6, 3))


# Answers that are taken together.


@stage_class
class Glance(NamedTuple):
    """Two dice are thrown; somebody sees hits and ones, and decides."""

    kind: Literal["toy.glance"] = "toy.glance"

    @property
    def awaits(self) -> Awaited:
        return Roll(("glance",), ("seer",), Pool(4, detail="full"))

    def spread(self, watched: PolicyInputs) -> Spread:
        """Who does not look at the ones need not be told them."""
        spread = Pool(4, detail="full").spread()
        if "ones" in watched.context:
            return spread
        found: dict[Any, int] = defaultdict(int)
        for (hits, _), weight in zip(spread.answers, spread.weights, strict=True):  # type: ignore[misc]
            found[hits, 0] += weight
        return Spread(tuple(found), tuple(found.values()), spread.total)

    def advance(self, answer: Any) -> Stage:
        return Verdict(*answer)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class Verdict(NamedTuple):
    hits: int
    ones: int
    kind: Literal["toy.verdict"] = "toy.verdict"

    @property
    def awaits(self) -> Awaited:
        options = (Option("keep", "Keep"), Option("double", "Double"))
        return Decision("double", "seer", options, "keep", (("hits", self.hits), ("ones", self.ones)))

    def advance(self, answer: Any) -> Stage:
        return Done(self.hits * (2 if answer == "double" else 1))

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


class IfMany:
    """Doubles many hits, or few ones."""

    def __init__(self, field: str) -> None:
        self.field = field

    def choose(self, decision: Decision) -> tuple[str, str]:
        value = dict(decision.context)[self.field]
        assert isinstance(value, int)
        return ("double" if (value > 1) == (self.field == "hits") else "keep"), "policy"


def test_a_policy_is_told_no_more_than_it_looks_at() -> None:
    for field, size in (("hits", 1 + 5 + 5), ("ones", 1 + 15 + 6)):
        policy = IfMany(field)
        told = Transitions(policy, PolicyInputs(frozenset({field})))
        found = odds(Glance(), told)
        assert chances(found.only) == chances(odds(Glance(), Transitions(policy)).only)
        assert len(told._known) <= size
