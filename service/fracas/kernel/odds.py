"""The odds reader: exact probabilities pushed through the stages instead of dice.

Equal stages are merged, so the work grows with the number of different situations, not of dice. Weights are
integers over a common denominator: nothing is rounded until a caller asks for a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import fsum, lcm
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from fracas._former_names import in_module
from fracas.dice.pools import Opposed, Pool
from fracas.errors import InputError
from fracas.kernel.budget import UNLIMITED, Budget
from fracas.kernel.readers import Policy, PolicyInputs
from fracas.kernel.stage import Decision, Fork, Roll, Stage

__all__ = [
    "MANY_TOTALS",
    "MAX_PATHS",
    "MAX_PATHS_BESIDES",
    "MAX_THROWS",
    "Distribution",
    "Glitches",
    "Odds",
    "Played",
    "Reached",
    "Shortcut",
    "Transitions",
    "Walked",
    "Ways",
    "common",
    "odds",
    "walk",
]

MAX_THROWS = 1000
"""Throws one after the other after which odds are refused; no procedure comes near."""

MAX_PATHS = 600_000
"""Steps from one stage to another after which odds are refused instead of holding up the service."""

MAX_PATHS_BESIDES = 2 * MAX_PATHS
"""The same for everything that odds are compared with."""

MANY_TOTALS = 8
"""Denominators at a time from which it pays to put the stages in order first: each is then met only once."""


_K = TypeVar("_K")
Ways = tuple[int, Sequence[Stage], Sequence[int]]
"""Where a stage leads: the total of the weights, the stages that follow, and their weights."""


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
        rests: whether stages with a `Shortcut` were met: then what comes is weighed faster from the first stage on.
    """

    branches: dict[str, Distribution]
    glitches: dict[str, Glitches]
    rests: bool = False

    @property
    def only(self) -> Distribution:
        """The distribution of a procedure that does not fork."""
        return self.branches[""]

    def expected(self, of: Callable[[Stage], tuple[float, ...]]) -> tuple[float, ...]:
        """The expected values of some numbers of an outcome; over a fork, of its branches together."""
        rows = [
            [weight / distribution.total * value for value in of(outcome)]
            for distribution in self.branches.values()
            for outcome, weight in distribution.outcomes.items()
        ]
        return tuple(map(fsum, zip(*rows, strict=True)))


class Reached(NamedTuple):
    """A stage, and how likely it is to come there: `weight / total`."""

    stage: Stage
    weight: int
    total: int


class Played(NamedTuple):
    """What comes of the rest of a chain.

    Attributes:
        ends: weights of outcomes, with their denominator, whole numbers unless rounded; no way ends twice.
        thrown: every roll on the way, and the chance that it is made.
    """

    ends: list[tuple[int, dict[Stage, Any]]]
    thrown: list[tuple[Roll, float]]


class Shortcut(Protocol):
    """All that is left of a chain, by a shorter way to the outcomes than stage by stage.

    A stage may have a method ``shortcut(inputs)``, which gives one, or None where such a policy takes decisions that
    leave no shorter way. Stages whose shortcuts are equal are played together.
    """

    def play(self, reached: Iterable[Reached], rounded: bool, transitions: Transitions) -> Played:
        """The outcomes of the ways that lead on from these stages; `rounded`: floats will do for the weights.

        Raises:
            InputError: it would take too long; by the budget of the transitions, which it checks in its loops.
        """


class Walked(NamedTuple):
    """Where the ways of a chain lead.

    Attributes:
        finished: outcomes with their weights, by branch and total.
        thrown: by roll, in its branch, the pools and how likely they are thrown.
        rests: stages that were reached, by branch and rest: weights by total.
    """

    finished: dict[str, dict[int, dict[Stage, int]]]
    thrown: dict[str, list[tuple[Pool, float]]]
    rests: dict[tuple[str, Shortcut], dict[Stage, dict[int, int]]]

    def played(self, rounded: bool, transitions: Transitions) -> Iterator[tuple[str, Played]]:
        """What comes of each rest, with its branch."""
        for (branch, rest), stages in self.rests.items():
            reached = (
                Reached(stage, weight, total)
                for stage, weights in stages.items()
                for total, weight in weights.items()
            )
            yield branch, rest.play(reached, rounded, transitions)


