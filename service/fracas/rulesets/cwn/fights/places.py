"""What positions mean in Cities Without Number: Moves, melee range, range bands, cover, blasts and cones of fire.

Rulebook sections 3, 4.2, 4.5, 4.6, 5.6 and 5.7. That walls give half cover from a quarter of the body on, near-total
cover from three quarters and total cover when nothing is seen is ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.placing import DISC, FAN, LINE, Spread
from fracas.kernel.scattering import GOES_OFF
from fracas.kernel.turns import TurnRules
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.cwn.fights import melee
from fracas.rulesets.cwn.fights.action_rules import move_of
from fracas.rulesets.cwn.fights.sheet import listed

CONE = 90
"""Degrees of the cone of suppressive fire (5.6)."""
GHOST = 10
"""Metres of a move unseen (10.1)."""
_STRIKES = frozenset(("shove", "grapple", "drag-grappled", "escape-grapple"))
ONE_NEAR = "victim-within-5-metres"
"""What an action needs that strikes a single victim near by (10.3)."""
_DICE = re.compile(r"(\d+)d(\d+)")


class Places(TurnRules):
    """The part of the rules of fights that positions decide."""

    cover_words: Sequence[tuple[float, str]] = ((0.25, "half"), (0.75, "near-total"), (0.999, "total"))

    def free_metres(self, table: Table, who: str) -> float | None:
        """None: moving is an action, where the sheet says how far a Move goes."""
        return None if move_of(table.participants[who]) is None else 0.0

    def strides(self, table: Table, who: str, lookup: EntryLookup) -> Mapping[str, float]:
        rate = move_of(table.participants[who])
        if rate is None:
            return {}
        ways = {"run": rate, "swift-move": rate, "charge": 2 * rate}
        unseen = listed(table.participants[who].sheet, "edges", "ghost")
        return {**ways, "ghost-move": min(rate, GHOST)} if unseen else ways

    def reach(self, who: Participant, lookup: EntryLookup) -> float:
        return melee.reach_of(who)

    def must_be_within(self, table: Table, who: str, intent: Intent) -> float | None:
        """Blows and bare hands reach as far as the melee range; what strikes one near by, as far as it says."""
        procedure = intent.action.get("procedure")
        if ONE_NEAR in intent.action.get("needs", ()):
            near = (_of_body(intent) or {}).get("blast", {}).get("reach")
            return float(near) if near is not None else None
        given = intent.situation.get("attack")
        kind = given.get("kind") if isinstance(given, Mapping) else None
        charge = intent.action.get("situation", {}).get("attack", {}).get("charge")
        strikes = kind or ("melee" if intent.item_data.get("type") in ("melee", "unarmed") else "")
        if procedure in _STRIKES or (procedure == "attack" and (strikes == "melee" or charge)):
            return melee.reach_of(table.participants[who])
        return None

    def range_bands(
        self, who: Participant, item_data: Mapping[str, Any], lookup: EntryLookup
    ) -> Sequence[tuple[str, float]]:
        known = (("normal", item_data.get("range_normal")), ("long", item_data.get("range_long")))
        return [(band, metres) for band, metres in known if isinstance(metres, (int, float)) and metres]

    def spread(self, table: Table, who: str, intent: Intent) -> Spread:
        procedure, data = intent.action.get("procedure"), intent.item_data
        if procedure == "suppressive-fire":
            return Spread(FAN, data.get("range_normal"), width=CONE)
        if procedure == "whirlwind":
            return Spread(reach=melee.reach_of(table.participants[who]), own=True, foes=True)
        if procedure != "blast":
            return Spread()
        of_body = _of_body(intent)
        own = _blast(intent, of_body if of_body is not None else data)
        if of_body is not None:
            if ONE_NEAR in intent.action.get("needs", ()):
                return Spread(reach=0.0)
            shape = LINE if own.get("shape") == "line" else DISC
            return Spread(shape, own.get("reach"), own=True, foes=own.get("harms") == "foes")
        dice = _DICE.match(str(own.get("scatter", "")))
        scatter = int(dice[1]) * int(dice[2]) if dice else 0
        return Spread(reach=own.get("reach"), scatter=scatter)


def _of_body(intent: Intent) -> Mapping[str, Any] | None:
    """The implant whose blast an action sets off, around or in front of its owner."""
    usual = intent.action.get("situation", {})
    if usual.get("aim") != GOES_OFF or intent.lookup is None:
        return None
    entry = intent.lookup.entry("weapon", str(usual.get("weapon", "")))
    return entry.data if entry is not None and entry.data.get("of_body") else None


def _blast(intent: Intent, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the blast of a weapon does; that of a launcher's grenade, where one is loaded."""
    own: Mapping[str, Any] = data.get("blast") or {}
    loaded = intent.state.get("loaded_grenade")
    like = own.get("like") or (loaded if isinstance(loaded, str) else "")
    grenade = intent.lookup.entry("weapon", like) if intent.lookup is not None and like else None
    return {**(grenade.data.get("blast", {}) if grenade is not None else {}), **own}
