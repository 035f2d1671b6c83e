"""Several targets of one melee action: Multiple attacks, and Carnival of Carnage. Rulebook sections 6.2 and 6.3."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, Prepared
from fracas.rulesets.sr5.attack import Attack, one_after_another
from fracas.rulesets.sr5.harms.damage import MEASURES
from fracas.rulesets.sr5.harms.numbers import Numbers, labels_of
from fracas.rulesets.sr5.melee.melee_blow import TARGETS, blow_of, whole_pool
from fracas.rulesets.sr5.melee.melee_facts import armed, derive
from fracas.rulesets.sr5.melee.melee_sweep_vocabulary import MELEE_SWEEP, OF_EACH_TARGET
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.several import CARNIVAL, SEVERAL, against, shares, targets_of

_LABELS = labels_of(SEVERAL, TARGETS)


class MeleeSweep:
    """One melee action against several targets, each attacked once."""

    id = "melee-sweep"
    label = "Melee attack on several"
    doc = "Multiple attacks with a split pool, or Carnival of Carnage with all of it; each target defends and resists."
    vocabulary = MELEE_SWEEP
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = _LABELS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        said = armed(asked, asked.said.facts)
        records = targets_of(said)
        parts = None
        if said.get("way") != CARNIVAL:
            parts = shares(said, records, sum(entry.value or 0 for entry in whole_pool(said)))
        blows: list[tuple[str, Attack]] = []
        faults = Faults()
        for at, record in enumerate(records):
            facts = against(said, record, OF_EACH_TARGET)
            facts.pop("attacker.split_dice", None)
            if parts is not None and len(records) > 1:
                facts["attacker.split_dice"] = parts[at]
            with faults.collect({"target": record}):
                derive(facts, asked.catalog)
                blows.append((record, blow_of(asked, facts, Numbers(asked, _LABELS, facts, record))))
        faults.check()
        return one_after_another(said, blows)
