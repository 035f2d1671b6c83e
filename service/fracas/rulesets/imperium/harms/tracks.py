"""Where fights keep what harm does: tracks for the effects of the module `harm`."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.turns import Track
from fracas.rulesets.imperium.harms.harm import INJURY_TOTAL, STUNNED_ACTIONS, bleeding_track, level_track
from fracas.rulesets.imperium.vocabulary import LOCATIONS

HARM_TRACKS: Mapping[str, Track] = {
    INJURY_TOTAL: Track("injury_total"),
    STUNNED_ACTIONS: Track("stunned_actions"),
    **{level_track(place): Track("injuries", key=place) for place in LOCATIONS},
    **{bleeding_track(place): Track("bleeding", key=place) for place in LOCATIONS},
}
