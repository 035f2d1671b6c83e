"""Whirlwind Assault: Shock to every foe in melee range (rulebook sections 5.4 and 10.2)."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.forms import Outcome
from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.areas.area_stages import SHOCKED
from fracas.rulesets.cwn.areas.area_victims import (
    SAVE_TARGETS,
    FaultsOf,
    VictimReckoner,
    as_target,
    derive_unrolled,
    people_of,
    victim_targets,
)
from fracas.rulesets.cwn.areas.area_vocabulary import AREA
from fracas.rulesets.cwn.areas.blast import area_measures
from fracas.rulesets.cwn.attacks.facts import require_ac, require_body
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.outcome import Rounds, costs_of
from fracas.rulesets.cwn.attacks.planning import body_of
from fracas.rulesets.cwn.harms.harm import DEAD, DEFEATED, MORTALLY_WOUNDED, Hurt
from fracas.rulesets.cwn.harms.major_injury import after_harm, risk_of

_OF_EACH = ("target.ac", "shock.damage", "shock.ac", "shock.immunity")

TARGETS = {**{to: OF_AN_ATTACK[to] for to in _OF_EACH}, **victim_targets(*_OF_EACH), **SAVE_TARGETS}
KILLED = "has-killed"
"""The condition of whoever may attack again after the first kill of a round: the focus at level 2."""
FELLED = (DEAD, MORTALLY_WOUNDED, DEFEATED)


class Shocked(Outcome, kind="cwn.shocked"):
    """What the Shock did to somebody.

    Attributes:
        who: the record.
        shock: points of Shock.
        shield: something that stops one Shock a round has stopped it.
    """

    who: str
    shock: int
    shield: bool
    hurt: Hurt

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "result": SHOCKED if self.shock else "unharmed",
            "shock_damage": self.shock,
        }
        return facts | self.hurt.facts()

    def effects(self) -> tuple[Effect, ...]:
        spent = ("shock-shield",) if self.shield else ()
        kills = (Effect("add-condition", "attacker", KILLED),) if self.hurt.down in FELLED else ()
        return (*costs_of(Rounds(0, None), spent, self.who), *self.hurt.effects(self.who), *kills)


class Whirlwind:
    """Shock to every foe in melee range, without an attack roll."""

    id = "whirlwind"
    label = "Whirlwind Assault"
    doc = "Every foe in melee range suffers the weapon's Shock; nothing is rolled."
    vocabulary = AREA
    decisions = ()
    targets: Mapping[str, str] = TARGETS
    measures: tuple[Measure, ...] = area_measures()

    def prepare(self, asked: Asked) -> Prepared:
        faults = Faults()
        facts = derive_unrolled(asked, faults)
        refusals = asked.rules.refusals(facts)
        for name in ("shock", "shock_ac"):
            if f"weapon.{name}" not in facts and not refusals:
                faults.need(f"weapon.{name}", "the Shock of the weapon, and the highest AC that it harms")
        people = people_of(facts)
        if not people:
            faults.need("target", "a foe in melee range")
        seen = {who: as_target(facts, who) for who in people}
        for who in people:
            victim_faults = FaultsOf(faults, who)
            require_ac(seen[who], victim_faults)
            require_body(seen[who], victim_faults)
        faults.check(refused=bool(refusals))
        if refusals:
            return Prepared(None, (), refusals)
        tallies: list[Tally] = []
        branches: list[tuple[str, Stage]] = []
        for who in people:
            guard, numbers = VictimReckoner(asked, seen[who], who).shock()
            body = body_of(asked, seen[who])
            hurt = Hurt.by(body, guard.shock, guard.shock if body.soaks_shock else 0)
            risk, save = risk_of(asked, facts, who, who)
            end = Shocked(who, guard.shock, guard.shield, hurt)
            branches.append((who, after_harm(end, who, risk)))
            tallies += numbers
            if save is not None and branches[-1][1].awaits is not None:
                tallies.append(save)
        return Prepared(Fork(tuple(branches)), tuple(tallies))
