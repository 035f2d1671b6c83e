"""What the rules have against an action beyond the words that it needs (rulebook sections 5, 6, 9.2 and 14).

Ways to take an action among which a command has to choose: the spells of a caster, the mode in which a gun fires.

What becomes of a thing that is thrown: one less of several, and the last is out of the hand (section 11.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, Suggestion, plainly_handled
from fracas.kernel.stage import Fact
from fracas.rulesets.sr5.magic.cast_spell import CastSpell

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


_VOLLEY = "ranged-volley"
_MODES = {"SA": "semi-automatic", "SS": "single-shot", "BF": "burst", "FA": "full-automatic"}
"""What a gun fires that is set so, the fewest bullets first."""


def suggested(who: Participant, intent: Intent) -> list[Suggestion]:
    """The likeliest way first; empty where there is nothing to choose."""
    procedure = intent.action.get("procedure")
    if procedure == CastSpell.id:
        return _spells(who, intent)
    modes = intent.thing.get("modes", ())
    said = intent.action.get("situation", {}).get("fire", {})
    if procedure != _VOLLEY or "mode" in said:
        return []
    return [Suggestion({"fire": {"mode": fired}}) for mode, fired in _MODES.items() if mode in modes][:1]


def _spells(who: Participant, intent: Intent) -> list[Suggestion]:
    """The combat spells on the sheet, at a Force equal to the Magic: more than that is overcast."""
    magic = who.sheet.get("magic")
    if intent.catalog is None or not magic:
        return []
    known = [intent.catalog.entry("power", str(slug)) for slug in who.sheet.get("powers", ())]
    return [
        Suggestion({"spell": spell.slug, "force": magic}, spell.label)
        for spell in known
        if spell is not None and "form" in spell.data
    ]


def unknown_spell(who: Participant, intent: Intent) -> str:
    """Why a spell is not cast: where the spells of a caster are known, they cast no other. "" if nothing speaks
    against it."""
    said, known = intent.situation.get("spell"), who.sheet.get("powers")
    name = said.get("use") if isinstance(said, Mapping) else said
    if intent.action.get("procedure") != CastSpell.id or known is None or not isinstance(name, str):
        return ""
    entry = intent.catalog.entry("power", name) if intent.catalog is not None else None
    if entry is None or any(str(power).rpartition("/")[2] == entry.slug for power in known):
        return ""
    return f"{who.name} does not know the spell {entry.label}"


THROWN = "thrown"
"""The state of what has been thrown and goes off: nobody picks it up again."""
_GOES_OFF, _LIES_THERE = "grenade", "throwing-weapon"


def handled(what: str, intent: Intent) -> Mapping[str, Fact]:
    """The states that an action's ``item`` word sets; what is used up by throwing is told by its category."""
    category = intent.thing.get("category")
    if what != "use" or "procedure" not in intent.action or category not in (_GOES_OFF, _LIES_THERE):
        return plainly_handled(what, intent.thing)
    have = intent.state.get("rounds")
    if isinstance(have, int) and have > 1:
        return {"rounds": have - 1}
    return {"ready": False, **({THROWN: True} if category == _GOES_OFF else {"dropped": True})}


def why_not_in_hand(intent: Intent) -> str:
    """What keeps a thing from being made ready; "" for nothing."""
    if intent.action.get("item") != "ready":
        return ""
    if intent.state.get(THROWN):
        return "it has been thrown"
    return "it lies on the ground: pick it up first" if intent.state.get("dropped") else ""
