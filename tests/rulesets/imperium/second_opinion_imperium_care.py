"""The second opinion on imperium: injuries by themselves, bleeding, care and recovery (8.2 to 9).

See `second_opinion_imperium`.
"""

from __future__ import annotations

from math import ceil

from second_opinion_imperium_rules import Body, Case, Person, changed_injuries, location
from second_opinions import Entry, NotUnderstoodError


def injury(case: Case) -> None:
    """Damage from anywhere; a location that is not said is rolled for (7)."""
    case.only("victim injury")
    said = case.record("injury", "damage location dice ignores_armor kind")
    kind, body = said.get("kind", ""), Body(case, "victim", Person(case.said["victim"]))
    if kind in UNLOCATED:
        return unlocated(case, kind, said, body)
    place = said.get("location") or location(case.table.throw("1d100"))
    case.out(location=place)
    net = said.get("damage")
    if net is None:
        bare = said.get("ignores_armor") or not body.person.has("armor")
        field = 0 if bare or not body.person.field() else case.table.throw(body.person.field())
        rolled = case.table.throw(said.get("dice") or DICE[kind])
        armor = body.person.protection(place, shocks=kind == "electric")
        stopped = 0 if said.get("ignores_armor") else armor + field
        net = max(0, rolled - stopped)
        case.out(damage_rolled=rolled, damage_stopped=min(rolled, stopped))
    body.blow(place, net)
    if kind == "acid":
        case.then("add-condition", "victim", "corroded")
    body.tell()
    if kind == "electric" and not body.out and not body.person.get("steady"):
        jolted = 0 if case.d100("jolt", body.withstands).passed else case.table.throw("1d3")
        if jolted:  # of several stuns the longer counts
            case.out(stunned_actions=max(body.stunned, jolted))
        if jolted > body.stunned:
            case.changed("mark", "victim", "stunned-actions", jolted - body.stunned)
            case.then("add-condition", "victim", "stunned")


DICE = {"acid": "2d6", "electric": "2d10"}
UNLOCATED = {
    "choking": ("toughness", "1d6"),
    "exposure": ("toughness", "1d3"),
    "fading": ("willpower", "1d10"),
}


def unlocated(case: Case, kind: str, said: Entry, body: Body) -> None:
    """A test, or points on the Injury Total; a daemon is tested again (22, 26)."""
    by, dice = UNLOCATED[kind]
    test = case.d100("test", case.chance("injury.resist", body.person[by]))
    case.out(resisted=test.passed)
    if not test.passed:
        points = case.table.throw(said.get("dice") or dice)
        body.net, body.total = body.net + points, body.total + points
        if points and body.total >= body.dies_at():
            body.out = "dead"
        elif kind == "choking" and test.matched and not body.out:
            body.out, body.prone = "unconscious", True
    body.tell()
    if kind == "fading" and body.out != "dead":
        case.then("schedule", "victim", "hold-on-the-world")


def points_of_bleeding(case: Case, number: int) -> int:
    """What so many bleeding injuries cost in a round (3.3, 8.2)."""
    mode = case.options.get("bleeding_mode", "auto")
    if mode == "auto":
        mode = "flat1" if case.options.get("one_action_rounds") else "d3"
    if mode == "d3":
        return case.table.throw(f"{number}d3") if number else 0
    return number * {"flat1": 1, "flat2": 2}[mode]


def bleeding(case: Case) -> None:
    """The end of one's own round: blood, death, consciousness (8.3, 8.5)."""
    suffer(case, bleeds=True)


def consciousness(case: Case) -> None:
    """The test alone."""
    suffer(case, bleeds=False)


def suffer(case: Case, *, bleeds: bool) -> None:
    case.only("victim")
    body = Body(case, "victim", Person(case.said["victim"]))
    number = sum(body.person.get("bleeding", {}).values()) if body.out != "dead" else 0
    points = points_of_bleeding(case, number) if bleeds else 0
    body.total += points
    case.out(bleeding_injuries=number, bleeding_points=points, injury_total=body.total)
    case.changed("gain", "victim", "injury-total", points)
    if body.total >= body.dies_at():
        body.out = "dead"
    above = body.total > body.value(2) + body.person.get("numbed", 0)
    steady = body.person.get("steady")
    if not body.out and above and not steady and not case.d100("consciousness", body.withstands).passed:
        body.out = "unconscious"
    down = body.out if body.out != body.was else "none"
    case.out(conscious=not body.out, down=down)
    if down != "none":
        case.then("add-condition", "victim", down)
        for held in {body.person.get(f"{side}_hand", "") for side in ("right", "left")} - {""}:
            case.then("item", "victim", held, ready=False, dropped=True)
    if down == "unconscious":
        case.then("add-condition", "victim", "prone")
    suffers = body.out != "dead" and bool(number or (above and not body.out))
    if not suffers and body.person.get("suffering"):
        case.then("remove-condition", "victim", "suffering")
    if suffers:
        case.then("schedule", "victim", "suffer-injuries")
    if suffers and not body.person.get("suffering"):
        case.then("add-condition", "victim", "suffering")


