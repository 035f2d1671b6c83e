"""The melee attack of Shadowrun 4: its numbers, and the way to its first roll.

Rulebook sections 7, 8.9, 8.10, 9, 10.1 to 10.3, 11.1 to 11.4, 11.6 and 11.7. The defense is chosen first; the pool of
each method is a number of its own: what is common to all (Reaction and every modifier of ``melee-defense.pool``), the
skill, and what full defense adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.procedures import Attempt, Procedure
from fracas.kernel.required import lacks
from fracas.kernel.ruleset import Asked, Measure
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Entry, Refusal, Tally, tally_of
from fracas.rulesets.sr4.composing import unopposed
from fracas.rulesets.sr4.harms.damage import OF_A_HIT
from fracas.rulesets.sr4.melee.melee_facts import (
    BACKLASH_ARMOR,
    BACKLASH_POOL,
    ON_HELD,
    attack_rules,
    derive,
    derive_damage,
    effect_of,
    held_by_target,
    on_held,
)
from fracas.rulesets.sr4.melee.melee_stages import (
    BACKLASH,
    DECISIONS,
    DEFENSE,
    METHODS,
    OTHERS_DICE,
    OWN_DICE,
    REACH_USE,
    Exchange,
    ReachChoice,
)
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, side_of
from fracas.rulesets.sr4.sheet import FLOOR, pool_given, skill_entries

ATTACK, DEFENSE_POOL = "melee-attack.pool", "melee-defense.pool"
TARGETS = {
    ATTACK: "Melee attack pool",
    DEFENSE_POOL: "Melee defense pool",
    "melee-defense.dodge": "Dodge",
    "melee-defense.parry": "Parry",
    "melee-defense.block": "Block",
    "melee-damage.value": "Damage Value before net hits",
    "melee-armor.rating": "Armor after penetration",
    "melee-resist.pool": "Damage resistance pool",
    BACKLASH_ARMOR: "Wielder's armor after penetration",
    BACKLASH_POOL: "Wielder's damage resistance pool",
}


OF_ATTACKERS = (ATTACK, "melee-damage.value", BACKLASH_ARMOR, BACKLASH_POOL)
"""The attacker's numbers; the others are the target's."""


class Opening(NamedTuple):
    """An attack before the choice of what the longer Reach is used for.

    Attributes:
        own: the exchange with dice of one's own, or as the facts say.
        others: the exchange with dice that the other loses; None where there is nothing to choose.
        by: who chooses.
        points: how much longer the Reach is.
    """

    own: Exchange
    others: Exchange | None = None
    by: str = ""
    points: int = 0

    def begin(self) -> Stage:
        if self.others is None:
            return self.own.begin()
        return ReachChoice(self.by, self.points, self.own, self.others)

    def into(self, then: Receiver) -> Opening:
        """With another receiver of the result."""
        others = self.others and self.others._replace(then=then)
        return self._replace(own=self.own._replace(then=then), others=others)

    def without_edge(self) -> Opening:
        """Where the attacker has no Edge to spend on it."""
        found = [one and one._replace(attack=one.attack.without_edge()) for one in self[:2]]
        own, others = found
        assert own is not None
        return self._replace(own=own, others=others)


class Blow(NamedTuple):
    """An attack made ready.

    Attributes:
        refusals: why it is impossible.
        shown: derived facts worth telling.
        opening: the way to its test; None where it is refused or nothing is tested.
        outcome: what happens without a test, to somebody held; None where there is one.
    """

    refusals: tuple[Refusal, ...]
    shown: Mapping[str, Fact]
    opening: Opening | None = None
    outcome: Stage | None = None

    def begin(self) -> Stage:
        stage = self.opening.begin() if self.opening is not None else self.outcome
        assert stage is not None, "a refused attack does not begin"
        return stage

    @property
    def chooses_reach(self) -> bool:
        return self.opening is not None and self.opening.others is not None


def blow_of(it: Attempt) -> Blow:
    """An attack made ready from what `derive` found, and its numbers.

    Raises:
        InputError: nothing is said of the target's armor, or a defense is said that cannot be made.
    """
    it = it.of(it.record, it.facts)
    facts, asked = it.facts, it.asked
    unsaid = facts["reach.net"] != 0 and "reach_use" not in facts
    if unsaid:
        facts["reach_use"] = OWN_DICE
    damage = derive_damage(facts, asked)
    blow = Blow(asked.rules.refusals(facts), _shown(facts))
    if facts["aim"] in ON_HELD:
        outcome = on_held(it)
        return blow if blow.refusals else blow._replace(outcome=outcome)
    pools = _pools(it, not blow.refusals)
    changed = None
    if unsaid and pools.defense is not None:  # who is unaware neither chooses nor has dice to lose
        changed = _shift(it, pools)
    then = effect_of(it, damage)
    if blow.refusals:
        return blow
    table = _Exchanges(facts, asked, then)
    if changed is None or REACH_USE not in asked.open:
        return blow._replace(opening=Opening(table.exchange(pools)))
    by = "attacker" if facts["reach.net"] > 0 else "target"
    others = table.exchange(pools, OTHERS_DICE, *changed)
    return blow._replace(opening=Opening(table.exchange(pools), others, by, abs(facts["reach.net"])))


class _Pools(NamedTuple):
    """The numbers of the opposed test, as they come from the entries; none is raised to 0 yet.

    Attributes:
        attack: the attack pool.
        defense: what all methods share, or the whole pool where it was given; None without a defense.
        methods: for each method that is possible: what it adds, with the shared part as its first line.
    """

    attack: Tally
    defense: Tally | None
    methods: tuple[Tally, ...]

    def defenses(self, more: int) -> tuple[tuple[str, int], ...]:
        """The dice of each method, or of the one pool, with some more or less."""
        if self.defense is None:
            return ()
        if not self.methods:
            return (("", max(0, self.defense.total + more)),)
        return tuple((method.to.rpartition(".")[2], max(0, method.total + more)) for method in self.methods)


def _pools(it: Attempt, complete: bool) -> _Pools:
    """The pools; where the attempt is refused anyway, a defense that cannot be made is left out."""
    facts, attack = it.facts, it.tally(ATTACK, *_attack_base(it.facts))
    it.keep(attack.at_least(0, FLOOR))
    if facts.get("target.unaware"):
        return _Pools(attack, None, ())
    if pool := pool_given(facts, "target.pool"):
        defense = it.tally(DEFENSE_POOL, *pool, *_full_defense(facts, ""))
        it.keep(defense.at_least(0, FLOOR))
        return _Pools(attack, defense, ())
    shared = it.tally(DEFENSE_POOL, Entry("reaction", "Reaction", facts["target.reaction"]))
    wanted = facts.get("target.defense")
    possible = [method for method in METHODS if method != "parry" or facts["target.can_parry"]]
    chosen = [method for method in possible if wanted in (None, method)]
    if not chosen and complete:
        given = "target.in_hand" if "target.in_hand" in facts else "target.weapon"
        raise lacks(given, "a melee weapon in hand to parry with, or another defense", there=given in facts)
    methods = tuple(
        it.tally(f"melee-defense.{method}", *_method_base(facts, method, shared.total)) for method in chosen
    )
    for tally in methods or (shared,):
        it.keep(tally.at_least(0, FLOOR))
    return _Pools(attack, shared, methods)


def whole_pool(facts: Mapping[str, Any]) -> list[Entry]:
    """The attack pool before it is split, and before modifiers."""
    return pool_given(facts, "attacker.pool") or [
        Entry("agility", "Agility", facts["attacker.agility"]),
        *skill_entries(facts["attacker.skills"], facts["weapon.skill"], facts.get("attacker.specialized")),
    ]


def _attack_base(facts: Mapping[str, Any]) -> list[Entry]:
    """The pool before modifiers; against several targets, the part of it that this one gets (section 8.9)."""
    entries = whole_pool(facts)
    if "attacker.split_dice" in facts:
        whole, part = sum(entry.value or 0 for entry in entries), facts["attacker.split_dice"]
        if part >= whole:
            message = f"each target gets a die of the {whole}, so this one gets at most {whole - 1}"
            raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
        entries.append(Entry("split", "Dice for other targets", part - whole))
    return entries


def _skill_of(facts: Mapping[str, Any], method: str) -> str:
    """The skill of a method; of a pool that was given, the melee skill that fits what is in hand."""
    held = held_by_target(facts)
    if held is not None and facts["target.can_parry"] and method in ("parry", ""):
        return str(held.data["skill"])
    return "dodge" if method == "dodge" else "unarmed-combat"


def _method_base(facts: Mapping[str, Any], method: str, shared: int) -> list[Entry]:
    return [
        Entry("defense", "Reaction and modifiers of every defense", shared),
        *skill_entries(facts["target.skills"], _skill_of(facts, method)),
        *_full_defense(facts, method),
    ]


def _full_defense(facts: Mapping[str, Any], method: str) -> list[Entry]:
    """What full defense adds: Dodge or Gymnastics to any method, full parry its melee skill to a parry or block."""
    full = facts.get("target.full_defense", "none")
    if full == "none" or (full == "parry" and method == "dodge"):
        return []
    skill = _skill_of(facts, method) if full == "parry" else full
    label = f"Full defense: {skill.replace('-', ' ').capitalize()}"
    return [Entry("full-defense", label, facts["target.skills"].get(skill, 0))]


def _shift(it: Attempt, pools: _Pools) -> tuple[int, int] | None:
    """What the pools gain and lose where Reach takes dice from the other instead; None where no pack makes a difference
    of it."""
    assert pools.defense is not None
    other = it.of(it.record, {**it.facts, "reach_use": OTHERS_DICE})
    other.made = {}
    base = [entry for entry in pools.defense.entries if entry.origin == "base"]
    attack = other.tally(ATTACK, *_attack_base(it.facts)).total - pools.attack.total
    defense = other.tally(DEFENSE_POOL, *base).total - pools.defense.total
    for name, tally, more in (("attack", pools.attack, attack), ("defense", pools.defense, defense)):
        if more:
            lines = (
                Entry("pool", TARGETS[f"melee-{name}.pool"], tally.total),
                Entry("reach", "Reach", more, origin="rule"),
            )
            to, label = (
                it.named(f"melee-{name}.otherwise"),
                f"{tally.label} if Reach takes dice from the other",
            )
            it.keep(tally_of(to, label, lines))
    return (attack, defense) if attack or defense else None


class _Exchanges:
    """Makes the exchange of an attempt from its pools."""

    def __init__(self, facts: Mapping[str, Any], asked: Asked, then: Receiver) -> None:
        self._attack = side_of("attack", "attacker", 0, facts, asked, says=True)
        self._defense = None if facts.get("target.unaware") else side_of("defense", "target", 0, facts, asked)
        self._use = facts["reach_use"] if facts["reach.net"] else ""
        self._asks = DEFENSE in asked.open
        self._rules = attack_rules(facts, asked)
        self._then = then

    def exchange(self, pools: _Pools, use: str = "", attack: int = 0, defense: int = 0) -> Exchange:
        """With the use of Reach, and what that changes of both sides' dice; without: as the facts say."""
        side = self._attack._replace(pool=max(0, pools.attack.total + attack))
        methods = pools.defenses(defense)
        made = Exchange(side, self._defense, methods, use or self._use, self._then, self._rules)
        if methods and not self._asks:
            best = made.best()
            made = made._replace(pools=((best, dict(methods)[best]),))
        return made


