"""Whether what has just been settled changes who acts first, although a combatant's slot stands open already.

Surprise that comes to light after the turn has begun is such a thing. A slot that nobody has used for anything gives
way to the new order; one that has been used stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fracas.encounters import order, steps, taking_back
from fracas.encounters.command_context import CommandContext
from fracas.encounters.effects import Effect
from fracas.encounters.state import State
from fracas.encounters.steps import Wish


def unused(state: State) -> bool:
    """A combatant's slot stands open, and has been used for nothing."""
    people = (state.combatants[id] for id in state.acting)
    return (
        state.phase == "slot"
        and bool(state.acting)
        and not state.queue
        and not any(count > 0 for one in people for count in one.spent.values())
    )


def after(context: CommandContext, found: Iterable[Effect], state: State) -> dict[str, Any]:
    """What an event says of the new order; nothing where all stays as it is.

    Args:
        found: the effects of the event.
        state: the fight after them.
    """
    rules = context.rules
    if not any(effect["what"] in rules.resorting for effect in found) or state.phase != "slot":
        return {}
    if state.resolutions:
        return {}
    closes = unused(context.state)
    left = taking_back.close_again(rules, state) if closes else state
    again = [
        roll for roll in rules.initiative(order.table_of(rules, left)) if left.combatants[roll.who].rolled
    ]
    rolls, then = steps.initiative(context, left, Wish()) if again else ([], left)
    reported: dict[str, Any] = {"rolls": rolls} if rolls else {}
    if closes and (order.rolling(then) or _first(context, then) != state.acting):
        reported["reorders"] = True
    return reported


def _first(context: CommandContext, state: State) -> tuple[str, ...]:
    slots = context.rules.order(order.table_of(context.rules, state))
    return tuple(slots[0].actors) if slots else ()
