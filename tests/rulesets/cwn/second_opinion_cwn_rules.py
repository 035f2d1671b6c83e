"""The second opinion on cwn: dice, people, weapons and harm. See `second_opinion_cwn`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from second_opinions import DiffersError, Entry, Facts, NotUnderstoodError, entries_of


def entries(kind: str) -> dict[str, Entry]:
    """All entries of a kind in the pack, by slug."""
    return entries_of("cwn-core", kind)


def known(what: Mapping[str, Any], words: str, kind: str) -> None:
    """Refuse to answer where a record says more than these words."""
    if strange := set(what) - set(words.split()):
        raise NotUnderstoodError(f"{kind}: {sorted(strange)}")


class MoreDiceError(DiffersError):
    """The example has no more dice, and the calculator asks for some."""

    def __init__(self, number: int, sides: int) -> None:
        super().__init__(f"no dice are left for {number}d{sides}")
        self.number, self.sides = number, sides


class Table:
    """Dice and decisions of an example, taken one after another."""

    def __init__(self, example: Entry) -> None:
        self._groups = [list(group) for group in example.get("dice", [])]
        self._decisions = list(example.get("decisions", []))

    def throw(self, dice: str) -> list[int]:
        """Faces of '2d6'; what stands behind a plus does not count."""
        number, sides = (int(word) for word in dice.partition("+")[0].split("d"))
        if not self._groups:
            raise MoreDiceError(number, sides)
        group = self._groups.pop(0)
        if len(group) != number or not all(1 <= face <= sides for face in group):
            raise DiffersError(f"{group} is no throw of {dice}")
        return group

    def sum(self, dice: str) -> int:
        """Total of '2d6+1'."""
        return sum(self.throw(dice)) + plus(dice)

    def chosen(self, decision: str, by: str, choice: str) -> bool:
        """Whether somebody decides so."""
        for place, made in enumerate(self._decisions):
            if (made["decision"], made.get("by", by), made["choose"]) == (decision, by, choice):
                self._decisions.pop(place)
                return True
        return False

    def left_over(self) -> bool:
        """Whether dice or decisions were not used."""
        return bool(self._groups or self._decisions)


def plus(dice: str) -> int:
    """What stands behind the plus of '2d6+1'."""
    return int(dice.partition("+")[2] or 0)


def greatest(dice: str) -> int:
    """The most that '2d6+1' can show."""
    number, sides = dice.partition("+")[0].split("d")
    return int(number) * int(sides) + plus(dice)


class Case:
    """An example on its way to an answer."""

    def __init__(self, example: Entry, table: Table | None = None) -> None:
        request = example["request"]
        self.said: Entry = request["situation"]
        self.options: Mapping[str, Any] = request.get("options", {})
        self.by_hand = request.get("modifiers", [])
        self.table = table or Table(example)
        self.outcome: Facts = {}
        self.totals: Facts = {}
        self.harm: dict[tuple[str, str, str], int] = {}
        """Amounts of effects by (type, who, what)."""
        self.then_so: list[Entry] = []
        """Other effects, with what is known of each."""
        self.refusals: set[str] = set()

    def only(self, words: str) -> None:
        """Refuse to answer where the situation says more than these words."""
        known(self.said, words, "situation")

    def out(self, prefix: str = "", /, **facts: Any) -> None:
        """Facts of the outcome."""
        self.outcome.update({prefix + name: value for name, value in facts.items()})

    def total(self, name: str, number: int) -> int:
        """A number with what was added by hand."""
        number += sum(one["value"] for one in self.by_hand if one["to"] == name)
        self.totals[name] = number
        return number

    def person(self, who: str) -> Person:
        """Somebody of the situation."""
        return Person(self.said.get(who))

    def victims(self) -> list[str]:
        """The target and all further victims, in order."""
        return [name for name in ("target", *(f"victim_{n}" for n in range(1, 9))) if name in self.said]

    def then(self, type: str, who: str, what: str, **detail: Any) -> None:
        """An effect that is no number."""
        self.then_so.append({"type": type, "who": who, "what": what, **detail})

    def part(self, place: str, said: Entry) -> Case:
        """An attack of several, at somebody: with the same dice, and numbers of its own."""
        prefix = "" if place == "target" else f"{place}."
        hand = [
            {**one, "to": one["to"].removeprefix(prefix)}
            for one in self.by_hand
            if one["to"].startswith(prefix)
        ]
        request = {"situation": said, "options": self.options, "modifiers": hand}
        return Case({"request": request}, self.table)

    def take_over(self, part: Case, place: str) -> None:
        """What came of an attack of several."""
        prefix = "" if place == "target" else f"{place}."
        self.out(f"{place}.", **part.outcome)
        self.totals.update({prefix + name: number for name, number in part.totals.items()})
        for (type, who, what), amount in part.harm.items():
            if type != "item":
                self.harm[type, place if who == "target" else who, what] = amount

    def half(self, number: int) -> int:
        """Half of some damage (R4)."""
        return ceil(number / 2) if self.options.get("half_rounding") == "up" else number // 2


# ----------------------------------------------------------------------------------------------------
# People (sections 1, 4.7, 5.3)

PERSON_WORDS = """
    use level hit_dice base_attack_bonus attribute_modifier skill_level skills skill_bonus strength dexterity
    constitution intelligence wisdom charisma foci augmentations drugs edges killing_blow veterans_luck named player
    prone engaged cover visibility unsuspecting hp soak ranged_ac melee_ac trauma_target armor cyber_ac trauma_sources
    total_defense can_total_defense shock_shield shock_proof shock_immune save move main_spent machine immune
    vehicle_armor vehicle_state driver_skill human_sized size hands_free grappling iron_hand trajectory_node shock_fists
    traumatic_before injury_roll durable frail rounds_down medical_readout system_strain hp_maximum permanent_strain
    recovery_points lurch_doses mortally_wounded morale circumstances check_bonus masterful_expertise out_of_field
    distance bearing blast_distance protections flashbanged dazzle_proof in_grapple hp_on_avalanche
    attack_bonus_ranged attack_bonus_melee gunlink_rerolls cyberware weapons charged dazzled blinded flashbanged
    in_moving_vehicle control_board vehicle_fittings targeting_logic wreck_damage drives name
    access cpu_slots programs_running vr_crown operator_level uncontrolled defended unconscious demon shielding
    neural_buffer cyber_trauma_target ecm
