"""Commands: what may be asked of a fight, and the event that each makes of it.

A command is checked against the state and makes one event, or is refused with the reason. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.encounters import (
    action_commands,
    combatant_commands,
    contests,
    house_rule_commands,
    interruptions,
    position_commands,
    step_commands,
    turn_commands,
)
from fracas.encounters.command_context import Command, CommandContext, Draft
from fracas.encounters.events import KNOWN, Event
from fracas.errors import ForbiddenError, RefusedError, StageCodecError


def decide(context: CommandContext, command: Command) -> Event:
    """The event that a command makes.

    Args:
        command: as `schemas.load_command` leaves it.

    Raises:
        RefusedError: the fight does not allow it now.
        ForbiddenError: the command is not for the caller.
        InputError: it names what is not there, or the rules lack a fact.
    """
    kind = command["command"]
    if context.by.role == "observer":
        raise ForbiddenError("observers cannot send commands")
    if context.state.phase == "closed":  # its seed is disclosed: no die may be thrown any more
        raise RefusedError("closed", "the fight is over")
    try:
        type, data, hidden = _HANDLERS[kind](context._replace(prepared=context.scene()), command)
    except StageCodecError as error:
        message = f"another version of Fracas began this step ({error}): discard it and begin it again"
        raise RefusedError("other-version", message) from None
    by = {"role": context.by.role, "token": context.by.token, "label": context.by.label}
    event = Event(context.version, type, KNOWN[type], context.at, by, hidden, context.dice.draw, data)
    return interruptions.with_ended(context, event)


_HANDLERS: Mapping[str, Callable[[CommandContext, Command], Draft]] = {
    "join": combatant_commands.join,
    "leave": combatant_commands.leave,
    "begin-turn": turn_commands.begin_turn,
    "roll-initiative": turn_commands.roll_initiative,
    "act": action_commands.act,
    "answer": step_commands.answer,
    "apply": step_commands.apply,
    "discard": step_commands.discard,
    "contest": contests.contest,
    "spend": step_commands.spend,
    "delay": turn_commands.delay,
    "intervene": turn_commands.intervene,
    "set": combatant_commands.set_by_hand,
    "place": position_commands.place,
    "move": position_commands.move,
    "map": position_commands.map_areas,
    "change-rules": house_rule_commands.change_rules,
    "next": turn_commands.next_slot,
    "undo": turn_commands.undo,
    "redo": turn_commands.redo,
    "contribute": turn_commands.contribute,
    "close": turn_commands.close,
}

COMMANDS = tuple(_HANDLERS)
