"""How the entries of a Shadowrun 4 pack are put to use once, to see that they work.

Ready-made combatants of the packs serve as attacker and target where there are some, plain numbers otherwise, so
that a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, Field, PackEntry, Vocabulary
from fracas.rulesets.sr4.magic.astral_attack import ASTRAL_ATTACK
from fracas.rulesets.sr4.magic.spell_vocabulary import CAST_SPELL
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.rolls.extended_test import EXTENDED_TEST
from fracas.rulesets.sr4.rolls.last_edge import DEAD_MANS_TRIGGER
from fracas.rulesets.sr4.rolls.surprise import SURPRISE_TEST
from fracas.rulesets.sr4.vocabulary import (
    INITIATIVE_TEST,
    METATYPES,
    PISTOLS,
    RANGED_ATTACK,
    RESISTED,
    SUCCESS_TEST,
)

Situation = dict[str, Any]

_SINGLE_SHOT = {"mode": "single-shot"}
_FIRES: Mapping[str, Sequence[Mapping[str, str]]] = {
    "SS": (_SINGLE_SHOT,),
    "SA": ({"mode": "semi-automatic"},),
    "BF": ({"mode": "short-burst", "spread": "narrow"}, {"mode": "short-burst", "spread": "wide"}),
    "FA": (
        {"mode": "short-burst", "spread": "narrow"},
        {"mode": "long-burst", "spread": "narrow"},
        {"mode": "long-burst", "spread": "wide"},
        {"mode": "full-burst", "spread": "narrow"},
        {"mode": "full-burst", "spread": "wide"},
    ),
}
_BANDS = ("short", "medium", "long", "extreme")
_FARTHEST = RANGED_ATTACK.fields["distance"].most
_NEAR = 3

_SHOOTER = {"agility": 4, "strength": 4, "intuition": 4, "skills": {}, "armor": [], "rounds_before": 0}
_VICTIM = {"reaction": 3, "body": 3, "willpower": 3, "skills": {}, "armor": [], "physical": 0, "stun": 0}
_GUN = {
    "skill": "pistols",
    "dv": 5,
    "damage": "physical",
    "ap": -1,
    "armor_kind": "ballistic",
    "modes": ["SA"],
}
_SHOCKER = {**_GUN, "dv": 8, "damage": "stun", "armor_kind": "impact", "electric": True, "modes": ["SS"]}
_FISTS = {
    "skill": "unarmed-combat",
    "reach": 0,
    "dv": 0,
    "dv_half_strength": True,
    "damage": "stun",
    "ap": 0,
    "armor_kind": "impact",
}
_WARHEAD = {"dv": 10, "damage": "physical", "ap": -2, "armor_kind": "impact"}
"""A high explosive grenade, for a launcher whose damage is that of what it fires."""
_BLASTS = ("grenade", "missile")
"""What strikes an area, of the things that weapons fire."""
_TESTS: Sequence[tuple[str, Vocabulary, Situation]] = (
    ("success-test", SUCCESS_TEST, {"pool": 6}),
    ("extended-test", EXTENDED_TEST, {"pool": 6}),
    ("initiative-test", INITIATIVE_TEST, {"initiative": 6}),
    ("surprise-test", SURPRISE_TEST, {"pool": 6}),
    ("dead-mans-trigger", DEAD_MANS_TRIGGER, {"pool": 6, "edge_points": 1}),
)
"""Tests of one person, with a tester of plain numbers."""
_FLAMES = {"value": 6, "element": "fire"}
_SURE = {"pool": 40, "strength": 4, "body": 4, "armor": []}
"""Hits, as good as always."""


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """The trials of an entry; none for a kind that no procedure reads."""
    kind = entry.id.partition(":")[2].partition("/")[0]
    found = list(_BY_KIND[kind](entry, catalog)) if kind in _BY_KIND else []
    return [*found, *_of_states(entry, catalog)]


def _weapon(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In each of its firing modes, and in each of its range bands; a melee weapon against every defense and for every
    aim that it allows, and in the hand of who is attacked."""
    if _is_melee(entry):
        yield from _blows(entry, catalog)
        return
    if entry.data.get("fires") in _BLASTS:
        yield from _explosions(entry.id, _warhead_for(entry, catalog), catalog)
    attacker, weapon = _attacker(catalog), _loaded(entry)
    fires, distances = _fires(entry), _bands_of(entry, attacker, catalog)
    for at in range(max(len(fires), len(distances))):
        fire, distance = fires[at % len(fires)], distances[at % len(distances)]
        yield _shot(attacker, _target(catalog), weapon, fire, distance)
    yield from _other_uses(entry, weapon, catalog)


