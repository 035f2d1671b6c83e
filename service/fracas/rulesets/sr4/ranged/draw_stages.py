"""From the test of a quick draw to the shot, or to where the weapon is instead: rulebook section 5.2.

test -> mishap (a decision) -> the weapon's state -> the shot, or the test of the second weapon
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.dice.pools import GLITCHES
from fracas.kernel.forms import Outcome, Part, Waiting
from fracas.kernel.ruleset import Clue, DecisionInfo
from fracas.kernel.stage import (
    Awaited,
    Decision,
    Effect,
    Fact,
    Facts,
    Option,
    Shared,
    Stage,
    share,
)
from fracas.rulesets.sr4.composing import Around, Beside, Wrap, spent_edge
from fracas.rulesets.sr4.harms.damage import Plan
from fracas.rulesets.sr4.ranged.ranged_stages import CRITICAL_GLITCH, dropped, struck
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.receivers import CRITICAL_SUCCESS, Receiver

WEAPON, SECOND = "weapon", "weapon_2"

GLITCH, CRITICAL = "draw-glitch", "draw-critical-glitch"
STUCK, DROPPED, FLUNG, GOES_OFF = "stuck", "dropped", "flung", "goes-off"
_CLUES = (Clue("weapon", "Record of the weapon", (WEAPON, SECOND)),)
MISHAPS = (
    DecisionInfo(GLITCH, "What the glitch of the quick draw does", (STUCK, DROPPED), STUCK, _CLUES),
    DecisionInfo(
        CRITICAL, "What the critical glitch of the quick draw does", (FLUNG, GOES_OFF), FLUNG, _CLUES
    ),
)
_OPTIONS = {
    GLITCH: (Option(STUCK, "It is stuck in its holster"), Option(DROPPED, "It falls to the ground")),
    CRITICAL: (Option(FLUNG, "It flies across the room"), Option(GOES_OFF, "It goes off in its holster")),
}
WHO = "attacker"
"""Who is asked what a glitch means; a gamemaster may answer for everybody."""


class Drawing(Part, kind="sr4.drawing"):
    """What the stages after the test need.

    Attributes:
        weapon: the record of what is drawn.
        threshold: hits needed.
        shot: the first stage of the attack that follows; None where nobody is shot at.
        shot_without_edge: the same where the draw has taken the Edge of this action.
        own: what the shooter resists when it goes off in the holster; None where too little is known.
        second: the test of the second weapon, to be made afterwards; None without one.
        counts_rounds: what is fired is taken off the weapon.
        asks_glitch, asks_critical: whether somebody says what a glitch means; otherwise the default.
    """

    weapon: str
    threshold: int
    shot: Shared[Any] | None
    shot_without_edge: Shared[Any] | None
    own: Shared[Plan] | None
    second: Shared[Side] | None
    counts_rounds: bool
    asks_glitch: bool
    asks_critical: bool
    rules: RollRules


class Draw(Receiver, kind="sr4.draw"):
    """Takes the test; a glitch is a mishap whatever the hits."""

    drawing: Shared[Drawing]

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return self.take_told(net, 0, edge_spent)

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        drawing = self.drawing.value
        if not glitch:
            result = "success" if hits >= drawing.threshold else "slow"
            return _drawn(self.drawing, result, edge_spent[0])
        decision = CRITICAL if glitch == CRITICAL_GLITCH else GLITCH
        if drawing.asks_critical if decision == CRITICAL else drawing.asks_glitch:
            return Mishap(decision, self.drawing, edge_spent[0])
        return _drawn(self.drawing, _default(decision), edge_spent[0])

    def short(self, net: int, scoreless: bool) -> int:
        return self.drawing.value.threshold - net

    def critical(self) -> int:
        return self.drawing.value.threshold + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"draw_threshold": self.drawing.value.threshold}


def _default(decision: str) -> str:
    return next(info.default for info in MISHAPS if info.id == decision)


class Mishap(Waiting, kind="sr4.draw-mishap"):
    """Somebody says what the glitch means."""

    decision: str
    drawing: Shared[Drawing]
    edge_spent: int

    @property
    def awaits(self) -> Awaited:
        about: tuple[tuple[str, Fact], ...] = (("weapon", self.drawing.value.weapon),)
        return Decision(self.decision, WHO, _OPTIONS[self.decision], _default(self.decision), about)

    def advance(self, answer: str) -> Stage:
        return _drawn(self.drawing, answer, self.edge_spent)

    def notes(self) -> Facts:
        glitch = CRITICAL_GLITCH if self.decision == CRITICAL else CRITICAL_GLITCH - 1
        return {"draw_glitch": GLITCHES[glitch]}


def _drawn(shared: Shared[Drawing], result: str, edge_spent: int) -> Stage:
    """Where the weapon is now, and what follows."""
    drawing = shared.value
    outcome = Drawn(result, drawing.weapon, drawing.counts_rounds, edge_spent)
    if result == "success":
        shot = drawing.shot_without_edge if edge_spent else drawing.shot
        if shot is not None:
            return Beside(outcome, shot.value, "")
    stage: Stage = outcome
    if result == GOES_OFF and drawing.own is not None:
        rules = drawing.rules._replace(tells_glitch=False)
        stage = Beside(outcome, struck(drawing.own, rules, may_use_edge=not edge_spent), "misfire_")
    if drawing.second is None:
        return stage
    side = drawing.second.value
    if edge_spent:
        side = side.without_edge()
    second = drawing._replace(weapon=SECOND, second=None, own=None)
    return First(dice_test.start(side, None, Draw(share(second)), drawing.rules)).put(stage)


class First(Wrap, kind="sr4.first-draw"):
    """The mishap of the first weapon is played to its end before the second is drawn."""

    second: Any

    def put(self, stage: Stage) -> Stage:
        return Beside(stage, self.second, "second_") if stage.awaits is None else Around(stage, self)


class Drawn(Outcome, kind="sr4.drawn"):
    """Where a weapon is after a quick draw.

    Attributes:
        result: ``success`` (in hand, may fire), ``slow`` (in hand), ``stuck``, ``dropped``, ``flung`` or ``goes-off``.
        weapon: its record.
        counts_rounds: a round that goes off is taken off it.
        edge_spent: points of Edge spent on the draw.
    """

    result: str
    weapon: str
    counts_rounds: bool
    edge_spent: int

    def notes(self) -> Facts:
        return {"draw": self.result, "ready": self.result in ("success", "slow")}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge_spent)
        if self.result in ("success", "slow"):
            state: tuple[tuple[str, Fact], ...] = (("ready", True), ("dropped", False))
            yield Effect("item", "attacker", self.weapon, None, state)
        elif self.result in (DROPPED, FLUNG):
            yield dropped("attacker", self.weapon)
        elif self.result == GOES_OFF and self.counts_rounds:
            yield Effect("item", "attacker", self.weapon, -1, (("state", "rounds"),))
