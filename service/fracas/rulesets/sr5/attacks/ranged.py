"""Ranged attacks of Shadowrun 5 on one target or several, and suppressive fire.

Rulebook sections 6.2, 6.3, 8.4, 9.1, 9.2, 9.4, 9.5, 10 and 11: an opposed test in which the Accuracy limits the attack,
then the damage against the armor, and its resistance.

The hits of suppressive fire stand until it ends. The one who enters the zone, leaves it or moves inside gets away with
as many hits on Reaction and Edge, or is hit by the Damage Value without net hits. The shooter's test is that of a
ranged attack, so that every modifier of its numbers counts here too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.fields import fields, vocabulary, whole
from fracas.kernel.forms import Outcome
from fracas.kernel.procedures import Attempt, mean
from fracas.kernel.required import require
from fracas.kernel.ruleset import Measure
from fracas.kernel.stage import Effect, Shared, Stage, share, used_up
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.attacks import attack, shooting
from fracas.rulesets.sr5.attacks.vocabulary import RANGED_ATTACK
from fracas.rulesets.sr5.harms import damage
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.sheet import Facts, limit_entries

COMPENSATION, ATTACK, LIMIT = "recoil.compensation", "attack.pool", "limit.accuracy"
DEFENSE, VALUE = "defense.pool", "damage.value"
OF_SHOOTERS = {ATTACK: "Attack pool", LIMIT: "Accuracy", COMPENSATION: "Recoil compensation"}
TARGETS = {**OF_SHOOTERS, DEFENSE: "Defense pool", VALUE: "Damage Value", **damage.TARGETS}
OWNERS = attack.owners_in(TARGETS, {*OF_SHOOTERS, VALUE})
GEL_KNOCKDOWN = 2
"""Points by which gel rounds lower the limit of a knockdown."""


def make_shooting(it: Attempt) -> None:
    """Make the numbers of the one who shoots; the recoil compensation is added to the facts.

    Raises:
        InputError: a split pool has too few dice.
    """
    facts = it.facts
    facts["recoil.compensation"] = it.tally(COMPENSATION, *compensation_base(facts, it.lookup)).total
    dice_test.make_pool(it, ATTACK, *attack.attack_base(facts))
    dice_test.make_limit(it, LIMIT, *limit_base(facts))


def compensation_base(facts: Facts, lookup: EntryLookup) -> list[Entry]:
    """The weapon's own compensation, and what its accessories add; some only where they are set up."""
    entries = [Entry("weapon", "Weapon", facts["weapon.rc"])] if "weapon.rc" in facts else []
    for feature in facts.get("weapon.features", ()):
        mod = lookup.entry("mod", feature)
        for change in mod.data.get("changes", ()) if mod else ():
            idle = change.get("while") == "deployed" and not facts.get("attacker.deployed")
            if mod and change["stat"] == "weapon.rc" and not idle:
                entries.append(Entry(mod.slug, mod.label, change["add"], source=mod.id))
    return entries


def limit_base(facts: Facts) -> list[Entry]:
    """The Accuracy, or the Physical limit of what is thrown."""
    if facts.get("weapon.accuracy_physical"):
        return limit_entries(facts, "attacker", "physical")
    if facts.get("attacker.sensor_attack"):
        return [Entry("sensor", "Sensor", facts["attacker.sensor"])]
    return [Entry("weapon", facts.get("weapon.name") or "Weapon", facts["weapon.accuracy"])]


def damage_base(facts: Facts) -> list[Entry]:
    """The Damage Value of the weapon and its load."""
    entries = []
    if not facts.get("load.replaces") and "weapon.dv" in facts:
        entries.append(Entry("weapon", facts.get("weapon.name") or "Weapon", facts["weapon.dv"]))
        if facts.get("weapon.dv_strength"):
            entries.append(Entry("strength", "Strength", facts["attacker.strength"]))
    if "load.dv" in facts:
        entries.append(Entry("load", facts.get("load.name") or "Load", facts["load.dv"]))
    return entries


def penetration(facts: Facts) -> damage.Penetration:
    """(id, label, points) of what lowers the armor, or raises it."""
    load = facts.get("load.name") or "load"
    if facts.get("target.vehicle") and "load.ap_vehicle" in facts:
        return [("load", load, facts["load.ap_vehicle"])]
    if "load.ap_becomes" in facts:
        return [("load", load, facts["load.ap_becomes"])]
    parts = [] if facts.get("load.replaces") else [("weapon", "weapon", facts.get("weapon.ap", 0))]
    return [*parts, ("load", load, facts.get("load.ap", 0))]


def spends(facts: Facts) -> bool:
    """Whether the rounds of the weapon are counted: it has a feed, and the request says how many are loaded."""
    return facts.get("weapon.feed") != "none" and "weapon.rounds" in facts


