"""What magicians declare without a roll: counterspelling for their friends, and that a spell is kept up no longer.

Rulebook sections 5.1 and 16.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import choice, fields, person, text, vocabulary
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.magic.spell_outcomes import SUSTAINING, condition_and_field
from fracas.rulesets.sr4.magic.spell_vocabulary import CASTER, DOES, RAISED_ATTRIBUTE, focus_fields
from fracas.rulesets.sr4.sheet import FLOOR
from fracas.rulesets.sr4.vocabulary import combatant_fields

COUNTERSPELLING = "counterspelling"
"""The skill, and the condition of the packs; its field has the dice."""
PROTECTED = "protected"
"""The condition of those whom somebody else protects; it ends with that one's."""
DICE = "counterspelling.dice"
ALLIES = tuple(f"ally_{number}" for number in range(1, 9))


def _of_ally(who: str) -> Iterator[Field]:
    yield from fields(who, name=text("Name", most=80, example="Rook"))


DECLARE_COUNTERSPELLING = vocabulary(
    Record("caster", "Magician", "combatant"),
    *(
        person(who, f"Ally {number}", "One that the magician protects.")
        for number, who in enumerate(ALLIES, start=1)
    ),
    combatant_fields("caster"),
    focus_fields("caster", "counterspelling", "power"),
    (field for who in ALLIES for field in _of_ally(who)),
)

DROP_SPELL = vocabulary(
    Record("caster", "Caster", "combatant"),
    person("target", "Who bears the spell", "The caster if left out.", optional=True),
    Record("spell", "Spell", "power", "Left out: one that has no effect that a fight keeps."),
    combatant_fields("caster"),
    fields("target", name=text("Name", most=80, example="Rook")),
    fields(
        "spell",
        name=text("Name", most=80),
        does=choice("What it does", choices=DOES),
    ),
    RAISED_ATTRIBUTE,
)


class DeclareCounterspelling(Procedure):
    """Add the skill Counterspelling to the resistance of allies, until one's own next action."""

    id = "declare-counterspelling"
    label = "Declare counterspelling"
    doc = "The dice of the skill Counterspelling protect the magician and those who are named."
    vocabulary = DECLARE_COUNTERSPELLING
    targets: Mapping[str, str] = {DICE: "Dice of counterspelling"}
    measures = (mean("dice", "Dice"),)

    def numbers(self, it: Attempt) -> None:
        rating = it.need("caster.skills", "the skill ratings", {}).get(COUNTERSPELLING, 0)
        it.tally(DICE, Entry("skill", "Counterspelling", rating), least=0, floor=FLOOR)
        if not rating and not it.faults.problems:
            label = "Nobody protects others without the skill Counterspelling"
            it.refused.append(Refusal("no_default", label))

    def first(self, it: Attempt) -> Stage:
        return Protection(it.total(DICE), tuple(who for who in ALLIES if has_record(it.facts, who)))


class Protection(Outcome, kind="sr4.protection"):
    """Who is protected, with how many dice."""

    dice: int
    allies: tuple[str, ...]

    def notes(self) -> Facts:
        return {"dice": self.dice, "protected": len(self.allies)}

    def changes(self) -> Iterator[Effect]:
        sets: tuple[tuple[str, Fact], ...] = ((f"set_{COUNTERSPELLING}", self.dice),)
        for who, condition, towards in (
            *((CASTER, COUNTERSPELLING, who) for who in self.allies),
            *((who, PROTECTED, CASTER) for who in self.allies),
        ):
            yield Effect("add-condition", who, condition, None, (*sets, ("towards", towards)))
        if not self.allies:
            yield Effect("add-condition", CASTER, COUNTERSPELLING, None, sets)


class DropSpell(Procedure):
    """Keep up a spell no longer."""

    id = "drop-spell"
    label = "Drop a sustained spell"
    doc = "The caster keeps up one spell less, and what it did to its bearer is gone."
    vocabulary = DROP_SPELL
    measures = (Measure("dropped", "Spells dropped", lambda facts: 1.0),)

    def first(self, it: Attempt) -> Stage:
        condition, _ = condition_and_field(it.facts)
        return Dropped("target" if has_record(it.facts, "target") else CASTER, condition)


class Dropped(Outcome, kind="sr4.spell-dropped"):
    """A spell is over; `condition` is what it had put on its bearer, "" for nothing that a fight keeps."""

    bearer: str
    condition: str

    def notes(self) -> Facts:
        return {"dropped": True}

    def changes(self) -> Iterator[Effect]:
        yield Effect("remove-condition", CASTER, SUSTAINING, 1)
        if self.condition:
            yield Effect("remove-condition", self.bearer, self.condition, None, (("towards", CASTER),))
