"""The Injury Total and what it approaches, at a glance: section 8.3."""

from __future__ import annotations

from collections.abc import Sequence

from fracas.kernel.intents import Participant
from fracas.kernel.turns import Gauge
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.imperium.harms.body import HIGHEST, injury_value
from fracas.rulesets.imperium.harms.harm import INJURY_TOTAL


def gauges(participant: Participant, catalog: Catalog) -> Sequence[Gauge]:
    """The Injury Total up to death, and the levels of each injured location, most five."""
    sheet = participant.sheet
    toughness = sheet.get("toughness")
    most = injury_value(catalog, toughness, "death") if isinstance(toughness, int) else None
    found = [Gauge(INJURY_TOTAL, "Injury Total", sheet.get("injury_total", 0), most)]
    for place, level in sheet.get("injuries", {}).items():
        if level:
            found.append(Gauge(f"injury-{place}", place.replace("-", " ").capitalize(), level, HIGHEST))
    return found
