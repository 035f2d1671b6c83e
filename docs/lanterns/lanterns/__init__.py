"""Lanterns: lamplighters against the shades of a city without a sun. A small game to learn from."""

from __future__ import annotations

from fracas.kernel.entry_kinds import EntryKind
from fracas.kernel.ruleset import Attack as Attacks
from fracas.kernel.ruleset import Ruleset
from lanterns.rules import Attack, Flare
from lanterns.turns import Initiative, Turns

CHARM = EntryKind(
    "charms", "Charm", "What lamplighters carry in glass, to be lit once.", required=("die", "fierceness")
)
RULESET = Ruleset(
    "lanterns",
    "Lanterns",
    "Lanterns",
    {procedure.id: procedure for procedure in (Attack(), Flare(), Initiative())},
    turns=Turns(),
    attacks={"attack": Attacks(), "flare": Attacks("caster", "target", "charm")},
    phrases={"down": "down"},
    kinds={"charm": CHARM},
)
