"""Dodging a blow, and striking back (rulebook section 21): what the one who is attacked may do about it.

A dodge is offered when a blow has hit, and costs an action of the coming round. A blow that was parried or dodged by
far may be answered with one of their own, which costs nothing and cannot be answered again. The figures stand in the
packs' table ``defense``.
"""

from __future__ import annotations

from typing import Any

from fracas.kernel.composing import ThenAlso, with_roles
from fracas.kernel.forms import Continuation, Part, Waiting
from fracas.kernel.percentiles import Testing, matched
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Decision, Option, Shared, Stage, share
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.attacks import attack
from fracas.rulesets.imperium.attacks.attack import ATTACKER, NO_ROUNDS, TARGET
from fracas.rulesets.imperium.attacks.blows import Assault, Attack, Fought, Struck
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Percentile, dice_of
from fracas.rulesets.imperium.harms.bodies import actions_a_round
from fracas.rulesets.imperium.harms.damage import CRITICAL, factors
from fracas.rulesets.imperium.harms.machines import HULL

DEFENSE = "defense"
DODGE, COUNTER = "dodge.chance", "counter.chance"
COUNTER_DAMAGE = "counter.damage"
DODGING, COUNTERING = "dodge", "counter-attack"
STAND, EVADE, STRIKE, HOLD = "stand", "dodge", "strike", "hold"
DODGE_OPTIONS = Option(STAND, "Stand the blow"), Option(EVADE, "Dodge, for an action of the coming round")
COUNTER_OPTIONS = Option(STRIKE, "Strike back"), Option(HOLD, "Do not strike back")
_SWAPPED = ((ATTACKER, TARGET), (TARGET, ATTACKER))


def numbers(it: Attempt) -> None:
    """Make the numbers of the dodge and of the blow in return, where there are such."""
    facts = it.facts
    if _may_dodge(it):
        percentile.number_of_test(it, DODGE, TARGET, "initiative")
    strikes = dice_of(facts.get("parry.damage", "")) is not None and not facts.get("attack.shot")
    known = (f"{TARGET}.weapon_skill", "parry.ws_modifier", f"{ATTACKER}.armor", f"{ATTACKER}.toughness")
    if not strikes or not all(path in facts for path in known) or not _able(it):
        return
    base = [Entry("weapon-skill", "Weapon Skill", facts[f"{TARGET}.weapon_skill"])]
    lines = (
        ("weapon", "Weapon", "parry.ws_modifier"),
        ("parry-penalty", "Parry Penalty", "weapon.parry_penalty"),
    )
    base += [Entry(id, label, facts[path], origin="rule") for id, label, path in lines if facts.get(path)]
    percentile.keep_chance(it, COUNTER, *base)
    plus = dice_of(facts["parry.damage"])
    it.tally(COUNTER_DAMAGE, *((Entry("weapon", "Weapon", plus.plus),) if plus and plus.plus else ()))
    attack.victim_of(it, ATTACKER)


def _able(it: Attempt) -> bool:
    facts = it.facts
    if f"{TARGET}.{HULL}" in facts:
        return False
    stunned = facts.get(f"{TARGET}.stunned", facts.get(f"{TARGET}.stunned_actions", 0) > 0)
    return bool(facts.get(f"{TARGET}.aware") and facts.get(f"{TARGET}.conscious", True) and not stunned)


def _may_dodge(it: Attempt) -> bool:
    facts, row = it.facts, row_of(it.lookup, DEFENSE, "dodge")
    if not it.options["dodging"] or DODGING not in it.request.open or f"{TARGET}.initiative" not in facts:
        return False
    most = min(row["most_owed"], actions_a_round(it.request))
    free = not facts.get(f"{TARGET}.mounted") and not facts.get(f"{TARGET}.prone")
    owes = facts.get(f"{TARGET}.owed_actions", 0)
    return (
        _able(it) and free and not facts.get("parry.excess") and owes < most and not facts.get("attack.shot")
    )


def reactions(it: Attempt, assault: Assault) -> Assault:
    """The attack with what its target may do about it."""
    row, dodge, counter = row_of(it.lookup, DEFENSE, "counter-attack"), None, None
    if DODGE in it.made:
        owed = row_of(it.lookup, DEFENSE, "dodge")["actions"]
        dodge = Dodge(percentile.of_number(it, DODGE), owed)
    if COUNTER in it.made:
        struck = attack.numbered(it, attack.victim_of(it, ATTACKER))._replace(who=TARGET)
        dice, test = dice_of(it.facts["parry.damage"]), percentile.of_number(it, COUNTER)
        assert dice is not None
        back = Assault(
            struck,
            test,
            test,
            assault.bands,
            dice.dice,
            it.total(COUNTER_DAMAGE),
            factors(it.lookup, CRITICAL),
            None,
            None,
            NO_ROUNDS,
        )
        counter = Counter(share(back), row["margin"], COUNTERING in it.request.open)
    return assault._replace(dodge=dodge, counter=counter)


class Dodge(Part, kind="imperium.dodge"):
    """A dodge that is possible; `owed`: actions that it costs."""

    test: Percentile
    owed: int

    def offered(self, struck: Struck) -> Stage:
        """The decision of the one whom a blow has hit."""
        return Evading(struck)


class Counter(Part, kind="imperium.counter"):
    """A blow in return that is possible.

    Attributes:
        margin: by so much the attack must be parried or dodged.
        asks: whether to strike is asked.
    """

    assault: Shared[Assault]
    margin: int
    asks: bool

    def after(self, fought: Fought, margin: int) -> Stage:
        """What follows an attack that was parried or dodged by some margin."""
        if margin < self.margin or fought.broken == TARGET:
            return fought
        return Answering(fought, self) if self.asks else self.strikes(fought)

    def strikes(self, fought: Fought) -> Stage:
        return ThenAlso(fought, with_roles(Attack(self.assault), _SWAPPED), "counter_")


class Answering(Waiting, kind="imperium.answering"):
    """The target decides whether to strike back."""

    fought: Fought
    counter: Counter
    awaits = Decision(COUNTERING, TARGET, COUNTER_OPTIONS, STRIKE)

    def advance(self, answer: Any) -> Stage:
        return self.counter.strikes(self.fought) if answer == STRIKE else self.fought


class Evading(Waiting, kind="imperium.evading"):
    """The target decides whether to dodge a blow that has hit."""

    struck: Struck
    awaits = Decision(DODGING, TARGET, DODGE_OPTIONS, STAND)

    def advance(self, answer: Any) -> Stage:
        if answer != EVADE:
            return self.struck.warded()
        dodge = self.struck.assault.value.dodge
        return DodgeTest("dodge", TARGET, dodge.test, Dodged(self.struck))


class DodgeTest(Testing, kind="imperium.dodge-test"):
    """Waits for the test."""


class Dodged(Continuation, kind="imperium.dodged"):
    """What comes of it: no hit; or the hit, which a matched failure makes critical."""

    struck: Struck

    def on_result(self, test: Percentile, face: int) -> Stage:
        plan = self.struck.assault.value
        if not test.passes(face):
            critical = self.struck.critical or matched(face)
            return self.struck._replace(critical=critical, owed=plan.dodge.owed).warded()
        end = self.struck.end()._replace(result="dodged", owed=plan.dodge.owed, critical=False)
        return plan.counter.after(end, test.margin(face)) if plan.counter else end
