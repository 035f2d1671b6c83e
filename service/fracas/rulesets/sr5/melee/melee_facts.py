"""What follows from the situation of a melee attack before any modifier is judged: rulebook sections 7, 8.4 and 9.3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.required import lacks, require
from fracas.kernel.ruleset import Asked
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.ranged.environment import SIGHT, environment_modifier
from fracas.rulesets.sr5.sheet import derive_protection, derive_side
from fracas.rulesets.sr5.vocabulary import MELEE_ATTACK

Facts = Mapping[str, Any]

_BARE_HANDS = {
    "weapon.name": "Bare hands",
    "weapon.category": "unarmed",
    "weapon.skill": "unarmed-combat",
    "weapon.accuracy_physical": True,
    "weapon.reach": 0,
    "weapon.dv": 0,
    "weapon.dv_strength": True,
    "weapon.damage": "stun",
    "weapon.ap": 0,
}
"""Section 11.3, where the packs have no entry for them."""
_SKILLS = {"block": "unarmed-combat", "dodge": "gymnastics"}
"""What an active defense adds; a parry the skill of the weapon."""


def armed(asked: Asked, said: Facts) -> dict[str, Any]:
    """The facts said, with bare hands where no weapon is."""
    facts = dict(said)
    if not any(name.startswith("weapon.") for name in facts):
        facts |= _bare_hands(asked.catalog)
    return facts


def _bare_hands(catalog: Catalog) -> Facts:
    entry = catalog.entry("weapon", "unarmed")
    return MELEE_ATTACK.parse({"weapon": entry.id}, catalog).facts if entry else _BARE_HANDS


def derive(facts: dict[str, Any], catalog: Catalog) -> None:
    """Add what follows from the facts of an attack on one target, who is the record ``target``.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    require(facts, _needed(facts))
    for who in ("attacker", "target"):
        derive_side(facts, who)
    derive_protection(facts, "target")
    if "weapon.element" in facts:
        facts["damage.element"] = facts["weapon.element"]
    if "attacker.pool" not in facts:
        facts["attacker.skill"] = facts["attacker.skills"].get(facts["weapon.skill"], 0)
    sight = environment_modifier(facts, catalog, SIGHT)
    if sight is not None:
        facts["environment.sight_modifier"] = sight
    held = held_by_target(facts)
    if "target.reach" not in facts:
        if held is not None:
            facts["target.reach"] = held.data.get("reach", 0)
        elif "target.in_hand" in facts:
            facts["target.reach"] = 0
    _active_defense(facts, held)


def _active_defense(facts: dict[str, Any], held: PackEntry | None) -> None:
    active = facts.get("target.active_defense", "none")
    if active == "none" or facts.get("target.unaware"):
        return
    if active == "parry" and held is None:
        given = "target.in_hand" if "target.in_hand" in facts else "target.weapon"
        raise lacks(given, "a melee weapon in hand to parry with, or another defense", there=given in facts)
    skill = held.data["skill"] if active == "parry" and held is not None else _SKILLS[active]
    require(facts, [("target.skills", f"the skills of the target, for its {active}")])
    facts["target.defense_skill"] = facts["target.skills"].get(skill, 0)


def held_by_target(facts: Facts) -> PackEntry | None:
    """The melee weapon that the target defends with: the one said, or of all in hand the one that it masters best, of
    equals that of the longer Reach. None for bare hands, and where nothing is said."""
    things = [facts["target.weapon"]] if "target.weapon" in facts else facts.get("target.in_hand", ())
    skills = facts.get("target.skills", {})
    return max(
        (thing for thing in things if thing.data.get("category") in MELEE_CATEGORIES),
        key=lambda thing: (skills.get(thing.data.get("skill"), 0), thing.data.get("reach", 0)),
        default=None,
    )


def _needed(facts: Facts) -> Iterator[tuple[str, str]]:
    """(path, what the rule needs) of all that it cannot do without."""
    if "attacker.pool" not in facts:
        instead = "of the attacker | attacker.pool"
        yield "attacker.agility", f"Agility {instead}"
        yield "attacker.skills", f"the skill ratings {instead}"
        yield "weapon.skill", "the skill that the weapon uses"
    if not facts.get("target.unaware") and "target.pool" not in facts:
        for name in ("reaction", "intuition"):
            yield f"target.{name}", f"{name.capitalize()} of the target | target.pool"
    if facts.get("target.full_defense") and not facts.get("target.unaware"):
        yield "target.willpower", "Willpower of the target, for its full defense"
    yield "weapon.dv", "the Damage Value"
    yield "weapon.damage", "physical or stun"
    yield "weapon.ap", "the armor penetration"
    yield "target.body", "Body of the target"
    if facts.get("weapon.dv_strength"):
        yield "attacker.strength", "Strength of the attacker, which the Damage Value adds"
    if facts.get("weapon.accuracy_physical"):
        for name in ("strength", "body", "reaction"):
            yield f"attacker.{name}", f"{name.capitalize()} of the attacker, for the Physical limit"
    else:
        yield "weapon.accuracy", "the Accuracy of the weapon"
    if facts.get("target.active_defense") in _SKILLS and not facts.get("target.unaware"):
        for name in ("strength", "body", "reaction"):
            yield f"target.{name}", f"{name.capitalize()} of the target, for its Physical limit"
