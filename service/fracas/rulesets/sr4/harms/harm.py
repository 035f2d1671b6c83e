"""What damage does to a combatant: the armor that is left, boxes on the monitors, and what goes on hurting.

Rulebook sections 3, 8.10, 11.1, 11.2, 11.6 and 11.9. Every procedure that does damage takes its facts and effects from
here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fracas.kernel import monitors
from fracas.kernel.monitors import STABILIZED
from fracas.kernel.required import lacks
from fracas.kernel.stage import Effect, Fact, lasting
from fracas.kernel.tally import Entry
from fracas.rulesets.sr4.sheet import Monitors, Options, armor_entries

ELECTRICITY, FIRE, ACID = "electricity", "fire", "acid"
BURNING, ACID_BURNING, TREATED = "burning", "acid-burning", "treated"
"""Conditions; the last one: first aid has been given for the wounds, and new ones may be treated again."""

TOXIN_WORKS = "toxin-works"
"""The action of a toxin whose time has come."""
LASTING = "lasting"
"""The track of boxes that do not regenerate."""
OUT_OF_CONTROL = "out-of-control"
"""The condition of a machine that has lost more boxes at once than its Body, and calls for a Crash Test."""

GOES_ON = {FIRE: (BURNING, "burning_dv", "burn"), ACID: (ACID_BURNING, "acid_dv", "acid-burns")}
"""Of an element that goes on hurting: the condition, the field that keeps its DV, and the action of each turn."""


def knocks_down(boxes: int, body: int) -> bool:
    """Whether the boxes of one hit make a combatant fall: more than the Body, or 10 (section 11.7)."""
    return boxes > 0 and (boxes > body or boxes >= 10)


def facts_after(filled: Monitors, boxes: int, track: str) -> dict[str, Fact]:
    """The monitors after damage, for the explanation."""
    return monitors.facts_after(filled.after(boxes, track), filled.broken)


def marks(who: str, filled: Monitors | None, boxes: int, track: str) -> list[Effect]:
    """Boxes on the tracks, and what full monitors mean. Without monitors, the boxes on their track only."""
    if not boxes:
        return []
    if filled is None:
        return [Effect("mark", who, track, boxes)]
    after = filled.after(boxes, track)
    effects = monitors.marked(who, after.physical - filled.physical, after.stun - filled.stun)
    if filled.treated:
        effects.append(Effect("remove-condition", who, TREATED))
    effects += monitors.states(who, after, filled.broken)
    if filled.stabilized and after.dying:
        effects.append(Effect("remove-condition", who, STABILIZED))
    begins = after.dying and not after.dead and (filled.stabilized or not filled.after(0, track).dying)
    return effects + (bleeding(who, filled) if begins else [])


def lasts(facts: Mapping[str, Any], options: Mapping[str, Any]) -> bool:
    """Whether boxes of a target that regenerates last: by magic, or by what it is allergic or vulnerable to, as far as
    the house rule ``regeneration_excludes`` includes them (section 33.3)."""
    if not facts.get("target.regenerates"):
        return False
    excludes = options["regeneration_excludes"]
    allergen = facts.get("target.allergic", "none") != "none" or bool(facts.get("target.vulnerable"))
    return (excludes in ("both", "allergen") and allergen) or (
        excludes in ("both", "magic") and any(map(facts.get, _MAGICAL))
    )


def lasting_boxes(who: str, boxes: int, lasts: bool) -> list[Effect]:
    """Boxes that are counted because they do not regenerate."""
    return [Effect("mark", who, LASTING, boxes)] if lasts and boxes else []


def bleeding(who: str, filled: Monitors) -> list[Effect]:
    """The next box that a dying combatant loses, after as many Combat Turns as the Body."""
    return [monitors.bled(who, filled.bleeds)] if filled.bleeds else []


def without(filled: Monitors, physical: int, stun: int) -> Monitors:
    """The monitors with so many boxes fewer."""
    return filled._replace(physical=filled.physical - physical, stun=filled.stun - stun)


def healed(who: str, filled: Monitors, physical: int, stun: int) -> list[Effect]:
    """Boxes that are no longer filled, and what ends with a full monitor."""
    left = without(filled, physical, stun)
    return monitors.emptied(who, physical, stun, filled.after(0, "physical"), left.after(0, "physical"))


def goes_on(who: str, element: str, dv: int, had: int) -> list[Effect]:
    """Fire or acid that stays on a combatant: the condition with its DV, and its next time, at the beginning of the
    next Combat Turn. Who already burns (`had`: the DV of that) burns with the greater DV, and once a turn."""
    condition, field, _ = GOES_ON[element]
    effects = [Effect("add-condition", who, condition, None, ((f"set_{field}", max(dv, had)),))]
    return effects if had else [*effects, again(who, element)]


def shock(who: str, turns: int) -> list[Effect]:
    """What electricity leaves: above 0, Combat Turns of being incapacitated; below 0, of -2 dice; 0 for nothing."""
    if not turns:
        return []
    return [lasting(who, "incapacitated" if turns > 0 else "shaken", "turn", abs(turns))]


def suffered(hit: Any, plan: Any) -> list[Effect]:
    """All that a hit does to a combatant: boxes, see `marks`, the fall, and what the element leaves. `hit`: an outcome
    with the fields of `damage.AttackOutcome`. `plan`: that it has struck, with the fields of `damage.Plan`."""
    effects = marks(plan.who, plan.monitors, hit.damage, hit.track)
    effects += lasting_boxes(plan.who, hit.damage, getattr(plan, "lasts", False))
    effects += [Effect("add-condition", plan.who, "prone")] if hit.knockdown else []
    if loses_control(hit, plan):
        effects.append(Effect("add-condition", plan.who, OUT_OF_CONTROL))
    effects += shock(plan.who, hit.shock_turns)
    return effects + (goes_on(plan.who, plan.element, hit.lasting, plan.had) if hit.lasting else [])


def loses_control(hit: Any, plan: Any) -> bool:
    """Whether a machine has lost more boxes at once than its Body (section 31.4)."""
    return bool(plan.hard and hit.damage > plan.knockdown)


def facts_of_elements(shock_turns: int, element: str, goes_on: int) -> dict[str, Fact]:
    """What an element has left on a combatant, for the explanation."""
    facts: dict[str, Fact] = {}
    if shock_turns:
        facts["electric_outcome"] = "incapacitated" if shock_turns > 0 else "shaken"
        facts["electric_turns"] = abs(shock_turns)
    return facts | ({GOES_ON[element][1]: goes_on} if goes_on else {})


def stays_with(element: str, dv: int, armor: int) -> int:
    """The DV with which an element goes on: fire where it exceeded the armor against it, acid always; 0 for none."""
    return dv if element == ACID or (element == FIRE and dv > armor) else 0


def again(who: str, element: str) -> Effect:
    """The next time that fire or acid hurts, as long as it is not put out."""
    condition, _, action = GOES_ON[element]
    return Effect("schedule", who, action, None, (("when", "turn-begin"), ("while", condition)))


def had_of(facts: Mapping[str, Any], element: str, who: str = "target") -> int:
    """The DV of the fire or acid that is on a combatant already."""
    return int(facts.get(f"{who}.{GOES_ON[element][1]}", 0)) if element in GOES_ON else 0


class Damage(NamedTuple):
    """What the weapon and its ammunition do.

    Attributes:
        value_parts: (id, label, boxes, source) of the DV, before called shots and net hits.
        ap_parts: (id, label, points, source) of the armor penetration.
        halves: the armor is halved before the armor penetration counts.
        armor_kind: ``ballistic`` or ``impact``.
        track: ``physical`` or ``stun``.
        element: see `vocabulary.ELEMENTS`; "" for none.
    """

    value_parts: tuple[tuple[str, str, int, str], ...]
    ap_parts: tuple[tuple[str, str, int, str], ...]
    halves: bool
    armor_kind: str
    track: str
    electric: bool
    gel: bool
    element: str = ""

    @property
    def value(self) -> tuple[Entry, ...]:
        """The lines of the DV."""
        return tuple(Entry(id, label, boxes, source=source) for id, label, boxes, source in self.value_parts)


def worn_armor(facts: Mapping[str, Any], kind: str, who: str = "target") -> list[Entry]:
    """The parts of armor of one kind; a vehicle has one rating against all. `InputError`: nothing is given of it."""
    if hard := hardened_entries(facts, who):
        return hard
    inside = facts.get(f"{who}.inside_armor", 0)
    if facts.get(f"{who}.vehicle"):
        if f"{who}.vehicle_armor" not in facts:
            raise lacks(f"{who}.vehicle_armor", "the armor of the vehicle, 0 for none")
        return [Entry("vehicle-armor", "Armor of the vehicle", facts[f"{who}.vehicle_armor"])]
    entries = armor_entries(facts, who, kind)
    if entries is None:
        raise lacks(f"{who}.armor", f"the {who}'s armor: a list of pieces (empty for none) or {kind}")
    return [*entries, Entry("inside", "Armor of the machine around", inside)] if inside else entries


def machine_around(facts: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of what strikes an area: ``area_armor_inside`` decides whether the machine around protects."""
    if options["area_armor_inside"]:
        return dict(facts)
    return {path: fact for path, fact in facts.items() if not path.endswith(".inside_armor")}


