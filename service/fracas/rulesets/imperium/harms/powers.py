"""Psychic powers: the test, what they do, how long they are held and renewed, and backlash (rulebook chapter 25).

What a power does stands in its entry of the packs, what a backlash does in the table ``psychic-backlash``. A power that
lasts is a condition of the psyker (`HOLDING` and its name), which ends with its counterpart of the one whom it affects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel import fields as kit
from fracas.kernel.composing import ThenAlso
from fracas.kernel.forms import Continuation, Outcome, Part
from fracas.kernel.percentiles import matched
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, lasting, share
from fracas.kernel.steps import Filling, Throw, ended
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium import vocabulary as known
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Percentile, location_of
from fracas.rulesets.imperium.harms import bodies, injury, machines
from fracas.rulesets.imperium.harms.bodies import Body, rounded_up, rounds_as_they_count
from fracas.rulesets.imperium.harms.damage import BARE, COVER, protection_of
from fracas.rulesets.imperium.harms.hurting import TOTAL, Hazard, exposed, hazard_of
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS, MERGING, fields_named

PSYKER, TARGET = "psyker", "target"
HOLD = "hold.chance"
HOLDING = "holding-"
"""How the conditions of powers that last begin."""
SELF, PLACE = "self", "place"
POWER = kit.fields(
    "power",
    name=kit.text("Name", most=80),
    difficulty=kit.whole(
        "Difficulty", "Taken off the Willpower.", most=200, example=15, required="the Difficulty of the power"
    ),
    reach=kit.number("Reach", "Left out: as the GM says.", most=10_000, unit="yards"),
    affects=kit.choice("Affects", "Left out: as the GM says.", choices=(TARGET, SELF, PLACE, known.DAEMON)),
    lasts=kit.whole(
        "Lasts", "Beyond the one in which it is used. Left out: it does not last.", 1, 100, unit="rounds"
    ),
    damage=kit.text("Damage", "Dice, and what is added. Left out: none.", most=20, example="2d10+2"),
    strikes=kit.choice(
        "Strikes",
        "location: as a hit does. total: the Injury Total, past armor and location.",
        choices=("location", "total"),
    ),
    margin_adds=kit.flag("The margin adds", "A point of damage for every 10 or part of it. Left out: not."),
    resisted_by=kit.choice(
        "Resisted by", "A test of the target. Left out: by nothing.", choices=CHARACTERISTICS
    ),
    resist_modifier=kit.whole("Modifier of that test", "Left out: none.", -200, 200),
    resisting=kit.choice("Resisting", "What a success of the target does.", choices=("halves", "prevents")),
    brings=kit.text("Brings", "The condition of the one affected.", most=64, example="prone"),
    pushes=kit.whole(
        "Pushes at most", "A yard for every 10 of the margin or part of it.", 1, 100, unit="yards"
    ),
    stops_bleeding=kit.flag("Stops bleeding", "As staunching does. Left out: not."),
    heals=kit.text(
        "Heals", "Dice off the Injury Total, and a level of one location.", most=20, example="1d6"
    ),
)
CHANCE, RESIST = "power.chance", "power.resist"
CONCENTRATING = "concentrating"
"""The condition of a combatant who has concentrated, and may use a power with the next action."""
BACKLASH = "psychic-backlash"


def going_on(who: str, effect: str, holding: str, rounds: int) -> Iterator[Effect]:
    """A power that lasts, or the condition that one brings at once."""
    span = ("from", "next")
    if holding:
        about = (("towards", who),) if effect else ()
        yield lasting(PSYKER, holding, "phase", rounds, span, *about)
    if effect and holding:
        yield Effect("add-condition", who, effect, None, (("towards", PSYKER),))
    elif effect:
        yield Effect("add-condition", who, effect)


class UsePsychicPower(Procedure):
    """A test of Willpower less the Difficulty of the power, in the action after concentrating, and what it does."""

    label = "Use a psychic power"
    vocabulary = kit.vocabulary(
        kit.person(PSYKER, "Psyker"),
        kit.person(TARGET, "Target", "The one that the power is to affect, if anybody.", optional=True),
        Record("power", "The power", "power", "A power of the packs, or fields of one, or both.", True),
        Record("action", "The action"),
        bodies.body_fields(PSYKER),
        bodies.body_fields(TARGET),
        fields_named(TARGET, "armor", "traits", "grants", **COVER),
        fields_named(PSYKER, "traits", "grants"),
        kit.fields(
            PSYKER,
            concentrated=kit.flag("Has concentrated", "In the action before, undisturbed."),
            psy_focus=kit.flag("Psy focus", "Left out: none."),
            hurt=kit.flag("Hurt in this round", "Left out: is not."),
            psy_dust=kit.flag("On psy-dust", "A matched success has a backlash, too. Left out: is not."),
            held=kit.whole("Powers held", derived_from=f"{PSYKER}.holds"),
        ),
        kit.fields(
            TARGET, warded=kit.flag("Warded against powers", "Left out: is not."), **machines.ATTACKED
        ),
        POWER,
        kit.fields(
            "power",
            location=kit.choice(
                "Location", "Of what is healed. Left out: the only one.", choices=known.LOCATIONS
            ),
        ),
        kit.fields("", distance=kit.number("Distance", "To the target.", most=100_000, unit="yards")),
        MERGING,
    )
    targets: Mapping[str, str] = {
        CHANCE: "Chance to use the power",
        RESIST: "Test to resist the power",
        **bodies.INJURY_TEST.targets(PSYKER, TARGET),
    }
    owners: Mapping[str, str] = {RESIST: TARGET}
    measures = (
        chance("success", "Chance of success"),
        chance("resisted", "Chance that it is resisted"),
        *injury.MEASURES,
        chance("backlash", "Chance of a backlash", but=("none",)),
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts = known.with_grants(it.facts, PSYKER, TARGET)
        facts[f"{PSYKER}.held"] = sum(facts.get(f"{PSYKER}.holds", {}).values())
        difficulty = it.need("power.difficulty")
        name = row_of(it.lookup, "other-tests", self.id)["test"]
        less = Entry("power", "Difficulty", -difficulty)
        percentile.number_of_test(it, CHANCE, PSYKER, name, less, halvings=percentile.merged_halvings(it))
        who = TARGET if has_record(facts, TARGET) else ""
        resists = facts.get("power.resisted_by")
        if who and resists and f"{who}.{resists}" in facts:
            modifier = facts.get("power.resist_modifier", 0)
            more = (Entry("power", "Power", modifier),) if modifier else ()
            percentile.number_of_test(it, RESIST, who, resists, *more)
        flesh = who and f"{who}.{machines.HULL}" not in facts
        it.plan = who, bodies.body_of(it, PSYKER), bodies.body_of(it, who) if flesh else None

    def first(self, it: Attempt) -> Stage:
        return percentile.tested(it, CHANCE, PSYKER, Power(share(_using(it))))


class Using(Part, kind="imperium.using-power"):
    """A power about to be used.

    Attributes:
        who: the one affected: `TARGET`, `PSYKER` or "".
        hazard: the damage; None for none. Its `save` halves it.
        resist: a test that prevents all of it.
        by_margin: the margin adds to the damage.
        effect: the condition of the one affected, `holding` that of the psyker; "" for none. They last `rounds`.
        pushes: yards at most.
        stops: bleedings of `place` that may be stopped.
        heals: dice off the Injury Total, with a level of `place`.
        own, backlash: the psyker, whose matched failure may have one.
        holds: conditions of the powers held.
        dusted: a matched success has a backlash in place of its effect, too.
        plated: the damage to a vehicle, and what comes of its dice; None for none.
    """

    who: str
    body: Shared[Body] | None
    hazard: Shared[Hazard] | None
    reversed: bool
    resist: Percentile | None
    by_margin: bool
    effect: str
    holding: str
    rounds: int
    pushes: int
    place: str
    stops: int
    level: int
    heals: Total | None
    own: Shared[Body] | None
    backlash: tuple[Recoil, ...]
    holds: tuple[str, ...]
    dusted: bool = False
    plated: tuple[Total, machines.Plated] | None = None


class Recoil(Part, kind="imperium.backlash-row"):
    """A row of the table of backlashes: what these faces bring."""

    name: str
    least: int
    most: int
    stunned: int
    hazard: Shared[Hazard] | None
    ends_powers: bool
    condition: str


def _using(it: Attempt) -> Using:
    facts, (other, own, body) = it.facts, it.plan
    affects = facts.get("power.affects", TARGET)
    who = PSYKER if affects == SELF else "" if affects == PLACE else other
    own = bodies.as_numbered(it, PSYKER, own)
    body = own if who == PSYKER else bodies.as_numbered(it, TARGET, body) if who else None
    resist = percentile.of_chance(it, it.total(RESIST)) if RESIST in it.made else None
    halves = facts.get("power.resisting") == "halves"
    hazard, plated, strikes = None, None, facts.get("power.strikes", "total")
    damage = percentile.NOTHING
    if who and "power.damage" in facts:
        damage = percentile.dice_given(it, "power.damage", "the damage of the power")
    if who == TARGET and f"{who}.{machines.HULL}" in facts and damage.dice:
        facing = facts.get(f"{who}.facing", machines.FACINGS[0])
        less = machines.plates_against(it, who, facing, damage, 0, False)
        plated = damage, machines.Plated(less, 1, machines.hull_of(it, who), who)
    elif who and damage != percentile.NOTHING:
        whole = strikes == "total" or f"{who}.armor" not in facts
        protection = BARE if whole else protection_of(it, who)
        place = TOTAL if strikes == "total" else "body"
        hazard = hazard_of(
            it, who, damage, save=resist if halves else None, protection=protection, place=place, by=PSYKER
        )
    slug = it.request.input.slug("power")
    holding = f"{HOLDING}{slug}" if "power.lasts" in facts and slug else ""
    rounds = rounds_as_they_count(it.request, facts.get("power.lasts", 0))
    place, bled, level = _wound(facts, who)
    heals = percentile.dice_of(facts["power.heals"]) if level and "power.heals" in facts else None
    stops = bled if facts.get("power.stops_bleeding") else 0
    harms = who, body, hazard, strikes == "location", None if halves else resist
    brings, pushes = facts.get("power.brings", "") if who else "", facts.get("power.pushes", 0)
    lasts = bool(facts.get("power.margin_adds")), brings, holding, rounds, pushes
    mine = (
        own,
        _backlashes(it),
        tuple(facts.get(f"{PSYKER}.holds", ())),
        bool(facts.get(f"{PSYKER}.psy_dust")),
    )
    return Using(*harms, *lasts, place, stops, level, heals, *mine, plated)


def _wound(facts: Mapping[str, Any], who: str) -> tuple[str, int, int]:
    """The location to be healed, with its bleedings and the level that can be healed."""
    bleeding, levels = (facts.get(f"{who}.{name}", {}) for name in ("bleeding", "injuries"))
    hurt = [place for place in known.LOCATIONS if bleeding.get(place) or levels.get(place)]
    place = facts.get("power.location") or (hurt[0] if hurt else "body")
    level = levels.get(place, 0)
    return place, bleeding.get(place, 0), level if level < bodies.HIGHEST else 0


def _backlashes(it: Attempt) -> tuple[Recoil, ...]:
    if not it.options["psychic_backlash"]:
        return ()
    found = []
    for name, row in rows_of(it.lookup, BACKLASH).items():
        hazard = None
        if row["dice"] is not None:
            dice = percentile.dice_in(BACKLASH, row["dice"])
            hazard = hazard_of(it, PSYKER, dice, protection=BARE, place=row["location"])
        more = row["ends_powers"], row["condition"] or ""
        found.append(Recoil(name, row["from"], row["to"], row["stunned"], hazard, *more))
    return tuple(found)


class Power(Continuation, kind="imperium.power"):
    """A power about to be used; `plan` is None in steps of version 0.2.0."""

    plan: Shared[Using] | None = None

    def on_result(self, test: Percentile, face: int) -> Stage:
        passed = test.passes(face)
        if self.plan is None:
            return PowerEnd(passed)
        plan = self.plan.value
        if not passed or (plan.dusted and matched(face) and plan.backlash):
            fails = matched(face) and bool(plan.backlash)
            return (
                Throw("backlash", PSYKER, Total(((1, 10),)), Backlash(self.plan))
                if fails
                else PowerEnd(False)
            )
        margin = test.margin(face) * (2 if matched(face) else 1)
        place = location_of(face, plan.hazard.value.bands) if plan.hazard and plan.reversed else ""
        end = PowerEnd(True, self.plan, margin, injury.unhurt(plan.body))
        works = _working(plan, end, place)
        if plan.resist is None:
            return works
        return percentile.either("resist", plan.who, plan.resist, end._replace(resisted=True), works)


def _working(plan: Using, end: PowerEnd, place: str) -> Stage:
    """A power that nothing resists; `place`: where it strikes, "" for its usual one."""
    if plan.heals is not None:
        return Throw("heals", PSYKER, plan.heals, Filling(end, "mended"))
    more = rounded_up(end.margin, 10) if plan.by_margin else 0
    if plan.plated is not None:
        damage, plated = plan.plated
        return ThenAlso(end, Throw("damage", PSYKER, Total(damage.dice, damage.plus + more), plated), "")
    if plan.hazard is None:
        return end
    its = plan.hazard.value
    return exposed(end, share(its._replace(plus=its.plus + more, place=place or its.place)))


class PowerEnd(Outcome, kind="imperium.power-end"):
    """What a power did. The concentration is spent in any case."""

    success: bool
    plan: Shared[Using] | None = None
    margin: int = 0
    harm: injury.Harm | None = None
    resisted: bool = False
    mended: int = 0

    def _upto(self, most: int, least: int = 0) -> int:
        """One for each 10 of the margin or part of it, but no more than there are."""
        return min(most, max(least, rounded_up(self.margin, 10)))

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.success}
        if self.plan is None or self.harm is None:
            return facts
        plan = self.plan.value
        facts["margin"] = self.margin
        if plan.resist is not None:
            facts["resisted"] = self.resisted
        if plan.hazard is not None:
            facts |= self.harm.facts()
        if pushed := self._upto(plan.pushes):
            facts["pushed_yards"] = pushed
        if self.resisted:
            return facts
        if plan.holding:
            facts["lasts_rounds"] = plan.rounds
        if stopped := self._upto(plan.stops, 1):
            facts |= {"stopped": stopped, "location": plan.place}
        return facts | ({"mended": self.mended} if plan.heals is not None else {})

    def changes(self) -> Iterator[Effect]:
        yield Effect("remove-condition", PSYKER, CONCENTRATING)
        if self.plan is None or self.harm is None or self.resisted:
            return
        plan = self.plan.value
        if plan.hazard is not None:
            yield from self.harm.effects(plan.who)
        yield from going_on(plan.who, plan.effect, plan.holding, plan.rounds)
        if stopped := self._upto(plan.stops, 1):
            yield Effect("mark", plan.who, injury.bleeding_track(plan.place), -stopped)
        if plan.heals is not None:
            if plan.body is not None:
                its = plan.body.value
                yield from injury.at_level(plan.who, its.rows, its.levels, plan.place, plan.level - 1)
            yield Effect("mark", plan.who, injury.INJURY_TOTAL, -self.mended)


class Backlash(Continuation, kind="imperium.backlash"):
    """What comes of the die of a backlash."""

    plan: Shared[Using]

    def on_result(self, rolled: int) -> Stage:
        plan = self.plan.value
        row = next(one for one in plan.backlash if one.least <= rolled <= one.most)
        harm = injury.stunned(injury.unhurt(plan.own), row.stunned)
        end = BacklashEnd(row, plan.holds if row.ends_powers else (), harm)
        return exposed(end, row.hazard) if row.hazard else end


class BacklashEnd(Outcome, kind="imperium.backlash-end"):
    """What a backlash did to the psyker."""

    row: Recoil
    ends: tuple[str, ...]
    harm: injury.Harm

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": False, "backlash": self.row.name}
        return facts | {f"psyker_{name}": fact for name, fact in self.harm.facts().items()}

    def changes(self) -> Iterator[Effect]:
        yield Effect("remove-condition", PSYKER, CONCENTRATING)
        yield from self.harm.effects(PSYKER)
        if self.harm.body is None and self.row.stunned:
            yield Effect("mark", PSYKER, injury.STUNNED_ACTIONS, self.row.stunned)
        yield from (Effect("remove-condition", PSYKER, slug) for slug in self.ends)
        if self.row.condition:
            yield Effect("add-condition", PSYKER, self.row.condition)


class HoldPowers(Procedure):
    """A test of Willpower of a psyker who is hurt: after a failure the powers that are held end."""

    vocabulary = kit.vocabulary(
        kit.person(PSYKER, "Psyker"),
        fields_named(PSYKER, "name", "willpower"),
        kit.fields(PSYKER, holds=bodies.HOLDS),
    )
    targets: Mapping[str, str] = {HOLD: "Chance to hold the powers"}
    measures = (chance("success", "Chance to hold them"),)

    def numbers(self, it: Attempt) -> None:
        percentile.number_of_test(it, HOLD, PSYKER, "willpower")

    def first(self, it: Attempt) -> Stage:
        gone = (Effect("remove-condition", PSYKER, slug) for slug in it.facts.get(f"{PSYKER}.holds", ()))
        ends = ended({"success": True}), ended({"success": False}, *gone)
        return percentile.either("test", PSYKER, percentile.of_number(it, HOLD), *ends)


class RenewPower(Procedure):
    """An action that makes a power last anew; no roll."""

    label = "Renew a psychic power"
    vocabulary = kit.vocabulary(
        kit.person(PSYKER, "Psyker"),
        kit.person(TARGET, "Target", "The target of the power, if it has one.", optional=True),
        Record("power", "The power", "power"),
        Record("action", "The action"),
        fields_named(PSYKER, "name"),
        fields_named(TARGET, "name"),
        kit.fields(PSYKER, holds=bodies.HOLDS),
        POWER,
        MERGING,
    )

    measures = (mean("lasts_rounds", "Rounds"),)

    def numbers(self, it: Attempt) -> None:
        it.need("power.lasts", "the rounds for which the power lasts")
        it.plan = f"{HOLDING}{it.request.input.slug('power')}"
        it.shown["held"] = it.plan in it.facts.get(f"{PSYKER}.holds", {it.plan: 1})

    def first(self, it: Attempt) -> Stage:
        other = TARGET if has_record(it.facts, TARGET) else ""
        who = PSYKER if it.facts.get("power.affects") == SELF else other
        effect = it.facts.get("power.brings", "") if who else ""
        rounds = bodies.rounds_as_they_count(it.request, it.facts["power.lasts"])
        return ended({"lasts_rounds": rounds}, *going_on(who, effect, it.plan, rounds))
