"""Folders in compendiums: by kind of entry, and one for each skirmish, which says who is in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.exports.foundry.documents import Document, document_id, entry_flags, finished, pack_flags
from fracas.exports.foundry.sheets import KIND
from fracas.exports.readable import plain, plural
from fracas.packs.entries import Entry, Pack
from fracas.packs.library import RulesetPacks

SKIRMISH = "skirmish"

_ORDER = 100
"""Between the places of two folders, so that people can put others between them."""


def by_kind(pack: Pack, kinds: Iterable[str]) -> list[Document]:
    """A folder of items for each of these kinds that the pack has entries of."""
    there = {entry.kind for entry in pack.entries}
    found = [(kind_folder(pack, kind), plural(kind).capitalize()) for kind in kinds if kind in there]
    return [
        _folder("Item", id, name, at, pack_flags(pack, f"{pack.id}:{name.lower()}"))
        for at, (id, name) in enumerate(found)
    ]


def kind_folder(pack: Pack, kind: str) -> str:
    """The id of the folder of a kind of items."""
    return document_id("Folder", f"{pack.id}:{plural(kind)}")


# --- Actors -------------------------------------------------------------------------------------------------

GROUPS = {"players": "Player characters", "others": "Other combatants", "machines": "Machines and vehicles"}
"""Folders of combatants that are in no skirmish."""


def skirmishes(pack: Pack) -> list[Entry]:
    """The ready-made fights of a pack."""
    return [entry for entry in pack.entries if entry.kind == SKIRMISH]


def group_folder(pack: Pack, group: str) -> str:
    """The id of the folder of one of GROUPS."""
    return document_id("Folder", f"{pack.id}:{group}")


def skirmish_folder(skirmish: Entry) -> str:
    """The id of the folder of a skirmish."""
    return document_id("Folder", skirmish.id)


def of_actors(pack: Pack, packs: RulesetPacks, used: Iterable[str]) -> list[Document]:
    """A folder for each skirmish, and those of GROUPS whose ids are in ``used``.

    The flag ``skirmish`` has what the module needs to place it on a scene: see `_placed`.
    """
    kept = set(used)
    made = [
        (skirmish_folder(entry), plain(entry.label), entry_flags(pack, entry, skirmish=_placed(entry, packs)))
        for entry in skirmishes(pack)
    ]
    made += [
        (id, name, pack_flags(pack, f"{pack.id}:{group}"))
        for group, name in GROUPS.items()
        for id in [group_folder(pack, group)]
        if id in kept
    ]
    return [_folder("Actor", id, name, at, flags) for at, (id, name, flags) in enumerate(made)]


def _placed(skirmish: Entry, packs: RulesetPacks) -> dict[str, Any]:
    """Who is in a skirmish, by the ids of actors, and the distance between the sides in metres."""
    situation = skirmish.data.get("situation", {})
    return {
        "description": plain(skirmish.data.get("description")),
        "distance": situation.get("distance", 0),
        "combatants": [
            {
                "actor": document_id("Actor", known.id),
                "name": plain(one.get("name") or known.label),
                "side": one["side"],
                "count": one.get("count", 1),
                "player": bool(one.get("player")),
            }
            for one in skirmish.data["combatants"]
            for known in [packs.entry(KIND, one["combatant"])]
            if known
        ],
    }


def _folder(type: str, id: str, name: str, at: int, flags: Mapping[str, Any]) -> Document:
    document = {
        "_id": id,
        "name": name,
        "type": type,
        "description": "",
        "sorting": "m",
        "sort": at * _ORDER,
        "color": None,
    }
    return finished("Folder", document, flags)
