"""An attack made ready, whatever it is made with: its numbers, the opposed test, and what follows (section 8.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel.ruleset import Prepared
from fracas.kernel.stage import Fork, Stage, share
from fracas.kernel.tally import Refusal, Tally
from fracas.rulesets.sr5.harms.damage import Compare, Plan
from fracas.rulesets.sr5.harms.numbers import shown
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Side


class Attack(NamedTuple):
    """An attack on one target.

    Attributes:
        tallies: its numbers under their plain names.
        refusals: why it is impossible.
        attack: the attacker's side.
        defense: the defender's side; None where it makes no defense.
        plan: what follows the opposed test.
    """

    tallies: tuple[Tally, ...]
    refusals: tuple[Refusal, ...]
    attack: Side
    defense: Side | None
    plan: Plan

    def begin(self) -> Stage:
        return dice_test.start(self.attack, self.defense, Compare(share(self.plan)))

    def against(self, record: str) -> Attack:
        """The same with another record in place of the target."""
        defense = self.defense and self.defense._replace(by=record)
        plan = self.plan._replace(who=record, resist=self.plan.resist._replace(by=record))
        return self._replace(defense=defense, plan=plan)

    def without_edge(self) -> Attack:
        """Where the attacker has no point of Edge left."""
        return self._replace(attack=self.attack.without_points())


def one_after_another(facts: Mapping[str, Any], attacks: Sequence[tuple[str, Attack]]) -> Prepared:
    """Attacks of one action on several, by the record of each.

    Any that is impossible makes the action impossible. Edge is offered on no more of them than there are points.
    """
    tallies = tuple(tally for record, attack in attacks for tally in shown(record, attack.tallies))
    refusals = tuple(dict.fromkeys(refusal for _, attack in attacks for refusal in attack.refusals))
    if refusals:
        return Prepared(None, tallies, refusals)
    points = facts.get("attacker.edge_points", 0)
    branches = (
        (record, (attack if at < points else attack.without_edge()).against(record).begin())
        for at, (record, attack) in enumerate(attacks)
    )
    return Prepared(Fork(tuple(branches)), tallies)
