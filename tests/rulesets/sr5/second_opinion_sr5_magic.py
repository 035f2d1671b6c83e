"""The second opinion on sr5: combat spells, drain, spirits, spell defense (11.7). See `second_opinion_sr5`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from second_opinion_sr5_blasts import ON_THE_SPOT
from second_opinion_sr5_harm import Harm, missed, protected, struck, suffer
from second_opinion_sr5_modifiers import defending, short_list
from second_opinion_sr5_people import Person, entries, skilled
from second_opinion_sr5_rules import Case, Roll, alone, running
from second_opinion_sr5_weapons import FURTHER

OF_A_MACHINE = 15
"""Dice of machines against physical spells."""


def cast_spell(case: Case) -> None:
    """Magic + Spellcasting [Force] against a target or several, and the drain."""
    case.only(f"caster spell force target {FURTHER}")
    said, force = case.said["spell"], case.said["force"]
    said = {"use": said} if isinstance(said, str) else said
    spell = {**entries("powers")[said["use"]], **said}
    dice = _magic(case, "spellcasting", "spellcasting.pool")
    drain = case.total("drain.value", max(2, force + spell["drain"]))
    drams = case.person("caster").get("reagents")
    limit = case.total("spellcasting.limit", drams if drams and case.asks("reagents", "limit") else force)
    against = drain_pool(case)
    numbers = {who: _numbers(case, who, spell, force) for who in case.targets()}
    case.part("")
    case.out(drain=drain)
    casting = alone(case, "caster", "casting", dice, limit)
    for who in case.targets():
        case.part(who)
        _reached(case, who, spell, casting.kept, numbers[who])
        _used_up(case, who)
    _drained(case, casting, drain, against)


def _magic(case: Case, skill: str, number: str) -> int:
    """Magic and a skill of it."""
    caster = case.person("caster")
    dice = skilled(caster, "magic", skill) + caster.wounds + running(case, caster)
    return case.pool(number, dice + (2 if caster.get("specialized") else 0))


def drain_pool(case: Case) -> int:
    """What resists drain."""
    caster = case.person("caster")
    dice = caster.get("drain_pool")
    if dice is None:
        dice = caster["willpower"] + caster[caster["drain_attribute"]]
    return case.pool("drain.pool", dice)


def _numbers(case: Case, who: str, spell: dict[str, Any], force: int) -> dict[str, Any]:
    """Numbers of one target."""
    case.part(who)
    person = case.person(who)
    own = person.skill("counterspelling") if person.get("spell_defense") else 0
    spell_defense = max(person.get("counterspelling", 0), own)
    found: dict[str, Any] = {}
    if spell["form"] == "direct":
        thing = OF_A_MACHINE if person.get("vehicle") and spell["resisted_by"] == "body" else None
        dice = person["pool"] if person.has("pool") else thing or person[spell["resisted_by"]]
        return {"resistance": case.pool("spell-resistance.pool", dice + person.wounds + spell_defense)}
    if spell["range"] != "area" and not person.get("unaware"):
        dice = person["pool"] if person.has("pool") else person["reaction"] + person["intuition"]
        dice += _dodging(case, person)
        found["defense"] = case.pool("spell-defense.pool", dice + spell_defense)
    harm = Harm(force, spell["damage"], -force, spell.get("element", ""), passes=True)
    return {**found, "harm": harm, "armor": protected(case, who, harm)}


def _dodging(case: Case, person: Person) -> int:
    """What adds to the defense against a spell: all that does against a shot, but nothing of range or melee."""
    if case.asks("modifiers", "paydata"):
        return short_list(person, shot=True) + (2 if person.get("prone") else 0)
    return defending(person, shot=True) + (3 if person.get("in_melee") else 0)


def _reached(case: Case, who: str, spell: dict[str, Any], hits: int, number: dict[str, Any]) -> None:
    """What a spell does to one target."""
    if spell["form"] == "indirect" and spell["range"] == "area":
        if hits < ON_THE_SPOT:
            missed(case, "miss")
        else:
            struck(case, who, number["harm"], hits - ON_THE_SPOT, *number["armor"])
        return
    case.out(casting_hits=hits)
    if not hits:
        missed(case, "miss")
        return
    name = next((name for name in ("resistance", "defense") if name in number), "")
    net = hits - (alone(case, who, name, number[name]).kept if name else 0)
    if name == "defense":
        case.then("gain", who, "defenses-made", amount=1)
    person, track = case.person(who), spell["damage"]
    if net <= 0:
        missed(case, "graze" if net == 0 and name == "defense" else "miss")
    elif spell["form"] == "indirect":
        struck(case, who, number["harm"], net, *number["armor"])
    elif person.get("vehicle") and track == "stun":
        struck(case, who, Harm(net, track), 0, 0, 0)
    else:
        case.out(result="hit", damage=net, track=track, contact=True)
        suffer(case, who, net, track)


def _used_up(case: Case, who: str) -> None:
    """Spell defense is for one spell."""
    person = case.person(who)
    if person.get("spell_protected"):
        case.then("remove-condition", who, "spell-protected")
    if person.get("spell_defense"):
        case.then("remove-condition", who, "defending-against-spells")


def _drained(case: Case, casting: Roll, drain: int, pool: int, by_force: int | None = None) -> None:
    """Drain is Physical where more hits count than Magic; of summoning, by an option, where the Force is more."""
    case.part("drain")
    magic = case.person("caster").get("magic")
    track = (
        "physical"
        if magic is not None and (casting.kept if by_force is None else by_force) > magic
        else "stun"
    )
    case.out(dv=drain)
    boxes = max(0, drain - alone(case, "caster", "drain", pool).kept)
    case.out(damage=boxes, track=track)
    if boxes:
        suffer(case, "caster", boxes, track, falls=False)


def summon_spirit(case: Case) -> None:
    """Magic + Summoning [Force] against the Force; net hits are services."""
    case.only("caster force spirit")
    force = case.said["force"]
    dice = _magic(case, "summoning", "summoning.pool")
    if case.house and force > case.person("caster").get("magic", force):
        case.refusals.add("above_magic")
        return
    spirit = Roll(case, "caster", "spirit", case.pool("spirit.pool", force))
    drain = drain_pool(case)
    summoning = Roll(case, "caster", "summoning", dice, force)
    net = _against(summoning, spirit)
    found = {"spirit.success": net > 0, "spirit.services": net}
    if case.house and net:
        found["spirit.may_refuse"] = force >= 8
    case.out(**found)
    by_force = force if case.asks("summon_drain", "force") else None
    if net and "spirit" in case.said and not found.get("spirit.may_refuse"):
        case.then("join", "caster", case.said["spirit"], set_force=force, set_services=net)
    _drained(case, summoning, max(2, 2 * spirit.kept), drain, by_force)


def banish_spirit(case: Case) -> None:
    """Magic + Banishing [Astral] against the Force; net hits take services."""
    case.only("caster target")
    caster, target = case.person("caster"), case.person("target")
    dice = _magic(case, "banishing", "banishing.pool")
    limit = caster.get("astral_limit")
    limit = case.total("banishing.limit", caster.limit("astral") if limit is None else limit)
    pool = case.pool("spirit.pool", target["force"] + target.get("binder_magic", 0))
    drain = drain_pool(case)
    banishing, spirit = Roll(case, "caster", "banishing", dice, limit), Roll(case, "target", "spirit", pool)
    net = _against(banishing, spirit)
    owed = target.get("services")
    taken = net if owed is None else min(net, owed)
    case.out(**{"spirit.success": net > 0, "spirit.services": taken})
    if taken:
        case.then("spend", "target", "services", amount=taken)
    if owed is not None:
        gone = net > 0 and taken == owed
        case.out(**{"spirit.banished": gone})
        if gone:
            case.then("add-condition", "target", "banished")
    _drained(case, banishing, max(2, 2 * spirit.kept), drain)


def _against(one: Roll, spirit: Roll) -> int:
    """Net hits against a spirit, which has no Edge here."""
    one.before()
    for roll in (one, spirit):
        roll.throw()
    for roll in (one, spirit):
        roll.after()
    return max(0, one.kept - spirit.kept)


def spell_defense(case: Case) -> None:
    """As many people as Magic have the whole skill (5)."""
    case.only(f"protector target {FURTHER}")
    protector = case.person("protector")
    people = case.targets() or ["protector"]
    dice = case.total("spell-defense.dice", protector.skill("counterspelling"))
    if len(people) > protector["magic"]:
        case.refusals.add("too_many")
    if not dice:
        case.refusals.add("no_counterspelling")
    if case.refusals:
        return
    case.out(dice=dice, people=len(people))
    for who in people:
        case.then("add-condition", who, "spell-protected", set_counterspelling=dice)


MAGIC: dict[str, Callable[[Case], None]] = {
    "cast-spell": cast_spell,
    "summon-spirit": summon_spirit,
    "banish-spirit": banish_spirit,
    "spell-defense": spell_defense,
}
