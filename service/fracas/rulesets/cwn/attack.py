"""The attack of Cities Without Number: one attacker, one target; ranged, melee, thrown or unarmed.

Rulebook sections 4 and 5.1 to 5.5. What raises and lowers the numbers, and what makes an attack impossible,
is data (``datapacks/cwn-core/modifiers.yaml``); here is the order of things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.ruleset import Asked, Clue, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.facts import Faults, derive, dice_of
from fracas.rulesets.cwn.numbers import TARGETS, Facts, Numbers, Reckoner
from fracas.rulesets.cwn.outcome import NOBODY_DOWN, Body, Rounds
from fracas.rulesets.cwn.stages import (
    GUNLINK_REROLL,
    OPTIONS,
    TOTAL_DEFENSE,
    VETERANS_LUCK,
    After,
    Attack,
    Blow,
    DiceParts,
    Natural,
    Plan,
    TraumaDie,
)
from fracas.rulesets.cwn.vocabulary import ATTACK

BURST_ROUNDS = 3
SHOCK_BURST_DICE = (2, 6)
"""(count, sides) that a weapon's Shock Burst adds to the damage of a hit (section 4.3)."""

_ALONE = {
    "attack.bonus": "attack",
    "damage.bonus": "damage",
    "damage.swarm": "swarm",
    "trauma.bonus": "trauma",
}
"""Tallies on which no other number depends, and where `Numbers` has them."""

_LABELS = {
    TOTAL_DEFENSE: "Total Defense against this hit",
    GUNLINK_REROLL: "Roll a missed shot again with the Gunlink",
    VETERANS_LUCK: "Veteran's Luck turns the attack around",
}


_CLUES = (
    Clue("attack_total", "Total of the attack roll"),
    Clue("target_ac", "Armor Class that it is against"),
    Clue("target_ac_defended", "Armor Class under Total Defense"),
)


def _chance(test: Callable[[Mapping[str, Fact]], object]) -> Callable[[Mapping[str, Fact]], float]:
    return lambda facts: 1.0 if test(facts) else 0.0


def _points(name: str) -> Callable[[Mapping[str, Fact]], float]:
    return lambda facts: float(facts[name] or 0)


class AttackProcedure:
    """One attack against one target."""

    id = "attack"
    label = "Attack"
    doc = "Attack roll, damage or Shock, Trauma Die, Soak; ranged, melee, thrown or unarmed; one target."
    vocabulary = ATTACK
    decisions = tuple(
        DecisionInfo(
            id,
            _LABELS[id],
            tuple(option.id for option in options),
            options[0].id,
            _CLUES if id == TOTAL_DEFENSE else _CLUES[:2],
        )
        for id, options in OPTIONS.items()
    )
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("hit", "Chance to hit", _chance(lambda facts: facts["hit"])),
        Measure("damage", "Expected damage", _points("damage")),
        Measure("hp-loss", "Expected loss of hit points", _points("hp_loss")),
        Measure("traumatic", "Chance of a Traumatic Hit", _chance(lambda facts: facts["traumatic"])),
        Measure(
            "down",
            "Chance to drop the target",
            _chance(lambda facts: facts.get("down", NOBODY_DOWN) != NOBODY_DOWN),
        ),
    )

    def prepare(self, asked: Asked) -> Prepared:
        """The numbers and the attack roll, or why there is no attack."""
        faults = Faults()
        facts = derive(asked, faults)
        refusals = asked.rules.refusals(facts)
        faults.check(refused=bool(refusals))
        if refusals:
            tallies: tuple[Tally, ...] = ()
            if not faults.problems:
                tallies = Reckoner(asked, facts).numbers(raise_defense=False).tallies()
            return Prepared(None, tallies, refusals, _shown(facts))
        numbers = Reckoner(asked, facts).numbers(raise_defense=_may_defend(asked, facts))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to not in _ALONE:
                return None
            parts: dict[str, Any] = {_ALONE[changed.to]: changed}
            return _first_stage(asked, facts, numbers._replace(**parts))

        stage = _first_stage(asked, facts, numbers)
        return Prepared(stage, numbers.tallies(), (), _shown(facts), rebuild)


