"""Shots and throws: rulebook sections 5, 7, 8.1 and 11.

What raises and lowers the chance, and what makes a shot impossible, is data (``datapacks/imperium-core``); here is the
order of things. Single shots and semi-automatic fire have one target. Full automatic fire may have several, among whom
the shots are split; what bursts harms everybody in reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.ruleset import Asked, Measure
from fracas.kernel.stage import Fork, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.attacks.attack_vocabulary import OTHERS, PEOPLE, SHOOTING
from fracas.rulesets.imperium.attacks.blast_stages import Blast, Bystander, Throw
from fracas.rulesets.imperium.attacks.damage import CRITICAL, Protection, factors, protection_of
from fracas.rulesets.imperium.attacks.reins import CHANCE as REINS
from fracas.rulesets.imperium.attacks.reins import TARGETS as OF_RIDERS
from fracas.rulesets.imperium.attacks.reins import in_the_saddle, reins_number
from fracas.rulesets.imperium.attacks.shooting_facts import (
    TARGET,
    aimed_at,
    as_target,
    halving_reasons,
    others_of,
    report_of,
    rounds_of,
    shot_facts,
    split,
    splits,
)
from fracas.rulesets.imperium.attacks.shooting_stages import NO_ROUNDS, Firing, Victim
from fracas.rulesets.imperium.checks.faults import Dice, Faults
from fracas.rulesets.imperium.checks.percentile import (
    chance_of,
    halved_again,
    halvings_of,
    location_bands,
    percentile,
)
from fracas.rulesets.imperium.harms.body import Body, as_numbered, body_of, test_name, test_targets
from fracas.rulesets.imperium.harms.harm import MEASURES

CHANCE, DAMAGE = "shooting.chance", "shooting.damage"


def _named(who: str) -> str:
    return f"{who}.{CHANCE}"


TARGETS = {
    CHANCE: "Chance to hit",
    DAMAGE: "Points added to the damage",
    **{_named(who): f"{who.replace('_', ' ').capitalize()}: chance to hit" for who in OTHERS},
    **test_targets(*PEOPLE),
    **OF_RIDERS,
}
OWNERS: Mapping[str, str] = {
    CHANCE: "attacker",
    DAMAGE: "attacker",
    REINS: "attacker",
    **{_named(who): "attacker" for who in OTHERS},
    **{test_name(who): who for who in PEOPLE},
}
"""Whose number each tally is, as a record."""


class _Person(NamedTuple):
    """A combatant who is shot at, or in reach of what bursts.

    Attributes:
        record: where the facts have them: a further target stands where a shot has its target.
        shots: at this one; 0 for a combatant who is in reach only.
    """

    who: str
    record: str
    facts: Mapping[str, Any]
    shots: int
    protection: Protection
    body: Shared[Body] | None


class _Plan(NamedTuple):
    """What a shot is made of beside its numbers."""

    dice: Dice
    people: list[_Person]


class ShootingProcedure(Procedure):
    """Shots at somebody, or a throw. Measures count people; of one alone they are chances."""

    id = "shooting"
    label = "Shot or throw"
    doc = "Roll to hit of each shot, location, damage, armor and injuries; in any firing mode, or thrown."
    vocabulary = SHOOTING
    targets: Mapping[str, str] = TARGETS
    measures = (
        chance("hit", "Expected number of people hit"),
        chance("critical", "Expected number of people hit critically"),
        Measure(
            "hits", "Expected number of hits", lambda facts: float(facts.get("hits", facts.get("hit")) or 0)
        ),
        *MEASURES,
    )

    def numbers(self, it: Attempt) -> None:
        faults = it.faults = Faults()
        facts = it.facts = shot_facts(it.asked, faults)
        others = others_of(facts)
        bursts = "weapon.blast" in facts
        if others and not bursts and not splits(it.asked, facts):
            message = "only full automatic fire and what bursts concern several people"
            faults.wrong(others[0], "too-many-targets", message)
        aims = [TARGET] if bursts else [TARGET, *others]
        shots = facts.get("fire.shots", 1)
        if len(aims) > shots:
            faults.wrong(
                "fire.shots", "too-few-shots", f"{shots} shots cannot be split over {len(aims)} targets"
            )
        it.shown |= {name: facts[name] for name in ("range.band", "fire.mode", "fire.shots") if name in facts}
        skill = it.need("attacker.ballistic_skill", "the Ballistic Skill")
        dice = faults.dice(facts, "weapon.damage", "the damage of the weapon")
        shares = split(shots, aims)
        seen = {who: facts if who == TARGET else as_target(it.asked, facts, who, faults) for who in aims}
        _refuse(it, seen)
        for who in aims:
            _chance_at(it, seen[who], who, skill)
        it.tally(DAMAGE, *_dice_base(facts, dice))
        people = [_person(it, seen[who], TARGET, who, shares[who], faults) for who in aims]
        people += [_person(it, facts, who, who, 0, faults) for who in others if bursts]
        reins_number(it)
        it.plan = _Plan(dice, people)

    def first(self, it: Attempt) -> Stage:
        people: list[_Person] = it.plan.people
        bursts = "weapon.blast" in it.facts and len(people) > 1
        return in_the_saddle(it, _burst(it, people) if bursts else _fire(it, people))


def _dice_base(facts: Mapping[str, Any], dice: Dice) -> list[Entry]:
    return [Entry("weapon", facts.get("weapon.name", "Weapon"), dice.plus)] if dice.plus else []


def _refuse(it: Attempt, seen: Mapping[str, Mapping[str, Any]]) -> None:
    """What the packs have against shots at further targets, each reason once."""
    known = set(it.asked.rules.refusals(seen[TARGET]))
    found = (one for who, facts in seen.items() if who != TARGET for one in it.asked.rules.refusals(facts))
    it.refused += [one for one in dict.fromkeys(found) if one not in known]


def _chance_at(it: Attempt, facts: Mapping[str, Any], who: str, skill: int) -> None:
    """Make the number of the shots at one target."""
    halvings = halvings_of(it.catalog, halving_reasons(it.asked, facts))
    base = [Entry("ballistic-skill", "Ballistic Skill", skill)]
    to, named = (CHANCE, it.asked) if who == TARGET else (_named(who), _renamed(it.asked, who))
    made = chance_of(named, facts, to, TARGETS[to], base, halvings)
    it.keep(made, partial(halved_again, halvings=halvings, rounding=it.options["rounding"]))
    if who == TARGET and halvings:
        it.shown["halved"] = ", ".join(one.id for one in halvings)


def _renamed(asked: Asked, who: str) -> Asked:
    """The attempt with the modifiers of a chance as those of the chance against a further target."""
    known = asked.rules.by_target
    rules = asked.rules._replace(by_target={**known, _named(who): known.get(CHANCE, ())})
    return asked._replace(rules=rules)


def _person(
    it: Attempt, facts: Mapping[str, Any], record: str, who: str, shots: int, faults: Faults
) -> _Person:
    """What somebody has against damage; `record` is where the facts tell it, `who` the person's own."""
    protection = protection_of(facts, record, faults, who)
    if facts.get(f"{record}.object"):
        return _Person(who, record, facts, shots, protection, None)
    own = {
        f"{who}.{path.removeprefix(f'{record}.')}": fact
        for path, fact in facts.items()
        if path.startswith(f"{record}.")
    }
    body, test = body_of(it.asked, {**facts, **own}, who)
    if test is not None:
        it.keep(test)
    return _Person(who, record, facts, shots, protection, body)


