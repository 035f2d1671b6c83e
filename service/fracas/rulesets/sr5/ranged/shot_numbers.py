"""The numbers of a shot: pools, limit, recoil compensation, damage. Rulebook sections 8.4, 10, 11.2 and 11.5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr5.harms import damage as soaking
from fracas.rulesets.sr5.harms.damage import Harm, Plan
from fracas.rulesets.sr5.sheet import limit_entries, pool_entries

Facts = Mapping[str, Any]

TARGETS = {
    "attack.pool": "Attack pool",
    "limit.accuracy": "Accuracy",
    "recoil.compensation": "Recoil compensation",
    "defense.pool": "Defense pool",
    "damage.value": "Damage Value",
    **soaking.TARGETS,
}
FLOOR = "A pool never falls below 0"
LIMIT_FLOOR = "A limit never falls below 0"
GEL_KNOCKDOWN = 2
"""Points by which gel rounds lower the limit of a knockdown."""


def compensation_base(facts: Facts, catalog: Catalog) -> list[Entry]:
    """The weapon's own compensation, and what its accessories add; some only where they are set up."""
    entries = [Entry("weapon", "Weapon", facts["weapon.rc"])] if "weapon.rc" in facts else []
    for feature in facts.get("weapon.features", ()):
        mod = catalog.entry("mod", feature)
        for change in mod.data.get("changes", ()) if mod else ():
            idle = change.get("while") == "deployed" and not facts.get("attacker.deployed")
            if mod and change["stat"] == "weapon.rc" and not idle:
                entries.append(Entry(mod.slug, mod.label, change["add"], source=mod.id))
    return entries


def pool_base(facts: Facts) -> list[Entry]:
    """Agility and the skill, or a pool that is given."""
    return pool_entries(facts, "attacker", ("agility",), facts.get("weapon.skill", ""), defaults=False)


def attack_base(facts: Facts) -> list[Entry]:
    """The attack pool; of a split one, the part that this attack gets (Multiple attacks, section 6.2).

    Raises:
        InputError: the part is not smaller than the whole.
    """
    entries = pool_base(facts)
    if "attacker.split_dice" in facts:
        whole, share = sum(entry.value or 0 for entry in entries), facts["attacker.split_dice"]
        if share >= whole:
            message = f"another attack gets a die of the {whole}, so this one gets at most {whole - 1}"
            raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
        entries.append(Entry("split", "Dice of the other attacks", share - whole, origin="rule"))
    return entries


def limit_base(facts: Facts) -> list[Entry]:
    """The Accuracy, or the Physical limit of what is thrown."""
    if facts.get("weapon.accuracy_physical"):
        return limit_entries(facts, "attacker", "physical")
    return [Entry("weapon", facts.get("weapon.name") or "Weapon", facts["weapon.accuracy"])]


def defense_base(facts: Facts) -> list[Entry]:
    """Reaction and Intuition."""
    return pool_entries(facts, "target", ("reaction", "intuition"))


def harmless(facts: Facts) -> bool:
    """What hits does no damage of its own, such as a dart with a drug: only contact counts."""
    return "weapon.dv" not in facts and "load.dv" not in facts


def damage_base(facts: Facts) -> list[Entry]:
    """The Damage Value of the weapon and its load."""
    entries = []
    if not facts.get("load.replaces") and "weapon.dv" in facts:
        entries.append(Entry("weapon", facts.get("weapon.name") or "Weapon", facts["weapon.dv"]))
        if facts.get("weapon.dv_strength"):
            entries.append(Entry("strength", "Strength", facts["attacker.strength"]))
    if "load.dv" in facts:
        entries.append(Entry("load", facts.get("load.name") or "Load", facts["load.dv"]))
    return entries


def penetration(facts: Facts) -> list[tuple[str, str, int]]:
    """(id, label, points) of what lowers the armor, or raises it."""
    load = facts.get("load.name") or "load"
    if facts.get("target.vehicle") and "load.ap_vehicle" in facts:
        return [("load", load, facts["load.ap_vehicle"])]
    if "load.ap_becomes" in facts:
        return [("load", load, facts["load.ap_becomes"])]
    parts = [] if facts.get("load.replaces") else [("weapon", "weapon", facts.get("weapon.ap", 0))]
    return [*parts, ("load", load, facts.get("load.ap", 0))]


def harm_of(facts: Facts, value: int) -> Harm:
    """The damage that a hit does."""
    own = None if facts.get("load.replaces") else facts.get("weapon.damage")
    spends = facts.get("weapon.feed") != "none" and "weapon.rounds" in facts
    return Harm(
        value,
        facts.get("load.damage") or own or facts.get("weapon.damage") or "physical",
        penetration(facts),
        facts.get("damage.element", ""),
        touch=harmless(facts),
        defended=not facts.get("target.unaware"),
        rounds=facts["fire.rounds"] if spends else 0,
        recoil=facts["recoil.own"],
    )


def knocking(plan: Plan, facts: Facts) -> Plan:
    """What the resistance needs, with the limit of a knockdown that gel rounds lower."""
    if facts.get("load.type") == "gel" and plan.limit >= 0:
        return plan._replace(limit=max(0, plan.limit - GEL_KNOCKDOWN))
    return plan
