"""How spells end for those that they strike or help, and what a magician keeps up: spells, and counterspelling.

Rulebook sections 4.5, 11.7 and 16. Damage that meets armor ends as that of any attack does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, fields, person, text, vocabulary
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.required import has_record, require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.harms.damage import Plan
from fracas.rulesets.sr4.harms.harm import facts_after, healed, knocks_down, marks
from fracas.rulesets.sr4.magic.drain import CASTER, foci
from fracas.rulesets.sr4.magic.spell_facts import ATTRIBUTE, DOES, HEAL, RAISED_ATTRIBUTE, REFLEXES
from fracas.rulesets.sr4.sheet import Monitors, make_pool, spent_edge
from fracas.rulesets.sr4.vocabulary import combatant_fields, named

SUSTAINING = "sustaining-spell"
"""The condition of the packs of a combatant who keeps up a spell; one for each."""


class NotTouched(Outcome, kind="sr4.not-touched"):
    """Nothing is cast, since the target could not be touched: the end for the target, and for the caster.

    Attributes:
        who: the record of one of them.
        defended: it made a defense.
        edge_spent: its points of Edge.
    """

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
    """What a direct spell did to a combatant: Force and net hits in boxes, without armor and resistance.

    Attributes:
        net: net hits; none: it was resisted.
        used: net hits that raise the damage.
        edge_spent: points of Edge of the target.
    """

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
        if self.knockdown:
            yield Effect("add-condition", plan.who, "prone")


def condition_and_field(facts: Mapping[str, Any]) -> tuple[str, str]:
    """The condition of the packs that a spell puts on a combatant, and the field that this changes; "" for none.

    Raises:
        InputError: the spell raises an attribute, and nobody says which.
    """
    does = facts.get("spell.does", "")
    if does != ATTRIBUTE:
        return DOES.get(does, ("", ""))
    require(facts, [("attribute", "the attribute that it raises")])
    return f"increased-{facts['attribute']}", facts["attribute"]


class Aid(Part, kind="sr4.spell-aid"):
    """What a spell does that is no attack.

    Attributes:
        who: the record that it is cast on.
        threshold: hits that it takes.
        does: see `DOES`; "" for what people see to.
        condition: slug that it puts on a combatant; "" for none.
        steps: what the condition sets its field to, by hits: at `threshold`, one more, and so on; the last one stays.
            Empty: as many as hits.
        field: the field that the condition sets, or of an attribute adds to.
        sustained: the caster keeps it up.
        monitors: of the patient, to be healed.
    """

    who: str
    threshold: int
    does: str
    condition: str
    field: str
    steps: tuple[int, ...]
    sustained: bool
    monitors: Monitors | None

    @classmethod
    def of(cls, it: Attempt) -> Aid:
        """What a spell will do that is no attack; Increase Reflexes by hits, as the packs say (section 4.5).

        Raises:
            InputError: see `condition_and_field`.
        """
        facts, does, steps = it.facts, it.facts.get("spell.does", ""), tuple[int, ...]()
        condition, field = condition_and_field(facts)
        threshold = facts.get("spell.threshold", 1)
        if does == REFLEXES:
            rows = rows_of(it.lookup, "increase-reflexes").items()
            passes = {int(name.removeprefix("hits-")): int(row["passes"]) for name, row in rows}
            threshold = min(passes)
            steps = tuple(passes.get(hits, 0) for hits in range(threshold, max(passes) + 1))
        monitors = Monitors.of(facts, "target", it.options) if does == HEAL else None
        who = "target" if has_record(it.request.input.facts, "target") else CASTER
        lasts = bool(facts.get("spell.sustained"))
        return cls(who, threshold, does, condition, field, steps, lasts, monitors)


class AidEnd(Outcome, kind="sr4.spell-aid-end"):
    """What came of a spell that is no attack."""

    aid: Aid
    hits: int

    @property
    def success(self) -> bool:
        return self.hits >= self.aid.threshold

    @property
    def strength(self) -> int:
        """What the spell's condition sets its field to."""
        steps, over = self.aid.steps, self.hits - self.aid.threshold
        if not self.success:
            return 0
        return steps[min(over, len(steps) - 1)] if steps else self.hits

    @property
    def boxes(self) -> int:
        """Physical boxes that are healed."""
        monitors = self.aid.monitors
        return min(self.hits, monitors.physical) if monitors is not None and self.aid.does == HEAL else 0

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success, "hits": self.hits}
        if self.aid.does == HEAL:
            facts["healed"] = self.boxes
        elif self.aid.field:
            facts["raised" if self.aid.does == ATTRIBUTE else self.aid.field] = self.strength
        return facts

    def changes(self) -> Iterator[Effect]:
        aid = self.aid
        if not self.success:
            return
        if aid.monitors is not None and self.boxes:
            yield from healed(aid.who, aid.monitors, self.boxes, 0)
        if aid.condition:
            how = "add" if aid.does == ATTRIBUTE else "set"
            detail = ((f"{how}_{aid.field}", self.strength), ("towards", CASTER))
            yield Effect("add-condition", aid.who, aid.condition, None, detail)
        if aid.sustained:
            yield Effect("add-condition", CASTER, SUSTAINING)


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
        *(person(who, named(who), "One that the magician protects.") for who in ALLIES),
        combatant_fields("caster"),
        fields("caster", **foci("counterspelling", "power")),
        fields(*ALLIES, name=text("Name", most=80, example="Rook")),
    )
    targets: Mapping[str, str] = {DICE: "Dice of counterspelling"}
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
        fields("spell", name=text("Name", most=80), does=choice("What it does", choices=tuple(DOES))),
        fields("", attribute=RAISED_ATTRIBUTE),
    )
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
