"""Exact odds of the Shadowrun 4 attack chain against icepool's for the same distribution."""

from __future__ import annotations

from typing import Any

from fracas.bench.timing import Figure, Row, in_turn
from fracas.kernel.odds import Transitions, odds
from fracas.kernel.readers import DefaultPolicy
from fracas.kernel.stage import Stage, share
from fracas.rulesets.sr4.harms.damage import AttackOutcome, Compare, Plan
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules, Side

CHAIN = Figure(
    "exact odds of an SR4 attack chain (14 dice against 9, DV 8, AP -2, armor 12, Body 4)",
    "icepool, the same distribution, compared",
    "µs",
    8.0,
)
FIGURES = (CHAIN,)

ATTACK, DEFENSE, DV, AP, ARMOR, BODY = 14, 9, 8, -2, 12, 4


def chain() -> Stage:
    """14 dice against 9, DV 8, AP -2, armor 12, Body 4."""
    armor = ARMOR + AP
    soak = Side("soak", "target", BODY + armor)
    plan = Plan(DV, 0, armor, "physical", soak, 0, "all", False, BODY, 1, True, None, (0, 3), -1)
    attack, defense = Side("attack", "attacker", ATTACK), Side("defense", "target", DEFENSE)
    return dice_test.start(attack, defense, Compare(share(plan), RollRules()))


def ours() -> dict[Stage, int]:
    """The distribution, nothing remembered from the call before but the weights of pools of dice."""
    return odds(chain(), Transitions(DefaultPolicy()), glitches=False).only.outcomes


def measure() -> list[Row]:
    try:
        import icepool
    except ImportError:
        return [CHAIN.missing("icepool is not installed")]
    hit = icepool.Die([0, 0, 0, 0, 1, 1])

    def peer() -> Any:
        net = ATTACK @ hit - DEFENSE @ hit
        soak = (BODY + ARMOR + AP) @ hit

        def resist(margin: int) -> Any:
            if margin <= 0:
                return (0, 0 if margin else 1)
            kind = 2 if DV + margin > ARMOR + AP else 3
            return soak.map(lambda hits: (max(0, DV + margin - hits), kind))

        return net.map(resist)

    _compare(ours(), peer())
    mine, theirs, ratio = in_turn(ours, peer)
    return [CHAIN.row(mine * 1e6, theirs * 1e6, ratio)]


def _compare(outcomes: dict[Stage, int], peer: Any) -> None:
    """Both give the same exact chances."""
    mine: dict[tuple[int, int], int] = {}
    total = sum(outcomes.values())
    for outcome, weight in outcomes.items():
        assert isinstance(outcome, AttackOutcome)
        kind = {"miss": 0, "graze": 1}.get(outcome.result, 2 if outcome.track == "physical" else 3)
        mine[outcome.damage, kind] = mine.get((outcome.damage, kind), 0) + weight
    theirs = {key: peer.quantity(key) for key in peer.outcomes()}
    if set(mine) != set(theirs) or any(mine[key] * peer.denominator() != theirs[key] * total for key in mine):
        raise AssertionError("our odds and icepool's differ")
