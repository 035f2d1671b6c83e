"""Values of modifiers: numbers, paths and expression trees."""

from __future__ import annotations

from math import ceil, floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.kernel.predicates import Compiler, Unknown
from fracas.kernel.values import GREATEST, compile_value
from fracas.kernel.vocabulary import Field, Record, Vocabulary

WORDS = Vocabulary(
    (Record("target", "Target"),),
    (
        Field("a", "whole", "A"),
        Field("b", "whole", "B"),
        Field("distance", "number", "Distance"),
        Field("target.wounds", "whole", "Wounds", derived_from="target.boxes"),
        Field("target.boxes", "whole", "Boxes"),
        Field("prone", "flag", "Prone"),
        Field("cover", "choice", "Cover", choices=("none", "good")),
    ),
)


def evaluate(raw: Any, facts: dict[str, Any]) -> int | Unknown:
    compiler = Compiler(WORDS)
    value = compile_value(raw, compiler)
    assert compiler.problems == []
    return value(facts)


def faults(raw: Any) -> list[tuple[tuple[str | int, ...], str, str, str | None]]:
    compiler = Compiler(WORDS)
    compile_value(raw, compiler)
    return [(path, problem.code, problem.message, problem.hint) for path, problem in compiler.problems]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (-2, -2),
        (0, 0),
        ("a", 7),
        ({"+": ["a", "b", 1]}, 5),
        ({"-": ["a"]}, -7),
        ({"-": ["a", "b"]}, 10),
        ({"*": ["a", "b", 2]}, -42),
        ({"min": ["a", 4, "b"]}, -3),
        ({"max": ["a", 4, "b"]}, 7),
        ({"floor": ["a", 2]}, 3),
        ({"floor": ["b", 2]}, -2),
        ({"ceil": ["a", 2]}, 4),
        ({"ceil": ["b", 2]}, -1),
        ({"floor": ["a", 0]}, 0),
        ({"ceil": ["a", 0]}, 0),
        ({"if": [{"gt": ["a", 5]}, -2, 0]}, -2),
        ({"if": [{"gt": ["a", 7]}, -2, "b"]}, -3),
        ({"if": [["prone", {"lt": ["b", 0]}], 1, 2]}, 1),
        ({"min": ["a", {"floor": [{"-": ["a", "b"]}, 3]}]}, 3),
    ],
)
def test_values_are_computed(raw: Any, value: int) -> None:
    assert evaluate(raw, {"a": 7, "b": -3, "prone": True}) == value


@given(st.integers(-1000, 1000), st.integers(-50, 50).filter(bool))
def test_floor_and_ceil_round_a_quotient_down_and_up(a: int, b: int) -> None:
    facts = {"a": a, "b": b}
    assert evaluate({"floor": ["a", "b"]}, facts) == floor(a / b)
    assert evaluate({"ceil": ["a", "b"]}, facts) == ceil(a / b)


TREES = st.recursive(
    st.integers(-9, 9) | st.sampled_from(["a", "b"]),
    lambda inner: (
        st.builds(
            lambda operator, parts: {operator: parts},
            st.sampled_from(["+", "*", "min", "max"]),
            st.lists(inner, min_size=2, max_size=4),
        )
        | st.builds(lambda one, two: {"-": [one, two]}, inner, inner)
        | inner.map(lambda part: {"-": [part]})
    ),
    max_leaves=10,
)


def computed(raw: Any, facts: dict[str, int]) -> int:
    if isinstance(raw, int):
        return raw
    if isinstance(raw, str):
        return facts[raw]
    ((operator, operands),) = raw.items()
    values = [computed(operand, facts) for operand in operands]
    if operator == "-":
        return -values[0] if len(values) == 1 else values[0] - values[1]
    if operator == "*":
        product = 1
        for value in values:
            product *= value
        return product
    return {"+": sum, "min": min, "max": max}[operator](values)


def paths(raw: Any) -> set[str]:
    if isinstance(raw, dict):
        return {path for operands in raw.values() for operand in operands for path in paths(operand)}
    return {raw} if isinstance(raw, str) else set()


@given(TREES, st.integers(-9, 9), st.integers(-9, 9))
def test_any_tree_is_computed_as_it_reads(raw: Any, a: int, b: int) -> None:
    assert evaluate(raw, {"a": a, "b": b}) == computed(raw, {"a": a, "b": b})


@given(TREES, st.integers(-9, 9))
def test_a_tree_is_unknown_exactly_when_it_reads_a_field_that_was_not_said(raw: Any, a: int) -> None:
    value = evaluate(raw, {"a": a})
    assert (value == Unknown("b")) is ("b" in paths(raw))


