"""How the entries of a pack are put to use once, to see that they work.

Ready-made combatants of the packs serve as attacker and target where there are some, plain numbers otherwise, so that
a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from fracas.kernel.ruleset import Sample
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.cwn.attacks.attack_vocabulary import AT_POINT, AT_TARGET, ATTACK, GOES_OFF, SET
from fracas.rulesets.cwn.attacks.contested import EMITTER
from fracas.rulesets.cwn.attacks.facts import FITTINGS, KIND_OF
from fracas.rulesets.cwn.maneuvers.execution import DIFFICULTIES
from fracas.rulesets.cwn.vocabulary import COMBAT_SKILLS

Situation = dict[str, Any]
Samples = Iterator[Sample]

FIGHTER: Situation = {
    "level": 3,
    "base_attack_bonus": 2,
    **dict.fromkeys(("strength", "dexterity", "wisdom"), 12),
    "skills": dict.fromkeys(COMBAT_SKILLS, 1),
    "foci": {},
    "cyberware": [],
}
STAT_BLOCK: Situation = {"attack_bonus_ranged": 3, "attack_bonus_melee": 3}
_SURE = dict.fromkeys(STAT_BLOCK, 40)
"""Hits, as good as always."""
_FOE: Situation = {"trauma_target": 6, "soak": 2, "hp": 10, "named": True}
_VICTIM: Situation = {"ranged_ac": 13, "melee_ac": 13, **_FOE}
_WEARER: Situation = {"armor": [], "dexterity": 12, "hp": 10}
"""Whose numbers follow from the armor."""
_HARMS: Situation = {"damage": "1d8", "trauma_rating": 2}
_GUN: Situation = {
    "type": "gun",
    "skills": ["shoot"],
    "attributes": ["dexterity"],
    **_HARMS,
    "trauma_die": "1d6",
    "range_normal": 10,
    "range_long": 80,
    "rounds": 8,
}
_BLADE: Situation = {
    "type": "melee",
    "skills": ["stab"],
    "attributes": ["strength", "dexterity"],
    **_HARMS,
    "shock": 2,
    "shock_ac": 13,
    "trauma_die": "1d8",
}
_CHARGE = {"damage": "2d6", "range_normal": 10, "range_long": 30}
"""What is taken of a weapon that says nothing of it, such as a smoke grenade, a launcher or a mine."""
NEAR, ARM = 8, 1
"""Metres: a shot, and an arm's length."""
_WORDS: Mapping[str, Sequence[str]] = {
    "mod.word": ("weapon.mods",),
    "mod.trauma_source": ("target.trauma_sources",),
    "augmentation.aims": ("attacker.cyberware",),
    "augmentation.trauma_source": ("target.trauma_sources",),
    "augmentation.weapon_mod": ("weapon.mods",),
    "drug.word": ("attacker.drugs", "target.drugs"),
    "trait.focus": ("attacker.foci", "target.foci"),
    "trait.trauma_sources": ("target.trauma_sources",),
}
"""Where an attack reads the words by which entries are called in it."""


def samples(entry: PackEntry, lookup: EntryLookup) -> Sequence[Sample]:
    """The trials of an entry; none for a kind that no procedure reads."""
    kind = entry.id.partition(":")[2].partition("/")[0]
    found = [sample for tried in _BY_KIND.get(kind, ()) for sample in tried(entry, lookup)]
    return [*found, *_named(entry, kind)]


# Attacks.


def _weapon(entry: PackEntry, lookup: EntryLookup) -> Samples:
    """In every way it can be used, in each range band."""
    attacker, target = _attacker(entry, lookup), _target(lookup)
    if strikes_only_by_itself(entry):
        attacker |= {"attribute_modifier": 0}  # no attack roll is made, so it names no attribute
    for attack in _uses(entry):
        for distance in _distances(entry, attack, lookup):
            sample = _attack(attacker, target, _ready(entry), attack, distance)
            if not entry.data.get("execution_only"):
                yield sample
            yield from execution_samples(entry, sample, lookup)
    yield from area_samples(entry, attacker, {**target, "save": 14})


