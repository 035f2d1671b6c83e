"""The ranged attack of Shadowrun 4: rulebook sections 7, 8.1 to 8.6, 10, 11.1 to 11.4, 11.6 and 11.7.

The opposed test, the comparison of the Damage Value with the armor, the resistance test, and damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.monitors import boxes_held
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Shared, Stage, share
from fracas.kernel.tally import Entry, Refusal, Tally, tally_of
from fracas.rulesets.sr4.composing import unopposed
from fracas.rulesets.sr4.fights.reloading import piece_used
from fracas.rulesets.sr4.harms.armor import half, protection, rating_of, worn_armor
from fracas.rulesets.sr4.harms.damage import Compare, Plan
from fracas.rulesets.sr4.harms.harm import ELECTRICITY, GOES_ON
from fracas.rulesets.sr4.ranged.barrier_vocabulary import RATING
from fracas.rulesets.sr4.ranged.barriers import barrier_base, find_barrier
from fracas.rulesets.sr4.ranged.body_barriers import (
    ThroughSomebody,
    find_body,
    somebody_in_the_way,
    with_bystander,
)
from fracas.rulesets.sr4.ranged.body_vocabulary import NUMBERS, SHIELD, SINGLE_SHOT
from fracas.rulesets.sr4.ranged.ranged_facts import Damage, damage_of, derive
from fracas.rulesets.sr4.ranged.ranged_stages import ITEM, TRICK, CalledShot, Misfire, Through
from fracas.rulesets.sr4.ranged.shot_numbers import (
    TARGETS,
    Tallies,
    armor_tally,
    attack_base,
    base_compensation,
    defense_base,
    derive_gyro,
    resist_base,
)
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import Receiver, RollRules, Side
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import ARMOR_FLOOR, FLOOR, Monitors, armor_entries, pain


def _chance(test: Any) -> Any:
    return lambda facts: 1.0 if test(facts) else 0.0


MEASURES = (
    Measure("hit", "Chance to hit", _chance(lambda facts: facts["result"] in ("hit", "graze_contact"))),
    Measure("damage", "Expected boxes", boxes_held),
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
    vocabulary = SINGLE_SHOT
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {**TARGETS, **NUMBERS}
    measures = with_bystander(MEASURES)

    def prepare(self, asked: Asked) -> Prepared:
        shot = shot_of(asked, derive(asked))
        body = body_of(shot.facts, asked, shot.value, shot.burst)
        tallies = shot.tallies if body is None else (*shot.tallies, *body.tallies)
        if shot.refusals:
            return Prepared(None, tallies, shot.refusals, shown(shot.facts))
        plan = share(plan_of(shot, asked))
        between = None if body is None else share(body.plan)

        def first(attack: int, defense: int | None) -> Stage:
            test = test_of(shot.facts, asked, attack, defense, plan, shot.own, between)
            return unopposed(test) if defense is None else test

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == "attack.pool":
                return first(changed.total, shot.defense and shot.defense.total)
            if changed.to == "defense.pool":
                return first(shot.attack.total, changed.total)
            return None

        stage = first(shot.attack.total, shot.defense and shot.defense.total)
        return Prepared(stage, tallies, (), shown(shot.facts), rebuild)


class Shot(NamedTuple):
    """One attack at one target, with every number that it needs.

    Attributes:
        facts: those said and derived, with those that follow from the numbers.
        defense: None where the target makes none.
        refusals: why it is impossible.
        barrier: armor of what the shot goes through; None where nothing is in the way.
        own: what the shooter resists when ammunition goes off too early; None where it cannot, or cannot be told.
        own_tallies: the numbers of that.
    """

    facts: dict[str, Any]
    damage: Damage
    compensation: Tally
    attack: Tally
    defense: Tally | None
    value: Tally
    burst: Tally
    armor: Tally
    resist: Tally
    refusals: tuple[Refusal, ...]
    barrier: Tally | None = None
    own: Plan | None = None
    own_tallies: tuple[Tally, ...] = ()

    @property
    def tallies(self) -> tuple[Tally, ...]:
        found = (
            self.compensation,
            self.attack,
            self.defense,
            self.value,
            self.burst,
            self.barrier,
            self.armor,
            self.resist,
            *self.own_tallies,
        )
        return tuple(tally for tally in found if tally is not None)


def shot_of(
    asked: Asked, facts: dict[str, Any], base: list[Entry] | None = None, tallies: Tallies | None = None
) -> Shot:
    """The numbers of an attack.

    Args:
        facts: as `derive` gives them; those that follow from the numbers are added.
        base: the attack pool before modifiers, where it is not what the attacker and the weapon give.
        tallies: how the numbers are made; of one attack of several they have names of their own.

    Raises:
        InputError: the situation lacks something, or contradicts itself.
    """
    damage = damage_of(facts)
    armor = worn_armor(facts, damage.armor_kind)
    worn = facts["called_shot.armor"] = sum(entry.value or 0 for entry in armor)
    avoided = facts.get("called_shot.kind") == "unarmored"
    find_body(facts, damage.armor_kind)
    find_barrier(facts, asked.catalog)
    behind = "barrier.armor" in facts
    facts["armor.raisable"] = behind or (
        not avoided and (worn > 0 or not asked.options["ap_positive_needs_armor"])
    )
    tally = tallies or Tallies(asked, facts)
    compensation = tally("recoil.compensation", base_compensation(facts))
    if "weapon.rc" in facts:
        facts["recoil.compensation"] = compensation.total
        derive_gyro(facts, compensation)
    refusals = asked.rules.refusals(facts)
    pool = attack_base(facts, asked) if base is None else base
    attack = tally("attack.pool", pool).at_least(0, FLOOR)
    value = tally("damage.value", [Entry(*part[:3], source=part[3]) for part in damage.value_parts])
    burst = tally("damage.burst", [])
    barrier: Tally | None = None
    if behind:
        barrier = tally(RATING, barrier_base(facts, damage, asked.options)).at_least(0, ARMOR_FLOOR)
        facts[RATING] = barrier.total
    rating = armor_tally(tally, facts, damage, armor, asked)
    resist = tally("resist.pool", resist_base(facts, rating)).at_least(0, FLOOR)
    defense: Tally | None = None
    if not facts.get("target.unaware"):
        defense = tally("defense.pool", defense_base(facts)).at_least(0, FLOOR)
    shot = Shot(facts, damage, compensation, attack, defense, value, burst, rating, resist, refusals, barrier)
    return _with_misfire(shot, asked, tally)


def test_of(
    facts: Mapping[str, Any],
    asked: Asked,
    attack: int,
    defense: int | None,
    plan: Shared[Plan],
    own: Plan | None,
    between: Shared[Plan] | None,
) -> Stage:
    """The opposed test, or without a defense the plain one; pools below 0 count as 0.

    Args:
        own: see `Shot`.
        between: what somebody resists through whom the shot goes.
    """
    return dice_test.start(*parts_of_test(facts, asked, attack, defense, plan, own, between))


def parts_of_test(
    facts: Mapping[str, Any],
    asked: Asked,
    attack: int,
    defense: int | None,
    plan: Shared[Plan],
    own: Plan | None = None,
    between: Shared[Plan] | None = None,
) -> tuple[Side, Side | None, Receiver, RollRules]:
    """What `dice_test.start` makes a test of; for the arguments see `test_of`."""
    first = side_of("attack", "attacker", attack, facts, asked, says=True)
    second = None if defense is None else side_of("defense", "target", defense, facts, asked)
    need_hits = second is not None and asked.options["grazing_hits"] and not asked.options["graze_on_zero"]
    rules = RollRules.of(asked.options, need_hits)
    then = landing(facts, plan, rules)
    if between is not None:
        then = ThroughSomebody(then, between, facts[f"{SHIELD}.body"], rules)
    if misfires(facts):
        then = Misfire(plan, share(own) if own else None, then, rules)
        rules = rules._replace(tells_glitch=True)
    return first, second, then, rules


def landing(facts: Mapping[str, Any], plan: Shared[Plan], rules: RollRules) -> Receiver:
    """What takes the attack test: damage, or what a called shot does instead, and a barrier before it."""
    then: Receiver = Compare(plan, rules)
    called = facts.get("called_shot.kind")
    if called in (ITEM, TRICK):
        item = facts.get("called_shot.item")
        then = CalledShot(plan, called, facts.get("target.strength", 0), item.slug if item else "")
    return Through(facts[RATING], plan, then) if RATING in facts else then


def misfires(facts: Mapping[str, Any]) -> bool:
    """Whether the ammunition goes off in the weapon on a critical glitch (section 11.5)."""
    ammunition = facts.get("weapon.ammunition")
    return bool(ammunition and ammunition.data.get("misfires"))


def _with_misfire(shot: Shot, asked: Asked, tally: Tallies) -> Shot:
    """With what the shooter resists when the ammunition goes off in the weapon, as far as he is known."""
    if not misfires(shot.facts):
        return shot
    own = struck_by(shot.facts, asked, "attacker", tally.named("misfire.", "Misfire: "))
    return shot if own is None else shot._replace(own=own.plan, own_tallies=own.tallies)


class Struck(NamedTuple):
    """What somebody resists whom a weapon hits without an attack test."""

    plan: Plan
    tallies: tuple[Tally, ...]


def struck_by(facts: Mapping[str, Any], asked: Asked, who: str, tally: Tallies) -> Struck | None:
    """The weapon's DV with its ammunition, without net hits, bursts and called shots; None where `who` is not known.

    Args:
        who: the record of whom it hits.
        tally: makes the numbers, under names of their own.
    """
    hit = {name: fact for name, fact in facts.items() if name.partition(".")[0] not in _OF_AN_ATTACK}
    hit |= {
        f"target.{name.removeprefix(f'{who}.')}": fact
        for name, fact in facts.items()
        if name.startswith(f"{who}.")
    }
    damage = damage_of(hit)
    worn = armor_entries(hit, "target", damage.armor_kind)
    if worn is None or "target.body" not in hit or (damage.electric and "target.willpower" not in hit):
        return None
    hit["armor.raisable"] = rating_of(worn) > 0 or not asked.options["ap_positive_needs_armor"]
    own = tally.about(hit)
    armor = armor_tally(own, hit, damage, worn, asked)
    resist = own("resist.pool", resist_base(hit, armor)).at_least(0, FLOOR)
    value = tally_of("", "", tuple(Entry(*part[:3], source=part[3]) for part in damage.value_parts))
    none = tally_of("", "", ())
    shot = Shot(hit, damage, none, none, None, value, none, armor, resist, ())
    plan = plan_of(shot, asked)
    side = plan.resist._replace(by=who)
    plan = plan._replace(rounds=0, piece="", defended=False, contact=False, who=who, resist=side)
    return Struck(plan, (armor, resist))


def body_of(facts: Mapping[str, Any], asked: Asked, value: Tally, burst: Tally) -> Struck | None:
    """What somebody resists who is in the way of an attack with this Damage Value; None where nobody is."""
    if not somebody_in_the_way(facts):
        return None
    body = struck_by(facts, asked, SHIELD, Tallies(asked, facts, f"{SHIELD}.", "In the way: "))
    assert body is not None, "find_body has asked for all of it"
    return body._replace(plan=body.plan._replace(value=value.total, burst=burst.total))


_OF_AN_ATTACK = ("target", "called_shot", "barrier")
"""Records that concern whom an attack is aimed at."""


def plan_of(shot: Shot, asked: Asked) -> Plan:
    """What the stages after the opposed test need."""
    facts, damage = shot.facts, shot.damage
    vehicle, element = bool(facts.get("target.vehicle")), damage.element
    shock_pool = -1
    if damage.electric and not vehicle:
        shock_pool = shock_dice(facts, asked.options)
    track = "physical" if vehicle and damage.electric else damage.track
    return Plan(
        shot.value.total,
        shot.burst.total,
        shot.armor.total,
        track,
        side_of("soak", "target", shot.resist.total, facts, asked),
        facts.get("target.edge_points", 0),
        "off"
        if not asked.options["grazing_hits"]
        else "hits"
        if not asked.options["graze_on_zero"]
        else "all",
        bool(facts.get("contact")),
        facts["target.body"] - (2 if damage.gel and asked.options["gel_knockdown"] else 0),
        facts["fire.rounds"] if facts.get("weapon.feed") != "none" else 0,
        facts.get("target.unaware", False) is False,
        Monitors.of(facts, "target", asked.options),
        pain(facts, "target"),
        shock_pool,
        element="" if vehicle else element,
        had=had_of(facts, element),
        hard=vehicle,
        falls=not vehicle,
        piece=piece_used(facts),
    )


def shock_dice(facts: Mapping[str, Any], options: Mapping[str, Any], who: str = "target") -> int:
    """The dice against the after-effect of electricity, before wounds (section 11.6)."""
    dice: int = facts[f"{who}.body"] + facts[f"{who}.willpower"]
    if options["electric_armor_bonus"] == "half_impact":
        dice += half(rating_of(armor_entries(facts, who, "impact") or ()), options)
    return dice + rating_of(protection(facts, who, ELECTRICITY))


def had_of(facts: Mapping[str, Any], element: str, who: str = "target") -> int:
    """The DV of the fire or acid that is on somebody already."""
    dv: int = facts.get(f"{who}.{GOES_ON[element][1]}", 0) if element in GOES_ON else 0
    return dv


_SHOWN = (
    "range.band",
    "visibility_modifier",
    "fire.rounds",
    "attacker.wound_modifier",
    "target.wound_modifier",
    "attacker.encumbrance",
    "target.encumbrance",
)


def shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    return {name: facts[name] for name in _SHOWN if name in facts}
