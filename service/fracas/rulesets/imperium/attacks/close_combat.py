"""An attack in close combat: rulebook sections 6, 7, 8.1 and 10.

What raises and lowers the numbers, and what makes an attack impossible, is data (``datapacks/imperium-core``); here is
the order of things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.ruleset import DecisionInfo, Measure
from fracas.kernel.stage import Stage, share
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry, Tally, tally_of
from fracas.rulesets.imperium.attacks.attack_vocabulary import CLOSE_COMBAT
from fracas.rulesets.imperium.attacks.close_combat_facts import Line, attack_facts, breakage_of, line_of
from fracas.rulesets.imperium.attacks.close_combat_stages import (
    FORCE_OPTIONS,
    FORCE_TEST,
    TARGET,
    TEST,
    Assault,
    Attack,
    Force,
)
from fracas.rulesets.imperium.attacks.damage import (
    CRITICAL,
    FORCE_WEAPON,
    DiceParts,
    Factors,
    factors,
    protection_of,
)
from fracas.rulesets.imperium.attacks.reins import CHANCE as REINS
from fracas.rulesets.imperium.attacks.reins import TARGETS as OF_RIDERS
from fracas.rulesets.imperium.attacks.reins import in_the_saddle, reins_number
from fracas.rulesets.imperium.attacks.shooting_facts import rounds_of
from fracas.rulesets.imperium.attacks.shooting_stages import NO_ROUNDS, RIDER, Victim
from fracas.rulesets.imperium.attacks.weapon_facts import FORCE, PSYCHIC
from fracas.rulesets.imperium.checks.abilities import allows
from fracas.rulesets.imperium.checks.faults import Dice, Faults, dice_of
from fracas.rulesets.imperium.checks.percentile import (
    MERGED_ACTION,
    Halving,
    Percentile,
    halved_again,
    halvings_of,
    keep_chance,
    location_bands,
    percentile,
)
from fracas.rulesets.imperium.harms.body import as_numbered, known_to, test_name, test_targets
from fracas.rulesets.imperium.harms.harm import MEASURES

CHANCE, DAMAGE, PARRY, FORCE_CHANCE = (
    "close-combat.chance",
    "close-combat.damage",
    "parry.penalty",
    "force.chance",
)
TARGETS = {
    CHANCE: "Chance to hit",
    DAMAGE: "Points added to the damage",
    PARRY: "Parry Penalty of the target, which is added to the chance",
    FORCE_CHANCE: "Chance to use the power of a force weapon",
    **test_targets(TARGET),
    **OF_RIDERS,
}
OWNERS: Mapping[str, str] = {
    CHANCE: "attacker",
    DAMAGE: "attacker",
    FORCE_CHANCE: "attacker",
    REINS: "attacker",
    PARRY: TARGET,
    test_name(TARGET): TARGET,
}
"""Whose number each tally is, as a record."""
_PARRIED = "parry-penalty"
"""The line of the chance that the target's Parry Penalty makes."""


