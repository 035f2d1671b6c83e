"""How the entries of a Shadowrun 4 pack are put to use once, to see that they work.

Ready-made combatants of the packs serve as attacker and target where there are some, plain numbers otherwise, so
that a pack of weapons can be tried by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.procedures import Procedure
from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, Field, PackEntry, Vocabulary
from fracas.rulesets.sr4.magic.astral_attack import ASTRAL_ATTACK
from fracas.rulesets.sr4.magic.spell_facts import ATTRIBUTE, CAST_SPELL
from fracas.rulesets.sr4.melee.melee_vocabulary import MELEE_ATTACK
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK
from fracas.rulesets.sr4.rolls.extended_test import ExtendedTest
from fracas.rulesets.sr4.rolls.initiative import InitiativeTest, SurpriseTest
from fracas.rulesets.sr4.rolls.last_edge import DeadMansTrigger
from fracas.rulesets.sr4.rolls.success_test import SuccessTest
from fracas.rulesets.sr4.trial_attacks import (
    BLASTS,
    FIRES,
    NEAR,
    SINGLE_SHOT,
    VICTIM,
    WARHEAD,
    Situation,
    bands_of,
    blow,
    distances_of,
    first_of,
    gun_taking,
    is_melee,
    load_of,
    reach_of,
    shot,
    some_attacker,
    some_target,
    ways_to_fire,
)
from fracas.rulesets.sr4.vocabulary import METATYPES, PISTOLS, RESISTED

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
_TESTS: Sequence[tuple[Procedure, Situation]] = (
    (SuccessTest(), {"pool": 6}),
    (ExtendedTest(), {"pool": 6}),
    (InitiativeTest(), {"initiative": 6}),
    (SurpriseTest(), {"pool": 6}),
    (DeadMansTrigger(), {"pool": 6, "edge_points": 1}),
)
"""Tests of one person, with a tester of plain numbers."""
_FLAMES = {"value": 6, "element": "fire"}
_SURE = {"pool": 40, "strength": 4, "body": 4, "armor": []}
"""Hits, as good as always."""


def trials(entry: PackEntry, catalog: Catalog) -> Sequence[Trial]:
    """The trials of an entry; none for a kind that no procedure reads."""
    kind = entry.id.partition(":")[2].partition("/")[0]
    found = list(_BY_KIND[kind](entry, catalog)) if kind in _BY_KIND else []
    return [
        trial
        for trial in (*found, *_of_states(entry, catalog))
        if all(catalog.entry("table", table) for table in _tables_of(trial))
    ]


def _tables_of(trial: Trial) -> Iterator[str]:
    """The tables that it takes: a pack that is tried by itself may have none of them."""
    said = trial.situation
    if trial.procedure == "blast-attack":
        yield "scatter-direction"
    if trial.procedure == "cast-spell":
        yield from ("traditions", "increase-reflexes")
    if said.get("volley") == "split-burst":
        yield "full-burst-spread"
    for record, field, table in (("fire", "choke", "shotgun-chokes"), ("damage", "height", "falling")):
        if field in said.get(record, ()):
            yield table
    if "visibility" in said:
        yield "visibility"


def _weapon(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In each of its firing modes, and in each of its range bands; a melee weapon against every defense and for every
    aim that it allows, and in the hand of who is attacked."""
    if is_melee(entry):
        yield from _blows(entry, catalog)
        return
    if entry.data.get("fires") in BLASTS:
        yield from _explosions(entry.id, _warhead_for(entry, catalog), catalog)
    attacker, weapon = some_attacker(catalog), load_of(entry)
    fires, distances = ways_to_fire(entry), bands_of(entry, attacker, catalog)
    for at in range(max(len(fires), len(distances))):
        fire, distance = fires[at % len(fires)], distances[at % len(distances)]
        yield shot(attacker, some_target(catalog), weapon, fire, distance)
    yield from _other_uses(entry, weapon, catalog)


def _other_uses(entry: PackEntry, weapon: Situation, catalog: Catalog) -> Iterator[Trial]:
    """At a barrier, into a zone, and out of its holster, as far as it is made for it."""
    attacker, target = some_attacker(catalog), some_target(catalog)
    shot = {"attacker": attacker, "weapon": weapon, "distance": bands_of(entry, attacker, catalog)[0]}
    plain = {"armor": 4, "structure": 5}
    yield Trial("barrier-attack", {**shot, "fire": dict(ways_to_fire(entry)[0]), "barrier": plain})
    if "FA" in entry.data.get("modes", ()):
        full = {**weapon, "rounds": 20}
        exposed = {**target, "edge": 1}
        yield Trial("suppressive-fire", {**shot, "weapon": full, "target": exposed, "victim_1": exposed})
    if entry.data.get("category") in PISTOLS:
        quick = {**attacker, "reaction": 4}
        yield Trial(
            "quick-draw", {**shot, "attacker": quick, "target": target, "fire": dict(ways_to_fire(entry)[0])}
        )
    yield from _volleys(entry, attacker, weapon, catalog)