"""
ATTRIBUTES = {
    "physical": ("strength", "constitution"),
    "evasion": ("dexterity", "intelligence"),
    "mental": ("wisdom", "charisma"),
    "luck": (),
}


DERMAL_AC = {"dermal-armor-1": 16, "dermal-armor-2": 18, "dermal-armor-3": 20}


def modifier(score: int) -> int:
    """The modifier of an attribute (1.1)."""
    return -2 if score <= 3 else -1 if score <= 7 else 0 if score <= 13 else 1 if score <= 17 else 2


class Person:
    """Somebody: a record of the pack with what the example changes of it."""

    def __init__(self, said: Any) -> None:
        said = {"use": said} if isinstance(said, str) else dict(said or {})
        known(said, PERSON_WORDS, "person")
        base = dict(entries("combatants")[said["use"]]) if "use" in said else {}
        self.facts: Entry = {**base, **said}
        self.skills: Mapping[str, int] = self.facts.get("skills", {})
        self.worn = [entries("armor")[slug] for slug in self.facts.get("armor", [])]

    def __getitem__(self, name: str) -> Any:
        return self.facts[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A fact, or what is usual."""
        return self.facts.get(name, default)

    def has(self, *names: str) -> bool:
        """Whether any of these is said."""
        return any(name in self.facts for name in names)

    def focus(self, name: str, level: int = 1) -> bool:
        """Whether it has a focus at this level."""
        return bool(self.get("foci", {}).get(name, 0) >= level)

    def implant(self, name: str) -> bool:
        """Whether it has an implant."""
        return name in (*self.get("augmentations", ()), *self.get("cyberware", ()))

    def drug(self, name: str) -> bool:
        """Whether it is on a drug."""
        return name in self.get("drugs", ())

    def best(self, attributes: Iterable[str]) -> int:
        """The best modifier of these attributes; none said counts nothing."""
        return max((modifier(self[name]) for name in attributes if self.has(name)), default=0)

    def ac(self, kind: str) -> int:
        """Armor Class (4.7), without what is temporary."""
        name = "melee_ac" if kind == "melee" else "ranged_ac"
        if self.has(name):
            return int(self[name])
        suits = [piece[name] for piece in self.worn if not piece["accessory"]]
        more = sum(piece[name] for piece in self.worn if piece["accessory"])
        skin = [ac for name, ac in DERMAL_AC.items() if self.implant(name)]
        base = max(10, self.get("cyber_ac", 0), *suits, *skin)
        return int(base + more + modifier(self.get("dexterity", 10)))

    def armor_plate(self) -> int:
        """Armor of a vehicle (13.2), with its fittings."""
        more = {"armor-plating": 3, "augmented-armor": 3, "reactive-defenses": -2}
        fittings = sum(more.get(name, 0) for name in self.get("vehicle_fittings", ()))
        return max(0, int(self.get("vehicle_armor", 0)) + fittings)

    def heavy(self) -> int:
        """How many heavy pieces hamper Sneak and Exert (7); a printed Skill is complete."""
        if self.has("skill_bonus") and not self.has("skills"):
            return 0
        return sum(bool(piece.get("heavy")) for piece in self.worn)

    def soak(self) -> int:
        """The pool of Soak."""
        return int(self.get("soak", sum(piece["soak"] for piece in self.worn)))

    def trauma_target(self) -> int:
        """6 and what armor and body add (5.3)."""
        if self.has("trauma_target"):
            return max(6, self["trauma_target"]) if self.get("machine") else int(self["trauma_target"])
        body = {
            "hard-to-kill": 1,
            "dermal-armor-1": 1,
            "dermal-armor-2": 1,
            "dermal-armor-3": 2,
            "trauma-shielding": 1,
            "active-response": 1,
            "full-body-conversion": 6,
            "skin-of-steel-1": 1,
            "skin-of-steel-5": 2,
        }
        sources = {*self.get("trauma_sources", ()), *(name for name in body if self.implant(name))}
        more = sum(body[name] for name in sources)
        return 6 + more + sum(int(piece["trauma_target"]) for piece in self.worn)

    def save(self, kind: str) -> int | None:
        """The target of a saving throw (1.5); None where nothing says it."""
        if self.has("save"):
            return int(self["save"])
        if self.has("hit_dice"):
            return 15 - int(self["hit_dice"]) // 2
        pair = ATTRIBUTES[kind]
        if not self.has("level") or not all(self.has(name) for name in pair):
            return None
        return 16 - int(self["level"]) - max((modifier(self[name]) for name in pair), default=0)

    def check(self, skills: Iterable[str], attributes: Iterable[str]) -> int:
        """Skill and attribute of a check (1.2): the best of several; an NPC its Skill in its field."""
        if self.has("skill_bonus") and not self.has("skills"):
            return 0 if self.get("out_of_field") else int(self["skill_bonus"])
        level = max((self.skills.get(skill, -1) for skill in skills), default=0)
        return level + self.best(attributes)


