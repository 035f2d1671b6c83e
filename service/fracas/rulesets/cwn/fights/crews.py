"""What a fight knows of drones and vehicles in a step: who flies them, who is aboard, whether they move (13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.things import slug_of
from fracas.kernel.turns import Intent, Participant, Table
from fracas.rulesets.cwn.fights import machines
from fracas.rulesets.cwn.fights.sheet import is_surprised, level, listed
from fracas.rulesets.cwn.machines.aboard import OCCUPANTS, UNDER_WAY
from fracas.rulesets.cwn.machines.crash import CrashProcedure
from fracas.rulesets.cwn.machines.driving import DriveProcedure
from fracas.rulesets.cwn.machines.ramming import DRIVER, OTHER_DRIVER, RamProcedure
from fracas.rulesets.cwn.machines.volley import DroneAttack
from fracas.rulesets.cwn.machines.volley_vocabulary import DRONE, TARGETS_OF_VOLLEY
from fracas.rulesets.cwn.machines.wreck import VehicleDestroyed

_HAPPENS = (CrashProcedure.id, VehicleDestroyed.id)
MACHINES = frozenset((DroneAttack.id, DriveProcedure.id, RamProcedure.id, *_HAPPENS))
MOST_BESIDE = len(OCCUPANTS) - 1
"""People aboard for whom a step has room, beside one whom it names."""


def aboard(table: Table, vehicle: str) -> list[Participant]:
    """Everybody in a vehicle, the driver first."""
    found = [
        one
        for one in table.participants.values()
        if one.id != vehicle and machines.vehicle_of(one) == vehicle
    ]
    return sorted(found, key=lambda one: vehicle not in one.towards.get(machines.DRIVING, ()))


def driver_of(table: Table, vehicle: str) -> Participant | None:
    """Whoever sits at the wheel, or flies the drone."""
    for one in table.participants.values():
        seats = one.towards.get(machines.DRIVING, frozenset()) | machines.flies(one)
        if vehicle in seats:
            return one
    return None


def drone_of(table: Table, who: Participant, intent: Intent) -> Participant | None:
    """The drone that fires: the first of the others, or else one that can act, of those that somebody flies."""
    if intent.others:
        return intent.others[0]
    if is_alone(intent):
        return who
    flown = [table.participants[id] for id in table.participants if id in machines.flies(who)]
    flown.sort(key=lambda one: (not one.able, _aims_at(intent, one)))
    return next(iter(flown), None)


def _aims_at(intent: Intent, drone: Participant) -> bool:
    return intent.target is not None and drone.id == intent.target.id


def is_alone(intent: Intent) -> bool:
    """Whether a drone fires that nobody aims."""
    return bool(intent.action.get("situation", {}).get("volley", {}).get("alone"))


def bystanders(table: Table, who: Participant, intent: Intent) -> list[str]:
    """Everybody aboard a vehicle that crashes or is destroyed; the vehicles and drivers of a ramming; the drone."""
    procedure = intent.action.get("procedure")
    if procedure in _HAPPENS:
        target = intent.target.id if intent.target else ""
        return [one.id for one in aboard(table, who.id) if one.id != target][:MOST_BESIDE]
    if procedure == DroneAttack.id:
        drone = drone_of(table, who, intent)
        return [drone.id] if drone is not None and not _aims_at(intent, drone) else []
    if procedure == RamProcedure.id and intent.target is not None and (own := machines.vehicle_of(who)):
        other = driver_of(table, intent.target.id)
        return [own] if other is None or own == intent.target.id else [own, other.id]
    return []


def objections(table: Table, who: Participant, intent: Intent) -> list[str]:
    """What is wrong with who flies or drives what."""
    procedure, target = intent.action.get("procedure"), intent.target
    if procedure == DroneAttack.id:
        return _of_drone(table, who, intent)
    if procedure == DriveProcedure.id and machines.DRIVING not in intent.action.get("conditions", ()):
        driven = who.towards.get(machines.DRIVING)
        if target is not None and driven and target.id not in driven:
            return ["drives another vehicle"]
    if procedure == RamProcedure.id and target is not None and machines.vehicle_of(who) == target.id:
        return ["nobody rams the vehicle that he is in"]
    return []


def _of_drone(table: Table, who: Participant, intent: Intent) -> list[str]:
    drone = drone_of(table, who, intent)
    if drone is None:
        return []
    if _aims_at(intent, drone):
        return ["a drone does not fire at itself"]
    known = machines.flies(who)
    mine = drone.id == who.id if is_alone(intent) else not known or drone.id in known
    if not mine or not machines.is_machine(drone.sheet):
        return ["the first of the others is the drone that fires"]
    return [] if drone.able else [f"{drone.name} is out of it"]


def situated(
    table: Table,
    actor: Participant,
    target: Participant | None,
    procedure: str,
    others: Mapping[str, Participant],
    may_defend: Callable[[Table, Participant], bool],
) -> dict[str, dict[str, Any]]:
    """What the fight knows of these procedures, nested as in a request."""
    people = {**({"target": target} if target is not None else {}), **others}
    if procedure == DroneAttack.id:
        known = {
            record: _shot_at(table, one, may_defend)
            for record, one in people.items()
            if record in TARGETS_OF_VOLLEY
        }
        return known | {"volley": _mounts(others.get(DRONE, actor), len(known))}
    if procedure == RamProcedure.id:
        known = {DRIVER: {"player": actor.player}}
        for record, one in people.items():
            if record == OTHER_DRIVER or (record == "target" and not machines.is_machine(one.sheet)):
                known[record] = {"player": one.player}
        return known
    if procedure in _HAPPENS:
        aboard = {OCCUPANTS[0]: target, **others} if target is not None else others
        return {
            record: {"drives": actor.id in one.towards.get(machines.DRIVING, ())}
            for record, one in aboard.items()
            if record in OCCUPANTS
        }
    return {}


def _shot_at(
    table: Table, one: Participant, may_defend: Callable[[Table, Participant], bool]
) -> dict[str, Any]:
    known: dict[str, Any] = {"can_total_defense": may_defend(table, one), **motion(table, one)}
    if "iron_hand" not in one.sheet and listed(one.sheet, "augmentations", "iron-hand-aegis"):
        known["iron_hand"] = True
    if is_surprised(one):
        known["unsuspecting"] = True
    return known


def _mounts(drone: Participant, targets: int) -> dict[str, Any]:
    """The weapons of a drone as far as there are targets for them, with their rounds; nothing where it has none."""
    things = list(drone.items.items())[:targets]
    if not things:
        return {}
    known: dict[str, Any] = {"weapons": [slug_of(name) for name, _ in things]}
    for number, (name, state) in enumerate(things, start=1):
        known[f"thing_{number}"] = name
        if isinstance(state.get("rounds"), int):
            known[f"rounds_{number}"] = state["rounds"]
    return known


def motion(table: Table, one: Participant) -> dict[str, Any]:
    """Whether a vehicle moves, and how well it is driven; nothing of anything else."""
    if not machines.is_vehicle(one.sheet):
        return {}
    known: dict[str, Any] = {}
    if UNDER_WAY not in one.conditions and "vehicle_state" not in one.sheet and machines.is_told(table):
        known["vehicle_state"] = "stationary"
    driver = driver_of(table, one.id)
    if driver is not None and (skill := _drive(driver)) is not None:
        known["driver_skill"] = skill
    return known


def _drive(driver: Participant) -> int | None:
    """The level of Drive, 0 if untrained; of a stat block its printed skill (ours)."""
    found = level(driver.sheet, "skills", "drive")
    printed = driver.sheet.get("skill_bonus")
    if found is None:
        return printed if isinstance(printed, int) else None
    return max(0, found)


def in_moving_vehicle(table: Table, who: Participant) -> bool | None:
    """Whether somebody shoots out of a vehicle that moves, with no gun of the vehicle; None where he is in none."""
    vehicle = table.participants.get(machines.vehicle_of(who))
    if vehicle is None or vehicle.id == who.id:
        return None
    return UNDER_WAY in vehicle.conditions and machines.AT_THE_GUN not in who.conditions
