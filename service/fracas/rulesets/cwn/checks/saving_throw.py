"""The saving throw by itself: a d20 against the target of a save (rulebook section 1.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Facts, Stage, stage_class
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record, Vocabulary
from fracas.rulesets.cwn.checks.saves import KINDS, save_fields, save_roll, save_tally, save_targets

SAVER = "saver"

SAVING_THROW = Vocabulary(
    (
        Record(SAVER, "Who saves", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("save", "The save"),
    ),
    (
        *save_fields(SAVER),
        Field("save.kind", "choice", "Kind", choices=KINDS),
        Field("save.bonus", "whole", "Bonus", "Of the roll; a penalty is below 0.", -20, 20),
    ),
)


class SavingThrowProcedure:
    """1d20 against a target."""

    id = "saving-throw"
    label = "Saving throw"
    doc = "1d20 against the Physical, Evasion, Mental or Luck save; a 1 fails, a 20 succeeds."
    vocabulary = SAVING_THROW
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = save_targets(*KINDS, records=(SAVER,))
    measures = (Measure("saved", "Chance to save", lambda facts: float(bool(facts["saved"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        kind = facts.get("save.kind")
        if kind is None:
            raise lacks("save.kind", f"the kind of save: {', '.join(KINDS)}")
        tally = save_tally(
            asked, facts, SAVER, kind, record=SAVER, more=bonus_entries(facts.get("save.bonus", 0))
        )
        if refusals:
            return Prepared(None, (tally,), refusals)

        def first(tally: Tally) -> Stage:
            return Save(tally.total)

        return Prepared(first(tally), (tally,), (), {}, first)


def bonus_entries(bonus: int, id: str = "bonus", label: str = "") -> list[Entry]:
    """The part of a save's target that a bonus to the roll is; none for 0."""
    named = label or ("Bonus to the roll" if bonus > 0 else "Penalty to the roll")
    return [Entry(id, named, -bonus)] if bonus else []


@stage_class
class Save(NamedTuple):
    """Waits for the d20 of a save with this target."""

    target: int
    kind: Literal["cwn.save"] = "cwn.save"

    @property
    def awaits(self) -> Awaited:
        return save_roll("save", SAVER, self.target)

    def advance(self, answer: Any) -> Stage:
        return SaveEnd(self.target, answer)

    def notes(self) -> Facts:
        return {}

    def effects(self) -> tuple[Effect, ...]:
        return ()


@stage_class
class SaveEnd(NamedTuple):
    """How a save ended."""

    target: int
    saved: bool
    kind: Literal["cwn.save-end"] = "cwn.save-end"

    @property
    def awaits(self) -> Awaited:
        return None

    def advance(self, answer: Any) -> Stage:
        raise AssertionError("an outcome does not advance")

    def notes(self) -> Facts:
        return {"saved": self.saved, "save": self.target}

    def effects(self) -> tuple[Effect, ...]:
        return ()
