"""The second opinion on imperium: flames and what else hurts (chapters 16 and later). See `second_opinion_imperium`.

Written from the rulebook by one who knows the ruleset's code; the order of dice is that of the ruleset.
"""

from __future__ import annotations

from math import ceil

from second_opinion_imperium_rules import (
    Body,
    Case,
    Hull,
    Person,
    Test,
    armed,
    backwards,
    dice_in,
    excess,
    hurt,
    location,
)
from second_opinion_imperium_shots import alight, number_of, propped, shaken
from second_opinions import Entry


def flame_attack(case: Case) -> None:
    """One roll against everybody in the cone (17)."""
    others = " ".join(f"other_{number}" for number in range(1, 9))
    case.only(f"attacker target weapon distance action {others}")
    attacker, weapon = Person(case.said["attacker"]), armed(case.said["weapon"])
    people = {who: Person(case.said[who]) for who in case.said if who == "target" or who.startswith("other_")}
    arm, heavy = case.said.get("action", {}).get("arm", "both"), weapon["type"] == "heavy"
    strength = attacker.get("strength", 100)
    for code, so in {
        "beyond_range": case.said.get("distance", 0) > weapon.get("reach", 10_000),
        "no_flames": "flame" not in weapon["features"],
        "empty_weapon": weapon.get("rounds") == 0,
        "arm_useless": attacker.arm_injury(arm) >= 4,
        "needs_brace": heavy and not propped(attacker) and strength < 60,
    }.items():
        if so:
            case.refusals.add(code)
    modifiers = [20, -30 * (heavy and not propped(attacker)), -20 * (attacker.arm_injury(arm) == 3)]
    modifiers.append(-20 * bool(attacker.get("pinned")))
    modifiers.append(0 if heavy else -excess(case, weapon, attacker, arm != "both"))
    chance = case.chance("flame-attack.chance", attacker["ballistic_skill"], modifiers, int(case.merged()))
    case.totals["flame-attack.damage"] = dice_in(weapon["damage"])[2]
    if case.refusals:
        return
    test = case.d100("flame", chance)
    several = len(people) > 1
    first = "target." if several else ""
    if "rounds" in weapon:
        case.out(first, rounds_left=weapon["rounds"] - 1)
        case.then("item", "attacker", "weapon", -1)
    if heavy and not propped(attacker) and strength < 70:
        case.then("mark", "attacker", "owed-actions", 1)
    for who, person in people.items():
        prefix, at_first = f"{who}." if several else "", who == "target"
        body = hurt(case, who, person)
        evades = number_of(case, who, person)
        if not test.passed and not at_first:
            case.out(prefix, result="miss", hit=False, critical=False)
            body.tell(prefix)
            continue
        critical = test.matched and test.passed and at_first
        if case.options.get("dodge_shots") and case.table.chosen("dodge", who, "dodge"):
            name = "dodge.chance" if at_first else f"{who}.dodge.chance"
            modifiers = [-20, -10 * person.get("owed_actions", 0)]
            dodge = case.d100(f"{prefix}dodge", case.chance(name, person["initiative"], modifiers))
            case.then("mark", who, "owed-actions", 1)
            if dodge.passed:
                body.tell(prefix)
                shaken(case, who, person, body, False, True)
                case.out(prefix, result="dodged", hit=False, critical=False)
                continue
            critical |= dodge.matched
        dealt = max(0, case.table.throw(weapon["damage"])) * (2 if critical else 1)
        dealt = dealt if test.passed else ceil(dealt / 2)
        if isinstance(body, Hull):
            halves = bool(weapon.get("halves_armor"))
            body.blow("", body.through(dealt, weapon["damage"], person.get("facing", "front"), 0, halves))
            body.tell(prefix)
            body.breaks(prefix)
            case.out(prefix, result="hit", hit=True, critical=critical)
            continue
        able = person.get("aware") and person.get("conscious", True) and not person.get("stunned")
        if evades is not None and able and case.d100(f"{prefix}save", evades).passed:
            dealt = ceil(dealt / 2)
        place = location(backwards(test.face) if at_first else case.table.throw("1d100"))
        cover = person.get("cover", 0) if place in person.get("behind_cover", ()) else 0
        armor = person.protection(place, by=Person(case.said["attacker"])) - cover + ceil(cover / 2)
        field = case.table.throw(person.field()) if person.field() else 0
        body.blow(place, max(0, dealt - armor - field), prefix)
        body.tell(prefix)
        shaken(case, who, person, body, True, True)
        case.out(prefix, result="hit", hit=True, critical=critical)
        alight(case, who, person, body, prefix, hit=True)


