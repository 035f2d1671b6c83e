"""The odds reader: exact probabilities pushed through the stages instead of dice.

Equal stages are merged, so the work grows with the number of different situations, not of dice. Weights are
integers over a common denominator: nothing is rounded until somebody asks for a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from fracas.dice.requests import Opposed, Pool, glitch_of
from fracas.errors import InputError
from fracas.kernel.readers import Policy
from fracas.kernel.stage import Decision, Fork, Roll, Stage

MAX_THROWS = 1000
"""Throws one after the other after which odds are refused; no procedure comes near."""

MAX_PATHS = 300_000
"""Steps from one stage to another after which odds are refused instead of holding up the service."""


class Distribution(NamedTuple):
    """Outcomes with integer weights over `total`.

    The weights add up to the total, but for a branch that only some paths reach: there they add up to the share
    that does.
    """

    outcomes: dict[Stage, int]
    total: int

    def chance(self, wanted: Callable[[Stage], bool]) -> Fraction:
        """The exact chance of the outcomes that `wanted` accepts."""
        return Fraction(sum(weight for stage, weight in self.outcomes.items() if wanted(stage)), self.total)


class Glitches(NamedTuple):
    """How likely a test ends in a glitch, over the whole procedure (0 where it is not thrown).

    Whatever cancels a glitch afterwards is not counted.
    """

    glitch: float
    critical: float


class Odds(NamedTuple):
    """What the odds reader found.

    Attributes:
        branches: one distribution a branch; the only key is ``""`` where the procedure never forks.
        glitches: by the label of each pool that is thrown.
    """

    branches: dict[str, Distribution]
    glitches: dict[str, Glitches]

    @property
    def only(self) -> Distribution:
        """The distribution of a procedure that does not fork."""
        return self.branches[""]


class Transitions:
    """Where stages lead, remembered: odds and valuations of one request share them.

    Attributes:
        policy: answers the decisions.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._known: dict[Stage, tuple[int, list[tuple[Stage, int]]]] = {}
        self._paths = 0

    def __call__(self, stage: Stage, awaited: Roll | Decision) -> tuple[int, list[tuple[Stage, int]]]:
        """The total of the weights, and the stages that follow with their weights; some may be equal.

        Raises:
            InputError: more than MAX_PATHS steps.
        """
        known = self._known.get(stage)
        if known is not None:
            return known
        if isinstance(awaited, Roll):
            answers, weights, total = awaited.request.spread()
            self._paths += len(answers)
            if self._paths > MAX_PATHS:
                message = f"more than {MAX_PATHS} ways to weigh"
                raise InputError.one("situation", "too-complex", message, "take fewer decisions into account")
            known = (total, list(zip(map(stage.advance, answers), weights, strict=True)))
        else:
            known = (1, [(stage.advance(self._policy.choose(awaited)[0]), 1)])
        self._known[stage] = known
        return known


def odds(stage: Stage, transitions: Transitions, *, glitches: bool = True) -> Odds:
    """The exact distribution over outcomes.

    Raises:
        InputError: the procedure has more than MAX_PATHS steps from one stage to another.
    """
    agenda: dict[tuple[str, int], dict[Stage, int]] = {("", 1): {stage: 1}}
    finished: dict[str, dict[int, dict[Stage, int]]] = {}
    thrown: dict[str, list[tuple[Pool, float]]] = {}  # by roll, in its branch
    throws = 0
    while agenda:
        throws += 1
        if throws > MAX_THROWS:
            raise InputError.one(
                "situation", "too-complex", f"more than {MAX_THROWS} throws one after the other"
            )
        place = min(agenda, key=lambda key: key[1])
        branch, total = place
        for stage, weight in agenda.pop(place).items():
            awaited = stage.awaits
            if isinstance(stage, Fork):
                for label, part in stage.branches:
                    name = f"{branch}.{label}" if branch else label
                    _add(agenda.setdefault((name, total), {}), part, weight)
            elif awaited is None:
                _add(finished.setdefault(branch, {}).setdefault(total, {}), stage, weight)
            else:
                if glitches and isinstance(awaited, Roll):
                    _note_pools(thrown, branch, awaited, weight / total)
                ways, followers = transitions(stage, awaited)
                following = agenda.setdefault((branch, total * ways), {})
                so_far = following.get
                for then, share in followers:
                    following[then] = so_far(then, 0) + weight * share
    return Odds(
        {branch: _common(by_total) for branch, by_total in finished.items()},
        {label: _mix(pools) for label, pools in thrown.items()},
    )


class Valuation:
    """Expected values of some numbers over the outcomes, remembered stage by stage.

    Chains that differ in their first throw alone share everything after it, which makes "what if" cheap.

    Attributes:
        of: the numbers of an outcome.
    """

    def __init__(self, transitions: Transitions, of: Callable[[Stage], tuple[float, ...]]) -> None:
        self._transitions = transitions
        self._of = of
        self._known: dict[Stage, tuple[float, ...]] = {}

    def __call__(self, stage: Stage) -> tuple[float, ...]:
        """The expected numbers from here on; over a fork, of its branches together."""
        known = self._known.get(stage)
        if known is None:
            known = self._known[stage] = self._value(stage)
        return known

    def _value(self, stage: Stage) -> tuple[float, ...]:
        awaited = stage.awaits
        if isinstance(stage, Fork):
            parts = [self(part) for _, part in stage.branches]
            return tuple(map(sum, zip(*parts, strict=True)))
        if awaited is None:
            return self._of(stage)
        total, followers = self._transitions(stage, awaited)
        expected: list[float] = []
        for then, weight in followers:
            share = weight / total
            values = self(then)
            if expected:
                expected = [sum_ + share * value for sum_, value in zip(expected, values, strict=True)]
            else:
                expected = [share * value for value in values]
        return tuple(expected)


def _add(weights: dict[Stage, int], stage: Stage, weight: int) -> None:
    weights[stage] = weights.get(stage, 0) + weight


def _common(by_total: dict[int, dict[Stage, int]]) -> Distribution:
    """All weights over the least common denominator."""
    total = lcm(*by_total)
    outcomes: dict[Stage, int] = {}
    for part, weights in by_total.items():
        factor = total // part
        for stage, weight in weights.items():
            outcomes[stage] = outcomes.get(stage, 0) + weight * factor
    return Distribution(outcomes, total)


def _note_pools(thrown: dict[str, list[tuple[Pool, float]]], branch: str, roll: Roll, chance: float) -> None:
    request = roll.request
    pools: tuple[Pool, ...] = ()
    if isinstance(request, Pool):
        pools = (request,)
    elif isinstance(request, Opposed):
        pools = (request.first, request.second)
    for label, pool in zip(roll.labels, pools, strict=False):
        thrown.setdefault(f"{branch}.{label}" if branch else label, []).append((pool, chance))


def _mix(pools: Iterable[tuple[Pool, float]]) -> Glitches:
    chances = {"none": 0.0, "glitch": 0.0, "critical": 0.0}
    for pool, chance in pools:
        plain, worst = pool.glitch_chances()
        chances["glitch"] += chance * plain
        chances["critical"] += chance * worst
        if pool.before[0]:  # this throw takes the place of one whose result is known
            chances[glitch_of(pool.before[0], pool.bonus, pool.before[1], pool.glitch)] -= chance
    return Glitches(chances["glitch"], chances["critical"])
