"""The second opinion on melee (section 9 and 10). See `second_opinion`."""

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
    hurt,
    opposed,
    person,
    shock,
    skill_dice,
    struck_by,
    visibility,
    wounds,
)
from second_opinions import Entry, NotUnderstoodError

WAYLAID = ("interception", "distance")


def reach(who: Entry, weapon: Entry | None) -> int:
    """Of the weapon and of the body."""
    return int((weapon or {}).get("reach", 0)) + (1 if who.get("metatype") == "troll" else 0)


def melee_defenses(target: Entry, weapon: Entry | None) -> dict[str, int]:
    """Dodge, parry and block before what modifies them all."""
    block = skill_dice(target, "unarmed-combat")
    ways = {"dodge": skill_dice(target, "dodge")}
    if weapon and weapon["skill"] != "unarmed-combat":
        ways["parry"] = skill_dice(target, weapon["skill"])
    ways["block"] = block
    full = target.get("full_defense")
    if full in {"dodge", "gymnastics"}:
        more = max(0, target.get("skills", {}).get(full, 0))
        return {way: dice + more for way, dice in ways.items()}
    if full == "parry":
        return {way: dice if way == "dodge" else dice + max(0, dice) for way, dice in ways.items()}
    return ways


def melee_attack(case: Case) -> None:
    """One blow at one person, or what begins, uses and ends a hold."""
    case.only(["attacker", "target", "weapon", "aim", "called_shot", "reach_use", "visibility", *WAYLAID])

    attacker, target = person(case.said["attacker"]), person(case.said["target"])
    weapon = armed(case.said.get("weapon", "unarmed-attack"))
    aim, shot = case.said.get("aim", "hurt"), case.said.get("called_shot", {})
    theirs = armed(target["weapon"]) if isinstance(target.get("weapon"), str | dict) else None
    melee_refusals(case, attacker, target, weapon, theirs)
    if case.refusals:
        return
    if aim == "engulf":
        raise NotUnderstoodError("what engulfs")
    if aim in {"throw-held", "keep-held"}:
        case.out({"result": "hit", "held": True, "damage": 0, "knockdown": aim == "throw-held"})
        case.out({"grip": attacker.get("grip")})
        return
    harm = struck_by(weapon, {}, attacker.get("strength"))
    if weapon["skill"] == "unarmed-combat" and weapon.get("dv_half_strength"):
        harm["dv"] += attacker.get("unarmed_dv", 0)
        harm["damage"] = "physical" if attacker.get("unarmed_physical") else harm["damage"]
    if weapon.get("category") == "unarmed":
        harm["ap"] -= attacker.get("unarmed_ap", 0)
    if aim == "hurt-held":
        harm.update(dv=attacker["strength"], damage="stun", ap=0, armor_kind="impact", electric=False)
    armor = 0 if shot.get("kind") == "unarmored" else armor_against(case, target, harm)
    dv = harm["dv"] + (shot["dv"] if shot.get("kind") == "vital" else 0)
    soak = target["body"] + armor + target.get("soak_bonus", 0)
    case.totals.update({"melee-damage.value": dv, "melee-armor.rating": armor, "melee-resist.pool": soak})
    strike = Harm(dv, harm["damage"], armor)
    if aim == "hurt-held":
        case.out({"result": "hit"})
        hurt(case, "target", target, strike, 0, soak)
        return
    pool, guard, ways = melee_pools(case, attacker, target, weapon, theirs)
    if case.waits:
        return
    if attacker.get("burn_edge"):
        result, net, defense = "hit", 4, None
    else:
        attack = Roll(case.table, pool, "attacker", "attack", attacker.get("edge", 0))
        defense = None
        if attack.none:
            case.out({"result": "no-attack", "damage": 0})
            return
        if not target.get("unaware"):
            way = target.get("defense") or case.table.decided("melee-defense", "target")
            way = way or max(ways, key=lambda name: max(0, guard + ways[name]))
            case.out({"defense_method": way})
            defense = Roll(case.table, max(0, guard + ways[way]), "target", "defense", target.get("edge", 0))
        else:
            case.out({"defense_method": None, "defense_hits": 0})
        attack.after("attack")
        if defense is not None:
            defense.after("defense")
            case.out({"defense_hits": defense.hits})
        strikes = aim == "hurt" and shot.get("kind") in {None, "vital", "unarmored"}
        contact = aim == "touch" or (strikes and bool(harm.get("electric")))
        result, net = opposed(case, attack, defense, contact=contact)
        case.out({"attack_hits": attack.hits, "attack_glitch": attack.glitch})
    case.out(
        {"result": result, "net_hits": net, "damage": 0, "track": None, "movement_ends": result == "hit"}
    )
    melee_result(case, attacker, target, weapon, strike, net, soak)
    if not attacker.get("burn_edge") and weapon.get("glitch_hits_wielder"):
        backlash(case, attacker, harm, attack)


