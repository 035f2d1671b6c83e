"""Decisions taken in advance, with and without a condition: how they are read, and what they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attacks import DUEL, SMALL, TEST, put
from hypothesis import given
from hypothesis import strategies as st

from fracas.engine.policies import (
    CONDITIONS,
    ChoicesAlways,
    ChoicesOnce,
    choice_problems,
    choices_of,
    take,
)
from fracas.engine.requests import Request
from fracas.engine.running import explain, give_odds, resolve
from fracas.errors import InputError, Problem, suggestion
from fracas.kernel.readers import PolicyInputs
from fracas.kernel.ruleset import ContextField, DecisionInfo
from fracas.kernel.stage import Decision, Fact, Option

Ask = Callable[[Any], Request]

INFO = DecisionInfo(
    "edge-after",
    "Edge",
    ("none", "reroll"),
    "none",
    (
        ContextField("short", "Hits missing"),
        ContextField("hits", "Hits"),
        ContextField("glitch", "Glitch", ("none", "glitch", "critical")),
    ),
)
BEFORE = DecisionInfo("edge-before", "Edge", ("none", "push"), "none", (ContextField("pool", "Dice"),))


def decision(by: str = "attacker", roll: str = "attack", **about: Fact) -> Decision:
    options = (Option("none", "No"), Option("reroll", "Reroll"))
    return Decision("edge-after", by, options, "none", (("roll", roll), *about.items()))


def choice(when: Any = None, **more: Any) -> Any:
    return choices_of([{"decision": "edge-after", "choose": "reroll", "when": when, **more}])[0]


@pytest.mark.parametrize(
    ("when", "about", "expected"),
    [
        ("failing", {"short": 1}, True),
        ("failing", {"short": 0}, False),
        ("succeeding", {"short": 0}, True),
        ("succeeding", {"short": 2}, False),
        ("failing", {"hits": 3}, None),
        ("glitch", {"glitch": "glitch"}, True),
        ("glitch", {"glitch": "critical"}, True),
        ("glitch", {"glitch": "none"}, False),
        ("critical-glitch", {"glitch": "glitch"}, False),
        ("critical-glitch", {"glitch": "critical"}, True),
        ({"short": {"at_least": 1, "at_most": 3}}, {"short": 3}, True),
        ({"short": {"at_least": 1, "at_most": 3}}, {"short": 4}, False),
        ({"short": {"at_most": 3}}, {"short": -2}, True),
        ({"short": 2}, {"short": 2}, True),
        ({"short": [1, 3]}, {"short": 2}, False),
        ({"short": [1, 3]}, {"short": 3}, True),
        ({"short": {"at_least": 1}, "glitch": "none"}, {"short": 1, "glitch": "none"}, True),
        ({"short": {"at_least": 1}, "glitch": "none"}, {"short": 1, "glitch": "glitch"}, False),
        ({"short": {"at_least": 1}, "glitch": "none"}, {"short": 1}, None),
    ],
)
def test_a_condition_holds(when: Any, about: dict[str, Fact], expected: bool | None) -> None:
    condition = choice(when).when
    assert condition.holds(about) is expected
    assert condition.as_json() == when
    assert choice(when).fits(decision(**about)) is bool(expected)


@given(
    short=st.integers(-5, 20),
    least=st.none() | st.integers(-5, 20),
    more=st.none() | st.integers(0, 10),
)
def test_bounds_are_bounds(short: int, least: int | None, more: int | None) -> None:
    most = None if more is None else (least or 0) + more
    said = {name: bound for name, bound in (("at_least", least), ("at_most", most)) if bound is not None}
    if said:
        holds = (least is None or least <= short) and (most is None or short <= most)
        assert choice({"short": said}).when.holds({"short": short}) is holds


def faults_of(items: list[dict[str, Any]]) -> list[Problem]:
    try:
        found = choices_of(items)
    except InputError as error:
        return list(error.problems)
    return choice_problems(found, [INFO], "test")


@pytest.mark.parametrize(
    ("when", "path", "code", "hint"),
    [
        ("faling", "", "unknown-condition", "did you mean 'failing'?"),
        (True, "", "wrong-type", None),
        ([], "", "wrong-type", None),
        ({}, "", "wrong-type", None),
        ({"short": None}, ".short", "wrong-type", None),
        ({"short": True}, ".short", "wrong-type", None),
        ({"short": []}, ".short", "wrong-type", None),
        ({"short": [1, [2]]}, ".short", "wrong-type", None),
        ({"short": {}}, ".short", "missing-field", None),
        ({"short": {"at_lest": 1}}, ".short.at_lest", "unknown-field", "did you mean 'at_least'?"),
        ({"short": {"at_least": "1"}}, ".short.at_least", "wrong-type", None),
        ({"short": {"at_least": 3, "at_most": 2}}, ".short", "out-of-range", None),
        ({"short": "many"}, ".short", "wrong-type", None),
        ({"short": ["1"]}, ".short", "wrong-type", None),
        ({"shrot": 1}, ".shrot", "unknown-clue", "did you mean 'short'?"),
        ({"glitch": "critcal"}, ".glitch", "unknown-choice", "did you mean 'critical'?"),
        ({"glitch": 2}, ".glitch", "unknown-choice", "known: critical, glitch, none"),
        ({"glitch": {"at_least": 1}}, ".glitch", "wrong-type", None),
    ],
)
def test_what_is_no_condition_is_told(when: Any, path: str, code: str, hint: str | None) -> None:
    (problem,) = faults_of([{"decision": "edge-after", "choose": "reroll", "when": when}])
    assert (problem.path, problem.code, problem.hint) == (f"decisions[0].when{path}", code, hint)


def test_a_named_condition_needs_its_clues() -> None:
    """Before the roll nobody knows whether it fails."""
    found = choices_of([{"decision": "edge-before", "choose": "push", "when": "failing"}])
    (problem,) = choice_problems(found, [INFO, BEFORE], "test")
    assert (problem.path, problem.code) == ("decisions[0].when", "unknown-condition")
    assert problem.hint == suggestion("failing", [])


def test_every_fault_is_told_at_once() -> None:
    found = choices_of([{"decision": "edge-after", "choose": "rerol", "when": {"shrot": 1, "glitch": "bad"}}])
    problems = choice_problems(found, [INFO], "test")
    assert [(problem.path, problem.code) for problem in problems] == [
        ("decisions[0].choose", "unknown-option"),
        ("decisions[0].when.shrot", "unknown-clue"),
        ("decisions[0].when.glitch", "unknown-choice"),
    ]


# What they answer.


def test_a_choice_answers_once_and_a_policy_every_time() -> None:
    plain, policy = choice(), choice("failing")
    once = ChoicesOnce([plain])
    assert [once.choose(decision(short=1)) for _ in range(2)] == [("reroll", "chosen"), ("none", "default")]
    each = ChoicesOnce([policy])
    assert [each.choose(decision(short=short)) for short in (1, 0, 2)] == [
        ("reroll", "policy"),
        ("none", "default"),
        ("reroll", "policy"),
    ]


def test_the_first_that_fits_answers() -> None:
    wishes = [choice("failing", by="target"), choice("failing", roll="soak"), choice({"short": 1})]
    left = list(wishes)
    assert take(left, decision(short=1)) is wishes[2]
    assert take(left, decision("target", short=2)) is wishes[0]
    assert take(left, decision(roll="soak", short=2)) is wishes[1]
    assert take(left, decision(short=2)) is None
    assert left == wishes


def test_a_choice_that_nobody_asked_for_is_reported_and_a_policy_is_not() -> None:
    """When dice are thrown nobody knows whether the case of a policy comes."""
    ChoicesOnce([choice("failing")]).finish()
    with pytest.raises(InputError):
        ChoicesOnce([choice()]).finish()


@pytest.mark.parametrize(
    ("asked", "reported"),
    [
        ([], True),
        ([decision(hits=2)], True),  # asked, but nobody knows how it stands
        ([decision("target", short=1)], True),
        ([decision(short=0)], False),
        ([decision(short=1)], False),
    ],
)
def test_in_odds_a_policy_is_reported_if_it_was_never_judged(asked: list[Decision], reported: bool) -> None:
    policy = ChoicesAlways([choice("failing", by="attacker")])
    for one in asked:
        policy.choose(one)
    if reported:
        with pytest.raises(InputError) as caught:
            policy.finish({"edge-after": "none"})
        assert [problem.code for problem in caught.value.problems] == ["decision-not-asked"]
    else:
        policy.finish({"edge-after": "none"})


def test_what_is_watched() -> None:
    policy = ChoicesAlways([choice("failing"), choice({"glitch": "none", "hits": 2})])
    assert policy.inputs == PolicyInputs(frozenset({"short", "glitch", "hits"}), frozenset({"reroll"}))
    assert ChoicesAlways([]).inputs == PolicyInputs()


# In requests.

EDGED = put(SMALL, "situation/attacker", {"pool": 6, "edge": 2, "edge_points": 1})
FAILING = {"decision": "edge-after", "choose": "reroll", "by": "attacker", "when": "failing"}


def faults(ask: Ask, when: Any) -> list[tuple[str, str, str | None]]:
    with pytest.raises(InputError) as caught:
        ask({**EDGED, "decisions": [{**FAILING, "when": when}]})
    return [(problem.path, problem.code, problem.hint) for problem in caught.value.problems]


def test_a_request_with_a_wrong_condition_is_refused(ask: Ask) -> None:
    assert faults(ask, "failling") == [("decisions[0].when", "unknown-condition", "did you mean 'failing'?")]
    assert faults(ask, {"hit": 2}) == [("decisions[0].when.hit", "unknown-clue", "did you mean 'hits'?")]
    before = {"decision": "edge-before", "choose": "push", "when": "failing"}
    with pytest.raises(InputError) as caught:
        ask({**EDGED, "decisions": [before]})
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("decisions[0].when", "unknown-condition")


def test_a_condition_left_out_or_null_is_none(ask: Ask) -> None:
    plain = {name: value for name, value in FAILING.items() if name != "when"}
    assert (
        ask({**EDGED, "decisions": [plain]}).choices
        == ask({**EDGED, "decisions": [{**FAILING, "when": None}]}).choices
    )


@pytest.mark.parametrize("when", [*CONDITIONS, {"short": {"at_least": 1, "at_most": 3}}, {"hits": [0, 1]}])
def test_the_policy_is_told_as_it_was_said(ask: Ask, when: Any) -> None:
    said = {**FAILING, "roll": "attack", "when": when}
    assert give_odds(ask({**EDGED, "decisions": [said]}))["policy"] == [said]


def test_a_policy_whose_roll_never_comes_does_not_spoil_the_throw(ask: Ask) -> None:
    """The attack misses, so that nobody resists: an error would let the attacker throw again."""
    soak = {"decision": "edge-after", "choose": "reroll", "by": "target", "roll": "soak", "when": "failing"}
    target = {"pool": 1, "body": 1, "armor": [], "edge": 2, "edge_points": 1}
    data = {**put(EDGED, "situation/target", target), "decisions": [soak], "dice": [[1, 1, 2, 2, 3, 3], [5]]}
    assert resolve(ask(data))["outcome"]["result"] == "miss"


def test_resolve_tells_that_a_policy_decided(ask: Ask) -> None:
    data = {**EDGED, "decisions": [FAILING], "dice": [[1, 1, 2, 2, 3, 3], [2], [1, 1, 2, 2, 3, 5], [1]]}
    answer = resolve(ask(data))
    assert [(one["choice"], one["how"]) for one in answer["decisions"]] == [("reroll", "policy")]
    assert answer["outcome"]["result"] == "hit"


def test_policies_are_for_whole_runs(ask: Ask) -> None:
    """Explaining the numbers takes no decision."""
    assert explain(ask({**EDGED, "decisions": [FAILING]}))["modifiers"] == explain(ask(EDGED))["modifiers"]


@pytest.mark.parametrize("data", [DUEL, TEST])
def test_the_clues_that_are_told_are_declared(ask: Ask, data: Any) -> None:
    """What a decision is about is what conditions may go by, but for the roll, which a choice names itself."""
    request = ask({**data, "mode": "step", "options": {"buying_hits": True}})
    declared = {info.id: {field.id for field in info.context} for info in request.procedure.decisions}
    stage = request.procedure.prepare(request.attempt).stage
    assert stage is not None
    seen = set()
    for _ in range(20):
        awaited = stage.awaits
        if awaited is None:
            break
        if isinstance(awaited, Decision):
            seen.add(awaited.id)
            assert {name for name, _ in awaited.context} - {"roll"} <= declared[awaited.id]
            stage = stage.advance(awaited.default)
        else:
            stage = stage.advance(awaited.request.spread().answers[-1])
    assert {"edge-before", "edge-after"} <= seen
