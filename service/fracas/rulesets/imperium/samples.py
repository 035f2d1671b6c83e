"""How the entries of a pack are put to use once, to see that they work, and how weapons are compared.

Plain numbers stand on the other side of every attack, so that a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Comparison, Sample, Worth
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS, GRANTS, LOCATIONS

Input = dict[str, Any]

_SURE = 200
"""Hits, whatever takes from it."""
_MANY = dict.fromkeys(CHARACTERISTICS, 50)
_ANYBODY: Input = {**_MANY, "armor": [], "traits": [], "injury_total": 0, "injuries": {}, "bleeding": {}}
_FACING: Input = {**_ANYBODY, "aware": True, "conscious": True, "stunned": False, "mounted": False}
"""In close combat."""
_INJURED = {"injuries": {"left-leg": 3}}
_BLEEDING = {"bleeding": {"left-leg": 2}}
_SHOOTER = {**_ANYBODY, "ballistic_skill": _SURE, "braced": True}
_FIGHTER = {**_ANYBODY, "weapon_skill": _SURE}
_FAR: Input = {"short": 20, "medium": 40, "long": 80}
_LOADED: Input = {"modes": ["single"], "rounds": 10, "ammunition": ["limax"]}
_GUN: Input = {
    "type": "basic",
    "features": [],
    "damage": "2d6",
    **_FAR,
    **_LOADED,
    "mods": [],
    "encumbrance": 25,
}
_PARRY: Input = {"type": "close", "parry_penalty": -25, "may_parry": True, "encumbrance": 20}
"""What a combatant parries with."""
_BLADE: Input = {**_PARRY, "features": [], "damage": "2d6", "ws_modifier": 15, "requires": [], "mods": []}
_THROWS: Input = {"throw_short": 10, "throw_medium": 5, "throw_long": 3}
_RANGES: Input = {"short": 10, "medium": 20, "long": 40, **_THROWS}
"""What is taken of a weapon that does not say it."""
_SINGLE: Input = {"mode": "single"}


def samples(entry: PackEntry, lookup: EntryLookup) -> Sequence[Sample]:
    """The trials of an entry; none for a kind that no procedure reads."""
    return [*_BY_KIND[entry.kind](entry, lookup)] if entry.kind in _BY_KIND else []


def _weapon(entry: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """A blade is parried by its like; what shoots does so in each mode at each range, and strikes with its butt."""
    kind = entry.data.get("type")
    weapon: Input = {"use": entry.id, "mods": []}
    if kind == "close":
        for traits in _holders(entry, lookup):
            attacker = {**_FIGHTER, "strength": 80, "traits": traits}
            target = {**_FACING, "traits": traits}
            yield _blow(attacker, target, weapon, {"use": entry.id})
            yield _blow(attacker, {"object": True}, weapon, {"use": entry.id})
            yield _blow({**attacker, "weapon_skill": 50}, target, weapon, _PARRY)
        return
    if "charge" in entry.data["features"]:
        parked = {"hull": 40, "pace": "stationary"}
        planter = {"weapon_skill": _SURE}
        yield Sample("plant-charge", {"attacker": planter, "target": parked, "weapon": {"use": entry.id}})
        return
    if "reach" in entry.data:
        flames = {"attacker": _SHOOTER, "target": {**_ANYBODY, "aware": True}, "weapon": weapon}
        yield Sample("flame-attack", {**flames, "distance": 2})
        return
    for fire in _modes(entry):
        for distance in _distances(entry):
            yield _shot(_SHOOTER, _ANYBODY, weapon, fire, distance)
    for fire in _modes(entry) if kind == "pistol" else ():
        blow = _blow(_FIGHTER, _FACING, weapon, {}, shot=True)
        setting = {name: word for name, word in fire.items() if name == "setting"}
        yield blow._replace(situation={**blow.situation, "fire": setting})
    if kind != "thrown":
        yield _blow(_FIGHTER, _FACING, weapon, {"use": entry.id})


def _holders(entry: PackEntry, lookup: EntryLookup) -> list[list[str]]:
    """The abilities of those who use a weapon: all that it needs, and of a force weapon a psyker's too."""
    able = _granting(lookup, entry.data.get("requires", ()))
    if "force" not in entry.data.get("features", ()):
        return [able]
    return [able, [*able, *_granting(lookup, ("psychic-powers",))]]


