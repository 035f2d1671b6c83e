"""Situations for every procedure of the fourth edition."""

from __future__ import annotations

from odds_samples import Data, Samples, prepared, with_edge
from sr4_table import GAMES

__all__ = ["PROCEDURES", "Data", "applied", "asked", "is_pool", "prepared", "samples", "small", "with_edge"]

_NO_DICE = ("value", "burst", "rating", "compensation", "boxes", "armor", "rate", "structure", "threshold")
_SAMPLES = Samples(GAMES, "sr4", ("condition", "weapon", "ammunition", "combatant"), _NO_DICE)
PROCEDURES = _SAMPLES.procedures
samples, asked, applied = _SAMPLES.of, _SAMPLES.asked, _SAMPLES.applied
small, is_pool = _SAMPLES.small, _SAMPLES.is_pool
