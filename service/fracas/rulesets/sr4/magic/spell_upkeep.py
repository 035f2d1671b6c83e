"""What magicians declare without a roll: counterspelling for their friends, and that a spell is kept up no longer.

Rulebook sections 5.1 and 16.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import choice, fields, person, text, vocabulary
from fracas.kernel.forms import Outcome
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts
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


class DeclareCounterspelling:
    """Add the skill Counterspelling to the resistance of allies, until one's own next action."""

    id = "declare-counterspelling"
    label = "Declare counterspelling"
    doc = "The dice of the skill Counterspelling protect the magician and those who are named."
    vocabulary = DECLARE_COUNTERSPELLING
    decisions: tuple[DecisionInfo, ...] = ()
    targets: Mapping[str, str] = {"counterspelling.dice": "Dice of counterspelling"}
    measures = (Measure("dice", "Dice", lambda facts: float(facts["dice"] or 0)),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        skills = facts.get("caster.skills")
        if skills is None:
            raise lacks("caster.skills", "the skill ratings")
        rating = skills.get(COUNTERSPELLING, 0)
        label = self.targets["counterspelling.dice"]
        entries = [Entry("skill", "Counterspelling", rating)]
        dice = asked.rules.tally("counterspelling.dice", label, entries, facts, asked.hand)
        dice = dice.at_least(0, FLOOR)
        untrained = Refusal("no_default", "Nobody protects others without the skill Counterspelling")
        if refusals := asked.rules.refusals(facts, () if rating else (untrained,)):
            return Prepared(None, (dice,), refusals)
        allies = tuple(who for who in ALLIES if any(path.startswith(f"{who}.") for path in facts))
        return Prepared(Protection(dice.total, allies), (dice,))


class Protection(Outcome, kind="sr4.protection"):
    """Who is protected, with how many dice."""

    dice: int
    allies: tuple[str, ...]

    def notes(self) -> Facts:
        return {"dice": self.dice, "protected": len(self.allies)}

    def effects(self) -> tuple[Effect, ...]:
        sets: tuple[tuple[str, Fact], ...] = ((f"set_{COUNTERSPELLING}", self.dice),)
        mine = [
            Effect("add-condition", CASTER, COUNTERSPELLING, None, (*sets, ("towards", who)))
            for who in self.allies
        ]
        theirs = [
            Effect("add-condition", who, PROTECTED, None, (*sets, ("towards", CASTER))) for who in self.allies
        ]
        return tuple([*mine, *theirs] or [Effect("add-condition", CASTER, COUNTERSPELLING, None, sets)])


class DropSpell:
    """Keep up a spell no longer."""

    id = "drop-spell"
    label = "Drop a sustained spell"
    doc = "The caster keeps up one spell less, and what it did to its bearer is gone."
    vocabulary = DROP_SPELL
    decisions: tuple[DecisionInfo, ...] = ()
    targets: Mapping[str, str] = {}
    measures = (Measure("dropped", "Spells dropped", lambda facts: 1.0),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        bearer = "target" if any(path.startswith("target.") for path in facts) else CASTER
        condition, _ = condition_and_field(facts)
        return Prepared(None if refusals else Dropped(bearer, condition), (), refusals)


class Dropped(Outcome, kind="sr4.spell-dropped"):
    """A spell is over; `condition` is what it had put on its bearer, "" for nothing that a fight keeps."""

    bearer: str
    condition: str

    def notes(self) -> Facts:
        return {"dropped": True}

    def effects(self) -> tuple[Effect, ...]:
        mine = Effect("remove-condition", CASTER, SUSTAINING, 1)
        if not self.condition:
            return (mine,)
        return mine, Effect("remove-condition", self.bearer, self.condition, None, (("towards", CASTER),))
