"""The second opinion on imperium: shots and throws (sections 5, 7, 8.1, 11). See `second_opinion_imperium`."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from second_opinion_imperium_rules import (
    Body,
    Case,
    Hull,
    Person,
    Test,
    armed,
    backwards,
    dice_in,
    entries,
    excess,
    hurt,
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
    setting: str = ""

    @property
    def used(self) -> int:
        """Shots of the capacity: twice as many at the high setting of plasma (16)."""
        return self.shots * (2 if self.setting == "high" else 1)


def propped(attacker: Person) -> bool:
    """On a tripod or the like, on the ground, or on a mount (19.1)."""
    return any(attacker.get(state) for state in ("braced", "prone", "mounted"))


def band(weapon: Entry, attacker: Person, distance: float) -> str:
    """Where the target is (5.1); of what is thrown the limits are parts of the Strength (11)."""
    if weapon["type"] == "thrown":
        limits = [attacker["strength"] / weapon[f"throw_{name}"] for name in ("short", "medium", "long")]
    else:
        limits = [weapon[name] for name in ("short", "medium", "long")]
    limits.append(limits[-1] if weapon.get("without_extreme_range") else 2 * limits[-1])
    names = ("short", "medium", "long", "extreme")
    return next((name for name, limit in zip(names, limits, strict=True) if distance <= limit), "beyond")


def silencer(weapon: Entry) -> str:
    """What muffles it: ``removable``, ``integral`` or ""."""
    found = [entries("mods")[mod].get("silencer", "") for mod in weapon["mods"]]
    return next(filter(None, found), "")


def chance_at(figures: Figures, who: str, target: Person, distance: float) -> int:
    """The chance of each shot at somebody (5.2, 5.3)."""
    case, attacker, weapon, mode, shots, _ = figures
    heavy = weapon["type"] == "heavy"
    away = band(weapon, attacker, distance)
    if away == "beyond":
        case.refusals.add("beyond_range")
        return 0
    aim = 0 if attacker.get("pinned") else attacker.get("aim", 0)
    arm = case.said.get("action", {}).get("arm", "both")
    modifiers = [
        AWAY[away],
        20 * (aim >= 1) + 10 * (aim >= 2),
        {"ran": -10, "sprinted": -20}.get(target.get("pace"), 0),
        -10 * bool(target.get("prone") and away != "short"),
        20 * (target.get("pace") == "stationary" and target.get("aware") is False),
        -20 * bool(case.said.get("visibility")),
        -5 * (shots - 1) * (mode == "semi-auto"),
        -10 * (silencer(weapon) == "removable"),
        0 if heavy else -excess(case, weapon, attacker, arm != "both"),
        -30 * (heavy and not propped(attacker)),
        -20 * bool(attacker.get("pinned")),
        -30 * bool(attacker.get("swerving")),
        {"moving": -10, "fast": -20}.get(case.said.get("fire", {}).get("from_vehicle"), 0),
        -20 * (attacker.arm_injury(arm) == 3),
    ]
    halves = (away == "extreme") + (mode == "full-auto") + case.merged()
    name = "shooting.chance" if who == "target" else f"{who}.shooting.chance"
    return case.chance(name, attacker["ballistic_skill"], modifiers, halves)


def refused(figures: Figures, target: Person, fire: Entry) -> None:
    """What makes a shot impossible."""
    case, attacker, weapon, mode, shots, setting = figures
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
        "not_a_ranged_weapon": weapon["type"] == "close"
        or "reach" in weapon
        or "charge" in weapon["features"],
        "arm_useless": attacker.arm_injury(arm) >= 4,
        "empty_weapon": rounds == 0,
        "too_few_rounds": rounds and figures.used > rounds,
        "recharging": weapon.get("ready_round", 0) > fire.get("round", weapon.get("ready_round", 0)),
        "overheated": weapon.get("overheated"),
        "setting_not_available": setting and setting not in weapon.get("settings", ()),
        "needs_brace": weapon["type"] == "heavy"
        and not propped(attacker)
        and attacker.get("strength", 60) < 60,
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
    fire = case.record("fire", "mode shots aims_at setting round from_vehicle")
    mode = fire.get("mode") or weapon["modes"][0]
    if "shots" not in fire and mode != "single" and weapon.get("semi_least") != weapon.get("semi_most"):
        raise NotUnderstoodError("how many shots")
    least = 1 if mode == "single" else weapon.get("semi_least", 1)
    shots: int = fire.get("shots", least)
    settings = weapon.get("settings", [""])
    setting = fire.get("setting", settings[0])
    if setting == "high":
        weapon["damage"] = weapon.get("high_damage", weapon["damage"])
    figures = Figures(case, attacker, weapon, mode, shots, setting)
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
    if setting == "high" and attacker.has("toughness"):
        case.chance("attacker.injury-test", attacker["toughness"])
    if "damage" in weapon:
        case.totals["shooting.damage"] = dice_in(weapon["damage"])[2] + strength
    for who, person in people.items():
        flash_number(case, weapon, who, person)
    if case.refusals:
        return
    if bursts:
        throw(figures, people, chances["target"], strength)
        return
    if not reins(case, attacker):
        return
    kicks = weapon["type"] == "heavy" and not propped(attacker) and attacker.get("strength", 70) < 70
    case.changed("mark", "attacker", "owed-actions", int(kicks))
    each, over = divmod(shots, len(at))
    for number, (who, person) in enumerate(at.items()):
        prefix = f"{who}." if len(at) > 1 else ""
        volley(figures, who, person, chances[who], each + (number < over), strength, prefix)
    left(figures, "target." if len(at) > 1 else "")


def left(figures: Figures, prefix: str) -> None:
    """Mark ammunition."""
    if figures.weapon.get("rounds") is not None:
        figures.case.out(prefix, rounds_left=figures.weapon["rounds"] - figures.used)
    if "rounds" in figures.weapon or "capacity" in figures.weapon:
        figures.case.then("item", "attacker", "weapon", -figures.used)


def volley(
    figures: Figures, who: str, target: Person, chance: int, shots: int, more: int, prefix: str
) -> None:
    """All shots at somebody, one after another."""
    case, hits, criticals, mount_hits, mount = figures.case, 0, 0, 0, 0
    body, heard, dodged = hurt(case, who, target), False, False
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
        asks = who == "target" and case.options.get("dodge_shots")
        if asks and case.table.chosen("dodge", "target", "dodge"):
            dodge = dodging(figures, target, mark)
            dodged |= dodge.passed
            if dodge.passed:
                hits, criticals = hits - 1, criticals - test.matched
                continue
            criticals += dodge.matched and not test.matched
            test.matched |= dodge.matched
        place = location(backwards(test.face))
        named, melta = f"{prefix}damage{mark}", bool(figures.weapon.get("halves_armor"))
        if isinstance(body, Hull):
            body.blow(place, on_plates(figures, body, test, more, named), prefix)
            continue
        net = damage(case, figures.weapon["damage"], more, test, target, place, named, piece, melta)
        body.blow(place, net, prefix)
    body.tell(prefix)
    if figures.weapon.get("ignites") and who == "target" and not isinstance(body, Hull):
        alight(case, who, target, body, prefix, hit=hits > 0)
    poisoned = "poison" in figures.weapon and body.net and body.out != "dead" and not is_machine(target)
    if poisoned and not target.get("object") and not target.may("daemon"):
        case.then("schedule", who, "suffer-poison")
    shaken(case, who, target, body, hits > 0, shots >= 3)
    chamber(figures, test, prefix)
    if isinstance(body, Hull):
        body.breaks(prefix)
    case.out(prefix, hit=hits > 0, critical=criticals > 0)
    case.out(prefix, result="hit" if hits else "dodged" if dodged else "miss")
    case.out(prefix, shots=shots, hits=hits, criticals=criticals)
    case.out(prefix, mount_hits=mount_hits, mount_damage=mount)
    kind = silencer(figures.weapon)
    case.out(prefix, heard=heard if kind == "removable" else not kind)


def dodging(figures: Figures, target: Person, mark: str) -> Test:
    """The dodge of a shot, where a house rule has it (21)."""
    case, thrown = figures.case, figures.weapon["type"] == "thrown"
    modifiers = [-10, -10 * target.get("owed_actions", 0), -10 * thrown]
    case.then("mark", "target", "owed-actions", 1)
    return case.d100(f"dodge{mark}", case.chance("dodge.chance", target["initiative"], modifiers))


def shaken(case: Case, who: str, person: Person, body: Body | Hull, hit: bool, anyhow: bool) -> None:
    """By the house rule: Nerve after a hit that did not fell, several shots, a blast or flames (20)."""
    if not case.options.get("pinning") or isinstance(body, Hull) or not person.has("nerve") or body.out:
        return
    if person.may("fearless") or person.get("pinned") or person.get("undaunted") or person.get("object"):
        return
    if anyhow or (hit and not body.prone):
        case.then("schedule", who, "pinning-test")


def chamber(figures: Figures, test: Test, prefix: str) -> None:
    """What a shot leaves of a plasma weapon: recharging, slower or not, or its heat on the arm (16)."""
    case, attacker, weapon, _, _, setting = figures
    if not setting:
        return
    fails, scale = test.matched and not test.passed, case.round_of_actions()
    scale = 2 if case.options.get("one_action_rounds") and scale == 2 else 1
    rounds = weapon["recharge"]
    rounds = weapon.get("high_recharge", rounds) if setting == "high" else rounds + fails
    hot, now = fails and setting == "high", case.said.get("fire", {}).get("round")
    case.out(prefix, recharge_rounds=rounds * scale, overheated=hot)
    state = {"overheated": True} if hot else {}
    if now:
        case.out(prefix, ready_round=now + rounds * scale)
        state = {**state, "ready_round": now + rounds * scale}
    if state:
        case.then("item", "attacker", "weapon", None, **state)
    if not hot:
        return
    body = Body(case, "attacker", attacker)
    heat = case.table.throw("2d10")
    if attacker.has("toughness") and case.d100("overheat_save", body.withstands).passed:
        heat = ceil(heat / 2)
    arm = case.said.get("action", {}).get("arm", "right").replace("both", "right")
    net = max(0, heat - (attacker.protection(f"{arm}-arm") if attacker.has("armor") else 0))
    body.blow(f"{arm}-arm", net, "overheat_")
    body.tell("overheat_")


def number_of(case: Case, who: str, person: Person) -> int | None:
    """The chance of a test of Initiative of somebody among flames; None where it is not known."""
    return case.chance(f"{who}.initiative-test", person["initiative"]) if person.has("initiative") else None


def alight(case: Case, who: str, person: Person, body: Body, prefix: str, *, hit: bool) -> None:
    """The test of one whom flames have hurt, or who wears nothing on the body (17)."""
    chance = number_of(case, who, person)
    if chance is None or person.get("burning") or person.get("object") or body.out == "dead":
        return
    covered = any("body" in entries("armor")[slug]["locations"] for slug in person.get("armor", ()))
    if not body.net and not (hit and not covered):
        return
    burns = not case.d100(f"{prefix}fire", chance).passed
    case.out(prefix, burning=burns)
    if burns:
        case.then("add-condition", who, "burning")
        case.then("schedule", who, "burn")


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
    case: Case,
    dice: str,
    more: int,
    test: Test,
    target: Person,
    place: str,
    name: str,
    piece: Entry | None,
    melta: bool = False,
) -> int:
    """Net damage of a hit (8.1): a critical doubles the sum before field, armor and cover come off. Against melta armor
    and cover together count half (18)."""
    field = target.field(piece)
    points = target.protection(place, piece, by=Person(case.said["attacker"]))
    if melta:
        points = ceil(points / 2)
    less = (case.table.throw(field) if field else 0) + points
    rolled = case.table.throw(dice) + more
    dealt = max(0, rolled) * (2 if test.matched else 1)
    net = max(0, dealt - less)
    case.out(f"{name}_", rolled=rolled, dealt=dealt, stopped=dealt - net, net=net, location=place)
    return net


def on_plates(figures: Figures, body: Hull, test: Test, more: int, name: str) -> int:
    """Net damage of a hit on a vehicle (23)."""
    weapon = figures.weapon
    rolled = figures.case.table.throw(weapon["damage"]) + more
    dealt = max(0, rolled) * (2 if test.matched else 1)
    side, pierced = body.vehicle.get("facing", "front"), weapon.get("plates_less", 0)
    net = body.through(dealt, weapon["damage"], side, pierced, bool(weapon.get("halves_armor")))
    figures.case.out(f"{name}_", rolled=rolled, dealt=dealt, net=net)
    return net


def throw(figures: Figures, people: dict[str, Person], chance: int, more: int) -> None:
    """What bursts among people: one roll of damage for all, doubled for the one whom a critical throw hits."""
    case, weapon = figures.case, figures.weapon
    test = case.d100("shot", chance)
    left(figures, "target." if len(people) > 1 and test.passed else "")
    harms = "damage" in weapon
    case.out(
        hit=test.passed,
        critical=test.passed and test.matched and harms,
        result="hit" if test.passed else "miss",
    )
    chamber(figures, test, "target." if len(people) > 1 and test.passed else "")
    if not test.passed:
        astray(figures, people["target"], test, more)
        return
    several = len(people) > 1
    rolled: int | None = None
    for who, target in people.items():
        prefix = f"{who}." if several else ""
        body = hurt(case, who, target)
        known(
            {} if isinstance(body, Hull) else target.facts,
            "armor toughness from_target initiative burning cover behind_cover injury_total injuries bleeding "
            "aware eyes_shut traits stunned_actions nerve pinned undaunted steady",
            who,
        )
        if target.get("from_target", 0) > weapon["blast"]:
            case.out(prefix, result="outside", net_damage=0)
            continue
        if weapon.get("machines_only") and not is_machine(target):
            case.out(prefix, result="unharmed", hit=False, critical=False, net_damage=0)
            continue
        if not harms:
            case.out(prefix, result="hit", hit=True, critical=False, net_damage=0)
            body.tell(prefix)
            lingers(figures, who, target, body, prefix)
            continue
        if target.field():
            raise NotUnderstoodError("a force field in a blast")
        if rolled is None:
            rolled = case.table.throw(weapon["damage"]) + more
        critical = test.matched and who == "target"
        if isinstance(body, Hull):
            dealt, side = max(0, rolled) * (2 if critical else 1), target.get("facing", "front")
            body.blow("", body.through(dealt, weapon["damage"], side, weapon.get("plates_less", 0)))
            case.out(prefix, result="hit")
            body.tell(prefix)
            lingers(figures, who, target, body, prefix)
            body.breaks(prefix)
            continue
        place = location(backwards(test.face) if who == "target" else case.table.throw("1d100"))
        net = max(
            0,
            max(0, rolled) * (2 if critical else 1)
            - target.protection(place, by=Person(case.said["attacker"])),
        )
        case.out(prefix, location=place, damage_location=place, result="hit")
        body.blow(place, net, prefix)
        body.tell(prefix)
        if weapon.get("ignites"):
            alight(case, who, target, body, prefix, hit=True)
        lingers(figures, who, target, body, prefix)


def astray(figures: Figures, target: Person, test: Test, more: int) -> None:
    """A miss, which by a house rule bursts as far off as the throw failed (19.2)."""
    case, weapon = figures.case, figures.weapon
    case.out(net_damage=0)
    if case.options.get("grenade_scatter") != "margin":
        return
    case.table.throw("1d10")
    yards = ceil(test.margin / 5)
    case.out(astray_yards=yards)
    if "damage" not in weapon or yards > weapon["blast"]:
        return
    body, rolled = hurt(case, "target", target), max(0, case.table.throw(weapon["damage"]) + more)
    case.out(result="hit", hit=True)
    if isinstance(body, Hull):
        side, less = target.get("facing", "front"), weapon.get("plates_less", 0)
        body.blow("", body.through(rolled, weapon["damage"], side, less))
        body.tell("")
        body.breaks("")
        return
    place = location(case.table.throw("1d100"))
    case.out(location=place, damage_location=place)
    body.blow(place, max(0, rolled - target.protection(place, by=Person(case.said["attacker"]))), "")
    body.tell("")


def is_machine(person: Person) -> bool:
    """A vehicle, or one whose abilities say so (19.2)."""
    return person.has("hull") or person.may("machine")


def flash_number(case: Case, weapon: Entry, who: str, person: Person) -> int | None:
    """The chance of a Toughness Test before a flash; None where there is none (19.2)."""
    if "stuns" not in weapon or weapon.get("machines_only") or not person.has("toughness"):
        return None
    return case.chance(f"{who}.flash-test", person["toughness"], [20 * bool(person.get("eyes_shut"))])


def lingers(figures: Figures, who: str, person: Person, body: Body | Hull, prefix: str) -> None:
    """What a burst does beside damage: gas, what stays at the place, and stun, of which the longer counts (19.2)."""
    shaken(figures.case, who, person, body, bool(body.net), True)
    case, weapon = figures.case, figures.weapon
    if who == "target" and "leaves" in weapon:
        case.then("add-condition", "attacker", weapon["leaves"])
    if "poison" in weapon and not (is_machine(person) or person.get("object") or person.may("daemon")):
        case.then("add-condition", who, "in-gas")
        case.then("schedule", who, "suffer-poison")
    machines = bool(weapon.get("machines_only"))
    if "stuns" not in weapon or is_machine(person) is not machines or person.get("object"):
        return
    if person.get("steady"):
        return
    had = person.get("stunned_actions", 0) if isinstance(body, Hull) else body.stunned
    if not machines:
        number = flash_number(case, weapon, who, person)
        if number is None or (person.get("aware", True) and case.d100(f"{prefix}flash", number).passed):
            return
    elif not isinstance(body, Hull) and body.out:
        return
    lost = case.table.throw(weapon["stuns"]) * (case.round_of_actions() if machines else 1)
    case.out(prefix, stunned_actions=max(lost, had))
    if lost > had:
        case.then("mark", who, "stunned-actions", lost - had)
        case.then("add-condition", who, "stunned")
