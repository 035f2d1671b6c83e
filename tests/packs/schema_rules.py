"""Every rule of the schemas, where it applies in a valid file, and ways to break it there.

Written against the schemas as they stand, with jsonschema asked only which alternative applies; nothing here knows how
Fracas checks its files.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from block_yaml import Path
from schema_files import ALL, At, followed, only_asks, validator


class Rule(NamedTuple):
    """One demand of a schema: a keyword, and for some which of the names in it."""

    at: At
    keyword: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.at}/{self.keyword}{f' {self.detail}' if self.detail else ''}"


class Application(NamedTuple):
    """A schema that a value has to fit; with `of_key` it is the last key of the path that has to."""

    at: At
    path: Path
    value: Any
    of_key: bool = False


class Mutant(NamedTuple):
    """A file with one fault.

    Attributes:
        path: what the fault is about; with `of_key` its key.
        telling: must be in the message or the hint.
        alone: whether it is the only fault; else there are others further in, which cannot be helped.
    """

    rule: Rule
    kind: str
    told: str
    data: Any
    code: str
    path: Path
    of_key: bool = False
    telling: tuple[str, ...] = ()
    alone: bool = True


# --- Rules ------------------------------------------------------------------------------------------------

_PLAIN = (
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "not",
)
_CLOSED = ("additionalProperties", "unevaluatedProperties")


@cache
def rules_of(at: At) -> tuple[Rule, ...]:
    """The rules that a schema states itself."""
    schema = at.schema
    found = [Rule(at, word) for word in _PLAIN if word in schema]
    found += [Rule(at, word) for word in _CLOSED if schema.get(word) is False]
    if schema.get("uniqueItems"):
        found.append(Rule(at, "uniqueItems"))
    found += [Rule(at, "required", name) for name in schema.get("required", ())]
    found += [Rule(at, "properties", name) for name in schema.get("properties", ())]
    for name, others in schema.get("dependentRequired", {}).items():
        found += [Rule(at, "dependentRequired", f"{name} {other}") for other in others]
    if "oneOf" in schema:
        found.append(Rule(at, "oneOf", "none"))
        if _of_fields(schema["oneOf"]):
            found.append(Rule(at, "oneOf", "both"))
    return tuple(found)


def _of_fields(branches: list[Any]) -> bool:
    return all(set(branch) == {"required"} for branch in branches)


def all_rules() -> list[Rule]:
    """The rules of all files. What stands in ``if`` or ``not`` demands nothing by itself."""
    return [
        rule
        for at in ALL
        if not only_asks(at) and "/not" not in at.pointer and not _is_field_alternative(at)
        for rule in rules_of(at)
    ]


def _is_field_alternative(at: At) -> bool:
    parent, _, number = at.pointer.rpartition("/")
    return number.isdecimal() and parent.endswith("/oneOf") and _of_fields(At(at.file, parent).schema)


# --- Where they apply -------------------------------------------------------------------------------------


def applications(at: At, value: Any, path: Path = (), of_key: bool = False) -> Iterator[Application]:
    """Each schema with each value of a file that must fit it."""
    schema = at.schema
    if not isinstance(schema, Mapping):
        return
    yield Application(at, path, value, of_key)
    target = at.refers()
    if target:
        yield from applications(target, value, path, of_key)
    for number in range(len(schema.get("allOf", ()))):
        yield from applications(at.into("allOf", number), value, path, of_key)
    if "if" in schema:
        word = "then" if validator(str(at.into("if"))).is_valid(value) else "else"
        if word in schema:
            yield from applications(at.into(word), value, path, of_key)
    for number, branch in enumerate(schema.get("oneOf", ())):
        if set(branch) != {"required"} and validator(str(at.into("oneOf", number))).is_valid(value):
            yield from applications(at.into("oneOf", number), value, path, of_key)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name, part in value.items():
            inner = (*path, name)
            if name in known:
                yield from applications(at.into("properties", name), part, inner)
            elif "additionalProperties" in schema:
                yield from applications(at.into("additionalProperties"), part, inner)
            if "propertyNames" in schema:
                yield from applications(at.into("propertyNames"), name, inner, True)
    if isinstance(value, list):
        first = len(schema.get("prefixItems", ()))
        for number, item in enumerate(value):
            inner = (*path, number)
            if number < first:
                yield from applications(at.into("prefixItems", number), item, inner)
            elif "items" in schema:
                yield from applications(at.into("items"), item, inner)


# --- Changing files ---------------------------------------------------------------------------------------


def replaced(data: Any, path: Path, value: Any) -> Any:
    """A copy with another value there."""
    if not path:
        return copy.deepcopy(value)
    new = copy.deepcopy(data)
    value_at(new, path[:-1])[path[-1]] = copy.deepcopy(value)
    return new


def renamed(data: Any, path: Path, name: str) -> Any:
    """A copy with another key there, in the same place among its neighbours."""
    new = copy.deepcopy(data)
    mapping = value_at(new, path[:-1])
    items = [(name if known == path[-1] else known, value) for known, value in mapping.items()]
    mapping.clear()
    mapping.update(items)
    return new


def removed(data: Any, path: Path) -> Any:
    """A copy without a value."""
    new = copy.deepcopy(data)
    del value_at(new, path[:-1])[path[-1]]
    return new


def value_at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


# --- Breaking them ----------------------------------------------------------------------------------------


class Spot(NamedTuple):
    """A rule at one place of a valid file, with all that applies there."""

    rule: Rule
    application: Application
    beside: tuple[Application, ...]
    kind: str
    data: Any

    def mutant(self, told: str, value: Any, code: str, *, alone: bool = True) -> Mutant:
        """With another value; or with another key, if the rule is about the key."""
        path = self.application.path
        if self.application.of_key:
            path = (*path[:-1], value)
            data = renamed(self.data, self.application.path, value)
            return Mutant(self.rule, self.kind, told, data, code, path, True, (), alone)
        return Mutant(self.rule, self.kind, told, replaced(self.data, path, value), code, path, alone=alone)

    def within(self, keyword: str, otherwise: Any) -> Any:
        """What another rule about the same value says."""
        return next(iter(self.all_within(keyword)), otherwise)

    def all_within(self, keyword: str) -> list[Any]:
        return [other.at.schema[keyword] for other in self.beside if keyword in other.at.schema]

    def is_closed(self) -> bool:
        """Whether there can be no fields but those that are named."""
        return any(rule.keyword in _CLOSED for other in self.beside for rule in rules_of(other.at))


def mutants(spot: Spot) -> Iterator[Mutant]:
    """Files in which the rule is broken there; none where it cannot be."""
    if spot.application.of_key and spot.application.path[-1] in _named_beside(spot.application.at):
        return  # under another name it would have to fit another schema
    yield from _BREAK[spot.rule.keyword](spot)


def _named_beside(names: At) -> Collection[str]:
    """The properties of the mapping whose ``propertyNames`` this is."""
    parent, _, word = names.pointer.rpartition("/")
    return At(names.file, parent).schema.get("properties", ()) if word == "propertyNames" else ()


STRANGERS: tuple[Any, ...] = (None, True, 7, 1.5, "?!", [], {})
_IS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _type(spot: Spot) -> Iterator[Mutant]:
    if spot.application.of_key:
        return
    types = spot.application.at.schema["type"]
    wanted = [types] if isinstance(types, str) else types
    wrong = [value for value in STRANGERS if not any(_IS[type_](value) for type_ in wanted)]
    # A value of a type that leads to another form of the same thing would break that form's rules.
    other_forms = {
        type_ for types in spot.all_within("type") for type_ in ([types] if isinstance(types, str) else types)
    }
    for value in [value for value in wrong if not any(_IS[type_](value) for type_ in other_forms)] or wrong:
        yield spot.mutant(f"= {value!r}", value, "wrong-type")


def _choice(spot: Spot) -> Iterator[Mutant]:
    yield spot.mutant("= no such word", "no-such-word", "unknown-choice")


def _below(spot: Spot) -> Iterator[Mutant]:
    yield spot.mutant("too small", spot.application.at.schema["minimum"] - 1, "out-of-range")


def _above(spot: Spot) -> Iterator[Mutant]:
    yield spot.mutant("too large", spot.application.at.schema["maximum"] + 1, "out-of-range")


def _shorter(spot: Spot) -> Iterator[Mutant]:
    if isinstance(spot.application.value, str):
        least = spot.application.at.schema["minLength"]
        yield spot.mutant("too short", spot.application.value[: least - 1], "too-short")


def _longer(spot: Spot) -> Iterator[Mutant]:
    value = spot.application.value
    if isinstance(value, str) and value:
        missing = spot.application.at.schema["maxLength"] + 1 - len(value)
        yield spot.mutant("too long", value + value[-1] * missing, "too-long")


def _pattern(spot: Spot) -> Iterator[Mutant]:
    value = spot.application.value
    if not isinstance(value, str):
        return
    wrong = ["No such form!", "~", f"{value} ", f" {value}", f"{value}!"]
    pattern, most = spot.application.at.schema["pattern"], spot.within("maxLength", 1000)
    for word in [word for word in wrong if not re.search(pattern, word) and len(word) <= most][:2]:
        yield spot.mutant(f"= {word!r}", word, "wrong-form")


def _fewer(spot: Spot) -> Iterator[Mutant]:
    if isinstance(spot.application.value, list):
        least = spot.application.at.schema["minItems"]
        yield spot.mutant("too few", spot.application.value[: least - 1], "too-few")


MANY = 1000
"""Lists that may be longer than this are tried out elsewhere."""


def _more(spot: Spot) -> Iterator[Mutant]:
    value, most = spot.application.value, spot.application.at.schema["maxItems"]
    if not isinstance(value, list) or not value or most > MANY:
        return
    unique, items = spot.within("uniqueItems", False), spot.within("items", {})
    if unique and value[0] == {}:  # of which there are no others like it
        return
    likes = _likes(value[0], spot.application.at.into("items")) if unique else itertools.repeat(value[0])
    further = itertools.islice(likes, most + 1 - len(value))
    yield spot.mutant("too many", [*value, *further], "too-many", alone=not (unique and "enum" in items))


def _likes(item: Any, place: At) -> Iterator[Any]:
    """Values like another, and none the same; valid ones if there are such."""
    judge = (
        validator(str(place)) if "items" in At(place.file, place.pointer.rpartition("/")[0]).schema else None
    )
    ways = (lambda text, number: f"{text}{number}", lambda text, number: f"a{number}{text}")
    way = next((way for way in ways if judge is None or judge.is_valid(_like(item, 2, way))), ways[0])
    return (_like(item, number, way) for number in itertools.count(2))


def _like(item: Any, number: int, way: Callable[[str, int], str]) -> Any:
    if isinstance(item, str):
        return way(item, number)
    if isinstance(item, dict):
        return {name: _like(part, number, way) for name, part in item.items()}
    return item + number if isinstance(item, (int, float)) else item


def _doubled(spot: Spot) -> Iterator[Mutant]:
    value, most = spot.application.value, spot.within("maxItems", MANY)
    if isinstance(value, list) and 0 < len(value) < most:
        mutant = spot.mutant("doubled", [*value, value[0]], "double-item")
        yield mutant._replace(path=(*mutant.path, len(value)))


def _fewer_fields(spot: Spot) -> Iterator[Mutant]:
    value = spot.application.value
    if isinstance(value, dict):
        kept = list(value)[: spot.application.at.schema["minProperties"] - 1]
        yield spot.mutant("too few", {name: value[name] for name in kept}, "too-few")


def _more_fields(spot: Spot) -> Iterator[Mutant]:
    value, schema = spot.application.value, spot.application.at.schema
    if not isinstance(value, dict) or not value:
        return
    wanted = schema["maxProperties"] + 1 - len(value)
    known = [name for other in spot.all_within("properties") for name in other]
    free = [name for name in value if name not in known]
    if spot.is_closed():
        named = [name for name in schema.get("properties", ()) if name not in value][:wanted]
        place = spot.application.at
        further = {name: followed(place.into("properties", name))["examples"][0] for name in named}
    else:
        names = (f"{free[0]}{number}" for number in range(MANY, MANY + wanted)) if free else ()
        further = dict.fromkeys(names, value[free[0]]) if free else {}
    if len(further) == wanted:
        alone = "enum" not in schema.get("propertyNames", {})
        yield spot.mutant("too many", {**value, **further}, "too-many", alone=alone)


def _closed(spot: Spot) -> Iterator[Mutant]:
    value, path = spot.application.value, spot.application.path
    if isinstance(value, dict):
        data = replaced(spot.data, path, {"zz-unheard-of": 1, **value})
        yield Mutant(spot.rule, spot.kind, "stranger", data, "unknown-field", (*path, "zz-unheard-of"), True)


def _misspelt(spot: Spot) -> Iterator[Mutant]:
    name, path = spot.rule.detail, spot.application.path
    if spot.is_closed() and isinstance(spot.application.value, dict) and name in spot.application.value:
        data = renamed(spot.data, (*path, name), f"{name}x")
        telling = (f"did you mean {name!r}?",)
        where = (*path, f"{name}x")
        yield Mutant(spot.rule, spot.kind, "misspelt", data, "unknown-field", where, True, telling)


def _missing(spot: Spot) -> Iterator[Mutant]:
    name, path = spot.rule.detail.split()[-1], spot.application.path
    value = spot.application.value
    if not isinstance(value, dict) or any(word not in value for word in spot.rule.detail.split()):
        return
    data = removed(spot.data, (*path, name))
    root = At(f"{spot.kind}.schema.json")
    if any(there.at == spot.rule.at and there.path == path for there in applications(root, data)):
        yield Mutant(spot.rule, spot.kind, "missing", data, "missing-field", path, False, (repr(name),))


def _alternatives(spot: Spot) -> Iterator[Mutant]:
    value, path, branches = spot.application.value, spot.application.path, spot.application.at.schema["oneOf"]
    if not _of_fields(branches):
        types = {branch["type"] for branch in branches}
        for wrong in [value for value in STRANGERS if not any(_IS[type_](value) for type_ in types)]:
            yield spot.mutant(f"= {wrong!r}", wrong, "wrong-type")
        return
    names = [name for branch in branches for name in branch["required"]]
    there = next(name for name in names if name in value)
    if spot.rule.detail == "none":
        data = removed(spot.data, (*path, there))
        telling = tuple(map(repr, names))
        yield Mutant(spot.rule, spot.kind, f"without {there}", data, "missing-field", path, False, telling)
        return
    for other in (name for name in names if name not in value):
        places = [place.at for place in spot.beside if other in place.at.schema.get("properties", ())]
        example = followed(places[0].into("properties", other))["examples"][0]
        data = replaced(spot.data, (*path, other), example)
        where = (*path, other)
        telling = (repr(there), repr(other))
        yield Mutant(spot.rule, spot.kind, f"also {other}", data, "exclusive-fields", where, True, telling)


@cache
def _examples() -> tuple[str, ...]:
    """All texts that stand in examples."""

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for part in inner:
            yield from texts(part)

    return tuple(dict.fromkeys(text for at_ in ALL for text in texts(at_.schema.get("examples", []))))


def _forbidden(spot: Spot) -> Iterator[Mutant]:
    judge = validator(str(spot.application.at))
    wrong = [text for text in _examples() if [e.validator for e in judge.iter_errors(text)] == ["not"]]
    for text in wrong[:1]:
        yield spot.mutant(f"= {text!r}", text, "not-allowed")


_BREAK: dict[str, Callable[[Spot], Iterator[Mutant]]] = {
    "type": _type,
    "enum": _choice,
    "const": _choice,
    "minimum": _below,
    "maximum": _above,
    "minLength": _shorter,
    "maxLength": _longer,
    "pattern": _pattern,
    "minItems": _fewer,
    "maxItems": _more,
    "uniqueItems": _doubled,
    "minProperties": _fewer_fields,
    "maxProperties": _more_fields,
    "additionalProperties": _closed,
    "unevaluatedProperties": _closed,
    "properties": _misspelt,
    "required": _missing,
    "dependentRequired": _missing,
    "oneOf": _alternatives,
    "not": _forbidden,
}
