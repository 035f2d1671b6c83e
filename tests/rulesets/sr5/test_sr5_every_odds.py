"""The odds of every test of the fifth edition: those of every throw whatever is decided, and fair to every modifier.

Procedures and their situations are found, not listed (see `odds_samples`): a new one is tested by being there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import odds_proofs as proofs
import pytest
from odds_samples import Data, prepared, with_edge
from sr5_samples import SAMPLES

from fracas.engine.requests import Request
from fracas.engine.running import give_odds
from fracas.kernel.ruleset import Procedure
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5 import RULESET

EVERY = [pytest.param(procedure, id=procedure.id) for procedure in RULESET.procedures.values()]
PLAIN: Data = {"exact": True, "attribution": False}


def decides(procedure: Procedure, *ids: str) -> bool:
    return {one.id for one in procedure.decisions} >= set(ids)


@pytest.mark.parametrize("procedure", EVERY)
def test_every_procedure_has_situations(procedure: Procedure) -> None:
    assert SAMPLES.of(procedure.id), f"{procedure.id} has no worked example in which something happens"


# Every throw.

AFTER = {"decision": "edge-after", "choose": "second-chance"}
CLOSE = {"decision": "close-call", "when": "glitch"}
POLICIES: dict[str, list[Data]] = {
    "nothing": [],
    "a second chance if failing": [{**AFTER, "when": "failing"}],
    "a second chance for one hit, and no glitch": [
        {**AFTER, "when": {"short": {"at_least": 1, "at_most": 1}}},
        {**CLOSE, "choose": "cancel"},
        {**CLOSE, "choose": "lessen"},
    ],
    "always a second chance": [AFTER],
    "always buying hits": [{"decision": "buy-hits", "choose": "buy"}],
}


@pytest.mark.parametrize("policies", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("procedure", EVERY)
def test_odds_are_those_of_every_throw(procedure: Procedure, policies: list[Data]) -> None:
    if not decides(procedure, *(policy["decision"] for policy in policies)):
        assert policies
        assert not decides(procedure, "edge-after", "buy-hits")
        policies = []
    for sample in SAMPLES.of(procedure.id):
        most = 4 if any(policy["decision"] == "buy-hits" for policy in policies) else 2
        few = SAMPLES.small(procedure.id, with_edge(procedure, sample), most)
        request = SAMPLES.asked(procedure.id, few | {"decisions": policies}, **PLAIN)
        proofs.are_those_of_every_throw(request, procedure, policies)


@pytest.mark.parametrize("procedure", EVERY)
def test_decisions_that_take_their_defaults_change_nothing(procedure: Procedure) -> None:
    """StepContext mode asks for every decision; odds of it are those of every throw too, and of nobody being asked."""
    for sample in SAMPLES.of(procedure.id):
        few = SAMPLES.small(procedure.id, with_edge(procedure, sample))
        opened = SAMPLES.asked(procedure.id, few, mode="step", **PLAIN)
        closed = SAMPLES.asked(procedure.id, few, **PLAIN)
        proofs.are_the_same_with_defaults(opened, closed, procedure)


@pytest.mark.parametrize("procedure", EVERY)
def test_chances_of_real_pools_sum_to_one(procedure: Procedure) -> None:
    for sample in SAMPLES.of(procedure.id):
        proofs.sum_to_one(SAMPLES.asked(procedure.id, sample, **PLAIN))


@pytest.mark.parametrize("procedure", EVERY)
def test_measures_are_expectations_over_the_outcomes(procedure: Procedure) -> None:
    for sample in SAMPLES.of(procedure.id)[:2]:
        answer = give_odds(SAMPLES.asked(procedure.id, sample, attribution=False))
        proofs.give_the_measures(answer, procedure)


# Dice that explode, and limits, by a formula: a die is 0 hits on 1 to 4, one on a 5, one and another die on a 6.


def exploding(dice: int) -> dict[int, Fraction]:
    """Chances of each number of hits; those of more than 30 hits, which hardly come, are left out."""
    found = {0: Fraction(1)}
    each = {0: Fraction(4, 6)} | {hits: Fraction(1, 6) ** hits * Fraction(5, 3) for hits in range(1, 31)}
    for _ in range(dice):
        summed: dict[int, Fraction] = defaultdict(Fraction)
        for hits, chance in found.items():
            for more, share in each.items():
                if hits + more <= 30:
                    summed[hits + more] += chance * share
        found = dict(summed)
    return found


def hits_of(answer: Mapping[str, Any]) -> dict[int, float]:
    (branch,) = answer["branches"]
    found: dict[int, float] = defaultdict(float)
    for row in branch["outcomes"]:
        found[row["outcome"]["hits"]] += row["chance"]
    return found


def pushed(decision: str, choice: str, pool: int) -> dict[int, float]:
    """Hits of a test with a limit of 1 and two dice of Edge."""
    tester = {"pool": pool, "edge": 2, "edge_points": 1}
    situation = {"tester": tester, "limit_value": 1}
    decisions = [{"decision": decision, "choose": choice}]
    sample = {"situation": situation, "decisions": decisions}
    return hits_of(give_odds(SAMPLES.asked("success-test", sample, attribution=False)))


@pytest.mark.parametrize("pool", [1, 4, 9])
def test_pushing_the_limit_before_makes_every_die_explode(pool: int) -> None:
    found = pushed("edge-before", "push", pool)
    for hits, chance in exploding(pool + 2).items():
        assert found.get(hits, 0) == pytest.approx(float(chance), abs=1e-9), hits


@pytest.mark.parametrize("pool", [1, 4, 9])
def test_pushing_the_limit_afterwards_makes_the_dice_of_edge_explode(pool: int) -> None:
    found = pushed("edge-after", "push-after", pool)
    plain: dict[int, Fraction] = {0: Fraction(1)}
    for _ in range(pool):
        plain = {
            hits: plain.get(hits, Fraction(0)) * Fraction(2, 3) + plain.get(hits - 1, Fraction(0)) / 3
            for hits in range(len(plain) + 1)
        }
    both: dict[int, Fraction] = defaultdict(Fraction)
    for hits, chance in plain.items():
        for more, share in exploding(2).items():
            both[hits + more] += chance * share
    for hits, chance in both.items():
        assert found.get(hits, 0) == pytest.approx(float(chance), abs=1e-9), hits


# What modifiers change.


def lines_of(request: Request) -> dict[tuple[str, str], Entry]:
    return {(tally.to, line.id): line for tally in prepared(request).tallies for line in tally.entries}


def stands_alone(id: str, request: Request) -> bool:
    """No other line of the number depends on it: it neither stacks nor suppresses."""
    known = {one.id: one for several in request.attempt.rules.by_target.values() for one in several}
    return id not in known or not (known[id].stack or known[id].suppresses)


@pytest.mark.parametrize("procedure", EVERY)
def test_each_line_changes_what_a_hand_would_take_back(procedure: Procedure) -> None:
    """Every modifier that applies has a line of its own, and what it changes is what is lost without it."""
    for sample in SAMPLES.of(procedure.id):
        request = SAMPLES.asked(procedure.id, sample)
        answer, lines = give_odds(request), lines_of(request)
        rows = {(row["to"], row["id"]): row["change"] for row in answer["attribution"]}
        assert len(rows) == len(answer["attribution"])
        assert set(rows) >= set(SAMPLES.applied(prepared(request)))
        for (to, id), change in rows.items():
            if to not in procedure.targets or not stands_alone(id, request):
                continue
            back = {"to": to, "label": "Taken back", "value": -(lines[to, id].value or 0)}
            less = sample | {"modifiers": [*sample.get("modifiers", ()), back]}
            without = proofs.measures_of(give_odds(SAMPLES.asked(procedure.id, less, attribution=False)))
            expected = {name: value - without[name] for name, value in proofs.measures_of(answer).items()}
            assert change == pytest.approx(expected, abs=1e-9), (to, id)
