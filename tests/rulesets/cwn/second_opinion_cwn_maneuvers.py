"""The second opinion on cwn: execution attacks, shoves and grapples (section 8). See `second_opinion_cwn`."""

from __future__ import annotations

from second_opinion_cwn_attack import Blow
from second_opinion_cwn_rules import Case, Person, armed, fall, hurt, known, saved
from second_opinions import NotUnderstoodError

POINT_BLANK = 2
HANDS = ("punch",)
STRONG = ("strength",)
SIZES = {"larger": -2, "much-larger": -4}


def execution(case: Case) -> None:
    """An attack on somebody unsuspecting after a minute of preparation (8.3)."""
    case.only("attacker target weapon attack distance")
    who, target, weapon = case.person("attacker"), case.person("target"), armed(case.said["weapon"])
    how = dict(case.said.get("attack", {}))
    known(how, "prepared rested lethal kind", "attack")
    if not target.get("unsuspecting"):
        case.refusals.add("execution_target_wary")
    if target.focus("alert"):
        case.refusals.add("execution_target_alert")
    if not how.pop("prepared", False):
        case.refusals.add("execution_unprepared")
    blow = Blow(case, who, target, weapon, how)
    case.refusals |= blow.refused()
    if case.refusals:
        return
    ranged = blow.kind == "ranged"
    if weapon["slug"] == "viper-sting":
        level = max(0, who.skills.get("stab", 0), who.skills.get("punch", 0))  # R24
        case.out(ammo_left=weapon["rounds"] - 1)
    else:
        level = max(0, blow.level() or 0)
        blow.spend_rounds()
    eye = ranged and who.focus("snipers-eye")
    never_misses = ranged and who.focus("snipers-eye", 2)
    if ranged and not never_misses:
        difficulty = 6 if blow.distance <= POINT_BLANK else 10 if blow.is_long() else 8
        bonus = case.total("execution.check", who.check(weapon["skills"], weapon["attributes"]))
        faces = sorted(case.table.throw("3d6" if eye else "2d6"))[-2:]
        case.out(check_total=sum(faces) + bonus)
        if sum(faces) + bonus < difficulty:
            case.out(result="miss", hit=False, damage=0, hp_after=target.get("hp"))
            return
    traumatic = blow.lethal and "trauma_die" in weapon
    case.out(result="hit", hit=True, traumatic=traumatic)
    printed = target.save("physical")
    if printed is None:
        raise NotUnderstoodError("a save that nothing says")
    case.total("save.physical", printed)
    goal = case.total("execution.save", printed + level + (4 if never_misses else 0))
    extra = blow.damage()
    if not saved(case, goal):
        case.out(felled=True, hp_after=0)
        case.harm["mark", "target", "hp"] = target["hp"]
        fall(case, "target", target, 0, lethal=blow.lethal, traumatic=traumatic)
        return
    damage = max(0, case.table.sum(weapon["damage"]) + extra)
    case.out(damage_rolled=damage, felled=False)
    damage *= weapon["trauma_rating"] if traumatic else 1
    damage *= 2 if never_misses else 1
    hurt(case, "target", target, damage, lethal=blow.lethal, traumatic=traumatic)


def contest(case: Case, first: Person, second: Person, skills: tuple[str, ...], name: str = "target") -> bool:
    """Opposed checks with Strength; ties are the PC's, and between NPCs whoever resists holds out."""
    mine = first.check(skills, STRONG) + SIZES.get(second.get("size", ""), 0)
    theirs = second.check(skills, STRONG)
    case.total("contest.first", mine)
    case.total("contest.second", theirs)
    mine += case.table.sum("2d6")
    theirs += case.table.sum("2d6")
    case.out(contest_total=mine)
    case.out(f"{name}.", contest_total=theirs)
    return mine > theirs or (mine == theirs and bool(first.get("player")) and not second.get("player"))


def laid_hands_on(case: Case) -> tuple[Person, Person] | None:
    """A melee attack that does no damage; None where it misses."""
    who, target = case.person("attacker"), case.person("target")
    blow = Blow(case, who, target, armed(case.said["weapon"]), {})
    total = case.table.sum("1d20") + blow.to_hit()
    hit = total >= blow.ac()
    case.out(attack_total=total, hit=hit)
    if not hit:
        case.out(result="miss")
        return None
    return who, target


def shove(case: Case) -> None:
    """Pushed back three metres or knocked down (8.1)."""
    case.only("attacker target weapon")
    both = laid_hands_on(case)
    if both is None:
        return
    if not contest(case, *both, ("exert", "punch")):
        case.out(result="resisted")
    elif case.table.chosen("shove-result", "attacker", "prone"):
        case.out(result="shoved", shoved="prone")
    else:
        case.out(result="shoved", shoved="push", pushed_m=3)


def grapple(case: Case) -> None:
    """Getting hold of somebody (8.1)."""
    case.only("attacker target weapon")
    who = case.person("attacker")
    if who.get("hands_free") is False:
        case.refusals.add("grapple_hands_full")
    if armed(case.said["weapon"])["type"] != "unarmed":
        case.refusals.add("grapple_with_a_weapon")
    if who.get("grappling"):
        case.refusals.add("grapple_second_victim")
    if case.refusals:
        return
    both = laid_hands_on(case)
    if both is None:
        return
    held = both[1].get("machine") or contest(case, *both, HANDS)
    case.out(result="grappled" if held else "resisted")


def escape(case: Case) -> None:
    """Out of the hold of one or several, all of whose totals must be beaten."""
    case.only("escaper target holder_2 holder_3")
    who = case.person("escaper")
    mine = case.total("escape.check", who.check(HANDS, STRONG)) + case.table.sum("2d6")
    case.out(contest_total=mine)
    escaped = True
    for name in ("target", "holder_2", "holder_3"):
        if name in case.said:
            one = case.person(name)
            theirs = case.total(f"escape.{name}", one.check(HANDS, STRONG)) + case.table.sum("2d6")
            case.out(f"{name}.", contest_total=theirs)
            tie = mine == theirs and who.get("player") and not one.get("player")
            escaped &= bool(mine > theirs or tie)
    case.out(escaped=escaped)


def drag(case: Case) -> None:
    """Dragged three metres or thrown two; a loss or a tie frees."""
    case.only("attacker target")
    who, target = case.person("attacker"), case.person("target")
    contest(case, who, target, HANDS)
    if case.outcome["contest_total"] <= case.outcome["target.contest_total"]:
        case.out(result="freed")
    elif case.table.chosen("drag-result", "attacker", "throw"):
        case.out(result="throw", moved_m=2)
    else:
        case.out(result="drag", moved_m=3)


MANEUVERS = {
    "execution-attack": execution,
    "shove": shove,
    "grapple": grapple,
    "escape-grapple": escape,
    "drag-grappled": drag,
}
