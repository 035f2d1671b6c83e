"""The vocabulary: everything a request may say about a situation.

One declaration from which come the checks on requests, the API's schema, the words that predicates may use,
and (later) the forms of the console and of the VTT. A field that nobody filled in is unknown, never zero.

A situation is nested (``{"attacker": {"running": true}}``); facts are flat (``attacker.running``). A field
that is *derived* cannot be said: the ruleset computes it from the field named in `derived_from`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, Protocol

from fracas.errors import MAX_SHOWN, InputError, Problem, suggestion

__all__ = [
    "MAX_ITEMS",
    "Catalog",
    "EntryLookup",
    "Field",
    "Input",
    "NoPacks",
    "PackEntry",
    "Record",
    "Said",
    "Type",
    "Vocabulary",
    "field_schema",
]

Type = Literal["whole", "number", "flag", "choice", "words", "text", "ratings", "entry", "entries"]
"""The types of fields, see `Field`."""

MAX_ITEMS = 64
"""The longest list or mapping a situation may hold."""


class Field(NamedTuple):
    """One thing a request may say.

    Attributes:
        path: dotted; all but the last part are the records it lies in.
        type: ``whole`` and ``number`` (between `least` and `most`), ``flag`` (true or false), ``choice`` (one of
            `choices`), ``words`` (a list of some of `choices`), ``text`` (up to `most` characters), ``ratings``
            (a mapping of `choices` to whole numbers), ``entry`` (the id of a pack entry of kind `entry_kind`),
            ``entries`` (a list of such ids).
        label: a few words for a form.
        doc: meaning, and the unit of a number.
        choices: known words, for the types that have some; an empty tuple of a ``ratings`` allows any slug.
        derived_from: the field to fill in when this one is computed by the ruleset; None when it can be said.
        example: a value for documentation and forms.
        in_scene: a form may fill it in with what a fight's scene says of it.
        default: what holds where a request has the record and says nothing of the field, written as in a request; None:
            then it is unknown. Who says null leaves it unknown all the same.
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


class Record(NamedTuple):
    """A group of fields that may be taken from a pack entry: ``{"use": "ares-predator-iv", "rounds": 4}``.

    Attributes:
        path: ``attacker``, ``weapon``.
        entry_kind: the kind of entry that fills it in, or "" for none.
        optional: of a person: the procedure does without as well.
        helps: of a person: one on the side of the actor, who is no target.
    """

    path: str
    label: str
    entry_kind: str = ""
    doc: str = ""
    optional: bool = False
    helps: bool = False


class Input(NamedTuple):
    """What a request says of a situation, parsed.

    Attributes:
        facts: flat, by path; fields that were left out are absent.
        used: for each record that was filled in from a pack, the reference given.
    """

    facts: dict[str, Any]
    used: dict[str, str]


Said = Input
"""The former name of `Input`, for one more version."""


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


Catalog = EntryLookup
"""The former name of `EntryLookup`, for one more version."""


class NoPacks:
    """A lookup without entries, for situations that hold every fact themselves."""

    def entry(self, kind: str, reference: str) -> PackEntry | None:
        return None

    def entries(self, kind: str) -> Sequence[PackEntry]:
        return ()

    def names(self, kind: str) -> Iterable[str]:
        return ()


_WITH_VALUES = ("whole", "number", "flag", "choice", "words")


def _terms(fields: Sequence[Field]) -> Iterable[tuple[str, tuple[str, Any]]]:
    """The words that say a value of a field, with its path and the value."""
    for field in fields:
        if field.type == "flag":
            parent, _, name = field.path.rpartition(".")
            yield (f"{parent}:{name}" if parent else name), (field.path, True)
        elif field.type in ("choice", "words"):
            for word in field.choices:
                yield f"{field.path}:{word}", (field.path, word)


