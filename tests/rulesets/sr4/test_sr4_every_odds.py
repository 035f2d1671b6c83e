"""The odds of every procedure: complete, those of every throw whatever is decided, and fair to every modifier.

The procedures and their situations are found, not listed (see `sr4_samples`): a new one is tested by being there. Small
pools are counted out throw by throw; of the dice only faces and hits are taken for granted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import odds_proofs as proofs
import pytest
from every_throw import facts_of
from sr4_samples import PROCEDURES, SAMPLES, Data, prepared, with_edge
from sr4_table import measures

from fracas.engine.requests import Request
from fracas.engine.running import give_odds
from fracas.errors import InputError
from fracas.kernel.ruleset import Procedure
from fracas.kernel.tally import Entry

EVERY = [pytest.param(procedure, id=procedure.id) for procedure in PROCEDURES]


@pytest.mark.parametrize("procedure", EVERY)
def test_every_procedure_has_situations(procedure: Procedure) -> None:
    assert SAMPLES.of(procedure.id), f"{procedure.id} has no worked example in which something happens"


# Every throw.

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
    for sample in SAMPLES.of(procedure.id):
        few = SAMPLES.small(procedure.id, with_edge(procedure, sample), most)
        options = {**few.get("options", {}), **({"buying_hits": True} if most == 4 else {})}
        request = SAMPLES.asked(
            procedure.id, few, decisions=policies, options=options, exact=True, attribution=False
        )
        proofs.are_those_of_every_throw(request, procedure, policies)


@pytest.mark.parametrize("procedure", EVERY)
def test_decisions_that_take_their_defaults_change_nothing(procedure: Procedure) -> None:
    """StepContext mode asks for every decision; odds of it are those of every throw too, and of nobody being asked."""
    for sample in SAMPLES.of(procedure.id):
        few = SAMPLES.small(procedure.id, with_edge(procedure, sample))
        more = {
            "options": {**few.get("options", {}), "buying_hits": True},
            "exact": True,
            "attribution": False,
        }
        opened, closed = (
            SAMPLES.asked(procedure.id, few, mode="step", **more),
            SAMPLES.asked(procedure.id, few, **more),
        )
        proofs.are_the_same_with_defaults(opened, closed, procedure)


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("procedure", EVERY)
def test_a_pushed_test_ends_alike_whoever_might_decide_afterwards(
    procedure: Procedure, counted: bool
) -> None:
    """Also where the dice that explosions add count for glitches, which those who decide are not told one by one."""
    push = [{"decision": "edge-before", "choose": "push"}]
    if not any(one.id == "edge-before" for one in procedure.decisions):
        return
    for sample in SAMPLES.of(procedure.id):
        few = SAMPLES.small(procedure.id, with_edge(procedure, sample), 1)
        options = {**few.get("options", {}), "glitch_counts_exploded": counted}
        more = {"options": options, "attribution": False, "decisions": push}
        closed = odds_if_asked(SAMPLES.asked(procedure.id, few, **more))
        if closed is None:
            continue
        opened = give_odds(SAMPLES.asked(procedure.id, few, mode="step", **more))
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
        found[facts_of(row["outcome"])] += row["chance"]
    return dict(found)


@pytest.mark.parametrize("procedure", EVERY)
def test_chances_of_real_pools_sum_to_one(procedure: Procedure) -> None:
    for sample in SAMPLES.of(procedure.id):
        proofs.sum_to_one(SAMPLES.asked(procedure.id, sample, exact=True, attribution=False))


@pytest.mark.parametrize("procedure", EVERY)
def test_measures_are_expectations_over_the_outcomes(procedure: Procedure) -> None:
    for sample in SAMPLES.of(procedure.id)[:2]:
        proofs.give_the_measures(give_odds(SAMPLES.asked(procedure.id, sample, attribution=False)), procedure)


# What modifiers change.


def differences(answer: Mapping[str, Any], without: Mapping[str, Any]) -> dict[str, float]:
    return {name: value - measures(without)[name] for name, value in measures(answer).items()}


@pytest.mark.parametrize("floored", [False, True])
@pytest.mark.parametrize("procedure", EVERY)
def test_each_number_tells_what_a_modifier_by_hand_changes(procedure: Procedure, floored: bool) -> None:
    """One on every number that the attempt has, or what keeps it from being 0, each taken away by itself."""
    for sample in SAMPLES.of(procedure.id):
        bare = prepared(SAMPLES.asked(procedure.id, sample))
        numbers = [tally for tally in bare.tallies if tally.to in procedure.targets]
        for first in range(0, len(numbers), SOME):
            by_hand = []
            for tally in numbers[first : first + SOME]:
                values = (-tally.total - 3, 4) if floored and SAMPLES.is_pool(tally) else (1,)
                by_hand += [{"to": tally.to, "label": "By hand", "value": value} for value in values]
            check_by_hand(procedure, sample, [*sample.get("modifiers", ()), *by_hand])


SOME = 12
"""Numbers that are changed at a time; a request may have so many modifiers and more."""


def check_by_hand(procedure: Procedure, sample: Data, hand: list[Data]) -> None:
    answer = give_odds(SAMPLES.asked(procedure.id, sample, modifiers=hand))
    rows = {(row["to"], row["id"]): row["change"] for row in answer["attribution"]}
    assert set(SAMPLES.applied(prepared(SAMPLES.asked(procedure.id, sample, modifiers=hand)))) <= set(rows)
    numbers: dict[str, int] = defaultdict(int)
    for at, item in enumerate(hand):
        numbers[item["to"]] += 1
        less = [*hand[:at], *hand[at + 1 :]]
        without = give_odds(SAMPLES.asked(procedure.id, sample, modifiers=less, attribution=False))
        row = rows[item["to"], f"hand-{numbers[item['to']]}"]
        assert row == pytest.approx(differences(answer, without), abs=1e-9), item["to"]


def without(request: Request, to: str, id: str) -> Request | None:
    """The same against packs in which the modifier is for one number fewer; None where that takes it off others too.

    Numbers of further targets and attacks take the modifiers of the first one's: ``target_2.melee-attack.pool``.
    """
    rules = request.attempt.rules
    left = [modifier for modifier in rules.by_target.get(to, ()) if modifier.id != id]
    family = {
        tally.to for tally in prepared(request).tallies if tally.to == to or tally.to.endswith(f".{to}")
    }
    if len(family) > 1 or len(left) == len(rules.by_target.get(to, ())):
        return None
    rules = rules._replace(by_target={**rules.by_target, to: left})
    return request._replace(attempt=request.attempt._replace(rules=rules))


def taken_back(procedure: Procedure, sample: Data, to: str, line: Entry) -> Request | None:
    """The same with a modifier by hand that takes a line back; None where it is too large for one."""
    value = -(line.value or 0)
    if abs(value) > MOST_BY_HAND:
        return None
    by_hand = [*sample.get("modifiers", ()), {"to": to, "label": "Taken back", "value": value}]
    return SAMPLES.asked(procedure.id, sample, modifiers=by_hand, attribution=False)


MOST_BY_HAND = 100
"""The largest modifier by hand."""


def stands_alone(id: str, request: Request) -> bool:
    """No other line of the number depends on it: it neither stacks nor suppresses."""
    known = {one.id: one for several in request.attempt.rules.by_target.values() for one in several}
    return id not in known or not (known[id].stack or known[id].suppresses)


def lines_of(request: Request) -> dict[tuple[str, str], Entry]:
    return {(tally.to, line.id): line for tally in prepared(request).tallies for line in tally.entries}


@pytest.mark.parametrize("procedure", EVERY)
def test_each_modifier_of_the_pack_changes_what_it_would_not_without_it(procedure: Procedure) -> None:
    """Also one that is on several numbers: it is taken off each by itself."""
    for sample in SAMPLES.of(procedure.id):
        request = SAMPLES.asked(procedure.id, sample)
        answer, lines = give_odds(request), lines_of(request)
        rows = {(row["to"], row["id"]): row["change"] for row in answer["attribution"]}
        assert len(rows) == len(answer["attribution"])
        assert set(rows) >= set(SAMPLES.applied(prepared(request)))
        plain = SAMPLES.asked(procedure.id, sample, attribution=False)
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
    for sample in SAMPLES.of(procedure.id):
        request = SAMPLES.asked(procedure.id, sample)
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
    answer = give_odds(SAMPLES.asked("initiative-test", sample))
    (row,) = answer["attribution"]
    assert (row["to"], row["id"], row["value"]) == ("initiative.pool", "wounds", -2)
    assert row["change"] == pytest.approx({"score": -2 - 2 / 3, "hits": -2 / 3})
