"""The second opinion on imperium: dice, tests, halves, people, weapons and injuries. See `second_opinion_imperium`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from second_opinions import DiffersError, Entry, Facts, NotUnderstoodError, entries_of


def entries(kind: str) -> dict[str, Entry]:
    """All entries of a kind in the pack, by slug."""
    return entries_of("imperium-core", kind)


def known(what: Mapping[str, Any], words: str, kind: str) -> None:
    """Refuse to answer where a record says more than these words."""
    if strange := set(what) - set(words.split()):
        raise NotUnderstoodError(f"{kind}: {sorted(strange)}")


def dice_in(text: str) -> tuple[int, int, int]:
    """Number, sides and what is added of '2d6-4'; no dice at all of '4'."""
    dice, minus, more = text.replace("-", "+-").partition("+")
    if "d" not in dice:
        return 0, 1, int(dice)
    number, sides = dice.split("d")
    return int(number), int(sides), int(more) if minus else 0


class Table:
    """Dice and decisions of an example, taken one after another."""

    def __init__(self, example: Entry) -> None:
        self._groups = [list(group) for group in example.get("dice", [])]
        self._decisions = list(example.get("decisions", []))

    def throw(self, dice: str) -> int:
        """The sum of '2d6+4'; no dice are taken for a number alone."""
        number, sides, more = dice_in(dice)
        if not number:
            return more
        if not self._groups:
            raise DiffersError(f"no dice are left for {dice}")
        group: list[int] = self._groups.pop(0)
        if len(group) != number or not all(1 <= face <= sides for face in group):
            raise DiffersError(f"{group} is no throw of {dice}")
        return sum(group) + more

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


def matched(face: int) -> bool:
    """Whether both digits are the same; 00 is 100 (section 1)."""
    return face == 100 or face // 10 == face % 10


def location(face: int) -> str:
    """The chart of section 7, of a roll that is not reversed any more."""
    chart = (
        (10, "right-leg"),
        (20, "left-leg"),
        (60, "body"),
        (75, "right-arm"),
        (90, "left-arm"),
        (100, "head"),
    )
    return next(place for most, place in chart if face <= most)


def backwards(face: int) -> int:
    """The digits the other way round; 00 is 100 both ways (section 7)."""
    return 100 if face == 100 else int(f"{face:02}"[::-1])


class Test:
    """One D100 and what it says (section 1)."""

    def __init__(self, face: int, chance: int, options: Mapping[str, Any]) -> None:
        self.face, self.chance, self.matched = face, chance, matched(face)
        always, never = options.get("auto_success", 0), options.get("auto_fail", 0) or 101
        self.passed = face <= always or (face <= chance and face < never)
        self.margin = max(0, chance - face) if self.passed else max(1, face - chance)


class Case:
    """An example on its way to an answer."""

    def __init__(self, example: Entry) -> None:
        request = example["request"]
        self.said: Entry = request["situation"]
        self.options: Mapping[str, Any] = request.get("options", {})
        self.by_hand = request.get("modifiers", [])
        self.table = Table(example)
        self.outcome: Facts = {}
        self.totals: Facts = {}
        self.then_so: list[Entry] = []
        """Effects, with what is known of each."""
        self.refusals: set[str] = set()

    def only(self, words: str) -> None:
        """Refuse to answer where the situation says more than these words."""
        known(self.said, words, "situation")

    def record(self, name: str, words: str) -> Entry:
        """A record that is none of the packs."""
        said: Entry = self.said.get(name, {})
        known(said, words, name)
        return said

    def out(self, prefix: str = "", /, **facts: Any) -> None:
        """Facts of the outcome."""
        self.outcome.update({prefix + name: value for name, value in facts.items()})

    def then(self, type: str, who: str, what: str, amount: int | None = None, **detail: Any) -> None:
        """An effect."""
        self.then_so.append({"type": type, "who": who, "what": what, "amount": amount, **detail})

    def changed(self, type: str, who: str, what: str, amount: int) -> None:
        """An effect with an amount, unless it is none."""
        if amount:
            self.then(type, who, what, amount)

    def half(self, number: int) -> int:
        """Half of a chance, an Initiative or a Strength (section 1)."""
        return number // 2 if self.options.get("rounding") == "down" else ceil(number / 2)

    def chance(self, name: str, base: int, modifiers: Iterable[int] = (), halves: int = 0) -> int:
        """A chance: everything is added first, halves come last, each rounded by itself (3.2)."""
        total = base + sum(modifiers) + sum(int(one["value"]) for one in self.by_hand if one["to"] == name)
        for _ in range(halves):
            total = self.half(total)
        self.totals[name] = total
        return total

    def d100(self, name: str, chance: int) -> Test:
        """A test of this name; its facts are told."""
        test = Test(self.table.throw("1d100"), chance, self.options)
        self.out(
            f"{name}_",
            roll=test.face,
            chance=max(0, min(100, chance)),
            success=test.passed,
            margin=test.margin,
            matched=test.matched,
        )
        return test

    def merged(self) -> bool:
        """Whether the action shares a slot with another one."""
        action = self.said.get("action", {})
        known(action, "merged merged_with arm", "action")
        return bool(action.get("merged", "merged_with" in action))

    def merged_with(self) -> str:
        """The other action of the pair."""
        return str(self.said.get("action", {}).get("merged_with", ""))

    def round_of_actions(self) -> int:
        """How many actions a round is worth for what lasts rounds (3.3)."""
        if not self.options.get("one_action_rounds"):
            return 2
        return 2 if self.options.get("one_action_scale_durations") == "double" else 1


# ----------------------------------------------------------------------------------------------------
# People and what they hold (sections 1, 10, 12)

CHARACTERISTICS = (
    "weapon_skill ballistic_skill strength toughness initiative willpower sagacity nerve leadership"
)
PERSON_WORDS = f"""
    {CHARACTERISTICS} use slug name label armor traits injury_total injuries bleeding weapons provenance notes source
    small mounted prone stunned aware pace cover behind_cover object conscious dead stunned_actions suffering right_hand
    left_hand aim hands_off braced burning owed_actions powers holds psy_focus hurt
    warded hide ward pinned speed
    handling plates_front plates_side plates_rear hull hull_full facing crew
    seats driving swerving distance from_target concentrated surprised group tags
    eyes_shut in_gas
    steady numbed undaunted unafraid psy_dust drugs carried fear_grade
