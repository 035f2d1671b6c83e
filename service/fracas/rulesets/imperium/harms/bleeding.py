"""What injuries do as an own round ends: bleeding, and the test to stay conscious (rulebook sections 8.3 and 8.5).

How much a bleeding injury costs stands in the packs' table ``bleeding-modes``; the option ``bleeding_mode`` says which
of its rows counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.ruleset import Asked, Measure
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Shared, Stage
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Record, Vocabulary
from fracas.rulesets.imperium.checks.faults import dice_of
from fracas.rulesets.imperium.checks.passing import pass_or_fail
from fracas.rulesets.imperium.harms.body import (
    DEAD,
    NOTHING,
    PRONE,
    UNCONSCIOUS,
    Body,
    body_fields,
    needed_body,
    test_name,
    test_targets,
    with_chance,
)
from fracas.rulesets.imperium.harms.harm import (
    INJURY_TOTAL,
    MEASURES,
    NOBODY_DOWN,
    SUFFERING,
    begins_to_suffer,
    suffers,
    suffers_next,
)

VICTIM = "victim"
CONSCIOUSNESS = "consciousness"
SUFFERERS = Vocabulary(
    (Record(VICTIM, "Who is injured", "combatant", "A combatant of the packs, or fields of one, or both."),),
    body_fields(VICTIM),
)


class _Sufferers(Procedure):
    """What becomes of a combatant who is injured, after the points of bleeding."""

    vocabulary = SUFFERERS
    targets: Mapping[str, str] = test_targets(VICTIM)
    measures: Sequence[Measure] = MEASURES[2:]

    def numbers(self, it: Attempt) -> None:
        it.plan = needed_body(it, VICTIM)
        if it.plan is not None:
            it.shown["consciousness"] = it.plan.value.consciousness

    def first(self, it: Attempt) -> Stage:
        return _bleeds(with_chance(it.plan, it.total(test_name(VICTIM))), self.each(it.asked))

    def each(self, asked: Asked) -> Total:
        """What one bleeding injury costs."""
        return NOTHING


class BleedingProcedure(_Sufferers):
    """The end of an own round of somebody who bleeds, or is close to losing consciousness."""

    id = "bleeding"
    label = "End of a round with injuries"
    doc = "Points for each bleeding injury, which may kill; then a test if the Injury Total is above Consciousness."
    measures = (mean("bleeding_points", "Expected points of bleeding", "bleeding-points"), *MEASURES[2:])

    def each(self, asked: Asked) -> Total:
        return points_of_bleeding(asked)


class ConsciousnessProcedure(_Sufferers):
    """The test to stay conscious alone."""

    id = CONSCIOUSNESS
    label = "Stay conscious"
    doc = "A Toughness test with an Injury Total above Consciousness; otherwise nothing happens."


def points_of_bleeding(asked: Asked) -> Total:
    """What one bleeding injury costs in a round.

    Raises:
        InputError: the packs in use have no such row, or no dice in it.
    """
    mode = asked.options["bleeding_mode"]
    row = row_of(asked.catalog, "bleeding-modes", mode)
    if row.get("points") is None:
        mode = row["one_action" if asked.options["one_action_rounds"] else "normal"]
        row = row_of(asked.catalog, "bleeding-modes", mode)
    found = dice_of(str(row["points"]))
    if found is None:
        message = f"the table 'bleeding-modes' has no dice in {row['points']!r}"
        raise InputError.one("situation", "bad-dice", message)
    return Total(found.dice, found.plus)


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
    if total > known.consciousness and not known.out:
        return StayConscious(body, points)
    return RoundEnd(body, points, known.out)


class Bleed(Waiting, kind="imperium.bleed"):
    """Waits for the dice of all bleeding injuries."""

    body: Shared[Body]
    dice: Total

    @property
    def awaits(self) -> Awaited:
        return Roll(("bleeding",), (VICTIM,), self.dice)

    def advance(self, answer: Any) -> Stage:
        return _after(self.body, max(0, answer))


class StayConscious(Waiting, kind="imperium.stay-conscious"):
    """Waits for the test of whoever is above Consciousness, after so many points of bleeding."""

    body: Shared[Body]
    points: int

    @property
    def awaits(self) -> Awaited:
        return pass_or_fail(CONSCIOUSNESS, VICTIM, self.body.value.test)

    def advance(self, answer: Any) -> Stage:
        return RoundEnd(self.body, self.points, "" if answer else UNCONSCIOUS)


class RoundEnd(Outcome, kind="imperium.round-end"):
    """How an own round ended for somebody injured.

    Attributes:
        points: of bleeding.
        out: ``unconscious``, ``dead`` or "".
    """

    body: Shared[Body]
    points: int
    out: str

    def notes(self) -> Facts:
        body = self.body.value
        return {
            "bleeding_injuries": sum(body.bleeding),
            "bleeding_points": self.points,
            "injury_total": body.total + self.points,
            "conscious": not self.out,
            "down": self.out if self.out != body.out else NOBODY_DOWN,
        }

    def changes(self) -> Iterator[Effect]:
        body = self.body.value
        if self.points:
            yield Effect("gain", VICTIM, INJURY_TOTAL, self.points)
        if self.out != body.out:
            yield Effect("add-condition", VICTIM, self.out)
            if self.out == UNCONSCIOUS:
                yield Effect("add-condition", VICTIM, PRONE)
        if self._goes_on():
            yield from (suffers_next(VICTIM),) if body.suffering else begins_to_suffer(VICTIM)
        elif body.suffering:
            yield Effect("remove-condition", VICTIM, SUFFERING)

    def _goes_on(self) -> bool:
        """Whoever is unconscious goes on bleeding, but has no consciousness to lose."""
        body = self.body.value
        if self.out == DEAD:
            return False
        if self.out == UNCONSCIOUS:
            return sum(body.bleeding) > 0
        return suffers(body, body.total + self.points, sum(body.bleeding))
