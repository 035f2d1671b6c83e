"""Weapons, armor and actions as Items of the game systems that play their ruleset in Foundry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from fracas.exports.foundry import dark_heresy, shadowrun4e, shadowrun5e, swnr
from fracas.exports.foundry.documents import Document, document_id, entry_flags, finished
from fracas.exports.foundry.pages import page_html
from fracas.exports.readable import plain
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import Shelf

Builder: TypeAlias = Callable[[Entry, Shelf, str], tuple[str, dict[str, Any]]]
"""Makes type and ``system`` of an item of an entry, the other entries of its ruleset, and its description as HTML."""


class System(NamedTuple):
    """A game system of Foundry.

    Attributes:
        ruleset: whose entries it plays.
        builders: by kind of entry.
    """

    id: str
    label: str
    ruleset: str
    builders: Mapping[str, Builder]


SYSTEMS = {
    system.id: system
    for system in (
        System("shadowrun4e", "Shadowrun 4", "sr4", shadowrun4e.BUILDERS),
        System("shadowrun5e", "Shadowrun 5", "sr5", shadowrun5e.BUILDERS),
        System("swnr", "Systems Without Number", "cwn", swnr.BUILDERS),
        System("dark-heresy", "Dark Heresy 2", "imperium", dark_heresy.BUILDERS),
    )
}
"""The systems that items are made for."""

_ICONS = {
    "weapon": "icons/svg/sword.svg",
    "armor": "icons/svg/shield.svg",
    "action": "icons/svg/lightning.svg",
}
_AIMED, _EXPLODES = "icons/svg/target.svg", "icons/svg/explosion.svg"
_FAR = frozenset({"magazine", "medium", "modes", "range", "range_normal"})
"""Fields of weapons that reach farther than an arm."""


def system_of(ruleset: str) -> System | None:
    """The game system that plays a ruleset, if there is one."""
    return next((system for system in SYSTEMS.values() if system.ruleset == ruleset), None)


def items(pack: Pack, shelf: Shelf, system: System) -> list[Document]:
    """The items of a pack's entries for a game system that plays the pack's ruleset."""
    return [
        _item(pack, entry, shelf, system)
        for kind in system.builders
        for entry in pack.entries
        if entry.kind == kind
    ]


def _item(pack: Pack, entry: Entry, shelf: Shelf, system: System) -> Document:
    description = page_html(entry, pack.manifest.ruleset)
    type, data = system.builders[entry.kind](entry, shelf, description)
    document = {
        "_id": document_id("Item", entry.id),
        "name": plain(entry.label),
        "type": type,
        "img": _picture(entry),
        "system": data,
        "effects": [],
    }
    return finished("Item", document, entry_flags(pack, entry), system.id)


def _picture(entry: Entry) -> str:
    """One of Foundry's own pictures: an explosion, a target, a sword, a shield."""
    if entry.kind != "weapon":
        return _ICONS[entry.kind]
    data = entry.data
    if "blast" in data or "grenade" in (data.get("type"), data.get("category")):
        return _EXPLODES
    return _AIMED if _FAR & set(data) else _ICONS["weapon"]
