"""Dice that were thrown again after an undo: the event says what was thrown, and how often by now.

An undo takes back what a roll did, not the roll. A combatant who throws again gets other dice, and everybody sees that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from fracas.encounters.events import Event, Ranges, dice_fell
from fracas.encounters.state import State

THROW = "throw"
"""Where an event keeps what was thrown (``of``) and how often (``times``); events of earlier versions do not."""

Of = tuple[Any, ...]
"""What was thrown: the type of the event, then who does what, then turn and part."""


def thrown(event: Event, before: State, draws: int) -> Of | None:
    """What an event throws; None if no dice fall in it.

    Args:
        before: the fight before it.
        draws: draws of dice before it.
    """
    if not dice_fell(event, draws):
        return None
    data = event.data
    if event.type == "began-turn":
        return event.type, before.turn + 1
    what: Of = ()
    if event.type == "acted":
        what = (data["combatant"], data["action"])
    elif event.type == "contested":
        what = (data["contest"],)
    elif event.type == "answered":
        one = before.resolutions.get(data["steps"][0].get("resolution", "")) if data["steps"] else None
        what = (one.purpose, one.actor, one.action, len(one.answers)) if one is not None else ()
    elif event.type == "applied":
        one = before.resolutions.get(data["resolution"])
        what = (one.actor, one.action) if one is not None else ()
    elif event.type in ("joined", "set"):
        what = (data["combatant"]["id"] if event.type == "joined" else data["combatant"],)
    return event.type, *what, before.turn, before.part


def kept_in(event: Event) -> tuple[Of, int] | None:
    """What an event keeps of its throw."""
    known = event.data.get(THROW)
    return (tuple(known["of"]), known["times"]) if known else None


def called(event: Event) -> str:
    """What people call that which an event throws."""
    return "initiative" if event.type in ("began-turn", "rolled-initiative") else "dice"


def kept(of: Of, undone: Mapping[Of, int]) -> Mapping[str, Any]:
    """What an event keeps of what it throws.

    Args:
        undone: how often each was thrown in events that do not count any more.
    """
    return {"of": list(of), "times": 1 + undone.get(of, 0)}


def counted(events: Iterable[Event]) -> Counter[Of]:
    """How often each was thrown in these events."""
    return Counter(one[0] for one in map(kept_in, events) if one is not None)


def beyond(ranges: Ranges, known: Ranges) -> Ranges:
    """The versions of `ranges` that are not among the `known`, as ranges."""
    found = []
    for first, last in ranges:
        for begins, ends in known:
            if ends < first or begins > last:
                continue
            if first < begins:
                found.append((first, begins - 1))
            first = ends + 1
        if first <= last:
            found.append((first, last))
    return tuple(found)


def gaps(past: Ranges, version: int) -> Ranges:
    """The versions up to and with `version` that do not count, as ranges."""
    found, first = [], 1
    for begins, ends in (*past, (version + 1, version + 1)):
        if first < begins:
            found.append((first, begins - 1))
        first = ends + 1
    return tuple(found)
