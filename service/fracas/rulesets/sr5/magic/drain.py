"""Drain: what magic costs the one who works it (rulebook section 11.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.harms.damage import facts_after, marks
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, side_of, spent_edge
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries

CASTER = "caster"
DRAIN = "drain"
"""The branch of what it costs, and the label of its test."""
DRAIN_POOL = "drain.pool"
LEAST_DRAIN = 2


def drain_base(facts: Mapping[str, Any]) -> list[Entry]:
    """Willpower and the attribute of the tradition, or the pool given.

    Raises:
        InputError: the request says neither.
    """
    if "caster.drain_pool" in facts:
        return [Entry("pool", "Pool given", facts["caster.drain_pool"])]
    require(facts, [("caster.drain_attribute", "the attribute of the tradition | caster.drain_pool")])
    names = ("willpower", facts["caster.drain_attribute"])
    entries = attribute_entries(facts, CASTER, names, "caster.drain_pool")
    return [entries[0], entries[1]._replace(id="tradition")]


class Resistance(Part, kind="sr5.drain-resistance"):
    """How a combatant resists drain.

    Attributes:
        side: the test.
        magic: hits kept above it make the drain Physical.
        edge_points: points of Edge before the magic was worked.
        monitors: None where the situation does not report them.
    """

    side: Side
    magic: int
    edge_points: int
    monitors: Monitors | None

    def resisted(self, dv: int, hits: int, spent: int) -> Stage:
        """The test against drain.

        Args:
            hits: kept in the test that brought it.
            spent: points of Edge spent on that.
        """
        side = self.side if self.edge_points > spent else self.side.without_points()
        track = "physical" if hits > self.magic else "stun"
        return dice_test.start(side, None, Drain(dv, track, self.monitors, spent))


def resistance(asked: Asked, facts: Mapping[str, Any], pool: int) -> Resistance:
    """How the caster resists drain with so many dice."""
    return Resistance(
        side_of(DRAIN, CASTER, pool, facts, asked),
        facts["caster.magic"],
        facts.get("caster.edge_points", 0),
        Monitors.of(facts, CASTER),
    )


class Drain(Receiver, kind="sr5.drain"):
    """Takes the test against drain: each hit lowers it by one."""

    dv: int
    track: str
    monitors: Monitors | None
    edge_spent: int

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return Drained(max(0, self.dv - hits), self.track, self.monitors, self.edge_spent + spent[0])

    def short(self, hits: int, other_hits: int) -> int:
        return self.dv - hits

    def notes(self) -> Facts:
        return {"dv": self.dv}


class Drained(Outcome, kind="sr5.drained"):
    """What magic cost the one who worked it."""

    damage: int
    track: str
    monitors: Monitors | None
    edge_spent: int

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"damage": self.damage, "track": self.track}
        monitors = self.monitors
        return facts if monitors is None else facts | facts_after(monitors.after(self.damage, self.track))

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge((CASTER, self.edge_spent))
        yield from marks(CASTER, self.monitors, self.damage, self.track)
