"""How the entries of a pack are put to use once, to see that they work, and how weapons are compared.

Ready-made combatants of the packs serve as attacker and target where there are some, plain numbers otherwise, so that
a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from fracas.kernel.ruleset import Comparison, Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.cwn import people_trials
from fracas.rulesets.cwn.attacks.attack_vocabulary import AT_POINT, AT_TARGET, ATTACK, GOES_OFF, SET
from fracas.rulesets.cwn.attacks.contested import EMITTER
from fracas.rulesets.cwn.attacks.facts import FITTINGS, KIND_OF
from fracas.rulesets.cwn.maneuvers.execution import DIFFICULTIES
from fracas.rulesets.cwn.vocabulary import COMBAT_SKILLS

Situation = dict[str, Any]

FIGHTER = {
    "level": 3,
    "base_attack_bonus": 2,
    "strength": 12,
    "dexterity": 12,
    "wisdom": 12,
    "skills": dict.fromkeys(COMBAT_SKILLS, 1),
    "foci": {},
    "cyberware": [],
}
STAT_BLOCK = {"attack_bonus_ranged": 3, "attack_bonus_melee": 3}
_SURE = {"attack_bonus_ranged": 40, "attack_bonus_melee": 40}
"""Hits, as good as always."""
_VICTIM = {"ranged_ac": 13, "melee_ac": 13, "trauma_target": 6, "soak": 2, "hp": 10, "named": True}
_WEARER = {"armor": [], "dexterity": 12, "hp": 10}
"""Whose numbers follow from the armor."""
_GUN = {
    "type": "gun",
    "skills": ["shoot"],
    "attributes": ["dexterity"],
    "damage": "1d8",
    "trauma_die": "1d6",
    "trauma_rating": 2,
    "range_normal": 10,
    "range_long": 80,
    "rounds": 8,
}
_BLADE = {
    "type": "melee",
    "skills": ["stab"],
    "attributes": ["strength", "dexterity"],
    "damage": "1d8",
    "shock": 2,
    "shock_ac": 13,
    "trauma_die": "1d8",
    "trauma_rating": 2,
}
_CHARGE = {"damage": "2d6", "range_normal": 10, "range_long": 30}
"""What is taken of a weapon that says nothing of it, such as a smoke grenade, a launcher or a mine."""
_NEAR = 8
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


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """The trials of an entry; none for a kind that no procedure reads."""
    kind = entry.id.partition(":")[2].partition("/")[0]
    found = list(_BY_KIND[kind](entry, catalog)) if kind in _BY_KIND else []
    found += _CARE[kind](entry, catalog) if kind in _CARE else ()
    if kind == "combatant":
        found += [*people_trials.machine_trials(entry, catalog), *people_trials.hacker_trials(entry, catalog)]
    elif kind == "weapon":
        found += people_trials.mount_trials(entry, catalog)
    return [*found, *_named(entry, kind), *(_states(entry, catalog) if kind != "ammunition" else ())]


def _weapon(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In every way it can be used, in each range band."""
    attacker, target = _attacker(entry, catalog), _target(catalog)
    if strikes_only_by_itself(entry):
        attacker |= {"attribute_modifier": 0}  # no attack roll is made, so it names no attribute
    weapon = _ready(entry)
    for attack in _uses(entry):
        for distance in _distances(entry, attack, catalog):
            trial = _attack(attacker, target, weapon, attack, distance)
            if not entry.data.get("execution_only"):
                yield trial
            yield from execution_trials(entry, trial, catalog)
    yield from area_trials(entry, attacker, {**target, "save": 14})