def _armor(entry: PackEntry, lookup: EntryLookup) -> Samples:
    """Worn by a combatant who is shot and stabbed."""
    for weapon in (_GUN, _BLADE):
        yield _attack(_SURE, {**_WEARER, "armor": [entry.id]}, weapon)


def _combatant(entry: PackEntry, lookup: EntryLookup) -> Samples:
    """Attacks with each of the weapons carried, and is shot and stabbed."""
    references = entry.data.get("weapons")
    for reference in references if isinstance(references, list) else ():
        weapon = lookup.entry("weapon", reference) if isinstance(reference, str) else None
        if weapon is None:
            yield _attack({"use": entry.id}, _target(lookup), {"use": reference})
        elif not weapon.data.get("area"):  # aimed at a point, or going off by itself: no attack on another
            yield _first_use({"use": entry.id}, weapon, {"use": reference}, lookup)
    for plain in (_GUN, _BLADE):
        pierces = {"pierces": True} if entry.data.get("immune") else {}
        yield _attack(_SURE, {"use": entry.id}, plain, pierces)


def _ammunition(entry: PackEntry, lookup: EntryLookup) -> Samples:
    """In each weapon that it is made for; what is for any firearm in a plain one."""
    fits, sets = entry.data.get("fits"), entry.data.get("sets")
    state = sets if isinstance(sets, Mapping) else {}
    found = [lookup.entry("weapon", name) for name in fits] if isinstance(fits, list) else []
    if not any(found):
        yield _attack(FIGHTER, _target(lookup), {**_GUN, **state})
    for weapon in filter(None, found):
        yield _first_use(FIGHTER, weapon, state, lookup)


def _first_use(
    attacker: Situation, weapon: PackEntry, more: Mapping[str, Any], lookup: EntryLookup
) -> Sample:
    attack = _uses(weapon)[0]
    distance = _distances(weapon, attack, lookup)[0]
    return _attack(attacker, _target(lookup), {**_ready(weapon), **more}, attack, distance)


def _vehicle(entry: PackEntry, lookup: EntryLookup) -> Samples:
    """Shot at with a weapon that can wreck it, with one that cannot, and with a guided one that it jams."""
    fields = {"ranged_ac": "ac", "melee_ac": "ac", "trauma_target": "trauma_target"}
    fields |= {"vehicle_armor": "armor", "hp": "hp"}
    numbers = {name: entry.data.get(own) for name, own in fields.items() if entry.data.get(own) is not None}
    target = {"machine": True, "soak": 0, **numbers}
    for wrecks in (True, False):
        yield _attack(_SURE, target, {**_GUN, "wrecks_machines": wrecks})
    if _has(lookup, FITTINGS):
        jamming = {**target, "vehicle_fittings": [EMITTER], "ecm": 1}
        yield _attack(FIGHTER, jamming, {**_GUN, "wrecks_machines": True, "guided": True})


def _named(entry: PackEntry, kind: str) -> Samples:
    """What an attack knows by a word: a combatant who has it shoots and stabs, or is shot and stabbed."""
    for name, given in entry.data.items():
        words = given if isinstance(given, list) else [given]
        for path in _WORDS.get(f"{kind}.{name}", ()):
            record, _, field = path.partition(".")
            for word, weapon in product(words, (_GUN, _BLADE)):
                value = {word: 1} if ATTACK.fields[path].type == "ratings" else [word]
                sides: Situation = {"attacker": FIGHTER, "target": _WEARER, "weapon": weapon}
                sides[record] = {**sides[record], field: value}
                yield _attack(**sides)


def _attack(
    attacker: Situation,
    target: Situation,
    weapon: Situation,
    attack: Situation | None = None,
    distance: float | None = None,
) -> Sample:
    if distance is None:
        distance = ARM if KIND_OF.get(str(weapon.get("type"))) == "melee" else NEAR
    given = {"attacker": dict(attacker), "target": dict(target), "weapon": dict(weapon)}
    return Sample("attack", {**given, "attack": dict(attack or {}), "distance": distance})


def _has(lookup: EntryLookup, *tables: str) -> bool:
    """Whether the packs have the tables without which a procedure does not work; a pack of weapons has none."""
    return all(lookup.entry("table", name) is not None for name in tables)


