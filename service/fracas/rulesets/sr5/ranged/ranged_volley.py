"""Several targets of one ranged action: Multiple attacks, and Carnival of Carnage. Rulebook sections 6.2 and 6.3.

The rounds of all of them count as recoil for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, Prepared
from fracas.rulesets.sr5.attack import Attack, one_after_another
from fracas.rulesets.sr5.harms.damage import MEASURES
from fracas.rulesets.sr5.harms.numbers import Numbers, labels_of
from fracas.rulesets.sr5.ranged.shot import shot_of
from fracas.rulesets.sr5.ranged.shot_facts import ready
from fracas.rulesets.sr5.ranged.shot_numbers import TARGETS, pool_base
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.several import CARNIVAL, SEVERAL, against, shares, targets_of, vocabulary_of_several
from fracas.rulesets.sr5.vocabulary import RANGED_ATTACK

_OF_EACH = {
    "split_dice": "attacker.split_dice",
    "distance": "distance",
    "called_shot": "attacker.called_shot",
}
RANGED_VOLLEY = vocabulary_of_several(RANGED_ATTACK, _OF_EACH)
LABELS = labels_of(SEVERAL, TARGETS)
OF_ATTACKERS = ("attack.pool", "limit.accuracy", "recoil.compensation", "damage.value")
"""The attacker's numbers; the others are the target's."""


class RangedVolley:
    """One ranged action against several targets, each attacked once."""

    id = "ranged-volley"
    label = "Ranged attack on several"
    doc = "Multiple attacks with a split pool, or Carnival of Carnage with all of it; each target defends and resists."
    vocabulary = RANGED_VOLLEY
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = LABELS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        said = asked.said.facts
        records = targets_of(said)
        split = len(records) > 1 and said.get("way") != CARNIVAL
        attacks = _in_order(asked, records)
        dice: list[int] = []
        if split:
            dice = shares(said, records, sum(entry.value or 0 for entry in pool_base(attacks[0])))
        shots: list[tuple[str, Attack]] = []
        faults = Faults()
        for at, (record, facts) in enumerate(zip(records, attacks, strict=True)):
            facts.pop("attacker.split_dice", None)
            if split:
                facts["attacker.split_dice"] = dice[at]
            with faults.collect({"target": record}):
                shots.append((record, shot_of(asked, facts, Numbers(asked, LABELS, facts, record))))
        faults.check()
        return one_after_another(said, shots)


def _in_order(asked: Asked, records: list[str]) -> list[dict[str, Any]]:
    """The facts of each attack: the rounds that the earlier ones leave, and the recoil of all together."""
    attacks = []
    fired = recoil = 0
    faults = Faults()
    for record in records:
        facts = against(asked.said.facts, record, _OF_EACH)
        if "weapon.rounds" in facts:
            facts["weapon.rounds"] = max(0, facts["weapon.rounds"] - fired)
        with faults.collect({"target": record}):
            ready(facts, asked)
            fired += facts["fire.rounds"]
            recoil += facts["recoil.own"]
            attacks.append(facts)
    faults.check()
    for facts in attacks:
        facts["recoil.progressive"] += recoil - facts["recoil.own"]
        before = facts.get("attacker.rounds_in_phase", 0)
        facts["recoil.phase"] = max(recoil + before, facts["recoil.phase"])
    return attacks