def _armor(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Worn by somebody who is shot and stabbed."""
    for weapon in (_GUN, _BLADE):
        yield _attack(_SURE, {**_WEARER, "armor": [entry.id]}, weapon)


def _combatant(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Attacks with each of the weapons carried, and is shot and stabbed."""
    references = entry.data.get("weapons")
    for reference in references if isinstance(references, list) else ():
        weapon = catalog.entry("weapon", reference) if isinstance(reference, str) else None
        if weapon is None:
            yield _attack({"use": entry.id}, _target(catalog), {"use": reference})
            continue
        if weapon.data.get("area"):
            continue  # aimed at a point, or going off by itself: not an attack of this combatant on another
        attack = _uses(weapon)[0]
        distance = _distances(weapon, attack, catalog)[0]
        use = _ready(weapon) | {"use": reference}
        yield _attack({"use": entry.id}, _target(catalog), use, attack, distance)
    for plain in (_GUN, _BLADE):
        pierces = {"pierces": True} if entry.data.get("immune") else {}
        yield _attack(_SURE, {"use": entry.id}, plain, pierces)


def _ammunition(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In each weapon that it is made for; what is for any firearm in a plain one."""
    fits, sets = entry.data.get("fits"), entry.data.get("sets")
    state = sets if isinstance(sets, Mapping) else {}
    found = [catalog.entry("weapon", name) for name in fits] if isinstance(fits, list) else []
    weapons = [weapon for weapon in found if weapon]
    if not weapons:
        yield _attack(FIGHTER, _target(catalog), {**_GUN, **state})
    for weapon in weapons:
        attack = _uses(weapon)[0]
        distance = _distances(weapon, attack, catalog)[0]
        yield _attack(FIGHTER, _target(catalog), {**_ready(weapon), **state}, attack, distance)


def _vehicle(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Shot at with a weapon that can wreck it, with one that cannot, and with a guided one that it jams."""
    data = entry.data
    numbers = {
        "ranged_ac": data.get("ac"),
        "melee_ac": data.get("ac"),
        "trauma_target": data.get("trauma_target"),
        "vehicle_armor": data.get("armor"),
        "hp": data.get("hp"),
    }
    target = {"machine": True, "soak": 0} | {
        name: value for name, value in numbers.items() if value is not None
    }
    for wrecks in (True, False):
        yield _attack(_SURE, target, {**_GUN, "wrecks_machines": wrecks})
    if catalog.entry("table", FITTINGS) is not None:
        jamming = {**target, "vehicle_fittings": [EMITTER], "ecm": 1}
        yield _attack(FIGHTER, jamming, {**_GUN, "wrecks_machines": True, "guided": True})


_BY_KIND: Mapping[str, Callable[[PackEntry, Catalog], Iterator[Trial]]] = {
    "weapon": _weapon,
    "armor": _armor,
    "ammunition": _ammunition,
    "combatant": _combatant,
    "vehicle": _vehicle,
}


_CARE: Mapping[str, Callable[[PackEntry, Catalog], Iterator[Trial]]] = {
    "combatant": people_trials.combatant_trials,
    "drug": people_trials.drug_trials,
    "augmentation": people_trials.augmentation_trials,
}


def _named(entry: PackEntry, kind: str) -> Iterator[Trial]:
    """What an attack knows by a word: somebody who has it shoots and stabs, or is shot and stabbed."""
    for name, said in entry.data.items():
        words = said if isinstance(said, list) else [said]
        for path in _WORDS.get(f"{kind}.{name}", ()):
            record, _, field = path.partition(".")
            for word, weapon in product(words, (_GUN, _BLADE)):
                value = {word: 1} if ATTACK.fields[path].type == "ratings" else [word]
                sides = {"attacker": FIGHTER, "target": _WEARER, "weapon": weapon}
                sides[record] = {**sides[record], field: value}
                yield _attack(sides["attacker"], sides["target"], sides["weapon"])


def _states(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """What an entry sets of a combatant, set of somebody who attacks, and of somebody who is attacked."""
    sets = entry.data.get("sets")
    if not isinstance(sets, Mapping):
        return
    for weapon in (_GUN, _BLADE):
        for who, body in (("attacker", FIGHTER), ("target", _VICTIM)):
            state = {name: value for name, value in sets.items() if _sayable(f"{who}.{name}")}
            if state:
                sides = {"attacker": _SURE, "target": _target(catalog), who: {**body, **state}}
                yield _attack(sides["attacker"], sides["target"], weapon)


def _attack(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    weapon: Mapping[str, Any],
    attack: Mapping[str, Any] | None = None,
    distance: float | None = None,
) -> Trial:
    if distance is None:
        distance = _ARM if KIND_OF.get(str(weapon.get("type"))) == "melee" else _NEAR
    said = {"attacker": dict(attacker), "target": dict(target), "weapon": dict(weapon)}
    return Trial("attack", {**said, "attack": dict(attack or {}), "distance": distance})


def _sayable(path: str) -> bool:
    return path in ATTACK.fields and ATTACK.fields[path].derived_from is None


def _attacker(weapon: PackEntry, catalog: Catalog) -> Situation:
    """Somebody with skills; for a weapon without skills a stat block, which needs none."""
    if "skills" in weapon.data:
        found = _first(catalog, ("base_attack_bonus", "skills", "strength", "dexterity", "wisdom"))
        return found or dict(FIGHTER)
    return _first(catalog, tuple(STAT_BLOCK)) or dict(STAT_BLOCK)


def _target(catalog: Catalog) -> Situation:
    return _first(catalog, ("ranged_ac", "melee_ac", "trauma_target", "soak", "hp")) or dict(_VICTIM)


def _first(catalog: Catalog, needed: Sequence[str]) -> Situation | None:
    """The first ready-made combatant that says all of these, and is no machine."""
    for entry in catalog.entries("combatant"):
        if all(name in entry.data for name in needed) and not entry.data.get("machine"):
            return {"use": entry.id}
    return None


def _ready(weapon: PackEntry) -> Situation:
    """The weapon as it can be used against somebody: one that strikes an area is aimed at a point."""
    data = weapon.data
    use: Situation = {"use": weapon.id}
    if data.get("type") in ("launcher", "grenade"):
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
    uses = [kind | rest for kind in kinds for rest in _rests(weapon)]
    if data.get("can_burst"):
        uses += [use | {"burst": True} for use in uses]
    if data.get("non_lethal") == "default":
        uses += [use | {"lethal": True} for use in uses]
    return uses


def _rests(weapon: PackEntry) -> list[Situation]:
    return [{"rested": True}, {"rested": False}] if "unrested" in weapon.data else [{}]


def _distances(weapon: PackEntry, attack: Mapping[str, Any], catalog: Catalog) -> list[float]:
    """The far end of each range band that there is; an arm's length in melee."""
    kind = attack.get("kind") or KIND_OF.get(str(weapon.data.get("type")))
    if kind == "melee":
        return [1]
    ranges: Mapping[str, Any] = {**_CHARGE, **weapon.data}
    other = weapon.data.get("unrested")
    if attack.get("rested") is False and isinstance(other, str):
        found = catalog.entry("weapon", other)
        ranges = found.data if found else ranges
    normal, far = ranges.get("range_normal"), ranges.get("range_long")
    ends: list[float] = [end for end in (normal, far) if isinstance(end, (int, float))]
    return ends[: 1 if len(ends) == 2 and ends[0] >= ends[1] else 2] or [_NEAR]


_BESIDE = {"distance": 3, "bearing": 90}
_GRENADE = "grenade-frag"


def area_trials(weapon: PackEntry, attacker: Situation, victim: Situation) -> Iterator[Trial]:
    """In every way in which it strikes several: at a point, at somebody, going off, laid, as suppressive fire."""
    data = weapon.data
    blast = data.get("blast")
    use: dict[str, Any] = {"use": weapon.id, "ready": True}
    if isinstance(blast, Mapping) and (data.get("area") or data.get("rocket")):
        said: dict[str, Any] = {"attacker": attacker, "weapon": use, "target": victim}
        if data.get("skills") is None or (data.get("thrown") is False and data.get("type") == "grenade"):
            yield Trial("blast", {**said, "aim": GOES_OFF, "victim_1": victim})
            yield Trial("blast", {"attacker": attacker, "weapon": use, "aim": SET, "fuse_rounds": 2})
            return
        if "reach" not in blast and "like" not in blast:
            said["blast"] = {"like": _GRENADE}
        said["distance"] = data.get("range_normal", 10)
        said["attack"] = {"rested": True}
        if "damage" in data and ("like" in blast or "damage" in blast):
            yield Trial("blast", {**said, "aim": AT_TARGET, "victim_1": victim})
        if data.get("area"):
            yield Trial("blast", {**said, "aim": AT_POINT, "victim_1": {**victim, **_BESIDE}})
    if data.get("can_suppress"):
        mounts = list(data.get("suppress_needs", ()))[:1]
        said = {"attacker": attacker, "weapon": use, "target": victim, "fire": {"mounts": mounts}}
        yield Trial("suppressive-fire", {**said, "victim_1": victim, "attack": {"rested": True}})
    if data.get("shock") is not None and not data.get("execution_only"):
        said = {"attacker": attacker, "weapon": use, "target": victim}
        yield Trial("whirlwind", {**said, "victim_1": victim})


def execution_trials(weapon: PackEntry, trial: Trial, catalog: Catalog) -> Iterator[Trial]:
    """The attack of a trial once more, against somebody who suspects nothing; none for what is aimed at a point, or
    without the table of difficulties."""
    data = weapon.data
    if catalog.entry("table", DIFFICULTIES) is None:
        return
    if "skills" not in data or data.get("area") or data.get("type") == "grenade":
        return
    said: dict[str, Any] = dict(trial.situation)
    attack: Mapping[str, Any] = said["attack"]
    if "burst" in attack:
        return
    unsuspecting = {"unsuspecting": True, "foci": {}, "save": 14}
    said["target"] = {**said["target"], **unsuspecting}
    yield Trial("execution-attack", {**said, "attack": {**attack, "prepared": True}})


def strikes_only_by_itself(weapon: PackEntry) -> bool:
    """Whether it makes no attack roll: only in execution attacks, or in a grapple."""
    return "skills" in weapon.data and "attributes" not in weapon.data


_TARGET = {"trauma_target": 6, "soak": 0, "hp": 10, "named": True}
_STANDARD = (
    "An attack bonus of +2 and a skill of 1, with attributes of 12, at a target with 10 hit points, a Trauma Target of "
    "6 and no Soak, at normal range or hand to hand. The damage counts Shock and Traumatic Hits."
)
_ARM = 1
_AREAS = ("launcher", "grenade")


def _trial(weapon: PackEntry, armor: int, catalog: Catalog) -> Trial | None:
    """None for what strikes an area, executes only, or strikes by itself.

    A stat block attacks with what names no skill, such as the guns of vehicles.
    """
    data = weapon.data
    kind = str(data.get("type"))
    elsewhere = data.get("area") or data.get("execution_only") or strikes_only_by_itself(weapon)
    if elsewhere or "damage" not in data or kind in _AREAS:
        return None
    distance = _ARM if KIND_OF.get(kind) == "melee" else min(_NEAR, data.get("range_normal", _NEAR))
    attack = {"rested": True} if "unrested" in data else {}
    said = {
        "attacker": dict(FIGHTER if "skills" in data else STAT_BLOCK),
        "target": {**_TARGET, "ranged_ac": armor, "melee_ac": armor},
        "weapon": {"use": weapon.id},
        "attack": attack,
        "distance": distance,
    }
    return Trial("attack", said)


COMPARISON = Comparison("Armor Class", range(10, 21), _STANDARD, _trial, "hit", "damage")
