"""Dead Man's Trigger: a point of Edge for a last action, when a combatant is about to drop (rulebook section 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from fracas.kernel.ruleset import Asked, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Stage, stage_class
from fracas.kernel.tally import Refusal
from fracas.rulesets.sr5.rolls import dice_test
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


@stage_class
class LastChance(NamedTuple):
    """Takes the test; the point that it cost is spent whatever comes of it."""

    kind: Literal["sr5.last-chance"] = "sr5.last-chance"

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return LastActionEnd(hits)

    def forgo(self) -> None:
        """Without dice there are no hits."""

    def notes(self) -> Facts:
        return {"threshold": NEEDED}


@stage_class
class LastActionEnd(NamedTuple):
    """How it ended. On a success one action is left, for what is unspent of the phase."""

    hits: int
    kind: Literal["sr5.last-action-end"] = "sr5.last-action-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: object) -> Stage:
        raise AssertionError("an outcome does not advance")

    @property
    def _success(self) -> bool:
        return self.hits >= NEEDED

    def notes(self) -> Facts:
        return {"success": self._success, "hits": self.hits, "net_hits": max(0, self.hits - NEEDED)}

    def effects(self) -> tuple[Effect, ...]:
        paid = Effect("spend", TESTER, "edge", 1)
        return (paid, Effect("add-condition", TESTER, ONE_MORE)) if self._success else (paid,)
