"""The second opinion on imperium: close combat (sections 6, 8.1, 10). See `second_opinion_imperium`."""

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
    entries,
    excess,
    hurt,
    known,
    location,
)
from second_opinion_imperium_shots import Figures, alight, chamber, reins
from second_opinions import Entry

GUNS = ("pistol", "basic", "heavy")
UNBREAKABLE = {"power", "shock", "daemon", "force"}
ATTACK_WORDS = "charge shot direction evades_height"


def in_hand(weapon: Entry, who: Person) -> Entry:
    """A force weapon is its mundane counterpart to whoever is no psyker (10.5)."""
    if "force" not in weapon.get("features", ()) or who.may("psychic-powers"):
        return weapon
    if "mundane_weapon" not in weapon:
        return weapon
    plain = entries("weapons")[weapon["mundane_weapon"]]
    figures = ("damage", "ws_modifier", "parry_penalty", "may_parry", "encumbrance")
    return {**weapon, **{name: plain[name] for name in figures if name in plain}}


def line_of(weapon: Entry) -> Entry:
    """The line with which a gun strikes: that of what is fixed to it, or of its butt (10.4)."""
    if weapon["type"] not in GUNS:
        return weapon
    blades = [entries("mods")[mod] for mod in weapon["mods"] if "ws_modifier" in entries("mods")[mod]]
    plain = {"damage": "1d6", "ws_modifier": 0, "parry_penalty": 0, "features": []}
    return {**plain, "features": [], **(blades[0] if blades else {}), "may_parry": True}


