"""Flame weapons: one roll against everybody in a cone (rulebook chapter 17).

A success hits all of them, a failure only the one who is named first, at half damage. The damage is rolled for each;
the roll to hit shows where it strikes the first, a D100 of their own where it strikes the others. Those who are aware
and can move may save themselves from half of it, or dodge by a house rule; those who are hurt may catch fire.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.composing import with_effects
from fracas.kernel.forms import Continuation, Outcome, Part, Waiting, rolls
from fracas.kernel.percentiles import Weighed, matched, ways_of
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import has_record, in_place_of
from fracas.kernel.ruleset import DecisionInfo
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.attacks import attack
from fracas.rulesets.imperium.attacks.attack import ATTACKER, NO_ROUNDS, TARGET, Rounds, Victim
from fracas.rulesets.imperium.attacks.close_combat import (
    DEFENSE,
    DODGE,
    DODGING,
    EVADE,
    STAND,
    dodging,
    may_dodge,
)
from fracas.rulesets.imperium.attacks.vocabulary import FLAME, OTHERS, PEOPLE
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Bands, Percentile, location_of
from fracas.rulesets.imperium.harms import fire
from fracas.rulesets.imperium.harms.bodies import INJURY_TEST, OWED, rounded_up
from fracas.rulesets.imperium.harms.damage import CRITICAL, Factors, factors
from fracas.rulesets.imperium.harms.hurting import Hazard, exposed, hazard_of
from fracas.rulesets.imperium.harms.injury import MEASURES, Harm, unhurt
from fracas.rulesets.imperium.vocabulary import LOCATIONS, title

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
        DODGE: "Chance to dodge",
        **{f"{who}.{DODGE}": f"{title(who)}: Chance to dodge" for who in OTHERS},
    }
    owners: Mapping[str, str] = {DODGE: TARGET}
    decisions = (DecisionInfo(DODGING, "Dodge the flames", (STAND, EVADE), STAND),)
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
            one = it if who == TARGET else it.of(who, in_place_of(it.facts, who, without=PEOPLE))
            if it.options["dodge_shots"] and may_dodge(one):
                percentile.number_of_test(one, DODGE, TARGET, "initiative")
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
        dodge: the test of those who may dodge, for `owed` actions; None for nobody else.
    """

    victim: Victim
    hazard: Shared[Hazard]
    kindling: fire.Kindling | None
    dodge: Percentile | None
    owed: int

    def burnt(self, hazard: Hazard, rounds: Rounds, times: int) -> Stage:
        """What the flames do, so many times."""
        end: Stage = Scorched(self.victim, True, times > 1, rounds, unhurt(self.victim.body))
        end = exposed(end, share(hazard._replace(times=times)))
        return self.victim.broken_by(self.kindling.around(end) if self.kindling else end)


def _among(it: Attempt, victim: Victim, damage: Total) -> InCone:
    who, facts = victim.who, it.facts
    test = it.known(fire.FIRE_TEST.of(who))
    able = facts.get(f"{who}.conscious", True) and not facts.get(f"{who}.stunned")
    evades = test is not None and facts.get(f"{who}.aware") and able and not victim.inert
    save = percentile.of_chance(it, test) if evades and test is not None else None
    place = LOCATIONS[0] if victim.hull else ""
    hazard = hazard_of(it, who, damage, save=save, protection=victim.protection, place=place, by=ATTACKER)
    dodge = it.known(DODGE if who == TARGET else f"{who}.{DODGE}")
    owed = row_of(it.lookup, DEFENSE, "dodge")["actions"]
    evading = None if dodge is None else percentile.of_chance(it, dodge)
    return InCone(victim, hazard, fire.kindling_of(it, who), evading, owed)


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
        passed, place = cone.test.passes(answer), location_of(answer, cone.bands)
        branches: list[tuple[str, Stage]] = []
        for at, one in enumerate(cone.among):
            rounds = NO_ROUNDS if at else cone.rounds
            spared = Scorched(
                one.victim, False, False, rounds, unhurt(one.victim.body), bool(passed or not at)
            )
            end: Stage = spared._replace(dodged=False)
            if passed or not at:
                hazard = one.hazard.value
                hazard = hazard if at else hazard._replace(place=place, part=1 if passed else 2)
                times = cone.critical.before * cone.critical.after
                burnt = [one.burnt(hazard, rounds, 1), one.burnt(hazard, rounds, times)]
                critical = passed and matched(answer) and not at
                leaps = Leapt(one.victim.who, burnt[critical], burnt[1], spared, one.owed)
                dodge = one.dodge
                end = dodging(leaps.who, leaps.stands, "dodge", dodge, leaps) if dodge else leaps.stands
            branches.append((one.victim.who, end))
        return branches[0][1] if len(branches) == 1 else Fork(tuple(branches))


class Leapt(Continuation, kind="imperium.leapt"):
    """What comes of a dodge: the stages of those who stand the flames, of those hit critically by a matched failure,
    and of those who leap clear; `owed`: actions that it costs."""

    who: str
    stands: Stage
    worse: Stage
    spared: Stage
    owed: int

    def on_result(self, test: Percentile, face: int) -> Stage:
        end = self.spared if test.passes(face) else self.worse if matched(face) else self.stands
        return with_effects(end, [Effect("mark", self.who, OWED, self.owed)])


class Scorched(Outcome, kind="imperium.scorched"):
    """What the flames did to a combatant in the cone."""

    victim: Victim
    hit: bool
    critical: bool
    rounds: Rounds
    harm: Harm
    dodged: bool = False

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "result": "hit" if self.hit else "dodged" if self.dodged else "miss",
            "hit": self.hit,
            "critical": self.critical,
        }
        return facts | self.victim.facts(self.harm) | self.rounds.facts()

    def changes(self) -> tuple[Effect, ...]:
        shaken = self.victim.shaken(self.harm, hit=self.hit, among=True, flames=True)
        return (*self.rounds.effects(), *self.victim.suffers(self.harm), *shaken)
