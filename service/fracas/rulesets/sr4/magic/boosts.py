"""Attribute Boost of adepts: rulebook section 34.4.

Magic + level -> points of the attribute for a time -> drain as it ends
"""

from __future__ import annotations

from fracas.kernel.composing import with_roles
from fracas.kernel.fields import choice, fields, flag, person, vocabulary, whole
from fracas.kernel.forms import Part
from fracas.kernel.procedures import Attempt, mean
from fracas.kernel.stage import Effect, Shared, Stage, lasting, share
from fracas.kernel.steps import ended
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.magic.drain import CASTER, Drain, Drained
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, Side, Spent
from fracas.rulesets.sr4.sheet import Monitors, by_rule, make_pool, pool_entries, spent_edge, wounds_of
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
        hurt = by_rule("wounds", "Wounds", wounds_of(facts, "tester", it.options))
        make_pool(it, BOOST, *base, *level, *hurt)
        now, most = facts.get(f"tester.{facts.get('boosts')}"), facts.get("augmented_maximum")
        room = max(0, most - now) if now is not None and most is not None else -1
        it.plan = share(Boost(facts.get("boosts", ""), facts.get("level", 0), room))

    def first(self, it: Attempt) -> Stage:
        if it.facts.get("ended"):
            drain = Drain(it.facts["level"], "stun", Side("drain", "tester", it.total(DRAIN)), it.plan)
            drained = dice_test.plain(it, "drain", DRAIN, Drained(drain, drain.value, 0))
            return with_roles(drained, ((CASTER, "tester"),))
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
        boost, turns = self.boost.value, net * TURNS_A_HIT
        points = net if boost.room < 0 else min(net, boost.room)
        effects = [*spent_edge("tester", edge_spent[0])]
        if net:
            added = (f"add_{boost.attribute}", points)
            effects.append(lasting("tester", f"boosted-{boost.attribute}", "turn", turns, added))
            when = (("when", "turn-end"), ("turns", turns))
            given = (("set_boosts", boost.attribute), ("set_level", boost.level))
            effects.append(Effect("schedule", "tester", ENDS, None, (*when, *given)))
        return ended({"points": points, "turns": turns}, *effects)