"""
GRANTED = {
    "swim": "swimming",
    "acrobatic": "acrobatics",
    "specialist-weapon-chain": "chain",
    "specialist-weapon-power": "power",
    "medic": "medicine",
    "surgeon": "medicine",
    "quick-draw": "quick-draw",
    "psyker": "psychic-powers",
    "regeneration": "regeneration",
    "fearless": "fearless",
    "machine": "machine",
    "daemon": "daemon",
    "blessed": "blessed",
}
METAL = ("mesh", "carapace", "power")


class Person:
    """Somebody: a record of the pack with what the example changes of it."""

    def __init__(self, said: Any) -> None:
        said = {"use": said} if isinstance(said, str) else dict(said or {})
        base = dict(entries("combatants")[said["use"]]) if "use" in said else {}
        self.facts: Entry = {**base, **said}
        known(self.facts, PERSON_WORDS, "person")

    def __getitem__(self, name: str) -> Any:
        return self.facts[name]

    def get(self, name: str, default: Any = None) -> Any:
        """A fact, or what is usual."""
        return self.facts.get(name, default)

    def has(self, name: str) -> bool:
        """Whether this is said."""
        return name in self.facts

    def may(self, what: str) -> bool:
        """Whether an ability allows something."""
        fears_nothing = what == "fearless" and "daemon" in self.get("traits", ())
        return fears_nothing or any(GRANTED[trait] == what for trait in self.get("traits", ()))

    def arm_injury(self, arm: str) -> int:
        """The level of the arm used; of both arms the worse."""
        arms = [arm] if arm in ("right", "left") else ["right", "left"]
        return max(int(self.get("injuries", {}).get(f"{one}-arm", 0)) for one in arms)

    def protection(
        self, place: str, piece: Entry | None = None, *, by: Person | None = None, shocks: bool = False
    ) -> int:
        """Armor and cover at a location: of layers the highest, plus cover for what is behind it (8.1, 12).

        Two points more for a daemon against attackers (`by`) who are not blessed (26); of metal half where electricity
        shocks, and acid takes of armor and hide alone (22).
        """
        if piece is not None:
            layers = [piece.get("value", 0)] if place in piece.get("locations", (place,)) else []
        else:
            worn = [entries("armor")[slug] for slug in self.get("armor", ())]
            halves = [2 if shocks and one.get("material") in METAL else 1 for one in worn]
            layers = [
                -(-one["value"] // half)
                for one, half in zip(worn, halves, strict=True)
                if place in one["locations"]
            ]
        cover = self.get("cover", 0) if place in self.get("behind_cover", ()) else 0
        holy = by is not None and self.may("daemon") and not by.may("blessed")
        return max(0, max(layers, default=0) + int(self.get("hide", 0))) + int(cover) + 2 * holy

    def field(self, piece: Entry | None = None) -> str:
        """Dice of the force field, if any."""
        worn = [piece] if piece is not None else [entries("armor")[slug] for slug in self.get("armor", ())]
        dice = [one["field_dice"] for one in worn if "field_dice" in one]
        dice += [self["ward"]] if self.has("ward") else []
        if len(dice) > 1:
            raise NotUnderstoodError("several force fields")
        return dice[0] if dice else ""


WEAPON_WORDS = """
    slug label type features damage ws_modifier parry_penalty may_parry requires encumbrance mundane_weapon short medium
    long modes capacity rounds reload ammunition semi_least semi_most loaded_directly one_shot throw_short throw_medium
    throw_long blast stationary_damage reach ignites settings high_damage recharge high_recharge ready_round overheated
    halves_armor plates_less without_extreme_range mods fixed use tags notes source provenance confidence one_handed
    ready name stuns machines_only poison leaves
