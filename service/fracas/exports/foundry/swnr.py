"""Items and actors of the system ``swnr`` (Systems Without Number): facts about its data, and our words in its words.

Making a weapon without ``trauma`` fails in the system, and so does a number of dice that is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from fracas.exports.foundry.sheets import Gear, Sheet, Trait, carried, item_id
from fracas.exports.foundry.systems import System
from fracas.kernel.predicates import Compiler, Facts, Unknown
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field, Type
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks

_ATTRIBUTES = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
_ASK, _NONE = "ask", "none"
_SAVES = frozenset({"physical", "mental", "evasion", "luck"})
_MELEE = frozenset({"melee", "unarmed"})
_AMMUNITION = {"launcher": "missile", "bow": "special", "gun": "ammo"}
_NO_DICE = "0"
_NO_TRAUMA = {"die": "1d6", "rating": None}
_UNARMORED = 10


def weapon(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    data = entry.data
    attributes = [_ATTRIBUTES[name] for name in data.get("attributes", ()) if name in _ATTRIBUTES]
    first, second, *_ = [*(attributes or [_ASK]), _NONE]
    blast: Mapping[str, Any] = data.get("blast", {})
    damage = data.get("damage") or blast.get("damage") or _NO_DICE
    adds = bool(data.get("adds_punch"))
    return "weapon", {
        **_gear(entry, description),
        "damage": damage,
        "stat": first,
        "secondStat": second,
        "skill": _ASK,
        "skillBoostsDamage": adds,
        "skillBoostsShock": adds,
        "shock": {"dmg": str(data.get("shock", _NO_DICE)), "ac": data.get("shock_ac", _UNARMORED)},
        "ab": 0,
        "ammo": _ammunition(data),
        "range": {"normal": data.get("range_normal", 1), "max": data.get("range_long", 2)},
        "save": blast["save"] if blast.get("save") in _SAVES else None,
        "trauma": _trauma(data),
        "isTwoHanded": bool(data.get("two_handed")),
        "isNonLethal": data.get("non_lethal", "never") != "never",
        "isMelee": data.get("type") in _MELEE,
    }


def _ammunition(data: Mapping[str, Any]) -> dict[str, Any]:
    holds = data.get("magazine", 0)
    return {
        "type": _AMMUNITION.get(data.get("type", ""), _NONE) if holds else _NONE,
        "max": holds,
        "value": data.get("rounds", holds),
        "burst": bool(data.get("can_burst")),
        "suppress": bool(data.get("can_suppress")),
        "longReload": data.get("reload") == "main",
    }


def _trauma(data: Mapping[str, Any]) -> dict[str, Any]:
    if "trauma_die" not in data:
        return dict(_NO_TRAUMA)
    return {"die": data["trauma_die"], "rating": data.get("trauma_rating")}


def armor(entry: Entry, packs: RulesetPacks, description: str) -> tuple[str, dict[str, Any]]:
    """An "armor"; what is added to other armor is a shield to the system, which knows only that."""
    data = entry.data
    added = bool(data.get("accessory"))
    ranged, melee = data.get("ranged_ac", 0), data.get("melee_ac", 0)
    soak = data.get("soak", 0)
    return "armor", {
        **_gear(entry, description),
        "ac": _UNARMORED if added else ranged,
        "meleeAc": None if added else melee,
        "soak": {"value": soak, "max": soak},
        "shield": added,
        "shieldACBonus": ranged if added else None,
        "shieldMeleeACBonus": melee if added else None,
        "traumaDiePenalty": data.get("trauma_target", 0),
        "isSubtle": data.get("look") == "subtle",
        "isHeavy": "heavy" in entry.meta.get("tags", ()) and not added,
    }


def _gear(entry: Entry, description: str) -> dict[str, Any]:
    return {
        "description": description,
        "quantity": 1,
        "encumbrance": entry.data.get("encumbrance", 0),
        "cost": entry.data.get("cost", 0),
        "location": "stowed",
        "quality": "stock",
    }


BUILDERS = {"weapon": weapon, "armor": armor}


# --- Actors -------------------------------------------------------------------------------------------------

_READIED = {"location": "readied"}
_TRAUMA = 6


def combatant(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
    """A "character" of those with levels, an "npc" of all others.

    The system would roll an NPC's Hit Points when its token is made, were they not marked as settled.
    """
    return _character(entry, packs, description) if "level" in entry.data else _npc(entry, packs, description)


def _npc(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
    """A stat block. Its numbers are complete, so worn armor has no more Soak than they say, and adds no more."""
    data = entry.data
    ranged = data.get("attack_bonus_ranged", data.get("attack_bonus_melee", 0))
    soak = data.get("soak", 0)
    worn = []
    for piece, _ in carried(entry, packs, "armor"):
        taken = min(soak, piece.data.get("soak", 0))
        soak -= taken
        points = {"value": taken, "max": taken}
        worn.append(Gear(piece, {**_READIED, "use": True, "soak": points, "traumaDiePenalty": 0}))
    arms = (Gear(piece, {**_READIED, "quantity": count}) for piece, count in carried(entry, packs, "weapon"))
    return Sheet(
        "npc",
        {
            **_body(data, description),
            "health_max_modified": 1,
            "hitDice": f"{data['hit_dice']}d8" if "hit_dice" in data else f"{data.get('hp', 1)} hp",
            "baseAc": data.get("ranged_ac", _UNARMORED),
            "meleeAc": data.get("melee_ac", data.get("ranged_ac", _UNARMORED)),
            "ab": ranged,
            "meleeAb": data.get("attack_bonus_melee", ranged),
            "traumaTarget": data.get("trauma_target", _TRAUMA),
            "baseSoakTotal": {"value": soak, "max": soak},
            "skillBonus": data.get("skill_bonus", 0),
            "saves": data.get("save", 0),
            "moralScore": data.get("morale", 0),
            "attacks": {"number": data.get("attacks", 1)},
            "reaction": "unknown",
        },
        (*arms, *worn),
    )


def _character(entry: Entry, packs: RulesetPacks, description: str) -> Sheet:
    data = entry.data
    level, skills = data["level"], data.get("skills", {})
    worn = [piece for piece, _ in carried(entry, packs, "armor")]
    return Sheet(
        "character",
        {
            **_body(data, description),
            "health_max_modified": level,
            "level": {"value": level},
            "stats": {short: {"base": data.get(name, 10)} for name, short in _ATTRIBUTES.items()},
            "ab": data.get("base_attack_bonus", 0),
            "baseAc": _body_ac(entry, packs),
            "traumaTarget": _body_trauma(entry, packs, worn),
        },
        (
            *(
                Gear(piece, {**_READIED, "quantity": count, **_skilled(entry, piece, skills)})
                for piece, count in carried(entry, packs, "weapon")
            ),
            *(Gear(piece, {**_READIED, "use": True}) for piece in worn),
        ),
        tuple(
            Trait(f"skill/{name}", name.capitalize(), "skill", {"rank": rank})
            for name, rank in skills.items()
        ),
    )


def _body(data: Mapping[str, Any], description: str) -> dict[str, Any]:
    hp = data.get("hp", 1)
    return {
        "biography": description,
        "health": {"value": hp, "max": hp},
        "speed": round(data.get("move", 0)),
    }


def _skilled(actor: Entry, weapon: Entry, skills: Mapping[str, int]) -> dict[str, str]:
    """The item of the first of a weapon's skills that its owner has."""
    named = next((name for name in weapon.data.get("skills", ()) if name in skills), None)
    return {"skill": item_id(actor, f"skill/{named}")} if named else {}