class Blow:
    """One attack, before its dice."""

    def __init__(self, case: Case) -> None:
        case.only("attacker target weapon armor parry attack action fire")
        self.case = case
        self.attacker, self.target = Person(case.said["attacker"]), Person(case.said["target"])
        self.how = case.record("attack", ATTACK_WORDS)
        self.shot = bool(self.how.get("shot"))
        self.arm = case.said.get("action", {}).get("arm", "both")
        self.weapon = in_hand(armed(case.said["weapon"]), self.attacker)
        fire, settings = case.record("fire", "setting round"), self.weapon.get("settings", [""])
        self.round, self.setting = fire.get("round", 0), fire.get("setting", settings[0])
        if self.setting == "high":
            self.weapon["damage"] = self.weapon.get("high_damage", self.weapon["damage"])
        self.pistol = Figures(
            case, self.attacker, self.weapon, "single", 1, self.setting if self.shot else ""
        )
        self.line = self.weapon if self.shot else line_of(self.weapon)
        self.foes = in_hand(armed(case.said["parry"]), self.target) if "parry" in case.said else None
        self.excess = excess(case, self.weapon, self.attacker, self.arm != "both")
        self.piece: Entry | None = case.said.get("armor")

    def refused(self) -> None:
        """What makes an attack impossible."""
        needs = {*self.weapon.get("requires", ()), *self.line.get("requires", ())}
        other, options = self.case.merged_with(), self.case.options
        for code, so in {
            "needs_ability": any(not self.attacker.may(one.partition("-")[0]) for one in needs),
            "arm_useless": self.attacker.arm_injury(self.arm) >= 4,
            "not_a_pistol": self.shot and self.weapon["type"] != "pistol",
            "empty_weapon": self.shot and self.weapon.get("rounds") == 0,
            "too_few_rounds": self.shot and 0 < self.weapon.get("rounds", 2) < self.pistol.used,
            "recharging": self.shot and self.weapon.get("ready_round", 0) > self.round > 0,
            "overheated": self.shot and self.weapon.get("overheated"),
            "setting_not_available": self.setting and self.setting not in self.weapon.get("settings", ()),
            "not_a_close_weapon": self.weapon["type"] == "thrown",
            "illegal_merge": other in ("do-nothing", "sprint")
            or (other == "draw-weapon" and not self.attacker.may("quick-draw"))
            or (other == "attack" and options.get("merge_same") is False),
        }.items():
            if so:
                self.case.refusals.add(code)

    def penalty(self) -> int:
        """The Parry Penalty of a defender who can parry; too heavy a weapon brings it nearer to 0 (6)."""
        target, foes = self.target, self.foes
        if foes is None or self.how.get("direction") != "front" or not target.get("aware"):
            return 0
        if target.get(
            "stunned", target.get("stunned_actions", 0) > 0 if target.has("stunned_actions") else True
        ):
            return 0
        if not target.get("conscious", True) or target.get("object"):
            return 0
        line = foes if foes["type"] not in GUNS else line_of(foes)
        if not line.get("may_parry") or foes.get("may_parry") is False:
            return 0
        heavy = excess(self.case, foes, target, bool(foes.get("one_handed")))
        return int(min(0, line.get("parry_penalty", 0) + 5 * (heavy // 10)))

    def chance(self, penalty: int) -> int:
        """WS, weapon, situation and Parry Penalty, halved if merged (6)."""
        on_foot = self.target.get("mounted") and self.attacker.get("mounted") is False
        modifiers = [
            0 if self.shot else self.line["ws_modifier"],
            10 * bool(self.how.get("charge")),
            -10 * bool(on_foot and self.how.get("evades_height") is False),
            -self.excess,
            -20 * (self.attacker.arm_injury(self.arm) == 3),
            10 * bool(self.target.get("pinned")),
            penalty,
        ]
        skill = self.attacker["weapon_skill"]
        return self.case.chance("close-combat.chance", skill, modifiers, int(self.case.merged()))

    def more(self) -> int:
        """What is added to the dice: the weapon's own, Strength, and less for too heavy a weapon (8.1, 6)."""
        own = dice_in(self.line["damage"])[2]
        strength = 0 if self.shot else max(0, (self.attacker.get("strength", 50) - 50) // 10)
        self.case.totals["close-combat.damage"] = own + strength - self.excess // 10
        return int(strength - self.excess // 10)

    def breaks(self) -> str:
        """Whose weapon a power weapon may break in a parry: ``attacker``, ``target`` or "" (10.3)."""
        if self.shot or self.foes is None:
            return ""
        mine, theirs = set(self.line.get("features", ())), set(self.foes.get("features", ()))
        if "power" in theirs and not mine & UNBREAKABLE:
            return "attacker"
        return "target" if "power" in mine and not theirs & UNBREAKABLE else ""


def close_combat(case: Case) -> None:
    """A blow, or a pistol fired at arm's length, which recharges if it is one of plasma (16)."""
    blow = Blow(case)
    if test := blows(case, blow):
        chamber(blow.pistol, test, "")


def blows(case: Case, blow: Blow) -> Test | None:
    """The attack; its roll to hit, if there is one."""
    known(blow.how, ATTACK_WORDS, "attack")
    blow.refused()
    penalty = blow.penalty()
    case.totals["parry.penalty"] = penalty
    without = blow.chance(0)
    chance = blow.chance(penalty)
    more = blow.more()
    back = Return(blow)
    if blow.pistol.setting == "high" and blow.attacker.has("toughness"):
        case.chance("attacker.injury-test", blow.attacker["toughness"])
    if case.refusals or not reins(case, blow.attacker):
        return None
    test = case.d100("attack", chance)
    if blow.shot:
        case.out(rounds_left=blow.weapon["rounds"] - blow.pistol.used)
        case.then("item", "attacker", "weapon", -blow.pistol.used)
    parried = not test.passed and Test(test.face, without, case.options).passed
    case.out(hit=test.passed, critical=test.passed and test.matched, parried=parried)
    case.out(result="hit" if test.passed else "parried" if parried else "miss", broken="none")
    body = hurt(case, "target", blow.target)
    if blow.how.get("charge") and blow.target.get("pinned"):
        case.then("remove-condition", "target", "pinned")
    if isinstance(body, Hull):
        if test.passed:
            rolled = max(0, case.table.throw(blow.line["damage"]) + more) * (2 if test.matched else 1)
            side = blow.target.get("facing", blow.how.get("direction", "front"))
            body.blow("", body.through(rolled, blow.line["damage"], side))
        body.tell()
        body.breaks()
        return test
    if parried:
        whole = breakage(case, blow) != "target"
        body.tell()
        if whole and test.face - chance >= 20:
            back.strike()
        return test
    if test.passed and case.table.chosen("dodge", "target", "dodge"):
        modifiers = [-10, -10 * blow.target.get("owed_actions", 0)]
        dodge = case.d100("dodge", case.chance("dodge.chance", blow.target["initiative"], modifiers))
        case.then("mark", "target", "owed-actions", 1)
        if dodge.passed:
            case.out(result="dodged", hit=False, critical=False)
            body.tell()
            if dodge.margin >= 20:
                back.strike()
            return test
        test.matched |= dodge.matched
        case.out(critical=test.matched)
    if test.passed:
        place = location(backwards(test.face))
        body.blow(place, net_damage(case, blow, test, more, place))
    body.tell()
    if blow.shot and blow.weapon.get("ignites"):
        alight(case, "target", blow.target, body, "", hit=test.passed)
    return test


class Return:
    """The blow that the target may strike in return, free, at -20 (21)."""

    def __init__(self, blow: Blow) -> None:
        self.case, self.blow = blow.case, blow
        attacker, target, foes = blow.attacker, blow.target, blow.foes or {}
        stunned = target.get("stunned", target.get("stunned_actions", 0) > 0)
        able = target.get("aware") and target.get("conscious", True) and not stunned
        known_ = attacker.has("armor") and attacker.has("toughness") and target.has("weapon_skill")
        self.possible = bool(able and known_ and not blow.shot and "damage" in foes and "ws_modifier" in foes)
        if not self.possible:
            return
        modifiers = [foes["ws_modifier"], blow.line.get("parry_penalty", 0), -20]
        self.chance = blow.case.chance("counter.chance", target["weapon_skill"], modifiers)
        self.more = max(0, (target.get("strength", 50) - 50) // 10)
        blow.case.totals["counter.damage"] = dice_in(foes["damage"])[2] + self.more
        self.body = Body(blow.case, "attacker", attacker)

    def strike(self) -> None:
        """After a blow that was parried or dodged by 20 or more."""
        case, blow = self.case, self.blow
        if not self.possible or case.table.chosen("counter-attack", "target", "hold") or blow.foes is None:
            return
        test = case.d100("counter_attack", self.chance)
        case.out("counter_", hit=test.passed, critical=test.passed and test.matched)
        if test.passed:
            place, field = location(backwards(test.face)), blow.attacker.field()
            less = case.table.throw(field) if field else 0
            less += blow.attacker.protection(place, by=blow.target)
            rolled = max(0, case.table.throw(blow.foes["damage"]) + self.more)
            self.body.blow(place, max(0, rolled * (2 if test.matched else 1) - less), "counter_")
        self.body.tell("counter_")


def breakage(case: Case, blow: Blow) -> str:
    """25 in a hundred (10.3): whose weapon broke, "" for neither."""
    whose = blow.breaks()
    if not whose:
        return ""
    broken = case.table.throw("1d100") <= 25
    case.out(breakage_success=broken, broken=whose if broken else "none")
    if broken and blow.foes is not None:
        case.then("item", whose, "weapon" if whose == "attacker" else blow.foes.get("use", "parry"))
    return whose if broken else ""


def net_damage(case: Case, blow: Blow, test: Test, more: int, place: str) -> int:
    """Damage of a hit (8.1); a force weapon adds a D10 and doubles what is left in the end (10.5)."""
    field = blow.target.field(blow.piece)
    armor = blow.target.protection(place, blow.piece, by=blow.attacker)
    armor = ceil(armor / 2) if blow.weapon.get("halves_armor") else armor
    less = (case.table.throw(field) if field else 0) + armor
    force = "force" in blow.weapon["features"] and blow.attacker.may("psychic-powers")
    force = (
        force and not blow.target.get("object") and not case.table.chosen("force-test", "attacker", "spare")
    )
    if force:
        chance = case.chance("force.chance", blow.attacker["willpower"])
        will = Test(case.table.throw("1d100"), chance, case.options)
        case.out("force_", success=will.passed, margin=will.margin)
        force = will.passed
    rolled = case.table.throw(blow.line["damage"]) + more
    if blow.target.get("object") and "stationary_damage" in blow.weapon and blow.line is blow.weapon:
        rolled += case.table.throw(blow.weapon["stationary_damage"])
    if force:
        rolled += case.table.throw("1d10")
    dealt = max(0, rolled) * (2 if test.matched else 1)
    net = max(0, dealt - less)
    case.out("damage_", rolled=rolled, dealt=dealt, stopped=dealt - net, location=place)
    net *= 2 if force else 1
    case.out("damage_", net=net)
    return net
