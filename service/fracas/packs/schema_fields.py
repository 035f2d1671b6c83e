"""The fields of entries as the JSON Schemas describe them: titles, meanings, allowed values, examples.

What people read about a field (comments in files that are written for them, lists, single entries) comes from here, so
that it always agrees with what the check demands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from fracas.packs.schema_flattening import Schema, closed
from fracas.packs.schema_quick import quick_check
from fracas.packs.schemas import entry_kinds, names, schema

LAST = ("source", "provenance", "confidence", "notes", "tags", "renamed_from")
"""Fields of every entry that stand behind its own, in this order."""

_FIRST = ("slug", "label")
_OF_LAYERS = frozenset({"replace", "expects"})
"""Fields of entries that take another's place; an entry of one's own has none of them."""


class Field(NamedTuple):
    """A field that an entry may have.

    Attributes:
        title: its name for people.
        description: what it means; sentences.
        allowed: which values it may have, as a sentence; "" where the description says all.
        example: a value that it may have.
        required: whether an entry with the values at hand must have it.
        default: what holds for entries that do not have it; None: that is not known.
    """

    name: str
    title: str
    description: str
    allowed: str
    example: Any
    required: bool
    default: Any = None


class Form(NamedTuple):
    """The form that an entry has: its fields in the order in which packs write them.

    Attributes:
        title: what such an entry is.
        description: more about it; sentences.
    """

    title: str
    description: str
    fields: tuple[Field, ...]


# --- What there is --------------------------------------------------------------------------------------


@cache
def rulesets() -> tuple[str, ...]:
    """The rulesets that the schemas know."""
    found: tuple[str, ...] = tuple(schema("common.schema.json")["$defs"]["ruleset"]["enum"])
    return found


@cache
def kinds_of(ruleset: str) -> tuple[str, ...]:
    """The kinds of files (``weapons``) that a ruleset has."""
    return tuple(
        kind
        for kind in entry_kinds()
        if f"{kind}.schema.json" in names()
        and ruleset in schema(f"{kind}.schema.json")["properties"]["ruleset"].get("enum", rulesets())
    )


def description_of(kind: str) -> str:
    """What a kind of files is for."""
    return str(schema(f"{kind}.schema.json")["description"])


# --- Forms ----------------------------------------------------------------------------------------------


def form(kind: str, ruleset: str, values: Mapping[str, Any]) -> Form:
    """The form of an entry that has these values: some fields demand or forbid others.

    Args:
        kind: ``weapons``; one that the ruleset has.
    """
    return _form(_closed(kind, ruleset), values)


def required(kind: str, ruleset: str, values: Mapping[str, Any]) -> set[str]:
    """The fields that an entry with these values must have; see `form`."""
    whole, parts = _closed(kind, ruleset), _Parts()
    _gather(whole, whole.get("$defs", {}), values, parts)
    return parts.required & parts.properties.keys()


def completed(kind: str, ruleset: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values, and for each required field without one the first example of the schema."""
    found = dict(values)
    while True:
        missing = [
            field for field in form(kind, ruleset, found).fields if field.required and field.name not in found
        ]
        if not missing:
            return found
        found |= {field.name: field.example for field in missing}


@cache
def all_fields(kind: str, ruleset: str) -> Mapping[str, Field]:
    """The fields of all forms of a kind, by name."""
    found = {field.name: field for field in form(kind, ruleset, {}).fields}
    for name, part in _properties(_closed(kind, ruleset)):
        found.setdefault(name, _field(name, part, False))
    return found


def _closed(kind: str, ruleset: str) -> Schema:
    forms = closed(kind).entries
    return dict(forms.get(ruleset) or forms[None])


class _Parts:
    """What the parts of a schema that are about the same entry say together."""

    def __init__(self) -> None:
        self.title = ""
        self.description = ""
        self.properties: dict[str, Schema] = {}
        self.required: set[str] = set()


def _form(whole: Schema, values: Mapping[str, Any]) -> Form:
    parts = _Parts()
    _gather(whole, whole.get("$defs", {}), values, parts)
    own = [name for name in parts.properties if name not in (*_FIRST, *LAST, *_OF_LAYERS)]
    order = [name for name in (*_FIRST, *own, *LAST) if name in parts.properties]
    fields = (_field(name, parts.properties[name], name in parts.required) for name in order)
    return Form(parts.title, parts.description, tuple(fields))


