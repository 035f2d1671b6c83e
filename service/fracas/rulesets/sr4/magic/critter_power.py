"""Powers of spirits and critters, and getting free from one: rulebook sections 30.4, 30.5 and 33.1.

    dice of the user -> dice of each target against the hits -> what the net hits bring

Which attributes a power and those against it roll, and which conditions its net hits bring, the packs say. A power
that nobody opposes takes effect without dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.fields import choice, entries, entry, fields, flag, person, text, vocabulary, whole, words
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import has_record
from fracas.kernel.stage import Effect, Fact, Facts, Fork, Shared, Stage, lasting, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.harms.harm import TOXIN_WORKS
from fracas.rulesets.sr4.ranged.ranged_attack import dropped
from fracas.rulesets.sr4.ranged.ranged_vocabulary import VICTIMS
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Opposing, RollRules, Side, Spent, Striking, side_of
from fracas.rulesets.sr4.sheet import by_rule, make_pool, pool_entries, skill_entries, spent_edge, wounds_of
from fracas.rulesets.sr4.vocabulary import AGAINST, ATTRIBUTES, BURN_EDGE, combatant_fields, dice, named

USER = "user"
TARGETS_OF_POWER = ("target", *VICTIMS)
POOL, OPPOSITION = "power.pool", "power-opposition.pool"
COUNTS = ("turns", "dice", "reaction", "hastens", "hinders", "silences")
TURNS, DICE, REACTION, HASTENS, HINDERS, SILENCES = COUNTS
"""What net hits count: Combat Turns of the conditions, dice less on all tests, or points less of Reaction. Of Movement
and Silence the Magic counts instead: it multiplies the rate of movement, or divides it, or is dice less on powers of
sound."""
IN_CONE = -2
"""Dice of each target against a power that strikes all in front of its user."""
_BY_MAGIC = {HASTENS: "hastened", HINDERS: "hindered", SILENCES: "silence"}
_LOWERED = {DICE: "add_tests.all", REACTION: "add_reaction"}


def _target(who: str) -> Iterator[Field]:
    yield from combatant_fields(
        who,
        pool=dice("Dice against it", "Before modifiers, in place of the attributes."),
        counterspelling=whole("Counterspelling", "Dice of a magician who protects, where it helps.", most=40),
        in_hand=entries("Weapons in hand", "What the target may drop.", entry_kind="weapon"),
    )


_POWER = fields(
    "power",
    name=text("Name", most=80),
    dice=words(
        "Attributes of the power", "What the user rolls; none if nobody opposes it.", choices=ATTRIBUTES
    ),
    skill=text("Skill of the power", "That the user adds to the attributes.", most=40),
    against=AGAINST,
    mana=flag("Mana", "It reaches astral forms, and no machine."),
    cone=flag("Cone", "It strikes all in front of the user."),
    sound=flag("Sound", "Silence takes dice from it."),
    toxin=entry(
        "Toxin", "What the target breathes in; its Power is the Magic and the net hits.", entry_kind="drug"
    ),
    counterspelled=flag("Counterspelling helps", "A magician's protection adds dice against it."),
    brings=entries("Conditions", "What the target is in if it succeeds.", entry_kind="condition"),
    counts=choice("What net hits count", "Of Movement and Silence the Magic counts instead.", choices=COUNTS),
    drops=whole("Net hits that disarm", "From so many on, the target drops what it holds.", least=1, most=20),
    kept=flag("Sustained", "It lasts while its user keeps it up, which costs no dice."),
    frees=entries("Conditions that end", "What the user gets rid of if it succeeds.", entry_kind="condition"),
    house_rule=text("House rule", "The option that decides between two effects.", most=60),
    house_value=text("Value of the house rule", "With which the other conditions come.", most=60),
    otherwise=entries("Conditions by the house rule", "In place of the others.", entry_kind="condition"),
    otherwise_counts=choice(
        "What net hits count by the house rule", "In place of the other.", choices=COUNTS
    ),
)


def _against_of(who: str) -> str:
    """The number of a target's dice."""
    return OPPOSITION if who == "target" else f"{who}.{OPPOSITION}"


