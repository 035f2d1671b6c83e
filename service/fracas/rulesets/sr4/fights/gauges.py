"""Condition monitors and Edge at a glance: sections 3 and 15."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.intents import Participant
from fracas.kernel.turns import Gauge
from fracas.rulesets.sr4.fights.standing import with_owner
from fracas.rulesets.sr4.sheet import Monitors


def gauges(participant: Participant) -> Sequence[Gauge]:
    """Both monitors, or the single one, and the Edge that is left."""
    sheet = participant.sheet
    monitors = Monitors.of(with_owner(sheet), "own", participant.options)
    found = []
    if monitors is not None:
        found.append(Gauge("physical", "Physical", monitors.physical, monitors.physical_boxes))
        if not monitors.vehicle:
            most = monitors.physical_boxes if monitors.single else monitors.stun_boxes
            found.append(Gauge("stun", "Stun", monitors.stun, most))
    points = sheet.get("edge_points")
    if isinstance(points, int):
        found.append(Gauge("edge", "Edge", points, sheet.get("edge"), fills=False, harm=False))
    return found
