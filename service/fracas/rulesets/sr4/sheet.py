"""What follows from a sheet: wounds, armor, encumbrance, condition monitors.

Rulebook sections 3, 11.2 and 11.7. All functions take the flat facts of a situation and the side's name; those of
wounds and monitors also a sheet, and no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.forms import Part
from fracas.kernel.monitors import Condition, half_up, wounds
from fracas.kernel.procedures import Attempt
from fracas.kernel.required import INSTEAD, require
from fracas.kernel.stage import Effect
from fracas.kernel.tables import rows_of
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import EntryLookup, PackEntry

Facts = Mapping[str, Any]
Options = Mapping[str, Any]
Needed = Iterator[tuple[str, str]]
"""(field, what the rule needs) of all that it takes."""
FLOOR = "A pool never falls below 0"
ARMOR_FLOOR = "Armor never falls below 0"
WRECKED, DISRUPTED = "wrecked", "disrupted"
"""What machines and spirits are whose monitor is full."""
VALUE_FLOOR = "A Damage Value never falls below 0"
EDGE_ATTRIBUTE = "edge-attribute"
"""The track of Edge that is burned: the attribute itself."""


def uses_edge(sheet: Mapping[str, Any], options: Mapping[str, Any], who: str = "") -> bool:
    """Whether a combatant (a sheet, or facts of the record `who`) spends Edge; the house rules ``spirit_edge`` and
    ``critter_edge`` decide about beings."""
    path = _path(who)
    if f"{path}by_force" in sheet:
        return bool(options["spirit_edge"])
    return bool(options["critter_edge"] or not sheet.get(f"{path}natural"))


def spent_edge(who: str, points: int) -> Iterator[Effect]:
    """The points of Edge that a combatant has spent; nothing for none."""
    if points:
        yield Effect("spend", who, "edge", points)


def spent_edges(people: Iterable[str], points: Iterable[int]) -> Iterator[Effect]:
    """The same of several."""
    for who, spent in zip(people, points, strict=True):
        yield from spent_edge(who, spent)


def _path(who: str) -> str:
    """What stands before the names of a side's facts: nothing before those of a sheet."""
    return f"{who}." if who else ""


def one_track(facts: Facts, who: str, options: Options) -> bool:
    """Both kinds of damage fill one monitor: that of a grunt, by the house rule ``npc_single_track`` (section 3)."""
    path = _path(who)
    return bool(facts.get(f"{path}grunt")) and bool(options["npc_single_track"])


def wound_modifier(facts: Facts, who: str, options: Options) -> int | None:
    """Dice lost to wounds, 0 or negative: one for each complete 3 boxes of a track (section 3). Fresh boxes do not
    count, and a vehicle loses none. None when a track is not given."""
    path = _path(who)
    physical, stun = facts.get(f"{path}physical"), facts.get(f"{path}stun")
    if physical is None or stun is None:
        return None
    physical = max(0, physical - facts.get(f"{path}physical_fresh", 0))
    stun = max(0, stun - facts.get(f"{path}stun_fresh", 0))
    if facts.get(f"{path}vehicle"):
        return 0
    doubled = 2 if facts.get(f"{path}nauseated") else 1
    return -doubled * wounds(physical, stun, pain(facts, who), one_track(facts, who, options))


def pain(facts: Facts, who: str) -> tuple[int, int]:
    """What pain takes: (boxes a track ignores, boxes a wound modifier)."""
    path = _path(who)
    return facts.get(f"{path}pain_resistance", 0), 2 if facts.get(f"{path}low_pain_tolerance") else 3


def wounds_of(facts: Facts, who: str, options: Options) -> int:
    """The wound modifier, 0 or negative; a track that nobody mentions has no boxes filled."""
    return wound_modifier({f"{who}.physical": 0, f"{who}.stun": 0, **facts}, who, options) or 0


def derive_losses(facts: dict[str, Any], options: Options, *people: str) -> None:
    """Put in what wounds and heavy armor cost a combatant, as far as it is known."""
    for who in people:
        if (lost := wound_modifier(facts, who, options)) is not None:
            facts[f"{who}.wound_modifier"] = lost
        if (lost := encumbrance(facts, who, options)) is not None:
            facts[f"{who}.encumbrance"] = lost


def losses_of_test(it: Attempt, *, wounded: bool = True) -> list[Entry]:
    """What wounds (if `wounded`) and heavy armor cost the one who makes a test; what nobody mentions costs nothing."""
    wounds = it.facts["tester.wound_modifier"] = wounds_of(it.facts, "tester", it.options)
    lost = it.facts["tester.encumbrance"] = encumbrance(it.facts, "tester", it.options) or 0
    hurt = by_rule("wounds", "Wounds", wounds if wounded else 0)
    return hurt + by_rule("encumbrance", "Armor encumbrance", lost)