def burn(case: Case) -> None:
    """D6 + 2 at a location of its own; armor counts half; then Nerve (17)."""
    case.only("victim")
    victim = Person(case.said["victim"])
    nerve = case.chance("victim.nerve-test", victim["nerve"])
    body = Body(case, "victim", victim)
    dealt = case.table.throw("1d6+2")
    place = location(case.table.throw("1d100"))
    armor = Person({"armor": victim.get("armor", [])}).protection(place)
    field = case.table.throw(victim.field()) if victim.field() else 0
    body.blow(place, max(0, dealt - ceil(armor / 2) - field))
    beats = not body.out and not case.d100("nerve", nerve).passed
    body.tell()
    case.out(beats_at_flames=beats)
    if beats:
        case.then("mark", "victim", "owed-actions", 1)
    if body.out != "dead":
        case.then("schedule", "victim", "burn")


def put_out_fire(case: Case) -> None:
    """A test of Initiative; water needs none (17)."""
    case.only("tester fire action")
    who, fire = Person(case.said["tester"]), case.record("fire", "helpers water")
    body = Body(case, "tester", who)
    if not fire.get("water"):
        modifiers = [20 * bool(who.get("prone")), 10 * fire.get("helpers", 0)]
        test = case.d100("test", case.chance("fire.chance", who["initiative"], modifiers, int(case.merged())))
        if not test.passed:
            case.out(success=False)
            if test.matched:
                rolled = case.table.throw("1d3")
                for arm in ("right-arm", "left-arm"):
                    body.blow(arm, max(0, rolled - who.protection(arm)))
                if body.net:
                    body.tell()
            return
    case.out(success=True)
    case.then("remove-condition", "tester", "burning")