def _other_uses(entry: PackEntry, weapon: Situation, catalog: Catalog) -> Iterator[Trial]:
    """At a barrier, into a zone, and out of its holster, as far as it is made for it."""
    attacker, target = _attacker(catalog), _target(catalog)
    shot = {"attacker": attacker, "weapon": weapon, "distance": _bands_of(entry, attacker, catalog)[0]}
    plain = {"armor": 4, "structure": 5}
    yield Trial("barrier-attack", {**shot, "fire": dict(_fires(entry)[0]), "barrier": plain})
    if "FA" in entry.data.get("modes", ()):
        full = {**weapon, "rounds": 20}
        exposed = {**target, "edge": 1}
        yield Trial("suppressive-fire", {**shot, "weapon": full, "target": exposed, "victim_1": exposed})
    if entry.data.get("category") in PISTOLS:
        quick = {**attacker, "reaction": 4}
        yield Trial(
            "quick-draw", {**shot, "attacker": quick, "target": target, "fire": dict(_fires(entry)[0])}
        )
    yield from _volleys(entry, attacker, weapon, catalog)


def _volleys(entry: PackEntry, attacker: Situation, weapon: Situation, catalog: Catalog) -> Iterator[Trial]:
    """At several targets, as far as it can: shot that spreads, a full burst that is split, one in each hand."""
    target, category = _target(catalog), entry.data.get("category")
    base = {"attacker": attacker, "weapon": weapon, "target": target, "distance": _NEAR}
    spread = {"spread": "narrow"}
    if category == "shotgun":
        for choke, more in (("medium", {}), ("wide", {"target_3": target})):
            yield Trial(
                "ranged-volley", {**base, "target_2": target, "fire": {**spread, "choke": choke}, **more}
            )
    if "FA" in entry.data.get("modes", ()):
        yield Trial("ranged-volley", {**base, "target_2": target, "volley": "split-burst", "fire": spread})
    if category in (*PISTOLS, "submachine-gun"):
        yield Trial("ranged-volley", {**base, "weapon_2": weapon, "fire": dict(_fires(entry)[0])})


