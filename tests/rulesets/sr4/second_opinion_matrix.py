"""The second opinion on hacking and cybercombat, from the text of section 21. See `second_opinion`."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from second_opinion_rules import Case, entries, fill, person, wounds
from second_opinions import Entry

DEVICES = {"smartgun": (2, 1, 3, 4), "cyberware": (3, 3, 3, 3), "cybereyes": (3, 3, 3, 3)}
NAMES = ("response", "signal", "system", "firewall")
HOT = {"matrix-hot", "technomancer"}
VIRTUAL = HOT | {"matrix-cold"}


def device(case: Case) -> Entry | None:
    """What the target carries, where the action concerns that."""
    said = case.said.get("device")
    if said is None:
        return None
    kind = DEVICES.get(said.get("kind", ""), (said.get("rating"),) * 4)
    return {**dict(zip(NAMES, kind, strict=True)), **said}


def rating(who: Entry, program: str) -> int:
    """A program: never above the System, and nothing once it has crashed."""
    if program in who.get("crashed", "").split():
        return 0
    return int(min(who.get("programs", {}).get(program, 0), who.get("system", 99)))


def response(who: Entry) -> int:
    return int(max(0, who["response"] - who.get("running_programs", 0) // who["system"]))


def dice(case: Case, who: Entry, words: Sequence[str], thing: Entry | None = None) -> int:
    """What these words give; a device has its ratings alone."""
    total, agent = 0, who.get("agent")
    for word in words:
        if thing is not None:
            total += thing.get({"hiding": "firewall", "pilot": "system"}.get(word, word), 0)
        elif word in ("hacking", "computer", "cybercombat", "electronic-warfare"):
            total += who["pilot"] if agent else who["skills"].get(word) or -1
        elif word == "hiding":
            total += dice(case, who, ["firewall" if agent else "hacking", "stealth"])
        elif word == "response":
            total += response(who)
        elif word == "pilot":
            total += who.get("pilot", who.get("system", 0))
        elif word in ("system", "firewall", "willpower"):
            total += who[word]
        elif word == "biofeedback-filter":
            total += who.get("biofeedback_filter", 0)
        elif word == "jam":
            total += person(case.said["tester"])["jam"]
        elif word == "encryption":
            total += 2 * who["programs"]["encrypt"]
        else:
            total += rating(who, word)
    return total


def missing(case: Case, who: Entry, words: Sequence[str]) -> bool:
    """A program that is not there leaves no test."""
    programs = {"exploit", "spoof", "analyze", "track", "sniffer", "edit", "decrypt", "medic"} & set(words)
    if programs and not all(rating(who, program) for program in programs):
        case.refusals.add("no_program")
    return bool(case.refusals)


def hot(who: Entry) -> int:
    return 2 if who.get("world") in HOT else 0


def hurts(case: Case, who: Entry) -> int:
    return 0 if who.get("agent") else wounds(who, case.options)


def matrix_test(case: Case) -> None:
    """Skill and program against ratings, or a threshold."""
    case.only(["tester", "target", "device", "using", "against", "threshold", "order", "crashes"])
    tester, target, thing = person(case.said["tester"]), person(case.said.get("target")), device(case)
    if target.get("wireless_off"):
        case.refusals.add("no_wireless")
    if missing(case, tester, case.said["using"]):
        return
    pool = dice(case, tester, case.said["using"]) + hot(tester) - hurts(case, tester)
    pool, threshold = case.total("matrix.pool", pool), case.said.get("threshold", 1)
    against = None
    if "against" in case.said:
        against = dice(case, target, case.said["against"], thing) + (4 if tester.get("under_alert") else 0)
        against = case.total(
            "matrix-opposition.pool", against - (hurts(case, target) if thing is None else 0)
        )
    hits = case.table.roll(pool, "tester", "matrix", tester.get("edge", 0)).hits
    case.out({"matrix_hits": hits})
    if against is None:
        case.out({"hits": hits, "success": hits >= threshold, "net_hits": max(0, hits - threshold)})
    else:
        other = case.table.roll(against, "target", "opposition", target.get("edge", 0)).hits
        net = hits - other
        case.out({"opposition_hits": other, "success": net > 0, "net_hits": max(0, net)})
    if case.outcome["success"] and "crashes" in case.said:
        case.out({"crashes": case.said["crashes"]})


def matrix_work(case: Case) -> None:
    """A roll of several, and that of the node which looks for the intruder."""
    case.only(["tester", "target", "device", "work", "using", "to_reach", "rights", "threshold"])
    tester, target, thing = person(case.said["tester"]), person(case.said.get("target")), device(case)
    work = case.said["work"]
    if target.get("wireless_off"):
        case.refusals.add("no_wireless")
    if missing(case, tester, case.said["using"]):
        return
    pool = dice(case, tester, case.said["using"]) + hot(tester) - hurts(case, tester)
    pool = case.total("matrix-work.pool", pool)
    needed = dice(case, target, case.said.get("to_reach", ()), thing) + case.said.get("threshold", 0)
    needed += tester["matrix_boxes"] if work == "medic" else 0
    needed += {"security": 3, "admin": 6}.get(case.said.get("rights", ""), 0) if work == "hack-node" else 0
    alert = 4 if tester.get("under_alert") else 0
    needed += 4 if work == "crash-node" else alert if work == "hack-node" else 0
    needed = case.total("matrix-work.threshold", needed)
    stealth = rating(tester, "stealth")
    if work == "hack-node":
        looks = dice(case, target, ["firewall", "analyze"], thing) + alert
        case.total("detection.pool", looks)
        case.totals["detection.threshold"] = stealth
    begun = tester.get("work") == work
    roll = case.table.roll(pool, "tester", "matrix", tester.get("edge", 0))
    hits = (tester.get("work_hits", 0) if begun else 0) + roll.hits
    found = work == "crash-node"
    if work == "hack-node":
        seen = case.table.roll(case.totals["detection.pool"], "target", "detection").hits
        seen += tester.get("detection_hits", 0) if begun else 0
        found = seen >= stealth or roll.glitch in ("glitch", "critical")
        case.out({"detection_sum": seen, "detection_threshold": stealth})
    case.out({"success": hits >= needed, "sum": hits, "work": work, "alert": found})


def matrix_attack(case: Case) -> None:
    """Cybercombat: the icon, or by black IC its user."""
    case.only(["attacker", "target", "program"])
    attacker, target = person(case.said["attacker"]), person(case.said["target"])
    program, world = case.said["program"], target.get("world", "physical")
    black = program != "attack"
    if black and (target.get("agent") or world not in VIRTUAL):
        case.refusals.add("no_effect")
        return
    pool = dice(case, attacker, ["cybercombat", program]) + hot(attacker) - hurts(case, attacker)
    pool = case.total("matrix-attack.pool", pool)
    defense = response(target) + target["firewall"] - hurts(case, target)
    defense += dice(case, target, ["hacking"]) if target.get("matrix_full_defense") else 0
    if case.options.get("matrix_defense_decay", True):
        defense -= target.get("defenses_made", 0)
    defense += hot(target) if case.options.get("hot_sim_on_defense") else 0
    defense = case.total("matrix-defense.pool", defense)
    value = case.totals["matrix-damage.value"] = rating(attacker, program)
    soak = dice(case, target, ["willpower", "biofeedback-filter"] if black else ["system", "armor"])
    case.totals["matrix-resistance.pool"] = soak
    hits = case.table.roll(pool, "attacker", "attack", attacker.get("edge", 0)).hits
    other = case.table.roll(defense, "target", "defense", target.get("edge", 0)).hits
    case.out({"attack_hits": hits, "defense_hits": other})
    if hits <= other:
        case.out({"result": "miss", "damage": 0})
        return
    dv = value + hits - other
    less = case.table.roll(soak, "target", "soak", target.get("edge", 0)).hits
    damage = max(0, dv - less)
    if program == "blackout":
        damage = min(damage, 8 + ceil(target["willpower"] / 2) - target.get("stun", 0))
    case.out(
        {
            "result": "hit",
            "net_hits": hits - other,
            "modified_dv": dv,
            "dv": dv,
            "soak_hits": less,
            "damage": damage,
        }
    )
    if black:
        track = "physical" if program == "black-hammer" and world in HOT else "stun"
        case.out({"track": track, "jammed": True})
        fill(case, "target", target, damage, track)
        return
    full = target.get("matrix_boxes", 0) + damage >= 8 + ceil(target["system"] / 2)
    case.out({"track": "matrix", "icon_crashes": full and damage > 0})
    case.mark("target", "matrix", damage)


def launch_program(case: Case) -> None:
    """A program of the pack joins the fight, without a roll (section 21.5)."""
    case.only(["tester", "program"])
    case.out({"launched": bool(entries("combatants")[case.said["program"]]["agent"])})
