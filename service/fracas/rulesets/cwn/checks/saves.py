"""Saving throws: what a combatant must roll on a d20 (rulebook section 1.5).

The tally of a save is its target, so a bonus to the roll is negative in it. A natural 1 fails and a natural 20
succeeds whatever the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel.fields import choice, fields, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.required import missing
from fracas.kernel.ruleset import AttemptRequest
from fracas.kernel.stage import Stage
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.cwn.vocabulary import LEVEL, NAME, SCORES, SIX, Known, attribute_modifier

PHYSICAL, EVASION, MENTAL, LUCK = "physical", "evasion", "mental", "luck"
KINDS = (PHYSICAL, EVASION, MENTAL, LUCK)
ATTRIBUTES_OF: Mapping[str, tuple[str, ...]] = {
    PHYSICAL: ("strength", "constitution"),
    EVASION: ("dexterity", "intelligence"),
    MENTAL: ("wisdom", "charisma"),
    LUCK: (),
}
"""The better modifier of these counts."""
BASE, BASE_NPC = 16, 15
HIGHEST, LOWEST = 20, 2
"""A natural 20 succeeds against any target, and nothing below 2 does."""


def attribute_fields(who: str) -> tuple[Field, ...]:
    """The six attributes, and what changes the modifier of one."""
    doc = "By an injury or a focus. Left out: none."
    named = {name: f"Change of the {name.capitalize()} modifier" for name in SIX}
    changes = {f"{name}_change": whole(label, doc, -5, 5) for name, label in named.items()}
    return fields(who, **SCORES, **changes)


def save_fields(who: str) -> tuple[Field, ...]:
    """What a save needs of a combatant."""
    dice = "Of an NPC; its save follows from them where it is not given."
    return (
        *fields(
            who,
            name=NAME,
            save=whole("Save", "A stat block's target, for all saves.", 1, 30, example=14),
            hit_dice=whole("Hit Dice", dice, 1, 50, example=2),
            level=LEVEL,
        ),
        *attribute_fields(who),
    )


def modifier_of(facts: Mapping[str, Any], who: str, attribute: str) -> int | None:
    """The modifier of a combatant's attribute, changed by injuries; None where the score is not known."""
    score = facts.get(f"{who}.{attribute}")
    if score is None:
        return None
    return attribute_modifier(score) + int(facts.get(f"{who}.{attribute}_change", 0))


def better_attribute(facts: Mapping[str, Any], who: str, names: Sequence[str]) -> tuple[str, int] | None:
    """The attribute with the better modifier of those known, and that modifier; None if none is known."""
    found = [(name, modifier) for name in names if (modifier := modifier_of(facts, who, name)) is not None]
    return max(found, key=lambda one: one[1]) if found else None


def save_name(kind: str, record: str = "") -> str:
    """The name of the tally; `record` for one of several who save, so that conditions find it as that one's."""
    return f"{record}.save.{kind}" if record else f"save.{kind}"


def save_targets(*kinds: str, records: Sequence[str] = ("",)) -> dict[str, str]:
    """The tallies with their labels, for a procedure's `targets`."""
    return {
        save_name(kind, record): f"{record.replace('_', ' ').capitalize()}: {kind} save"
        if record
        else f"{kind.capitalize()} save"
        for kind in kinds
        for record in records
    }


def missing_for_save(facts: Mapping[str, Any], who: str, kind: str) -> Iterator[tuple[str, str]]:
    """(field, what is needed) of everything that the save lacks."""
    if f"{who}.save" in facts or f"{who}.hit_dice" in facts:
        return
    if f"{who}.level" not in facts:
        yield f"{who}.save", "the save of a stat block, or level and attributes"
        return
    for name in ATTRIBUTES_OF[kind]:
        if f"{who}.{name}" not in facts:
            yield f"{who}.{name}", f"{name.capitalize()}, which counts for this save"


