"""A sentence for each rule of a schema that data can break: what was found, what was expected, and a hint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from fracas.errors import nearest, suggestion
from fracas.packs.schema_flattening import DECIDES, FIELDS, OTHERWISE
from fracas.packs.schema_quick import is_of_type, same
from fracas.packs.yaml_faults import cut

CODES = {
    "missing-field": "a mapping lacks a field that it must have",
    "unknown-field": "a mapping has a field that nothing knows",
    "exclusive-fields": "fields of a mapping exclude each other",
    "wrong-type": "text, a number, a list ... stands where another sort of value belongs",
    "unknown-choice": "a word or number, or the name of a field, is none of those that are possible",
    "out-of-range": "a number is too small or too large",
    "too-short": "a text is too short",
    "too-long": "a text is too long",
    "wrong-form": "a text, or the name of a field, is not written as it must be",
    "not-allowed": "a value is one of those that cannot stand there",
    "too-few": "a list or mapping has too little in it",
    "too-many": "a list or mapping has too much in it",
    "double-item": "an item of a list is there already",
    "wrong-value": "a value is wrong in another way",
    "too-many-problems": "there are more faults than are reported",
}
"""Every code that a structural check gives, with its meaning."""

MAX_FAULTS = 500
"""Faults that are reported of one file."""

_LONGEST_WORD = 64
"""Longer ones are not compared with the known words."""

_SHORT_HINT = 160
_LISTED = 200
"""Characters of the choices that a message lists; a hint lists more of them."""
_MOST_NAMED = 40
"""Choices that a hint lists."""

Path = tuple[str | int, ...]


class Fault(NamedTuple):
    """One fault of a file.

    Attributes:
        path: keys and list indexes of what it is about.
        of_key: it is about the key there rather than the value.
        names: fields that would mend it: for an unknown field what was meant, for a missing one itself.
        decides: other faults may follow from it, because other rules depend on the field that was meant.
    """

    path: Path
    of_key: bool
    code: str
    message: str
    hint: str | None = None
    names: tuple[str, ...] = ()
    decides: bool = False


class Error(Protocol):
    """An error as jsonschema reports it."""

    @property
    def absolute_path(self) -> Sequence[str | int]: ...
    @property
    def relative_schema_path(self) -> Sequence[str | int]: ...
    @property
    def validator(self) -> str: ...
    @property
    def validator_value(self) -> Any: ...
    @property
    def instance(self) -> Any: ...
    @property
    def schema(self) -> Any: ...
    @property
    def context(self) -> Sequence[Error] | None: ...


def worded(error: Error, inside: Path) -> Iterator[Fault]:
    """The faults that an error of a value at `inside` stands for; the same ones again for each missing field."""
    path = (*inside, *error.absolute_path)
    schema_path = error.relative_schema_path
    if len(schema_path) > 1 and schema_path[-2] == "propertyNames":
        yield _name_of_field(error, path)
    else:
        yield from _WORDING.get(error.validator, _otherwise)(error, path)


# --- Words ------------------------------------------------------------------------------------------------

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def _shown(value: Any) -> str:
    """A value in a message."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return repr(cut(value))
        case list():
            return "a list"
        case dict():
            return "a mapping"
    return cut(str(value))


def _what(path: Path) -> str:
    """What a path leads to: ``'dv'``, ``item 2 of 'modes'``, ``the entry``."""
    if not path:
        return "the file"
    last = path[-1]
    if isinstance(last, str):
        return _shown(last)
    if path[:-1] == ("entries",):
        return "the entry"
    names = [step for step in path if isinstance(step, str)]
    return f"item {last + 1} of {_shown(names[-1])}" if names else f"item {last + 1}"


def _either(words: Iterable[Any]) -> str:
    *most, last = [_shown(word) for word in words]
    return f"{', '.join(most)} or {last}" if most else last


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _near(word: object, known: Iterable[str]) -> str | None:
    return suggestion(word if len(str(word)) <= _LONGEST_WORD else None, known)


