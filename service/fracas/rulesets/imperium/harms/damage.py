"""Damage of a hit, and what stands between it and the body: rulebook sections 8.1 and 12."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from fracas.dice.requests import Faces, Group, Spread
from fracas.dice.requests import Facts as RollFacts
from fracas.dice.totals import Total
from fracas.kernel.fields import text, whole, words
from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import has_record
from fracas.kernel.stage import Roll
from fracas.kernel.tables import row_of, rows_of
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import bodies
from fracas.rulesets.imperium.vocabulary import LOCATIONS

DiceParts = tuple[tuple[int, int], ...]
TARGET = "target"
"""The record of the one who is attacked, whose armor the record ``armor`` may stand for."""
CRITICAL, FORCE_WEAPON = "critical", "force-weapon"
"""Rows of the table ``damage-factors``."""
COVER = {
    "cover": whole("Cover", "Points off the damage to locations behind it. Left out: none.", most=200),
    "behind_cover": words("Behind cover", "Locations that the cover hides.", choices=LOCATIONS),
    "hide": whole(
        "Hide", "Points of skin and the like, beside armor, at all locations. Left out: none.", -200, 200
    ),
    "ward": text("Force field of a power", "Dice off each hit. Left out: none.", most=20, example="1d10"),
}
"""Fields of a combatant."""
SKIN = {name: COVER[name] for name in ("hide", "ward")}
"""Those that nobody has to stand behind."""


class Factors(Part, kind="imperium.factors"):
    """What damage is multiplied by, before and after armor, cover and force field are taken off."""

    before: int = 1
    after: int = 1

    def times(self, other: Factors) -> Factors:
        return Factors(self.before * other.before, self.after * other.after)


def factors(lookup: EntryLookup, row: str) -> Factors:
    """A row of the table ``damage-factors``.

    Raises:
        InputError: the packs in use have no such table or row.
    """
    found = row_of(lookup, "damage-factors", row)
    return Factors(after=found["factor"]) if found["after_armor"] else Factors(before=found["factor"])


class Damage(Part, kind="imperium.damage"):
    """The roll of damage: a request whose answer is the net damage.

    Its facts follow the label of the roll: ``damage_rolled`` (dice and what is added), ``damage_dealt`` (doubled by a
    critical hit), ``damage_stopped`` (by armor, cover and force field) and ``damage_net``; ``damage_location``.

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

    def facts_of(self, rolled: int) -> RollFacts:
        dealt = max(0, rolled) * self.factors.before
        facts: RollFacts = {"rolled": rolled, "dealt": dealt, "stopped": min(dealt, self.less)}
        facts |= {"net": self.net(rolled)}
        return facts | {"location": self.location} if self.location else facts

    def groups(self) -> tuple[Group, ...]:
        return Total(self.dice).groups()

    def answer(self, faces: Sequence[Faces]) -> int:
        return self.net(self._rolled(faces))

    def facts(self, faces: Sequence[Faces]) -> tuple[RollFacts, ...]:
        return (self.facts_of(self._rolled(faces)),)

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
    """What a combatant has against damage.

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

    def plus(self, points: int) -> Protection:
        """With so many points more everywhere."""
        return self._replace(points=tuple(one + points for one in self.points))

    def halved(self) -> Protection:
        """With half the points, rounded up; force fields stay whole."""
        return self._replace(points=tuple(bodies.rounded_up(one, 2) for one in self.points))


BARE = Protection((0,) * len(LOCATIONS), (), 0)


def field_roll(label: str, by: str, protection: Protection) -> Roll:
    """The roll of a force field: points off a hit, before armor."""
    return Roll((label,), (by,), Total(protection.field, protection.field_plus))


def protection_of(it: Attempt, who: str, *, halves_metal: bool = False) -> Protection:
    """Armor, cover and force fields of a combatant; of several layers at one location the best counts (ours).

    Of the target, one piece that the request names may stand for all that is worn; without locations it is everywhere.
    `halves_metal`: what is made of metal counts half.
    """
    facts = it.facts
    if who == TARGET and has_record(facts, "armor"):
        names = ("value", "locations", "field_dice", "material")
        piece = {name: facts[f"armor.{name}"] for name in names if f"armor.{name}" in facts}
        piece.setdefault("locations", LOCATIONS)
        if "field_dice" in piece:
            percentile.dice_given(it, "armor.field_dice", "the dice of the force field")
        pieces: list[Mapping[str, Any]] = [piece]
    else:
        worn = facts.get(f"{who}.armor", ())
        if f"{who}.armor" not in facts and not facts.get(f"{who}.object"):
            it.faults.need(f"{who}.armor", "the armor worn; an empty list for none")
        pieces = [one.data for one in worn]
    cover, behind = facts.get(f"{who}.cover", 0), ()
    if cover:
        behind = it.need(f"{who}.behind_cover", "the locations that the cover hides", ())
    metal = {
        name for name, row in rows_of(it.lookup, "armor-materials").items() if halves_metal and row["metal"]
    }

    def worn_at(place: str) -> int:
        values = (
            bodies.rounded_up(one.get("value", 0), 2 if one.get("material") in metal else 1)
            for one in pieces
            if place in one.get("locations", ())
        )
        return max(values, default=0)

    points = tuple(
        max(0, worn_at(place) + facts.get(f"{who}.hide", 0)) + (cover if place in behind else 0)
        for place in LOCATIONS
    )
    fields = [
        percentile.dice_of(one["field_dice"]) or percentile.NOTHING for one in pieces if "field_dice" in one
    ]
    if f"{who}.ward" in facts:
        fields.append(percentile.dice_given(it, f"{who}.ward", "the dice of the force field"))
    dice = tuple(part for field in fields for part in field.dice)
    return Protection(points, dice, sum(field.plus for field in fields))
