"""Staunching bleeding, and healing injuries in the middle of a fight (rulebook section 9).

The figures of staunching stand in the table ``staunching``. Of healing no figures are published: those of the table
``healing`` and of the modifiers are our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, whole
from fracas.kernel.forms import Continuation, Outcome
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import lacks
from fracas.kernel.stage import Effect, Facts, Shared, Stage, share
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.vocabulary import Catalog, Field, Record, Vocabulary
from fracas.rulesets.imperium.checks.abilities import (
    fields_named,
    merged_halvings,
    merging_fields,
    with_grants,
)
from fracas.rulesets.imperium.checks.percentile import Percentile, matched
from fracas.rulesets.imperium.checks.single_test import number_of_test, tested
from fracas.rulesets.imperium.harms.body import (
    Rows,
    by_location,
    conscious_field,
    injury_rows,
    injury_value,
    rounded_up,
    suffering_field,
)
from fracas.rulesets.imperium.harms.harm import (
    SUFFERING,
    begins_to_suffer,
    bleeding_track,
    lasting_injuries,
    level_track,
)
from fracas.rulesets.imperium.vocabulary import GRANTS, LOCATIONS

HEALER, PATIENT = "healer", "patient"
STAUNCH, HEAL = "staunch.chance", "heal.chance"
_RECORDS = (
    Record(HEALER, "Who helps", "combatant", "Those who care for themselves are alone here."),
    Record(PATIENT, "Patient", "combatant", "Left out: the helper is the patient.", True),
    Record("action", "The action"),
)


def location_field(path: str) -> Field:
    """Which location is cared for."""
    return Field(path, "choice", "Location", "Left out: the only one in question.", choices=LOCATIONS)


STAUNCHING = Vocabulary(
    (*_RECORDS, Record("staunching", "How it is done")),
    (
        *fields_named(HEALER, "name", "toughness", "bleeding", "injury_total"),
        *fields_named(PATIENT, "name", "toughness", "bleeding", "injury_total"),
        suffering_field(HEALER),
        suffering_field(PATIENT),
        conscious_field(HEALER),
        conscious_field(PATIENT),
        *merging_fields(),
        location_field("staunching.location"),
        *fields(
            "staunching",
            sterile=flag("Sterile dressings", "What is not sterile may fester."),
            bleedings=whole("Bleeding injuries of the location", derived_from=f"{PATIENT}.bleeding"),
        ),
    ),
)
HEALING = Vocabulary(
    (*_RECORDS, Record("healing", "How it is done")),
    (
        *fields_named(HEALER, "name", "sagacity", "traits", "grants", "injuries"),
        *fields_named(PATIENT, "name", "injuries"),
        suffering_field(HEALER),
        suffering_field(PATIENT),
        *merging_fields(),
        location_field("healing.location"),
        *fields(
            "healing",
            equipment=flag("Proper equipment"),
            gm_allows=flag("Allowed without training", "By the GM. Left out: is not allowed."),
            level=whole("Injury level", "Of the location.", derived_from=f"{PATIENT}.injuries"),
        ),
    ),
)


class StaunchProcedure(Procedure):
    """One attempt to staunch the bleeding of one location."""

    id = "staunch-bleeding"
    label = "Staunch bleeding"
    doc = "A Toughness test of the helper; each 10 points of margin, or part of them, stop one bleeding."
    vocabulary = STAUNCHING
    targets: Mapping[str, str] = {STAUNCH: "Chance to staunch"}
    measures = (
        chance("success", "Chance to stop any bleeding"),
        mean("stopped", "Expected bleedings stopped"),
    )

    def numbers(self, it: Attempt) -> None:
        place, bleedings = place_of(it.facts, patient_of(it.facts), "bleeding", "staunching")
        it.facts["staunching.bleedings"] = bleedings
        it.shown["location"] = place
        name = row_of(it.catalog, "other-tests", self.id)["test"]
        number_of_test(it, STAUNCH, HEALER, name, halvings=merged_halvings(it))

    def first(self, it: Attempt) -> Stage:
        who, place = patient_of(it.facts), str(it.shown["location"])
        dressing = Dressing(
            who,
            place,
            it.facts["staunching.bleedings"],
            row_of(it.catalog, "staunching", "margin-per-bleeding")["value"],
            row_of(it.catalog, "staunching", "stopped-at-margin-0")["value"],
            not it.facts.get("staunching.sterile", True),
            _suffers_from_it_alone(it.catalog, it.facts, who, place),
        )
        return tested(it, STAUNCH, HEALER, dressing)


class HealProcedure(Procedure):
    """One attempt to heal the injury of one location."""

    id = "heal-injury"
    label = "Heal an injury"
    doc = "A Sagacity test of a medic or surgeon; success heals a level. Figures are our own."
    vocabulary = HEALING
    targets: Mapping[str, str] = {HEAL: "Chance to heal"}
    measures = (chance("success", "Chance to heal"), chance("mishap", "Chance to make it worse"))

    def numbers(self, it: Attempt) -> None:
        it.facts = with_grants(it.facts, HEALER)
        it.facts.setdefault("healing.gm_allows", False)
        place, level = place_of(it.facts, patient_of(it.facts), "injuries", "healing")
        it.facts["healing.level"] = level
        it.shown["location"] = place
        name = row_of(it.catalog, "other-tests", self.id)["test"]
        number_of_test(it, HEAL, HEALER, name, halvings=merged_halvings(it))

    def first(self, it: Attempt) -> Stage:
        who, rows = patient_of(it.facts), rows_of(it.catalog, "healing")
        trained = {"medicine", "surgery"} & set(it.facts.get(f"{HEALER}.grants", GRANTS))
        treatment = Treatment(
            who,
            str(it.shown["location"]),
            min(it.facts["healing.level"], rows["levels"]["value"]),
            rows["mishap-bleedings"]["value"] * (1 if trained else rows["untrained-factor"]["value"]),
            share(injury_rows(it.catalog, 1)),
            by_location(it.facts.get(f"{who}.injuries", {})),
            bool(it.facts.get(f"{who}.suffering")),
        )
        return tested(it, HEAL, HEALER, treatment)


def patient_of(facts: Mapping[str, Any]) -> str:
    """The record of the one who is cared for: the patient, or the healer alone who cares for themselves."""
    return PATIENT if any(name.startswith(f"{PATIENT}.") for name in facts) else HEALER


def _suffers_from_it_alone(catalog: Catalog, facts: Mapping[str, Any], who: str, place: str) -> bool:
    """Whether nothing keeps a combatant suffering but the bleeding of this location: no other injury bleeds, and the
    Injury Total is not above Consciousness, or there is no consciousness to lose."""
    bleeding: Mapping[str, int] = facts.get(f"{who}.bleeding", {})
    if not facts.get(f"{who}.suffering") or any(bleeding[other] for other in bleeding if other != place):
        return False
    if not facts.get(f"{who}.conscious", True):
        return True
    if f"{who}.toughness" not in facts:
        return False
    total: int = facts.get(f"{who}.injury_total", 0)
    return total <= injury_value(catalog, facts[f"{who}.toughness"], "consciousness")


def place_of(facts: Mapping[str, Any], who: str, field: str, record: str) -> tuple[str, int]:
    """The location in question, and what its owner has there; a location that nobody names is the only one.

    Raises:
        InputError: there are several.
    """
    known: Mapping[str, int] = facts.get(f"{who}.{field}", {})
    if f"{record}.location" in facts:
        place = str(facts[f"{record}.location"])
        return place, known.get(place, 0)
    places = [place for place in LOCATIONS if known.get(place)]
    if len(places) > 1:
        raise lacks(
            f"{record}.location", f"the location: {', '.join(place.replace('-', ' ') for place in places)}"
        )
    return (places[0], known[places[0]]) if places else ("body", 0)


class Dressing(Continuation, kind="imperium.dressing"):
    """What a test to staunch stops.

    Attributes:
        who: the record of the patient.
        bleedings: of the location.
        each: points of margin for one.
        least: stopped at margin 0.
        fouls: the dressings are not sterile.
        last: when all of these are stopped, there is nothing left to suffer from.
    """

    who: str
    place: str
    bleedings: int
    each: int
    least: int
    fouls: bool
    last: bool = False

    def on_result(self, test: Percentile, face: int) -> Stage:
        if not test.passes(face):
            return StaunchEnd(self, 0)
        margin = test.margin(face)
        may_stop = rounded_up(margin, self.each) if margin else self.least
        return StaunchEnd(self, min(self.bleedings, may_stop))


class StaunchEnd(Outcome, kind="imperium.staunch-end"):
    """How many bleedings were stopped."""

    dressing: Dressing
    stopped: int

    def notes(self) -> Facts:
        return {
            "success": self.stopped > 0,
            "location": self.dressing.place,
            "stopped": self.stopped,
            "bleeding_left": self.dressing.bleedings - self.stopped,
            "may_fester": self.stopped > 0 and self.dressing.fouls,
        }

    def effects(self) -> tuple[Effect, ...]:
        if not self.stopped:
            return ()
        dressing = self.dressing
        stops = Effect("mark", dressing.who, bleeding_track(dressing.place), -self.stopped)
        if not dressing.last or self.stopped < dressing.bleedings:
            return (stops,)
        return (stops, Effect("remove-condition", dressing.who, SUFFERING))


class Treatment(Continuation, kind="imperium.treatment"):
    """What a test to heal does.

    Attributes:
        who: the record of the patient.
        levels: that success heals.
        worse: bleeding injuries that a matched failure adds.
        rows: the table of injuries, for what they leave for longer.
        injuries: levels by location, before.
        suffering: see `Body`.
    """

    who: str
    place: str
    levels: int
    worse: int
    rows: Shared[Rows]
    injuries: tuple[int, ...]
    suffering: bool

    def on_result(self, test: Percentile, face: int) -> Stage:
        passed = test.passes(face)
        return HealEnd(self, passed, not passed and matched(face))


class HealEnd(Outcome, kind="imperium.heal-end"):
    """Whether an injury was healed, or made worse."""

    treatment: Treatment
    success: bool
    mishap: bool

    @property
    def _after(self) -> tuple[int, ...]:
        healed = self.treatment.levels if self.success else 0
        return tuple(
            level - healed if place == self.treatment.place else level
            for place, level in zip(LOCATIONS, self.treatment.injuries, strict=True)
        )

    def notes(self) -> Facts:
        place = self.treatment.place
        return {
            "success": self.success,
            "location": place,
            "level": self._after[LOCATIONS.index(place)],
            "mishap": self.mishap,
            "bleeding": self.treatment.worse if self.mishap else 0,
        }

    def changes(self) -> Iterator[Effect]:
        treatment = self.treatment
        if self.success:
            yield Effect("mark", treatment.who, level_track(treatment.place), -treatment.levels)
            rows, before = treatment.rows.value, treatment.injuries
            yield from lasting_injuries(treatment.who, rows, before, self._after)
        if self.mishap:
            yield Effect("mark", treatment.who, bleeding_track(treatment.place), treatment.worse)
            if not treatment.suffering:
                yield from begins_to_suffer(treatment.who)
