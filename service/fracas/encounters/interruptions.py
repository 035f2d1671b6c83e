"""Interruptions come first: a combatant taken out by another's action does not finish the step that it cuts in on.

A held action, an Instant or an interception may be taken while a combatant's step waits for dice. Where it takes that
combatant out, their step ends, and the event says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.encounters import fold, order
from fracas.encounters.command_context import CommandContext
from fracas.encounters.events import Event
from fracas.encounters.state import Resolution, State, resolution_of

_FINISHING = ("acted", "answered", "applied")
"""Types of events in which a step may end, and take a combatant out."""


def with_ended(context: CommandContext, event: Event) -> Event:
    """The event, with the steps that end by it under ``ended``: of those that it takes out, as they are not over."""
    waiting = [one for one in context.state.resolutions.values() if _waits(one)]
    if not waiting or event.type not in _FINISHING or context.state.due:  # what is due happens by itself
        return event
    finished = {one.id: one for one in _finished(context.state, event)}
    waiting = [one for one in waiting if one.id not in finished]
    if not finished or not waiting:
        return event
    after = fold.apply(context.rules, context.state, event)
    ended = [
        one
        for one in waiting
        if one.id in after.resolutions
        and _able(context, context.state, one.actor)
        and not _able(context, after, one.actor)
        and one.actor not in after.shielded
        and any(_interrupts(context, cause, one) for cause in finished.values())
    ]
    if not ended:
        return event
    return event._replace(data={**event.data, "ended": [_described(context, one) for one in ended]})


def _finished(state: State, event: Event) -> Iterator[Resolution]:
    """The steps whose effects an event applies."""
    data = event.data
    if event.type == "applied":
        yield state.resolutions[data["resolution"]]
    for step in (data.get("step"), *data.get("steps", ())):
        if step and step.get("outcome") is not None and step.get("applied"):
            opened = step.get("open")
            yield resolution_of(opened) if opened else state.resolutions[step["resolution"]]


def _waits(one: Resolution) -> bool:
    return one.purpose == "action" and one.outcome is None


def _able(context: CommandContext, state: State, id: str) -> bool:
    combatant = state.combatants.get(id)
    return combatant is not None and order.participant(context.rules, combatant, state.options).able


def _interrupts(context: CommandContext, cause: Resolution, one: Resolution) -> bool:
    action = context.game.packs.entry("action", one.action)
    if cause.actor == one.actor or (action is not None and action.data.get("while_unable")):
        return False
    return not context.rules.at_once(cause.action, one.action)


def _described(context: CommandContext, one: Resolution) -> Mapping[str, Any]:
    action = context.game.packs.entry("action", one.action)
    label = action.label if action is not None else one.action
    return {
        "resolution": one.id,
        "combatant": one.actor,
        "action": one.action,
        "label": label,
        "hidden": one.hidden,
    }
