"""What follows from the situation of a melee attack, and what it does where it lands.

Rulebook sections 8.10, 9, 10, 11.1 to 11.4, 11.6 and 12.1 (the monofilament whip).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.procedures import Attempt
from fracas.kernel.required import has_record, in_place_of, require
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Stage, share
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.sr4 import sheet
from fracas.rulesets.sr4.harms.damage import Compare, Hit, Plan, grazing
from fracas.rulesets.sr4.harms.harm import Damage, penetrated, protection, rating_of, worn_armor
from fracas.rulesets.sr4.melee import melee_stages
from fracas.rulesets.sr4.melee.melee_stages import BACKLASH, Aim, Attempted, AttemptOutcome, Backfiring
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.ranged import shooting
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, RollRules

PARRYING = ("blades", "clubs", "exotic-melee-weapon")
"""Skills of weapons that one parries with; with Unarmed Combat one blocks."""

ON_HELD = ("hurt-held", "throw-held", "keep-held")
"""Aims of the one who holds a combatant already: nothing is rolled to strike (section 9.4)."""

MELEE_METRES = 3
"""Reach of melee without Reach, which adds 1 m a point. Two squares of 2 m, corner to corner (ours: no source says)."""


def derive(request: AttemptRequest, given: Mapping[str, Any]) -> dict[str, Any]:
    """The facts given of one attack, and those that follow from them. What is unknown is absent. `InputError`: the
    request lacks something that the rule cannot do without."""
    facts = dict(given)
    facts.setdefault("aim", "damage")
    if facts["aim"] in ON_HELD:  # whatever else is at hand
        facts = {name: value for name, value in facts.items() if not name.startswith("weapon.")}
    elif not has_record(facts, "weapon"):
        facts |= MELEE_ATTACK.parse({"weapon": "unarmed-attack"}, request.lookup).facts
    facts.setdefault("weapon.electric", facts.get("weapon.element") == "electricity")
    if facts.get("weapon.category") == "unarmed" and facts.get("attacker.unarmed_magical"):
        facts["weapon.magical"] = True
    for property in ("ap_half", "glitch_hits_wielder"):  # what a weapon does not say it has, it has not
        facts.setdefault(f"weapon.{property}", False)
    facts.setdefault("contact", facts["aim"] == "touch" or facts["weapon.electric"])
    require(facts, _needed(facts))
    sheet.derive_losses(facts, request.options, "attacker", "target")
    held = held_by_target(facts)
    facts["target.can_parry"] = held is not None and held.data.get("skill") in PARRYING
    mine = facts.get("weapon.reach", 0) + _body_reach(facts, "attacker", request.lookup)
    theirs = (held.data.get("reach", 0) if held else 0) + _body_reach(facts, "target", request.lookup)
    facts["reach.net"] = mine - theirs
    if facts.get("interception"):
        rows, longer = rows_of(request.lookup, "interception"), max(0, mine)
        least, each = (rows[name]["value"] for name in ("metres", "metres-for-each-reach"))
        facts["interception.metres"] = int(least + each * longer)
    elif "distance" in facts and not facts.get("attacker.running"):
        facts["reach.exceeded"] = facts["distance"] > MELEE_METRES + max(0, mine)
    sheet.derive_sight(facts, request.lookup)
    return facts


def harms(facts: Mapping[str, Any]) -> bool:
    """Whether it does damage: it is meant to, or touches with electricity; no shot at an item or for a trick (8.10)."""
    if facts["aim"] == "touch":
        return bool(facts["weapon.electric"])
    return facts["aim"] == "damage" and facts.get("called_shot.kind") not in ("item", "trick")


def held_by_target(facts: Mapping[str, Any]) -> PackEntry | None:
    """What the target fights with: the weapon given, or the one in hand that it parries best with, of equals the
    longer. None for bare hands, and where nothing is given."""
    if "target.weapon" in facts:
        given: PackEntry = facts["target.weapon"]
        return given
    skills = facts.get("target.skills", {})

    def mastered(weapon: PackEntry) -> tuple[bool, int, int]:
        skill = weapon.data.get("skill")
        return skill in PARRYING, skills.get(skill, 0), weapon.data["reach"]

    melee = (weapon for weapon in facts.get("target.in_hand", ()) if "reach" in weapon.data)
    return max(melee, key=mastered, default=None)


def _body_reach(facts: Mapping[str, Any], who: str, lookup: EntryLookup) -> int:
    """The Reach of long arms, as the packs say of the metatype."""
    entry = lookup.entry("metatype", facts.get(f"{who}.metatype", ""))
    return int(entry.data.get("reach", 0)) if entry else 0


def _needed(facts: Mapping[str, Any]) -> sheet.Needed:
    """(field, what the rule needs) of everything that the attack takes."""
    aim, item = facts["aim"], facts.get("called_shot.kind") == "item"
    if aim not in ON_HELD:
        yield from shooting.needed_by_hand(facts)
        yield from _needed_to_defend(facts)
    if aim == "engulf":
        yield "attacker.magic", "Magic of the attacker, which is the DV"
        yield "attacker.engulfs", "the element as which the attacker engulfs"
    if aim in _BY_STRENGTH:
        yield "attacker.strength", f"Strength of the attacker, which {_BY_STRENGTH[aim]}"
        yield "target.body", "Body of the target"
    if harms(facts) or (aim == "damage" and item):
        yield "weapon.dv", "the Damage Value"
        yield from shooting.needed_of_strength(facts)
    if harms(facts):
        yield "target.body", "Body of the target"
        yield "weapon.damage", "physical or stun"
        yield "weapon.ap", "the armor penetration"
        if shooting.shocks(facts) and not facts.get("target.vehicle"):
            yield "target.willpower", "Willpower of the target, for the after-effect of electricity"
        elif not facts["weapon.electric"] and "weapon.element" not in facts:
            yield "weapon.armor_kind", "ballistic or impact"
    if facts["weapon.glitch_hits_wielder"] and aim not in ON_HELD:
        yield "weapon.dv", "the Damage Value, which a glitch does to the wielder"
        yield "weapon.damage", "physical or stun"
        yield "weapon.ap", "the armor penetration"
        yield "weapon.armor_kind", "ballistic or impact"
        yield "attacker.body", "Body of the attacker, who is struck by a glitch with this weapon"
        yield from shooting.needed_of_strength(facts)
        if "attacker.impact" not in facts:
            yield "attacker.armor", "the armor of the attacker: a list of pieces (empty for none)"
    if not item or (aim == "damage" and not harms(facts)):
        yield from shooting.needed_to_call(facts)


def _needed_to_defend(facts: Mapping[str, Any]) -> sheet.Needed:
    if facts.get("target.unaware"):
        return
    if "target.pool" not in facts and "target.control" not in facts:
        yield "target.reaction", "Reaction of the target | target.pool"
        yield "target.skills", "the skill ratings of the target | target.pool"
    elif "target.pool" in facts and facts.get("target.full_defense", "none") != "none":
        yield "target.skills", "the skills of the target, for its full defense"


_BY_STRENGTH = {"hurt-held": "is the DV", **dict.fromkeys(("subdue", "knockdown"), "holds or throws down")}
VALUE = "melee-damage.value"
BACKLASH_ARMOR, BACKLASH_POOL = f"{BACKLASH}-armor.rating", f"{BACKLASH}-resist.pool"
_OF_NO_HARM = {"weapon.ap": 0, "weapon.damage": "physical", "weapon.armor_kind": "impact"}
"""Of a blow that strikes a thing away: its DV alone counts."""


def derive_damage(facts: dict[str, Any], request: AttemptRequest) -> Damage | None:
    """The damage of the weapon, where the attack needs it; adds what called shots and modifiers know of the armor.
    `InputError`: nothing is given of the target's armor."""
    damage = None
    if harms(facts) or (facts["aim"] == "damage" and facts.get("called_shot.kind") == "item"):
        damage = shooting.damage_of(facts if harms(facts) else {**_OF_NO_HARM, **facts})
        bare = facts.get("weapon.category") == "unarmed" and not damage.electric
        spirit = "attacker.by_force" in facts and request.options["spirit_unarmed_physical"]
        if bare and (facts.get("attacker.unarmed_physical") or spirit):
            damage = damage._replace(track="physical")
    if harms(facts) and damage is not None:
        worn = facts["called_shot.armor"] = rating_of(worn_armor(facts, damage.armor_kind))
        avoided = facts.get("called_shot.kind") == "unarmored"
        facts["armor.raisable"] = not avoided and (worn > 0 or not request.options["ap_positive_needs_armor"])
    elif "target.impact" in facts or "target.armor" in facts:
        facts["called_shot.armor"] = rating_of(worn_armor(facts, "impact"))
    return damage


