"""Harm from what is no attack: heat, fire, a crash, a fall. Damage, a test that halves it, location, armor, injuries.

Rulebook sections 7, 8 and 22, and chapters 16 and later for what brings it. `exposed` goes on to any stage with a field
``harm``, see `injury.after_blows`. A fall is a die for each few yards, each with a location of its own; its figures
stand in the packs' table ``falls``. Halves are rounded up. An `Aftereffect` follows from an attack or what else hurts;
some of it stuns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fracas.dice.totals import Total
from fracas.errors import InputError
from fracas.kernel import percentiles
from fracas.kernel.composing import ThenAlso, Within
from fracas.kernel.fields import fields, flag, number, person, vocabulary
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Shared, Stage, share
from fracas.kernel.steps import Filling, Throw
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import bodies, injury
from fracas.rulesets.imperium.harms.bodies import rounded_up
from fracas.rulesets.imperium.harms.damage import BARE, SKIN, DiceParts, Protection, field_roll, protection_of
from fracas.rulesets.imperium.harms.injury import MEASURES, Blow, Harm, after_blows, unhurt, unlocated
from fracas.rulesets.imperium.vocabulary import LOCATIONS, fields_named

DAMAGE, SAVE, LOCATION, FIELD = "damage", "save", "location", "field"
"""What is rolled, in this order; the labels of the rolls."""
TOTAL = "total"
"""In place of a location: the Injury Total, past armor."""


class Hazard(Part, kind="imperium.hazard"):
    """Something that hurts a combatant.

    Attributes:
        who: their record.
        save: a test that halves the damage; None for none.
        place: "" where a D100 shows it, which is not reversed; `TOTAL` for what strikes none.
        times: what multiplies the dice; `part` is what they are divided by, before the save.
        by: the record of the one who rolls the damage; "" for its victim.
    """

    who: str
    dice: DiceParts
    plus: int
    save: percentile.Percentile | None
    protection: Protection
    place: str
    bands: percentile.Bands
    times: int = 1
    part: int = 1
    by: str = ""


def hazard_of(
    it: Attempt,
    who: str,
    damage: Total,
    *,
    save: percentile.Percentile | None = None,
    protection: Protection | None = None,
    place: str = "",
    by: str = "",
) -> Shared[Hazard]:
    """What hurts a combatant.

    Args:
        protection: None for all that they wear, as far as that is given.
    """
    if protection is None:
        protection = protection_of(it, who) if f"{who}.armor" in it.facts else BARE
    bands = percentile.location_bands(it.lookup)
    return share(Hazard(who, damage.dice, damage.plus, save, protection, place, bands, by=by))


def exposed(end: Any, hazard: Shared[Hazard]) -> Stage:
    """The first of the rolls by which `hazard` adds to the harm of `end`."""
    its = hazard.value
    due = [DAMAGE, *((SAVE,) if its.save else ()), *(() if its.place else (LOCATION,))]
    if its.protection.rolls:
        due.append(FIELD)
    return Exposed(hazard, end, tuple(due), 0, its.place, 0)


class Exposed(Waiting, kind="imperium.exposed"):
    """Waits for the first of the rolls that are due.

    Attributes:
        dealt: the damage, as far as it is known.
        stopped: points of a force field.
    """

    hazard: Shared[Hazard]
    end: Any
    due: tuple[str, ...]
    dealt: int
    place: str
    stopped: int

    @property
    def awaits(self) -> Awaited:
        its = self.hazard.value
        match self.due[0]:
            case "damage":
                return Roll((DAMAGE,), (its.by or its.who,), Total(its.dice, its.plus))
            case "save":
                assert its.save is not None
                return percentile.pass_or_fail(SAVE, its.who, its.save)
            case "location":
                return Roll((LOCATION,), (its.who,), Total(((1, percentiles.SIDES),)))
            case _:
                return field_roll(FIELD, its.who, its.protection)

    @property
    def spread(self) -> Any:
        """The lowest roll of each location, with its weight."""
        if self.due[0] != LOCATION:
            return None
        bands = self.hazard.value.bands
        return lambda inputs: percentiles.ways_of(lambda roll: percentile.location_at(roll, bands))

    def advance(self, answer: Any) -> Stage:
        its, left = self.hazard.value, self.due[1:]
        dealt, place, stopped = self.dealt, self.place, self.stopped
        match self.due[0]:
            case "damage":
                dealt = rounded_up(max(0, answer) * its.times, its.part)
            case "save":
                dealt = rounded_up(dealt, 2) if answer else dealt
            case "location":
                place = percentile.location_at(answer, its.bands)
            case _:
                stopped = answer
        if left:
            return self._replace(due=left, dealt=dealt, place=place, stopped=stopped)
        if place == TOTAL:
            return cast(Stage, self.end._replace(harm=unlocated(self.end.harm, dealt)))
        net = max(0, dealt - its.protection.at(place) - stopped)
        return after_blows(self.end, its.who, Blow(place, net))


VICTIM, CHANCE = "victim", "fall.chance"
FALLS = "falls"
MOST_WEIGHED = 3
"""Dice of a fall that exact odds can follow one after the other."""


class Fall(Procedure):
    """A die of damage for each few yards, each at a location of its own; who is aware may halve them."""

    vocabulary = vocabulary(
        person(VICTIM, "Who falls"),
        Record("fall", "The fall"),
        bodies.body_fields(VICTIM),
        fields_named(VICTIM, "armor", hide=SKIN["hide"]),
        fields(VICTIM, aware=flag("Sees it coming", "Left out: does.")),
        fields(
            "fall",
            height=number("Height", most=1000, unit="yards", required="the height of the fall in yards"),
        ),
    )
    targets: Mapping[str, str] = {CHANCE: "Chance to break the fall", **bodies.INJURY_TEST.targets(VICTIM)}
    measures = MEASURES

    def numbers(self, it: Attempt) -> None:
        height, body = it.need("fall.height"), bodies.known_body(it, VICTIM)
        row = row_of(it.lookup, FALLS, "fall")
        count = int(height // row["yards"])
        if body is not None and height >= row["far"]:
            its = body.value
            body = share(its._replace(shock=rounded_up(its.shock, 2)))
        if count and it.facts.get(f"{VICTIM}.aware", True):
            percentile.number_of_test(it, CHANCE, VICTIM, "initiative")
        it.shown["dice"] = count
        armor = protection_of(it, VICTIM).halved() if f"{VICTIM}.armor" in it.facts else BARE
        it.plan = body, count, percentile.dice_in(FALLS, row["dice"]), armor.points

    def first(self, it: Attempt) -> Stage:
        body, count, dice, points = it.plan
        harm = unhurt(bodies.as_numbered(it, VICTIM, body))
        plan = share(Drop(dice, points, percentile.location_bands(it.lookup)))
        falling = Falling(plan, count, False, None, harm)
        if CHANCE not in it.made:
            return falling
        test = percentile.of_number(it, CHANCE)
        return percentile.either("test", VICTIM, test, falling._replace(halved=True), falling)


class Drop(Part, kind="imperium.drop"):
    """What all dice of a fall have in common; `points`: half of the armor by location."""

    dice: Total
    points: tuple[int, ...]
    bands: percentile.Bands


class Falling(Waiting, kind="imperium.falling"):
    """Waits for the next die of a fall or its location, or is done.

    Attributes:
        left: dice still to come, the present one included.
        dealt: of the present die; None before it is rolled.
    """

    plan: Shared[Drop]
    left: int
    halved: bool
    dealt: int | None
    harm: Harm

    @property
    def awaits(self) -> Awaited:
        if not self.left:
            return None
        if self.dealt is None:
            return Roll(("damage",), (VICTIM,), self.plan.value.dice)
        return Roll(("location",), (VICTIM,), Total(((1, percentiles.SIDES),)))

    @property
    def spread(self) -> Any:
        """The lowest roll of each location, with its weight.

        Raises:
            InputError: there are more dice than odds can follow.
        """
        if self.left > MOST_WEIGHED:
            message = f"the exact odds of a fall with more than {MOST_WEIGHED} dice take too long"
            raise InputError.one("situation.fall.height", "too-complex", message)
        if self.dealt is None:
            return None
        bands = self.plan.value.bands
        return lambda inputs: percentiles.ways_of(lambda roll: percentile.location_at(roll, bands))

    def advance(self, answer: Any) -> Stage:
        if self.dealt is None:
            return self._replace(dealt=rounded_up(answer, 2) if self.halved else answer)
        plan, place = self.plan.value, percentile.location_at(answer, self.plan.value.bands)
        net = max(0, self.dealt - plan.points[LOCATIONS.index(place)])
        return after_blows(self._replace(left=self.left - 1, dealt=None), VICTIM, Blow(place, net))

    def notes(self) -> Facts:
        if self.left:
            return {}
        facts: dict[str, Fact] = dict(self.harm.facts())
        return facts | {"prone": True}

    def effects(self) -> tuple[Effect, ...]:
        if self.left:
            return ()
        return tuple(self.harm._replace(prone=True).effects(VICTIM))


class Aftereffect(Part):
    """Something that follows for a combatant: what it is of, and who they are, a class says.

    Attributes:
        who: the record.
    """

    who: str

    def follows(self, settled: Stage) -> Stage:
        """What comes of the outcome of this combatant: itself, where nothing follows."""
        raise NotImplementedError

    def around(self, stage: Stage) -> Stage:
        """The stage, and what follows from its outcome; of a fork, from the branch of this combatant."""
        if isinstance(stage, Fork):
            parts = ((who, self.around(part) if who == self.who else part) for who, part in stage.branches)
            return Fork(tuple(parts))
        return self.follows(stage) if stage.awaits is None else Unsettled(stage, self)


class Unsettled(Within, kind="imperium.unsettled"):
    """A stage from whose outcome something may follow."""

    stage: Stage
    after: Any

    def advance(self, answer: Any) -> Stage:
        return cast(Stage, self.after.around(self.stage.advance(answer)))


class Dazzling(Aftereffect, kind="imperium.dazzling"):
    """What stuns, such as a flash.

    Attributes:
        test: of Toughness; None for those who have none: the unaware, and machines.
        dice: of how long, in spans of so many actions (`unit`).
        had: actions that were to be lost before.
        label: of the roll of the test.
    """

    test: percentile.Percentile | None
    dice: Total
    unit: int
    had: int
    label: str = "flash"

    def follows(self, settled: Stage) -> Stage:
        facts = settled.notes()
        if not facts.get("hit", True) or facts.get("down") in (bodies.UNCONSCIOUS, bodies.DEAD):
            return settled
        had = max(self.had, int(facts.get("stunned_actions") or 0))
        end = Dazed(self.who, self.unit, had)
        dazed: Stage = Throw("dazed", self.who, self.dice, Filling(end, "spans"))
        if self.test is not None:
            dazed = percentile.either(self.label, self.who, self.test, end, dazed)
        return ThenAlso(settled, dazed, "")


class Dazed(Outcome, kind="imperium.dazed"):
    """How many spans of `unit` actions it costs a combatant: of several stuns the longer counts."""

    who: str
    unit: int
    had: int
    spans: int = 0

    @property
    def actions(self) -> int:
        return self.spans * self.unit

    def notes(self) -> dict[str, Any]:
        return {"stunned_actions": max(self.had, self.actions)} if self.actions else {}

    def changes(self) -> tuple[Effect, ...]:
        if self.actions <= self.had:
            return ()
        marks = Effect("mark", self.who, injury.STUNNED_ACTIONS, self.actions - self.had)
        return marks, Effect("add-condition", self.who, injury.STUNNED)