def plan_of_hit(it: Attempt, **more: Any) -> damage.Plan:
    """What follows a hit on the target: gel rounds lower the limit of a knockdown; `more`: further fields."""
    facts = it.facts
    track = facts.get("load.damage") or facts.get("weapon.damage") or "physical"
    element, touch = facts.get("damage.element", ""), "weapon.dv" not in facts and "load.dv" not in facts
    plan = damage.plan_of(it, it.total(VALUE), track, element, touch=touch, **more)
    if facts.get("load.type") == "gel" and plan.limit >= 0:
        return plan._replace(limit=max(0, plan.limit - GEL_KNOCKDOWN))
    return plan


class RangedAttack(attack.AttackProcedure):
    """Opposed test with a limit, Damage Value against armor, damage resistance; one target."""

    vocabulary = RANGED_ATTACK
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = OWNERS
    inner: Collection[str] = (COMPENSATION, damage.ARMOR)
    pool, limit, defense = ATTACK, LIMIT, DEFENSE
    shows: Sequence[str] = (
        *("range.band", "environment.modifier", "fire.rounds", "fire.rounds_missing", "recoil.own"),
        *("attacker.wound_modifier", "target.wound_modifier", "attacker.encumbrance", "target.encumbrance"),
    )
    ready = staticmethod(shooting.ready)

    def make(self, it: Attempt) -> None:
        make_shooting(it)
        if not it.facts.get("target.unaware"):
            dice_test.make_pool(it, DEFENSE, *attack.defense_base(it.facts, it.options))
        it.tally(VALUE, *damage_base(it.facts))
        damage.resist(it, penetration(it.facts))

    def plan(self, it: Attempt) -> damage.Plan:
        facts = it.facts
        fired, defended = facts["fire.rounds"] if spends(facts) else 0, not facts.get("target.unaware")
        return plan_of_hit(it, defended=defended, rounds=fired, recoil=facts["recoil.own"])


_OF_EACH = ("attacker.split_dice", "distance", "attacker.called_shot")


