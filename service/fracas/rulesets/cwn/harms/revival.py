"""The Skull Citadel: somebody dead for ten minutes at most is brought back, and is less afterwards (section 10.3).

An attribute chosen by chance loses 2 points for good. That whoever is brought back is as after stabilizing,
unconscious, then awake with 1 hit point and Frail, is this project's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import entries, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.checks.saves import SIX, attribute_fields
from fracas.rulesets.cwn.harms.harm import DEAD, MORTALLY_WOUNDED, lasting
from fracas.rulesets.cwn.harms.stabilizing import STABILIZED

OWNER, REVIVED, LOSS = "owner", "revived", "revival.loss"
LOST = 2
"""Points that an attribute loses."""

REVIVAL = vocabulary(
    person(OWNER, "Owner"),
    Record("revival", "How it is done"),
    fields(
        OWNER,
        name=text("Name", most=80, example="Wren"),
        augmentations=entries("Implants", "", entry_kind="augmentation"),
    ),
    attribute_fields(OWNER),
    fields(
        "revival",
        minutes=whole("Minutes since death", "Left out: soon enough.", most=100_000),
        citadel=flag("Skull Citadel", derived_from=f"{OWNER}.augmentations"),
    ),
)


class RevivalProcedure:
    """Brings somebody back from death."""

    id = "revival"
    label = "Revival by a Skull Citadel"
    doc = "Brings back a character dead for ten minutes at most; 1d6 decides which attribute loses 2 points."
    vocabulary = REVIVAL
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {LOSS: "Points that an attribute loses"}
    measures = (Measure("lost", "Points of an attribute lost", lambda facts: float(facts["lost"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        if f"{OWNER}.augmentations" in facts:
            facts["revival.citadel"] = "skull-citadel" in {
                entry.slug for entry in facts[f"{OWNER}.augmentations"]
            }
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, (), refusals)
        scores = tuple((name, facts[f"{OWNER}.{name}"]) for name in SIX if f"{OWNER}.{name}" in facts)
        entry = Entry("revived", "Back from death", LOST)
        tally = asked.rules.tally(LOSS, self.targets[LOSS], [entry], facts, asked.hand)

        def first(tally: Tally) -> Stage:
            return Awakening(scores, max(0, tally.total))

        return Prepared(first(tally), (tally,), rebuild=first)


class Awakening(Waiting, kind="cwn.awakening"):
    """Waits for the die that tells which attribute suffers, in the order of the sheet.

    Attributes:
        scores: those that are known.
        loss: points that go; no score falls below 1.
    """

    scores: tuple[tuple[str, int], ...]
    loss: int

    @property
    def awaits(self) -> Awaited:
        return Roll(("attribute",), (OWNER,), Total(((1, len(SIX)),)))

    def advance(self, answer: Any) -> Stage:
        name = SIX[answer - 1]
        score = dict(self.scores).get(name)
        return RevivalEnd(name, self.loss if score is None else min(self.loss, score - 1), score is not None)


class RevivalEnd(Outcome, kind="cwn.revival-end"):
    """Alive, with less of one attribute; `noted`: its score is known; if not, people note it."""

    attribute: str
    lost: int
    noted: bool

    def notes(self) -> Facts:
        return {"attribute": self.attribute, "lost": self.lost}

    def effects(self) -> tuple[Effect, ...]:
        change = ((f"add_{self.attribute}", -self.lost),) if self.noted else ()
        return (
            Effect("remove-condition", OWNER, DEAD),
            Effect("remove-condition", OWNER, MORTALLY_WOUNDED),
            lasting(OWNER, STABILIZED, "minute", 10),
            Effect("add-condition", OWNER, REVIVED, None, change),
        )
