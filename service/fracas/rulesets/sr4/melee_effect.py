"""What a melee attack does where it lands: damage, a touch, a hold, a fall, an item struck away.

Rulebook sections 8.10, 9.2, 9.4, 11.1 to 11.4 and 11.6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr4 import dice_test
from fracas.rulesets.sr4.armor import half, penetrated, rating_of, worn_armor
from fracas.rulesets.sr4.damage import Compare, Hit, Plan
from fracas.rulesets.sr4.dice_test import BUY_HITS, Receiver, RollRules, Side, edge_offered
from fracas.rulesets.sr4.melee_facts import harms
from fracas.rulesets.sr4.melee_stages import Aim, Attempt, AttemptOutcome
from fracas.rulesets.sr4.ranged_facts import Damage, damage_of
from fracas.rulesets.sr4.sheet import Monitors, armor_entries

MakeTally = Callable[[str, list[Entry]], Tally]
FLOOR = "A pool never falls below 0"


class Effect(NamedTuple):
    """What takes the result of the opposed test, and the numbers it needs."""

    then: Receiver
    tallies: tuple[Tally, ...]


def derive_damage(facts: dict[str, Any], asked: Asked) -> Damage | None:
    """The damage of the weapon, where the attack needs it; adds what called shots and modifiers know of the armor.

    Raises:
        InputError: nothing is said of the target's armor.
    """
    damage = None
    if harms(facts) or (facts["aim"] == "damage" and facts.get("called_shot.kind") == "item"):
        damage = damage_of(facts)
        damage = damage._replace(track=_track(facts, damage))
    if harms(facts) and damage is not None:
        worn = facts["called_shot.armor"] = rating_of(worn_armor(facts, damage.armor_kind))
        avoided = facts.get("called_shot.kind") == "unarmored"
        facts["armor.raisable"] = not avoided and (worn > 0 or not asked.options["ap_positive_needs_armor"])
    elif "target.impact" in facts or "target.armor" in facts:
        facts["called_shot.armor"] = rating_of(worn_armor(facts, "impact"))
    return damage


def effect_of(tally: MakeTally, facts: Mapping[str, Any], asked: Asked, damage: Damage | None) -> Effect:
    """What follows the opposed test."""
    if damage is None:
        return Effect(Attempt(share(_aim(facts, asked, None))), ())
    value = tally("melee-damage.value", [Entry(*part[:3], source=part[3]) for part in damage.value_parts])
    if not harms(facts):
        return Effect(Attempt(share(_aim(facts, asked, value.total))), (value,))
    avoided = facts.get("called_shot.kind") == "unarmored"
    worn = penetrated(worn_armor(facts, damage.armor_kind), damage, asked.options, avoided=avoided)
    rating, resist = _resistance(tally, facts, worn)
    shock = _shock_pool(facts, asked) if damage.electric else -1
    charges = 1 if damage.electric and "weapon.charges" in facts else 0
    plan = _plan(facts, asked, value.total, rating.total, resist.total, damage.track)
    plan = plan._replace(contact=bool(facts["contact"]), shock_pool=shock, charges=charges)
    return Effect(Compare(share(plan), rules_of(facts, asked)), (value, rating, resist))


def on_held(tally: MakeTally, facts: Mapping[str, Any], asked: Asked) -> tuple[Stage, tuple[Tally, ...]]:
    """What the holder does to whom he holds, without an attack test: hurts with his Strength, or throws down."""
    if facts["aim"] == "throw-held":
        return AttemptOutcome("hit", 0, share(Aim("throw-held", 1, 0, "off", False)), (0, 0)), ()
    value = tally("melee-damage.value", [Entry("strength", "Strength", facts["attacker.strength"])])
    rating, resist = _resistance(tally, facts, worn_armor(facts, "impact"))
    plan: Shared[Plan] = share(
        _plan(facts, asked, value.total, rating.total, resist.total, "stun")._replace(defended=False)
    )
    rules = rules_of(facts, asked)
    hit = Hit("hit", max(0, value.total), "stun", plan, 0, (0, 0), rules)
    return dice_test.start(plan.value.resist, None, hit, rules), (value, rating, resist)


def _aim(facts: Mapping[str, Any], asked: Asked, value: int | None) -> Aim:
    """What an attack without damage is for; `value` is the DV of one that strikes an item away."""
    grazing, defended = _grazing(asked), not facts.get("target.unaware")
    if value is not None:
        return Aim("item", value, facts["target.strength"], grazing, defended)
    what = str(facts["aim"])
    if what in ("subdue", "knockdown"):
        return Aim(what, facts["attacker.strength"], facts["target.body"], grazing, defended)
    return Aim(what, 0, 0, grazing, defended)


def _resistance(tally: MakeTally, facts: Mapping[str, Any], worn: list[Entry]) -> tuple[Tally, Tally]:
    """The armor that is left, and the dice that resist."""
    rating = tally("melee-armor.rating", worn).at_least(0, "Armor never falls below 0")
    base = [
        Entry("body", "Body", facts["target.body"]),
        Entry("armor", "Armor after penetration", rating.total),
    ]
    if facts.get("target.soak_bonus"):
        base.append(Entry("bonus", "Resistance bonus", facts["target.soak_bonus"]))
    return rating, tally("melee-resist.pool", base).at_least(0, FLOOR)


def _plan(facts: Mapping[str, Any], asked: Asked, value: int, armor: int, resist: int, track: str) -> Plan:
    """The plan of an attack that is no contact and has no electricity."""
    return Plan(
        value,
        0,
        armor,
        track,
        side_of("soak", "target", facts, asked)._replace(pool=resist),
        facts.get("target.edge_points", 0),
        _grazing(asked),
        False,
        facts["target.body"],
        0,
        not facts.get("target.unaware"),
        Monitors.of(facts, "target"),
        (facts.get("target.pain_resistance", 0), 2 if facts.get("target.low_pain_tolerance") else 3),
        -1,
    )


def _track(facts: Mapping[str, Any], damage: Damage) -> str:
    bare = facts.get("weapon.category") == "unarmed" and not damage.electric
    return "physical" if bare and facts.get("attacker.unarmed_physical") else damage.track


def _shock_pool(facts: Mapping[str, Any], asked: Asked) -> int:
    """The dice against electricity before wounds (section 11.6)."""
    pool: int = facts["target.body"] + facts["target.willpower"]
    if asked.options["electric_armor_bonus"] == "half_impact":
        pool += half(rating_of(armor_entries(facts, "target", "impact") or ()), asked.options)
    return pool


def _grazing(asked: Asked) -> str:
    if not asked.options["grazing_hits"]:
        return "off"
    return "all" if asked.options["graze_on_zero"] else "hits"


def rules_of(facts: Mapping[str, Any], asked: Asked) -> RollRules:
    """The house rules of the attack's tests."""
    both = not facts.get("target.unaware") and _grazing(asked) == "hits"
    return RollRules.of(asked.options, both)


def side_of(label: str, who: str, facts: Mapping[str, Any], asked: Asked) -> Side:
    """A side of a test without its dice."""
    can_buy = BUY_HITS in asked.open and asked.options["buying_hits"]
    return Side(label, who, 0, *edge_offered(facts, who, asked.open), can_buy)