def save_base(facts: Mapping[str, Any], who: str, kind: str) -> list[Entry] | None:
    """The parts of the target; None where something is missing."""
    if next(missing_for_save(facts, who, kind), None):
        return None
    if f"{who}.save" in facts:
        return [Entry("stat-block", "Save of the stat block", facts[f"{who}.save"])]
    if f"{who}.hit_dice" in facts and f"{who}.level" not in facts:
        half = Entry("hit-dice", "Half the Hit Dice", -(facts[f"{who}.hit_dice"] // 2))
        return [Entry("base", "Base", BASE_NPC), half]
    entries = [Entry("base", "Base", BASE), Entry("level", "Level", -facts[f"{who}.level"])]
    if better := better_attribute(facts, who, ATTRIBUTES_OF[kind]):
        entries.append(Entry(better[0], better[0].capitalize(), -better[1]))
    return entries


def save_tally(
    request: AttemptRequest, facts: Known, who: str, kind: str, *more: Entry, record: str = ""
) -> Tally:
    """The target of a combatant's save, ``save.<kind>``, or ``<record>.save.<kind>`` for one of several. `more`:
    further parts; what helps the roll is negative. `InputError`: what the save needs is missing."""
    base = save_base(facts, who, kind)
    if base is None:
        raise InputError(missing(path, what) for path, what in missing_for_save(facts, who, kind))
    to = save_name(kind, record)
    label = save_targets(kind, records=(record,))[to]
    return request.rules.tally(to, label, [*base, *more], facts, request.hand)


def number_of_save(it: Attempt, who: str, kind: str, *more: Entry) -> Tally | None:
    """Make a save one of the numbers of an attempt, see `save_tally`; None where it lacks something, which is noted."""
    made = None
    with it.faults.collect():
        made = it.keep(save_tally(it.request, it.facts, who, kind, *more, record=who))
    return made


def total_of_save(it: Attempt, who: str, kind: str = PHYSICAL) -> int:
    """The target of a combatant's save among the numbers of an attempt."""
    return it.total(save_name(kind, who))


def least_face(target: int) -> int:
    """The lowest face of the d20 that makes the save."""
    return max(LOWEST, min(HIGHEST, target))


def d20(target: int) -> Total:
    """The die of a save; its answer is whether it is made."""
    return Total(((1, 20),), 0, least_face(target))


SAVER = "saver"


class SavingThrow(Procedure):
    """1d20 against the Physical, Evasion, Mental or Luck save; a natural 1 fails, a natural 20 succeeds."""

    vocabulary = vocabulary(
        person(SAVER, "Who saves"),
        Record("save", "The save"),
        save_fields(SAVER),
        fields(
            "save",
            kind=choice("Kind", choices=KINDS, required=f"the kind of save: {', '.join(KINDS)}"),
            bonus=whole("Bonus", "Of the roll; a penalty is below 0.", -20, 20),
        ),
    )
    targets = save_targets(*KINDS, records=(SAVER,))
    measures = (chance("saved", "Chance to save"),)

    def numbers(self, it: Attempt) -> None:
        if (kind := it.facts.get("save.kind")) is not None:
            number_of_save(it, SAVER, kind, *bonus_entries(it.facts.get("save.bonus", 0)))

    def first(self, it: Attempt) -> Stage:
        return Save(total_of_save(it, SAVER, it.facts["save.kind"]))


def bonus_entries(bonus: int, id: str = "bonus", label: str = "") -> list[Entry]:
    """The part of a save's target that a bonus to the roll is; none for 0."""
    named = label or ("Bonus to the roll" if bonus > 0 else "Penalty to the roll")
    return [Entry(id, named, -bonus)] if bonus else []


class Save(Waiting, kind="cwn.save"):
    """Waits for the d20 of a save with this target."""

    target: int
    awaits = rolls("save", SAVER, lambda self: d20(self.target))

    def advance(self, answer: Any) -> Stage:
        return SaveEnd(self.target, answer)


class SaveEnd(Outcome, kind="cwn.save-end"):
    """How a save ended."""

    target: int
    saved: bool
    reports = ("saved", ("save", "target"))