def _nearest(word: object, known: Iterable[str]) -> str | None:
    return nearest(word if len(str(word)) <= _LONGEST_WORD else None, known)


def _some(words: Sequence[Any]) -> str:
    more = [f"and {len(words) - _MOST_NAMED} more"] if len(words) > _MOST_NAMED else []
    return ", ".join([*map(str, words[:_MOST_NAMED]), *more])


def _example(schema: Any) -> str | None:
    examples = schema.get("examples") if isinstance(schema, Mapping) else None
    if not examples:
        return None
    text = f"for instance {json.dumps(examples[0], ensure_ascii=False)}"
    return text if len(text) <= _SHORT_HINT else None


def _about(name: str, schema: Mapping[str, Any]) -> str | None:
    """What the schema says about one of its fields."""
    part = schema.get("properties", {}).get(name) or schema.get(FIELDS, {}).get(name)
    if not isinstance(part, Mapping) or "title" not in part:
        return None
    text = f"{part['title']}: {part.get('description', '')}"
    return text if len(text) <= _SHORT_HINT else str(part["title"])


# --- A sentence for each keyword --------------------------------------------------------------------------


def _required(error: Error, path: Path) -> Iterator[Fault]:
    for name in error.validator_value:
        if name not in error.instance:
            message = f"{_what(path)} lacks the field {_shown(name)}"
            yield Fault(path, False, "missing-field", message, _about(name, error.schema), (name,))


def _dependent_required(error: Error, path: Path) -> Iterator[Fault]:
    for name, others in error.validator_value.items():
        for other in others:
            if name in error.instance and other not in error.instance:
                message = f"{_what(path)} has {_shown(name)} and lacks {_shown(other)}, which belongs to it"
                yield Fault(path, False, "missing-field", message, _about(other, error.schema), (other,))


def _closed(error: Error, path: Path) -> Iterator[Fault]:
    known = error.schema.get("properties", {})
    other_forms = error.schema.get(OTHERWISE, ())
    free = [name for name in (*known, *other_forms) if name not in error.instance]
    deciding = {*other_forms, *error.schema.get(DECIDES, ())}
    patterns = error.schema.get("patternProperties", ())
    unknown = (
        name
        for name in error.instance
        if name not in known and not any(re.search(pattern, name) for pattern in patterns)
    )
    for name in islice(unknown, MAX_FAULTS + 1):
        hint = _near(name, free or known)
        meant = tuple(word for word in free if hint == f"did you mean {word!r}?")
        if meant:
            free.remove(*meant)
        message = f"{_what(path)} has no field {_shown(name)}"
        yield Fault(
            (*path, name), True, "unknown-field", message, hint, meant, not deciding.isdisjoint(meant)
        )


def _name_of_field(error: Error, path: Path) -> Fault:
    """A rule for the names of fields; `path` is that of the mapping."""
    name = error.instance
    where = (*path, name)
    if error.validator in ("enum", "const"):
        choices = error.validator_value if error.validator == "enum" else [error.validator_value]
        message = f"{_what(path)} has no field {_shown(name)}"
        return Fault(where, True, "unknown-choice", message, _near(name, map(str, choices)))
    reason = error.schema.get("patternErrorMessage") if error.validator == "pattern" else None
    fault = next(iter(_WORDING.get(error.validator, _otherwise)(error, where)))
    message = f"{_shown(name)} does not fit as the name of a field of {_what(path)}{_because(reason)}"
    return fault._replace(of_key=True, message=message, hint=None)


def _type(error: Error, path: Path) -> Iterator[Fault]:
    types = error.validator_value
    yield _wrong_type(error.instance, [types] if isinstance(types, str) else types, error.schema, path)


