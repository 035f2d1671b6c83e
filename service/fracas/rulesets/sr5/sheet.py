"""What follows from a sheet, whichever side it is on: rulebook sections 8.1, 8.2, 8.5, 8.6 and 11.6.

Pools and their limits, condition monitors and wounds, and the armor worn with what too much of it costs. All functions
take the flat facts of a situation and the name of a side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from fracas.kernel import monitors
from fracas.kernel.forms import Part
from fracas.kernel.monitors import Condition, half_up, wounds
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import INSTEAD, require
from fracas.kernel.tables import row_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import PackEntry
from fracas.rulesets.sr5.combatant import ARMOR_MODS

Facts = Mapping[str, Any]


def derive_side(facts: dict[str, Any], who: str) -> None:
    """Add wounds, encumbrance and the Physical limit of one side. What is unknown is absent."""
    derived = {"wound_modifier": wound_modifier, "encumbrance": encumbrance, "physical_limit": physical_limit}
    for name, of in derived.items():
        if (value := of(facts, who)) is not None:
            facts[f"{who}.{name}"] = value


def derive_resisting(facts: dict[str, Any], who: str) -> None:
    """The same with the rating of each armor mod, where anything is given of them."""
    derive_side(facts, who)
    if (mods := facts.get(f"{who}.armor_mods")) is not None:
        facts |= {f"{who}.{name.replace('-', '_')}": mods.get(name, 0) for name in ARMOR_MODS}


_PILOTED = ("agility", "reaction", "willpower", "logic", "intuition")
_AUTOSOFTS = {
    **dict.fromkeys(("automatics", "blades", "clubs", "gunnery", "heavy-weapons", "longarms"), "Targeting"),
    "perception": "Clearsight",
    "sneaking": "Stealth",
}


def label(word: str) -> str:
    """A field or a skill in words."""
    return word.replace("-", " ").replace("_", " ").capitalize()


def called(facts: Facts, who: str, word: str) -> str:
    """The same for a pool: a machine on its own rolls its Pilot in place of attributes, and autosofts as skills."""
    if facts.get(f"{who}.nature") != "drone":
        return label(word)
    return "Pilot" if word in _PILOTED else _AUTOSOFTS.get(word, label(word))


def attribute_entries(facts: Facts, who: str, names: Sequence[str], instead: str = "") -> list[Entry]:
    """The attributes that make up a pool; `instead` names the field that may take their place.

    Raises:
        InputError: one is not given.
    """
    other = f"{INSTEAD}{instead} in place of {' + '.join(names)}" if instead else ""
    require(facts, ((f"{who}.{name}", f"{name.capitalize()}{other}") for name in names))
    return [Entry(name, called(facts, who, name), facts[f"{who}.{name}"]) for name in names]


def pool_entries(
    facts: Facts, who: str, attributes: Sequence[str], skill: str = "", *, defaults: bool = True
) -> list[Entry]:
    """The dice of a test before modifiers: a pool given, or attributes and a skill.

    Args:
        skill: "" for none.
        defaults: a die is lost without the skill, by a line of its own; otherwise a modifier of the packs says it.

    Raises:
        InputError: the request says neither.
    """
    instead = f"{who}.pool"
    if instead in facts:
        return [Entry("pool", "Pool given", facts[instead])]
    entries = attribute_entries(facts, who, attributes, instead)
    if not skill:
        return entries
    require(facts, [(f"{who}.skills", f"the skill ratings, or {instead} in their place")])
    trained = defaults or facts[f"{who}.skills"].get(skill)
    return [*entries, skill_entry(facts, who, skill)] if trained else entries


def skill_entry(facts: Facts, who: str, skill: str) -> Entry:
    """The dice of a skill, or the one that is lost where it is defaulted on."""
    name = called(facts, who, skill)
    if rating := facts[f"{who}.skills"].get(skill, 0):
        return Entry("skill", name, rating)
    return Entry("default", f"Defaulting on {name}", -1)


LIMITS = ("physical", "mental", "social", "astral")
_WEIGHTS: Mapping[str, Mapping[str, int]] = {
    "physical": {"strength": 2, "body": 1, "reaction": 1},
    "mental": {"logic": 2, "intuition": 1, "willpower": 1},
    "social": {"charisma": 2, "willpower": 1, "essence": 1},
}

_OF_ASTRAL = ("mental", "social")
BONUS = {"physical": "limit_bonus", "mental": "mental_limit_bonus", "social": "social_limit_bonus"}
"""What drugs and the like add to each limit, as a field of a combatant."""


def limit_of(facts: Mapping[str, Any], who: str, name: str) -> int | None:
    """A limit of a combatant, rounded up; None where an attribute is not given. Astral is the higher of two others."""
    if name == "astral":
        both = [(limit_of(facts, who, other), facts.get(f"{who}.{BONUS[other]}", 0)) for other in _OF_ASTRAL]
        known = [limit + more for limit, more in both if limit is not None]
        return max(known) if len(known) == len(both) else None
    parts = [(facts.get(f"{who}.{attribute}"), weight) for attribute, weight in _WEIGHTS[name].items()]
    ratings = [weight * rating for rating, weight in parts if rating is not None]
    return ceil(round(sum(ratings), 6) / 3) if len(ratings) == len(parts) else None


def limit_entries(facts: Mapping[str, Any], who: str, name: str) -> list[Entry]:
    """The base of a limit's tally; for the Astral one a sheet may give it.

    Raises:
        InputError: an attribute that it is made of is not given; all of them are reported.
    """
    if name == "astral" and (given := facts.get(f"{who}.astral_limit")) is not None:
        return [Entry("limit", "Astral limit given", given)]
    needed = dict.fromkeys(
        attribute for part in (_OF_ASTRAL if name == "astral" else (name,)) for attribute in _WEIGHTS[part]
    )
    for_what = f"for the {name.capitalize()} limit"
    require(facts, ((f"{who}.{attribute}", f"{attribute.capitalize()}, {for_what}") for attribute in needed))
    entries = [Entry(f"{name}-limit", f"{name.capitalize()} limit", limit_of(facts, who, name))]
    more = facts.get(f"{who}.{BONUS[name]}", 0) if name in BONUS else 0
    return [*entries, Entry("limit-bonus", "Drugs and the like", more)] if more else entries


OF_A_SPELL = "_of_a_spell"
"""The end of the fields that a spell sets which quickens those who are under it."""


def quickened(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What a sheet and a spell on it say together of initiative and physical bonus actions; empty without a spell."""
    fields = (("initiative_dice", "initiative_dice", 1), ("initiative", "initiative_bonus", 0))
    found = {
        field: sheet.get(field, usual) + sheet[name + OF_A_SPELL]
        for name, field, usual in fields
        if name + OF_A_SPELL in sheet
    }
    if found and "bonus_physical" in sheet:  # otherwise it follows from the dice
        found["bonus_physical"] = sheet["bonus_physical"] + sheet.get(f"bonus_physical{OF_A_SPELL}", 0)
    return found


