"""The melee attack of Shadowrun 4, its numbers and the way to its first roll; and getting free from a hold.

Rulebook sections 7, 8.9, 8.10, 9, 10.1 to 10.3, 11.1 to 11.4, 11.6 and 11.7. The defense is chosen first; the pool of
each method is a number of its own: what is common to all (Reaction and every modifier of ``melee-defense.pool``), the
skill, and what full defense adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from fracas.kernel.composing import Wrapper
from fracas.kernel.fields import fields, person, text, vocabulary, whole
from fracas.kernel.procedures import Attempt, Procedure, chance, mean, where
from fracas.kernel.required import lacks
from fracas.kernel.stage import Effect, Stage
from fracas.kernel.tally import Entry, Tally, tally_of
from fracas.kernel.vocabulary import Field
from fracas.rulesets.sr4 import controls
from fracas.rulesets.sr4.harms.damage import OF_A_HIT
from fracas.rulesets.sr4.melee import melee_facts, melee_stages
from fracas.rulesets.sr4.melee.melee_facts import BACKLASH_ARMOR, BACKLASH_POOL, ON_HELD, VALUE
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.ranged.ranged_attack import shown
from fracas.rulesets.sr4.ranged.shooting import split_pool
from fracas.rulesets.sr4.rolls import dice_test, success_test
from fracas.rulesets.sr4.rolls.sides import RollRules, Unopposed, side_of
from fracas.rulesets.sr4.sheet import FLOOR, Facts, pool_given, skill_entries

ATTACK, DEFENSE_POOL = "melee-attack.pool", "melee-defense.pool"
TARGETS = {
    ATTACK: "Melee attack pool",
    DEFENSE_POOL: "Melee defense pool",
    "melee-defense.dodge": "Dodge",
    "melee-defense.parry": "Parry",
    "melee-defense.block": "Block",
    VALUE: "Damage Value before net hits",
    "melee-armor.rating": "Armor after penetration",
    "melee-resist.pool": "Damage resistance pool",
    BACKLASH_ARMOR: "Wielder's armor after penetration",
    BACKLASH_POOL: "Wielder's damage resistance pool",
}
OF_ATTACKERS = (ATTACK, VALUE, BACKLASH_ARMOR, BACKLASH_POOL)
"""The attacker's numbers; the others are the target's."""


class Blow(NamedTuple):
    """An attack made ready.

    Attributes:
        own: the exchange with dice of one's own, or as the facts say; None where it is refused or nothing is tested.
        others: the exchange with dice that the other loses; None where there is nothing to choose.
        by: who chooses what the longer Reach is used for.
        points: how much longer the Reach is.
        outcome: what happens without a test, to a combatant held.
    """

    own: melee_stages.Exchange | None = None
    others: melee_stages.Exchange | None = None
    by: str = ""
    points: int = 0
    outcome: Stage | None = None

    def begin(self) -> Stage:
        if self.own is not None and self.others is not None:
            return melee_stages.ReachChoice(self.by, self.points, self.own, self.others)
        stage = self.own.begin() if self.own is not None else self.outcome
        assert stage is not None, "a refused attack does not begin"
        return stage

    def changed(self, change: Callable[[melee_stages.Exchange], melee_stages.Exchange]) -> Blow:
        """With something else in both exchanges."""
        return self._replace(own=self.own and change(self.own), others=self.others and change(self.others))


def blow_of(it: Attempt) -> Blow:
    """An attack made ready from what `melee_facts.derive` found, and its numbers; notes why it is impossible.
    `InputError`: nothing is given of the target's armor, or a defense is given that cannot be made."""
    it = it.of(it.record, it.facts)
    facts, request = it.facts, it.request
    longer = facts["reach.net"]
    unsaid = longer != 0 and "reach_use" not in facts
    if unsaid:
        facts["reach_use"] = melee_stages.OWN_DICE
    damage = melee_facts.derive_damage(facts, request)
    refusals = request.rules.refusals(facts)
    it.refused += refusals
    if facts["aim"] in ON_HELD:
        outcome = melee_facts.on_held(it)
        return Blow() if refusals else Blow(outcome=outcome)
    attack, shared, methods = _pools(it, complete=not refusals)
    more, less, defends = 0, 0, None
    if shared is not None:  # who is unaware neither chooses nor has dice to lose
        more, less = _shift(it, attack, shared) if unsaid else (0, 0)
        defends = side_of("defense", "target", 0, facts, request)
    then = melee_facts.effect_of(it, damage)
    if refusals:
        return Blow()
    side = side_of("attack", "attacker", 0, facts, request, says=True)
    rules = melee_facts.rules_of(facts, request, attacks=True)

    def exchange(use: str, more: int = 0, less: int = 0) -> melee_stages.Exchange:
        """With this use of Reach, and what it changes of both sides' dice."""
        mine = side._replace(pool=max(0, attack.total + more))
        pools = tuple((method, max(0, tally.total + less)) for method, tally in methods.items())
        made = melee_stages.Exchange(mine, defends, pools, use, then, rules)
        if not pools or melee_stages.DEFENSE in request.open:
            return made
        return made._replace(pools=((best := made.best(), dict(pools)[best]),))

    own = exchange(facts["reach_use"] if longer else "")
    if not (more or less) or melee_stages.REACH_USE not in request.open:
        return Blow(own)
    others = exchange(melee_stages.OTHERS_DICE, more, less)
    return Blow(own, others, "attacker" if longer > 0 else "target", abs(longer))


