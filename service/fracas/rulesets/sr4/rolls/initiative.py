"""The Initiative Test, the Surprise Test, and who surprises whom (rulebook sections 4.2 and 10.4).

For surprise the hits of each are compared with those of each other; what being surprised by somebody means, the
condition ``surprised`` of the packs says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.dice.pools import GLITCHES
from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant, Table
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import report_missing
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4 import worlds
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver
from fracas.rulesets.sr4.sheet import FLOOR, by_rule, losses_of_test, pool_entries
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields

ROLL = "initiative"
"""Names the facts of the roll: ``initiative_hits``, ``initiative_glitch``."""
GLITCHED = "initiative-glitch"
"""The condition of the packs of somebody who has glitched (house rule ``initiative_glitch_die``)."""


POOL = "initiative.pool"


class InitiativeTest(Procedure):
    """Roll the Initiative attribute; the score is the attribute with its hits."""

    id = "initiative-test"
    label = "Initiative Test"
    doc = "The dice of the Initiative attribute; attribute and hits are the Initiative Score."
    vocabulary = vocabulary(
        person("tester", "Tester", ""),
        combatant_fields("tester"),
        fields(
            "tester",
            initiative=whole(
                "Initiative attribute",
                "Without wounds, in place of Reaction + Intuition; such as that of another world.",
                most=100,
            ),
            passes=whole("Initiative Passes", "In each Combat Turn.", least=1, most=10),
        ),
        burning_edge("tester"),
        worlds.world_fields("tester"),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Initiative pool"}
    measures = (mean("score", "Expected Initiative Score"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        wounds, lost = losses_of_test(it)
        if not worlds.in_body(own_facts(it.facts)):
            lost = it.facts["tester.encumbrance"] = 0
        it.shown |= {"tester.wound_modifier": wounds, "tester.encumbrance": lost}
        with it.faults.collect():
            it.plan = base = _attribute(it.facts)
            it.tally(
                POOL,
                *base,
                *by_rule("wounds", "Wounds", 0 if _of_score_alone(it) else wounds),
                *by_rule("encumbrance", "Armor encumbrance", lost),
                least=0,
                floor=FLOOR,
            )

    def first(self, it: Attempt) -> Stage:
        lines = {entry.id for entry in it.made[POOL].entries if entry.origin == "rule"}
        hurt = _of_score_alone(it) or "wounds" in lines  # the attribute goes with its line
        slow = it.options.get("encumbrance_target") == "attributes" and "encumbrance" in lines
        lowered = it.facts["tester.encumbrance"] if slow else 0
        attribute = sum(entry.value or 0 for entry in it.plan)
        then = Scored(attribute + (it.facts["tester.wound_modifier"] if hurt else 0) + lowered, lowered)
        told = bool(it.options.get("initiative_glitch_die", False))
        return dice_test.plain(it, ROLL, POOL, then, tells_glitch=told)


def _of_score_alone(it: Attempt) -> bool:
    """Wounds lower the score, and not the attribute (house rule ``initiative_wounds``)."""
    return bool(it.options.get("initiative_wounds", "attribute") != "attribute")


def own_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of the tester, as a sheet."""
    return {
        path.removeprefix("tester."): value for path, value in facts.items() if path.startswith("tester.")
    }


def _attribute(facts: Mapping[str, Any]) -> list[Entry]:
    """The Initiative attribute without wounds, in its parts."""
    sheet = own_facts(facts)
    parts = () if worlds.own_initiative(sheet) is not None else dict.fromkeys(worlds.world_of(sheet).parts)
    instead = "tester.initiative for both attributes"
    report_missing(
        (f"tester.{name}", f"{worlds.label_of(name)} | {instead}") for name in parts if name not in sheet
    )
    return [Entry(*part) for part in worlds.initiative_parts(sheet)]


class Scored(Receiver, kind="sr4.scored"):
    """Takes the hits.

    Attributes:
        attribute: Initiative with wounds, to which the hits are added.
        lowered: what encumbrance has taken from the attribute, 0 or negative.
    """

    attribute: int
    lowered: int

    def take_told(self, net: int, scoreless: bool, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        glitched = GLITCHES[glitch] == "glitch"
        return InitiativeEnd(net, self.attribute, self.lowered, edge_spent[0], glitched)

    def notes(self) -> Facts:
        return {"attribute": self.attribute}


class InitiativeEnd(Outcome, kind="sr4.initiative-end"):
    """How an Initiative Test ended. `glitched`: it costs a die in the first Action Phase, by the house rule."""

    hits: int
    attribute: int
    lowered: int
    edge_spent: int
    glitched: bool = False

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"hits": self.hits, "score": self.attribute + self.hits}
        if self.lowered:
            facts["encumbrance"] = self.lowered
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent)
        if self.glitched:
            yield Effect("add-condition", "tester", GLITCHED)


SURPRISED = "surprised"
"""The condition of the packs."""
SURPRISE = "surprise"
"""The contest."""
SURPRISE_POOL = "surprise.pool"
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
        fields("tester", pool=whole("Pool", "In place of Reaction + Intuition, before modifiers.", most=60)),
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
    targets: Mapping[str, str] = {SURPRISE_POOL: "Surprise pool"}
    measures = (mean("hits", "Expected hits"), chance("surprised", "Chance of being surprised by the other"))

    def numbers(self, it: Attempt) -> None:
        wounds, lost = losses_of_test(it)
        ambushing = it.facts.get("tester.ambushing")
        alerted = it.facts.get("tester.alerted") and not ambushing
        with it.faults.collect():
            it.tally(
                SURPRISE_POOL,
                *pool_entries(it.facts, "tester", ("reaction", "intuition")),
                *by_rule("ambushing", "Prepared ambush", AMBUSHING if ambushing else 0),
                *by_rule("alerted", "Alerted", ALERTED if alerted else 0),
                *by_rule("wounds", "Wounds", wounds),
                *by_rule("encumbrance", "Armor encumbrance", lost),
                least=0,
                floor=FLOOR,
            )

    def first(self, it: Attempt) -> Stage:
        tie, ambushing = it.options.get("surprise_tie", "core"), bool(it.facts.get("tester.ambushing"))
        then = Compared(it.facts.get("against"), ambushing, tie)
        return dice_test.plain(it, "surprise", SURPRISE_POOL, then)


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
        return 0 if self.ambushing else self.against + (self.tie != "sr4a") - net

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
    """Whether these hits are too few. On a tie: yes by ``core``, no by ``sr4a`` (house rule ``surprise_tie``)."""
    return theirs > hits or (theirs == hits and tie != "sr4a")


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
    found = surprised_by(tests, str(table.options.get("surprise_tie", "core")))
    return [
        Effect("add-condition", id, SURPRISED, None, (("towards", other),))
        for id, others in found.items()
        for other in others
    ]
