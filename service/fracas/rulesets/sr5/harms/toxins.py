"""Toxins and gas: one test of resistance, and what is left of the Power (rulebook section 11.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.kernel.tables import row_of, source_of
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.damage import hurt, marks
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import FLOOR, Receiver, spent_edge
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries

POWER, RESIST = "toxin.power", "toxin-resistance.pool"
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
                "Protection against toxins", "Dice of gear, ware and powers.", most=30, unit="dice"
            ),
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
            it.tally(RESIST, *pool, least=0, floor=FLOOR)

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


class Poisoned(Receiver, kind="sr5.poisoned"):
    """Takes the test: each hit lowers the Power."""

    power: int
    does: tuple[str, ...]
    willpower: int
    reaction: int
    monitors: Monitors | None
    reports = ("power",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return ToxinEnd(max(0, self.power - hits), self, spent[0])

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return self.power - hits


class ToxinEnd(Outcome, kind="sr5.toxin-end"):
    """What a toxin does with the Power that is left."""

    left: int
    poison: Poisoned
    spent: int

    @property
    def track(self) -> str:
        return next((name for name in ("physical", "stun") if name in self.poison.does), "")

    def notes(self) -> Facts:
        boxes = self.left if self.track else 0
        after = hurt(self.poison.monitors, boxes, self.track)
        return {"power_left": self.left, "damage": boxes, "track": self.track or None, **after}

    def changes(self) -> Iterator[Effect]:
        poison = self.poison
        yield from spent_edge(("target", self.spent))
        if not self.left:
            return
        if self.track:
            yield from marks("target", poison.monitors, self.left, self.track)
        if "disorientation" in poison.does:
            yield Effect("add-condition", "target", "disoriented")
        if "nausea" in poison.does:
            if self.left > poison.willpower:
                time = (("length", _TURNS), ("unit", "turn"))
                yield Effect("add-condition", "target", "retching", None, time)
            else:
                yield Effect("add-condition", "target", "nauseous")
        if "paralysis" in poison.does:
            yield Effect(
                "add-condition", "target", "paralyzed" if self.left > poison.reaction else "disoriented"
            )