def _wrong_type(value: Any, types: Sequence[str], schema: Any, path: Path) -> Fault:
    wanted = [_TYPES[type_] for type_ in types]
    either = f"{', '.join(wanted[:-1])} or {wanted[-1]}" if len(wanted) > 1 else wanted[0]
    found = f"not the text {_shown(value)}" if isinstance(value, str) else f"not {_shown(value)}"
    message = f"{_what(path)} must be {either}, {'and is empty' if value is None else found}"
    return Fault(path, False, "wrong-type", message, _mended(value, types, schema) or _example(schema))


_NUMBER = re.compile(r"([-+]?)0*([0-9]{1,9})")


def _mended(value: Any, types: Sequence[str], schema: Any) -> str | None:
    """How to write the value so that it is of the right type."""
    if isinstance(value, (bool, int, float)) and "string" in types:
        return f'put it in quotes if it is text: "{_shown(value)}"'
    if isinstance(value, str):
        number = _NUMBER.fullmatch(value) if {"integer", "number"} & {*types} else None
        if number:
            plain = f"{number[1].removeprefix('+')}{number[2]}"
            return f"write {plain} without quotes" if plain == value else f"write {plain}"
        if "boolean" in types and value.casefold() in ("yes", "no", "on", "off"):
            return f"write {'true' if value.casefold() in ('yes', 'on') else 'false'}"
    items = schema.get("items") if isinstance(schema, Mapping) else None
    if types == ["array"] and isinstance(value, str) and isinstance(items, Mapping) and _may_be(value, items):
        return f"put it in brackets if it is the only item: [{cut(value)}]" if value else None
    return None


def _enum(error: Error, path: Path) -> Iterator[Fault]:
    choices = error.validator_value
    every = _either(choices)
    possible = every if len(every) <= _LISTED else f"one of {len(choices)} words"
    message = f"{_what(path)} must be {possible}, not {_shown(error.instance)}"
    near = _nearest(error.instance, map(str, choices))
    hint = f"did you mean {near!r}?" if near else None
    if near is None and possible != every:
        hint = f"known: {_some(choices)}"
    yield Fault(path, False, "unknown-choice", message, hint)


def _const(error: Error, path: Path) -> Iterator[Fault]:
    message = f"{_what(path)} must be {_shown(error.validator_value)}, not {_shown(error.instance)}"
    yield Fault(path, False, "unknown-choice", message)


def _range(error: Error, path: Path) -> Iterator[Fault]:
    least, most = error.schema.get("minimum"), error.schema.get("maximum")
    if least is not None and most is not None:
        bounds = f"from {least} to {most}"
    else:
        bounds = f"at least {least}" if most is None else f"at most {most}"
    yield Fault(path, False, "out-of-range", f"{_what(path)} must be {bounds}, not {_shown(error.instance)}")


def _length(error: Error, path: Path) -> Iterator[Fault]:
    limit, length = error.validator_value, len(error.instance)
    if error.validator == "maxLength":
        message = f"{_what(path)} may be {_count(limit, 'character')} long, and has {length}"
        yield Fault(path, False, "too-long", message)
    else:
        empty = limit == 1
        message = "must not be empty" if empty else f"must have {limit} characters or more, and has {length}"
        yield Fault(path, False, "too-short", f"{_what(path)} {message}", _example(error.schema))


def _size(error: Error, path: Path) -> Iterator[Fault]:
    schema, limit, size = error.schema, error.validator_value, len(error.instance)
    least = error.validator in ("minItems", "minProperties")
    noun = "item" if error.validator.endswith("Items") else "field"
    if error.validator == "maxProperties" and schema.get("additionalProperties") is False:
        size = len(error.instance.keys() & schema["properties"])
        if size <= limit:
            return  # the others are unknown, which is reported of each
    counted = error.validator[3:]
    exact = schema.get(f"min{counted}") == schema.get(f"max{counted}")
    bound = "exactly" if exact else "at least" if least else "at most"
    message = f"{_what(path)} must have {bound} {_count(limit, noun)}, and has {size}"
    yield Fault(path, False, "too-few" if least else "too-many", message, _example(schema))


