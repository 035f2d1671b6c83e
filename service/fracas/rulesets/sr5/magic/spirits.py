"""Summoning spirits and banishing them: rulebook section 11.7, and of banishing what is remembered of the core book.

test of the caster against that of the spirit -> fork: what became of the spirit, and the drain
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.forms import Outcome, Part
from fracas.kernel.required import require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.harms.damage import FLOOR
from fracas.rulesets.sr5.magic.drain import CASTER, DRAIN, DRAIN_POOL, LEAST_DRAIN, Resistance, drain_base
from fracas.rulesets.sr5.magic.drain import resistance as drain_resistance
from fracas.rulesets.sr5.magic.spirit_vocabulary import BANISH_SPIRIT, SUMMON_SPIRIT
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.rolls.dice_test import Receiver, Side, side_of, spent_edge
from fracas.rulesets.sr5.sheet import derive_side, limit_entries, pool_entries

SPIRIT = "spirit"
"""The branch of what became of the spirit, and the label of its dice."""
BANISHED, SERVICES = "banished", "services"
SPIRIT_POOL, LIMIT = "spirit.pool", "banishing.limit"
OWNERS = {"summoning.pool": CASTER, "banishing.pool": CASTER, LIMIT: CASTER, SPIRIT_POOL: "target"}
"""Whose number each is, as a record."""
_DRAIN_A_HIT = 2
_UNKNOWN = -1

MEASURES = (
    Measure("success", "Chance of a success", lambda facts: float(bool(facts.get("success")))),
    Measure("services", "Expected services gained or lost", lambda facts: float(facts.get(SERVICES) or 0)),
    Measure("drain", "Expected boxes of drain", lambda facts: float(facts.get("damage") or 0)),
)


class _Conjuring:
    """What summoning and banishing have in common."""

    skill = ""
    spirit = ""
    """The record of which the Force is said; "" for the situation itself."""
    targets: Mapping[str, str] = {}
    decisions = dice_test.DECISIONS
    measures = MEASURES

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        path = f"{self.spirit}.force" if self.spirit else "force"
        require(facts, [(path, "Force of the spirit"), ("caster.magic", "Magic of the caster")])
        derive_side(facts, CASTER)
        force = facts[path]

        def tally(to: str, base: list[Entry], least: str = FLOOR) -> Tally:
            return asked.rules.tally(to, self.targets[to], base, facts, asked.hand).at_least(0, least)

        pool = tally(f"{self.skill}.pool", pool_entries(facts, CASTER, ("magic",), self.skill))
        spirit = tally(SPIRIT_POOL, _spirit_base(facts, force))
        resist = tally(DRAIN_POOL, drain_base(facts))
        tallies, limit = [pool, spirit, resist], force
        if self.spirit:
            tallies.insert(1, tally(LIMIT, _limit_base(facts), "A limit never falls below 0"))
            limit = tallies[1].total
        refusals = asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, tuple(tallies), refusals)
        services = facts.get(f"{self.spirit}.{SERVICES}", _UNKNOWN)
        resists = drain_resistance(asked, facts, resist.total)
        plan = share(Conjuring(bool(self.spirit), services, resists, self._may_refuse(asked, force)))

        def first(pool: int, spirit: int) -> Stage:
            side = side_of(self.skill, CASTER, pool, facts, asked, limit)
            # A spirit that is not there yet has nobody who throws for it but its summoner, and no Edge.
            other = side_of(SPIRIT, "target", spirit, facts, asked) if self.spirit else None
            return dice_test.start(side, other or Side(SPIRIT, CASTER, spirit), Conjured(plan))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == pool.to:
                return first(changed.total, spirit.total)
            return first(pool.total, changed.total) if changed.to == SPIRIT_POOL else None

        return Prepared(first(pool.total, spirit.total), tuple(tallies), rebuild=rebuild)

    def _may_refuse(self, asked: Asked, force: int) -> bool:
        """Whether a spirit of such Force may refuse to come: by the house rules, where the packs say so (6.4)."""
        table = asked.catalog.entry("table", "magic-limits")
        if self.spirit or table is None:
            return False
        return force >= int(table.data["rows"]["force-that-may-refuse"]["value"])


class SummonSpirit(_Conjuring):
    """Call a spirit; net hits are the services that it owes."""

    id = "summon-spirit"
    label = "Summon a spirit"
    doc = "Magic + Summoning [Force] against the Force; net hits are services, drain is twice the hits of the spirit."
    vocabulary = SUMMON_SPIRIT
    targets: Mapping[str, str] = {
        "summoning.pool": "Summoning pool",
        SPIRIT_POOL: "Dice of the spirit",
        DRAIN_POOL: "Drain resistance pool",
    }
    skill = "summoning"


class BanishSpirit(_Conjuring):
    """Drive a spirit out; net hits take services, and without any it is gone."""

    id = "banish-spirit"
    label = "Banish a spirit"
    doc = "Magic + Banishing [Astral] against the Force; net hits take services, drain is twice the hits of the spirit."
    vocabulary = BANISH_SPIRIT
    targets: Mapping[str, str] = {
        "banishing.pool": "Banishing pool",
        LIMIT: "Limit",
        SPIRIT_POOL: "Dice of the spirit",
        DRAIN_POOL: "Drain resistance pool",
    }
    skill = "banishing"
    spirit = "target"


def _spirit_base(facts: Mapping[str, Any], force: int) -> list[Entry]:
    entries = [Entry("force", "Force", force)]
    if bound := facts.get("target.binder_magic"):
        entries.append(Entry("bound", "Magic of the binder", bound))
    return entries


def _limit_base(facts: Mapping[str, Any]) -> list[Entry]:
    if "caster.astral_limit" in facts:
        return [Entry("limit", "Astral limit given", facts["caster.astral_limit"])]
    return limit_entries(facts, CASTER, "astral")


class Conjuring(Part, kind="sr5.conjuring"):
    """What the stages after the opposed test need.

    Attributes:
        banishes: net hits take services; otherwise they are services.
        services: that the spirit owes before; below 0 where nobody says it.
        resist: how the caster resists drain.
        may_refuse: the spirit need not come, whatever the hits.
    """

    banishes: bool
    services: int
    resist: Resistance
    may_refuse: bool


class Conjured(Receiver, kind="sr5.conjured"):
    """Takes the test of the caster against the spirit; the spirit's hits are what the drain comes from."""

    plan: Shared[Conjuring]

    def take(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        ended = SpiritEnd(plan.banishes, plan.services, max(0, hits - other_hits), spent[1], plan.may_refuse)
        value = max(LEAST_DRAIN, _DRAIN_A_HIT * other_hits)
        return Fork(((SPIRIT, ended), (DRAIN, plan.resist.resisted(value, hits, spent[0]))))

    def short(self, hits: int, other_hits: int) -> int:
        return 1 + other_hits - hits


class SpiritEnd(Outcome, kind="sr5.spirit-end"):
    """What became of the spirit.

    Attributes:
        net: net hits of the caster; none: the spirit does not come, or keeps its services.
        edge_spent: points of Edge of the spirit.
    """

    banishes: bool
    services: int
    net: int
    edge_spent: int
    may_refuse: bool

    @property
    def _taken(self) -> int:
        """Services that it owes no more."""
        return self.net if self.services < 0 else min(self.net, self.services)

    @property
    def _banished(self) -> bool:
        return self.net > 0 and 0 <= self.services <= self.net

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"success": self.net > 0, SERVICES: self.net}
        if self.banishes:
            return facts | {SERVICES: self._taken, BANISHED: self._banished}
        return facts | {"may_refuse": True} if self.may_refuse else facts

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge(("target", self.edge_spent))
        if self.banishes and self._taken:
            yield Effect("spend", "target", SERVICES, self._taken)
        if self.banishes and self._banished:
            yield Effect("add-condition", "target", BANISHED)
