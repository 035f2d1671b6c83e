"""Weapons, armor and actions as Items of the game systems that play their ruleset in Foundry."""

from __future__ import annotations

from fracas.exports.foundry.documents import Document, document_id, entry_flags, finished
from fracas.exports.foundry.folders import kind_folder
from fracas.exports.foundry.icons import icon
from fracas.exports.foundry.pages import page_html
from fracas.exports.foundry.systems import System
from fracas.exports.readable import plain
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import RulesetPacks


def items(pack: Pack, packs: RulesetPacks, system: System) -> list[Document]:
    """The items of a pack's entries for a game system that plays the pack's ruleset."""
    return [
        _item(pack, entry, packs, system)
        for kind in system.builders
        for entry in pack.entries
        if entry.kind == kind
    ]


def _item(pack: Pack, entry: Entry, packs: RulesetPacks, system: System) -> Document:
    document = {
        "_id": document_id("Item", entry.id),
        **item_fields(entry, packs, system),
        "effects": [],
        "folder": kind_folder(pack, entry.kind),
    }
    return finished("Item", document, entry_flags(pack, entry), system.stamp)


def item_fields(entry: Entry, packs: RulesetPacks, system: System) -> Document:
    """Name, type, picture and ``system`` of the item of an entry."""
    type, data = system.builders[entry.kind](entry, packs, page_html(entry, system.ruleset))
    return {"name": plain(entry.label), "type": type, "img": icon(entry), "system": data}