def make_pool(it: Attempt, to: str, *base: Entry) -> int:
    """Make a pool, which never falls below 0; its dice."""
    return it.tally(to, *base, least=0, floor=FLOOR).total


def by_rule(id: str, label: str, value: int | None) -> list[Entry]:
    """A line of the rule; none for 0."""
    return [Entry(id, label, value, origin="rule")] if value else []


def pool_given(facts: Facts, path: str) -> list[Entry]:
    """The line of a whole pool that is given in place of attributes and skill; none where it is not."""
    return [Entry("pool", "Pool given", facts[path])] if path in facts else []


def attribute_entries(facts: Facts, who: str, names: Sequence[str], instead: str) -> list[Entry]:
    """The attributes of a pool. `InputError`: one is missing, and so is `instead`, which would replace all."""
    instead = f"{instead} in place of {' + '.join(names)}"
    require(facts, ((f"{who}.{name}", f"{name.capitalize()}{INSTEAD}{instead}") for name in names))
    return [Entry(name, name.capitalize(), facts[f"{who}.{name}"]) for name in names]


def pool_entries(facts: Facts, who: str, names: Sequence[str], pool: str = "pool") -> list[Entry]:
    """The whole pool of a combatant where it is given, and otherwise the attributes that make it up. `pool`: the field
    that may have the whole pool. `InputError`: neither is given."""
    path = f"{who}.{pool}"
    return pool_given(facts, path) or attribute_entries(facts, who, names, path)


def skill_entries(skills: Mapping[str, int], skill: str, specialized: object = False) -> list[Entry]:
    """The skill in a pool, and a specialization in it, or what defaulting costs (section 1)."""
    label, rating = skill.replace("-", " ").capitalize(), skills.get(skill)
    if not rating:
        return [Entry("default", f"Defaulting on {label}", -1)]
    return [Entry("skill", label, rating), *(SPECIALIZATION if specialized else ())]


def full_defense_entries(facts: Facts, who: str) -> list[Entry]:
    """What full defense adds to a defense: the skill that is given; one that is not known adds nothing."""
    skill = facts.get(f"{who}.full_defense", "none")
    if skill == "none":
        return []
    rating = facts.get(f"{who}.skills", {}).get(skill, 0)
    return [Entry("full-defense", f"Full defense: {skill.capitalize()}", rating)]


def soak_entries(facts: Facts, who: str, rating: int) -> list[Entry]:
    """The dice that resist damage: Body, the armor that is left, and what toughens the body."""
    entries = [Entry("body", "Body", facts[f"{who}.body"]), Entry("armor", "Armor after penetration", rating)]
    bonus = facts.get(f"{who}.soak_bonus")
    return [*entries, Entry("bonus", "Resistance bonus", bonus)] if bonus else entries


SPECIALIZATION = (Entry("specialization", "Specialization", 2),)


def encumbrance(facts: Facts, who: str, options: Options) -> int | None:
    """Dice lost on Agility and Reaction tests for heavy armor, 0 or negative (section 11.2).

    All pieces worn count, two points above twice the Body cost a die, a fraction counts as two. Form-fitting pieces
    count half, rounded down; with a piece of military grade the limit is three times the Body. None when the pieces
    or the Body are not given.
    """
    pieces, body = facts.get(f"{who}.armor"), facts.get(f"{who}.body")
    if pieces is None or body is None:
        return None
    if options["encumbrance_single_suit_exempt"] and len(pieces) == 1:
        return 0
    limit = body * (3 if any(piece.data.get("military") for piece in pieces) else 2)
    weights = [sum(_weight(piece, kind) for piece in pieces) for kind in ("ballistic", "impact")]
    lost = [half_up(max(0, weight - limit)) for weight in weights]
    return -int(max(lost) if options["encumbrance_combine"] == "worst" else sum(lost))


def _weight(piece: PackEntry, kind: str) -> int:
    """What a piece adds to the encumbering total."""
    rating: int = piece.data.get(kind, 0)
    return rating // 2 if piece.data.get("form_fitting") else rating


def derive_sight(facts: dict[str, Any], lookup: EntryLookup) -> None:
    """Put in the attacker's rating of the skill with the weapon, and the dice lost to what lies between: of several
    conditions the worst, seen with the best sense (section 8.3).

    Normal sight is what everybody has; more senses count when they are given. Nothing where no condition is given.
    """
    if "attacker.skills" in facts and "weapon.skill" in facts:
        facts["attacker.skill"] = facts["attacker.skills"].get(facts["weapon.skill"], 0)
    if "visibility" not in facts:
        return
    rows, senses = rows_of(lookup, "visibility"), {"normal", *facts.get("attacker.senses", ())}
    compensated = facts.get("attacker.flare_compensation", False)
    seen = [one for one in facts["visibility"] if not (one == "glare" and compensated)]
    worst = min((max(rows[one][sense] for sense in senses) for one in seen), default=0)
    facts["visibility_modifier"] = worst


