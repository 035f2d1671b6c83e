"""Care for the wounded, drugs, and toxins: rulebook sections 3.2, 8.6, 11.8 and 11.10.

What a drug changes stands with the drug in the packs; the condition that it brings has the changes from there. Its
initiative dice give no bonus actions. A toxin is one test of resistance, and what is left of its Power.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.monitors import DYING, STABILIZED, mended
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record, lacks, require
from fracas.kernel.stage import Effect, Fact, Facts, Stage, lasting
from fracas.kernel.steps import ended
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Record
from fracas.rulesets.sr5.combatant import TEST_POOL, combatant_fields
from fracas.rulesets.sr5.harms.damage import healed, hurt, marks
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries, derive_side, pool_entries

SKILL, POOL = "first-aid", "first-aid.pool"


class FirstAid(dice_test.TestingProcedure):
    """First Aid + Logic with a medkit, against a threshold; hits above it heal boxes, up to the skill."""

    vocabulary = vocabulary(
        Record("tester", "Who helps", "combatant"),
        Record("patient", "Patient", "combatant"),
        combatant_fields(
            "tester",
            pool=TEST_POOL,
            specialized=flag("Specialized"),
            medkit=flag("Medkit", "First aid needs one."),
        ),
        combatant_fields("patient"),
        fields(
            "",
            track=choice("Which wounds first", "Physical ones unless given.", choices=("physical", "stun")),
            stabilize=flag("Stabilize", "To keep a dying patient alive, in place of healing boxes."),
            minutes=whole("Minutes since the wounds", "Within an hour.", most=100_000, example=5),
        ),
    )
    targets: Mapping[str, str] = {POOL: "First aid pool"}
    measures = (chance("success", "Chance of success"), mean("boxes", "Expected boxes healed"))

    def numbers(self, it: Attempt) -> None:
        it.facts = facts = {"stabilize": False, **it.facts}
        with it.faults.collect():
            names = ("body", "willpower", "physical", "stun")
            require(facts, ((f"patient.{name}", f"{name.capitalize()} of the patient") for name in names))
            for who in ("tester", "patient"):
                derive_side(facts, who)
            dice_test.make_pool(it, POOL, *pool_entries(facts, "tester", ("logic",), SKILL))

    def first(self, it: Attempt) -> Stage:
        facts, monitors = it.facts, Monitors.of(it.facts, "patient")
        assert monitors is not None, "what it needs is there"
        threshold = row_of(it.lookup, "first-aid", "threshold")["value"]
        skills = facts.get("tester.skills")
        most = -1 if skills is None else skills.get(SKILL, 0)
        care = Care(monitors, facts.get("track", "physical"), threshold, most, facts["stabilize"])
        return dice_test.alone(it, "first_aid", "tester", POOL, care)


class Care(dice_test.Receiver, kind="sr5.care"):
    """Takes the hits.

    Attributes:
        track: whose boxes are healed first; then the other's.
        most: boxes at most; -1 for no limit.
        stabilizes: the dying are kept alive; no box is healed.
    """

    monitors: Monitors
    track: str
    threshold: int
    most: int
    stabilizes: bool
    reports = ("threshold",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        filled, success, (physical, stun) = self.monitors, hits >= self.threshold, self.healed(hits)
        now = filled._replace(physical=filled.physical - physical, stun=filled.stun - stun).now()
        stabilized = self.stabilizes and success and filled.now().dying
        facts: dict[str, Fact] = {"success": success, "hits": hits, "boxes": physical + stun}
        facts |= {"physical_after": now.physical, "stun_after": now.stun, "unconscious": now.unconscious}
        facts["dying"] = now.dying and not filled.stabilized and not stabilized
        facts |= {"stabilized": stabilized} if self.stabilizes else {}
        effects = [*dice_test.spent_edge(("tester", spent[0])), *healed("patient", filled, physical, stun)]
        if stabilized:
            effects.append(Effect("add-condition", "patient", STABILIZED))
            effects.append(Effect("remove-condition", "patient", DYING))
        return ended(facts, *effects)

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return self.threshold + (0 if self.stabilizes else 1) - hits

    def healed(self, hits: int) -> tuple[int, int]:
        """The Physical and Stun boxes that so many hits heal."""
        boxes = 0 if self.stabilizes else max(0, hits - self.threshold)
        boxes = boxes if self.most < 0 else min(boxes, self.most)
        return mended(boxes, (self.monitors.physical, self.monitors.stun), self.track)


TAKER = "taker"
_WHILE = {"bliss-by-the-book": ("bliss_reaction", "book"), "bliss-by-the-data": ("bliss_reaction", "data")}
"""Changes that only count by a house rule: the option, and what must be chosen."""


class TakeDrug(Procedure):
    """What a drug changes, and how long it lasts."""

    label = "Take a drug"
    vocabulary = vocabulary(
        person(TAKER, "Who takes it"),
        Record("drug", "Drug", "drug", "A drug of the packs."),
        combatant_fields(TAKER),
        fields("drug", name=text("Name", most=80)),
    )
    measures = (mean("length", "Expected duration"),)

    def numbers(self, it: Attempt) -> None:
        entry = it.request.entry("drug")
        if entry is None:
            raise lacks("drug.use" if has_record(it.facts, "drug") else "drug", "a drug of the packs")
        dose = Dose(entry.slug, tuple(_details(it, entry.data.get("changes", ()))))
        with it.faults.collect():
            it.plan = _lasting(it.facts, dose, entry.data.get("duration"))

    def first(self, it: Attempt) -> Stage:
        return cast(Stage, it.plan)


def _details(it: Attempt, changes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
    """What the condition adds and sets; the boxes that pain takes nothing for are those of the drug if it has more."""
    for change in changes:
        option, chosen = _WHILE.get(str(change.get("while", "")), ("", None))
        if option and it.options.get(option) != chosen:
            continue
        stat = str(change["stat"])
        if "add" in change:
            yield f"add_{stat}", int(change["add"])
        else:
            yield f"set_{stat}", max(int(change["at_least"]), it.facts.get(f"{TAKER}.{stat}", 0))


def _lasting(facts: Mapping[str, Any], dose: Dose, duration: Mapping[str, Any] | None) -> Stage:
    """How long it works: a count less an attribute, or dice; for a time that nobody knows where the packs say none.

    Raises:
        InputError: the attribute is not given.
    """
    if duration is None:
        return dose
    dose = dose._replace(unit=str(duration["unit"]))
    if "dice" in duration:
        count, _, sides = str(duration["dice"]).partition("d")
        return DoseTime(dose, int(count), int(sides), int(duration.get("times", 1)))
    less = duration.get("less")
    if less and f"{TAKER}.{less}" not in facts:
        raise lacks(f"{TAKER}.{less}", f"{str(less).capitalize()}, for the duration")
    return dose._replace(length=max(0, int(duration["count"]) - (facts[f"{TAKER}.{less}"] if less else 0)))


class DoseTime(Waiting, kind="sr5.dose-time"):
    """Waits for the dice of a duration, which are added and multiplied."""

    dose: Dose
    dice: int
    sides: int
    times: int
    awaits = rolls("duration", TAKER, lambda self: Total(((self.dice, self.sides),)))

    def advance(self, answer: int) -> Stage:
        return self.dose._replace(length=answer * self.times)


class Dose(Outcome, kind="sr5.dose"):
    """What a drug does to the one who took it.

    Attributes:
        drug: its slug.
        alters: details of the condition: ``add_`` and ``set_`` with a field of the sheet.
        length, unit: how long it works; 0 and "" where the packs do not say, 0 of a unit for not at all.
    """

    drug: str
    alters: tuple[tuple[str, int], ...]
    length: int = 0
    unit: str = ""

    def notes(self) -> Facts:
        return {"drug": self.drug, "length": self.length, "unit": self.unit or None}

    def changes(self) -> Iterator[Effect]:
        if self.length or not self.unit:
            yield lasting(TAKER, f"on-{self.drug}", self.unit, self.length, *self.alters)


POWER, RESIST = "toxin.power", "toxin-resistance.pool"
_BREATHED = "inhalation"
"""How a toxin of the packs works that works in no other way."""
_TURNS = 3
"""For which nausea takes out those whose Willpower it exceeds."""


class ResistToxin(dice_test.TestingProcedure):
    """Body + Willpower + protection against the Power; what is left does what the toxin does."""

    label = "Resist a toxin"
    vocabulary = vocabulary(
        person("target", "Who is exposed"),
        combatant_fields(
            "target",
            toxin_protection=whole(
                "Toxin protection", "Dice of gear, ware and powers.", most=30, unit="dice"
            ),
            holds_breath=flag("Holds the breath"),
        ),
        fields(
            "",
            toxin=text("Toxin", "A row of the packs' table.", most=60, example="neuro-stun-x"),
            power=whole("Power", "In place of that of the table, such as of a venom.", 1, 60),
            doses=whole("Further doses", "Or intervals of exposure: each adds 1 to the Power.", most=30),
        ),
    )
    targets: Mapping[str, str] = {POWER: "Power", RESIST: "Resistance pool"}
    measures = (mean("power_left", "Expected Power left"), mean("damage", "Expected boxes"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        with it.faults.collect():
            require(facts, [("toxin", "a toxin of the packs")])
            row = it.plan = row_of(it.lookup, "toxins", facts["toxin"])
            source = "" if "power" in facts else source_of(it.lookup, "toxins")
            base = [Entry("toxin", "Toxin", facts.get("power", row.get("power", 0)), source=source)]
            base += [Entry("doses", "Further doses", facts["doses"])] if facts.get("doses") else []
            it.tally(POWER, *base, least=0, floor="A Power never falls below 0")
            pool = attribute_entries(facts, "target", ("body", "willpower"))
            if protection := facts.get("target.toxin_protection"):
                pool.append(Entry("protection", "Protection", protection))
                if penetration := row.get("penetration"):
                    pool.append(Entry("penetration", "Penetration", max(-protection, penetration)))
            dice_test.make_pool(it, RESIST, *pool)
            if facts.get("target.holds_breath") and row["vector"] == _BREATHED:
                it.refused.append(
                    Refusal("holds_breath", "The breath is held, and nothing else takes the toxin in")
                )

    def first(self, it: Attempt) -> Stage:
        facts, row = it.facts, it.plan
        effects = str(row["effect"]).split(", ")
        poison = Poisoned(
            it.total(POWER),
            tuple(effects),
            facts.get("target.willpower", 0),
            facts.get("target.reaction", 0),
            Monitors.of(facts, "target"),
        )
        return dice_test.alone(it, "toxin", "target", RESIST, poison)


class Poisoned(dice_test.Receiver, kind="sr5.poisoned"):
    """Takes the test: each hit lowers the Power."""

    power: int
    does: tuple[str, ...]
    willpower: int
    reaction: int
    monitors: Monitors | None
    lowers = "power"
    reports = ("power",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        left = max(0, self.power - hits)
        track = next((name for name in ("physical", "stun") if name in self.does), "")
        boxes = left if track else 0
        facts: dict[str, Fact] = {"power_left": left, "damage": boxes, "track": track or None}
        facts |= hurt(self.monitors, boxes, track)
        brings = self._brings(left, track) if left else ()
        return ended(facts, *dice_test.spent_edge(("target", spent[0])), *brings)

    def _brings(self, left: int, track: str) -> Iterator[Effect]:
        """What it does with the Power that is left."""
        yield from marks("target", self.monitors, left, track) if track else ()
        if "disorientation" in self.does:
            yield Effect("add-condition", "target", "disoriented")
        if "nausea" in self.does and left > self.willpower:
            time = (("length", _TURNS), ("unit", "turn"))
            yield Effect("add-condition", "target", "retching", None, time)
        elif "nausea" in self.does:
            yield Effect("add-condition", "target", "nauseous")
        if "paralysis" in self.does:
            yield Effect("add-condition", "target", "paralyzed" if left > self.reaction else "disoriented")
