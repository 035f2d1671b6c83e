"""How the entries of a pack of the Inquisitor universe are put to use once, to see that they work.

Plain numbers stand on the other side of every attack, so that a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.imperium.care_trials import combatant_care_trials, trait_care_trials
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS, GRANTS

Situation = dict[str, Any]

_SURE = 200
"""Hits, whatever takes from it."""
_ANYBODY: Situation = {
    **dict.fromkeys(CHARACTERISTICS, 50),
    "armor": [],
    "traits": [],
    "injury_total": 0,
    "injuries": {},
    "bleeding": {},
}
_GUN: Situation = {
    "type": "basic",
    "features": [],
    "damage": "2d6",
    "short": 20,
    "medium": 40,
    "long": 80,
    "modes": ["single"],
    "rounds": 10,
    "ammunition": ["limax"],
    "mods": [],
    "encumbrance": 25,
}
_BLADE: Situation = {
    "type": "close",
    "features": [],
    "damage": "2d6",
    "ws_modifier": 15,
    "parry_penalty": -25,
    "may_parry": True,
    "requires": [],
    "encumbrance": 20,
    "mods": [],
}
_PARRY: Situation = {"type": "close", "parry_penalty": -25, "may_parry": True, "encumbrance": 20}
"""What a combatant parries with."""
_FACING: Situation = {"aware": True, "conscious": True, "stunned": False, "mounted": False}
_RANGES: Situation = {
    "short": 10,
    "medium": 20,
    "long": 40,
    "throw_short": 10,
    "throw_medium": 5,
    "throw_long": 3,
}
"""What is taken of a weapon that does not say it."""


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """The trials of an entry; none for a kind that no procedure reads."""
    makers = (_BY_KIND.get(entry.kind), _CARE.get(entry.kind))
    return [trial for made in makers if made is not None for trial in made(entry, catalog)]


def _weapon(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A blade is parried by its like; what shoots does so in each mode at each range, and strikes with its butt."""
    kind = entry.data.get("type")
    weapon: Situation = {"use": entry.id, "mods": []}
    if kind == "close":
        for traits in _holders(entry, catalog):
            attacker = {**_ANYBODY, "weapon_skill": _SURE, "strength": 80, "traits": traits}
            for target in ({**_ANYBODY, **_FACING, "traits": traits}, {"object": True}):
                yield _blow(attacker, target, weapon, {"use": entry.id})
            yield _blow(
                {**attacker, "weapon_skill": 50}, {**_ANYBODY, **_FACING, "traits": traits}, weapon, _PARRY
            )
        return
    for fire in _modes(entry):
        for distance in _distances(entry):
            yield _shot({**_ANYBODY, "ballistic_skill": _SURE}, {**_ANYBODY}, weapon, fire, distance)
    if kind == "pistol":
        yield _blow({**_ANYBODY, "weapon_skill": _SURE}, {**_ANYBODY, **_FACING}, weapon, {}, shot=True)
    if kind != "thrown":
        yield _blow({**_ANYBODY, "weapon_skill": _SURE}, {**_ANYBODY, **_FACING}, weapon, {"use": entry.id})


def _holders(entry: PackEntry, catalog: Catalog) -> list[list[str]]:
    """The abilities of those who use a weapon: all that it needs, and of a force weapon a psyker's too."""
    needed = entry.data.get("requires", ())
    able = _granting(catalog, needed)
    if "force" not in entry.data.get("features", ()):
        return [able]
    return [able, [*able, *_granting(catalog, ("psychic-powers",))]]


def _granting(catalog: Catalog, words: Any) -> list[str]:
    wanted = [word for word in words if word in GRANTS]
    return [
        trait.id
        for trait in catalog.entries("trait")
        if any(word in trait.data.get("grants", ()) for word in wanted)
    ]


def _modes(entry: PackEntry) -> Iterator[Situation]:
    for mode in entry.data.get("modes", ["single"]):
        shots = {"single": 1, "semi-auto": entry.data.get("semi_most", 2)}.get(mode, 5)
        rounds = entry.data.get("rounds")
        yield {"mode": mode, "shots": min(shots, rounds) if isinstance(rounds, int) and rounds > 0 else shots}