def _gather(part: Any, definitions: Mapping[str, Any], values: Mapping[str, Any], found: _Parts) -> None:
    if not isinstance(part, Mapping):
        return
    if "$ref" in part:
        _gather(definitions[str(part["$ref"]).rpartition("/")[2]], definitions, values, found)
    if "description" in part:
        found.title, found.description = part.get("title", found.title), part["description"]
    found.properties |= part.get("properties", {})
    found.required |= {"slug", *part.get("required", ())}
    for name, others in part.get("dependentRequired", {}).items():
        if name in values:
            found.required |= {*others}
    for inner in part.get("allOf", ()):
        _gather(inner, definitions, values, found)
    for word in ("oneOf", "anyOf"):
        choices = [choice for choice in part.get(word, ()) if "required" in choice]
        chosen = [choice for choice in choices if values.keys() >= {*choice["required"]}] or choices
        if chosen and chosen[0]["required"] != ["slug"]:
            found.required |= {*chosen[0]["required"]}
    if "if" in part:
        branch = "then" if _holds(part["if"], definitions, values) else "else"
        _gather(part.get(branch), definitions, values, found)


def _holds(condition: Any, definitions: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    return quick_check({"allOf": [condition], "$defs": definitions})({"slug": "", **values})


def _properties(part: Any) -> Iterator[tuple[str, Schema]]:
    """The fields of an entry in all parts of its schema; changes of other packs' entries are none."""
    if not isinstance(part, Mapping):
        return
    if part.get("if", {}).get("required") not in (["patch"], ["remove"]):
        for name, inner in part.get("properties", {}).items():
            if name not in _OF_LAYERS:
                yield name, inner
        yield from _properties(part.get("then"))
    yield from _properties(part.get("else"))
    for inner in part.get("allOf", ()):
        yield from _properties(inner)


# --- Fields ---------------------------------------------------------------------------------------------


def _field(name: str, part: Schema, required: bool) -> Field:
    title = part.get("title", name.replace("_", " ").capitalize())
    description = part.get("description", "")
    examples = part.get("examples") or [_some_value(part)]
    default = part.get("default")
    return Field(name, title, description, allowed(part, description), examples[0], required, default)


def _some_value(part: Schema) -> Any:
    """A value for a field whose schema gives no example."""
    if "enum" in part:
        return part["enum"][0]
    by_type = {"integer": 0, "number": 0, "boolean": True, "array": [], "object": {}}
    return by_type.get(str(part.get("type")), "text")


def allowed(part: Mapping[str, Any], description: str = "") -> str:
    """The values that a schema allows, as a sentence; "" where there is nothing to add to the description."""
    if "const" in part:
        return f"Always {_word(part['const'])}."
    if "enum" in part:
        return f"One of: {_listed(part['enum'])}." if len(part["enum"]) > 1 else ""
    match part.get("type"):
        case "boolean":
            return "True or false."
        case "integer" | "number" as type_:
            what = "A whole number" if type_ == "integer" else "A number"
            return f"{what}{_bounds(part.get('minimum'), part.get('maximum'))}."
        case "string":
            return _allowed_text(part, description)
        case "array":
            return _allowed_items(part)
        case "object":
            return _allowed_parts(part)
    return ""


def _bounds(least: Any, most: Any) -> str:
    if least is None or most is None:
        return f", at least {least}" if least is not None else f", at most {most}" if most is not None else ""
    return f" from {least} to {most}"


def _allowed_text(part: Mapping[str, Any], description: str) -> str:
    pattern = str(part.get("patternErrorMessage", ""))
    given = pattern.partition(" are expected")[0].partition(" is expected")[0].casefold()
    if pattern and given not in description.casefold():
        return pattern.replace(" are expected", "").replace(" is expected", "")
    return f"At most {part['maxLength']} characters." if "maxLength" in part else ""


def _allowed_items(part: Mapping[str, Any]) -> str:
    items, least = part.get("items"), part.get("minItems", 0)
    words = [f"At least {least}." if least > 1 else "At least one."] if least else []
    if isinstance(items, Mapping):
        if "enum" in items:
            words.insert(0, f"A list of: {_listed(items['enum'])}.")
        elif items.get("properties"):
            words.append(f"Each with: {_listed(items['properties'])}.")
        elif items.get("type") in ("integer", "number"):
            words.append(_each(items))
    return " ".join(words)


def _allowed_parts(part: Mapping[str, Any]) -> str:
    each, keys = part.get("additionalProperties"), part.get("propertyNames", {})
    words = [f"Parts: {_listed(part['properties'])}."] if part.get("properties") else []
    if isinstance(each, Mapping) and each.get("type") in ("integer", "number"):
        words.append(_each(each))
    if isinstance(keys, Mapping) and "enum" in keys:
        words.append(f"Of: {_listed(keys['enum'])}.")
    return " ".join(words)


def _each(part: Mapping[str, Any]) -> str:
    sentence = allowed(part)
    return f"Each {sentence[0].lower()}{sentence[1:]}"


def _listed(words: Iterable[Any]) -> str:
    return ", ".join(map(_word, words))


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)
