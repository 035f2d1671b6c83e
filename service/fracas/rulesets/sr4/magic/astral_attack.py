"""The attack in the astral world: rulebook sections 1 (no defaulting), 7, 10.1 and 16.

Astral Combat + Willpower against Intuition + Astral Combat or Dodge; half the Charisma and the net hits are resisted
with Willpower. There is no armor, and nobody is knocked down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, person, vocabulary
from fracas.kernel.monitors import boxes_held
from fracas.kernel.procedures import Attempt, chance
from fracas.kernel.required import require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Stage, share
from fracas.kernel.tally import Entry, Refusal
from fracas.rulesets.sr4.harms.damage import Compare, Plan, grazing
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules, opposed
from fracas.rulesets.sr4.sheet import SPECIALIZATION, make_pool, pool_given, skill_entries, wound_modifier
from fracas.rulesets.sr4.vocabulary import DEFENSES_MADE, OF_ROLL, UNAWARE, combatant_fields, dice

ASTRAL_COMBAT = "astral-combat"
METHODS = (ASTRAL_COMBAT, "dodge")
_POOL = "Dice before modifiers, in place of Willpower and skill."
_DEFENSE = "What is added to Intuition; whichever gives more dice unless given."

ASTRAL_ATTACK = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Target"),
    combatant_fields("attacker", pool=dice("Attack pool", _POOL), **OF_ROLL),
    combatant_fields(
        "target",
        pool=dice("Defense pool", "Dice before modifiers, in place of Intuition and skill."),
        astral_defense=choice("Defense", _DEFENSE, choices=METHODS),
        unaware=UNAWARE,
        defenses_made=DEFENSES_MADE,
    ),
    fields(
        "",
        damage=choice(
            "Damage kind", "As the attacker chooses; Stun unless given.", choices=("stun", "physical")
        ),
    ),
)

ATTACK, DEFENSE = "astral-attack.pool", "astral-defense.pool"
VALUE, RESIST = "astral-damage.value", "astral-resist.pool"
_SHOWN = ("damage", "attacker.wound_modifier", "target.wound_modifier")


class AstralAttack(dice_test.TestingProcedure):
    """Astral Combat + Willpower against Intuition + Astral Combat or Dodge; resisted with Willpower."""

    vocabulary = ASTRAL_ATTACK
    targets = {
        ATTACK: "Astral attack pool",
        DEFENSE: "Astral defense pool",
        VALUE: "Damage Value before net hits",
        RESIST: "Damage resistance pool",
    }
    owners = {DEFENSE: "target", RESIST: "target"}
    measures = (
        chance("result", "Chance to hit", "hit", among=("hit",)),
        Measure("damage", "Expected boxes", boxes_held),
        chance("unconscious", "Chance to take the target out", "down"),
    )
    inner = (VALUE, RESIST)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        require(facts, _needed(facts))
        facts.setdefault("damage", "stun")
        for who in ("attacker", "target"):
            if (wounds := wound_modifier(facts, who, it.options)) is not None:
                facts[f"{who}.wound_modifier"] = wounds
        it.shown |= {name: facts[name] for name in _SHOWN if name in facts}
        attack = pool_given(facts, "attacker.pool")
        if not attack:
            rating = facts["attacker.skills"].get(ASTRAL_COMBAT, 0)
            attack = [
                Entry("willpower", "Willpower", facts["attacker.willpower"]),
                Entry("skill", "Astral Combat", rating),
                *(SPECIALIZATION if facts.get("attacker.specialized") else ()),
            ]
            if not rating:  # section 1
                label = "Nobody attacks in the astral world without the skill Astral Combat"
                it.refused.append(Refusal("no_default", label))
        half = Entry("charisma", "Half Charisma, rounded up", -(-facts["attacker.charisma"] // 2))
        make_pool(it, ATTACK, *attack)
        if not facts.get("target.unaware"):
            make_pool(it, DEFENSE, *_defense_base(facts))
        make_pool(it, VALUE, half)
        make_pool(it, RESIST, Entry("willpower", "Willpower", facts["target.willpower"]))

    def first(self, it: Attempt) -> Stage:
        plan = Plan.of(it, it.total(VALUE), 0, it.total(RESIST), it.facts["damage"])
        plan = plan._replace(knockdown=0, hard=False, falls=False)
        sides = opposed(it, ("attack", "attacker", ATTACK), ("defense", "target", DEFENSE))
        rules = RollRules.of(it.options, sides[1] is not None and grazing(it.options) == "hits")
        return dice_test.start(*sides, Compare(share(plan), rules), rules)


def _needed(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "attacker.charisma", "Charisma of the attacker, half of which is the Damage Value"
    yield "target.willpower", "Willpower of the target, which resists the damage"
    if "attacker.pool" not in facts:
        yield "attacker.willpower", "Willpower of the attacker | attacker.pool"
        yield "attacker.skills", "the skill ratings of the attacker | attacker.pool"
    if "target.pool" not in facts and not facts.get("target.unaware"):
        yield "target.intuition", "Intuition of the target | target.pool"
        yield "target.skills", "the skill ratings of the target | target.pool"


def _defense_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Intuition with the skill given, or with more dice. Dodge is defaulted on, Astral Combat adds nothing then."""
    if given := pool_given(facts, "target.pool"):
        return given
    skills, stated = facts["target.skills"], facts.get("target.astral_defense")
    method = stated or max(METHODS, key=lambda skill: skills.get(skill, 0))
    intuition = Entry("intuition", "Intuition", facts["target.intuition"])
    if not skills.get(method) and stated == ASTRAL_COMBAT:
        return [intuition]
    return [intuition, *skill_entries(skills, method if skills.get(method) else "dodge")]
