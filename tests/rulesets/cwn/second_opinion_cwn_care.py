"""The second opinion on cwn: injuries, stabilizing, healing, drugs, poison (section 9, 10.3, 10.4)."""

from __future__ import annotations

from math import ceil

from second_opinion_cwn_rules import Case, Person, hurt, injure, known, saved
from second_opinions import NotUnderstoodError

HANDS = ("dexterity", "intelligence")
ROUNDS_OF_A_PATCH = 6
REPAIR_OF_A_POINT = 250
"""Dollars for each hit point of a Full Body Conversion."""


def strain_room(who: Person) -> int | None:
    """System Strain that still fits; None where nothing says it."""
    if not who.has("constitution", "system_strain"):
        return None
    return int(who.get("constitution", 99) - who.get("system_strain", 0))


def major_injury(case: Case) -> None:
    """The save and the d12 after a Traumatic Hit in the same scene."""
    case.only("victim")
    who = case.person("victim")
    save = who.save("physical")
    if save is not None:
        case.total("victim.save.physical", save)
    case.out(rolled=False, major_injury="none", down="mortally-wounded")
    if who.get("traumatic_before"):
        injury, down = injure(case, "victim", who)
        case.out(major_injury=injury, down=down)


def stabilize(case: Case) -> None:
    """Heal against 8, or 6 with a patch, and the full rounds since the fall."""
    case.only("healer patient stabilizing")
    how = case.said["stabilizing"]
    known(how, "medkit aided means cause", "stabilizing")
    who, means = case.person("healer"), how.get("means", "hand")
    patient = case.person("patient") if "patient" in case.said else who
    down = patient.get("rounds_down", 0)
    if means == "emergency-stabilization-factor":
        if strain_room(who) == 0:
            case.refusals.add("strain_full")
            return
        case.harm["gain", "healer", "system-strain"] = 1
        case.out(stabilized=True)
        return
    if means == "trauma-patch" and down > ROUNDS_OF_A_PATCH:
        case.refusals.add("patch_too_late")
    if means == "trauma-patch" and how.get("cause") in {"poison", "disease", "dismemberment"}:
        case.refusals.add("patch_of_no_help")
    if case.refusals:
        return
    bonus = 2 if means == "biostabilizing-armor" else who.check(("heal",), HANDS)
    difficulty = {"hand": 8 + down, "drone": 8 + down, "trauma-patch": 6 + down, "biostabilizing-armor": 8}[
        means
    ]
    if means == "hand":
        difficulty += 0 if how.get("medkit") else 2
        bonus += 1 if how.get("aided") else 0
    by_skill = means != "biostabilizing-armor"
    bonus += 2 if by_skill and who.get("medical_readout") else 0
    case.total("stabilize.bonus", bonus)
    case.total("stabilize.difficulty", difficulty)
    healer = who.focus("healer") and means in ("hand", "trauma-patch")
    total = sum(sorted(case.table.throw("3d6" if healer else "2d6"))[-2:]) + bonus
    case.out(difficulty=difficulty, stabilized=total >= difficulty)


def first_aid(case: Case) -> None:
    """1d6 + Heal for a minute's work and a point of Strain; Lurch 1d10 + Heal."""
    case.only("healer patient aid")
    how, who, patient = case.said["aid"], case.person("healer"), case.person("patient")
    known(how, "medkit panacea means points", "aid")
    lost = patient.get("hp_maximum", 999) - patient["hp"]
    if how.get("means") == "repair":
        if not patient.implant("full-body-conversion"):
            case.refusals.add("no_conversion")
            return
        healed = min(lost, how.get("points", lost))
        case.out(healed=healed, hp_after=patient["hp"] + healed, minutes=10, system_strain=0, dead=False)
        case.out(cost=REPAIR_OF_A_POINT * healed)
        case.harm["gain", "patient", "hp"] = healed
        return
    lurch = how.get("means") == "lurch"
    level = who.skills.get("heal", -1)
    if not lurch and not how.get("medkit"):
        case.refusals.add("no_medkit")
    room = strain_room(patient)
    if room is not None and room <= 0:
        case.refusals.add("strain_full")
    if (lurch and level < patient.get("lurch_doses", 0)) or (how.get("panacea") and level < 1):
        case.refusals.add("not_skilled")
    if case.refusals:
        return
    case.out(minutes=0 if lurch else 1)
    if lurch and patient.get("mortally_wounded"):
        case.out(dead=True, healed=0)
        return
    healed = case.table.sum("1d10" if lurch else "1d6") + level + (2 if who.get("medical_readout") else 0)
    if how.get("panacea"):
        healed = max(6, 2 * healed)
    healed *= 2 if who.focus("healer", 2) and (lurch or how.get("panacea")) else 1
    healed = max(0, min(healed, lost))
    case.out(healed=healed, hp_after=patient["hp"] + healed, system_strain=1)
    case.harm["gain", "patient", "hp"] = healed
    if patient.get("recovery_points"):
        case.harm["spend", "patient", "recovery-points"] = 1
        case.out(system_strain=0)
    else:
        case.harm["gain", "patient", "system-strain"] = 1


def rest(case: Case) -> None:
    """A night: a hit point for each level or Hit Die, and a point of Strain."""
    case.only("sleeper")
    who = case.person("sleeper")
    lost = who.get("hp_maximum", 999) - who["hp"]
    healed = 0 if who.get("frail") else min(lost, who.get("level", who.get("hit_dice", 0)))
    less = int(who.get("system_strain", 0) > who.get("permanent_strain", 0))
    case.out(healed=healed, strain_less=less)
    case.harm["spend", "sleeper", "system-strain"] = less