def effect_of(it: Attempt, damage: Damage | None) -> Receiver:
    """What takes the opposed test, for the target and for a wielder who glitches; makes its numbers."""
    facts, request = it.facts, it.request
    value = None if damage is None else it.tally(VALUE, *damage.value).total
    then: Receiver
    if damage is None or value is None or not harms(facts):
        then = Attempted(share(_aim(facts, request, value)))
    else:
        avoided = facts.get("called_shot.kind") == "unarmored"
        worn, against = worn_armor(facts, damage.armor_kind), protection(facts, "target", damage.element)
        parts = penetrated(worn, damage, request.options, avoided=avoided, against=against)
        plan = Plan.of(it, value, *_resistance(it, parts), damage.track, damage.element)
        charges = 1 if damage.electric and "weapon.charges" in facts else 0
        plan = plan._replace(contact=bool(facts["contact"]), charges=charges)
        then = Compare(share(plan), rules_of(facts, request))
    if facts["weapon.glitch_hits_wielder"]:
        then = Backfiring(then, share(_backlash(it)), rules_of(facts, request))
    then = melee_stages.answered(then, facts, request.options)
    return melee_stages.Intercepting(then) if facts.get("interception") else then


def on_held(it: Attempt) -> Stage:
    """What the holder does to the one held, without an attack test: hurts with Strength, or throws down."""
    facts, request = it.facts, it.request
    if facts["aim"] in ("throw-held", "keep-held"):
        return AttemptOutcome("hit", 0, share(_aim(facts, request, None)._replace(defended=False)), (0, 0))
    value = it.tally(VALUE, Entry("strength", "Strength", facts["attacker.strength"])).total
    armor, dice = _resistance(it, worn_armor(facts, "impact"))
    plan = share(Plan.of(it, value, armor, dice, "stun", defended=False))
    hit = Hit("hit", max(0, value), "stun", plan, 0, (0, 0), rules_of(facts, request))
    stage = dice_test.start(plan.value.resist, None, hit, hit.rules)
    return melee_stages.Holding(facts.get("attacker.grip", -1)).put(stage)


