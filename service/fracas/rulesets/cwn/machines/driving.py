"""Driving, which takes an Action each round (rulebook section 13.2).

A vehicle that somebody has in motion is ``under-way``. Whoever drives it again puts off the moment at which it goes out
of control: the end of the next round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fracas.kernel.fields import fields, flag, text, vocabulary
from fracas.kernel.forms import Outcome
from fracas.kernel.ruleset import Asked, DecisionInfo, Measure, Prepared
from fracas.kernel.stage import Effect, Facts
from fracas.kernel.vocabulary import Record
from fracas.rulesets.cwn.machines.aboard import UNDER_WAY, VEHICLE, VEHICLE_RECORD

DRIVER = "driver"
LOSE_CONTROL = "lose-control"
"""The action that comes at the end of a round in which nobody has driven."""

DRIVE = vocabulary(
    Record(DRIVER, "Driver", "combatant"),
    VEHICLE_RECORD,
    Record("drive", "How it is done"),
    fields(DRIVER, name=text("Name", most=80)),
    fields(VEHICLE, name=text("Name", most=80)),
    fields("drive", stops=flag("Brings it to a stop", "Left out: keeps it in motion.")),
)


def keeps_going(vehicle: str) -> tuple[Effect, ...]:
    """The vehicle is in motion until the end of the next round, when it goes out of control unless somebody drives."""
    when = (("when", "turn-end"), ("turns", 1), ("while", UNDER_WAY))
    return (
        Effect("add-condition", vehicle, UNDER_WAY),
        Effect("schedule", vehicle, LOSE_CONTROL, None, when),
    )


class DriveProcedure:
    """Nothing is rolled: the vehicle goes where its driver wants, or stops."""

    id = "drive"
    label = "Drive"
    doc = "Keeps a vehicle on course for this round and the next, or brings it to a stop; nothing is rolled."
    vocabulary = DRIVE
    decisions: Sequence[DecisionInfo] = ()
    targets: Mapping[str, str] = {}
    measures = (Measure("moving", "Whether it is in motion", lambda facts: float(bool(facts["moving"]))),)

    def prepare(self, asked: Asked) -> Prepared:
        facts = asked.said.facts
        refusals = asked.rules.refusals(facts)
        return Prepared(None if refusals else Driven(not facts.get("drive.stops")), (), refusals)


class Driven(Outcome, kind="cwn.driven"):
    """The vehicle is in motion now, or it is not."""

    moving: bool

    def notes(self) -> Facts:
        return {"moving": self.moving}

    def effects(self) -> tuple[Effect, ...]:
        return keeps_going(VEHICLE) if self.moving else (Effect("remove-condition", VEHICLE, UNDER_WAY),)
