"""The ranged attack of Shadowrun 4: rulebook sections 7, 8.1 to 8.6, 8.10, 10, 11.1 to 11.8.

The opposed test, the comparison of the Damage Value with the armor, the resistance test, and damage. Barriers, called
shots without damage and ammunition that goes off too early are receivers around that comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.dice.pools import GLITCHES
from fracas.kernel.composing import ThenAlso, WithFacts
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import facts_of
from fracas.kernel.stage import Effect, Fact, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.harms import harm
from fracas.rulesets.sr4.harms.damage import OF_A_HIT, AttackOutcome, Compare, Hit, Plan, grazing, ties_graze
from fracas.rulesets.sr4.harms.harm import Damage, penetrated, protection, rating_of, worn_armor
from fracas.rulesets.sr4.ranged import barriers, shooting
from fracas.rulesets.sr4.ranged.ranged_vocabulary import NUMBERS, PARTS, RATING, SHIELD, SINGLE_SHOT
from fracas.rulesets.sr4.ranged.shooting import ATTACK, DEFENSE
from fracas.rulesets.sr4.reloading import piece_used
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Passing, Receiver, RollRules, Side, Spent, Unopposed
from fracas.rulesets.sr4.sheet import ARMOR_FLOOR, armor_entries, make_pool, soak_entries

ITEM, TRICK, PART = "item", "trick", "part"
"""Called shots that do no damage."""

DROPPED: tuple[tuple[str, Fact], ...] = (("ready", False), ("dropped", True))
"""The state of a thing that has left the hand."""

CRITICAL_GLITCH = GLITCHES.index("critical")


class CalledShot(Receiver, kind="sr4.called-shot"):
    """Takes the attack test of a called shot that does no damage.

    Attributes:
        what: ``item``, ``trick`` or ``part``.
        strength: of the target, which holds on to the item; of a part of a machine the armor.
        item: slug of what the target may lose; "" where nobody says it.
        part: of a machine, see `PARTS`.
    """

    plan: Shared[Plan]
    what: str
    strength: int
    item: str
    part: str = ""

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan = self.plan.value
        grazes = net == 0 and plan.defended and ties_graze(plan.grazing, scoreless)
        result = "hit" if net > 0 else "graze" if grazes else "miss"
        attack = AttackOutcome(result, 0, "", self.plan, 0, edge_spent)
        return CalledOutcome(attack, max(0, net), self.what, self.strength, self.item, self.part)

    def on_skip(self) -> Stage:
        return AttackOutcome("no-attack", 0, "", self.plan, 0, (0, 0))

    def hits_needed(self, net: int, scoreless: bool) -> int:
        needed = 1 if self.what == TRICK else max(1, self.strength + 1 - power_of(self.plan.value, self.what))
        return needed - net


class CalledOutcome(Outcome, kind="sr4.called-outcome"):
    """How a called shot without damage ended; `attack` is all that it has in common with others."""

    attack: AttackOutcome
    net: int
    what: str
    strength: int
    item: str
    part: str = ""

    @property
    def power(self) -> int:
        """The modified DV, which must exceed the Strength, or the armor of a part."""
        return power_of(self.attack.plan.value, self.what) + self.net

    @property
    def succeeded(self) -> bool:
        return self.attack.result == "hit" and (self.what == TRICK or self.power > self.strength)

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {**self.attack.notes(), "net_hits": self.net}
        if self.what == TRICK:
            return facts | {"trick": self.succeeded}
        if self.attack.result == "hit":
            facts |= {"power": self.power, "resists": self.strength}
        return facts | {"part_destroyed" if self.what == PART else "item_dropped": self.succeeded}

    def effects(self) -> tuple[Effect, ...]:
        if self.what == PART and self.succeeded:
            who = self.attack.plan.value.who
            gun = (Effect("item", who, self.item, None, (("ready", False),)),) if self.item else ()
            return (*self.attack.effects(), Effect("add-condition", who, PARTS[self.part]), *gun)
        lost = self.what == ITEM and self.item and self.succeeded
        return self.attack.effects() + ((dropped(self.attack.plan.value.who, self.item),) if lost else ())


def power_of(plan: Plan, what: str) -> int:
    """The DV of a called shot before net hits; that of a burst counts against a part of a machine."""
    return plan.value + (plan.burst if what == PART else 0)


def dropped(who: str, item: str) -> Effect:
    """A thing lies on the ground; `item`: its slug, or the record of a weapon."""
    return Effect("item", who, item, None, DROPPED)


class Through(Passing, kind="sr4.through"):
    """Takes the attack test of a shot through a barrier: the modified DV must exceed its armor. `barrier`: armor after
    penetration. `then`: what takes the test where the shot comes through."""

    barrier: int
    plan: Shared[Plan]
    then: Receiver

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        plan, receiver = self.plan.value, self.then
        if net < 0 or (net == 0 and not plan.contact) or plan.value + net > self.barrier:
            return receiver.on_result(net, scoreless, edge_spent)
        return AttackOutcome("stopped", 0, "", self.plan, 0, edge_spent)

    def hits_needed(self, net: int, scoreless: bool) -> int | None:
        short = self.then.hits_needed(net, scoreless)
        return None if short is None else max(short, self.barrier + 1 - self.plan.value.value - net)

    def notes(self) -> Facts:
        return {"barrier_armor": self.barrier}


class Misfire(Passing, kind="sr4.misfire"):
    """Takes the attack test with ammunition that explodes in the weapon on a critical glitch.

    Attributes:
        attack: the plan of the attack.
        own: what the shooter resists then; None where too little is known of them.
        then: what takes the test otherwise.
        rules: of the resistance test.
    """

    attack: Shared[Plan]
    own: Shared[Plan] | None
    then: Receiver
    rules: RollRules

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        if glitch != CRITICAL_GLITCH:
            return self.on_result(net, scoreless, edge_spent)
        missed = AttackOutcome("miss", 0, "", self.attack, 0, edge_spent)
        return misfired(missed, self.own, self.rules, edge_spent[0])


def misfired(outcome: Stage, own: Shared[Plan] | None, rules: RollRules, edge_spent: int) -> Stage:
    """The ammunition goes off in the weapon, and strikes the shooter, as far as they are known. `edge_spent`: points of
    Edge that they have spent in this action, of which it takes one."""
    outcome = WithFacts(outcome, (("misfire", True),))
    if own is None:
        return outcome
    return ThenAlso(outcome, struck(own, rules, may_use_edge=not edge_spent), "misfire_")


def struck(shared: Shared[Plan], rules: RollRules, *, spent: int = 0, may_use_edge: bool = True) -> Stage:
    """The resistance of a combatant who is hit without an attack test: the DV of the weapon, without net hits. `spent`:
    points of Edge spent to get out of the way. `may_use_edge`: a point may be spent here."""
    plan = shared.value
    converted = plan.track == "physical" and plan.value <= plan.armor
    hit = Hit("hit", plan.value, "stun" if converted else plan.track, shared, 0, (0, spent), rules)
    side = plan.resist
    if not may_use_edge:
        side = side.without_edge()
    elif plan.edge_points <= spent:
        side = side.without_points()
    return dice_test.start(side, None, hit, rules)


OWNERS_OF_SHOTS = dict.fromkeys((DEFENSE, "armor.rating", "resist.pool"), "target")
"""Whose the numbers are that are not the attacker's."""


