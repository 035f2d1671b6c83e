"""How drones, vehicles and hackers are put to use once, to see that they work: see `fracas.rulesets.cwn.trials`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.cwn.machines.cyber_attack import AVATAR_VERBS
from fracas.rulesets.cwn.machines.programs import CIRCUMSTANCES, DEVICE_VERBS, VERBS
from fracas.rulesets.cwn.machines.vehicles import OCCUPANTS

_SKILLED = {"skills": {"drive": 1, "program": 1, "exert": 0}, "intelligence": 12, "dexterity": 12}
_PILOT = {**_SKILLED, "base_attack_bonus": 2, "foci": {"drone-pilot": 2}}
_BODY = {"trauma_target": 6, "soak": 2, "hp": 10, "named": True}
_VICTIM = {**_BODY, "ranged_ac": 13, "melee_ac": 13, "save": 14}
_ABOARD = {**_BODY, "save": 14, "drives": True}


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
        yield Trial("ram", {"attacker": _SKILLED, "target": {**_VICTIM, **_SKILLED}, "vehicle": who})
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
        shot = {"target": _VICTIM, "target_2": _VICTIM, "drone": {"targeting_logic": 1}}
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
