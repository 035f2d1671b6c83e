"""What follows from the state of a combatant by the rules, beside any step: a full monitor knocks out, and bleeds.

Steps bring such effects themselves. Here are those of values that the GM sets, or with which a combatant joins, and of
conditions that come and go: a monitor that a spell makes shorter is full by damage taken before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.encounters import order
from fracas.encounters.by_itself import effects_of
from fracas.encounters.command_context import CommandContext
from fracas.encounters.consequences import resolved
from fracas.encounters.events import TIMELESS, Event
from fracas.encounters.state import Combatant, Resolution, State

FOLLOWS = "follows"
"""Where an event keeps these effects."""
BY_HAND = "by-hand"
"""The purpose of effects that no step has, where they follow as from a step."""
MENDED = "mended"
"""The moment at which a sheet no longer keeps its owner from acting."""

_Key = tuple[str, str, str]


def follows(context: CommandContext, before: Combatant | None, after: Combatant) -> list[dict[str, Any]]:
    """What the values of a combatant who joins (`before` is None), or has changed, lead to by the rules."""
    rules, options = context.rules, context.state.options
    seen = order.participant(rules, before, options) if before is not None else None
    found = rules.follows(seen, order.participant(rules, after, options), context.game.packs, options)
    nobody = Resolution("", BY_HAND, after.id, "", "", "", (), "", {}, False, None, None, (), {})
    return resolved(context, nobody, found)


def mended(context: CommandContext, before: Combatant, after: Combatant) -> list[dict[str, Any]]:
    """What ends when a sheet no longer keeps its owner from acting: the healed wake."""
    rules, options = context.rules, context.state.options
    was, now = (rules.unable(order.participant(rules, one, options)) for one in (before, after))
    if not was or now:
        return []
    return [
        {"type": "remove-condition", "who": after.id, "what": condition.slug}
        for condition in before.conditions
        if any(rules.moments.get(word) == MENDED for word in condition.ends)
    ]


def with_follows(context: CommandContext, event: Event, after: State) -> Event:
    """The event, with what follows from it under ``follows``: for those whose sheet takes them out by it, or no longer
    does, without the effects that the event has itself. The same event where nothing does.

    Args:
        context: of the command, with the fight before the event.
        after: the fight after it.
    """
    if event.type in TIMELESS:
        return event
    turned = list(_turned(context, after))
    if not turned:
        return event
    named = _named(context.state, event)
    found = [
        effect
        for was, one in turned
        for effect in (*follows(context, was, one), *mended(context, was, one))
        if _key(effect) not in named and not _is_so(one, effect)
    ]
    if not found:
        return event
    return event._replace(draws=context.dice.draw, data={**event.data, FOLLOWS: found})


def _turned(context: CommandContext, after: State) -> Iterator[tuple[Combatant, Combatant]]:
    """Combatants that their sheet takes out after an event, or in another way than before, or no longer: as they were,
    and as they are. Not those whose numbers the event changes: it has what follows from these."""
    before = context.state
    rules = context.rules
    for id, one in after.combatants.items():
        was = before.combatants.get(id)
        if was is None or one.gone or was.conditions is one.conditions or was.sheet != one.sheet:
            continue
        states = (
            rules.unable(order.participant(rules, each, state.options))
            for each, state in ((was, before), (one, after))
        )
        if len(set(states)) > 1:
            yield was, one


def _named(state: State, event: Event) -> frozenset[_Key]:
    """The effects of the event, and those that the GM has left out of it."""
    found = {_key(effect) for effect in effects_of(event.data)}
    if event.type == "applied":
        found |= {_key(effect) for effect in state.resolutions[event.data["resolution"]].effects}
    return frozenset(found)


def _key(effect: Mapping[str, Any]) -> _Key:
    return effect["type"], effect["who"], effect["what"]


def _is_so(one: Combatant, effect: Mapping[str, Any]) -> bool:
    """Whether a condition that is to end is over already."""
    return effect["type"] == "remove-condition" and all(
        condition.slug != effect["what"] for condition in one.conditions
    )
