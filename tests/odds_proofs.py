"""What must hold of the odds of any procedure, for rulesets whose pools count hits on six-sided dice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from every_throw import Data, Decider, counted_out, told
from odds_samples import prepared

from fracas.engine.requests import Request
from fracas.engine.running import give_odds
from fracas.errors import InputError
from fracas.kernel.ruleset import Procedure
from fracas.kernel.stage import Fork


def measures_of(answer: Mapping[str, Any]) -> dict[str, float]:
    return {measure["id"]: measure["value"] for measure in answer["measures"]}


def are_those_of_every_throw(request: Request, procedure: Procedure, policies: Sequence[Data]) -> None:
    """The odds of a small attempt, or their refusal where a policy decides what nobody is asked."""
    stage = prepared(request).stage
    assert stage is not None
    decider = Decider(procedure, policies)
    expected = counted_out(stage, decider)
    if len(decider.judged) < len(policies):
        with pytest.raises(InputError) as caught:
            give_odds(request)
        assert {problem.code for problem in caught.value.problems} == {"decision-not-asked"}
    else:
        assert told(give_odds(request)) == expected


def are_the_same_with_defaults(opened: Request, closed: Request, procedure: Procedure) -> None:
    """Whether everybody is asked and takes the default, or nobody is asked."""
    stage = prepared(opened).stage
    assert stage is not None
    found = told(give_odds(opened))
    assert found == told(give_odds(closed))
    assert found == counted_out(stage, Decider(procedure, []))


def sum_to_one(request: Request) -> None:
    """Every way ends in each branch of its fork, or where there was none."""
    stage = prepared(request).stage
    assert stage is not None
    shares: dict[str, Fraction] = defaultdict(Fraction)
    for (branch, _), chance in told(give_odds(request)).items():
        shares[branch] += chance
    assert shares
    assert all(0 < share <= 1 for share in shares.values())
    if isinstance(stage, Fork) or len(shares) == 1:
        assert set(shares.values()) == {1}


def give_the_measures(answer: Mapping[str, Any], procedure: Procedure) -> None:
    """Each measure is an expectation over the outcomes."""
    rows = [row for branch in answer["branches"] for row in branch["outcomes"]]
    for measure in procedure.measures:
        expected = sum(row["chance"] * measure.of(row["outcome"]) for row in rows)
        assert measures_of(answer)[measure.id] == pytest.approx(expected, abs=1e-9), measure.id