def _attacker(weapon: PackEntry, lookup: EntryLookup) -> Situation:
    """A combatant with skills; for a weapon without skills a stat block, which needs none."""
    if "skills" not in weapon.data:
        return _first(lookup, STAT_BLOCK, *STAT_BLOCK)
    return _first(lookup, FIGHTER, "base_attack_bonus", "skills", "strength", "dexterity", "wisdom")


def _target(lookup: EntryLookup) -> Situation:
    return _first(lookup, _VICTIM, "ranged_ac", "melee_ac", "trauma_target", "soak", "hp")


def _first(lookup: EntryLookup, otherwise: Situation, *needed: str) -> Situation:
    """The first ready-made combatant that says all of these, and is no machine."""
    for entry in lookup.entries("combatant"):
        if all(name in entry.data for name in needed) and not entry.data.get("machine"):
            return {"use": entry.id}
    return dict(otherwise)


def _ready(weapon: PackEntry) -> Situation:
    """The weapon as it can be used against a combatant: one that strikes an area is aimed at a point."""
    data = weapon.data
    use: Situation = {"use": weapon.id}
    if data.get("type") in AREAS:
        use |= {name: value for name, value in _CHARGE.items() if name not in data}
    if data.get("type") == "grenade" and not data.get("thrown", True):
        use["thrown"] = True  # laid or set off, it harms as a thrown one does
    if data.get("area"):
        use["area"] = False
    return use


def _uses(weapon: PackEntry) -> list[Situation]:
    """How it can be used: thrown too, in bursts, to kill or not, on a rest or not."""
    data = weapon.data
    kinds: list[Situation] = [{}]
    if data.get("thrown") and KIND_OF.get(str(data.get("type"))) != "thrown":
        kinds.append({"kind": "thrown"})
    rests: list[Situation] = [{"rested": True}, {"rested": False}] if "unrested" in data else [{}]
    uses = [kind | rest for kind in kinds for rest in rests]
    if data.get("can_burst"):
        uses += [use | {"burst": True} for use in uses]
    if data.get("non_lethal") == "default":
        uses += [use | {"lethal": True} for use in uses]
    return uses


def _distances(weapon: PackEntry, attack: Situation, lookup: EntryLookup) -> list[float]:
    """The far end of each range band that there is; an arm's length in melee."""
    kind = attack.get("kind") or KIND_OF.get(str(weapon.data.get("type")))
    if kind == "melee":
        return [1]
    ranges: Mapping[str, Any] = {**_CHARGE, **weapon.data}
    other = weapon.data.get("unrested")
    if attack.get("rested") is False and isinstance(other, str):
        found = lookup.entry("weapon", other)
        ranges = found.data if found else ranges
    normal, far = ranges.get("range_normal"), ranges.get("range_long")
    ends: list[float] = [end for end in (normal, far) if isinstance(end, (int, float))]
    return ends[: 1 if len(ends) == 2 and ends[0] >= ends[1] else 2] or [NEAR]


_BESIDE = {"distance": 3, "bearing": 90}
_GRENADE = "grenade-frag"
AREAS = ("launcher", "grenade")


def area_samples(weapon: PackEntry, attacker: Situation, victim: Situation) -> Samples:
    """In every way in which it strikes several: at a point, at a combatant, going off, laid, as suppressive fire."""
    data = weapon.data
    blast = data.get("blast")
    given: Situation = {"attacker": attacker, "weapon": {"use": weapon.id, "ready": True}}
    aimed: Situation = {**given, "target": victim}
    if isinstance(blast, Mapping) and (data.get("area") or data.get("rocket")):
        if data.get("skills") is None or (data.get("thrown") is False and data.get("type") == "grenade"):
            yield Sample("blast", {**aimed, "aim": GOES_OFF, "victim_1": victim})
            yield Sample("blast", {**given, "aim": SET, "fuse_rounds": 2})
            return
        shot = aimed | ({} if "reach" in blast or "like" in blast else {"blast": {"like": _GRENADE}})
        shot |= {"distance": data.get("range_normal", 10), "attack": {"rested": True}}
        if "damage" in data and ("like" in blast or "damage" in blast):
            yield Sample("blast", {**shot, "aim": AT_TARGET, "victim_1": victim})
        if data.get("area"):
            yield Sample("blast", {**shot, "aim": AT_POINT, "victim_1": {**victim, **_BESIDE}})
    if data.get("can_suppress"):
        mounts = {"mounts": list(data.get("suppress_needs", ()))[:1]}
        shot = {"fire": mounts, "victim_1": victim, "attack": {"rested": True}}
        yield Sample("suppressive-fire", {**aimed, **shot})
    if data.get("shock") is not None and not data.get("execution_only"):
        yield Sample("whirlwind", {**aimed, "victim_1": victim})


