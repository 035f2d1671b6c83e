"""The attack in the astral world: rulebook sections 1 (no defaulting), 7, 10.1 and 16.

Astral Combat + Willpower against Intuition + Astral Combat or Dodge; half the Charisma and the net hits are resisted
with Willpower. There is no armor, and nobody is knocked down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.monitors import boxes_held
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Stage, share
from fracas.kernel.tally import Entry, Refusal, Tally
from fracas.rulesets.sr4.harms.damage import Compare, Plan
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import FLOOR, Monitors, pain, wound_modifier
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields

ASTRAL_COMBAT = "astral-combat"
METHODS = (ASTRAL_COMBAT, "dodge")

ASTRAL_ATTACK = vocabulary(
    person("attacker", "Attacker"),
    person("target", "Target"),
    combatant_fields("attacker"),
    fields(
        "attacker",
        pool=whole("Attack pool", "Dice before modifiers, in place of Willpower and skill.", most=60),
        specialized=flag("Specialized", "The specialization covers this use."),
    ),
    burning_edge("attacker"),
    combatant_fields("target"),
    fields(
        "target",
        pool=whole("Defense pool", "Dice before modifiers, in place of Intuition and skill.", most=60),
        astral_defense=choice(
            "Defense",
            "What is added to Intuition; whichever gives more dice unless said.",
            choices=METHODS,
        ),
        unaware=flag("Unaware or surprised", "No defense at all."),
        defenses_made=whole("Defenses made", "Since the target's own last action.", most=50),
    ),
    fields(
        "",
        damage=choice(
            "Damage kind", "As the attacker chooses; Stun unless said.", choices=("stun", "physical")
        ),
    ),
)

TARGETS = {
    "astral-attack.pool": "Astral attack pool",
    "astral-defense.pool": "Astral defense pool",
    "astral-damage.value": "Damage Value before net hits",
    "astral-resist.pool": "Damage resistance pool",
}


class AstralAttack:
    """One attack of somebody in the astral world on somebody else there."""

    id = "astral-attack"
    label = "Astral attack"
    doc = "Astral Combat + Willpower against Intuition + Astral Combat or Dodge; resisted with Willpower."
    vocabulary = ASTRAL_ATTACK
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("hit", "Chance to hit", lambda facts: float(facts["result"] == "hit")),
        Measure("damage", "Expected boxes", boxes_held),
        Measure("down", "Chance to take the target out", lambda facts: float(bool(facts.get("unconscious")))),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = _derive(asked)
        refusals = asked.rules.refusals(facts, _untrained(facts))

        def tally(to: str, base: list[Entry]) -> Tally:
            return asked.rules.tally(to, TARGETS[to], base, facts, asked.hand).at_least(0, FLOOR)

        attack = tally("astral-attack.pool", _attack_base(facts))
        value = tally("astral-damage.value", [Entry("charisma", "Half Charisma, rounded up", _half(facts))])
        resist = tally("astral-resist.pool", [Entry("willpower", "Willpower", facts["target.willpower"])])
        tallies = [attack, value, resist]
        defense: Tally | None = None
        if not facts.get("target.unaware"):
            defense = tally("astral-defense.pool", _defense_base(facts))
            tallies.insert(1, defense)
        if refusals:
            return Prepared(None, tuple(tallies), refusals, _shown(facts))
        plan = share(_plan(facts, asked, value.total, resist.total, defense is not None))

        def first(attack: Tally, defense: Tally | None) -> Stage:
            needs_hits = asked.options["grazing_hits"] and not asked.options["graze_on_zero"]
            rules = RollRules.of(asked.options, defense is not None and needs_hits)
            second = (
                side_of("defense", "target", defense.total, facts, asked) if defense is not None else None
            )
            side = side_of("attack", "attacker", attack.total, facts, asked, says=True)
            return dice_test.start(side, second, Compare(plan, rules), rules)

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == attack.to:
                return first(changed, defense)
            return first(attack, changed) if changed.to == "astral-defense.pool" else None

        return Prepared(first(attack, defense), tuple(tallies), (), _shown(facts), rebuild)


def _derive(asked: Asked) -> dict[str, Any]:
    facts = dict(asked.said.facts)
    needed = [
        ("attacker.charisma", "Charisma of the attacker, half of which is the Damage Value"),
        ("target.willpower", "Willpower of the target, which resists the damage"),
    ]
    if "attacker.pool" not in facts:
        instead = "of the attacker | attacker.pool"
        needed += [
            ("attacker.willpower", f"Willpower {instead}"),
            ("attacker.skills", f"the skill ratings {instead}"),
        ]
    if "target.pool" not in facts and not facts.get("target.unaware"):
        instead = "of the target | target.pool"
        needed += [
            ("target.intuition", f"Intuition {instead}"),
            ("target.skills", f"the skill ratings {instead}"),
        ]
    require(facts, needed)
    facts.setdefault("damage", "stun")
    for who in ("attacker", "target"):
        wounds = wound_modifier(facts, who, asked.options)
        if wounds is not None:
            facts[f"{who}.wound_modifier"] = wounds
    return facts


def _half(facts: Mapping[str, Any]) -> int:
    return -(-int(facts["attacker.charisma"]) // 2)


def _rating(facts: Mapping[str, Any], who: str, skill: str) -> int:
    return int(facts[f"{who}.skills"].get(skill, 0))


def _untrained(facts: Mapping[str, Any]) -> tuple[Refusal, ...]:
    """Nobody defaults on Astral Combat (section 1)."""
    if "attacker.pool" in facts or _rating(facts, "attacker", ASTRAL_COMBAT):
        return ()
    return (Refusal("no_default", "Nobody attacks in the astral world without the skill Astral Combat"),)


def _attack_base(facts: Mapping[str, Any]) -> list[Entry]:
    if "attacker.pool" in facts:
        return [Entry("pool", "Pool given", facts["attacker.pool"])]
    entries = [
        Entry("willpower", "Willpower", facts["attacker.willpower"]),
        Entry("skill", "Astral Combat", _rating(facts, "attacker", ASTRAL_COMBAT)),
    ]
    if facts.get("attacker.specialized"):
        entries.append(Entry("specialization", "Specialization", 2))
    return entries


def _defense_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Intuition with the skill said, or that with more dice. Dodge is defaulted on, Astral Combat adds nothing then."""
    if "target.pool" in facts:
        return [Entry("pool", "Pool given", facts["target.pool"])]
    ways = {
        ASTRAL_COMBAT: _rating(facts, "target", ASTRAL_COMBAT),
        "dodge": _rating(facts, "target", "dodge"),
    }
    said = facts.get("target.astral_defense")
    method = said or max(METHODS, key=lambda skill: ways[skill])
    intuition = Entry("intuition", "Intuition", facts["target.intuition"])
    rating, label = ways[method], method.replace("-", " ").capitalize()
    if rating:
        return [intuition, Entry("skill", label, rating)]
    if method == ASTRAL_COMBAT and said is None:
        method, label = "dodge", "Dodge"
    return [intuition, Entry("default", f"Defaulting on {label}", -1)] if method == "dodge" else [intuition]


def _plan(facts: Mapping[str, Any], asked: Asked, value: int, resist: int, defended: bool) -> Plan:
    options = asked.options
    return Plan(
        value,
        0,
        0,
        facts["damage"],
        side_of("soak", "target", resist, facts, asked),
        facts.get("target.edge_points", 0),
        "off" if not options["grazing_hits"] else "all" if options["graze_on_zero"] else "hits",
        False,
        0,
        0,
        defended,
        Monitors.of(facts, "target", options),
        pain(facts, "target"),
        -1,
        falls=False,
    )


_SHOWN = ("damage", "attacker.wound_modifier", "target.wound_modifier")


def _shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    return {name: facts[name] for name in _SHOWN if name in facts}
