"""The second opinion on cwn: explosions and suppressive fire (5.6, 5.7, 5.8). See `second_opinion_cwn`."""

from __future__ import annotations

from math import ceil, cos, hypot, radians, sin
from typing import Any, NamedTuple

from second_opinion_cwn_attack import Blow
from second_opinion_cwn_rules import Case, Person, armed, greatest, hurt, saved
from second_opinions import NotUnderstoodError


class Device(NamedTuple):
    """What 5.7 and 5.8 say of something that strikes all in reach; `aim` is the AC of the point, None if not aimed."""

    radius: float
    aim: int | None = None
    save: str | None = "evasion"
    half: bool = True
    over: int | None = None
    scatters: bool = False
    proof: tuple[str, ...] = ()
    inside: bool = False
    soak: bool = True
    halved_by_cover: bool = False
    saves_cost: tuple[str, ...] = ()


FRAG = Device(5, 10, over=14, scatters=True)
DEVICES = {
    "grenade-frag": FRAG,
    "grenade-flash": Device(
        5,
        10,
        "physical",
        half=False,
        scatters=True,
        proof=("eye-and-ear-protection",),
        saves_cost=("flashbanged",),
    ),
    "grenade-gas": Device(5, 10, "physical", scatters=True, proof=("breathing-protection",), inside=True),
    "grenade-smoke": Device(5, 10, None, scatters=True, inside=True),
    "mortar": Device(10, 20, soak=False),
    "rocket-launcher": Device(5, None, over=14),
    "mine-anti-personnel": Device(2),
    "mine-anti-vehicle": Device(5),
    "main-tank-gun": Device(10, 10, None, proof=("heavy-cover",)),
    "retribution-shield": Device(5, over=14),
    "banshee-module": Device(10, None, "physical", half=False),
    "eye-dazzler": Device(5, None, "physical", half=False, saves_cost=("dazzled",)),
    "suicide-charge": Device(10, halved_by_cover=True),
}
DIRECT = ("rocket-launcher", "main-tank-gun")
MORTAR_LEAST = 20


def place(case: Case, name: str) -> complex:
    """Where a victim stands: metres beyond the mark and to the right of it."""
    person = case.person(name)
    metres = person.get("blast_distance", person.get("distance", 0))
    turn = radians(person.get("bearing", 0))
    return complex(metres * cos(turn), metres * sin(turn))


class Blast:
    """A blast and whom it reaches."""

    def __init__(self, case: Case, slug: str, damage: str | None, bonus: int, level_bonus: int) -> None:
        self.case, self.slug, self.device = case, slug, DEVICES[slug]
        self.dice, self.bonus, self.trauma_bonus = damage, bonus, level_bonus
        self.weapon = armed("grenade-frag" if slug in DIRECT and slug != "main-tank-gun" else slug)
        self.rolled: int | None = None
        self.shared = case.options.get("shared_area_damage", True)

    def throw(self) -> int:
        """The damage roll."""
        if self.dice is None:
            return 0
        self.rolled = max(0, self.case.table.sum(self.dice) + self.bonus)
        self.case.out(blast_damage_total=self.rolled)
        return self.rolled

    def reach(self, names: list[str], centre: complex) -> None:
        """Everybody in turn."""
        near = []
        for name in names:
            gap = place(self.case, name) - centre
            if round(hypot(gap.real, gap.imag), 6) > self.device.radius:  # micrometres do not count
                self.case.out(f"{name}.", result="outside", damage=0)
            elif not self.protected(name, self.case.person(name)):
                near.append(name)
        if near and self.shared:
            self.throw()
        for name in near:
            self.strike(name, self.case.person(name))

    def protected(self, name: str, victim: Person) -> bool:
        """Whether something keeps the blast from somebody in its reach."""
        states = [*self.device.saves_cost, *(["dazzle-proof"] if self.slug == "eye-dazzler" else [])]
        stops = [proof for proof in self.device.proof if proof in victim.get("protections", ())]
        stops += [state for state in states if victim.get(state.replace("-", "_"))]
        if stops:
            self.case.out(f"{name}.", result="protected", by=stops[0], damage=0)
        return bool(stops)

    def strike(self, name: str, victim: Person) -> None:
        """One victim that is not protected: save, damage, Trauma Die, half, armor, Soak."""
        case, device, prefix = self.case, self.device, f"{name}."
        held = self.slug == "retribution-shield" and victim.get("in_grapple")
        success = False
        if device.save and not held and not victim.get("machine"):
            target = victim.save(device.save)
            if target is None:
                raise NotUnderstoodError("a save that nothing says")
            success = saved(case, case.total(f"{prefix}save.{device.save}", target))
        case.out(prefix, saved=success, result="saved" if success else "hit")
        if device.saves_cost:
            case.out(prefix, hp_loss=0)
            if not success:
                case.out(prefix, **{device.saves_cost[0]: case.table.sum("1d6")}, main_action_lost=True)
            return
        if success and not device.half:
            case.out(prefix, damage=0, hp_loss=0)
            return
        damage = self.throw() if not self.shared else self.rolled or 0
        if held:
            damage = greatest(self.dice or "0d0") + self.bonus
        lethal = self.weapon["non_lethal"] == "never"
        traumatic = self.trauma(prefix, victim, lethal=lethal)
        damage *= self.weapon["trauma_rating"] if traumatic else 1
        if device.halved_by_cover and "heavy-cover" in victim.get("protections", ()):
            damage = case.half(damage)
        damage = case.half(damage) if success else damage
        if victim.get("machine"):
            damage -= victim.armor_plate()
        elif device.over is not None:
            ac = case.total(f"{prefix}target.ac", victim.ac("melee"))
            damage -= max(0, ac - device.over)
        hurt(
            case,
            name,
            victim,
            max(0, damage),
            lethal=lethal,
            traumatic=traumatic,
            soakable=None if device.soak else 0,
            prefix=prefix,
        )

    def trauma(self, prefix: str, victim: Person, *, lethal: bool) -> bool:
        """A Trauma Die for each victim."""
        goal = self.case.total(f"{prefix}trauma.target", victim.trauma_target())
        bonus = self.trauma_bonus + (2 if victim.drug("boneshaker") else 0)
        self.case.total(f"{prefix}trauma.bonus", bonus)
        if not lethal or "trauma_die" not in self.weapon or self.slug == "main-tank-gun":
            return False
        if victim.get("machine") and not self.weapon.get("wrecks_machines"):
            return False
        traumatic = self.case.table.sum(self.weapon["trauma_die"]) + bonus >= goal
        self.case.out(prefix, traumatic=traumatic)
        return traumatic


