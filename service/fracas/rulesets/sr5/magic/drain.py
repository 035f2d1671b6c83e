"""Drain: what magic costs the one who works it, and what may be said of them (rulebook section 11.7)."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, entries, fields, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Stage
from fracas.kernel.tally import Entry
from fracas.rulesets.sr5.combatant import combatant_fields
from fracas.rulesets.sr5.harms.damage import facts_after, marks
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, side_of, spent_edge
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries

CASTER = "caster"
DRAIN = "drain"
"""The branch of what it costs, and the label of its test."""
DRAIN_POOL = "drain.pool"
LEAST_DRAIN = 2

CASTER_FIELDS = (
    *combatant_fields(CASTER),
    *fields(
        CASTER,
        pool=whole("Pool", "Dice of the magic before modifiers.", most=60),
        magic=whole("Magic", most=50, example=5),
        drain_attribute=choice(
            "Attribute of the tradition",
            "Resists drain, beside Willpower.",
            choices=("logic", "intuition", "charisma", "willpower"),
        ),
        drain_pool=whole("Drain pool", "In place of the attributes.", most=60),
        powers=entries(
            "Spells and powers",
            "Those that the caster has; in a fight nobody casts another combat spell.",
            entry_kind="power",
            example=["manabolt"],
        ),
    ),
)
"""Of the one who casts, summons or banishes."""


def resist_drain(it: Attempt) -> None:
    """Make the pool against drain: Willpower and the attribute of the tradition, or the pool given.

    Raises:
        InputError: the request has neither.
    """
    facts = it.facts
    if "caster.drain_pool" in facts:
        base = [Entry("pool", "Pool given", facts["caster.drain_pool"])]
    else:
        require(facts, [("caster.drain_attribute", "the attribute of the tradition | caster.drain_pool")])
        names = ("willpower", facts["caster.drain_attribute"])
        willpower, tradition = attribute_entries(facts, CASTER, names, "caster.drain_pool")
        base = [willpower, tradition._replace(id="tradition")]
    it.tally(DRAIN_POOL, *base, least=0, floor=dice_test.FLOOR)


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
        side = self.side.with_points(self.edge_points - spent)
        track = "physical" if hits > self.magic else "stun"
        return dice_test.start(side, None, Drain(dv, track, self.monitors, spent))


def resistance(it: Attempt) -> Resistance:
    """How the caster resists drain."""
    side = side_of(it, DRAIN, CASTER, it.total(DRAIN_POOL))
    points = it.facts.get("caster.edge_points", 0)
    return Resistance(side, it.facts["caster.magic"], points, Monitors.of(it.facts, CASTER))


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
