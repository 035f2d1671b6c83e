"""Drugs: what a dose does, how long, and what it leaves: rulebook section 32.4.

What a drug does meanwhile is data: conditions of the packs.
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.dice.totals import Total
from fracas.kernel.fields import entries, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Effect, Facts, Shared, Stage, lasting, share
from fracas.kernel.steps import Throw
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr4.harms.harm import marks
from fracas.rulesets.sr4.sheet import Monitors
from fracas.rulesets.sr4.vocabulary import combatant_fields

CRASH = "drug-crash"
"""The action of a drug whose time is over."""
TURNS_OF_A_MINUTE = 20
HOUR = 60


class TakeDrug(Procedure):
    """A dose brings its conditions for a time; when it is over the crash comes, whose damage nobody resists."""

    label = "Take a drug"
    vocabulary = vocabulary(
        person("target", "Who takes it"),
        Record("drug", "Drug", "drug", "A drug of the packs, or fields of one, or both."),
        combatant_fields("target"),
        fields(
            "drug",
            name=text("Name", most=80),
            minutes_a_die=whole(
                "Minutes for each point of a die", "0 where no die is thrown.", most=1000, unit="minutes"
            ),
            hours_less_body=whole("Hours less the Body", "An hour at least.", most=100, unit="hours"),
            hours=whole("Hours", most=1000, unit="hours"),
            brings=entries("Conditions", "While it lasts.", entry_kind="condition"),
            crash_brings=entries("Conditions of the crash", "For the same time.", entry_kind="condition"),
            crash_stun=whole("Stun of the crash", "Not resisted.", most=50, unit="boxes"),
        ),
        fields(
            "",
            worn_off=flag("Its time is over", "The crash comes."),
            minutes=whole("Minutes", "How long it has lasted, for the crash.", most=100_000, unit="minutes"),
        ),
    )
    measures = (mean("minutes", "Expected minutes"), mean("damage", "Expected boxes of the crash"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        entry = it.request.entry("drug")
        if entry is None and not any(name.startswith("drug.") for name in facts):
            it.faults.need("drug", "a drug of the packs, or what it does")
        if "drug.hours_less_body" in facts and not facts.get("worn_off"):
            it.need("target.body", "Body of the one who takes it")
        over = bool(facts.get("worn_off"))
        brings = facts.get("drug.crash_brings" if over else "drug.brings", ())
        it.plan = Dose(
            entry.slug if entry is not None else "",
            tuple(one.slug for one in brings),
            facts.get("drug.crash_stun", 0),
            bool(facts.get("drug.crash_brings") or facts.get("drug.crash_stun")),
            Monitors.of(facts, "target", it.options),
        )

    def first(self, it: Attempt) -> Stage:
        facts, dose = it.facts, share(it.plan)
        if facts.get("worn_off"):
            return Crashed(dose, facts.get("minutes", 0))
        if each := facts.get("drug.minutes_a_die"):
            return Throw("duration", "target", Total(((1, 6),)), Lasting(dose, each))
        hours = facts.get("drug.hours", 0)
        if "drug.hours_less_body" in facts:
            hours = max(1, facts["drug.hours_less_body"] - facts["target.body"])
        return Taken(dose, hours * HOUR)


class Dose(Part, kind="sr4.dose"):
    """A dose of a drug, or its crash.

    Attributes:
        drug: its slug; "" where it is described.
        brings: slugs of conditions.
        stun: boxes of the crash.
        crashes: something comes when it is over.
    """

    drug: str
    brings: tuple[str, ...]
    stun: int
    crashes: bool
    monitors: Monitors | None


class Lasting(Continuation, kind="sr4.drug-lasting"):
    """Takes the die of how long it lasts; `each`: minutes for each point."""

    dose: Shared[Dose]
    each: int

    def on_result(self, answer: int) -> Stage:
        return Taken(self.dose, answer * self.each)


class Taken(Outcome, kind="sr4.drug-taken"):
    """A dose works for so many minutes."""

    dose: Shared[Dose]
    minutes: int

    def notes(self) -> Facts:
        return {"minutes": self.minutes}

    def changes(self) -> Iterator[Effect]:
        dose = self.dose.value
        for condition in dose.brings:
            yield lasting("target", condition, "minute", self.minutes)
        if dose.crashes and dose.drug:
            when = (("when", "turn-end"), ("turns", self.minutes * TURNS_OF_A_MINUTE))
            given = (("set_drug.use", dose.drug), ("set_minutes", self.minutes))
            yield Effect("schedule", "target", CRASH, None, (*when, *given))


class Crashed(Outcome, kind="sr4.drug-crashed"):
    """The time of a drug is over."""

    dose: Shared[Dose]
    minutes: int

    def notes(self) -> Facts:
        return {"damage": self.dose.value.stun, "track": "stun", "minutes": self.minutes}

    def changes(self) -> Iterator[Effect]:
        dose = self.dose.value
        for condition in dose.brings:
            yield lasting("target", condition, "minute", self.minutes)
        yield from marks("target", dose.monitors, dose.stun, "stun")
