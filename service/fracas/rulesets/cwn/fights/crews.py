"""What a fight knows of drones and vehicles in a step: who flies them, who is aboard, whether they move (13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.things import slug_of
from fracas.rulesets.cwn.attacks.contested import EMITTER
from fracas.rulesets.cwn.attacks.facts import attribute_modifier
from fracas.rulesets.cwn.fights import machines
from fracas.rulesets.cwn.fights.sheet import OF_VICTIMS, is_surprised, level, listed, slugs, unused
from fracas.rulesets.cwn.machines.ramming import DRIVER, OTHER_DRIVER, RamProcedure
from fracas.rulesets.cwn.machines.vehicles import (
    OCCUPANTS,
    UNDER_WAY,
    CrashProcedure,
    DriveProcedure,
    VehicleDestroyed,
)
from fracas.rulesets.cwn.machines.volley import DRONE, TARGETS_OF_VOLLEY, DroneAttack

_HAPPENS = (CrashProcedure.id, VehicleDestroyed.id)
MACHINES = frozenset((DroneAttack.id, DriveProcedure.id, RamProcedure.id, *_HAPPENS))
GUNNER, BOARD = "gunner", "targeting-board"
GUNS_OF_BOARD = 3
"""Guns that one gunner fires with a Targeting Board (13.2)."""
_SALVO = "gun-salvo"
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
    if GUNNER in intent.action.get("needs", ()):
        return _of_gunner(table, who, intent)
    if procedure == DroneAttack.id:
        return _of_drone(table, who, intent)
    if procedure == DriveProcedure.id and machines.DRIVING not in intent.action.get("conditions", ()):
        driven = who.towards.get(machines.DRIVING)
        if target is not None and driven and target.id not in driven:
            return ["drives another vehicle"]
        if target is not None and not target.able:
            return [f"{target.name} is out of it"]
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
        return ["needs a drone that fires, as the first of the others"]
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
    known |= unused(one, OF_VICTIMS)
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
    if EMITTER in slugs(one.sheet.get("vehicle_fittings")) and "ecm" not in one.sheet:
        found = [bonus for member in aboard(table, one.id) if (bonus := _jamming(member)) is not None]
        known |= {"ecm": max(found)} if found else {}
    driver = driver_of(table, one.id)
    if driver is not None and (skill := _drive(driver)) is not None:
        known["driver_skill"] = skill
    return known


def _jamming(member: Participant) -> int | None:
    """What one of the crew adds to the check with an ECM Emitter: Intelligence and Program, or a printed skill; None
    for who is out of it, or of whom it is not known."""
    if not member.able:
        return None
    program, intelligence = level(member.sheet, "skills", "program"), member.sheet.get("intelligence")
    if program is None or not isinstance(intelligence, int):
        printed = member.sheet.get("skill_bonus")
        return printed if isinstance(printed, int) else None
    return program + attribute_modifier(intelligence)


def _drive(driver: Participant) -> int | None:
    """The level of Drive, 0 if untrained; of a stat block its printed skill (ours)."""
    found = level(driver.sheet, "skills", "drive")
    printed = driver.sheet.get("skill_bonus")
    if found is None:
        return printed if isinstance(printed, int) else None
    return max(0, found)


def gun_mount(table: Table, who: Participant, action: Mapping[str, Any]) -> str:
    """Id of the vehicle whose gun an action uses; "" for no such action, or where the fight knows of no vehicle."""
    if GUNNER not in action.get("needs", ()):
        return ""
    mounts = who.towards.get(machines.AT_THE_GUN, frozenset())
    return next((id for id in table.participants if id in mounts), "")


def shots(intent: Intent) -> tuple[str, ...]:
    """What is counted of shots of a vehicle's guns: Main Actions for them, and shots of each gun."""
    if GUNNER not in intent.action.get("needs", ()) or "procedure" not in intent.action:
        return ()
    return (_shot_of(intent),) if _is_further_shot(intent) else (_SALVO, _shot_of(intent))


def further_guns(table: Table, who: Participant) -> int:
    """How many guns a gunner with a Targeting Board fires beside the first of each Main Action."""
    mounts = who.towards.get(machines.AT_THE_GUN, frozenset())
    board = any(
        listed(table.participants[id].sheet, "vehicle_fittings", BOARD)
        for id in mounts
        if id in table.participants
    )
    return (GUNS_OF_BOARD - 1) * who.did.get(_SALVO, 0) if board else 0


def _shot_of(intent: Intent) -> str:
    return f"gun {intent.item}"


def _is_further_shot(intent: Intent) -> bool:
    return any("gun" in tokens for tokens in intent.action.get("cost", ()))


def _of_gunner(table: Table, who: Participant, intent: Intent) -> list[str]:
    mount = gun_mount(table, who, intent.action)
    if mount and not table.participants[mount].able:
        return [f"{table.participants[mount].name} is out of it"]
    if mount and _is_further_shot(intent) and who.did.get(_shot_of(intent), 0) >= who.did.get(_SALVO, 0):
        return ["this gun has fired already"]
    return []


def in_moving_vehicle(table: Table, who: Participant) -> bool | None:
    """Whether somebody shoots out of a vehicle that moves; None where he is in none. Of its own guns their actions say
    that it does not matter."""
    vehicle = table.participants.get(machines.vehicle_of(who))
    if vehicle is None or vehicle.id == who.id:
        return None
    return UNDER_WAY in vehicle.conditions
