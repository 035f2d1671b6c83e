"""Things in hand: readied and Stowed, how much of both somebody carries, magazines (rulebook sections 1.7 and 3).

A thing is Readied (``ready``), Stowed, or lies on the ground (``dropped``). What a fight knows of it beside that:
``rounds`` loaded, ``spare_magazines`` (also quivers) if the GM counts them, and what `kept` takes from the packs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table, plainly_handled
from fracas.kernel.stage import Fact
from fracas.kernel.turns import TurnRules
from fracas.rulesets.cwn.fights.crews import is_machine
from fracas.rulesets.cwn.fights.melee import MELEE

SIZE, QUICK = "size", "quick"
SPARE = "spare_magazines"
HEATED = "thermal_charge_active"
GRENADE = "loaded_grenade"
"""The grenade in a launcher, as a slug of the packs."""


FIST = "unarmed"
"""The weapon of the packs that everybody has."""


def is_of_body(thing: Mapping[str, Any]) -> bool:
    """A fist, a blade of the body, teeth: always ready, and never put away."""
    return thing.get("type") == "unarmed" or bool(thing.get("of_body"))


class Handling(TurnRules):
    """What fights keep of things, and which are in hand."""

    def first_readied(self, sheet: Mapping[str, Any], things: Sequence[Mapping[str, Any]]) -> list[bool]:
        """A stat block has all of its weapons Readied, as no Strength limits it (1.7); others have their first."""
        return [at == 0 or "strength" not in sheet for at in range(len(things))]

    def bare_hands(self, sheet: Mapping[str, Any]) -> str:
        return "" if is_machine(sheet) else FIST

    def at_hand(self, thing: Mapping[str, Any]) -> bool:
        return is_of_body(thing)

    def kept(self, thing: Mapping[str, Any]) -> Mapping[str, Fact]:
        """Whether it serves in melee, its encumbrance, and that a gun of a vehicle is always ready."""
        found: dict[str, Fact] = {"ready": True} if "mount" in thing else {}
        if thing.get("type") == "melee":
            found[MELEE] = True
        if isinstance(size := thing.get("encumbrance"), int) and size and not is_of_body(thing):
            found[SIZE] = size
        return found

    def handled(self, table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
        """Who picks a thing up has it Readied in the hand; loading takes a spare magazine, where they are counted."""
        if what == "pick-up":
            return plainly_handled("ready", intent.thing)
        if what == "use" and "thermal-charge" in intent.action.get("needs", ()):
            return {HEATED: True}
        told = dict(plainly_handled(what, intent.thing))
        spare, weapon = intent.state.get(SPARE), intent.situation.get("weapon")
        if what == "load" and isinstance(spare, int):
            told[SPARE] = max(0, spare - 1)
        grenade = weapon.get(GRENADE) if isinstance(weapon, Mapping) else None
        if what == "load" and intent.thing.get("type") == "launcher" and isinstance(grenade, str):
            told[GRENADE] = grenade
        return told


def objections(who: Participant, intent: Intent) -> Iterable[str]:
    """What speaks against handling a thing so."""
    what, state = intent.action.get("item"), intent.state
    if what in (None, "use") or not intent.item:
        return
    if what == "load":
        yield from _against_loading(intent)
        return
    if what in ("ready", "stow") and state.get("dropped"):
        yield "it lies on the ground: pick it up"
    elif what == "ready" and state.get("ready"):
        yield "it is Readied already"
    elif what == "stow" and state.get("ready") is False:
        yield "it is Stowed already"
    elif what == "drop" and state.get("dropped"):
        yield "it lies on the ground already"
    elif what in ("stow", "drop") and is_of_body(intent.thing):
        yield "it is part of the body"
    elif what in ("ready", "pick-up", "stow"):
        yield from _overloaded(who, intent, readied=what != "stow")


def _against_loading(intent: Intent) -> Iterable[str]:
    magazine, rounds = intent.thing.get("magazine"), intent.state.get("rounds")
    if intent.thing and not isinstance(magazine, int):
        yield "it is not reloaded"
    elif isinstance(rounds, int) and isinstance(magazine, int) and rounds >= magazine:
        yield "it is fully loaded"


def capacity(who: Participant) -> tuple[int, int] | None:
    """Items that somebody carries Readied, and Stowed (1.7); None where the Strength is not known."""
    strength = who.sheet.get("strength")
    return (strength // 2, strength) if isinstance(strength, int) else None


def carried(who: Participant, *, readied: bool) -> int:
    """How many items of encumbrance somebody carries so, as far as the fight knows."""
    found = 0
    for state in who.items.values():
        size = state.get(SIZE)
        if isinstance(size, int) and not state.get("dropped") and bool(state.get("ready")) is readied:
            found += size
    return found


def _overloaded(who: Participant, intent: Intent, *, readied: bool) -> Iterable[str]:
    most, size = capacity(who), intent.thing.get("encumbrance", 0)
    if most is None or not isinstance(size, int) or not size:
        return
    limit, word = (most[0], "Readied") if readied else (most[1], "Stowed")
    have = carried(who, readied=readied)
    if have + size > limit:
        yield f"{have} of {limit} items are {word} already, and this one counts {size}"


def has_spare(intent: Intent) -> bool | None:
    """A magazine or quiver at hand, where they are counted."""
    spare = intent.state.get(SPARE)
    return spare > 0 if isinstance(spare, int) else None


def reloads_quickly(intent: Intent) -> bool | None:
    return intent.thing.get("reload") == QUICK if intent.thing else None
