"""Of an attempt that names no weapon: which ones the attacker has.

A rule reports each field of the weapon that it needs. A caller who forgot the weapon altogether is better
served with names.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.errors import InputError, Problem
from fracas.kernel.required import MISSING, ROOT, has_record
from fracas.kernel.ruleset import Procedure
from fracas.kernel.vocabulary import EntryLookup, Input, Record
from fracas.packs.schemas import folder_of

_PERSON = "combatant"
_MOST_NAMED = 6


def with_names(error: InputError, procedure: Procedure, given: Input, lookup: EntryLookup) -> InputError:
    """The error, with the names of entries in the hint of the first field that each record lacks of which the situation
    says nothing."""
    problems = list(error.problems)
    for record in _unnamed(procedure, given):
        start = f"{ROOT}{record.path}."
        at = next(
            (at for at, one in enumerate(problems) if one.code == MISSING and one.path.startswith(start)),
            None,
        )
        hint = None if at is None else _names(record, procedure, given, lookup)
        if at is not None and hint:
            problems[at] = _with_hint(problems[at], hint)
    return type(error)(problems)


def _unnamed(procedure: Procedure, given: Input) -> Iterator[Record]:
    """The items of which the situation says nothing, such as ``weapon``."""
    for path, record in procedure.vocabulary.records.items():
        if (
            record.entry_kind not in ("", _PERSON)
            and path not in given.used
            and not has_record(given.facts, path)
        ):
            yield record


def _names(record: Record, procedure: Procedure, given: Input, lookup: EntryLookup) -> str:
    """Entries that the record may be filled in with: those that its combatant has, or some of the packs."""
    people = [path for path, one in procedure.vocabulary.records.items() if one.entry_kind == _PERSON]
    for path in people[:1]:
        person = lookup.entry(_PERSON, given.used.get(path, ""))
        carried = person.data.get(folder_of(record.entry_kind)) if person else None
        if person and carried:
            return f"or name a {record.path}: {given.facts.get(f'{path}.name', person.label)} has {_some(carried)}"
    if record.path != record.entry_kind:
        return ""
    names = list(lookup.names(record.entry_kind))
    return f"or name a {record.path} of the packs, such as {_some(names[:3])}" if names else ""


def _some(names: list[str]) -> str:
    more = [f"and {len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return ", ".join([*names[:_MOST_NAMED], *more])


def _with_hint(problem: Problem, hint: str) -> Problem:
    return problem._replace(hint=f"{problem.hint}; {hint}" if problem.hint else hint)
