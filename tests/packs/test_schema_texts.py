"""The schemas explain themselves, leave nothing open, and use only what every editor understands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from schema_files import (
    ALL,
    SCHEMAS,
    At,
    complaints,
    followed,
    only_asks,
    property_name,
    validator,
)

from fracas.packs.entries import KINDS

RULESETS = SCHEMAS["common.schema.json"]["$defs"]["ruleset"]["enum"]
IN_PLACE = re.compile(r"(.*)/(then|else|allOf/\d+)")
"""Pointers to schemas that speak of the same mapping as the one that they stand in."""

PROPERTIES = [at for at in ALL if property_name(at) and not only_asks(at)]


def test_every_kind_and_ruleset_has_a_schema() -> None:
    assert set(SCHEMAS) == {f"{name}.schema.json" for name in (*KINDS, *RULESETS, "pack", "common")}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema_is_valid_and_says_what_it_is(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    # A relative reference with a version: editors and validators find the other files next to this one.
    assert schema["$id"] == f"{name}?version=2"
    assert schema["title"]
    assert schema["description"].endswith(".")


@pytest.mark.parametrize("file", sorted(SCHEMAS))
def test_properties_explain_themselves(file: str) -> None:
    wrong = [
        f"{at}: {fault}"
        for at in PROPERTIES
        if at.file == file and not is_refinement(at)
        for fault in faults_of_texts(at)
    ]
    assert not wrong, "\n".join(wrong)


def is_refinement(at: At) -> bool:
    """Whether it only narrows a property that another part of the same mapping describes."""
    if "title" in at.schema or "$ref" in at.schema:
        return False
    holder, _, _ = at.pointer.rpartition("/properties/")
    return any(
        "title" in followed(other)
        for other in named_beside(At(at.file, holder), property_name(at))
        if other != at
    )


def named_beside(at: At, name: str | None) -> Iterator[At]:
    """The property of that name in all parts of a mapping, of which one is given."""
    while found := IN_PLACE.fullmatch(at.pointer):
        at = At(at.file, found[1])
    waiting = [at]
    while waiting:
        part = waiting.pop()
        if name in part.schema.get("properties", {}):
            yield part.into("properties", name)
        target = part.refers()
        waiting += [target] if target else []
        waiting += [part.into("allOf", number) for number in range(len(part.schema.get("allOf", ())))]
        waiting += [part.into(word) for word in ("then", "else") if word in part.schema]


def faults_of_texts(at: At) -> list[str]:
    full = followed(at)
    title, description = full.get("title", ""), full.get("description", "")
    checks = {
        "no title of at most 50 characters": 1 < len(title) <= 50,
        "the title begins with a small letter": not title[:1].islower(),
        "the description does not end with a full stop": description.endswith("."),
        "the description has more than 400 characters": len(description) <= 400,
        "the description has marks, which editors show as they are": "`" not in description,
        "the description is still to be written": description != "To be described.",
        "no examples": bool(full.get("examples")),
    }
    told = [fault for fault, holds in checks.items() if not holds]
    return told + [
        f"example {json.dumps(example)[:80]}: {fault}"
        for example in full.get("examples", ())
        for fault in complaints(validator(str(at)).iter_errors(example))
    ]


def test_shared_parts_explain_themselves() -> None:
    for name, part in SCHEMAS["common.schema.json"]["$defs"].items():
        assert part["title"], name
        assert part["description"].endswith("."), name
        assert part["examples"], name
        for example in part["examples"]:
            assert not complaints(validator(f"common.schema.json#/$defs/{name}").iter_errors(example)), name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_parts_of_rulesets_come_in_pairs(ruleset: str) -> None:
    """``weapon`` is what an entry must be, ``weapon-fields`` what it may have, which a patch may set too."""
    file = f"{ruleset}.schema.json"
    parts = SCHEMAS[file]["$defs"]
    kinds = [kind for kind in KINDS.values() if f"{kind}-fields" in parts]
    assert kinds
    for kind in kinds:
        fields, whole = parts[f"{kind}-fields"], parts[kind]
        assert not {"required", "unevaluatedProperties", "additionalProperties"} & set(fields), kind
        assert whole["title"] == fields["title"], kind
        assert whole["allOf"][:2] == [
            {"$ref": "common.schema.json#/$defs/entry"},
            {"$ref": f"#/$defs/{kind}-fields"},
        ], kind
        assert set(whole.get("required", ())) <= set(fields["properties"]), kind
    for name in parts:
        users = [at for at in ALL if str(at.refers()) == f"{file}#/$defs/{name}"]
        assert users, f"nothing uses {name}"


# --- Closed -----------------------------------------------------------------------------------------------


def test_no_property_is_let_through() -> None:
    """Each mapping with named properties is closed, or is one that a closed one builds on."""
    for at in ALL:
        if "properties" in at.schema and not only_asks(at) and not is_built_on(at):
            assert is_closed(at.schema), at


def is_closed(schema: Any) -> bool:
    return schema.get("unevaluatedProperties") is False or "additionalProperties" in schema


def is_built_on(at: At) -> bool:
    """Whether it is only ever a part of closed mappings."""
    users = [user for user in ALL if user.refers() == at]
    return closed_around(at) or (
        bool(users) and all(is_closed(user.schema) or closed_around(user) for user in users)
    )


def closed_around(at: At) -> bool:
    """Whether it speaks of the same mapping as a schema around it that is closed."""
    while found := IN_PLACE.fullmatch(at.pointer):
        at = At(at.file, found[1])
        if is_closed(at.schema):
            return True
    return False


def test_lists_numbers_and_texts_have_limits() -> None:
    for at in ALL:
        if only_asks(at) or "/not" in at.pointer:
            continue
        schema = at.schema
        types = schema.get("type", [])
        if types == "array":
            assert "maxItems" in schema, at
        if types in ("integer", "number"):
            assert {"minimum", "maximum"} <= set(schema), at
        if types == "string" and "enum" not in schema:
            assert {"pattern", "maxLength"} & set(schema), at


def test_only_presence_or_type_decides_between_alternatives() -> None:
    for at in ALL:
        assert "anyOf" not in at.schema, at
        if "if" in at.schema:
            assert set(at.schema["if"]) <= {"required", "type", "properties"}, at


def test_patterns_have_words_for_editors() -> None:
    for at in ALL:
        if "pattern" in at.schema and "type" in at.schema:
            assert at.schema["patternErrorMessage"].endswith("."), at
            assert at.schema["pattern"].startswith("^"), at


def test_patterns_mean_the_same_in_every_language() -> None:
    """No classes such as ``\\d``, which Python and JavaScript take differently; a dollar only at the end."""
    for at in ALL:
        pattern = at.schema.get("pattern", "")
        assert not any(letter in pattern for letter in ("\\d", "\\w", "\\s", "\\b", "(?")), at
        assert "$" not in pattern[:-1], at
