"""Staunching bleeding, healing injuries in the middle of a fight, and long-term recovery (rulebook section 9).

The figures stand in the tables ``staunching``, ``healing`` and ``long-term-recovery``. Of healing no figures are
published: those of its table and of the modifiers are our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel import percentiles
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Continuation, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record, lacks
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.steps import ended
from fracas.kernel.tables import Row, row_of, rows_of
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Percentile
from fracas.rulesets.imperium.harms import bodies
from fracas.rulesets.imperium.harms.bodies import Rows
from fracas.rulesets.imperium.harms.injury import SUFFERING, at_level, begins_to_suffer, bleeding_track
from fracas.rulesets.imperium.vocabulary import GRANTS, LOCATIONS, MERGING, allows, fields_named, with_grants

HEALER, PATIENT = "healer", "patient"
STAUNCH, HEAL, RECOVER = "staunch.chance", "heal.chance", "recovery.chance"
RECOVERING = "long-term-recovery"
"""The table of recovery."""
_SIDES = (
    person(HEALER, "Who helps", "Those who care for themselves are alone here."),
    person(PATIENT, "Patient", "Left out: the helper is the patient.", optional=True),
    Record("action", "The action"),
)
_LOCATION = choice("Location", "Left out: the only one in question.", choices=LOCATIONS)
_LEVEL = whole("Injury level", "Of the location.", derived_from=f"{PATIENT}.injuries")


class CareProcedure(Procedure):
    """Care for one location, which may name it.

    Attributes:
        record: of how it is done.
        cares_for: the patient's numbers by location.
        counts: the field of the record for the number of the location.
    """

    record: str
    cares_for = "injuries"
    counts = "level"

    def numbers(self, it: Attempt) -> None:
        it.facts = with_grants(it.facts, HEALER)
        self.locate(it, patient_of(it.facts))
        name = row_of(it.lookup, "other-tests", self.id)["test"]
        halvings = percentile.merged_halvings(it)
        percentile.number_of_test(it, next(iter(self.targets)), HEALER, name, halvings=halvings)

    def locate(self, it: Attempt, who: str) -> int:
        """The number of the location in question; one that nobody names is the only one.

        Raises:
            InputError: there are several.
        """
        known: Mapping[str, int] = it.facts.get(f"{who}.{self.cares_for}", {})
        given: str | None = it.facts.get(f"{self.record}.location")
        places = [given] if given else [place for place in LOCATIONS if known.get(place)] or ["body"]
        if len(places) > 1:
            named = ", ".join(place.replace("-", " ") for place in places)
            raise lacks(f"{self.record}.location", f"the location: {named}")
        it.shown["location"] = places[0]
        found = it.facts[f"{self.record}.{self.counts}"] = known.get(places[0], 0)
        return found


class StaunchBleeding(CareProcedure):
    """A test of the helper's Toughness; the margin decides how many injuries stop bleeding."""

    vocabulary = vocabulary(
        *_SIDES,
        Record("staunching", "How it is done"),
        fields_named(HEALER, "name", "toughness", "bleeding", "injury_total"),
        fields_named(PATIENT, "name", "toughness", "bleeding", "injury_total"),
        fields(HEALER, PATIENT, suffering=bodies.SUFFERS, conscious=bodies.CONSCIOUS),
        MERGING,
        fields(
            "staunching",
            location=_LOCATION,
            sterile=flag("Sterile dressings", "What is not sterile may fester."),
            bleedings=whole("Bleeding injuries of the location", derived_from=f"{PATIENT}.bleeding"),
        ),
    )
    record, cares_for, counts = "staunching", "bleeding", "bleedings"
    targets: Mapping[str, str] = {STAUNCH: "Chance to staunch"}
    measures = chance("success", "Chance to stop any bleeding"), mean("stopped", "Expected bleedings stopped")

    def first(self, it: Attempt) -> Stage:
        who, place, rows = patient_of(it.facts), str(it.shown["location"]), rows_of(it.lookup, "staunching")
        each, least = (rows[name]["value"] for name in ("margin-per-bleeding", "stopped-at-margin-0"))
        fouls, alone = not it.facts.get("staunching.sterile", True), _suffers_from_it_alone(it, who, place)
        dressing = Dressing(who, place, it.facts["staunching.bleedings"], each, least, fouls, alone)
        return percentile.tested(it, STAUNCH, HEALER, dressing)