def level_bonus(who: Person) -> tuple[int, int]:
    """What Killing Blow adds to damage and to the Trauma Die."""
    return (ceil(who["level"] / 2), 1) if who.get("killing_blow") else (0, 0)


def blast(case: Case) -> None:
    """Something that strikes all in reach: thrown, fired, set, or going off."""
    case.only(
        "attacker weapon distance aim fuse_rounds blast spotted_rounds target "
        + " ".join(f"victim_{n}" for n in range(1, 9))
    )
    weapon = armed(case.said["weapon"])
    slug = case.said["blast"]["like"] if "blast" in case.said else weapon["slug"]
    if case.said.get("aim") == "set":
        case.out(result="set")
        case.harm["item", "attacker", "weapon"] = -1
        return
    device, who = DEVICES[slug], case.person("attacker")
    more, trauma = level_bonus(who)
    dice = armed(slug).get("damage")
    if case.said.get("aim") == "goes-off":
        case.out("blast.", result="goes-off")
        Blast(case, slug, dice, case.total("blast.damage", more), trauma).reach(case.victims(), 0j)
        return
    if slug == "mortar" and case.said["distance"] < MORTAR_LEAST:
        case.refusals.add("below_minimum_range")
        return
    if slug in DIRECT:
        aimed_at_somebody(case, slug, who, (more, trauma))
        return
    # aimed at a point: the numbers of an attack, without a target
    how = Blow(case, who, Person({}), {**weapon, "unrested": None}, {})
    case.refusals |= how.refused()
    if case.refusals:
        return
    bonus = how.to_hit() + min(case.said.get("spotted_rounds", 0), 99)
    case.totals["attack.bonus"] = bonus
    if case.options.get("explosives_add_attr"):
        more += how.attribute()
    face = case.table.sum("1d20")
    hit = face + bonus >= (device.aim or 0)
    case.out(attack_total=face + bonus)
    case.out("blast.", hit=hit, result="on-the-spot" if hit else "scattered")
    rounds = weapon.get("rounds")
    if rounds is not None:
        case.out("blast.", ammo_left=rounds - 1)
    case.harm["item", "attacker", "weapon"] = -1
    centre = 0j
    if not hit:
        if not device.scatters:
            raise NotUnderstoodError("where what does not scatter comes down")
        metres, clock = case.table.sum("1d10"), 0
        if not case.victims() or any(place(case, name) for name in case.victims()):
            clock = case.table.sum("1d12") % 12 * 30  # which way matters only to those who are off the mark
        case.out("blast.", scatter=metres, direction=clock)
        centre = complex(metres * cos(radians(clock)), metres * sin(radians(clock)))
    total = case.total("blast.damage", more)
    Blast(case, slug, dice, total, trauma).reach(case.victims(), centre)


