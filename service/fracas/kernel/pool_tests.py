"""What decisions around a test with a pool of dice depend on, in any edition that counts hits."""

from __future__ import annotations

from fracas.dice.pools import GLITCHES
from fracas.kernel.ruleset import ContextField
from fracas.kernel.stage import Option

__all__ = ["BUY", "EDGE_DICE", "GLITCH", "NONE", "ONES", "POOL", "SHORT"]

POOL = ContextField("pool", "Dice of the pool")
"""Known before the throw."""
EDGE_DICE = ContextField("edge", "Dice that Edge brings")
"""Known before the throw."""
ONES = ContextField("ones", "Ones of one's own")
"""Known after the throw."""
GLITCH = ContextField("glitch", "Glitch of one's own", GLITCHES)
"""Known after the throw."""
SHORT = ContextField("short", "Hits that are missing as it stands: 0 or less is a success")
"""Known after the throw."""

NONE = Option("none", "No")
"""The option of every such decision that costs nothing."""
BUY = Option("buy", "Buy a hit for every four dice")
"""The option of a decision to buy hits, instead of a throw."""
