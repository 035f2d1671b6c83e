"""Long-term recovery, week by week (rulebook section 9). The figures stand in the table ``long-term-recovery``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel.fields import fields, flag, whole
from fracas.kernel.forms import Continuation, Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Roll, Shared, Stage, share
from fracas.kernel.tables import Row, rows_of
from fracas.kernel.vocabulary import Record, Vocabulary
from fracas.rulesets.imperium.checks.abilities import allows, fields_named, with_grants
from fracas.rulesets.imperium.checks.faults import dice_of
from fracas.rulesets.imperium.checks.percentile import Percentile
from fracas.rulesets.imperium.checks.single_test import number_of_test, tested
from fracas.rulesets.imperium.harms.body import HIGHEST, Rows, by_location, injury_rows, part_of_body
from fracas.rulesets.imperium.harms.care import location_field, place_of
from fracas.rulesets.imperium.harms.harm import lasting_injuries, level_track
from fracas.rulesets.imperium.vocabulary import LOCATIONS

PATIENT = "patient"
CHANCE = "recovery.chance"
TABLE = "long-term-recovery"
RECOVERY = Vocabulary(
    (
        Record(PATIENT, "Patient", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("recovery", "The recovery"),
    ),
    (
        *fields_named(PATIENT, "name", "toughness", "traits", "grants", "injuries"),
        location_field("recovery.location"),
        *fields(
            "recovery",
            bionic=flag("Bionic", "Replaces what is crippled. Left out: none."),
            level=whole("Injury level", "Of the location.", derived_from=f"{PATIENT}.injuries"),
        ),
    ),
)


class RecoveryProcedure(Procedure):
    """What time does to one injury: a week for most, the whole absence for a crippled location."""

    id = "recovery"
    label = "Long-term recovery"
    doc = "A crippled location takes weeks and heals in part; of others a Toughness test heals a level each week."
    vocabulary = RECOVERY
    targets: Mapping[str, str] = {CHANCE: "Chance to recover in a week"}
    measures = (mean("weeks", "Expected weeks"), mean("level", "Expected injury level afterwards"))

    def numbers(self, it: Attempt) -> None:
        it.facts = with_grants(it.facts, PATIENT)
        place, level = place_of(it.facts, PATIENT, "injuries", "recovery")
        it.facts["recovery.level"] = level
        it.shown["location"] = place
        if level < HIGHEST:
            number_of_test(it, CHANCE, PATIENT, "toughness")
        else:
            it.need(f"{PATIENT}.toughness", "the Toughness")

    def first(self, it: Attempt) -> Stage:
        place, table = str(it.shown["location"]), rows_of(it.catalog, TABLE)
        injury = Mending(
            place,
            share(injury_rows(it.catalog, 1)),
            by_location(it.facts.get(f"{PATIENT}.injuries", {})),
            min(it.facts["recovery.level"], table["acute-or-less"]["healed"]),
        )
        if CHANCE in it.made:
            return tested(it, CHANCE, PATIENT, injury)
        kept = table["crippled-limb" if part_of_body(place) in ("leg", "arm") else "crippled-other"]
        after = kept["with_bionic" if it.facts.get("recovery.bionic") else "level"]
        return Absence(injury, after, _weeks(it.facts, table))


def _weeks(facts: Mapping[str, Any], table: Mapping[str, Row]) -> Total:
    """The weeks that a crippled location takes; fewer for the tough and for those who regenerate."""
    sooner = table["crippled-tough-or-regenerating"]
    tough = facts[f"{PATIENT}.toughness"] > sooner["toughness_above"]
    row = sooner if tough or allows(facts, PATIENT, "regeneration") else table["crippled"]
    found = dice_of(str(row["weeks"]))
    if found is None:
        message = f"the table {TABLE!r} has no dice in {row['weeks']!r}"
        raise InputError.one("situation", "bad-dice", message)
    return Total(found.dice, found.plus)


class Mending(Continuation, kind="imperium.mending"):
    """An injury that heals with time.

    Attributes:
        rows: the table of injuries, for what they leave for longer.
        injuries: levels by location, before.
        healed: levels that a passed weekly test heals.
    """

    place: str
    rows: Shared[Rows]
    injuries: tuple[int, ...]
    healed: int

    @property
    def level(self) -> int:
        return self.injuries[LOCATIONS.index(self.place)]

    def on_result(self, test: Percentile, face: int) -> Stage:
        passed = test.passes(face)
        return RecoveryEnd(self, 1, self.level - self.healed if passed else self.level, passed)


class Absence(Waiting, kind="imperium.absence"):
    """Waits for the weeks that a crippled location takes; `after`: its level then."""

    injury: Mending
    after: int
    dice: Total

    @property
    def awaits(self) -> Awaited:
        return Roll(("weeks",), (PATIENT,), self.dice)

    def advance(self, answer: Any) -> Stage:
        return RecoveryEnd(self.injury, max(0, answer), self.after, None)


class RecoveryEnd(Outcome, kind="imperium.recovery-end"):
    """How an injury recovered.

    Attributes:
        weeks: it took so many.
        level: afterwards.
        success: of the weekly test; None where there was none.
    """

    injury: Mending
    weeks: int
    level: int
    success: bool | None

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {
            "location": self.injury.place,
            "weeks": self.weeks,
            "level": self.level,
            "healed": self.injury.level - self.level,
        }
        return facts if self.success is None else facts | {"success": self.success}

    def changes(self) -> Iterator[Effect]:
        injury = self.injury
        if self.level == injury.level:
            return
        yield Effect("mark", PATIENT, level_track(injury.place), self.level - injury.level)
        at = LOCATIONS.index(injury.place)
        after = (*injury.injuries[:at], self.level, *injury.injuries[at + 1 :])
        yield from lasting_injuries(PATIENT, injury.rows.value, injury.injuries, after)