class RangedAttack(dice_test.TestingProcedure):
    """Opposed test, comparison with the armor, damage resistance; one target."""

    vocabulary = SINGLE_SHOT
    targets = {**shooting.TARGETS, **NUMBERS}
    owners = OWNERS_OF_SHOTS
    measures = barriers.with_bystander(OF_A_HIT)
    inner = tuple(to for to in (*shooting.TARGETS, *NUMBERS) if to not in (ATTACK, DEFENSE))

    def numbers(self, it: Attempt) -> None:
        shooting.derive(it.facts, it.request)
        it.plan = shot_of(it)
        it.shown |= shown(it.facts)

    def first(self, it: Attempt) -> Stage:
        test = parts_of_test(it, it.plan)
        return dice_test.start(*test) if test[1] else Unopposed().put(dice_test.start(*test))


class Shot(NamedTuple):
    """What the stages of one attack need, beside the pools. `own`: what the shooter resists when ammunition goes off
    too early, `between` one in the line of the shot; None for nobody, or if unknown."""

    plan: Shared[Plan]
    own: Shared[Plan] | None
    between: Shared[Plan] | None


def shot_of(it: Attempt, base: list[Entry] | None = None) -> Shot:
    """Make the numbers of an attack.

    Args:
        it: its facts are as `derive` gives them; those that follow from the numbers are added.
        base: the attack pool before modifiers, where it is not what the attacker and the weapon give.

    Raises:
        InputError: the situation lacks something, or contradicts itself.
    """
    facts, options = it.facts, it.options
    if facts.get("fire.mode") == "full-burst":
        facts = it.facts = harm.machine_around(facts, options)
    damage = shooting.damage_of(facts)
    armor = worn_armor(facts, damage.armor_kind)
    worn = facts["called_shot.armor"] = rating_of(armor)
    avoided = _avoids(facts)
    barriers.find_body(facts, damage.armor_kind)
    barriers.find_barrier(facts, it.lookup)
    behind = "barrier.armor" in facts
    facts["armor.raisable"] = behind or (not avoided and (worn > 0 or not options["ap_positive_needs_armor"]))
    shooting.make_pools(it, base, defends=True)
    value = it.tally("damage.value", *damage.value).total
    burst = it.tally("damage.burst").total
    if behind:
        parts = barriers.barrier_base(facts, damage, options)
        facts[RATING] = it.tally(RATING, *parts, least=0, floor=ARMOR_FLOOR).total
    plan = plan_of(it, damage, armor, value, burst)
    own = own_of(it, "misfire")
    return Shot(share(plan), own, body_of(it, value, burst))


def _avoids(facts: Mapping[str, Any]) -> bool:
    """The shot is called past the armor."""
    return facts.get("called_shot.kind") == "unarmored"