class Vocabulary:
    """The fields of one procedure, or of several that share them."""

    def __init__(self, records: Sequence[Record], fields: Sequence[Field]) -> None:
        self.records = {record.path: record for record in records}
        self.fields: dict[str, Field] = {}
        self._members: dict[str, dict[str, Field | Record]] = {"": {}}
        self._own: dict[str, dict[str, Field]] = {}
        self._defaults: dict[str, tuple[tuple[str, Field], ...]] = {}
        self._paths: frozenset[str] = frozenset()
        self._terms: dict[str, tuple[str, Any]] = {}
        for record in records:
            self._members.setdefault(record.path, {})
        for record in records:
            self._put(record)
        self._take_in(fields)

    def _take_in(self, fields: Sequence[Field]) -> None:
        for field in fields:
            if field.path in self.fields:
                raise ValueError("a field is declared twice")
            self.fields[field.path] = field
            if field.derived_from is None:
                self._put(field)
        self._paths |= {field.path for field in fields if field.type in _WITH_VALUES}
        self._terms.update(_terms(fields))

    def _put(self, part: Field | Record) -> None:
        parent, _, name = part.path.rpartition(".")
        self._members[parent][name] = part

    # Words, for the predicate compiler.

    def term(self, word: str) -> tuple[str, Any] | None:
        return self._terms.get(word)

    def terms(self) -> Iterable[str]:
        return self._terms

    def paths(self) -> Iterable[str]:
        return self._paths

    def is_number(self, path: str) -> bool:
        return path in self.fields and self.fields[path].type in ("whole", "number")

    def is_whole(self, path: str) -> bool:
        return path in self.fields and self.fields[path].type == "whole"

    def is_list(self, path: str) -> bool:
        return path in self.fields and self.fields[path].type == "words"

    def choices(self, path: str) -> Sequence[str] | None:
        field = self.fields[path]
        return field.choices if field.type in ("choice", "words") else None

    def source_of(self, path: str) -> str:
        return self.fields[path].derived_from or path

    def fields_of(self, record: str) -> Mapping[str, Field]:
        """The fields of a record that a request may say, by their names within it."""
        found = self._own.get(record)
        if found is None:
            members = self._members[record].items()
            found = self._own[record] = {name: part for name, part in members if isinstance(part, Field)}
        return found

    def with_fields(self, fields: Sequence[Field]) -> Vocabulary:
        """This vocabulary and more fields, such as the options of the packs in use."""
        if not fields:
            return self
        more = copy(self)
        more.fields, more._terms = {**self.fields}, {**self._terms}
        more._members = {path: {**members} for path, members in self._members.items()}
        more._own, more._defaults = {}, {}
        more._take_in(fields)
        return more

    # Reading what a request says.

    def parse(self, situation: Any, lookup: EntryLookup, root: str = "situation") -> Input:
        """The facts of a situation.

        Raises:
            InputError: every fault of the situation, with field paths that begin with `root`.
        """
        said = Input({}, {})
        problems: list[Problem] = []
        self._read_record("", situation, lookup, said, problems, root)
        if problems:
            raise InputError(problems)
        return said

    def _read_record(
        self, path: str, given: Any, lookup: EntryLookup, said: Input, problems: list[Problem], root: str
    ) -> None:
        where = f"{root}.{path}" if path else root
        record = self.records.get(path)
        if isinstance(given, str) and record and record.entry_kind:
            given = {"use": given}
        if not isinstance(given, Mapping):
            wanted = "an object" + (
                f" or the name of one {record.entry_kind}" if record and record.entry_kind else ""
            )
            problems.append(Problem(where, "wrong-type", f"{wanted} is expected, not {_shown(given)}"))
            return
        members = self._members[path]
        if record and record.entry_kind and "use" in given:
            self._use_entry(record, given["use"], lookup, said, problems, where)
        for name, value in given.items():
            if name == "use" and record and record.entry_kind:
                continue
            part = members.get(name)
            if part is None:
                known = [*members, "use"] if record and record.entry_kind else members
                hint = (
                    suggestion(name, known) if len(problems) < MAX_SHOWN else None
                )  # the rest is not reported
                problems.append(
                    Problem(f"{where}.{name}", "unknown-field", f"{name!r} is no field here", hint)
                )
            elif isinstance(part, Record):
                self._read_record(part.path, value, lookup, said, problems, root)
            else:
                self._read_field(part, value, lookup, said.facts, problems, f"{root}.{part.path}")
        for name, field in self._with_default(path):
            if name not in given and field.path not in said.facts:
                self._read_field(field, field.default, lookup, said.facts, problems, f"{root}.{field.path}")

    def _with_default(self, record: str) -> tuple[tuple[str, Field], ...]:
        found = self._defaults.get(record)
        if found is None:
            members = self.fields_of(record).items()
            found = self._defaults[record] = tuple(one for one in members if one[1].default is not None)
        return found

    def _use_entry(
        self,
        record: Record,
        reference: Any,
        lookup: EntryLookup,
        said: Input,
        problems: list[Problem],
        where: str,
    ) -> None:
        entry = lookup.entry(record.entry_kind, reference) if isinstance(reference, str) else None
        if entry is None:
            problems.append(_unknown_entry(f"{where}.use", record.entry_kind, reference, lookup))
            return
        said.used[record.path] = entry.id
        members = self._members[record.path]
        for name, value in entry.data.items():
            part = members.get(name)
            if isinstance(part, Field):
                self._read_field(part, value, lookup, said.facts, problems, f"{entry.id} {name}")
        if "name" in members:
            said.facts.setdefault(f"{record.path}.name", entry.label)

    def _read_field(
        self,
        field: Field,
        value: Any,
        lookup: EntryLookup,
        facts: dict[str, Any],
        problems: list[Problem],
        where: str,
    ) -> None:
        if value is None:  # said to be unknown, also where the entry used knows better
            facts.pop(field.path, None)
            return
        kind = field.type
        if kind == "whole" or kind == "number":
            if problem := _number_problem(field, value, where):
                problems.append(problem)
            else:
                facts[field.path] = int(value) if kind == "whole" else value
        elif kind == "flag":
            if value is True or value is False:
                facts[field.path] = value
            else:
                problems.append(
                    Problem(where, "wrong-type", f"true or false is expected, not {_shown(value)}")
                )
        elif kind == "choice":
            if isinstance(value, str) and value in field.choices:
                facts[field.path] = value
            else:
                problems.append(_unknown_choice(field, value, where))
        elif kind == "words":
            self._read_words(field, value, facts, problems, where)
        elif kind == "text":
            if isinstance(value, str) and len(value) <= field.most:
                facts[field.path] = value
            else:
                message = f"text of at most {field.most:g} characters is expected, not {_shown(value)}"
                problems.append(Problem(where, "wrong-type", message))
        elif kind == "ratings":
            self._read_ratings(field, value, facts, problems, where)
        else:
            self._read_references(field, value, lookup, facts, problems, where)

    def fault(self, path: str, value: Any, lookup: EntryLookup) -> str:
        """What is wrong with a value of one field; "" for nothing."""
        problems: list[Problem] = []
        self._read_field(self.fields[path], value, lookup, {}, problems, path)
        return problems[0].message if problems else ""

    def _read_words(
        self, field: Field, value: Any, facts: dict[str, Any], problems: list[Problem], where: str
    ) -> None:
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
        self, field: Field, value: Any, facts: dict[str, Any], problems: list[Problem], where: str
    ) -> None:
        if not isinstance(value, Mapping) or len(value) > MAX_ITEMS:
            problems.append(Problem(where, "wrong-type", _expected("a mapping of names to ratings", value)))
            return
        ratings = dict(facts.get(field.path, {}))
        for name, rating in value.items():
            if field.choices and name not in field.choices:
                problems.append(_unknown_choice(field, name, f"{where}.{name}"))
            elif rating is None:
                ratings.pop(name, None)
            elif problem := _number_problem(field._replace(type="whole"), rating, f"{where}.{name}"):
                problems.append(problem)
            else:
                ratings[name] = int(rating)
        facts[field.path] = ratings

    def _read_references(
        self,
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
                    _unknown_entry(f"{where}[{at}]" if many else where, field.entry_kind, reference, lookup)
                )
            else:
                found.append(entry)
        if many:
            facts[field.path] = tuple(found)
        elif found:
            facts[field.path] = found[0]

    # Describing itself.

    def json_schema(self, path: str = "") -> dict[str, Any]:
        """JSON Schema (2020-12) of a situation, or of the record at `path`."""
        properties: dict[str, Any] = {}
        for name, part in self._members[path].items():
            properties[name] = self.json_schema(part.path) if isinstance(part, Record) else field_schema(part)
        schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
        record = self.records.get(path)
        if record:
            schema["title"] = record.label
            if record.doc:
                schema["description"] = record.doc
            if record.entry_kind:
                use = {
                    "type": "string",
                    "description": f"Slug or id of a pack entry of kind {record.entry_kind}.",
                    "x-entry-kind": record.entry_kind,
                }
                properties["use"] = use
                return {"title": record.label, "anyOf": [use, schema]}
        return schema


