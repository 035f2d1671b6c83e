"""Predicates: three-valued answers with reasons, and faults with their places."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.predicates import Compiler, Failed, Unknown, Why
from fracas.kernel.vocabulary import Field, Record, Vocabulary

WORDS = Vocabulary(
    (Record("target", "Target"), Record("weapon", "Weapon")),
    (
        Field("a", "flag", "A"),
        Field("b", "flag", "B"),
        Field("c", "flag", "C"),
        Field("target.prone", "flag", "Prone"),
        Field("target.cover", "choice", "Cover", choices=("none", "partial", "good")),
        Field("target.name", "text", "Name"),
        Field("target.wounds", "whole", "Wounds", derived_from="target.boxes"),
        Field("target.boxes", "whole", "Boxes"),
        Field("target.hurt", "flag", "Hurt", derived_from="target.boxes"),
        Field("distance", "number", "Distance"),
        Field("reach", "number", "Reach"),
        Field("weapon.features", "words", "Features", choices=("smartgun", "bipod", "laser")),
    ),
)
VALUES = (True, False, None)
"""What a flag may be; None is not said."""


def judge(raw: Any, facts: dict[str, Any]) -> Why | None:
    compiler = Compiler(WORDS)
    predicate = compiler.predicate(raw)
    assert compiler.problems == []
    return predicate({path: value for path, value in facts.items() if value is not None})


def truth(why: Why | None) -> bool | None:
    """None for unknown."""
    return True if why is None else False if isinstance(why, Failed) else None


def faults(raw: Any) -> list[tuple[tuple[str | int, ...], str, str, str | None]]:
    compiler = Compiler(WORDS)
    compiler.predicate(raw)
    return [(path, problem.code, problem.message, problem.hint) for path, problem in compiler.problems]


def conjunction(values: list[bool | None]) -> bool | None:
    return False if False in values else None if None in values else True


def disjunction(values: list[bool | None]) -> bool | None:
    return True if True in values else None if None in values else False


def negation(value: bool | None) -> bool | None:
    return None if value is None else not value


# Truth tables.


@pytest.mark.parametrize(("a", "b", "c"), list(product(VALUES, repeat=3)))
def test_groups_follow_three_valued_logic(a: bool | None, b: bool | None, c: bool | None) -> None:
    facts = {"a": a, "b": b, "c": c}
    values = [a, b, c]
    assert truth(judge(["a", "b", "c"], facts)) is conjunction(values)
    assert truth(judge({"all": ["a", "b", "c"]}, facts)) is conjunction(values)
    assert truth(judge({"any": ["a", "b", "c"]}, facts)) is disjunction(values)
    assert truth(judge({"none": ["a", "b", "c"]}, facts)) is negation(disjunction(values))
    assert truth(judge({"not": ["a", "b", "c"]}, facts)) is negation(conjunction(values))
    assert truth(judge({"not": "a"}, facts)) is negation(a)
    assert truth(judge("a", facts)) is a
    assert truth(judge({"any": ["a"]}, facts)) is a
    assert truth(judge({"all": ["a"]}, facts)) is a
    assert truth(judge({"none": ["a"]}, facts)) is negation(a)


@pytest.mark.parametrize(
    ("operator", "left", "right", "holds"),
    [
        (operator, left, right, holds)
        for operator, table in {
            "eq": (False, True, False),
            "ne": (True, False, True),
            "lt": (True, False, False),
            "lte": (True, True, False),
            "gt": (False, False, True),
            "gte": (False, True, True),
        }.items()
        for (left, right), holds in zip(((4, 5), (5, 5), (6, 5)), table, strict=True)
    ],
)
def test_comparisons_compare_a_number_with_a_value_or_with_another_number(
    operator: str, left: int, right: int, holds: bool
) -> None:
    assert truth(judge({operator: ["distance", right]}, {"distance": left})) is holds
    assert truth(judge({operator: ["distance", "reach"]}, {"distance": left, "reach": right})) is holds
    assert judge({operator: ["distance", right]}, {}) == Unknown("distance")
    assert judge({operator: ["distance", "reach"]}, {"reach": right}) == Unknown("distance")
    assert judge({operator: ["distance", "reach"]}, {"distance": left}) == Unknown("reach")


@pytest.mark.parametrize(
    ("raw", "facts", "holds"),
    [
        ({"eq": ["target.cover", "good"]}, {"target.cover": "good"}, True),
        ({"eq": ["target.cover", "good"]}, {"target.cover": "none"}, False),
        ({"ne": ["target.cover", "good"]}, {"target.cover": "none"}, True),
        ({"in": ["target.cover", ["partial", "good"]]}, {"target.cover": "good"}, True),
        ({"in": ["target.cover", ["partial", "good"]]}, {"target.cover": "none"}, False),
        ({"in": ["target.cover", ["partial", "good"]]}, {}, None),
        ({"in": ["distance", [1, 2.5]]}, {"distance": 2.5}, True),
        ({"in": ["distance", [1, 2.5]]}, {"distance": 2}, False),
        ({"eq": ["target.prone", True]}, {"target.prone": True}, True),
        ({"eq": ["target.prone", False]}, {"target.prone": True}, False),
        ({"eq": ["target.prone", False]}, {"target.prone": False}, True),
        ({"eq": ["target.prone", False]}, {}, None),
        ("target.cover:good", {"target.cover": "good"}, True),
        ("target.cover:good", {"target.cover": "partial"}, False),
        ("target.cover:good", {}, None),
        ("target:prone", {"target.prone": True}, True),
        ("target:prone", {"target.prone": False}, False),
        ("target:prone", {}, None),
        ("weapon.features:laser", {"weapon.features": ("smartgun", "laser")}, True),
        ("weapon.features:laser", {"weapon.features": ("smartgun",)}, False),
        ("weapon.features:laser", {"weapon.features": ()}, False),
        ("weapon.features:laser", {}, None),
        ([], {}, True),
    ],
)
def test_terms_and_comparisons_of_words(raw: Any, facts: dict[str, Any], holds: bool | None) -> None:
    assert truth(judge(raw, facts)) is holds


LEAVES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "target:prone",
        "target.cover:good",
        {"gt": ["distance", 5]},
        {"lte": ["distance", "reach"]},
    ]
)
RAW = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(
            lambda parts, word: {word: parts},
            st.lists(inner, min_size=1, max_size=3),
            st.sampled_from(["all", "any", "none"]),
        )
        | inner.map(lambda part: {"not": part})
    ),
    max_leaves=12,
)
FLAG = st.sampled_from(VALUES)
NUMBER = st.none() | st.integers(3, 7)
FACTS = st.fixed_dictionaries(
    {
        "a": FLAG,
        "b": FLAG,
        "c": FLAG,
        "target.prone": FLAG,
        "target.cover": st.sampled_from(["good", "none", None]),
        "distance": NUMBER,
        "reach": NUMBER,
    }
)


def expected(raw: Any, facts: dict[str, Any]) -> bool | None:
    """The documentation's meaning of a predicate, written down a second time."""
    if isinstance(raw, list):
        return conjunction([expected(item, facts) for item in raw])
    if isinstance(raw, str):
        if raw == "target.cover:good":
            cover = facts["target.cover"]
            return None if cover is None else cover == "good"
        return facts[raw.replace(":", ".")]  # type: ignore[no-any-return]
    ((operator, operand),) = raw.items()
    if operator == "not":
        return negation(expected(operand, facts))
    if operator in ("gt", "lte"):
        left, right = (facts[part] if isinstance(part, str) else part for part in operand)
        if left is None or right is None:
            return None
        return bool(left > right) if operator == "gt" else bool(left <= right)
    parts = [expected(item, facts) for item in operand]
    return {"all": conjunction, "any": disjunction, "none": lambda values: negation(disjunction(values))}[
        operator
    ](parts)


