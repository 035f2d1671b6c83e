"""How Shadowrun 4 weapons are compared: one attack of somebody trained with each, against rising armor."""

from __future__ import annotations

from fracas.kernel.ruleset import Comparison, Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.sr4.trial_attacks import BLASTS, VICTIM, blow, is_melee, load_of, shot, ways_to_fire

_ATTACKER = {
    "agility": 4,
    "strength": 4,
    "reaction": 3,
    "intuition": 3,
    "body": 3,
    "willpower": 3,
    "armor": [],
    "rounds_before": 0,
}
_SKILL = 4
_STANDARD = (
    "Agility 4, Strength 4 and a skill of 4 attack Reaction 3, Body 3 and Willpower 3, without modifiers: at short "
    "range with the first of the weapon's firing modes, or hand to hand. The armor is ballistic and impact alike."
)


def _trial(weapon: PackEntry, armor: int, catalog: Catalog) -> Trial | None:
    """What strikes an area is aimed at a place, not at somebody."""
    data = weapon.data
    if data.get("fires") in BLASTS:
        return None
    skill = data.get("skill")
    attacker = {**_ATTACKER, "skills": {skill: _SKILL} if isinstance(skill, str) else {}}
    target = {name: value for name, value in VICTIM.items() if name != "armor"}
    target |= {"ballistic": armor, "impact": armor}
    if is_melee(weapon):
        return blow(attacker, target, load_of(weapon))
    return shot(attacker, target, load_of(weapon), ways_to_fire(weapon)[0])


COMPARISON = Comparison("Armor", range(0, 21, 2), _STANDARD, _trial, "hit", "damage")
