"""Those who work magic: what may be given of them, the drain that it costs them, and the spirits that they summon and
banish (rulebook section 11.7, and of banishing what is remembered of the core book).

    test of the caster against that of the spirit -> fork: what became of the spirit, and the drain
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, entries, entry, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, share
from fracas.kernel.tables import row_of, rows_if_any, source_of
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.combatant import EDGE_POINTS, ESSENCE, FORCE, MAGIC, combatant_fields
from fracas.rulesets.sr5.harms.damage import hurt, marks
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import Monitors, attribute_entries, derive_side, limit_entries, pool_entries

CASTER = "caster"
DRAIN = "drain"
"""The branch of what it costs, and the label of its test."""
DRAIN_POOL = "drain.pool"
LEAST_DRAIN = 2
OBJECTS = "object-resistance"
"""The table of the packs."""

CASTER_FIELDS = combatant_fields(
    CASTER,
    pool=whole("Pool", "Dice of the magic before modifiers.", most=60),
    magic=MAGIC,
    drain_attribute=choice("Drain attribute", choices=("logic", "intuition", "charisma", "willpower")),
    drain_pool=whole("Drain pool", "In place of the attributes.", most=60),
    powers=entries(
        "Spells and powers",
        "Those that the combatant has; in a fight nobody casts another combat spell.",
        entry_kind="power",
        example=["manabolt"],
    ),
)
"""Of the one who casts, summons or banishes."""
ASTRAL_FIELDS = {
    "essence": ESSENCE,
    "astral_limit": whole("Astral limit", "In place of the attributes.", most=60),
}
"""What the Astral limit is made of beside attributes."""


REAGENTS = whole("Reagents", "Drams spent, or the Force of a trinket, by the option.", 1, 60, example=3)


def by_reagents(it: Attempt, strength: str = "Force") -> tuple[Entry, list[Entry]]:
    """The limit of a spell, which is its Force or by an option the drams spent, and the dice of a trinket."""
    spent, rule = it.facts.get("caster.reagents"), it.options["reagents"]
    if spent is not None and rule == "none":
        it.refused.append(Refusal("no_reagents", "By the option of this fight, reagents do nothing"))
    drams = rule == "limit" and spent is not None
    limit = Entry("reagents", "Reagents", spent) if drams else Entry("force", strength, it.facts["force"])
    return limit, [Entry("trinket", "Trinket", spent)] if spent is not None and rule == "trinket" else []


def kept_up(spell: str, hits: int, force: int) -> tuple[tuple[str, Fact], ...]:
    """What the condition of a spell keeps for those who dispel it, under the name of that spell."""
    own = spell.replace("-", "_")
    return (f"set_spell_hits_of_{own}", hits), (f"set_spell_force_of_{own}", force)


def resist_drain(it: Attempt) -> None:
    """Make the pool against drain: Willpower and the attribute of the tradition, or the pool given.

    Raises:
        InputError: the request has neither.
    """
    if "caster.drain_pool" not in it.facts:
        require(it.facts, [("caster.drain_attribute", "the attribute of the tradition | caster.drain_pool")])
    make_drain_pool(it, it.facts.get("caster.drain_attribute", ""), "tradition")


def make_drain_pool(it: Attempt, attribute: str, line: str) -> None:
    """Willpower and an attribute, whose line has this id; or the pool given in their place."""
    if (given := it.facts.get("caster.drain_pool")) is not None:
        base = [Entry("pool", "Pool given", given)]
    else:
        names = ("willpower", attribute)
        willpower, other = attribute_entries(it.facts, CASTER, names, "caster.drain_pool")
        base = [willpower, other._replace(id=line)]
    dice_test.make_pool(it, DRAIN_POOL, *base)


def of_a_machine(it: Attempt) -> list[Entry]:
    """The dice of a machine against a physical spell; none of others, nor where a pool is given."""
    if not it.facts.get("target.vehicle") or "target.pool" in it.facts:
        return []
    dice = row_of(it.lookup, OBJECTS, "computers-drones-vehicles")["dice"]
    return [Entry("object", "Object resistance", dice, source=source_of(it.lookup, OBJECTS))]


class Resistance(Part, kind="sr5.drain-resistance"):
    """How a combatant resists drain.

    Attributes:
        side: the test.
        magic: hits kept above it make the drain Physical.
        edge_points: points of Edge before the magic was worked.
        monitors: None where the situation does not report them.
        always_stun: whatever the hits, as for adepts.
        by_force: what counts in place of the hits; 0 for these.
    """

    side: dice_test.Side
    magic: int
    edge_points: int
    monitors: Monitors | None
    always_stun: bool = False
    by_force: int = 0

    def resisted(self, dv: int, hits: int, spent: int) -> Stage:
        """The test against drain.

        Args:
            hits: kept in the test that brought it.
            spent: points of Edge spent on that.
        """
        side = self.side.with_points(self.edge_points - spent)
        track = "physical" if (self.by_force or hits) > self.magic and not self.always_stun else "stun"
        return dice_test.start(side, None, Drain(dv, track, self.monitors, spent))


def resistance(it: Attempt) -> Resistance:
    """How the caster resists drain."""
    side = dice_test.side_of(it, DRAIN, CASTER, it.total(DRAIN_POOL))
    points = it.facts.get("caster.edge_points", 0)
    return Resistance(side, it.facts["caster.magic"], points, Monitors.of(it.facts, CASTER))


class Drain(dice_test.Receiver, kind="sr5.drain"):
    """Takes the test against drain: each hit lowers it by one."""

    dv: int
    track: str
    monitors: Monitors | None
    edge_spent: int
    lowers = "dv"
    reports = ("dv",)

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return Drained(max(0, self.dv - hits), self.track, self.monitors, self.edge_spent + spent[0])


class Drained(Outcome, kind="sr5.drained"):
    """What magic cost the one who worked it."""

    damage: int
    track: str
    monitors: Monitors | None
    edge_spent: int

    def notes(self) -> Facts:
        after = hurt(self.monitors, self.damage, self.track)
        return {"damage": self.damage, "track": self.track, **after}

    def changes(self) -> Iterator[Effect]:
        yield from dice_test.spent_edge((CASTER, self.edge_spent))
        yield from marks(CASTER, self.monitors, self.damage, self.track)


SPIRIT = "spirit"
"""The branch of what became of the spirit, and the label of its dice."""
BANISHED, SERVICES = "banished", "services"
SPIRIT_POOL, LIMIT = "spirit.pool", "banishing.limit"
OF_BOTH = {SPIRIT_POOL: "Dice of the spirit", DRAIN_POOL: "Drain resistance pool"}
_DRAIN_A_HIT, _UNKNOWN = 2, -1

OF_A_SPIRIT = {
    "name": text("Name", most=80, example="Spirit of air"),
    "force": FORCE,
    "edge": whole("Edge", "Attribute after augmentation, without wounds.", most=50),
    "edge_points": EDGE_POINTS,
    "services": whole("Services", "That a spirit still owes.", most=100, example=2),
}
SPECIALIZED = fields(CASTER, specialized=flag("Specialized", "The specialization covers this spirit."))


class ConjuringTest(dice_test.TestingProcedure):
    """What summoning and banishing have in common.

    Attributes:
        skill: of the caster, after which the pool is named.
        spirit: the record of which the Force is given; "" for the situation itself.
        talent: the attribute by which it is done.
        strength: what the Force is called.
        gone: the condition of what has no services left.
        by_force: whether what it costs is Physical by the Force, whatever the hits.
    """

    owners: Mapping[str, str] = {SPIRIT_POOL: "target"}
    measures = (
        chance("success", "Chance of a success"),
        mean(SERVICES, "Expected services gained or lost"),
        mean("damage", "Expected boxes of drain", "drain"),
    )
    skill = ""
    spirit = ""
    talent = "magic"
    strength = "Force"
    gone = BANISHED
    by_force = False

    def numbers(self, it: Attempt) -> None:
        facts, path, talent = it.facts, f"{self.spirit}.force" if self.spirit else "force", self.talent
        with it.faults.collect():
            own = f"{talent.capitalize()} of the caster"
            require(facts, [(path, "the Force or Level"), (f"caster.{talent}", own)])
            derive_side(facts, CASTER)
            it.plan = facts[path]
            pool = pool_entries(facts, CASTER, (talent,), self.skill)
            dice_test.make_pool(it, f"{self.skill}.pool", *pool)
            if LIMIT in self.targets:
                dice_test.make_limit(it, LIMIT, *limit_entries(facts, CASTER, "astral"))
            spirit = [Entry("force", self.strength, it.plan)]
            if bound := facts.get(f"target.binder_{talent}"):
                spirit.append(Entry("bound", f"{talent.capitalize()} of the binder", bound))
            dice_test.make_pool(it, SPIRIT_POOL, *spirit)
            self.resist(it)

    def resist(self, it: Attempt) -> None:
        """Make the pool against what it costs."""
        resist_drain(it)

    def first(self, it: Attempt) -> Stage:
        services = it.facts.get(f"{self.spirit}.{SERVICES}", _UNKNOWN)
        comes, refuses = it.facts.get(SPIRIT), self._may_refuse(it)
        resist = resistance(it)
        if self.by_force or (it.options["summon_drain"] == "force" and not self.spirit):
            resist = resist._replace(by_force=it.plan)
        plan = Conjuring(bool(self.spirit), services, resist, refuses, gone=self.gone)
        if comes is not None and not refuses:
            plan = plan._replace(comes=comes.slug, force=it.plan)
        limit = it.plan if (astral := it.known(LIMIT)) is None else astral
        side = dice_test.side_of(it, self.skill, CASTER, it.total(f"{self.skill}.pool"), limit)
        # A spirit that is not there yet has nobody who throws for it but its summoner, and no Edge.
        pool = it.total(SPIRIT_POOL)
        other = dice_test.Side(SPIRIT, CASTER, pool)
        if self.spirit:
            other = dice_test.side_of(it, SPIRIT, "target", pool)
        return dice_test.start(side, other, Conjured(share(plan)))

    def _may_refuse(self, it: Attempt) -> bool:
        """Whether a spirit of such Force may refuse to come: by the house rules, where the packs say so (6.4)."""
        rows = {} if self.spirit else rows_if_any(it.lookup, "magic-limits")
        return bool(rows) and bool(it.plan >= rows["force-that-may-refuse"]["value"])


class SummonSpirit(ConjuringTest):
    """Magic + Summoning [Force] against the Force; net hits are services, drain is twice the hits of the spirit."""

    label = "Summon a spirit"
    vocabulary = vocabulary(
        person(CASTER, "Summoner"),
        CASTER_FIELDS,
        SPECIALIZED,
        fields(
            "",
            force=whole("Force", "Of the spirit; also the limit.", 1, 50, example=4),
            spirit=entry("Spirit", "Joins if it comes.", entry_kind="combatant", example="spirit-of-fire"),
        ),
    )
    targets: Mapping[str, str] = {"summoning.pool": "Summoning pool", **OF_BOTH}
    skill = "summoning"


class BanishSpirit(ConjuringTest):
    """Magic + Banishing [Astral] against the Force; net hits take services, drain is twice the hits of the spirit."""

    label = "Banish a spirit"
    vocabulary = vocabulary(
        person(CASTER, "Magician"),
        person("target", "Spirit"),
        CASTER_FIELDS,
        SPECIALIZED,
        fields(CASTER, **ASTRAL_FIELDS),
        fields(
            "target",
            **OF_A_SPIRIT,
            binder_magic=whole("Magic of the binder", "More dice for the spirit; 0 unless bound.", most=50),
        ),
    )
    targets: Mapping[str, str] = {"banishing.pool": "Banishing pool", LIMIT: "Limit", **OF_BOTH}
    skill = "banishing"
    spirit = "target"


class Conjuring(Part, kind="sr5.conjuring"):
    """What the stages after the opposed test need.

    Attributes:
        banishes: net hits take services; otherwise they are services.
        services: that the spirit owes before; below 0 where nobody says it.
        resist: how the caster resists drain.
        may_refuse: the spirit need not come, whatever the hits.
        comes, force: the entry of the spirit that joins the fight, "" for none, and its Force.
        gone: the condition of one without services.
    """

    banishes: bool
    services: int
    resist: Resistance
    may_refuse: bool
    comes: str = ""
    force: int = 0
    gone: str = BANISHED


class Conjured(dice_test.Contested, kind="sr5.conjured"):
    """Takes the test of the caster against the spirit; the spirit's hits are what the drain comes from."""

    plan: Shared[Conjuring]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        plan = self.plan.value
        net = max(0, hits - other_hits)
        value = max(LEAST_DRAIN, _DRAIN_A_HIT * other_hits)
        ended = SpiritEnd(self.plan, net, spent[1])
        return Fork(((SPIRIT, ended), (DRAIN, plan.resist.resisted(value, hits, spent[0]))))


