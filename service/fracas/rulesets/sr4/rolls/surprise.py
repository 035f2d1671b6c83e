"""The Surprise Test of Shadowrun 4, and who surprises whom (rulebook section 10.4).

Everybody throws Reaction + Intuition; the hits of each are compared with those of each other. What being surprised
by somebody means, the condition ``surprised`` of the packs says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fracas.kernel.fields import fields, flag, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant, Table
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import attribute_entries, encumbrance, wounds_of
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields

SURPRISED = "surprised"
"""The condition of the packs."""
SURPRISE = "surprise"
"""The contest."""
ALERTED = 3
"""Dice of somebody warned, by a Perception Test that succeeded."""
AMBUSHING = 6
"""Dice of somebody who lies in wait for just these people."""

SURPRISE_TEST = vocabulary(
    Record("tester", "Tester", "combatant"),
    combatant_fields("tester"),
    fields("tester", pool=whole("Pool", "In place of Reaction + Intuition, before modifiers.", most=60)),
    burning_edge("tester"),
    fields(
        "tester",
        alerted=flag("Alerted", "Warned beforehand; in a fight the condition of that name gives these dice."),
        ambushing=flag(
            "Prepared ambush", "Lies in wait: more dice, and is surprised by none of those it waits for."
        ),
    ),
    fields(
        "",
        against=whole("Hits of the other", "Of the Surprise Test of the one who may surprise.", most=200),
    ),
)


class SurpriseTest:
    """Roll Reaction + Intuition; against the hits of somebody else, say whether these surprise."""

    id = "surprise-test"
    label = "Surprise Test"
    doc = "Reaction + Intuition, alerted or in ambush; its hits are compared with those of everybody else."
    vocabulary = SURPRISE_TEST
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"surprise.pool": "Surprise pool"}
    measures = (
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
        Measure(
            "surprised",
            "Chance of being surprised by the other",
            lambda facts: 1.0 if facts.get("surprised") else 0.0,
        ),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        if "tester.pool" in facts:
            entries = [Entry("pool", "Pool given", facts["tester.pool"])]
        else:
            entries = attribute_entries(facts, "tester", ("reaction", "intuition"), "tester.pool")
        wounds = facts["tester.wound_modifier"] = wounds_of(facts, "tester", asked.options)
        lost = facts["tester.encumbrance"] = encumbrance(facts, "tester", asked.options) or 0
        ambushing = bool(facts.get("tester.ambushing"))
        for id, label, dice, counts in (
            ("ambushing", "Prepared ambush", AMBUSHING, ambushing),
            ("alerted", "Alerted", ALERTED, not ambushing and facts.get("tester.alerted")),
            ("wounds", "Wounds", wounds, wounds),
            ("encumbrance", "Armor encumbrance", lost, lost),
        ):
            if counts:
                entries.append(Entry(id, label, dice, origin="rule"))
        refusals = asked.rules.refusals(facts)
        label = self.targets["surprise.pool"]
        pool = asked.rules.tally("surprise.pool", label, entries, facts, asked.hand)
        pool = pool.at_least(0, "A pool never falls below 0")
        if refusals:
            return Prepared(None, (pool,), refusals)
        side = side_of("surprise", "tester", 0, facts, asked, says=True)
        compared = Compared(facts.get("against"), ambushing, asked.options.get("surprise_tie", "seed"))

        def first(pool: Tally) -> Stage:
            thrown = side.with_dice(max(0, pool.total))
            return dice_test.start(thrown, None, compared, RollRules.of(asked.options))

        return Prepared(first(pool), (pool,), rebuild=first)


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
