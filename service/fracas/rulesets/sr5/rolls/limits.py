"""The limits of a test: the most hits that count (rulebook section 8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from fracas.errors import InputError
from fracas.kernel.required import missing
from fracas.kernel.tally import Entry

LIMITS = ("physical", "mental", "social", "astral")
_WEIGHTS: Mapping[str, Mapping[str, int]] = {
    "physical": {"strength": 2, "body": 1, "reaction": 1},
    "mental": {"logic": 2, "intuition": 1, "willpower": 1},
    "social": {"charisma": 2, "willpower": 1, "essence": 1},
}


_OF_ASTRAL = ("mental", "social")
BONUS = {"physical": "limit_bonus", "mental": "mental_limit_bonus", "social": "social_limit_bonus"}
"""What drugs and the like add to each limit, as a field of a combatant."""


def limit_of(facts: Mapping[str, Any], who: str, name: str) -> int | None:
    """A limit of a combatant, rounded up; None where an attribute is not said. Astral is the higher of two others."""
    if name == "astral":
        both = [(limit_of(facts, who, other), facts.get(f"{who}.{BONUS[other]}", 0)) for other in _OF_ASTRAL]
        known = [limit + more for limit, more in both if limit is not None]
        return max(known) if len(known) == len(both) else None
    total = 0.0
    for attribute, weight in _WEIGHTS[name].items():
        rating = facts.get(f"{who}.{attribute}")
        if rating is None:
            return None
        total += weight * rating
    return ceil(round(total, 6) / 3)


def limit_entries(facts: Mapping[str, Any], who: str, name: str) -> list[Entry]:
    """The base of a limit's tally.

    Raises:
        InputError: an attribute that it is made of is not said; all of them are reported.
    """
    limit = limit_of(facts, who, name)
    if limit is None:
        parts = _OF_ASTRAL if name == "astral" else (name,)
        lacking = [
            attribute
            for attribute in dict.fromkeys(attribute for part in parts for attribute in _WEIGHTS[part])
            if facts.get(f"{who}.{attribute}") is None
        ]
        raise InputError(
            missing(f"{who}.{attribute}", f"{attribute.capitalize()}, for the {name.capitalize()} limit")
            for attribute in lacking
        )
    entries = [Entry(f"{name}-limit", f"{name.capitalize()} limit", limit)]
    more = facts.get(f"{who}.{BONUS[name]}", 0) if name in BONUS else 0
    return [*entries, Entry("limit-bonus", "Drugs and the like", more)] if more else entries
