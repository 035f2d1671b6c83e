"""What comes of a file of another program: fields of a combatant, and an account of all that was in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.vocabulary import EntryLookup, PackEntry

_PARENTHESES = re.compile(r"\([^)]*\)")
_SIGNS = re.compile(r"[^a-z0-9]+")


class Understood(NamedTuple):
    """Something of the file that became a field: ``Agility 5 (AGI)`` is ``agility``."""

    what: str
    field: str
    value: Any


class Left(NamedTuple):
    """Something of the file that has no place, and why."""

    what: str
    why: str


class Imported(NamedTuple):
    """A combatant that a file describes.

    Attributes:
        ruleset: which it is for.
        fields: as a command ``join`` takes them.
        weapons: slugs of the packs, the first one ready.
    """

    name: str
    ruleset: str
    fields: Mapping[str, Any]
    weapons: Sequence[str]
    understood: Sequence[Understood]
    left: Sequence[Left]


def plain_name(text: str) -> str:
    """A name as other programs may write it a little differently: small letters and digits, without what stands in
    parentheses."""
    return _SIGNS.sub("-", _PARENTHESES.sub(" ", text).casefold()).strip("-")


class EntriesByName:
    """Entries of the packs by the names that people know them by."""

    def __init__(self, lookup: EntryLookup) -> None:
        self._lookup = lookup
        self._known: dict[str, dict[str, PackEntry]] = {}

    def find(self, kinds: Iterable[str], name: str) -> PackEntry | None:
        """The first entry of these kinds whose label or slug is this name, but for signs; without what stands in
        parentheses if need be."""
        written = (_SIGNS.sub("-", name.casefold()).strip("-"), plain_name(name))
        for kind in kinds:
            known = self._of(kind)
            for wanted in written:
                if wanted and wanted in known:
                    return known[wanted]
        return None

    def _of(self, kind: str) -> Mapping[str, PackEntry]:
        if kind not in self._known:
            entries = self._lookup.entries(kind)
            by_slug = {entry.slug: entry for entry in entries}
            self._known[kind] = by_slug | {plain_name(entry.label): entry for entry in entries}
        return self._known[kind]
