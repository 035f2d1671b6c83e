"""The JSON Schemas of pack files in a closed form: quicker to check, and with fewer false echoes of a fault.

The schemas under ``schemas/`` are written for people and editors: an entry is ``allOf`` of shared parts, closed by
``unevaluatedProperties``. A validator pays for that on every value, and once one part fails it calls all fields of that
part unknown. Here references are resolved and parts merged, so that an entry is one mapping of properties with
``additionalProperties: false``. It accepts exactly what the original accepts; what cannot be merged stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from fracas.packs.formats import SUFFIX
from fracas.packs.schemas import schema

Schema = dict[str, Any]

OTHERWISE = "otherwise"
"""A note in a closed form: fields that would have made the value one of another form."""

DECIDES = "decides"
"""A note in a closed form: fields on which other rules of the form depend."""

FIELDS = "fields"
"""A note in a closed form: the properties of the mapping, in a part that only names some of them."""

_NOTES = frozenset(
    {
        "title",
        "description",
        "examples",
        "default",
        "patternErrorMessage",
        "$comment",
        "x-entry-kind",
        "x-unit",
    }
)
_FILE_ONLY = frozenset({"$schema", "$id", "$defs"})
_ONE = ("items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")
_MANY = ("prefixItems", "oneOf", "anyOf")
_BY_NAME = ("properties", "patternProperties", "dependentSchemas")
_TOGETHER = (
    frozenset({"if", "then", "else"}),
    frozenset({"prefixItems", "items", "contains", "minContains", "maxContains"}),
    frozenset({"pattern", "patternErrorMessage"}),
)
"""Keywords that mean something only beside each other: those of two schemas must not be mixed."""

_ALONE = frozenset({"oneOf", "anyOf", "not"})
"""Keywords that mean the same wherever they stand, so that a second one can move into ``allOf``."""

_CLOSING = frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties"})


class Closed(NamedTuple):
    """The closed form of a kind of files, in two parts.

    Attributes:
        frame: for the file without what each entry must be; for a manifest all of it.
        entries: for one entry, by ruleset; None for a file whose ruleset is not known.
    """

    frame: Schema
    entries: Mapping[str | None, Schema]


@cache
def closed(kind: str) -> Closed:
    """The closed form of ``pack`` or of a kind of entries.

    Raises:
        KeyError: there is no schema of this kind.
    """
    file = f"{kind}{SUFFIX}"
    raw = dict(schema(file))
    entries = raw.get("properties", {}).get("entries", {})
    if "items" not in entries:
        return Closed(flattened(raw, file), {})
    by_ruleset: dict[str, list[Schema]] = {}
    rest = []
    for part in raw.pop("allOf", []):
        ruleset = _deciding_ruleset(part)
        if ruleset is None:
            rest.append(part)
        else:
            by_ruleset.setdefault(ruleset, []).append(part["then"]["properties"]["entries"]["items"])
    if rest:
        raw["allOf"] = rest
    without = {word: value for word, value in entries.items() if word != "items"}
    frame = flattened({**raw, "properties": {**raw["properties"], "entries": without}}, file)
    forms: dict[str | None, Schema] = {None: flattened(entries["items"], file)}
    for ruleset, items in by_ruleset.items():
        forms[ruleset] = flattened({"allOf": [entries["items"], *items]}, file)
    return Closed(frame, forms)


def _deciding_ruleset(part: Mapping[str, Any]) -> str | None:
    """The ruleset, if the part says no more than: for this ruleset entries are such."""
    match part:
        case {
            "if": {
                "properties": {"ruleset": {"const": str(ruleset), **more}, **others},
                "required": ["ruleset"],
            },
            "then": {"properties": {"entries": {"items": _, **besides}, **beside}, **after},
            **further,
        } if not (more or others or besides or beside or after or further or len(part["if"]) > 2):
            return ruleset
    return None


def flattened(raw: Mapping[str, Any], file: str) -> Schema:
    """The closed form of a schema that stands in `file`; what refers to itself is left as ``$defs`` of the result."""
    flattener = _Flattener()
    whole = flattener.flat(raw, file)
    definitions: Schema = {}
    while missing := [name for name in flattener.recursive if name not in definitions]:
        for name in missing:
            key = flattener.recursive[name]
            definitions[name] = flattener.flat(*_target(key), open_=(key,))
    return {**whole, "$defs": definitions} if definitions else whole


_Key = tuple[str, str]
"""File and pointer of a part of a schema."""


def _key(reference: str, file: str) -> _Key:
    place, _, pointer = reference.partition("#")
    return place.partition("?")[0] or file, pointer


def _target(key: _Key) -> tuple[Any, str]:
    file, pointer = key
    found: Any = schema(file)
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        found = found[int(step)] if isinstance(found, list) else found[step]
    return found, file


class _Flattener:
    def __init__(self) -> None:
        self.recursive: dict[str, _Key] = {}

    def flat(self, raw: Any, file: str, open_: tuple[_Key, ...] = ()) -> Any:
        if not isinstance(raw, Mapping):
            return raw
        whole = self._own(raw, file, open_)
        if "$ref" in raw:
            whole = _merged(whole, self._referred(_key(raw["$ref"], file), open_))
        for part in raw.get("allOf", ()):
            whole = _merged(whole, self.flat(part, file, open_))
        if "unevaluatedProperties" in raw:
            rest = self.flat(raw["unevaluatedProperties"], file, open_)
            whole = _shut(whole) if rest is False else {**whole, "unevaluatedProperties": rest}
        return _explained(whole)

    def _referred(self, key: _Key, open_: tuple[_Key, ...]) -> Any:
        if key not in open_:
            return self.flat(*_target(key), (*open_, key))
        name = f"{key[0].removesuffix(SUFFIX)}-{PurePosixPath(key[1]).name}"
        if self.recursive.setdefault(name, key) != key:
            raise ValueError(f"two parts of schemas that refer to themselves are called {name}")
        return {"$ref": f"#/$defs/{name}"}

    def _own(self, raw: Mapping[str, Any], file: str, open_: tuple[_Key, ...]) -> Schema:
        left_out = _FILE_ONLY | {"$ref", "allOf", "unevaluatedProperties"}
        own = {word: value for word, value in raw.items() if word not in left_out}
        for word in own.keys() & set(_ONE):
            own[word] = self.flat(own[word], file, open_)
        for word in own.keys() & set(_MANY):
            own[word] = [self.flat(part, file, open_) for part in own[word]]
        for word in own.keys() & set(_BY_NAME):
            own[word] = {name: self.flat(part, file, open_) for name, part in own[word].items()}
        if "pattern" in own:
            # In JSON Schema a dollar is the end of the text; in Python also the place before a last line end.
            own["pattern"] = re.sub(r"(?<!\\)\$$", r"\\Z", own["pattern"])
        return own


# --- Merging ----------------------------------------------------------------------------------------------


def _merged(one: Any, two: Any) -> Any:
    """What both demand, as one schema where that is possible; titles and the like are those of the first."""
    if one is True or two is True:
        return two if one is True else one
    if one is False or two is False:
        return False
    if not _mixable(one, two):
        return {**one, "allOf": [*one.get("allOf", ()), two]}
    merged = dict(one)
    for word, value in two.items():
        if word not in merged:
            merged[word] = value
        elif word in _ALONE and merged[word] != value:
            merged["allOf"] = [*merged.get("allOf", ()), {word: value}]
        elif word not in _NOTES and merged[word] != value:
            merged[word] = _COMBINE[word](merged[word], value)
    return merged


def _mixable(one: Schema, two: Schema) -> bool:
    if "unevaluatedProperties" in one.keys() | two.keys():
        return False
    if (one.keys() | two.keys()) & _CLOSING and all(
        part.keys() & {*_CLOSING, "properties"} for part in (one, two)
    ):
        return False
    for group in _TOGETHER:
        if (
            one.keys() & group
            and two.keys() & group
            and any(one.get(word) != two.get(word) for word in group)
        ):
            only_items = "items" in group and (one.keys() | two.keys()) & group == {"items"}
            only_notes = "pattern" in group and one.get("pattern") == two.get("pattern")
            if not (only_items or only_notes):
                return False
    return all(
        word in _NOTES | _ALONE
        or one[word] == two[word]
        or (word in _COMBINE and _combines(word, one[word], two[word]))
        for word in one.keys() & two.keys()
    )


def _combines(word: str, one: Any, two: Any) -> bool:
    if word == "enum":
        return all(isinstance(choice, str) for choice in (*one, *two))
    return word != "type" or bool(_common_types(one, two))


def _common_types(one: Any, two: Any) -> list[str]:
    first, second = ([types] if isinstance(types, str) else list(types) for types in (one, two))
    common = [type_ for type_ in first if type_ in second or (type_ == "integer" and "number" in second)]
    if "integer" in second and "number" in first and "integer" not in common:
        common.append("integer")
    return common


def _types(one: Any, two: Any) -> Any:
    common = _common_types(one, two)
    return common[0] if len(common) == 1 else common


def _by_name(one: Mapping[str, Any], two: Mapping[str, Any]) -> Schema:
    return {**one, **{name: _merged(one[name], part) if name in one else part for name, part in two.items()}}


def _lists_by_name(one: Mapping[str, list[str]], two: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: _union(one.get(name, []), two.get(name, [])) for name in (*one, *two)}


def _union(one: list[Any], two: list[Any]) -> list[Any]:
    return [*one, *(item for item in two if item not in one)]


_COMBINE: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": lambda one, two: [choice for choice in one if choice in two],
    "required": _union,
    "properties": _by_name,
    "items": _merged,
    "propertyNames": _merged,
    "dependentRequired": _lists_by_name,
    "uniqueItems": lambda one, two: one or two,
    "allOf": lambda one, two: [*one, *two],
    **dict.fromkeys(("minimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "maxProperties"), min),
}


# --- Closing ----------------------------------------------------------------------------------------------


def _shut(whole: Schema) -> Schema:
    """With no room for fields that nothing names."""
    if "additionalProperties" in whole:
        return whole
    if _may_name(whole) <= whole.get("properties", {}).keys():
        return {**whole, "additionalProperties": False}
    return {**whole, "unevaluatedProperties": False}


_ANYTHING = frozenset({""})
"""Stands for names that are not known beforehand; no field is called so."""


def _may_name(part: Any) -> frozenset[str]:
    """Fields that a schema may account for, besides its own ``properties`` at the top."""
    if not isinstance(part, Mapping):
        return frozenset()
    if part.keys() & {"$ref", "patternProperties", "unevaluatedProperties", "dependentSchemas"}:
        return _ANYTHING
    inner = [part[word] for word in ("if", "then", "else") if word in part]
    inner += [schema for word in ("allOf", "anyOf", "oneOf") for schema in part.get(word, ())]
    found: frozenset[str] = frozenset()
    for schema_ in inner:
        if isinstance(schema_, Mapping):
            own = _ANYTHING if schema_.get("additionalProperties", False) is not False else frozenset()
            found |= schema_.get("properties", {}).keys() | own | _may_name(schema_)
    return found


_IN_PLACE = ("then", "else", "allOf", "oneOf", "anyOf")
"""Keywords whose schemas are about the same value as the schema that they stand in."""


def _explained(whole: Schema) -> Schema:
    """With notes for those who word faults: what is known of the fields, and which of them decide on others."""
    deciding = _deciding(whole)
    if deciding:
        whole = {**whole, DECIDES: _union(whole.get(DECIDES, []), deciding)}
    match whole:
        case {"if": {"required": [*fields], **more}, "else": Mapping() as other} if not more:
            whole = {**whole, "else": _described(other, fields)}
    return _with_fields(whole, whole["properties"]) if "properties" in whole else whole


def _deciding(whole: Any) -> list[str]:
    """The fields that an ``if`` asks about, here or further in."""
    if not isinstance(whole, Mapping):
        return []
    condition = whole.get("if", {})
    found = [*condition.get("properties", ()), *condition.get("required", ())] if condition else []
    for word in _IN_PLACE:
        inner = whole.get(word, ())
        for part in inner if isinstance(inner, list) else (inner,):
            found = _union(found, _deciding(part))
    return found


def _described(form: Mapping[str, Any], fields: list[str]) -> Schema:
    described = {**form, OTHERWISE: _union(form.get(OTHERWISE, []), fields)}
    for word in ("then", "else"):
        if isinstance(described.get(word), Mapping):
            described[word] = _described(described[word], fields)
    return described


def _with_fields(whole: Schema, fields: Mapping[str, Any]) -> Schema:
    """With the fields noted in all parts, which may name some without describing them."""
    described = dict(whole)
    for word in {"then", "else", "allOf"} & described.keys():
        inner = described[word]
        parts = [
            {FIELDS: fields, **_with_fields({**part}, fields)} if isinstance(part, Mapping) else part
            for part in (inner if isinstance(inner, list) else [inner])
        ]
        described[word] = parts if isinstance(inner, list) else parts[0]
    return described
