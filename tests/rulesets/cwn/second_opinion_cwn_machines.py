"""The second opinion on cwn: drones and vehicles (section 13). See `second_opinion_cwn`."""

from __future__ import annotations

from typing import Any

from second_opinion_cwn_attack import Blow
from second_opinion_cwn_blows import roll
from second_opinion_cwn_rules import Case, Person, armed, entries, fall, hurt, known, lasting_injury, saved
from second_opinions import NotUnderstoodError

PLACES = tuple(f"victim_{number}" for number in range(1, 9))
TARGETS = ("target", "target_2", "target_3")
ON_ITS_OWN = 2
"""Attack bonus of a drone's weapon that its operator does not aim."""
RAMMING = ("1d12", 3)
"""Trauma Die and Rating of whoever is rammed."""


def whole(vehicle: Person) -> int:
    """The hit points of a vehicle that nothing has happened to."""
    if vehicle.has("hp_maximum"):
        return int(vehicle["hp_maximum"])
    return int(entries("combatants")[vehicle["use"]]["hp"])


def must_save(case: Case, who: str, victim: Person, kind: str) -> int:
    """The target of a save that is thrown."""
    target = victim.save(kind)
    if target is None:
        raise NotUnderstoodError("a save that nothing says")
    return case.total(f"{who}.save.{kind}", target)


def destroyed(case: Case) -> None:
    """Those inside suffer what the vehicle suffered after its Armor; a Luck save halves it (R20)."""
    case.only(f"vehicle {' '.join(PLACES)}")
    suffered = case.person("vehicle")["wreck_damage"]
    for name in case.victims():
        victim = case.person(name)
        success = saved(case, must_save(case, name, victim, "luck"))
        case.out(f"{name}.", result="saved" if success else "hit", saved=success)
        hurt(case, name, victim, case.half(suffered) if success else suffered, lethal=True, prefix=f"{name}.")


def drive(case: Case) -> None:
    """Keeps a vehicle on its course until the end of the next round, or stops it; nothing is rolled."""
    case.only("driver vehicle drive")
    how = case.said.get("drive", {})
    known(how, "stops", "drive")
    stops = bool(how.get("stops"))
    case.out(moving=not stops)
    case.then("remove-condition" if stops else "add-condition", "vehicle", "under-way")
    if not stops:
        case.then("schedule", "vehicle", "lose-control", when="turn-end", turns=1)


def crash(case: Case) -> None:
    """Physical and Luck of everybody aboard; without a driver first a Luck save whether it crashes at all."""
    case.only(f"vehicle crash {' '.join(PLACES)}")
    how = case.said.get("crash", {})
    known(how, "uncontrolled", "crash")
    aboard = {name: case.person(name) for name in case.victims()}
    for name, victim in aboard.items():
        for kind in ("physical", "luck"):
            must_save(case, name, victim, kind)
    if how.get("uncontrolled"):
        lucky = next((name for name, one in aboard.items() if one.get("drives")), next(iter(aboard)))
        if saved(case, must_save(case, lucky, aboard[lucky], "luck")):
            case.out(result="on-course")
            case.then("schedule", "vehicle", "lose-control", when="turn-end", turns=1)
            return
    case.out("crash.", result="crashed")
    case.then("remove-condition", "vehicle", "under-way")
    for name, victim in aboard.items():
        shaken(case, name, victim)


def shaken(case: Case, name: str, victim: Person) -> None:
    """What a crash does to one of those aboard."""
    failed = sum(not saved(case, case.totals[f"{name}.save.{kind}"]) for kind in ("physical", "luck"))
    case.out(f"{name}.", result=("fine", "one-failed", "both-failed")[failed])
    if failed < 2:
        most = victim.get("hp_maximum", victim.get("hp", 0))
        hurt(case, name, victim, case.half(most) if failed else 0, lethal=True, soakable=0, prefix=f"{name}.")
        return
    case.out(f"{name}.", hp_after=0)
    case.harm["mark", name, "hp"] = victim["hp"]
    if not victim.get("named") or victim.get("frail"):
        fall(case, name, victim, 0, lethal=True, traumatic=False, prefix=f"{name}.")
        return
    case.then("add-condition", name, "mortally-wounded", unit="round", length=6, **{"from": "next"})
    injury, down = lasting_injury(case, victim)
    if injury.endswith("arm-ruined"):
        case.then("add-condition", name, "arm-ruined")
    case.out(f"{name}.", down=down, major_injury=injury)