def fall(case: Case) -> None:
    """A D10 for each full 3 yards, each at its own location; armor counts half (22)."""
    case.only("victim fall")
    victim, height = Person(case.said["victim"]), case.record("fall", "height")["height"]
    body, dice = Body(case, "victim", victim), int(height // 3)
    shock = ceil(body.value(5) / 2) if height >= 20 else body.value(5)
    plain = body.value
    body.value = lambda divisor: shock if divisor == 5 else plain(divisor)  # type: ignore[method-assign]
    halves = False
    if dice and victim.get("aware", True):
        halves = case.d100("test", case.chance("fall.chance", victim["initiative"])).passed
    for _ in range(dice):
        dealt = case.table.throw("1d10")
        dealt = ceil(dealt / 2) if halves else dealt
        place = location(case.table.throw("1d100"))
        body.blow(place, max(0, dealt - ceil(victim.protection(place) / 2)))
    body.prone = True
    body.tell()


def pinning_test(case: Case) -> None:
    """Nerve, or the Leadership of a leader near by (20)."""
    case.only("tester pinning")
    who, fire = Person(case.said["tester"]), case.record("pinning", "cover hit flames shooters leadership")
    for code, so in {
        "fearless": who.may("fearless") or who.get("undaunted"),
        "already_pinned": who.get("pinned"),
        "unconscious": who.get("conscious") is False,
    }.items():
        if so:
            case.refusals.add(code)
    modifiers = [20 * bool(fire.get("cover")), -10 * bool(fire.get("hit")), -20 * bool(fire.get("flames"))]
    modifiers.append(-10 * fire.get("shooters", 0))
    chance = case.chance("pinning.chance", max(who["nerve"], fire.get("leadership", 0)), modifiers)
    if case.refusals:
        return
    test = case.d100("test", chance)
    down = not test.passed and not fire.get("cover")
    case.out(pinned=not test.passed, prone=down)
    if test.passed:
        return
    case.then("add-condition", "tester", "pinned")
    if down:
        case.then("add-condition", "tester", "prone")
    if test.matched and who.has("left_hand"):
        case.then("item", "tester", who["left_hand"], ready=False, dropped=True)


def recover_from_pinning(case: Case) -> None:
    """Nerve, easier with a comrade and in quiet (20)."""
    case.only("tester recovering")
    who, how = Person(case.said["tester"]), case.record("recovering", "comrade quiet")
    modifiers = [10 * bool(how.get("comrade")), 20 * bool(how.get("quiet"))]
    passed = case.d100("test", case.chance("recovering.chance", who["nerve"], modifiers)).passed
    case.out(success=passed)
    if passed:
        case.then("remove-condition", "tester", "pinned")


def fear(case: Case) -> None:
    """Nerve, by the grade of what is seen (26)."""
    case.only("tester fear target")
    seen = Person(case.said["target"]).get("fear_grade") if "target" in case.said else None
    who, grade = Person(case.said["tester"]), seen or case.record("fear", "grade")["grade"]
    if not case.options.get("fear"):
        case.refusals.add("option_off")
    if who.may("fearless") or who["nerve"] >= 80 or who.get("unafraid"):
        case.refusals.add("fearless")
    chance = case.chance("fear.chance", who["nerve"], [10 - 10 * grade])
    if case.refusals:
        return
    passed = case.d100("test", chance).passed
    case.out(success=passed)
    if "target" in case.said:
        case.then("add-condition", "tester", "has-faced")
    if passed:
        return
    lost = case.table.throw("1d3") if grade > 2 else grade - 1
    case.out(stunned_actions=lost)
    if grade <= 2:
        case.then("add-condition", "tester", "frightened")
    if lost:
        case.then("mark", "tester", "stunned-actions", lost)
        case.then("add-condition", "tester", "stunned")


def driving(case: Case, driver: Person, how: Entry) -> Test:
    """Initiative, Handling and skill, less at double speed (23)."""
    modifiers = [driver.get("handling", 0), driver.get("driving", 0), -20 * bool(how.get("double_speed"))]
    return case.d100(
        "test", case.chance("driving.chance", driver["initiative"], modifiers, int(case.merged()))
    )


def driving_test(case: Case) -> None:
    """A failure swerves, a matched one rolls over."""
    case.only("driver driving")
    test = driving(case, Person(case.said["driver"]), case.record("driving", "double_speed"))
    case.out(success=test.passed, rolls_over=not test.passed and test.matched)
    if not test.passed:
        case.then("add-condition", "driver", "swerving")


def vehicle_hit(case: Case) -> None:
    """Damage less plates off the Hull; at half of it a D10; at 0 a wreck."""
    case.only("vehicle hit")
    vehicle, hit = Person(case.said["vehicle"]), case.record("hit", "dice facing critical plates_less halves")
    body, rolled = Hull(case, "vehicle", vehicle), case.table.throw(hit["dice"])
    case.out(damage_total=rolled)
    dealt, pierced = rolled * (2 if hit.get("critical") else 1), hit.get("plates_less", 0)
    body.blow("", body.through(dealt, hit["dice"], hit["facing"], pierced, bool(hit.get("halves"))))
    body.tell()
    body.breaks()


def ram(case: Case) -> None:
    """A driving test; D10s by speed and Hull, half of them to oneself (23)."""
    case.only("driver driving action target")
    driver, how = Person(case.said["driver"]), case.record("driving", "speed double_speed")
    dice = max(1, how["speed"] // 5) + max(1, driver["hull"] // 25)
    test = driving(case, driver, how)
    dealt = case.table.throw(f"{dice}d10") if test.passed else 0
    wrecked = ceil(dealt / 2) >= driver["hull"]
    case.out(hit=test.passed, dealt=dealt, suffered=ceil(dealt / 2), wrecked=wrecked)
    case.out(rolls_over=not test.passed and test.matched)
    target = Person(case.said.get("target", {}))
    case.out(person_by_gm=test.passed and not target.has("hull"))
    if not test.passed:
        case.then("add-condition", "driver", "swerving")
        return
    case.then("mark", "driver", "hull", ceil(dealt / 2))
    if wrecked:
        case.then("add-condition", "driver", "wrecked")
    own = Hull(case, "driver", driver)
    own.blow("", ceil(dealt / 2))
    own.breaks()
    if target.has("hull"):
        other = Hull(case, "target", target)
        other.blow("", max(0, dealt - target[f"plates_{target.get('facing', 'front')}"]))
        other.tell("target_")
        other.breaks("target_")


def plant_charge(case: Case) -> None:
    """A test of Weapon Skill; on a vehicle it goes off as the next round ends (19.2)."""
    case.only("attacker target weapon action")
    attacker, target = Person(case.said["attacker"]), Person(case.said["target"])
    weapon = armed(case.said["weapon"])
    chance = case.chance("plant.chance", attacker["weapon_skill"], [], int(case.merged()))
    if "charge" not in weapon["features"]:
        case.refusals.add("no_charge")
    if target.get("pace", "stationary") != "stationary":
        case.refusals.add("target_moves")
    if case.refusals:
        return
    test = case.d100("test", chance)
    case.out(planted=test.passed)
    if test.passed:
        case.then("item", "attacker", "weapon", -1)
        if target.has("hull"):
            case.then("schedule", "target", "charge-goes-off")


WORLDS = {
    "plant-charge": plant_charge,
    "driving-test": driving_test,
    "vehicle-hit": vehicle_hit,
    "ram": ram,
    "flame-attack": flame_attack,
    "burn": burn,
    "put-out-fire": put_out_fire,
    "fall": fall,
    "pinning-test": pinning_test,
    "recover-from-pinning": recover_from_pinning,
    "fear": fear,
}
