"""Dead Man's Trigger: a point of Edge for a last action, when a combatant is about to drop (rulebook section 8.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome
from fracas.kernel.ruleset import Asked, Prepared
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Refusal
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, spent_edge
from fracas.rulesets.sr5.rolls.success_test import MEASURES, TARGETS, numbers_of
from fracas.rulesets.sr5.rolls.test_vocabulary import LAST_ACTION, TESTER

NEEDED = 3
ONE_MORE = "last-action"
"""The condition of the packs: one action in spite of all that takes a combatant out."""
NO_EDGE = Refusal("no_edge", "No point of Edge is left")


class DeadMansTrigger:
    """Body + Willpower (3), for a point of Edge; no other point helps with the test."""

    id = "dead-mans-trigger"
    label = "Dead Man's Trigger"
    doc = "For a point of Edge, a test whose success leaves one last action before the character drops."
    vocabulary = LAST_ACTION
    decisions = ()
    targets: Mapping[str, str] = {"test.pool": TARGETS["test.pool"]}
    measures = MEASURES[:1]

    def prepare(self, asked: Asked) -> Prepared:
        facts: dict[str, Any] = asked.said.facts | {"attribute": "body", "second_attribute": "willpower"}
        pool = numbers_of(asked, facts).pool
        own = (NO_EDGE,) if facts.get("tester.edge_points") == 0 else ()
        if refusals := asked.rules.refusals(facts, own):
            return Prepared(None, (pool,), refusals)
        side = dice_test.side_of("test", TESTER, pool.total, facts, asked).without_points()
        return Prepared(dice_test.start(side, None, LastChance()), (pool,))


class LastChance(Receiver, kind="sr5.last-chance"):
    """Takes the test; the point that it cost is spent whatever comes of it."""

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return LastActionEnd(hits)

    def notes(self) -> Facts:
        return {"threshold": NEEDED}


class LastActionEnd(Outcome, kind="sr5.last-action-end"):
    """How it ended. On a success one action is left, for what is unspent of the phase."""

    hits: int

    @property
    def _success(self) -> bool:
        return self.hits >= NEEDED

    def notes(self) -> Facts:
        return {"success": self._success, "hits": self.hits, "net_hits": max(0, self.hits - NEEDED)}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge((TESTER, 1))
        if self._success:
            yield Effect("add-condition", TESTER, ONE_MORE)
