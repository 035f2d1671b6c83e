"""Words, predicates and values in the schemas: the same ones that the kernel's compiler takes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from schema_files import ALL, SCHEMAS, complaints, only_asks, validator

from fracas.errors import Problem
from fracas.kernel import predicates, values
from fracas.kernel.predicates import Compiler
from fracas.packs.entries import META, SLUG


def test_operators_are_those_of_the_kernel() -> None:
    parts = SCHEMAS["common.schema.json"]["$defs"]
    assert tuple(parts["operation"]["properties"]) == predicates.OPERATORS
    assert set(parts["expression"]["properties"]) == set(values.OPERATORS)
    assert set(parts["entry"]["properties"]) == META


# --- Shapes of words --------------------------------------------------------------------------------------


SHAPES = """
    slug:         a 7 a-b ak-97               | A -a a_b a.b a:b ä
    reference:    a a-b pack:weapon/a         | A pack:a weapon/a pack:weapon/ :weapon/a p:w/A
    availability: 0 2 4R 16F                  | R F4 4r 02 100 4RF -1 2.5
    path:         distance attacker.take_aim attacker.foci.close-combatant | Distance .a a. a..b a:b 1a a-b
    term:         tracer attack:ranged target.cover:good weapon.modes:FA   | Tracer a: :a a:b:c a;b a:-b
    tally:        attack.pool shock.ac ranged-attack.refusal target_2.attack.pool | attack .pool attack. a.b.c.d A.b