def _distances(entry: PackEntry) -> list[float]:
    """The far end of each range, and extreme range."""
    figures = {**_RANGES, **entry.data}
    if entry.data.get("type") == "thrown":
        ends = [50 / figures[f"throw_{name}"] for name in ("short", "medium", "long")]
    else:
        ends = [figures[name] for name in ("short", "medium", "long")]
    return [*ends, 2 * ends[-1]]


def _armor(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Worn by a combatant who is shot and struck, and as the one piece that is hit."""
    yield from _suffered({**_ANYBODY, **_FACING, "armor": [entry.id]})
    attacker, target = {**_ANYBODY, "ballistic_skill": _SURE}, {**_ANYBODY}
    shot = _shot(attacker, target, _GUN, {"mode": "single"}, 10)
    yield shot._replace(situation={**shot.situation, "armor": entry.id})


def _combatant(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Attacks with each of the weapons carried, and is shot and struck."""
    for reference in entry.data.get("weapons", ()):
        weapon = catalog.entry("weapon", reference)
        held: Situation = {"use": reference, "mods": []}
        if weapon is None or weapon.data.get("type") == "close":
            yield _blow({"use": entry.id}, {**_ANYBODY, **_FACING}, held, _PARRY)
        else:
            fire = {"mode": weapon.data.get("modes", ["single"])[0], "shots": 1}
            yield _shot({"use": entry.id}, {**_ANYBODY}, held, fire, 2)
    yield from _suffered({"use": entry.id, **_FACING})


def _suffered(target: Situation) -> Iterator[Trial]:
    """A combatant is shot and struck."""
    yield _shot({**_ANYBODY, "ballistic_skill": _SURE}, target, _GUN, {"mode": "single"}, 10)
    yield _blow({**_ANYBODY, "weapon_skill": _SURE}, target, _BLADE, _PARRY)


def _trait(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A combatant who has the ability shoots and strikes."""
    able = {**_ANYBODY, "traits": [entry.id]}
    yield _shot(able, {**_ANYBODY}, _GUN, {"mode": "single"}, 10)
    yield _blow(able, {**_ANYBODY, **_FACING}, _BLADE, _PARRY)


def _mod(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Fixed to a gun that shoots and strikes; a blade strikes by its own name as well."""
    gun = {**_GUN, "mods": [entry.id]}
    able = {**_ANYBODY, "traits": _granting(catalog, entry.data.get("requires", ()))}
    yield _shot(able, {**_ANYBODY}, gun, {"mode": "single"}, 10)
    blow = _blow(able, {**_ANYBODY, **_FACING}, gun, {"type": "basic", "mods": [entry.id]})
    yield blow
    if "ws_modifier" in entry.data:
        yield blow._replace(situation={**blow.situation, "accessory": entry.id})


def _condition(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """What it sets of a combatant, set of the one who is shot and struck."""
    sets = entry.data.get("sets")
    known = {name: value for name, value in (sets or {}).items() if name in _SET_OF_TARGETS}
    if known:
        yield from _suffered({**_ANYBODY, **_FACING, **known})


_SET_OF_TARGETS = ("prone", "stunned", "conscious", "mounted")
"""Fields that conditions set and both attacks read of a target."""
_BY_KIND: Mapping[str, Callable[[PackEntry, Catalog], Iterator[Trial]]] = {
    "weapon": _weapon,
    "armor": _armor,
    "combatant": _combatant,
    "trait": _trait,
    "mod": _mod,
    "condition": _condition,
}
_CARE: Mapping[str, Callable[[PackEntry, Catalog], Iterator[Trial]]] = {
    "combatant": combatant_care_trials,
    "trait": trait_care_trials,
}


def _shot(
    attacker: Situation, target: Situation, weapon: Situation, fire: Situation, distance: float
) -> Trial:
    said = {"attacker": attacker, "target": target, "weapon": weapon, "fire": fire, "distance": distance}
    return Trial("shooting", {**said, "visibility": []})


def _blow(
    attacker: Situation, target: Situation, weapon: Situation, parry: Situation, *, shot: bool = False
) -> Trial:
    said = {"attacker": attacker, "target": target, "weapon": weapon, "parry": parry}
    return Trial("close-combat", {**said, "attack": {"shot": shot, "charge": False, "direction": "front"}})
