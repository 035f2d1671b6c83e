"""The ECM Emitter of a vehicle: a hit by a guided weapon is contested, then rolled again, and the worse counts (13.2).

The rulebook names neither the checks nor the weapons that are guided. Readings: a request says that a weapon is guided;
whoever runs the emitter throws Intelligence and Program, the attacker what the attack uses; as the attack has hit, it
hits in the end only if the second roll hits as well. Luck that made the hit does not spare it the contest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.attacks.checks import combat_check
from fracas.rulesets.cwn.attacks.rolling import Attack, Guard, Plan
from fracas.rulesets.cwn.checks.skill_numbers import CHECK_DICE, is_won

EMITTER = "ecm-emitter"
JAMMING, GUIDING = "ecm.jamming", "ecm.guiding"
TARGETS = {
    JAMMING: "Check of the operator of the ECM Emitter",
    GUIDING: "Check to keep a guided weapon on its target",
}


def checks(asked: Asked, facts: Mapping[str, Any]) -> tuple[Tally, Tally] | None:
    """The checks of the target and of the attacker; None where nothing is jammed.

    Raises:
        InputError: the attacker's check lacks something.
    """
    jammed = facts.get("weapon.guided") and EMITTER in facts.get("target.vehicle_fittings", ())
    if not jammed or "target.ecm" not in facts:
        return None
    base = [Entry("operator", "Intelligence and Program", facts["target.ecm"])]
    return (
        asked.rules.tally(JAMMING, TARGETS[JAMMING], base, facts, asked.hand),
        combat_check(
            asked, facts, GUIDING, TARGETS[GUIDING], skills=("shoot",), attributes=("dexterity", "strength")
        ),
    )


def jammed(plan: Plan, found: tuple[Tally, Tally] | None, facts: Mapping[str, Any]) -> Plan:
    """The plan of an attack whose hits are contested, where there are such checks."""
    if found is None:
        return plan
    ties = is_won(0, 0, facts.get("target.player"), facts.get("attacker.player"))
    jamming, guiding = found
    return plan._replace(after=Jammer(plan, jamming.total, guiding.total, ties))


class Jammer(Part, kind="cwn.jammer"):
    """What follows an attack with a guided weapon on a vehicle with an ECM Emitter.

    Attributes:
        plan: of the attack, when it is rolled again.
        jamming, guiding: what both sides add to the dice.
        ties: a tie jams the weapon.
    """

    plan: Plan
    jamming: int
    guiding: int
    ties: bool

    @property
    def victim(self) -> str:
        victim: str = self.plan.after.victim
        return victim

    def followed(self, guard: Guard, spent: tuple[str, ...], hit: bool) -> Stage:
        return Jamming(self, guard, spent) if hit else self.plan.followed(guard, spent, False)


class Jamming(Waiting, kind="cwn.jamming"):
    """Waits for the check of whoever runs the emitter; the rest is what the attack has come to."""

    jammer: Jammer
    guard: Guard
    spent: tuple[str, ...]

    @property
    def awaits(self) -> Awaited:
        return Roll(("jamming",), (self.jammer.victim,), Total(CHECK_DICE, self.jammer.jamming))

    def advance(self, answer: Any) -> Stage:
        return Guiding(self, answer)


class Guiding(Waiting, kind="cwn.guiding"):
    """Waits for the attacker's check against this total."""

    jamming: Jamming
    total: int

    @property
    def awaits(self) -> Awaited:
        jammer = self.jamming.jammer
        least = self.total + (1 if jammer.ties else 0)
        return Roll(("guiding",), ("attacker",), Total(CHECK_DICE, jammer.guiding, least))

    def advance(self, answer: Any) -> Stage:
        plan, guard, spent = self.jamming.jammer.plan, self.jamming.guard, self.jamming.spent
        return plan.followed(guard, spent, True) if answer else Attack(plan, guard, spent)

    def notes(self) -> Facts:
        return {"jamming_total": self.total}