"""


@pytest.mark.parametrize("shape", SHAPES.strip().splitlines())
def test_shapes_of_words(shape: str) -> None:
    part, _, words = shape.partition(": ")
    good, _, bad = words.partition("|")
    check = validator(f"common.schema.json#/$defs/{part.strip()}")
    assert [word for word in good.split() if not check.is_valid(word)] == []
    assert [
        word for word in [*bad.split(), "", "a b", " a", "a" * 200, 7, None] if check.is_valid(word)
    ] == []


def test_slugs_are_those_of_the_library() -> None:
    assert SCHEMAS["common.schema.json"]["$defs"]["slug"]["pattern"] == f"^{SLUG.pattern}$"


DICE = re.compile("[1-9][0-9]?d")


def test_dice_are_dice_everywhere() -> None:
    """Texts that are dice have a pattern of their own in several places; some take no more than the dice."""
    places = [at for at in ALL if not only_asks(at) and DICE.pattern in at.schema.get("pattern", "")]
    assert places
    good, bad = "1d6 2d6 10d10", "d6 0d6 1d0 1d 1d6+ 1d6+1d4 1D6 100d6 1d6*2"
    for at in places:
        check = validator(str(at))
        assert [dice for dice in good.split() if not check.is_valid(dice)] == [], at
        assert [dice for dice in bad.split() if check.is_valid(dice)] == [], at


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("version", "0.1.0 10.20.30 1.0.0-rc.1 1.0.0+build.5", "1 1.0 1.0.0.0 01.0.0 1.0.0- v1.0.0"),
        ("id", "sr4-core my-pack 7th", "SR4 a_b -a a.b"),
    ],
)
def test_words_of_a_manifest(field: str, good: str, bad: str) -> None:
    check = validator(f"pack.schema.json#/properties/{field}")
    assert [word for word in good.split() if not check.is_valid(word)] == []
    assert [word for word in bad.split() if check.is_valid(word)] == []


# --- Predicates and values: the schema and the compiler say the same ----------------------------------------


class Words:
    """A vocabulary in which the words of these tests are known."""

    def term(self, word: str) -> tuple[str, Any] | None:
        return ("flag", True) if word in self.terms() else None

    def terms(self) -> Iterable[str]:
        return ("who:flag", "tracer", "a.choice:good")

    def paths(self) -> Iterable[str]:
        return ("number", "other", "flag", "a.choice")

    def is_number(self, path: str) -> bool:
        return path in ("number", "other")

    def is_whole(self, path: str) -> bool:
        return self.is_number(path)

    def is_list(self, path: str) -> bool:
        return False

    def choices(self, path: str) -> tuple[str, ...] | None:
        return ("good", "bad") if path == "a.choice" else None

    def source_of(self, path: str) -> str:
        return path


GOOD_PREDICATES: list[Any] = [
    "tracer",
    "who:flag",
    "a.choice:good",
    {"all": ["tracer", "who:flag"]},
    {"any": ["tracer"]},
    {"none": ["tracer", {"not": "who:flag"}]},
    {"not": {"any": ["tracer", {"all": ["who:flag"]}]}},
    {"eq": ["number", 1]},
    {"eq": ["number", "other"]},
    {"eq": ["a.choice", "good"]},
    {"eq": ["flag", True]},
    {"ne": ["flag", False]},
    {"lt": ["number", 1.5]},
    {"lte": ["number", "other"]},
    {"gt": ["number", -3]},
    {"gte": ["number", 0]},
    {"in": ["a.choice", ["good", "bad"]]},
    {"in": ["number", [1, 2]]},
]
BAD_PREDICATES: list[Any] = [
    None,
    7,
    True,
    "",
    "Tracer!",
    {},
    {"tracer": True},
    {"and": ["tracer"]},
    {"all": ["tracer"], "any": ["tracer"]},
    {"all": []},
    {"any": "tracer"},
    {"none": {"not": "tracer"}},
    {"not": None},
    {"not": 7},
    {"eq": ["number"]},
    {"eq": ["number", 1, 2]},
    {"eq": [1, "number"]},
    {"eq": "number"},
    {"eq": ["number", None]},
    {"eq": ["number", [1]]},
    {"lt": ["number", True]},
    {"gte": ["number", {"+": [1, 2]}]},
    {"in": ["number", 1]},
    {"in": ["a.choice", "good"]},
    {"in": ["a.choice"]},
]
GOOD_VALUES: list[Any] = [
    0,
    -2,
    "number",
    {"+": [1, 2]},
    {"+": [1, "number", "other", 4]},
    {"-": ["number"]},
    {"-": [1, "number"]},
    {"*": [2, {"-": ["number"]}]},
    {"min": [1, 2, 3]},
    {"max": [0, {"floor": ["number", 2]}]},
    {"ceil": ["number", 2]},
    {"if": ["tracer", 1, "number"]},
    {"if": [{"gt": ["number", 5]}, -2, {"if": ["who:flag", 1, 0]}]},
]
BAD_VALUES: list[Any] = [
    None,
    True,
    1.5,
    "",
    "No path!",
    [],
    [1],
    {},
    {"+": 1},
    {"+": [1]},
    {"*": [1]},
    {"min": [1]},
    {"max": []},
    {"-": []},
    {"-": [1, 2, 3]},
    {"floor": [1]},
    {"floor": [1, 2, 3]},
    {"ceil": 1},
    {"if": ["tracer", 1]},
    {"if": ["tracer", 1, 2, 3]},
    {"if": [1, 2, 3]},
    {"if": [{"gt": ["number"]}, 1, 2]},
    {"avg": [1, 2]},
    {"+": [1, 2], "-": [1, 2]},
    {"+": [1, None]},
    {"+": [1, [2]]},
    {"+": [1, {"*": [2]}]},
    {"+": [1] * 21},
]


def compiles(raw: Any, how: Callable[[Any, Compiler], Any]) -> list[Problem]:
    compiler = Compiler(Words())
    how(raw, compiler)
    return [problem for _, problem in compiler.problems]


def as_predicate(raw: Any, compiler: Compiler) -> Any:
    return compiler.predicate(raw)


def as_value(raw: Any, compiler: Compiler) -> Any:
    return values.compile_value(raw, compiler)


@pytest.mark.parametrize("raw", GOOD_PREDICATES, ids=json.dumps)
def test_predicate_is_accepted(raw: Any) -> None:
    assert not complaints(validator("common.schema.json#/$defs/predicate").iter_errors(raw))
    assert not complaints(validator("common.schema.json#/$defs/predicates").iter_errors([raw, raw]))
    assert not compiles(raw, as_predicate)


@pytest.mark.parametrize("raw", BAD_PREDICATES, ids=json.dumps)
def test_predicate_is_refused(raw: Any) -> None:
    assert not validator("common.schema.json#/$defs/predicate").is_valid(raw)
    assert not validator("common.schema.json#/$defs/predicates").is_valid(["tracer", raw])
    assert not validator("common.schema.json#/$defs/predicate").is_valid({"not": {"any": ["tracer", raw]}})
    assert compiles(raw, as_predicate)


@pytest.mark.parametrize("raw", GOOD_VALUES, ids=json.dumps)
def test_value_is_accepted(raw: Any) -> None:
    assert not complaints(validator("common.schema.json#/$defs/value").iter_errors(raw))
    assert not compiles(raw, as_value)


@pytest.mark.parametrize("raw", BAD_VALUES, ids=json.dumps)
def test_value_is_refused(raw: Any) -> None:
    assert not validator("common.schema.json#/$defs/value").is_valid(raw)
    assert not validator("common.schema.json#/$defs/value").is_valid({"min": [1, {"-": [raw]}]})
    assert compiles(raw, as_value)
