"""The second opinion on sr5: damage by itself, first aid and drugs (8.4, 8.6, 11.8). See `second_opinion_sr5`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from second_opinion_sr5_harm import Harm, protected, shielded, state, struck
from second_opinion_sr5_matrix import DUMPSHOCK, bite, filtered, stunned
from second_opinion_sr5_people import Person, entries, skilled
from second_opinion_sr5_rules import Case, alone, running
from second_opinions import Entry


def damage_resistance(case: Case) -> None:
    """A Damage Value from anything."""
    case.only("target damage")
    person, damage = case.person("target"), case.said["damage"]
    if damage.get("again") == "bleeding":
        case.total("resistance.value", 1)
        _bleed(case, person)
        return
    if damage.get("dumpshock"):
        _thrown_out(case, person)
        return
    if damage.get("crash"):  # the Body, whatever the speed
        damage = {"value": person["body"], "ap": -6}
    if "aboard" in damage:
        full = case.asks("passenger_damage", "full_dv")
        kind = "stun" if person.get("strapped_in") else "physical"
        damage = {"value": damage["aboard_value" if full else "aboard"], "ap": -6, "kind": kind}
    if "felt" in damage:  # half of it, rounded up, as the interface lets it through
        kind = {"cold-sim": "stun", "hot-sim": "physical"}[person["interface"]]
        damage = {"value": -(-damage["felt"] // 2), "kind": kind, "resisted_by": "willpower-and-firewall"}
    value = case.total("resistance.value", damage["value"])
    harm = Harm(value, damage.get("kind", "physical"), damage.get("ap", 0), damage.get("element", ""))
    by = damage.get("resisted_by", "body-and-armor")
    harm = harm._replace(by_itself=by != "body-and-armor", falls=by.startswith("body"))
    armor = pool = 0
    if by == "body-and-armor":
        armor, pool = protected(case, "target", harm)
    elif by == "body":
        pool = case.pool("soak.pool", person["body"] + shielded(person, harm))
    elif by == "willpower-and-firewall":
        pool = case.pool("soak.pool", person["willpower"] + person["firewall"] + filtered(person))
    struck(case, "target", harm, 0, armor, pool)


def take_drug(case: Case) -> None:
    """How long a drug lasts (11.8)."""
    case.only("taker drug")
    drug = entries("drugs")[case.said["drug"]]
    lasts = drug.get("duration", {})
    length = 0
    if "count" in lasts:
        length = max(0, lasts["count"] - case.person("taker")["body"])
    elif lasts:
        length = sum(case.table.throw(1)) * lasts["times"]
    case.out(drug=case.said["drug"], length=length, unit=lasts.get("unit"))
    detail: dict[str, int] = {}
    for one in changes(case, drug):
        stat = one["stat"]
        if "at_least" in one:
            detail[f"set_{stat}"] = max(one["at_least"], case.person("taker").get(stat, 0))
        else:
            detail[f"add_{stat}"] = one["add"]
    time = {"length": length, "unit": lasts["unit"]} if length else {}
    if length or not lasts:
        case.then("add-condition", "taker", f"on-{case.said['drug']}", **detail, **time)


def changes(case: Case, drug: Entry) -> Iterator[Entry]:
    """What a drug changes; of Bliss the book and the data tell otherwise (14)."""
    words = {"bliss-by-the-book": "book", "bliss-by-the-data": "data"}
    for one in drug.get("changes", ()):
        if one.get("while") in (
            None,
            *(name for name, way in words.items() if case.asks("bliss_reaction", way)),
        ):
            yield one


def _thrown_out(case: Case, person: Person) -> None:
    """Dumpshock: what comes through the interface, against Willpower and Firewall (12)."""
    track = bite(person, house=case.asks("matrix_damage", "paydata"))
    value = case.total("resistance.value", DUMPSHOCK if track else 0)
    pool = case.pool("soak.pool", person["willpower"] + person["firewall"] + filtered(person))
    if not value:
        case.out(damage=0)
        return
    struck(case, "target", Harm(value, track, by_itself=True, falls=False), 0, 0, pool)
    stunned(case, person)


def _bleed(case: Case, person: Person) -> None:
    """A box more of somebody dying."""
    physical = person["physical"] + 1
    case.out(damage=1, track="physical", physical_after=physical, stun_after=person["stun"])
    case.then("mark", "target", "physical", amount=1)
    state(case, "target", physical, person["stun"], hurt=True)


def first_aid(case: Case) -> None:
    """First Aid + Logic (2): hits above it heal boxes, up to the skill."""
    case.only("tester patient track stabilize minutes")
    helper, patient = case.person("tester"), case.person("patient")
    dice = skilled(helper, "logic", "first-aid")
    dice += helper.wounds + running(case, helper) + (2 if helper.get("specialized") else 0)
    dice = case.pool("first-aid.pool", dice)
    stabilize = case.said.get("stabilize")
    if helper.get("medkit") is False:
        case.refusals.add("no_medkit")
    if not stabilize and case.said.get("minutes", 0) > 60:
        case.refusals.add("too_late")
    if case.refusals:
        return
    case.out(threshold=2)
    hits = alone(case, "tester", "first_aid", dice).kept
    good = hits >= 2
    boxes = 0 if stabilize or not good else hits - 2
    if helper.has("skills"):
        boxes = min(boxes, helper.skill("first-aid"))
    order = sorted(("physical", "stun"), key=lambda name: name != case.said.get("track", "physical"))
    after = {name: patient[name] for name in ("physical", "stun") if patient.has(name)}
    was = _full(patient, after) if len(after) == 2 else (False, False)
    healed = 0
    for track in order:
        less = min(boxes - healed, after.get(track, boxes))
        healed += less
        after[track] = after.get(track, less) - less
        if less:
            case.then("mark", "patient", track, amount=-less)
    case.out(success=good, hits=hits, boxes=healed)
    if not patient.has("physical", "stun"):
        return
    now = _full(patient, after)
    if stabilize and good and not patient.one_monitor and after["physical"] >= patient.boxes("physical"):
        case.out(stabilized=True)
        case.then("add-condition", "patient", "stabilized")
        case.then("remove-condition", "patient", "dying")
        was, now = (was[0], False), (now[0], False)
    case.out(physical_after=after["physical"], stun_after=after["stun"], unconscious=now[0], dying=now[1])
    if was[0] and not now[0]:
        case.then("remove-condition", "patient", "unconscious")
    if (
        not patient.one_monitor
        and boxes
        and patient["physical"] >= patient.boxes("physical") > after["physical"]
    ):
        case.then("remove-condition", "patient", "dying")
        case.then("remove-condition", "patient", "stabilized")


def _full(person: Person, boxes: dict[str, int]) -> tuple[bool, bool]:
    """Whether somebody is unconscious, and dying."""
    if person.one_monitor:
        return sum(boxes.values()) >= person.boxes("stun"), False
    dying = boxes["physical"] >= person.boxes("physical")
    return dying or boxes["stun"] >= person.boxes("stun"), dying and not person.get("stabilized")


CARE: dict[str, Callable[[Case], None]] = {
    "damage-resistance": damage_resistance,
    "first-aid": first_aid,
    "take-drug": take_drug,
}
