"""What a melee attack does where it lands: damage, a touch, a hold, a fall, an item struck away.

Rulebook sections 8.10, 9.2, 9.4, 9.5, 11.1 to 11.4, 11.6 and 12.1 (the monofilament whip).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr4.harms.armor import penetrated, protection, rating_of, worn_armor
from fracas.rulesets.sr4.harms.damage import Compare, Hit, Plan
from fracas.rulesets.sr4.melee.melee_facts import backfires, harms, held_by_target
from fracas.rulesets.sr4.melee.melee_mishaps import BACKLASH, Backfiring, Intercepting
from fracas.rulesets.sr4.melee.melee_stages import Aim, Attempted, AttemptOutcome, Holding
from fracas.rulesets.sr4.ranged.ranged_attack import had_of, shock_dice
from fracas.rulesets.sr4.ranged.ranged_facts import Damage, damage_of
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import ARMOR_FLOOR, FLOOR, Monitors, armor_entries, pain

MakeTally = Callable[[str, list[Entry]], Tally]
BACKLASH_ARMOR, BACKLASH_POOL = f"{BACKLASH}-armor.rating", f"{BACKLASH}-resist.pool"


class Effect(NamedTuple):
    """What takes the result of the opposed test, and the numbers it needs."""

    then: Receiver
    tallies: tuple[Tally, ...]


_OF_NO_HARM = {"weapon.ap": 0, "weapon.damage": "physical", "weapon.armor_kind": "impact"}
"""Of a blow that strikes a thing away: its DV alone counts."""


def derive_damage(facts: dict[str, Any], asked: Asked) -> Damage | None:
    """The damage of the weapon, where the attack needs it; adds what called shots and modifiers know of the armor.

    Raises:
        InputError: nothing is said of the target's armor.
    """
    damage = None
    if harms(facts) or (facts["aim"] == "damage" and facts.get("called_shot.kind") == "item"):
        damage = damage_of(facts if harms(facts) else {**_OF_NO_HARM, **facts})
        damage = damage._replace(track=_track(facts, damage))
    if harms(facts) and damage is not None:
        worn = facts["called_shot.armor"] = rating_of(worn_armor(facts, damage.armor_kind))
        avoided = facts.get("called_shot.kind") == "unarmored"
        facts["armor.raisable"] = not avoided and (worn > 0 or not asked.options["ap_positive_needs_armor"])
    elif "target.impact" in facts or "target.armor" in facts:
        facts["called_shot.armor"] = rating_of(worn_armor(facts, "impact"))
    return damage


def effect_of(tally: MakeTally, facts: Mapping[str, Any], asked: Asked, damage: Damage | None) -> Effect:
    """What follows the opposed test, for the target and for a wielder who glitches."""
    found = _on_target(tally, facts, asked, damage)
    if backfires(facts):
        plan, tallies = _backlash(tally, facts, asked)
        then = Backfiring(found.then, share(plan), rules_of(facts, asked))
        found = Effect(then, (*found.tallies, *tallies))
    if facts.get("interception"):
        found = found._replace(then=Intercepting(found.then))
    return found


def _on_target(tally: MakeTally, facts: Mapping[str, Any], asked: Asked, damage: Damage | None) -> Effect:
    if damage is None:
        return Effect(Attempted(share(_aim(facts, asked, None))), ())
    value = tally("melee-damage.value", [Entry(*part[:3], source=part[3]) for part in damage.value_parts])
    if not harms(facts):
        return Effect(Attempted(share(_aim(facts, asked, value.total))), (value,))
    avoided = facts.get("called_shot.kind") == "unarmored"
    against = protection(facts, "target", damage.element)
    worn = penetrated(
        worn_armor(facts, damage.armor_kind), damage, asked.options, avoided=avoided, against=against
    )
    rating, resist = _resistance(tally, facts, worn)
    vehicle, element = bool(facts.get("target.vehicle")), damage.element
    shock = shock_dice(facts, asked.options) if damage.electric and not vehicle else -1
    charges = 1 if damage.electric and "weapon.charges" in facts else 0
    plan = _plan(facts, asked, value.total, rating.total, resist.total, damage.track)
    plan = plan._replace(
        contact=bool(facts["contact"]),
        shock_pool=shock,
        charges=charges,
        element="" if vehicle else element,
        had=had_of(facts, element),
        track="physical" if vehicle and damage.electric else damage.track,
    )
    return Effect(Compare(share(plan), rules_of(facts, asked)), (value, rating, resist))


def on_held(tally: MakeTally, facts: Mapping[str, Any], asked: Asked) -> tuple[Stage, tuple[Tally, ...]]:
    """What the holder does to whom he holds, without an attack test: hurts with his Strength, or throws down."""
    if facts["aim"] in ("throw-held", "keep-held"):
        return AttemptOutcome("hit", 0, share(_aim(facts, asked, None)._replace(defended=False)), (0, 0)), ()
    value = tally("melee-damage.value", [Entry("strength", "Strength", facts["attacker.strength"])])
    rating, resist = _resistance(tally, facts, worn_armor(facts, "impact"))
    plan: Shared[Plan] = share(
        _plan(facts, asked, value.total, rating.total, resist.total, "stun")._replace(defended=False)
    )
    rules = rules_of(facts, asked)
    hit = Hit("hit", max(0, value.total), "stun", plan, 0, (0, 0), rules)
    stage = dice_test.start(plan.value.resist, None, hit, rules)
    return Holding(facts.get("attacker.grip", -1)).put(stage), (value, rating, resist)


def _aim(facts: Mapping[str, Any], asked: Asked, value: int | None) -> Aim:
    """What an attack without damage is for; `value` is the DV of one that strikes an item away."""
    grazing, defended = _grazing(asked), not facts.get("target.unaware")
    if value is not None:
        return Aim("item", value, facts["target.strength"], grazing, defended, thing=_struck_away(facts))
    what = "trick" if facts.get("called_shot.kind") == "trick" else str(facts["aim"])
    if what in ("subdue", "knockdown"):
        return Aim(what, facts["attacker.strength"], facts["target.body"], grazing, defended)
    return Aim(what, 0, 0, grazing, defended, facts.get("attacker.grip", -1))


def _struck_away(facts: Mapping[str, Any]) -> str:
    """The thing that a called shot means: the one said, or what the target fights with; "" where nobody knows."""
    said = facts.get("called_shot.item") or held_by_target(facts)
    if said is None:
        said = next(iter(facts.get("target.in_hand", ())), None)
    return str(said.slug) if said is not None else ""


def _backlash(tally: MakeTally, facts: Mapping[str, Any], asked: Asked) -> tuple[Plan, tuple[Tally, ...]]:
    """How the wielder resists the DV of his own weapon, and the numbers of it."""
    damage = damage_of(dict(facts))
    worn = armor_entries(facts, "attacker", damage.armor_kind) or []
    parts = penetrated(
        worn, damage, asked.options, avoided=False, against=protection(facts, "attacker", damage.element)
    )
    rating = tally(BACKLASH_ARMOR, parts).at_least(0, ARMOR_FLOOR)
    base = [
        Entry("body", "Body", facts["attacker.body"]),
        Entry("armor", "Armor after penetration", rating.total),
    ]
    if facts.get("attacker.soak_bonus"):
        base.append(Entry("bonus", "Resistance bonus", facts["attacker.soak_bonus"]))
    resist = tally(BACKLASH_POOL, base).at_least(0, FLOOR)
    value = sum(points for _, _, points, _ in damage.value_parts)
    mine = {
        name.replace("attacker.", "target.", 1): fact for name, fact in facts.items() if name[:7] != "target."
    }
    plan = _plan(mine, asked, value, rating.total, resist.total, damage.track)
    return plan._replace(defended=False), (rating, resist)


def _resistance(tally: MakeTally, facts: Mapping[str, Any], worn: list[Entry]) -> tuple[Tally, Tally]:
    """The armor that is left, and the dice that resist."""
    rating = tally("melee-armor.rating", worn).at_least(0, ARMOR_FLOOR)
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
        side_of("soak", "target", resist, facts, asked),
        facts.get("target.edge_points", 0),
        _grazing(asked),
        False,
        facts["target.body"],
        0,
        not facts.get("target.unaware"),
        Monitors.of(facts, "target", asked.options),
        pain(facts, "target"),
        -1,
        hard=bool(facts.get("target.vehicle")),
        falls=not facts.get("target.vehicle"),
    )


def _track(facts: Mapping[str, Any], damage: Damage) -> str:
    bare = facts.get("weapon.category") == "unarmed" and not damage.electric
    return "physical" if bare and facts.get("attacker.unarmed_physical") else damage.track


def _grazing(asked: Asked) -> str:
    if not asked.options["grazing_hits"]:
        return "off"
    return "all" if asked.options["graze_on_zero"] else "hits"


def attack_rules(facts: Mapping[str, Any], asked: Asked) -> RollRules:
    """The house rules of the attack test."""
    return rules_of(facts, asked)._replace(tells_glitch=backfires(facts))


def rules_of(facts: Mapping[str, Any], asked: Asked) -> RollRules:
    """The house rules of the tests that follow the attack."""
    both = not facts.get("target.unaware") and _grazing(asked) == "hits"
    return RollRules.of(asked.options, both)
