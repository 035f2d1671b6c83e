"""What can be distinguished from the sheet and the things of a combatant in a fight: abilities, arms and hands, stunned
or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fracas.kernel.intents import Participant
from fracas.kernel.stage import Fact
from fracas.kernel.vocabulary import Catalog

USELESS = 4
"""The level of injury from which an arm is of no use (section 8.4)."""
ARMS = ("right", "left")
TWO_HANDED, OF_BODY, CLOSE, THROWN = "two_handed", "of_body", "close", "thrown"
"""What a fight keeps in mind of a thing, see `handling.kept`."""

Thing = Mapping[str, Fact]


def granted(catalog: Catalog, who: Participant) -> frozenset[str] | None:
    """What a combatant's abilities allow; None where they are not given."""
    if "traits" not in who.sheet:
        return None
    found: set[str] = set()
    for reference in who.sheet["traits"]:
        entry = catalog.entry("trait", reference)
        found.update(entry.data.get("grants", ()) if entry is not None else ())
    return frozenset(found)


def injury(who: Participant, location: str) -> int:
    """The level of a location's injury."""
    levels = who.sheet.get("injuries")
    return int(levels.get(location, 0)) if isinstance(levels, Mapping) else 0


def bleedings(who: Participant) -> int:
    """How many bleeding injuries a combatant has."""
    told = who.sheet.get("bleeding")
    return sum(told.values()) if isinstance(told, Mapping) else 0


def stunned_actions(who: Participant) -> int:
    """Actions yet to lose."""
    told = who.sheet.get("stunned_actions")
    return told if isinstance(told, int) else 0


def in_hand(who: Participant) -> list[str]:
    """The things that a combatant holds, in the order in which they came by them; fists and the like are none, and what
    is thrown is gone."""
    return [
        name
        for name, state in who.items.items()
        if state.get("ready") and not state.get(OF_BODY) and not is_used_up(state)
    ]


def is_used_up(state: Thing) -> bool:
    """A thing that is thrown, of which none is left."""
    return bool(state.get(THROWN)) and state.get("rounds") == 0


def hands(who: Participant) -> dict[str, str]:
    """What each hand holds, by arm, "" for nothing: of two things the first is in the right hand, and a single one in
    the hand of the better arm; what takes two hands is in both."""
    held = in_hand(who)
    if any(who.items[name].get(TWO_HANDED) for name in held[:1]):
        return dict.fromkeys(ARMS, held[0])
    order = sorted(ARMS, key=lambda arm: injury(who, f"{arm}-arm") >= USELESS)
    found = dict.fromkeys(ARMS, "")
    for arm, name in zip(order, held, strict=False):
        found[arm] = name
    return found


def useful_arms(who: Participant) -> int:
    return sum(injury(who, f"{arm}-arm") < USELESS for arm in ARMS)


def hands_taken(states: Iterable[Thing]) -> int:
    """How many hands these things take; fists and the like none."""
    return sum(2 if state.get(TWO_HANDED) else 1 for state in states if not state.get(OF_BODY))


def parries_with(who: Participant) -> str:
    """The weapon of close combat that a combatant holds; "" for none."""
    return next((name for name in in_hand(who) if who.items[name].get(CLOSE)), "")
