"""Regeneration of critters at the end of each Combat Turn: rulebook section 33.3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import fields, person, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, Procedure, mean
from fracas.kernel.stage import Effect, Facts, Stage
from fracas.rulesets.sr4.harms.harm import healed
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, Spent
from fracas.rulesets.sr4.sheet import Monitors, attribute_entries, make_pool, pool_given, spent_edge
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, combatant_fields, dice

POOL = "regeneration.pool"


class Regenerate(Procedure):
    """Magic + Body of a critter that regenerates: each hit heals a box, Physical ones first."""

    label = "Regenerate"
    vocabulary = vocabulary(
        person("tester", "Critter"),
        combatant_fields("tester"),
        fields(
            "tester",
            pool=dice("Pool", "Dice before modifiers, in place of Magic + Body."),
            burn_edge=BURN_EDGE,
            lasting_boxes=whole(
                "Boxes that last",
                "By magic, or by what it is allergic or vulnerable to: they do not heal.",
                most=200,
            ),
        ),
    )
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {POOL: "Regeneration pool"}
    measures = (mean("healed", "Expected boxes healed"),)

    def numbers(self, it: Attempt) -> None:
        names = ("magic", "body")
        base = pool_given(it.facts, "tester.pool") or attribute_entries(
            it.facts, "tester", names, "tester.pool"
        )
        make_pool(it, POOL, *base)
        for name in ("physical", "stun", "body", "willpower"):
            if f"tester.{name}" not in it.facts and f"tester.{name}" not in (
                one.path for one in it.faults.problems
            ):
                it.need(f"tester.{name}", f"{name.capitalize()} of the critter, for its monitors")
        it.plan = Monitors.of(it.facts, "tester", it.options)

    def first(self, it: Attempt) -> Stage:
        then = Regenerates(it.plan, it.facts.get("tester.lasting_boxes", 0))
        return dice_test.plain(it, "regeneration", POOL, then)


class Regenerates(Receiver, kind="sr4.regenerates"):
    """Takes the hits. `lasting`: boxes that do not heal."""

    monitors: Monitors
    lasting: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        physical = min(net, max(0, self.monitors.physical - self.lasting))
        stun = min(net - physical, self.monitors.stun)
        return Regenerated(self.monitors, physical, stun, edge_spent[0])


class Regenerated(Outcome, kind="sr4.regenerated"):
    """Boxes that are whole again."""

    monitors: Monitors
    physical: int
    stun: int
    edge_spent: int

    def notes(self) -> Facts:
        after = self.monitors.physical - self.physical
        return {
            "healed": self.physical + self.stun,
            "physical_after": after,
            "stun_after": self.monitors.stun - self.stun,
        }

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("tester", self.edge_spent)
        if self.physical or self.stun:
            yield from healed("tester", self.monitors, self.physical, self.stun)
