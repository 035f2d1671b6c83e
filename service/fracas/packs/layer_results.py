"""Entries as the layers left them, held against the JSON Schemas: each change may be right and their sum wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.errors import Problem
from fracas.packs.entries import Change, Entry, Fault
from fracas.packs.library import Library
from fracas.packs.schemas import folder_of

_OF_CHANGES = frozenset({"replace", "expects"})


def result_faults(library: Library) -> Iterator[Fault]:
    """What is wrong with entries that were patched: a field that they need is gone, or does not go with another."""
    for pack in library.packs.values():
        for entry in pack.entries:
            if any(change.how == "patch" for change in entry.changes):
                yield from _faults(entry, pack.manifest.ruleset)


def _faults(entry: Entry, ruleset: str) -> Iterator[Fault]:
    from fracas.packs.structure import find_faults  # only needed where layers patch something

    folder = folder_of(entry.kind)
    for found in find_faults({"kind": folder, "ruleset": ruleset, "entries": [_raw(entry)]}, folder):
        if found.path[:2] != ("entries", 0):
            continue  # about the frame made here
        path = found.path[2:]
        field = found.names[0] if found.code == "missing-field" and not path else None
        change = _culprit(entry, field if field is not None else path[0] if path else None)
        of_key = found.of_key and path[0] in change.fields
        place = change.text((field,) if field else path, of_key=of_key)
        message = f"after this change of {entry.id}, {found.message}"
        yield Fault(change.pack, Problem(place, found.code, message, found.hint))


def _raw(entry: Entry) -> dict[str, Any]:
    """The entry as one would write it."""
    meta = {name: value for name, value in entry.meta.items() if name not in _OF_CHANGES}
    return {**meta, "slug": entry.slug, **entry.data}


def _culprit(entry: Entry, field: str | int | None) -> Change:
    """The last change of a field, or else of the entry."""
    of_field = [change for change in entry.changes if field in change.fields]
    return (of_field or entry.changes)[-1]
