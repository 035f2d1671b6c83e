"""Damage from what is no attack: a bolt from the sky, acid, electricity (rulebook sections 2, 7, 8 and 22).

Either dice, off which armor, cover and force fields are taken as off those of a weapon, or what is left after all that.
Where nobody says the location, a fresh D100 does, which is not reversed. What else some kinds of harm do stands in the
packs' table ``kinds-of-harm``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from fracas.dice.totals import Total
from fracas.kernel import percentiles
from fracas.kernel.composing import with_effects
from fracas.kernel.fields import choice, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Continuation, Outcome, Part, Waiting
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Shared, Stage
from fracas.kernel.steps import Throw
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Record
from fracas.rulesets.imperium.checks import percentile
from fracas.rulesets.imperium.harms import bodies, injury
from fracas.rulesets.imperium.harms.bodies import Body
from fracas.rulesets.imperium.harms.damage import (
    BARE,
    COVER,
    Damage,
    DiceParts,
    Factors,
    Protection,
    field_roll,
    protection_of,
)
from fracas.rulesets.imperium.harms.hurting import Dazzling
from fracas.rulesets.imperium.vocabulary import LOCATIONS, fields_named

KINDS = ("acid", "electric", "choking", "exposure", "fading")
TABLE = "kinds-of-harm"
"""The table of the packs, with a row for each kind."""
RESIST = "injury.resist"
HOLD, OF_THE_WARP = "hold-on-the-world", "of-the-warp"
"""The action by which a daemon that has been here for some rounds is tested, and the condition of daemons."""

VICTIM = "victim"


class Injury(Procedure):
    """Dice less armor and cover, or the damage that gets through: levels of injury, their tests, bleeding and death."""

    label = "Damage from something else"
    vocabulary = vocabulary(
        person(VICTIM, "Who is hurt"),
        Record("injury", "What hurts"),
        bodies.body_fields(VICTIM),
        fields_named(VICTIM, "armor", **COVER),
        fields(
            "injury",
            dice=text("Damage", "Dice, and what is added.", most=20, example="2d10+4"),
            ignores_armor=flag("Ignores armor", "Neither armor nor cover nor force fields count."),
            damage=whole("Net damage", "In place of dice: points after armor and the like.", example=12),
            location=choice("Location", "Left out: a D100 decides.", choices=LOCATIONS),
            kind=choice("Kind", "Left out: none in particular.", choices=KINDS),
        ),
    )
    targets: Mapping[str, str] = {RESIST: "Chance to resist the harm", **bodies.INJURY_TEST.targets(VICTIM)}
    measures = injury.MEASURES

    def numbers(self, it: Attempt) -> None:
        kind = kind_of(it)
        if kind and "injury.damage" not in it.facts:
            it.facts.setdefault("injury.dice", kind["dice"])
        body = bodies.known_body(it, VICTIM)
        it.plan = body, _hurt_of(it)
        if body is not None:
            its = body.value
            it.shown |= {"base_injury_value": its.base, "system_shock_value": its.shock}
            it.shown["consciousness_value"] = its.consciousness
        if test := kind.get("test"):
            percentile.number_of_test(it, RESIST, VICTIM, test)

    def first(self, it: Attempt) -> Stage:
        body, hurt = it.plan
        victim = bodies.as_numbered(it, VICTIM, body)
        if RESIST in it.made:
            kind = kind_of(it)
            end = Endured(injury.unhurt(victim), False, bool(kind["again"]))
            fells = bool(kind["matched"])
            return percentile.tested(it, RESIST, VICTIM, Enduring(end, Total(hurt.dice, hurt.plus), fells))
        if "injury.location" in it.facts:
            return _after_all(it, victim, _struck(victim, it.facts["injury.location"], hurt))
        return _after_all(it, victim, Locating(victim, hurt, percentile.location_bands(it.lookup)))


def kind_of(it: Attempt) -> Mapping[str, Any]:
    """The row of the kind of harm; empty for none in particular."""
    kind = it.facts.get("injury.kind")
    return row_of(it.lookup, TABLE, kind) if kind else {}


def _after_all(it: Attempt, body: Shared[Body], hurt: Stage) -> Stage:
    """The stages of what hurts, with what its kind does beside: a condition; a test of Toughness, or actions lost."""
    kind, known = kind_of(it), body.value
    if condition := kind.get("condition"):
        hurt = with_effects(hurt, (Effect("add-condition", VICTIM, condition),))
    if kind.get("stunned") and not known.steady and not known.out:
        stuns = percentile.dice_in(TABLE, kind["stunned"])
        hurt = Dazzling(VICTIM, known.test, stuns, 1, known.stunned, "jolt").around(hurt)
    return hurt


class Hurt(Part, kind="imperium.hurt"):
    """What hurts.

    Attributes:
        dice, plus: the damage; without dice it is `plus`.
        protection: what is taken off; None where `plus` is net damage.
    """

    dice: DiceParts
    plus: int
    protection: Protection | None


def _hurt_of(it: Attempt) -> Hurt:
    if "injury.damage" in it.facts:
        return Hurt((), it.facts["injury.damage"], None)
    what = "the dice of the damage | injury.damage, what is left of it after armor"
    dice = percentile.dice_given(it, "injury.dice", what)
    if "injury.dice" not in it.facts or it.facts.get("injury.ignores_armor"):
        return Hurt(dice.dice, dice.plus, BARE)
    metal = bool(kind_of(it).get("halves_metal"))
    return Hurt(dice.dice, dice.plus, protection_of(it, VICTIM, halves_metal=metal))


def _struck(body: Shared[Body], place: str, hurt: Hurt | int) -> Stage:
    if isinstance(hurt, int):  # the net damage, in a stage of version 0.2.0
        return _injured(body, place, hurt)
    if hurt.protection is None:
        return _injured(body, place, hurt.plus)
    return Warding(body, hurt, place) if hurt.protection.rolls else Harming(body, hurt, place, 0)


def _injured(body: Shared[Body], place: str, net: int) -> Stage:
    return injury.after_blows(InjuryEnd(injury.unhurt(body), place), VICTIM, injury.Blow(place, net))


class Warding(Waiting, kind="imperium.warding"):
    """Waits for the roll of force fields."""

    body: Shared[Body]
    hurt: Hurt
    place: str
    awaits = property(lambda self: field_roll("force-field", VICTIM, self.hurt.protection or BARE))

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
    """Waits for the D100 that shows the location."""

    body: Shared[Body]
    hurt: Hurt
    bands: percentile.Bands
    awaits = Roll(("location",), (VICTIM,), Total(((1, percentiles.SIDES),)))

    def advance(self, answer: Any) -> Stage:
        return _struck(self.body, percentile.location_at(answer, self.bands), self.hurt)


class InjuryEnd(Outcome, kind="imperium.injury-end"):
    """What the damage did."""

    harm: injury.Harm
    place: str

    def notes(self) -> Facts:
        return {"location": self.place, **self.harm.facts()}

    def changes(self) -> Iterator[Effect]:
        return self.harm.effects(VICTIM)


class Enduring(Continuation, kind="imperium.enduring"):
    """What comes of a test that keeps off harm without a location; `fells`: a matched failure, consciousness."""

    end: Endured
    dice: Total
    fells: bool

    def on_result(self, test: percentile.Percentile, face: int) -> Stage:
        if test.passes(face):
            return self.end._replace(resisted=True)
        return Throw(
            "damage", VICTIM, self.dice, Weakening(self.end, self.fells and percentiles.matched(face))
        )


class Weakening(Continuation, kind="imperium.weakening"):
    """Takes the dice of harm without a location, which `end` then has; `faints`: and consciousness is lost."""

    end: Any
    faints: bool = False

    def on_result(self, rolled: int) -> Stage:
        harm = injury.unlocated(self.end.harm, max(0, rolled))
        if self.faints and not harm.out:
            harm = harm._replace(out=bodies.UNCONSCIOUS, prone=True)
        return cast(Stage, self.end._replace(harm=harm))


class Endured(Outcome, kind="imperium.endured"):
    """Whether harm was resisted, and what it did; `again`: the test comes up as the next own round ends."""

    harm: injury.Harm
    resisted: bool
    again: bool

    def notes(self) -> Facts:
        return {"resisted": self.resisted, **self.harm.facts()}

    def changes(self) -> Iterator[Effect]:
        yield from self.harm.effects(VICTIM)
        if self.again and self.harm.out != bodies.DEAD:
            yield holds_on(VICTIM)


def holds_on(who: str, rounds: int = 0) -> Effect:
    """The test of a daemon's hold on the world, as an own round ends after so many others."""
    when = (("when", injury.ROUND_END), ("turns", rounds), ("while", OF_THE_WARP))
    return Effect("schedule", who, HOLD, None, when)