"""


def armed(said: Any) -> Entry:
    """A weapon with its printed figures."""
    said = {"use": said} if isinstance(said, str) else dict(said)
    weapon = {**(entries("weapons")[said["use"]] if "use" in said else {}), **said}
    known(weapon, WEAPON_WORDS, "weapon")
    weapon["mods"] = [*weapon.get("mods", ()), *([weapon["fixed"]] if "fixed" in weapon else [])]
    return weapon


def excess(case: Case, weapon: Entry, who: Person, one_handed: bool) -> int:
    """How far a weapon and what is fixed to it exceed the Strength that counts (6)."""
    if not who.has("strength") or "encumbrance" not in weapon:
        return 0
    usable = case.half(who["strength"]) if one_handed else who["strength"]
    load = weapon["encumbrance"] + sum(entries("mods")[mod].get("encumbrance", 0) for mod in weapon["mods"])
    return max(0, int(load - usable))


# ----------------------------------------------------------------------------------------------------
# Injuries (8.2 to 8.4)

LEVELS = ("none", "light", "heavy", "serious", "acute", "crippled")
STUNS: dict[tuple[str, int], int | str] = {  # actions, or rounds as text
    ("leg", 4): 1,
    ("leg", 5): "1",
    ("arm", 4): 1,
    ("arm", 5): "1",
    ("body", 2): 1,
    ("body", 3): "1",
    ("body", 4): "1d3",
    ("head", 1): 1,
    ("head", 2): "1",
    ("head", 3): "1d3",
}
FALLS = {("leg", 3), ("leg", 4), ("leg", 5), ("body", 4), ("head", 3)}
OUT = {("body", 5), ("head", 4)}
LASTING = {("leg", level) for level in (2, 3, 4, 5)} | {("arm", level) for level in (3, 4, 5)}


def lasting(place: str, level: int) -> str:
    """The condition that an injury leaves; "" for none."""
    part = place.rpartition("-")[2]
    return f"{part}-{LEVELS[level]}" if (part, level) in LASTING else ""


def changed_injuries(case: Case, who: str, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Conditions of injuries that came or went."""
    had = {lasting(place, level) for place, level in before.items()} - {""}
    has = {lasting(place, level) for place, level in after.items()} - {""}
    for slug in had - has:
        case.then("remove-condition", who, slug)
    for slug in has - had:
        case.then("add-condition", who, slug)


