"""The Inquisitor universe, percentile dice: an unofficial ruleset, compatible with fan role-playing rules for it.

It has worksheets, against which packs can be checked; its procedures are not written yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Ruleset, Trial, Worksheet
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.imperium.vocabulary import CLOSE_COMBAT, SHOOTING

_WORKSHEETS = (
    Worksheet(
        "shooting",
        "Shot or throw",
        SHOOTING,
        {"shooting.chance": "Chance to hit", "shooting.damage": "Points added to the damage"},
    ),
    Worksheet(
        "close-combat",
        "Attack in close combat",
        CLOSE_COMBAT,
        {
            "close-combat.chance": "Chance to hit",
            "close-combat.damage": "Points added to the damage",
            "parry.penalty": "Parry Penalty of the target, which is added to the chance",
        },
    ),
)


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """Situations that use the entry in every part it can play."""
    if entry.kind == "weapon":
        return _weapon_trials(entry)
    if entry.kind == "armor":
        return _both({"armor": entry.id, "target": {"armor": [entry.id]}})
    if entry.kind == "combatant":
        return _both({"attacker": entry.id, "target": entry.id})
    if entry.kind == "trait":
        return _both({"attacker": {"traits": [entry.id]}})
    if entry.kind == "mod":
        return [*_both({"weapon": {"mods": [entry.id]}}), Trial("close-combat", {"accessory": entry.id})]
    return ()


def _weapon_trials(entry: PackEntry) -> Sequence[Trial]:
    """A blade is parried by its like; guns and grenades shoot, and pistols do so in close combat too."""
    if entry.data.get("type") == "close":
        return [Trial("close-combat", {"weapon": entry.id, "parry": entry.id})]
    shot = Trial("shooting", {"weapon": entry.id})
    if entry.data.get("type") == "pistol":
        return [shot, Trial("close-combat", {"weapon": entry.id, "attack": {"shot": True}})]
    return [shot]


def _both(situation: Mapping[str, Any]) -> list[Trial]:
    return [Trial(sheet.id, situation) for sheet in _WORKSHEETS]


RULESET = Ruleset(
    "imperium",
    "Imperium",
    "Inquisitor fan role-playing rules",
    {},
    worksheets={sheet.id: sheet for sheet in _WORKSHEETS},
    trials=trials,
)
