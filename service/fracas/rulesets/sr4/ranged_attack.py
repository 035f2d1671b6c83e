"""The ranged attack of Shadowrun 4: rulebook sections 7, 8.1 to 8.6, 10, 11.1 to 11.4, 11.6 and 11.7.

The opposed test, the comparison of the Damage Value with the armor, the resistance test, and damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.errors import InputError, Problem
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr4 import dice_test
from fracas.rulesets.sr4.damage import Compare, Plan
from fracas.rulesets.sr4.dice_test import BUY_HITS, EDGE_AFTER, EDGE_BEFORE, RollRules, Side
from fracas.rulesets.sr4.ranged_facts import Damage, damage_of, derive
from fracas.rulesets.sr4.sheet import Monitors, armor_entries
from fracas.rulesets.sr4.vocabulary import RANGED_ATTACK

TARGETS = {
    "recoil.compensation": "Recoil compensation",
    "attack.pool": "Attack pool",
    "defense.pool": "Defense pool",
    "damage.value": "Damage Value before net hits",
    "damage.burst": "Damage Value added after the comparison",
    "armor.rating": "Armor after penetration",
    "resist.pool": "Damage resistance pool",
}


def _chance(test: Any) -> Any:
    return lambda facts: 1.0 if test(facts) else 0.0


def _number(name: str) -> Any:
    return lambda facts: float(facts.get(name) or 0)


MEASURES = (
    Measure("hit", "Chance to hit", _chance(lambda facts: facts["result"] in ("hit", "graze_contact"))),
    Measure("damage", "Expected boxes", _number("damage")),
    Measure(
        "physical", "Chance of Physical damage", _chance(lambda f: f["damage"] and f["track"] == "physical")
    ),
    Measure("knockdown", "Chance of a knockdown", _chance(lambda facts: facts.get("knockdown"))),
    Measure("down", "Chance to take the target out", _chance(lambda facts: facts.get("unconscious"))),
)


class RangedAttack:
    """One attack with a firearm, bow, crossbow or thrown weapon against one target."""

    id = "ranged-attack"
    label = "Ranged attack"
    doc = "Opposed test, comparison with the armor, damage resistance; one target."
    vocabulary = RANGED_ATTACK
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = derive(asked)
        damage = damage_of(facts)
        armor = _worn_armor(facts, damage)
        worn = facts["called_shot.armor"] = sum(entry.value or 0 for entry in armor)
        avoided = facts.get("called_shot.kind") == "unarmored"
        facts["armor.raisable"] = not avoided and (worn > 0 or not asked.options["ap_positive_needs_armor"])
        tally = _Tallies(asked, facts)
        compensation = tally("recoil.compensation", base_compensation(facts))
        if "weapon.rc" in facts:
            facts["recoil.compensation"] = compensation.total
            derive_gyro(facts, compensation)
        refusals = asked.rules.refusals(facts)
        attack = tally("attack.pool", attack_base(facts, asked)).at_least(0, "A pool never falls below 0")
        value = tally("damage.value", [Entry(*part[:3], source=part[3]) for part in damage.value_parts])
        burst = tally("damage.burst", [])
        rating = _armor_tally(tally, facts, damage, armor, asked)
        resist = tally("resist.pool", _resist_base(facts, rating)).at_least(0, "A pool never falls below 0")
        tallies = [compensation, attack, value, burst, rating, resist]
        defense: Tally | None = None
        if not facts.get("target.unaware"):
            defense = tally("defense.pool", defense_base(facts)).at_least(0, "A pool never falls below 0")
            tallies.insert(2, defense)
        if refusals:
            return Prepared(None, tuple(tallies), refusals, _shown(facts))
        plan = share(_plan(facts, asked, damage, value.total, burst.total, rating.total, resist.total))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == "attack.pool":
                return _first_stage(facts, asked, changed.total, defense and defense.total, plan)
            if changed.to == "defense.pool":
                return _first_stage(facts, asked, attack.total, changed.total, plan)
            return None

        stage = _first_stage(facts, asked, attack.total, defense and defense.total, plan)
        return Prepared(stage, tuple(tallies), (), _shown(facts), rebuild)


class _Tallies:
    """Tallies of one attempt."""

    def __init__(self, asked: Asked, facts: Mapping[str, Any]) -> None:
        self._asked = asked
        self._facts = facts

    def __call__(self, to: str, base: list[Entry]) -> Tally:
        return self._asked.rules.tally(to, TARGETS[to], base, self._facts, self._asked.hand)


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
            raise InputError.one("situation.attacker.intuition", "missing-field", "blind fire uses Intuition")
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
            message = f"full defense adds {skill.capitalize()}, and no skills are given"
            raise InputError.one("situation.target.skills", "missing-field", message)
        entries.append(Entry("full-defense", f"Full defense: {skill.capitalize()}", skills.get(skill, 0)))
    return entries


def _worn_armor(facts: Mapping[str, Any], damage: Damage) -> list[Entry]:
    entries = armor_entries(facts, "target", damage.armor_kind)
    if entries is None:
        raise InputError(
            (
                Problem(
                    "situation.target.armor",
                    "missing-field",
                    f"the rule needs the target's armor: a list of pieces (empty for none) or {damage.armor_kind}",
                ),
            )
        )
    return entries


def _armor_tally(
    tally: _Tallies, facts: Mapping[str, Any], damage: Damage, worn: list[Entry], asked: Asked
) -> Tally:
    """Armor of the right kind, halved where the attack does so, with the armor penetration; never below 0."""
    entries = list(worn)
    rating = sum(entry.value or 0 for entry in worn)
    if facts.get("called_shot.kind") == "unarmored":
        entries.append(Entry("called-shot", "Called shot at an unarmored spot", -rating, origin="rule"))
        return tally("armor.rating", entries).at_least(0, "Armor never falls below 0")
    if damage.halves:
        lost = rating // 2 if asked.options["half_armor_round"] == "up" else rating - rating // 2
        entries.append(Entry("half", "Armor halved", -lost, origin="rule"))
    penetration = sum(points for _, _, points, _ in damage.ap_parts)
    for id, label, points, source in damage.ap_parts:
        if not points:
            continue
        entry = Entry(f"ap-{id}", f"AP of {label}", points, origin="rule", source=source)
        if penetration > 0 and rating == 0 and asked.options["ap_positive_needs_armor"]:
            entry = entry._replace(verdict="failed", reason="there is no armor to raise")
        entries.append(entry)
    return tally("armor.rating", entries).at_least(0, "Armor never falls below 0")


def _resist_base(facts: Mapping[str, Any], rating: Tally) -> list[Entry]:
    entries = [
        Entry("body", "Body", facts["target.body"]),
        Entry("armor", "Armor after penetration", rating.total),
    ]
    if facts.get("target.soak_bonus"):
        entries.append(Entry("bonus", "Resistance bonus", facts["target.soak_bonus"]))
    return entries


def _edge(facts: Mapping[str, Any], asked: Asked, who: str) -> tuple[int, int, int]:
    """(Edge offered before, Edge offered after, points left) of one side; 0 where it is not offered."""
    rating, points = facts.get(f"{who}.edge", 0), facts.get(f"{who}.edge_points", 0)
    if points < 1:
        return 0, 0, 0
    return (rating if EDGE_BEFORE in asked.open else 0), (rating if EDGE_AFTER in asked.open else 0), points


def _first_stage(
    facts: Mapping[str, Any], asked: Asked, attack: int, defense: int | None, plan: Shared[Plan]
) -> Stage:
    """The opposed test, or without a defense the plain one; pools below 0 count as 0."""
    can_buy = BUY_HITS in asked.open and asked.options["buying_hits"]
    before, after, _ = _edge(facts, asked, "attacker")
    first = Side("attack", "attacker", max(0, attack), before, after, can_buy)
    second = None
    if defense is not None:
        before, after, _ = _edge(facts, asked, "target")
        second = Side("defense", "target", max(0, defense), before, after, can_buy)
    need_hits = second is not None and asked.options["grazing_hits"] and not asked.options["graze_on_zero"]
    rules = RollRules.of(asked.options, need_hits)
    return dice_test.start(first, second, Compare(plan, rules), rules)


def _plan(
    facts: Mapping[str, Any], asked: Asked, damage: Damage, value: int, burst: int, armor: int, resist: int
) -> Plan:
    before, after, points = _edge(facts, asked, "target")
    can_buy = BUY_HITS in asked.open and asked.options["buying_hits"]
    shock_pool = -1
    if damage.electric:
        shock_pool = facts["target.body"] + facts["target.willpower"]
        if asked.options["electric_armor_bonus"] == "half_impact":
            impact = sum(entry.value or 0 for entry in armor_entries(facts, "target", "impact") or ())
            shock_pool += -(-impact // 2) if asked.options["half_armor_round"] == "up" else impact // 2
    return Plan(
        value,
        burst,
        armor,
        damage.track,
        Side("soak", "target", resist, before, after, can_buy),
        points,
        "off"
        if not asked.options["grazing_hits"]
        else "hits"
        if not asked.options["graze_on_zero"]
        else "all",
        bool(facts.get("contact")),
        facts["target.body"] - (2 if damage.gel and asked.options["gel_knockdown"] else 0),
        facts["fire.rounds"] if facts.get("weapon.feed") != "none" else 0,
        facts.get("target.unaware", False) is False,
        Monitors.of(facts, "target"),
        (facts.get("target.pain_resistance", 0), 2 if facts.get("target.low_pain_tolerance") else 3),
        shock_pool,
    )


_SHOWN = (
    "range.band",
    "visibility_modifier",
    "fire.rounds",
    "attacker.wound_modifier",
    "target.wound_modifier",
    "attacker.encumbrance",
    "target.encumbrance",
)


def _shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    return {name: facts[name] for name in _SHOWN if name in facts}
