"""The stages of an attack on an avatar: opposed checks, damage, Trauma Die, and what it meets (section 14)."""

from __future__ import annotations

from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage
from fracas.rulesets.cwn.attacks.stages import TraumaDie
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE
from fracas.rulesets.cwn.harms.harm import DEAD, NOBODY_DOWN, Body, Hurt, lasting
from fracas.rulesets.cwn.harms.major_injury import Risk, after_harm
from fracas.rulesets.cwn.machines.hack_stages import runs
from fracas.rulesets.cwn.machines.hack_vocabulary import HACKER, TARGET
from fracas.rulesets.cwn.machines.programs import access_spent

STUN, KILL, PARALYZE = "stun", "kill", "paralyze"
FRAGGED = "demon-fragged"
"""The condition of a Demon of which everything is gone."""
DIE = 10
"""Sides of the dice of damage."""


class CyberStrike(Part, kind="cwn.cyber-strike"):
    """What is settled before the first roll.

    Attributes:
        dice: of the damage.
        shielding, buffer, hp: what the damage meets, in this order; `hp` is None when the request did not say.
        fall: what becomes of the target at 0.
        helpless: the target is unconscious already, and dies of any Kill.
    """

    verb: str
    access: int
    dice: int
    shielding: int
    buffer: int
    hp: int | None
    fall: str
    helpless: bool
    trauma: TraumaDie | None
    risk: Risk


class Striking(Waiting, kind="cwn.cyber-striking"):
    """Waits for the hacker's check; against a Demon (`fixed`) `against` is the difficulty."""

    plan: Shared[CyberStrike]
    bonus: int
    against: int
    ties: bool
    fixed: bool

    @property
    def awaits(self) -> Awaited:
        target = self.against if self.fixed else None
        return Roll(("check",), (HACKER,), Total(CHECK_DICE, self.bonus, target))

    def advance(self, answer: Any) -> Stage:
        if self.fixed:
            return _settled(self.plan, answer)
        return Parrying(self.plan, answer, self.against, self.ties)


class Parrying(Waiting, kind="cwn.cyber-parrying"):
    """Waits for the check of the human hacker who is attacked."""

    plan: Shared[CyberStrike]
    total: int
    against: int
    ties: bool

    @property
    def awaits(self) -> Awaited:
        least = self.total + (1 if self.ties else 0)
        return Roll(("opposed",), (TARGET,), Total(CHECK_DICE, self.against, least))

    def advance(self, answer: Any) -> Stage:
        return _settled(self.plan, not answer)

    def notes(self) -> Facts:
        return {"check_total": self.total}


def _settled(plan: Shared[CyberStrike], won: bool) -> Stage:
    one = plan.value
    nothing = Hurt(0, 0, 0, one.hp, "" if one.hp is None else NOBODY_DOWN)
    if not won or one.verb == PARALYZE:
        return CyberEnd(plan, won, 0, 0, nothing)
    if one.verb == KILL and one.helpless:
        return CyberEnd(plan, True, 0, 0, nothing._replace(down=DEAD))
    return CyberDamage(plan)


class CyberDamage(Waiting, kind="cwn.cyber-damage"):
    """Waits for the damage."""

    plan: Shared[CyberStrike]

    @property
    def awaits(self) -> Awaited:
        return Roll(("damage",), (HACKER,), Total(((self.plan.value.dice, DIE),), 0))

    def advance(self, answer: Any) -> Stage:
        if self.plan.value.trauma is not None:
            return CyberTrauma(self.plan, answer)
        return harmed(self.plan, answer, False)


class CyberTrauma(Waiting, kind="cwn.cyber-trauma"):
    """Waits for the Trauma Die of a Kill."""

    plan: Shared[CyberStrike]
    rolled: int

    @property
    def awaits(self) -> Awaited:
        die = self.plan.value.trauma
        assert die is not None
        return Roll(("trauma",), (HACKER,), Total(die.dice, die.plus, die.target))

    def advance(self, answer: Any) -> Stage:
        return harmed(self.plan, self.rolled, answer)

    def notes(self) -> Facts:
        return {"damage_rolled": self.rolled}


def harmed(plan: Shared[CyberStrike], rolled: int, traumatic: bool) -> Stage:
    """Trauma multiplies; then Shielding, Neural Buffer and hit points."""
    one = plan.value
    damage = rolled * (one.trauma.rating if traumatic and one.trauma else 1)
    shielded = min(one.shielding, damage)
    buffered = min(one.buffer, damage - shielded)
    body = Body(0, True, 0, one.hp, one.fall)
    hurt = Hurt.by(body, damage - shielded - buffered, 0, traumatic)
    return after_harm(CyberEnd(plan, True, shielded, buffered, hurt), TARGET, one.risk)


class CyberEnd(Outcome, kind="cwn.cyber-end"):
    """How it ended; `shielded` and `buffered`: points that Shielding and Neural Buffer took; `hurt`: the body."""

    plan: Shared[CyberStrike]
    success: bool
    shielded: int
    buffered: int
    hurt: Hurt

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "success": self.success,
            "shielding_absorbed": self.shielded,
            "buffer_absorbed": self.buffered,
        }
        return {**self.hurt.facts(), "down": self.hurt.down, **facts}

    def effects(self) -> tuple[Effect, ...]:
        one = self.plan.value
        found = [*access_spent(HACKER, one.access)]
        if self.success and one.verb == PARALYZE:
            found += runs(PARALYZE, TARGET)
        if self.shielded:
            found.append(Effect("spend", TARGET, "shielding", self.shielded))
        if self.buffered:
            found.append(Effect("spend", TARGET, "neural-buffer", self.buffered))
        if self.hurt.down == FRAGGED:
            fragged = self.hurt._replace(down=NOBODY_DOWN)
            return (*found, *fragged.effects(TARGET), lasting(TARGET, FRAGGED, "hour", 1))
        return (*found, *self.hurt.effects(TARGET))