class HealInjury(CareProcedure):
    """A test of the healer's Sagacity; a success heals a level. All figures are ours."""

    label = "Heal an injury"
    vocabulary = vocabulary(
        *_SIDES,
        Record("healing", "How it is done"),
        fields_named(HEALER, "name", "sagacity", "traits", "grants", "injuries"),
        fields_named(PATIENT, "name", "injuries"),
        fields(HEALER, PATIENT, suffering=bodies.SUFFERS),
        MERGING,
        fields(
            "healing",
            location=_LOCATION,
            equipment=flag("Proper equipment"),
            gm_allows=flag("Allowed without training", "By the GM. Left out: is not allowed."),
            level=_LEVEL,
        ),
    )
    record = "healing"
    targets: Mapping[str, str] = {HEAL: "Chance to heal"}
    measures = (chance("success", "Chance to heal"), chance("mishap", "Chance to make it worse"))

    def numbers(self, it: Attempt) -> None:
        it.facts.setdefault("healing.gm_allows", False)
        super().numbers(it)

    def first(self, it: Attempt) -> Stage:
        who, rows = patient_of(it.facts), rows_of(it.lookup, "healing")
        trained = {"medicine", "surgery"} & set(it.facts.get(f"{HEALER}.grants", GRANTS))
        levels = min(it.facts["healing.level"], rows["levels"]["value"])
        worse = rows["mishap-bleedings"]["value"] * (1 if trained else rows["untrained-factor"]["value"])
        suffers = bool(it.facts.get(f"{who}.suffering"))
        treatment = Treatment(who, str(it.shown["location"]), levels, worse, *_injuries(it, who), suffers)
        return percentile.tested(it, HEAL, HEALER, treatment)


def _injuries(it: Attempt, who: str) -> tuple[Shared[Rows], tuple[int, ...]]:
    """The table of injuries, for what they leave for longer, and the levels of a combatant by location."""
    levels = bodies.by_location(it.facts.get(f"{who}.injuries", {}))
    return share(bodies.injury_rows(it.lookup, 1)), levels


def patient_of(facts: Mapping[str, Any]) -> str:
    """The record of the one who is cared for: the patient, or the healer alone who cares for themselves."""
    return PATIENT if has_record(facts, PATIENT) else HEALER


def _suffers_from_it_alone(it: Attempt, who: str, place: str) -> bool:
    """Whether nothing keeps a combatant suffering but the bleeding of this location: no other injury bleeds, and the
    Injury Total is not above Consciousness, or there is no consciousness to lose."""
    facts, bleeding = it.facts, it.facts.get(f"{who}.bleeding", {})
    if not facts.get(f"{who}.suffering") or any(bleeding[other] for other in bleeding if other != place):
        return False
    total, toughness = facts.get(f"{who}.injury_total", 0), facts.get(f"{who}.toughness")
    if toughness is None or not facts.get(f"{who}.conscious", True):
        return not facts.get(f"{who}.conscious", True)
    return bool(total <= bodies.injury_value(it.lookup, toughness, "consciousness"))


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
        stopped, margin, effects = 0, test.margin(face), list[Effect]()
        if test.passes(face):
            stopped = min(self.bleedings, bodies.rounded_up(margin, self.each) if margin else self.least)
        if stopped:
            effects.append(Effect("mark", self.who, bleeding_track(self.place), -stopped))
        if self.last and 0 < stopped == self.bleedings:
            effects.append(Effect("remove-condition", self.who, SUFFERING))
        facts: Facts = {"success": stopped > 0, "location": self.place, "stopped": stopped}
        left: Facts = {"bleeding_left": self.bleedings - stopped, "may_fester": stopped > 0 and self.fouls}
        return ended({**facts, **left}, *effects)


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
        passed, level, effects = test.passes(face), self.injuries[LOCATIONS.index(self.place)], list[Effect]()
        mishap = not passed and percentiles.matched(face)
        if passed:
            level -= self.levels
            effects += at_level(self.who, self.rows.value, self.injuries, self.place, level)
        if mishap:
            effects.append(Effect("mark", self.who, bleeding_track(self.place), self.worse))
            effects += () if self.suffering else begins_to_suffer(self.who)
        facts: Facts = {"success": passed, "location": self.place, "level": level}
        return ended({**facts, "mishap": mishap, "bleeding": self.worse if mishap else 0}, *effects)


