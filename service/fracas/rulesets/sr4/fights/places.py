"""What positions mean in Shadowrun 4: movement by passes, reach, range bands, cover, blasts and suppressed zones.

Rulebook sections 6, 8.1, 8.7, 8.11 and 9.1. That walls give partial cover from a quarter of the body on, and good
cover from half of it, is ours, as is the reach of melee without Reach (`MELEE_METRES`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, StepContext, Table
from fracas.kernel.placing import WEDGE, Placing, Spread
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup, Vocabulary
from fracas.rulesets.sr4.magic.cast_spell import CastSpell
from fracas.rulesets.sr4.melee.melee_attack import MeleeAttack
from fracas.rulesets.sr4.melee.melee_facts import MELEE_METRES, ON_HELD
from fracas.rulesets.sr4.melee.melee_sweep import MeleeSweep
from fracas.rulesets.sr4.movement import RUN, STATIONARY, WALK
from fracas.rulesets.sr4.ranged.blast_attack import BlastAttack
from fracas.rulesets.sr4.ranged.suppressive_fire import SuppressiveFire

ZONE = 10
"""Metres that a suppressed zone is wide at its far end (8.7)."""


class Places(TurnRules):
    """The part of the rules of fights that positions decide."""

    cover_words: Sequence[tuple[float, str]] = ((0.25, "partial"), (0.5, "good"))
    zone = "suppressing"
    bands: Sequence[str] = ("short", "medium", "long", "extreme")
    melee: Collection[str] = (MeleeAttack.id, MeleeSweep.id)

    def movement_span(self, options: Mapping[str, Any]) -> str:
        return "pass"

    def free_metres(self, table: Table, who: str) -> float | None:
        """As the movement that was declared says."""
        moving = self.movement(table, who)
        return moving.metres if moving is not None else None

    def modes(self, table: Table, who: str, lookup: EntryLookup) -> Mapping[str, float]:
        """Walking and running, where nothing keeps a combatant from it."""
        one = table.participants[who]
        now = self.movement(table, who)
        if not one.able or one.sheet.get("prone") or "held" in one.conditions or now is None:
            return {}
        passes = max(1, table.part, self.parts(table))
        found = {}
        for mode in (WALK, RUN):
            rate = one.sheet.get(mode)
            if isinstance(rate, int) and (now.mode == STATIONARY or rate / passes > (now.metres or 0)):
                found[mode] = rate / passes
        return found

    def reach(self, who: Participant, lookup: EntryLookup) -> float:
        return self._reach_with(who, self.longest_reach(who, lookup), lookup)

    def _reach_with(self, who: Participant, weapon: int, lookup: EntryLookup) -> float:
        metatype = lookup.entry("metatype", str(who.sheet.get("metatype", "")))
        own = metatype.data.get("reach", 0) if metatype is not None else 0
        return float(MELEE_METRES + max(0, weapon + own))

    def must_be_within(self, table: Table, who: str, intent: Intent) -> float | None:
        """With the weapon used; what is done to one held uses none. Positions do not show an interception."""
        strikes = intent.action.get("procedure") in self.melee
        if not strikes or intent.lookup is None or _given(intent, "interception"):
            return None
        weapon = 0 if _given(intent, "aim") in ON_HELD else intent.item_data.get("reach", 0)
        return self._reach_with(table.participants[who], weapon, intent.lookup)

    def placed(self, step: StepContext, placing: Placing, vocabulary: Vocabulary) -> Mapping[str, Any]:
        found = dict(super().placed(step, placing, vocabulary))
        if step.situation.get("interception"):
            found.pop("distance", None)
        return found

    def spread(self, table: Table, who: str, intent: Intent) -> Spread:
        procedure = intent.action.get("procedure")
        if procedure == SuppressiveFire.id:
            return Spread(WEDGE, width=ZONE)
        if procedure == CastSpell.id:
            force = intent.situation.get("force")
            return Spread(reach=float(force)) if isinstance(force, (int, float)) else Spread()
        if procedure != BlastAttack.id or intent.lookup is None:
            return Spread()
        loaded = intent.lookup.entry("ammunition", str(_ammunition(intent) or ""))
        data = {**(loaded.data if loaded is not None else {}), **intent.item_data}
        radius, falloff, dv = (data.get(name) for name in ("blast_radius", "blast_falloff", "dv"))
        if radius is None and isinstance(dv, int) and isinstance(falloff, int) and falloff:
            radius = -(-dv // falloff)
        dice = max(int(value) for name, value in table.options.items() if name.startswith("scatter_dice_"))
        if intent.item_data.get("category") == "grenade":
            dice = int(table.options["scatter_dice_standard"])
        return Spread(reach=radius, scatter=2 * 6 * dice)  # a glitch doubles it


def _given(intent: Intent, field: str) -> Any:
    """What the action or the command says of a field of the situation."""
    return {**intent.action.get("situation", {}), **intent.situation}.get(field)


def _ammunition(intent: Intent) -> Any:
    given = intent.situation.get("weapon")
    given = given.get("ammunition") if isinstance(given, Mapping) else None
    return given or intent.state.get("ammunition") or intent.item_data.get("ammunition")
