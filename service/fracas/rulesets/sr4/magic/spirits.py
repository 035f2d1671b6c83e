"""Summoning and banishing spirits: Magic + skill against the Force of the spirit, and drain by the hits of the spirit.

    test of the caster -> test of the spirit -> fork: what became of the spirit, and the drain

The rulebook names both as Complex Actions only (section 5.3); all else is from memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.kernel.fields import choice, entry, fields, flag, person, text, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, Procedure, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, lasting, share
from fracas.kernel.steps import ended
from fracas.kernel.tally import Entry, Refusal
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4.magic import drain
from fracas.rulesets.sr4.magic.drain import AGAINST_DRAIN, CASTER, DRAIN_FIELDS, Drain, foci
from fracas.rulesets.sr4.magic.spell_facts import CASTING as SPELL_POOL
from fracas.rulesets.sr4.magic.spell_outcomes import DICE
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Opposing, RollRules, Side, Spent, Striking, side_of
from fracas.rulesets.sr4.sheet import make_pool, spent_edge, wound_modifier
from fracas.rulesets.sr4.vocabulary import BURN_EDGE, SPIRIT_FORCE, combatant_fields, dice

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
        spirit, force: the entry of one that is summoned, "" where it is not named, and its Force.
    """

    banishes: bool
    services: int
    opposes: Side
    drain: Drain
    rules: RollRules
    spirit: str = ""
    force: int = 0


class Conjured(Striking, kind="sr4.conjured"):
    """Takes the test of the caster; the spirit opposes it, whatever the hits: they make the drain."""

    plan: Shared[SpiritTest]

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan = self.plan.value
        then = Withstands(self.plan, net, edge_spent[0])
        return dice_test.start(plan.opposes, None, then, plan.rules)


class Withstands(Opposing, kind="sr4.spirit-withstands"):
    """Takes the test of the spirit."""

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan = self.plan.value
        over = max(0, self.threshold - net)
        ended = SpiritEnd(plan.banishes, plan.services, over, edge_spent[0], plan.spirit, plan.force)
        value = max(LEAST_DRAIN, DRAIN_A_HIT * net)
        return Fork((("spirit", ended), plan.drain.resisted(value, self.edge_spent, plan.rules)))


class SpiritEnd(Outcome, kind="sr4.spirit-end"):
    """What became of the spirit. `net`: net hits of the caster; none: the spirit does not come, or stays. `edge_spent`:
    points of Edge of the spirit. `spirit`, `force`: as of a `SpiritTest`."""

    banishes: bool
    services: int
    net: int
    edge_spent: int
    spirit: str = ""
    force: int = 0

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
        if self.spirit and self.net:
            its = (("set_force", self.force), ("set_services", self.net))
            yield Effect("join", CASTER, self.spirit, None, its)


SUMMONING, BANISHING = "summoning", "banishing"
_BINDER = "Of a bound spirit; dice against banishing."
_OWED = "That a spirit still owes."
_COMES = "Its entry in the packs: it joins the fight. Left out: the GM adds it."
_HELPS_BY = "Of the spirit: the dice with which it helps, and the Combat Turns that it sustains a spell."
SPIRIT_POOL = "spirit.pool"


def _conjurer(skill: str) -> Iterator[Field]:
    yield from combatant_fields(
        CASTER,
        pool=dice("Pool", "Dice before modifiers, in place of Magic and skill."),
        burn_edge=BURN_EDGE,
        specialized=flag("Specialized", "The specialization covers this spirit."),
        **DRAIN_FIELDS,
        **foci(skill, "power"),
    )
    yield from fields("", conjuring=whole("Skill", f"Rating in {skill}.", derived_from=f"{CASTER}.skills"))


class _Conjuring(dice_test.TestingProcedure):
    """What summoning and banishing have in common."""

    skill = ""
    force = "force"
    measures = (
        chance("success", "Chance of a success"),
        mean("services", "Expected services gained or lost"),
        *drain.OF_DRAIN,
    )
    owners = {SPIRIT_POOL: "target"}
    inner = (AGAINST_DRAIN,)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        require(facts, [(self.force, "Force of the spirit"), *drain.needed_of_caster(facts, it.lookup)])
        facts["force"] = facts[self.force]
        facts["most_force"] = drain.MOST_FORCE * facts["caster.magic"]
        if "caster.skills" in facts:
            facts["conjuring"] = facts["caster.skills"].get(self.skill, 0)
        if (wounds := wound_modifier(facts, CASTER, it.options)) is not None:
            it.shown["caster.wound_modifier"] = facts["caster.wound_modifier"] = wounds
        base = drain.magic_base(facts, self.skill.capitalize(), "conjuring")
        make_pool(it, f"{self.skill}.pool", *base)
        binder = facts.get("target.binder_magic")
        bound = [Entry("bound", "Magic of the binder", binder)] if binder else []
        make_pool(it, SPIRIT_POOL, Entry("force", "Force", facts["force"]), *bound)
        drain.number_against_drain(it)

    def first(self, it: Attempt) -> Stage:
        services = it.facts.get("target.services", UNKNOWN)
        spirit = side_of("spirit", "target", it.total(SPIRIT_POOL), it.facts, it.request)
        banishes, rules = self.skill == BANISHING, RollRules.of(it.options)
        plan = SpiritTest(banishes, services, spirit, Drain.of(it), rules)
        comes = it.facts.get("spirit")
        if comes is not None:
            plan = plan._replace(spirit=comes.slug, force=it.facts["force"])
        return dice_test.plain(it, self.skill, f"{self.skill}.pool", Conjured(share(plan)), who=CASTER)


