"""What follows from the situation of an attack before any modifier is judged.

Rulebook sections 1.1, 1.2, 4.1 (attribute and skill), 4.4 (Gunlink), 4.5, 4.6 (range, melee), 5.3, 5.6 (two weapons),
5.8 (fists), 8.1 (holds), 8.3, 10.2 and 13.2 (machines and their fittings).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from fracas.errors import suggestion
from fracas.kernel.required import Faults, has_record
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.kernel.written_dice import LIKE_DICE, dice_text
from fracas.rulesets.cwn.checks.saves import better_attribute
from fracas.rulesets.cwn.vocabulary import ATTACKER_FOCI, COMBAT_SKILLS

UNTRAINED = -2
"""What attacking without the skill adds (section 1.2)."""
BASE_TRAUMA_TARGET = 6
KIND_OF = {
    **dict.fromkeys(("gun", "bow", "launcher"), "ranged"),
    **dict.fromkeys(("melee", "unarmed"), "melee"),
    "grenade": "thrown",
}
THROWING = ("shoot", "stab", "exert")
"""Any of these skills throws (section 1.2)."""
_INDISPENSABLE = ("damage", "range_normal", "range_long")
_TRAUMA = ("trauma_die", "trauma_rating")
_PERFORMANCE = (*_INDISPENSABLE, *_TRAUMA, "can_burst", "can_suppress", "wrecks_machines")
"""Fields of a weapon that are another's while it lacks the rest that it needs."""
BULLETS = ("gun", "bow")
"""Types of weapons that shoot what can be warded off; what explodes cannot."""
EXPLOSIVE = ("launcher", "grenade")
"""Types of weapons whose damage is that of an explosion (5.7), to which no attribute adds (R10)."""
_FISTS, _FIST_FOCUS = "unarmed", "unarmed-combatant"
_OF_FISTS = ("damage", "shock", "shock_ac", *_TRAUMA, "miss_damage")
"""Fields of bare hands that the focus changes."""
_HIGHEST_PUNCH = 4


def trained_fists(request: AttemptRequest, facts: dict[str, Any]) -> None:
    """Bare hands are those of the focus Unarmed Combatant, where the attacker has it (5.8)."""
    used = request.entry("weapon")
    level = facts.get("attacker.foci", {}).get(_FIST_FOCUS, 0)
    focus = request.lookup.entry("trait", _FIST_FOCUS)
    if used is None or used.slug != _FISTS or not level or focus is None or facts["attacker.stat_block"]:
        return
    punch = max(0, min(_HIGHEST_PUNCH, facts.get("attacker.skills", {}).get("punch", 0)))
    ending = f"-{level}-punch-{punch}"
    fists = next((name for name in focus.data["weapons"] if name.endswith(ending)), "")
    trained = request.lookup.entry("weapon", fists)
    if trained is not None:
        perform_as(facts, trained, _OF_FISTS)


def perform_as(
    facts: dict[str, Any], other: PackEntry, names: Iterable[str], kept: Collection[str] = ()
) -> None:
    """Put these fields of another weapon for those of the weapon; what it has not goes, but for those `kept`."""
    for name in names:
        if name in other.data:
            facts[f"weapon.{name}"] = other.data[name]
        elif name not in kept:
            facts.pop(f"weapon.{name}", None)


def foci_as_numbers(facts: dict[str, Any], who: str, *names: str) -> None:
    """The levels of a combatant's foci as facts of their own, if the foci are known; 0 for one that they lack."""
    if (foci := facts.get(f"{who}.foci")) is not None:
        facts |= {f"{who}.foci.{name}": foci.get(name, 0) for name in names}