class CloseCombatProcedure(Procedure):
    """One attack of one attacker on one target: with a blade, a bare hand, the butt of a gun or a pistol."""

    id = "close-combat"
    label = "Attack in close combat"
    doc = "Roll to hit, Parry Penalty, location, damage, armor and injuries; power weapons and force weapons."
    vocabulary = CLOSE_COMBAT
    decisions = (
        DecisionInfo(
            FORCE_TEST,
            "Use the power of a force weapon",
            tuple(option.id for option in FORCE_OPTIONS),
            TEST,
        ),
    )
    targets: Mapping[str, str] = TARGETS
    measures = (
        chance("hit", "Chance to hit"),
        chance("critical", "Chance of a critical hit"),
        chance("parried", "Chance that the attack is parried"),
        Measure(
            "broken",
            "Chance that a weapon breaks",
            lambda facts: float(facts.get("broken", "none") != "none"),
        ),
        *MEASURES,
    )
    inner = (PARRY,)

    def numbers(self, it: Attempt) -> None:
        faults = it.faults = Faults()
        facts = it.facts = attack_facts(it.asked, faults)
        line = line_of(it.asked, facts, faults)
        halvings = halvings_of(it.catalog, [MERGED_ACTION] if facts["action.merged"] else [])
        it.shown["strikes_with"] = line.name
        if halvings:
            it.shown["halved"] = ", ".join(one.id for one in halvings)
        base = [Entry("weapon-skill", "Weapon Skill", it.need("attacker.weapon_skill", "the Weapon Skill"))]
        if line.ws_modifier:
            base.append(Entry("weapon", line.name, line.ws_modifier))
        parry = it.asked.rules.tally(PARRY, TARGETS[PARRY], (), facts, it.asked.hand)
        if parry.total:
            base.append(Entry(_PARRIED, "Parry Penalty of the target", parry.total, origin="rule"))
        keep_chance(it, CHANCE, *base, halvings=halvings)
        it.keep(parry)
        it.tally(DAMAGE, *_damage_base(line))
        protection = protection_of(facts, TARGET, faults)
        inert = bool(facts.get("target.object"))
        body = None if inert else known_to(it, TARGET)
        _force_number(it, line)
        reins_number(it)
        it.plan = _Plan(line, halvings, Victim(TARGET, protection, body, inert, RIDER, Percentile(0)))

    def first(self, it: Attempt) -> Stage:
        plan: _Plan = it.plan
        assault = Assault(
            plan.victim._replace(body=as_numbered(it, TARGET, plan.victim.body)),
            percentile(it.options, it.total(CHANCE)),
            percentile(it.options, _unparried(it.made[CHANCE], plan.halvings, it.options["rounding"])),
            location_bands(it.catalog),
            _damage_dice(it.facts, plan.line),
            it.total(DAMAGE),
            factors(it.catalog, CRITICAL),
            _force(it) if FORCE_CHANCE in it.made else None,
            breakage_of(it.asked, it.facts, plan.line),
            rounds_of(it.facts) if it.facts.get("attack.shot") else NO_ROUNDS,
        )
        return in_the_saddle(it, Attack(share(assault)))


class _Plan(NamedTuple):
    """What an attack is made of beside its numbers."""

    line: Line
    halvings: tuple[Halving, ...]
    victim: Victim


def _unparried(chance: Tally, halvings: tuple[Halving, ...], rounding: str) -> int:
    """The chance without the Parry Penalty, halved like the other."""
    entries = tuple(entry for entry in chance.entries if entry.id != _PARRIED)
    return halved_again(tally_of(chance.to, chance.label, entries), halvings, rounding).total


def _damage_base(line: Line) -> list[Entry]:
    return [Entry("weapon", line.name, line.damage.plus)] if line.damage.plus else []


def _damage_dice(facts: Mapping[str, Any], line: Line) -> DiceParts:
    """The dice of the weapon, and of some weapons more against what stands still (section 10.3)."""
    more = dice_of(facts.get("weapon.stationary_damage", "")) if facts.get("target.object") else None
    if more is None or facts.get("attack.shot"):
        return line.damage.dice
    return (*line.damage.dice, *more.dice)


def _force_number(it: Attempt, line: Line) -> None:
    """Make the number of the Willpower Test of a psyker with a force weapon, where its power is at work (10.5)."""
    if FORCE not in line.features or not allows(it.facts, "attacker", PSYCHIC):
        return
    rows = rows_of(it.catalog, "force-weapons")
    if rows["characters-only"]["value"] and it.facts.get("target.object"):
        return
    name = rows["test"]["value"]
    value = it.need(f"attacker.{name}", f"the {name} of the user of a force weapon")
    keep_chance(it, FORCE_CHANCE, Entry(name, name.capitalize(), value))


def _force(it: Attempt) -> Force:
    rows = rows_of(it.catalog, "force-weapons")
    bonus = dice_of(str(rows["bonus"]["value"])) or Dice(())
    doubled = factors(it.catalog, FORCE_WEAPON)
    return Force(
        percentile(it.options, it.total(FORCE_CHANCE)),
        FORCE_TEST in it.asked.open,
        bonus.dice,
        bonus.plus,
        doubled,
        doubled if rows["doubled-without-test"]["value"] else Factors(),
    )
