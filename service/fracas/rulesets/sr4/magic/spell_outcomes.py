"""How spells end for those that they strike, and what a magician keeps up: spells, and counterspelling.

Rulebook sections 11.7 and 16. Damage that meets armor ends as that of any attack does.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import fields, person, text, vocabulary
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.required import has_record
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.harms.damage import Plan
from fracas.rulesets.sr4.harms.harm import facts_after, knocks_down, lasting_boxes, marks
from fracas.rulesets.sr4.magic.drain import CASTER, foci
from fracas.rulesets.sr4.magic.spell_facts import CHANGED_ATTRIBUTE, EFFECT
from fracas.rulesets.sr4.magic.workings import SUSTAINING, working_of
from fracas.rulesets.sr4.sheet import make_pool, spent_edge
from fracas.rulesets.sr4.vocabulary import combatant_fields, named


class NotTouched(Outcome, kind="sr4.not-touched"):
    """Nothing is cast, since the target could not be touched: the end for the target, and for the caster. `who`: the
    record of one of them. `defended`: it made a defense. `edge_spent`: its points of Edge."""

    who: str
    defended: bool
    edge_spent: int

    def notes(self) -> Facts:
        if self.who == CASTER:
            return {"drain": 0, "drain_damage": 0, "drain_track": None}
        return {"result": "not-touched", "damage": 0}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(self.who, self.edge_spent)
        if self.defended:
            yield Effect("gain", self.who, "defenses-made", 1)


class Outside(Outcome, kind="sr4.outside-spell"):
    """Too far from the center."""

    def notes(self) -> Facts:
        return {"result": "outside", "damage": 0}


class Overwhelmed(Outcome, kind="sr4.overwhelmed"):
    """What a direct spell did to a combatant: Force and net hits in boxes, without armor and resistance. `net`: net
    hits; none: it was resisted. `used`: net hits that raise the damage. `edge_spent`: points of Edge of the target."""

    net: int
    used: int
    plan: Shared[Plan]
    edge_spent: int

    @property
    def damage(self) -> int:
        return self.plan.value.value + self.used if self.net else 0

    @property
    def knockdown(self) -> bool:
        plan = self.plan.value
        return plan.falls and knocks_down(self.damage, plan.knockdown)

    def notes(self) -> Facts:
        plan = self.plan.value
        facts: dict[str, Fact] = {"result": "hit" if self.net else "resisted", "net_hits": self.net}
        facts |= {"damage": self.damage, "track": plan.track if self.net else None}
        if self.net:
            facts["knockdown"] = self.knockdown
        if plan.monitors is not None:
            facts |= facts_after(plan.monitors, self.damage, plan.track)
        return facts

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edge(plan.who, self.edge_spent)
        yield from marks(plan.who, plan.monitors, self.damage, plan.track)
        yield from lasting_boxes(plan.who, self.damage, plan.lasts)
        if self.knockdown:
            yield Effect("add-condition", plan.who, "prone")


COUNTERSPELLING = "counterspelling"
"""The skill, and the condition of the packs; its field has the dice."""
PROTECTED = "protected"
"""The condition of those that another combatant protects; it ends with that one's."""
DICE = "counterspelling.dice"
ALLIES = tuple(f"ally_{number}" for number in range(1, 9))


class DeclareCounterspelling(Procedure):
    """The dice of the skill Counterspelling protect the magician and those who are named."""

    vocabulary = vocabulary(
        Record("caster", "Magician", "combatant"),
        *(person(who, named(who), "Protected.") for who in ALLIES),
        combatant_fields("caster", **foci("counterspelling", "power")),
        fields(*ALLIES, name=text("Name", most=80, example="Rook")),
    )
    targets = {DICE: "Dice of counterspelling"}
    measures = (mean("dice", "Dice"),)

    def numbers(self, it: Attempt) -> None:
        rating = it.need("caster.skills", "the skill ratings", {}).get(COUNTERSPELLING, 0)
        make_pool(it, DICE, Entry("skill", "Counterspelling", rating))
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
        if not self.allies:
            yield Effect("add-condition", CASTER, COUNTERSPELLING, None, sets)
        for who in self.allies:
            yield Effect("add-condition", CASTER, COUNTERSPELLING, None, (*sets, ("towards", who)))
        for who in self.allies:
            yield Effect("add-condition", who, PROTECTED, None, (*sets, ("towards", CASTER)))


class DropSpell(Procedure):
    """The caster sustains one spell less, and its effect on its bearer ends."""

    label = "Drop a sustained spell"
    vocabulary = vocabulary(
        Record("caster", "Caster", "combatant"),
        person("target", "Who bears the spell", "The caster if left out.", optional=True),
        Record("spell", "Spell", "power", "Left out: one that has no effect that a fight keeps."),
        combatant_fields("caster"),
        fields("target", name=text("Name", most=80, example="Rook")),
        fields("spell", name=text("Name", most=80), does=EFFECT),
        fields("", attribute=CHANGED_ATTRIBUTE),
    )
    measures = (Measure("dropped", "Spells dropped", lambda facts: 1.0),)

    def first(self, it: Attempt) -> Stage:
        bearer = "target" if has_record(it.facts, "target") else CASTER
        return Dropped(bearer, working_of(it.facts).condition)


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