def abilities(facts: dict[str, Any]) -> None:
    """Foci as numbers, the Gunlink, how far a charge goes, and what is certain about the attack."""
    foci_as_numbers(facts, "attacker", *ATTACKER_FOCI)
    foci_as_numbers(facts, "target", "close-combatant")
    facts["attacker.long_guns_in_melee"] = facts.get("attacker.foci.deadeye", 0) >= 1
    if "attacker.move" in facts:
        facts["attacker.charge_reach"] = facts["attacker.move"] * 2
    if facts.get("attack.kind") in ("melee", "thrown") or facts.get("weapon.type", "gun") != "gun":
        facts["attack.gunlinked"] = False
    elif "attacker.cyberware" in facts and "weapon.type" in facts:
        cyberware = facts["attacker.cyberware"]
        onboard = "cranial-jack" in cyberware and has_mod(facts, "onboard-gunlink")
        facts["attack.gunlinked"] = "gunlink" in cyberware or onboard
    if has_record(facts, "weapon_2"):
        _two_weapons(facts)
    if "attack.other_skill" in facts and "attacker.skills" in facts:
        facts["attack.other_skill_level"] = facts["attacker.skills"].get(facts["attack.other_skill"], -1)
    if "attack.pierces" not in facts:
        if wrecks_machines(facts) or facts.get("weapon.heavy"):
            facts["attack.pierces"] = True
        elif facts.get("target.immune") == "light":
            facts["attack.pierces"] = False
    unseen = bool(facts.get("target.unsuspecting") and facts.get("range.adjacent"))
    facts["attack.ambush"] = unseen and bool(facts.get("weapon.ambush"))
    facts["attack.sure"] = bool(facts.get("attack.hold")) or (unseen and _assassinates(facts))


def _two_weapons(facts: dict[str, Any]) -> None:
    """What a weapon in the other hand shows: in which skill, and whether both reach (5.6)."""
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
    """The focus Assassin: with a pistol or a knife that nobody saw, against a combatant unsuspecting at point-blank."""
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


def derive(request: AttemptRequest, faults: Faults) -> dict[str, Any]:
    """The facts given, and those that follow. What is unknown is absent, and a fault if it is needed."""
    facts = derive_attacker(request, faults)
    dice_texts(facts, faults)
    require_ac(facts, faults)
    require_body(facts, faults)
    return facts


def derive_attacker(request: AttemptRequest, faults: Faults) -> dict[str, Any]:
    """The same without what the damage and the target must show: of an attack on nobody in particular."""
    facts = dict(request.input.facts)
    for name, value in request.options.items():
        facts.setdefault(f"option.{name}", value)
    if "attack.kind" not in facts:
        if "weapon.type" in facts:
            facts["attack.kind"] = KIND_OF[facts["weapon.type"]]
        else:
            faults.need("weapon.type", "the type of the weapon | attack.kind")
    kind = facts.get("attack.kind")
    _without_rest(facts, faults)
    if kind is not None:
        printed = f"attacker.attack_bonus_{'melee' if kind == 'melee' else 'ranged'}"
        facts["attacker.stat_block"] = printed in facts
        _range(facts, request.options["melee_reach_m"], faults)
        _skill_levels(facts)
        if not facts["attacker.stat_block"]:
            _require_bonus(facts, printed, faults)
        trained_fists(request, facts)
    abilities(facts)
    _lethality(facts, faults)
    return facts


def _without_rest(facts: dict[str, Any], faults: Faults) -> None:
    """A weapon that needs a stationary rest performs as another one without it (section 6.1, tag R)."""
    other = facts.get("weapon.unrested")
    if other is None:
        return
    if "attack.rested" not in facts:
        faults.need("attack.rested", "whether this weapon has a stationary rest")
    elif not facts["attack.rested"]:
        perform_as(facts, other, _PERFORMANCE, kept=_INDISPENSABLE)


def _range(facts: dict[str, Any], reach: int, faults: Faults) -> None:
    """Range band and adjacency (4.2, 4.6); slugs double and stun rounds halve both ranges (4.3)."""
    if facts["attack.kind"] == "melee":  # a charge goes to its target first
        facts["range.adjacent"] = bool(facts.get("attack.charge")) or facts.get("distance", 0) <= reach
        return
    missing = [name for name in ("weapon.range_normal", "weapon.range_long") if name not in facts]
    for name in missing:
        faults.need(name, "both ranges of the weapon in metres")
    if "distance" not in facts:
        faults.need("distance", "the distance to the target in metres")
        return
    distance = facts["distance"]
    facts["range.adjacent"] = distance <= reach
    if missing:
        return
    factor = (2 if facts.get("weapon.slug") else 1) * (0.5 if has_mod(facts, "stun-rounds") else 1)
    if distance <= facts["weapon.range_normal"] * factor:
        facts["range.band"] = "normal"
    else:
        facts["range.band"] = "long" if distance <= facts["weapon.range_long"] * factor else "beyond"


