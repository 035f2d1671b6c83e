"""From the attack test against a barrier to the hole in it: rulebook section 11.8.

test -> comparison with the armor -> the barrier's resistance -> structure
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage
from fracas.rulesets.sr4.composing import Beside, Told, spent_edge
from fracas.rulesets.sr4.harms.damage import Plan
from fracas.rulesets.sr4.ranged.body_barriers import with_body
from fracas.rulesets.sr4.ranged.body_vocabulary import SHIELD
from fracas.rulesets.sr4.ranged.ranged_stages import CRITICAL_GLITCH, struck
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.dice_test import RollRules, Side
from fracas.rulesets.sr4.rolls.receivers import Receiver

SPELL = "physical-barrier"
"""The condition of whoever stands behind a barrier of magic; it is gone when that breaks."""
BARRIER = "barrier"
"""Who throws the dice of the barrier."""


class Wall(Part, kind="sr4.wall"):
    """What the stages after the test need.

    Attributes:
        value: DV before hits.
        burst: DV that is added after the comparison.
        track: ``physical`` or ``stun``, which does nothing to a barrier.
        armor: armor after penetration.
        dice: of the barrier's resistance.
        structure: of the square metre that is hit.
        damage: what it has lost already.
        rounds: ammunition spent.
        own: what the shooter resists when explosive ammunition misfires; None where nothing is known of it.
        misfires: the ammunition goes off in the weapon on a critical glitch.
        rules: of the tests that follow.
        body: what somebody resists who is the barrier; None for a thing.
        magic: the barrier is a spell before somebody.
    """

    value: int
    burst: int
    track: str
    armor: int
    dice: int
    structure: int
    damage: int
    rounds: int
    own: Shared[Plan] | None
    misfires: bool
    rules: RollRules
    body: Shared[Plan] | None = None
    magic: bool = False


class Batter(Receiver, kind="sr4.batter"):
    """Takes the attack test: its hits are added to the DV, and nobody defends."""

    wall: Shared[Wall]

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        if net <= 0:
            return WallOutcome("miss", 0, self.wall, edge_spent[0])
        return batter(self.wall, net, edge_spent[0])

    def take_told(self, hits: int, glitch: int, edge_spent: tuple[int, int]) -> Stage:
        wall = self.wall.value
        if glitch != CRITICAL_GLITCH or not wall.misfires:
            return self.take(hits, False, edge_spent)
        told = Told(WallOutcome("miss", 0, self.wall, edge_spent[0]), (("misfire", True),))
        if wall.own is None:
            return told
        return Beside(told, struck(wall.own, wall.rules, may_use_edge=not edge_spent[0]), "misfire_")

    def forgo(self) -> Stage:
        """An attacker without dice makes no attack."""
        return WallOutcome("no-attack", 0, self.wall, 0)

    def short(self, net: int, scoreless: bool) -> int:
        return 1 - net


def batter(shared: Shared[Wall], hits: int, edge_spent: int = 0) -> Stage:
    """The modified DV must exceed the armor; then the barrier resists."""
    wall = shared.value
    if wall.body is not None:
        done = WallOutcome("hit", 0, shared, edge_spent)
        return with_body(done, wall.body, wall.structure, hits, wall.rules)
    modified = wall.value + hits
    if wall.track == "stun" or modified <= wall.armor:
        facts: tuple[tuple[str, Fact], ...] = (("modified_dv", modified), ("modified_armor", wall.armor))
        return Told(WallOutcome("no-effect", 0, shared, edge_spent), facts)
    side = Side("resist", BARRIER, wall.dice)
    then = Batters(modified + wall.burst, shared, edge_spent)
    return dice_test.start(side, None, then, wall.rules)


class Batters(Receiver, kind="sr4.batters"):
    """Takes the resistance of the barrier."""

    dv: int
    wall: Shared[Wall]
    edge_spent: int

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        return WallOutcome("hit", max(0, self.dv - net), self.wall, self.edge_spent)

    def notes(self) -> Facts:
        wall = self.wall.value
        return {"modified_dv": self.dv - wall.burst, "modified_armor": wall.armor, "dv": self.dv}


class WallOutcome(Outcome, kind="sr4.wall-outcome"):
    """What is left of a barrier.

    Attributes:
        result: ``hit``, ``no-effect`` (too weak, or Stun), ``miss``, or ``no-attack`` (a pool of 0 dice).
        damage: points of structure that the square metre loses.
        edge_spent: points of Edge of the attacker.
    """

    result: str
    damage: int
    wall: Shared[Wall]
    edge_spent: int

    def notes(self) -> Facts:
        wall = self.wall.value
        if wall.body is not None:
            return {"result": self.result}
        return {
            "result": self.result,
            "damage": self.damage,
            "structure_lost": self.lost,
            "structure_left": max(0, wall.structure - self.lost),
            "hole": self.hole,
        }

    @property
    def lost(self) -> int:
        """Points of structure that are gone, with those of before."""
        return self.wall.value.damage + self.damage

    @property
    def hole(self) -> bool:
        return self.lost > self.wall.value.structure

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge_spent)
        rounds = self.wall.value.rounds
        if rounds and self.result != "no-attack":
            yield Effect("item", "attacker", "weapon", -rounds, (("state", "rounds"),))
            yield Effect("gain", "attacker", "rounds-fired", rounds)
            yield Effect("gain", "attacker", "attacks-made", 1)
        if self.wall.value.magic and self.damage:
            yield Effect("mark", SHIELD, "barrier-damage", self.damage)
            if self.hole:
                yield Effect("remove-condition", SHIELD, SPELL)