def saved(case: Case, target: int) -> bool:
    """A saving throw: only here a natural 1 always fails and a natural 20 always succeeds."""
    face = case.table.sum("1d20")
    return face == 20 or (face != 1 and face >= target)


# ----------------------------------------------------------------------------------------------------
# Weapons (section 6)

WEAPON_WORDS = """
    use mods rounds ready damage machine_damage thermal_charge_active improvised slug guided
"""


def armed(said: Any) -> Entry:
    """A weapon with its printed figures."""
    said = {"use": said} if isinstance(said, str) else dict(said)
    known(said, WEAPON_WORDS, "weapon")
    if "slug" in said:  # the load, and not the name of the entry
        said["slug_loaded"] = said.pop("slug")
    return {**entries("weapons")[said["use"]], **said}


# ----------------------------------------------------------------------------------------------------
# Harm (5.5, 9.1, 9.3)

INJURIES = {
    1: "instant-death",
    2: "internal-damage",
    3: "brain-damage",
    4: "eye-damage",
    5: "gut-wound",
    6: "right-leg-ruined",
    7: "left-leg-ruined",
    8: "right-arm-ruined",
    9: "left-arm-ruined",
    10: "system-damage",
    11: "flesh-wound",
    12: "flesh-wound",
}


def injure(case: Case, who: str, victim: Person) -> tuple[str, str]:
    """The Physical save and the d12 of a Major Injury; what it is, and how its victim is then."""
    target = victim.save("physical")
    if target is not None:
        case.totals[f"{who}.save.physical"] = target
        if who == "target":
            case.totals["save.physical"] = target
    if target is None or spared(victim):
        return "none", "mortally-wounded"
    case.out(rolled=True)
    if saved(case, target):
        return "none", "mortally-wounded"
    return lasting_injury(case, victim)


