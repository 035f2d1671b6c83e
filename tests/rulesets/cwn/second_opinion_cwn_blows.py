"""The second opinion on cwn: attacks as they are carried out (sections 3.2, 4, 5). See `second_opinion_cwn`."""

from __future__ import annotations

from second_opinion_cwn_attack import Blow
from second_opinion_cwn_rules import Case, Person, armed, greatest, hurt
from second_opinions import Entry


def attack(case: Case) -> None:
    """An attack on one target, with whoever steps in between."""
    case.only("attacker target weapon weapon_2 attack distance screener_1 screener_2")
    attacker, target = case.person("attacker"), case.person("target")
    weapon, how = armed(case.said["weapon"]), dict(case.said.get("attack", {}))
    blow = Blow(case, attacker, target, weapon, how)
    case.refusals |= blow.refused()
    if weapon["area"]:
        case.refusals.add("area_weapon")
    if blow.dual():
        other = armed(case.said["weapon_2"]) if "weapon_2" in case.said else None
        skill = other["skills"][0] if other else how["other_skill"]
        if min(attacker.skills.get(one, -1) for one in (skill, weapon["skills"][0])) < 1:
            case.refusals.add("dual_wield_untrained")
        if weapon.get("two_handed") or (other and other.get("two_handed")):
            case.refusals.add("dual_wield_two_handed")
        if other and other.get("ready") is False:
            case.refusals.add("weapon_not_ready")
    if case.refusals:
        return
    struck = "target"
    screeners = [name for name in ("screener_1", "screener_2") if name in case.said]
    if screeners:
        struck = screened(case, attacker, screeners, weapon)
        if struck != "target":
            case.out(redirected_to=struck)
            blow = Blow(case, attacker, case.person(struck), weapon, how)
    if how.get("hold"):
        strike(blow, struck, blow.damage())
        return
    roll(blow, struck)


def screened(case: Case, attacker: Person, screeners: list[str], weapon: Entry) -> str:
    """Whom the attack is on after the opposed checks (3.2): of those who beat the attacker the lowest."""
    skills = weapon.get("skills", ())
    mine = case.table.sum("2d6") + case.total(
        "screen.attacker", attacker.check(skills, ("strength", "dexterity"))
    )
    case.out(screen_total=mine)
    found = []
    for name in screeners:
        one = case.person(name)
        hand = armed(one["weapons"][0])
        theirs = case.total(f"screen.{name}", one.check(hand["skills"], ("strength", "dexterity")))
        theirs += case.table.sum("2d6")
        case.out(f"{name}.", screen_total=theirs)
        if theirs > mine or (theirs == mine and one.get("player")):
            found.append((theirs, name))
    return min(found, key=lambda pair: pair[0])[1] if found else "target"


def roll(blow: Blow, struck: str) -> None:
    """The attack roll with all that may be said after it."""
    case, attacker, target = blow.case, blow.attacker, blow.target
    prefix = "" if struck == "target" else f"{struck}."
    bonus, ac = blow.to_hit(), blow.ac(prefix)
    blow.spend_rounds()
    extra = blow.damage()
    sure = (
        attacker.focus("assassin")
        and target.get("unsuspecting")
        and blow.adjacent
        and (blow.weapon["pistol_sized"] or blow.weapon["slug"] == "knife")
        and blow.kind == "ranged"
    )
    hit = True
    if not sure:
        hit, ac = aimed(blow, struck, bonus, ac)
    case.out(result="hit" if hit else "miss", hit=hit)
    if hit:
        strike(blow, struck, extra, prefix)
    else:
        miss(blow, struck, extra, prefix)


def aimed(blow: Blow, struck: str, bonus: int, ac: int) -> tuple[bool, int]:
    """Whether an attack roll hits in the end, and against which AC."""
    case, table = blow.case, blow.case.table

    def thrown() -> bool:
        face = table.sum("1d20")
        case.out(attack_total=face + bonus, target_ac=ac)
        if face == 20 and case.options.get("natural_20_hits"):
            return True
        if face == 1 and case.options.get("natural_1_misses"):
            return False
        return face + bonus >= ac

    hit = thrown()
    if not hit and blow.gunlink() and table.chosen("gunlink-reroll", "attacker", "reroll"):
        hit = thrown()
        case.out(used="gunlink-reroll")
    for decision, choice in (("veterans-luck", "use"), ("trajectory-node", "correct")):
        if not hit and table.chosen(decision, "attacker", choice):
            hit = True
            case.out(used=decision)
    if hit and blow.weapon.get("guided") and jammed(blow):
        hit = thrown()  # of a hit and a second roll the worse counts
    target = blow.target
    if target.get("can_total_defense") and table.chosen("total-defense", struck, "defend"):
        ac += 2
        target.facts["shock_proof"] = True
        hit = case.outcome["attack_total"] >= ac
        case.out(target_ac=ac, used="total-defense")
        case.harm["spend", struck, "main-action"] = 1
        case.harm["add-condition", struck, "total-defense"] = 1
        case.harm["add-condition", struck, "shock-proof"] = 1
    if hit and blow.kind != "melee" and table.chosen("iron-hand", struck, "ward-off"):
        hit = False
        case.out(used="iron-hand")
        case.harm["spend", struck, "iron-hand"] = 1
    if hit and table.chosen("veterans-luck", struck, "use"):
        hit = False
        case.out(used="veterans-luck")
    return hit, ac


