"""The second opinion on sr5: Data Spike, biofeedback and dumpshock (12). See `second_opinion_sr5`."""

from __future__ import annotations

from math import ceil

from second_opinion_sr5_harm import missed, state
from second_opinion_sr5_people import Person, skilled
from second_opinion_sr5_rules import Case, Roll, alone, attempted, running

DUMPSHOCK = 6


def data_spike(case: Case) -> None:
    """Logic + Cybercombat [Attack] against the device of somebody."""
    case.only("attacker target")
    who, target = case.person("attacker"), case.person("target")
    house = case.asks("matrix_damage", "paydata")
    dice = skilled(who, "logic", "cybercombat") + who.wounds + running(case, who)
    dice -= who.get("device_damage", 0) // 3 if house else 0
    dice = case.pool("data-spike.pool", dice)
    if target.has("pool"):
        against = target["pool"]
    else:
        against = target["willpower" if house else "intuition"] + target["firewall"]
    against += target.wounds - (target.get("device_damage", 0) // 3 if house else 0)
    against += target["willpower"] if target.get("full_matrix_defense") else 0
    against = case.pool("matrix-defense.pool", against)
    value = case.total("matrix-damage.value", who["attack"])
    soak = case.pool("device-soak.pool", target["device_rating"] + target["firewall"])
    attack = Roll(case, "attacker", "attack", dice, who["attack"])
    defense = Roll(case, "target", "defense", against)
    bites = who.get("biofeedback") and bite(target, house=house)
    thrown = target.get("through_device") and bite(target, house=house)
    pools = {}
    if bites:
        pools["biofeedback"] = case.pool("biofeedback.pool", target["willpower"] + target["firewall"])
    if thrown:  # the Firewall of a bricked device is gone
        pools["dumpshock"] = case.pool("dumpshock.pool", target["willpower"])
    if not attempted(attack, defense):
        return
    net = attack.kept - defense.kept
    if net <= 0:
        missed(case, "miss")
        return
    case.out(net_hits=net, modified_dv=value + net)
    boxes = max(0, value + net - alone(case, "target", "soak", soak).kept)
    case.out(result="hit", damage=boxes)
    if boxes:
        case.then("mark", "target", "device-damage", amount=boxes)
    bricked = False
    if target.has("device_damage"):
        before, most = target["device_damage"], 8 + ceil(target["device_rating"] / 2)
        case.out(device_after=before + boxes, bricked=before + boxes >= most)
        bricked = before + boxes >= most and boxes > 0
        if bricked:
            case.then("add-condition", "target", "bricked")
    marks: list[tuple[str, int]] = []
    if bites and boxes:
        marks.append((bites, _shock(case, "biofeedback", boxes, bites, pools["biofeedback"])))
    if thrown and bricked:
        marks.append((thrown, _shock(case, "dumpshock", DUMPSHOCK, thrown, pools["dumpshock"])))
        stunned(case, target)
    _marked(case, target, [mark for mark in marks if mark[1]])


def stunned(case: Case, target: Person) -> None:
    """Two dice less for 10 - Willpower minutes."""
    minutes = max(0, 10 - target["willpower"])
    case.then("add-condition", "target", "dumpshock", length=minutes, unit="minute")


def bite(target: Person, *, house: bool) -> str:
    """The kind of damage that comes through to the user; empty for none."""
    interface = target.get("interface", "none")
    if interface == "ar" and house and target.get("dni"):
        return "stun"
    return {"cold-sim": "stun", "hot-sim": "physical"}.get(interface, "")


def _shock(case: Case, name: str, value: int, track: str, pool: int) -> int:
    """Boxes of what comes through."""
    case.out(**{f"{name}_dv": value})
    boxes = max(0, value - alone(case, "target", name, pool).kept)
    case.out(**{f"{name}_damage": boxes, f"{name}_track": track})
    return boxes


def _marked(case: Case, target: Person, marks: list[tuple[str, int]]) -> None:
    """Boxes one after another, and how somebody is after all of them."""
    if not marks:
        return
    if not target.has("body", "willpower", "physical", "stun"):
        for track, boxes in marks:
            case.then("mark", "target", track, amount=boxes)
        return
    filled = {"physical": target["physical"], "stun": target["stun"]}
    for track, boxes in marks:
        over = 0
        if track == "stun" and not target.one_monitor:
            over = max(0, boxes - max(0, target.boxes("stun") - filled["stun"]))
        for name, number in ((track, boxes - over), ("physical", over // 2)):
            filled[name] += number
            if number:
                case.then("mark", "target", name, amount=number)
        case.out(physical_after=filled["physical"], stun_after=filled["stun"])
        state(case, "target", filled["physical"], filled["stun"], hurt=True)
