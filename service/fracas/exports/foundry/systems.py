"""Game systems of Foundry VTT, and how entries become Items and Actors of them.

A ruleset names modules that know a game system (`Ruleset.game_systems`). For all others a sheet mapping that a pack
brings is enough, see `mapped`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from fracas.exports.foundry.sheets import Sheet
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks
from fracas.packs.schemas import installed

Builder: TypeAlias = Callable[[Entry, RulesetPacks, str], tuple[str, dict[str, Any]]]
"""Makes type and ``system`` of an item of an entry, the other entries of its ruleset, and its description as HTML."""


SheetBuilder: TypeAlias = Callable[[Entry, RulesetPacks, str], Sheet]
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


def known_systems(ruleset: str) -> list[System]:
    """The game systems that modules of a ruleset know: the ``SYSTEM`` of each."""
    if ruleset not in installed():
        return []
    return [import_module(name).SYSTEM for name in installed()[ruleset].load().game_systems]
