"""The second opinion on cwn: programs in a fight (section 14). See `second_opinion_cwn`."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from second_opinion_cwn_rules import Case, Person, fall, known, saved
from second_opinions import NotUnderstoodError

PROGRAM, MIND = ("program",), ("intelligence",)
NETWORK = "network-device"
REACH = 30
"""Metres of a wireless program."""
ONGOING = {"blind": ("blinded", "blinding"), "hijack": ("hijacked", "hijacking")}
"""Verbs that bind the hacker and the target: what becomes of the target, and of the hacker."""
STATES = {"deactivate": ("deactivated", "shut-down"), "delude": ("deluded", "deluded")}
"""What becomes of somebody's implant, and of a device."""


STRAIN_OF_USE = {"retribution-shield": 1, "eye-dazzler": 1}
"""What using an implant costs its owner (5.8, 10.3)."""


class Verb(NamedTuple):
    """A row of the table."""

    on: str
    access: int
    bonus: int


VERBS = {
    "blind": Verb("device cyber", 1, 0),
    "deactivate": Verb("device cyber", 1, 1),
    "activate": Verb("device cyber", 1, 1),
    "glitch": Verb("device cyber", 0, 2),
    "sabotage": Verb("device cyber", 1, -1),
    "hijack": Verb("device", 1, -1),
    "delude": Verb("device", 1, -1),
    "defend": Verb("device cyber", 0, 0),
    "frisk": Verb("cyber", 0, 1),
    "stun": Verb("avatar", 0, 1),
    "kill": Verb("avatar", 1, 0),
    "paralyze": Verb("avatar", 1, -1),
}


def program_bonus(who: Person, verb: Verb) -> int:
    """Intelligence, Program and the verb; a VR crown in place of a jack costs a point."""
    return who.check(PROGRAM, MIND) + verb.bonus - (1 if who.get("vr_crown") else 0)


def level_of(who: Person) -> int:
    """The level of Program, of a stat block its Skill."""
    return int(who.skills.get("program", who.get("skill_bonus", 0)))


def cannot(case: Case, verb: Verb, who: Person, place: str) -> None:
    """Refusals that all programs share."""
    if place not in verb.on.split():
        case.refusals.add("wrong_verb")
    if verb.access and who.get("access", verb.access) < verb.access:
        case.refusals.add("no_access")
    if who.has("cpu_slots") and who.get("programs_running", 0) >= who["cpu_slots"]:
        case.refusals.add("no_cpu_slot")


def hack(case: Case) -> None:
    """A program against an implant or a device."""
    case.only("hacker target defender hack distance")
    how, who, target = case.said["hack"], case.person("hacker"), case.person("target")
    known(how, "verb wireless firewalled on security subject strain thing cyber", "hack")
    name, verb = how["verb"], VERBS[how["verb"]]
    network = how.get("on") == NETWORK
    place = "avatar" if "avatar" in verb.on else "device" if network or target.get("machine") else "cyber"
    if how.get("on") not in (None, NETWORK):
        raise NotUnderstoodError(f"on: {how['on']}")
    cannot(case, verb, who, place)
    if "cyber" in how and not target.implant(how["cyber"]):
        case.refusals.add("no_such_implant")
    if how.get("wireless") and case.said.get("distance", 0) > REACH:
        case.refusals.add("out_of_range")
    if case.refusals:
        return
    if verb.access:
        case.harm["spend", "hacker", "access"] = verb.access
    if name == "defend":
        case.out(success=True)
        case.then("add-condition", "target" if "target" in case.said else "hacker", "defended")
        return
    bonus = program_bonus(who, verb) - (2 if how.get("wireless") else 0) - (2 if how.get("firewalled") else 0)
    bonus += {"specialized": 1, "unique": 2, None: 0, "none": 0}[how.get("subject")]
    bonus = case.total("hack.check", bonus)
    if network:
        difficulty = how["security"]
    elif target.get("uncontrolled"):
        difficulty = 8
    else:
        level = target.get("operator_level") if place == "device" else None
        level = level or target.get("hit_dice") or target["level"]
        difficulty = 7 + ceil(level / 3)
    difficulty = case.total("hack.difficulty", difficulty)
    defended = False
    if target.get("defended") and "defender" in case.said:  # which is first of all an opposed check
        defender = case.person("defender")
        mine = case.table.sum("2d6") + bonus
        theirs = case.total("hack.defense", defender.check(PROGRAM, MIND)) + case.table.sum("2d6")
        case.out(breach_total=mine)
        defended = not beats(mine, theirs, who, defender)
    success = not defended and case.table.sum("2d6") + bonus >= difficulty
    case.out(success=success, defended=defended)
    if success:
        works(case, name, who, target, place)


def beats(mine: int, theirs: int, first: Person, second: Person) -> bool:
    """An opposed check: ties go to the PC, and otherwise to whoever resists."""
    return mine > theirs or (mine == theirs and bool(first.get("player")) and not second.get("player"))