class Body:
    """Somebody who is hurt, once or several times."""

    def __init__(self, case: Case, who: str, person: Person) -> None:
        self.case, self.who, self.person = case, who, person
        self.toughness: int | None = person.get("toughness")
        if self.toughness is not None:
            self.withstands = case.chance(f"{who}.injury-test", self.toughness)
        self.net, self.gained, self.bled = 0, 0, 0
        self.total = person.get("injury_total", 0)
        self.levels = dict(person.get("injuries", {}))
        self.bleeding: dict[str, int] = {}
        self.stunned = person.get("stunned_actions", 0)
        self.prone, self.drops = False, set[str]()
        self.out = "" if person.get("conscious", True) else "unconscious"
        self.out = "dead" if person.get("dead") else self.out
        self.was = self.out

    def value(self, divisor: int) -> int:
        """Toughness divided, rounded up (8.3)."""
        assert self.toughness is not None
        return ceil(self.toughness / divisor)

    def dies_at(self) -> int:
        """The lowest Injury Total that kills."""
        assert self.toughness is not None
        return self.toughness + (self.case.options.get("death_at") == "total_exceeds_toughness")

    def blow(self, place: str, net: int, prefix: str = "") -> None:
        """Net damage on a location."""
        self.net += net
        if self.toughness is None or net <= 0 or self.person.get("object"):
            return
        self.total += net
        part, old, was_dead = place.rpartition("-")[2], self.levels.get(place, 0), self.out == "dead"
        full = old + ceil(net / self.value(10))
        new = min(5, full)
        passed = range(old + 1, new + 1)
        self.levels[place] = new
        self.gained += len(passed)
        bleeds = sum(level >= 3 and (part, level) != ("head", 5) for level in passed)
        if bleeds:
            self.bleeding[place] = self.bleeding.get(place, 0) + bleeds
        self.bled += bleeds
        row = (part, new) if passed else ("", 0)
        dead = row == ("head", 5) or (full > 5 and part in ("head", "body")) or self.total >= self.dies_at()
        if dead:
            self.out = "dead"
        elif row in OUT and not self.out and not self.person.get("steady"):
            self.out = "unconscious"
        if part == "arm" and row[1] >= 3:
            self.drops.add(place)
        faints = row in OUT and not was_dead and not self.person.get("steady")
        if row in FALLS or faints:
            self.prone = True
        if self.out:
            return
        self._tests(place, net, row, prefix)

    def _tests(self, place: str, net: int, row: tuple[str, int], prefix: str) -> None:
        spans = self.case.round_of_actions()
        steady = self.person.get("steady")
        if net > self.value(5) and not steady and not self._stands(f"{prefix}system_shock"):
            self.stunned = max(self.stunned, spans)
        if row in (("leg", 2), ("arm", 2)) and not self._stands(f"{prefix}injury_test"):
            if row[0] == "leg":
                self.prone = True
            else:
                self.drops.add(place)
        stun = 0 if steady else STUNS.get(row, 0)
        actions = stun if isinstance(stun, int) else self.case.table.throw(stun) * spans
        self.stunned = max(self.stunned, actions)

    def _stands(self, name: str) -> bool:
        return self.case.d100(name, self.withstands).passed

    def tell(self, prefix: str = "") -> None:
        """Facts and effects of all blows together."""
        case, who = self.case, self.who
        case.out(prefix, net_damage=self.net)
        if self.toughness is None or self.person.get("object"):
            return
        before = self.person.get("injuries", {})
        down = self.out if self.out != self.was else "none"
        case.out(
            prefix,
            levels=self.gained,
            bleeding=self.bled,
            injury_total=self.total,
            prone=self.prone,
            down=down,
        )
        more = self.stunned > self.person.get("stunned_actions", 0)
        case.out(prefix, stunned_actions=self.stunned if more else 0)
        for place, level in self.levels.items():
            if level != before.get(place, 0):
                name = place.replace("-", "_")
                case.out(prefix, **{f"{name}_level": level, f"{name}_injury": LEVELS[level]})
                case.changed("mark", who, f"injury-{place}", level - before.get(place, 0))
        empty = {place for place in self.drops if self._holds("right-arm") + self._holds("left-arm")}
        if let_go := self.drops - {place for place in empty if not self._holds(place)}:
            case.out(prefix, drops=", ".join(sorted(let_go, reverse=True)))
        case.changed("mark", who, "injury-total", self.net)
        for place, number in self.bleeding.items():
            case.changed("mark", who, f"bleeding-{place}", number)
        case.changed("mark", who, "stunned-actions", self.stunned - self.person.get("stunned_actions", 0))
        self._conditions(before)

    def _holds(self, arm: str) -> str:
        return str(self.person.get(arm.replace("arm", "hand").replace("-", "_")) or "")

    def _conditions(self, before: Mapping[str, int]) -> None:
        case, who, suffering = self.case, self.who, self.person.get("suffering")
        changed_injuries(case, who, before, self.levels)
        falls = {"right-arm", "left-arm"} if self.out != self.was else set[str]()
        for held in {self._holds(place) for place in self.drops | falls} - {""}:
            case.then("item", who, held, ready=False, dropped=True)
        for slug, so in (
            ("prone", self.prone),
            ("stunned", self.stunned > self.person.get("stunned_actions", 0)),
        ):
            if so:
                case.then("add-condition", who, slug)
        if self.out != self.was:
            case.then("add-condition", who, self.out)
        if self.net and self.person.get("powers") and not self.out:
            case.then("add-condition", who, "hurt")
        ends_all = self.stunned > self.person.get("stunned_actions", 0)
        if self.net and self.person.get("holds") and not self.out and not ends_all:
            case.then("schedule", who, "hold-powers")
        if self.out == "dead":
            if suffering:
                case.then("remove-condition", who, "suffering")
        elif not suffering and (self.bled or self.total > self.value(2)):
            case.then("add-condition", who, "suffering")
            case.then("schedule", who, "suffer-injuries")


