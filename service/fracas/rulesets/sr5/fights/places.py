"""What positions mean in Shadowrun 5: movement, reach, range bands, cover, blasts and suppressed zones.

Rulebook sections 6.1, 9.4, 10, 11.1 and 11.4. That melee without Reach goes 3 m, two neighbouring squares of 2 m corner
to corner, is ours.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.placing import WEDGE, Spread
from fracas.kernel.tables import rows_of
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.sr5.attacks.blast import BlastAttack
from fracas.rulesets.sr5.attacks.ranged import SuppressiveFire
from fracas.rulesets.sr5.fights.initiative_order import has_passes
from fracas.rulesets.sr5.magic.cast_spell import AREA, CastSpell

ZONE = 10
"""Metres that a suppressed zone is wide at its far end (section 10)."""
REACH = 3
"""Metres that melee goes without Reach (ours)."""
RUN, SPRINT = "run", "sprint"


class Places(TurnRules):
    """The part of the rules of fights that positions decide."""

    cover_words: Sequence[tuple[float, str]] = ((0.25, "partial"), (0.5, "good"))
    zone = "suppressing"
    bands: Sequence[str] = ("short", "medium", "long", "extreme")
    melee: Collection[str] = ("melee-attack", "melee-sweep")
    at_places: Collection[str] = (CastSpell.id,)

    def movement_span(self, options: Mapping[str, Any]) -> str:
        """A Combat Turn; by the house rules of the bonus actions, which keep no account of it, one's own phase."""
        return "turn" if has_passes(options) else "phase"

    def free_metres(self, table: Table, who: str) -> float | None:
        """By walking, crawling, or as a run or sprint says that was taken."""
        if not table.participants[who].able:
            return 0.0
        moving = self.movement(table, who)
        return moving.metres if moving is not None else None

    def modes(self, table: Table, who: str, lookup: EntryLookup) -> Mapping[str, float]:
        sheet = table.participants[who].sheet
        metres = sheet.get("metres_run")
        if metres is None or any(sheet.get(field) for field in ("running", "sprinting", "prone")):
            return {}
        return {RUN: metres}

    def reach(self, who: Participant, lookup: EntryLookup) -> float:
        return REACH + self.longest_reach(who, lookup)

    def must_be_within(self, table: Table, who: str, intent: Intent) -> float | None:
        """With the weapon that is used. An intercepted opponent passes nearer than positions show."""
        if intent.action.get("procedure") not in self.melee or intent.slug == "intercept":
            return None
        return float(REACH + max(0, intent.item_data.get("reach", 0)))

    def spread(self, table: Table, who: str, intent: Intent) -> Spread:
        procedure, lookup = intent.action.get("procedure"), intent.lookup
        if procedure == SuppressiveFire.id:
            return Spread(WEDGE, width=ZONE)
        if procedure == CastSpell.id:
            return _spell_spread(intent)
        if procedure != BlastAttack.id or lookup is None:
            return Spread()
        given = intent.situation.get("load")
        slug = given.get("use") if isinstance(given, Mapping) else given
        load = lookup.entry("ammunition", str(slug or intent.item_data.get("ammunition", "")))
        data = {**(load.data if load is not None else {}), **(given if isinstance(given, Mapping) else {})}
        radius, loss, dv = (data.get(name) for name in ("radius", "blast_loss", "dv"))
        if radius is None and isinstance(dv, int) and isinstance(loss, int) and loss:
            radius = -(-dv // loss)
        dice = max(row["dice"] for row in rows_of(lookup, "scatter").values())
        if intent.item_data.get("category") == "grenade":
            dice = rows_of(lookup, "scatter")["standard"]["dice"]
        return Spread(reach=radius, scatter=6 * dice)


def _spell_spread(intent: Intent) -> Spread:
    """An area spell reaches as many metres around its spot as its Force."""
    given, force = intent.situation.get("spell"), intent.situation.get("force")
    fields = given if isinstance(given, Mapping) else {}
    slug = fields.get("use") if isinstance(given, Mapping) else given
    entry = intent.lookup.entry("power", str(slug)) if intent.lookup is not None and slug else None
    reaches = fields.get("range", entry.data.get("range") if entry is not None else None)
    if reaches != AREA or not isinstance(force, (int, float)):
        return Spread(reach=0.0)
    return Spread(reach=float(force))
