"""Damage of a hit, and what stands between it and the body: rulebook sections 8.1 and 12."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from fracas.dice.requests import Faces, Group, Spread
from fracas.dice.requests import Facts as RollFacts
from fracas.dice.totals import Total
from fracas.kernel.forms import Part
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.imperium.checks.faults import Dice, Faults, dice_of
from fracas.rulesets.imperium.vocabulary import LOCATIONS

DiceParts = tuple[tuple[int, int], ...]
TARGET = "target"
"""The record of whoever is attacked, whose armor the record ``armor`` may stand for."""
CRITICAL, FORCE_WEAPON = "critical", "force-weapon"
"""Rows of the table ``damage-factors``."""
FORCE_FIELD = "force-field"


class Factors(Part, kind="imperium.factors"):
    """What damage is multiplied by, before and after armor, cover and force field are taken off."""

    before: int = 1
    after: int = 1

    def times(self, other: Factors) -> Factors:
        return Factors(self.before * other.before, self.after * other.after)


def factors(catalog: Catalog, row: str) -> Factors:
    """A row of the table ``damage-factors``.

    Raises:
        InputError: the packs in use have no such table or row.
    """
    found = row_of(catalog, "damage-factors", row)
    return Factors(after=found["factor"]) if found["after_armor"] else Factors(before=found["factor"])


class Damage(Part, kind="imperium.damage"):
    """The roll of damage: a request whose answer is the net damage.

    Its facts follow the label of the roll: ``damage_rolled`` (dice and what is added), ``damage_dealt`` (doubled by a
    critical hit), ``damage_stopped`` (by armor, cover and force field) and ``damage_net``; ``damage_location`` says
    where.

    Attributes:
        dice, plus: what is rolled, and added to it.
        less: points of armor, cover and force field.
        location: "" for what has none.
    """

    dice: DiceParts
    plus: int
    factors: Factors
    less: int
    location: str

    def net(self, rolled: int) -> int:
        """What is left of dice with what is added to them."""
        return max(0, max(0, rolled) * self.factors.before - self.less) * self.factors.after

    def told(self, rolled: int) -> RollFacts:
        dealt = max(0, rolled) * self.factors.before
        facts: RollFacts = {
            "rolled": rolled,
            "dealt": dealt,
            "stopped": min(dealt, self.less),
            "net": self.net(rolled),
        }
        return facts | {"location": self.location} if self.location else facts

    def groups(self) -> tuple[Group, ...]:
        return Total(self.dice).groups()

    def answer(self, faces: Sequence[Faces]) -> int:
        return self.net(self._rolled(faces))

    def facts(self, faces: Sequence[Faces]) -> tuple[RollFacts, ...]:
        return (self.told(self._rolled(faces)),)

    def _rolled(self, faces: Sequence[Faces]) -> int:
        return sum([sum(group) for group in faces]) + self.plus

    def by_part(self, faces: Sequence[Faces]) -> tuple[Faces, ...]:
        return (tuple(face for group in faces for face in group),)

    def spread(self) -> Spread:
        return _net_spread(self)

    def __str__(self) -> str:
        return str(Total(self.dice, self.plus))


@lru_cache(maxsize=4096)
def _net_spread(damage: Damage) -> Spread:
    answers, weights, total = Total(damage.dice, damage.plus).spread()
    found: dict[int, int] = defaultdict(int)
    for rolled, weight in zip(answers, weights, strict=True):
        assert isinstance(rolled, int)
        found[damage.net(rolled)] += weight
    return Spread(tuple(found), tuple(found.values()), total)


class Protection(Part, kind="imperium.protection"):
    """What somebody has against damage.

    Attributes:
        points: of armor and cover, in the order of `LOCATIONS`; one number for what has no locations.
        field: dice of force fields, which are rolled for each hit; `field_plus` is added.
    """

    points: tuple[int, ...]
    field: DiceParts
    field_plus: int

    def at(self, location: str) -> int:
        """Points of armor and cover at a location."""
        return self.points[LOCATIONS.index(location)] if location else self.points[0]

    @property
    def rolls(self) -> bool:
        """Whether there is a force field to roll for."""
        return bool(self.field) or self.field_plus > 0


BARE = Protection((0,) * len(LOCATIONS), (), 0)


def protection_of(facts: Mapping[str, Any], who: str, faults: Faults, named: str = "") -> Protection:
    """Armor, cover and force fields of whoever stands in the record `who`.

    Of several layers at one location the best counts (ours); cover is added to it.

    Args:
        named: how the request calls the record, if otherwise.
    """
    named = named or who
    if who == TARGET and any(path.startswith("armor.") for path in facts):
        points, field = _piece_said(facts, faults)
    else:
        pieces = facts.get(f"{who}.armor")
        if pieces is None and not facts.get(f"{who}.object"):
            faults.need(f"{named}.armor", "the armor worn; an empty list for none")
        points, field = _worn([piece.data for piece in pieces or ()])
    cover = facts.get(f"{who}.cover", 0)
    behind = facts.get(f"{who}.behind_cover")
    if cover and behind is None:
        faults.need(f"{named}.behind_cover", "the locations that the cover hides")
    points = tuple(
        value + (cover if place in (behind or ()) else 0)
        for place, value in zip(LOCATIONS, points, strict=True)
    )
    return Protection(points, field.dice, field.plus)


def _piece_said(facts: Mapping[str, Any], faults: Faults) -> tuple[tuple[int, ...], Dice]:
    """One piece that the request names in place of all that is worn; without locations it is everywhere."""
    places = facts.get("armor.locations", LOCATIONS)
    value = facts.get("armor.value", 0)
    field = Dice(())
    if "armor.field_dice" in facts:
        field = faults.dice(facts, "armor.field_dice", "the dice of the force field")
    return tuple(value if place in places else 0 for place in LOCATIONS), field


def _worn(pieces: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, ...], Dice]:
    best = [
        max((piece.get("value", 0) for piece in pieces if place in piece.get("locations", ())), default=0)
        for place in LOCATIONS
    ]
    fields = [dice_of(piece["field_dice"]) or Dice(()) for piece in pieces if "field_dice" in piece]
    dice = tuple(part for field in fields for part in field.dice)
    return tuple(best), Dice(dice, sum(field.plus for field in fields))
