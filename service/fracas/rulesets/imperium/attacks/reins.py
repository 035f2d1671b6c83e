"""A rider with both hands off the reins, who must not fall: rulebook section 6."""

from __future__ import annotations

from typing import Any

from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Awaited, Effect, Facts, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.rulesets.imperium.checks.passing import pass_or_fail
from fracas.rulesets.imperium.checks.percentile import Percentile, keep_chance, percentile
from fracas.rulesets.imperium.harms.body import PRONE

CHANCE = "reins.chance"
TARGETS = {CHANCE: "Chance to stay mounted with both hands off the reins"}
MOUNTED = "mounted"


def reins_number(it: Attempt) -> None:
    """Make the number of the Initiative Test of a rider who lets go of the reins, where there is one."""
    both_arms = it.facts.get("action.arm") == "both"
    if not it.facts.get("attacker.mounted") or not it.facts.get("attacker.hands_off", both_arms):
        return
    if row_of(it.catalog, "mounted", "no-hands-tests-initiative")["value"]:
        value = it.need("attacker.initiative", "the Initiative of a rider who lets go of the reins")
        keep_chance(it, CHANCE, Entry("initiative", "Initiative", value))


def in_the_saddle(it: Attempt, attack: Stage) -> Stage:
    """The attack, after the test of a rider who lets go of the reins."""
    return LettingGo(percentile(it.options, it.total(CHANCE)), attack) if CHANCE in it.made else attack


class LettingGo(Waiting, kind="imperium.letting-go"):
    """Waits for the rider's test. Who falls does not get to attack (ours)."""

    test: Percentile
    then: Any

    @property
    def awaits(self) -> Awaited:
        return pass_or_fail("reins", "attacker", self.test)

    def advance(self, answer: Any) -> Stage:
        stage: Stage = self.then if answer else Fallen()
        return stage


class Fallen(Outcome, kind="imperium.fallen"):
    """The rider lies on the ground, and the attack came to nothing."""

    def notes(self) -> Facts:
        return {"result": "fell", "hit": False}

    def changes(self) -> tuple[Effect, ...]:
        return (
            Effect("remove-condition", "attacker", MOUNTED),
            Effect("add-condition", "attacker", PRONE),
        )
