"""Where fights keep what harm does: tracks for the effects of the module `harm`."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.turns import Track
from fracas.rulesets.imperium.harms.harm import INJURY_TOTAL, STUNNED_ACTIONS, bleeding_track, level_track
from fracas.rulesets.imperium.vocabulary import LOCATIONS


def _named(place: str) -> str:
    return place.replace("-", " ")


HARM_TRACKS: Mapping[str, Track] = {
    INJURY_TOTAL: Track("injury_total", noun="point of Injury"),
    STUNNED_ACTIONS: Track("stunned_actions", noun="stunned action"),
    **{
        level_track(place): Track("injuries", key=place, noun=f"level of injury in the {_named(place)}")
        for place in LOCATIONS
    },
    **{
        bleeding_track(place): Track("bleeding", key=place, noun=f"point of bleeding in the {_named(place)}")
        for place in LOCATIONS
    },
}
