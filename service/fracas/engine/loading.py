"""Reading JSON by a schema, with faults that are ours: a path, a stable code, a sentence.

Marshmallow reports sentences. The schemas here give each of them its code at the field or check where it arises, so
that no code depends on how a sentence of another library is worded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import Schema as Unchecked
from marshmallow import ValidationError, fields, validate

from fracas.errors import MAX_SHOWN, InputError, Problem, UnknownNameError, suggestion

MAX_DEPTH = 12
"""Objects and lists within each other."""

UNKNOWN_FIELD = "unknown-field"
_PROBLEMS = "_problems"
_CODES = {"required": "missing-field", "unknown": UNKNOWN_FIELD, "too_large": "out-of-range"}
"""By marshmallow's key of a field's or schema's message; all others are of a wrong type."""
_EXPECTED: tuple[tuple[type[fields.Field[Any]], str], ...] = (
    (fields.String, "a text"),
    (fields.Boolean, "true or false"),
    (fields.Integer, "a whole number"),
    (fields.Number, "a number"),
    (fields.List, "a list"),
    (fields.Mapping, "an object"),
    (fields.Nested, "an object"),
)


class Message(str):
    """A sentence with its code."""

    code: str

    def __new__(cls, text: str, code: str = "invalid") -> Message:
        made = super().__new__(cls, text)
        made.code = code
        return made

    def format(self, *args: Any, **kwargs: Any) -> Message:
        """The sentence filled in, under the same code."""
        return Message(super().format(*args, **kwargs), self.code)


def wrong(code: str, message: str, field: str = "_schema") -> ValidationError:
    """An error for a schema or field of ours to raise; `field`: of the schema, or the whole of it."""
    return ValidationError([Message(message, code)], field)


def found(problems: Iterable[Problem]) -> ValidationError:
    """An error that hands problems through marshmallow as they are."""
    return ValidationError({_PROBLEMS: list(problems)})


class Schema(Unchecked):
    """A schema whose messages have codes."""

    error_messages = {
        "unknown": Message("no field here", UNKNOWN_FIELD),
        "type": Message("an object is expected", "wrong-type"),
    }

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        super().on_bind_field(field_name, field_obj)
        give_codes(field_obj)


def give_codes(field: fields.Field[Any]) -> None:
    """Give the messages of a field, of its checks, and of what it holds their codes."""
    expected = next((what for kind, what in _EXPECTED if isinstance(field, kind)), "another value")
    sentences = dict.fromkeys(field.error_messages, f"{expected} is expected")
    sentences |= {"required": "this field is needed", "null": f"{expected} is expected, not null"}
    field.error_messages = {
        key: Message(sentence, _CODES.get(key, "wrong-type")) for key, sentence in sentences.items()
    }
    for check in field.validators:
        if isinstance(check, (validate.Length, validate.Range, validate.OneOf, validate.Regexp)):
            check.error = _given_of(check, field)
    if isinstance(field, fields.List):
        give_codes(field.inner)
    elif isinstance(field, fields.Mapping):
        for part in (field.key_field, field.value_field):
            if part is not None:
                give_codes(part)


def _given_of(check: Any, field: fields.Field[Any]) -> Message:
    """The message of a check."""
    if isinstance(check, validate.OneOf):
        return Message("{input!r} is not known here; known: {choices}", "unknown-choice")
    if isinstance(check, validate.Regexp):
        return check.error if isinstance(check.error, Message) else Message(check.error, "invalid")
    least, most = check.min, check.max
    bounds = f"{least} to {most}" if least is not None and most is not None else ""
    bounds = bounds or (f"at least {least}" if most is None else f"at most {most}")
    if isinstance(check, validate.Range):
        return Message(f"{bounds} is expected, not {{input}}", "out-of-range")
    what = "characters" if isinstance(field, fields.String) else "items"
    return Message(f"{bounds} {what} are expected", "out-of-range")


class StrictBoolean(fields.Boolean):
    """true or false, and no other word or number for them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def load(schema: Unchecked, data: Any) -> Any:
    """What the schema makes of the data.

    Raises:
        InputError: every fault, with field paths.
    """
    if not isinstance(data, Mapping):
        raise InputError.one("", "wrong-type", "an object is expected")
    check_depth(data)
    try:
        return schema.load(data)
    except ValidationError as error:
        raise problems_of(error.messages, schema) from None


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON text; for `json.loads`.

    Raises:
        InputError: a key stands twice.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = counts.most_common(1)[0][0]
        raise InputError.one(twice, "duplicate-key", f"the key {twice!r} stands twice in one object")
    return made


def check_depth(data: Any) -> None:
    """
    Raises:
        InputError: objects and lists are nested more than MAX_DEPTH levels deep; it names the field.
    """
    path = _too_deep(data, "", MAX_DEPTH)
    if path is not None:
        raise InputError.one(path, "too-deep", f"nested more than {MAX_DEPTH} levels deep")


def _too_deep(data: Any, path: str, left: int) -> str | None:
    """The first path below which nothing may be nested any more, but something is."""
    if not isinstance(data, (dict, list)):
        return None
    if left == 0:
        return path
    parts = data.items() if isinstance(data, dict) else enumerate(data)
    for key, item in parts:
        if isinstance(item, (dict, list)):
            here = f"{path}[{key}]" if isinstance(data, list) else f"{path}.{key}" if path else str(key)
            found = _too_deep(item, here, left - 1)
            if found is not None:
                return found
    return None


def problems_of(messages: Any, schema: Unchecked) -> InputError:
    """Marshmallow's tree of messages as our flat list."""
    problems: list[Problem] = []
    _flatten(messages, "", schema, problems)
    kind = (
        UnknownNameError if all(problem.code.startswith("unknown-") for problem in problems) else InputError
    )
    return kind(problems)


def _flatten(messages: Any, path: str, schema: Unchecked | None, problems: list[Problem]) -> None:
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            if key == _PROBLEMS:
                problems.extend(inner)
                continue
            if isinstance(key, int):
                _flatten(inner, f"{path}[{key}]", schema, problems)
                continue
            here = path if key == "_schema" else f"{path}.{key}" if path else str(key)
            field = schema.fields.get(key) if schema else None
            if schema and _is_unknown(inner):
                hint = suggestion(key, schema.fields) if len(problems) < MAX_SHOWN else None
                problems.append(Problem(here, "unknown-field", f"{key!r} is no field here", hint))
            elif isinstance(field, fields.Dict) and isinstance(inner, Mapping) and _PROBLEMS not in inner:
                for name, parts in inner.items():
                    # Marshmallow tells what is wrong with a key from what is wrong with its value.
                    for part in parts.values():
                        _flatten(part, f"{here}.{name}", _schema_of(field.value_field), problems)
            else:
                _flatten(inner, here, _schema_of(field), problems)
    elif isinstance(messages, list):
        for message in messages:
            if isinstance(message, Mapping):
                _flatten(message, path, schema, problems)
            else:
                problems.append(Problem(path, getattr(message, "code", "invalid"), str(message)))


def _is_unknown(messages: Any) -> bool:
    return isinstance(messages, list) and [getattr(one, "code", "") for one in messages] == [UNKNOWN_FIELD]


def _schema_of(field: Any) -> Unchecked | None:
    if isinstance(field, fields.List):
        field = field.inner
    schema: Unchecked | None = getattr(field, "schema", None)
    return schema
