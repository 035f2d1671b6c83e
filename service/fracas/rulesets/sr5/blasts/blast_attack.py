"""The attack with a grenade, a rocket or a missile: rulebook sections 8.4 and 11.4.

Whatever explodes is aimed at a place: Agility + Throwing Weapons [Physical] (3), or the skill and the Accuracy of its
launcher. Everybody in reach resists what the way has left of the Damage Value; nobody makes a defense.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.required import Faults, lacks, require
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Stage, share
from fracas.kernel.tally import Entry, Tally
from fracas.rulesets.sr5.blasts.blast_stages import Blast, Launched, Reach, go_off
from fracas.rulesets.sr5.blasts.blast_vocabulary import BLAST_ATTACK, GOES_OFF, NEXT_PHASE
from fracas.rulesets.sr5.harms import damage as soaking
from fracas.rulesets.sr5.harms.damage import Harm
from fracas.rulesets.sr5.harms.numbers import Numbers, as_target, labels_of, shown
from fracas.rulesets.sr5.ranged.shot_facts import derive_shot, loaded, missing_of_shooter
from fracas.rulesets.sr5.ranged.shot_numbers import (
    FLOOR,
    LIMIT_FLOOR,
    attack_base,
    compensation_base,
    limit_base,
    penetration,
)
from fracas.rulesets.sr5.rolls import dice_test
from fracas.rulesets.sr5.several import SEVERAL
from fracas.rulesets.sr5.sheet import boxes_held, derive_protection, derive_side

COMPENSATION, ATTACK, LIMIT, VALUE = "recoil.compensation", "attack.pool", "limit.accuracy", "blast.value"
TARGETS = {
    COMPENSATION: "Recoil compensation",
    ATTACK: "Attack pool",
    LIMIT: "Accuracy or Physical limit",
    VALUE: "Damage Value at the center",
    **labels_of(SEVERAL, soaking.TARGETS),
}
_SCATTER: Mapping[str, Mapping[str, int]] = {
    "standard": {"dice": 1},
    "aerodynamic": {"dice": 2},
    "launcher": {"dice": 3},
    "rocket": {"dice": 4},
    "missile": {"dice": 5},
}
"""Where the packs have no table ``scatter``."""


class BlastAttack:
    """One throw or shot of something that explodes, or the explosion of what lies there already."""

    id = "blast-attack"
    label = "Grenade or missile"
    doc = "A test (3) against a place, scatter, and damage resistance of everybody in reach."
    vocabulary = BLAST_ATTACK
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    measures = (
        Measure("on_the_spot", "Chance to land on the spot", lambda facts: float(facts.get("scatter") == 0)),
        Measure("hurt", "Expected number of people hurt", lambda facts: float(bool(facts.get("damage")))),
        Measure("damage", "Expected boxes of all together", boxes_held),
        Measure("down", "Expected number taken out", lambda facts: float(bool(facts.get("unconscious")))),
    )

    def prepare(self, asked: Asked) -> Prepared:
        facts = dict(asked.said.facts)
        loaded(facts)
        if "load.type" not in facts:
            given = any(name.startswith("load.") for name in facts)
            raise lacks("load.type" if given else "load", "what explodes: a grenade, rocket or missile")
        lying = facts.get("aim") == GOES_OFF
        tallies = [] if lying else _attack(asked, facts)
        value = asked.rules.tally(VALUE, TARGETS[VALUE], _value_base(facts), facts, asked.hand)
        tallies.append(value := value.at_least(0, "A Damage Value never falls below 0"))
        people = []
        faults = Faults()
        for record in _people(asked.said.facts):
            with faults.collect({"target": record}):
                reach, numbers = _reach(asked, facts, record, value.total, lying)
                people.append(reach)
                tallies += numbers
        faults.check()
        refusals = () if lying else asked.rules.refusals(facts)
        if refusals:
            return Prepared(None, tuple(tallies), refusals)
        blast = share(_blast(asked, facts, value.total, tuple(people)))
        if lying:
            return Prepared(
                go_off(share(blast.value._replace(rounds=0, fused=False)), 0, 0, 0), tuple(tallies)
            )
        attack, limit = tallies[1], tallies[2]

        def first(pool: int, most: int) -> Stage:
            side = dice_test.side_of("attack", "attacker", pool, facts, asked, most)
            return dice_test.start(side, None, Launched(blast))

        def rebuild(changed: Tally) -> Stage | None:
            if changed.to == ATTACK:
                return first(changed.total, limit.total)
            return first(attack.total, changed.total) if changed.to == LIMIT else None

        return Prepared(first(attack.total, limit.total), tuple(tallies), rebuild=rebuild)


def _attack(asked: Asked, facts: dict[str, Any]) -> list[Tally]:
    """The numbers of the throw; what follows for it from the situation is added to the facts."""
    facts.setdefault("fire.mode", "single-shot")
    require(facts, missing_of_shooter(facts))
    derive_shot(facts, asked.catalog)

    def tally(to: str, base: list[Entry]) -> Tally:
        return asked.rules.tally(to, TARGETS[to], base, facts, asked.hand)

    compensation = tally(COMPENSATION, compensation_base(facts, asked.catalog))
    facts["recoil.compensation"] = compensation.total
    attack = tally(ATTACK, attack_base(facts)).at_least(0, FLOOR)
    return [compensation, attack, tally(LIMIT, limit_base(facts)).at_least(0, LIMIT_FLOOR)]


def _value_base(facts: Mapping[str, Any]) -> list[Entry]:
    return [Entry("load", facts.get("load.name") or "Load", facts.get("load.dv", 0))]


def _people(facts: Mapping[str, Any]) -> Iterator[str]:
    """The records of those of whom anything is said."""
    for record in SEVERAL:
        if any(name.startswith(f"{record}.") for name in facts):
            yield record


def _reach(
    asked: Asked, facts: Mapping[str, Any], record: str, value: int, lying: bool
) -> tuple[Reach, tuple[Tally, ...]]:
    """A combatant in reach, and the numbers of the resistance.

    Raises:
        InputError: nothing says how far it is to the blast.
    """
    seen = as_target(facts, record)
    derive_side(seen, "target")
    derive_protection(seen, "target")
    measured = seen.get("target.blast_distance")
    if measured is None and (lying or "target.spot_distance" not in seen):
        raise lacks("target.blast_distance", "the distance from the blast | target.spot_distance")
    if measured is None and seen["target.spot_distance"] and "target.bearing" not in seen:
        raise lacks("target.bearing", "where from the spot aimed at, in degrees | target.blast_distance")
    harm = Harm(
        value,
        facts.get("load.damage", "physical"),
        penetration(seen),
        facts.get("damage.element", ""),
        defended=False,
    )
    soaked = soaking.soaking(asked, Numbers(asked, TARGETS, seen, record), seen, harm)
    plan = soaked.plan._replace(who=record, resist=soaked.plan.resist._replace(by=record))
    reach = Reach(
        -1 if measured is None else measured,
        seen.get("target.spot_distance", 0),
        seen.get("target.bearing", 0),
        share(plan),
    )
    return reach, shown(record, (soaked.armor, soaked.pool))


def _blast(asked: Asked, facts: Mapping[str, Any], value: int, people: tuple[Reach, ...]) -> Blast:
    table = asked.catalog.entry("table", "scatter")
    rows: Mapping[str, Mapping[str, int]] = table.data["rows"] if table else _SCATTER
    row = rows[facts.get("scatter") or _scatter_of(facts)]
    per_hit = row.get("per_hit", 1)
    if facts.get("airburst") and facts.get("attacker.dni"):
        per_hit = row.get("per_hit_airburst", per_hit)
    spends = "weapon.rounds" in facts and facts.get("weapon.feed") != "none"
    return Blast(
        value,
        facts.get("load.blast_loss", 0),
        facts.get("load.radius", -1),
        row["dice"],
        per_hit,
        1 if spends else 0,
        facts.get("fuse") == NEXT_PHASE,
        people,
    )


def _scatter_of(facts: Mapping[str, Any]) -> str:
    """Whose dice scatter it."""
    if facts.get("load.type") in ("rocket", "missile"):
        return str(facts["load.type"])
    if facts.get("weapon.category") == "grenade-launcher":
        return "launcher"
    table = facts.get("weapon.range")
    return "aerodynamic" if table is not None and table.slug == "aerodynamic-grenade" else "standard"