class RangedVolley(attack.SeveralAttacks):
    """One ranged action against several targets, each attacked once."""

    label = "Ranged attack on several"
    vocabulary = attack.vocabulary_of_several(RANGED_ATTACK, _OF_EACH)
    targets: Mapping[str, str] = attack.labels_of(TARGETS)
    owners: Mapping[str, str] = OWNERS
    inner: Collection[str] = targets
    single = RangedAttack()
    of_each = _OF_EACH

    def ready(self, it: Attempt, records: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Each attack has the rounds that the earlier ones leave, and the recoil of all together."""
        attacks, fired, recoil = [], 0, 0
        for record in records:
            facts = self.against(it.facts, record)
            if "weapon.rounds" in facts:
                facts["weapon.rounds"] = max(0, facts["weapon.rounds"] - fired)
            with it.faults.collect({"target": record}):
                self.single.ready(facts, it.request)
                fired += facts["fire.rounds"]
                recoil += facts["recoil.own"]
                attacks.append(facts)
        for facts in attacks:
            facts["recoil.progressive"] += recoil - facts["recoil.own"]
            before = facts.get("attacker.rounds_in_phase", 0)
            facts["recoil.phase"] = max(recoil + before, facts["recoil.phase"])
        return iter(attacks)


_INSIDE = "In the zone as the fire begins."
_RECORDS, _FIELDS = tuple(RANGED_ATTACK.records.values()), RANGED_ATTACK.fields
SUPPRESSING, KEEPS_DOWN, SUPPRESSED = "suppressing", "keeps-down", "suppressed"
"""Conditions: of the shooter, of the shooter towards those in the zone, and theirs."""
ESCAPE = "escape.pool"


class SuppressiveFire(dice_test.TestingProcedure):
    """A test with a limit whose hits stand for everybody in the zone; see escape-suppression."""

    vocabulary = vocabulary(
        *(one if one.path != "target" else one._replace(optional=True, doc=_INSIDE) for one in _RECORDS),
        *attack.others(_INSIDE, optional=True),
        _FIELDS.values(),
        *(
            [_FIELDS[f"target.{name}"]._replace(path=f"{who}.{name}") for name in ("name", "prone")]
            for who in attack.SEVERAL[1:]
        ),
    )
    targets: Mapping[str, str] = OF_SHOOTERS
    measures = (mean("suppression", "Expected hits to reach", "hits"),)
    inner: Collection[str] = (COMPENSATION,)

    def numbers(self, it: Attempt) -> None:
        it.plan = attack.people_in(it.facts)
        it.facts["fire.mode"] = shooting.SUPPRESSIVE
        with it.faults.collect():
            shooting.loaded(it.facts)
            shooting.rename_skill(it.facts, it.request)
            require(it.facts, shooting.needed_to_shoot(it.facts))
            shooting.derive_shot(it.facts, it.lookup)
            make_shooting(it)
        it.shown |= {name: it.facts[name] for name in RangedAttack.shows if name in it.facts}

    def first(self, it: Attempt) -> Stage:
        zone = Zone(it.facts["fire.rounds"] if "weapon.rounds" in it.facts else 0, tuple(it.plan))
        return dice_test.alone(it, "attack", "attacker", ATTACK, zone, it.total(LIMIT))


class Zone(dice_test.Receiver, kind="sr5.zone"):
    """Takes the shooter's test; `rounds`: those fired, 0 where nobody counts them; `inside`: records of people."""

    rounds: int
    inside: tuple[str, ...] = ()

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        return Suppressed(hits, self.rounds, spent[0], self.inside)

    def on_skip(self) -> Stage:
        """Without dice nobody is kept down."""
        return Suppressed(0, 0, 0)

    def hits_needed(self, hits: int, other_hits: int) -> int:
        return 1 - hits


class Suppressed(Outcome, kind="sr5.suppressed"):
    """What came of the fire: the hits that stand, 0 for no threat; and who is in the zone."""

    hits: int
    rounds: int
    spent: int
    inside: tuple[str, ...] = ()

    def notes(self) -> Facts:
        return {"result": SUPPRESSING if self.hits else "no-threat", "suppression": self.hits}

    def changes(self) -> Iterator[Effect]:
        yield from dice_test.spent_edge(("attacker", self.spent))
        yield from used_up("attacker", "weapon", self.rounds)
        if self.hits:
            yield Effect("add-condition", "attacker", SUPPRESSING, None, (("set_suppression", self.hits),))
        for who in self.inside if self.hits else ():
            yield Effect("add-condition", who, SUPPRESSED, None, (("towards", "attacker"),))
            yield Effect("add-condition", "attacker", KEEPS_DOWN, None, (("towards", who),))


class EscapeSuppression(dice_test.TestingProcedure):
    """Reaction and Edge against the shooter's hits; a combatant who fails is hit without net hits."""

    label = "Escape suppressive fire"
    vocabulary = vocabulary(
        *sorted(_RECORDS, key=lambda record: record.path != "target"),
        _FIELDS.values(),
        fields(
            "attacker",
            suppression=whole(
                "Hits of the suppressive fire",
                "Those who enter, leave or move in the zone roll against them.",
                most=60,
                example=3,
            ),
        ),
    )
    """The target is who acts: it moves."""
    targets: Mapping[str, str] = {ESCAPE: "Pool to get away", VALUE: "Damage Value", **damage.TARGETS}
    owners: Mapping[str, str] = OWNERS
    measures: Sequence[Measure] = damage.MEASURES
    inner: Collection[str] = (damage.ARMOR,)

    def numbers(self, it: Attempt) -> None:
        facts = it.facts
        shooting.loaded(facts)
        with it.faults.collect():
            require(facts, [*shooting.needed_for_damage(facts), *_missing_of_escape(facts)])
            shooting.derive_sides(facts)
            facts |= {"fire.mode": shooting.SUPPRESSIVE, "fire.rounds": 0, "recoil.own": 0}
            it.shown["threshold"] = facts["attacker.suppression"]
            dice_test.make_pool(it, ESCAPE, *_base(facts))
            it.tally(VALUE, *damage_base(facts))
            damage.resist(it, penetration(facts))

    def first(self, it: Attempt) -> Stage:
        plan = share(plan_of_hit(it))
        if it.facts.get("target.unaware"):
            return damage.soak(plan, plan.value.value, 0, (0, 0))
        return dice_test.alone(it, "escape", "target", ESCAPE, Escape(it.facts["attacker.suppression"], plan))


def _missing_of_escape(facts: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    if not facts.get("target.unaware") and "target.pool" not in facts:
        for name in ("reaction", "edge"):
            yield f"target.{name}", f"{name.capitalize()} | target.pool"
    yield "attacker.suppression", "the hits of the suppressive fire"
    yield "target.body", "Body of the target"


def _base(facts: Mapping[str, Any]) -> list[Entry]:
    """Reaction and the attribute Edge, which costs no point. The unaware do not roll."""
    if "target.pool" in facts:
        return [Entry("pool", "Pool given", facts["target.pool"])]
    known = [name for name in ("reaction", "edge") if f"target.{name}" in facts]
    return [Entry(name, name.capitalize(), facts[f"target.{name}"]) for name in known]


class Escape(dice_test.Against, kind="sr5.escape"):
    """Takes the test to get away."""

    plan: Shared[damage.Plan]

    def on_result(self, hits: int, other_hits: int, spent: tuple[int, int]) -> Stage:
        if hits >= self.threshold:
            return damage.AttackOutcome("avoided", 0, "", self.plan, (0, spent[0]))
        return damage.soak(self.plan, self.plan.value.value, 0, (0, spent[0]))
