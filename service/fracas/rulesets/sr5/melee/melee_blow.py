"""One attack on one target in melee, made ready. Rulebook sections 8.4 and 9.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.attack import Attack
from fracas.rulesets.sr5.harms import damage as soaking
from fracas.rulesets.sr5.harms.damage import FLOOR, Harm
from fracas.rulesets.sr5.harms.numbers import Numbers
from fracas.rulesets.sr5.melee.melee_facts import held_by_target
from fracas.rulesets.sr5.rolls.dice_test import side_of
from fracas.rulesets.sr5.sheet import attribute_entries, pool_entries

ATTACK, LIMIT = "melee-attack.pool", "limit.melee"
DEFENSE, DEFENSE_LIMIT = "melee-defense.pool", "limit.melee-defense"
VALUE = "melee-damage.value"
TARGETS = {
    ATTACK: "Attack pool",
    LIMIT: "Accuracy or Physical limit",
    DEFENSE: "Defense pool",
    DEFENSE_LIMIT: "Limit of an active defense",
    VALUE: "Damage Value",
    **soaking.TARGETS,
}
_CONDITIONS = {"parry": "parrying", "block": "blocking", "dodge": "dodging"}
"""In which condition an active defense is, until it has served."""
_LIMIT_FLOOR = "A limit never falls below 0"
_VALUE_FLOOR = "A Damage Value never falls below 0"


def blow_of(asked: Asked, facts: Mapping[str, Any], tally: Numbers) -> Attack:
    """An attack made ready from what `derive` found.

    Raises:
        InputError: nothing is said of the target's armor.
    """
    attack = tally(ATTACK, _attack_base(facts)).at_least(0, FLOOR)
    limit = tally(LIMIT, _limit_base(facts)).at_least(0, _LIMIT_FLOOR)
    first = side_of("attack", "attacker", attack.total, facts, asked, limit.total)
    tallies, second = [attack, limit], None
    if not facts.get("target.unaware"):
        defense = tally(DEFENSE, _defense_base(facts)).at_least(0, FLOOR)
        tallies.append(defense)
        most = None
        if facts.get("target.active_defense", "none") != "none":
            bound = tally(DEFENSE_LIMIT, _defense_limit_base(facts)).at_least(0, _LIMIT_FLOOR)
            tallies.append(bound)
            most = bound.total
        second = side_of("defense", "target", defense.total, facts, asked, most)
    value = tally(VALUE, _value_base(facts)).at_least(0, _VALUE_FLOOR)
    harm = Harm(
        value.total,
        facts["weapon.damage"],
        (("weapon", facts.get("weapon.name", "the weapon"), facts["weapon.ap"]),),
        facts.get("weapon.element", ""),
        bool(facts.get("attacker.touch_only")),
        second is not None,
    )
    soaked = soaking.soaking(asked, tally, facts, harm)
    tallies += [value, soaked.armor, soaked.pool]
    plan = soaked.plan
    if second is not None:
        plan = plan._replace(used=_CONDITIONS.get(facts.get("target.active_defense", "none"), ""))
    return Attack(tuple(tallies), asked.rules.refusals(facts), first, second, plan)


def whole_pool(facts: Mapping[str, Any]) -> list[Entry]:
    """The attack pool before it is split, and before modifiers."""
    return pool_entries(facts, "attacker", ("agility",), facts.get("weapon.skill", ""), defaults=False)


def _attack_base(facts: Mapping[str, Any]) -> list[Entry]:
    entries = whole_pool(facts)
    if "attacker.split_dice" not in facts:
        return entries
    whole, part = sum(entry.value or 0 for entry in entries), facts["attacker.split_dice"]
    if part >= whole:
        message = f"each target gets a die of the {whole}, so this one gets at most {whole - 1}"
        raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
    return [*entries, Entry("split", "Dice for other targets", part - whole)]


def _physical(facts: Mapping[str, Any], who: str) -> list[Entry]:
    return [Entry("physical-limit", "Physical limit", facts[f"{who}.physical_limit"])]


def _limit_base(facts: Mapping[str, Any]) -> list[Entry]:
    if facts.get("weapon.accuracy_physical"):
        return _physical(facts, "attacker")
    return [Entry("accuracy", "Accuracy", facts["weapon.accuracy"])]


def _defense_base(facts: Mapping[str, Any]) -> list[Entry]:
    if "target.pool" in facts:
        return [Entry("pool", "Pool given", facts["target.pool"])]
    return attribute_entries(facts, "target", ("reaction", "intuition"))


def _defense_limit_base(facts: Mapping[str, Any]) -> list[Entry]:
    """A parry has the Accuracy of the weapon, any other active defense the Physical limit (section 7)."""
    held = held_by_target(facts)
    if facts["target.active_defense"] == "parry" and held is not None and "accuracy" in held.data:
        return [Entry("accuracy", f"Accuracy of {held.label}", held.data["accuracy"], source=held.id)]
    of_limit = ("strength", "body", "reaction")
    require(
        facts, ((f"target.{name}", f"{name.capitalize()} of the target, for its limit") for name in of_limit)
    )
    return _physical(facts, "target")


def _value_base(facts: Mapping[str, Any]) -> list[Entry]:
    entries = [Entry("weapon", str(facts.get("weapon.name", "Weapon")), facts["weapon.dv"])]
    if facts.get("weapon.dv_strength"):
        entries.append(Entry("strength", "Strength", facts["attacker.strength"]))
    if facts.get("attacker.touch_only") and "weapon.element" not in facts:
        whole = sum(entry.value or 0 for entry in entries)
        entries.append(Entry("touch", "A touch does no damage by itself", -whole, origin="rule"))
    return entries