def _aim(facts: Mapping[str, Any], request: AttemptRequest, value: int | None) -> Aim:
    """What an attack without damage is for; `value` is the DV of one that strikes an item away."""
    ties, defended = grazing(request.options), not facts.get("target.unaware")
    if value is not None:
        return Aim("item", value, facts["target.strength"], ties, defended, item=_struck_away(facts))
    what = "trick" if facts.get("called_shot.kind") == "trick" else str(facts["aim"])
    if what == "engulf":
        adds = 0 if request.options["engulf_net_hits"] else -1
        its = facts["attacker.engulfs"]
        return Aim(what, facts["attacker.magic"], 0, ties, defended, adds, its)
    if what in ("subdue", "knockdown"):
        return Aim(what, facts["attacker.strength"], facts["target.body"], ties, defended)
    return Aim(what, 0, 0, ties, defended, facts.get("attacker.grip", -1))


def _struck_away(facts: Mapping[str, Any]) -> str:
    """The item that a called shot means: the one named, or what the target fights with; "" where unknown."""
    given = facts.get("called_shot.item") or held_by_target(facts)
    if given is None:
        given = next(iter(facts.get("target.in_hand", ())), None)
    return str(given.slug) if given is not None else ""


def _backlash(it: Attempt) -> Plan:
    """How the wielder resists the DV of their own weapon."""
    facts = it.facts
    damage = shooting.damage_of(facts)
    worn = sheet.armor_entries(facts, "attacker", damage.armor_kind) or []
    against = protection(facts, "attacker", damage.element)
    parts = penetrated(worn, damage, it.options, avoided=False, against=against)
    rating = it.tally(BACKLASH_ARMOR, *parts, least=0, floor=sheet.ARMOR_FLOOR).total
    dice = sheet.make_pool(it, BACKLASH_POOL, *sheet.soak_entries(facts, "attacker", rating))
    value = sum(points for _, _, points, _ in damage.value_parts)
    wielder = it.of("", in_place_of(facts, "attacker"))
    return Plan.of(wielder, value, rating, dice, damage.track, defended=False)


def _resistance(it: Attempt, worn: list[Entry]) -> tuple[int, int]:
    """The armor that is left, and the dice that resist."""
    rating = it.tally("melee-armor.rating", *worn, least=0, floor=sheet.ARMOR_FLOOR).total
    base = sheet.soak_entries(it.facts, "target", rating)
    return rating, sheet.make_pool(it, "melee-resist.pool", *base)


def rules_of(facts: Mapping[str, Any], request: AttemptRequest, *, attacks: bool = False) -> RollRules:
    """House rules of the tests after the attack; `attacks`: of the attack, whose glitch may strike back (12.1)."""
    both = not facts.get("target.unaware") and grazing(request.options) == "hits"
    return RollRules.of(request.options, both, attacks and bool(facts["weapon.glitch_hits_wielder"]))