def armor_entries(facts: Facts, who: str, kind: str) -> list[Entry] | None:
    """The parts of an armor rating: the best suit, pieces that add, what the body adds. None when no armor is given; an
    empty list of pieces says that there is none."""
    typed, pieces = facts.get(f"{who}.{kind}"), facts.get(f"{who}.armor")
    if typed is not None:
        return [Entry(kind, f"{kind.capitalize()} armor", typed)]
    if pieces is None:
        return None
    suits = [piece for piece in pieces if not piece.data.get("stacks")]
    best = max(suits, key=lambda piece: piece.data.get(kind, 0), default=None)
    counted = [*([best] if best else ()), *(piece for piece in pieces if piece.data.get("stacks"))]
    entries = [Entry(one.slug, one.label, one.data.get(kind, 0), source=one.id) for one in counted]
    if bonus := facts.get(f"{who}.{kind}_bonus", 0):
        entries.append(Entry(f"{kind}-bonus", "Body and implants", bonus))
    if spell := facts.get(f"{who}.spell_armor", 0):
        entries.append(Entry("armor-spell", "Armor spell", spell))
    return entries


class Monitors(Part, kind="sr4.monitors"):
    """The condition monitors of a combatant, and the boxes filled so far (section 3).

    Attributes:
        physical_boxes: 8 + half the Body, rounded up, and extra boxes. Of a single monitor: half the greater of Body
            and Willpower.
        stun_boxes: 8 + half the Willpower, rounded up.
        overflow_boxes: Body and extra; one box more kills.
        single: both kinds fill the Physical monitor (house rule ``npc_single_track``).
        bleeds: Combat Turns after which the dying lose a box more; 0: they do not (house rule ``bleeding_out``).
        vehicle: it has no Stun monitor; full, it is a wreck (section 11.9).
        treated: the wounds so far have had first aid.
        spirit: it is disrupted where either monitor is full (section 30.1).
        stabilized: with a full Physical monitor, but not dying any more, until the next wound.
    """

    physical: int
    stun: int
    physical_boxes: int
    stun_boxes: int
    overflow_boxes: int
    single: bool = False
    bleeds: int = 0
    vehicle: bool = False
    treated: bool = False
    stabilized: bool = False
    spirit: bool = False

    @property
    def broken(self) -> str:
        """The condition of one whose full monitor is neither sleep nor death."""
        return DISRUPTED if self.spirit else WRECKED

    @classmethod
    def of(cls, facts: Facts, who: str, options: Options) -> Monitors | None:
        """None when the request lacks something that they need."""
        path = _path(who)
        vehicle, single = bool(facts.get(f"{path}vehicle")), one_track(facts, who, options)
        body, willpower = facts.get(f"{path}body"), facts.get(f"{path}willpower", 0 if vehicle else None)
        physical, stun = facts.get(f"{path}physical"), facts.get(f"{path}stun", 0 if vehicle else None)
        if physical is None or stun is None or body is None or willpower is None:
            return None
        most = 8 + half_up(max(body, willpower) if single else body) + facts.get(f"{path}extra_boxes", 0)
        overflow = body + facts.get(f"{path}extra_overflow", 0)
        spirit = f"{path}by_force" in facts
        bleeds = max(1, body) if options["bleeding_out"] and not (vehicle or spirit) else 0
        treated, stable = bool(facts.get(f"{path}treated")), bool(facts.get(f"{path}stabilized"))
        boxes = most, 8 + half_up(willpower), overflow
        return cls(physical, stun, *boxes, single, bleeds, vehicle, treated, stable, spirit)

    def after(self, boxes: int, track: str) -> Condition:
        """Mark boxes; Stun beyond its monitor becomes Physical, box for box."""
        physical, stun = self.physical, self.stun
        if self.vehicle:
            physical += boxes
            beyond = max(0, physical - self.physical_boxes)
            return Condition(physical, stun, 0, False, False, False, physical >= self.physical_boxes, beyond)
        if self.spirit:
            physical, stun = physical + boxes * (track != "stun"), stun + boxes * (track == "stun")
            past = max(0, physical - self.physical_boxes, stun - self.stun_boxes)
            gone = physical >= self.physical_boxes or stun >= self.stun_boxes
            return Condition(physical, stun, 0, False, False, False, gone, past)
        if track == "stun":
            free = self.physical_boxes - physical - stun if self.single else self.stun_boxes - stun
            room = max(0, free)
            stun += min(room, boxes)
            physical += max(0, boxes - room)
        else:
            physical += boxes
        filled = physical + stun if self.single else physical
        overflow = max(0, filled - self.physical_boxes)
        dying = physical >= self.physical_boxes or overflow > 0
        unconscious = filled >= self.physical_boxes or (not self.single and stun >= self.stun_boxes)
        return Condition(physical, stun, overflow, unconscious, dying, overflow > self.overflow_boxes)