IMMUNITY, IMMUNE_TO = "immunity", "immune-to"
_MAGICAL = ("weapon.magical", "damage.magical", "spell.attack")
"""Facts that show that what strikes is magic."""


def hardened_entries(facts: Mapping[str, Any], who: str) -> list[Entry]:
    """Armor of a being that has to be exceeded, in place of all that it wears: hardened by nature, or Immunity to
    Normal Weapons, which is twice the Magic, or the Force where no Magic is given (section 30.2)."""
    if facts.get(f"{who}.vehicle"):
        return []
    rating = facts.get(f"{who}.hardened")
    hard = [Entry("hardened", "Hardened armor", rating)] if rating else []
    magic = facts.get(f"{who}.magic", facts.get(f"{who}.force", 0))
    causes = {facts.get(f"{of}.element") for of in ("weapon", "damage", "spell")}
    if causes.intersection(facts.get(f"{who}.immune_to", ())):
        hard.append(Entry(IMMUNE_TO, "Immunity to the element", 2 * magic))
    struck = facts.get(f"{who}.allergic", "none") != "none" or facts.get(f"{who}.vulnerable")
    if not facts.get(f"{who}.immune_to_weapons") or struck or any(map(facts.get, _MAGICAL)):
        return hard
    return [*hard, Entry(IMMUNITY, "Immunity to normal weapons", 2 * magic)]


