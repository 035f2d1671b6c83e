"""Shadowrun 4 and its 20th Anniversary rules."""

from __future__ import annotations

import re

from fracas.kernel.ruleset import Comparison, Ruleset, Sample, Worth, no_better
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.sr4.fights.turns import CombatTurn
from fracas.rulesets.sr4.procedures import ATTACKS, PROCEDURES, struck
from fracas.rulesets.sr4.samples import SHOOTER, VICTIM, Trying, is_melee, load_of, samples, ways_to_fire

_STANDARD = (
    "Agility 4, Strength 4 and a skill of 4 attack Reaction 3, Body 3 and Willpower 3, without modifiers: at short "
    "range with the first of the weapon's firing modes, or hand to hand. The armor is ballistic and impact alike."
)


def _compared(weapon: PackEntry, armor: int, lookup: EntryLookup) -> Sample | None:
    """One attack of a trained combatant; none with a weapon that does the damage of what it fires."""
    if "fires" in weapon.data and "dv" not in weapon.data:
        return None
    skill = weapon.data.get("skill")
    attributes = dict.fromkeys(("reaction", "intuition", "body", "willpower"), 3)
    attacker = {**SHOOTER, **attributes, "skills": {skill: 4} if isinstance(skill, str) else {}}
    target = {name: value for name, value in VICTIM.items() if name != "armor"}
    target |= {"ballistic": armor, "impact": armor}
    given, trying = {"attacker": attacker, "target": target, "weapon": load_of(weapon)}, Trying(lookup)
    return trying.blow(**given) if is_melee(weapon) else trying.shot(**given, fire=ways_to_fire(weapon)[0])


_AVAILABILITY = re.compile(r"([0-9]+)([RF]?)")


def _availability(text: str) -> tuple[float, ...]:
    """How hard a weapon is to get, and how badly the law takes it."""
    found = _AVAILABILITY.fullmatch(str(text))
    return (float(found[1]), float(" RF".index(found[2] or " "))) if found else (0.0, 0.0)


COMPARISON = Comparison(
    "Armor",
    range(0, 21, 2),
    _STANDARD,
    _compared,
    "hit",
    "damage",
    distances=(15, 40, 120, 300),
    worth=(
        Worth("cost"),
        Worth("availability", of=_availability),
        Worth("minimum_strength", missing=0),
        Worth("damage", of=no_better),
        Worth("modes", more=True),
        Worth("features", more=True),
        *(Worth(name, more=True, missing=0) for name in ("magazine", "rc", "rc_deployed")),
    ),
)

RULESET = Ruleset(
    "sr4",
    "Shadowrun 4",
    "Shadowrun, Fourth Edition and its 20th Anniversary core rules",
    {procedure.id: procedure for procedure in PROCEDURES},
    samples=samples,
    turns=CombatTurn(),
    comparison=COMPARISON,
    attacks=ATTACKS,
    struck=struck,
    game_systems=("fracas.exports.foundry.shadowrun4e",),
)
