"""Hit points of an NPC where those of the stat block are not used: a die for each Hit Die (section 1.3, R21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, person, text, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Facts, Roll, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.cwn.vocabulary import TRAUMA_SOURCES

NPC, BONUS = "npc", "hit-points.bonus"
HARD_TO_KILL, HARDER = "hard-to-kill", 2
"""The edge, and what it adds for each Hit Die of an NPC."""

HIT_POINTS = vocabulary(
    person(NPC, "NPC"),
    fields(
        NPC,
        name=text("Name", most=80, example="Gunman"),
        hit_dice=whole("Hit Dice", "", 1, 50, example=2),
        trauma_sources=words(
            "What raises the Trauma Target",
            "Whoever is hard to kill has more hit points, too.",
            choices=TRAUMA_SOURCES,
        ),
    ),
)


class HitPointsProcedure:
    """How many hit points an NPC has."""

    id = "hit-points"
    label = "Hit points of an NPC"
    doc = "A die for each Hit Die, d8 or d6 by the house rule; 2 more for each if it is Hard to Kill."
    vocabulary = HIT_POINTS
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {BONUS: "Added to the hit points"}
    measures = (Measure("hit-points", "Expected hit points", lambda facts: float(facts["hit_points"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        number = facts.get(f"{NPC}.hit_dice")
        if number is None:
            raise lacks(f"{NPC}.hit_dice", "the Hit Dice")
        hard = HARD_TO_KILL in facts.get(f"{NPC}.trauma_sources", ())
        base = [Entry(HARD_TO_KILL, "Hard to Kill", HARDER * number)] if hard else []
        tally = asked.rules.tally(BONUS, self.targets[BONUS], base, facts, asked.hand)
        sides = int(str(asked.options["npc_hit_die"]).removeprefix("d"))

        def first(tally: Tally) -> Stage:
            return HitDice(number, sides, tally.total)

        return Prepared(first(tally), (tally,), rebuild=first)


class HitDice(Waiting, kind="cwn.hit-dice"):
    """Waits for the Hit Dice: their number and sides, and what is added."""

    number: int
    sides: int
    bonus: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("hit_dice",), (NPC,), Total(((self.number, self.sides),), self.bonus))

    def advance(self, answer: Any) -> Stage:
        return HitPointsEnd(max(1, answer))


class HitPointsEnd(Outcome, kind="cwn.hit-points"):
    """Hit points, 1 at least; they are for whoever makes the stat block, so nothing in a fight changes by them."""

    hit_points: int

    def notes(self) -> Facts:
        return {"hit_points": self.hit_points}