def rammed(case: Case, name: str, victim: Person, damage: int) -> None:
    """The blow of a vehicle: its hit points, with a Trauma Die."""
    die, rating = RAMMING
    goal = case.total(f"{name}.trauma.target", victim.trauma_target())
    traumatic = case.table.sum(die) + (2 if victim.drug("boneshaker") else 0) >= goal
    damage = damage * (rating if traumatic else 1) - victim.armor_plate()
    case.out(f"{name}.", result="hit", traumatic=traumatic)
    hurt(case, name, victim, max(0, damage), lethal=True, traumatic=traumatic, prefix=f"{name}.")


def ram(case: Case) -> None:
    """Drive against Exert, or against the other driver: what the whole vehicle had as damage."""
    case.only("attacker target vehicle other_driver")
    driver, target, vehicle = case.person("attacker"), case.person("target"), case.person("vehicle")
    mine = case.total("ram.check", driver.check(("drive",), ("dexterity",)))
    contested = True
    if target.get("machine"):
        contested = "other_driver" in case.said
        other, skill = case.person("other_driver"), "drive"
    else:
        other, skill = target, "exert"
    if contested:
        dodge = other.check((skill,), ("dexterity",)) - (other.heavy() if skill == "exert" else 0)
        theirs = case.total("ram.dodge", dodge)
        mine += case.table.sum("2d6")
        theirs += case.table.sum("2d6")
        case.out(ram_total=mine)
        if mine < theirs or (mine == theirs and (other.get("player") or not driver.get("player"))):
            case.out(result="avoided")
            return
    case.out("ram.", result="rammed")
    damage = whole(vehicle)
    if target.get("machine"):
        rammed(case, "target", target, damage)
        rammed(case, "vehicle", vehicle, damage)
    elif saved(case, must_save(case, "target", target, "evasion")):
        case.out("target.", result="saved", hp_loss=0)
    else:
        rammed(case, "target", target, damage)


OWN = "killing_blow level cyberware augmentations gunlink_rerolls veterans_luck"
"""What of the operator counts for the weapon that he aims, beside numbers."""


class Barrel(Blow):
    """One weapon of a drone.

    Its numbers are the operator's where he aims it, and 2 otherwise; a few things add to all weapons.
    """

    def __init__(self, case: Case, attacker: Person, target: Person, weapon: Any, more: int) -> None:
        super().__init__(case, attacker, target, weapon, {})
        self.more = more

    def besides(self) -> int:
        return self.more


def aiming(operator: Person) -> dict[str, Any]:
    """Who fires the weapon that the operator aims: Drive or Program, Intelligence or Dexterity."""
    facts = {name: operator[name] for name in OWN.split() if operator.has(name)}
    if operator.has("attack_bonus_ranged"):
        return facts | {"attack_bonus_ranged": operator["attack_bonus_ranged"]}
    facts["base_attack_bonus"] = operator["base_attack_bonus"]
    facts["attribute_modifier"] = operator.best(("intelligence", "dexterity"))
    levels = [operator.skills[skill] for skill in ("drive", "program") if skill in operator.skills]
    return facts | ({"skill_level": max(levels)} if levels else {})


def volley(case: Case) -> None:
    """All weapons of a drone, each at a target of its own; one of them is aimed by the operator."""
    case.only(f"attacker drone volley distance {' '.join(TARGETS)}")
    how, operator, drone = case.said["volley"], case.person("attacker"), case.person("drone")
    known(how, "weapons alone rounds_1 rounds_2 rounds_3", "volley")
    fired = [
        (place, slug, how.get(f"rounds_{number}"))
        for number, (place, slug) in enumerate(zip(TARGETS, how["weapons"], strict=False), 1)
        if place in case.said
    ]
    steady = 2 if operator.focus("drone-pilot", 2) and not how.get("alone") else 0
    steady -= 2 if operator.get("control_board") and not how.get("alone") else 0
    steady += drone.get("targeting_logic", 0) if how.get("alone") else 0
    barrels = []
    for place, slug, rounds in fired:
        aimed = place == "target" and not how.get("alone")
        facts = aiming(operator) if aimed else {"attack_bonus_ranged": ON_ITS_OWN}
        part = case.part(place, {"distance": case.person(place).get("distance", case.said.get("distance"))})
        weapon = armed(slug) | ({"rounds": rounds} if rounds is not None else {})
        barrel = Barrel(part, Person(facts), case.person(place), weapon, steady)
        case.refusals |= barrel.refused()
        barrels.append((place, slug, barrel))
    if case.refusals:
        return
    case.out("drone.", weapons=len(barrels))
    for place, slug, barrel in barrels:
        roll(barrel, "target")
        case.take_over(barrel.case, place)
        case.harm["item", "drone", slug] = -1


MACHINES = {
    "vehicle-destroyed": destroyed,
    "crash": crash,
    "ram": ram,
    "drive": drive,
    "drone-attack": volley,
}
