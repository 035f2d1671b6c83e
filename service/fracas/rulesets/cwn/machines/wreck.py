"""A vehicle is destroyed: those aboard suffer what it suffered (rulebook sections 13.2 and 17, R20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.kernel.fields import fields, text, vocabulary
from fracas.kernel.required import Faults, lacks
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Fork, Stage
from fracas.kernel.vocabulary import Field
from fracas.rulesets.cwn.areas.area_stages import strike
from fracas.rulesets.cwn.areas.area_victims import Threat, exposed, missing_of
from fracas.rulesets.cwn.areas.blast import area_measures
from fracas.rulesets.cwn.checks.saves import LUCK, PHYSICAL, save_targets
from fracas.rulesets.cwn.machines.aboard import (
    OCCUPANT_RECORDS,
    OCCUPANTS,
    VEHICLE,
    VEHICLE_RECORD,
    flat_damage,
    occupant_fields,
    occupants,
)

_INFLICTED = f"{VEHICLE}.wreck_damage"

WRECK = vocabulary(
    VEHICLE_RECORD,
    *OCCUPANT_RECORDS,
    fields(VEHICLE, name=text("Name", most=80)),
    Field(
        _INFLICTED,
        "whole",
        "Damage that destroyed it",
        "Of the last blow, after Armor (R20).",
        most=1000,
        example=18,
    ),
    occupant_fields(),
)


class VehicleDestroyed:
    """What destroyed the vehicle goes to all aboard."""

    id = "vehicle-destroyed"
    label = "Vehicle destroyed"
    doc = "All aboard suffer the damage that the vehicle took after Armor; a Luck save halves it."
    vocabulary = WRECK
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = save_targets(LUCK, PHYSICAL, records=OCCUPANTS)
    measures: tuple[Measure, ...] = area_measures()

    def prepare(self, asked: Asked) -> Prepared:
        facts = {**asked.said.facts, "attack.lethal": True}
        refusals = asked.rules.refusals(facts)
        people = occupants(facts)
        if refusals:
            return Prepared(None, (), refusals)
        if not people:
            raise lacks("victim_1", "a passenger")
        faults = Faults()
        if _INFLICTED not in facts:
            faults.need(_INFLICTED, "the damage that destroyed the vehicle, after Armor")
        threat = Threat(True, LUCK, None, False, ())
        seen = {who: missing_of(facts, who, threat, faults) for who in people}
        faults.check()
        area = flat_damage(facts[_INFLICTED], round_up=asked.options["half_rounding"] == "up")
        found = [exposed(asked, facts, seen[who], who, threat) for who in people]
        branches: list[tuple[str, Stage]] = [
            (one.victim.value.who, strike(area, one.victim, facts[_INFLICTED])) for one in found
        ]
        return Prepared(Fork(tuple(branches)), tuple(tally for one in found for tally in one.tallies))
