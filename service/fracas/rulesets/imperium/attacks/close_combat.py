"""An attack in close combat: rulebook sections 6, 7, 8.1 and 10.

What raises and lowers the numbers, and what makes an attack impossible, is data (``datapacks/imperium-core``); here is
the order of things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fact, Stage, share
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
from fracas.rulesets.imperium.attacks.reins import LettingGo, reins_tally
from fracas.rulesets.imperium.attacks.shooting import true_or_false
from fracas.rulesets.imperium.attacks.shooting_facts import rounds_of
from fracas.rulesets.imperium.attacks.shooting_stages import NO_ROUNDS, RIDER, Victim
from fracas.rulesets.imperium.attacks.weapon_facts import FORCE, PSYCHIC
from fracas.rulesets.imperium.checks.abilities import allows
from fracas.rulesets.imperium.checks.faults import Dice, Faults, dice_of
from fracas.rulesets.imperium.checks.percentile import (
    MERGED_ACTION,
    Halving,
    Percentile,
    chance_of,
    halved_again,
    halvings_of,
    location_bands,
    percentile,
)
from fracas.rulesets.imperium.checks.tables import rows_of
from fracas.rulesets.imperium.harms.body import body_of, test_name, test_targets, with_chance
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


class CloseCombatProcedure:
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
        Measure("hit", "Chance to hit", true_or_false("hit")),
        Measure("critical", "Chance of a critical hit", true_or_false("critical")),
        Measure("parried", "Chance that the attack is parried", true_or_false("parried")),
        Measure(
            "broken",
            "Chance that a weapon breaks",
            lambda facts: float(facts.get("broken", "none") != "none"),
        ),
        *MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        """The numbers and the roll to hit, or why there is no attack."""
        faults = Faults()
        facts = attack_facts(asked, faults)
        line = line_of(asked, facts, faults)
        skill = faults.number(facts, "attacker.weapon_skill", "the Weapon Skill")
        refusals = asked.rules.refusals(facts)
        protection = protection_of(facts, TARGET, faults)
        inert = bool(facts.get("target.object"))
        body, test = (None, None) if inert else body_of(asked, facts, TARGET)
        force = _force_tally(asked, facts, line, faults)
        reins = reins_tally(asked, facts, faults)
        faults.check(refused=bool(refusals))
        halvings = halvings_of(asked.catalog, [MERGED_ACTION] if facts["action.merged"] else [])
        shown: dict[str, Fact] = {"strikes_with": line.name}
        if halvings:
            shown["halved"] = ", ".join(one.id for one in halvings)
        if refusals:
            return Prepared(None, (), refusals, shown)
        parry = asked.rules.tally(PARRY, TARGETS[PARRY], (), facts, asked.hand)
        chance = _chance(asked, facts, skill, line, parry, halvings)
        damage = asked.rules.tally(DAMAGE, TARGETS[DAMAGE], _damage_base(line), facts, asked.hand)
        victim = Victim(TARGET, protection, body, inert, RIDER, Percentile(0))
        rounds = rounds_of(facts) if facts.get("attack.shot") else NO_ROUNDS

        def begin(changed: Tally | None = None) -> Stage | None:
            if changed is not None and changed.to == PARRY:
                return None  # the chance depends on it
            now = {tally.to: tally for tally in (chance, damage, force, reins) if tally is not None}
            struck = victim
            if changed is not None and changed.to == CHANCE:
                now[CHANCE] = halved_again(changed, halvings, asked.options["rounding"])
            elif changed is not None and changed.to in now:
                now[changed.to] = changed
            elif changed is not None and body is not None:
                struck = victim._replace(body=with_chance(body, changed.total))
            assault = Assault(
                struck,
                percentile(asked.options, now[CHANCE].total),
                percentile(asked.options, _unparried(asked, now[CHANCE], halvings)),
                location_bands(asked.catalog),
                _damage_dice(facts, line),
                now[DAMAGE].total,
                factors(asked.catalog, CRITICAL),
                _force(asked, now.get(FORCE_CHANCE)),
                breakage_of(asked, facts, line),
                rounds,
            )
            first = Attack(share(assault))
            return LettingGo(percentile(asked.options, now[REINS].total), first) if REINS in now else first

        tallies = [tally for tally in (chance, parry, damage, test, force, reins) if tally is not None]
        return Prepared(begin(), tuple(tallies), (), shown, begin)


def _chance(
    asked: Asked,
    facts: Mapping[str, Any],
    skill: int,
    line: Line,
    parry: Tally,
    halvings: tuple[Halving, ...],
) -> Tally:
    """Weapon Skill, the WS modifier, what the packs say, and the Parry Penalty (section 6)."""
    base = [Entry("weapon-skill", "Weapon Skill", skill)]
    if line.ws_modifier:
        base.append(Entry("weapon", line.name, line.ws_modifier))
    if parry.total:
        base.append(Entry(_PARRIED, "Parry Penalty of the target", parry.total, origin="rule"))
    return chance_of(asked, facts, CHANCE, TARGETS[CHANCE], base, halvings)


def _unparried(asked: Asked, chance: Tally, halvings: tuple[Halving, ...]) -> int:
    """The chance without the Parry Penalty, halved like the other."""
    entries = tuple(entry for entry in chance.entries if entry.id != _PARRIED)
    bare = tally_of(chance.to, chance.label, entries)
    return halved_again(bare, halvings, asked.options["rounding"]).total


def _damage_base(line: Line) -> list[Entry]:
    return [Entry("weapon", line.name, line.damage.plus)] if line.damage.plus else []


def _damage_dice(facts: Mapping[str, Any], line: Line) -> DiceParts:
    """The dice of the weapon, and of some weapons more against what stands still (section 10.3)."""
    more = dice_of(facts.get("weapon.stationary_damage", "")) if facts.get("target.object") else None
    if more is None or facts.get("attack.shot"):
        return line.damage.dice
    return (*line.damage.dice, *more.dice)


def _force_tally(asked: Asked, facts: Mapping[str, Any], line: Line, faults: Faults) -> Tally | None:
    """The Willpower Test of a psyker with a force weapon; None where its power is not at work (section 10.5)."""
    if FORCE not in line.features or not allows(facts, "attacker", PSYCHIC):
        return None
    rows = rows_of(asked.catalog, "force-weapons")
    if rows["characters-only"]["value"] and facts.get("target.object"):
        return None
    name = rows["test"]["value"]
    value = faults.number(facts, f"attacker.{name}", f"the {name} of whoever uses a force weapon")
    return chance_of(
        asked, facts, FORCE_CHANCE, TARGETS[FORCE_CHANCE], [Entry(name, name.capitalize(), value)]
    )


def _force(asked: Asked, tally: Tally | None) -> Force | None:
    if tally is None:
        return None
    rows = rows_of(asked.catalog, "force-weapons")
    bonus = dice_of(str(rows["bonus"]["value"])) or Dice(())
    doubled = factors(asked.catalog, FORCE_WEAPON)
    always = rows["doubled-without-test"]["value"]
    return Force(
        percentile(asked.options, tally.total),
        FORCE_TEST in asked.open,
        bonus.dice,
        bonus.plus,
        doubled,
        doubled if always else Factors(),
    )
