"""The Initiative Test, the Surprise Test, and who is surprised by which others (rulebook sections 4.2 and 10.4).

For surprise the hits of each are compared with those of each other; what being surprised by a combatant means, the
condition ``surprised`` of the packs says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fracas.dice.pools import GLITCHES
from fracas.kernel.fields import fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.intents import Participant, Table
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import facts_of, require
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4 import planes
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver, Spent
from fracas.rulesets.sr4.sheet import by_rule, losses_of_test, make_pool, pool_entries, spent_edge
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, combatant_fields, dice

ROLL = "initiative"
"""Names the facts of the roll: ``initiative_hits``, ``initiative_glitch``."""
POOL = "initiative.pool"
_GIVEN = "Without wounds, in place of attributes."


class InitiativeTest(dice_test.TestingProcedure):
    """The dice of the Initiative attribute; attribute and hits are the Initiative Score."""

    label = "Initiative Test"
    vocabulary = vocabulary(
        person("tester", "Tester", ""),
        combatant_fields(
            "tester",
            initiative=whole("Initiative attribute", _GIVEN, most=100),
            passes=planes.PASSES,
            burn_edge=BURN_EDGE,
            **planes.FIELDS,
        ),
    )
    targets = {POOL: "Initiative pool"}
    measures = (mean("score", "Expected Initiative Score"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        lines = losses_of_test(it, wounded=not _of_score_alone(it))
        if not planes.in_body(facts_of(it.facts, "tester")):
            it.facts["tester.encumbrance"], lines = 0, [line for line in lines if line.id == "wounds"]
        it.shown |= {name: it.facts[name] for name in ("tester.wound_modifier", "tester.encumbrance")}
        with it.faults.collect():
            it.plan = base = _attribute(it.facts, it.options)
            make_pool(it, POOL, *base, *lines)

    def first(self, it: Attempt) -> Stage:
        lines = {entry.id for entry in it.made[POOL].entries if entry.origin == "rule"}
        hurt = _of_score_alone(it) or "wounds" in lines  # the attribute goes with its line
        slow = it.options["encumbrance_target"] == "attributes" and "encumbrance" in lines
        lowered = it.facts["tester.encumbrance"] if slow else 0
        attribute = sum(entry.value or 0 for entry in it.plan)
        then = Scored(attribute + (it.facts["tester.wound_modifier"] if hurt else 0) + lowered, lowered)
        reported = bool(it.options["initiative_glitch_die"])
        return dice_test.plain(it, ROLL, POOL, then, reports_glitch=reported)


def _of_score_alone(it: Attempt) -> bool:
    """Wounds lower the score, and not the attribute (house rule ``initiative_wounds``)."""
    return bool(it.options["initiative_wounds"] != "attribute")


def _attribute(facts: Mapping[str, Any], options: Mapping[str, Any]) -> list[Entry]:
    """The Initiative attribute without wounds, in its parts."""
    sheet = facts_of(facts, "tester")
    given = planes.own_initiative(sheet, options) is not None
    parts = () if given else dict.fromkeys(planes.parts_of(sheet, options))
    instead = "tester.initiative for both attributes"
    require(facts, ((f"tester.{name}", f"{planes.label_of(name)} | {instead}") for name in parts))
    return [Entry(*part) for part in planes.initiative_parts(sheet, options)]


class Scored(Receiver, kind="sr4.scored"):
    """Takes the hits. `attribute`: Initiative with wounds, to which the hits are added. `lowered`: what encumbrance has
    taken from the attribute, 0 or negative."""

    attribute: int
    lowered: int
    reports = ("attribute",)

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        glitched = GLITCHES[glitch] == "glitch"
        return InitiativeEnd(net, self.attribute, self.lowered, edge_spent[0], glitched)


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
            yield Effect("add-condition", "tester", "initiative-glitch")


SURPRISED, SURPRISE = "surprised", "surprise"
"""The condition of the packs, and the contest."""
SURPRISE_POOL = "surprise.pool"
ALERTED, AMBUSHING = 3, 6
"""Dice of those warned by a successful Perception Test, and of those who lie in wait for just these people."""

_READY = (
    *fields(
        "tester",
        pool=dice("Pool", "In place of Reaction + Intuition, before modifiers."),
        burn_edge=BURN_EDGE,
        alerted=flag("Alerted", "Warned beforehand; in a fight the condition of that name gives these dice."),
        ambushing=flag(
            "Prepared ambush", "Lies in wait: more dice, and is surprised by none of those it waits for."
        ),
    ),
    *fields(
        "", against=whole("Hits of the other", "Of the Surprise Test of the one who may surprise.", most=200)
    ),
)


class SurpriseTest(dice_test.TestingProcedure):
    """Reaction + Intuition, alerted or in ambush; the hits are compared with those of everyone else."""

    label = "Surprise Test"
    vocabulary = vocabulary(person("tester", "Tester", ""), combatant_fields("tester"), _READY)
    targets = {SURPRISE_POOL: "Surprise pool"}
    measures = (mean("hits", "Expected hits"), chance("surprised", "Chance of being surprised by the other"))

    def numbers(self, it: Attempt) -> None:
        losses = losses_of_test(it)
        ready = by_rule("alerted", "Alerted", ALERTED if it.facts.get("tester.alerted") else 0)
        if it.facts.get("tester.ambushing"):
            ready = by_rule("ambushing", "Prepared ambush", AMBUSHING)
        with it.faults.collect():
            base = pool_entries(it.facts, "tester", ("reaction", "intuition"))
            make_pool(it, SURPRISE_POOL, *base, *ready, *losses)

    def first(self, it: Attempt) -> Stage:
        tie, ambushing = it.options["surprise_tie"], bool(it.facts.get("tester.ambushing"))
        then = Compared(it.facts.get("against"), ambushing, tie)
        return dice_test.plain(it, "surprise", SURPRISE_POOL, then)


class Compared(Receiver, kind="sr4.surprise-compared"):
    """Takes the hits. `against`: hits of another's Surprise Test; None: nobody to compare with. `ambushing`: lies in
    wait for just these combatants. `tie`: the house rule."""

    against: int | None
    ambushing: bool
    tie: str

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        surprised = None
        if self.against is not None:
            surprised = not self.ambushing and is_surprised(net, self.against, self.tie)
        return SurpriseEnd(net, surprised, edge_spent[0], self.ambushing)

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
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
    """A combatant's Surprise Test. `side`: friends do not surprise each other; "" for a combatant with no friends.
    `awaits`: ids of those that this one lies in wait for."""

    hits: int
    side: str = ""
    awaits: frozenset[str] = frozenset()


def is_surprised(hits: int, theirs: int, tie: str) -> bool:
    """Whether these hits are too few. On a tie: yes by ``core``, no by ``sr4a`` (house rule ``surprise_tie``)."""
    return theirs > hits or (theirs == hits and tie != "sr4a")


def surprised_by(tests: Mapping[str, SurpriseHits], tie: str) -> dict[str, tuple[str, ...]]:
    """For each who tested, in order, those they can neither act against nor react to in the first pass."""

    def surprises(other: str, one: str) -> bool:
        mine, theirs = tests[one], tests[other]
        friends = other == one or (mine.side and mine.side == theirs.side)
        return not friends and other not in mine.awaits and is_surprised(mine.hits, theirs.hits, tie)

    return {one: tuple(other for other in tests if surprises(other, one)) for one in tests}


def surprised_towards(who: Participant, other: str) -> bool:
    """Whether a combatant is surprised by another; without names, by everybody."""
    return SURPRISED in who.conditions and other in who.towards.get(SURPRISED, (other,))


def settled(table: Table, results: Mapping[str, Facts]) -> list[Effect]:
    """Each is surprised by those whose Surprise Tests were better; ambushers by none of those they lie in wait for."""
    tests, sides = {}, {id: table.participants[id].side for id in results}
    for id, facts in results.items():
        foes = frozenset(other for other in results if sides[other] != sides[id])
        awaits = foes if facts.get("ambushing") else frozenset()
        tests[id] = SurpriseHits(int(facts.get("hits") or 0), sides[id], awaits)
    found = surprised_by(tests, str(table.options["surprise_tie"]))
    return [
        Effect("add-condition", id, SURPRISED, None, tuple(("towards", other) for other in others))
        for id, others in found.items()
        if others
    ]