def spared(victim: Person) -> bool:
    """Whether somebody never suffers a Major Injury."""
    return victim.focus("all-natural") or victim.implant("full-body-conversion")


def lasting_injury(case: Case, victim: Person) -> tuple[str, str]:
    """The d12 of a Major Injury; what it is, and how its victim is then."""
    if spared(victim):
        return "none", "mortally-wounded"
    if victim.implant("redundant-systems"):
        return "redundant-systems-broken", "mortally-wounded"
    roll = case.table.sum("1d12") + victim.get("injury_roll", 0) - victim.drug("avalanche")
    roll = max(1, min(12, roll))
    case.out(major_injury_total=roll)
    name = INJURIES[roll]
    if any(name.startswith(limb) for limb in victim.get("durable", ())):
        name = INJURIES[12]
    return name, "dead" if roll == 1 else "mortally-wounded"


def hurt(
    case: Case,
    who: str,
    victim: Person,
    damage: int,
    *,
    lethal: bool,
    traumatic: bool = False,
    soakable: int | None = None,
    prefix: str = "",
) -> None:
    """Soak, hit points and the fall of somebody; `soakable` is what Soak may absorb, everything unless said."""
    absorbed = min(victim.soak(), damage if soakable is None else soakable)
    loss = damage - absorbed
    case.out(prefix, damage=damage, soak_absorbed=absorbed, hp_loss=loss)
    if absorbed:
        case.harm["spend", who, "soak"] = absorbed
    if not victim.has("hp"):
        return
    after = max(0, victim["hp"] - loss)
    case.out(prefix, hp_after=after)
    if victim["hp"] - after:
        case.harm["mark", who, "hp"] = victim["hp"] - after
    fall(case, who, victim, after, lethal=lethal, traumatic=traumatic, prefix=prefix)


def fall(
    case: Case, who: str, victim: Person, after: int, *, lethal: bool, traumatic: bool, prefix: str = ""
) -> None:
    """What becomes of somebody at 0 hit points."""
    if traumatic and lethal and not victim.get("machine"):
        case.harm["add-condition", who, "traumatic-hit"] = 1
    if after:
        case.out(prefix, down="none")
    elif victim.get("machine"):
        case.out(prefix, down="wrecked")
    elif victim.get("frail"):
        case.out(prefix, down="dead")
    elif not lethal:
        case.out(prefix, down="incapacitated")
    elif victim.get("named") is False:
        case.out(prefix, down="dead")
    elif victim.get("named"):
        injury, down = "none", "mortally-wounded"
        if traumatic or victim.get("traumatic_before"):
            injury, down = injure(case, who, victim)
        case.out(prefix, down=down, major_injury=injury)