def _number_problem(field: Field, value: Any, where: str) -> Problem | None:
    whole = field.type == "whole"
    fits = isinstance(value, int) or (isinstance(value, float) and (not whole or value.is_integer()))
    if isinstance(value, bool) or not fits:
        wanted = "a whole number" if whole else "a number"
        return Problem(where, "wrong-type", f"{wanted} is expected, not {_shown(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        return Problem(where, "not-finite", "a finite number is expected")
    if not field.least <= value <= field.most:
        return Problem(
            where, "out-of-range", f"{field.least:g} to {field.most:g} is expected, not {_shown(value)}"
        )
    return None


def _unknown_choice(field: Field, value: Any, where: str) -> Problem:
    return Problem(
        where, "unknown-choice", f"{_shown(value)} is not known here", suggestion(value, field.choices)
    )


def _unknown_entry(where: str, kind: str, reference: Any, lookup: EntryLookup) -> Problem:
    return Problem(
        where,
        "unknown-entry",
        f"no {kind} named {_shown(reference)}",
        suggestion(reference, lookup.names(kind)),
    )


def _expected(what: str, value: Any) -> str:
    if isinstance(value, (list, Mapping)) and len(value) > MAX_ITEMS:
        return f"at most {MAX_ITEMS} items are expected, not {len(value)}"
    return f"{what} is expected, not {_shown(value)}"


def _shown(value: Any) -> str:
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
    if field.doc:
        schema["description"] = field.doc
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
