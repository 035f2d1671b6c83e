"""Combat spells of Shadowrun 5 and their drain: rulebook section 11.7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.required import Faults, require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms import damage as soaking
from fracas.rulesets.sr5.harms.damage import FLOOR, MEASURES, Harm, Plan
from fracas.rulesets.sr5.harms.numbers import Numbers, as_target, labels_of, shown
from fracas.rulesets.sr5.magic.drain import DRAIN_POOL, LEAST_DRAIN, drain_base, resistance
from fracas.rulesets.sr5.magic.spell_defense import in_force
from fracas.rulesets.sr5.magic.spell_stages import AREA_THRESHOLD, Casting, Spell, Subject
from fracas.rulesets.sr5.magic.spell_vocabulary import AREA, CAST_SPELL, DIRECT
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Side, side_of
from fracas.rulesets.sr5.several import SEVERAL, targets_of
from fracas.rulesets.sr5.sheet import (
    Monitors,
    attribute_entries,
    derive_protection,
    derive_side,
    physical_limit,
    pool_entries,
)

POOL, DRAIN_VALUE = "spellcasting.pool", "drain.value"
RESIST, DEFENSE = "spell-resistance.pool", "spell-defense.pool"
OF_TARGETS = {RESIST: "Pool against the spell", DEFENSE: "Defense pool", **soaking.TARGETS}
TARGETS = {
    POOL: "Spellcasting pool",
    DRAIN_VALUE: "Drain",
    DRAIN_POOL: "Drain resistance pool",
    **labels_of(SEVERAL, OF_TARGETS),
}


def _of_targets(measure: Measure) -> Measure:
    """A measure that does not count what the spell costs its caster."""
    return measure._replace(of=lambda facts: measure.of(facts) if "result" in facts else 0.0)


def _drained(facts: Mapping[str, Fact]) -> float:
    return 0.0 if "result" in facts else float(facts.get("damage") or 0)


class CastSpell:
    """One combat spell, the tests of its targets, and drain."""

    id = "cast-spell"
    label = "Cast a combat spell"
    doc = "Magic + Spellcasting [Force] against one target or an area, damage, and drain."
    vocabulary = CAST_SPELL
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("struck", "Expected number struck", lambda facts: float(facts.get("result") == "hit")),
        *(_of_targets(measure) for measure in MEASURES if measure.id != "hit"),
        Measure("drain", "Expected boxes of drain", _drained),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        require(facts, _needed(facts))
        derive_side(facts, "caster")
        if "spell.element" in facts:
            facts["damage.element"] = facts["spell.element"]
        tally = Numbers(asked, TARGETS, facts)
        base = pool_entries(facts, "caster", ("magic",), "spellcasting")
        pool = tally(POOL, base).at_least(0, FLOOR)
        lines = [Entry("force", "Force", facts["force"]), Entry("spell", "Spell", facts["spell.drain"])]
        value = tally(DRAIN_VALUE, lines).at_least(LEAST_DRAIN, "Drain is never less than 2")
        resist = tally(DRAIN_POOL, drain_base(facts)).at_least(0, FLOOR)
        tallies = [pool, value, resist]
        subjects, records = [], targets_of(asked.said.facts)
        faults = Faults()
        for record in records:
            with faults.collect({"target": record}):
                subject, numbers = _subject(asked, facts, record)
                subjects.append(share(subject))
                tallies += numbers
        faults.check()
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, tuple(tallies), refusals)
        direct = facts["spell.form"] == DIRECT
        spell = share(
            Spell(
                direct,
                AREA_THRESHOLD if facts.get("spell.range") == AREA and not direct else 0,
                value.total,
                resistance(asked, facts, resist.total),
                tuple(subjects),
                in_force(facts, records),
            )
        )

        def first(dice: int) -> Stage:
            side = side_of("casting", "caster", dice, facts, asked, facts["force"])
            return dice_test.start(side, None, Casting(spell))

        def rebuild(changed: Tally) -> Stage | None:
            return first(changed.total) if changed.to == POOL else None

        return Prepared(first(pool.total), tuple(tallies), rebuild=rebuild)


def _needed(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "spell.form", "a combat spell, or its form"
    yield "spell.damage", "physical or stun"
    yield "spell.drain", "the drain of the spell"
    yield "force", "the Force"
    yield "caster.magic", "Magic of the caster"
    if facts.get("spell.form") == DIRECT:
        yield "spell.resisted_by", "what resists a direct spell"


def _subject(asked: Asked, facts: Mapping[str, Any], record: str) -> tuple[Subject, tuple[Tally, ...]]:
    """One target: its test against the spell, and how it takes the damage.

    Raises:
        InputError: something is not said of the target.
    """
    seen = as_target(facts, record)
    derive_side(seen, "target")
    derive_protection(seen, "target")
    if seen.get("target.spell_defense"):
        own = seen.get("target.skills", {}).get("counterspelling", 0)
        seen["target.counterspelling"] = max(own, seen.get("target.counterspelling", 0))
    tally = Numbers(asked, TARGETS, seen, record)
    side, numbers = _opposing(asked, tally, seen, record)
    track, direct = facts["spell.damage"], facts["spell.form"] == DIRECT
    if not direct:
        force = facts["force"]
        harm = Harm(
            force,
            track,
            (("force", "the spell", -force),),
            facts.get("spell.element", ""),
            defended=side is not None,
        )
        soaked = soaking.soaking(asked, tally, seen, harm)
        plan = soaked.plan._replace(who=record, resist=soaked.plan.resist._replace(by=record))
        numbers += [soaked.armor, soaked.pool]
    else:
        limit = physical_limit(seen, "target")
        plan = Plan(
            0,
            0,
            track,
            Side("soak", record, 0),
            seen.get("target.edge_points", 0),
            -1 if limit is None else limit,
            False,
            Monitors.of(seen, "target"),
            vehicle=bool(seen.get("target.vehicle")),
            who=record,
        )
    return Subject(side, plan._replace(by="caster")), shown(record, numbers)


def _opposing(
    asked: Asked, tally: Numbers, seen: Mapping[str, Any], record: str
) -> tuple[Side | None, list[Tally]]:
    """Willpower or Body against a direct spell, expected or not; Reaction + Intuition against others, but
    not against an area."""
    direct = seen["spell.form"] == DIRECT
    if not direct and (seen.get("target.unaware") or seen.get("spell.range") == AREA):
        return None, []
    names = (seen["spell.resisted_by"],) if direct else ("reaction", "intuition")
    if "target.pool" in seen:
        base = [Entry("pool", "Pool given", seen["target.pool"])]
    else:
        base = attribute_entries(seen, "target", names, "target.pool")
    pool = tally(RESIST if direct else DEFENSE, base).at_least(0, FLOOR)
    label = "resistance" if direct else "defense"
    return side_of(label, "target", pool.total, seen, asked)._replace(by=record), [pool]
