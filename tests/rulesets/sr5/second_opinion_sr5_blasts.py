"""The second opinion on sr5: grenades, rockets and missiles (11.4). See `second_opinion_sr5`."""

from __future__ import annotations

from math import ceil, cos, hypot, radians, sin
from typing import Any

from second_opinion_sr5_harm import Harm, protected, struck
from second_opinion_sr5_people import Person, entries
from second_opinion_sr5_rules import Case, alone
from second_opinion_sr5_shots import Shot
from second_opinion_sr5_weapons import FURTHER, WORDS

SCATTER = {"standard": 1, "aerodynamic": 2, "launcher": 3, "rocket": 4, "missile": 5}
ON_THE_SPOT = 3
"""Hits with which it lands where it should."""


class Blast:
    """Something that explodes."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.thrown = case.said.get("aim", "place") == "place"
        self.load: dict[str, Any]
        if self.thrown:
            self.shot = Shot(case)
            self.load = self.shot.load
        else:
            said = case.said.get("load") or case.said["weapon"]
            self.load = entries("ammunition")[said]
        self.scatter, self.direction = 0, 0.0
        self.metres_known = any(case.person(who).has("spot_distance") for who in case.targets())

    def _harm(self, target: Person | None) -> Harm:
        load = self.load
        vehicle = target is not None and target.get("vehicle") and "ap_vehicle" in load
        ap = load["ap_vehicle"] if vehicle else load.get("ap", 0)
        return Harm(load.get("dv", 0), load.get("damage", ""), ap, load.get("element", ""))

    def prepare(self) -> None:
        """All numbers before the first die."""
        case = self.case
        if self.thrown:
            shot = self.shot
            self.dice = case.pool("attack.pool", shot.base() + shot.modifiers() + shot.recoil(0))
            self.limit = shot.accuracy()
            shot.refused()
        case.total("blast.value", self._harm(None).value)
        self.bodies = {}
        for who in case.targets():
            case.part(who)
            harm = self._harm(case.person(who))
            self.bodies[who] = (harm, *protected(case, who, harm))
        case.part("")

    def fly(self) -> None:
        """The test (3), and the scatter where it misses the place."""
        case = self.case
        case.out(threshold=ON_THE_SPOT)
        hits = alone(case, "attacker", "attack", self.dice, self.limit).kept
        if self.shot.mode or self.shot.weapon["category"] in ("grenade-launcher", "missile-launcher"):
            case.then("item", "attacker", "weapon", amount=-1)
        if hits < ON_THE_SPOT:
            kind = self._kind()
            rolled = sum(case.table.throw(SCATTER[kind]))
            airburst = (
                case.house and case.said.get("airburst") and kind == "launcher" and self.shot.who.get("dni")
            )
            self.scatter = max(0, rolled - hits * (2 if airburst else 1))
            if self.metres_known and self.scatter:
                self.direction = sum(case.table.throw(1)) * 60 % 360
                case.out(**{"blast.direction": self.direction})
        case.out(**{"blast.scatter": self.scatter})

    def _kind(self) -> str:
        if "scatter" in self.case.said:
            return str(self.case.said["scatter"])
        category = self.shot.weapon["category"]
        if category == "grenade-launcher":
            return "launcher"
        if category == "missile-launcher":
            return str(self.load["type"])
        return "aerodynamic" if self.shot.weapon.get("range") == "aerodynamic-grenade" else "standard"

    def away(self, person: Person) -> float | None:
        """Metres between somebody and where it goes off."""
        if person.has("blast_distance"):
            return float(person["blast_distance"])
        if not person.has("spot_distance"):
            return None
        place, bearing = person["spot_distance"], radians(person.get("bearing", 0))
        blown = radians(self.direction)
        north = place * cos(bearing) - self.scatter * cos(blown)
        east = place * sin(bearing) - self.scatter * sin(blown)
        return round(hypot(north, east), 9)

    def reach(self, who: str) -> None:
        """What it does to somebody; nothing dodges it."""
        case, person = self.case, self.case.person(who)
        away = self.away(person)
        if away is None:
            return
        harm, armor, pool = self.bodies[who]
        if "dv" not in self.load and ceil(away) <= self.load.get("radius", -1):
            case.out(result="hit", damage=0, contact=True, knockdown=False)
            return
        if "radius" in self.load:
            value = harm.value if ceil(away) <= self.load["radius"] else 0
        else:
            value = harm.value - self.load.get("blast_loss", 0) * ceil(away)
        if value <= 0:
            case.out(result="miss", damage=0, track=None)
            return
        struck(case, who, harm._replace(value=value), 0, armor, pool)


def blast_attack(case: Case) -> None:
    """A grenade, rocket or missile against a place."""
    case.only(f"{WORDS} {FURTHER} aim scatter airburst fuse")
    blast = Blast(case)
    blast.prepare()
    if case.refusals:
        return
    if blast.thrown:
        blast.fly()
    else:
        case.out(**{"blast.scatter": 0})
    if case.said.get("fuse") == "next-phase":
        case.then("schedule", "attacker", "grenade-goes-off")
        return
    for who in case.targets():
        case.part(who)
        blast.reach(who)
