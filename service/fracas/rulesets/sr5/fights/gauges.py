"""Condition monitors and Edge at a glance: rulebook sections 8.3 and 8.6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.turns import Gauge
from fracas.rulesets.sr5.harms.monitors import Monitors

_BODY = ("physical", "stun", "body", "willpower", "grunt", "vehicle", "stabilized")


def monitors_of(sheet: Mapping[str, Any]) -> Monitors | None:
    """The monitors of a sheet, on which boxes that it does not report are not filled; None where it lacks
    attributes."""
    facts = {"own.physical": 0, "own.stun": 0}
    return Monitors.of(facts | {f"own.{name}": sheet[name] for name in _BODY if name in sheet}, "own")


def gauges(sheet: Mapping[str, Any]) -> Sequence[Gauge]:
    """Both monitors, of a grunt the single one for each kind, and the Edge that is left."""
    found = []
    monitors = monitors_of(sheet)
    if monitors is not None:
        found.append(Gauge("physical", "Physical", monitors.physical, monitors.physical_boxes))
        if not monitors.vehicle:
            most = monitors.physical_boxes if monitors.single else monitors.stun_boxes
            found.append(Gauge("stun", "Stun", monitors.stun, most))
    points = sheet.get("edge_points")
    if isinstance(points, int):
        found.append(Gauge("edge", "Edge", points, sheet.get("edge"), fills=False, harm=False))
    return found