def _first_stage(asked: Asked, facts: Facts, numbers: Numbers) -> Stage:
    spent = ("charge",) if facts.get("attack.charge") else ()
    return Attack(_plan(asked, facts, numbers), numbers.guard, spent)


def _after_roll(asked: Asked, decision: str) -> bool:
    """Whether a decision may be declared once the roll is seen (R15)."""
    return decision in asked.open and bool(asked.options["instants_after_roll"])


def _may_defend(asked: Asked, facts: Facts) -> bool:
    """Whether Total Defense may answer this attack: it costs the Main Action, and cannot be taken twice."""
    able = bool(facts.get("target.can_total_defense")) and not facts.get("target.total_defense")
    return able and _after_roll(asked, TOTAL_DEFENSE)


def _plan(asked: Asked, facts: Facts, numbers: Numbers) -> Plan:
    options = asked.options
    rerolls = facts.get("attacker.gunlink_rerolls", 0) if facts.get("attack.gunlinked") else 0
    lucky = _after_roll(asked, VETERANS_LUCK)
    trauma = None
    die = dice_of(facts, "weapon.trauma_die")
    if die and numbers.trauma and numbers.trauma_target:
        trauma = TraumaDie(
            ((die.dice, die.sides),),
            numbers.trauma.total,
            numbers.trauma_target.total,
            facts["weapon.trauma_rating"],
        )
    body = Body(
        facts["target.soak"],
        options["soak_vs_shock"],
        facts.get("target.vehicle_armor", 0),
        facts.get("target.hp"),
        _fall(facts),
    )
    return Plan(
        numbers.attack.total,
        numbers.raised,
        rerolls if GUNLINK_REROLL in asked.open else 0,
        (
            lucky and bool(facts.get("attacker.veterans_luck")),
            lucky and bool(facts.get("target.veterans_luck")),
        ),
        Natural(facts.get("attacker.skillplugs", 0), options["natural_1_misses"], options["natural_20_hits"]),
        After(_blow(facts, numbers, options["shock_floor_before_trauma"]), trauma, body, _rounds(facts)),
    )


def _blow(facts: Facts, numbers: Numbers, floor_first: bool) -> Blow:
    dice = dice_of(facts, "weapon.damage")
    assert dice is not None, "derive() notes a weapon without damage"
    parts: DiceParts = ((dice.dice, dice.sides),)
    shock_burst = bool(facts.get("attack.shock_burst")) and "shock-burst" in facts.get("weapon.mods", ())
    if shock_burst:
        parts += (SHOCK_BURST_DICE,)
    graze = dice_of(facts, "weapon.miss_damage")
    swarm = max(0, numbers.swarm.total) if numbers.swarm else 0
    return Blow(
        parts,
        numbers.damage.total,
        swarm,
        floor_first,
        ((graze.dice, graze.sides),) if graze else (),
        graze.plus if graze else 0,
        shock_burst,
    )


def _fall(facts: Facts) -> str:
    """What 0 hit points mean for the target (section 9.1)."""
    if facts.get("target.machine"):
        return "defeated"
    if facts.get("target.frail"):
        return "dead"
    if not facts["attack.lethal"]:
        return "incapacitated"
    return {True: "mortally-wounded", False: "dead", None: "defeated"}[facts.get("target.named")]


def _rounds(facts: Facts) -> Rounds:
    """Ammunition used, of weapons that have any."""
    if "weapon.rounds" not in facts and "weapon.magazine" not in facts:
        return Rounds(0, None)
    used = BURST_ROUNDS if facts.get("attack.burst") else 1
    left = facts.get("weapon.rounds")
    return Rounds(used, None if left is None else max(0, left - used))


def _shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    """Derived facts worth telling."""
    names = (
        "attack.kind",
        "attack.skill",
        "attack.attribute",
        "attack.lethal",
        "range.band",
        "range.adjacent",
    )
    return {name: facts[name] for name in names if name in facts}
