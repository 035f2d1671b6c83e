"""Where each field of an entry comes from: which pack set it, in which line, and what it was before."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from fracas.errors import UnknownNameError, suggestion
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.yaml_writing import flow

_LONGEST = 60


class Setting(NamedTuple):
    """One value that a field had.

    Attributes:
        value: None where the field was taken away.
        place: ``file:line:column``.
    """

    value: Any
    pack: str
    place: str

    @property
    def shown(self) -> str:
        """The value on one short line, as a pack may write it."""
        if self.value is None:
            return "(unset)"
        text = " ".join(self.value.split()) if isinstance(self.value, str) else flow(self.value)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


class Removal(NamedTuple):
    """The layer that took the entry away."""

    pack: str
    place: str


class Origins(NamedTuple):
    """The history of an entry.

    Attributes:
        fields: for each field its values, the present one last.
        removed: None if the entry is still there.
        about: its source, and how sure it is, as its pack says.
    """

    id: str
    label: str
    fields: Mapping[str, tuple[Setting, ...]]
    removed: Removal | None = None
    about: Mapping[str, Any] = MappingProxyType({})

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "label": self.label,
            "removed": self.removed and self.removed._asdict(),
            "fields": {
                field: [setting._asdict() for setting in found] for field, found in self.fields.items()
            },
        }


def origins(library: Library, id: str) -> Origins:
    """The history of an entry, also of a removed one, or of a house rule (``pack:option/name``).

    Raises:
        UnknownNameError: there is no such entry.
    """
    owner, _, name = id.partition(":")
    kind, _, slug = name.partition("/")
    if owner in library.packs and kind == "option":
        settings = library.ruleset_packs(library.packs[owner].manifest.ruleset).settings
        if slug in settings and settings[slug].history[0][0] == owner:
            rule, history = settings[slug]
            values = tuple(Setting(value, pack, place) for pack, value, place in history)
            return Origins(id, rule.label, {"default": values}, about=rule.about)
        known = [f"{owner}:option/{each}" for each in settings]
        raise UnknownNameError.one("", "unknown-option", f"no option {id!r}", suggestion(id, known))
    entry = library.entry(id)
    if entry is not None:
        return Origins(entry.id, entry.label, _history(entry), about=entry.meta)
    if id in library.removed:
        operation = library.removed[id]
        return Origins(id, "", {}, Removal(operation.pack, operation.location.text(("remove",))))
    everything = [entry.id for pack in library.packs.values() for entry in pack.entries]
    for pack in library.packs.values():
        everything += [f"{pack.id}:option/{rule.id}" for rule in pack.manifest.options]
    raise UnknownNameError.one("", "unknown-entry", f"no entry {id!r}", suggestion(id, everything))


def _history(entry: Entry) -> dict[str, tuple[Setting, ...]]:
    now = {**{name: value for name, value in entry.meta.items() if name != "slug"}, **entry.data}
    names = list(now) + [name for change in entry.changes for name in change.before if name not in now]
    found: dict[str, tuple[Setting, ...]] = {}
    for field in dict.fromkeys(names):
        settings: list[Setting] = []
        value, at = now.get(field), len(entry.changes)
        while at >= 0:  # from the present value back to the first
            at = next((back for back in range(at - 1, -1, -1) if field in entry.changes[back].fields), -1)
            owner = entry._replace(changes=entry.changes[: at + 1])
            if value is not None or at >= 0:
                settings.append(Setting(value, owner.author_of((field,)), owner.location_of((field,))))
            if at >= 0:
                value = entry.changes[at].before.get(field)
        found[field] = tuple(reversed(settings))
    return found
