"""From the test against a spirit to the services that it owes, and to the drain: from memory, see `spirits`.

test of the caster -> test of the spirit -> fork: what became of the spirit, and the drain

Summoning and banishing spirits: Magic + skill against the Force of the spirit, and drain by the hits of the spirit.

The rulebook names both as Complex Actions only (section 5.3); all else is from memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.composing import spent_edge
from fracas.rulesets.sr4.magic.spell_facts import MOST_FORCE, drain_attribute, drain_base
from fracas.rulesets.sr4.magic.spell_outcomes import Drain, Drained
from fracas.rulesets.sr4.magic.spell_vocabulary import CASTER, DRAIN_FIELDS, focus_fields
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import CRITICAL_SUCCESS, Receiver, RollRules, Side, side_of
from fracas.rulesets.sr4.sheet import FLOOR, Monitors, wound_modifier
from fracas.rulesets.sr4.vocabulary import burning_edge, combatant_fields

SPIRIT = "spirit"
"""The branch of what became of the spirit."""
LEAST_DRAIN, DRAIN_A_HIT = 2, 2
BANISHED, SERVICES = "banished", "services"
UNKNOWN = -1


class SpiritTest(Part, kind="sr4.spirit-test"):
    """What the stages after the caster's test need.

    Attributes:
        banishes: net hits take services; otherwise they are services.
        services: that the spirit owes before; `UNKNOWN` where nobody says it.
        opposes: the test of the spirit.
        drain: its value comes from the hits of the spirit.
        rules: of the tests that follow.
    """

    banishes: bool
    services: int
    opposes: Side
    drain: Drain
    rules: RollRules


def begin(side: Side, plan: Shared[SpiritTest]) -> Stage:
    """The test of the caster."""
    return dice_test.start(side, None, Conjured(plan), plan.value.rules)


class Conjured(Receiver, kind="sr4.conjured"):
    """Takes the test of the caster; the spirit opposes it, whatever the hits: they make the drain."""

    plan: Shared[SpiritTest]

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        then = Withstands(self.plan, net, edge_spent[0])
        return dice_test.start(plan.opposes, None, then, plan.rules)

    def short(self, net: int, scoreless: bool) -> int:
        return 1 - net


class Withstands(Receiver, kind="sr4.spirit-withstands"):
    """Takes the test of the spirit. `edge_spent`: points of the caster on his own."""

    plan: Shared[SpiritTest]
    hits: int
    edge_spent: int

    def take(self, net: int, scoreless: bool, edge_spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        ended = SpiritEnd(plan.banishes, plan.services, max(0, self.hits - net), edge_spent[0])
        value = max(LEAST_DRAIN, DRAIN_A_HIT * net)
        resist = plan.drain.resist.without_edge() if self.edge_spent else plan.drain.resist
        taken = Drained(plan.drain, value, self.edge_spent)
        return Fork(((SPIRIT, ended), (CASTER, dice_test.start(resist, None, taken, plan.rules))))

    def short(self, net: int, scoreless: bool) -> int:
        return self.hits - net

    def critical(self) -> int:
        return self.hits + CRITICAL_SUCCESS

    def notes(self) -> Facts:
        return {"hits_against": self.hits}


class SpiritEnd(Outcome, kind="sr4.spirit-end"):
    """What became of the spirit.

    Attributes:
        net: net hits of the caster; none: the spirit does not come, or stays.
        edge_spent: points of Edge of the spirit.
    """

    banishes: bool
    services: int
    net: int
    edge_spent: int

    @property
    def taken(self) -> int:
        """Services that it owes no more."""
        return min(self.net, self.services) if self.services > UNKNOWN else self.net

    @property
    def banished(self) -> bool:
        return self.net > 0 and self.services > UNKNOWN and self.net >= self.services

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.net > 0, SERVICES: self.net}
        if self.banishes:
            facts |= {SERVICES: self.taken, BANISHED: self.banished}
        return facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("target", self.edge_spent)
        if self.banishes and self.taken:
            yield Effect("spend", "target", SERVICES, self.taken)
        if self.banishes and self.banished:
            yield Effect("add-condition", "target", BANISHED)


SUMMONING, BANISHING = "summoning", "banishing"
SPIRIT_POOL = "spirit.pool"

TARGETS = {
    SUMMONING: {"summoning.pool": "Summoning pool"},
    BANISHING: {"banishing.pool": "Banishing pool"},
}
_BOTH = {SPIRIT_POOL: "Dice of the spirit", "drain.pool": "Drain resistance pool"}

OWNERS = {"summoning.pool": CASTER, "banishing.pool": CASTER, SPIRIT_POOL: "target"}
"""Whose number each is, as a record."""

MEASURES = (
    Measure("success", "Chance of a success", lambda facts: float(bool(facts.get("success")))),
    Measure("services", "Expected services gained or lost", lambda facts: float(facts.get("services") or 0)),
    Measure("drain", "Expected boxes of drain", lambda facts: float(facts.get("drain_damage") or 0)),
    Measure(
        "spent",
        "Chance that drain takes the caster out",
        lambda facts: float(bool(facts.get("drain_unconscious"))),
    ),
)


def _conjurer(skill: str) -> Iterator[Field]:
    yield from combatant_fields(CASTER)
    yield from fields(
        CASTER, pool=whole("Pool", "Dice before modifiers, in place of Magic and skill.", most=60)
    )
    yield burning_edge(CASTER)
    yield from fields(CASTER, specialized=flag("Specialized", "The specialization covers this spirit."))
    yield from DRAIN_FIELDS
    yield from focus_fields(CASTER, skill, "power")
    yield from fields("", conjuring=whole("Skill", f"Rating in {skill}.", derived_from=f"{CASTER}.skills"))


SUMMON_SPIRIT = vocabulary(
    person(CASTER, "Summoner"),
    _conjurer(SUMMONING),
    fields(
        "",
        force=whole("Force", "Of the spirit: 1 to twice the Magic.", least=1, most=50, example=4),
        most_force=whole("Greatest Force", "Twice the Magic.", derived_from=f"{CASTER}.magic"),
    ),
)

BANISH_SPIRIT = vocabulary(
    person(CASTER, "Magician"),
    person("target", "Spirit"),
    _conjurer(BANISHING),
    fields(
        "target",
        name=text("Name", most=80, example="Spirit of air"),
        force=whole("Force", "Of a spirit.", least=1, most=50, example=4),
        services=whole("Services", "That a spirit still owes.", most=100, example=2),
        binder_magic=whole(
            "Magic of the binder",
            "Of the one who has bound the spirit: more dice for it; 0 unless bound.",
            most=50,
        ),
    ),
)


class _Conjuring:
    """What summoning and banishing have in common."""

    skill = ""
    decisions = dice_test.DECISIONS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts, labels = self._derive(asked), {**TARGETS[self.skill], **_BOTH}
        refusals = asked.rules.refusals(facts)

        def tally(to: str, base: list[Entry]) -> Tally:
            return asked.rules.tally(to, labels[to], base, facts, asked.hand).at_least(0, FLOOR)

        pool = tally(f"{self.skill}.pool", self._base(facts))
        spirit = tally(SPIRIT_POOL, _spirit_base(facts))
        drain = tally("drain.pool", drain_base(facts, asked.catalog))
        tallies = (pool, spirit, drain)
        if refusals:
            return Prepared(None, tallies, refusals, _shown(facts))

        def first(pool: Tally, spirit: Tally) -> Stage:
            plan = SpiritTest(
                self.skill == BANISHING,
                facts.get("target.services", -1),
                side_of("spirit", "target", spirit.total, facts, asked),
                Drain(
                    0,
                    "physical" if facts["force"] > facts["caster.magic"] else "stun",
                    side_of("drain", CASTER, drain.total, facts, asked),
                    Monitors.of(facts, CASTER, asked.options),
                ),
                RollRules.of(asked.options),
            )
            side = side_of(self.skill, CASTER, pool.total, facts, asked, says=True)
            return begin(side, share(plan))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == pool.to:
                return first(changed, spirit)
            return first(pool, changed) if changed.to == SPIRIT_POOL else None

        return Prepared(first(pool, spirit), tallies, (), _shown(facts), rebuild)

    def _base(self, facts: Mapping[str, Any]) -> list[Entry]:
        if "caster.pool" in facts:
            return [Entry("pool", "Pool given", facts["caster.pool"])]
        entries = [
            Entry("magic", "Magic", facts["caster.magic"]),
            Entry("skill", self.skill.capitalize(), facts["conjuring"]),
        ]
        if facts.get("caster.specialized"):
            entries.append(Entry("specialization", "Specialization", 2))
        return entries

    def _derive(self, asked: Asked) -> dict[str, Any]:
        """The facts said, and those that follow from them.

        Raises:
            InputError: the request lacks something that the rule cannot do without.
        """
        facts = dict(asked.said.facts)
        force = "target.force" if self.skill == BANISHING else "force"
        needed = [(force, "Force of the spirit"), ("caster.magic", "Magic of the caster")]
        if "caster.pool" not in facts:
            needed.append(("caster.skills", "the skill ratings of the caster | caster.pool"))
        if "caster.drain_pool" not in facts:
            second = drain_attribute(facts, asked.catalog)
            needed.append(("caster.willpower", "Willpower of the caster | caster.drain_pool"))
            needed.append(
                (f"caster.{second}", f"{second.capitalize()} of the caster | caster.drain_pool")
                if second
                else ("caster.tradition", "the tradition of the caster | caster.drain_attribute")
            )
        require(facts, needed)
        facts["force"] = facts[force]
        facts["most_force"] = MOST_FORCE * facts["caster.magic"]
        if "caster.skills" in facts:
            facts["conjuring"] = facts["caster.skills"].get(self.skill, 0)
        wounds = wound_modifier(facts, CASTER, asked.options)
        return facts if wounds is None else facts | {"caster.wound_modifier": wounds}


class SummonSpirit(_Conjuring):
    """Call a spirit into the world; net hits are the services that it owes."""

    id = "summon-spirit"
    label = "Summon a spirit"
    doc = "Magic + Summoning against the Force; net hits are services; drain is twice the hits of the spirit."
    vocabulary = SUMMON_SPIRIT
    targets: Mapping[str, str] = {**TARGETS[SUMMONING], **_BOTH}
    skill = SUMMONING


class BanishSpirit(_Conjuring):
    """Drive a spirit out; net hits take services, and without any it is gone."""

    id = "banish-spirit"
    label = "Banish a spirit"
    doc = (
        "Magic + Banishing against the Force; net hits take services; drain is twice the hits of the spirit."
    )
    vocabulary = BANISH_SPIRIT
    targets: Mapping[str, str] = {**TARGETS[BANISHING], **_BOTH}
    skill = BANISHING


def _spirit_base(facts: Mapping[str, Any]) -> list[Entry]:
    entries = [Entry("force", "Force", facts["force"])]
    if facts.get("target.binder_magic"):
        entries.append(Entry("bound", "Magic of the binder", facts["target.binder_magic"]))
    return entries


def _shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    return {name: facts[name] for name in ("caster.wound_modifier",) if name in facts}