def protection(facts: Mapping[str, Any], who: str, element: str) -> list[Entry]:
    """What a combatant has on against an element: it counts in full, beside half the armor (sections 11.6 and 13)."""
    rating = facts.get(f"{who}.resistances", {}).get(element)
    return [Entry(f"against-{element}", f"Protection from {element}", rating)] if rating else []


def rating_of(entries: Sequence[Entry]) -> int:
    return sum(entry.value or 0 for entry in entries)


def penetrated(
    worn: Sequence[Entry], damage: Damage, options: Options, *, avoided: bool, against: Sequence[Entry] = ()
) -> list[Entry]:
    """The armor with what the attack does to it: avoided, or halved and penetrated. `against`: see `protection`."""
    entries, rating = list(worn), rating_of(worn)
    if avoided:
        return [*entries, Entry("called-shot", "Called shot at an unarmored spot", -rating, origin="rule")]
    immune = any(line.id == IMMUNITY for line in worn)
    whole = any(line.id == IMMUNE_TO for line in worn)
    if damage.halves and not whole and (not immune or options["immunity_half"]):
        lost = rating - half(rating, options)
        entries.append(Entry("half", "Armor halved", -lost, origin="rule"))
    entries += against
    if immune and not options["immunity_ap"]:
        return entries
    penetration = sum(points for _, _, points, _ in damage.ap_parts)
    for id, label, points, source in damage.ap_parts:
        if not points:
            continue
        entry = Entry(f"ap-{id}", f"AP of {label}", points, origin="rule", source=source)
        if penetration > 0 and rating == 0 and options["ap_positive_needs_armor"]:
            entry = entry._replace(verdict="failed", reason="there is no armor to raise")
        entries.append(entry)
    return entries


def half(rating: int, options: Mapping[str, Any]) -> int:
    """Half of an armor rating, rounded as the house rule says."""
    return -(-rating // 2) if options["half_armor_round"] == "up" else rating // 2


def shock_dice(facts: Mapping[str, Any], options: Mapping[str, Any], who: str = "target") -> int:
    """The dice against the after-effect of electricity, before wounds (section 11.6)."""
    dice: int = facts[f"{who}.body"] + facts[f"{who}.willpower"]
    if options["electric_armor_bonus"] == "half_impact":
        dice += half(rating_of(armor_entries(facts, who, "impact") or ()), options)
    return dice + rating_of(protection(facts, who, ELECTRICITY))