class Transitions:
    """Where stages lead, remembered: odds and valuations of one request share them.

    A stage may have a method ``spread(inputs)``, which gives the spread of its roll with those answers taken together
    that make no difference to such a policy: one of them stands for all. It may have a method
    ``successors(answers, met)``, which advances by each of many answers and is faster than one at a time; in `met`, a
    dict, it may leave for its like what many of them lead to.

    Attributes:
        policy: answers the decisions.
        inputs: what the policy goes by; None: perhaps by everything.
        budget: processor time for all of it.
    """

    def __init__(
        self, policy: Policy, inputs: PolicyInputs | None = None, budget: Budget = UNLIMITED
    ) -> None:
        self.budget = budget
        self._policy = policy
        self._inputs = inputs
        self._known: dict[Stage, list[Ways]] = {}  # a list of one, or none yet
        self._met: dict[Any, Any] = {}
        self._left = MAX_PATHS

    def allow(self, paths: int) -> None:
        """So many further steps may be taken, whatever was taken before; at first MAX_PATHS."""
        self._left = paths

    def shortcut(self, stage: Stage) -> Shortcut | None:
        """What plays all that comes after a stage at once, if anything does."""
        known = getattr(stage, "shortcut", None)
        return known(self._inputs) if known else None

    def __call__(self, stage: Stage, awaited: Roll | Decision) -> Ways:
        """The total of the weights, the stages that follow, of which some may be equal, and the weight of each.

        Raises:
            InputError: more steps than are allowed, or more processor time.
        """
        self.budget.check()
        place = self._known.setdefault(stage, [])
        if place:
            return place[0]
        if isinstance(awaited, Roll):
            spread = None if self._inputs is None else getattr(stage, "spread", None)
            answers, weights, total = spread(self._inputs) if spread else awaited.request.spread()
            self._left -= len(answers)
            if self._left < 0:
                message = "more ways to weigh than can be weighed at once"
                hint = "take fewer decisions into account, or leave attribution out"
                raise InputError.one("situation", "too-complex", message, hint)
            all_at_once = getattr(stage, "successors", None)
            stages = all_at_once(answers, self._met) if all_at_once else [*map(stage.advance, answers)]
            known = (total, stages, weights)
        else:
            known = (1, [stage.advance(self._policy.choose(awaited)[0])], (1,))
        place.append(known)
        return known


def odds(stage: Stage, transitions: Transitions, *, glitches: bool = True) -> Odds:
    """The exact distribution over outcomes.

    Raises:
        InputError: the procedure has more than MAX_PATHS steps from one stage to another, or takes more processor
            time than the budget of the transitions.
    """
    walked = walk(stage, transitions, glitches)
    finished, thrown, rests = walked
    for branch, (ends, rolls) in walked.played(False, transitions):
        for total, ended in ends:
            transitions.budget.check()
            _add_all(finished.setdefault(branch, {}).setdefault(total, {}), ended, 1)
        for roll, chance in rolls if glitches else ():
            _note_pools(thrown, branch, roll, chance)
    return Odds(
        {branch: common(by_total, transitions.budget) for branch, by_total in finished.items()},
        {label: _mix(pools) for label, pools in thrown.items()},
        bool(rests),
    )


def walk(stage: Stage, transitions: Transitions, glitches: bool) -> Walked:
    """All ways from a stage, to the outcomes and to what stands for the rest of them.

    Raises:
        InputError: see `odds`.
    """
    # Weights lie in lists of one, so that a stage is looked up, and hashed, only once however often it is met.
    agenda: dict[tuple[str, int], dict[Stage, list[int]]] = {("", 1): {stage: [1]}}
    finished: dict[str, dict[int, dict[Stage, int]]] = {}
    thrown: dict[str, list[tuple[Pool, float]]] = {}  # by roll, in its branch
    rests: dict[tuple[str, Shortcut], dict[Stage, dict[int, int]]] = {}
    throws = 0
    first = stage
    while agenda:
        throws += 1
        if throws > MAX_THROWS:
            raise _too_long()
        if len(agenda) > MANY_TOTALS:
            return _walk_in_order(first, transitions, glitches)
        place = min(agenda, key=lambda key: key[1])
        branch, total = place
        ended: dict[Stage, int] = {}
        for stage, (weight,) in agenda.pop(place).items():
            awaited = stage.awaits
            if isinstance(stage, Fork):
                for label, part in stage.branches:
                    into = agenda.setdefault((_inner(branch, label), total), {})
                    into.setdefault(part, [0])[0] += weight
            elif awaited is None:
                ended[stage] = weight
            elif rest := transitions.shortcut(stage):
                _add(rests.setdefault((branch, rest), {}).setdefault(stage, {}), total, weight)
            else:
                if glitches and isinstance(awaited, Roll):
                    _note_pools(thrown, branch, awaited, weight / total)
                ways, successors, shares = transitions(stage, awaited)
                following = agenda.setdefault((branch, total * ways), {})
                so_far, fresh = following.setdefault, [0]
                for then, share in zip(successors, shares, strict=True):
                    met = so_far(then, fresh)
                    met[0] += weight * share
                    if met is fresh:
                        fresh = [0]
        if ended:
            _add_all(finished.setdefault(branch, {}).setdefault(total, {}), ended, 1)
    return Walked(finished, thrown, rests)


def _inner(branch: str, label: str) -> str:
    return f"{branch}.{label}" if branch and label else branch or label


def _too_long() -> InputError:
    return InputError.one("situation", "too-complex", f"more than {MAX_THROWS} throws one after the other")