class SpiritEnd(Outcome, kind="sr5.spirit-end"):
    """What became of the spirit.

    Attributes:
        net: net hits of the caster; none: the spirit does not come, or keeps its services.
        edge_spent: points of Edge of the spirit.
    """

    plan: Shared[Conjuring]
    net: int
    edge_spent: int

    def notes(self) -> Facts:
        if self.plan.value.banishes:
            taken, banished = self._taken()
            return {"success": self.net > 0, SERVICES: taken, self.plan.value.gone: banished}
        facts: dict[str, Fact] = {"success": self.net > 0, SERVICES: self.net}
        return facts | ({"may_refuse": True} if self.plan.value.may_refuse else {})

    def changes(self) -> Iterator[Effect]:
        yield from dice_test.spent_edge(("target", self.edge_spent))
        plan = self.plan.value
        taken, banished = self._taken() if plan.banishes else (0, False)
        if taken:
            yield Effect("spend", "target", SERVICES, taken)
        if banished:
            yield Effect("add-condition", "target", plan.gone)
        if plan.comes and self.net:
            its = (("set_force", plan.force), ("set_services", self.net))
            yield Effect("join", CASTER, plan.comes, None, its)

    def _taken(self) -> tuple[int, bool]:
        """Services that it owes no more, and whether it is gone."""
        services = self.plan.value.services
        if services == _UNKNOWN:
            return self.net, False
        return min(self.net, services), 0 < self.net >= services


_PHYSICAL = ("body", "agility", "reaction", "strength")
_AS_THE_FORCE = ("willpower", "charisma", "magic")
_SKILLS = (
    "astral-combat",
    "assensing",
    "perception",
    "unarmed-combat",
    "exotic-ranged-weapon",
    "spellcasting",
)
INITIATIVE = "initiative_bonus"


def spirit_of(type: str, force: int, lookup: EntryLookup, options: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet of a spirit.

    Args:
        type: a row of the packs' table of spirits.

    Raises:
        InputError: the packs in use have no such type.
    """
    row = row_of(lookup, "spirits", type)
    found: dict[str, Any] = {name: max(1, force + row[name]) for name in (*_PHYSICAL, "logic", "intuition")}
    found |= dict.fromkeys(_AS_THE_FORCE, force)
    found |= {"force": force, "essence": force, "edge": force // 2, INITIATIVE: row[INITIATIVE]}
    if "aura" in row:
        found["aura"] = row["aura"]
    found["skills"] = dict.fromkeys(_SKILLS, force)
    if options["spirit_armor"] == "core":
        return found | {"armor_value": 2 * force, "hardened_armor": True, "immunity": True}
    return found | {"armor": []}  # what they have by the house rules, a modifier of these gives
