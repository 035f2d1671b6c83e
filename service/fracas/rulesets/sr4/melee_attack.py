"""The melee attack of Shadowrun 4: rulebook sections 7, 8.9, 8.10, 9, 10.1 to 10.3, 11.1 to 11.4, 11.6 and 11.7.

The defense is chosen first; each method's pool is a number of its own: what is common to all (Reaction and every
modifier of ``melee-defense.pool``), the skill, and what full defense adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fracas.errors import InputError
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Fact, Stage
from fracas.kernel.tally import Entry, Tally, tally_of
from fracas.rulesets.sr4 import dice_test
from fracas.rulesets.sr4.dice_test import Receiver
from fracas.rulesets.sr4.melee_effect import (
    FLOOR,
    derive_damage,
    effect_of,
    on_held,
    rules_of,
    side_of,
)
from fracas.rulesets.sr4.melee_facts import ON_HELD, derive, held_by_target
from fracas.rulesets.sr4.melee_stages import (
    DECISIONS,
    DEFENSE,
    METHODS,
    OTHERS_DICE,
    OWN_DICE,
    REACH_USE,
    Exchange,
    ReachChoice,
)
from fracas.rulesets.sr4.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.ranged_attack import MEASURES

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
}


class MeleeAttack:
    """One attack with a melee weapon or bare hands against one target."""

    id = "melee-attack"
    label = "Melee attack"
    doc = "Use of Reach, choice of the defense, opposed test, then damage, a touch, a hold or a fall; one target."
    vocabulary = MELEE_ATTACK
    decisions = (*DECISIONS, *dice_test.DECISIONS)
    targets: Mapping[str, str] = TARGETS
    measures = (
        *MEASURES,
        Measure("touched", "Chance to touch", lambda facts: float(bool(facts.get("touched")))),
        Measure("held", "Chance to get hold", lambda facts: float(bool(facts.get("held")))),
        Measure("item", "Chance to knock the item away", lambda f: float(bool(f.get("item_dropped")))),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = derive(asked)
        unsaid = facts["reach.net"] != 0 and "reach_use" not in facts
        if unsaid:
            facts["reach_use"] = OWN_DICE
        damage = derive_damage(facts, asked)
        refusals = asked.rules.refusals(facts)
        tally = _Tallies(asked, facts)
        if facts["aim"] in ON_HELD:
            outcome, numbers = on_held(tally, facts, asked)
            return Prepared(None if refusals else outcome, numbers, refusals, _shown(facts))
        pools = _pools(tally, facts, not refusals)
        changed = None
        if unsaid and pools.defense is not None:  # who is unaware neither chooses nor has dice to lose
            changed = _shift(_Tallies(asked, {**facts, "reach_use": OTHERS_DICE}), facts, pools)
        effect = effect_of(tally, facts, asked, damage)
        tallies = (*pools.tallies(), *(changed.tallies if changed else ()), *effect.tallies)
        if refusals:
            return Prepared(None, tallies, refusals, _shown(facts))
        table = _Exchanges(facts, asked, effect.then)
        if changed is None or REACH_USE not in asked.open:
            stage = table.exchange(pools).begin()
        else:
            by = "attacker" if facts["reach.net"] > 0 else "target"
            others = table.exchange(pools, OTHERS_DICE, changed.attack, changed.defense)
            stage = ReachChoice(by, abs(facts["reach.net"]), table.exchange(pools), others)

        def rebuild(tally: Tally) -> Stage | None:
            new = pools.put(tally)
            if new is None or isinstance(stage, ReachChoice):  # both uses of Reach would change
                return None
            return table.exchange(new).begin()

        return Prepared(stage, tallies, (), _shown(facts), rebuild)


class _Tallies:
    """Tallies of one attempt."""

    def __init__(self, asked: Asked, facts: Mapping[str, Any]) -> None:
        self._asked = asked
        self._facts = facts

    def __call__(self, to: str, base: list[Entry]) -> Tally:
        return self._asked.rules.tally(to, TARGETS[to], base, self._facts, self._asked.hand)


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

    def put(self, changed: Tally) -> _Pools | None:
        """With another tally in place of the one of its name; None if it is none of these."""
        if changed.to == ATTACK:
            return self._replace(attack=changed)
        if changed.to == DEFENSE_POOL:
            methods = tuple(_on(changed.total, method) for method in self.methods)
            return self._replace(defense=changed, methods=methods)
        if any(method.to == changed.to for method in self.methods):
            methods = tuple(changed if method.to == changed.to else method for method in self.methods)
            return self._replace(methods=methods)
        return None

    def tallies(self) -> tuple[Tally, ...]:
        """The numbers as they are rolled."""
        found = [self.attack.at_least(0, FLOOR)]
        if self.defense is not None:
            found.append(self.defense if self.methods else self.defense.at_least(0, FLOOR))
        return (*found, *(method.at_least(0, FLOOR) for method in self.methods))

    def defenses(self, more: int) -> tuple[tuple[str, int], ...]:
        """The dice of each method, or of the one pool, with some more or less."""
        if self.defense is None:
            return ()
        if not self.methods:
            return (("", max(0, self.defense.total + more)),)
        return tuple(
            (method.to.removeprefix("melee-defense."), max(0, method.total + more)) for method in self.methods
        )


def _on(shared: int, method: Tally) -> Tally:
    """A method's tally on another shared part."""
    first = method.entries[0]._replace(value=shared)
    return tally_of(method.to, method.label, (first, *method.entries[1:]))


