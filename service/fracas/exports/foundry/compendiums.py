"""The compendiums of a pack: what each holds, and for which game system."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from fracas.exports.foundry.actors import actors
from fracas.exports.foundry.documents import Document
from fracas.exports.foundry.folders import by_kind, of_actors
from fracas.exports.foundry.items import items
from fracas.exports.foundry.macros import action_macros, general_macros
from fracas.exports.foundry.mapped import systems_of
from fracas.exports.foundry.pages import journals
from fracas.exports.foundry.roll_tables import roll_tables
from fracas.exports.foundry.rulebook import IN_MODULE, compendium_name, rule_links, rulebook
from fracas.exports.readable import short_title
from fracas.packs.library import Library

GM_ONLY = {"PLAYER": "NONE", "TRUSTED": "NONE", "ASSISTANT": "OWNER"}
"""Who may do what with a compendium that players are not to see."""


class Compendium(NamedTuple):
    """Documents of one type.

    Attributes:
        name: unlike that of any other of all packs.
        system: the game system without which Foundry does not show it; "" if every world may have it.
        folders: those that documents are in.
        gm_only: holds what players are not to see before it appears in play.
    """

    name: str
    label: str
    type: str
    system: str
    documents: tuple[Document, ...]
    folders: tuple[Document, ...] = ()
    gm_only: bool = False

    @property
    def stored(self) -> tuple[Document, ...]:
        """All that its database holds."""
        return (*self.folders, *self.documents)

    @property
    def ownership(self) -> dict[str, str]:
        """Who may do what with it, by role; empty where Foundry's own defaults hold."""
        return dict(GM_ONLY) if self.gm_only else {}

    def manifest(self) -> dict[str, Any]:
        """The entry of ``packs`` in the manifest of a module."""
        found = {"name": self.name, "label": self.label, "path": f"packs/{self.name}", "type": self.type}
        system = {"system": self.system} if self.system else {}
        return {**found, **system, **({"ownership": self.ownership} if self.gm_only else {})}


def compendiums(
    library: Library, pack: str, systems: Collection[str] | None = None, within: str = IN_MODULE
) -> list[Compendium]:
    """The compendiums of a pack's entries, as its layers left them; those without content are left out.

    Args:
        systems: leave out items and actors of all game systems but these; of none if it is None.
        within: what their ids in Foundry begin with, see `rule_links`.
    """
    found = library.packs[pack]
    title = short_title(found)
    rules = rule_links(library, found.manifest.ruleset, within)
    gm = tuple(journals(found, gm_only=True, rules=rules))
    made = [
        Compendium(
            f"{pack}-journal", f"{title}: rules", "JournalEntry", "", tuple(journals(found, rules=rules))
        ),
        Compendium(
            compendium_name(pack), f"{title}: rulebook", "JournalEntry", "", tuple(rulebook(found, within))
        ),
        Compendium(f"{pack}-gm", f"{title}: for the GM", "JournalEntry", "", gm, gm_only=True),
        Compendium(f"{pack}-tables", f"{title}: tables", "RollTable", "", tuple(roll_tables(found))),
        Compendium(f"{pack}-macros", f"{title}: macros", "Macro", "", tuple(action_macros(found))),
    ]
    packs = library.ruleset_packs(found.manifest.ruleset)
    for system in systems_of(packs):
        if systems is not None and system.id not in systems:
            continue
        label = f"{title}: items for {system.label}"
        documents = tuple(items(found, packs, system))
        kinds = tuple(by_kind(found, system.builders))
        made.append(Compendium(f"{pack}-items-{system.id}", label, "Item", system.id, documents, kinds))
        name, label = f"{pack}-actors-{system.id}", f"{title}: combatants for {system.label}"
        people = tuple(actors(found, packs, system))
        groups = tuple(of_actors(found, packs, (each["folder"] for each in people)))
        made.append(Compendium(name, label, "Actor", system.id, people, groups, gm_only=True))
    return [each for each in made if each.stored]


def module_compendium() -> Compendium:
    """The macros of the module itself, which belong to no pack."""
    return Compendium("fracas-macros", "Fracas: macros", "Macro", "", tuple(general_macros()))