def jammed(blow: Blow) -> bool:
    """Whether the operator of an ECM Emitter beats whoever guides the weapon (13.2); ties go to the PC."""
    case, target, attacker = blow.case, blow.target, blow.attacker
    if "ecm-emitter" not in target.get("vehicle_fittings", ()) or not target.has("ecm"):
        return False
    level = blow.level()
    guiding = attacker["skill_bonus"] if blow.printed else blow.attribute() + (-1 if level is None else level)
    mine = case.total("ecm.jamming", target["ecm"]) + case.table.sum("2d6")
    theirs = case.total("ecm.guiding", guiding) + case.table.sum("2d6")
    case.out(jamming_total=mine)
    return bool(mine > theirs or (mine == theirs and target.get("player") and not attacker.get("player")))


def strike(blow: Blow, struck: str, extra: int, prefix: str = "") -> None:
    """A hit: the order of 5.1."""
    case, weapon, target = blow.case, blow.weapon, blow.target
    raw = case.table.sum(weapon["damage"])
    most = greatest(weapon["damage"])
    if blow.attacker.get("shock_fists") and weapon["type"] == "unarmed":
        raw, most = raw + case.table.sum("1d8"), most + 8
    raw, most = max(0, raw + extra), max(0, most + extra)
    case.out(damage_rolled=raw, result="hit", hit=True)
    damage = raw
    if others := blow.how.get("swarm_others", 0):
        swarm = case.total("damage.swarm", min(3, others))
        damage = max(raw, min(raw + swarm, most))
        case.out(damage_after_swarm=damage)
    floor = blow.shock(prefix) or 0
    if blow.how.get("hold"):
        floor = 0
    early = case.options.get("shock_floor_before_trauma", True)
    case.out(shock_floor_applied=early and floor > damage)
    if early:
        damage = max(damage, floor)
    trauma = None if blow.how.get("hold") else blow.trauma(prefix)
    traumatic = trauma is not None and trauma[1]
    case.out(traumatic=traumatic)
    if trauma is not None:
        case.out(trauma_total=trauma[0])
    if traumatic:
        damage *= weapon["trauma_rating"]
    if not early:
        case.out(shock_floor_applied=floor > damage)
        damage = max(damage, floor)
    if weapon.get("ambush") and target.get("unsuspecting") and blow.adjacent:
        damage *= 2
    if target.get("machine"):
        damage = damage * weapon.get("machine_damage", 1) - target.armor_plate()
    if blow.how.get("hold") == "grapple":
        case.harm["schedule", "attacker", "grapple-damage"] = 0
    hurt(case, struck, target, max(0, damage), lethal=blow.lethal, traumatic=traumatic)


def miss(blow: Blow, struck: str, extra: int, prefix: str = "") -> None:
    """A miss: Shock, and what some weapons do all the same."""
    case, weapon, target = blow.case, blow.weapon, blow.target
    shock = blow.shock(prefix)
    damage = shock or 0
    case.out(shock_damage=damage)
    if weapon.get("miss_damage"):
        damage += case.table.sum(weapon["miss_damage"])
        case.out(miss_damage=damage - (shock or 0))
    if weapon.get("ambush") and target.get("unsuspecting") and blow.adjacent:
        full = max(0, case.table.sum(weapon["damage"]) + extra)
        damage += full
        case.out(miss_damage=full)
    soakable = damage if case.options.get("soak_vs_shock", True) else damage - (shock or 0)
    hurt(case, struck, target, damage, lethal=blow.lethal, soakable=soakable)


def whirlwind(case: Case) -> None:
    """Shock to each foe in reach, as by a miss."""
    case.only("attacker weapon target victim_1 victim_2 victim_3")
    attacker, weapon = case.person("attacker"), armed(case.said["weapon"])
    for name in case.victims():
        victim = case.person(name)
        blow = Blow(case, attacker, victim, weapon, {})
        blow.ac(f"{name}.")
        damage = blow.shock(f"{name}.") or 0
        if victim.get("shock_shield"):
            case.harm["add-condition", name, "shock-shield-used"] = 1
        case.out(f"{name}.", shock_damage=damage)
        hurt(case, name, victim, damage, lethal=blow.lethal, prefix=f"{name}.")