def parts_of_test(it: Attempt, shot: Shot) -> tuple[Side, Side | None, Receiver, RollRules]:
    """What `dice_test.start` makes a test of: the opposed one, or without a defense the plain one."""
    facts, (first, second) = it.facts, shooting.sides_of(it)
    rules = RollRules.of(it.options, second is not None and grazing(it.options) == "hits")
    then = landing(facts, shot.plan, rules)
    if shot.between is not None:
        then = barriers.ThroughCombatant(then, shot.between, facts[f"{SHIELD}.body"], rules)
    if misfires(facts):
        then = Misfire(shot.plan, shot.own, then, rules)
        rules = rules._replace(reports_glitch=True)
    return first, second, then, rules


def landing(facts: Mapping[str, Any], plan: Shared[Plan], rules: RollRules) -> Receiver:
    """What takes the attack test: damage, or what a called shot does instead, and a barrier before it."""
    then: Receiver = Compare(plan, rules)
    called = facts.get("called_shot.kind")
    if called in (ITEM, TRICK, PART):
        item, part = facts.get("called_shot.item"), facts.get("called_shot.part", "")
        resists = plan.value.armor if called == PART else facts.get("target.strength", 0)
        then = CalledShot(plan, called, resists, item.slug if item else "", part)
    return Through(facts[RATING], plan, then) if RATING in facts else then


def misfires(facts: Mapping[str, Any]) -> bool:
    """Whether the ammunition goes off in the weapon on a critical glitch (section 11.5)."""
    ammunition = facts.get("weapon.ammunition")
    return bool(ammunition and ammunition.data.get("misfires"))


def own_of(it: Attempt, record: str = "") -> Shared[Plan] | None:
    """What the shooter resists when ammunition goes off too early; None where it cannot, or is unknown. `record`: see
    `struck_by`."""
    return struck_by(it, "attacker", record) if misfires(it.facts) else None


def struck_by(it: Attempt, who: str, record: str = "") -> Shared[Plan] | None:
    """What one hit without an attack test resists: the DV with ammunition, without net hits, bursts and called shots;
    None for nobody. `record`: what the numbers are named after; "" for numbers that nobody sees."""
    facts = it.facts
    of_attack = ("target", "called_shot", "barrier")  # what concerns the one at which an attack is aimed
    hit = {name: fact for name, fact in facts.items() if name.partition(".")[0] not in of_attack}
    hit |= {f"target.{name}": fact for name, fact in facts_of(facts, who).items()}
    damage = shooting.damage_of(hit)
    worn = armor_entries(hit, "target", damage.armor_kind)
    if worn is None or "target.body" not in hit or (damage.electric and "target.willpower" not in hit):
        return None
    hit["armor.raisable"] = rating_of(worn) > 0 or not it.options["ap_positive_needs_armor"]
    own = it.of(it.named(record), hit) if record else shooting.apart(it.request, hit)
    plan = plan_of(own, damage, worn, rating_of(damage.value))
    side = plan.resist._replace(by=who)
    plan = plan._replace(rounds=0, piece="", defended=False, contact=False, who=who, resist=side)
    return share(plan)


def body_of(it: Attempt, value: int, burst: int) -> Shared[Plan] | None:
    """What a combatant resists who is in the way of an attack with this Damage Value; None where nobody is."""
    body = struck_by(it, SHIELD, SHIELD) if barriers.has_combatant_in_the_way(it.facts) else None
    return body and share(body.value._replace(value=value, burst=burst))


def plan_of(it: Attempt, damage: Damage, worn: list[Entry], value: int, burst: int = 0) -> Plan:
    """What a hit does to the target; makes the numbers of the armor and the resistance."""
    facts, options = it.facts, it.options
    against, avoided = protection(facts, "target", damage.element), _avoids(facts)
    entries = penetrated(worn, damage, options, avoided=avoided, against=against)
    entries = barriers.sheltered(entries, facts, damage, options)
    armor = it.tally("armor.rating", *entries, least=0, floor=ARMOR_FLOOR).total
    resist = make_pool(it, "resist.pool", *soak_entries(facts, "target", armor))
    softer = 2 if damage.gel and options["gel_knockdown"] else 0  # with fewer boxes a gel round knocks down
    rounds = facts["fire.rounds"] if facts.get("weapon.feed") != "none" else 0
    more: dict[str, Any] = {"burst": burst, "contact": bool(facts.get("contact")), "rounds": rounds}
    more |= {"piece": piece_used(facts), "knockdown": facts["target.body"] - softer}
    return Plan.of(it, value, armor, resist, damage.track, damage.element, **more)


_LOST = (f"{who}.{lost}" for lost in ("wound_modifier", "encumbrance") for who in ("attacker", "target"))
_SHOWN = ("aim", "range.band", "reach.net", "visibility_modifier", "fire.rounds", *_LOST)


def shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    """Derived facts of an attack worth telling, whatever the weapon."""
    return {name: facts[name] for name in _SHOWN if name in facts}
