"""The vocabulary: everything that a request may say about a situation.

One declaration from which come the checks on requests, the API's schema, the words that predicates may use,
and the forms of the console and of virtual tabletops. A field that is left out is unknown, never zero.

A situation is nested (``{"attacker": {"running": true}}``); facts are flat (``attacker.running``). A field
that is *derived* cannot be given: the ruleset computes it from the field named in `derived_from`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from fracas._former_names import in_module
from fracas.errors import MAX_SHOWN, InputError, Problem, suggestion
from fracas.kernel.field import MAX_ITEMS as MAX_ITEMS
from fracas.kernel.field import EntryLookup as EntryLookup
from fracas.kernel.field import Field as Field
from fracas.kernel.field import NoPacks as NoPacks
from fracas.kernel.field import PackEntry as PackEntry
from fracas.kernel.field import Type as Type
from fracas.kernel.field import field_schema as field_schema
from fracas.kernel.field import read_value, shown, unknown_entry

__all__ = [
    "Input",
    "Record",
    "Vocabulary",
]


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

    def slug(self, record: str) -> str:
        """The slug of the entry that fills in a record; "" for none."""
        return self.used.get(record, "").rpartition("/")[2]


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


def _own(facts: Mapping[str, Any], record: str) -> dict[str, Any]:
    start = f"{record}."
    return {path.removeprefix(start): fact for path, fact in facts.items() if path.startswith(start)}


class Vocabulary:
    """The fields of one procedure, or of several that share them.

    Attributes:
        needed: fields that the rule cannot do without, each with what it needs (`Field.required`).
    """

    def __init__(self, records: Sequence[Record], fields: Sequence[Field]) -> None:
        self.records = {record.path: record for record in records}
        self.fields: dict[str, Field] = {}
        self._members: dict[str, dict[str, Field | Record]] = {"": {}}
        self._own: dict[str, dict[str, Field]] = {}
        self._defaults: dict[str, tuple[tuple[str, Field], ...]] = {}
        self._completing: tuple[Field, ...] = ()
        self._paths: frozenset[str] = frozenset()
        self.needed: dict[str, str] = {}
        self._former: dict[tuple[str, str], Field] = {}
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
            if field.completes is not None:
                self._completing += (field,)
            if field.renamed_from:
                self._former[field.path.rpartition(".")[0], field.renamed_from] = field
            if field.required:
                self.needed[field.path] = field.required
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
        found = Input({}, {})
        problems: list[Problem] = []
        self._read_record("", situation, lookup, found, problems, root)
        if problems:
            raise InputError(problems)
        for field in self._completing:
            if field.path in found.facts and field.completes is not None:
                record = field.path.rpartition(".")[0]
                its = field.completes(_own(found.facts, record))
                found.facts.update({f"{record}.{name}": value for name, value in its.items()})
        return found

    def _read_record(
        self, path: str, given: Any, lookup: EntryLookup, found: Input, problems: list[Problem], root: str
    ) -> None:
        where = f"{root}.{path}" if path else root
        record = self.records.get(path)
        if isinstance(given, str) and record and record.entry_kind:
            given = {"use": given}
        if type(given) is not dict and not isinstance(given, Mapping):
            wanted = "an object" + (
                f" or the name of one {record.entry_kind}" if record and record.entry_kind else ""
            )
            problems.append(Problem(where, "wrong-type", f"{wanted} is expected, not {shown(given)}"))
            return
        members = self._members[path]
        if record and record.entry_kind and "use" in given:
            self._use_entry(record, given["use"], lookup, found, problems, where)
            given = {name: value for name, value in given.items() if name != "use"}
        for name, value in given.items():
            part = members.get(name) or self._former.get((path, name))
            if isinstance(part, Field):
                read_value(part, value, lookup, found.facts, problems, f"{root}.{part.path}")
            elif part is not None:
                self._read_record(part.path, value, lookup, found, problems, root)
            else:
                known = [*members, "use"] if record and record.entry_kind else members
                hint = (
                    suggestion(name, known) if len(problems) < MAX_SHOWN else None
                )  # the rest is not reported
                problems.append(
                    Problem(f"{where}.{name}", "unknown-field", f"{name!r} is no field here", hint)
                )
        for name, field in self._with_default(path):
            if name not in given and field.path not in found.facts:
                read_value(field, field.default, lookup, found.facts, problems, f"{root}.{field.path}")

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
        found: Input,
        problems: list[Problem],
        where: str,
    ) -> None:
        entry = lookup.entry(record.entry_kind, reference) if isinstance(reference, str) else None
        if entry is None:
            problems.append(unknown_entry(f"{where}.use", record.entry_kind, reference, lookup))
            return
        found.used[record.path] = entry.id
        members = self._members[record.path]
        for name, value in entry.data.items():
            part = members.get(name)
            if isinstance(part, Field):
                read_value(part, value, lookup, found.facts, problems, f"{entry.id} {name}")
        if "name" in members:
            found.facts.setdefault(f"{record.path}.name", entry.label)

    def fault(self, path: str, value: Any, lookup: EntryLookup) -> str:
        """What is wrong with a value of one field; "" for nothing."""
        problems: list[Problem] = []
        read_value(self.fields[path], value, lookup, {}, problems, path)
        return problems[0].message if problems else ""

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


if not TYPE_CHECKING:
    __getattr__ = in_module(__name__, Said="Input", Catalog="EntryLookup")
