"""Suppressive fire: two rounds, no attack roll, and an Evasion save of everybody in a cone (rulebook section 5.6, R11).

Whoever fails suffers half the weapon's damage, rounded up, multiplied where the own Trauma Die says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.dice.totals import Total
from fracas.kernel.forms import Outcome, Waiting
from fracas.kernel.required import Faults
from fracas.kernel.ruleset import Asked, Measure, Prepared
from fracas.kernel.stage import Awaited, Effect, Fact, Facts, Fork, Roll, Shared, Stage, share
from fracas.kernel.tally import Tally
from fracas.rulesets.cwn.areas.area_stages import (
    NOTHING,
    Area,
    Victim,
    dealt,
    reached,
    shares_damage,
    strike,
    untouched,
)
from fracas.rulesets.cwn.areas.area_victims import (
    HEAVY_COVER,
    SAVE_TARGETS,
    Place,
    Threat,
    derive_unrolled,
    exposed,
    missing_of,
    people_of,
    victim_targets,
)
from fracas.rulesets.cwn.areas.area_vocabulary import SUPPRESSION
from fracas.rulesets.cwn.areas.blast import area_measures
from fracas.rulesets.cwn.attacks.abilities import BULLETS
from fracas.rulesets.cwn.attacks.attack import DECISIONS
from fracas.rulesets.cwn.attacks.facts import dice_of
from fracas.rulesets.cwn.attacks.numbers import TARGETS as OF_AN_ATTACK
from fracas.rulesets.cwn.attacks.numbers import Reckoner
from fracas.rulesets.cwn.attacks.outcome import Rounds, costs_of
from fracas.rulesets.cwn.attacks.planning import damage_dice
from fracas.rulesets.cwn.attacks.rolling import IRON_HAND
from fracas.rulesets.cwn.checks.saves import EVASION

ROUNDS = 2
TOTAL = "total"
"""Cover behind which nothing of somebody is to be seen: hard cover."""
BURST = "fire"
"""The branch of the shooter; the others are named after the records of the people."""
_DAMAGE = "damage.bonus"

TARGETS = {
    _DAMAGE: OF_AN_ATTACK[_DAMAGE],
    "trauma.bonus": OF_AN_ATTACK["trauma.bonus"],
    "trauma.target": OF_AN_ATTACK["trauma.target"],
    **victim_targets("trauma.bonus", "trauma.target"),
    **SAVE_TARGETS,
}


class Suppressed(Waiting, kind="cwn.suppressed"):
    """Waits for the damage that everybody in the cone shares; see `blast_stages.Explosion`."""

    area: Shared[Area]
    victims: tuple[Shared[Victim], ...]
    rounds: Rounds

    @property
    def awaits(self) -> Awaited:
        area = self.area.value
        return Roll(("damage",), ("attacker",), Total(area.dice, area.plus))

    def advance(self, answer: Any) -> Stage:
        return sweep(self.area, self.victims, self.rounds, dealt(self.area.value, answer))


class Fired(Outcome, kind="cwn.suppressive-fire"):
    """What the shooter has made of it; `damage`: what a failed save costs, -1 where each victim has a roll."""

    damage: int
    rounds: Rounds

    def notes(self) -> Facts:
        facts: dict[str, Fact] = {"result": "fired"}
        if self.damage >= 0:
            facts["half_damage"] = self.damage
        if self.rounds.left is not None:
            facts["ammo_left"] = self.rounds.left
        return facts

    def effects(self) -> tuple[Effect, ...]:
        return tuple(costs_of(self.rounds, (), "target"))


def sweep(area: Shared[Area], victims: tuple[Shared[Victim], ...], rounds: Rounds, damage: int) -> Fork:
    """The fork: the fire itself, and what it means for everybody in the cone."""
    branches: list[tuple[str, Stage]] = [(BURST, Fired(damage, rounds))]
    for victim in victims:
        inside = reached(area, victim, 0, 0)
        branches.append(
            (victim.value.who, strike(area, victim, max(0, damage)) if inside else untouched(area, victim))
        )
    return Fork(tuple(branches))


class SuppressiveFire:
    """A cone of 90 degrees out to normal range, and everybody in it."""

    id = "suppressive-fire"
    label = "Suppressive fire"
    doc = "No attack roll: everybody in the cone saves or suffers half the damage; two rounds."
    vocabulary = SUPPRESSION
    decisions = tuple(info._replace(clues=()) for info in DECISIONS if info.id == IRON_HAND)
    targets: Mapping[str, str] = TARGETS
    measures: tuple[Measure, ...] = area_measures()

    def prepare(self, asked: Asked) -> Prepared:
        faults = Faults()
        facts = _derive(asked, faults)
        refusals = asked.rules.refusals(facts)
        wards = IRON_HAND in asked.open and facts.get("weapon.type") in BULLETS
        threat = Threat(True, EVASION, None, False, _stopped_by(asked), wards=wards)
        people = people_of(facts)
        for who in people:
            if facts.get(f"{who}.cover") == TOTAL:
                facts[f"{who}.protections"] = (*facts.get(f"{who}.protections", ()), HEAVY_COVER)
        seen = {who: missing_of(facts, who, threat, faults) for who in people}
        faults.check(refused=bool(refusals))
        shown: dict[str, Fact] = {
            name: facts[name] for name in ("attack.lethal", "fire.steady") if name in facts
        }
        if refusals:
            return Prepared(None, (), refusals, shown)
        damage = Reckoner(asked, facts).damage()
        found = [
            exposed(asked, facts, seen[who], who, threat, Place(_distance(asked, facts, who), 0.0, 0.0))
            for who in people
        ]
        victims = tuple(one.victim for one in found)
        left = facts.get("weapon.rounds")
        counted = left is not None or "weapon.magazine" in facts
        rounds = Rounds(ROUNDS if counted else 0, None if left is None else max(0, left - ROUNDS))

        def first(damage: Tally) -> Stage:
            area = share(_area(asked, facts, damage))
            if any(reached(area, victim, 0, 0) and shares_damage(area, victim) for victim in victims):
                return Suppressed(area, victims, rounds)
            return sweep(area, victims, rounds, -1)

        def rebuild(changed: Tally) -> Stage | None:
            return first(changed) if changed.to == _DAMAGE else None

        tallies = (damage, *(tally for one in found for tally in one.tallies))
        return Prepared(first(damage), tallies, (), shown, rebuild)


def _distance(asked: Asked, facts: Mapping[str, Any], who: str) -> float:
    """How far from the shooter somebody is; what is said of no one in particular is of the target."""
    general = asked.said.facts.get("distance", 0.0) if who == "target" else 0.0
    return float(facts.get(f"{who}.distance", general))


def _area(asked: Asked, facts: Mapping[str, Any], damage: Tally) -> Area:
    return Area(
        damage_dice(facts),
        damage.total,
        bool(asked.options["shared_area_damage"]),
        True,
        NOTHING,
        True,
        True,
        facts.get("weapon.range_normal"),
    )


def _stopped_by(asked: Asked) -> tuple[str, ...]:
    """Hard cover, and what keeps this weapon's fire from somebody, such as ears against sound."""
    used = asked.said.used.get("weapon")
    weapon = asked.catalog.entry("weapon", used) if used else None
    own = weapon.data.get("blast", {}).get("stopped_by", ()) if weapon else ()
    return (HEAVY_COVER, *own)