def works(case: Case, name: str, who: Person, target: Person, place: str) -> None:
    """What a program does that has got through."""
    how = case.said["hack"]
    device = place == "device"
    which = {"item": how["cyber"]} if "cyber" in how else {}
    if name == "glitch":
        rounds = max(0, level_of(who)) + 2
        case.out(rounds=rounds)
        case.then("add-condition", "target", "glitched", unit="round", length=rounds, **which)
        case.then("add-condition", "target", "glitched-today", unit="hour", length=24)
    elif name == "sabotage":
        sabotage(case, target, device, which)
    elif name == "activate":
        costs = STRAIN_OF_USE[how["cyber"]] if "cyber" in how else 0
        activate(case, target, how.get("strain", costs))
    elif name == "frisk":
        case.out(implants=", ".join(target.get("augmentations", ())))
    elif name in ONGOING:
        theirs, mine = ONGOING[name]
        case.then("add-condition", "target", theirs, towards="hacker")
        case.then("add-condition", "hacker", mine, towards="target")
        if name == "hijack":
            case.then("remove-condition", "target", "controlled")
    else:
        case.then("add-condition", "target", STATES[name][device], **which)


def sabotage(case: Case, target: Person, device: bool, which: dict[str, str]) -> None:
    """Two Physical saves; of devices nothing says that they make any."""
    case.then("add-condition", "target", "sabotage-tried", unit="scene")
    state = "broken-down"
    if not device:
        goal = target.save("physical")
        if goal is None:
            raise NotUnderstoodError("a save that nothing says")
        goal = case.total("target.save.physical", goal)
        state = ("none", "frozen", "sabotaged")[sum(not saved(case, goal) for _ in range(2))]
    case.out(sabotage=state)
    if state != "none":
        case.then("add-condition", "target", state, **which)


def activate(case: Case, target: Person, strain: int) -> None:
    """It eats the victim's System Strain; what cannot be borne knocks out for an hour (1.6)."""
    if not strain:
        return
    room = max(0, target["constitution"] - target["system_strain"])
    if min(room, strain):
        case.harm["gain", "target", "system-strain"] = min(room, strain)
    if strain > room:
        case.then("add-condition", "target", "unconscious", unit="hour", length=1)


def cyber_attack(case: Case) -> None:
    """A program against somebody's avatar: opposed, or against 8 and the skill of a Demon."""
    case.only("hacker target hack distance")
    how, who, target = case.said["hack"], case.person("hacker"), case.person("target")
    known(how, "verb", "hack")
    name, verb, demon = how["verb"], VERBS[how["verb"]], bool(target.get("demon"))
    cannot(case, verb, who, "demon" if demon and name == "kill" else "avatar")
    if case.refusals:
        return
    if verb.access:
        case.harm["spend", "hacker", "access"] = verb.access
    bonus = case.total("cyber.check", program_bonus(who, verb))
    theirs = case.total("cyber.opposed", target.check(PROGRAM, MIND) + (8 if demon else 0))
    total = case.table.sum("2d6") + bonus
    if demon:
        success = total >= theirs
    else:
        theirs += case.table.sum("2d6")
        success = beats(total, theirs, who, target)
    case.out(success=success, check_total=total, hp_loss=0)
    if not success:
        return
    if name == "paralyze":
        case.then("add-condition", "target", "avatar-paralyzed", towards="hacker")
        case.then("add-condition", "hacker", "paralyzing", towards="target")
    elif name == "kill" and target.get("unconscious"):
        case.out(down="dead")
        case.then("add-condition", "target", "dead")
    else:
        damage = case.table.sum(f"{max(1, level_of(who))}d10")
        case.out(damage_rolled=damage)
        burn(case, target, damage, lethal=name == "kill", demon=demon)


def without_armor(target: Person) -> int:
    """The Trauma Target of the mind: that of the body without what is worn."""
    if target.has("cyber_trauma_target"):
        return int(target["cyber_trauma_target"])
    if target.has("trauma_target"):
        return int(target["trauma_target"])
    body = ("trauma_sources", "augmentations")
    return Person({name: target[name] for name in body if target.has(name)}).trauma_target()


def burn(case: Case, target: Person, damage: int, *, lethal: bool, demon: bool) -> None:
    """Damage of Stun and Kill: Trauma, then the deck's Shielding, the Neural Buffer, and hit points."""
    traumatic = False
    if lethal:
        goal = case.total("trauma.target", without_armor(target))
        traumatic = case.table.sum("1d8") + (2 if target.drug("boneshaker") else 0) >= goal
        case.out(traumatic=traumatic)
        damage *= 3 if traumatic else 1
    for layer in ("shielding", "neural_buffer"):
        absorbed = min(damage, target.get(layer, 0))
        damage -= absorbed
        case.out(**{f"{layer.removeprefix('neural_')}_absorbed": absorbed})
        if absorbed:
            case.harm["spend", "target", layer.replace("_", "-")] = absorbed
    case.out(hp_loss=damage)
    if not target.has("hp"):
        return
    after = max(0, target["hp"] - damage)
    case.out(hp_after=after)
    if target["hp"] - after:
        case.harm["mark", "target", "hp"] = target["hp"] - after
    if demon and not after:
        case.out(down="demon-fragged")
        case.then("add-condition", "target", "demon-fragged", unit="hour", length=1)
        return
    fall(case, "target", target, after, lethal=lethal, traumatic=traumatic)
    if case.outcome["down"] == "incapacitated":
        case.then("add-condition", "target", "incapacitated", unit="minute", length=10, hp_then=1)


HACKING = {"hack": hack, "cyber-attack": cyber_attack}
