"""What decisions around a test with a pool of dice depend on, in any edition that counts hits."""

from __future__ import annotations

from fracas.dice.pools import GLITCHES
from fracas.kernel.ruleset import ContextField
from fracas.kernel.stage import Option

__all__ = ["BUY", "EDGE_DICE", "GLITCH", "NONE", "ONES", "POOL", "SHORT"]

POOL = ContextField("pool", "Dice of the pool")
EDGE_DICE = ContextField("edge", "Dice that Edge brings")
ONES = ContextField("ones", "Ones of one's own")
GLITCH = ContextField("glitch", "Glitch of one's own", GLITCHES)
SHORT = ContextField("short", "Hits that are missing as it stands: 0 or less is a success")
"""Known before and after the throw; their ids are the facts that questions carry."""

NONE = Option("none", "No")
BUY = Option("buy", "Buy a hit for every four dice")
"""Options of these decisions."""