def _derive(asked: Asked, faults: Faults) -> dict[str, Any]:
    """The facts of the shot; nothing of an attack roll is needed but the attribute, which the damage adds."""
    mounts = set(asked.said.facts.get("fire.mounts", ()))
    if asked.said.facts.get("attacker.prone"):
        mounts.add("prone")
    used = asked.said.used.get("weapon")
    weapon = asked.catalog.entry("weapon", used) if used else None
    wanted = weapon.data.get("suppress_needs", ()) if weapon else ()
    said = dict(asked.said.facts)
    if mounts:
        said.setdefault("attack.rested", True)
    said.setdefault("distance", 0)  # a cone is aimed at nobody
    facts = derive_unrolled(asked._replace(said=asked.said._replace(facts=said)), faults)
    facts.pop("range.band", None)
    if "attack.pierces" not in asked.said.facts and not facts.get("attack.pierces"):
        facts.pop("attack.pierces", None)
    facts["fire.steady"] = not wanted or not mounts.isdisjoint(wanted)
    if "weapon.damage" not in facts:
        faults.need("weapon.damage", "the damage of the weapon, such as 2d8")
    elif dice_of(facts, "weapon.damage") is None:
        faults.wrong(
            "weapon.damage", "bad-dice", f"dice are written such as 2d8, not {facts['weapon.damage']!r}"
        )
    return facts
