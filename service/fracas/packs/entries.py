"""Pack manifests and entries as typed values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from fracas._former_names import formerly, in_module
from fracas.errors import Problem
from fracas.packs.yaml_source import Located

KINDS = {
    "actions": "action",
    "modifiers": "modifier",
    "weapons": "weapon",
    "armor": "armor",
    "ammunition": "ammunition",
    "mods": "mod",
    "ranges": "range",
    "augmentations": "augmentation",
    "drugs": "drug",
    "metatypes": "metatype",
    "traits": "trait",
    "powers": "power",
    "vehicles": "vehicle",
    "conditions": "condition",
    "tables": "table",
    "combatants": "combatant",
    "skirmishes": "skirmish",
    "examples": "example",
}
"""Folder or file of a pack, and the kind of its entries."""

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
META = frozenset(
    {
        "slug",
        "replace",
        "expects",
        "label",
        "source",
        "provenance",
        "notes",
        "tags",
        "renamed_from",
        "confidence",
    }
)
"""Fields that every entry may have; all others are the entry's data."""

LAYERS = ("core", "errata", "house", "table")
"""In this order packs build on each other, where their requirements leave a choice."""

FieldPath = Sequence[str | int]
"""Keys and list indexes, from the entry."""


class Location(NamedTuple):
    """Where something stands in a file of a pack."""

    located: Located
    path: tuple[str | int, ...]

    def text(self, path: FieldPath = (), *, of_key: bool = False) -> str:
        """``file:line:column`` of it, or of a part of it."""
        line, column = self.located.position((*self.path, *path), of_key=of_key)
        return f"{self.located.name}:{line}:{column}"

    def start(self) -> tuple[int, int]:
        """Line and column at which it begins."""
        return self.located.position(self.path)

    def end(self) -> tuple[int, int]:
        """Line and column of the last thing in it: a key or a value."""
        value = self.located.data
        for step in self.path:
            value = value[step]
        return max(_places(self.located, self.path, value))


def _places(located: Located, path: tuple[str | int, ...], value: Any) -> Iterator[tuple[int, int]]:
    """Where a value begins, and every key and value in it."""
    yield located.position(path)
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield located.position((*path, step), of_key=True)
        yield from _places(located, (*path, step), part)


@formerly(spot="location", place="text")
class Change(NamedTuple):
    """What a layer did to another pack's entry.

    Attributes:
        pack: the layer.
        fields: what it set or unset.
        before: the values that these fields had; those they did not have are missing.
        unset: what it took away, as the patch lists it.
    """

    pack: str
    how: Literal["patch", "replace"]
    fields: frozenset[str]
    before: Mapping[str, Any]
    location: Location
    unset: tuple[str, ...] = ()

    def text(self, path: FieldPath = (), *, of_key: bool = False) -> str:
        """``file:line:column`` of where it states a part of the entry."""
        if self.how == "replace" or not path:
            return self.location.text(path, of_key=of_key)
        if path[0] in self.unset:
            return self.location.text(("unset", self.unset.index(str(path[0]))))
        return self.location.text(("set", *path), of_key=of_key)


@formerly(spot="location", place_of="location_of")
class Entry(NamedTuple):
    """One entry of a pack.

    Attributes:
        id: ``pack:kind/slug``.
        data: everything the entry says beyond what all entries have.
        meta: source, provenance and notes.
        location: where its pack states it.
        changes: what layers did to it, the last one last.
    """

    id: str
    kind: str
    slug: str
    label: str
    pack: str
    data: Mapping[str, Any]
    meta: Mapping[str, Any]
    location: Location
    changes: tuple[Change, ...] = ()

    @property
    def place(self) -> str:
        """``file:line:column`` of the entry, for messages."""
        return self.location.text()

    def location_of(self, path: FieldPath, *, of_key: bool = False) -> str:
        """``file:line:column`` of a part, in the file of the layer that set it."""
        change = self._setter(path)
        return (self.location if change is None else change).text(path, of_key=of_key)

    def author_of(self, path: FieldPath) -> str:
        """Id of the pack that set a part."""
        change = self._setter(path)
        return self.pack if change is None else change.pack

    def _setter(self, path: FieldPath) -> Change | None:
        change: Change
        for change in reversed(self.changes):
            if change.how == "replace" or (path and path[0] in change.fields):
                return change
        return None


