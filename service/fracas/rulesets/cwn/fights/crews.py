"""Drones, vehicles and programs in a fight: who controls, drives, fires and hacks (rulebook sections 13 and 14).

A pilot is ``controlling`` towards a drone, which is ``controlled`` towards the pilot: it acts by the pilot's Actions,
and has none of its own. Those ``aboard`` a vehicle are of its side in initiative; ``driving`` and ``at-the-gun`` show
who does what there. A vehicle has no Actions of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.cwn.attacks.contested import EMITTER
from fracas.rulesets.cwn.attacks.facts import FITTINGS
from fracas.rulesets.cwn.fights.sheet import level, listed, slugs
from fracas.rulesets.cwn.machines import hack, vehicles
from fracas.rulesets.cwn.vocabulary import attribute_modifier

CONTROLLING, CONTROLLED = "controlling", "controlled"
HIJACKING, HIJACKED = "hijacking", "hijacked"
ABOARD, DRIVING, AT_THE_GUN = "aboard", "driving", "at-the-gun"
_SEATS = (DRIVING, AT_THE_GUN, ABOARD)


def is_machine(sheet: Mapping[str, Any]) -> bool:
    return bool(sheet.get("machine"))


def is_vehicle(sheet: Mapping[str, Any]) -> bool:
    """A machine with people in it; drones have no Armor of vehicles."""
    return is_machine(sheet) and sheet.get("vehicle_armor") is not None


def is_drone(one: Participant) -> bool:
    return is_machine(one.sheet) and not is_vehicle(one.sheet)


def strengthened(
    sheet: Mapping[str, Any], given: Mapping[str, Any], lookup: EntryLookup, options: Mapping[str, Any]
) -> Mapping[str, Any]:
    """A vehicle's sheet with the hit points that fittings add (Extra Durability), unless they are given."""
    fitted = sheet.get("vehicle_fittings", ()) if "use" in given else ()
    rows = [row_of(lookup, FITTINGS, slug) for slug in fitted]
    percent = next((row["hp_percent"] for row in rows if row.get("hp_percent")), 100)
    up = 99 if options["half_rounding"] == "up" else 0
    names = (name for name in ("hp", "hp_maximum") if name in sheet and name not in given)
    more = {name: (sheet[name] * percent + up) // 100 for name in names}
    return sheet if percent == 100 else {**sheet, **more}


def acts_by_itself(who: Participant) -> bool:
    """Whether a combatant has slots at all: no vehicle, and no drone under control or hijacked."""
    return not is_vehicle(who.sheet) and who.conditions.isdisjoint((CONTROLLED, HIJACKED))


def flies(who: Participant) -> frozenset[str]:
    """Ids of the drones that a combatant controls, or has hijacked."""
    return who.towards.get(CONTROLLING, frozenset()) | who.towards.get(HIJACKING, frozenset())


def vehicle_of(who: Participant) -> str:
    """Id of the vehicle that a combatant is in, or is; "" for none."""
    if is_vehicle(who.sheet):
        return who.id
    return next((id for seat in _SEATS for id in sorted(who.towards.get(seat, ()))), "")


def side_of(who: Participant) -> str:
    """Whose initiative counts for a combatant: each vehicle is a side of its own (13.2)."""
    return f"vehicle {vehicle}" if (vehicle := vehicle_of(who)) else who.side


def most_drones(who: Participant) -> int | None:
    """Drones controlled at a time: 1 + Drive with a Remote Control Unit, else one by its board; None if not known."""
    unit = listed(who.sheet, "augmentations", "remote-control-unit")
    if not unit:
        return None if unit is None else 1
    drive = level(who.sheet, "skills", "drive")
    return None if drive is None else 1 + max(0, drive)


def controls(who: Participant, drone: Participant | None) -> bool | None:
    """Whether a combatant controls a drone, or any; None where the fight knows of none of their drones."""
    mine = flies(who)
    if not mine:
        return None if drone is None or not is_machine(drone.sheet) else False
    return drone is None or not is_machine(drone.sheet) or drone.id in mine


def is_known(table: Table) -> bool:
    """Whether the fight knows of anybody aboard anything."""
    return any(not other.conditions.isdisjoint(_SEATS) for other in table.participants.values())


# Crews.


_HAPPENS = ("crash", "vehicle-destroyed")
GUNNER, BOARD = "gunner", "targeting-board"
GUNS_OF_BOARD = 3
"""Guns that one gunner fires with a Targeting Board (13.2)."""
_SALVO = "gun-salvo"
MOST_BESIDE = len(vehicles.OCCUPANTS) - 1
"""People aboard that a step has room for, beside one that it names."""


def aboard(table: Table, vehicle: str) -> list[Participant]:
    """Everybody in a vehicle, the driver first."""
    found = [one for one in table.participants.values() if one.id != vehicle and vehicle_of(one) == vehicle]
    return sorted(found, key=lambda one: vehicle not in one.towards.get(DRIVING, ()))


def driver_of(table: Table, vehicle: str) -> Participant | None:
    """The one who sits at the wheel, or flies the drone."""
    for one in table.participants.values():
        seats = one.towards.get(DRIVING, frozenset()) | flies(one)
        if vehicle in seats:
            return one
    return None


def drone_of(table: Table, who: Participant, intent: Intent) -> Participant | None:
    """The drone that fires: the first of the others, or else one that can act, of those that a combatant flies."""
    if intent.others:
        return intent.others[0]
    if is_alone(intent):
        return who
    flown = [table.participants[id] for id in table.participants if id in flies(who)]
    flown.sort(key=lambda one: (not one.able, _aims_at(intent, one)))
    return next(iter(flown), None)


def _aims_at(intent: Intent, drone: Participant) -> bool:
    return intent.target is not None and drone.id == intent.target.id


def is_alone(intent: Intent) -> bool:
    """Whether a drone fires that nobody aims."""
    return bool(intent.action.get("situation", {}).get("volley", {}).get("alone"))


def bystanders(table: Table, who: Participant, intent: Intent) -> list[str]:
    """All aboard what crashes or is destroyed; both sides of a ramming; the drone; who defends against a program."""
    procedure = intent.action.get("procedure")
    if procedure == "hack":
        return _defending(table, who, intent)
    if procedure in _HAPPENS:
        target = intent.target.id if intent.target else ""
        return [one.id for one in aboard(table, who.id) if one.id != target][:MOST_BESIDE]
    if procedure == "drone-attack":
        drone = drone_of(table, who, intent)
        return [drone.id] if drone is not None and not _aims_at(intent, drone) else []
    if procedure == "ram" and intent.target is not None and (own := vehicle_of(who)):
        other = driver_of(table, intent.target.id)
        return [own] if other is None or own == intent.target.id else [own, other.id]
    return []


def objections(table: Table, who: Participant, intent: Intent) -> list[str]:
    """What is wrong with who flies or drives what."""
    procedure, target = intent.action.get("procedure"), intent.target
    if GUNNER in intent.action.get("needs", ()):
        return _of_gunner(table, who, intent)
    if procedure == "drone-attack":
        return _of_drone(table, who, intent)
    if procedure == "drive" and DRIVING not in intent.action.get("conditions", ()):
        driven = who.towards.get(DRIVING)
        if target is not None and driven and target.id not in driven:
            return ["drives another vehicle"]
        if target is not None and not target.able:
            return [f"{target.name} is out of it"]
    if procedure == "ram" and target is not None and vehicle_of(who) == target.id:
        return ["nobody rams the vehicle that they are in"]
    return []


def _of_drone(table: Table, who: Participant, intent: Intent) -> list[str]:
    drone = drone_of(table, who, intent)
    if drone is None:
        return []
    if _aims_at(intent, drone):
        return ["a drone does not fire at itself"]
    known = flies(who)
    mine = drone.id == who.id if is_alone(intent) else not known or drone.id in known
    if not mine or not is_machine(drone.sheet):
        return ["needs a drone that fires, as the first of the others"]
    return [] if drone.able else [f"{drone.name} is out of it"]


def motion(table: Table, one: Participant) -> dict[str, Any]:
    """Whether a vehicle moves, and how well it is driven; nothing of anything else."""
    if not is_vehicle(one.sheet):
        return {}
    known: dict[str, Any] = {}
    if vehicles.UNDER_WAY not in one.conditions and "vehicle_state" not in one.sheet and is_known(table):
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
    for those who are out of it, or where it is not known."""
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
    mounts = who.towards.get(AT_THE_GUN, frozenset())
    return next((id for id in table.participants if id in mounts), "")


def shots(intent: Intent) -> tuple[str, ...]:
    """What is counted of shots of a vehicle's guns: Main Actions for them, and shots of each gun."""
    if GUNNER not in intent.action.get("needs", ()) or "procedure" not in intent.action:
        return ()
    return (_shot_of(intent),) if _is_further_shot(intent) else (_SALVO, _shot_of(intent))


def further_guns(table: Table, who: Participant) -> int:
    """How many guns a gunner with a Targeting Board fires beside the first of each Main Action."""
    mounts = who.towards.get(AT_THE_GUN, frozenset())
    sheets = (table.participants[id].sheet for id in mounts if id in table.participants)
    board = any(listed(sheet, "vehicle_fittings", BOARD) for sheet in sheets)
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
    """Whether a combatant shoots out of a vehicle that moves; None in none. Actions of its own guns do not care."""
    vehicle = table.participants.get(vehicle_of(who))
    if vehicle is None or vehicle.id == who.id:
        return None
    return vehicles.UNDER_WAY in vehicle.conditions


# Programs.


DEFENDED = hack.RUNNING[hack.DEFEND][1]


def running(who: Participant) -> int:
    """How many programs of a combatant go on; one that they run for themselves is bound to nobody."""
    mine = sum(len(who.towards.get(own, ())) for own, _ in hack.RUNNING.values())
    return mine + (DEFENDED in who.conditions and not who.towards.get(DEFENDED))


def _defending(table: Table, who: Participant, intent: Intent) -> list[str]:
    """The one who defends the target."""
    if intent.action.get("procedure") != "hack" or intent.target is None:
        return []
    defenders = intent.target.towards.get(DEFENDED, frozenset())
    return [id for id in table.participants if id in defenders and id not in (who.id, intent.target.id)][:1]


def is_frozen(who: Participant, intent: Intent, *, hacking: bool) -> bool:
    """Whether a paralyzed avatar keeps a combatant's body from it: programs may still be run and ended."""
    ends = any(own in intent.action.get("removes", ()) for own, _ in hack.RUNNING.values())
    happens = intent.action.get("gm") or intent.action.get("while_unable")
    return "avatar-paralyzed" in who.conditions and not (hacking or ends or happens)


def has_board(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """Whether the vehicle whose gun is fired has a Targeting Board."""
    mount = table.participants.get(gun_mount(table, actor, intent.action))
    return None if mount is None else listed(mount.sheet, "vehicle_fittings", BOARD)


def has_drone(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """Whether a drone is under control; of what it does to a combatant it is the first of the others."""
    fires = intent.action.get("procedure") == "drone-attack"
    return controls(actor, next(iter(intent.others), None) if fires else intent.target)