class CritterPower(dice_test.TestingProcedure):
    """A power of a spirit or a critter against attributes of each target; net hits bring its conditions."""

    label = "Power of a critter"
    vocabulary = vocabulary(
        person(USER, "User"),
        person("target", "Target"),
        *(person(who, named(who), "Another target.", optional=True) for who in VICTIMS),
        Record("power", "Power", "power", "A power of the packs, or fields of one, or both."),
        combatant_fields(
            USER,
            pool=dice("Pool", "Dice before modifiers, in place of the attributes."),
            silence=whole("Silence", "Hits of the silence around.", most=50),
            burn_edge=BURN_EDGE,
        ),
        (field for who in TARGETS_OF_POWER for field in _target(who)),
        _POWER,
    )
    targets = {
        POOL: "Power pool",
        **{_against_of(who): f"{named(who)}: dice against it" for who in TARGETS_OF_POWER},
    }
    owners = {OPPOSITION: "target"}
    measures = (chance("affected", "Chance to work"), mean("net_hits", "Expected net hits"))

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        people = [who for who in TARGETS_OF_POWER if has_record(facts, who)]
        rolled, against = facts.get("power.dice", ()), _against(it)
        it.plan = people, bool(rolled or f"{USER}.pool" in facts)
        if not it.plan[1]:
            return
        base = pool_entries(facts, USER, rolled)
        if "power.skill" in facts and f"{USER}.pool" not in facts:
            base += skill_entries(facts.get(f"{USER}.skills", {}), facts["power.skill"])
        silence = facts.get("power.sound") and facts.get(f"{USER}.silence", 0)
        make_pool(it, POOL, *base, *by_rule("silence", "Silence", -(silence or 0)), *_wounds(it, USER))
        less = by_rule("cone", "In a cone", IN_CONE if facts.get("power.cone") else 0)
        for who in people:
            counters = facts.get("power.counterspelled") and facts.get(f"{who}.counterspelling", 0)
            extra = [*by_rule("counterspelling", "Counterspelling", counters or 0), *less, *_wounds(it, who)]
            make_pool(it, _against_of(who), *pool_entries(facts, who, against), *extra)

    def first(self, it: Attempt) -> Stage:
        people, rolls = it.plan
        rules = RollRules.of(it.options)
        plans = [share(_plan(it, who, rolls)) for who in people]
        if not rolls:
            ends = [PowerEnd(plan, it.facts.get(f"{USER}.magic", 1), (0, 0)) for plan in plans]
            return together(people, ends)
        then = PowerUsed(tuple(plans), rules)
        return dice_test.plain(it, "power", POOL, then, who=USER)


def _against(it: Attempt) -> list[str]:
    """The attributes against the power; Fear is opposed with Charisma too where the house rule says so."""
    found, rule = list(it.facts.get("power.against", ())), "fear_resistance"
    composed = it.facts.get("power.house_rule") == rule and it.options[rule] == "composure"
    return ["charisma", *found] if composed else found


def _wounds(it: Attempt, who: str) -> list[Entry]:
    return by_rule("wounds", "Wounds", wounds_of(it.facts, who, it.options))


def _plan(it: Attempt, who: str, rolls: bool) -> PowerPlan:
    facts = it.facts
    rule = facts.get("power.house_rule", "")
    other = bool(rule) and it.options.get(rule) == facts.get("power.house_value")
    other = other and "power.otherwise" in facts
    brings = facts.get("power.otherwise" if other else "power.brings", ())
    counts = facts.get("power.otherwise_counts" if other else "power.counts", "")
    cap = it.options["confusion_cap"] if counts == DICE else 0
    held = next((one.slug for one in facts.get(f"{who}.in_hand", ())), "")
    slugs = tuple(one.slug for one in brings)
    by_user = tuple(one.slug for one in brings if "state_towards" in one.data)
    frees = tuple(one.slug for one in facts.get("power.frees", ()))
    resist = Side("resist", who, 0)
    if rolls:
        resist = side_of("resist", who, it.known(_against_of(who)) or 0, facts, it.request)
    factor = _factor(facts, counts, it.options) if counts in _BY_MAGIC else 0
    toxin = facts["power.toxin"].slug if "power.toxin" in facts else ""
    does = cap, facts.get("power.drops", 0), held, bool(facts.get("power.kept")), factor, toxin, _magic(facts)
    return PowerPlan(who, resist, slugs, by_user, frees, counts, *does)


def _magic(facts: Mapping[str, Any]) -> int:
    return int(facts.get(f"{USER}.magic", facts.get(f"{USER}.force", 1)))


