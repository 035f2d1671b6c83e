"""Situations for every procedure of the fifth edition, under the house rules."""

from __future__ import annotations

from late_packs import late
from odds_samples import Samples

from fracas.engine.game import Games
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

_NO_DICE = ("value", "limit", "compensation", "attribute")
_PACKS = [shipped("datapacks") / name for name in ("sr5-core", "sr5-bonus-actions")]
_TRIED = ("weapon", "ammunition", "combatant", "power", "drug")
SAMPLES = late(lambda: Samples(Games(Library.read(_PACKS)), "sr5", _TRIED, _NO_DICE))
