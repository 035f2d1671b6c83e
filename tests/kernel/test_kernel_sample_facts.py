"""Facts under which a predicate holds or fails, and the proof that there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import scale

from fracas.kernel.predicates import Compiler, Failed, Predicate
from fracas.kernel.sample_facts import MANY, Domains, Mentions, Search, domains, search
from fracas.kernel.vocabulary import Field, Record, Vocabulary

MANY_WORDS = tuple(f"word-{number}" for number in range(MANY + 4))
WORDS = Vocabulary(
    (Record("target", "Target"),),
    (
        Field("small", "whole", "Small", least=0, most=4),
        Field("signed", "whole", "Signed", least=-2, most=2),
        Field("late", "whole", "Late", least=3, most=5),
        Field("distance", "number", "Distance", least=0, most=2),
        Field("reach", "number", "Reach", least=1, most=3),
        Field("prone", "flag", "Prone"),
        Field("target.running", "flag", "Running"),
        Field("cover", "choice", "Cover", choices=("none", "partial", "good", "total")),
        Field("features", "words", "Features", choices=("scope", "stock", "vent")),
        Field("many", "words", "Many", choices=MANY_WORDS),
    ),
)


def compiled(raw: Any) -> Predicate:
    compiler = Compiler(WORDS)
    predicate = compiler.predicate(raw)
    assert compiler.problems == []
    return predicate


def found(raw: Any, holds: bool, most: int = 1) -> Search:
    within = domains(Mentions(WORDS).predicate(raw), WORDS)
    return search(compiled(raw), within, holds=holds, most=most)


def is_possible(raw: Any, holds: bool) -> bool:
    """Whether there are facts; a search that gave up fails the test."""
    result = found(raw, holds)
    assert result.found or result.complete
    return bool(result.found)


GRID = 12
"""Steps in a unit of the numbers that may be fractions; more than enough for two of them and thirds as constants."""


def every_value(field: Field) -> list[Any]:
    if field.type == "flag":
        return [True, False]
    if field.type == "choice":
        return list(field.choices)
    if field.type == "words":
        return [chosen for size in range(4) for chosen in combinations(field.choices, size)]
    if field.type == "whole":
        return list(range(int(field.least), int(field.most) + 1))
    return [step / GRID for step in range(int(field.least) * GRID, int(field.most) * GRID + 1)]


def everything(paths: list[str]) -> Iterator[Mapping[str, Any]]:
    for values in product(*(every_value(WORDS.fields[path]) for path in paths)):
        yield dict(zip(paths, values, strict=True))


NUMBERS = ("small", "signed", "late", "distance", "reach")
CONSTANTS = st.integers(-3, 6) | st.sampled_from([0.5, 1.5, 1.25])
LEAVES = st.one_of(
    st.sampled_from(["prone", "target:running", "cover:none", "cover:partial", "cover:total"]),
    st.sampled_from(["features:scope", "features:stock", "features:vent"]),
    st.builds(
        lambda operator, path, value: {operator: [path, value]},
        st.sampled_from(["eq", "ne", "lt", "lte", "gt", "gte"]),
        st.sampled_from(NUMBERS),
        CONSTANTS | st.sampled_from(NUMBERS),
    ),
    st.builds(
        lambda path, values: {"in": [path, values]},
        st.sampled_from(NUMBERS),
        st.lists(CONSTANTS, min_size=1, max_size=3),
    ),
    st.builds(
        lambda operator, word: {operator: ["cover", word]},
        st.sampled_from(["eq", "ne"]),
        st.sampled_from(["none", "partial", "good", "total"]),
    ),
    st.booleans().map(lambda value: {"eq": ["prone", value]}),
)
PREDICATES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(
            lambda operator, parts: {operator: parts},
            st.sampled_from(["all", "any", "none"]),
            st.lists(inner, min_size=1, max_size=4),
        )
        | inner.map(lambda part: {"not": part})
        | st.lists(inner, max_size=4)
    ),
    max_leaves=6,
)


def reads(raw: Any) -> list[str]:
    return list(Mentions(WORDS).predicate(raw).constants)


@given(PREDICATES, st.booleans())
@settings(max_examples=scale(100, 300))
def test_what_is_found_satisfies(raw: Any, holds: bool) -> None:
    predicate = compiled(raw)
    for facts in found(raw, holds, most=5).found:
        why = predicate(facts)
        assert why is None if holds else isinstance(why, Failed)
        assert list(facts) == reads(raw)
        for path, value in facts.items():
            field = WORDS.fields[path]
            if field.type in ("whole", "number"):
                assert field.least <= value <= field.most
                assert field.type == "number" or isinstance(value, int)
            elif field.type == "words":
                assert set(value) <= set(field.choices)
            else:
                assert value in every_value(field)


@given(PREDICATES.filter(lambda raw: len(reads(raw)) <= 4), st.booleans())
@settings(max_examples=scale(100, 300))
def test_there_are_facts_exactly_when_trying_everything_finds_some(raw: Any, holds: bool) -> None:
    predicate = compiled(raw)
    assert is_possible(raw, holds) is any(
        (predicate(facts) is None) is holds for facts in everything(reads(raw))
    )


@given(PREDICATES, st.booleans())
def test_several_facts_differ(raw: Any, holds: bool) -> None:
    several = found(raw, holds, most=4).found
    assert all(one != other for one, other in combinations(several, 2))


@pytest.mark.parametrize(
    "raw",
    [
        ["cover:good", "cover:partial"],
        ["prone", {"not": "prone"}],
        [{"gt": ["small", 4]}],
        [{"lt": ["late", 3]}],
        [{"gt": ["small", 1]}, {"lt": ["small", 2]}],
        [{"gt": ["small", "late"]}, {"lt": ["small", 4]}],
        [{"lt": ["small", "signed"]}, {"lt": ["signed", "small"]}],
        [{"lt": ["distance", 1]}, {"gte": ["distance", "reach"]}],
        [{"in": ["cover", ["good", "total"]]}, {"none": ["cover:good", "cover:total"]}],
        ["features:scope", {"none": ["features:scope", "features:vent"]}],
        [{"in": ["small", [7, 8]]}],
        [{"eq": ["small", 1.5]}],
        [{"eq": ["small", float("inf")]}],
        [{"gt": ["distance", 10**400]}],
        {"not": []},
    ],
)
def test_contradictions(raw: Any) -> None:
    assert not is_possible(raw, True)
    assert is_possible(raw, False)


@pytest.mark.parametrize(
    "raw",
    [
        [],
        [{"any": ["prone", {"not": "prone"}]}],
        [{"gte": ["small", 0]}],
        [{"any": [{"lt": ["small", 3]}, {"gte": ["small", 3]}]}],
        [{"lt": ["signed", "late"]}],
        [{"in": ["cover", ["none", "partial", "good", "total"]]}],
        [{"any": ["cover:none", {"ne": ["cover", "none"]}]}],
        [{"lt": ["distance", float("inf")]}],
    ],
)
def test_what_always_holds(raw: Any) -> None:
    assert is_possible(raw, True)
    assert not is_possible(raw, False)


def test_between_two_numbers_lies_a_fraction_but_no_whole_number() -> None:
    assert is_possible([{"gt": ["distance", 1]}, {"lt": ["distance", 2]}], True)
    assert is_possible([{"gt": ["distance", 1]}, {"lt": ["distance", "reach"]}, {"lt": ["reach", 2]}], True)
    assert not is_possible([{"gt": ["signed", 1]}, {"lt": ["signed", 2]}], True)


def test_the_plainest_facts_come_first() -> None:
    raw = ["features:scope", {"gt": ["small", 0]}, {"any": ["prone", {"ne": ["cover", "none"]}]}]
    assert found(raw, True).found == (
        {"features": ("scope",), "small": 1, "prone": False, "cover": "partial"},
    )


def test_words_of_a_long_list() -> None:
    assert is_possible([f"many:{word}" for word in MANY_WORDS], True)
    assert is_possible([{"none": [f"many:{word}" for word in MANY_WORDS]}], True)
    half = [f"many:{word}" for word in MANY_WORDS[::2]]
    assert found([*half, {"none": [f"many:{word}" for word in MANY_WORDS[1::2]]}], True) == Search((), False)


def test_a_search_that_takes_too_long_proves_nothing() -> None:
    never = {"all": [{"lt": ["a", "b"]}, {"lt": ["b", "a"]}]}
    fields = [Field(name, "whole", name) for name in "abcdefghij"]
    words = Vocabulary((), fields)
    linked = [{"any": [never, {"lt": [one, other]}]} for one, other in zip("acegi", "bdfhj", strict=True)]
    raw = [{"ne": [name, 500]} for name in "jihgfedcba"] + linked[::-1] + [never]
    compiler = Compiler(words)
    predicate = compiler.predicate(raw)
    assert search(predicate, domains(Mentions(words).predicate(raw), words), holds=True) == Search((), False)


def test_what_values_read() -> None:
    raw = {
        "if": [
            ["prone", {"gt": ["small", 3]}],
            {"-": ["signed"]},
            {"min": ["late", {"floor": ["distance", 2]}]},
        ]
    }
    assert Mentions(WORDS).value(raw).constants == {
        "prone": [],
        "small": [3],
        "signed": [],
        "late": [],
        "distance": [],
    }
    assert Mentions(WORDS).value(-2).constants == {}
    assert Mentions(WORDS).value("small").constants == {"small": []}


def test_a_field_that_can_have_no_value_has_no_facts() -> None:
    assert search(compiled("prone"), Domains({"prone": ()}, True), holds=True) == Search((), True)
