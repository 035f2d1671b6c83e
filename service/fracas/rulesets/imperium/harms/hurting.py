"""Harm from what is no attack: heat, fire, a crash. Damage, a test that halves it, the location, armor, injuries.

Rulebook sections 7 and 8, and chapters 16 and later for what brings it. `exposed` goes on to any stage with a field
``harm``, see `injury.after_blows`. Halves are rounded up.
"""

from __future__ import annotations

from typing import Any, cast

from fracas.dice.totals import Total
from fracas.kernel import percentiles
from fracas.kernel.forms import Part, Waiting
from fracas.kernel.procedures import Attempt
from fracas.kernel.stage import Awaited, Roll, Shared, Stage, share
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.checks.percentile import Bands, Percentile
from fracas.rulesets.imperium.harms.bodies import rounded_up
from fracas.rulesets.imperium.harms.damage import BARE, DiceParts, Protection, field_roll, protection_of
from fracas.rulesets.imperium.harms.injury import Blow, after_blows, unlocated

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
    """

    who: str
    dice: DiceParts
    plus: int
    save: Percentile | None
    protection: Protection
    place: str
    bands: Bands
    times: int = 1
    part: int = 1


def hazard_of(
    it: Attempt,
    who: str,
    damage: Total,
    *,
    save: Percentile | None = None,
    protection: Protection | None = None,
    place: str = "",
) -> Shared[Hazard]:
    """What hurts a combatant.

    Args:
        protection: None for all that they wear, as far as that is given.
    """
    if protection is None:
        protection = protection_of(it, who) if f"{who}.armor" in it.facts else BARE
    bands = percentile.location_bands(it.lookup)
    return share(Hazard(who, damage.dice, damage.plus, save, protection, place, bands))


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
                return Roll((DAMAGE,), (its.who,), Total(its.dice, its.plus))
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
