"""Net damage from anything that is no attack: a fall, fire, a blow that the GM settles (rulebook sections 7 and 8).

Where nobody says the location, a fresh D100 does, which is not reversed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.requests import Total
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.stage import Awaited, Effect, Facts, Roll, Shared, Stage
from fracas.kernel.vocabulary import Field, Record, Vocabulary
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
        Field("injury.damage", "whole", "Net damage", "Points, after armor and the like.", example=12),
        Field("injury.location", "choice", "Location", "Left out: a D100 tells it.", choices=LOCATIONS),
    ),
)


class InjuryProcedure(Procedure):
    """One hit whose damage is settled."""

    id = "injury"
    label = "Net damage"
    doc = "Damage that gets through: injury levels, the tests that they ask for, bleeding and death."
    vocabulary = INJURY
    targets: Mapping[str, str] = test_targets(VICTIM)
    measures = MEASURES

    def numbers(self, it: Attempt) -> None:
        it.need("injury.damage", "the net damage")
        it.plan = needed_body(it, VICTIM)
        if it.plan is not None:
            it.shown |= values_of(it.plan.value)

    def first(self, it: Attempt) -> Stage:
        hurt, net = with_chance(it.plan, it.total(test_name(VICTIM))), it.facts["injury.damage"]
        if "injury.location" in it.facts:
            return _struck(hurt, it.facts["injury.location"], net)
        return Locating(hurt, net, location_bands(it.catalog))


def values_of(body: Body) -> dict[str, int]:
    """The values that follow from the Toughness, for the explanation."""
    return {
        "base_injury_value": body.base,
        "system_shock_value": body.shock,
        "consciousness_value": body.consciousness,
    }


def _struck(body: Shared[Body], place: str, net: int) -> Stage:
    return after_blows(InjuryEnd(None, place), VICTIM, body, (Blow(place, net),))


class Locating(Waiting, kind="imperium.locating"):
    """Waits for the D100 that tells the location."""

    body: Shared[Body]
    net: int
    bands: Bands

    @property
    def awaits(self) -> Awaited:
        return Roll(("location",), (VICTIM,), Total(((1, SIDES),)))

    def advance(self, answer: Any) -> Stage:
        place = next((name for name, least, most in self.bands if least <= answer <= most), "body")
        return _struck(self.body, place, self.net)


class InjuryEnd(Outcome, kind="imperium.injury-end"):
    """What the damage did."""

    harm: Harm | None
    place: str

    def notes(self) -> Facts:
        return {"location": self.place, **(self.harm.facts() if self.harm else {})}

    def changes(self) -> tuple[Effect, ...]:
        return self.harm.effects(VICTIM) if self.harm else ()