# ----------------------------------------------------------------------------------------------------
# Vehicles (23)

BREAKS = (
    (4, "nothing", ""),
    (6, "engine", "engine-hit"),
    (8, "gun-out", "gun-out"),
    (9, "crew-hit", ""),
    (10, "stops", "stopped"),
)


class Hull:
    """A vehicle that is hit, once or several times: plates in place of armor, Hull in place of injuries."""

    out = ""

    def __init__(self, case: Case, who: str, vehicle: Person) -> None:
        self.case, self.who, self.vehicle, self.net = case, who, vehicle, 0

    def through(self, dealt: int, dice: str, side: str, pierced: int = 0, halves: bool = False) -> int:
        """What gets through the plates of a side: nothing of a weapon of 2D6 or less through 10 or more."""
        plates = self.vehicle[f"plates_{side}"]
        number, sides, _ = dice_in(dice)
        small = self.case.options.get("small_arms_vs_plates", True)
        if small and plates >= 10 and number * sides <= 12:
            return 0
        less = max(0, plates - pierced)
        return max(0, dealt - (ceil(less / 2) if halves else less))

    def blow(self, place: str, net: int, prefix: str = "") -> None:
        """Net damage."""
        self.net += net

    @property
    def left(self) -> int:
        """The Hull that is left."""
        return int(max(0, self.vehicle["hull"] - self.net))

    def tell(self, prefix: str = "") -> None:
        """Facts and effects of all blows together."""
        self.case.out(prefix, net_damage=self.net, hull_left=self.left, wrecked=not self.left)
        self.case.changed("mark", self.who, "hull", self.net)
        if not self.left:
            self.case.out(prefix, crew_suffers="1d10")
            self.case.then("add-condition", self.who, "wrecked")

    def breaks(self, prefix: str = "") -> None:
        """The D10 of a vehicle that falls to half of its Hull or below."""
        hull, full = self.vehicle["hull"], self.vehicle.get("hull_full", self.vehicle["hull"])
        if not (self.left and hull > full / 2 >= self.left):
            return
        face = self.case.table.throw("1d10")
        _, name, condition = next(row for row in BREAKS if face <= row[0])
        self.case.out(prefix, breakdown=name)
        if condition:
            self.case.then("add-condition", self.who, condition)


def hurt(case: Case, who: str, person: Person) -> Body | Hull:
    """A combatant of flesh, or a vehicle."""
    return Hull(case, who, person) if person.has("hull") else Body(case, who, person)
