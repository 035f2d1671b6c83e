"""The ranged attack of Shadowrun 5: rulebook sections 8.4, 9.1, 9.2, 9.4, 9.5, 10 and 11.

An opposed test in which the Accuracy limits the attack, then the damage against the armor, and its resistance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.ruleset import Asked, Prepared
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.sr5.harms.damage import MEASURES
from fracas.rulesets.sr5.harms.numbers import Numbers
from fracas.rulesets.sr5.ranged.shot import shot_of
from fracas.rulesets.sr5.ranged.shot_facts import derive
from fracas.rulesets.sr5.ranged.shot_numbers import TARGETS
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.vocabulary import RANGED_ATTACK


class RangedAttack:
    """One attack with a firearm, bow, crossbow or thrown weapon against one target."""

    id = "ranged-attack"
    label = "Ranged attack"
    doc = "Opposed test with a limit, Damage Value against armor, damage resistance; one target."
    vocabulary = RANGED_ATTACK
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = derive(asked)
        shot = shot_of(asked, facts, Numbers(asked, TARGETS, facts))
        if shot.refusals:
            return Prepared(None, shot.tallies, shot.refusals, shown(facts))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == "recoil.compensation":
                return None
            return shot_of(asked, facts, Numbers(asked, TARGETS, facts, instead=changed)).begin()

        return Prepared(shot.begin(), shot.tallies, (), shown(facts), rebuild)


_SHOWN = (
    "range.band",
    "environment.modifier",
    "fire.rounds",
    "fire.rounds_missing",
    "recoil.own",
    "attacker.wound_modifier",
    "target.wound_modifier",
    "attacker.encumbrance",
    "target.encumbrance",
)


def shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    """What was derived, for the explanation."""
    return {name: facts[name] for name in _SHOWN if name in facts}
