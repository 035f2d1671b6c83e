"""What may be decided about a test, before its throw and after: Edge, and bought hits (rulebook sections 1 and 2)."""

from __future__ import annotations

from fracas.dice.pools import GLITCHES
from fracas.kernel.ruleset import Clue, DecisionInfo
from fracas.kernel.stage import Option
from fracas.rulesets.sr4.composing import EDGE_ATTRIBUTE

EDGE_BEFORE = "edge-before"
EDGE_AFTER = "edge-after"
BUY_HITS = "buy-hits"
_POOL = Clue("pool", "Dice of the pool")
_EDGE_DICE = Clue("edge", "Dice that Edge brings")
_NEEDED = Clue("needed", "Hits that it takes; of a test that nobody opposes")
_SHORT = Clue("short", "Hits that are missing as it stands: 0 or less is a success")
DECISIONS = (
    DecisionInfo(
        EDGE_BEFORE,
        "Spend Edge before the roll",
        ("none", "push", "long-shot", "burn"),
        "none",
        (_POOL, _EDGE_DICE, _NEEDED),
    ),
    DecisionInfo(
        EDGE_AFTER,
        "Spend Edge after the roll",
        ("none", "add", "reroll", "negate-glitch"),
        "none",
        (
            Clue("hits", "Hits of one's own"),
            Clue("ones", "Ones of one's own"),
            Clue("glitch", "Glitch of one's own", GLITCHES),
            Clue("other_hits", "Hits of the other side"),
            _SHORT,
        ),
    ),
    DecisionInfo(
        BUY_HITS,
        "Buy hits instead of rolling",
        ("none", "buy"),
        "none",
        (_POOL, _EDGE_DICE, _NEEDED, _SHORT._replace(label="Hits that are missing if hits are bought")),
    ),
)

EDGE = (("edge", 1),)
BURN = Option("burn", "Burn Edge: a critical success without a roll", ((EDGE_ATTRIBUTE, 1),))
PUSH = Option("push", "Push: add Edge dice, every 6 rolls again", EDGE)
LONG_SHOT = Option("long-shot", "Long shot: roll Edge dice alone", EDGE)
ADD = Option("add", "Roll Edge dice more, their 6s roll again", EDGE)
REROLL = Option("reroll", "Roll every die again that was no hit", EDGE)
BUY = Option("buy", "Buy a hit for every four dice")
NONE = Option("none", "No")