def execution_samples(weapon: PackEntry, sample: Sample, lookup: EntryLookup) -> Samples:
    """The attack again on one who suspects nothing; none for what is aimed at a point, or without the difficulties."""
    data, given = weapon.data, dict(sample.situation)
    elsewhere = "skills" not in data or data.get("area") or data.get("type") == "grenade"
    if elsewhere or "burst" in given["attack"] or not _has(lookup, DIFFICULTIES):
        return
    given["target"] = {**given["target"], "unsuspecting": True, "foci": {}, "save": 14}
    yield Sample("execution-attack", {**given, "attack": {**given["attack"], "prepared": True}})


def strikes_only_by_itself(weapon: PackEntry) -> bool:
    """Whether it makes no attack roll: only in execution attacks, or in a grapple."""
    return "skills" in weapon.data and "attributes" not in weapon.data


# Other procedures: drugs and implants, and the guns of drones.


_MEDIC = {"skills": {"heal": 2}, "dexterity": 12, "intelligence": 12, "foci": {"healer": 2}}
_BODY = {"hp": 6, "constitution": 12, "system_strain": 2, "permanent_strain": 1}
_DOSED = {**_BODY, "save": 12, "skills": {"heal": 0}}
_FALLEN = {"save": 15, "traumatic_before": True}
_SKILLED = {"skills": {"drive": 1, "program": 1, "exert": 0}, "intelligence": 12, "dexterity": 12}
_PILOT = {**_SKILLED, "base_attack_bonus": 2, "foci": {"drone-pilot": 2}}
_SAVES = {**_VICTIM, "save": 14}


def _drug(entry: PackEntry, lookup: EntryLookup) -> Samples:
    """Is taken and wears off, harms, heals or stabilizes, whichever it is for."""
    if entry.data.get("poison"):
        for situation in ({"drug": entry.id}, {"drug": entry.id, "poison": {"works": True}}):
            yield Sample("poison", {"victim": {**_FALLEN, "hp": 6, "named": True}, **situation})
        return
    for over in (False, True):
        yield Sample("take-drug", {"giver": _DOSED, "drug": {"use": entry.id, "worn_off": over}})
    aid = {"lurch": {"means": "lurch"}, "panacea": {"panacea": True, "medkit": True}}.get(entry.slug)
    if aid is not None:
        yield Sample("first-aid", {"healer": _MEDIC, "patient": _BODY, "aid": aid})
    if entry.slug == "trauma-patch":
        patched: Situation = {"healer": _MEDIC, "patient": {"rounds_down": 1}}
        yield Sample("stabilize", {**patched, "stabilizing": {"means": entry.slug}})


def _mount(weapon: PackEntry, lookup: EntryLookup) -> Samples:
    """A gun is fired by a drone, aimed by its operator and not."""
    if weapon.data.get("type") != "gun" or weapon.data.get("area") or not _has(lookup, "drone-attack"):
        return
    shot = {"target": _SAVES, "target_2": _SAVES, "drone": {"targeting_logic": 1}}
    distance = min(10, weapon.data.get("range_long", 10))
    for alone in (False, True):
        volley = {"weapons": [weapon.id, weapon.id], "alone": alone}
        given = {"attacker": _PILOT, **shot, "volley": volley, "attack": {"rested": True}}
        yield Sample("drone-attack", {**given, "distance": distance})


_BY_KIND: Mapping[str, Sequence[Callable[[PackEntry, EntryLookup], Samples]]] = {
    "weapon": (_weapon, _mount),
    "armor": (_armor,),
    "ammunition": (_ammunition,),
    "combatant": (_combatant,),
    "vehicle": (_vehicle,),
    "drug": (_drug,),
}
