"""What the rules have against an action beyond the words that it needs (rulebook sections 3, 5.1 and 8.4)."""

from __future__ import annotations

from collections.abc import Iterator

from fracas.kernel.intents import Intent, Participant, Table
from fracas.rulesets.imperium.fights import handling, pairs
from fracas.rulesets.imperium.fights.sheet import TWO_HANDED, useful_arms

_WITH_A_WEAPON = frozenset(("shooting", "close-combat"))


def objections(table: Table, who: Participant, intent: Intent) -> list[str]:
    """Every reason against it, as sentences without a full stop."""
    return [*pairs.objections(who, intent), *_hands(who, intent)]


def _hands(who: Participant, intent: Intent) -> Iterator[str]:
    if intent.action.get("procedure") in _WITH_A_WEAPON:
        if intent.second is not None:
            yield "one weapon is used at a time"
        if intent.state.get(TWO_HANDED) and useful_arms(who) < 2:
            yield "it takes two hands"
    yield from handling.objections(who, intent)