def _granting(lookup: EntryLookup, words: Iterable[str]) -> list[str]:
    """The traits that allow any of these."""
    wanted, traits = {word for word in words if word in GRANTS}, lookup.entries("trait")
    return [trait.id for trait in traits if not wanted.isdisjoint(trait.data.get("grants", ()))]


def _modes(entry: PackEntry) -> Iterator[Input]:
    """How it is fired: in each mode, and of plasma weapons at each setting."""
    for mode in entry.data.get("modes", ["single"]):
        shots = {"single": 1, "semi-auto": entry.data.get("semi_most", 2)}.get(mode, 5)
        rounds = entry.data.get("rounds")
        fire = {
            "mode": mode,
            "shots": min(shots, rounds) if isinstance(rounds, int) and rounds > 0 else shots,
        }
        settings = entry.data.get("settings")
        yield from ({**fire, "setting": word} for word in settings) if settings else (fire,)


def _distances(entry: PackEntry) -> list[float]:
    """The far end of each range, and extreme range."""
    figures, thrown = {**_RANGES, **entry.data}, entry.data.get("type") == "thrown"
    ranges = ("short", "medium", "long")
    ends = [50 / figures[f"throw_{name}"] if thrown else figures[name] for name in ranges]
    return ends if figures.get("without_extreme_range") else [*ends, 2 * ends[-1]]