@pytest.mark.parametrize(
    ("raw", "facts", "field"),
    [
        ("a", {}, "a"),
        ("target.wounds", {}, "target.boxes"),
        ({"+": ["a", "b"]}, {"a": 1}, "b"),
        ({"min": [1, {"-": ["target.wounds"]}]}, {}, "target.boxes"),
        ({"if": [{"gt": ["a", 1]}, 1, 2]}, {}, "a"),
        ({"if": ["prone", "a", 2]}, {"prone": True}, "a"),
    ],
)
def test_a_value_that_needs_what_was_not_said_is_unknown(raw: Any, facts: dict[str, Any], field: str) -> None:
    assert evaluate(raw, facts) == Unknown(field)


def test_the_way_not_taken_need_not_be_known() -> None:
    assert evaluate({"if": ["prone", "a", 2]}, {"prone": False}) == 2


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (None, ((), "bad-value", "a value is a whole number, a path or an expression, not None", None)),
        (True, ((), "bad-value", "a value is a whole number, a path or an expression, not True", None)),
        (2.5, ((), "bad-value", "an expression is a mapping with one operator", "such as {min: [a, 6]}")),
        ([1], ((), "bad-value", "an expression is a mapping with one operator", "such as {min: [a, 6]}")),
        ({}, ((), "bad-value", "an expression is a mapping with one operator", "such as {min: [a, 6]}")),
        (
            {"+": [1, 2], "-": [1]},
            ((), "bad-value", "an expression is a mapping with one operator", "such as {min: [a, 6]}"),
        ),
        ("distanse", ((), "unknown-path", "'distanse' is not known here", "did you mean 'distance'?")),
        ("prone", ((), "not-a-number", "prone is no number", None)),
        ("cover", ((), "not-a-number", "cover is no number", None)),
        (
            {"mini": [1, 2]},
            (("mini",), "unknown-operator", "'mini' is not known here", "did you mean 'min'?"),
        ),
        ({"+": [1]}, (("+",), "bad-value", "+ takes a list of 2 to 20 values", None)),
        ({"*": [1] * 21}, (("*",), "bad-value", "* takes a list of 2 to 20 values", None)),
        ({"min": "a"}, (("min",), "bad-value", "min takes a list of 2 to 20 values", None)),
        ({"-": []}, (("-",), "bad-value", "- takes a list of 1 to 2 values", None)),
        ({"-": [1, 2, 3]}, (("-",), "bad-value", "- takes a list of 1 to 2 values", None)),
        ({"floor": [1]}, (("floor",), "bad-value", "floor takes a list of 2 values", None)),
        ({"ceil": [1, 2, 3]}, (("ceil",), "bad-value", "ceil takes a list of 2 values", None)),
        ({"if": ["prone", 1]}, (("if",), "bad-value", "if takes a list of 3 values", None)),
        (
            {"if": ["pronne", 1, 2]},
            (("if", 0), "unknown-term", "'pronne' is not known here", "did you mean 'prone'?"),
        ),
        (
            {"min": [1, {"+": ["a", {"-": ["bb"]}]}]},
            (("min", 1, "+", 1, "-", 0), "unknown-path", "'bb' is not known here", "did you mean 'b'?"),
        ),
    ],
)
def test_faults_are_reported_with_their_place_and_a_suggestion(raw: Any, fault: Any) -> None:
    assert faults(raw) == [fault]


def test_all_faults_are_reported_in_one_pass() -> None:
    raw = {"if": ["pronne", {"min": ["aa", True]}, {"floor": [1]}]}
    assert [(path, code) for path, code, _, _ in faults(raw)] == [
        (("if", 0), "unknown-term"),
        (("if", 1, "min", 0), "unknown-path"),
        (("if", 1, "min", 1), "bad-value"),
        (("if", 2, "floor"), "bad-value"),
    ]


# Known faults.


def test_a_value_is_a_whole_number_also_where_its_path_holds_a_fraction() -> None:
    compiler = Compiler(WORDS)
    value = compile_value("distance", compiler)
    assert compiler.problems or isinstance(value({"distance": 12.5}), int)


@pytest.mark.parametrize(("base", "sign"), [(1000, 1), (-1000, -1)])
def test_no_expression_makes_numbers_without_end(base: int, sign: int) -> None:
    raw: Any = {"*": ["a", 1000]}
    for _ in range(25):
        raw = {"*": [raw, *[1000] * 19]}
    assert evaluate(raw, {"a": base}) == sign * GREATEST
    assert evaluate({"-": [raw, raw]}, {"a": base}) == 0