@given(RAW, FACTS)
def test_any_predicate_means_what_the_documentation_says(raw: Any, facts: dict[str, Any]) -> None:
    assert truth(judge(raw, facts)) is expected(raw, facts)


@given(RAW, FACTS)
def test_a_predicate_that_is_decided_stays_so_when_more_is_said(raw: Any, facts: dict[str, Any]) -> None:
    before = truth(judge(raw, facts))
    said = {
        "a": True,
        "b": False,
        "c": True,
        "target.prone": False,
        "target.cover": "good",
        "distance": 6,
        "reach": 5,
    }
    more = {path: said[path] if value is None else value for path, value in facts.items()}
    after = truth(judge(raw, more))
    assert after is not None
    assert before in (after, None)


@given(RAW, FACTS)
def test_an_unknown_predicate_names_a_field_that_was_not_said(raw: Any, facts: dict[str, Any]) -> None:
    why = judge(raw, facts)
    if isinstance(why, Unknown):
        assert facts[why.field] is None


# Reasons.


@pytest.mark.parametrize(
    ("raw", "facts", "why"),
    [
        (["a", "b"], {"a": True, "b": False}, Failed("b")),
        (["a", "b"], {"a": False, "b": False}, Failed("a")),
        (["a", "b"], {"b": False}, Failed("b")),
        (["a", "b"], {"b": True}, Unknown("a")),
        (["a", "b"], {}, Unknown("a")),
        ({"all": ["a", {"all": ["b", "c"]}]}, {"a": True, "b": True, "c": False}, Failed("c")),
        ({"any": ["a", "b"]}, {"a": False, "b": False}, Failed("any: [a, b]")),
        ({"any": ["a", "b"]}, {"a": False}, Unknown("b")),
        ({"none": ["a", "b"]}, {"a": True}, Failed("none: [a, b]")),
        ({"none": ["a", "b"]}, {"a": False}, Unknown("b")),
        ({"not": "a"}, {"a": True}, Failed("not: a")),
        ({"not": ["a", "b"]}, {"a": True, "b": True}, Failed("not: [a, b]")),
        ({"not": "a"}, {}, Unknown("a")),
        ("target.cover:good", {"target.cover": "none"}, Failed("target.cover:good")),
        ({"gte": ["distance", 16]}, {"distance": 3}, Failed("gte: [distance, 16]")),
        ({"lt": ["distance", "reach"]}, {"distance": 3, "reach": 3}, Failed("lt: [distance, reach]")),
        ({"eq": ["target.prone", True]}, {"target.prone": False}, Failed("eq: [target.prone, true]")),
        (
            {"in": ["target.cover", ["partial", "good"]]},
            {"target.cover": "none"},
            Failed("in: [target.cover, [partial, good]]"),
        ),
        (
            {"not": {"any": ["a", {"gt": ["distance", 1]}]}},
            {"a": True},
            Failed("not: any: [a, gt: [distance, 1]]"),
        ),
    ],
)
def test_a_predicate_that_does_not_hold_says_why(raw: Any, facts: dict[str, Any], why: Why) -> None:
    assert judge(raw, facts) == why