def _skill_levels(facts: dict[str, Any]) -> None:
    """The skill used and its level (4.1); for rules that name a skill its level, 0 if untrained."""
    allowed = THROWING if facts["attack.kind"] == "thrown" else facts.get("weapon.skills", ())
    chosen = facts.get("attack.skill")
    skills = facts.get("attacker.skills")
    if skills is not None:
        for name in COMBAT_SKILLS:
            facts[f"attacker.skills.{name}"] = skills.get(name, 0)
        if candidates := (chosen,) if chosen else allowed:
            best = max(candidates, key=lambda name: skills.get(name, -1))
            facts |= {"attack.skill": best, "attack.skill_level": skills.get(best, -1)}
    if "attacker.skill_level" in facts:
        facts["attack.skill_level"] = facts["attacker.skill_level"]
        if used := chosen or next(iter(allowed), None):
            facts["attack.skill"] = used
            facts.setdefault(f"attacker.skills.{used}", facts["attacker.skill_level"])


def _require_bonus(facts: dict[str, Any], printed: str, faults: Faults) -> None:
    """Base attack bonus, attribute and skill of a combatant without a stat block (section 4.1)."""
    if "attacker.base_attack_bonus" not in facts:
        faults.need("attacker.base_attack_bonus", f"the base attack bonus | {printed} of a stat block")
    allowed = THROWING if facts["attack.kind"] == "thrown" else facts.get("weapon.skills")
    _serves(faults, "attack.skill", facts.get("attack.skill"), allowed, "attack")
    if "attack.skill_level" not in facts and "attacker.skills" in facts:
        faults.need("weapon.skills", "the skills that serve | attack.skill", there="weapon.skills" in facts)
    elif "attack.skill_level" not in facts:
        faults.need("attacker.skills", "the skills | attacker.skill_level")
    _attribute(facts, faults)


def _serves(
    faults: Faults, field: str, chosen: str | None, allowed: Collection[str] | None, what: str
) -> None:
    """Note a skill or an attribute that the attack does not use."""
    if chosen and allowed and chosen not in allowed:
        hint = suggestion(chosen, allowed)
        faults.wrong(field, "unknown-choice", f"this {what} does not use {chosen}", hint)


def _attribute(facts: dict[str, Any], faults: Faults) -> None:
    """The attribute used and its modifier: the attacker picks one that the weapon lists (section 4.1)."""
    allowed = facts.get("weapon.attributes", ())
    chosen = facts.get("attack.attribute")
    _serves(faults, "attack.attribute", chosen, allowed, "weapon")
    if "attacker.attribute_modifier" in facts:
        facts["attack.attribute_modifier"] = facts["attacker.attribute_modifier"]
        return
    candidates = (chosen,) if chosen else allowed
    if better := better_attribute(facts, "attacker", candidates):
        facts["attack.attribute"], facts["attack.attribute_modifier"] = better
    elif candidates:
        names = " or ".join(candidates)
        faults.need(f"attacker.{candidates[0]}", f"the score of {names} | attacker.attribute_modifier")
    else:
        faults.need("attacker.attribute_modifier", "the modifier of the attribute used")


def _lethality(facts: dict[str, Any], faults: Faults) -> None:
    """Whether the attack is meant to kill, which is the user's choice only with some weapons (5.3, 6.1)."""
    rule = "always" if has_mod(facts, "stun-rounds") else facts.get("weapon.non_lethal", "never")
    given = facts.get("attack.lethal")
    if rule == "default":
        facts["attack.lethal"] = bool(given)
        return
    facts["attack.lethal"] = rule == "never"
    if given is not None and given != facts["attack.lethal"]:
        always = "lethal" if rule == "never" else "non-lethal"
        faults.wrong("attack.lethal", "contradiction", f"this weapon is always {always}")


