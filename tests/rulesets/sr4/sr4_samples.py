"""Situations for every procedure of the fourth edition."""

from __future__ import annotations

from late_packs import late
from odds_samples import Data, Samples, prepared, with_edge
from sr4_table import GAMES

from fracas.rulesets.sr4 import RULESET

__all__ = ["PROCEDURES", "SAMPLES", "Data", "prepared", "with_edge"]

_NO_DICE = ("value", "burst", "rating", "compensation", "boxes", "armor", "rate", "structure", "threshold")
SAMPLES = late(lambda: Samples(GAMES, "sr4", ("condition", "weapon", "ammunition", "combatant"), _NO_DICE))
PROCEDURES = list(RULESET.procedures.values())