def _pools(tally: _Tallies, facts: Mapping[str, Any], complete: bool) -> _Pools:
    """The pools; where the attempt is refused anyway, a defense that cannot be made is left out."""
    attack = tally(ATTACK, _attack_base(facts))
    if facts.get("target.unaware"):
        return _Pools(attack, None, ())
    if "target.pool" in facts:
        base = [Entry("pool", "Pool given", facts["target.pool"]), *_full_defense(facts, "")]
        return _Pools(attack, tally(DEFENSE_POOL, base), ())
    shared = tally(DEFENSE_POOL, [Entry("reaction", "Reaction", facts["target.reaction"])])
    wanted = facts.get("target.defense")
    possible = [method for method in METHODS if method != "parry" or facts["target.can_parry"]]
    chosen = [method for method in possible if wanted in (None, method)]
    if not chosen and complete:
        message = "parrying needs a melee weapon in hand"
        hint = "say target.weapon, or choose another defense"
        raise InputError.one("situation.target.defense", "missing-field", message, hint)
    methods = tuple(
        tally(f"melee-defense.{method}", _method_base(facts, method, shared.total)) for method in chosen
    )
    return _Pools(attack, shared, methods)


def _attack_base(facts: Mapping[str, Any]) -> list[Entry]:
    """The pool before modifiers; against several targets, the part of it that this one gets (section 8.9)."""
    if "attacker.pool" in facts:
        entries = [Entry("pool", "Pool given", facts["attacker.pool"])]
    else:
        entries = [Entry("agility", "Agility", facts["attacker.agility"])]
        entries += _skill(facts["attacker.skills"], facts["weapon.skill"])
        if facts["attacker.skill"] and facts.get("attacker.specialized"):
            entries.append(Entry("specialization", "Specialization", 2))
    if "attacker.split_dice" in facts:
        whole, part = sum(entry.value or 0 for entry in entries), facts["attacker.split_dice"]
        if part >= whole:
            message = f"each target gets a die of the {whole}, so this one gets at most {whole - 1}"
            raise InputError.one("situation.attacker.split_dice", "out-of-range", message)
        entries.append(Entry("split", "Dice for other targets", part - whole))
    return entries


def _skill(skills: Mapping[str, int], skill: str) -> list[Entry]:
    label = skill.replace("-", " ").capitalize()
    rating = skills.get(skill)
    return [Entry("skill", label, rating) if rating else Entry("default", f"Defaulting on {label}", -1)]


def _skill_of(facts: Mapping[str, Any], method: str) -> str:
    """The skill of a method; of a pool that was given, the melee skill that fits what is in hand."""
    held = held_by_target(facts)
    if held is not None and facts["target.can_parry"] and method in ("parry", ""):
        return str(held.data["skill"])
    return "dodge" if method == "dodge" else "unarmed-combat"


def _method_base(facts: Mapping[str, Any], method: str, shared: int) -> list[Entry]:
    return [
        Entry("defense", "Reaction and modifiers of every defense", shared),
        *_skill(facts["target.skills"], _skill_of(facts, method)),
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


class _Shift(NamedTuple):
    """What the pools gain and lose where Reach takes dice from the other instead."""

    attack: int
    defense: int
    tallies: tuple[Tally, ...]


def _shift(otherwise: _Tallies, facts: Mapping[str, Any], pools: _Pools) -> _Shift | None:
    """None where no pack makes a difference of it."""
    assert pools.defense is not None
    base = [entry for entry in pools.defense.entries if entry.origin == "base"]
    found = [
        otherwise(ATTACK, _attack_base(facts)).total - pools.attack.total,
        otherwise(DEFENSE_POOL, base).total - pools.defense.total,
    ]
    if found == [0, 0]:
        return None
    tallies = []
    for name, tally, more in zip(("attack", "defense"), (pools.attack, pools.defense), found, strict=True):
        if more:
            label = f"{tally.label} if Reach takes dice from the other"
            lines = (
                Entry("pool", tally.label, tally.total),
                Entry("reach", "Reach", more, origin="rule"),
            )
            tallies.append(tally_of(f"melee-{name}.otherwise", label, lines))
    return _Shift(found[0], found[1], tuple(tallies))


class _Exchanges:
    """Makes the exchange of an attempt from its pools."""

    def __init__(self, facts: Mapping[str, Any], asked: Asked, then: Receiver) -> None:
        self._attack = side_of("attack", "attacker", facts, asked)
        self._defense = None if facts.get("target.unaware") else side_of("defense", "target", facts, asked)
        self._use = facts["reach_use"] if facts["reach.net"] else ""
        self._asks = DEFENSE in asked.open
        self._rules = rules_of(facts, asked)
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
