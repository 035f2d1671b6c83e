"""Melee attacks of Shadowrun 5 on one target or several: rulebook sections 6.2, 6.3, 7, 8.4, 9.3, 9.4 and 11.3."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.composing import Wrapper
from fracas.kernel.procedures import Attempt, mean, where
from fracas.kernel.required import has_record, in_place_of, lacks, require
from fracas.kernel.ruleset import AttemptRequest, Measure
from fracas.kernel.stage import Facts as Notes
from fracas.kernel.stage import Fork, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.sr5.attacks import attack, shooting
from fracas.rulesets.sr5.attacks.ranged import damage_base
from fracas.rulesets.sr5.attacks.vocabulary import MELEE_ATTACK
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.rolls.dice_test import Contested, Receiver, make_limit, make_pool
from fracas.rulesets.sr5.sheet import Facts, derive_resisting, derive_side, pool_entries

ATTACK, LIMIT = "melee-attack.pool", "limit.melee"
DEFENSE, DEFENSE_LIMIT = "melee-defense.pool", "limit.melee-defense"
VALUE = "melee-damage.value"
ATTACKER, BURNED = "attacker", "burned"
"""The branch of what an Energy Aura does to the one who strikes it, and its result."""
_OWN = {
    f"{ATTACKER}.{to}": f"Attacker's {label[0].lower()}{label[1:]}" for to, label in damage.TARGETS.items()
}
TARGETS = {
    ATTACK: "Attack pool",
    LIMIT: "Accuracy or Physical limit",
    DEFENSE: "Defense pool",
    DEFENSE_LIMIT: "Limit of an active defense",
    VALUE: "Damage Value",
    **damage.TARGETS,
    **_OWN,
}
OWNERS = attack.owners_in(TARGETS, (ATTACK, LIMIT, VALUE, *_OWN))
_MEASURES: Sequence[Measure] = (
    *(where(measure, "result", BURNED, holds=False) for measure in damage.MEASURES),
    where(mean("damage", "Expected boxes of the attacker", BURNED), "result", BURNED),
)
_CONDITIONS = {"parry": "parrying", "block": "blocking", "dodge": "dodging"}
"""In which condition an active defense is, until it has served."""
_SKILLS = {"block": "unarmed-combat", "dodge": "gymnastics"}
"""What an active defense adds; a parry the skill of the weapon."""


class MeleeAttack(attack.AttackProcedure):
    """Opposed test, with an active defense or without, comparison with the armor, damage resistance; one target."""

    vocabulary = MELEE_ATTACK
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = OWNERS
    measures = _MEASURES
    pool, limit, defense, defense_limit = ATTACK, LIMIT, DEFENSE, DEFENSE_LIMIT
    inner: Collection[str] = (damage.ARMOR, f"{ATTACKER}.{damage.ARMOR}")
    shows: Sequence[str] = (
        *("environment.sight_modifier", "attacker.wound_modifier", "target.wound_modifier"),
        *("attacker.encumbrance", "target.encumbrance", "target.defense_skill"),
    )

    def ready(self, facts: dict[str, Any], request: AttemptRequest) -> None:
        arm(facts, request.lookup)
        derive(facts, request.lookup)

    def make(self, it: Attempt) -> None:
        facts = it.facts
        make_pool(it, ATTACK, *attack.attack_base(facts))
        limit = Entry("weapon", "Accuracy", facts.get("weapon.accuracy"))
        if facts.get("weapon.accuracy_physical"):
            limit = Entry("physical-limit", "Physical limit", facts["attacker.physical_limit"])
        make_limit(it, LIMIT, limit)
        if not facts.get("target.unaware"):
            defense = pool_entries(facts, "target", ("reaction", "intuition"))
            make_pool(it, DEFENSE, *defense)
            if facts.get("target.active_defense", "none") != "none":
                make_limit(it, DEFENSE_LIMIT, *_defense_limit_base(facts))
        value = damage_base(facts)
        if facts.get("attacker.touch_only") and "weapon.element" not in facts:
            whole = sum(entry.value or 0 for entry in value)
            value.append(Entry("touch", "A touch does no damage by itself", -whole, origin="rule"))
        penetration = [("weapon", facts.get("weapon.name", "the weapon"), facts["weapon.ap"])]
        if aura := aura_of(it, "attacker"):
            value.append(Entry("energy-aura", "Energy Aura", aura))
            penetration.append(("energy-aura", "the Energy Aura", -aura))
            facts.setdefault("damage.element", facts["attacker.aura"])
        it.tally(VALUE, *value, least=0, floor=damage.VALUE_FLOOR)
        damage.resist(it, penetration)
        if aura := aura_of(it, "target"):
            with it.faults.collect({"target": "attacker"}):
                damage.resist(_burned(it), [("energy-aura", "the Energy Aura", -aura)])

    def receiver(self, it: Attempt, *, several: bool = False) -> Receiver:
        """Around it what the Energy Aura of the target does to the attacker, who has no Edge against several."""
        receiver = super().receiver(it, several=several)
        if not (aura := aura_of(it, "target")):
            return receiver
        burned = _burned(it)
        plan = damage.plan_of(burned, 2 * aura, "physical", it.facts["target.aura"])
        points = 0 if several else plan.edge_points
        own = {"who": ATTACKER, "by": "target", "resist": plan.resist._replace(by=ATTACKER), "loss": 0}
        return Burning(receiver, share(plan._replace(edge_points=points, **own)))

    def plan(self, it: Attempt) -> damage.Plan:
        facts = it.facts
        track, element = facts["weapon.damage"], facts.get("damage.element", "")
        if facts.get("attacker.nature") == "spirit" and facts["weapon.skill"] == _SKILLS["block"]:
            track = it.options["spirit_fist"]
        plan = damage.plan_of(
            it, it.total(VALUE), track, element, touch=bool(facts.get("attacker.touch_only"))
        )
        used = _CONDITIONS.get(facts.get("target.active_defense", "none"), "")
        return plan if facts.get("target.unaware") else plan._replace(defended=True, used=used)


_OF_EACH = tuple(
    f"attacker.{name}" for name in ("split_dice", "friends_in_melee", "superior_position", "charging")
)
"""What the attacker has against each of several targets; given with the target."""


class MeleeSweep(attack.SeveralAttacks):
    """One melee action against several targets, each attacked once."""

    label = "Melee attack on several"
    vocabulary = attack.vocabulary_of_several(MELEE_ATTACK, _OF_EACH)
    targets: Mapping[str, str] = attack.labels_of(TARGETS)
    owners: Mapping[str, str] = OWNERS
    inner: Collection[str] = targets
    measures = _MEASURES
    single = MeleeAttack()
    of_each = _OF_EACH


class Burning(Contested, kind="sr5.burning"):
    """Takes a blow at a combatant whose Energy Aura burns the one who hits (section 13.2)."""

    then: Receiver
    plan: Shared[damage.Plan]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        stage, plan = self.then.on_result(hits, other_hits, spent), self.plan.value
        if hits <= other_hits:
            return stage
        left = share(plan._replace(edge_points=plan.edge_points - spent[0]))
        return Fork((("", stage), (ATTACKER, Burned().put(damage.soak(left, plan.value, 0, (0, 0))))))

    def on_skip(self) -> Stage | None:
        return self.then.on_skip()


class Burned(Wrapper, kind="sr5.burned"):
    """What an Energy Aura does to the attacker is no hit."""

    def notes(self, outcome: Stage) -> Notes:
        return {**outcome.notes(), "result": BURNED}


def aura_of(it: Attempt, who: str) -> int:
    """The Force of a combatant whose Energy Aura burns in melee; 0 where it does not, also by the house rule.

    Raises:
        InputError: the Force is not given.
    """
    if f"{who}.aura" not in it.facts or it.options["energy_aura"] != "core":
        return 0
    require(it.facts, [(f"{who}.force", "Force, for the Energy Aura")])
    return int(it.facts[f"{who}.force"])


def _burned(it: Attempt) -> Attempt:
    """The attempt as it is for the attacker, who resists the Energy Aura of the target."""
    facts = in_place_of(it.facts, "attacker") | {"damage.element": it.facts["target.aura"]}
    damage.past_immunity(facts)
    derive_resisting(facts, "target")
    return it.of(f"{it.record}.{ATTACKER}" if it.record else ATTACKER, facts)


def arm(facts: dict[str, Any], lookup: EntryLookup) -> None:
    """Add the bare hands of the packs where no weapon is given (section 11.3)."""
    entry = lookup.entry("weapon", "unarmed")
    if entry and not has_record(facts, "weapon"):
        facts |= MELEE_ATTACK.parse({"weapon": entry.id}, lookup).facts


def derive(facts: dict[str, Any], lookup: EntryLookup) -> None:
    """Add what follows for an attack on the target.

    Raises:
        InputError: the request lacks something that the rule cannot do without.
    """
    require(facts, _needed(facts))
    derive_side(facts, "attacker")
    derive_resisting(facts, "target")
    if "weapon.element" in facts:
        facts["damage.element"] = facts["weapon.element"]
    if "attacker.pool" not in facts:
        facts["attacker.skill"] = facts["attacker.skills"].get(facts["weapon.skill"], 0)
    if (sight := shooting.environment_modifier(facts, lookup, shooting.SIGHT)) is not None:
        facts["environment.sight_modifier"] = sight
    held = held_by_target(facts)
    if held is not None or "target.in_hand" in facts:
        facts.setdefault("target.reach", held.data.get("reach", 0) if held is not None else 0)
    _active_defense(facts, held)


def _active_defense(facts: dict[str, Any], held: PackEntry | None) -> None:
    active = facts.get("target.active_defense", "none")
    if active == "none" or facts.get("target.unaware"):
        return
    if active == "parry" and held is None:
        given = "target.in_hand" if "target.in_hand" in facts else "target.weapon"
        raise lacks(given, "a melee weapon in hand to parry with, or another defense", there=given in facts)
    skill = held.data["skill"] if active == "parry" and held is not None else _SKILLS[active]
    require(facts, [("target.skills", f"the skills of the target, for its {active}")])
    facts["target.defense_skill"] = facts["target.skills"].get(skill, 0)


def held_by_target(facts: Facts) -> PackEntry | None:
    """The melee weapon that the target defends with: the one given, or of all in hand the one that it masters best, of
    equals that of the longer Reach. None for bare hands, and where nothing is given."""
    held = [facts["target.weapon"]] if "target.weapon" in facts else facts.get("target.in_hand", ())
    skills = facts.get("target.skills", {})
    return max(
        (item for item in held if item.data.get("category") in MELEE_CATEGORIES),
        key=lambda item: (skills.get(item.data.get("skill"), 0), item.data.get("reach", 0)),
        default=None,
    )


def _needed(facts: Facts) -> Iterator[tuple[str, str]]:
    """(path, what the rule needs) of all that it cannot do without."""
    yield from shooting.needed_to_attack(facts)
    yield from shooting.needed_of_target(facts)
    yield from shooting.needed_for_damage(facts, melee=True)
    if facts.get("target.full_defense") and not facts.get("target.unaware"):
        yield "target.willpower", "Willpower of the target, for its full defense"
    if facts.get("target.active_defense") in _SKILLS and not facts.get("target.unaware"):
        for name in ("strength", "body", "reaction"):
            yield f"target.{name}", f"{name.capitalize()} of the target, for its Physical limit"


def _defense_limit_base(facts: Mapping[str, Any]) -> list[Entry]:
    """A parry has the Accuracy of the weapon, any other active defense the Physical limit (section 7)."""
    held = held_by_target(facts)
    if facts["target.active_defense"] == "parry" and held is not None and "accuracy" in held.data:
        return [Entry("accuracy", f"Accuracy of {held.label}", held.data["accuracy"], source=held.id)]
    names = ("strength", "body", "reaction")
    require(facts, ((f"target.{one}", f"{one.capitalize()} of the target, for its limit") for one in names))
    return [Entry("physical-limit", "Physical limit", facts["target.physical_limit"])]