@formerly(spot="location")
class Operation(NamedTuple):
    """What a pack wants done to another pack's entry.

    Attributes:
        target: id of the entry.
        kind: kind of the file that says so.
        expects: values that the target must have.
        values: of a patch, what to set; of a replacement, the whole entry.
        unset: fields to take away.
        source: where the change comes from.
    """

    how: Literal["patch", "replace", "remove"]
    target: str
    kind: str
    pack: str
    expects: Mapping[str, Any]
    values: Mapping[str, Any]
    unset: tuple[str, ...]
    source: Any
    location: Location


class HouseRule(NamedTuple):
    """An option of a ruleset: a house rule with its default.

    Attributes:
        type: ``flag``, ``choice`` (one of `choices`) or ``whole``.
        former: what choices were called before, which is accepted in their place.
        about: where the rule stands and how sure its default is: ``source``, ``provenance``, ``confidence``.
        labels: what people call the choices.
    """

    id: str
    type: str
    default: Any
    label: str
    doc: str = ""
    choices: tuple[str, ...] = ()
    former: Mapping[str, str] = {}
    about: Mapping[str, Any] = {}
    labels: Mapping[str, str] = {}

    def shown(self, value: Any) -> str:
        """A value in people's words: the label of a choice, or the choice itself where a pack gives it none."""
        if isinstance(value, bool):
            return "on" if value else "off"
        return self.labels.get(value) or str(value).replace("-", " ").replace("_", " ")

    def current(self, value: Any) -> Any:
        """A value as it is called now."""
        return self.former.get(value, value) if isinstance(value, str) else value


class Other(NamedTuple):
    """Another pack, and which of its versions are meant: ``>=0.1,<1``, or "" for any."""

    id: str
    versions: str = ""


@formerly(spot="location")
class Manifest(NamedTuple):
    """What a pack says of itself."""

    id: str
    title: str
    version: str
    schema_version: int
    ruleset: str
    status: str
    options: tuple[HouseRule, ...]
    caps: Mapping[str, int | str]
    raw: Mapping[str, Any]
    location: Location
    layer: str = "core"
    requires: tuple[Other, ...] = ()
    conflicts: tuple[Other, ...] = ()
    option_defaults: Mapping[str, Any] = {}


class Pack(NamedTuple):
    """A loaded pack.

    Attributes:
        entries: its own, in the order of the files; in a library, as layers left them.
        operations: what it does to other packs' entries.
        digest: SHA-256 of all its files, in hexadecimal.
        label: what messages call its folder.
        folder: where it lies; None for an upload.
        left_out: entries that are not among `entries` for faults of their structure.
        attached: files that hold no entries by their paths in the pack, see `packs.attached`.
    """

    manifest: Manifest
    entries: tuple[Entry, ...]
    operations: tuple[Operation, ...]
    digest: str
    label: str
    folder: Path | None = None
    left_out: tuple[Entry, ...] = ()
    attached: Mapping[str, Located] = {}

    @property
    def id(self) -> str:
        return self.manifest.id


NAMELESS = "*"
"""Stands for the slug of an entry that is left out and whose slug is unknown."""


def is_left_out(faulty: Collection[tuple[str, str]], kind: str, slug: str) -> bool:
    """Whether an entry of this name may be among those that are left out for their faults: kinds and slugs."""
    return (kind, slug) in faulty or (kind, NAMELESS) in faulty


class Fault(NamedTuple):
    """A problem, and the pack that has it."""

    pack: str
    problem: Problem


if not TYPE_CHECKING:
    __getattr__ = in_module(__name__, Spot="Location")
