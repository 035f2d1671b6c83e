"""Combatants as Actors of the game systems that play their ruleset in Foundry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.exports.foundry.documents import (
    Document,
    document_id,
    embedded,
    entry_flags,
    finished,
    stats,
)
from fracas.exports.foundry.folders import SKIRMISH, group_folder, skirmish_folder, skirmishes
from fracas.exports.foundry.icons import DEVICE, SKILL, icon
from fracas.exports.foundry.items import item_fields
from fracas.exports.foundry.pages import page_html
from fracas.exports.foundry.sheets import KIND, Gear, Trait, is_machine, item_id, merged
from fracas.exports.foundry.systems import System
from fracas.exports.readable import plain
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import RulesetPacks
from fracas.packs.schemas import installed

_FRIENDLY, _HOSTILE = 1, -1
_OF_PLAYERS = frozenset({"runner"})
"""Tags of combatants that players play."""


def actors(pack: Pack, packs: RulesetPacks, system: System) -> list[Document]:
    """An actor for each combatant of a pack, in the folder of the first skirmish of the pack that it is in."""
    played = set(_of_players(packs))
    fighting = {
        one["combatant"]: skirmish_folder(entry)
        for entry in reversed(skirmishes(pack))
        for one in entry.data["combatants"]
    }
    found = []
    for entry in pack.entries:
        if entry.kind == KIND:
            friendly = entry.slug in played
            group = "machines" if is_machine(entry) else "players" if friendly else "others"
            folder = fighting.get(entry.slug) or group_folder(pack, group)
            found.append(_actor(pack, entry, packs, system, folder, friendly))
    return found


def _of_players(packs: RulesetPacks) -> Iterator[str]:
    """Combatants that a skirmish gives to players, that have levels, or that are tagged as theirs."""
    for entry in packs.entries(SKIRMISH):
        yield from (one["combatant"] for one in entry.data["combatants"] if one.get("player"))
    for entry in packs.entries(KIND):
        if "level" in entry.data or _OF_PLAYERS & set(entry.meta.get("tags", ())):
            yield entry.slug


def _joining(entry: Entry, packs: RulesetPacks) -> Entry:
    """A combatant with what follows from its entry as it joins a fight, such as the attributes of a spirit."""
    found = installed().get(packs.ruleset)
    turns = found.load().turns if found else None
    if turns is None:
        return entry
    options = {id: setting.history[-1][1] for id, setting in packs.settings.items()}
    return entry._replace(data=dict(turns.arriving(entry.data, {"use": entry.slug}, packs, options)))


def _actor(
    pack: Pack, entry: Entry, packs: RulesetPacks, system: System, folder: str, friendly: bool
) -> Document:
    sheet = system.sheet(_joining(entry, packs), packs, page_html(entry, system.ruleset))
    id, name, picture = document_id("Actor", entry.id), plain(entry.label), icon(entry)
    document = {
        "_id": id,
        "name": name,
        "type": sheet.type,
        "img": picture,
        "system": sheet.system,
        "items": [
            *(_geared(entry, each, packs, system) for each in sheet.gear),
            *(_trait(pack, entry, each, system) for each in sheet.traits),
        ],
        "effects": [],
        "prototypeToken": {
            "name": name,
            "actorLink": False,
            "appendNumber": not friendly,
            "disposition": _FRIENDLY if friendly else _HOSTILE,
            "texture": {"src": picture},
        },
        "folder": folder,
    }
    return finished("Actor", document, entry_flags(pack, entry), system.stamp)


def _geared(actor: Entry, gear: Gear, packs: RulesetPacks, system: System) -> Document:
    """The item of an entry on an actor. It is identified by the entry's name in attacks, as that of the compendium
    is."""
    fields = item_fields(gear.entry, packs, system)
    fields["system"] = merged(fields["system"], gear.changes)
    pack = next(each for each in packs.packs if each.id == gear.entry.pack)
    return _item(item_id(actor, gear.entry.id), fields, entry_flags(pack, gear.entry), system)


def _trait(pack: Pack, actor: Entry, trait: Trait, system: System) -> Document:
    fields = {
        "name": trait.name,
        "type": trait.type,
        "img": DEVICE if trait.type == "device" else SKILL,
        "system": trait.system,
    }
    flags = entry_flags(pack, actor, trait=trait.key)
    return _item(item_id(actor, trait.key), fields, flags, system)


def _item(id: str, fields: Mapping[str, Any], flags: Mapping[str, Any], system: System) -> Document:
    document = {"_id": id, **fields, "effects": [], "folder": None, "sort": 0, "_stats": stats(system.stamp)}
    return embedded(document, flags)
