"""The Initiative Test of Shadowrun 4: Reaction + Intuition, its hits on top (rulebook section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.pools import GLITCHES
from fracas.kernel.fields import fields, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.required import report_missing
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.sheet import FLOOR, by_rule, losses_of_test
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields
from fracas.rulesets.sr4.worlds import (
    in_body,
    initiative_parts,
    label_of,
    own_initiative,
    world_fields,
    world_of,
)

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
        ),
        burning_edge("tester"),
        fields("tester", passes=whole("Initiative Passes", "In each Combat Turn.", least=1, most=10)),
        world_fields("tester"),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Initiative pool"}
    measures = (mean("score", "Expected Initiative Score"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        wounds, lost = losses_of_test(it)
        if not in_body(own_facts(it.facts)):
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
    parts = () if own_initiative(sheet) is not None else dict.fromkeys(world_of(sheet).parts)
    instead = "tester.initiative for both attributes"
    report_missing((f"tester.{name}", f"{label_of(name)} | {instead}") for name in parts if name not in sheet)
    return [Entry(*part) for part in initiative_parts(sheet)]


class Scored(Receiver, kind="sr4.scored"):
    """Takes the hits.

    Attributes:
        attribute: Initiative with wounds, to which the hits are added.
        lowered: what encumbrance has taken from the attribute, 0 or negative.
    """

    attribute: int
    lowered: int

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return InitiativeEnd(net, self.attribute, self.lowered, edge_spent[0])

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        glitched = GLITCHES[glitch] == "glitch"
        return InitiativeEnd(hits, self.attribute, self.lowered, edge_spent[0], glitched)

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
