"""Valid files to spoil: one for each shipped entry, and full ones made up from the schemas, with every field."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from schema_files import ALL, FILES, At, followed, kind_of, quick_validator, schemas_in

from fracas.packs.entries import KINDS
from fracas.packs.yaml_source import load


class Specimen(NamedTuple):
    """A valid file with one entry, or a manifest."""

    kind: str
    name: str
    data: Any


def file_of(kind: str, ruleset: str, *entries: Any) -> dict[str, Any]:
    return {"kind": kind, "ruleset": ruleset, "entries": [*entries]}


def rulesets_of(kind: str) -> dict[str, At]:
    """What an entry of a kind must be, by ruleset; where that is the same for all, only the first is there."""
    frame = At(f"{kind}.schema.json")
    deciding = {
        part["if"]["properties"]["ruleset"]["const"]: frame.into(
            "allOf", place, "then", "properties", "entries", "items"
        )
        for place, part in enumerate(frame.schema.get("allOf", ()))
    }
    if deciding:
        return deciding
    first, *_ = At("common.schema.json").into("$defs", "ruleset").schema["enum"]
    return {first: frame.into("properties", "entries", "items")}


@cache
def shipped_specimens() -> list[Specimen]:
    found = []
    for path in FILES:
        kind, data = kind_of(path), load(path.read_bytes(), path.name).data
        if kind == "pack":
            found.append(Specimen(kind, path.parent.name, data))
            continue
        for entry in data["entries"]:
            name = f"{path.parent.name}/{path.stem} {entry.get('slug')}"
            found.append(Specimen(kind, name, file_of(kind, data["ruleset"], entry)))
    return found


@cache
def made_up_specimens() -> list[Specimen]:
    """Full files; those that break a rule because they say everything at once are left out."""
    found = [Specimen("pack", "made up", data) for data in _variants((At("pack.schema.json"),))]
    for kind in KINDS:
        for ruleset, entry in rulesets_of(kind).items():
            found += [
                Specimen(kind, f"made up for {ruleset}, {number}", file_of(kind, ruleset, data))
                for number, data in enumerate(_variants((entry,)))
            ]
    found = [
        specimen
        for specimen in found
        if quick_validator(f"{specimen.kind}.schema.json").is_valid(specimen.data)
    ]
    # So that no two places share one list or mapping, and can be changed each for itself.
    return [specimen._replace(data=json.loads(json.dumps(specimen.data))) for specimen in found]


# --- Making values up -------------------------------------------------------------------------------------

Around = frozenset[At]
"""Of the schemas that refer to themselves: those of the values that a value stands in."""


class Part(NamedTuple):
    """A schema that a value must fit: its place, and its keywords without those that lead to other schemas."""

    at: At
    words: Mapping[str, Any]

    def without(self, *words: str) -> Part:
        return Part(self.at, {word: value for word, value in self.words.items() if word not in words})


@cache
def _recursive() -> frozenset[At]:
    """The schemas that speak of themselves."""

    def reached(start: At) -> set[At]:
        found: set[At] = set()
        waiting = [start]
        while waiting:
            targets = {target for at in schemas_in(waiting.pop()) if (target := at.refers())} - found
            found |= targets
            waiting += targets
        return found

    return frozenset(target for at in ALL if (target := at.refers()) and target in reached(target))


@cache
def _variants(places: tuple[At, ...], around: Around = frozenset()) -> Sequence[Any]:
    """Values that fit all of the schemas, as a rule, and that together have everything that these speak of."""
    parts = [part for place in places for part in _spread(place, around)]
    return _settled(parts, frozenset(), around)


def _spread(at: At, around: Around) -> list[Part]:
    """A schema with those that it refers to and those that it is made of."""
    if not isinstance(at.schema, Mapping):
        return []
    target = at.refers()
    if target in around:
        return [Part(at, {"const": followed(at)["examples"][0]})]
    parts = [Part(at, at.schema).without("$ref", "allOf")]
    if target:
        parts += _spread(target, around)
    for number in range(len(at.schema.get("allOf", ()))):
        parts += _spread(at.into("allOf", number), around)
    return parts


def _settled(parts: Sequence[Part], absent: frozenset[str], around: Around) -> list[Any]:
    """The variants of a value, in all forms that it may take; `absent` names what it must not have in this one."""
    for number, part in enumerate(parts):
        rest = [*parts[:number], *parts[number + 1 :]]
        if "if" in part.words:
            own = part.without("if", "then", "else")
            then = [*_spread(part.at.into("if"), around), *_branch(part, "then", around)]
            asked = part.words["if"].get("required", ())
            found = _settled([own, *rest, *then], absent, around)
            found += _settled([own, *rest, *_branch(part, "else", around)], absent.union(asked), around)
            return _fitting(found, [part])
        if "oneOf" in part.words:
            own = part.without("oneOf")
            branches = part.words["oneOf"]
            names = {name for branch in branches for name in branch.get("required", ())}
            found = []
            for at, branch in enumerate(branches):
                chosen = _spread(part.at.into("oneOf", at), around)
                others = names - {*branch.get("required", ())}
                found += _settled([own, *rest, *chosen], absent | others, around)
            return _fitting(found, [part])
    return _plain(parts, absent, around | (_recursive() & {part.at for part in parts}))


def _fitting(values: Iterable[Any], parts: Sequence[Part]) -> list[Any]:
    """The different ones that the schemas accept."""
    found: list[Any] = []
    for value in values:
        if value not in found and all(quick_validator(str(part.at)).is_valid(value) for part in parts):
            found.append(value)
    return found


def _branch(part: Part, word: str, around: Around) -> list[Part]:
    return _spread(part.at.into(word), around) if word in part.words else []


def _plain(parts: Sequence[Part], absent: frozenset[str], around: Around) -> list[Any]:
    for part in parts:
        if "const" in part.words:
            return [part.words["const"]]
    choices = [part.words["enum"] for part in parts if "enum" in part.words]
    if choices:
        return [next(word for word in choices[0] if all(word in others for others in choices))]
    examples = [example for part in parts for example in part.words.get("examples", ())]
    found: list[Any] = []
    for type_ in _types(parts):
        if type_ == "object":
            found += _objects(parts, examples, absent, around)
        elif type_ == "array":
            found += _lists(parts, examples, around)
        else:
            found += _fitting(_scalars(type_, parts, examples), parts)
    return found


def _types(parts: Sequence[Part]) -> list[str]:
    said = [part.words["type"] for part in parts if "type" in part.words]
    if said:
        first, *rest = [[types] if isinstance(types, str) else types for types in said]
        return [type_ for type_ in first if all(type_ in others for others in rest)]
    return ["object"] if any("properties" in part.words for part in parts) else ["boolean"]


def _scalars(type_: str, parts: Sequence[Part], examples: list[Any]) -> list[Any]:
    python: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}
    if type_ not in python:
        return [True] if type_ == "boolean" else [None]
    fitting = [value for value in examples if type(value) in python[type_]]
    if fitting:
        return fitting[:1]
    return ["word"] if type_ == "string" else [max(part.words.get("minimum", 0) for part in parts)]


def _objects(parts: Sequence[Part], examples: list[Any], absent: frozenset[str], around: Around) -> list[Any]:
    places: dict[str, list[At]] = {}
    for part in parts:
        for name in part.words.get("properties", {}).keys() - absent:
            places.setdefault(name, []).append(part.at.into("properties", name))
    values = {name: some for name, inner in places.items() if (some := _variants((*inner,), around))}
    if min(part.words.get("maxProperties", 1000) for part in parts) == 1 and values:
        return [{name: variant} for name, variants in values.items() for variant in variants]
    for part in parts:
        if isinstance(part.words.get("additionalProperties"), Mapping):
            free = _variants((part.at.into("additionalProperties"),), around)
            wanted = max(len(free), part.words.get("minProperties", 0))
            names = _free_names(part.words, examples, wanted)[:wanted] if free else []
            values.update({name: [free[at % len(free)]] for at, name in enumerate(names)})
    width = max(map(len, values.values()), default=0)
    full = [{name: some[at % len(some)] for name, some in values.items()} for at in range(width)]
    return full or examples[:1] or [{}]


def _free_names(words: Mapping[str, Any], examples: list[Any], wanted: int) -> list[str]:
    """Names for fields that a mapping leaves to its author."""
    if "enum" in words.get("propertyNames", {}):
        return list(words["propertyNames"]["enum"])
    known = [name for example in examples if isinstance(example, dict) for name in example]
    known = [name for name in dict.fromkeys(known) if name not in words.get("properties", {})] or ["name"]
    return [*known, *(f"{known[0]}{number}" for number in range(2, wanted + 2))]


def _lists(parts: Sequence[Part], examples: list[Any], around: Around) -> list[Any]:
    most = min(part.words.get("maxItems", 1000) for part in parts)
    least = max(part.words.get("minItems", 0) for part in parts)
    for part in parts:
        if "prefixItems" in part.words:
            numbers = range(len(part.words["prefixItems"]))
            columns = [_variants((part.at.into("prefixItems", number),), around) for number in numbers]
            width = max(map(len, columns))
            return [[column[at % len(column)] for column in columns] for at in range(width)]
    items = _variants(tuple(part.at.into("items") for part in parts if "items" in part.words), around)
    if not items:
        return examples
    rows = [[*items[at : at + most]] for at in range(0, len(items), most)]
    return [row if len(row) >= least else (row * least)[:least] for row in rows]
