"""The second opinion on cwn: saves, skill checks, morale, reactions, initiative (1.2, 1.5, 2.2, 8.4, 11)."""

from __future__ import annotations

from second_opinion_cwn_rules import Case, Person, known, modifier, saved
from second_opinions import NotUnderstoodError


def saving_throw(case: Case) -> None:
    """A d20 against a target."""
    case.only("saver save")
    known(case.said["save"], "kind bonus", "save")
    kind = case.said["save"]["kind"]
    target = case.person("saver").save(kind)
    if target is None:
        raise NotUnderstoodError("a save that nothing says")
    target = case.total(f"saver.save.{kind}", target - case.said["save"].get("bonus", 0))
    case.out(save=target, saved=saved(case, target))


def chased(chase: dict[str, object]) -> tuple[int, int]:
    """What a chase adds to the pursuer's and to the fugitive's check (8.4)."""
    known(
        chase,
        "on stunts head_start enraged terrain half_hearted more_pursuers no_sight flies spotter",
        "chase",
    )
    pursuer, fugitive = 0, 0
    if chase["on"] == "foot":
        fugitive += min(3, int(str(chase.get("stunts", 0))))
        starts = {"none": 2, "round": 1, "under-a-minute": 0, "over-a-minute": -2, None: 0}
        pursuer += starts[chase.get("head_start")]  # type: ignore[index]
        pursuer += int(str(chase.get("terrain", 0))) + int(bool(chase.get("enraged")))
        pursuer -= int(bool(chase.get("half_hearted"))) + int(bool(chase.get("more_pursuers")))
    else:
        pursuer += {"pursuer": 3, "quarry": -3, None: 0}[chase.get("flies")]  # type: ignore[index]
        pursuer += int(bool(chase.get("spotter"))) - 2 * int(bool(chase.get("no_sight")))
    return pursuer, fugitive


def bonus_of(who: Person, check: dict[str, list[str]]) -> int:
    """Skill, attribute, circumstances of at most two, and gear."""
    about = max(-2, min(2, who.get("circumstances", 0)))
    return (
        who.check(check.get("skills", ()), check.get("attributes", ()))
        + about
        + int(who.get("check_bonus", 0))
    )


def skill_check(case: Case) -> None:
    """2d6 against a difficulty or against somebody else's check."""
    case.only("tester helper opponent check opposed chase")
    check, who = case.said.get("check", {}), case.person("tester")
    known(check, "skills attributes difficulty drop_lowest", "check")
    chase = case.said.get("chase")
    extra, theirs_extra = chased(chase) if chase else (0, 0)
    bonus = bonus_of(who, check) + extra
    dice = "3d6" if check.get("drop_lowest") else "2d6"
    if "helper" in case.said:
        help_ = case.total("check.help", bonus_of(case.person("helper"), check))
        bonus_help = int(case.table.sum("2d6") + help_ >= check["difficulty"])
    else:
        bonus_help = 0
    case.total("check.bonus", bonus)
    total = sum(sorted(case.table.throw(dice))[-2:]) + bonus + bonus_help
    if "opponent" not in case.said:
        if total < check["difficulty"] and case.table.chosen("masterful-expertise", "tester", "reroll"):
            total = sum(sorted(case.table.throw(dice))[-2:]) + bonus + bonus_help
        case.out(
            total=total,
            difficulty=check["difficulty"],
            margin=total - check["difficulty"],
            success=total >= check["difficulty"],
        )
        return
    other = case.person("opponent")
    opposed = case.said.get("opposed", check)
    theirs = case.total("check.opposed", bonus_of(other, opposed) + theirs_extra) + case.table.sum("2d6")
    if chase:
        tie = chase["on"] == "vehicle"
    else:
        tie = bool(who.get("player")) and not other.get("player")
    case.out(total=total, opposed_total=theirs, success=total > theirs or (total == theirs and tie))


def morale(case: Case) -> None:
    """2d6: as high as the score breaks (C05)."""
    case.only("tester morale_check")
    who, more = case.person("tester"), case.said.get("morale_check", {})
    known(more, "bonus led", "morale check")
    if who.get("player"):
        case.refusals.add("player_character")
        return
    drugs = 2 if who.drug("boneshaker") or who.drug("psycho") else 0
    score = case.total("morale.score", who["morale"] + drugs + more.get("bonus", 0) + more.get("led", 0))

    def breaks() -> bool:
        thrown = case.table.sum("2d6")
        return thrown > score if case.options.get("morale_break") == "exceed" else thrown >= score

    broken = breaks()
    if broken and who.drug("olympus"):
        broken = breaks()
    case.out(morale=score, breaks=broken, result="breaks" if broken else "holds")


def reaction(case: Case) -> None:
    """2d6 and Charisma."""
    case.only("face reaction")
    who = case.person("face")
    total = case.table.sum("2d6") + who.best(("charisma",)) + case.said.get("reaction", {}).get("bonus", 0)
    words = ((2, "most-hostile"), (5, "hostile"), (8, "neutral"), (11, "friendly"))
    case.out(total=total, reaction=next((word for most, word in words if total <= most), "most-friendly"))


def initiative(case: Case) -> None:
    """1d8 and Dexterity; Alert rolls twice; a Reaction Booster is its owner's alone."""
    case.only("roller initiative")
    who, scope = case.person("roller"), case.said.get("initiative", {}).get("scope", "individual")
    bonus = modifier(who["dexterity"]) if who.has("dexterity") else 0
    if scope == "automatic" and who.implant("reaction-booster-2"):
        bonus = 0  # two of these roll unmodified
    elif scope == "individual" and who.implant("reaction-booster-1"):
        bonus += 2
    case.total("initiative.total", bonus)
    first = case.table.sum("1d8")
    die = first
    if who.focus("alert"):
        again = case.table.sum("1d8")
        case.out(initiative_total=first + bonus, again_total=again + bonus)
        die = max(first, again)
    case.out(total=die + bonus, die=die, scope=scope)


def surprise_check(case: Case) -> None:
    """Dexterity/Sneak of those who steal up, less heavy armor; Wisdom/Notice of the others (2.3)."""
    case.only("tester surprise")
    known(case.said.get("surprise", {}), "sneaking", "surprise")
    who, sneaking = case.person("tester"), bool(case.said.get("surprise", {}).get("sneaking"))
    if sneaking:
        bonus = who.check(("sneak",), ("dexterity",)) - who.heavy()
    else:
        bonus = who.check(("notice",), ("wisdom",))
    case.total("surprise.bonus", bonus)
    case.out(total=case.table.sum("2d6") + bonus, sneaking=sneaking)


def hit_points(case: Case) -> None:
    """A die for each Hit Die; Hard to Kill adds two for each (1.3)."""
    case.only("npc")
    who = case.person("npc")
    bonus = 2 * who["hit_dice"] if "hard-to-kill" in who.get("trauma_sources", ()) else 0
    case.total("hit-points.bonus", bonus)
    die = case.options.get("npc_hit_die", "d8")
    case.out(hit_points=case.table.sum(f"{who['hit_dice']}{die}") + bonus)


CHECKS = {
    "surprise-check": surprise_check,
    "hit-points": hit_points,
    "saving-throw": saving_throw,
    "skill-check": skill_check,
    "morale": morale,
    "reaction-roll": reaction,
    "initiative": initiative,
}
