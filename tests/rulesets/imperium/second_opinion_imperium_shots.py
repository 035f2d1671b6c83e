"""The second opinion on imperium: shots and throws (sections 5, 7, 8.1, 11). See `second_opinion_imperium`."""

from __future__ import annotations

from typing import NamedTuple

from second_opinion_imperium_rules import (
    Body,
    Case,
    Person,
    Test,
    armed,
    backwards,
    dice_in,
    entries,
    excess,
    known,
    location,
)
from second_opinions import Entry, NotUnderstoodError

SITUATION = "attacker target weapon armor fire distance visibility action " + " ".join(
    f"other_{number}" for number in range(1, 9)
)
AWAY = {"short": 0, "medium": -10, "long": -20, "extreme": -20}


class Figures(NamedTuple):
    """What does not change from one target to the next."""

    case: Case
    attacker: Person
    weapon: Entry
    mode: str
    shots: int


def band(weapon: Entry, attacker: Person, distance: float) -> str:
    """Where the target is (5.1); of what is thrown the limits are parts of the Strength (11)."""
    if weapon["type"] == "thrown":
        limits = [attacker["strength"] / weapon[f"throw_{name}"] for name in ("short", "medium", "long")]
    else:
        limits = [weapon[name] for name in ("short", "medium", "long")]
    limits.append(2 * limits[-1])
    names = ("short", "medium", "long", "extreme")
    return next((name for name, limit in zip(names, limits, strict=True) if distance <= limit), "beyond")


def silencer(weapon: Entry) -> str:
    """What muffles it: ``removable``, ``integral`` or ""."""
    found = [entries("mods")[mod].get("silencer", "") for mod in weapon["mods"]]
    return next(filter(None, found), "")


def chance_at(figures: Figures, who: str, target: Person, distance: float) -> int:
    """The chance of each shot at somebody (5.2, 5.3)."""
    case, attacker, weapon, mode, shots = figures
    away = band(weapon, attacker, distance)
    if away == "beyond":
        case.refusals.add("beyond_range")
        return 0
    aim, arm = attacker.get("aim", 0), case.said.get("action", {}).get("arm", "both")
    modifiers = [
        AWAY[away],
        20 * (aim >= 1) + 10 * (aim >= 2),
        {"ran": -10, "sprinted": -20}.get(target.get("pace"), 0),
        -10 * bool(target.get("prone") and away != "short"),
        20 * (target.get("pace") == "stationary" and target.get("aware") is False),
        -20 * bool(case.said.get("visibility")),
        -5 * (shots - 1) * (mode == "semi-auto"),
        -10 * (silencer(weapon) == "removable"),
        -excess(case, weapon, attacker, arm != "both"),
        -20 * (attacker.arm_injury(arm) == 3),
    ]
    halves = (away == "extreme") + (mode == "full-auto") + case.merged()
    name = "shooting.chance" if who == "target" else f"{who}.shooting.chance"
    return case.chance(name, attacker["ballistic_skill"], modifiers, halves)


def refused(figures: Figures, target: Person, fire: Entry) -> None:
    """What makes a shot impossible."""
    case, attacker, weapon, mode, shots = figures
    arm = case.said.get("action", {}).get("arm", "both")
    rounds = weapon.get("rounds")
    least, most = (weapon.get("semi_least", 1), weapon.get("semi_most", 1)) if mode == "semi-auto" else (1, 1)
    most = 999 if mode == "full-auto" else most
    held = silencer(weapon)
    fits = weapon["type"] in ("pistol", "basic") and weapon.get("ammunition")
    thrown, other = weapon["type"] == "thrown", case.merged_with()
    draws = other == "draw-weapon" and not attacker.may("quick-draw")
    like = other == ("throw-grenade" if thrown else "fire-weapon") and case.options.get("merge_same") is False
    for code, so in {
        "not_a_ranged_weapon": weapon["type"] == "close",
        "arm_useless": attacker.arm_injury(arm) >= 4,
        "empty_weapon": rounds == 0,
        "too_few_rounds": rounds and shots > rounds,
        "mode_not_available": mode not in weapon.get("modes", ()),
        "too_few_shots": shots < least,
        "too_many_shots": shots > most,
        "silencer_does_not_fit": held == "removable" and not fits,
        "has_not_aimed": target.get("mounted") and not attacker.get("aim") and "aims_at" in fire,
        "illegal_merge": like
        or other in ("sprint", "do-nothing")
        or (draws and not (thrown and case.options.get("draw_merge_grenade"))),
    }.items():
        if so:
            case.refusals.add(code)


def reins(case: Case, attacker: Person) -> bool:
    """Whether a rider with both hands off the reins stays up (6)."""
    both_hands = case.said.get("action", {}).get("arm") == "both"
    if not (attacker.get("mounted") and attacker.get("hands_off", both_hands)):
        return True
    if case.d100("reins", case.chance("reins.chance", attacker["initiative"])).passed:
        return True
    case.out(result="fell", hit=False)
    case.then("remove-condition", "attacker", "mounted")
    case.then("add-condition", "attacker", "prone")
    return False


