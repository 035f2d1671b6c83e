"""Attribute Boost of adepts: rulebook section 34.4.

Magic + level -> points of the attribute for a time -> drain as it ends
"""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, mean
from fracas.kernel.stage import Effect, Facts, Shared, Stage, lasting, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.harms.harm import marks
from fracas.rulesets.sr4.magic.drain import facts_of_drain
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, Resisting, Spent
from fracas.rulesets.sr4.sheet import Monitors, make_pool, pool_entries, spent_edge
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, combatant_fields, dice

BOOST, DRAIN = "boost.pool", "boost-drain.pool"
ENDS = "boost-ends"
"""The action of a boost whose time is over."""
TURNS_A_HIT = 2
PHYSICAL = ("body", "agility", "reaction", "strength")


class BoostAttribute(dice_test.TestingProcedure):
    """Magic + level: each hit is a point of the attribute for two Combat Turns; then its level is drain."""

    label = "Boost an attribute"
    vocabulary = vocabulary(
        person("tester", "Adept"),
        combatant_fields(
            "tester",
            pool=dice("Pool", "Dice before modifiers, in place of Magic + level."),
            drain_pool=dice("Drain pool", "Dice before modifiers, in place of Willpower + Body."),
            burn_edge=BURN_EDGE,
        ),
        fields(
            "",
            boosts=choice("Attribute", choices=PHYSICAL, required="the attribute that is boosted"),
            level=whole("Level", "Of the power.", 1, 12, example=3, required="the level of the power"),
            augmented_maximum=whole("Augmented maximum", "Of the attribute; none if left out.", 1, 50),
            ended=flag("Its time is over", "The drain comes."),
        ),
    )
    targets = {BOOST: "Boost pool", DRAIN: "Drain resistance pool"}
    measures = (
        mean("points", "Expected points of the attribute"),
        mean("drain_damage", "Expected boxes of drain", "drain"),
    )

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        if facts.get("ended"):
            make_pool(it, DRAIN, *pool_entries(facts, "tester", ("willpower", "body"), "drain_pool"))
            it.plan = Monitors.of(facts, "tester", it.options)
            return
        base = pool_entries(facts, "tester", ("magic",))
        level = [] if "tester.pool" in facts else [Entry("level", "Level", facts.get("level", 0))]
        make_pool(it, BOOST, *base, *level)
        now, most = facts.get(f"tester.{facts.get('boosts')}"), facts.get("augmented_maximum")
        room = max(0, most - now) if now is not None and most is not None else -1
        it.plan = share(Boost(facts.get("boosts", ""), facts.get("level", 0), room))

    def first(self, it: Attempt) -> Stage:
        if it.facts.get("ended"):
            then = BoostDrain(it.plan, it.facts["level"])
            return dice_test.plain(it, "drain", DRAIN, then)
        return dice_test.plain(it, "boost", BOOST, Boosting(it.plan))


class Boost(Part, kind="sr4.boost"):
    """A boost that is tried. `room`: points up to the augmented maximum; -1 where that is not known."""

    attribute: str
    level: int
    room: int


class Boosting(Receiver, kind="sr4.boosting"):
    """Takes the hits of a boost."""

    boost: Shared[Boost]

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return Boosted(self.boost, net, edge_spent[0])


class Boosted(Outcome, kind="sr4.boosted"):
    """An attribute is boosted, by hits as far as the maximum allows."""

    boost: Shared[Boost]
    hits: int
    edge_spent: int

    @property
    def points(self) -> int:
        room = self.boost.value.room
        return self.hits if room < 0 else min(self.hits, room)

    def notes(self) -> Facts:
        return {"points": self.points, "turns": self.hits * TURNS_A_HIT}

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent)
        boost, turns = self.boost.value, self.hits * TURNS_A_HIT
        if not self.hits:
            return
        added = (f"add_{boost.attribute}", self.points)
        yield lasting("tester", f"boosted-{boost.attribute}", "turn", turns, added)
        when = (("when", "turn-end"), ("turns", turns))
        given = (("set_boosts", boost.attribute), ("set_level", boost.level))
        yield Effect("schedule", "tester", ENDS, None, (*when, *given))


class BoostDrain(Resisting, kind="sr4.boost-drain"):
    """Takes the resistance to the drain of a boost."""

    monitors: Monitors | None
    dv: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return BoostDrained(self.monitors, self.dv, max(0, self.dv - net), edge_spent[0])


class BoostDrained(Outcome, kind="sr4.boost-drained"):
    """What a boost has taken from its adept."""

    monitors: Monitors | None
    level: int
    damage: int
    edge_spent: int

    def notes(self) -> Facts:
        return facts_of_drain(self.level, self.damage, "stun", self.monitors)

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent)
        yield from marks("tester", self.monitors, self.damage, "stun")
