"""Pack manifests and entries as typed values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

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
    "examples": "example",
}
"""Folder or file of a pack, and the kind of its entries."""

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
META = frozenset(
    {"slug", "replace", "expects", "label", "source", "provenance", "notes", "tags", "renamed_from", "confidence"}
)
"""Fields that every entry may have; all others are the entry's data."""


class Entry(NamedTuple):
    """One entry of a pack.

    Attributes:
        id: ``pack:kind/slug``.
        data: everything the entry says beyond what all entries have.
        meta: source, provenance and notes.
        place: ``file:line:column`` of the entry, for messages.
    """

    id: str
    kind: str
    slug: str
    label: str
    pack: str
    data: Mapping[str, Any]
    meta: Mapping[str, Any]
    place: str


class HouseRule(NamedTuple):
    """An option of a ruleset: a house rule with its default.

    Attributes:
        type: ``flag``, ``choice`` (one of `choices`) or ``whole``.
    """

    id: str
    type: str
    default: Any
    label: str
    doc: str = ""
    choices: tuple[str, ...] = ()


class Manifest(NamedTuple):
    """What a pack says of itself."""

    id: str
    title: str
    version: str
    schema_version: int
    ruleset: str
    status: str
    options: tuple[HouseRule, ...]
    caps: Mapping[str, int]
    raw: Mapping[str, Any]


class Pack(NamedTuple):
    """A loaded pack.

    Attributes:
        entries: in the order of the files.
        digest: SHA-256 of all its files, in hexadecimal.
    """

    manifest: Manifest
    entries: tuple[Entry, ...]
    digest: str
    folder: Path