def melee_refusals(case: Case, attacker: Entry, target: Entry, weapon: Entry, theirs: Entry | None) -> None:
    """What melee does not allow."""
    aim, shot = case.said.get("aim"), case.said.get("called_shot", {})
    case.refusals |= (
        {"charge_without_running"} if attacker.get("charging") and not attacker.get("running") else set()
    )
    case.refusals |= {"no_melee_weapon"} if "reach" not in weapon else set()
    case.refusals |= {"discharged_weapon"} if weapon.get("charges") == 0 else set()
    if target.get("unaware") and target.get("full_defense"):
        case.refusals.add("full_defense_while_surprised")
    if target.get("defense") == "parry" and (theirs is None or theirs["skill"] == "unarmed-combat"):
        case.refusals.add("no_weapon_to_parry")
    if aim == "subdue":
        case.refusals |= {"subdue_with_weapon"} if weapon["skill"] != "unarmed-combat" else set()
        case.refusals |= {"called_shot_without_damage"} if shot else set()
    if case.said.get("interception") and case.said["distance"] > 1 + reach(attacker, weapon):
        case.refusals.add("interception_too_far")


def melee_pools(
    case: Case, attacker: Entry, target: Entry, weapon: Entry, theirs: Entry | None
) -> tuple[int, int, dict[str, int]]:
    """Attack pool, what all defenses share, and what each adds; reach used as it was chosen."""
    said, options = case.said, case.options
    pool = attacker.get("split_dice", attacker.get("pool"))
    if pool is None:
        pool = attacker["agility"] + skill_dice(attacker, weapon["skill"])
    pool += min(4, attacker.get("friends_in_melee", 0))
    pool += 2 if attacker.get("superior_position") else 0
    pool += 3 if target.get("prone") else 0
    pool += 2 if attacker.get("charging") else -2 if attacker.get("running") else 0
    pool += 1 if attacker.get("receiving_charge") else 0
    pool += 2 if said.get("aim") == "touch" else 0
    pool -= 2 if attacker.get("off_hand") and not attacker.get("ambidextrous") else 0
    pool += attacker.get("counterstrike_dice", 0)
    pool += weapon.get("attack_dice", 0) + visibility(said, attacker)
    pool -= wounds(attacker, options) + encumbrance(attacker, options)
    pool -= called(case, armor_worn(target, weapon["armor_kind"]))
    guard = target["reaction"] - wounds(target, options) - encumbrance(target, options)
    guard -= target.get("defenses_made", 0) + (2 if target.get("prone") else 0)
    guard += (3 if target.get("in_moving_vehicle") else 0) + target.get("combat_sense", 0)
    longer = reach(attacker, weapon) - reach(target, theirs)
    own = (pool + max(0, longer), guard + max(0, -longer))
    other = (pool - max(0, -longer), guard - max(0, longer))
    holder = "attacker" if longer > 0 else "target"
    use = said.get("reach_use")
    pool, guard = other if use == "dice-of-the-other" else own
    ways = {} if target.get("unaware") else melee_defenses(target, theirs)
    case.total("melee-attack.pool", pool)
    case.totals.update({"melee-attack.otherwise": other[0], "melee-defense.otherwise": other[1]})
    case.totals["melee-defense.pool"] = guard
    case.totals.update({f"melee-defense.{way}": max(0, guard + dice) for way, dice in ways.items()})
    if longer and use is None:
        use = case.table.decided("reach-use", holder) or "own-dice"
        pool, guard = other if use == "dice-of-the-other" else own
    if longer:
        case.out({"reach_use": use})
    return max(0, pool), guard, ways


def melee_result(
    case: Case, attacker: Entry, target: Entry, weapon: Entry, strike: Harm, net: int | None, soak: int
) -> None:
    """What a blow, a grip, a throw, a touch or a called shot does."""
    aim, shot = case.said.get("aim", "hurt"), case.said.get("called_shot", {})
    power = (strike.dv if shot else attacker["strength"]) + (net or 0)
    if shot.get("kind") == "trick":
        case.out({"trick": bool(net)})
    elif shot.get("kind") == "item":
        resists = target["strength"]
        case.out({"power": power, "resists": resists, "item_dropped": bool(net) and power > resists})
    elif aim in {"subdue", "knockdown"}:
        done = bool(net) and power > target["body"]
        case.out(
            {"power": power, "resists": target["body"], "held" if aim == "subdue" else "knockdown": done}
        )
        case.out({"grip": net if aim == "subdue" and done else None})
    elif aim == "improve-hold":
        case.out({"improved": bool(net), "grip_gained": net, "grip": attacker.get("grip", 0) + (net or 0)})
    elif aim == "touch" and not weapon.get("electric"):
        case.out({"touched": net is not None})
    elif net is not None:
        hurt(case, "target", target, strike, net, soak)
        if weapon.get("electric"):
            shock(case, "target", target, net)


def backlash(case: Case, attacker: Entry, harm: Entry, attack: Roll) -> None:
    """The whip strikes its wielder on a glitch."""
    if attack.glitch not in {"glitch", "critical"}:
        case.out({"backlash.damage": None})
        return
    armor = armor_against(case, attacker, harm)
    pool = attacker["body"] + armor + attacker.get("soak_bonus", 0)
    case.totals.update({"backlash-armor.rating": armor, "backlash-resist.pool": pool})
    case.out({"backlash.result": "backlash"})
    hurt(case, "attacker", attacker, Harm(harm["dv"], harm["damage"], armor), 0, pool, prefix="backlash.")