def _pools(it: Attempt, complete: bool) -> tuple[Tally, Tally | None, Mapping[str, Tally]]:
    """The attack pool; what all methods of defense share, or the whole pool where it was given; and the pool of each
    method that is possible, "" for one that was given. None of these is raised to 0 yet. `complete`: the attempt is
    not refused anyway; if it is, a defense that cannot be made is left out."""
    facts = it.facts  # against several targets, this one gets a part of the pool (section 8.9)
    attack = it.tally(ATTACK, *split_pool(facts, whole_pool(facts), "target", "Dice for other targets"))
    it.keep(attack.at_least(0, FLOOR))
    if facts.get("target.unaware"):
        return attack, None, {}
    if pool := pool_given(facts, "target.pool"):
        given = it.tally(DEFENSE_POOL, *pool, *_full_defense(facts, ""))
        it.keep(given.at_least(0, FLOOR))
        return attack, given, {"": given}
    if "target.control" in facts:
        handles = it.options["vehicle_defense"] == "handling"
        full = facts.get("target.full_defense", "none") != "none"
        driven = it.tally(DEFENSE_POOL, *controls.defense(facts, "target", full=full, handles=handles))
        it.keep(driven.at_least(0, FLOOR))
        return attack, driven, {"": driven}
    shared = it.tally(DEFENSE_POOL, Entry("reaction", "Reaction", facts["target.reaction"]))
    methods = {}
    for method in melee_stages.METHODS:
        parries = method != "parry" or facts["target.can_parry"]
        if parries and facts.get("target.defense") in (None, method):
            base = Entry("defense", "Melee defense pool", shared.total)
            skill = skill_entries(facts["target.skills"], _skill_of(facts, method))
            full = _full_defense(facts, method)
            methods[method] = it.tally(f"melee-defense.{method}", base, *skill, *full)
    if not methods and complete:
        path = "target.in_hand" if "target.in_hand" in facts else "target.weapon"
        raise lacks(path, "a melee weapon in hand to parry with, or another defense", there=path in facts)
    for tally in methods.values() or (shared,):
        it.keep(tally.at_least(0, FLOOR))
    return attack, shared, methods


def whole_pool(facts: Facts) -> list[Entry]:
    """The attack pool before it is split, and before modifiers."""
    return pool_given(facts, "attacker.pool") or [
        Entry("agility", "Agility", facts["attacker.agility"]),
        *skill_entries(facts["attacker.skills"], facts["weapon.skill"], facts.get("attacker.specialized")),
    ]


def _skill_of(facts: Facts, method: str) -> str:
    """The skill of a method; of a pool that was given, the melee skill that fits what is in hand."""
    held = melee_facts.held_by_target(facts)
    if held is not None and facts["target.can_parry"] and method in ("parry", ""):
        return str(held.data["skill"])
    return "dodge" if method == "dodge" else "unarmed-combat"


def _full_defense(facts: Facts, method: str) -> list[Entry]:
    """What full defense adds: Dodge or Gymnastics to any method, full parry its melee skill to a parry or block."""
    full = facts.get("target.full_defense", "none")
    if full == "none" or (full == "parry" and method == "dodge"):
        return []
    skill = _skill_of(facts, method) if full == "parry" else full
    label = f"Full defense: {skill.replace('-', ' ').capitalize()}"
    return [Entry("full-defense", label, facts["target.skills"].get(skill, 0))]


