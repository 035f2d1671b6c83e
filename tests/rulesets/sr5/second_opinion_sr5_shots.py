"""The second opinion on sr5: shots, several targets, suppressive fire. See `second_opinion_sr5`."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from second_opinion_sr5_harm import Harm, clash, missed, protected, shaken, struck
from second_opinion_sr5_modifiers import categories, defending, short_list, weather
from second_opinion_sr5_people import Person, entries, known
from second_opinion_sr5_rules import Case, Roll, alone, attempted
from second_opinion_sr5_weapons import (
    COMPENSATION,
    FIRE,
    FURTHER,
    HEAVY,
    HOUSE_SKILLS,
    LONG_GUNS,
    PISTOLS,
    SET_UP,
    WORDS,
    ZONE_DICE,
    ZONES,
    armed,
    dealt,
    loaded,
)


class Shot:
    """An attack with a ranged weapon, or a throw.

    Args:
        said: what is different for one target of several.
    """

    def __init__(self, case: Case, said: Mapping[str, Any] = {}) -> None:
        self.case = case
        self.who: Person = case.person("attacker")
        self.weapon = armed(case.said["weapon"])
        self.load = loaded(case.said.get("load"), self.weapon)
        fire = case.said.get("fire", {})
        known(fire, "mode", "fire")
        self.mode: str = fire.get("mode", "")
        self.distance = said.get("distance", case.said.get("distance"))
        self.called_said = said.get("called_shot", self.who.get("called_shot"))
        self.called = bool(self.called_said)
        self.paydata = case.asks("modifiers", "paydata")
        self.rounds_left = self.weapon.get("rounds")

    # Rounds and recoil (10)

    @property
    def wanted(self) -> int:
        """Rounds of the mode."""
        return FIRE[self.mode][1] if self.mode else 0

    @property
    def fired(self) -> int:
        """Rounds of the mode, or what is left."""
        return self.wanted if self.rounds_left is None else min(self.wanted, self.rounds_left)

    @property
    def recoil_rounds(self) -> int:
        """Rounds of this attack that count."""
        return self.fired if self.mode and FIRE[self.mode][2] else 0

    def compensation(self) -> int:
        """Free, by strength, of the weapon and its accessories."""
        who, features = self.who, self.weapon.get("features", ())
        points = 1 + (who["body"] if who.get("vehicle") else ceil(who.get("strength", 0) / 3))
        points += self.weapon.get("rc", 0) + sum(COMPENSATION.get(name, 0) for name in features)
        points += sum(SET_UP.get(name, 0) for name in features) if who.get("deployed") else 0
        return self.case.total("recoil.compensation", points)

    def recoil(self, own: int) -> int:
        """The penalty: in the ordinary game progressive, by the house rules of the phase only."""
        points = self.compensation()
        if self.case.house and not self.case.asks("progressive_recoil"):
            rounds = max(self.who.get("rounds_phase", 0), self.who.get("rounds_in_phase", 0) + own)
        else:
            rounds = self.who.get("rounds_before", 0) + own
        return min(0, points - rounds)

    # Range (11.1)

    @property
    def band(self) -> str | None:
        """short, medium, long, extreme; beyond or too-close; None where no distance is said."""
        if self.distance is None or "range" not in self.weapon:
            return None
        row = self.weapon["range"]
        if row == "shotguns" and self.load.get("flechette"):
            row = "shotguns-flechette"
        table = entries("ranges")[row]
        if self.distance < table.get("minimum", 0):
            return "too-close"
        factor = self.who["strength"] if table.get("per_strength") else 1
        for name in ("short", "medium", "long", "extreme"):
            if name in table and self.distance <= table[name] * factor:
                return name
        return "beyond"

    @property
    def zone(self) -> tuple[int | None, ...]:
        """Dice of the short list by zone."""
        category = self.weapon["category"]
        if category == "missile-launcher":
            category = self.load.get("type", "")
        return ZONE_DICE.get(category, (0,) * 5)

    def refused(self) -> None:
        """What cannot be done."""
        found = self.case.refusals
        if self.who.get("called_initiative") and self.called_said is False:
            found.add("not_called")
        if self.paydata:
            zone = self.case.said.get("range", {}).get("zone")
            if zone and self.zone[ZONES.index(zone)] is None:
                found.add("out_of_zone")
        else:
            if self.band == "beyond":
                found.add("beyond_range")
            if self.band == "too-close":
                found.add("too_close")
        if self.rounds_left == 0:
            found.add("empty_weapon")
        if self.mode and FIRE[self.mode][0] and FIRE[self.mode][0] not in self.weapon.get("modes", ()):
            found.add("mode_missing")
        if self.case.house and self.mode == "single-shot" and self.weapon.get("fired_this_turn"):
            found.add("single_shot_spent")

    # Dice (9.2, 9.5)

    @property
    def skill(self) -> int:
        """Rating of what it takes."""
        name = self.weapon["skill"]
        if self.case.asks("skills", "house") and name in HOUSE_SKILLS:
            hand = self.weapon["category"] in ("machine-pistol", "submachine-gun")
            name = "handguns" if hand else HOUSE_SKILLS[name]
        return self.who.skill(name)

    def base(self) -> int:
        """Attribute and skill, or the pool that is said."""
        if self.who.has("pool"):
            return int(self.who["pool"])
        wired = self.who.get("control") in ("vr", "jumped-in")
        rig = self.who.get("control_rig", 0) if self.who.get("control") == "jumped-in" else 0
        if self.who.get("control") and self.case.asks("remote_gunnery", "agility"):
            wired = False
        return int(self.who["logic" if wired else "agility"]) + self.skill + rig

    @property
    def linked(self) -> bool:
        """Whether a smartgun helps the aim; by the house rules with DNI."""
        if "smartgun" not in self.weapon.get("features", ()):
            return False
        if self.who.get("noise", 0) > 2 and not self.case.asks("noise_cuts_wireless", False):
            return False
        if self.case.house:
            return bool(self.who.get("dni"))
        return bool(self.who.get("smartlink", "none") != "none")

    def smart_dice(self) -> int:
        """Dice of a smartgun."""
        link = self.who.get("smartlink", "none")
        if not self.linked or link == "none":
            return 0
        return 2 if self.paydata or link == "implanted" else 1

    def aimed(self, of: str) -> int:
        """What Take Aim adds to dice or Accuracy."""
        aims = self.who.get("take_aim", 0)
        if not aims or self.paydata or not (self.who.get("aim_for") == of or self.linked):
            return 0
        return int(min(aims, ceil(self.who["willpower"] / 2)))

    def modifiers(self) -> int:
        """All but recoil."""
        who = self.who
        dice = 2 if who.get("specialized") else 0
        dice -= 1 if not who.has("pool") and not self.skill else 0
        dice += who.wounds + who.encumbrance
        dice -= 2 if who.get("off_hand") else 0
        dice -= 4 if self.called else 0
        dice -= 2 if who.get("running") else 0
        dice += self.smart_dice() + self.aimed("dice")
        if not who.get("prone") and not who.get("in_cover"):
            dice -= who.get("suppressed", 0)
        return dice + (self._paydata() if self.paydata else self._core())

    def _core(self) -> int:
        who = self.who
        band = self.band if self.band not in ("beyond", "too-close") else None
        dice = weather(self.case, who, band, ("visibility", "light", "glare", "wind", "range"))
        if who.get("blind_fire"):
            round_a_corner = who.get("around_corner") and who.get("smartlink") == "implanted" and self.linked
            dice -= 4 if self.case.house and round_a_corner else 6
        dice -= 2 if who.get("in_moving_vehicle") else 0
        dice -= 3 if who.get("in_melee") else 0
        dice -= 3 if who.get("imaging_from_cover") else 0
        return dice

    def _paydata(self) -> int:
        who, category = self.who, self.weapon["category"]
        dice = categories(self.case, who)
        if zone := self.case.said.get("range", {}).get("zone"):
            dice += self.zone[ZONES.index(zone)] or 0
        dice -= 2 if who.get("in_moving_vehicle") else 0
        if who.get("in_melee"):
            launchers = ("grenade-launcher", "missile-launcher")
            dice -= 4 if category in (*PISTOLS, "submachine-gun") else 0
            dice -= 8 if category in (*LONG_GUNS, *HEAVY, *launchers) else 0
        dice -= 4 if who.get("imaging_from_cover") else 0
        return dice + min(who.get("aim_turns", 0), who.get("willpower", 0))

    def accuracy(self) -> int | None:
        """The limit."""
        if self.weapon.get("accuracy_physical"):
            most = self.who.physical_limit
        elif self.who.get("sensor_attack"):
            most = self.who["sensor"]
        else:
            most = self.weapon["accuracy"]
        features = self.weapon.get("features", ())
        most += {"ar": 1, "vr": 2}.get(self.who.get("control", ""), 0)
        most += 2 if self.linked else 1 if "laser-sight" in features else 0
        return self.case.total("limit.accuracy", most + self.aimed("accuracy"))

    def pool(self, base: int, own: int) -> int:
        """Dice of the attack."""
        base += self.who.get("lock_dice", 0)
        if self.who.get("sensor_attack"):
            seen = self.case.person("target").get("signature", "vehicle")
            base += {"large-vehicle": 3, "vehicle": 0, "micro-drone": -6}.get(seen, -3)
        return self.case.pool("attack.pool", base + self.modifiers() + self.recoil(own))

    # Damage (11.5)

    def harm(self, target: Person | None = None) -> Harm | None:
        """What a hit does; None for what does no damage of its own."""
        load, weapon = self.load, self.weapon
        source = load if load.get("replaces") else weapon
        if "dv" not in source:
            return None
        value = source["dv"] + (self.who["strength"] if weapon.get("dv_strength") else 0)
        ap = source.get("ap", 0)
        kind = source.get("damage", "physical")
        if load and not load.get("replaces"):
            value += load.get("dv", 0)
            ap = load["ap_becomes"] if "ap_becomes" in load else ap + load.get("ap", 0)
            kind = load.get("damage", kind)
        if self.case.asks("ammunition", "draft") and load.get("type") == "apds":
            value -= 1
        if target is not None and target.get("vehicle") and "ap_vehicle" in load:
            ap = load["ap_vehicle"]
        element = load.get("element", weapon.get("element", ""))
        return Harm(value, kind, ap, element, load.get("type") == "gel")

    # The defender (9.4)

    def _second(self, person: Person) -> int:
        """What is added to Reaction: an autosoft, Intuition, or by an option nothing (12.3)."""
        if person.has("evasion"):
            return int(person["evasion"])
        once = person.get("nature") == "drone" and self.case.asks("no_autosoft", "pilot")
        return 0 if once else int(person["intuition"])

    def defense(self, who: str) -> int | None:
        """Dice of the defense; None for no defense at all."""
        person = self.case.person(who)
        if person.get("unaware"):
            return None
        dice = person.get("pool", 0)
        if not person.has("pool"):
            dice = person["reaction"] + self._second(person)
        dice += person["intuition"] if person.get("evasive") else 0
        if self.paydata:
            dice += short_list(person, shot=True)
        else:
            dice += defending(person, shot=True, distance=self.distance)
        if self.mode:
            dice += min(0, FIRE[self.mode][3] + self.wanted - self.fired)
        return self.case.pool("defense.pool", dice)

    def spend(self) -> None:
        """Rounds that leave the weapon, and those that count as recoil."""
        if not self.mode:
            return
        if self.weapon.get("feed") != "none":
            self.case.then("item", "attacker", "weapon", amount=-self.fired)
        if self.recoil_rounds:
            self.case.then("gain", "attacker", "rounds-fired", amount=self.recoil_rounds)


class Aimed:
    """A shot at somebody, worked out up to the first die."""

    def __init__(self, shot: Shot, who: str, base: int, own: int) -> None:
        case = shot.case
        self.shot, self.who = shot, who
        self.dice = shot.pool(base, own)
        self.limit = shot.accuracy()
        self.defense = shot.defense(who)
        self.harm = shot.harm(case.person(who))
        harm = self.harm or Harm(0, "", shot.weapon.get("ap", 0))
        case.pool("damage.value", harm.value)
        self.armor, self.soak = protected(case, who, harm)

    def roll(self, earlier: int = 0) -> None:
        """All dice, and what comes of them."""
        shot, case, who = self.shot, self.shot.case, self.who
        attack = Roll(case, "attacker", "attack", self.dice, self.limit, earlier)
        defense = None if self.defense is None else Roll(case, who, "defense", self.defense)
        if not attempted(attack, defense):
            return
        shot.spend()
        if defense is not None:
            case.then("gain", who, "defenses-made", amount=1)
        result, net = clash(case, attack, defense)
        if result == "hit":
            shaken(case, who)
        if result != "hit":
            missed(case, result)
        elif self.harm is None:
            case.out(result="hit", damage=0, track=None, contact=True, knockdown=False)
        else:
            struck(case, who, self.harm, net, self.armor, self.soak)


def ranged_attack(case: Case) -> None:
    """A shot at one target."""
    case.only(WORDS)
    shot = Shot(case)
    base = shot.base()
    if shot.who.has("split_dice"):
        base = shot.who["split_dice"]
    aimed = Aimed(shot, "target", base, shot.recoil_rounds)
    shot.refused()
    if not case.refusals:
        aimed.roll()


def ranged_volley(case: Case) -> None:
    """Multiple attacks, or Carnival of Carnage (6.2, 6.3)."""
    case.only(f"{WORDS} way {FURTHER}")
    targets = case.targets()
    shots = []
    for who in targets:
        case.part(who)
        shot = Shot(case, case.person(who).facts)
        if shots and shot.rounds_left is not None:
            shot.rounds_left -= sum(one.fired for one in shots)
        shots.append(shot)
    whole = shots[0].base()
    if case.said.get("way") == "carnival":
        pools = [whole] * len(targets)
    else:
        pools = dealt(whole, [case.person(who).get("split_dice") for who in targets])
    own = sum(shot.recoil_rounds for shot in shots)
    aimed = []
    for who, shot, base in zip(targets, shots, pools, strict=True):
        case.part(who)
        aimed.append(Aimed(shot, who, base, own))
        shot.refused()
    if not case.refusals:
        for earlier, one in enumerate(aimed):
            case.part(one.who)
            one.roll(earlier)


def suppressive_fire(case: Case) -> None:
    """Hits that stand for everybody in the zone (10)."""
    case.only(f"{WORDS} {FURTHER}")
    shot = Shot(case)
    shot.mode = "suppressive"
    dice = shot.pool(shot.base(), 0)
    limit = shot.accuracy()
    shot.refused()
    if case.refusals:
        return
    attack = Roll(case, "attacker", "attack", dice, limit).before()
    if not attack.pool and not attack.pushed:
        case.out(result="no-threat")
        return
    hits = attack.throw().after().kept
    shot.spend()
    if not hits:
        case.out(result="no-threat")
        return
    case.out(result="suppressing", suppression=hits)
    case.then("add-condition", "attacker", "suppressing", set_suppression=hits)
    for who in case.targets():
        case.then("add-condition", who, "suppressed")
        case.then("add-condition", "attacker", "keeps-down")


def escape_suppression(case: Case) -> None:
    """Reaction + Edge against the hits; who fails is hit without net hits (10)."""
    case.only(WORDS)
    shot, person = Shot(case), case.person("target")
    goal = case.person("attacker")["suppression"]
    dice = person["pool"] if person.has("pool") else person["reaction"] + person["edge"]
    dice += person.wounds + person.encumbrance
    dice += person["willpower"] if person.get("full_defense") else 0
    dice = case.pool("escape.pool", dice)
    harm = shot.harm(person)
    assert harm is not None
    case.total("damage.value", harm.value)
    armor, soak = protected(case, "target", harm)
    if not person.get("unaware"):
        case.out(threshold=goal)
        if alone(case, "target", "escape", dice).kept >= goal:
            case.out(result="avoided", damage=0, track=None)
            return
    struck(case, "target", harm, 0, armor, soak)
