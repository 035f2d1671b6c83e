"""The compendiums of a pack: what each holds, and for which game system."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from fracas.exports.foundry.documents import Document
from fracas.exports.foundry.items import items, system_of
from fracas.exports.foundry.macros import action_macros, general_macros
from fracas.exports.foundry.pages import journals
from fracas.exports.foundry.roll_tables import roll_tables
from fracas.exports.readable import short_title
from fracas.packs.library import Library


class Compendium(NamedTuple):
    """Documents of one type.

    Attributes:
        name: unlike that of any other of all packs.
        system: the game system without which Foundry does not show it; "" if every world may have it.
    """

    name: str
    label: str
    type: str
    system: str
    documents: tuple[Document, ...]

    def manifest(self) -> dict[str, str]:
        """The entry of ``packs`` in the manifest of a module."""
        found = {"name": self.name, "label": self.label, "path": f"packs/{self.name}", "type": self.type}
        return {**found, "system": self.system} if self.system else found


def compendiums(library: Library, pack: str, systems: Collection[str] | None = None) -> list[Compendium]:
    """The compendiums of a pack's entries, as its layers left them; those without documents are left out.

    Args:
        systems: leave out the items of all game systems but these; of none if it is None.
    """
    found = library.packs[pack]
    title = short_title(found)
    made = [
        Compendium(f"{pack}-journal", f"{title}: rules", "JournalEntry", "", tuple(journals(found))),
        Compendium(f"{pack}-tables", f"{title}: tables", "RollTable", "", tuple(roll_tables(found))),
        Compendium(f"{pack}-macros", f"{title}: macros", "Macro", "", tuple(action_macros(found))),
    ]
    system = system_of(found.manifest.ruleset)
    if system is not None and (systems is None or system.id in systems):
        documents = tuple(items(found, library.shelf(found.manifest.ruleset), system))
        label = f"{title}: items for {system.label}"
        made.append(Compendium(f"{pack}-items-{system.id}", label, "Item", system.id, documents))
    return [each for each in made if each.documents]


def module_compendium() -> Compendium:
    """The macros of the module itself, which belong to no pack."""
    return Compendium("fracas-macros", "Fracas: macros", "Macro", "", tuple(general_macros()))
