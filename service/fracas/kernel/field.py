"""A field: one thing that a request may say, how a value of it is read, and its JSON Schema."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from fracas.errors import Problem, suggestion

__all__ = [
    "MAX_ITEMS",
    "EntryLookup",
    "Field",
    "NoPacks",
    "PackEntry",
    "Type",
    "field_schema",
    "read_value",
    "shown",
    "unknown_entry",
]

Type = Literal["whole", "number", "flag", "choice", "words", "text", "ratings", "entry", "entries"]
"""The types of fields, see `Field`."""

MAX_ITEMS = 64
"""The longest list or mapping a situation may hold."""


class Field(NamedTuple):
    """One thing that a request may say.

    Attributes:
        path: dotted; all but the last part are the records it lies in.
        type: ``whole`` and ``number`` (between `least` and `most`), ``flag`` (true or false), ``choice`` (one of
            `choices`), ``words`` (a list of some of `choices`), ``text`` (up to `most` characters), ``ratings``
            (a mapping of `choices` to whole numbers), ``entry`` (the id of a pack entry of kind `entry_kind`),
            ``entries`` (a list of such ids).
        label: a few words for a form.
        doc: meaning.
        choices: known words, for the types that have some; an empty tuple of a ``ratings`` allows any slug.
        derived_from: the field to fill in when this one is computed by the ruleset; None when a request can give it.
        example: a value for documentation and forms.
        in_scene: a form may fill it in with what a fight's scene says of it.
        default: what holds where a request has the record without the field, written as in a request; None:
            then it is unknown. A null leaves it unknown all the same.
        unit: what a number counts, in the plural: ``metres``; "" for a plain number.
        required: what a rule needs that cannot do without it, as messages name it: ``the skill of the attacker``;
            "" for a field that may be unknown.
        renamed_from: the former name, which requests may say for one more version.
        completes: what follows from this field for others of its record: from the record's values by name, the values
            that it then has. A spirit's attributes follow from its Force so.
    """

    path: str
    type: Type
    label: str
    doc: str = ""
    least: float = 0
    most: float = 1000
    choices: tuple[str, ...] = ()
    entry_kind: str = ""
    derived_from: str | None = None
    example: Any = None
    in_scene: bool = True
    default: Any = None
    unit: str = ""
    required: str = ""
    renamed_from: str = ""
    completes: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None

    @property
    def meaning(self) -> str:
        """The doc with the unit: ``From attacker to target. In metres.``"""
        return " ".join(filter(None, (self.doc, f"In {self.unit}." if self.unit else "")))


class PackEntry(Protocol):
    """What a vocabulary needs of a pack entry."""

    @property
    def id(self) -> str:
        """Its name among all packs: ``sr4-core:weapon/ares-predator-iv``."""

    @property
    def kind(self) -> str:
        """What it is: ``weapon``."""

    @property
    def slug(self) -> str:
        """Its name among the entries of its kind."""

    @property
    def label(self) -> str:
        """Its name for people."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Its fields, without those that every entry has."""


class EntryLookup(Protocol):
    """Where a vocabulary finds pack entries. The packs' library implements it."""

    def entry(self, kind: str, reference: str) -> PackEntry | None:
        """The entry, by slug or id."""

    def entries(self, kind: str) -> Sequence[PackEntry]:
        """All entries of a kind."""

    def names(self, kind: str) -> Iterable[str]:
        """Their slugs."""


class NoPacks:
    """A lookup without entries, for situations that hold every fact themselves."""

    def entry(self, kind: str, reference: str) -> PackEntry | None:
        return None

    def entries(self, kind: str) -> Sequence[PackEntry]:
        return ()

    def names(self, kind: str) -> Iterable[str]:
        return ()


def read_value(
    field: Field,
    value: Any,
    lookup: EntryLookup,
    facts: dict[str, Any],
    problems: list[Problem],
    where: str,
) -> None:
    """Put a value of a field as a request gives it among the facts; None makes it unknown.

    Args:
        problems: takes every fault of it.
        where: its path for these.
    """
    if value is None:  # given as unknown, also where the entry used knows better
        facts.pop(field.path, None)
        return
    kind = field.type
    if kind == "whole" or kind == "number":
        if type(value) is int and field.least <= value <= field.most:
            facts[field.path] = value
        elif problem := _number_problem(field, value, where):
            problems.append(problem)
        else:
            facts[field.path] = int(value) if kind == "whole" else value
    elif kind == "flag":
        if value is True or value is False:
            facts[field.path] = value
        else:
            problems.append(Problem(where, "wrong-type", f"true or false is expected, not {shown(value)}"))
    elif kind == "choice":
        if isinstance(value, str) and value in field.choices:
            facts[field.path] = value
        else:
            problems.append(_unknown_choice(field, value, where))
    elif kind == "words":
        _read_words(field, value, facts, problems, where)
    elif kind == "text":
        if isinstance(value, str) and len(value) <= field.most:
            facts[field.path] = value
        else:
            message = f"text of at most {field.most:g} characters is expected, not {shown(value)}"
            problems.append(Problem(where, "wrong-type", message))
    elif kind == "ratings":
        _read_ratings(field, value, facts, problems, where)
    else:
        _read_references(field, value, lookup, facts, problems, where)


