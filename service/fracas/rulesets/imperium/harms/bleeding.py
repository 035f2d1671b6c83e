"""What injuries and the cold do as time passes.

As an own round ends: bleeding, and the test to stay conscious (rulebook sections 8.3 and 8.5). How much a bleeding
injury costs stands in the packs' table ``bleeding-modes``; the option ``bleeding_mode`` says which of its rows counts.

Cold: how long a combatant stands it (section 13). What it does afterwards is not covered. The figures stand in the
tables
``cold`` and ``survival-elements``. Hours are time: they keep their fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import fields, number, person, vocabulary, words
from fracas.kernel.forms import Outcome, Waiting, rolls
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.ruleset import AttemptRequest, Measure
from fracas.kernel.stage import Effect, Facts, Shared, Stage
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks.percentile import NOTHING, Passing, dice_in
from fracas.rulesets.imperium.harms import bodies, injury
from fracas.rulesets.imperium.harms.bodies import DEAD, UNCONSCIOUS, Body
from fracas.rulesets.imperium.vocabulary import fields_named, with_grants

VICTIM = "victim"


class Consciousness(Procedure):
    """A Toughness test with an Injury Total above Consciousness; otherwise nothing happens."""

    label = "Stay conscious"
    vocabulary = vocabulary(person(VICTIM, "Who is injured"), bodies.body_fields(VICTIM))
    targets: Mapping[str, str] = bodies.INJURY_TEST.targets(VICTIM)
    measures: Sequence[Measure] = injury.MEASURES[2:]

    def numbers(self, it: Attempt) -> None:
        it.plan = bodies.known_body(it, VICTIM)
        if it.plan is not None:
            it.shown["consciousness"] = it.plan.value.consciousness

    def first(self, it: Attempt) -> Stage:
        return _bleeds(bodies.as_numbered(it, VICTIM, it.plan), self.each(it.request))

    def each(self, request: AttemptRequest) -> Total:
        """What one bleeding injury costs in a round.

        Raises:
            InputError: the packs in use have no such row, or no dice in it.
        """
        return NOTHING


class Bleeding(Consciousness):
    """Points for each bleeding injury, which may kill; then a test if the Injury Total is above Consciousness."""

    label = "End of a round with injuries"
    measures = mean("bleeding_points", "Expected points of bleeding", "bleeding-points"), *injury.MEASURES[2:]

    def each(self, request: AttemptRequest) -> Total:
        row = row_of(request.lookup, "bleeding-modes", request.options["bleeding_mode"])
        if row.get("points") is None:
            mode = row["one_action" if request.options["one_action_rounds"] else "normal"]
            row = row_of(request.lookup, "bleeding-modes", mode)
        return dice_in("bleeding-modes", row["points"])


def _bleeds(body: Shared[Body], each: Total) -> Stage:
    """The dice of all bleeding injuries together; nothing is thrown where they cost a fixed number."""
    count = sum(body.value.bleeding) if body.value.out != DEAD else 0
    dice = Total(tuple((number * count, sides) for number, sides in each.dice if count), each.plus * count)
    return Bleed(body, dice) if dice.dice else _after(body, dice.plus)


def _after(body: Shared[Body], points: int) -> Stage:
    """Death, the test to stay conscious, or nothing."""
    known = body.value
    total = known.total + points
    if known.out == DEAD or total >= known.death:
        return RoundEnd(body, points, DEAD)
    if total > known.consciousness and not known.out and not known.steady:
        return StayConscious(body, points)
    return RoundEnd(body, points, known.out)


class Bleed(Waiting, kind="imperium.bleed"):
    """Waits for the dice of all bleeding injuries."""

    body: Shared[Body]
    dice: Total
    awaits = rolls("bleeding", VICTIM, lambda self: self.dice)

    def advance(self, answer: Any) -> Stage:
        return _after(self.body, max(0, answer))


class StayConscious(Waiting, kind="imperium.stay-conscious"):
    """Waits for the test of the one who is above Consciousness, after so many points of bleeding."""

    body: Shared[Body]
    points: int
    awaits = rolls("consciousness", VICTIM, lambda self: Passing(self.body.value.test))

    def advance(self, answer: Any) -> Stage:
        return RoundEnd(self.body, self.points, "" if answer else UNCONSCIOUS)


class RoundEnd(Outcome, kind="imperium.round-end"):
    """How an own round ended for a combatant injured.

    Attributes:
        points: of bleeding.
        out: ``unconscious``, ``dead`` or "".
    """

    body: Shared[Body]
    points: int
    out: str

    def notes(self) -> Facts:
        body = self.body.value
        bled = {"bleeding_injuries": sum(body.bleeding), "bleeding_points": self.points}
        down = self.out if self.out != body.out else injury.NOBODY_DOWN
        return {**bled, "injury_total": body.total + self.points, "conscious": not self.out, "down": down}

    def changes(self) -> Iterator[Effect]:
        body = self.body.value
        if self.points:
            yield Effect("gain", VICTIM, injury.INJURY_TOTAL, self.points)
        if self.out != body.out:
            yield Effect("add-condition", VICTIM, self.out)
            yield from injury.lets_go(VICTIM, *body.hands)
            if self.out == UNCONSCIOUS:
                yield Effect("add-condition", VICTIM, bodies.PRONE)
        # The one who is unconscious goes on bleeding, but has no consciousness to lose.
        may_faint = not self.out and body.total + self.points > body.consciousness
        if self.out != DEAD and (may_faint or any(body.bleeding)):
            yield from (injury.suffers_next(VICTIM),) if body.suffering else injury.begins_to_suffer(VICTIM)
        elif body.suffering:
            yield Effect("remove-condition", VICTIM, injury.SUFFERING)


_MISSING = "What there is not of these; an empty list for nothing."


class Cold(Procedure):
    """How many hours Toughness withstands the cold, halved for each missing element of survival; no roll."""

    vocabulary = vocabulary(
        person(VICTIM, "Who is cold"),
        Record("cold", "The cold"),
        fields_named(VICTIM, "name", "toughness", "traits", "grants"),
        fields(
            "cold",
            missing=words("Missing", _MISSING, choices=("warm-clothing", "shelter", "food", "fire")),
            hours=number("Hours in the cold", "Left out: none yet.", most=100_000),
        ),
    )
    measures = (mean("grace_hours", "Hours of grace", "grace-hours"),)

    def numbers(self, it: Attempt) -> None:
        it.facts = with_grants(it.facts, VICTIM)
        it.need(f"{VICTIM}.toughness", "the Toughness")

    def first(self, it: Attempt) -> Stage:
        needed = {name for name, row in rows_of(it.lookup, "survival-elements").items() if row["needed"]}
        missing = len(needed & set(it.facts.get("cold.missing", ())))
        hours = row_of(it.lookup, "cold", "grace-hours-per-toughness")["value"]
        factor = row_of(it.lookup, "cold", "factor-per-missing-element")["value"]
        grace = it.facts[f"{VICTIM}.toughness"] * hours * factor**missing
        return ColdEnd(missing, grace, it.facts.get("cold.hours", 0))


class ColdEnd(Outcome, kind="imperium.cold-end"):
    """The hours of grace with so many elements missing, and those spent in the cold."""

    missing: int
    grace: float
    hours: float

    def notes(self) -> Facts:
        left, over = max(0, self.grace - self.hours), self.hours > self.grace
        return {"missing": self.missing, "grace_hours": self.grace, "hours_left": left, "grace_over": over}
