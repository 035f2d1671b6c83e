"""The attack with a grenade, a missile or another blast: rulebook sections 8.11, 10.2 and 11.1 to 11.4.

A place is aimed at with a Success Test, somebody who moves with an Opposed Test. Hits make the scatter less and are not
added to the damage; everybody in reach resists what the fall-off leaves of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fracas.kernel.procedures import Attempt, Procedure, chance
from fracas.kernel.ruleset import Asked, Measure
from fracas.kernel.stage import Shared, Stage, share
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.harms.damage import OF_ALL
from fracas.rulesets.sr4.harms.harm import ELECTRICITY, Damage, had_of, penetrated, protection, shock_dice
from fracas.rulesets.sr4.ranged.blast_facts import (
    AT_TARGET,
    BLAST_ATTACK,
    GOES_OFF,
    VICTIMS,
    Explosive,
    derive,
    explosive_of,
    fuse_of,
    scattering_of,
    victims_of,
)
from fracas.rulesets.sr4.ranged.blast_stages import Blast, Launched, Victim, go_off
from fracas.rulesets.sr4.ranged.ranged_attack import shown
from fracas.rulesets.sr4.ranged.shot import (
    ATTACK,
    DEFENSE,
    attack_base,
    defense_base,
    recoil_compensation,
)
from fracas.rulesets.sr4.reloading import piece_used
from fracas.rulesets.sr4.rolls import dice_test
from fracas.rulesets.sr4.rolls.sides import RollRules, side_of
from fracas.rulesets.sr4.sheet import (
    ARMOR_FLOOR,
    FLOOR,
    VALUE_FLOOR,
    Monitors,
    armor_entries,
    pain,
    soak_entries,
)
from fracas.rulesets.sr4.vocabulary import named

VALUE = "blast.value"
_PEOPLE = ("target", *VICTIMS)


TARGETS = {
    "recoil.compensation": "Recoil compensation",
    "attack.pool": "Attack pool",
    "defense.pool": "Defense pool",
    VALUE: "Damage Value at the center",
    **{f"blast-armor.{who}": f"{named(who)}: armor after penetration" for who in _PEOPLE},
    **{f"blast-resist.{who}": f"{named(who)}: damage resistance pool" for who in _PEOPLE},
}

MEASURES = (
    Measure("on_the_spot", "Chance to land on the spot", lambda facts: float(facts.get("scatter") == 0)),
    chance("damage", "Expected number of people hurt", "hurt"),
    *OF_ALL,
)
"""Over all branches together: one person makes of each number a chance."""


class BlastAttack(Procedure):
    """One throw or shot of something that explodes, or the explosion of what lies there already."""

    id = "blast-attack"
    label = "Grenade or area weapon"
    doc = "A test against a place or a target, scatter, and damage resistance of everybody in reach."
    vocabulary = BLAST_ATTACK
    decisions = dice_test.DECISIONS
    targets: Mapping[str, str] = TARGETS
    owners: Mapping[str, str] = {
        DEFENSE: "target",
        **{f"blast-{number}.{who}": who for number in ("armor", "resist") for who in _PEOPLE},
    }
    measures = MEASURES
    inner = tuple(to for to in TARGETS if to not in (ATTACK, DEFENSE))

    def numbers(self, it: Attempt) -> None:
        facts = derive(it.asked)
        it.facts = seen = _judged(facts)
        explosive = explosive_of(facts)
        if facts["aim"] != GOES_OFF:
            recoil_compensation(it)
            it.tally(ATTACK, *attack_base(facts, it.asked), least=0, floor=FLOOR)
        if facts["aim"] == AT_TARGET and not facts.get("target.unaware"):
            it.tally(DEFENSE, *defense_base(facts), least=0, floor=FLOOR)
        value = -1
        if explosive.damage is not None:
            value = it.tally(VALUE, *explosive.damage.value, least=0, floor=VALUE_FLOOR).total
        victims = [share(_victim(who, facts, it, explosive)) for who in victims_of(facts)]
        it.shown |= {name: fact for name, fact in shown(seen).items() if name != "fire.rounds"}
        it.plan = facts, share(_blast(facts, it.asked, explosive, value, DEFENSE in it.made, victims))

    def first(self, it: Attempt) -> Stage:
        """The test against a place, or against somebody who defends; a glitch of the attacker counts."""
        facts, blast = it.plan
        if ATTACK not in it.made:
            return go_off(blast, 0, None, (0, 0), attacked=False)
        first = side_of("attack", "attacker", it.total(ATTACK), facts, it.asked, says=True)
        second = None
        if DEFENSE in it.made:
            second = side_of("defense", "target", it.total(DEFENSE), facts, it.asked)
        return dice_test.start(first, second, Launched(blast), RollRules.of(it.options, tells_glitch=True))


def _judged(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What modifiers may know: of somebody who is not aimed at, nothing."""
    aimed = facts["aim"] == AT_TARGET
    return {name: fact for name, fact in facts.items() if aimed or not name.startswith("target.")}