def frailty(case: Case) -> None:
    """An hour's treatment against 10; or none, and a save after a week."""
    case.only("healer patient frailty")
    who, how = case.person("healer"), case.said["frailty"]
    known(how, "way medkit", "frailty")
    if how["way"] == "treatment":
        success = case.table.sum("2d6") + who.check(("heal",), HANDS) >= 10
        case.out(success=success, ended=success)
    elif how["way"] == "unattended":
        target = who.save("physical")
        if target is None:
            raise NotUnderstoodError("a save that nothing says")
        success = saved(case, case.total("healer.save.physical", target))
        case.out(success=success, ended=False, days=28 if success else 7)
    else:
        raise NotUnderstoodError(f"way: {how['way']}")


def take_drug(case: Case) -> None:
    """Drugs as they are taken and as they wear off (10.4)."""
    case.only("giver taker drug")
    said = case.said["drug"]
    drug = {"use": said} if isinstance(said, str) else said
    known(drug, "use doses worn_off", "drug")
    name = drug["use"]
    giver, place = case.person("giver"), "taker" if "taker" in case.said else "giver"
    who = case.person(place)
    if not drug.get("worn_off"):
        if name == "avalanche" and giver.skills.get("heal", -1) < 0:
            case.refusals.add("not_skilled")
            return
        if name == "avalanche":
            case.harm["gain", place, "hp"] = 10
        if "doses" in drug:
            case.harm["item", "giver", name] = -1
        down = who.get("system_strain", 0) - who.get("permanent_strain", 0) if name == "reset" else 0
        case.out(result="taken", drug=name, system_strain=-down)
        return
    if name == "avalanche":
        case.out(result="worn-off")
        case.harm["spend", place, "hp"] = max(0, 10 - (who["hp_on_avalanche"] - who["hp"]))
        return
    if name == "boneshaker":
        gained = min(2, strain_room(who) or 0)
        case.out(result="worn-off", system_strain=gained)
        case.harm["gain", place, "system-strain"] = gained
        return
    if name != "reset":
        raise NotUnderstoodError(f"drug: {name}")
    since = who["system_strain"] - who["permanent_strain"]
    gained = who["constitution"] - who["system_strain"]
    case.harm["gain", place, "system-strain"] = gained
    target = case.total("giver.save.physical", (who.save("physical") or 0) + since)
    face = case.table.sum("1d20")
    success = face == 20 or (face != 1 and face >= target)
    case.out(system_strain=gained)
    if success:
        case.out(result="saved")
        case.harm["mark", place, "hp"] = who["hp"] - 1
        return
    dead = face - since <= 1 and not saved(case, who.save("physical") or 0)
    case.out(result="dead" if dead else "mortally-wounded")
    case.harm["mark", place, "hp"] = who["hp"]


def poison(case: Case) -> None:
    """A Physical save; a medic within a minute helps by twice the Heal level, or by 1."""
    case.only("victim medic drug poison")
    who, how, name = case.person("victim"), case.said.get("poison", {}), case.said["drug"]
    known(how, "strength works", "poison")
    save = who.save("physical")
    if save is None:
        raise NotUnderstoodError("a save that nothing says")
    if how.get("works"):
        hurt(case, "victim", who, case.table.sum("1d10"), lethal=True, soakable=0)
        return
    save -= how.get("strength", 0)
    if "medic" in case.said:
        level = case.person("medic").skills.get("heal", -1)
        save -= 1 if level == 0 else max(0, 2 * level)
    save = case.total("victim.save.physical", save)
    face = case.table.sum("1d20")
    success = face == 20 or (face != 1 and face >= save)
    case.out(saved=success, hp_loss=0, down="none")
    if name == "chokeout" and success:
        hurt(case, "victim", who, case.table.sum("1d10"), lethal=False, soakable=0)
    elif name == "chokeout" and face == 1:
        case.out(down="dead")
    elif name == "hellbender" and not success:
        case.out(rounds=case.table.sum("1d6"))


def zombie_wires(case: Case) -> None:
    """Walks on, at two points of Strain, until a quarter of its hit points more are lost."""
    case.only("owner")
    quarter = case.total("zombie.hp", ceil(case.person("owner")["hp_maximum"] / 4))
    case.out(walks_with=quarter)
    case.harm["gain", "owner", "system-strain"] = 2
    case.harm["gain", "owner", "hp"] = quarter


SCORES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
MINUTES_OF_A_CITADEL = 10


def revival(case: Case) -> None:
    """A Skull Citadel brings somebody back within ten minutes, at two points of an attribute by chance (10.3)."""
    case.only("owner revival")
    known(case.said.get("revival", {}), "minutes", "revival")
    who = case.person("owner")
    if not who.implant("skull-citadel"):
        case.refusals.add("no_citadel")
    if case.said.get("revival", {}).get("minutes", 0) > MINUTES_OF_A_CITADEL:
        case.refusals.add("too_late")
    if case.refusals:
        return
    lost = SCORES[case.table.sum("1d6") - 1]
    case.out(attribute=lost, lost=min(2, who.get(lost, 18) - 1))
    case.then("remove-condition", "owner", "dead")
    case.then("add-condition", "owner", "stabilized")
    case.then("add-condition", "owner", "revived")


CARE = {
    "revival": revival,
    "major-injury": major_injury,
    "stabilize": stabilize,
    "first-aid": first_aid,
    "rest": rest,
    "frailty": frailty,
    "take-drug": take_drug,
    "poison": poison,
    "zombie-wires": zombie_wires,
}
