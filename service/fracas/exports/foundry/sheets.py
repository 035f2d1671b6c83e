"""Combatants as the sheets of game systems hold them: what each system's module makes, before it becomes an Actor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.exports.foundry.documents import document_id
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks

KIND = "combatant"


class Gear(NamedTuple):
    """The item of an entry that an actor has.

    Attributes:
        changes: values of the item's ``system`` that differ on this actor, nested.
    """

    entry: Entry
    changes: Mapping[str, Any]


class Trait(NamedTuple):
    """An item that an actor has and that is of no entry, such as a skill.

    Attributes:
        key: unlike that of any other item of the actor.
        system: its ``system``.
    """

    key: str
    name: str
    type: str
    system: Mapping[str, Any]


class Sheet(NamedTuple):
    """A combatant as a game system keeps an actor.

    Attributes:
        type: of the actor.
        system: its ``system``, without what the system works out.
    """

    type: str
    system: Mapping[str, Any]
    gear: tuple[Gear, ...]
    traits: tuple[Trait, ...] = ()


def item_id(actor: Entry, key: str) -> str:
    """The id of an item on the actor of an entry, by the entry or the key that it is made of."""
    return document_id("Item", f"{actor.id} {key}")


def carried(combatant: Entry, packs: RulesetPacks, kind: str) -> Iterator[tuple[Entry, int]]:
    """The entries of a kind that a combatant has, ``weapon`` or ``armor``, each with how many; no entry twice.

    Of things that are used up (``carried``) those of the kind count too. Names that no entry has are left out.
    """
    field = {"weapon": "weapons", "armor": "armor"}[kind]
    counts: dict[str, int] = dict.fromkeys(combatant.data.get(field, ()), 1)
    counts |= combatant.data.get("carried", {})
    found = {}
    for name, count in counts.items():
        entry = packs.entry(kind, name)
        if entry is not None:
            found[entry.id] = entry, count
    yield from found.values()


def is_machine(combatant: Entry) -> bool:
    """Whether a combatant is a machine: a robot, a drone or a vehicle."""
    data = combatant.data
    return bool(data.get("machine") or data.get("vehicle") or "hull" in data)


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested values with others in their place."""
    made = dict(base)
    for name, value in changes.items():
        below = made.get(name)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        made[name] = merged(below or {}, value) if both else value
    return made
