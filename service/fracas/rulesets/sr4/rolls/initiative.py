"""The Initiative Test of Shadowrun 4: Reaction + Intuition, its hits on top (rulebook section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.pools import GLITCHES
from fracas.kernel.forms import Outcome
from fracas.kernel.required import report_missing
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.fights.worlds import in_body, initiative_parts, label_of, own_initiative, world_of
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules
from fracas.rulesets.sr4.rolls.receivers import Receiver
from fracas.rulesets.sr4.rolls.roll_vocabulary import INITIATIVE_TEST
from fracas.rulesets.sr4.rolls.sides import side_of
from fracas.rulesets.sr4.sheet import encumbrance, wounds_of

ROLL = "initiative"
"""Names the facts of the roll: ``initiative_hits``, ``initiative_glitch``."""
GLITCHED = "initiative-glitch"
"""The condition of the packs of somebody who has glitched (house rule ``initiative_glitch_die``)."""


class InitiativeTest:
    """Roll the Initiative attribute; the score is the attribute with its hits."""

    id = "initiative-test"
    label = "Initiative Test"
    doc = "The dice of the Initiative attribute; attribute and hits are the Initiative Score."
    vocabulary = INITIATIVE_TEST
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {"initiative.pool": "Initiative pool"}
    measures = (
        Measure("score", "Expected Initiative Score", lambda facts: float(facts["score"] or 0)),
        Measure("hits", "Expected hits", lambda facts: float(facts["hits"] or 0)),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        base = _attribute(facts)
        wounds = facts["tester.wound_modifier"] = wounds_of(facts, "tester", asked.options)
        lost = (encumbrance(facts, "tester", asked.options) or 0) if in_body(own_facts(facts)) else 0
        facts["tester.encumbrance"] = lost
        refusals = asked.rules.refusals(facts)
        entries = list(base)
        if wounds and asked.options.get("initiative_wounds", "attribute") == "attribute":
            entries.append(Entry("wounds", "Wounds", wounds, origin="rule"))
        if lost:
            entries.append(Entry("encumbrance", "Armor encumbrance", lost, origin="rule"))
        pool = asked.rules.tally(
            "initiative.pool", self.targets["initiative.pool"], entries, facts, asked.hand
        )
        pool = pool.at_least(0, "A pool never falls below 0")
        shown: dict[str, Fact] = {"tester.wound_modifier": wounds, "tester.encumbrance": lost}
        if refusals:
            return Prepared(None, (pool,), refusals, shown)
        lowered = lost if asked.options.get("encumbrance_target") == "attributes" else 0
        attribute = sum(entry.value or 0 for entry in base)
        score_only = asked.options.get("initiative_wounds", "attribute") != "attribute"
        side = side_of(ROLL, "tester", 0, facts, asked, says=True)
        told = bool(asked.options.get("initiative_glitch_die", False))
        rules = RollRules.of(asked.options, tells_glitch=told)

        def first(pool: Tally) -> Stage:
            thrown = side.with_dice(max(0, pool.total))
            lines = {entry.id for entry in pool.entries if entry.origin == "rule"}
            hurt = wounds if score_only or "wounds" in lines else 0  # the attribute goes with its line
            slow = lowered if "encumbrance" in lines else 0
            return dice_test.start(thrown, None, Scored(attribute + hurt + slow, slow), rules)

        return Prepared(first(pool), (pool,), (), shown, first)


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
