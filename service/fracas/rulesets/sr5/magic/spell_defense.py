"""Spell defense: a magician protects others against a spell (rulebook section 5).

By the house rules everybody protected has the whole skill Counterspelling, and as many people are protected as the
Magic. A protection is used up by the first spell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tally import Entry, Refusal
from fracas.rulesets.sr5.attacks.attack import SEVERAL, others
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.rolls import dice_test

PROTECTOR = "protector"
COUNTERSPELLING = "counterspelling"
DICE = "spell-defense.dice"
PROTECTED = "spell-protected"
"""The condition of the packs; it sets the dice."""
DEFENDING = "defending-against-spells"
"""The condition of a combatant who defends themselves; it lets their own skill count."""

SPELL_DEFENSE = vocabulary(
    person(PROTECTOR, "Magician"),
    person("target", "The protected", "Left out: the magician alone.", optional=True),
    *others("Another one who is protected.", "Protected", optional=True),
    combatant_fields(PROTECTOR),
    fields(PROTECTOR, magic=whole("Magic", "So many people are protected.", most=50, example=5)),
    fields(*SEVERAL, name=text("Name", most=80, example="Rook")),
)


class SpellDefense(Procedure):
    """Dice of Counterspelling for the defense and the resistance of others."""

    id = "spell-defense"
    label = "Spell defense"
    doc = "As many people as Magic have the whole skill Counterspelling against a spell."
    vocabulary = SPELL_DEFENSE
    targets: Mapping[str, str] = {DICE: "Dice against spells"}
    measures = (mean("dice", "Dice"),)

    def numbers(self, it: Attempt) -> None:
        skills = it.need(f"{PROTECTOR}.skills", "the skill ratings", {})
        magic = it.need(f"{PROTECTOR}.magic", "Magic")
        skill = Entry("skill", "Counterspelling", skills.get(COUNTERSPELLING, 0))
        dice = it.tally(DICE, skill, least=0, floor=dice_test.FLOOR)
        known = {name.partition(".")[0] for name in it.facts} | set(it.asked.said.used)
        it.plan = [who for who in SEVERAL if who in known] or [PROTECTOR]
        if len(it.plan) > magic:
            it.refused.append(Refusal("too_many", "No more people than the Magic are protected"))
        if not dice.total:
            it.refused.append(Refusal("no_counterspelling", "There are no dice to protect with"))

    def first(self, it: Attempt) -> Stage:
        return Guarded(tuple(it.plan), it.total(DICE))


class Guarded(Outcome, kind="sr5.spell-guarded"):
    """Who is protected, with how many dice."""

    people: tuple[str, ...]
    dice: int

    def notes(self) -> Facts:
        return {"dice": self.dice, "people": len(self.people)}

    def changes(self) -> Iterator[Effect]:
        detail = (("towards", PROTECTOR), (f"set_{COUNTERSPELLING}", self.dice))  # each magician's by itself
        return (Effect("add-condition", who, PROTECTED, None, detail) for who in self.people)


class DefensesUsed(Outcome, kind="sr5.spell-defenses-used"):
    """Protections that a spell has used up: the records of who had them, each with its condition."""

    used: tuple[tuple[str, str], ...]

    def changes(self) -> Iterator[Effect]:
        return (Effect("remove-condition", who, what) for who, what in self.used)


_FLAGS = (("spell_protected", PROTECTED), ("spell_defense", DEFENDING))


def in_force(facts: Mapping[str, object], records: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The protections that these people have, as their conditions report."""
    return tuple((who, what) for who in records for flag, what in _FLAGS if facts.get(f"{who}.{flag}"))
