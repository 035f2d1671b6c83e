"""Things in hand: drawing and putting away, and the job of reloading (rulebook sections 3.1 and 5.1).

A thing is ready (in hand), put away, or lies on the ground (``dropped``). What a fight knows of it beside that:
``rounds`` loaded, ``reloading`` (actions that have gone into reloading it without a break), ``spare_magazines`` if the
GM counts them, and what `kept` takes from the packs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, plainly_handled
from fracas.kernel.stage import Fact
from fracas.rulesets.imperium.fights.sheet import (
    CLOSE,
    OF_BODY,
    THROWN,
    TWO_HANDED,
    hands_taken,
    in_hand,
    is_used_up,
    useful_arms,
)

DRAW, LOAD = "draw", "load"
"""Words of an action's ``item``: taking in hand what is not, and putting away what is; an action of reloading."""
RELOADING = "reloading"
"""The condition of the packs, and the number of actions done."""
SPARE = "spare_magazines"
_BOTH_HANDS = frozenset(("basic", "heavy"))
_OF_BODY = frozenset(("unarmed", "improvised"))


def is_of_body(thing: Mapping[str, Any]) -> bool:
    """A fist, or the butt of a gun that is held anyway: never drawn, and never put away."""
    return not _OF_BODY.isdisjoint(thing.get("features", ()))


def kept(thing: Mapping[str, Any]) -> Mapping[str, Fact]:
    """What a fight keeps in mind of a thing: whether it strikes in close combat, takes both hands, is thrown, or
    belongs to the body; guns and grenades come loaded."""
    found: dict[str, Fact] = {}
    if is_of_body(thing):
        found[OF_BODY] = True
    elif thing.get("type") == "close":
        found[CLOSE] = True
    if thing.get("type") in _BOTH_HANDS:
        found[TWO_HANDED] = True
    if thing.get("type") == THROWN:
        found[THROWN] = True
    if isinstance(capacity := thing.get("capacity"), int):
        found["rounds"] = capacity
    return found


def handled(who: Participant, intent: Intent, what: str) -> Mapping[str, Fact]:
    """The states that an action's ``item`` word sets."""
    if what == DRAW:
        return plainly_handled("stow" if intent.state.get("ready") else "ready", intent.thing)
    if what == LOAD:
        return _loaded(who, intent)
    return plainly_handled(what, intent.thing)


def _loaded(who: Participant, intent: Intent) -> Mapping[str, Fact]:
    """One action of reloading. What is loaded directly gets its share of shots at once; a magazine goes in with the
    last of as many actions as the weapon takes, without a break."""
    capacity, needed = intent.thing.get("capacity"), intent.thing.get("reload")
    if not isinstance(capacity, int) or not isinstance(needed, int):
        return {}
    if intent.thing.get("loaded_directly"):
        rounds = intent.state.get("rounds")
        return {"rounds": min(capacity, rounds - (-capacity // needed))} if isinstance(rounds, int) else {}
    if not finishes(who, intent):
        return {RELOADING: _actions_done(who, intent) + 1}
    spare = intent.state.get(SPARE)
    told: dict[str, Fact] = {"rounds": capacity, RELOADING: 0}
    return told | ({SPARE: max(0, spare - 1)} if isinstance(spare, int) else {})


def _actions_done(who: Participant, intent: Intent) -> int:
    done = intent.state.get(RELOADING)
    going_on = intent.item in who.things.get(RELOADING, ())
    return done if going_on and isinstance(done, int) else 0


def finishes(who: Participant, intent: Intent) -> bool:
    """Whether one more action ends the job of reloading."""
    needed = intent.thing.get("reload")
    if intent.thing.get("loaded_directly") or not isinstance(needed, int):
        return True
    return _actions_done(who, intent) + 1 >= needed


def objections(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against handling a thing so."""
    what = intent.action.get("item")
    if what == DRAW and intent.item:
        yield from _against_drawing(who, intent)
    elif what == LOAD and intent.thing:
        yield from _against_loading(intent)


def _against_drawing(who: Participant, intent: Intent) -> Iterator[str]:
    drawn = [one for one in (intent, intent.second) if one is not None]
    if any(is_of_body(one.thing) for one in drawn):
        yield "it is always at hand"
        return
    if any(one.state.get("destroyed") for one in drawn):
        yield "it is destroyed"
    if any(is_used_up(one.state) for one in drawn):
        yield "none is left"
    names = {one.item for one in drawn}
    held = [who.items[name] for name in in_hand(who) if name not in names]
    fresh = [kept(one.thing) for one in drawn if not one.state.get("ready")]
    if fresh and hands_taken((*held, *fresh)) > useful_arms(who):
        yield "has no hand free for it; what is named with it is put away by the same action"


def _against_loading(intent: Intent) -> Iterator[str]:
    capacity, rounds = intent.thing.get("capacity"), intent.state.get("rounds")
    if intent.thing.get("one_shot") or not isinstance(intent.thing.get("reload"), int):
        yield "it is not reloaded"
    elif isinstance(rounds, int) and isinstance(capacity, int) and rounds >= capacity:
        yield "it is fully loaded"


def has_spare(state: Mapping[str, Fact]) -> bool | None:
    """A magazine at hand, where they are counted."""
    spare = state.get(SPARE)
    return spare > 0 if isinstance(spare, int) else None
