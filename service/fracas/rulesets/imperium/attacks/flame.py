"""Flame weapons: one roll against everybody in a cone (rulebook chapter 17).

A success hits all of them, a failure only the one who is named first, at half damage. The damage is rolled for each;
the roll to hit shows where it strikes the first, a D100 of their own where it strikes the others. Those who are aware
and can move may save themselves from half of it, and whoever is hurt may catch fire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting, rolls
from fracas.kernel.percentiles import Weighed, matched, ways_of
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.attacks import attack
from fracas.rulesets.imperium.attacks.attack import ATTACKER, NO_ROUNDS, TARGET, Rounds, Victim
from fracas.rulesets.imperium.attacks.vocabulary import FLAME, OTHERS, PEOPLE
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Bands, Percentile, location_of
from fracas.rulesets.imperium.harms import fire
from fracas.rulesets.imperium.harms.bodies import INJURY_TEST, rounded_up
from fracas.rulesets.imperium.harms.damage import CRITICAL, Factors, factors
from fracas.rulesets.imperium.harms.hurting import Hazard, exposed, hazard_of
from fracas.rulesets.imperium.harms.injury import MEASURES, Harm, unhurt
from fracas.rulesets.imperium.vocabulary import LOCATIONS

CHANCE, DAMAGE = "flame-attack.chance", "flame-attack.damage"


class FlameAttack(Procedure):
    """One roll against everybody in the cone of a flame weapon; damage, location, armor and fire of each."""

    label = "Fire a flame weapon"
    vocabulary = FLAME
    targets: Mapping[str, str] = {
        CHANCE: "Chance to hit",
        DAMAGE: "Points added to the damage",
        **INJURY_TEST.targets(*PEOPLE),
        **fire.FIRE_TEST.targets(*PEOPLE),
    }
    measures = (
        chance("hit", "Expected number of people hit"),
        chance("critical", "Expected number of people hit critically"),
        *MEASURES,
        chance("burning", "Expected number of people who catch fire"),
    )

    def numbers(self, it: Attempt) -> None:
        facts = attack.common_facts(it)
        attack.encumber(it, "weapon", ATTACKER, attack.uses_one_arm(it))
        skill = it.need("attacker.ballistic_skill", "the Ballistic Skill")
        base, halvings = Entry("ballistic-skill", "Ballistic Skill", skill), percentile.merged_halvings(it)
        percentile.keep_chance(it, CHANCE, base, halvings=halvings)
        dice = percentile.dice_given(it, "weapon.damage", "the damage of the weapon")
        it.tally(
            DAMAGE, *((Entry("weapon", facts.get("weapon.name", "Weapon"), dice.plus),) if dice.plus else ())
        )
        people = [TARGET, *(who for who in OTHERS if has_record(facts, who))]
        for who in people:
            if f"{who}.cover" in facts:  # flames lick around it
                facts[f"{who}.cover"] = rounded_up(facts[f"{who}.cover"], 2)
            fire.keep_test(it, who)
        it.plan = dice.dice, [attack.victim_of(it, who) for who in people]

    def first(self, it: Attempt) -> Stage:
        dice, victims = it.plan
        damage = Total(dice, it.total(DAMAGE))
        among = tuple(_among(it, attack.numbered(it, one), damage) for one in victims)
        bands, critical = percentile.location_bands(it.lookup), factors(it.lookup, CRITICAL)
        cone = Cone(percentile.of_number(it, CHANCE), bands, critical, attack.rounds_of(it), among)
        return attack.with_recoil(it, Flame(share(cone)))


class InCone(Part, kind="imperium.in-cone"):
    """A combatant in the cone.

    Attributes:
        hazard: the flames, at a location of their own roll.
        kindling: None for those who cannot catch fire.
    """

    victim: Victim
    hazard: Shared[Hazard]
    kindling: fire.Kindling | None


def _among(it: Attempt, victim: Victim, damage: Total) -> InCone:
    who, facts = victim.who, it.facts
    test = it.known(fire.FIRE_TEST.of(who))
    able = facts.get(f"{who}.conscious", True) and not facts.get(f"{who}.stunned")
    evades = test is not None and facts.get(f"{who}.aware") and able and not victim.inert
    save = percentile.of_chance(it, test) if evades and test is not None else None
    place = LOCATIONS[0] if victim.hull else ""
    hazard = hazard_of(it, who, damage, save=save, protection=victim.protection, place=place, by=ATTACKER)
    return InCone(victim, hazard, fire.kindling_of(it, who))


class Cone(Part, kind="imperium.cone"):
    """Flames, settled before the roll.

    Attributes:
        critical: what a critical hit multiplies, for the one who is named first.
        among: all in the cone, that one first.
    """

    test: Percentile
    bands: Bands
    critical: Factors
    rounds: Rounds
    among: tuple[InCone, ...]


class Flame(Waiting, kind="imperium.flame"):
    """Waits for the roll to hit."""

    cone: Shared[Cone]
    awaits = rolls("flame", ATTACKER, lambda self: self.cone.value.test)

    def spread(self, inputs: Any) -> Weighed:
        """The faces of the roll that differ in what comes of them, with their weights: also of a failure, which shows
        where the one named first is hit."""
        cone = self.cone.value

        def meaning(face: int) -> tuple[bool, bool, str]:
            passed = cone.test.passes(face)
            return passed, passed and matched(face), location_of(face, cone.bands)

        return ways_of(meaning)

    def advance(self, answer: Any) -> Stage:
        cone = self.cone.value
        passed = cone.test.passes(answer)
        branches: list[tuple[str, Stage]] = []
        for at, one in enumerate(cone.among):
            if at and not passed:
                branches.append(
                    (one.victim.who, Scorched(one.victim, False, False, NO_ROUNDS, unhurt(one.victim.body)))
                )
                continue
            critical, its = passed and matched(answer) and not at, one.hazard.value
            if not at:
                its = its._replace(place=location_of(answer, cone.bands), part=1 if passed else 2)
            if critical:
                its = its._replace(times=cone.critical.before * cone.critical.after)
            rounds = NO_ROUNDS if at else cone.rounds
            end: Stage = exposed(
                Scorched(one.victim, True, critical, rounds, unhurt(one.victim.body)), share(its)
            )
            end = one.kindling.around(end) if one.kindling else end
            branches.append((one.victim.who, one.victim.broken_by(end)))
        return branches[0][1] if len(branches) == 1 else Fork(tuple(branches))


class Scorched(Outcome, kind="imperium.scorched"):
    """What the flames did to a combatant in the cone."""

    victim: Victim
    hit: bool
    critical: bool
    rounds: Rounds
    harm: Harm

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "result": "hit" if self.hit else "miss",
            "hit": self.hit,
            "critical": self.critical,
        }
        return facts | self.victim.facts(self.harm) | self.rounds.facts()

    def changes(self) -> tuple[Effect, ...]:
        shaken = self.victim.shaken(self.harm, hit=self.hit, among=True, flames=True)
        return (*self.rounds.effects(), *self.victim.suffers(self.harm), *shaken)