def aimed_at_somebody(case: Case, slug: str, who: Person, level: tuple[int, int]) -> None:
    """A rocket or a tank gun: a direct hit on one, and a blast for those beside."""
    target, weapon = case.person("target"), armed(case.said["weapon"])
    blow = Blow(case, who, target, weapon, {"kind": "ranged"})
    case.refusals |= blow.refused()
    if case.refusals:
        return
    total = case.table.sum("1d20") + blow.to_hit()
    case.out(attack_total=total)
    hit = total >= (DEVICES[slug].aim or target.ac("ranged"))
    case.out("target.", hit=hit)
    beside = [name for name in case.victims() if name != "target"]
    if not hit:
        if slug == "main-tank-gun":
            raise NotUnderstoodError("a shell that misses")
        case.out("blast.", result="lost")
        for name in beside:
            case.out(f"{name}.", result="outside")
        return
    damage = case.table.sum(weapon["damage"]) + level[0]
    damage += blow.attribute() if case.options.get("explosives_add_attr") else 0
    trauma = blow.trauma()
    traumatic = trauma is not None and trauma[1]
    damage *= weapon["trauma_rating"] if traumatic else 1
    hurt(case, "target", target, damage, lethal=True, traumatic=traumatic, prefix="target.")
    case.out("blast.", result="on-the-spot")
    dice = "1d20" if slug == "main-tank-gun" else "2d6"
    Blast(case, slug, dice, 0, level[1]).reach(beside, 0j)


def suppressive_fire(case: Case) -> None:
    """Half of the damage, rounded up, on everybody in the cone who fails an Evasion save."""
    case.only("attacker weapon fire distance target " + " ".join(f"victim_{n}" for n in range(1, 9)))
    who, weapon = case.person("attacker"), armed(case.said["weapon"])
    fire: dict[str, Any] = case.said.get("fire", {})
    mounts = {*fire.get("mounts", ()), *(("prone",) if who.get("prone") else ())}
    portable = weapon["slug"] == "automatic-rifle"
    if not mounts & ({"support", "prone"} if portable else {"vehicle-mount", "fixed-mount"}):
        case.refusals.add("weapon_not_steady")
    if weapon.get("rounds", 2) < 2:
        case.refusals.add("not_enough_ammo_to_suppress")
    if case.refusals:
        return
    case.harm["item", "attacker", "weapon"] = -2
    if "rounds" in weapon:
        case.out("fire.", ammo_left=weapon["rounds"] - 2)
    more, trauma = level_bonus(who)
    blow = Blow(case, who, Person({}), weapon, {})
    bonus = case.total("damage.bonus", blow.attribute() + more)
    proofs = ["heavy-cover", *(["ear-protection"] if weapon["slug"] == "shrieker-gun" else [])]
    under_fire = []
    for name in case.victims():
        victim, prefix = case.person(name), f"{name}."
        aimed_at = case.said.get("distance", 0) if name == "target" else 0
        if victim.get("distance", aimed_at) > weapon["range_normal"]:
            case.out(prefix, result="outside", damage=0)
        elif victim.get("cover") == "total":
            case.out(prefix, result="protected", by="heavy-cover", damage=0)
        elif by := next((one for one in proofs if one in victim.get("protections", ())), None):
            case.out(prefix, result="protected", by=by, damage=0)
        else:
            under_fire.append(name)
    if not under_fire:
        return
    half = ceil(max(0, case.table.sum(weapon["damage"]) + bonus) / 2)
    case.out("fire.", half_damage=half)
    for name in under_fire:
        victim, prefix = case.person(name), f"{name}."
        target = victim.save("evasion")
        if target is None:
            raise NotUnderstoodError("a save that nothing says")
        success = saved(case, case.total(f"{prefix}save.evasion", target))
        case.out(prefix, saved=success)
        if not success and victim.get("iron_hand") and case.table.chosen("iron-hand", name, "ward-off"):
            case.out(prefix, result="protected", by="iron-hand", damage=0)
            case.harm["spend", name, "iron-hand"] = 1
            continue
        if success:
            case.out(prefix, damage=0, hp_loss=0)
            continue
        lethal = weapon["non_lethal"] == "never"
        traumatic = False
        if lethal and "trauma_die" in weapon:
            more = trauma + (2 if victim.drug("boneshaker") else 0)
            traumatic = case.table.sum(weapon["trauma_die"]) + more >= victim.trauma_target()
        case.out(prefix, traumatic=traumatic)
        damage = half * (weapon["trauma_rating"] if traumatic else 1)
        hurt(case, name, victim, damage, lethal=lethal, traumatic=traumatic, prefix=prefix)