class Recovery(CareProcedure):
    """A crippled location takes weeks and heals in part; for others, a test of Toughness each week heals a level."""

    label = "Long-term recovery"
    vocabulary = vocabulary(
        person(PATIENT, "Patient"),
        Record("recovery", "The recovery"),
        fields_named(PATIENT, "name", "toughness", "traits", "grants", "injuries"),
        fields(
            "recovery",
            location=_LOCATION,
            bionic=flag("Bionic", "Replaces what is crippled. Left out: none."),
            level=_LEVEL,
        ),
    )
    record = "recovery"
    targets: Mapping[str, str] = {RECOVER: "Chance to recover in a week"}
    measures = (mean("weeks", "Expected weeks"), mean("level", "Expected injury level afterwards"))

    def numbers(self, it: Attempt) -> None:
        it.facts = with_grants(it.facts, PATIENT)
        if self.locate(it, PATIENT) < bodies.HIGHEST:
            percentile.number_of_test(it, RECOVER, PATIENT, "toughness")
        else:
            it.need(f"{PATIENT}.toughness", "the Toughness")

    def first(self, it: Attempt) -> Stage:
        place, table = str(it.shown["location"]), rows_of(it.lookup, RECOVERING)
        healed = min(it.facts["recovery.level"], table["acute-or-less"]["healed"])
        injury = Mending(place, *_injuries(it, PATIENT), healed)
        if RECOVER in it.made:
            return percentile.tested(it, RECOVER, PATIENT, injury)
        kept = table["crippled-limb" if bodies.part_of_body(place) in ("leg", "arm") else "crippled-other"]
        after = kept["with_bionic" if it.facts.get("recovery.bionic") else "level"]
        return Absence(injury, after, _weeks(it.facts, table))


def _weeks(facts: Mapping[str, Any], table: Mapping[str, Row]) -> Total:
    """The weeks that a crippled location takes; fewer for the tough and for those who regenerate."""
    sooner = table["crippled-tough-or-regenerating"]
    tough = facts[f"{PATIENT}.toughness"] > sooner["toughness_above"]
    row = sooner if tough or allows(facts, PATIENT, "regeneration") else table["crippled"]
    return percentile.dice_in(RECOVERING, row["weeks"])


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
        return self.ends(1, self.level - self.healed if passed else self.level, success=passed)

    def ends(self, weeks: int, level: int, **more: Fact) -> Stage:
        """It took so many weeks, and is at this level afterwards; `more`: further facts."""
        facts: Facts = {"location": self.place, "weeks": weeks, "level": level, "healed": self.level - level}
        changes = level != self.level
        healed = at_level(PATIENT, self.rows.value, self.injuries, self.place, level) if changes else ()
        return ended({**facts, **more}, *healed)


class Absence(Waiting, kind="imperium.absence"):
    """Waits for the weeks that a crippled location takes; `after`: its level then."""

    injury: Mending
    after: int
    dice: Total
    awaits = rolls("weeks", PATIENT, lambda self: self.dice)

    def advance(self, answer: Any) -> Stage:
        return self.injury.ends(max(0, answer), self.after)