def _armor(entry: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """Worn by a combatant who is shot and struck, and as the one piece that is hit."""
    yield from _suffered({**_FACING, "armor": [entry.id]})
    shot = _shot(_SHOOTER, _ANYBODY, _GUN, _SINGLE, 10)
    yield shot._replace(situation={**shot.situation, "armor": entry.id})


def _combatant(entry: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """Attacks with each of the weapons carried, and is shot and struck."""
    for reference in entry.data.get("weapons", ()):
        weapon = lookup.entry("weapon", reference)
        held: Input = {"use": reference, "mods": []}
        if weapon is None or weapon.data.get("type") == "close":
            yield _blow({"use": entry.id}, _FACING, held, _PARRY)
        elif "reach" in weapon.data:
            flames = {"attacker": {"use": entry.id, "braced": True}, "target": _ANYBODY, "weapon": held}
            yield Sample("flame-attack", {**flames, "distance": 2})
        else:
            fire = next(_modes(weapon))
            yield _shot({"use": entry.id, "braced": True}, _ANYBODY, held, fire, 2)
    facing = {name: value for name, value in _FACING.items() if name not in _ANYBODY}
    yield from _suffered({"use": entry.id, **facing})


def _suffered(target: Input) -> Iterator[Sample]:
    """A combatant is shot and struck."""
    yield _shot(_SHOOTER, target, _GUN, _SINGLE, 10)
    yield _blow(_FIGHTER, target, _BLADE, _PARRY)


def _mod(entry: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """Fixed to a gun that shoots and strikes; a blade strikes by its own name as well."""
    gun = {**_GUN, "mods": [entry.id]}
    able = {**_ANYBODY, "traits": _granting(lookup, entry.data.get("requires", ()))}
    yield _shot(able, _ANYBODY, gun, _SINGLE, 10)
    blow = _blow(able, _FACING, gun, {"type": "basic", "mods": [entry.id]})
    yield blow
    if "ws_modifier" in entry.data:
        yield blow._replace(situation={**blow.situation, "accessory": entry.id})


def _power(entry: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """Used on somebody, and renewed."""
    psyker: Input = {**_MANY, "traits": _granting(lookup, ("psychic-powers",)), "holds": {}}
    psyker |= {"concentrated": True}
    given = {"psyker": psyker, "target": {**_MANY, "armor": [], **_INJURED, **_BLEEDING}, "power": entry.id}
    yield Sample("use-psychic-power", given)
    if "lasts" in entry.data:
        yield Sample("renew-power", {**given, "psyker": {"name": "Psyker"}, "target": {"name": "Target"}})


def _drug(entry: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """A poison is tested, and at work; a drug taken, and over."""
    victim: Input = {"victim": {**_MANY, "injury_total": 0}}
    if "strength" in entry.data:
        given = {**victim, "poison": entry.id}
        yield Sample("poison", given)
        if "injury" in entry.data:
            yield Sample("poison", {**given, "works": True})
        return
    yield Sample("take-drug", {**victim, "drug": entry.id})
    yield Sample("take-drug", {**victim, "drug": entry.id, "worn_off": True})


_BY_KIND: Mapping[str, Callable[[PackEntry, EntryLookup], Iterator[Sample]]] = {
    "weapon": _weapon,
    "armor": _armor,
    "combatant": _combatant,
    "power": _power,
    "drug": _drug,
    "mod": _mod,
}


def _shot(attacker: Input, target: Input, weapon: Input, fire: Input, distance: float) -> Sample:
    given = {"attacker": attacker, "target": target, "weapon": weapon, "fire": fire, "distance": distance}
    return Sample("shooting", {**given, "visibility": []})


def _blow(attacker: Input, target: Input, weapon: Input, parry: Input, *, shot: bool = False) -> Sample:
    given = {"attacker": attacker, "target": target, "weapon": weapon, "parry": parry}
    return Sample("close-combat", {**given, "attack": {"shot": shot, "charge": False, "direction": "front"}})


def _standard(weapon: PackEntry, armor: int, lookup: EntryLookup) -> Sample | None:
    """The attack by which weapons are compared."""
    data = weapon.data
    attacker = {**_ANYBODY, "traits": _granting(lookup, data.get("requires", ()))}
    used: Input = {"use": weapon.id, "mods": []}
    if data.get("type") == "close":
        idle = {"type": "close", "parry_penalty": 0, "may_parry": False, "encumbrance": 0}
        sample = _blow(attacker, _FACING, used, idle)
    elif "reach" in data:
        flames = {"attacker": {**attacker, "braced": True}, "target": _ANYBODY, "weapon": used}
        sample = Sample("flame-attack", {**flames, "distance": 2})
    else:
        fire = next(_modes(weapon))
        if fire["mode"] != "single":
            fire |= {"shots": data.get("semi_least", 2)}
        distance = 5 if data.get("type") == "thrown" else min(10, data.get("short", 10))
        sample = _shot({**attacker, "braced": True}, _ANYBODY, used, fire, distance)
    worn = {"value": armor, "locations": list(LOCATIONS)}
    return sample._replace(situation={**sample.situation, "armor": worn})


def _class_of(weapon: PackEntry) -> str:
    """What is swung needs an ability by what drives it, so a power sword is no choice for those without."""
    features = weapon.data.get("features", ())
    driven = next((one for one in ("power", "force", "chain") if one in features), "")
    kind = str(weapon.data.get("type"))
    return f"{driven}-weapon" if driven else f"{kind}-weapon"


COMPARISON = Comparison(
    "Armor",
    range(0, 17, 2),
    "Characteristics of 50 on both sides: one attack at close range with the first of the weapon's firing modes, a "
    "single shot where it has one, or a blow that nobody parries. The attacker has the ability that the weapon needs. "
    "The armor is the same on all locations.",
    _standard,
    "hit",
    "net-damage",
    distances=(15, 30, 60, 120),
    class_of=_class_of,
    worth=(
        Worth("encumbrance"),
        Worth("parry_penalty", missing=0),
        Worth("requires", of=len, missing=0),
        Worth("may_parry", more=True, missing=0),
        Worth("modes", more=True),
        Worth("capacity", more=True, missing=0),
    ),
)
