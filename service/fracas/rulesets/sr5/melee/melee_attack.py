"""The melee attack of Shadowrun 5: rulebook sections 7, 8.4, 9.3, 9.4 and 11.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.ruleset import Asked, Prepared
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.sr5.harms.damage import MEASURES
from fracas.rulesets.sr5.harms.numbers import Numbers
from fracas.rulesets.sr5.melee.melee_blow import TARGETS, blow_of
from fracas.rulesets.sr5.melee.melee_facts import armed, derive
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.vocabulary import MELEE_ATTACK


class MeleeAttack:
    """One attack with a melee weapon or bare hands against one target."""

    id = "melee-attack"
    label = "Melee attack"
    doc = "Opposed test, with an active defense or without, comparison with the armor, damage resistance; one target."
    vocabulary = MELEE_ATTACK
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = armed(asked, asked.said.facts)
        derive(facts, asked.catalog)
        blow = blow_of(asked, facts, Numbers(asked, TARGETS, facts))
        if blow.refusals:
            return Prepared(None, blow.tallies, blow.refusals, shown(facts))

        def rebuild(changed: Tally) -> Stage | None:
            return blow_of(asked, facts, Numbers(asked, TARGETS, facts, instead=changed)).begin()

        return Prepared(blow.begin(), blow.tallies, (), shown(facts), rebuild)


_SHOWN = (
    "environment.sight_modifier",
    "attacker.wound_modifier",
    "target.wound_modifier",
    "attacker.encumbrance",
    "target.encumbrance",
    "target.defense_skill",
)


def shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    """What was derived, for the explanation."""
    return {name: facts[name] for name in _SHOWN if name in facts}