def _numbers_of(skill: str) -> Mapping[str, str]:
    return {
        f"{skill}.pool": f"{skill.capitalize()} pool",
        SPIRIT_POOL: "Dice of the spirit",
        AGAINST_DRAIN: "Drain resistance pool",
    }


class SummonSpirit(_Conjuring):
    """Magic + Summoning against the Force; net hits are services; drain is twice the hits of the spirit."""

    label = "Summon a spirit"
    vocabulary = vocabulary(
        person(CASTER, "Summoner"),
        _conjurer(SUMMONING),
        fields(
            "",
            spirit=entry("Spirit", _COMES, entry_kind="combatant", example="spirit-of-fire"),
            force=whole("Force", "Of the spirit: 1 to twice the Magic.", least=1, most=50, example=4),
            most_force=whole("Greatest Force", "Twice the Magic.", derived_from=f"{CASTER}.magic"),
        ),
    )
    targets = _numbers_of(SUMMONING)
    skill = SUMMONING


class BanishSpirit(_Conjuring):
    """Magic + Banishing against the Force; net hits take services; drain is twice the hits of the spirit."""

    label = "Banish a spirit"
    vocabulary = vocabulary(
        person(CASTER, "Magician"),
        person("target", "Spirit"),
        _conjurer(BANISHING),
        fields(
            "target",
            name=text("Name", most=80, example="Spirit of air"),
            force=SPIRIT_FORCE,
            services=whole("Services", _OWED, most=100, example=2),
            binder_magic=whole("Magic of the binder", _BINDER, most=50),
        ),
    )
    targets = _numbers_of(BANISHING)
    skill = BANISHING
    force = "target.force"


USUAL_ORDER, AIDS, AIDED = "fight", "aid-sorcery", "aided-sorcery"
"""What a spirit in a fight is ordered most often; to help with a spell, and the condition of the one helped."""
SUSTAINS, HELD = "sustain-spell", "spell-held-by-spirit"
"""To hold a spell for as many Combat Turns as its Force, and the condition of the caster."""
_BY_FORCE = (AIDS, SUSTAINS)

ORDERS = (USUAL_ORDER, "new-target", "power", "remote", AIDS, SUSTAINS, "standby")
"""What a spirit may be ordered to do: to fight, another target in the same fight, one power outside of that, something
far away, to help with a spell, to sustain one, to wait."""
_FREE_ORDERS = ("new-target", "standby")
_LEAVING = ("standby", "remote")
"""Orders by which a spirit leaves a fight: what it does afterwards is no part of that service."""
FIGHTS = "fights-for-summoner"


class OrderSpirit(Procedure):
    """What an order costs of the services that a spirit owes; nothing is rolled."""

    label = "Order a spirit"
    vocabulary = vocabulary(
        person(CASTER, "Summoner"),
        person("target", "Spirit"),
        fields(CASTER, name=text("Name", most=80)),
        fields(
            "target",
            name=text("Name", most=80),
            services=whole(
                "Services", _OWED, most=100, example=2, required="the services that it still owes"
            ),
            force=whole("Force", _HELPS_BY, 1, 50, example=4),
            fights=flag(
                "Fights for the summoner", "A service that it does already: its powers are part of it."
            ),
        ),
        fields("", order=choice("Order", choices=ORDERS, required="the order", example="fight")),
    )
    measures = (mean("spent", "Services spent"),)

    def numbers(self, it: Attempt) -> None:
        order, left = it.facts.get("order"), it.facts.get("target.services", UNKNOWN)
        covered = it.facts.get("target.fights") and (order == "fight" or not it.options["service_per_power"])
        free = order in _FREE_ORDERS or (covered and order in ("fight", "power"))
        it.plan = 0 if free else left if order == "remote" else 1
        if left > UNKNOWN and (it.plan > left or (order == "remote" and not left)):
            it.refused.append(Refusal("no_services", "The spirit owes no service any more"))
        if order in _BY_FORCE:
            it.need("target.force", "the Force of the spirit, by which it helps", 0)

    def first(self, it: Attempt) -> Stage:
        left, order = it.facts["target.services"] - it.plan, it.facts["order"]
        force = it.facts["target.force"] if order in _BY_FORCE else 0
        facts, effects, by = {"spent": it.plan, "services_left": left}, [], ("towards", "target")
        if it.plan:
            effects.append(Effect("spend", "target", SERVICES, it.plan))
        if it.facts.get("target.fights") and order in _LEAVING:
            effects.append(Effect("remove-condition", "target", FIGHTS))
        if order == USUAL_ORDER:
            effects.append(Effect("add-condition", "target", FIGHTS, None, (("towards", CASTER),)))
        elif order == AIDS:
            facts["dice"] = force
            helps = tuple((f"add_{pool}", force) for pool in (SPELL_POOL, DICE))
            effects.append(Effect("add-condition", CASTER, AIDED, None, (*helps, by)))
        elif order == SUSTAINS:
            facts["turns"] = force
            effects.append(lasting(CASTER, HELD, "turn", force, by))
        return ended(facts, *effects)
