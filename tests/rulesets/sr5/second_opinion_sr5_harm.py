"""The second opinion on sr5: from a hit to the boxes (8.4, 8.6). See `second_opinion_sr5`."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from second_opinion_sr5_people import Person
from second_opinion_sr5_rules import Case, Roll, alone

PROTECTIONS = {
    "chemical": "chemical-protection",
    "fire": "fire-resistance",
    "cold": "insulation",
    "electricity": "nonconductivity",
}


class Harm(NamedTuple):
    """What comes at somebody.

    Attributes:
        value: Damage Value before net hits.
        kind: physical or stun.
        ap: what it adds to the armor.
        gel: knocks down more easily.
        by_itself: no armor meets it.
        falls: it may knock somebody down; biofeedback does not.
        passes: a power, which passes by Immunity.
    """

    value: int
    kind: str
    ap: int = 0
    element: str = ""
    gel: bool = False
    by_itself: bool = False
    falls: bool = True
    passes: bool = False


def rating(case: Case, person: Person) -> int:
    """Armor before AP; by the house rules spirits have twice their Force more (6.4)."""
    spirit = case.asks("spirit_armor", "house") and person.get("nature") == "spirit"
    return person.armor + (2 * int(person["force"]) if spirit else 0)


def shielded(person: Person, harm: Harm) -> int:
    """Dice of bone lacing and the like, and of armor mods against such harm (11.6)."""
    mods = person.get("armor_mods", {})
    return int(mods.get(PROTECTIONS.get(harm.element, ""), 0) + person.get("soak_bonus", 0))


def protected(case: Case, who: str, harm: Harm) -> tuple[int, int]:
    """Modified armor and the pool that resists."""
    person = case.person(who)
    worn = 0 if harm.passes and person.get("immunity") else rating(case, person)
    armor = case.pool("armor.value", worn + harm.ap)
    return armor, case.pool("soak.pool", person["body"] + armor + shielded(person, harm))


def struck(case: Case, who: str, harm: Harm, net: int, armor: int, pool: int) -> None:
    """From the modified Damage Value to the boxes (8.4, steps 5 to 8)."""
    person = case.person(who)
    value = harm.value + net
    hardened = person.get("hardened_armor") and not (harm.passes and person.get("immunity"))
    hard = (person.get("vehicle") or hardened) and not harm.by_itself
    stunned = person.get("vehicle") and harm.kind == "stun" and harm.element != "electricity"
    equal = person.get("immunity") and value == armor and not case.asks("immunity_edge", "lower")
    if (hard and (value < armor or equal)) or stunned:
        case.out(result="hit", damage=0, track=None, contact=True, knockdown=False, bounced=True)
        _after(case, who, 0, "")
        return
    track = harm.kind
    converted = track == "physical" and value < armor
    track = "stun" if converted else track
    track = "physical" if person.get("vehicle") else track
    case.out(net_hits=net, modified_dv=value, modified_armor=armor, converted_to_stun=converted)
    resisted = alone(case, who, "soak", pool).kept
    if hardened and not harm.by_itself:
        automatic = ceil(rating(case, person) / 2)
        case.out(automatic_hits=automatic)
        resisted += automatic
    boxes = max(0, value - resisted)
    case.out(result="hit", damage=boxes, track=track, contact=True)
    suffer(case, who, boxes, track, gel=harm.gel, falls=harm.falls)
    if person.get("vehicle") and harm.element == "electricity" and boxes > 1:
        case.out(matrix_damage=boxes // 2)
        case.then("mark", who, "device-damage", amount=boxes // 2)


def suffer(case: Case, who: str, boxes: int, track: str, *, gel: bool = False, falls: bool = True) -> None:
    """Boxes on the monitors, and the fall."""
    person = case.person(who)
    down = boxes >= 10
    if person.has("strength", "body", "reaction") and boxes:
        down = down or boxes >= person.physical_limit - (2 if gel else 0)
    down = down and falls and not person.get("vehicle")
    case.out(knockdown=down)
    _after(case, who, boxes, track)
    if down:
        case.then("add-condition", who, "prone")


def _after(case: Case, who: str, boxes: int, track: str) -> None:
    """The monitors afterwards; without knowing them, all boxes are marked."""
    person = case.person(who)
    vehicle = person.get("vehicle")
    needed = ("body", "physical") if vehicle else ("body", "willpower", "physical", "stun")
    if not person.has(*needed):
        if boxes:
            case.then("mark", who, track, amount=boxes)
        return
    physical, stun = person["physical"], person.get("stun", 0)
    over = 0
    if track == "stun" and not person.one_monitor:
        over = max(0, boxes - max(0, person.boxes("stun") - stun))
    stunned = boxes - over if track == "stun" else 0
    wounded = boxes if track == "physical" else over // 2
    for name, number in (("stun", stunned), ("physical", wounded)):
        if number:
            case.then("mark", who, name, amount=number)
    physical, stun = physical + wounded, stun + stunned
    case.out(physical_after=physical, stun_after=stun)
    state(case, who, physical, stun, hurt=bool(stunned or wounded))


def state(case: Case, who: str, physical: int, stun: int, *, hurt: bool) -> None:
    """What full monitors mean."""
    person = case.person(who)
    if person.get("vehicle"):
        disabled = physical >= person.boxes("physical")
        case.out(overflow=0, unconscious=False, dying=False, dead=False)
        if disabled:
            case.out(disabled=True)
            if hurt:
                case.then("add-condition", who, "disabled")
        return
    if person.one_monitor:
        full = physical + stun >= person.boxes("stun")
        case.out(overflow=0, unconscious=full, dying=False, dead=False)
        if full and hurt:
            case.then("add-condition", who, "unconscious")
        return
    overflow = max(0, physical - person.boxes("physical"))
    dying = physical >= person.boxes("physical")
    unconscious = dying or stun >= person.boxes("stun")
    dead = dying and overflow >= person["body"]
    case.out(overflow=overflow, unconscious=unconscious, dying=dying, dead=dead)
    if not hurt:
        return
    if unconscious:
        case.then("add-condition", who, "unconscious")
    if dying:
        case.then("add-condition", who, "dying")
    if dead:
        case.then("add-condition", who, "dead")
    elif dying:  # a box more each Body minutes, of turns of three seconds
        case.then("schedule", who, "bleed", turns=person["body"] * 20)


def clash(case: Case, attack: Roll, defense: Roll | None) -> tuple[str, int]:
    """Miss, graze or hit, and the net hits (8.4, step 4)."""
    if defense is None:
        return ("hit", attack.kept) if attack.kept else ("miss", 0)
    if attack.kept == defense.kept:
        return "graze", 0
    return ("hit", attack.kept - defense.kept) if attack.kept > defense.kept else ("miss", 0)


def shaken(case: Case, who: str) -> None:
    """A called shot that hits lowers initiative: at once, or where scores are frozen at the next roll (14)."""
    points = case.person("attacker").get("called_initiative", 0)
    if points and case.asks("frozen_initiative"):
        case.then("gain", who, "initiative-loss", amount=points)
    elif points:
        case.then("spend", who, "initiative", amount=points)


def missed(case: Case, result: str) -> None:
    """What comes of an attack that does no damage."""
    case.out(result=result, damage=0, track=None)
    if result == "graze":
        case.out(contact=True, knockdown=False)