def test_what_is_unknown_is_the_field_that_a_person_fills_in() -> None:
    assert judge("target:hurt", {}) == Unknown("target.boxes")
    assert judge({"gt": ["target.wounds", 0]}, {}) == Unknown("target.boxes")
    assert judge({"gt": ["distance", "target.wounds"]}, {"distance": 1}) == Unknown("target.boxes")


# Faults.


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (
            "target:pron",
            ((), "unknown-term", "'target:pron' is not known here", "did you mean 'target:prone'?"),
        ),
        (
            "target.cover:goood",
            (
                (),
                "unknown-term",
                "'target.cover:goood' is not known here",
                "did you mean 'target.cover:good'?",
            ),
        ),
        (["a", "bb"], ((1,), "unknown-term", "'bb' is not known here", "did you mean 'b'?")),
        (
            {"nott": "a"},
            (("nott",), "unknown-operator", "'nott' is not known here", "did you mean 'not'?"),
        ),
        (
            {"xxxx": ["a", "b"]},
            (
                ("xxxx",),
                "unknown-operator",
                "'xxxx' is not known here",
                "known: all, any, eq, gt, gte, in, lt, lte, ne, none, not",
            ),
        ),
        (7, ((), "bad-predicate", "a predicate is a term, or a mapping with one operator", None)),
        (None, ((), "bad-predicate", "a predicate is a term, or a mapping with one operator", None)),
        ({}, ((), "bad-predicate", "a predicate is a term, or a mapping with one operator", None)),
        (
            {"any": ["a"], "all": ["b"]},
            ((), "bad-predicate", "a predicate is a term, or a mapping with one operator", None),
        ),
        ({"any": []}, (("any",), "bad-predicate", "any takes a list of predicates", None)),
        ({"all": "a"}, (("all",), "bad-predicate", "all takes a list of predicates", None)),
        ({"none": {"not": "a"}}, (("none",), "bad-predicate", "none takes a list of predicates", None)),
        ({"eq": "distance"}, (("eq",), "bad-predicate", "eq takes a list of a path and a value", None)),
        ({"eq": ["distance"]}, (("eq",), "bad-predicate", "eq takes a list of a path and a value", None)),
        ({"lt": [1, 2]}, (("lt",), "bad-predicate", "lt takes a list of a path and a value", None)),
        (
            {"lt": ["distance", 1, 2]},
            (("lt",), "bad-predicate", "lt takes a list of a path and a value", None),
        ),
        (
            {"gt": ["distanse", 1]},
            (("gt", 0), "unknown-path", "'distanse' is not known here", "did you mean 'distance'?"),
        ),
        (
            {"eq": ["target.name", "Rook"]},
            (("eq", 0), "unknown-path", "'target.name' is not known here", "did you mean 'target.prone'?"),
        ),
        ({"in": ["distance", 4]}, (("in", 1), "bad-predicate", "in takes a path and a list of values", None)),
        (
            {"in": ["target.cover", "good"]},
            (("in", 1), "bad-predicate", "in takes a path and a list of values", None),
        ),
        (
            {"eq": ["distance", "far"]},
            (("eq", 1), "wrong-type", "distance is a number, and 'far' is none", None),
        ),
        (
            {"eq": ["distance", True]},
            (("eq", 1), "wrong-type", "distance is a number, and True is none", None),
        ),
        ({"gt": ["distance", "a"]}, (("gt", 1), "wrong-type", "distance is a number, and 'a' is none", None)),
        (
            {"in": ["distance", [1, "x"]]},
            (("in", 1, 1), "wrong-type", "distance is a number, and 'x' is none", None),
        ),
        (
            {"gt": ["target.cover", "good"]},
            (("gt",), "wrong-type", "gt compares numbers, and target.cover is none", None),
        ),
        (
            {"lte": ["target.prone", True]},
            (("lte",), "wrong-type", "lte compares numbers, and target.prone is none", None),
        ),
        (
            {"eq": ["target.cover", "god"]},
            (("eq", 1), "unknown-choice", "'god' is not known here", "did you mean 'good'?"),
        ),
        (
            {"in": ["target.cover", ["good", 3]]},
            (("in", 1, 1), "unknown-choice", "3 is not known here", "known: good, none, partial"),
        ),
        (
            {"eq": ["target.prone", "yes"]},
            (("eq", 1), "wrong-type", "target.prone is true or false, and 'yes' is neither", None),
        ),
        (
            {"any": ["a", {"not": [{"all": ["b", {"gt": ["dist", 1]}]}]}]},
            (
                ("any", 1, "not", 0, "all", 1, "gt", 0),
                "unknown-path",
                "'dist' is not known here",
                "did you mean 'distance'?",
            ),
        ),
    ],
)
def test_faults_are_reported_with_their_place_and_a_suggestion(raw: Any, fault: Any) -> None:
    assert faults(raw) == [fault]


def test_all_faults_are_reported_in_one_pass() -> None:
    raw = ["aa", {"any": ["b", {"eq": ["target.cover", "god"]}]}, {"lt": ["reech", 2]}, 5]
    assert [(path, code) for path, code, _, _ in faults(raw)] == [
        ((0,), "unknown-term"),
        ((1, "any", 1, "eq", 1), "unknown-choice"),
        ((2, "lt", 0), "unknown-path"),
        ((3,), "bad-predicate"),
    ]


def test_a_faulty_predicate_never_holds() -> None:
    for raw in ("target:pron", {"any": []}, {"xxxx": []}, {"eq": ["distanse", 1]}, 7):
        assert Compiler(WORDS).predicate(raw)({"a": True}) == Failed("a faulty predicate")


# Known faults.


@pytest.mark.parametrize(
    "raw", [{"eq": ["weapon.features", "laser"]}, {"in": ["weapon.features", ["laser", "bipod"]]}]
)
def test_comparing_a_list_of_words_is_a_fault_or_means_that_it_holds_the_word(raw: Any) -> None:
    compiler = Compiler(WORDS)
    holds = compiler.predicate(raw)({"weapon.features": ("laser",)}) is None
    assert compiler.problems or holds
