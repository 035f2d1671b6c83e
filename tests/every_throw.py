"""Small pools counted out throw by throw, for the odds of rulesets whose pools count hits on six-sided dice.

Of the dice only faces and hits are taken for granted; nothing of the service's odds is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import factorial, prod
from typing import Any

from fracas.dice.pools import Opposed, Pool
from fracas.dice.totals import Total
from fracas.kernel.ruleset import Procedure
from fracas.kernel.stage import Decision, Fork, Roll, Stage

Data = dict[str, Any]
MOST_WAYS = 4_000
"""Throws after which equal stages are counted out together."""

Faces = tuple[int, ...]


@cache
def throws(dice: int) -> list[tuple[Faces, Fraction]]:
    """Some dice as hits, ones and others, with the chance of so many of each: 2, 1 and 3 of six faces."""
    found = []
    for hits in range(dice + 1):
        for ones in range(dice - hits + 1):
            others = dice - hits - ones
            ways = factorial(dice) // (factorial(hits) * factorial(ones) * factorial(others))
            chance = Fraction(ways * 2**hits * 3**others, 6**dice)
            found.append(((5,) * hits + (1,) * ones + (3,) * others, chance))
    return found


@cache
def sums(dice: tuple[tuple[int, int], ...]) -> list[tuple[tuple[Faces, ...], Fraction]]:
    """One throw of dice for each sum, with the chance of that sum."""
    groups = [(count, sides) for count, sides in dice if count]
    chances: dict[int, Fraction] = defaultdict(Fraction)
    example: dict[int, tuple[Faces, ...]] = {}
    for parts in product(*(product(range(1, sides + 1), repeat=count) for count, sides in groups)):
        total = sum(map(sum, parts))
        example[total] = parts
        chances[total] += Fraction(1, prod(sides**count for count, sides in groups))
    return [(example[total], chance) for total, chance in chances.items()]


def falls(request: Any) -> list[tuple[tuple[Faces, ...], Fraction]]:
    """Every throw that the rules tell apart, as faces."""
    if isinstance(request, Total):
        return sums(request.dice)
    pools: tuple[Pool, ...] = (request.first, request.second) if isinstance(request, Opposed) else (request,)
    assert not any(pool.exploding for pool in pools), "nobody adds dice that explode here"
    thrown = [throws(pool.dice) for pool in pools if pool.dice]
    found = []
    for parts in product(*thrown):
        chance = Fraction(1)
        for _, share in parts:
            chance *= share
        found.append((tuple(faces for faces, _ in parts), chance))
    return found


class Decider:
    """Takes decisions as somebody at the table would who has the policies written on a card.

    Attributes:
        judged: places of the policies that were asked for and could be judged.
    """

    def __init__(self, procedure: Procedure, policies: Sequence[Data]) -> None:
        self.policies = policies
        self.judged: set[int] = set()
        self._clues = {one.id: {clue.id for clue in one.context} for one in procedure.decisions}

    def choose(self, decision: Decision) -> str:
        about = dict(decision.context)
        assert about.keys() - {"roll"} <= self._clues[decision.id], "conditions may go by all that is told"
        for at, policy in enumerate(self.policies):
            if policy["decision"] != decision.id or policy.get("by", decision.by) != decision.by:
                continue
            if (holds := self.holds(policy.get("when", "always"), about)) is not None:
                self.judged.add(at)
            if holds and policy["choose"] in [option.id for option in decision.options]:
                return str(policy["choose"])
        return decision.default

    @staticmethod
    def holds(when: Any, about: Mapping[str, Any]) -> bool | None:
        if when == "always":
            return True
        if when == "glitch":
            return about["glitch"] != "none" if "glitch" in about else None
        if "short" not in about:
            return None
        if when == "failing":
            return bool(about["short"] > 0)
        if when == "succeeding":
            return bool(about["short"] <= 0)
        assert set(when) == {"short"}
        return bool(when["short"]["at_least"] <= about["short"] <= when["short"]["at_most"])


Found = dict[tuple[str, Any], Fraction]


def counted_out(stage: Stage, decider: Decider) -> Found:
    """The chance of every outcome of each branch, going through all throws."""
    known: dict[Stage, Found] = {}
    ways = 0

    def follow(stage: Stage) -> Found:
        nonlocal ways
        ways += 1
        if stage in known:
            return known[stage]
        found: Found = defaultdict(Fraction)
        awaited = stage.awaits
        if isinstance(stage, Fork):
            for label, part in stage.branches:
                for (branch, facts), chance in follow(part).items():
                    found[f"{label}.{branch}" if branch and label else branch or label, facts] += chance
        elif awaited is None:
            found["", facts_of(stage.notes())] = Fraction(1)
        else:
            for then, share in _thrown(stage, awaited):
                for key, chance in follow(then).items():
                    found[key] += chance * share
        if ways > MOST_WAYS:
            known[stage] = found
        return found

    def _thrown(stage: Stage, awaited: Roll | Decision) -> Iterator[tuple[Stage, Fraction]]:
        if isinstance(awaited, Decision):
            yield stage.advance(decider.choose(awaited)), Fraction(1)
            return
        for faces, share in falls(awaited.request):
            yield stage.advance(awaited.request.answer(faces)), share

    return dict(follow(stage))


def facts_of(facts: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Facts as something that can be looked up."""
    return tuple(sorted(facts.items()))


def told(answer: Mapping[str, Any]) -> Found:
    """What the service says of the same, asked for exact odds."""
    found: Found = defaultdict(Fraction)
    for branch in answer["branches"]:
        for row in branch["outcomes"]:
            chance = Fraction(int(row["weight"]), int(branch["total"]))
            found[branch["branch"], facts_of(row["outcome"])] += chance
    return dict(found)