def dice_texts(facts: Mapping[str, Any], faults: Faults) -> None:
    """Note what is wrong with the texts of dice, and what the damage lacks."""
    for name in ("damage", "trauma_die", "miss_damage"):
        dice_text(facts, f"weapon.{name}", faults)
    if "weapon.damage" not in facts:
        faults.need("weapon.damage", f"the damage of the weapon,{LIKE_DICE}")
    if "weapon.shock" in facts and "weapon.shock_ac" not in facts:
        faults.need("weapon.shock_ac", "the highest AC that the Shock harms, 99 for any")


def rolls_trauma(facts: Mapping[str, Any]) -> bool:
    """Whether a hit rolls the Trauma Die (section 5.3)."""
    if not facts["attack.lethal"] or "weapon.trauma_die" not in facts:
        return False
    return not facts.get("target.machine", False) or wrecks_machines(facts)


def wrecks_machines(facts: Mapping[str, Any]) -> bool:
    return bool(facts.get("weapon.wrecks_machines")) or has_mod(facts, "heavy-sabot")


def of_implants(facts: dict[str, Any]) -> None:
    """The base AC and what raises the Trauma Target by implants (4.7, 5.3), beside what is given of both."""
    for implant in facts.get("target.augmentations", ()):
        for change in implant.data.get("changes", ()):
            if change["stat"] == "cyber_ac" and "at_least" in change:
                facts["target.cyber_ac"] = max(facts.get("target.cyber_ac", 0), change["at_least"])
        if (source := implant.data.get("trauma_source")) is not None:
            known = facts.get("target.trauma_sources", ())
            facts["target.trauma_sources"] = tuple(dict.fromkeys((*known, source)))


def require_ac(facts: dict[str, Any], faults: Faults) -> None:
    """The target's Armor Class against this kind of attack, or what it follows from (section 4.7)."""
    of_implants(facts)
    if "attack.kind" not in facts:
        return
    ac = "melee_ac" if facts["attack.kind"] == "melee" else "ranged_ac"
    if f"target.{ac}" not in facts:
        if "target.armor" not in facts:
            faults.need(f"target.{ac}", "the target's AC | target.armor with target.dexterity")
        elif "target.dexterity" not in facts and "target.dexterity_modifier" not in facts:
            faults.need("target.dexterity", "the target's Dexterity, which its AC adds")


def require_body(facts: dict[str, Any], faults: Faults) -> None:
    """Soak and Trauma Target (sections 5.3, 5.5)."""
    of_implants(facts)
    armor = facts.get("target.armor")
    if armor is not None:
        facts["target.armor_trauma"] = sum(piece.data.get("trauma_target", 0) for piece in armor)
        soak = sum(piece.data.get("soak", 0) for piece in armor)
        facts.setdefault("target.soak", max(0, soak - facts.get("target.soak_lost", 0)))
    elif "target.soak" not in facts:
        faults.need("target.soak", "the points of Soak left (0 for none) | target.armor")
    facts["target.printed_trauma_target"] = "target.trauma_target" in facts
    if rolls_trauma(facts):
        if "weapon.trauma_rating" not in facts:
            faults.need("weapon.trauma_rating", "the Trauma Rating of a weapon with a Trauma Die")
        if armor is None and not facts["target.printed_trauma_target"]:
            faults.need("target.trauma_target", "the Trauma Target | target.armor")


FITTINGS = "vehicle-fittings"


def vehicle_armor(lookup: EntryLookup, facts: Mapping[str, Any], who: str) -> int:
    """Points of Armor off each hit, fittings counted; at least 0. `InputError`: the packs do not know a fitting."""
    fitted = facts.get(f"{who}.vehicle_fittings", ())
    more = sum(row_of(lookup, FITTINGS, slug).get("armor", 0) for slug in fitted)
    return max(0, int(facts.get(f"{who}.vehicle_armor", 0)) + int(more))