def _blows(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A strike at somebody who dodges, at somebody who parries with such a weapon, at somebody unaware, and without
    the will to hurt."""
    attacker, target = _attacker(catalog), _target(catalog)
    yield _blow(attacker, target, entry.id)
    yield _blow(_SURE, target | {"weapon": entry.id}, entry.id)
    yield _blow(attacker, target | {"unaware": True}, entry.id)
    yield _blow(_SURE, target, entry.id, {"aim": "touch"})
    yield _blow(_SURE, target, entry.id, {"aim": "knockdown"})
    several = {
        "attacker": _SURE,
        "target": target,
        "target_2": target | {"unaware": True},
        "weapon": entry.id,
    }
    yield Trial("melee-sweep", several)


def _armor(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Worn by somebody who is hit, by a bullet and by a shock, and by somebody who shoots."""
    target = _target(catalog) | {"armor": [entry.id], "unaware": True}
    yield _shot(_SURE, target, _GUN)
    yield _shot(_SURE, target, _SHOCKER)
    yield _shot(_attacker(catalog) | {"armor": [entry.id]}, target | {"unaware": False}, _GUN)
    yield Trial("damage-resistance", {"target": _target(catalog) | {"armor": [entry.id]}, "damage": _FLAMES})


def _ammunition(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In the first weapon that takes it, in each of its firing modes, at somebody who is hit."""
    weapon = _taking(entry, catalog)
    loaded = (_loaded(weapon) if weapon else dict(_GUN)) | {"ammunition": entry.id}
    distance = _bands_of(weapon, _SURE, catalog)[0] if weapon else _NEAR
    for fire in _fires(weapon) if weapon else _FIRES["SA"]:
        yield _shot(_SURE, _target(catalog), loaded, fire, distance)
    if _explodes(entry):
        yield from _explosions(weapon.id if weapon else None, entry.id, catalog)


def _explosions(weapon: str | None, warhead: str | None, catalog: Catalog) -> Iterator[Trial]:
    """At a place, at somebody with a bystander, and as what lies there already, with somebody close by."""
    use: Situation = {"use": weapon} if weapon else {"skill": "heavy-weapons", "modes": ["SS"]}
    use |= {"ammunition": warhead} if warhead else {**_WARHEAD, "blast_falloff": 2}
    thrower, victim = _attacker(catalog), _target(catalog)
    bystander = victim | {"distance": 3, "bearing": 90}
    yield Trial("blast-attack", {"attacker": thrower, "weapon": use})
    yield Trial("blast-attack", {"attacker": _SURE, "target": victim, "victim_1": bystander, "weapon": use})
    close = victim | {"blast_distance": 1, "rebound": 3}
    yield Trial("blast-attack", {"aim": "goes-off", "victim_1": close, "weapon": use})


def _warhead_for(weapon: PackEntry, catalog: Catalog) -> str | None:
    """The first ammunition that the weapon fires; None where it holds its own."""
    if "ammunition" in weapon.data:
        return str(weapon.data["ammunition"])
    sort = weapon.data["fires"]
    exploding = (one for one in catalog.entries("ammunition") if _explodes(one))
    return next((one.id for one in exploding if one.data["fits"] == sort), None)


def _explodes(ammunition: PackEntry) -> bool:
    """Whether it strikes an area, and says how far."""
    data = ammunition.data
    return data.get("fits") in _BLASTS and ("blast_radius" in data or "delivers" in data)


def _range(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In each of its bands."""
    attacker = _attacker(catalog)
    weapon = next(
        (gun for gun in catalog.entries("weapon") if gun.data.get("range") in (entry.slug, entry.id)), None
    )
    use = _loaded(weapon) | {"range": entry.id} if weapon else {**_GUN, "range": entry.id}
    fire = _fires(weapon)[0] if weapon else _FIRES["SA"][0]
    for distance in _distances(entry.data, _reach(attacker, weapon, catalog)):
        yield _shot(attacker, _target(catalog), use, fire, distance)


def _combatant(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Attacks with each of the weapons carried, is attacked, and makes tests."""
    attacker = {"use": entry.id, "rounds_before": 0}
    references = entry.data.get("weapons")
    for reference in references if isinstance(references, list) else ():
        weapon = catalog.entry("weapon", reference) if isinstance(reference, str) else None
        if weapon is None:
            yield _shot(attacker, _target(catalog), {"use": reference}, _SINGLE_SHOT)
        elif _is_melee(weapon):
            yield _blow(attacker, _target(catalog), reference)
        else:
            use, distance = _loaded(weapon) | {"use": reference}, _bands_of(weapon, attacker, catalog)[0]
            yield _shot(attacker, _target(catalog), use, _fires(weapon)[0], distance)
    yield _shot(attacker, _target(catalog), _GUN)
    yield _blow(_SURE, {"use": entry.id}, _FISTS)
    yield _shot(_SURE, {"use": entry.id}, _GUN)
    yield _shot(_SURE, {"use": entry.id}, _SHOCKER)
    yield Trial("success-test", {"tester": entry.id, "attribute": "reaction", "threshold": 1})
    if {"reaction", "intuition"} <= entry.data.keys():
        yield Trial("initiative-test", {"tester": entry.id})
        yield Trial("surprise-test", {"tester": entry.id, "against": 1})
        yield Trial("extended-test", {"tester": entry.id, "attribute": "reaction", "threshold": 4})
    if "strength" in entry.data:
        yield Trial("escape-hold", {"tester": entry.id, "holder": {"grip": 1}})
    if {"body", "willpower"} <= entry.data.keys():
        yield Trial("dead-mans-trigger", {"tester": {"use": entry.id, "edge_points": 1}})
        yield Trial("escape-death", {"tester": {"use": entry.id, "edge": 1, "physical": 200}})
        hurt = {"use": entry.id, "physical": 6, "stun": 3}
        yield Trial("damage-resistance", {"target": hurt, "damage": {"height": 7}})
        yield Trial("first-aid", {"tester": {"pool": 6}, "patient": hurt})
        yield Trial("rest", {"tester": hurt})


def _mod(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """What adds a feature to a weapon, or a way of seeing to its wearer."""
    feature, sense, element = (entry.data.get(name) for name in ("feature", "sense", "resists"))
    if element in RESISTED:
        protected = _target(catalog) | {"resistances": {element: entry.data.get("ratings", 1)}}
        yield Trial("damage-resistance", {"target": protected, "damage": {"value": 6, "element": element}})
    if feature is not None:
        yield _shot(
            _attacker(catalog) | {"smartlink": True}, _target(catalog), {**_GUN, "features": [feature]}
        )
    if sense is not None:
        seeing = {"senses": ["normal", sense]}
        yield _shot(
            _attacker(catalog) | seeing, _target(catalog), _GUN, more={"visibility": ["partial-light"]}
        )


def _metatype(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Shooting and striking, shot at and struck, with the skin, the eyes and the arms that it has."""
    data = entry.data
    body: Situation = {"metatype": entry.slug} if entry.slug in METATYPES else {}
    body |= {f"{name}_bonus": data[name] for name in ("ballistic", "impact") if name in data}
    body |= {"senses": data["senses"]} if "senses" in data else {}
    yield _shot(_attacker(catalog) | body, _target(catalog), _GUN, more={"visibility": ["partial-light"]})
    yield _shot(_SURE, _target(catalog) | body, _GUN)
    yield _blow(_attacker(catalog) | body, _target(catalog), _FISTS)
    yield _blow(_SURE, _target(catalog) | body, _FISTS)


_CASTER: Situation = {
    "magic": 5,
    "skills": {"spellcasting": 4},
    "willpower": 4,
    "drain_pool": 8,
    "touch_pool": 8,
}


def _power(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A spell cast with little Force and with more than the Magic: on somebody with a bystander, on somebody unaware
    and on oneself."""
    if entry.data.get("type") != "spell":
        return
    caster, spell = _magician(catalog), {"use": entry.id}
    unhurt = {"physical": 0, "stun": 0}
    target = _target(catalog) | unhurt
    aimed = {"caster": caster, "target": target, "spell": spell}
    yield Trial("cast-spell", {**aimed, "force": 1, "touched": True})
    yield Trial("cast-spell", {**aimed, "force": 6})
    yield Trial("cast-spell", {**aimed, "target": target | {"unaware": True}, "force": 3})
    if entry.data.get("area"):
        yield Trial("cast-spell", {**aimed, "victim_1": target | {"center_distance": 2}, "force": 4})
    if "attack" not in entry.data:
        yield Trial("cast-spell", {"caster": caster | unhurt, "spell": spell, "force": 4})


def _magician(catalog: Catalog) -> Situation:
    found = _first(catalog, "combatant", "magic", "tradition", "skills")
    return {"use": found.id} if found else dict(_CASTER)


def _of_states(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """What an entry sets of a combatant, set of somebody who shoots, is shot at, or makes a test."""
    sets = entry.data.get("sets")
    if not isinstance(sets, Mapping):
        return

    def taken(who: str, words: Vocabulary) -> Situation:
        return {
            name: value for name, value in sets.items() if _takes(words.fields.get(f"{who}.{name}"), value)
        }

    if state := taken("attacker", RANGED_ATTACK):
        yield _shot(_attacker(catalog) | state, _target(catalog), _GUN)
    if state := taken("target", RANGED_ATTACK):
        yield _shot(_SURE, _target(catalog) | state, _GUN)
    for procedure, words, tester in _TESTS:
        if state := taken("tester", words):
            yield Trial(procedure, {"tester": {**tester, **state}})
    if state := taken("target", CAST_SPELL):
        subject = _target(catalog) | state
        for way in ({"attack": "direct", "resist": "body"}, {"attack": "indirect"}):
            spell = {**way, "drain": 0, "damage": "stun"}
            yield Trial(
                "cast-spell", {"caster": _magician(catalog), "target": subject, "spell": spell, "force": 3}
            )
    if state := taken("target", ASTRAL_ATTACK):
        spirit = {"pool": 8, "charisma": 4}
        yield Trial("astral-attack", {"attacker": spirit, "target": {"intuition": 3, **_VICTIM, **state}})
    if state := taken("attacker", MELEE_ATTACK):
        yield _blow(_attacker(catalog) | state, _target(catalog), _FISTS)
    if state := taken("target", MELEE_ATTACK):
        yield _blow(_SURE, _target(catalog) | state, _FISTS)


def _takes(field: Field | None, value: Any) -> bool:
    """Whether a procedure reads the field, and knows the word."""
    if field is None or field.derived_from is not None:
        return False
    return field.type != "choice" or value in field.choices


_BY_KIND: Mapping[str, Callable[[PackEntry, Catalog], Iterator[Trial]]] = {
    "weapon": _weapon,
    "armor": _armor,
    "ammunition": _ammunition,
    "range": _range,
    "combatant": _combatant,
    "mod": _mod,
    "metatype": _metatype,
    "power": _power,
}


def _shot(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    weapon: Mapping[str, Any],
    fire: Mapping[str, Any] | None = None,
    distance: float = _NEAR,
    more: Mapping[str, Any] | None = None,
) -> Trial:
    fire = _FIRES[weapon["modes"][0]][0] if fire is None else fire
    said = {"attacker": dict(attacker), "target": dict(target), "weapon": dict(weapon), "fire": dict(fire)}
    return Trial("ranged-attack", {**said, "distance": distance, **(more or {})})


def _blow(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    weapon: str | Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> Trial:
    fighter = {name: value for name, value in attacker.items() if name != "rounds_before"}
    said = {"attacker": fighter, "target": dict(target), "weapon": weapon}
    return Trial("melee-attack", {**said, **(more or {})})


def _first(catalog: Catalog, kind: str, *fields: str) -> PackEntry | None:
    """The first entry of a kind that says all of these."""
    return next(
        (entry for entry in catalog.entries(kind) if all(name in entry.data for name in fields)), None
    )


def _attacker(catalog: Catalog) -> Situation:
    found = _first(catalog, "combatant", "agility", "strength", "skills")
    return {"use": found.id, "rounds_before": 0} if found else dict(_SHOOTER)


def _target(catalog: Catalog) -> Situation:
    found = _first(catalog, "combatant", "reaction", "body", "willpower", "armor")
    return {"use": found.id} if found else dict(_VICTIM)


def _is_melee(weapon: PackEntry) -> bool:
    return "reach" in weapon.data


def _loaded(weapon: PackEntry) -> Situation:
    """The weapon, with a warhead where what it fires does the damage."""
    if "fires" not in weapon.data:
        return {"use": weapon.id}
    return {name: value for name, value in _WARHEAD.items() if name not in weapon.data} | {"use": weapon.id}


def _fires(weapon: PackEntry) -> list[Mapping[str, Any]]:
    """Every way to fire it; a single shot where its modes are not known."""
    modes = weapon.data.get("modes")
    known = [mode for mode in modes if mode in _FIRES] if isinstance(modes, list) else []
    fires = [fire for mode in known for fire in _FIRES[mode]] or [_SINGLE_SHOT]
    area = {"area": True} if weapon.data.get("fires") in _BLASTS else {}
    return [{**fire, **area} for at, fire in enumerate(fires) if fire not in fires[:at]]


def _taking(ammunition: PackEntry, catalog: Catalog) -> PackEntry | None:
    """The first weapon that takes this ammunition, as far as their words and names tell."""
    guns = [gun for gun in catalog.entries("weapon") if not _is_melee(gun)]
    fits = ammunition.data.get("fits")
    for suits in (
        lambda gun: gun.data.get("ammunition") in (ammunition.slug, ammunition.id),
        lambda gun: fits is not None and gun.data.get("fires") == fits,
        lambda gun: fits is None and _category(gun) in ammunition.slug,
        lambda gun: fits is None and "FA" in gun.data.get("modes", ()),
        lambda gun: fits is None and gun.data.get("feed", "none") != "none",
    ):
        for gun in guns:
            if suits(gun):
                return gun
    return None


def _category(gun: PackEntry) -> str:
    return str(gun.data.get("category", "?"))


def _bands_of(weapon: PackEntry, attacker: Mapping[str, Any], catalog: Catalog) -> list[float]:
    """The far end of each band of the weapon; a short way where it has no range table."""
    reference = weapon.data.get("range")
    table = catalog.entry("range", reference) if isinstance(reference, str) else None
    return _distances(table.data, _reach(attacker, weapon, catalog)) if table else [_NEAR]


def _reach(attacker: Mapping[str, Any], weapon: PackEntry | None, catalog: Catalog) -> int:
    """The Strength that carries a bow or a throw."""
    entry = catalog.entry("combatant", attacker["use"]) if "use" in attacker else None
    strength = (entry.data if entry else attacker).get("strength")
    most = weapon.data.get("minimum_strength") if weapon else None
    numbers = [number for number in (strength, most) if isinstance(number, int)]
    return min(numbers, default=1)


def _distances(table: Mapping[str, Any], strength: int) -> list[float]:
    """The far end of each band that there is."""
    factor = strength if table.get("per_strength") else 1
    found: list[float] = []
    for limit in (table.get(band) for band in _BANDS):
        if not isinstance(limit, (int, float)):
            continue
        far = limit * factor
        if far > found[-1] if found else far >= table.get("minimum", 0):
            found.append(far)
    return [far for far in found if far <= _FARTHEST] or [_NEAR]
