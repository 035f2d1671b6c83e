"""What follows from what a combatant holds: abilities, weight, what is fixed to it, the injuries of the arm that uses
it.

Rulebook sections 3.2 (merged actions), 6 (Encumbrance), 8.4 (arms), 10.4 (accessories) and 10.5 (force weapons).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.ruleset import Asked
from fracas.kernel.tables import row_of
from fracas.rulesets.imperium.checks.abilities import allows, is_merged, with_grants
from fracas.rulesets.imperium.checks.faults import Faults
from fracas.rulesets.imperium.checks.percentile import part_of

PSYCHIC, FORCE = "psychic-powers", "force"
ONE_ARM = "one-arm"
"""The row of the table ``halving`` for the Strength of one arm."""
_MUNDANE = ("damage", "ws_modifier", "parry_penalty", "may_parry", "encumbrance")
"""What a force weapon has of its ordinary counterpart for a combatant without psychic powers."""


def common_facts(asked: Asked, faults: Faults) -> dict[str, Any]:
    """The facts said, with the house rules and what both kinds of attack derive alike."""
    facts = with_grants(asked.said.facts, "attacker", "target")
    for name, value in asked.options.items():
        facts.setdefault(f"option.{name}", value)
    facts.setdefault("target.conscious", True)
    for weapon in ("weapon", "parry"):
        if f"{weapon}.fixed" in facts:
            facts[f"{weapon}.mods"] = (*facts.get(f"{weapon}.mods", ()), facts[f"{weapon}.fixed"])
    facts["action.merged"] = is_merged(facts)
    without_powers(facts, "attacker", "weapon", faults)
    facts |= _arm(facts)
    return facts


def without_powers(facts: dict[str, Any], who: str, weapon: str, faults: Faults) -> None:
    """A force weapon is its ordinary counterpart to a combatant without psychic powers (section 10.5).

    One without a counterpart stays what it is (ours).
    """
    if FORCE not in facts.get(f"{weapon}.features", ()):
        return
    if f"{who}.grants" not in facts:
        faults.need(f"{who}.traits", "the abilities of the user of a force weapon; an empty list for none")
        return
    counterpart = facts.get(f"{weapon}.mundane_weapon")
    if counterpart is None or allows(facts, who, PSYCHIC):
        return
    for name in _MUNDANE:
        if name in counterpart.data:
            facts[f"{weapon}.{name}"] = counterpart.data[name]


def encumbered(
    asked: Asked, facts: Mapping[str, Any], weapon: str, who: str, one_handed: bool
) -> dict[str, Any]:
    """How far a weapon and what is fixed to it exceed the Strength that counts; nothing where that is unknown."""
    if f"{weapon}.encumbrance" not in facts or f"{who}.strength" not in facts:
        return {}
    strength = facts[f"{who}.strength"]
    if one_handed:
        divisor = row_of(asked.catalog, "halving", ONE_ARM)["divisor"]
        strength = part_of(strength, (1, divisor), asked.options["rounding"])
    fixed = sum(mod.data.get("encumbrance", 0) for mod in facts.get(f"{weapon}.mods", ()))
    return {f"{weapon}.excess": max(0, facts[f"{weapon}.encumbrance"] + fixed - strength)}


def _arm(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The injury of the arm used, of both the worse."""
    injuries = facts.get("attacker.injuries")
    if injuries is None:
        return {}
    used = facts.get("action.arm", "both")
    arms = ("right", "left") if used == "both" else (used,)
    return {"action.arm_injury": max(injuries.get(f"{arm}-arm", 0) for arm in arms)}


def uses_one_arm(facts: Mapping[str, Any]) -> bool:
    return bool(facts.get("action.arm", "both") != "both")
