"""The second opinion on grenades (section 8.11) and suppressive fire (section 8.7). See `second_opinion`."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, cos, hypot, radians, sin

from second_opinion_ranged import dodging_dice, shooting_dice
from second_opinion_rules import (
    Case,
    Harm,
    Roll,
    armed,
    armor_against,
    called,
    encumbrance,
    hurt,
    person,
    shock,
    wounds,
)
from second_opinions import Entry


def victims(case: Case) -> list[tuple[str, Entry]]:
    """Who else is named, in order."""
    return [(name, person(case.said[name])) for name in sorted(case.said) if name.startswith("victim_")]


def blast_attack(case: Case) -> None:
    """A grenade or warhead: attack, scatter, and the blast on everybody near."""
    case.only(
        ["aim", "attacker", "target", "weapon", "distance", "airburst", "sensor", "called_shot"]
        + [name for name in case.said if name.startswith("victim_")]
    )
    weapon, thrower = armed(case.said["weapon"]), person(case.said.get("attacker"))
    goes_off = case.said.get("aim") == "goes-off"
    if not goes_off:
        if weapon.get("rounds") == 0:
            case.refusals.add("empty_weapon")
        if case.said.get("called_shot"):
            case.refusals.add("called_shot_with_area_weapon")
        fire = {"mode": "single-shot", "area": True}
        pool = shooting_dice(case, thrower, {}, weapon, fire, 0) + (called(case, 0))
        pool = case.total("attack.pool", pool)
    if case.refusals:
        return
    case.totals["blast.value"] = weapon.get("dv", 0)
    if case.waits:
        return
    near = victims(case)
    if "target" in case.said:
        near.insert(0, ("target", person(case.said["target"])))
    scatter, bearing = 0, None
    if goes_off:
        case.out({"blast.result": "goes-off", "blast.scatter": None})
    else:
        scatter, bearing = scattered(case, thrower, weapon, pool, near)
    for name, victim in near:
        caught(case, weapon, name, victim, scatter, bearing)


def scattered(
    case: Case, thrower: Entry, weapon: Entry, pool: int, near: Sequence[tuple[str, Entry]]
) -> tuple[int, int | None]:
    """How far and where to it goes astray, in metres and degrees."""
    attack = Roll(case.table, pool, "attacker", "attack", thrower.get("edge", 0))
    less = attack.hits
    target = near[0][1] if "target" in case.said else {"unaware": True}
    if not attack.none and not target.get("unaware"):
        dodge = case.total("defense.pool", dodging_dice(case, target, {"area": True}, 1))
        defense = Roll(case.table, dodge, "target", "defense", target.get("edge", 0))
        attack.after("attack")
        defense.after("defense")
        case.out({"defense_hits": defense.hits, "net_hits": None})
        less = max(0, attack.hits - defense.hits)
    elif not attack.none:
        attack.after("attack")
        less = attack.hits
    case.out({"attack_hits": None if attack.none else attack.hits, "attack_glitch": attack.glitch})
    kind = scatter_kind(weapon)
    number = {"standard": 1, "aerodynamic": 2, "launcher": 3, "missile": 4, "rocket": 5}[kind]
    thrown = sum(case.table.take(number))
    less = less * (2 if case.said.get("airburst") else 1) + case.said.get("sensor", 0)
    doubled = attack.glitch in {"glitch", "critical"}
    astray = max(0, thrown - less) * (2 if doubled else 1)
    case.out(
        {"scatter_total": thrown, "scatter_less": less, "scatter_doubled": doubled, "blast.scatter": astray}
    )
    case.out({"blast.result": "scattered" if astray else "on-the-spot", "blast.direction": None})
    known = [victim for _, victim in near if "blast_distance" in victim]
    if not astray or (known and len(known) == len(near)):
        return astray, None
    bearing = (case.table.take(1)[0] - 1) * 60
    case.out({"blast.direction": bearing})
    return astray, bearing


def scatter_kind(weapon: Entry) -> str:
    """Which scatter dice: by how it flies."""
    if weapon.get("category") == "missile-launcher":
        return "missile" if weapon.get("ammunition") == "anti-vehicle-warhead" else "rocket"
    if "launcher" in weapon.get("category", ""):
        return "launcher"
    return "aerodynamic" if weapon.get("range") == "grenade-aerodynamic" else "standard"


def caught(case: Case, weapon: Entry, name: str, victim: Entry, scatter: int, bearing: int | None) -> None:
    """One person in the blast: distance in started metres, fall-off, armor, damage."""
    if "blast_distance" in victim:
        away = victim["blast_distance"]
    else:
        where, there = radians(victim.get("bearing", 0)), radians(bearing or 0)
        far = 0 if name == "target" else victim.get("distance", 0)
        away = hypot(far * cos(where) - scatter * cos(there), far * sin(where) - scatter * sin(there))
    metres = ceil(round(away, 6))
    case.out({"distance": metres, "damage": 0}, f"{name}.")
    falls = weapon.get("blast_falloff", 0)
    beyond = not falls and metres > weapon.get("blast_radius", 0)
    if weapon.get("delivers"):
        case.out({"result": "outside" if beyond else "in-area"}, f"{name}.")
        return
    dv = max(0, weapon["dv"] - falls * metres)
    if "rebound" in victim:
        dv += max(0, weapon["dv"] - falls * ceil(victim["rebound"]))
    if not dv or beyond:
        case.out({"result": "outside"}, f"{name}.")
        return
    armor = armor_against(case, victim, {**weapon, "armor_kind": "impact"})
    pool = victim["body"] + armor + victim.get("soak_bonus", 0)
    case.totals.update({f"blast-armor.{name}": armor, f"blast-resist.{name}": pool})
    hurt(case, name, victim, Harm(dv, weapon["damage"], armor), 0, pool, prefix=f"{name}.")
    case.out({"burning_dv": dv if weapon.get("element") == "fire" and dv > armor else None}, f"{name}.")
    if weapon.get("element") == "electricity":
        shock(case, name, victim, 0, prefix=f"{name}.")


def suppressive_fire(case: Case) -> None:
    """A zone under fire: who cannot roll as many hits as the shooter takes the bare damage."""
    case.only(
        ["attacker", "weapon", "distance", "zone", "called_shot"]
        + [n for n in case.said if n.startswith("victim_")]
    )
    shooter, weapon = person(case.said["attacker"]), armed(case.said["weapon"])
    entered = case.said.get("zone") == "entered"
    if not entered:
        case.refusals |= set() if "FA" in weapon["modes"] else {"mode_not_available"}
        case.refusals |= set() if weapon["rounds"] >= 20 else {"too_few_rounds"}
        if "silencer" in weapon["features"]:
            case.refusals.add("silenced_automatic_fire")
        if "called_shot" in case.said:
            case.refusals.add("called_shot_with_suppressive_fire")
        dice = shooting_dice(case, shooter, {}, weapon, {"mode": "suppressive"}, 0)
        pool = case.total("attack.pool", dice)
        if case.refusals:
            return
        attack = case.table.roll(pool, "attacker", "attack", shooter.get("edge", 0))
        case.out({"attack_hits": attack.hits})
    threshold = shooter["suppression"] if entered else attack.hits
    case.out({"zone.threshold": threshold, "zone.result": "suppressing" if threshold else "no-threat"})
    for name, victim in victims(case):
        case.out({"damage": 0, "result": "safe", "avoid_threshold": threshold}, f"{name}.")
        if not threshold or victim.get("prone"):
            continue
        hits = 0
        if not victim.get("unaware"):
            dice = victim["reaction"] + victim["edge"] - wounds(victim, case.options)
            dice -= encumbrance(victim, case.options)
            dice += victim["skills"].get(victim.get("full_defense"), 0)
            dice = case.total(f"{name}.avoid.pool", dice)
            hits = case.table.roll(dice, name, "avoid", victim["edge"]).hits
            case.out({"avoid_hits": hits}, f"{name}.")
        case.out({"result": "avoided" if hits >= threshold else "hit"}, f"{name}.")
        if hits < threshold:
            armor = armor_against(case, victim, weapon)
            pool = victim["body"] + armor + victim.get("soak_bonus", 0)
            case.totals.update({f"{name}.armor.rating": armor, f"{name}.resist.pool": pool})
            strike = Harm(weapon["dv"], weapon["damage"], armor, gel=bool(weapon.get("gel")))
            hurt(case, name, victim, strike, 0, pool, prefix=f"{name}.")
            if weapon.get("electric"):
                shock(case, name, victim, 0, prefix=f"{name}.")
