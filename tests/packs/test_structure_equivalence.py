"""The closed forms of the schemas accept what the schemas accept, and blame what the schemas blame."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from block_yaml import Path
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schema_files import SCHEMAS, At, of_kind, quick_validator
from schema_rules import applications, value_at
from schema_specimens import Specimen, made_up_specimens, shipped_specimens
from tiers import scale

from fracas.packs.entries import KINDS
from fracas.packs.schema_flattening import closed, flattened
from fracas.packs.schema_quick import quick_check
from fracas.packs.structure import find_faults
from fracas.packs.structure_wording import Fault

MUTANTS_OF_A_KIND = scale(24, 120)
ALL_KINDS = ("pack", *KINDS)


# --- What plain jsonschema says of the schemas as they are written --------------------------------------------


def blamed(kind: str, data: Any) -> tuple[set[Path], set[Path], bool]:
    """Paths of values with a fault, and of those whose fault ours may tell further in: alternatives, double items.

    The third is whether there is no fault at all.

    Unknown fields are found by hand: once another field is wrong, jsonschema calls fields unknown that are not.
    """
    found, alternatives, valid = set(), set(), True
    for error in of_kind(kind).iter_errors(data):
        valid = False
        path = tuple(error.absolute_path)
        if error.validator in ("oneOf", "uniqueItems"):
            alternatives.add(path)
        elif error.validator != "unevaluatedProperties":
            found.add(path)
    for place in applications(At(f"{kind}.schema.json"), data):
        closed_here = place.at.schema.get("unevaluatedProperties") is False
        if closed_here and isinstance(place.value, dict) and place.value.keys() - set(known_names(place.at)):
            found.add(place.path)
    return found, alternatives, valid


def known_names(at: At) -> Iterator[str]:
    """The properties that a schema and the parts that it is made of name."""
    yield from at.schema.get("properties", ())
    parts = [at.refers()] + [at.into("allOf", number) for number in range(len(at.schema.get("allOf", ())))]
    parts += [at.into(word) for word in ("then", "else") if word in at.schema]
    for part in parts:
        if part:
            yield from known_names(part)


def home(fault: Fault) -> Path:
    """Where jsonschema puts a fault: at the mapping for one about a key, at the list for a double item."""
    return fault.path[:-1] if fault.of_key or fault.code == "double-item" else fault.path


def disagreement(kind: str, data: Any) -> str | None:
    found = find_faults(data, kind)
    ours = {home(fault) for fault in found}
    theirs, alternatives, valid = blamed(kind, data)
    if bool(found) == valid:
        return f"ours: {found}, theirs: {theirs | alternatives}"
    excused = {path for path in ours for way in alternatives if path[: len(way)] == way}
    missed = theirs - ours | {
        way for way in alternatives if not any(path[: len(way)] == way for path in ours)
    }
    invented = ours - theirs - excused
    return f"missed {missed}, invented {invented}" if missed or invented else None


# --- Spoiling files at random -------------------------------------------------------------------------------

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 1.5, 5.0, 10**9, -(10**9), "", "a", "No such, word!", "word", "0", "x" * 600,
    [], [1], ["a", "a"], [None], [[]], {}, {"a": 1}, {"zzq": {}}, {"eq": ["distance", 1]}, {"+": [1, 2]},
)  # fmt: skip
STRANGE = ("zzq", "ZZQ 7", "", "zzq-zzq")
FORMS = ("patch", "remove", "replace", "slug", "set", "expects", "unset", "refuses", "value", "type", "cost")


def spoilt(specimen: Specimen, random: Random) -> Any:
    """A copy with one to three changes, which may or may not break a rule."""
    data = copy.deepcopy(specimen.data)
    for _ in range(random.randint(1, 3)):
        places = [path for path in paths(data) if path]
        if not places:
            return data
        path = random.choice(places)
        holder, step = value_at(data, path[:-1]), path[-1]
        choice = random.randrange(7)
        if choice == 0:
            del holder[step]
        elif choice == 1:
            holder[step] = copy.deepcopy(random.choice(JUNK))
        elif choice == 2 and isinstance(holder, dict):
            holder[random.choice(STRANGE)] = holder.pop(step)
        elif choice == 3 and isinstance(holder, dict):
            holder[random.choice(FORMS)] = copy.deepcopy(random.choice(JUNK))
        elif choice == 4:
            holder[step] = copy.deepcopy(value_at(data, random.choice(places)))
        elif choice == 5 and isinstance(holder[step], list):
            holder[step] += holder[step] * (1 if step == "entries" else random.choice((1, 30)))
        elif choice == 6 and isinstance(holder[step], (int, float)):
            holder[step] = random.choice((holder[step] + 0.5, float(holder[step]), -holder[step], 2000))
    return json.loads(json.dumps(data))


def paths(data: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    items: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, part in items:
        yield from paths(part, (*path, step))


def specimens_of(kind: str) -> list[Specimen]:
    both = (made_up_specimens(), shipped_specimens())
    return [specimen for some in both for specimen in some if specimen.kind == kind]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_valid_files_are_cleared(kind: str) -> None:
    for specimen in specimens_of(kind):
        assert find_faults(specimen.data, kind) == [], specimen.name


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_ours_and_jsonschema_blame_the_same_values(kind: str) -> None:
    random, some = Random(kind), specimens_of(kind)
    faulty = 0
    for _ in range(MUTANTS_OF_A_KIND):
        specimen = random.choice(some)
        data = spoilt(specimen, random)
        faulty += not quick_validator(f"{kind}.schema.json").is_valid(data)
        assert disagreement(kind, data) is None, (specimen.name, json.dumps(data))
    assert faulty > MUTANTS_OF_A_KIND / 3


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_quick_check_knows_every_keyword_and_is_exact(kind: str) -> None:
    """It must clear what is right: were a keyword unknown to it, everything would go the slow way."""
    random, (frame, forms) = Random(f"quick {kind}"), closed(kind)
    check = Draft202012Validator(frame)
    quick = quick_check(frame)
    for _ in range(MUTANTS_OF_A_KIND):
        specimen = random.choice(specimens_of(kind))
        assert quick(specimen.data)
        data = spoilt(specimen, random)
        assert quick(data) == check.is_valid(data), json.dumps(data)
        if forms and isinstance(data, dict) and data.get("entries") and isinstance(data["entries"], list):
            form = forms.get(specimen.data["ruleset"]) or forms[None]
            entry = data["entries"][0]
            assert quick_check(form)(specimen.data["entries"][0])
            assert quick_check(form)(entry) == Draft202012Validator(form).is_valid(entry), json.dumps(entry)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_closed_form_is_a_closed_schema(kind: str) -> None:
    frame, forms = closed(kind)
    for form in (frame, *forms.values()):
        Draft202012Validator.check_schema(form)
        text = json.dumps(form)
        assert "unevaluatedProperties" not in text, "something could not be merged"
        assert '"$ref": "#/$defs/' in text or '"$ref"' not in text


@pytest.mark.parametrize("kind", [kind for kind in KINDS if SCHEMAS[f"{kind}.schema.json"].get("allOf")])
def test_all_alternatives_of_rulesets_are_taken_apart(kind: str) -> None:
    frame, forms = closed(kind)
    assert "allOf" not in frame
    assert set(forms) == {None, *SCHEMAS[f"{kind}.schema.json"]["properties"]["ruleset"]["enum"]}


# --- Merging and checking, on any schemas of a small language -------------------------------------------------

NAMES = st.sampled_from("abc")
LEAVES = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "number", "minimum": 2},
        {"minimum": 1},
        {"maximum": 2},
        {"type": ["string", "integer"], "maximum": 3},
        {"type": "string", "maxLength": 1},
        {"minLength": 1, "maxLength": 2},
        {"minLength": 2},
        {"enum": ["x", "y"]},
        {"enum": ["y", "z"]},
        {"const": 1},
        {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "maxItems": 2},
        {"items": {"minimum": 1}, "minItems": 1},
        {"minItems": 2, "maxItems": 3},
        {"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 1},
        {"minProperties": 1, "maxProperties": 1},
        {"maxProperties": 2},
        {"pattern": "^[xy]$"},
        {"not": {"type": "string"}},
        {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 3}]},
    ]
)
BOTH = st.lists(LEAVES, min_size=2, max_size=3).map(lambda parts: {"allOf": parts})


def mappings(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    names = st.lists(NAMES, unique=True, max_size=2)
    pieces = {
        "type": st.just("object"),
        "properties": st.dictionaries(NAMES, parts, max_size=2),
        "required": names,
        "minProperties": st.integers(0, 2),
        "maxProperties": st.integers(0, 3),
        "allOf": st.lists(parts, min_size=1, max_size=2),
        "oneOf": st.just([{"required": ["a"]}, {"required": ["b"]}]),
        "if": st.builds(lambda name: {"required": [name]}, NAMES),
        "then": parts,
        "else": parts,
        "additionalProperties": st.one_of(st.just(False), parts),
        "unevaluatedProperties": st.just(False),
        "propertyNames": st.sampled_from([{"enum": ["a", "b"]}, {"pattern": "^[bc]$"}]),
        "dependentRequired": st.dictionaries(NAMES, names, max_size=1),
    }
    return st.fixed_dictionaries({}, optional=pieces)


SCHEMAS_OF_ANY_SORT = st.recursive(LEAVES | BOTH, mappings, max_leaves=8)
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, 2.0, 2.5, 4, "", "x", "y", "xy", "y\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=scale(40, 300), suppress_health_check=[HealthCheck.too_slow])
@given(SCHEMAS_OF_ANY_SORT, st.lists(VALUES, min_size=8, max_size=8))
def test_any_schema_and_its_closed_form_accept_the_same(schema: Mapping[str, Any], values: list[Any]) -> None:
    original, form = jsonschema_rs.Draft202012Validator(schema), flattened(schema, "common.schema.json")
    check, quick = Draft202012Validator(form), quick_check(form)
    for value in values:
        wanted = original.is_valid(value)
        assert check.is_valid(value) == wanted, (form, value)
        # What could not be merged is unknown to the quick check, which then clears nothing.
        unknown = "unevaluatedProperties" in json.dumps(form)
        assert quick(value) == wanted or (unknown and not quick(value)), (form, value)
