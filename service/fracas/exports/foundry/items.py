"""Weapons, armor and actions as Items of the game systems that play their ruleset in Foundry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from fracas.exports.foundry import dark_heresy, shadowrun4e, shadowrun5e, swnr
from fracas.exports.foundry.documents import Document, document_id, entry_flags, finished
from fracas.exports.foundry.folders import kind_folder
from fracas.exports.foundry.icons import icon
from fracas.exports.foundry.pages import page_html
from fracas.exports.foundry.sheets import Sheet
from fracas.exports.readable import plain
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import Shelf

Builder: TypeAlias = Callable[[Entry, Shelf, str], tuple[str, dict[str, Any]]]
"""Makes type and ``system`` of an item of an entry, the other entries of its ruleset, and its description as HTML."""


SheetBuilder: TypeAlias = Callable[[Entry, Shelf, str], Sheet]
"""Makes the sheet of a combatant of the other entries of its ruleset, and its description as HTML."""


class System(NamedTuple):
    """A game system of Foundry.

    Attributes:
        version: the one whose form its documents have.
        ruleset: whose entries it plays.
        builders: of items, by kind of entry.
        sheet: of actors.
    """

    id: str
    version: str
    label: str
    ruleset: str
    builders: Mapping[str, Builder]
    sheet: SheetBuilder

    @property
    def stamp(self) -> tuple[str, str]:
        """Id and version, as documents have them."""
        return self.id, self.version


SYSTEMS = {
    system.id: system
    for system in (
        System("shadowrun4e", "1.22.0", "Shadowrun 4", "sr4", shadowrun4e.BUILDERS, shadowrun4e.combatant),
        System("shadowrun5e", "0.36.2", "Shadowrun 5", "sr5", shadowrun5e.BUILDERS, shadowrun5e.combatant),
        System("swnr", "2.3.0", "Systems Without Number", "cwn", swnr.BUILDERS, swnr.combatant),
        System(
            "dark-heresy",
            "4.4.0.1",
            "Dark Heresy 2",
            "imperium",
            dark_heresy.BUILDERS,
            dark_heresy.combatant,
        ),
    )
}
"""The systems that items and actors are made for."""


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
    document = {
        "_id": document_id("Item", entry.id),
        **item_fields(entry, shelf, system),
        "effects": [],
        "folder": kind_folder(pack, entry.kind),
    }
    return finished("Item", document, entry_flags(pack, entry), system.stamp)


def item_fields(entry: Entry, shelf: Shelf, system: System) -> Document:
    """Name, type, picture and ``system`` of the item of an entry."""
    type, data = system.builders[entry.kind](entry, shelf, page_html(entry, system.ruleset))
    return {"name": plain(entry.label), "type": type, "img": icon(entry), "system": data}