def _augmentations(entry: Entry, packs: RulesetPacks) -> list[Entry]:
    found = (packs.entry("augmentation", name) for name in entry.data.get("augmentations", ()))
    return [each for each in found if each]


def _body_ac(entry: Entry, packs: RulesetPacks) -> int:
    """The Armor Class without armor: what implants make of 10."""
    changes = [change for each in _augmentations(entry, packs) for change in each.data.get("changes", ())]
    least = (
        change["at_least"] for change in changes if change["stat"] == "cyber_ac" and "at_least" in change
    )
    return int(max(_UNARMORED, *least, entry.data.get("cyber_ac", 0)))


def _body_trauma(entry: Entry, packs: RulesetPacks, worn: Sequence[Entry]) -> int:
    """The Trauma Target without armor, whose part the system adds: 6, and what the packs' modifiers make of it."""
    from fracas.rulesets.cwn import RULESET  # only here: a service that asks for no actors need not load it

    reported = [*entry.data.get("trauma_sources", ())]
    reported += [
        each.data["trauma_source"] for each in _augmentations(entry, packs) if "trauma_source" in each.data
    ]
    rules = packs.options().values()
    facts: Facts = {
        "target.trauma_sources": tuple(dict.fromkeys(reported)),
        "target.printed_trauma_target": False,
        "target.armor_trauma": sum(piece.data.get("trauma_target", 0) for piece in worn),
        **{f"option.{rule.id}": rule.default for rule in rules},
    }
    options = {
        id: Field(id, cast(Type, rule.type), rule.label, choices=rule.choices, derived_from=id)
        for rule in rules
        for id in [f"option.{rule.id}"]
    }
    words = RULESET.procedures["attack"].vocabulary.with_fields([*options.values()])
    total = _TRAUMA
    for modifier in packs.entries("modifier"):
        if "trauma.target" in modifier.data.get("applies_to", ()):
            compiler = Compiler(words)
            holds = compiler.predicate(modifier.data.get("when", []), ("when",))
            value = compile_value(modifier.data.get("value", 0), compiler)(facts)
            if not compiler.problems and holds(facts) is None and not isinstance(value, Unknown):
                total += value
    return total


SYSTEM = System("swnr", "2.3.0", "Systems Without Number", "cwn", BUILDERS, combatant)
