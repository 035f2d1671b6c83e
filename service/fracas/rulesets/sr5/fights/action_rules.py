"""What the rules have against an action beyond the words that it needs (rulebook sections 5, 6, 9.2 and 14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant
from fracas.rulesets.sr5.fights.throwing import why_not_in_hand
from fracas.rulesets.sr5.fights.ways import unknown_spell

AIMING = "aiming"
ATTACK, SHOT = "attack", "shot"
"""What a fight counts in a phase: attack actions, and those of them that fire a weapon."""
_ATTACKS = (
    "ranged-attack",
    "ranged-volley",
    "suppressive-fire",
    "melee-attack",
    "melee-sweep",
    "blast-attack",
)
"""Procedures by which a combatant attacks, with a weapon or bare hands."""
_SHOTS = ("ranged-attack", "ranged-volley", "suppressive-fire")
_FOR_NOTHING: list[dict[str, int]] = [{}]


def is_attack(action: Mapping[str, Any]) -> bool:
    """An action that attacks a combatant; what goes off by itself is none."""
    return action.get("procedure") in _ATTACKS and action.get("cost") != _FOR_NOTHING


def deeds(intent: Intent) -> list[str]:
    """What an action counts as in a phase."""
    shot = intent.action.get("procedure") in _SHOTS
    return [ATTACK] * is_attack(intent.action) + [SHOT] * shot


def objections(who: Participant, intent: Intent) -> list[str]:
    """Every reason against it, as sentences without a full stop."""
    found = (
        _attacks_again(who, intent),
        _aims_too_often(who, intent),
        _is_empty(intent),
        why_not_in_hand(intent),
        unknown_spell(who, intent),
    )
    return [reason for reason in found if reason]


def _attacks_again(who: Participant, intent: Intent) -> str:
    """Where attacks cost what they do in the ordinary game, there are only so many in a phase."""
    if who.options.get("attack_cost", "house") != "core" or not is_attack(intent.action):
        return ""
    most = int(who.options.get("max_attacks", 1))
    if who.did.get(ATTACK, 0) < most:
        return ""
    return f"at most {most} attack action{'s' if most > 1 else ''} in a phase"


def most_aims(sheet: Mapping[str, Any]) -> int | None:
    """Take Aim counts up to half the Willpower, rounded up; None where that is not known."""
    willpower = sheet.get("willpower")
    return -(-willpower // 2) if isinstance(willpower, int) else None


def _aims_too_often(who: Participant, intent: Intent) -> str:
    if AIMING not in intent.action.get("conditions", ()):
        return ""
    most, aims = most_aims(who.sheet), who.sheet.get("take_aim", 0)
    if most is None or aims < most:
        return ""
    return f"at most {most} Take Aim in sequence, half the Willpower"


def _is_empty(intent: Intent) -> str:
    fires = is_attack(intent.action)
    return (
        "the weapon is empty" if fires and intent.state.get("rounds") == 0 and "modes" in intent.thing else ""
    )