BOXES_FOR_A_WOUND = 3
STUN_FOR_A_BOX = 2
"""Stun boxes beyond the monitor that make a Physical one."""
_BASE = 8
_TURNS_OF_A_MINUTE = 20


def wound_modifier(facts: Facts, who: str) -> int | None:
    """Dice lost to wounds, 0 or negative; None when a track is not given."""
    physical, stun = facts.get(f"{who}.physical"), facts.get(f"{who}.stun")
    if physical is None or stun is None:
        return None
    if facts.get(f"{who}.vehicle"):
        return 0
    pain = facts.get(f"{who}.pain_resistance", 0)  # below 0 by Agony, whose boxes count once
    step = max(0, pain), BOXES_FOR_A_WOUND
    return -wounds(physical - min(0, pain), stun, step, bool(facts.get(f"{who}.grunt")))


def physical_limit(facts: Facts, who: str) -> int | None:
    """The Physical limit with what drugs add to it; None when an attribute is not given."""
    limit = limit_of(facts, who, "physical")
    return None if limit is None else max(0, limit + int(facts.get(f"{who}.limit_bonus", 0)))


def boxes_held(facts: Mapping[str, Any]) -> float:
    """Of the damage in the facts of an outcome, the boxes that the monitors still held."""
    return monitors.boxes_held(facts, STUN_FOR_A_BOX)


