"""Ranged attacks of Shadowrun 5 on one target or several: rulebook sections 6.2, 6.3, 8.4, 9.1, 9.2, 9.4, 9.5, 10, 11.

An opposed test in which the Accuracy limits the attack, then the damage against the armor, and its resistance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.procedures import Attempt
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.sr5.attacks import attack
from fracas.rulesets.sr5.attacks.shooting import ready
from fracas.rulesets.sr5.attacks.vocabulary import RANGED_ATTACK
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.harms.damage import Penetration, Plan, plan_of
from fracas.rulesets.sr5.rolls.dice_test import FLOOR, LIMIT_FLOOR
from fracas.rulesets.sr5.sheet import limit_entries, pool_entries

Facts = Mapping[str, Any]

COMPENSATION, ATTACK, LIMIT = "recoil.compensation", "attack.pool", "limit.accuracy"
DEFENSE, VALUE = "defense.pool", "damage.value"
OF_SHOOTERS = {ATTACK: "Attack pool", LIMIT: "Accuracy", COMPENSATION: "Recoil compensation"}
TARGETS = {**OF_SHOOTERS, DEFENSE: "Defense pool", VALUE: "Damage Value", **damage.TARGETS}
OWNERS = attack.owners_in(TARGETS, {*OF_SHOOTERS, VALUE})
GEL_KNOCKDOWN = 2
"""Points by which gel rounds lower the limit of a knockdown."""


def make_shooting(it: Attempt) -> None:
    """Make the numbers of whoever shoots; the recoil compensation is added to the facts.

    Raises:
        InputError: a split pool has too few dice.
    """
    facts = it.facts
    facts["recoil.compensation"] = it.tally(COMPENSATION, *compensation_base(facts, it.catalog)).total
    it.tally(ATTACK, *attack.attack_base(facts), least=0, floor=FLOOR)
    it.tally(LIMIT, *limit_base(facts), least=0, floor=LIMIT_FLOOR)


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


def limit_base(facts: Facts) -> list[Entry]:
    """The Accuracy, or the Physical limit of what is thrown."""
    if facts.get("weapon.accuracy_physical"):
        return limit_entries(facts, "attacker", "physical")
    return [Entry("weapon", facts.get("weapon.name") or "Weapon", facts["weapon.accuracy"])]


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


def penetration(facts: Facts) -> Penetration:
    """(id, label, points) of what lowers the armor, or raises it."""
    load = facts.get("load.name") or "load"
    if facts.get("target.vehicle") and "load.ap_vehicle" in facts:
        return [("load", load, facts["load.ap_vehicle"])]
    if "load.ap_becomes" in facts:
        return [("load", load, facts["load.ap_becomes"])]
    parts = [] if facts.get("load.replaces") else [("weapon", "weapon", facts.get("weapon.ap", 0))]
    return [*parts, ("load", load, facts.get("load.ap", 0))]


def spends(facts: Facts) -> bool:
    """Whether the rounds of the weapon are counted: it has a feed, and the request says how many are loaded."""
    return facts.get("weapon.feed") != "none" and "weapon.rounds" in facts


def plan_of_hit(it: Attempt, **more: Any) -> Plan:
    """What follows a hit on the target: gel rounds lower the limit of a knockdown; `more`: further fields."""
    facts = it.facts
    own = None if facts.get("load.replaces") else facts.get("weapon.damage")
    track = facts.get("load.damage") or own or facts.get("weapon.damage") or "physical"
    element = facts.get("damage.element", "")
    plan = plan_of(it, it.total(VALUE), track, element, touch=harmless(facts), **more)
    if facts.get("load.type") == "gel" and plan.limit >= 0:
        return plan._replace(limit=max(0, plan.limit - GEL_KNOCKDOWN))
    return plan


class RangedAttack(attack.AttackProcedure):
    """One attack with a firearm, bow, crossbow or thrown weapon against one target."""

    id = "ranged-attack"
    label = "Ranged attack"
    doc = "Opposed test with a limit, Damage Value against armor, damage resistance; one target."
    vocabulary = RANGED_ATTACK
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = OWNERS
    inner: Collection[str] = (COMPENSATION, damage.ARMOR)
    pool, limit, defense = ATTACK, LIMIT, DEFENSE
    shows: Sequence[str] = (
        *("range.band", "environment.modifier", "fire.rounds", "fire.rounds_missing", "recoil.own"),
        *("attacker.wound_modifier", "target.wound_modifier", "attacker.encumbrance", "target.encumbrance"),
    )
    ready = staticmethod(ready)

    def make(self, it: Attempt) -> None:
        facts = it.facts
        make_shooting(it)
        if not facts.get("target.unaware"):
            defense = pool_entries(facts, "target", ("reaction", "intuition"))
            it.tally(DEFENSE, *defense, least=0, floor=FLOOR)
        it.tally(VALUE, *damage_base(facts))
        damage.resist(it, penetration(facts))

    def plan(self, it: Attempt) -> Plan:
        facts = it.facts
        fired, defended = facts["fire.rounds"] if spends(facts) else 0, not facts.get("target.unaware")
        return plan_of_hit(it, defended=defended, rounds=fired, recoil=facts["recoil.own"])


_OF_EACH = {
    "split_dice": "attacker.split_dice",
    "distance": "distance",
    "called_shot": "attacker.called_shot",
}


class RangedVolley(attack.SeveralAttacks):
    """One ranged action against several targets, each attacked once."""

    id = "ranged-volley"
    label = "Ranged attack on several"
    vocabulary = attack.vocabulary_of_several(RANGED_ATTACK, _OF_EACH)
    targets: Mapping[str, str] = attack.labels_of(TARGETS)
    owners: Mapping[str, str] = OWNERS
    inner: Collection[str] = targets
    single = RangedAttack()
    of_each = _OF_EACH

    def ready(self, it: Attempt, records: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Each attack has the rounds that the earlier ones leave, and the recoil of all together."""
        attacks = []
        fired = recoil = 0
        for record in records:
            facts = self.against(it.facts, record)
            if "weapon.rounds" in facts:
                facts["weapon.rounds"] = max(0, facts["weapon.rounds"] - fired)
            with it.faults.collect({"target": record}):
                self.single.ready(facts, it.asked)
                fired += facts["fire.rounds"]
                recoil += facts["recoil.own"]
                attacks.append(facts)
        for facts in attacks:
            facts["recoil.progressive"] += recoil - facts["recoil.own"]
            before = facts.get("attacker.rounds_in_phase", 0)
            facts["recoil.phase"] = max(recoil + before, facts["recoil.phase"])
        return iter(attacks)
