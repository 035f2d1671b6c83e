"""The attack on a barrier: rulebook section 11.8.

    test -> comparison with the armor -> the barrier's resistance -> structure

A Success Test whose hits are added to the DV; what exceeds the armor wears the structure down, and breaks a hole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fracas.errors import InputError
from fracas.kernel.composing import WithFacts
from fracas.kernel.fields import fields, flag, number, vocabulary, whole
from fracas.kernel.forms import Outcome, Part
from fracas.kernel.procedures import Attempt, chance, mean
from fracas.kernel.required import require
from fracas.kernel.stage import Effect, Facts, Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Field, Record
from fracas.rulesets.sr4.harms.damage import Plan, fired
from fracas.rulesets.sr4.harms.harm import Damage
from fracas.rulesets.sr4.ranged import barriers, ranged_attack, ranged_vocabulary, shooting
from fracas.rulesets.sr4.ranged.blast_attack import explosive_of
from fracas.rulesets.sr4.ranged.shooting import ATTACK, COMPENSATION
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import Receiver, RollRules, Side, Spent, Striking
from fracas.rulesets.sr4.sheet import ARMOR_FLOOR, VALUE_FLOOR, make_pool, spent_edge

SPELL = "physical-barrier"
"""The condition of the one who stands behind a barrier of magic; it is gone when that breaks."""


class Wall(Part, kind="sr4.wall"):
    """What the stages after the test need.

    Attributes:
        value: DV before hits.
        burst: DV that is added after the comparison.
        track: ``physical`` or ``stun``, which does nothing to a barrier.
        armor: armor after penetration.
        dice: of the barrier's resistance.
        structure: of the square metre that is hit.
        damage: what it has lost already.
        rounds: ammunition spent.
        own: what the shooter resists when explosive ammunition misfires; None where nothing is known of it.
        misfires: the ammunition goes off in the weapon on a critical glitch.
        rules: of the tests that follow.
        body: what a combatant resists who is the barrier; None for a thing.
        magic: the barrier is a spell before a combatant.
    """

    value: int
    burst: int
    track: str
    armor: int
    dice: int
    structure: int
    damage: int
    rounds: int
    own: Shared[Plan] | None
    misfires: bool
    rules: RollRules
    body: Shared[Plan] | None = None
    magic: bool = False


class Batter(Striking, kind="sr4.batter"):
    """Takes the attack test: its hits are added to the DV, and nobody defends."""

    wall: Shared[Wall]

    def on_reported_result(self, net: int, scoreless: bool, glitch: int, edge_spent: Spent) -> Stage:
        wall, missed = self.wall.value, WallOutcome("miss", 0, self.wall, edge_spent[0])
        if glitch == ranged_attack.CRITICAL_GLITCH and wall.misfires:
            return ranged_attack.misfired(missed, wall.own, wall.rules, edge_spent[0])
        return batter(self.wall, net, edge_spent[0]) if net > 0 else missed

    def on_skip(self) -> Stage:
        return WallOutcome("no-attack", 0, self.wall, 0)


def batter(shared: Shared[Wall], hits: int, edge_spent: int = 0) -> Stage:
    """The modified DV must exceed the armor; then the barrier resists."""
    wall = shared.value
    if wall.body is not None:
        done = WallOutcome("hit", 0, shared, edge_spent)
        return barriers.with_body(done, wall.body, wall.structure, hits, wall.rules)
    modified = wall.value + hits
    if wall.track == "stun" or modified <= wall.armor:
        facts = (("modified_dv", modified), ("modified_armor", wall.armor))
        return WithFacts(WallOutcome("no-effect", 0, shared, edge_spent), facts)
    then = Batters(modified + wall.burst, shared, edge_spent)
    return dice_test.start(Side("resist", "barrier", wall.dice), None, then, wall.rules)


class Batters(Receiver, kind="sr4.batters"):
    """Takes the resistance of the barrier."""

    dv: int
    wall: Shared[Wall]
    edge_spent: int

    def on_result(self, net: int, scoreless: bool, edge_spent: Spent) -> Stage:
        return WallOutcome("hit", max(0, self.dv - net), self.wall, self.edge_spent)

    def notes(self) -> Facts:
        wall = self.wall.value
        return {"modified_dv": self.dv - wall.burst, "modified_armor": wall.armor, "dv": self.dv}


class WallOutcome(Outcome, kind="sr4.wall-outcome"):
    """What is left of a barrier: ``hit``, ``no-effect`` (too weak, or Stun), ``miss``, or ``no-attack`` (a pool of 0
    dice). `damage`: points of structure that the square metre loses."""

    result: str
    damage: int
    wall: Shared[Wall]
    edge_spent: int

    def notes(self) -> Facts:
        wall = self.wall.value
        if wall.body is not None:
            return {"result": self.result}
        left = {"structure_left": max(0, wall.structure - self.lost), "hole": self.hole}
        return {"result": self.result, "damage": self.damage, "structure_lost": self.lost, **left}

    @property
    def lost(self) -> int:
        """Points of structure that are gone, with those of before."""
        return self.wall.value.damage + self.damage

    @property
    def hole(self) -> bool:
        return self.lost > self.wall.value.structure

    def changes(self) -> Iterator[Effect]:
        yield from spent_edge("attacker", self.edge_spent)
        rounds = self.wall.value.rounds
        if rounds and self.result != "no-attack":
            yield from fired(rounds)
        if self.wall.value.magic and self.damage:
            yield Effect("mark", ranged_vocabulary.SHIELD, "barrier-damage", self.damage)
            if self.hole:
                yield Effect("remove-condition", ranged_vocabulary.SHIELD, SPELL)


RESIST = "barrier-resist.pool"
AGAINST_ELECTRICITY = 2
"""How often the armor of a thing counts against electricity."""
MAGIC = f"{ranged_vocabulary.SHIELD}.spell_barrier"
_MELEE = ("blades", "clubs", "exotic-melee-weapon", "unarmed-combat")

_OF_A_SHOT = (COMPENSATION, ATTACK, "damage.value", "damage.burst", ranged_vocabulary.RATING)
_LIES_THERE = "A grenade, warhead or charge that lies there: no test, double the DV."
_OF_MAGIC = "Armor and structure of a Physical Barrier, which is attacked in place of the one behind it."
_SEEN = "target.hidden"


def _of_words(shot: Iterable[Field]) -> Iterator[Field]:
    """The fields of a shot; of those of its target, which modifiers read, a request says only what hides it."""
    for field in shot:
        of_target = field.path.startswith("target.") and field.path not in (_SEEN, "target.cover")
        yield field._replace(derived_from=_SEEN) if of_target else field


_BEHIND = Record("target", "Behind it", "", "Nobody is aimed at; here for words of modifiers.")


class BarrierAttack(dice_test.TestingProcedure):
    """Hits add to the Damage Value; the barrier resists with its armor, and breaks when its structure is exceeded."""

    label = "Attack on a barrier"
    vocabulary = vocabulary(
        *{**ranged_vocabulary.RANGED_ATTACK.records, "target": _BEHIND}.values(),
        ranged_vocabulary.SHIELD_RECORD._replace(
            doc="A person who is the barrier, or whose barrier of magic is attacked, in place of one that is given."
        ),
        _of_words(ranged_vocabulary.RANGED_ATTACK.fields.values()),
        ranged_vocabulary.SHIELD_FIELDS,
        fields(
            ranged_vocabulary.SHIELD,
            spell_barrier=whole("Barrier of magic", _OF_MAGIC, most=50),
            barrier_damage=whole("Damage to the magic", "In this Combat Turn."),
        ),
        fields(
            "barrier",
            structure=whole("Structure", "Of each square metre, in place of that of its material.", most=500),
            electronic=flag("Electronic", "A thing that electricity harms."),
            damage=whole("Structure lost", "Of the square metre that is hit."),
            distance=number("Distance from the blast", "From where it goes off.", unit="metres"),
        ),
        fields("", explodes=flag("Goes off at the barrier", _LIES_THERE)),
        fields(
            "weapon",
            blast_falloff=whole("Fall-off", "Boxes less for each started metre.", most=100),
            blast_radius=number("Radius", "Of the blast.", unit="metres"),
        ),
    )
    targets = {
        **{to: shooting.TARGETS[to] for to in _OF_A_SHOT},
        RESIST: "Resistance of the barrier",
        **ranged_vocabulary.NUMBERS,
    }
    measures = (chance("hole", "Chance of a hole"), mean("damage", "Expected loss of structure, or boxes"))
    inner = tuple(to for to in targets if to != ATTACK)

    def numbers(self, it: Attempt) -> None:
        _derive(it)
        facts, options = it.facts, it.options
        magic, misfires = bool(facts.get(MAGIC)), ranged_attack.misfires(facts)
        damage = _damage(facts)
        shooting.make_pools(it, attacks=not facts.get("explodes"))
        value = it.tally("damage.value", *_value_base(facts, damage), least=0, floor=VALUE_FLOOR).total
        burst = it.tally("damage.burst").total
        armor = barriers.barrier_base(facts, damage, options)
        rating = it.tally(ranged_vocabulary.RATING, *armor, least=0, floor=ARMOR_FLOOR).total
        body, dice = None if magic else ranged_attack.body_of(it, value, burst), 0
        if body is None:
            base = _resist_base(rating, damage.electric and not magic, options)
            dice = make_pool(it, RESIST, *base)
        square = facts["barrier.structure"], facts.get("barrier.damage", 0)
        rounds = facts["fire.rounds"] if shooting.fires_rounds(facts) else 0
        own = None if facts.get("explodes") else ranged_attack.own_of(it)
        rules, track = RollRules.of(options), damage.track
        wall = Wall(value, burst, track, rating, dice, *square, rounds, own, misfires, rules, body, magic)
        it.shown, it.plan = ranged_attack.shown(facts), share(wall)

    def first(self, it: Attempt) -> Stage:
        if ATTACK not in it.made:
            return batter(it.plan, 0)
        then, reported = Batter(it.plan), it.plan.value.misfires
        return dice_test.plain(it, "attack", ATTACK, then, who="attacker", reports_glitch=reported)


def _damage(facts: dict[str, Any]) -> Damage:
    """Of the weapon, or what goes off; electricity harms electronics. `InputError`: what goes off does no damage."""
    damage = explosive_of(facts).damage if facts.get("explodes") else shooting.damage_of(facts)
    if damage is None:
        message = "what goes off there does no damage"
        raise InputError.one("situation.weapon.ammunition", "no-damage", message)
    if damage.electric and facts.get("barrier.electronic"):
        return damage._replace(track="physical")
    return damage


def _resist_base(rating: int, electric: bool, options: Mapping[str, Any]) -> list[Entry]:
    """The armor that is left; against electricity a thing counts it twice (section 11.6), but not four times."""
    times: int = options["barrier_soak_multiplier"]
    entries = [Entry("armor", "Armor after penetration", rating * times)]
    if electric and times < AGAINST_ELECTRICITY:
        more, label = rating * (AGAINST_ELECTRICITY - times), "Things resist electricity with twice the armor"
        entries.append(Entry("electricity", label, more, origin="rule"))
    return entries


def _value_base(facts: Mapping[str, Any], damage: Damage) -> list[Entry]:
    """The DV; that of an explosion falls off with the distance and counts twice."""
    entries = [*damage.value]
    if not facts.get("explodes"):
        return entries
    value, blast = sum(entry.value or 0 for entry in entries), explosive_of(dict(facts))
    metres = -int(-facts.get("barrier.distance", 0) // 1)
    lost = value if blast.radius is not None and metres > blast.radius else min(value, blast.falloff * metres)
    if lost:
        entries.append(Entry("fall-off", "Fall-off", -lost, origin="rule"))
    return [*entries, Entry("explosion", "Explosives count twice", value - lost, origin="rule")]


def _derive(it: Attempt) -> None:
    """Put in what follows from the facts. `InputError`: something is missing that the rule cannot do without."""
    facts = it.facts
    strikes, explodes = facts.get("weapon.skill") in _MELEE, facts.get("explodes")
    shooting.derive_plain(facts)
    barriers.find_barrier(facts, it.lookup)
    combatant = barriers.has_combatant_in_the_way(facts)
    plain = () if combatant else ("armor", "structure")
    needed = [(f"barrier.{name}", f"{name} of the barrier | barrier.material") for name in plain]
    if explodes:
        needed += shooting.needed_of_strength(facts)
    else:
        fire = () if strikes else (("fire.mode", "how the weapon is fired"),)
        needed = [*shooting.needed_to_attack(facts), *shooting.needed_of_damage(facts), *fire, *needed]
    require(facts, needed)
    if combatant:
        if explodes and not facts.get(MAGIC):
            message = "what goes off at a combatant is a blast attack"
            raise InputError.one("situation.explodes", "no-barrier", message)
        barriers.find_attacked(facts, _damage(facts).armor_kind)
    facts |= {"armor.raisable": True, "called_shot.armor": 0}
    for name in shooting.OF_A_SHOT if explodes else ():
        facts.pop(name, None)
    if strikes:
        facts.pop("attacker.in_melee", None)  # in reach of the blow, not in the way of a shot
    if "fire.mode" in facts:
        facts.setdefault("fire.spread", "narrow")  # a wall does not dodge
        shooting.derive_rounds(facts, it.options)
    else:
        facts |= {"fire.rounds": 0, "fire.burst_bonus": 0, "recoil.own": 0}
    shooting.derive_shooter(facts, it.request)
