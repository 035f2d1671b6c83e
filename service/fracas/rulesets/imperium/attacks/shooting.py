"""Shots and throws: rulebook sections 5, 7, 8.1 and 11.

What raises and lowers the chance, and what makes a shot impossible, is data (``datapacks/imperium-core``); here is the
order of things. Single shots and semi-automatic fire have one target. Full automatic fire may have several, among whom
the shots are split; what bursts harms everybody in reach.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Fork, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.imperium.attacks.attack_vocabulary import OTHERS, PEOPLE, SHOOTING
from fracas.rulesets.imperium.attacks.blast_stages import Blast, Bystander, Throw
from fracas.rulesets.imperium.attacks.damage import CRITICAL, Protection, factors, protection_of
from fracas.rulesets.imperium.attacks.reins import CHANCE as REINS
from fracas.rulesets.imperium.attacks.reins import TARGETS as OF_RIDERS
from fracas.rulesets.imperium.attacks.reins import LettingGo, reins_tally
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
    Halving,
    chance_of,
    halved_again,
    halvings_of,
    location_bands,
    percentile,
)
from fracas.rulesets.imperium.harms.body import Body, body_of, test_name, test_targets, with_chance
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


def true_or_false(name: str) -> Callable[[Mapping[str, Fact]], float]:
    """The measure of a fact that is true or false: its chance."""
    return lambda facts: float(bool(facts.get(name)))


class _Aimed(NamedTuple):
    """A person who is shot at, or in reach of what bursts.

    Attributes:
        chance: None for somebody who is in reach only.
        shots: at this person.
    """

    who: str
    facts: Mapping[str, Any]
    chance: Tally | None
    halvings: tuple[Halving, ...]
    shots: int
    protection: Protection
    body: Shared[Body] | None
    test: Tally | None


class ShootingProcedure:
    """Shots at somebody, or a throw. Measures count people; of one alone they are chances."""

    id = "shooting"
    label = "Shot or throw"
    doc = "Roll to hit of each shot, location, damage, armor and injuries; in any firing mode, or thrown."
    vocabulary = SHOOTING
    decisions = ()
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("hit", "Expected number of people hit", true_or_false("hit")),
        Measure("critical", "Expected number of people hit critically", true_or_false("critical")),
        Measure(
            "hits", "Expected number of hits", lambda facts: float(facts.get("hits", facts.get("hit")) or 0)
        ),
        *MEASURES,
    )

    def prepare(self, asked: Asked) -> Prepared:
        """The numbers and the first roll to hit, or why there is no shot."""
        faults = Faults()
        facts = shot_facts(asked, faults)
        others = others_of(facts)
        bursts = "weapon.blast" in facts
        if others and not bursts and not splits(asked, facts):
            message = "only full automatic fire and what bursts concern several people"
            faults.wrong(others[0], "too-many-targets", message)
        aims = [TARGET] if bursts else [TARGET, *others]
        shots = facts.get("fire.shots", 1)
        if len(aims) > shots:
            faults.wrong(
                "fire.shots", "too-few-shots", f"{shots} shots cannot be split over {len(aims)} targets"
            )
        skill = faults.number(facts, "attacker.ballistic_skill", "the Ballistic Skill")
        dice = faults.dice(facts, "weapon.damage", "the damage of the weapon")
        shares = split(shots, aims)
        seen = {who: facts if who == TARGET else as_target(asked, facts, who, faults) for who in aims}
        refusals = tuple(dict.fromkeys(one for mine in seen.values() for one in asked.rules.refusals(mine)))
        people = [_aim(asked, seen[who], who, skill, shares[who], faults) for who in aims]
        people += [_beside(asked, facts, who, faults) for who in others if bursts]
        reins = reins_tally(asked, facts, faults)
        faults.check(refused=bool(refusals))
        shown = _shown(facts, people[0])
        if refusals:
            return Prepared(None, (), refusals, shown)
        bonus = asked.rules.tally(DAMAGE, TARGETS[DAMAGE], _dice_base(facts, dice), facts, asked.hand)
        return _Made(asked, facts, dice, people, bonus, reins).prepared(shown)


def _dice_base(facts: Mapping[str, Any], dice: Dice) -> list[Entry]:
    return [Entry("weapon", facts.get("weapon.name", "Weapon"), dice.plus)] if dice.plus else []


def _shown(facts: Mapping[str, Any], first: _Aimed) -> dict[str, Fact]:
    """Derived facts worth telling."""
    shown: dict[str, Fact] = {
        name: facts[name] for name in ("range.band", "fire.mode", "fire.shots") if name in facts
    }
    if first.halvings:
        shown["halved"] = ", ".join(one.id for one in first.halvings)
    return shown


def _aim(asked: Asked, facts: Mapping[str, Any], who: str, skill: int, shots: int, faults: Faults) -> _Aimed:
    """Somebody who is shot at."""
    halvings = halvings_of(asked.catalog, halving_reasons(asked, facts))
    base = [Entry("ballistic-skill", "Ballistic Skill", skill)]
    to, named = (CHANCE, asked) if who == TARGET else (_named(who), _renamed(asked, who))
    chance = chance_of(named, facts, to, TARGETS[to], base, halvings)
    victim = _beside(asked, facts, TARGET, faults, who)
    return victim._replace(chance=chance, halvings=halvings, shots=shots)


def _renamed(asked: Asked, who: str) -> Asked:
    """The attempt with the modifiers of a chance as those of the chance against a further target."""
    known = asked.rules.by_target
    rules = asked.rules._replace(by_target={**known, _named(who): known.get(CHANCE, ())})
    return asked._replace(rules=rules)


def _beside(asked: Asked, facts: Mapping[str, Any], record: str, faults: Faults, who: str = "") -> _Aimed:
    """What somebody has against damage; `record` is where the facts tell it, `who` the person's own."""
    who = who or record
    protection = protection_of(facts, record, faults, who)
    if facts.get(f"{record}.object"):
        return _Aimed(who, facts, None, (), 0, protection, None, None)
    own = {
        f"{who}.{path.removeprefix(f'{record}.')}": fact
        for path, fact in facts.items()
        if path.startswith(f"{record}.")
    }
    body, test = body_of(asked, {**facts, **own}, who)
    return _Aimed(who, facts, None, (), 0, protection, body, test)