def _victim(it: Attempt, one: _Person) -> Victim:
    at, mount = aimed_at(it.asked, one.facts)
    inert = bool(one.facts.get(f"{one.record}.object"))
    return Victim(one.who, one.protection, as_numbered(it, one.who, one.body), inert, at, mount)


def _firing(it: Attempt, one: _Person) -> Stage:
    first = one.who == TARGET
    firing = Firing(
        _victim(it, one),
        percentile(it.options, it.total(CHANCE if first else _named(one.who))),
        location_bands(it.catalog),
        one.shots,
        it.plan.dice.dice,
        it.total(DAMAGE),
        factors(it.catalog, CRITICAL),
        report_of(it.facts),
        rounds_of(it.facts) if first else NO_ROUNDS,
    )
    return firing.begin(share(firing))


def _fire(it: Attempt, people: list[_Person]) -> Stage:
    stages = [(one.who, _firing(it, one)) for one in people]
    return stages[0][1] if len(stages) == 1 else Fork(tuple(stages))


def _burst(it: Attempt, people: list[_Person]) -> Stage:
    hit, *near = people
    reach = it.facts["weapon.blast"]
    blast = Blast(
        percentile(it.options, it.total(CHANCE)),
        location_bands(it.catalog),
        it.plan.dice.dice,
        it.total(DAMAGE),
        factors(it.catalog, CRITICAL),
        rounds_of(it.facts),
        _victim(it, hit),
        tuple(
            Bystander(_victim(it, one), it.facts.get(f"{one.who}.from_target", 0) <= reach) for one in near
        ),
    )
    return Throw(share(blast))
