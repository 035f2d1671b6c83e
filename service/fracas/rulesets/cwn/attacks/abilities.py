"""What foci, implants, surprise and the make of a weapon settle about an attack before any modifier is judged.

Rulebook sections 4.4 (Gunlink), 5.3 and 13.2 (machines), 5.6 (two weapons), 5.8 (fists), 8.1 (holds), 8.3 and 10.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.rulesets.cwn.vocabulary import ATTACKER_FOCI

BULLETS = ("gun", "bow")
"""Types of weapons that shoot what can be warded off; what explodes cannot."""
EXPLOSIVE = ("launcher", "grenade")
"""Types of weapons whose damage is that of an explosion (5.7), to which no attribute adds (R10)."""
_FISTS, _FIST_FOCUS = "unarmed", "unarmed-combatant"
_OF_FISTS = ("damage", "shock", "shock_ac", "trauma_die", "trauma_rating", "miss_damage")
"""Fields of bare hands that the focus changes."""
_HIGHEST_PUNCH = 4


def trained_fists(asked: Asked, facts: dict[str, Any]) -> None:
    """Bare hands are those of the focus Unarmed Combatant, where the attacker has it (5.8)."""
    used = asked.catalog.entry("weapon", asked.said.used.get("weapon", ""))
    level = facts.get("attacker.foci", {}).get(_FIST_FOCUS, 0)
    focus = asked.catalog.entry("trait", _FIST_FOCUS)
    if used is None or used.slug != _FISTS or not level or focus is None or facts["attacker.stat_block"]:
        return
    punch = max(0, min(_HIGHEST_PUNCH, facts.get("attacker.skills", {}).get("punch", 0)))
    ending = f"-{level}-punch-{punch}"
    fists = next((name for name in focus.data["weapons"] if name.endswith(ending)), "")
    trained = asked.catalog.entry("weapon", fists)
    for name in _OF_FISTS if trained else ():
        facts.pop(f"weapon.{name}", None)
        if trained and name in trained.data:
            facts[f"weapon.{name}"] = trained.data[name]


def abilities(facts: dict[str, Any]) -> None:
    """Foci as numbers, the Gunlink, how far a charge goes, and what is certain about the attack."""
    foci = facts.get("attacker.foci")
    if foci is not None:
        for name in ATTACKER_FOCI:
            facts[f"attacker.foci.{name}"] = foci.get(name, 0)
    facts["attacker.long_guns_in_melee"] = bool(foci and foci.get("deadeye", 0) >= 1)
    if "target.foci" in facts:
        facts["target.foci.close-combatant"] = facts["target.foci"].get("close-combatant", 0)
    if "attacker.move" in facts:
        facts["attacker.charge_reach"] = facts["attacker.move"] * 2
    if facts.get("attack.kind") in ("melee", "thrown") or facts.get("weapon.type", "gun") != "gun":
        facts["attack.gunlinked"] = False
    elif "attacker.cyberware" in facts and "weapon.type" in facts:
        cyberware = facts["attacker.cyberware"]
        onboard = "cranial-jack" in cyberware and has_mod(facts, "onboard-gunlink")
        facts["attack.gunlinked"] = "gunlink" in cyberware or onboard
    if any(name.startswith("weapon_2.") for name in facts):
        _two_weapons(facts)
    if "attack.other_skill" in facts and "attacker.skills" in facts:
        facts["attack.other_skill_level"] = facts["attacker.skills"].get(facts["attack.other_skill"], -1)
    if "attack.pierces" not in facts:
        wrecks = facts.get("weapon.wrecks_machines") or has_mod(facts, "heavy-sabot")
        if wrecks or facts.get("weapon.heavy"):
            facts["attack.pierces"] = True
        elif facts.get("target.immune") == "light":
            facts["attack.pierces"] = False
    facts["attack.ambush"] = bool(
        facts.get("weapon.ambush") and facts.get("target.unsuspecting") and facts.get("range.adjacent")
    )
    facts["attack.sure"] = bool(facts.get("attack.hold")) or _assassinates(facts)


def _two_weapons(facts: dict[str, Any]) -> None:
    """What a weapon in the other hand tells: in which skill, and whether both reach (5.6)."""
    facts.setdefault("attack.dual_wield", True)
    skills = facts.get("attacker.skills")
    serving = facts.get("weapon_2.skills", ())
    if skills is not None and serving:
        facts.setdefault("attack.other_skill", max(serving, key=lambda name: skills.get(name, -1)))
    if facts.get("weapon_2.type") in ("melee", "unarmed"):
        facts.setdefault("attack.both_in_range", bool(facts.get("range.adjacent")))
    elif "weapon_2.range_long" in facts and (facts.get("range.adjacent") or "distance" in facts):
        facts.setdefault("attack.both_in_range", facts.get("distance", 0) <= facts["weapon_2.range_long"])


def _assassinates(facts: Mapping[str, Any]) -> bool:
    """The focus Assassin: point-blank, with a pistol or a knife that nobody saw, against somebody unsuspecting."""
    if not facts.get("target.unsuspecting") or not facts.get("range.adjacent"):
        return False
    hidden = facts.get("attack.kind") == "thrown" or bool(facts.get("weapon.pistol_sized"))
    return facts.get("attacker.foci.assassin", 0) >= 1 and hidden and facts.get("attack.kind") != "melee"


def has_mod(facts: Mapping[str, Any], mod: str) -> bool:
    return mod in facts.get("weapon.mods", ())


def explodes(facts: Mapping[str, Any]) -> bool:
    """Whether the weapon's damage is that of an explosion: so is that of the shell of a tank, which is a gun."""
    return facts.get("weapon.type") in EXPLOSIVE or bool(facts.get("attack.explodes"))


def can_be_warded_off(facts: Mapping[str, Any]) -> bool:
    """Whether an Iron Hand Aegis helps: bullets, arrows and throws that the target sees coming (10.3)."""
    thrown = facts["attack.kind"] == "thrown" and facts.get("weapon.type") != "grenade"
    shot = facts["attack.kind"] == "ranged" and facts.get("weapon.type") in BULLETS and not explodes(facts)
    return (thrown or shot) and not facts.get("target.unsuspecting")


def can_be_corrected(facts: Mapping[str, Any]) -> bool:
    """Whether a Trajectory Optimization Node helps: freely in melee, at range with a working Gunlink (10.3)."""
    return facts["attack.kind"] == "melee" or bool(facts.get("attack.gunlinked"))