def patient_of(case: Case) -> tuple[str, Person]:
    """Who is cared for: oneself where nobody else is said."""
    who = "patient" if "patient" in case.said else "healer"
    return who, Person(case.said[who])


def place_in(said: Entry, places: dict[str, int]) -> str:
    """The location, which need not be said where there is only one."""
    hurt = [place for place, number in places.items() if number]
    if "location" not in said and len(hurt) != 1:
        raise NotUnderstoodError("which location")
    return str(said.get("location") or hurt[0])


def staunch(case: Case) -> None:
    """A Toughness test of whoever does it: a bleeding for 10 points of margin or part of them (9)."""
    case.only("healer patient staunching action")
    said, (who, patient) = case.record("staunching", "location sterile"), patient_of(case)
    place = place_in(said, patient.get("bleeding", {}))
    bleeds = patient.get("bleeding", {}).get(place, 0)
    if not bleeds:
        case.refusals.add("not_bleeding")
    if case.merged_with() == "sprint":
        case.refusals.add("illegal_merge")
    if case.refusals:
        return
    healer = Person(case.said["healer"])
    test = case.d100("test", case.chance("staunch.chance", healer["toughness"], halves=int(case.merged())))
    stopped = min(bleeds, max(1, ceil(test.margin / 10))) if test.passed else 0
    case.out(success=test.passed, stopped=stopped, bleeding_left=bleeds - stopped)
    case.out(may_fester=said.get("sterile") is False and stopped > 0)
    case.changed("mark", who, f"bleeding-{place}", -stopped)
    bleeds_on = sum(patient.get("bleeding", {}).values()) > stopped
    above = (
        patient.get("injury_total", 0) > ceil(patient["toughness"] / 2) if patient.has("toughness") else True
    )
    if (
        stopped
        and patient.get("suffering")
        and not bleeds_on
        and not (above and patient.get("conscious", True))
    ):
        case.then("remove-condition", who, "suffering")


def heal(case: Case) -> None:
    """A Sagacity test of a Medic or Surgeon; the figures are the project's own (9)."""
    case.only("healer patient healing action")
    said = case.record("healing", "location equipment gm_allows")
    who, patient = patient_of(case)
    healer = Person(case.said["healer"])
    place = place_in(said, patient.get("injuries", {}))
    level = patient.get("injuries", {}).get(place, 0)
    trained = healer.may("medicine")
    for code, so in {
        "needs_ability": not trained and not said.get("gm_allows"),
        "unhurt": level == 0,
        "crippled": level == 5,
        "illegal_merge": case.merged_with() == "sprint",
    }.items():
        if so:
            case.refusals.add(code)
    if case.refusals:
        return
    modifiers = [-30 * (said.get("equipment") is False), -40 * (not trained)]
    test = case.d100("test", case.chance("heal.chance", healer["sagacity"], modifiers, int(case.merged())))
    mishap = not test.passed and test.matched
    worse = (1 if trained else 2) * mishap
    case.out(success=test.passed, mishap=mishap, level=level - test.passed, bleeding=worse)
    case.changed("mark", who, f"injury-{place}", -int(test.passed))
    case.changed("mark", who, f"bleeding-{place}", worse)
    if test.passed:
        before = patient["injuries"]
        changed_injuries(case, who, before, {**before, place: level - 1})
    if worse and not patient.get("suffering"):
        case.then("add-condition", who, "suffering")
        case.then("schedule", who, "suffer-injuries")


def recovery(case: Case) -> None:
    """Weeks for what is crippled; of others a Toughness test each week (9)."""
    case.only("patient recovery")
    patient, said = Person(case.said["patient"]), case.record("recovery", "location bionic")
    place = place_in(said, patient.get("injuries", {}))
    level = patient.get("injuries", {}).get(place, 0)
    if not level:
        case.refusals.add("unhurt")
        return
    if level == 5:
        sooner = patient["toughness"] > 75 or patient.may("regeneration")
        weeks = case.table.throw("1d3+3" if sooner else "1d6+3")
        limb = place.endswith(("leg", "arm"))
        after = 0 if said.get("bionic") else 5 if limb else 4
    else:
        test = case.d100("test", case.chance("recovery.chance", patient["toughness"]))
        case.out(success=test.passed)
        weeks, after = 1, level - test.passed
    case.out(weeks=weeks, level=after, healed=level - after)
    case.changed("mark", "patient", f"injury-{place}", after - level)
    before = patient["injuries"]
    changed_injuries(case, "patient", before, {**before, place: after})


CARE = {
    "injury": injury,
    "bleeding": bleeding,
    "consciousness": consciousness,
    "staunch-bleeding": staunch,
    "heal-injury": heal,
    "recovery": recovery,
}
