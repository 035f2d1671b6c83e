"""The odds of every procedure: complete, those of every throw whatever is decided, and fair to every modifier.

The procedures and their situations are found, not listed (see `sr4_samples`): a new one is tested by being there. Small
pools are counted out throw by throw; of the dice only faces and hits are taken for granted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import factorial
from typing import Any

import pytest
from sr4_samples import PROCEDURES, Data, applied, asked, is_pool, prepared, samples, small, with_edge
from sr4_table import measures

from fracas.dice.requests import Opposed, Pool, Total
from fracas.engine.requests import Request
from fracas.engine.running import give_odds
from fracas.errors import InputError
from fracas.kernel.ruleset import Procedure
from fracas.kernel.stage import Decision, Fork, Roll, Stage
from fracas.kernel.tally import Entry

EVERY = [pytest.param(procedure, id=procedure.id) for procedure in PROCEDURES]
MOST_WAYS = 4_000
"""Throws after which equal stages are counted out together."""


@pytest.mark.parametrize("procedure", EVERY)
def test_every_procedure_has_situations(procedure: Procedure) -> None:
    assert samples(procedure.id), f"{procedure.id} has no worked example in which something happens"


# Every throw.

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
        chances[total] += Fraction(1, _product(sides**count for count, sides in groups))
    return [(example[total], chance) for total, chance in chances.items()]


def _product(numbers: Iterator[int]) -> int:
    made = 1
    for number in numbers:
        made *= number
    return made


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
        self._clues = {one.id: {clue.id for clue in one.clues} for one in procedure.decisions}

    def choose(self, decision: Decision) -> str:
        about = dict(decision.about)
        assert about.keys() - {"roll"} <= self._clues[decision.id], "conditions may go by all that is told"
        for at, policy in enumerate(self.policies):
            if policy["decision"] != decision.id or policy.get("by", decision.by) != decision.by:
                continue
            if (holds := self.holds(policy["when"], about)) is not None:
                self.judged.add(at)
            if holds and policy["choose"] in [option.id for option in decision.options]:
                return str(policy["choose"])
        return decision.default

    @staticmethod
    def holds(when: Any, about: Mapping[str, Any]) -> bool | None:
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
            found["", _key(stage.notes())] = Fraction(1)
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


def _key(facts: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(facts.items()))


def told(answer: Mapping[str, Any]) -> Found:
    found: Found = defaultdict(Fraction)
    for branch in answer["branches"]:
        for row in branch["outcomes"]:
            chance = Fraction(int(row["weight"]), int(branch["total"]))
            found[branch["branch"], _key(row["outcome"])] += chance
    return dict(found)


AFTER = {"decision": "edge-after"}
POLICIES: dict[str, list[Data]] = {
    "nothing": [],
    "reroll if failing": [{**AFTER, "choose": "reroll", "when": "failing"}],
    "cancel a glitch, or reroll for one hit": [
        {**AFTER, "choose": "negate-glitch", "when": "glitch"},
        {**AFTER, "choose": "reroll", "when": {"short": {"at_least": 1, "at_most": 1}}},
    ],
    "buy hits if they will do": [{"decision": "buy-hits", "choose": "buy", "when": "succeeding"}],
}


@pytest.mark.parametrize("policies", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("procedure", EVERY)
def test_odds_are_those_of_every_throw(procedure: Procedure, policies: list[Data]) -> None:
    if not {policy["decision"] for policy in policies} <= {one.id for one in procedure.decisions}:
        assert not any(one.id in ("edge-after", "buy-hits") for one in procedure.decisions)
        policies = []
    most = 4 if policies and policies[0]["decision"] == "buy-hits" else 2
    for sample in samples(procedure.id):
        few = small(procedure.id, with_edge(procedure, sample), most)
        options = {**few.get("options", {}), **({"buying_hits": True} if most == 4 else {})}
        request = asked(procedure.id, few, decisions=policies, options=options, exact=True, attribution=False)
        stage = prepared(request).stage
        assert stage is not None
        decider = Decider(procedure, policies)
        expected = counted_out(stage, decider)
        if len(decider.judged) < len(policies):
            with pytest.raises(InputError) as caught:
                give_odds(request)
            assert [problem.code for problem in caught.value.problems] == ["decision-not-asked"]
            continue
        assert told(give_odds(request)) == expected


@pytest.mark.parametrize("procedure", EVERY)
def test_decisions_that_take_their_defaults_change_nothing(procedure: Procedure) -> None:
    """Step mode asks for every decision; odds of it are those of every throw too, and of nobody being asked."""
    for sample in samples(procedure.id):
        few = small(procedure.id, with_edge(procedure, sample))
        more = {
            "options": {**few.get("options", {}), "buying_hits": True},
            "exact": True,
            "attribution": False,
        }
        opened = asked(procedure.id, few, mode="step", **more)
        stage = prepared(opened).stage
        assert stage is not None
        found = told(give_odds(opened))
        assert found == told(give_odds(asked(procedure.id, few, **more)))
        assert found == counted_out(stage, Decider(procedure, []))


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("procedure", EVERY)
def test_a_pushed_test_ends_alike_whoever_might_decide_afterwards(
    procedure: Procedure, counted: bool
) -> None:
    """Also where the dice that explosions add count for glitches, which those who decide are not told one by one."""
    push = [{"decision": "edge-before", "choose": "push"}]
    if not any(one.id == "edge-before" for one in procedure.decisions):
        return
    for sample in samples(procedure.id):
        few = small(procedure.id, with_edge(procedure, sample), 1)
        options = {**few.get("options", {}), "glitch_counts_exploded": counted}
        more = {"options": options, "attribution": False, "decisions": push}
        closed = odds_if_asked(asked(procedure.id, few, **more))
        if closed is None:
            continue
        opened = give_odds(asked(procedure.id, few, mode="step", **more))
        assert measures(opened) == pytest.approx(measures(closed), abs=1e-12)
        assert [branch["branch"] for branch in opened["branches"]] == [
            branch["branch"] for branch in closed["branches"]
        ]
        for mine, other in zip(opened["branches"], closed["branches"], strict=True):
            assert in_floats(mine) == pytest.approx(in_floats(other), abs=1e-12)


def odds_if_asked(request: Request) -> dict[str, Any] | None:
    """None where nobody is asked what the request decides."""
    try:
        return give_odds(request)
    except InputError as error:
        if [problem.code for problem in error.problems] != ["decision-not-asked"]:
            raise
        return None


def in_floats(branch: Mapping[str, Any]) -> dict[Any, float]:
    found: dict[Any, float] = defaultdict(float)
    for row in branch["outcomes"]:
        found[_key(row["outcome"])] += row["chance"]
    return dict(found)


@pytest.mark.parametrize("procedure", EVERY)
def test_chances_of_real_pools_sum_to_one(procedure: Procedure) -> None:
    for sample in samples(procedure.id):
        request = asked(procedure.id, sample, exact=True, attribution=False)
        stage = prepared(request).stage
        assert stage is not None
        shares: dict[str, Fraction] = defaultdict(Fraction)
        for (branch, _), chance in told(give_odds(request)).items():
            shares[branch] += chance
        assert shares
        # Every way ends in each branch of its fork, or where there was none.
        assert all(0 < share <= 1 for share in shares.values())
        if isinstance(stage, Fork) or len(shares) == 1:
            assert set(shares.values()) == {1}


@pytest.mark.parametrize("procedure", EVERY)
def test_measures_are_expectations_over_the_outcomes(procedure: Procedure) -> None:
    for sample in samples(procedure.id)[:2]:
        answer = give_odds(asked(procedure.id, sample, attribution=False))
        rows = [row for branch in answer["branches"] for row in branch["outcomes"]]
        for measure in procedure.measures:
            expected = sum(row["chance"] * measure.of(row["outcome"]) for row in rows)
            assert measures(answer)[measure.id] == pytest.approx(expected, abs=1e-9), measure.id


# What modifiers change.


def differences(answer: Mapping[str, Any], without: Mapping[str, Any]) -> dict[str, float]:
    return {name: value - measures(without)[name] for name, value in measures(answer).items()}


@pytest.mark.parametrize("floored", [False, True])
@pytest.mark.parametrize("procedure", EVERY)
def test_each_number_tells_what_a_modifier_by_hand_changes(procedure: Procedure, floored: bool) -> None:
    """One on every number that the attempt has, or what keeps it from being 0, each taken away by itself."""
    for sample in samples(procedure.id):
        bare = prepared(asked(procedure.id, sample))
        numbers = [tally for tally in bare.tallies if tally.to in procedure.targets]
        for first in range(0, len(numbers), SOME):
            by_hand = []
            for tally in numbers[first : first + SOME]:
                values = (-tally.total - 3, 4) if floored and is_pool(tally) else (1,)
                by_hand += [{"to": tally.to, "label": "By hand", "value": value} for value in values]
            check_by_hand(procedure, sample, [*sample.get("modifiers", ()), *by_hand])


SOME = 12
"""Numbers that are changed at a time; a request may have so many modifiers and more."""


def check_by_hand(procedure: Procedure, sample: Data, hand: list[Data]) -> None:
    answer = give_odds(asked(procedure.id, sample, modifiers=hand))
    rows = {(row["to"], row["id"]): row["change"] for row in answer["attribution"]}
    assert set(applied(prepared(asked(procedure.id, sample, modifiers=hand)))) <= set(rows)
    numbers: dict[str, int] = defaultdict(int)
    for at, item in enumerate(hand):
        numbers[item["to"]] += 1
        less = [*hand[:at], *hand[at + 1 :]]
        without = give_odds(asked(procedure.id, sample, modifiers=less, attribution=False))
        row = rows[item["to"], f"hand-{numbers[item['to']]}"]
        assert row == pytest.approx(differences(answer, without), abs=1e-9), item["to"]


def without(request: Request, to: str, id: str) -> Request | None:
    """The same against packs in which the modifier is for one number fewer; None where that takes it off others too.

    Numbers of further targets and attacks take the modifiers of the first one's: ``target_2.melee-attack.pool``.
    """
    rules = request.asked.rules
    left = [modifier for modifier in rules.by_target.get(to, ()) if modifier.id != id]
    family = {
        tally.to for tally in prepared(request).tallies if tally.to == to or tally.to.endswith(f".{to}")
    }
    if len(family) > 1 or len(left) == len(rules.by_target.get(to, ())):
        return None
    rules = rules._replace(by_target={**rules.by_target, to: left})
    return request._replace(asked=request.asked._replace(rules=rules))


def taken_back(procedure: Procedure, sample: Data, to: str, line: Entry) -> Request | None:
    """The same with a modifier by hand that takes a line back; None where it is too large for one."""
    value = -(line.value or 0)
    if abs(value) > MOST_BY_HAND:
        return None
    by_hand = [*sample.get("modifiers", ()), {"to": to, "label": "Taken back", "value": value}]
    return asked(procedure.id, sample, modifiers=by_hand, attribution=False)


MOST_BY_HAND = 100
"""The largest modifier by hand."""


def stands_alone(id: str, request: Request) -> bool:
    """No other line of the number depends on it: it neither stacks nor suppresses."""
    known = {one.id: one for several in request.asked.rules.by_target.values() for one in several}
    return id not in known or not (known[id].stack or known[id].suppresses)


def lines_of(request: Request) -> dict[tuple[str, str], Entry]:
    return {(tally.to, line.id): line for tally in prepared(request).tallies for line in tally.entries}


@pytest.mark.parametrize("procedure", EVERY)
def test_each_modifier_of_the_pack_changes_what_it_would_not_without_it(procedure: Procedure) -> None:
    """Also one that is on several numbers: it is taken off each by itself."""
    for sample in samples(procedure.id):
        request = asked(procedure.id, sample)
        answer, lines = give_odds(request), lines_of(request)
        rows = {(row["to"], row["id"]): row["change"] for row in answer["attribution"]}
        assert len(rows) == len(answer["attribution"])
        assert set(rows) >= set(applied(prepared(request)))
        plain = asked(procedure.id, sample, attribution=False)
        for (to, id), change in rows.items():
            if lines[to, id].origin == "pack":
                fewer = without(plain, to, id)
                if fewer is None and stands_alone(id, plain):
                    fewer = taken_back(procedure, sample, to, lines[to, id])
                if fewer is None:
                    continue
                less = give_odds(fewer)
                if less["status"] == "refused":  # the modifier lifts what refuses
                    continue
                assert change == pytest.approx(differences(answer, less), abs=1e-9), (to, id)


ATTRIBUTES = {("initiative-test", "wounds"), ("initiative-test", "encumbrance")}
"""Lines that lower more than the number they stand in, see below."""


@pytest.mark.parametrize("procedure", EVERY)
def test_each_line_of_the_rule_changes_what_a_hand_would_take_back(procedure: Procedure) -> None:
    for sample in samples(procedure.id):
        request = asked(procedure.id, sample)
        answer, lines = give_odds(request), lines_of(request)
        for row in answer["attribution"]:
            line = lines[row["to"], row["id"]]
            if line.origin != "rule" or (procedure.id, line.id) in ATTRIBUTES:
                continue
            less = taken_back(procedure, sample, row["to"], line)
            if less is not None:
                change = differences(answer, give_odds(less))
                assert row["change"] == pytest.approx(change, abs=1e-9), (row["to"], line.id)


def test_wounds_on_initiative_lower_the_attribute_too() -> None:
    """Two dice and two points of the score: 2 + 2 / 3."""
    sample = {"situation": {"tester": {"initiative": 8, "physical": 3, "stun": 3}}}
    answer = give_odds(asked("initiative-test", sample))
    (row,) = answer["attribution"]
    assert (row["to"], row["id"], row["value"]) == ("initiative.pool", "wounds", -2)
    assert row["change"] == pytest.approx({"score": -2 - 2 / 3, "hits": -2 / 3})
