"""The second opinion on shots at several and a gun in each hand (sections 8.4 to 8.9). See `second_opinion`."""

from __future__ import annotations

from typing import Any

from second_opinion_ranged import compensation, fired, ranged_attack
from second_opinion_rules import Case, Roll, armed, person, skill_dice
from second_opinions import Entry, NotUnderstoodError


def ranged_volley(case: Case) -> None:
    """One shot after the other, each as `ranged_attack`."""
    if "weapon_2" in case.said:
        two_firearms(case)
    elif "choke" in case.said.get("fire", {}):
        spread(case)
    else:
        split_burst(case)


def targets(case: Case) -> list[str]:
    """Who is shot at."""
    return [name for name in ("target", "target_2", "target_3") if name in case.said]


def one(case: Case, name: str, prefix: str, *, waits: bool, **said: Any) -> Case:
    """One shot of the volley: its totals where it waits, otherwise its outcome; the facts go to the volley."""
    target = said.pop("target", case.said[name])
    target = {"use": target} if isinstance(target, str) else dict(target)
    common = {
        word: case.said[word] for word in ("distance", "called_shot", "visibility") if word in case.said
    }
    if name != "target":  # each at its own distance
        common.pop("distance", None)
    if "distance" in target:
        common["distance"] = target.pop("distance")
    shot = Case({"request": {"situation": {**common, **said, "target": target}}, "expect": {}})
    shot.table, shot.options, shot.waits, shot.thrown = case.table, case.options, waits, case.thrown
    shot.by_hand = said.pop("by_hand", case.by_hand)
    shot.said.pop("by_hand", None)
    ranged_attack(shot)
    case.refusals |= shot.refusals
    if waits:
        case.totals.update({prefix + total: value for total, value in shot.totals.items()})
    else:
        case.thrown = shot.thrown
        case.out(shot.outcome, f"{prefix or 'target.'}")
        for (_, track), boxes in shot.marks.items():
            case.mark(name, track, boxes)
    return shot


def short(name: str) -> str:
    """Before the totals of all but the first."""
    return "" if name == "target" else f"{name}."


def spread(case: Case) -> None:
    """Shot of a shotgun: one attack roll, with the pool of the hardest target."""
    most, fire = {"narrow": 1, "medium": 2, "wide": 3}, {"mode": "semi-automatic", **case.said["fire"]}
    near = targets(case)
    case.refusals |= {"too_many_targets"} if len(near) > most[fire["choke"]] else set()
    case.refusals |= {"targets_too_far_apart"} if case.said.get("apart", 0) > 1 else set()
    case.refusals |= {"called_shot_with_spread"} if "called_shot" in case.said else set()
    if case.refusals:
        return
    said = {"attacker": case.said["attacker"], "weapon": case.said["weapon"], "fire": fire}
    pools = [one(case, name, short(name), waits=True, **said).totals["attack.pool"] for name in near]
    case.totals["attack.pool"] = min(pools)
    if case.waits:
        return
    shooter = person(case.said["attacker"])
    case.thrown = Roll(case.table, min(pools), "attacker", "attack", shooter.get("edge", 0))
    for name in near:
        one(case, name, f"{name}.", waits=False, **said)
    case.out({"attack_hits": case.thrown.hits, "fired.rounds": 1})


def split_burst(case: Case) -> None:
    """A full burst as a short and a long one, or as three short ones."""
    weapon, near = armed(case.said["weapon"]), targets(case)
    rounds = min(10, weapon["rounds"])
    if "FA" not in weapon["modes"]:
        case.refusals.add("mode_not_available")
    if rounds < 6:
        case.refusals.add("too_few_rounds")
    if case.refusals:
        return
    bursts = ["short-burst", "long-burst"] if len(near) == 2 else ["short-burst"] * 3
    if case.said.get("long_first"):
        bursts.reverse()
    shots, before = [], 0
    for place, (name, mode) in enumerate(zip(near, bursts, strict=True)):
        fire = {**case.said["fire"], **case.said.get(f"fire_{place + 1}", {}), "mode": mode}
        left = {**said_of(case.said["weapon"]), "rounds": rounds - before}
        attacker = said_of(case.said["attacker"])
        attacker["rounds_before"] = attacker.get("rounds_before", 0) + before
        attacker["bursts_before"] = attacker.get("bursts_before", 0) + place
        attacker["targets_before"] = attacker.get("targets_before", 0) + place
        if place:
            attacker.pop("take_aim", None)
            attacker.pop("magnification", None)
        shots.append((name, {"attacker": attacker, "weapon": left, "fire": fire}))
        before += fired(case, armed(left), fire)[0]
    for name, said in shots:
        one(case, name, short(name), waits=True, **said)
    if case.waits:
        return
    for name, said in shots:
        case.thrown = None
        one(case, name, f"{name}.", waits=False, **said)
    case.out({"fired.rounds": rounds - before})


