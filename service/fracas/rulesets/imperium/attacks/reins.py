"""A rider with both hands off the reins, who must not fall: rulebook section 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Awaited, Effect, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.imperium.checks.faults import Faults
from fracas.rulesets.imperium.checks.passing import pass_or_fail
from fracas.rulesets.imperium.checks.percentile import Percentile, chance_of
from fracas.rulesets.imperium.checks.tables import row_of
from fracas.rulesets.imperium.harms.body import PRONE

CHANCE = "reins.chance"
TARGETS = {CHANCE: "Chance to stay mounted with both hands off the reins"}
MOUNTED = "mounted"


def reins_tally(asked: Asked, facts: Mapping[str, Any], faults: Faults) -> Tally | None:
    """The Initiative Test of a rider who lets go of the reins; None where there is none."""
    both_arms = facts.get("action.arm") == "both"
    if not facts.get("attacker.mounted") or not facts.get("attacker.hands_off", both_arms):
        return None
    if not row_of(asked.catalog, "mounted", "no-hands-tests-initiative")["value"]:
        return None
    initiative = faults.number(
        facts, "attacker.initiative", "the Initiative of a rider who lets go of the reins"
    )
    base = [Entry("initiative", "Initiative", initiative)]
    return chance_of(asked, facts, CHANCE, TARGETS[CHANCE], base)


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