def _volleys(entry: PackEntry, attacker: Situation, weapon: Situation, catalog: Catalog) -> Iterator[Trial]:
    """At several targets, as far as it can: shot that spreads, a full burst that is split, one in each hand."""
    target, category = some_target(catalog), entry.data.get("category")
    base = {"attacker": attacker, "weapon": weapon, "target": target, "distance": NEAR}
    spread = {"spread": "narrow"}
    if category == "shotgun":
        for choke, more in (("medium", {}), ("wide", {"target_3": target})):
            yield Trial(
                "ranged-volley", {**base, "target_2": target, "fire": {**spread, "choke": choke}, **more}
            )
    if "FA" in entry.data.get("modes", ()):
        yield Trial("ranged-volley", {**base, "target_2": target, "volley": "split-burst", "fire": spread})
    if category in (*PISTOLS, "submachine-gun"):
        yield Trial("ranged-volley", {**base, "weapon_2": weapon, "fire": dict(ways_to_fire(entry)[0])})


def _blows(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A strike at somebody who dodges, at somebody who parries with such a weapon, at somebody unaware, and without
    the will to hurt."""
    attacker, target = some_attacker(catalog), some_target(catalog)
    yield blow(attacker, target, entry.id)
    yield blow(_SURE, target | {"weapon": entry.id}, entry.id)
    yield blow(attacker, target | {"unaware": True}, entry.id)
    yield blow(_SURE, target, entry.id, {"aim": "touch"})
    yield blow(_SURE, target, entry.id, {"aim": "knockdown"})
    several = {
        "attacker": _SURE,
        "target": target,
        "target_2": target | {"unaware": True},
        "weapon": entry.id,
    }
    yield Trial("melee-sweep", several)


def _armor(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Worn by somebody who is hit, by a bullet and by a shock, and by somebody who shoots."""
    target = some_target(catalog) | {"armor": [entry.id], "unaware": True}
    yield shot(_SURE, target, _GUN)
    yield shot(_SURE, target, _SHOCKER)
    yield shot(some_attacker(catalog) | {"armor": [entry.id]}, target | {"unaware": False}, _GUN)
    yield Trial(
        "damage-resistance", {"target": some_target(catalog) | {"armor": [entry.id]}, "damage": _FLAMES}
    )


def _ammunition(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In the first weapon that takes it, in each of its firing modes, at somebody who is hit."""
    weapon = gun_taking(entry, catalog)
    loaded = (load_of(weapon) if weapon else dict(_GUN)) | {"ammunition": entry.id}
    distance = bands_of(weapon, _SURE, catalog)[0] if weapon else NEAR
    for fire in ways_to_fire(weapon) if weapon else FIRES["SA"]:
        yield shot(_SURE, some_target(catalog), loaded, fire, distance)
    if _explodes(entry):
        yield from _explosions(weapon.id if weapon else None, entry.id, catalog)


def _explosions(weapon: str | None, warhead: str | None, catalog: Catalog) -> Iterator[Trial]:
    """At a place, at somebody with a bystander, and as what lies there already, with somebody close by."""
    use: Situation = {"use": weapon} if weapon else {"skill": "heavy-weapons", "modes": ["SS"]}
    use |= {"ammunition": warhead} if warhead else {**WARHEAD, "blast_falloff": 2}
    thrower, victim = some_attacker(catalog), some_target(catalog)
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
    return data.get("fits") in BLASTS and ("blast_radius" in data or "delivers" in data)


def _range(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """In each of its bands."""
    attacker = some_attacker(catalog)
    weapon = next(
        (gun for gun in catalog.entries("weapon") if gun.data.get("range") in (entry.slug, entry.id)), None
    )
    use = load_of(weapon) | {"range": entry.id} if weapon else {**_GUN, "range": entry.id}
    fire = ways_to_fire(weapon)[0] if weapon else FIRES["SA"][0]
    for distance in distances_of(entry.data, reach_of(attacker, weapon, catalog)):
        yield shot(attacker, some_target(catalog), use, fire, distance)


def _combatant(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Attacks with each of the weapons carried, is attacked, and makes tests."""
    attacker = {"use": entry.id, "rounds_before": 0}
    references = entry.data.get("weapons")
    for reference in references if isinstance(references, list) else ():
        weapon = catalog.entry("weapon", reference) if isinstance(reference, str) else None
        if weapon is None:
            yield shot(attacker, some_target(catalog), {"use": reference}, SINGLE_SHOT)
        elif is_melee(weapon):
            yield blow(attacker, some_target(catalog), reference)
        else:
            use, distance = load_of(weapon) | {"use": reference}, bands_of(weapon, attacker, catalog)[0]
            yield shot(attacker, some_target(catalog), use, ways_to_fire(weapon)[0], distance)
    yield shot(attacker, some_target(catalog), _GUN)
    yield blow(_SURE, {"use": entry.id}, _FISTS)
    yield shot(_SURE, {"use": entry.id}, _GUN)
    yield shot(_SURE, {"use": entry.id}, _SHOCKER)
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
        protected = some_target(catalog) | {"resistances": {element: entry.data.get("ratings", 1)}}
        yield Trial("damage-resistance", {"target": protected, "damage": {"value": 6, "element": element}})
    if feature is not None:
        yield shot(
            some_attacker(catalog) | {"smartlink": True},
            some_target(catalog),
            {**_GUN, "features": [feature]},
        )
    if sense is not None:
        seeing = {"senses": ["normal", sense]}
        yield shot(
            some_attacker(catalog) | seeing,
            some_target(catalog),
            _GUN,
            more={"visibility": ["partial-light"]},
        )


def _metatype(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Shooting and striking, shot at and struck, with the skin, the eyes and the arms that it has."""
    data = entry.data
    body: Situation = {"metatype": entry.slug} if entry.slug in METATYPES else {}
    body |= {f"{name}_bonus": data[name] for name in ("ballistic", "impact") if name in data}
    body |= {"senses": data["senses"]} if "senses" in data else {}
    yield shot(
        some_attacker(catalog) | body, some_target(catalog), _GUN, more={"visibility": ["partial-light"]}
    )
    yield shot(_SURE, some_target(catalog) | body, _GUN)
    yield blow(some_attacker(catalog) | body, some_target(catalog), _FISTS)
    yield blow(_SURE, some_target(catalog) | body, _FISTS)


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
    weak = {"strength": 1}  # what a spell of any Force may raise
    caster, spell = _magician(catalog) | weak, {"use": entry.id}
    unhurt = {"physical": 0, "stun": 0}
    target = some_target(catalog) | unhurt | weak
    raises: Situation = {"attribute": "strength"} if entry.data.get("does") == ATTRIBUTE else {}
    aimed = {"caster": caster, "target": target, "spell": spell, **raises}
    yield Trial("cast-spell", {**aimed, "force": 1, "touched": True})
    yield Trial("cast-spell", {**aimed, "force": 6})
    yield Trial("cast-spell", {**aimed, "target": target | {"unaware": True}, "force": 3})
    if entry.data.get("area"):
        yield Trial("cast-spell", {**aimed, "victim_1": target | {"center_distance": 2}, "force": 4})
    if "attack" not in entry.data:
        yield Trial("cast-spell", {"caster": caster | unhurt, "spell": spell, "force": 4, **raises})


def _magician(catalog: Catalog) -> Situation:
    found = first_of(catalog, "combatant", "magic", "tradition", "skills")
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
        yield shot(some_attacker(catalog) | state, some_target(catalog), _GUN)
    if state := taken("target", RANGED_ATTACK):
        yield shot(_SURE, some_target(catalog) | state, _GUN)
    for procedure, tester in _TESTS:
        if state := taken("tester", procedure.vocabulary):
            yield Trial(procedure.id, {"tester": {**tester, **state}})
    if state := taken("target", CAST_SPELL):
        subject = some_target(catalog) | state
        for way in ({"attack": "direct", "resist": "body"}, {"attack": "indirect"}):
            spell = {**way, "drain": 0, "damage": "stun"}
            yield Trial(
                "cast-spell", {"caster": _magician(catalog), "target": subject, "spell": spell, "force": 3}
            )
    if state := taken("target", ASTRAL_ATTACK):
        spirit = {"pool": 8, "charisma": 4}
        yield Trial("astral-attack", {"attacker": spirit, "target": {"intuition": 3, **VICTIM, **state}})
    if state := taken("attacker", MELEE_ATTACK):
        yield blow(some_attacker(catalog) | state, some_target(catalog), _FISTS)
    if state := taken("target", MELEE_ATTACK):
        yield blow(_SURE, some_target(catalog) | state, _FISTS)


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
