"""The second opinion on sr5: melee. See `second_opinion_sr5`."""

from __future__ import annotations

from typing import Any

from second_opinion_sr5_harm import Harm, clash, missed, protected, shaken, struck
from second_opinion_sr5_modifiers import categories, defending, short_list, weather
from second_opinion_sr5_people import Person
from second_opinion_sr5_rules import Case, Roll, attempted
from second_opinion_sr5_weapons import FURTHER, armed, dealt

WORDS = "attacker target weapon environment"
ACTIVE = {"parry": "parrying", "block": "blocking", "dodge": "dodging"}
SKILLS = {"block": "unarmed-combat", "dodge": "gymnastics"}


class Blow:
    """A melee attack at somebody, worked out up to the first die."""

    def __init__(self, case: Case, who: str, base: int | None = None) -> None:
        self.case, self.who = case, who
        self.attacker, self.target = case.person("attacker"), case.person(who)
        self.weapon = armed(case.said.get("weapon", "unarmed"))
        self.paydata = case.asks("modifiers", "paydata")
        self.dice = case.pool("melee-attack.pool", (self.base() if base is None else base) + self.modifiers())
        self.limit = case.total("limit.melee", self.accuracy(self.weapon, self.attacker))
        self.defense = self._defense()
        self.touch = self.attacker.get("touch_only") and not self.weapon.get("element")
        value = (
            0
            if self.touch
            else self.weapon["dv"] + (self.attacker["strength"] if self.weapon.get("dv_strength") else 0)
        )
        own = burning(case, self.attacker)
        self.harm = Harm(
            case.total("melee-damage.value", value + own),
            self.kind(),
            self.weapon.get("ap", 0) - own,
            self.weapon.get("element", self.attacker["aura"] if own else ""),
        )
        self.armor, self.soak = protected(case, who, self.harm)
        self.backlash: tuple[Harm, int, int] | None = None
        if aura := burning(case, self.target):
            harm = Harm(2 * aura, "physical", -aura, self.target["aura"], passes=True)
            plain, case.number = case.number, f"{case.number}attacker."
            self.backlash = (harm, *protected(case, "attacker", harm))
            case.number = plain

    def of(self, name: str) -> Any:
        """What is said of the attack on this target, or of the whole action."""
        if self.who != "attacker" and name in self.target.facts:
            return self.target.facts[name]
        return self.attacker.get(name)

    def kind(self) -> str:
        """Bare hands of spirits strike for Physical damage, unless the table wants Stun (13.1)."""
        if self.attacker.get("nature") != "spirit" or self.weapon["skill"] != "unarmed-combat":
            return str(self.weapon["damage"])
        return "stun" if self.case.asks("spirit_fist", "stun") else "physical"

    def accuracy(self, weapon: dict[str, Any], person: Person) -> int:
        """Accuracy, or the Physical limit."""
        return person.physical_limit if weapon.get("accuracy_physical") else int(weapon["accuracy"])

    def base(self) -> int:
        """Attribute and skill, or the pool that is said."""
        if self.attacker.has("pool"):
            return int(self.attacker["pool"])
        return int(self.attacker["agility"]) + self.attacker.skill(self.weapon["skill"])

    def modifiers(self) -> int:
        """What adds to the attack (9.3, 9.5)."""
        who = self.attacker
        dice = 2 if who.get("specialized") else 0
        dice -= 1 if not who.has("pool") and not who.skill(self.weapon["skill"]) else 0
        dice += who.wounds + who.encumbrance
        dice -= 2 if who.get("off_hand") else 0
        dice -= 4 if who.get("called_shot") else 0
        if self.of("charging"):
            dice += 2
        elif who.get("running"):
            dice -= 2
        dice += 2 if self.of("superior_position") else 0
        if self.paydata:
            dice += categories(self.case, who)
            dice -= 2 if who.get("prone") else 0
            return dice + (4 if who.get("touch_only") else 0)
        dice += weather(self.case, who, None, ("visibility", "light", "glare"))
        dice += 1 if self.target.get("prone") else 0
        dice += 2 if who.get("touch_only") else 0
        dice += 1 if self.of("friends_in_melee") else 0
        return dice - (1 if who.get("prone") else 0)

    def _defense(self) -> int | None:
        """Dice of the defense (9.4) and of an active one (7); sets its limit."""
        case, person = self.case, self.target
        self.defense_limit: int | None = None
        if person.get("unaware"):
            return None
        dice = person["pool"] if person.has("pool") else person["reaction"] + person["intuition"]
        if self.paydata:
            dice += short_list(person, shot=False)
        else:
            dice += defending(person, shot=False)
            dice += 1 if self.of("charging") and person.get("awaits_charge") else 0
        reach = self._reach()
        if reach is not None:
            dice += reach - self.weapon.get("reach", 0)
        active = person.get("active_defense", "none")
        if active == "parry":
            held = max(self._held(), key=lambda weapon: person.skill(weapon["skill"]))
            dice += person.skill(held["skill"])
            self.defense_limit = self.accuracy(held, person)
        elif active != "none":
            dice += person.skill(SKILLS[active])
            self.defense_limit = person.physical_limit
        if self.defense_limit is not None:
            case.total("limit.melee-defense", self.defense_limit)
        return case.pool("melee-defense.pool", dice)

    def _held(self) -> list[dict[str, Any]]:
        person = self.target
        held = [person["weapon"]] if person.has("weapon") else person.get("in_hand", ())
        return [weapon for weapon in map(armed, held) if "reach" in weapon]

    def _reach(self) -> int | None:
        """Reach that the target defends with; None where nobody says what it holds."""
        person = self.target
        if person.has("reach"):
            return int(person["reach"])
        if not person.has("weapon") and not person.has("in_hand"):
            return None
        return max((weapon["reach"] for weapon in self._held()), default=0)

    def refused(self) -> None:
        """What cannot be done."""
        if self.of("charging") and self.attacker.get("running") is False:
            self.case.refusals.add("charge_without_running")
        if self.attacker.get("called_initiative") and self.attacker.get("called_shot") is False:
            self.case.refusals.add("not_called")

    def roll(self, earlier: int = 0) -> None:
        """All dice, and what comes of them."""
        case, who = self.case, self.who
        attack = Roll(case, "attacker", "attack", self.dice, self.limit, earlier)
        defense = None
        if self.defense is not None:
            defense = Roll(case, who, "defense", self.defense, self.defense_limit)
        if not attempted(attack, defense):
            return
        if defense is not None:
            case.then("gain", who, "defenses-made", amount=1)
            if self.defense_limit is not None:  # an active defense is for one attack
                case.then("remove-condition", who, ACTIVE[self.target["active_defense"]])
        result, net = clash(case, attack, defense)
        if result == "hit":
            shaken(case, who)
        if result != "hit":
            missed(case, result)
        elif self.touch:  # contact, and no damage
            case.out(result="hit", damage=0, track=None, contact=True, knockdown=False)
        elif self.attacker.get("touch_only"):
            struck(case, who, self.harm, 0, self.armor, self.soak)
            case.out(net_hits=net)
        else:
            struck(case, who, self.harm, net, self.armor, self.soak)
        if result == "hit" and self.backlash is not None:
            self._burned(*self.backlash)

    def _burned(self, harm: Harm, armor: int, soak: int) -> None:
        """Who hits a being with an Energy Aura resists twice its Magic (13.2)."""
        plain, self.case.prefix = self.case.prefix, f"{self.case.prefix}attacker."
        struck(self.case, "attacker", harm, 0, armor, soak)
        self.case.out(result="burned")
        self.case.prefix = plain


def burning(case: Case, person: Person) -> int:
    """The Magic of a being whose Energy Aura burns in melee; by the house rules it does not."""
    return int(person["force"]) if person.has("aura") and not case.asks("energy_aura", "engulf") else 0


def melee_attack(case: Case) -> None:
    """A blow at one target."""
    case.only(WORDS)
    attacker = case.person("attacker")
    blow = Blow(case, "target", attacker.get("split_dice"))
    blow.refused()
    if not case.refusals:
        blow.roll()


def melee_sweep(case: Case) -> None:
    """Multiple attacks, or Carnival of Carnage (6.2, 6.3)."""
    case.only(f"{WORDS} way {FURTHER}")
    targets = case.targets()
    case.part("target")
    whole = Blow(case, "target").base()
    if case.said.get("way") == "carnival":
        pools = [whole] * len(targets)
    else:
        pools = dealt(whole, [case.person(who).get("split_dice") for who in targets])
    blows = []
    for who, base in zip(targets, pools, strict=True):
        case.part(who)
        blows.append(Blow(case, who, base))
        blows[-1].refused()
    if not case.refusals:
        for earlier, blow in enumerate(blows):
            case.part(blow.who)
            blow.roll(earlier)