class _Made:
    """A shot or a throw with all its numbers."""

    def __init__(
        self,
        asked: Asked,
        facts: Mapping[str, Any],
        dice: Dice,
        people: list[_Aimed],
        bonus: Tally,
        reins: Tally | None,
    ) -> None:
        self._asked = asked
        self._facts = facts
        self._dice = dice
        self._people = people
        self._bonus = bonus
        self._reins = reins
        self._bands = location_bands(asked.catalog)
        self._critical = factors(asked.catalog, CRITICAL)

    def prepared(self, shown: Mapping[str, Fact]) -> Prepared:
        tallies = [
            *(one.chance for one in self._people if one.chance is not None),
            self._bonus,
            *(one.test for one in self._people if one.test is not None),
        ]
        if self._reins is not None:
            tallies.append(self._reins)
        return Prepared(self._begin(), tuple(tallies), (), shown, self._begin)

    def _begin(self, changed: Tally | None = None) -> Stage:
        """The first stage, with another tally in place of the one of its name."""
        bonus = changed.total if changed is not None and changed.to == DAMAGE else self._bonus.total
        people = [self._changed(one, changed) for one in self._people]
        first = self._burst(people, bonus) if "weapon.blast" in self._facts else self._fire(people, bonus)
        if self._reins is None:
            return first
        reins = changed if changed is not None and changed.to == REINS else self._reins
        return LettingGo(percentile(self._asked.options, reins.total), first)

    def _changed(self, one: _Aimed, changed: Tally | None) -> _Aimed:
        if changed is None:
            return one
        if one.chance is not None and changed.to == one.chance.to:
            return one._replace(chance=halved_again(changed, one.halvings, self._asked.options["rounding"]))
        if one.body is not None and changed.to == test_name(one.who):
            return one._replace(body=with_chance(one.body, changed.total))
        return one

    def _victim(self, one: _Aimed) -> Victim:
        inert = bool(one.facts.get(f"{TARGET if one.chance else one.who}.object"))
        at, mount = aimed_at(self._asked, one.facts)
        return Victim(one.who, one.protection, one.body, inert, at, mount)

    def _firing(self, one: _Aimed, bonus: int, *, first: bool) -> Stage:
        assert one.chance is not None
        firing = Firing(
            self._victim(one),
            percentile(self._asked.options, one.chance.total),
            self._bands,
            one.shots,
            self._dice.dice,
            bonus,
            self._critical,
            report_of(self._facts),
            rounds_of(self._facts) if first else NO_ROUNDS,
        )
        return firing.begin(share(firing))

    def _fire(self, people: list[_Aimed], bonus: int) -> Stage:
        stages = [(one.who, self._firing(one, bonus, first=one.who == TARGET)) for one in people]
        return stages[0][1] if len(stages) == 1 else Fork(tuple(stages))

    def _burst(self, people: list[_Aimed], bonus: int) -> Stage:
        hit, *near = people
        if not near:
            return self._firing(hit, bonus, first=True)
        assert hit.chance is not None
        reach = self._facts["weapon.blast"]
        others = tuple(
            Bystander(self._victim(one), self._facts.get(f"{one.who}.from_target", 0) <= reach)
            for one in near
        )
        blast = Blast(
            percentile(self._asked.options, hit.chance.total),
            self._bands,
            self._dice.dice,
            bonus,
            self._critical,
            rounds_of(self._facts),
            self._victim(hit),
            others,
        )
        return Throw(share(blast))
