"""Drones and vehicles in a fight: who controls them, who is aboard, and how they fit into the order (section 13).

A pilot is ``controlling`` towards a drone, which is ``controlled`` towards the pilot: it acts by the pilot's Actions,
and has none of its own. Those ``aboard`` a vehicle are of its side in initiative; ``driving`` and ``at-the-gun`` tell
who does what there. A vehicle has no Actions of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Participant, Table
from fracas.kernel.tables import row_of
from fracas.kernel.vocabulary import Catalog
from fracas.rulesets.cwn.attacks.facts import FITTINGS
from fracas.rulesets.cwn.fights.sheet import level, listed

CONTROLLING, CONTROLLED = "controlling", "controlled"
HIJACKING, HIJACKED = "hijacking", "hijacked"
ABOARD, DRIVING, AT_THE_GUN = "aboard", "driving", "at-the-gun"
_WHOLE = ("hp", "hp_maximum")
_SEATS = (DRIVING, AT_THE_GUN, ABOARD)


def is_machine(sheet: Mapping[str, Any]) -> bool:
    return bool(sheet.get("machine"))


def is_vehicle(sheet: Mapping[str, Any]) -> bool:
    """A machine with people in it; drones have no Armor of vehicles."""
    return is_machine(sheet) and sheet.get("vehicle_armor") is not None


def strengthened(
    sheet: Mapping[str, Any], said: Mapping[str, Any], catalog: Catalog, options: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The sheet of a vehicle with the hit points that its fittings add to those of the packs (Extra Durability); hit
    points that are said are as they are."""
    fitted = sheet.get("vehicle_fittings", ()) if "use" in said else ()
    percent = next(
        (row["hp_percent"] for slug in fitted if (row := _fitting(catalog, slug)).get("hp_percent")), 100
    )
    up = 99 if options.get("half_rounding") == "up" else 0
    more = {
        name: (sheet[name] * percent + up) // 100 for name in _WHOLE if name in sheet and name not in said
    }
    return sheet if percent == 100 else {**sheet, **more}


def _fitting(catalog: Catalog, slug: str) -> Mapping[str, Any]:
    return row_of(catalog, FITTINGS, slug)


def acts_by_itself(who: Participant) -> bool:
    """Whether somebody has slots at all: no vehicle, and no drone under control or hijacked."""
    return not is_vehicle(who.sheet) and who.conditions.isdisjoint((CONTROLLED, HIJACKED))


def flies(who: Participant) -> frozenset[str]:
    """Ids of the drones that somebody controls, or has hijacked."""
    return who.towards.get(CONTROLLING, frozenset()) | who.towards.get(HIJACKING, frozenset())


def vehicle_of(who: Participant) -> str:
    """Id of the vehicle that somebody is in, or is; "" for none."""
    if is_vehicle(who.sheet):
        return who.id
    return next((id for seat in _SEATS for id in sorted(who.towards.get(seat, ()))), "")


def side_of(who: Participant) -> str:
    """Whose initiative counts for somebody: each vehicle is a side of its own (13.2)."""
    return f"vehicle {vehicle}" if (vehicle := vehicle_of(who)) else who.side


def most_drones(who: Participant) -> int | None:
    """How many drones somebody controls at a time: 1 + Drive with a Remote Control Unit, otherwise one by its board;
    None where it is not known."""
    unit = listed(who.sheet, "augmentations", "remote-control-unit")
    if not unit:
        return None if unit is None else 1
    drive = level(who.sheet, "skills", "drive")
    return None if drive is None else 1 + max(0, drive)


def controls(who: Participant, drone: Participant | None) -> bool | None:
    """Whether somebody controls a drone, or any; None where the fight knows of no drones of his."""
    mine = flies(who)
    if not mine:
        return None if drone is None or not is_machine(drone.sheet) else False
    return drone is None or not is_machine(drone.sheet) or drone.id in mine


def seated(table: Table, who: Participant, seat: str) -> bool | None:
    """Whether somebody drives, or sits at a gun; None where the fight knows of nobody aboard anything."""
    if seat in who.conditions:
        return True
    return False if is_told(table) else None


def is_told(table: Table) -> bool:
    """Whether the fight knows of anybody aboard anything."""
    return any(not other.conditions.isdisjoint(_SEATS) for other in table.participants.values())
