"""The melee attack of Shadowrun 4: rulebook sections 7, 8.10, 9, 10.1 to 10.3, 11.1 to 11.4, 11.6 and 11.7."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Facts, Stage
from fracas.kernel.tally import Tally
from fracas.rulesets.sr4.composing import unopposed
from fracas.rulesets.sr4.melee.melee_blow import TARGETS, Blow, Numbers, blow_of
from fracas.rulesets.sr4.melee.melee_facts import ON_HELD, derive
from fracas.rulesets.sr4.melee.melee_mishaps import BACKLASH
from fracas.rulesets.sr4.melee.melee_stages import DECISIONS
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.ranged.ranged_attack import MEASURES
from fracas.rulesets.sr4.rolls import dice_test


def _of_targets(measure: Measure) -> Measure:
    """A measure that does not count what an attack does to its own wielder."""
    return measure._replace(of=lambda facts: 0.0 if facts["result"] == BACKLASH else measure.of(facts))


def _chance(fact: str) -> Measure:
    return _of_targets(Measure(fact, _CHANCES[fact], lambda facts: float(bool(facts.get(fact)))))


def _own_boxes(facts: Mapping[str, Fact]) -> float:
    return float(facts["damage"] or 0) if facts["result"] == BACKLASH else 0.0


_CHANCES = {
    "touched": "Chance to touch",
    "held": "Chance to get hold",
    "item_dropped": "Chance to knock the item away",
    "trick": "Chance of the trick",
}
MELEE_MEASURES = (
    *map(_of_targets, MEASURES),
    _chance("touched"),
    _chance("held"),
    _chance("item_dropped")._replace(id="item"),
    _chance("trick"),
    Measure("backlash", "Expected boxes of the wielder", _own_boxes),
)


class MeleeAttack:
    """One attack with a melee weapon or bare hands against one target."""

    id = "melee-attack"
    label = "Melee attack"
    doc = "Use of Reach, choice of the defense, opposed test, then damage, a touch, a hold or a fall; one target."
    vocabulary = MELEE_ATTACK
    decisions = (*DECISIONS, *dice_test.DECISIONS)
    targets: Mapping[str, str] = TARGETS
    measures = MELEE_MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts: Facts = derive(asked, asked.said.facts)
        blow = blow_of(asked, facts, Numbers(asked))
        if blow.refusals:
            return Prepared(None, blow.tallies, blow.refusals, blow.shown)

        def begun(blow: Blow) -> Stage | None:
            stage = blow.begin()
            strikes = facts.get("target.unaware") and facts["aim"] not in ON_HELD
            return unopposed(stage) if strikes and stage is not None else stage

        def rebuild(changed: Tally) -> Stage | None:
            if blow.chooses_reach:  # both uses would change
                return None
            return begun(blow_of(asked, facts, Numbers(asked, instead=changed)))

        return Prepared(begun(blow), blow.tallies, (), blow.shown, rebuild)
