"""The second opinion on sr5: driving, sensors and rams (12.3, 12.4). See `second_opinion_sr5`."""

from __future__ import annotations

from math import ceil

from second_opinion_sr5_harm import Harm, missed, protected, struck
from second_opinion_sr5_people import Person, skilled
from second_opinion_sr5_rules import Case, Roll, attempted

TERRAIN = {"open": 0, "light": 1, "restricted": 2, "tight": 4}
MODE = {"manual": 0, "ar": 1, "vr": 2, "jumped-in": 0, "pilot": 0}
IMPACT = ((10, 0.5), (50, 1), (200, 2), (300, 3), (500, 5))


def _wired(case: Case, who: Person) -> int:
    """Dice of a rigger who is jumped in, and what the noise takes."""
    dice = 0
    if who["control"] == "jumped-in":
        dice += who.get("control_rig", 0) + 2 * (who.get("interface") == "hot-sim")
    if who["control"] in ("ar", "vr", "jumped-in"):
        dice -= max(0, case.said.get("noise", 0) - who.get("noise_reduction", 0))
    return dice


def _limit(case: Case, name: str, who: Person, hull: Person, mode: str = "") -> int:
    """The rating, less a point of Handling for each three boxes, with what the mode of control adds."""
    mode = mode or who["control"]
    rig = who.get("control_rig", 0) if mode == "jumped-in" else 0
    rating = hull[name]
    lost = hull.get("physical", 0) // 3 if name == "handling" else 0
    return rating - min(lost, rating - 1) + MODE[mode] + rig


def vehicle_test(case: Case) -> None:
    """Reaction + Pilot skill [Handling or Speed] against a threshold, or another driver."""
    case.only("tester vehicle opponent skill by_speed threshold terrain noise")
    who, vehicle = case.person("tester"), case.person("vehicle")
    skill = case.said.get("skill", "pilot-ground-craft")
    own = skilled(who, "reaction", skill)
    dice = case.pool("driving.pool", own + who.wounds + _wired(case, who))
    rig = who.get("control_rig", 0) if who["control"] == "jumped-in" else 0
    name = "speed" if case.said.get("by_speed") else "handling"
    limit = _limit(case, name, who, vehicle if vehicle.has(name) else who)
    driving = Roll(case, "tester", "driving", dice, case.total("driving.limit", limit))
    if "opponent" in case.said:
        other = case.person("opponent")
        against = skilled(other, "reaction", skill) + other.wounds
        against += 2 * (other.get("interface") == "hot-sim" and other["control"] == "jumped-in")
        against = case.pool("other-driver.pool", against)
        most = [case.total("other-driver.limit", _limit(case, name, other, other))] if other.has(name) else []
        rival = Roll(case, "opponent", "other", against, *most)
        attempted(driving, rival)
        net = driving.kept - rival.kept
        further = (net - 1) // 3 if case.asks("chase_step", "each_three") else 0
        case.out(
            success=net > 0, hits=driving.kept, net_hits=max(0, net), ranges=1 + further if net > 0 else 0
        )
        return
    threshold = case.said["threshold"] + TERRAIN[case.said.get("terrain", "open")] - rig
    threshold = case.total("driving.threshold", max(1, threshold))
    driving.before().throw().after()
    margin = driving.kept - threshold
    case.out(threshold=threshold, success=margin >= 0, hits=driving.kept, net_hits=max(0, margin))
    if margin <= -3:
        case.out(uncontrolled=True)
        case.then("add-condition", "tester", "uncontrolled")


def sensor_lock(case: Case) -> None:
    """Looking against hiding: the net hits are dice."""
    case.only("tester vehicle opponent noise")
    who, other = case.person("tester"), case.person("opponent")
    if who["control"] == "pilot":
        dice = who["pilot"] + who["clearsight"]
    else:
        dice = skilled(who, "intuition", "electronic-warfare") + who.wounds + _wired(case, who)
    dice = case.pool("lock.pool", dice)
    hides = (
        other["reaction"] + other["evasion"]
        if other.has("evasion")
        else skilled(other, "agility", "sneaking")
    )
    sensor = who["sensor"] if who.has("sensor") else case.person("vehicle")["sensor"]
    looks = Roll(case, "tester", "lock", dice, case.total("lock.limit", sensor))
    hiding = Roll(case, "opponent", "hiding", case.pool("hiding.pool", hides + other.wounds))
    attempted(looks, hiding)
    net = max(0, looks.kept - hiding.kept)
    case.out(success=net > 0, lock_dice=net)
    if net:
        turn = {"length": 1, "unit": "turn"} if case.asks("lock_decay", "turn") else {}
        case.then("add-condition", "opponent", "locked-on", set_locked_on=net, **turn)


def ram(case: Case) -> None:
    """Body and speed strike the target, and half of it the machine that rams."""
    case.only("attacker target impact_speed")
    who, target = case.person("attacker"), case.person("target")
    dice = who["pool"] if who.has("pool") else who["pilot"] + who["maneuvering"]
    dice = case.pool("ramming.pool", dice - 3 * bool(target.get("runs_clear")))
    limit = case.total("ramming.limit", _limit(case, "handling", who, who, "pilot"))
    attack = Roll(case, "attacker", "attack", dice, limit)
    defense = None
    if not target.get("unaware"):
        against = target["pool"] if target.has("pool") else target["reaction"] + target["intuition"]
        against += (target["intuition"] if target.get("evasive") else 0) + target.wounds
        defense = Roll(case, "target", "defense", case.pool("ram-defense.pool", against))
    speed, house = case.said["impact_speed"], case.asks("vehicle_rules", "paydata")
    factor = next((factor for most, factor in IMPACT if speed <= most), 10)
    value = ceil(who["body"] * factor)
    hit, back = Harm(value, "physical", -6), Harm(ceil(value / 2), "physical", -6)
    if house:
        more = who["body"] - target["body"]
        hit, back = (Harm(max(1, one) * speed, "physical", 0) for one in (more, -more))
    armor, soak = protected(case, "target", hit)
    case.number = "attacker."
    own_armor, own_soak = protected(case, "attacker", back)
    case.number = ""
    if not attempted(attack, defense):
        return
    net = attack.kept - (defense.kept if defense else 0)
    if net <= 0:
        missed(case, "miss")
        return
    case.prefix = "target."
    if house:
        hit = hit._replace(value=hit.value + net * (speed - 1))
    struck(case, "target", hit, net, armor, soak)
    if defense:
        case.then("gain", "target", "defenses-made", amount=1)
    case.prefix = "attacker."
    if house:
        back = back._replace(value=max(0, back.value - net * speed))
    struck(case, "attacker", back, 0, own_armor, own_soak)
    case.prefix = ""


MACHINES = {"vehicle-test": vehicle_test, "sensor-lock": sensor_lock, "ram": ram}