class Monitors(Part, kind="sr5.monitors"):
    """The condition monitors of a combatant, and the boxes filled so far.

    Attributes:
        physical_boxes: 8 + half the Body, rounded up; of a grunt half the better of Body and Willpower; of a machine
            those on its sheet.
        stun_boxes: 8 + half the Willpower, rounded up.
        overflow_boxes: Body; full, it kills.
        single: a grunt: both kinds fill the Physical monitor, and the one who has it full is out.
        vehicle: it has no Stun monitor; full, it is disabled.
        stabilized: with a full Physical monitor, but not dying any more, until the next wound.
    """

    physical: int
    stun: int
    physical_boxes: int
    stun_boxes: int
    overflow_boxes: int
    single: bool = False
    vehicle: bool = False
    stabilized: bool = False

    @classmethod
    def of(cls, facts: Facts, who: str) -> Monitors | None:
        """None when the request lacks something that they need."""
        vehicle, single = bool(facts.get(f"{who}.vehicle")), bool(facts.get(f"{who}.grunt"))
        unsaid = 0 if vehicle else None
        body, willpower = facts.get(f"{who}.body"), facts.get(f"{who}.willpower", unsaid)
        physical, stun = facts.get(f"{who}.physical"), facts.get(f"{who}.stun", unsaid)
        if physical is None or stun is None or body is None or willpower is None:
            return None
        of_body = facts.get(f"{who}.monitor_boxes", _BASE + half_up(max(body, willpower) if single else body))
        most = of_body, _BASE + half_up(willpower)
        return cls(physical, stun, *most, body, single, vehicle, bool(facts.get(f"{who}.stabilized")))

    @property
    def bleeds(self) -> int:
        """Combat turns after which the dying lose a box more: Body minutes."""
        return max(1, self.overflow_boxes) * _TURNS_OF_A_MINUTE

    def now(self) -> Condition:
        """The monitors as they are."""
        return self.after(0, "physical")

    def after(self, boxes: int, track: str) -> Condition:
        """Mark boxes. Stun beyond its monitor becomes Physical, a box for each two; a half box is lost."""
        physical, stun = self.physical, self.stun
        if self.vehicle:
            beyond = physical + boxes - self.physical_boxes
            return Condition(physical + boxes, stun, 0, False, False, False, beyond >= 0, max(0, beyond))
        if self.single:
            physical, stun = (physical, stun + boxes) if track == "stun" else (physical + boxes, stun)
            beyond = physical + stun - self.physical_boxes
            return Condition(physical, stun, 0, beyond >= 0, False, False, beyond=max(0, beyond))
        if track == "stun":
            room = max(0, self.stun_boxes - stun)
            stun += min(room, boxes)
            physical += max(0, boxes - room) // STUN_FOR_A_BOX
        else:
            physical += boxes
        overflow = max(0, physical - self.physical_boxes)
        dying = physical >= self.physical_boxes
        dead = dying and overflow >= max(1, self.overflow_boxes)
        return Condition(physical, stun, overflow, dying or stun >= self.stun_boxes, dying, dead)


def device_monitor(facts: Facts, who: str) -> tuple[int, int]:
    """Boxes of a device and those that are filled; no boxes where its rating is not known."""
    rating = facts.get(f"{who}.device_rating")
    return (0 if rating is None else _BASE + half_up(rating)), facts.get(f"{who}.device_damage", 0)


def _pieces(facts: Facts, who: str) -> tuple[list[PackEntry], list[PackEntry]]:
    """The best suit worn, and what adds to it: a piece that belongs to a suit adds to that one only."""
    worn: Sequence[PackEntry] = facts.get(f"{who}.armor") or ()
    suits = [piece for piece in worn if not piece.data.get("stacks")]
    best = [max(suits, key=_rating)] if suits else []
    fitting = {None, *(name for suit in best for name in (suit.slug, suit.id))}
    added = (piece for piece in worn if piece.data.get("stacks"))
    return best, [piece for piece in added if piece.data.get("goes_with_armor") in fitting]


def _rating(piece: PackEntry) -> int:
    return int(piece.data.get("rating", 0))


def encumbrance(facts: Facts, who: str) -> int | None:
    """Points of Agility and Reaction lost, 0 or negative: one for every two full points by which what adds to a suit
    exceeds the Strength. None when pieces or Strength are not given."""
    strength: int | None = facts.get(f"{who}.strength")
    if facts.get(f"{who}.armor") is None or strength is None or f"{who}.armor_value" in facts:
        return None
    more = sum(_rating(piece) for piece in _pieces(facts, who)[1])
    return -(max(0, more - strength) // 2)


def worn_armor(facts: Facts, who: str) -> list[Entry]:
    """The parts of the armor rating: the best suit, and what adds to it, up to the Strength.

    Raises:
        InputError: nothing is given of the armor, or of the Strength that carries what adds to a suit.
    """
    if f"{who}.armor_value" in facts:
        return [Entry("armor", "Armor", facts[f"{who}.armor_value"])]
    what = f"the armor of the {who}: a list of pieces, empty for none | {who}.armor_value"
    require(facts, [(f"{who}.armor", what)])
    best, added = _pieces(facts, who)
    entries = [Entry(one.slug, one.label, _rating(one), source=one.id) for one in (*best, *added)]
    if more := sum(map(_rating, added)):
        require(facts, [(f"{who}.strength", "Strength, which limits what adds to a suit of armor")])
        if (beyond := more - facts[f"{who}.strength"]) > 0:
            entries.append(Entry("too-heavy", "More than the Strength carries", -beyond, origin="rule"))
    return entries


def counted(row: Mapping[str, Any], net: int) -> list[tuple[str, Any]]:
    """What the condition of a row of the packs' tables has of net hits, as details of its effect."""
    number = row.get("sign", 1) * row.get("fixed", net)
    return [(f"{how}_{row[column]}", number) for how, column in _COUNTS if column in row]


_COUNTS = (("set", "sets"), ("add", "adds"))
MATRIX_FACTS = "matrix-facts"
"""The table of the packs with facts of the Matrix."""


def missing_to_converge(it: Attempt, path: str) -> int:
    """Points of Overwatch that are missing until the grid converges; 0 where the score before is not known."""
    converges = int(row_of(it.lookup, MATRIX_FACTS, "converges-at")["value"])
    return max(0, converges - int(it.facts.get(path, converges)))
