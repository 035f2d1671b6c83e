"""What follows from a sheet: wounds, armor, encumbrance, condition monitors.

Rulebook sections 3, 11.2 and 11.7. All functions take the flat facts of a situation and the side's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fracas.errors import InputError, Problem
from fracas.kernel.stage import stage_class
from fracas.kernel.tally import Entry
from fracas.kernel.vocabulary import Catalog

Facts = Mapping[str, Any]
Options = Mapping[str, Any]


def wound_modifier(facts: Facts, who: str) -> int | None:
    """Dice lost to wounds, 0 or negative: one for each complete 3 boxes, counted track by track (section 3).

    None when a track is not said.
    """
    physical, stun = facts.get(f"{who}.physical"), facts.get(f"{who}.stun")
    if physical is None or stun is None:
        return None
    step = 2 if facts.get(f"{who}.low_pain_tolerance") else 3
    ignored: int = facts.get(f"{who}.pain_resistance", 0)
    return -sum(int(max(0, boxes - ignored)) // step for boxes in (physical, stun))


def wounds_of(facts: Facts, who: str) -> int:
    """The wound modifier, 0 or negative; a track that nobody mentions has no boxes filled."""
    return wound_modifier({f"{who}.physical": 0, f"{who}.stun": 0, **facts}, who) or 0


def attribute_entries(facts: Facts, who: str, names: Sequence[str], instead: str) -> list[Entry]:
    """The attributes that make up a pool.

    Raises:
        InputError: one is not said, nor `instead`, the field that may take the place of all.
    """
    missing = [name for name in names if f"{who}.{name}" not in facts]
    if missing:
        raise InputError(
            Problem(
                f"situation.{who}.{name}",
                "missing-field",
                f"the rule needs {name.capitalize()}, or {instead} in place of {' + '.join(names)}",
            )
            for name in missing
        )
    return [Entry(name, name.capitalize(), facts[f"{who}.{name}"]) for name in names]


def encumbrance(facts: Facts, who: str, options: Options) -> int | None:
    """Dice lost on Agility and Reaction tests for heavy armor, 0 or negative (section 11.2).

    All pieces worn count, two points above twice the Body cost a die, a fraction counts as two.
    None when the pieces or the Body are not said.
    """
    pieces, body = facts.get(f"{who}.armor"), facts.get(f"{who}.body")
    if pieces is None or body is None:
        return None
    if options["encumbrance_single_suit_exempt"] and len(pieces) == 1:
        return 0
    excess = [
        max(0, sum(piece.data.get(kind, 0) for piece in pieces) - body * 2)
        for kind in ("ballistic", "impact")
    ]
    lost = [-(-points // 2) for points in excess]
    return -int(max(lost) if options["encumbrance_combine"] == "worst" else sum(lost))


def visibility_modifier(facts: Facts, catalog: Catalog) -> int | None:
    """Dice lost to what lies between: of several conditions the worst, seen with the best sense (section 8.3).

    Normal sight is what everybody has; more senses count when they are said. None when no condition is said.
    """
    conditions, table = facts.get("visibility"), catalog.entry("table", "visibility")
    if conditions is None or table is None:
        return None
    rows = table.data["rows"]
    senses = {"normal", *facts.get("attacker.senses", ())}
    compensated = facts.get("attacker.flare_compensation", False)
    seen = [one for one in conditions if not (one == "glare" and compensated)]
    return min((max(rows[one][sense] for sense in senses) for one in seen), default=0)


def armor_entries(facts: Facts, who: str, kind: str) -> list[Entry] | None:
    """The parts of the armor rating of one kind: the best suit, pieces that add, and what the body adds.

    None when no armor is said; an empty list of pieces says that there is none.
    """
    entries: list[Entry] = []
    typed = facts.get(f"{who}.{kind}")
    pieces = facts.get(f"{who}.armor")
    if typed is not None:
        entries.append(Entry(kind, f"{kind.capitalize()} armor", typed))
    elif pieces is None:
        return None
    else:
        suits = [piece for piece in pieces if not piece.data.get("stacks")]
        if suits:
            best = max(suits, key=lambda piece: piece.data.get(kind, 0))
            entries.append(Entry(best.slug, best.label, best.data.get(kind, 0), source=best.id))
        for piece in pieces:
            if piece.data.get("stacks"):
                entries.append(Entry(piece.slug, piece.label, piece.data.get(kind, 0), source=piece.id))
    bonus = facts.get(f"{who}.{kind}_bonus", 0)
    if bonus and typed is None:
        entries.append(Entry(f"{kind}-bonus", "Body and implants", bonus))
    return entries


class Condition(NamedTuple):
    """The monitors after damage."""

    physical: int
    stun: int
    overflow: int
    unconscious: bool
    dying: bool
    dead: bool


@stage_class
class Monitors(NamedTuple):
    """The condition monitors of somebody, and the boxes filled so far (section 3).

    Attributes:
        physical_boxes: 8 + half the Body, rounded up, and extra boxes.
        stun_boxes: 8 + half the Willpower, rounded up.
        overflow_boxes: Body and extra; one box more kills.
    """

    physical: int
    stun: int
    physical_boxes: int
    stun_boxes: int
    overflow_boxes: int
    kind: Literal["sr4.monitors"] = "sr4.monitors"

    @classmethod
    def of(cls, facts: Facts, who: str) -> Monitors | None:
        """None when the request lacks something that they need."""
        names = [f"{who}.{name}" for name in ("physical", "stun", "body", "willpower")]
        if any(name not in facts for name in names):
            return None
        physical, stun, body, willpower = (facts[name] for name in names)
        return cls(
            physical,
            stun,
            8 + -(-body // 2) + facts.get(f"{who}.extra_boxes", 0),
            8 + -(-willpower // 2),
            body + facts.get(f"{who}.extra_overflow", 0),
        )

    def after(self, boxes: int, track: str) -> Condition:
        """Mark boxes; Stun beyond its monitor becomes Physical, box for box."""
        physical, stun = self.physical, self.stun
        if track == "stun":
            room = max(0, self.stun_boxes - stun)
            stun += min(room, boxes)
            physical += max(0, boxes - room)
        else:
            physical += boxes
        overflow = max(0, physical - self.physical_boxes)
        full = physical >= self.physical_boxes
        return Condition(
            physical, stun, overflow, full or stun >= self.stun_boxes, full, overflow > self.overflow_boxes
        )
