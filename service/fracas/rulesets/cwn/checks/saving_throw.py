"""The saving throw by itself: a d20 against the target of a save (rulebook section 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.stage import Awaited, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.checks.saves import (
    KINDS,
    number_of_save,
    save_fields,
    save_name,
    save_roll,
    save_targets,
)

SAVER = "saver"

SAVING_THROW = vocabulary(
    person(SAVER, "Who saves"),
    Record("save", "The save"),
    save_fields(SAVER),
    fields(
        "save",
        kind=choice("Kind", choices=KINDS),
        bonus=whole("Bonus", "Of the roll; a penalty is below 0.", -20, 20),
    ),
)


class SavingThrowProcedure(Procedure):
    """1d20 against a target."""

    id = "saving-throw"
    label = "Saving throw"
    doc = "1d20 against the Physical, Evasion, Mental or Luck save; a 1 fails, a 20 succeeds."
    vocabulary = SAVING_THROW
    targets: Mapping[str, str] = save_targets(*KINDS, records=(SAVER,))
    measures = (chance("saved", "Chance to save"),)

    def numbers(self, it: Attempt) -> None:
        kind = it.need("save.kind", f"the kind of save: {', '.join(KINDS)}", None)
        if kind is not None:
            number_of_save(it, SAVER, kind, *bonus_entries(it.facts.get("save.bonus", 0)))

    def first(self, it: Attempt) -> Stage:
        return Save(it.total(save_name(it.facts["save.kind"], SAVER)))


def bonus_entries(bonus: int, id: str = "bonus", label: str = "") -> list[Entry]:
    """The part of a save's target that a bonus to the roll is; none for 0."""
    named = label or ("Bonus to the roll" if bonus > 0 else "Penalty to the roll")
    return [Entry(id, named, -bonus)] if bonus else []


class Save(Waiting, kind="cwn.save"):
    """Waits for the d20 of a save with this target."""

    target: int

    @property
    def awaits(self) -> Awaited:
        return save_roll("save", SAVER, self.target)

    def advance(self, answer: Any) -> Stage:
        return SaveEnd(self.target, answer)


class SaveEnd(Outcome, kind="cwn.save-end"):
    """How a save ended."""

    target: int
    saved: bool

    def notes(self) -> Facts:
        return {"saved": self.saved, "save": self.target}