def _factor(facts: Mapping[str, Any], counts: str, options: Mapping[str, Any]) -> int:
    """The Magic, or half of it (``movement_factor``), by which Movement changes a rate; of Silence dice."""
    whole = counts == SILENCES or options["movement_factor"] == "magic"
    return _magic(facts) if whole else -(-_magic(facts) // 2)


class PowerPlan(Part, kind="sr4.power-plan"):
    """What a power does to one target.

    Attributes:
        resist: the dice against it.
        brings: slugs of conditions.
        by_user: those of them that concern the user, as long as they last.
        frees: slugs of conditions that the user is in, towards the target.
        counts: what net hits count, "" for nothing.
        cap: the most dice that it takes; 0 for any number.
        drops: net hits from which the target drops `held`; 0: never.
        kept: the user keeps it up.
        factor: of the power Movement, by how much it changes a rate; of Silence, the dice that it takes.
        toxin: what the target breathes in as the Combat Turn ends; "" for nothing.
        magic: of the user, to which net hits are added for the Power of the toxin.
    """

    who: str
    resist: Side
    brings: tuple[str, ...]
    by_user: tuple[str, ...]
    frees: tuple[str, ...]
    counts: str
    cap: int
    drops: int
    held: str
    kept: bool
    factor: int = 0
    toxin: str = ""
    magic: int = 0


class PowerUsed(Striking, kind="sr4.power-used"):
    """Takes the dice of the user: each target opposes the hits."""

    plans: tuple[Shared[PowerPlan], ...]
    rules: RollRules

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        stages = []
        for at, plan in enumerate(self.plans):
            then = Opposes(plan, net, 0 if at else edge_spent[0])
            stages.append(dice_test.start(plan.value.resist, None, then, self.rules))
        return together([plan.value.who for plan in self.plans], stages)


def together(people: list[str], stages: list[Any]) -> Stage:
    """One stage, or a branch for each of several targets."""
    return stages[0] if len(stages) == 1 else Fork(tuple(zip(people, stages, strict=True)))


class Opposes(Opposing, kind="sr4.opposes-power"):
    """Takes the dice of a target."""

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return PowerEnd(self.plan, max(0, self.threshold - net), (self.edge_spent, edge_spent[0]))


class PowerEnd(Outcome, kind="sr4.power-end"):
    """What a power did to one target; `net`: net hits, 0 where it does nothing."""

    plan: Shared[PowerPlan]
    net: int
    edge_spent: Spent

    @property
    def drops(self) -> bool:
        return 0 < self.plan.value.drops <= self.net

    def notes(self) -> Facts:
        plan = self.plan.value
        facts: dict[str, Fact] = {"affected": self.net > 0, "net_hits": self.net}
        if plan.toxin and self.net:
            facts["toxin_power"] = plan.magic + self.net
        if plan.counts == TURNS:
            facts["turns"] = self.net
        elif plan.factor:
            facts["silence" if plan.counts == SILENCES else "factor"] = plan.factor
        elif plan.counts:
            facts["dice_lost" if plan.counts == DICE else "reaction_lost"] = self.lost
        return facts | ({"item_dropped": self.drops} if plan.drops else {})

    @property
    def lost(self) -> int:
        """Dice less on all tests."""
        return min(self.net, self.plan.value.cap or self.net)

    def changes(self) -> Iterator[Effect]:
        plan = self.plan.value
        yield from spent_edge(USER, self.edge_spent[0])
        yield from spent_edge(plan.who, self.edge_spent[1])
        if not self.net:
            return
        for condition in plan.brings:
            towards = (("towards", USER),) if condition in plan.by_user else ()
            if plan.counts == TURNS:
                yield lasting(plan.who, condition, "turn", self.net, *towards)
            elif plan.factor:
                known = (f"set_{_BY_MAGIC[plan.counts]}", plan.factor)
                yield Effect("add-condition", plan.who, condition, None, (known, *towards))
            elif plan.counts:
                less = (_LOWERED[plan.counts], -self.lost)
                yield Effect("add-condition", plan.who, condition, None, (less, *towards))
            else:
                yield Effect("add-condition", plan.who, condition, None, towards)
        for condition in plan.frees:
            yield Effect("remove-condition", USER, condition, None, (("towards", plan.who),))
        if plan.kept:
            yield Effect("add-condition", USER, "using-power", None, (("towards", plan.who),))
        if plan.toxin:
            what = (("set_toxin.use", plan.toxin), ("set_toxin.power", plan.magic + self.net))
            yield Effect("schedule", plan.who, TOXIN_WORKS, None, (("when", "turn-end"), ("turns", 0), *what))
        if self.drops and plan.held:
            yield dropped(plan.who, plan.held)
