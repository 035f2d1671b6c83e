"""What positions mean in the Inquisitor universe: movement by actions, range bands, and who is near a grenade.

Rulebook sections 4, 5.1 and 5.3. Distances are in yards. Walls give the locations that they hide; how many points their
material takes off the damage, the GM enters (``cover``). That a location is hidden if half of it is, and that blows
reach 3 m, is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, StepContext, Table
from fracas.kernel.items import slug_of
from fracas.kernel.placing import Placing, Spread, Unit
from fracas.kernel.tables import rows_if_any
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup, Vocabulary
from fracas.rulesets.imperium.attacks.close_combat import CloseCombat
from fracas.rulesets.imperium.attacks.shooting import Shooting
from fracas.rulesets.imperium.vocabulary import LOCATIONS
from fracas.space import Area

YARDS = Unit("yd", 0.9144)
MOVES: Mapping[str, str] = {
    **{word: word for word in ("crawl", "sneak", "wade", "walk", "run", "sprint")},
    "charge": "run",
}
"""Actions that take a combatant somewhere, with their rows in the table ``movement``."""
THROWN = "thrown"
LEGS = ("right-leg", "left-leg")
HIDDEN: Mapping[str, Sequence[str]] = {
    "legs": LEGS,
    "all-but-the-head": (*LEGS, "body", "right-arm", "left-arm"),
    "all": LOCATIONS,
}
"""Locations that a wall hides, by the words of `Places.cover_words`."""


class Places(TurnRules):
    """The part of the rules of fights that positions decide."""

    unit: Unit = YARDS
    melee: Collection[str] = (CloseCombat.id,)
    from_spot: Sequence[str] = ("from_target", "blast_distance")
    cover_words: Sequence[tuple[float, str]] = ((0.25, "legs"), (0.65, "all-but-the-head"), (0.95, "all"))

    def free_metres(self, table: Table, who: str) -> float | None:
        """None: any way of moving is an action."""
        return 0.0

    def strides(self, table: Table, who: str, lookup: EntryLookup) -> Mapping[str, float]:
        """Yards of each action, with those that a power adds; mounted twice as many."""
        sheet, rows = table.participants[who].sheet, rows_if_any(lookup, "movement")
        times, more = (2 if sheet.get("mounted") else 1) * YARDS.metres, sheet.get("longer_moves", 0)
        yards = {slug: rows[row]["yards"] for slug, row in MOVES.items() if row in rows}
        return {slug: (found + more) * times for slug, found in yards.items() if found is not None}

    def reach(self, who: Participant, lookup: EntryLookup) -> float:
        return 3.0

    def placed(self, step: StepContext, placing: Placing, vocabulary: Vocabulary) -> Mapping[str, Any]:
        """Walls hide locations; the points of their material are not known."""
        found = dict(super().placed(step, placing, vocabulary))
        for record, facts in found.items():
            if isinstance(facts, Mapping) and "cover" in facts:
                left = {name: value for name, value in facts.items() if name != "cover"}
                hidden = HIDDEN.get(facts["cover"], ())
                found[record] = {**left, "behind_cover": list(hidden)} if hidden else left
        return {name: facts for name, facts in found.items() if facts != {}}

    def range_bands(
        self, who: Participant, item_data: Mapping[str, Any], lookup: EntryLookup
    ) -> Sequence[tuple[str, float]]:
        found = []
        for band, row in rows_if_any(lookup, "shooting-bands").items():
            limit = _limit(who, item_data, row["until"]) if row["until"] else None
            if limit is not None:
                found.append((band, limit * row["factor"] * YARDS.metres))
        return found

    def spread(self, table: Table, who: str, intent: Intent) -> Spread:
        blast = intent.item_data.get("blast")
        if intent.action.get("procedure") != Shooting.id or not isinstance(blast, int):
            return Spread(reach=0.0)
        return Spread(reach=blast * YARDS.metres)

    def leaves(self, table: Table, who: str, intent: Intent) -> Area | None:
        """Smoke, gas or fire, with the blast of what leaves it; smoke hampers the sight through it."""
        condition, data = intent.item_data.get("leaves"), intent.item_data
        if intent.action.get("procedure") != Shooting.id or not condition:
            return None
        across = {"visibility": ["smoke"]} if "smoke" in data["features"] else {}
        weapon = intent.lookup.entry("weapon", slug_of(intent.item)) if intent.lookup else None
        label = weapon.label if weapon is not None else ""
        radius = data.get("blast", 0) * YARDS.metres
        return Area(label, (), radius, across=across, during=str(condition))


def _limit(who: Participant, item_data: Mapping[str, Any], name: str) -> float | None:
    """A range of a weapon in yards; of what is thrown a part of the Strength."""
    if item_data.get("type") != THROWN:
        return item_data.get(name)
    strength, divisor = who.sheet.get("strength"), item_data.get(f"throw_{name}")
    return strength / divisor if isinstance(strength, int) and divisor else None