_SHOWN = (
    "aim",
    "reach.net",
    "visibility_modifier",
    "attacker.wound_modifier",
    "target.wound_modifier",
    "attacker.encumbrance",
    "target.encumbrance",
)


def _shown(facts: Mapping[str, Any]) -> dict[str, Fact]:
    return {name: facts[name] for name in _SHOWN if name in facts}


def _of_targets(measure: Measure) -> Measure:
    """A measure that does not count what an attack does to its own wielder."""
    return measure._replace(of=lambda facts: 0.0 if facts["result"] == BACKLASH else measure.of(facts))


def _chance(fact: str) -> Measure:
    return _of_targets(Measure(fact, _CHANCES[fact], lambda facts: float(bool(facts.get(fact)))))


def _own_boxes(facts: Mapping[str, Fact]) -> float:
    return float(facts["damage"] or 0) if facts["result"] == BACKLASH else 0.0


_CHANCES = {
    "touched": "Chance to touch",
    "held": "Chance to get hold",
    "item_dropped": "Chance to knock the item away",
    "trick": "Chance of the trick",
}
MELEE_MEASURES = (
    *map(_of_targets, OF_A_HIT),
    _chance("touched"),
    _chance("held"),
    _chance("item_dropped")._replace(id="item"),
    _chance("trick"),
    Measure("backlash", "Expected boxes of the wielder", _own_boxes),
)


class MeleeAttack(Procedure):
    """One attack with a melee weapon or bare hands against one target."""

    id = "melee-attack"
    label = "Melee attack"
    doc = "Use of Reach, choice of the defense, opposed test, then damage, a touch, a hold or a fall; one target."
    vocabulary = MELEE_ATTACK
    decisions = (*DECISIONS, *dice_test.DECISIONS)
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = {to: "target" for to in TARGETS if to not in OF_ATTACKERS}
    measures = MELEE_MEASURES

    def numbers(self, it: Attempt) -> None:
        it.facts = derive(it.asked, it.facts)
        it.plan = blow = blow_of(it)
        it.refused += blow.refusals
        it.shown |= blow.shown

    def leads_on(self, it: Attempt, to: str) -> bool:
        """Of a Reach that may be used in two ways, both would change."""
        blow: Blow = it.plan
        return blow.chooses_reach

    def first(self, it: Attempt) -> Stage:
        blow: Blow = it.plan if it.instead is None else blow_of(it)
        stage = blow.begin()
        strikes = it.facts.get("target.unaware") and it.facts["aim"] not in ON_HELD
        return unopposed(stage) if strikes else stage
