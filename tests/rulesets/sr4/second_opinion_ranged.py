"""The second opinion on shots (section 8). See `second_opinion`."""

from __future__ import annotations

from second_opinion_rules import (
    Case,
    Harm,
    Roll,
    armed,
    armor_against,
    armor_worn,
    called,
    encumbrance,
    entries,
    half,
    hurt,
    opposed,
    person,
    shock,
    skill_dice,
    struck_by,
    visibility,
    wounds,
)
from second_opinions import Entry


def throwing(shooter: Entry, weapon: Entry) -> int:
    """Strength more of an adept who throws."""
    return int(shooter.get("throwing_strength", 0)) if weapon.get("skill") == "throwing-weapons" else 0


def range_dice(case: Case, shooter: Entry, weapon: Entry, table: str | None) -> int:
    """Dice of the range, or a refusal beyond or below it."""
    distance = case.said.get("distance")
    if distance is None or table is None:
        return 0
    bands = entries("ranges")[table]
    factor = 1
    if bands.get("per_strength"):
        strength = shooter["strength"] + throwing(shooter, weapon)
        factor = min(strength, weapon.get("minimum_strength", strength))
    if distance < bands.get("minimum", 0):
        case.refusals.add("below_minimum_range")
    for band, dice in (("short", 0), ("medium", -1), ("long", -2), ("extreme", -3)):
        if distance <= bands[band] * factor:
            return 0 if shooter.get("magnification") else dice
    case.refusals.add("beyond_extreme_range")
    return 0


