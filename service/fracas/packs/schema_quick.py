"""A quick yes or no on whether data fits a schema; why not is for a real validator to say.

Nearly everything in a pack is right. Here a schema becomes functions of one value each, which clear an entry some
hundred times as fast as a general validator. The answers are those of JSON Schema; a schema with a keyword that is not
known here gets a function that clears nothing, so that all of it goes to the validator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from fracas.packs.schema_flattening import DECIDES, FIELDS, OTHERWISE

Check = Callable[[Any], bool]

_SILENT = frozenset(
    {
        "title",
        "description",
        "examples",
        "default",
        "patternErrorMessage",
        "$comment",
        "x-entry-kind",
        "x-unit",
        "$defs",
        OTHERWISE,
        DECIDES,
        FIELDS,
    }
)


class _UnknownKeywordError(Exception):
    pass


def quick_check(schema: Mapping[str, Any]) -> Check:
    """A function that returns whether a value fits; references must lead into the schema's own ``$defs``."""
    try:
        return _Maker(schema.get("$defs", {})).check(schema)
    except _UnknownKeywordError:
        return _nothing


def same(value: Any) -> Any:
    """A key that two values share if JSON Schema takes them for equal: 1 and 1.0, but not 1 and true."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return ("list", *map(same, value))
    if isinstance(value, dict):
        return frozenset((name, same(part)) for name, part in value.items())
    return value


def _nothing(_: Any) -> bool:
    return False


def _anything(_: Any) -> bool:
    return True


class _Maker:
    """Makes the functions of one schema."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._made: dict[str, Check] = {}

    def check(self, schema: Any) -> Check:
        if isinstance(schema, bool):
            return _anything if schema else _nothing
        words = schema.keys() - _SILENT
        tests: list[Check] = []
        if words & _OF_OBJECTS:
            tests.append(self._object(schema))
        if words & _OF_LISTS:
            tests.append(self._list(schema))
        for word in sorted(words - _OF_OBJECTS - _OF_LISTS, key=_cheapest_first):
            if word in _PLAIN:
                tests.insert(0 if word == "type" else len(tests), _PLAIN[word](schema[word]))
            elif word in _NESTED:
                tests.append(_NESTED[word](self, schema))
            elif word not in _IN_PASSING:
                raise _UnknownKeywordError(word)
        return _all_of(tests)

    def _object(self, schema: Mapping[str, Any]) -> Check:
        known = {name: self.check(part) for name, part in schema.get("properties", {}).items()}
        find = known.get
        other = self.check(schema.get("additionalProperties", True))
        key = self.check(schema["propertyNames"]) if "propertyNames" in schema else None
        required = frozenset(schema.get("required", ()))
        needs = [(name, frozenset(with_)) for name, with_ in schema.get("dependentRequired", {}).items()]
        least, most = schema.get("minProperties", 0), schema.get("maxProperties", float("inf"))

        def check(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            names = value.keys()
            if not (required <= names and least <= len(value) <= most):
                return False
            for name, part in value.items():
                if not find(name, other)(part):
                    return False
                if key is not None and not key(name):
                    return False
            return not needs or all(with_ <= names for name, with_ in needs if name in value)

        return check

    def _list(self, schema: Mapping[str, Any]) -> Check:
        first = [self.check(part) for part in schema.get("prefixItems", ())]
        each = self.check(schema["items"]) if "items" in schema else None
        least, most = schema.get("minItems", 0), schema.get("maxItems", float("inf"))
        unique = schema.get("uniqueItems", False)
        start = len(first)

        def check(value: Any) -> bool:
            if not isinstance(value, list):
                return True
            if not least <= len(value) <= most:
                return False
            if unique and len(value) > 1 and len(set(map(same, value))) < len(value):
                return False
            for test, item in zip(first, value, strict=False):
                if not test(item):
                    return False
            return each is None or all(map(each, value[start:] if start else value))

        return check

    def _reference(self, schema: Mapping[str, Any]) -> Check:
        prefix, _, name = schema["$ref"].rpartition("/")
        if prefix != "#/$defs":
            raise _UnknownKeywordError(schema["$ref"])
        if name not in self._made:
            made: list[Check] = []
            self._made[name] = lambda value: made[0](value)  # it may refer to itself
            made.append(self.check(self._definitions[name]))
        return self._made[name]

    def _if(self, schema: Mapping[str, Any]) -> Check:
        condition = self.check(schema["if"])
        then, other = self.check(schema.get("then", True)), self.check(schema.get("else", True))
        return lambda value: then(value) if condition(value) else other(value)

    def _not(self, schema: Mapping[str, Any]) -> Check:
        inner = self.check(schema["not"])
        return lambda value: not inner(value)

    def _all(self, schema: Mapping[str, Any]) -> Check:
        return _all_of([self.check(part) for part in schema["allOf"]])

    def _any(self, schema: Mapping[str, Any]) -> Check:
        parts = [self.check(part) for part in schema["anyOf"]]
        return lambda value: any(part(value) for part in parts)

    def _one(self, schema: Mapping[str, Any]) -> Check:
        parts = [self.check(part) for part in schema["oneOf"]]
        return lambda value: sum(part(value) for part in parts) == 1


_OF_OBJECTS = frozenset(
    {
        "properties",
        "required",
        "additionalProperties",
        "propertyNames",
        "dependentRequired",
        "minProperties",
        "maxProperties",
    }
)
_OF_LISTS = frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"})
_IN_PASSING = frozenset({"then", "else"})
_NESTED: dict[str, Callable[[_Maker, Mapping[str, Any]], Check]] = {
    "$ref": _Maker._reference,
    "if": _Maker._if,
    "not": _Maker._not,
    "allOf": _Maker._all,
    "anyOf": _Maker._any,
    "oneOf": _Maker._one,
}


def _all_of(tests: list[Check]) -> Check:
    if not tests:
        return _anything
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda value: first(value) and second(value)
    if len(tests) == 3:
        first, second, third = tests
        return lambda value: first(value) and second(value) and third(value)
    return lambda value: all(test(value) for test in tests)


def _cheapest_first(word: str) -> tuple[bool, str]:
    return (word in _NESTED, word)


# --- Keywords that look at one plain value ----------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_IS: dict[str, Check] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def is_of_type(value: Any, types: str | list[str]) -> bool:
    """Whether `value` is of a type, or of one of several, of JSON Schema."""
    return _IS[types](value) if isinstance(types, str) else any(_IS[type_](value) for type_ in types)


def _type(types: str | list[str]) -> Check:
    if isinstance(types, str):
        return _IS[types]
    tests = [_IS[type_] for type_ in types]
    return lambda value: any(test(value) for test in tests)


def _enum(choices: list[Any]) -> Check:
    if all(isinstance(choice, str) for choice in choices):
        words = frozenset(choices)
        return lambda value: isinstance(value, str) and value in words
    keys = {same(choice) for choice in choices}
    return lambda value: same(value) in keys


def _pattern(pattern: str) -> Check:
    search = re.compile(pattern).search
    return lambda value: not isinstance(value, str) or search(value) is not None


_PLAIN: dict[str, Callable[[Any], Check]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda wanted: _enum([wanted]),
    "minimum": lambda least: lambda value: not _is_number(value) or value >= least,
    "maximum": lambda most: lambda value: not _is_number(value) or value <= most,
    "minLength": lambda least: lambda value: not isinstance(value, str) or len(value) >= least,
    "maxLength": lambda most: lambda value: not isinstance(value, str) or len(value) <= most,
    "pattern": _pattern,
}
