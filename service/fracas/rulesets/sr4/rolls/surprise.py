"""The Surprise Test of Shadowrun 4, and who surprises whom (rulebook section 10.4).

Everybody throws Reaction + Intuition; the hits of each are compared with those of each other. What being surprised
by somebody means, the condition ``surprised`` of the packs says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant, Table
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver
from fracas.rulesets.sr4.sheet import (
    FLOOR,
    attribute_entries,
    by_rule,
    losses_of_test,
    pool_given,
)
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields

SURPRISED = "surprised"
"""The condition of the packs."""
SURPRISE = "surprise"
"""The contest."""
POOL = "surprise.pool"
ALERTED = 3
"""Dice of somebody warned, by a Perception Test that succeeded."""
AMBUSHING = 6
"""Dice of somebody who lies in wait for just these people."""


class SurpriseTest(Procedure):
    """Roll Reaction + Intuition; against the hits of somebody else, say whether these surprise."""

    id = "surprise-test"
    label = "Surprise Test"
    doc = "Reaction + Intuition, alerted or in ambush; its hits are compared with those of everybody else."
    vocabulary = vocabulary(
        person("tester", "Tester", ""),
        combatant_fields("tester"),
        fields(
            "tester",
            pool=whole("Pool", "In place of Reaction + Intuition, before modifiers.", most=60),
        ),
        burning_edge("tester"),
        fields(
            "tester",
            alerted=flag(
                "Alerted", "Warned beforehand; in a fight the condition of that name gives these dice."
            ),
            ambushing=flag(
                "Prepared ambush", "Lies in wait: more dice, and is surprised by none of those it waits for."
            ),
        ),
        fields(
            "",
            against=whole("Hits of the other", "Of the Surprise Test of the one who may surprise.", most=200),
        ),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Surprise pool"}
    measures = (mean("hits", "Expected hits"), chance("surprised", "Chance of being surprised by the other"))

    def numbers(self, it: Attempt) -> None:
        wounds, lost = losses_of_test(it)
        ambushing = it.facts.get("tester.ambushing")
        with it.faults.collect():
            it.tally(
                POOL,
                *(
                    pool_given(it.facts, "tester.pool")
                    or attribute_entries(it.facts, "tester", ("reaction", "intuition"), "tester.pool")
                ),
                *by_rule("ambushing", "Prepared ambush", AMBUSHING if ambushing else 0),
                *by_rule(
                    "alerted", "Alerted", ALERTED if it.facts.get("tester.alerted") and not ambushing else 0
                ),
                *by_rule("wounds", "Wounds", wounds),
                *by_rule("encumbrance", "Armor encumbrance", lost),
                least=0,
                floor=FLOOR,
            )

    def first(self, it: Attempt) -> Stage:
        tie, ambushing = it.options.get("surprise_tie", "seed"), bool(it.facts.get("tester.ambushing"))
        return dice_test.plain(it, "surprise", POOL, Compared(it.facts.get("against"), ambushing, tie))


class Compared(Receiver, kind="sr4.surprise-compared"):
    """Takes the hits.

    Attributes:
        against: hits of somebody else's Surprise Test; None: nobody to compare with.
        ambushing: lies in wait for that somebody.
        tie: the house rule.
    """

    against: int | None
    ambushing: bool
    tie: str

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        surprised = None
        if self.against is not None:
            surprised = not self.ambushing and is_surprised(net, self.against, self.tie)
        return SurpriseEnd(net, surprised, edge_spent[0], self.ambushing)

    def short(self, net: int, scoreless: bool) -> int | None:
        if self.against is None:
            return None
        return 0 if self.ambushing else self.against + (self.tie == "seed") - net

    def critical(self) -> int:
        return (self.against or 0) + CRITICAL_SUCCESS


class SurpriseEnd(Outcome, kind="sr4.surprise-end"):
    """How a Surprise Test ended; `surprised` is None where there was nobody to compare with."""

    hits: int
    surprised: bool | None
    edge_spent: int
    ambushing: bool = False

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"hits": self.hits}
        if self.surprised is not None:
            facts["surprised"] = self.surprised
        if self.ambushing:
            facts["ambushing"] = True
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent)
        if self.surprised:
            yield Effect("add-condition", "tester", SURPRISED)


# Comparing the tests of all.


class SurpriseHits(NamedTuple):
    """Somebody's Surprise Test.

    Attributes:
        side: friends do not surprise each other; "" for somebody with no friends.
        awaits: ids of those that this one lies in wait for.
    """

    hits: int
    side: str = ""
    awaits: frozenset[str] = frozenset()


def is_surprised(hits: int, theirs: int, tie: str) -> bool:
    """Whether these hits are too few. On a tie: yes by ``seed``, no by ``sr4a`` (house rule ``surprise_tie``)."""
    return theirs > hits or (theirs == hits and tie == "seed")


def surprised_by(tests: Mapping[str, SurpriseHits], tie: str) -> dict[str, tuple[str, ...]]:
    """For each who tested, in order, those by whom it is surprised: in the first pass it may neither act against them
    nor react to them."""
    return {
        one: tuple(
            other
            for other, theirs in tests.items()
            if other != one
            and not (mine.side and mine.side == theirs.side)
            and other not in mine.awaits
            and is_surprised(mine.hits, theirs.hits, tie)
        )
        for one, mine in tests.items()
    }


# In a fight.


def surprised_towards(who: Participant, other: str) -> bool:
    """Whether somebody is surprised by another; without names, by everybody."""
    return SURPRISED in who.conditions and other in who.towards.get(SURPRISED, (other,))


def settled(table: Table, results: Mapping[str, Facts]) -> list[Effect]:
    """Each is surprised by those whose Surprise Tests were better; ambushers by none of those they lie in wait for."""
    tests = {}
    for id, facts in results.items():
        side, hits = table.participants[id].side, facts.get("hits")
        awaits = [
            other for other in results if facts.get("ambushing") and table.participants[other].side != side
        ]
        tests[id] = SurpriseHits(hits if isinstance(hits, int) else 0, side, frozenset(awaits))
    found = surprised_by(tests, str(table.options.get("surprise_tie", "seed")))
    return [
        Effect("add-condition", id, SURPRISED, None, (("towards", other),))
        for id, others in found.items()
        for other in others
    ]