def _walk_in_order(first: Stage, transitions: Transitions, glitches: bool) -> Walked:
    """The same as `walk`, stage after stage, each when all that lead to it are done.

    Where throws of different sizes lead to the same stage, as rerolls and Extended Tests do, the other way would come
    to it again for every denominator.
    """
    reached: dict[str, dict[Stage, dict[int, int]]] = {"": {first: {1: 1}}}  # by branch: weights by total
    finished: dict[str, dict[int, dict[Stage, int]]] = {}
    thrown: dict[str, list[tuple[Pool, float]]] = {}
    rests: dict[tuple[str, Shortcut], dict[Stage, dict[int, int]]] = {}
    for branch, stage in _ordered(first, transitions):
        transitions.budget.check()
        weight, total = _joined(reached[branch].pop(stage))
        awaited = stage.awaits
        if isinstance(stage, Fork):
            for label, part in stage.branches:
                _add(reached.setdefault(_inner(branch, label), {}).setdefault(part, {}), total, weight)
        elif awaited is None:
            _add(finished.setdefault(branch, {}).setdefault(total, {}), stage, weight)
        elif rest := transitions.shortcut(stage):
            rests.setdefault((branch, rest), {})[stage] = {total: weight}
        else:
            if glitches and isinstance(awaited, Roll):
                _note_pools(thrown, branch, awaited, weight / total)
            ways, successors, shares = transitions(stage, awaited)
            into, then_total = reached[branch], total * ways
            for then, share in zip(successors, shares, strict=True):
                by_total = into.get(then)
                if by_total is None:
                    into[then] = {then_total: weight * share}
                else:
                    by_total[then_total] = by_total.get(then_total, 0) + weight * share
    return Walked(finished, thrown, rests)


def _ordered(first: Stage, transitions: Transitions) -> list[tuple[str, Stage]]:
    """Every stage that can be reached, with its branch, after all that lead to it.

    Raises:
        InputError: a way goes on for more than MAX_THROWS stages, or in a circle.
    """
    done: dict[tuple[str, Stage], bool] = {("", first): False}
    ordered: list[tuple[str, Stage]] = []
    way = [(("", first), _leads("", first, transitions))]
    while way:
        node, rest = way[-1]
        for then in rest:
            finished = done.get(then)
            if finished is None:
                done[then] = False
                way.append((then, _leads(*then, transitions)))
                break
            if not finished:
                raise _too_long()
        else:
            done[node] = True
            ordered.append(node)
            way.pop()
        if len(way) > MAX_THROWS:
            raise _too_long()
    return ordered[::-1]


def _leads(branch: str, stage: Stage, transitions: Transitions) -> Iterator[tuple[str, Stage]]:
    awaited = stage.awaits
    if isinstance(stage, Fork):
        return iter([(_inner(branch, label), part) for label, part in stage.branches])
    if awaited is None or transitions.shortcut(stage):
        return iter(())
    return ((branch, then) for then in transitions(stage, awaited)[1])


def _joined(by_total: Mapping[int, int]) -> tuple[int, int]:
    """Weights of several denominators as one weight and its denominator."""
    if len(by_total) == 1:
        ((total, weight),) = by_total.items()
        return weight, total
    total = lcm(*by_total)
    return sum(weight * (total // part) for part, weight in by_total.items()), total


def _add_all(into: dict[_K, int], weights: Mapping[_K, int], factor: int) -> None:
    if into:
        had = into.get
        for key, weight in weights.items():
            into[key] = had(key, 0) + weight * factor
    else:
        into.update(weights if factor == 1 else {key: weight * factor for key, weight in weights.items()})


def _add(weights: dict[_K, int], key: _K, weight: int) -> None:
    size = len(weights)
    had = weights.setdefault(key, weight)
    if len(weights) == size:  # it was there
        weights[key] = had + weight


def common(by_total: dict[int, dict[Stage, int]], budget: Budget = UNLIMITED) -> Distribution:
    """All weights over the least common denominator.

    Raises:
        OverBudgetError: it takes too long.
    """
    total = lcm(*by_total)
    outcomes: dict[Stage, int] = {}
    for part, weights in by_total.items():
        budget.check()
        _add_all(outcomes, weights, total // part)
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
    chances = {"glitch": 0.0, "critical": 0.0}
    for pool, chance in pools:
        plain, worst = pool.glitch_chances()
        chances["glitch"] += chance * plain
        chances["critical"] += chance * worst
        if pool.before[0]:  # this throw takes the place of one whose result is known
            plain, worst = pool.glitch_chances_before()
            chances["glitch"] -= chance * plain
            chances["critical"] -= chance * worst
    return Glitches(chances["glitch"], chances["critical"])


if not TYPE_CHECKING:
    __getattr__ = in_module(
        __name__,
        Rest="Shortcut",
        Valuation="fracas.kernel.expectations.Valuation",
        expected="fracas.kernel.expectations.expected",
    )