def _read_words(field: Field, value: Any, facts: dict[str, Any], problems: list[Problem], where: str) -> None:
    if not isinstance(value, list) or len(value) > MAX_ITEMS:
        problems.append(Problem(where, "wrong-type", _expected("a list of words", value)))
        return
    wrong = [
        _unknown_choice(field, word, f"{where}[{at}]")
        for at, word in enumerate(value)
        if word not in field.choices
    ]
    problems.extend(wrong)
    if not wrong:
        facts[field.path] = tuple(value)


def _read_ratings(
    field: Field, value: Any, facts: dict[str, Any], problems: list[Problem], where: str
) -> None:
    if not isinstance(value, Mapping) or len(value) > MAX_ITEMS:
        problems.append(Problem(where, "wrong-type", _expected("a mapping of names to ratings", value)))
        return
    ratings, whole = dict(facts.get(field.path, {})), field._replace(type="whole")
    for name, rating in value.items():
        if field.choices and name not in field.choices:
            problems.append(_unknown_choice(field, name, f"{where}.{name}"))
        elif rating is None:
            ratings.pop(name, None)
        elif problem := _number_problem(whole, rating, f"{where}.{name}"):
            problems.append(problem)
        else:
            ratings[name] = int(rating)
    facts[field.path] = ratings


def _read_references(
    field: Field,
    value: Any,
    lookup: EntryLookup,
    facts: dict[str, Any],
    problems: list[Problem],
    where: str,
) -> None:
    many = field.type == "entries"
    if many and (not isinstance(value, list) or len(value) > MAX_ITEMS):
        problems.append(Problem(where, "wrong-type", _expected("a list of names", value)))
        return
    found = []
    for at, reference in enumerate(value if many else [value]):
        entry = lookup.entry(field.entry_kind, reference) if isinstance(reference, str) else None
        if entry is None:
            problems.append(
                unknown_entry(f"{where}[{at}]" if many else where, field.entry_kind, reference, lookup)
            )
        else:
            found.append(entry)
    if many:
        facts[field.path] = tuple(found)
    elif found:
        facts[field.path] = found[0]


def _number_problem(field: Field, value: Any, where: str) -> Problem | None:
    whole = field.type == "whole"
    fits = isinstance(value, int) or (isinstance(value, float) and (not whole or value.is_integer()))
    if isinstance(value, bool) or not fits:
        wanted = "a whole number" if whole else "a number"
        return Problem(where, "wrong-type", f"{wanted} is expected, not {shown(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        return Problem(where, "not-finite", "a finite number is expected")
    if not field.least <= value <= field.most:
        return Problem(
            where, "out-of-range", f"{field.least:g} to {field.most:g} is expected, not {shown(value)}"
        )
    return None


def _unknown_choice(field: Field, value: Any, where: str) -> Problem:
    return Problem(
        where, "unknown-choice", f"{shown(value)} is not known here", suggestion(value, field.choices)
    )


def unknown_entry(where: str, kind: str, reference: Any, lookup: EntryLookup) -> Problem:
    """The fault of a name that no entry of a kind has."""
    return Problem(
        where,
        "unknown-entry",
        f"no {kind} named {shown(reference)}",
        suggestion(reference, lookup.names(kind)),
    )


def _expected(what: str, value: Any) -> str:
    if isinstance(value, (list, Mapping)) and len(value) > MAX_ITEMS:
        return f"at most {MAX_ITEMS} items are expected, not {len(value)}"
    return f"{what} is expected, not {shown(value)}"


def shown(value: Any) -> str:
    """A value as short text for a message."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def field_schema(field: Field) -> dict[str, Any]:
    """JSON Schema (2020-12) of a field, with its label as the title."""
    schema: dict[str, Any] = {"title": field.label}
    if field.meaning:
        schema["description"] = field.meaning
    if field.unit:
        schema["x-unit"] = field.unit
    if field.required:
        schema["x-needed"] = field.required
    if field.example is not None:
        schema["examples"] = [field.example]
    if field.default is not None:
        schema["default"] = field.default
    bounds = {"minimum": field.least, "maximum": field.most}
    reference = {"type": "string", "maxLength": 200}
    if field.type == "whole":
        schema |= {"type": ["integer", "null"], **bounds}
    elif field.type == "number":
        schema |= {"type": ["number", "null"], **bounds}
    elif field.type == "flag":
        schema |= {"type": ["boolean", "null"]}
    elif field.type == "choice":
        schema |= {"type": ["string", "null"], "enum": [*field.choices, None]}
    elif field.type == "words":
        schema |= {"type": ["array", "null"], "items": {"enum": list(field.choices)}, "maxItems": MAX_ITEMS}
    elif field.type == "text":
        schema |= {"type": ["string", "null"], "maxLength": int(field.most)}
    elif field.type == "ratings":
        rating = {"type": ["integer", "null"], **bounds}
        schema |= {"type": ["object", "null"], "additionalProperties": rating, "maxProperties": MAX_ITEMS}
        if field.choices:
            schema["propertyNames"] = {"enum": list(field.choices)}
    elif field.type == "entry":
        schema |= {"type": ["string", "null"], "maxLength": 200}
    else:
        schema |= {"type": ["array", "null"], "items": reference, "maxItems": MAX_ITEMS}
    return schema