def said_of(said: Any) -> Entry:
    """What is said of somebody or something, as a record."""
    return {"use": said} if isinstance(said, str) else dict(said)


def two_firearms(case: Case) -> None:
    """A gun in each hand: the smaller pool is split, and each gun's recoil that is left counts for both."""
    fire = case.said.get("fire", {"mode": "semi-automatic"})
    guns = [case.said["weapon"], case.said["weapon_2"]]
    shooter, attacker = person(without_second(case.said["attacker"])), said_of(case.said["attacker"])
    whole = shooter.get("pool")
    if whole is None:
        whole = min(shooter["agility"] + skill_dice(shooter, armed(gun)["skill"]) for gun in guns)
    case.refusals |= {"pool_too_small"} if whole < 2 else set()
    case.refusals |= {"full_burst_with_two_firearms"} if fire["mode"] == "full-burst" else set()
    case.refusals |= {"second_long_burst"} if fire["mode"] == "long-burst" else set()
    first = attacker.get("split_dice", whole - whole // 2)
    second_target = "target_2" if "target_2" in case.said else "target"
    hands = (first, whole - first), ("target", second_target)
    before_2 = attacker.pop("rounds_before_2", 0)
    before = [attacker.get("rounds_before", 0) - before_2, before_2]
    off_first = bool(attacker.pop("off_hand", False))
    shots: list[Entry] = []
    for place, gun in enumerate(guns):
        other = armed(guns[1 - place])
        said = {**attacker, "split_dice": hands[0][place], "rounds_before": before[place]}
        said["off_hand"] = off_first if place == 0 else not off_first
        if place:
            said.pop("take_aim", None)
            said.pop("magnification", None)
        if place and second_target != "target":
            said["targets_before"] = said.get("targets_before", 0) + 1
        theirs = before[1 - place] + fired(case, other, fire)[0]
        left = max(0, theirs - 1 - compensation(case, shooter, other)[1])
        by_hand = [*case.by_hand, {"to": "attack.pool", "value": -left}]
        shots.append({"attacker": said, "weapon": gun, "fire": fire, "by_hand": by_hand})
    prefix = "weapon_2." if second_target == "target" else "target_2."
    again = said_of(case.said[second_target])
    if second_target == "target":
        again["defenses_made"] = again.get("defenses_made", 0) + 1
    one(case, "target", "", waits=True, **shots[0])
    one(case, second_target, prefix, waits=True, target=again, **shots[1])
    if case.waits or case.refusals:
        return
    done = one(case, "target", "target.", waits=False, **shots[0]).outcome
    if second_target == "target":
        hit = "physical_after" in done
        if hit:
            again.update(physical=done["physical_after"], stun=done["stun_after"])
            again["prone"] = again.get("prone", False) or done["knockdown"]
            again["unaware"] = again.get("unaware", False) or done["unconscious"]
        down = hit and done["unconscious"]
        if done["result"] == "no-attack":
            again["defenses_made"] -= 1
        case.out({"hurt_before": done["damage"], "prone_before": again.get("prone", False)}, prefix)
        case.out({"helpless": down, "down_before": down}, prefix)
    case.thrown = None
    one(case, second_target, prefix, waits=False, target=again, **shots[1])


def without_second(said: Any) -> Entry:
    """The shooter without what is said of the second gun."""
    said = said_of(said)
    if said.get("rounds_before_2") is None and "rounds_before_2" in said:
        raise NotUnderstoodError("rounds of the second gun")
    said.pop("rounds_before_2", None)
    return said
