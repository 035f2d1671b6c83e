"""Damage that no attack brings: fire, cold, dumpshock, bleeding, what a gamemaster names.

Rulebook sections 8.4 (steps 6 to 8), 8.6 and 12. The Damage Value is compared with the armor that protects from it,
resisted, and marked as that of an attack is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.required import lacks, require
from fracas.kernel.ruleset import Asked, Prepared
from fracas.kernel.stage import Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms.care import BLEEDING, DAMAGE_RESISTANCE
from fracas.rulesets.sr5.harms.damage import FLOOR, MEASURES, SOAK, Bled, Harm, Plan, soak, soaking
from fracas.rulesets.sr5.harms.damage import TARGETS as SOAKING
from fracas.rulesets.sr5.harms.numbers import Numbers
from fracas.rulesets.sr5.matrix.shocks import thrown_out
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import side_of
from fracas.rulesets.sr5.sheet import (
    Monitors,
    attribute_entries,
    derive_protection,
    derive_side,
    physical_limit,
)

VALUE = "resistance.value"
ARMORED, MINDFUL, NOTHING = "body-and-armor", "willpower-and-firewall", "nothing"


class DamageResistance:
    """Resist damage that comes without an attack."""

    id = "damage-resistance"
    label = "Damage resistance"
    doc = "A Damage Value from an element, a shock or anything else, against armor and a resistance test."
    vocabulary = DAMAGE_RESISTANCE
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = {VALUE: "Damage Value", **SOAKING}
    measures = tuple(measure for measure in MEASURES if measure.id != "hit")

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        derive_side(facts, "target")
        derive_protection(facts, "target")
        minutes = 0
        if facts.get("damage.dumpshock"):
            require(facts, [("target.willpower", "Willpower"), ("target.interface", "the interface")])
            out = thrown_out(asked, facts)
            facts |= {"damage.value": out.dv, "damage.kind": out.track, "damage.resisted_by": MINDFUL}
            minutes = out.minutes if out.dv else 0
        if facts.get("damage.resisted_by") == MINDFUL:
            facts["target.soak_bonus"] = 0  # bones do not help against what strikes the mind
        refusals = asked.rules.refusals(facts)
        tally = Numbers(asked, self.targets, facts)
        value = tally(VALUE, _value(facts)).at_least(0, "A Damage Value never falls below 0")
        if facts.get("damage.again") == BLEEDING:
            bled = Bled("target", Monitors.of(facts, "target"), value.total)
            return Prepared(None if refusals else bled, (value,), refusals)
        plan, numbers = _resisting(asked, tally, facts, value.total)
        tallies = (value, *numbers)
        if refusals:
            return Prepared(None, tallies, refusals)

        def first(dice: int) -> Stage:
            side = plan.resist._replace(pool=max(0, dice))
            shared = share(plan._replace(resist=side, dazed=minutes))
            return soak(shared, value.total, 0, (0, 0))

        def rebuild(changed: Tally) -> Stage | None:
            return first(changed.total) if changed.to == SOAK else None

        return Prepared(first(plan.resist.pool), tallies, (), {}, rebuild)


def _value(facts: Mapping[str, Any]) -> list[Entry]:
    if facts.get("damage.again") == BLEEDING:
        return [Entry(BLEEDING, "Bleeding", 1)]
    if "damage.value" not in facts:
        raise lacks("damage.value", "the Damage Value, or what hurts again")
    label = "Dumpshock" if facts.get("damage.dumpshock") else "Damage Value given"
    return [Entry("value", label, facts["damage.value"])]


def _resisting(
    asked: Asked, tally: Numbers, facts: Mapping[str, Any], value: int
) -> tuple[Plan, tuple[Tally, ...]]:
    track = facts.get("damage.kind", "physical")
    by = facts.get("damage.resisted_by", ARMORED)
    if by == ARMORED:
        ap = (("damage", "the damage", facts.get("damage.ap", 0)),)
        harm = Harm(value, track, ap, facts.get("damage.element", ""), defended=False)
        found = soaking(asked, tally, facts, harm)
        return found.plan, (found.armor, found.pool)
    dice = 0
    numbers: tuple[Tally, ...] = ()
    if by != NOTHING:
        pool = tally(SOAK, _without_armor(facts, by)).at_least(0, FLOOR)
        dice, numbers = pool.total, (pool,)
    limit = physical_limit(facts, "target")
    plan = Plan(
        value,
        0,
        track,
        side_of("soak", "target", dice, facts, asked),
        facts.get("target.edge_points", 0),
        -1 if limit is None or by != "body" else limit,
        False,
        Monitors.of(facts, "target"),
        vehicle=bool(facts.get("target.vehicle")),
        electric=facts.get("damage.element") == "electricity",
        falls=by == "body",
    )
    return plan, numbers


def _without_armor(facts: Mapping[str, Any], by: str) -> list[Entry]:
    if by == "body":
        return attribute_entries(facts, "target", ("body",))
    entries = attribute_entries(facts, "target", ("willpower",))
    return [*entries, Entry("firewall", "Firewall", facts.get("target.firewall", 0))]
