"""References from entry to entry, and from entries to their sources: where each must lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from fracas.errors import Problem, suggestion
from fracas.packs.entries import Entry, Fault, Pack, is_left_out
from fracas.packs.library import Library
from fracas.packs.schemas import entry_kinds, folder_of, names, schema

_OTHER_NAMES = {
    "drones": "vehicle",
    "edges": "trait",
    "fits": "weapon",
    "calls_for": "action",
    "counterpart": "condition",
    "covers": "condition",
    "forbids": "action",
    "inside": "condition",
    "like": "weapon",
    "mounted_on": "weapon",
    "outlasts": "action",
    "removes": "condition",
    "saved": "condition",
    "suppresses": "modifier",
    "then": "condition",
    "unrested": "weapon",
}
"""Kinds of fields that are not called after what they refer to."""

_REFERENCES = ("common.schema.json#/$defs/reference", "common.schema.json#/$defs/slug")


@cache
def reference_fields(ruleset: str, kind: str) -> Mapping[tuple[str, ...], str]:
    """The fields of entries of a kind (``weapon``) that name other entries, and the kind that each names.

    Keys from the entry on: ``("range",)``, ``("blast", "like")``. Taken from the JSON Schemas, so that a field is
    declared in one place.
    """
    folder = folder_of(kind)
    frame = schema(f"{folder}.schema.json")
    if f"{kind}-fields" not in frame["$defs"]:
        if f"{ruleset}.schema.json" not in names():  # the package of the ruleset is not installed
            return {}
        frame = schema(f"{ruleset}.schema.json")
    return dict(_referring(frame["$defs"].get(f"{kind}-fields", {}), frame))


def _referring(part: Mapping[str, Any], frame: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, field in part.get("properties", {}).items():
        inner = _followed(field, frame)
        items = _followed(inner.get("items", {}), frame)
        if inner.get("$ref") in _REFERENCES or items.get("$ref") in _REFERENCES:
            yield (name,), inner.get("x-entry-kind") or items.get("x-entry-kind") or kind_named(name)
        else:
            for record in (inner, items):
                yield from (((name, *path), kind) for path, kind in _referring(record, frame))


def _followed(part: Mapping[str, Any], frame: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference within the same file stands for."""
    while str(part.get("$ref", "")).startswith("#/"):
        target: Any = frame
        for step in part["$ref"][2:].split("/"):
            target = target[step]
        part = target
    return part


def kind_named(field: str) -> str:
    """The kind of entry that a field of this name refers to."""
    if field in _OTHER_NAMES:
        return _OTHER_NAMES[field]
    return entry_kinds().get(field) or field.rsplit("_", 1)[-1]


def reference_faults(library: Library, faulty: frozenset[tuple[str, str]] = frozenset()) -> Iterator[Fault]:
    """Every reference that leads nowhere, to a pack that is not required, or to an undeclared source.

    Args:
        faulty: kind and slug of entries that exist but are left out: references to them pass.
    """
    seen: set[Fault] = set()
    for fault in _faults(library, faulty):
        if fault not in seen:  # the source of a replacement is that of the change and of the entry
            seen.add(fault)
            yield fault


def _faults(library: Library, faulty: frozenset[tuple[str, str]]) -> Iterator[Fault]:
    for pack in library.packs.values():
        yield from _double_sources(pack)
        sources = {
            author: _sources(library, author)
            for author in {pack.id, *(change.pack for entry in pack.entries for change in entry.changes)}
        }
        for entry in (*pack.entries, *pack.left_out):
            yield from _entry_faults(library, pack.manifest.ruleset, entry, faulty)
            yield from _source_faults(entry, sources)
        for operation in pack.operations:
            ref = operation.source.get("ref") if isinstance(operation.source, Mapping) else None
            if isinstance(ref, str) and ref not in _sources(library, pack.id):
                yield _unknown_source(
                    pack.id, operation.location.text(("source", "ref")), ref, _sources(library, pack.id)
                )