def _pattern(error: Error, path: Path) -> Iterator[Fault]:
    reason = error.schema.get("patternErrorMessage")
    message = f"{_shown(error.instance)} does not fit as {_what(path)}{_because(reason)}"
    yield Fault(path, False, "wrong-form", message, None if reason else _example(error.schema))


def _because(reason: str | None) -> str:
    return f": {reason[:1].lower()}{reason[1:].removesuffix('.')}" if reason else ""


def _double(error: Error, path: Path) -> Iterator[Fault]:
    first: dict[Any, int] = {}
    for at, item in enumerate(error.instance):
        before = first.setdefault(same(item), at)
        if before != at:
            shown = _shown(item) if isinstance(item, (str, int, float)) else "what stands here"
            message = f"{shown} is already item {before + 1} of {_what(path)}"
            yield Fault((*path, at), False, "double-item", message, "keep one of them")


def _not(error: Error, path: Path) -> Iterator[Fault]:
    description = error.schema.get("description", "")
    message = f"{_shown(error.instance)} cannot stand here"
    yield Fault(path, False, "not-allowed", message, description[:_SHORT_HINT] or None)


def _alternatives(error: Error, path: Path) -> Iterator[Fault]:
    """``oneOf`` and ``anyOf``: of fields that must be there, or of sorts of values."""
    branches = error.validator_value
    if all(isinstance(branch, Mapping) and branch.keys() == {"required"} for branch in branches):
        if isinstance(error.instance, Mapping):
            yield _one_of_fields(error, path)
        return
    if not error.context:
        yield Fault(path, False, "wrong-value", f"{_what(path)} fits more than one of its alternatives")
        return
    fitting = [at for at, branch in enumerate(branches) if _may_be(error.instance, branch)]
    if not fitting:
        types = [type_ for branch in branches for type_ in _types_of(branch)]
        yield _wrong_type(error.instance, types, error.schema, path)
        return
    by_branch = {
        at: [nested for nested in error.context if nested.relative_schema_path[0] == at] for at in fitting
    }
    inside = path[: len(path) - len(error.absolute_path)]
    for nested in min(by_branch.values(), key=len):
        yield from worded(nested, inside)


def _one_of_fields(error: Error, path: Path) -> Fault:
    groups = [branch["required"] for branch in error.validator_value]
    there = [name for name in error.instance for group in groups if group == [name]]
    if len(there) > 1:
        message = (
            f"{_what(path)} has both {_shown(there[0])} and {_shown(there[1])}, which exclude each other"
        )
        return Fault((*path, there[1]), True, "exclusive-fields", message, "keep one of them")
    names = tuple(name for group in groups for name in group)
    return Fault(path, False, "missing-field", f"{_what(path)} needs {_either(names)}", None, names)


def _types_of(branch: Any) -> list[str]:
    types = branch.get("type", list(_TYPES)) if isinstance(branch, Mapping) else list(_TYPES)
    return [types] if isinstance(types, str) else list(types)


def _may_be(value: Any, branch: Any) -> bool:
    return is_of_type(value, _types_of(branch))


def _otherwise(error: Error, path: Path) -> Iterator[Fault]:
    yield Fault(path, False, "wrong-value", f"{_what(path)} does not fit its schema", _example(error.schema))


_WORDING: Mapping[str, Callable[[Error, Path], Iterator[Fault]]] = {
    "required": _required,
    "dependentRequired": _dependent_required,
    "additionalProperties": _closed,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _range,
    "maximum": _range,
    "minLength": _length,
    "maxLength": _length,
    "minItems": _size,
    "maxItems": _size,
    "minProperties": _size,
    "maxProperties": _size,
    "pattern": _pattern,
    "uniqueItems": _double,
    "not": _not,
    "oneOf": _alternatives,
    "anyOf": _alternatives,
}
