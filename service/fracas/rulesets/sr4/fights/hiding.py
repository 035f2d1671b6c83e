"""Who is hidden from whom by illusions: rulebook sections 34.2 and 34.3."""

from __future__ import annotations

from fracas.kernel.intents import Participant
from fracas.rulesets.sr4.magic.illusions import SEES_THROUGH

FROM_PEOPLE, FROM_ALL = "invisible", "invisible-to-machines"
"""Conditions of those whom a mana spell, or a physical one, hides."""


def is_hidden(bearer: Participant, viewer: Participant) -> bool:
    """Whether an illusion hides one combatant from another, who has not seen through it; machines see through all that
    mana does."""
    mana_alone = FROM_ALL not in bearer.conditions
    if mana_alone and (FROM_PEOPLE not in bearer.conditions or viewer.sheet.get("vehicle")):
        return False
    return bearer.id not in viewer.towards.get(SEES_THROUGH, ())