def shooting(case: Case) -> None:
    """A shot, several shots, or a throw."""
    case.only(SITUATION)
    attacker, weapon = Person(case.said["attacker"]), armed(case.said["weapon"])
    fire = case.record("fire", "mode shots aims_at")
    mode = fire.get("mode") or weapon["modes"][0]
    if "shots" not in fire and mode != "single" and weapon.get("semi_least") != weapon.get("semi_most"):
        raise NotUnderstoodError("how many shots")
    least = 1 if mode == "single" else weapon.get("semi_least", 1)
    shots: int = fire.get("shots", least)
    figures = Figures(case, attacker, weapon, mode, shots)
    people = {who: Person(case.said[who]) for who in case.said if who == "target" or who.startswith("other_")}
    bursts = "blast" in weapon
    refused(figures, people["target"], fire)
    at = {who: person for who, person in people.items() if who == "target" or not bursts}
    chances = {
        who: chance_at(figures, who, person, case.said["distance"] if who == "target" else person["distance"])
        for who, person in at.items()
    }
    thrown = figures.weapon["type"] == "thrown"
    strength = max(0, (attacker.get("strength", 50) - 50) // 10) if thrown else 0
    case.totals["shooting.damage"] = dice_in(weapon["damage"])[2] + strength
    if case.refusals:
        return
    if bursts:
        throw(figures, people, chances["target"], strength)
        return
    if not reins(case, attacker):
        return
    each, over = divmod(shots, len(at))
    for number, (who, person) in enumerate(at.items()):
        prefix = f"{who}." if len(at) > 1 else ""
        volley(figures, who, person, chances[who], each + (number < over), strength, prefix)
    left(figures, "target." if len(at) > 1 else "")


def left(figures: Figures, prefix: str) -> None:
    """Mark ammunition."""
    if figures.weapon.get("rounds") is not None:
        figures.case.out(prefix, rounds_left=figures.weapon["rounds"] - figures.shots)
    if "rounds" in figures.weapon or "capacity" in figures.weapon:
        figures.case.then("item", "attacker", "weapon", -figures.shots)


def volley(
    figures: Figures, who: str, target: Person, chance: int, shots: int, more: int, prefix: str
) -> None:
    """All shots at somebody, one after another."""
    case, hits, criticals, mount_hits, mount = figures.case, 0, 0, 0, 0
    body, heard = Body(case, who, target), False
    piece = case.said.get("armor") if who == "target" else None
    for number in range(1, shots + 1):
        mark = f"_{number}" if shots > 1 else ""
        test = case.d100(f"{prefix}shot{mark}", chance)
        heard |= test.matched and not test.passed
        if not test.passed:
            continue
        hits, criticals = hits + 1, criticals + test.matched
        if strikes_mount(figures, target, prefix, mark):
            mount_hits += 1
            mount += max(0, case.table.throw(figures.weapon["damage"]) + more) * (2 if test.matched else 1)
            continue
        place = location(backwards(test.face))
        net = damage(
            case, figures.weapon["damage"], more, test, target, place, f"{prefix}damage{mark}", piece
        )
        body.blow(place, net, prefix)
    body.tell(prefix)
    case.out(prefix, hit=hits > 0, critical=criticals > 0, result="hit" if hits else "miss")
    case.out(prefix, shots=shots, hits=hits, criticals=criticals)
    case.out(prefix, mount_hits=mount_hits, mount_damage=mount)
    kind = silencer(figures.weapon)
    case.out(prefix, heard=heard if kind == "removable" else not kind)


def strikes_mount(figures: Figures, target: Person, prefix: str, mark: str) -> bool:
    """Whether the hit is on the mount (5.3): chosen by whoever has aimed, else 50 or 60 in a hundred."""
    if not target.get("mounted"):
        return False
    if figures.attacker.get("aim"):
        return bool(figures.case.said.get("fire", {}).get("aims_at") == "mount")
    face = figures.case.table.throw("1d100")
    struck = face <= (60 if target.get("small") else 50)
    figures.case.out(f"{prefix}mount{mark}_", success=struck)
    return struck


def damage(
    case: Case, dice: str, more: int, test: Test, target: Person, place: str, name: str, piece: Entry | None
) -> int:
    """Net damage of a hit (8.1): a critical doubles the sum before field, armor and cover come off."""
    field = target.field(piece)
    less = (case.table.throw(field) if field else 0) + target.protection(place, piece)
    rolled = case.table.throw(dice) + more
    dealt = max(0, rolled) * (2 if test.matched else 1)
    net = max(0, dealt - less)
    case.out(f"{name}_", rolled=rolled, dealt=dealt, stopped=dealt - net, net=net, location=place)
    return net


def throw(figures: Figures, people: dict[str, Person], chance: int, more: int) -> None:
    """What bursts among people: one roll of damage for all, doubled for the one whom a critical throw hits."""
    case, weapon = figures.case, figures.weapon
    test = case.d100("shot", chance)
    left(figures, "")
    case.out(hit=test.passed, critical=test.passed and test.matched, result="hit" if test.passed else "miss")
    if not test.passed:
        case.out(net_damage=0)
        return
    several = len(people) > 1
    rolled: int | None = None
    for who, target in people.items():
        prefix = f"{who}." if several else ""
        known(
            target.facts, "armor toughness from_target cover behind_cover injury_total injuries bleeding", who
        )
        if target.get("from_target", 0) > weapon["blast"]:
            case.out(prefix, result="outside", net_damage=0)
            continue
        if target.field():
            raise NotUnderstoodError("a force field in a blast")
        if rolled is None:
            rolled = case.table.throw(weapon["damage"]) + more
        place = location(backwards(test.face) if who == "target" else case.table.throw("1d100"))
        critical = test.matched and who == "target"
        net = max(0, max(0, rolled) * (2 if critical else 1) - target.protection(place))
        case.out(prefix, location=place, damage_location=place, result="hit")
        body = Body(case, who, target)
        body.blow(place, net, prefix)
        body.tell(prefix)
