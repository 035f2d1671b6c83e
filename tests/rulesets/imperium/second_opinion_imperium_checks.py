"""The second opinion on imperium: tests, psychic powers, initiative, cold (1, 2, 3, 4, 6, 13).

See `second_opinion_imperium`.
"""

from __future__ import annotations

from math import ceil

from second_opinion_imperium_rules import Case, Person
from second_opinions import NotUnderstoodError

CHARACTERISTIC = {
    "awareness": "initiative",
    "sneak": "initiative",
    "reins": "initiative",
    "leap": "strength",
    "swim": "strength",
    "tread-water": "strength",
    "find-data": "sagacity",
    "subordination": "leadership",
    "resist-poison": "toughness",
    "resist-trauma": "nerve",
    "break-free": "strength",
}
SUCCESS = {
    "awareness": "notices",
    "sneak": "unnoticed",
    "leap": "across",
    "reins": "stays_mounted",
    "find-data": "found",
    "resist-poison": "resisted",
    "resist-trauma": "resisted",
}
WET = ("swim", "tread-water")
SLOW = ("crawl", "sneak", "wade", "swim", "walk")


def characteristic_test(case: Case) -> None:
    """D100 against a characteristic; what failure of some of them means."""
    case.only("tester test action")
    who, test = Person(case.said["tester"]), case.record("test", "kind characteristic modifier")
    kind = test.get("kind", "")
    fast = kind == "awareness" and case.merged_with() in ("run", "sprint", "leap", "drive")
    if fast or case.merged_with() == "sprint":
        case.refusals.add("illegal_merge")
    if kind == "subordination" and not case.options.get("subordination"):
        case.refusals.add("option_off")
    if case.refusals:
        return
    if kind in WET and who.may("swimming"):
        ended(case, kind, passed=True, drowning=False)
        return
    name = test.get("characteristic") or CHARACTERISTIC[kind]
    free = kind == "awareness" and case.options.get("do_nothing_walk_free") and case.merged_with() in SLOW
    merged = case.merged() and not free
    quarter = merged and kind == "leap" and who.may("acrobatics")
    modifiers = [test.get("modifier", 0), -10 * (kind == "break-free")]
    chance = case.chance("test.chance", who[name], modifiers, int(merged and not quarter))
    if quarter:
        left = chance * 3 / 4
        chance = int(left) if case.options.get("rounding") == "down" else ceil(left)
        case.totals["test.chance"] = chance
    rolled = case.d100("test", chance)
    ended(case, kind, rolled.passed, drowning=not rolled.passed and rolled.matched)


def ended(case: Case, kind: str, passed: bool, drowning: bool) -> None:
    """What comes of a test."""
    case.out(success=passed)
    if kind in SUCCESS:
        case.out(**{SUCCESS[kind]: passed})
    if kind == "subordination":
        case.out(gm_decides=not passed)
    if kind in WET:
        case.out(loses_action=not passed, loud=not passed, drowning=drowning)
        if not passed:
            case.then("add-condition", "tester", "drowning" if drowning else "floundering")
    if kind == "break-free" and passed:
        case.then("remove-condition", "tester", "gripped")
    if kind == "reins" and not passed:
        case.then("remove-condition", "tester", "mounted")
        case.then("add-condition", "tester", "prone")


def initiative(case: Case) -> None:
    """Initiative, halved for the surprised in the first round; a test of it under that option; D6 for ties (2)."""
    case.only("roller initiative")
    who = Person(case.said["roller"])
    rolled = "test" if case.options.get("rolled_initiative") else "order"
    kind = case.record("initiative", "kind").get("kind", rolled)
    if kind == "tie":
        case.out(tie=case.table.throw("1d6"))
        return
    surprised = bool(who.get("surprised"))
    value = case.chance("initiative.value", who["initiative"], halves=int(surprised))
    case.out(initiative=value, surprised=surprised)
    if kind == "test":
        test = case.d100("initiative", value)
        case.out(success=test.passed, margin=test.margin)
    elif kind != "order":
        raise NotUnderstoodError(kind)


def cold(case: Case) -> None:
    """As many hours as the Toughness, halved for each of the four elements that is missing (13)."""
    case.only("victim cold")
    said = case.record("cold", "missing hours")
    if Person(case.said["victim"]).may("daemon"):
        case.refusals.add("daemon")
        return
    missing = len(set(said.get("missing", ())))
    grace = Person(case.said["victim"])["toughness"] / 2**missing
    hours = said.get("hours", 0)
    case.out(missing=missing, grace_hours=grace, hours_left=max(0, grace - hours), grace_over=hours > grace)


CHECKS = {
    "characteristic-test": characteristic_test,
    "initiative": initiative,
    "cold": cold,
}