def _victim(who: str, facts: Mapping[str, Any], it: Attempt, explosive: Explosive) -> Victim:
    """Somebody in reach, and the numbers of the resistance; none against what does no damage."""
    asked, armor, dice = it.asked, 0, 0
    if explosive.damage is not None:
        against = protection(facts, who, explosive.damage.element)
        damage = _against(explosive.damage, facts, who)
        parts = penetrated(_worn(facts, who), damage, asked.options, avoided=False, against=against)
        armor = it.tally(f"blast-armor.{who}", *parts, least=0, floor=ARMOR_FLOOR).total
        dice = it.tally(f"blast-resist.{who}", *soak_entries(facts, who, armor), least=0, floor=FLOOR).total
    victim = Victim(
        who,
        facts.get(f"{who}.blast_distance"),
        facts.get(f"{who}.distance", 0),
        facts.get(f"{who}.bearing", 0),
        facts.get(f"{who}.rebound"),
        armor,
        side_of("soak", who, dice, facts, asked),
        facts.get(f"{who}.edge_points", 0),
        facts[f"{who}.body"],
        Monitors.of(facts, who, asked.options),
    )
    if facts.get(f"{who}.vehicle"):
        return victim._replace(hard=True)
    return _with_element(victim, facts, asked, explosive)


def _with_element(victim: Victim, facts: Mapping[str, Any], asked: Asked, explosive: Explosive) -> Victim:
    """What the element of the damage does besides (section 11.6)."""
    element, who = explosive.damage.element if explosive.damage is not None else "", victim.who
    if not element:
        return victim
    return victim._replace(
        element=element,
        had=had_of(facts, element, who),
        shock_pool=shock_dice(facts, asked.options, who) if element == ELECTRICITY else -1,
        pain=pain(facts, who),
    )


def _worn(facts: Mapping[str, Any], who: str) -> list[Entry]:
    if facts.get(f"{who}.vehicle"):
        return [Entry("vehicle-armor", "Armor of the vehicle", facts[f"{who}.vehicle_armor"])]
    return armor_entries(facts, who, "impact") or []


def _against(damage: Damage, facts: Mapping[str, Any], who: str) -> Damage:
    """The damage with the armor penetration that the ammunition has against somebody of that sort."""
    ammunition = facts.get("weapon.ammunition")
    points = ammunition.data.get("ap_vehicles") if ammunition else None
    if points is None or not facts.get(f"{who}.vehicle"):
        return damage
    parts = tuple(
        (id, label, points if id == "ammunition" else ap, source) for id, label, ap, source in damage.ap_parts
    )
    return damage._replace(ap_parts=parts)


def _blast(
    facts: Mapping[str, Any],
    asked: Asked,
    explosive: Explosive,
    value: int,
    defended: bool,
    victims: Iterable[Shared[Victim]],
) -> Blast:
    scattering = scattering_of(facts, asked)
    return Blast(
        value,
        explosive.falloff,
        explosive.radius,
        explosive.damage.track if explosive.damage is not None else "",
        scattering.dice,
        scattering.per_hit,
        scattering.less,
        scattering.around,
        _spends(facts),
        defended,
        tuple(victims),
        RollRules.of(asked.options),
        fuse_of(facts) or (),
    )


def _spends(facts: Mapping[str, Any]) -> str:
    """What an attack uses up, see `Blast`."""
    if facts.get("weapon.feed", "none") != "none":
        return "fired"
    return piece_used(facts)
