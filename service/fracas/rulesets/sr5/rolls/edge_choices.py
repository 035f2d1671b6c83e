"""What may be decided about a test, before its throw and after: Edge, and bought hits (rulebook sections 8.1, 8.3)."""

from __future__ import annotations

from fracas.dice.pools import GLITCHES
from fracas.kernel.ruleset import Clue, DecisionInfo
from fracas.kernel.stage import Option

EDGE_BEFORE = "edge-before"
EDGE_AFTER = "edge-after"
CLOSE_CALL = "close-call"
BUY_HITS = "buy-hits"

_POOL = Clue("pool", "Dice of the pool")
_EDGE_DICE = Clue("edge", "Dice that Edge brings")
_LIMIT = Clue("limit", "Most hits that count; none of a test without a limit")
_SEEN = (
    Clue("hits", "Hits of one's own, before the limit"),
    Clue("ones", "Ones of one's own"),
    Clue("glitch", "Glitch of one's own", GLITCHES),
    Clue("other_hits", "Hits of the other side, before its limit"),
    Clue("short", "Hits that are missing as it stands: 0 or less is a success"),
    _LIMIT,
)

DECISIONS = (
    DecisionInfo(
        EDGE_BEFORE, "Push the Limit before the roll", ("none", "push"), "none", (_POOL, _EDGE_DICE, _LIMIT)
    ),
    DecisionInfo(
        EDGE_AFTER,
        "Push the Limit after the roll, or a Second Chance",
        ("none", "push-after", "second-chance"),
        "none",
        _SEEN,
    ),
    DecisionInfo(CLOSE_CALL, "Close Call against a glitch", ("none", "cancel", "lessen"), "none", _SEEN),
)
"""Of every test."""

TEST_DECISIONS = (
    *DECISIONS,
    DecisionInfo(
        BUY_HITS, "Buy hits instead of rolling", ("none", "buy"), "none", (_POOL, _EDGE_DICE, _LIMIT)
    ),
)
"""Of tests outside of attacks, where hits may be bought."""

EDGE = (("edge", 1),)
NONE = Option("none", "No")
PUSH = Option("push", "Push the Limit: Edge dice more, every 6 rolls again, no limit", EDGE)
PUSH_AFTER = Option("push-after", "Push the Limit: roll Edge dice more, their 6s roll again, no limit", EDGE)
SECOND_CHANCE = Option("second-chance", "Second Chance: roll every die again that was no hit", EDGE)
BUY = Option("buy", "Buy a hit for every four dice")


def close_call(label: str, glitch: str) -> Option:
    """What a Close Call makes of a glitch: nothing of a plain one, a plain one of a critical one."""
    if glitch == "critical":
        notes = ((f"{label}_glitch", "glitch"),)
        return Option("lessen", "Close Call: a plain glitch of a critical one", EDGE, notes)
    return Option("cancel", "Close Call: cancel the glitch", EDGE, ((f"{label}_glitch", "negated"),))