def compensation(case: Case, shooter: Entry, weapon: Entry) -> tuple[int, int]:
    """Recoil compensation without and with the gyro, which is of the same group as bipod and tripod."""
    plain: int = weapon.get("rc", 0)
    deployed: int = weapon.get("rc_deployed", plain) if shooter.get("deployed") else plain
    mounted = {"bipod", "tripod"} & set(weapon.get("features", [])) and shooter.get("deployed")
    more: int = shooter.get("recoil_compensation", 0)
    if case.options.get("strength_recoil") and shooter.get("strength", 0) >= 6:
        more += min(4, (shooter["strength"] - 2) // 4)
    gyro: int = shooter.get("gyro", 0)
    without = deployed + more
    return without, (max(without, plain + gyro + more) if mounted else without + gyro)


def fired(case: Case, weapon: Entry, fire: Entry) -> tuple[int, str]:
    """Rounds of the attack, and what burst they are."""
    wanted = {"short-burst": 3, "long-burst": 6, "full-burst": 10}.get(fire.get("mode", "semi-automatic"), 1)
    rounds = min(wanted, weapon.get("rounds", wanted))
    if rounds <= 1:
        return rounds, "single"
    if rounds <= 3:
        return rounds, "short"
    return rounds, "full" if wanted == 10 and rounds >= 6 else "long"


AUTOMATIC = {"long-burst", "full-burst", "suppressive"}


def may_fire(case: Case, weapon: Entry, fire: Entry, shot: Entry) -> None:
    """What a weapon cannot do, and where no shot can be called."""
    modes = set(weapon.get("modes", []))
    needs = {"single-shot": {"SS"}, "short-burst": {"BF", "FA"}, "long-burst": {"FA"}, "full-burst": {"FA"}}
    if not modes:
        case.refusals.add("not_a_ranged_weapon")
    elif not modes & needs.get(fire.get("mode", ""), {"SA"}):
        case.refusals.add("mode_not_available")
    if weapon.get("rounds") == 0:
        case.refusals.add("empty_weapon")
    rounds, _ = fired(case, weapon, fire)
    if shot and fire.get("spread") == "wide" and rounds > 1:
        case.refusals.add("called_shot_with_wide_burst")
    if shot and fire.get("area"):
        case.refusals.add("called_shot_with_area_weapon")
    if "silencer" in weapon.get("features", []) and "FA" in modes and fire.get("mode") in AUTOMATIC:
        case.refusals.add("silenced_automatic_fire")
    if "choke" in fire and weapon.get("category") != "shotgun":
        case.refusals.add("no_choke")
    small = {"holdout", "taser", "submachine-gun"}
    size = weapon.get("category", "")
    if (
        "split_dice" in person(case.said.get("attacker"))
        and size not in small
        and not size.endswith("pistol")
    ):
        case.refusals.add("weapon_too_large")


def recoil(case: Case, shooter: Entry, weapon: Entry, rounds: int) -> tuple[int, int]:
    """Dice that recoil costs, and what it leaves of the gyro for movement."""
    without, rc = compensation(case, shooter, weapon)
    case.totals["recoil.compensation"] = rc
    before = shooter.get("rounds_before", 0)
    if case.options.get("recoil") == "flat":
        before = min(1, shooter.get("bursts_before", 0))
    raw = before + rounds - 1
    doubles = weapon.get("recoil_factor", 1) if weapon.get("category") != "shotgun" or rounds > 1 else 1
    gyro = shooter.get("gyro", 0)
    return max(0, raw - rc) * doubles, gyro - min(gyro, max(0, raw - without))


def shooting_dice(case: Case, shooter: Entry, target: Entry, weapon: Entry, fire: Entry, armor: int) -> int:
    """The attack pool of section 8.2."""
    sr4a = case.options.get("ranged_modifiers") == "sr4a"
    by_wit = target.get("hidden") and case.options.get("blind_fire_attribute") == "INT"
    attribute = "intuition" if by_wit else "agility"
    two_guns = "split_dice" in shooter
    if two_guns:
        pool = shooter["split_dice"]
    elif "pool" in shooter:
        pool = shooter["pool"]
    else:
        pool = shooter[attribute] + skill_dice(shooter, weapon["skill"])
    table = weapon.get("range")
    if weapon.get("category") == "shotgun" and "choke" in fire:
        table = "shotgun-shot"
    pool += range_dice(case, shooter, weapon, table)
    if sr4a and case.said.get("distance", 99) <= 2:  # how near point-blank is, the rulebook does not say
        pool += 2
    moving = (2 if shooter.get("running") else 0) + (3 if shooter.get("in_moving_vehicle") else 0)
    rounds, burst = fired(case, weapon, fire)
    kick, steady = recoil(case, shooter, weapon, rounds)
    if fire.get("mode") == "suppressive":
        kick, steady, burst = 0, shooter.get("gyro", 0), "full"
    pool -= kick + max(0, moving - steady)
    pool -= 3 if shooter.get("in_melee") else 0
    if shooter.get("in_cover"):
        pool -= 2 if sr4a else 1
    if target.get("hidden"):  # what hides covers as well
        pool -= 4 if shooter.get("darkness_dice") else 6
    elif not sr4a:
        pool -= {"partial": 2, "good": 4}.get(target.get("cover", ""), 0)
    pool -= wounds(shooter, case.options) + encumbrance(shooter, case.options)
    features = weapon.get("features", [])
    if not two_guns:
        if shooter.get("smartlink") and "smartgun" in features:
            pool += 2
        elif "laser-sight" in features:
            pool += 1
    pool -= 2 if shooter.get("off_hand") and not shooter.get("ambidextrous") else 0
    pool += min(
        shooter.get("take_aim", 0), max(0, shooter.get("skills", {}).get(weapon.get("skill"), 0)) // 2
    )
    pool -= 2 * shooter.get("targets_before", 0)
    by_burst = case.options.get("tracer_rule") != "full_auto_only" or "FA" in weapon.get("modes", [])
    if weapon.get("tracer") and by_burst:
        pool += {"short": 1, "long": 2, "full": 3}.get(burst, 0)
    if weapon.get("category") == "bow":
        pool -= max(0, weapon["minimum_strength"] - shooter.get("strength", 99))
    if not target.get("hidden"):  # who is not seen at all is not seen worse in the dark
        pool += visibility(case.said, shooter)
    return pool - called(case, armor)


def dodging_dice(case: Case, target: Entry, fire: Entry, rounds: int, category: str = "") -> int:
    """The defense pool of section 10 against a shot."""
    pool: int = target["pool"] if "pool" in target else target["reaction"]
    if category in {"bow", "throwing-knife", "shuriken"}:
        pool += target.get("missile_parry", 0)
    full = target.get("full_defense")
    if full:
        pool += target.get("skills", {}).get({"dodge": "dodge", "gymnastics": "gymnastics"}[full], 0)
    pool -= wounds(target, case.options) + encumbrance(target, case.options) + target.get("defenses_made", 0)
    near = case.options.get("prone_vs_ranged") != "within_5m" or case.said.get("distance", 99) <= 5
    pool -= 2 if target.get("prone") and near else 0
    pool += 2 if target.get("running") else 0
    pool -= 3 if target.get("in_melee") else 0
    pool += 3 if target.get("in_moving_vehicle") else 0
    pool += target.get("combat_sense", 0)
    pool -= rounds - 1 if fire.get("spread") == "wide" and rounds > 1 else 0
    pool -= {"medium": 2, "wide": 4}.get(fire.get("choke", ""), 0)
    pool -= 2 if fire.get("area") else 0
    if case.options.get("ranged_modifiers") == "sr4a":
        cover = {"partial": 2, "good": 4}.get(target.get("cover", ""), 0)
        pool += 4 if target.get("hidden") else cover
    return pool


def barrier_armor(said: Entry) -> int:
    """Armor of a barrier by its material (section 11.8)."""
    ratings = {"fragile": 1, "cheap": 2, "average": 4, "heavy": 6, "reinforced": 8, "structural": 12}
    return int(said["armor"] if "armor" in said else ratings[said["material"]])


SAID = ("attacker", "target", "weapon", "fire", "distance", "called_shot", "contact", "visibility", "barrier")
SAID += ("shield",)


def in_the_way(case: Case, between: Entry, strike: Harm, net: int) -> None:
    """Whoever the shot goes through or stops in resists the same DV with his own armor (section 11.8)."""
    if not between or net <= 0:
        return
    strike = strike._replace(armor=case.totals["shield.armor.rating"])
    hurt(case, "shield", between, strike, net, case.totals["shield.resist.pool"], prefix="shield.")
    case.out(
        {"shield.result": "hit", "shield.shields_no_more": case.outcome["shield.damage"] > between["body"]}
    )


def ranged_attack(case: Case) -> None:
    """One attack with one weapon on one target."""
    case.only(SAID)
    shooter, target = person(case.said["attacker"]), person(case.said["target"])
    weapon, fire, shot = armed(case.said["weapon"]), case.said["fire"], case.said.get("called_shot", {})
    may_fire(case, weapon, fire, shot)
    rounds, _ = fired(case, weapon, fire)
    if weapon.get("modes"):
        harm = struck_by(weapon, fire, shooter.get("strength", 0) + throwing(shooter, weapon))
        harm["dv"] += shooter.get("thrown_dv", 0) if weapon.get("skill") == "throwing-weapons" else 0
        worn = armor_worn(target, harm["armor_kind"]) if "armor_kind" in harm else 0
        pool = case.total("attack.pool", shooting_dice(case, shooter, target, weapon, fire, worn))
    if case.refusals:
        return
    wall = barrier_armor(case.said["barrier"]) if "barrier" in case.said else target.get("spell_barrier", 0)
    between = person(case.said["shield"]) if "shield" in case.said else {}
    if between:
        wall = armor_worn(between, harm["armor_kind"])
    through = (
        half(wall, case.options) if harm.get("ap_half") else max(0, wall + int(harm["ap"])) if wall else 0
    )
    armor = through if shot.get("kind") == "unarmored" else armor_against(case, target, harm, wall)
    dv = harm["dv"] + (shot["dv"] if shot.get("kind") == "vital" else 0)
    bonus = rounds - 1 if fire.get("spread") == "narrow" and rounds > 1 else 0
    soak = target["body"] + armor + target.get("soak_bonus", 0)
    case.totals.update(
        {"armor.rating": armor, "resist.pool": soak, "damage.value": dv, "damage.burst": bonus}
    )
    if wall:
        case.totals["barrier.rating"] = through
    if between:
        own = armor_against(case, between, harm)
        case.totals.update({"shield.armor.rating": own, "shield.resist.pool": between["body"] + own})
    defends = not target.get("unaware")
    if defends:
        dodge = case.total(
            "defense.pool", dodging_dice(case, target, fire, rounds, weapon.get("category", ""))
        )
    if case.waits:
        return
    burned = bool(shooter.get("burn_edge"))
    if defends and case.table.burns("target", "defense"):
        result, net, critical = "miss", None, False
        if weapon.get("misfires"):
            critical = case.table.roll(pool, "attacker", "attack").glitch == "critical"
    elif burned:
        result, net = "hit", 4
        critical = False
    else:
        attack = case.thrown or Roll(case.table, pool, "attacker", "attack", shooter.get("edge", 0))
        defense = None
        if defends and not attack.none:
            defense = Roll(case.table, dodge, "target", "defense", target.get("edge", 0))
        if not attack.none and case.thrown is None:
            attack.after("attack")
        case.thrown = attack
        if defense is not None:
            defense.after("defense")
            case.out({"defense_hits": defense.hits})
        elif not defends:
            case.out({"defense_hits": 0})
        result, net = opposed(case, attack, defense, contact=bool(case.said.get("contact")))
        critical = attack.glitch == "critical"
        case.out({"attack_hits": attack.hits, "attack_ones": attack.ones, "attack_glitch": attack.glitch})
    case.out({"result": result, "net_hits": net, "damage": 0, "track": None})
    if shot.get("kind") == "trick":
        case.out({"trick": result == "hit"})
    elif shot.get("kind") == "part":
        power = dv + bonus + (net or 0)
        case.out({"power": power, "resists": armor, "part_destroyed": result == "hit" and power > armor})
    elif shot.get("kind") == "item":
        power = dv + (net or 0)
        case.out({"power": power, "resists": target["strength"], "item_dropped": power > target["strength"]})
    elif net is not None:
        if wall:
            case.out({"barrier_armor": through})
            if dv + net <= through:
                case.out({"result": "stopped"})
                in_the_way(case, between, Harm(dv, harm["damage"], 0, bonus), net)
                return
        strike = Harm(dv, harm["damage"], armor, bonus, gel=bool(harm.get("gel")))
        hurt(case, "target", target, strike, net, soak)
        case.out({"burning_dv": dv + net if harm.get("element") == "fire" and dv + net > armor else None})
        if harm.get("electric"):
            shock(case, "target", target, net)
        in_the_way(case, between, Harm(dv, harm["damage"], 0, bonus), net)
    if critical and weapon.get("misfires"):
        own = armor_against(case, shooter, harm)
        case.totals.update({"misfire.armor.rating": own, "misfire.resist.pool": shooter["body"] + own})
        case.out({"misfire": True, "result": "miss"})  # the project's reading: that shot misses
        strike = Harm(harm["dv"], harm["damage"], own)
        hurt(case, "attacker", shooter, strike, 0, shooter["body"] + own, prefix="misfire_")
