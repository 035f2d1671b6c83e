"""Damage from anything that is no attack: a fall, fire, a bolt from the sky (rulebook sections 2, 7 and 8).

Either dice, off which armor, cover and force fields are taken as off those of a weapon, or what is left after all that.
Where nobody says the location, a fresh D100 does, which is not reversed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.fields import choice, fields, flag, text, whole, words
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Shared, Stage
from fracas.kernel.vocabulary import Record, Vocabulary
from fracas.rulesets.imperium.attacks.damage import (
    BARE,
    FORCE_FIELD,
    Damage,
    DiceParts,
    Factors,
    Protection,
    protection_of,
)
from fracas.rulesets.imperium.checks.abilities import fields_named
from fracas.rulesets.imperium.checks.faults import Faults
from fracas.rulesets.imperium.checks.percentile import SIDES, Bands, location_bands
from fracas.rulesets.imperium.harms.body import (
    Body,
    body_fields,
    needed_body,
    test_name,
    test_targets,
    with_chance,
)
from fracas.rulesets.imperium.harms.harm import MEASURES, Harm
from fracas.rulesets.imperium.harms.injury import Blow, after_blows
from fracas.rulesets.imperium.vocabulary import LOCATIONS

VICTIM = "victim"
INJURY = Vocabulary(
    (
        Record(VICTIM, "Who is hurt", "combatant", "A combatant of the packs, or fields of one, or both."),
        Record("injury", "What hurts"),
    ),
    (
        *body_fields(VICTIM),
        *fields_named(VICTIM, "armor"),
        *fields(
            VICTIM,
            cover=whole("Cover", "Points off the damage to locations behind it. Left out: none.", most=200),
            behind_cover=words("Behind cover", "Locations that the cover hides.", choices=LOCATIONS),
        ),
        *fields(
            "injury",
            dice=text("Damage", "Dice, and what is added.", most=20, example="2d10+4"),
            ignores_armor=flag(
                "Ignores armor",
                "Such as a fall: neither armor nor cover nor force fields take anything off the dice.",
            ),
            damage=whole("Net damage", "In place of dice: points after armor and the like.", example=12),
            location=choice("Location", "Left out: a D100 decides.", choices=LOCATIONS),
        ),
    ),
)


class InjuryProcedure(Procedure):
    """One hit by anything but an attack."""

    id = "injury"
    label = "Damage from something else"
    doc = "Dice less armor and cover, or what gets through: injury levels, their tests, bleeding and death."
    vocabulary = INJURY
    targets: Mapping[str, str] = test_targets(VICTIM)
    measures = MEASURES

    def numbers(self, it: Attempt) -> None:
        faults = it.faults = Faults()
        body, hurt = needed_body(it, VICTIM), _hurt_of(it.facts, faults)
        it.plan = body, hurt
        if body is not None:
            it.shown |= values_of(body.value)

    def first(self, it: Attempt) -> Stage:
        body, hurt = it.plan
        victim = with_chance(body, it.total(test_name(VICTIM)))
        if "injury.location" in it.facts:
            return _struck(victim, it.facts["injury.location"], hurt)
        return Locating(victim, hurt, location_bands(it.catalog))


class Hurt(Part, kind="imperium.hurt"):
    """What hurts.

    Attributes:
        dice, plus: the damage; without dice it is `plus`.
        protection: what is taken off; None where `plus` is net damage.
    """

    dice: DiceParts
    plus: int
    protection: Protection | None


def _hurt_of(facts: Mapping[str, Any], faults: Faults) -> Hurt:
    if "injury.damage" in facts:
        return Hurt((), facts["injury.damage"], None)
    dice = faults.dice(
        facts, "injury.dice", "the dice of the damage | injury.damage, what is left of it after armor"
    )
    if facts.get("injury.ignores_armor") or "injury.dice" not in facts:
        return Hurt(dice.dice, dice.plus, BARE)
    return Hurt(dice.dice, dice.plus, protection_of(facts, VICTIM, faults))


def values_of(body: Body) -> dict[str, int]:
    """The values that follow from the Toughness, for the explanation."""
    return {
        "base_injury_value": body.base,
        "system_shock_value": body.shock,
        "consciousness_value": body.consciousness,
    }


def _struck(body: Shared[Body], place: str, hurt: Hurt) -> Stage:
    if hurt.protection is None:
        return _injured(body, place, hurt.plus)
    return Warding(body, hurt, place) if hurt.protection.rolls else Harming(body, hurt, place, 0)


def _injured(body: Shared[Body], place: str, net: int) -> Stage:
    return after_blows(InjuryEnd(None, place), VICTIM, body, (Blow(place, net),))


class Warding(Waiting, kind="imperium.warding"):
    """Waits for the roll of force fields."""

    body: Shared[Body]
    hurt: Hurt
    place: str

    @property
    def awaits(self) -> Awaited:
        protection = self.hurt.protection or BARE
        return Roll((FORCE_FIELD,), (VICTIM,), Total(protection.field, protection.field_plus))

    def advance(self, answer: Any) -> Stage:
        return Harming(self.body, self.hurt, self.place, answer)


class Harming(Waiting, kind="imperium.harming"):
    """Waits for the damage; `field` are the points of force fields."""

    body: Shared[Body]
    hurt: Hurt
    place: str
    field: int

    @property
    def awaits(self) -> Awaited:
        less = (self.hurt.protection or BARE).at(self.place) + self.field
        damage = Damage(self.hurt.dice, self.hurt.plus, Factors(), less, self.place)
        return Roll(("damage",), (VICTIM,), damage)

    def advance(self, answer: Any) -> Stage:
        return _injured(self.body, self.place, answer)


class Locating(Waiting, kind="imperium.locating"):
    """Waits for the D100 that tells the location."""

    body: Shared[Body]
    hurt: Hurt
    bands: Bands

    @property
    def awaits(self) -> Awaited:
        return Roll(("location",), (VICTIM,), Total(((1, SIDES),)))

    def advance(self, answer: Any) -> Stage:
        place = next((name for name, least, most in self.bands if least <= answer <= most), "body")
        return _struck(self.body, place, self.hurt)


class InjuryEnd(Outcome, kind="imperium.injury-end"):
    """What the damage did."""

    harm: Harm | None
    place: str

    def notes(self) -> Facts:
        return {"location": self.place, **(self.harm.facts() if self.harm else {})}

    def changes(self) -> tuple[Effect, ...]:
        return self.harm.effects(VICTIM) if self.harm else ()
