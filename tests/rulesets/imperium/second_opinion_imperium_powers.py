"""The second opinion on imperium: psychic powers (13, 25). See `second_opinion_imperium`.

Written from the rulebook by one who knows the ruleset's code; what a single power does is read from its plain YAML.
"""

from __future__ import annotations

from math import ceil

from second_opinion_imperium_rules import (
    Body,
    Case,
    Hull,
    Person,
    backwards,
    changed_injuries,
    entries,
    location,
)
from second_opinions import Entry, NotUnderstoodError

BACKLASH = (
    (3, "none"),
    (5, "dazed"),
    (7, "burst-vessels"),
    (8, "will-broken"),
    (9, "astray"),
    (10, "torn"),
)


def power_of(case: Case) -> tuple[str, Entry]:
    """The power, with its slug; "" for one that is only described."""
    said = case.said["power"]
    said = {"use": said} if isinstance(said, str) else dict(said)
    slug = said.get("use", "")
    return slug, {**(entries("powers")[slug] if slug else {}), **said}


def rounds(case: Case, power: Entry) -> int:
    """How long it lasts: twice as many rounds of one action where durations are doubled (3.3)."""
    doubled = (
        case.options.get("one_action_rounds") and case.options.get("one_action_scale_durations") == "double"
    )
    return int(power["lasts"]) * (2 if doubled else 1)


def psychic_power(case: Case) -> None:
    """Willpower less the Difficulty; the effect, a test against it, or a backlash."""
    case.only("psyker target power action distance")
    psyker, (slug, power) = Person(case.said["psyker"]), power_of(case)
    target = Person(case.said["target"]) if "target" in case.said else None
    affects = power.get("affects", "target")
    for code, so in {
        "needs_ability": psyker.has("traits") and not psyker.may("psychic-powers"),
        "not_concentrated": psyker.get("concentrated") is False,
        "no_mind": power.get("strikes") == "total" and target and target.get("hull", 0) > 0,
        "no_daemon": affects == "daemon" and target and target.has("traits") and not target.may("daemon"),
        "illegal_merge": case.merged_with() == "sprint",
        "beyond_range": case.said.get("distance", 0) > power.get("reach", 10_000),
    }.items():
        if so:
            case.refusals.add(code)
    held = sum(psyker.get("holds", {}).values())
    modifiers = [-power["difficulty"], 10 * bool(psyker.get("psy_focus")), -10 * held]
    modifiers += [-10 * bool(psyker.get("hurt")), -20 * bool(target and target.get("warded"))]
    modifiers.append(15 * bool(psyker.get("psy_dust")))
    chance = case.chance("power.chance", psyker["willpower"], modifiers, int(case.merged()))
    resists, resist = power.get("resisted_by"), None
    if target is not None and resists and target.has(resists):
        resist = case.chance("power.resist", target[resists], [power.get("resist_modifier", 0)])
    mine = Body(case, "psyker", psyker)
    hull = Hull(case, "target", target) if target is not None and target.has("hull") else None
    theirs = Body(case, "target", target) if target is not None and hull is None else None
    if case.refusals:
        return
    test = case.d100("test", chance)
    case.out(success=test.passed)
    case.then("remove-condition", "psyker", "concentrating")
    strikes_back = test.matched and case.options.get("psychic_backlash", True)
    if not test.passed or (psyker.get("psy_dust") and strikes_back):
        case.out(success=False)
        if strikes_back:
            backlash(case, psyker, mine)
        return
    margin = test.margin * (2 if test.matched else 1)
    case.out(margin=margin)
    if "pushes" in power and target is not None:
        case.out(pushed_yards=min(power["pushes"], ceil(margin / 10)))
    halves = power.get("resisting") == "halves"
    if resist is not None and not halves:
        resisted = case.d100("resist", resist).passed
        case.out(resisted=resisted)
        if resisted:
            return
    who, body, person = {"self": ("psyker", mine, psyker), "place": ("", None, None)}.get(
        affects, ("target", theirs, target)
    )
    if "heals" in power and person is not None:
        heal(case, power, who, person)
    if "damage" in power and affects == "target" and hull is not None and person is not None:
        dealt = case.table.throw(power["damage"]) + (ceil(margin / 10) if power.get("margin_adds") else 0)
        case.out(damage_total=dealt)
        hull.blow("", hull.through(dealt, power["damage"], person.get("facing", "front")))
        hull.tell()
        hull.breaks()
    if "damage" in power and body is not None and person is not None:
        dealt = case.table.throw(power["damage"]) + (ceil(margin / 10) if power.get("margin_adds") else 0)
        case.out(damage_total=dealt)
        if halves and resist is not None and case.d100("save", resist).passed:
            dealt = ceil(dealt / 2)
        if power["strikes"] == "total":
            body.net, body.total = dealt, body.total + dealt
            if body.toughness is not None and body.total >= body.dies_at() and dealt:
                body.out = "dead"
        else:
            place = location(backwards(test.face))
            field = case.table.throw(person.field()) if person.has("armor") and person.field() else 0
            armor = person.protection(place) if person.has("armor") else 0
            body.blow(place, max(0, dealt - armor - field))
        body.tell()
    lasts(case, slug, power, who)
    if power.get("stops_bleeding") and person is not None and person.get("bleeding"):
        ((place, bleedings),) = person["bleeding"].items()
        stopped = min(bleedings, max(1, ceil(margin / 10)))
        case.out(stopped=stopped, location=place)
        case.then("mark", who, f"bleeding-{place}", -stopped)