def _shift(it: Attempt, attack: Tally, defense: Tally) -> tuple[int, int]:
    """What both pools gain or lose where Reach takes dice from the other, each reported as a number of its own."""
    other = it.of(it.record, {**it.facts, "reach_use": melee_stages.OTHERS_DICE})
    other.made = {}
    found = []
    for to, tally in ((ATTACK, attack), (DEFENSE_POOL, defense)):
        base = (entry for entry in tally.entries if entry.origin == "base")
        more = other.tally(to, *base).total - tally.total
        found.append(more)
        if more:
            pool = Entry("pool", TARGETS[to], tally.total)
            reach = Entry("reach", "Reach", more, origin="rule")
            label = f"{tally.label} if Reach takes dice"
            it.keep(tally_of(it.named(to.replace(".pool", ".otherwise")), label, (pool, reach)))
    return found[0], found[1]


_MEASURES = (
    *OF_A_HIT,
    chance("touched", "Chance to touch"),
    chance("held", "Chance to get hold"),
    chance("engulfed", "Chance to engulf"),
    chance("item_dropped", "Chance to knock the item away", "item"),
    chance("trick", "Chance of the trick"),
)
_OWN_BOXES = mean("damage", "Expected boxes of the wielder", "backlash")


class MeleeAttack(Procedure):
    """Use of Reach, choice of the defense, opposed test, then damage, a touch, a hold or a fall; one target."""

    vocabulary = MELEE_ATTACK
    decisions = (*melee_stages.DECISIONS, *dice_test.DECISIONS)
    targets = TARGETS
    owners = {to: "target" for to in TARGETS if to not in OF_ATTACKERS}
    measures = (
        *(where(measure, "result", melee_stages.BACKLASH, holds=False) for measure in _MEASURES),
        where(_OWN_BOXES, "result", melee_stages.BACKLASH),
    )

    def numbers(self, it: Attempt) -> None:
        it.facts = melee_facts.derive(it.request, it.facts)
        it.plan = blow_of(it)
        it.shown |= shown(it.facts)

    def leads_on(self, it: Attempt, to: str) -> bool:
        """Of a Reach that may be used in two ways, both would change."""
        blow: Blow = it.plan
        return blow.others is not None

    def first(self, it: Attempt) -> Stage:
        blow: Blow = it.plan if it.instead is None else blow_of(it)
        stage = blow.begin()
        strikes = it.facts.get("target.unaware") and it.facts["aim"] not in ON_HELD
        return Unopposed().put(stage) if strikes else stage


# Getting free: Unarmed Combat + Strength against the grip, which is the net hits of the one who subdued one, and of
# tighter holds since.

_SETTLED = {"attribute": "strength", "skill": "unarmed-combat"}
"""What the rule says of the test, and nobody else."""


def _of_escape() -> Iterator[Field]:
    for field in success_test.TEST_FIELDS:
        if field.path == "threshold":
            yield field._replace(derived_from="holder.grip")
        elif field.path in _SETTLED:
            yield field._replace(derived_from="tester.strength")
        elif field.path != "second_attribute":
            yield field
    hits = "Net hits with which the holder got hold of the tester, and of tighter holds since; the threshold."
    grip = whole("Grip", hits, most=200, example=2)
    yield from fields("holder", name=text("Name", most=80), grip=grip)


class EscapeHold(dice_test.TestingProcedure):
    """Unarmed Combat + Strength against the net hits of the grip; success ends the hold."""

    label = "Escape from a hold"
    vocabulary = vocabulary(
        *success_test.TEST_RECORDS, person("holder", "Holder", "Who holds the tester."), _of_escape()
    )
    targets = success_test.POOLS
    measures = (chance("escaped", "Chance to get free"), mean("hits", "Expected hits"))

    def numbers(self, it: Attempt) -> None:
        grip = it.need("holder.grip", "the grip: the net hits with which the tester is held")
        it.facts |= {**_SETTLED, "threshold": grip}
        success_test.number_of_test(it)

    def first(self, it: Attempt) -> Stage:
        side = success_test.tester_of("test", it.total(success_test.POOL), it.facts, it.request)
        then = success_test.Threshold(it.facts["threshold"], Escape())
        return dice_test.start(side, None, then, RollRules.of(it.options))


class Escape(Wrapper, kind="sr4.escape"):
    """Around the test against the grip: the one who reaches it is free."""

    def notes(self, outcome: Stage) -> Facts:
        facts = outcome.notes()
        return {"escaped": facts["success"], "hits": facts["hits"], "net_hits": facts["net_hits"]}

    def effects(self, outcome: Stage) -> tuple[Effect, ...]:
        if not outcome.notes()["success"]:
            return outcome.effects()
        return (*outcome.effects(), *melee_stages.let_go("tester", "holder"))
