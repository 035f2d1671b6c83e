"""Psychic powers that last: what a power is, how long it is held, and how it is renewed (rulebook chapter 25).

A power that lasts is a condition of the psyker (`HOLDING` and its name), which ends with its counterpart of the one
whom it affects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel import fields as kit
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Stage, lasting
from fracas.kernel.steps import ended
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import bodies
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
    affects=kit.choice("Affects", "Left out: as the GM says.", choices=(TARGET, SELF, PLACE)),
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
        kit.person(TARGET, "Target", "The one whom the power affects, if anybody.", optional=True),
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
        slug = it.request.input.used.get("power", "").rpartition("/")[2]
        it.plan = f"{HOLDING}{slug}"
        it.shown["held"] = it.plan in it.facts.get(f"{PSYKER}.holds", {it.plan: 1})

    def first(self, it: Attempt) -> Stage:
        other = TARGET if has_record(it.facts, TARGET) else ""
        who = PSYKER if it.facts.get("power.affects") == SELF else other
        effect = it.facts.get("power.brings", "") if who else ""
        rounds = bodies.rounds_as_they_count(it.request, it.facts["power.lasts"])
        return ended({"lasts_rounds": rounds}, *going_on(who, effect, it.plan, rounds))