def lasts(case: Case, slug: str, power: Entry, who: str) -> None:
    """The conditions of a power that lasts, or what it brings at once."""
    effect, holding = (
        power.get("brings", "") if who else "",
        f"holding-{slug}" if slug and "lasts" in power else "",
    )
    if holding:
        case.out(lasts_rounds=rounds(case, power))
        case.then(
            "add-condition", "psyker", holding, unit="phase", length=rounds(case, power), **{"from": "next"}
        )
    if effect:
        case.then("add-condition", who, effect, **({"towards": "psyker"} if holding else {}))


def heal(case: Case, power: Entry, who: str, person: Person) -> None:
    """A level of the one injured location, and dice off the Injury Total."""
    injured = {place: level for place, level in person.get("injuries", {}).items() if level < 5}
    if not injured:
        return
    if len(person["injuries"]) > 1:
        raise NotUnderstoodError("which location")
    ((place, level),) = injured.items()
    mended = case.table.throw(power["heals"])
    case.out(mended=mended)
    if person.has("toughness"):
        case.then("mark", who, f"injury-{place}", -1)
        changed_injuries(case, who, {place: level}, {place: level - 1} if level > 1 else {})
    case.then("mark", who, "injury-total", -mended)


def backlash(case: Case, psyker: Person, body: Body) -> None:
    """The die of a matched failure."""
    rolled = case.table.throw("1d10")
    name = next(name for most, name in BACKLASH if rolled <= most)
    case.out(backlash=name)
    if name == "dazed" and not psyker.get("steady"):
        body.stunned = max(body.stunned, 1)
    if name == "burst-vessels":
        body.blow("head", case.table.throw("1d10"))
    if name == "torn":
        body.blow("body", case.table.throw("2d10"))
    body.tell("psyker_")
    if body.toughness is None:  # what is known of them is counted all the same
        case.changed("mark", "psyker", "injury-total", body.net)
        case.changed("mark", "psyker", "stunned-actions", int(name == "dazed"))
    if name == "will-broken":
        for slug in psyker.get("holds", {}):
            case.then("remove-condition", "psyker", slug)
        case.then("add-condition", "psyker", "shaken-will")


def hold_powers(case: Case) -> None:
    """Willpower, or all powers held end."""
    case.only("psyker")
    psyker = Person(case.said["psyker"])
    kept = case.d100("test", case.chance("hold.chance", psyker["willpower"])).passed
    case.out(success=kept)
    for slug in () if kept else psyker.get("holds", {}):
        case.then("remove-condition", "psyker", slug)


def renew_power(case: Case) -> None:
    """An action; no roll."""
    case.only("psyker target power")
    slug, power = power_of(case)
    case.out(lasts_rounds=rounds(case, power))
    who = "psyker" if power.get("affects") == "self" else "target" if "target" in case.said else ""
    lasts(case, slug, power, who)


POWERS = {"use-psychic-power": psychic_power, "hold-powers": hold_powers, "renew-power": renew_power}