def _entry_faults(
    library: Library, ruleset: str, entry: Entry, faulty: frozenset[tuple[str, str]]
) -> Iterator[Fault]:
    for fields, kind in reference_fields(ruleset, entry.kind).items():
        for path, name in _named(entry.data, fields):
            author = entry.author_of(path)
            found = library.ruleset_packs(ruleset).entry(kind, name)
            if found is not None:
                if found.pack != author and found.pack not in library.below[author]:
                    message = f"{found.id} is of a pack that {author} does not require"
                    hint = "add it to 'requires' in pack.yaml"
                    yield Fault(author, Problem(entry.location_of(path), "not-required", message, hint))
            elif not (is_left_out(faulty, kind, name.rpartition("/")[2]) or author in library.incomplete):
                yield _lost(library, ruleset, entry, path, kind, name)


def _lost(
    library: Library, ruleset: str, entry: Entry, path: tuple[str | int, ...], kind: str, name: str
) -> Fault:
    """The fault of the layer that removed the target, or of the one that named it."""
    author, place = entry.author_of(path), entry.location_of(path)
    end = name if ":" in name else f":{kind}/{name}"
    removal = next(
        (
            operation
            for id, operation in library.removed.items()
            if id.endswith(end) and library.packs[operation.pack].manifest.ruleset == ruleset
        ),
        None,
    )
    if removal is not None and removal.pack != author and removal.pack not in library.below[author]:
        message = f"{entry.id} needs {removal.target}: its {path[0]} names it, at {place}"
        return Fault(removal.pack, Problem(removal.location.text(("remove",)), "still-needed", message))
    if removal is not None:
        who = "this pack" if removal.pack == author else removal.pack
        message = f"{who} has removed the {kind} {name!r}, at {removal.location.text()}"
        return Fault(author, Problem(place, "unknown-reference", message))
    hint = suggestion(name, library.ruleset_packs(ruleset).names(kind))
    return Fault(author, Problem(place, "unknown-reference", f"there is no {kind} {name!r}", hint))


def _named(
    value: Any, fields: Sequence[str], path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The names under these keys, in lists too, each with its path."""
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from _named(item, fields, (*path, at))
    elif fields:
        if isinstance(value, Mapping) and fields[0] in value:
            yield from _named(value[fields[0]], fields[1:], (*path, fields[0]))
    elif isinstance(value, str):
        yield path, value


def _double_sources(pack: Pack) -> Iterator[Fault]:
    raw = pack.manifest.raw.get("sources")
    known: set[str] = set()
    for at, item in enumerate(raw if isinstance(raw, list) else ()):
        id = item.get("id") if isinstance(item, Mapping) else None
        if isinstance(id, str):
            if id in known:
                place = pack.manifest.location.text(("sources", at, "id"))
                message, hint = f"the source {id!r} is listed already", "keep one of them"
                yield Fault(pack.id, Problem(place, "duplicate-source", message, hint))
            known.add(id)


def _sources(library: Library, pack: str) -> frozenset[str]:
    raw = library.packs[pack].manifest.raw.get("sources")
    items = raw if isinstance(raw, list) else []
    return frozenset(
        item["id"] for item in items if isinstance(item, Mapping) and isinstance(item.get("id"), str)
    )


def _source_faults(entry: Entry, sources: Mapping[str, frozenset[str]]) -> Iterator[Fault]:
    source = entry.meta.get("source")
    ref = source.get("ref") if isinstance(source, Mapping) else None
    author = entry.author_of(("source", "ref"))
    if isinstance(ref, str) and ref not in sources[author]:
        yield _unknown_source(author, entry.location_of(("source", "ref")), ref, sources[author])


def _unknown_source(pack: str, place: str, ref: str, known: frozenset[str]) -> Fault:
    message = f"{pack} lists no source {ref!r}"
    return Fault(pack, Problem(place, "unknown-source", message, suggestion(ref, known)))
