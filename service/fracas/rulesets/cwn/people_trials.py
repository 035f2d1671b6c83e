"""How combatants, drugs, implants, drones, vehicles and hackers are put to use once, to see that they work: see
`trials`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.cwn.checks.saves import KINDS
from fracas.rulesets.cwn.machines.cyber_attack import AVATAR_VERBS
from fracas.rulesets.cwn.machines.programs import CIRCUMSTANCES, DEVICE_VERBS, VERBS
from fracas.rulesets.cwn.machines.vehicles import OCCUPANTS

_MEDIC = {"skills": {"heal": 2}, "dexterity": 12, "intelligence": 12, "foci": {"healer": 2}}
_BODY = {"hp": 6, "constitution": 12, "system_strain": 2, "permanent_strain": 1}
_REPAIR = {"means": "repair", "points": 3}
_DOSED = {**_BODY, "save": 12, "skills": {"heal": 0}}
_VICTIM = {"save": 15, "traumatic_before": True}


def combatant_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Saves, tries something, loses its nerve, falls and is poisoned, as far as the entry tells what that takes."""
    who = {"use": entry.id}
    if "save" in entry.data or "level" in entry.data:
        for kind in KINDS:
            yield Trial("saving-throw", {"saver": who, "save": {"kind": kind}})
        yield Trial("major-injury", {"victim": {**who, "traumatic_before": True}})
        yield Trial("poison", {"victim": who, "drug": {"damage": "1d6"}})
    if "skill_bonus" in entry.data or "skills" in entry.data:
        check = {"skills": ["notice"], "attributes": ["wisdom"], "difficulty": 8}
        yield Trial("skill-check", {"tester": who, "check": check})
    if "morale" in entry.data:
        yield Trial("morale", {"tester": who})
    if "hit_dice" in entry.data:
        yield Trial("hit-points", {"npc": who})
    if "skill_bonus" in entry.data or {"skills", "wisdom"} <= entry.data.keys():
        yield Trial("surprise-check", {"tester": who})
    if "charisma" in entry.data:
        yield Trial("reaction-roll", {"face": who})


def drug_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Is taken and wears off, harms, heals or stabilizes, whichever it is for."""
    if entry.data.get("poison"):
        for situation in ({"drug": entry.id}, {"drug": entry.id, "poison": {"works": True}}):
            yield Trial("poison", {"victim": {**_VICTIM, "hp": 6, "named": True}, **situation})
        return
    for over in (False, True):
        yield Trial("take-drug", {"giver": _DOSED, "drug": {"use": entry.id, "worn_off": over}})
    aid = {"lurch": {"means": "lurch"}, "panacea": {"panacea": True, "medkit": True}}.get(entry.slug)
    if aid is not None:
        yield Trial("first-aid", {"healer": _MEDIC, "patient": _BODY, "aid": aid})
    if entry.slug == "trauma-patch":
        patched: dict[str, Any] = {"healer": _MEDIC, "patient": {"rounds_down": 1}}
        yield Trial("stabilize", {**patched, "stabilizing": {"means": entry.slug}})


def augmentation_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Is in a body that falls."""
    implanted = {"augmentations": [entry.id]}
    yield Trial("major-injury", {"victim": {**_VICTIM, **implanted}})
    if entry.slug == "skull-citadel":
        yield Trial("revival", {"owner": {**implanted, "strength": 12}})
    if entry.slug == "full-body-conversion":
        yield Trial("first-aid", {"healer": {}, "patient": {**_BODY, **implanted}, "aid": {**_REPAIR}})


_SKILLED = {"skills": {"drive": 1, "program": 1, "exert": 0}, "intelligence": 12, "dexterity": 12}
_PILOT = {**_SKILLED, "base_attack_bonus": 2, "foci": {"drone-pilot": 2}}
_FOE = {"trauma_target": 6, "soak": 2, "hp": 10, "named": True}
_TARGET = {**_FOE, "ranged_ac": 13, "melee_ac": 13, "save": 14}
_ABOARD = {**_FOE, "save": 14, "drives": True}


def _has(catalog: Catalog, *tables: str) -> bool:
    """Whether the packs have the tables without which a procedure does not work; a pack of weapons has none."""
    return all(catalog.entry("table", name) is not None for name in tables)


def machine_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A vehicle is driven, rams, crashes and is destroyed; a drone fires, and both are hacked."""
    if not entry.data.get("machine") or not _has(catalog, "ramming", VERBS, CIRCUMSTANCES):
        return
    who = {"use": entry.id}
    if "vehicle_armor" in entry.data:
        yield Trial("drive", {"driver": {}, "vehicle": who})
        yield Trial("ram", {"attacker": _SKILLED, "target": {**_TARGET, **_SKILLED}, "vehicle": who})
        yield Trial("ram", {"attacker": _SKILLED, "target": who, "vehicle": who, "other_driver": _SKILLED})
        yield Trial("crash", {"vehicle": who, OCCUPANTS[0]: _ABOARD, "crash": {"uncontrolled": True}})
        yield Trial("vehicle-destroyed", {"vehicle": {**who, "wreck_damage": 9}, OCCUPANTS[0]: _ABOARD})
        return
    hacked: dict[str, Any] = {"hacker": _SKILLED, "target": {**who, "operator_level": 4}}
    for verb in DEVICE_VERBS:
        if verb not in ("activate", "frisk"):
            yield Trial("hack", {**hacked, "hack": {"verb": verb, "wireless": True}, "distance": 20})


def mount_trials(weapon: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """A gun is fired by a drone, aimed by its operator and not."""
    if weapon.data.get("type") != "gun" or weapon.data.get("area") or not _has(catalog, "drone-attack"):
        return
    for alone in (False, True):
        volley: dict[str, Any] = {"weapons": [weapon.id, weapon.id], "alone": alone}
        shot = {"target": _TARGET, "target_2": _TARGET, "drone": {"targeting_logic": 1}}
        distance = min(10, weapon.data.get("range_long", 10))
        yield Trial(
            "drone-attack",
            {"attacker": _PILOT, **shot, "volley": volley, "attack": {"rested": True}, "distance": distance},
        )


def hacker_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Whoever has skills hacks, and is hacked."""
    if not _has(catalog, VERBS, CIRCUMSTANCES):
        return
    if entry.data.get("machine") or not {"skill_bonus", "hit_dice"} <= entry.data.keys():
        return
    who = {"use": entry.id}
    for verb in DEVICE_VERBS:
        hack: dict[str, Any] = {"verb": verb, "on": "network-device", "security": 8}
        if verb in ("activate", "frisk", "sabotage"):
            hack = {"verb": verb, "firewalled": True}
        yield Trial("hack", {"hacker": who, "target": who, "hack": hack})
    for verb in AVATAR_VERBS:
        yield Trial("cyber-attack", {"hacker": who, "target": who, "hack": {"verb": verb}})
