"""The stages of an execution attack: rulebook section 8.3.

check (from afar) -> Physical save -> felled at once, or normal damage that is Traumatic -> Major Injury
"""

from __future__ import annotations

from typing import Any

from fracas.dice.totals import Kept, Total
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.rulesets.cwn.attacks.outcome import FELLED, AttackEnd
from fracas.rulesets.cwn.attacks.rolling import Guard
from fracas.rulesets.cwn.attacks.stages import After, struck
from fracas.rulesets.cwn.checks.saves import save_roll
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE
from fracas.rulesets.cwn.harms.harm import Hurt
from fracas.rulesets.cwn.harms.major_injury import after_harm

UNGUARDED = Guard(0, 0, False)
"""Somebody who suspects nothing: Armor Class does not count."""


class Execution(Part, kind="cwn.execution"):
    """Everything that is settled before the first roll.

    Attributes:
        bonus, difficulty: of the check.
        keeps: three dice are thrown and the lowest is dropped.
        save: target of the victim's Physical save.
        after: what a hit does; its Trauma Die is not rolled: the hit is Traumatic in any case.
    """

    bonus: int
    difficulty: int
    keeps: bool
    save: int
    after: After


class ExecutionCheck(Waiting, kind="cwn.execution-check"):
    """Waits for the check of an attack from afar."""

    plan: Execution

    @property
    def awaits(self) -> Awaited:
        plan = self.plan
        if plan.keeps:
            return Roll(("check",), ("attacker",), Kept(3, 6, 2, plan.bonus, plan.difficulty))
        return Roll(("check",), ("attacker",), Total(CHECK_DICE, plan.bonus, plan.difficulty))

    def advance(self, answer: Any) -> Stage:
        if answer:
            return ExecutionSave(self.plan)
        return self.plan.after.followed(UNGUARDED, (), False)


class ExecutionSave(Waiting, kind="cwn.execution-save"):
    """Waits for the Physical save of the victim, who is hit."""

    plan: Execution

    @property
    def awaits(self) -> Awaited:
        return save_roll("save", self.plan.after.victim, self.plan.save)

    def advance(self, answer: Any) -> Stage:
        return ExecutionDamage(self.plan.after) if answer else felled(self.plan.after)

    def notes(self) -> Facts:
        return {"hit": True}


class ExecutionDamage(Waiting, kind="cwn.execution-damage"):
    """Waits for the damage to a victim who made the save."""

    after: After

    @property
    def awaits(self) -> Awaited:
        return Roll(("damage",), ("attacker",), Total(self.after.blow.dice, self.after.blow.plus))

    def advance(self, answer: Any) -> Stage:
        return struck(self.after, 0, (), max(0, answer), self.after.trauma is not None)

    def notes(self) -> Facts:
        return {"saved": True}


def felled(after: After) -> Stage:
    """Somebody falls to 0 hit points at once, whatever Soak is left."""
    body = after.body
    loss = body.hp or 0
    hurt = Hurt(loss, 0, loss, body.hp, body.fall, after.trauma is not None)
    end = AttackEnd(True, None, None, False, 0, hurt, after.rounds, (FELLED,), after.victim)
    return after_harm(end, after.victim, after.risk.value)


def is_felled(facts: Facts) -> bool:
    """Whether the save failed, by the facts of an outcome."""
    return bool(facts.get(FELLED))
