"""Lanterns: lamplighters against the shades of a city without a sun. A small game to learn from."""

from __future__ import annotations

from fracas.kernel import ruleset
from fracas.kernel.entry_kinds import EntryKind
from lanterns.fights import Initiative, Turns
from lanterns.rules import Attack, Flare

CHARM = EntryKind("charms", "Charm", "Light in glass, to be let out once.", required=("die", "fierceness"))
RULESET = ruleset.Ruleset(
    "lanterns",
    "Lanterns",
    "Lanterns",
    {procedure.id: procedure for procedure in (Attack(), Flare(), Initiative())},
    turns=Turns(),
    attacks={"attack": ruleset.Attack(), "flare": ruleset.Attack("caster", "target", "charm")},
    phrases={"down": "down"},
    kinds={"charm": CHARM},
)
