"""The numbers of a shot: pools, recoil compensation, armor. Rulebook sections 8.2 to 8.6, 8.9, 10.1 to 10.3 and 11."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr4.harms.armor import penetrated, protection
from fracas.rulesets.sr4.ranged.barriers import sheltered
from fracas.rulesets.sr4.ranged.ranged_facts import Damage
from fracas.rulesets.sr4.sheet import ARMOR_FLOOR

TARGETS = {
    "recoil.compensation": "Recoil compensation",
    "attack.pool": "Attack pool",
    "defense.pool": "Defense pool",
    "damage.value": "Damage Value before net hits",
    "damage.burst": "Damage Value added after the comparison",
    "barrier.rating": "Armor of the barrier after penetration",
    "armor.rating": "Armor after penetration",
    "resist.pool": "Damage resistance pool",
    "misfire.armor.rating": "Misfire: armor after penetration",
    "misfire.resist.pool": "Misfire: damage resistance pool",
}


class Tallies:
    """Makes the numbers of one attempt.

    Args:
        prefix: how the names of the numbers begin; the same modifiers count for them.
        called: what their labels begin with.
    """

    def __init__(self, asked: Asked, facts: Mapping[str, Any], prefix: str = "", called: str = "") -> None:
        self._asked = asked
        self._facts = facts
        self._prefix = prefix
        self._called = called

    def named(self, prefix: str, called: str) -> Tallies:
        """The same with more before the names."""
        return Tallies(self._asked, self._facts, f"{self._prefix}{prefix}", f"{self._called}{called}")

    def about(self, facts: Mapping[str, Any]) -> Tallies:
        """The same with other facts."""
        return Tallies(self._asked, facts, self._prefix, self._called)

    def __call__(self, to: str, base: list[Entry]) -> Tally:
        asked, name = self._asked, f"{self._prefix}{to}"
        rules = asked.rules
        if name != to:
            own = (*rules.by_target.get(to, ()), *rules.by_target.get(name, ()))
            rules = rules._replace(by_target={name: own})
        return rules.tally(name, f"{self._called}{TARGETS[to]}", base, self._facts, asked.hand)


def base_compensation(facts: Mapping[str, Any]) -> list[Entry]:
    return [Entry("weapon", "Weapon", facts["weapon.rc"])] if "weapon.rc" in facts else []


def derive_gyro(facts: dict[str, Any], compensation: Tally) -> None:
    """What is left of a gyro's rating for movement after it has canceled recoil."""
    gyro = next(
        (
            entry.value or 0
            for entry in compensation.entries
            if entry.id == "gyro" and entry.verdict == "applied"
        ),
        0,
    )
    recoil = facts.get("recoil.phase", facts["recoil.own"])
    used = min(gyro, max(0, recoil - (compensation.total - gyro)))
    facts["recoil.gyro_left"] = gyro - used


def attack_base(facts: Mapping[str, Any], asked: Asked) -> list[Entry]:
    """The pool before modifiers; with two firearms, the part of it that this one gets (section 8.9)."""
    entries = _whole_pool(facts, asked)
    if "attacker.split_dice" in facts:
        whole, share = sum(entry.value or 0 for entry in entries), facts["attacker.split_dice"]
        if share >= whole:
            message = f"each of two firearms gets a die of the {whole}, so this one gets at most {whole - 1}"
            raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
        entries.append(Entry("split", "Dice of the other firearm", share - whole))
    return entries


def _whole_pool(facts: Mapping[str, Any], asked: Asked) -> list[Entry]:
    if "attacker.pool" in facts:
        return [Entry("pool", "Pool given", facts["attacker.pool"])]
    attribute = "agility"
    if facts.get("target.hidden") and asked.options["blind_fire_attribute"] == "INT":
        attribute = "intuition"
        if "attacker.intuition" not in facts:
            raise lacks("attacker.intuition", "Intuition of the attacker, for blind fire")
    entries = [Entry(attribute, attribute.capitalize(), facts[f"attacker.{attribute}"])]
    skill = facts["weapon.skill"]
    rating = facts["attacker.skills"].get(skill)
    label = skill.replace("-", " ").capitalize()
    if rating:
        entries.append(Entry("skill", label, rating))
        if facts.get("attacker.specialized"):
            entries.append(Entry("specialization", "Specialization", 2))
    else:
        entries.append(Entry("default", f"Defaulting on {label}", -1))
    return entries


def defense_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Reaction, and on full defense the skill it adds (section 10)."""
    if "target.pool" in facts:
        entries = [Entry("pool", "Pool given", facts["target.pool"])]
    else:
        entries = [Entry("reaction", "Reaction", facts["target.reaction"])]
    skill = facts.get("target.full_defense", "none")
    if skill != "none":
        skills = facts.get("target.skills")
        if skills is None:
            raise lacks("target.skills", f"the skill ratings of the target, for {skill.capitalize()}")
        entries.append(Entry("full-defense", f"Full defense: {skill.capitalize()}", skills.get(skill, 0)))
    return entries


def armor_tally(
    tally: Tallies, facts: Mapping[str, Any], damage: Damage, worn: list[Entry], asked: Asked
) -> Tally:
    """Armor of the right kind, halved where the attack does so, with the armor penetration; never below 0."""
    avoided = facts.get("called_shot.kind") == "unarmored"
    against = protection(facts, "target", damage.element)
    entries = penetrated(worn, damage, asked.options, avoided=avoided, against=against)
    entries = sheltered(entries, facts, damage, asked.options)
    return tally("armor.rating", entries).at_least(0, ARMOR_FLOOR)


def resist_base(facts: Mapping[str, Any], rating: Tally) -> list[Entry]:
    entries = [
        Entry("body", "Body", facts["target.body"]),
        Entry("armor", "Armor after penetration", rating.total),
    ]
    if facts.get("target.soak_bonus"):
        entries.append(Entry("bonus", "Resistance bonus", facts["target.soak_bonus"]))
    return entries
