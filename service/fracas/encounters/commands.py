"""Commands: what may be asked of a fight, and the event that each makes of it.

A command is checked against the state and makes one event, or is refused with the reason. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.encounters import contests, course, deeds, interruptions, roster
from fracas.encounters.desk import Command, Desk, Draft
from fracas.encounters.events import KNOWN, Event
from fracas.errors import ForbiddenError, RefusedError, StageCodecError


def decide(desk: Desk, command: Command) -> Event:
    """The event that a command makes.

    Args:
        command: as `schemas.load_command` leaves it.

    Raises:
        RefusedError: the fight does not allow it now.
        ForbiddenError: the command is not for the caller.
        InputError: it names what is not there, or the rules lack a fact.
    """
    kind = command["command"]
    if desk.by.role == "observer":
        raise ForbiddenError("observers command nobody")
    if desk.state.phase == "closed":  # its seed is disclosed: no die may be thrown any more
        raise RefusedError("closed", "the fight is over")
    try:
        type, data, hidden = _HANDLERS[kind](desk, command)
    except StageCodecError as error:
        message = f"another version of Fracas began this step ({error}): discard it and begin it again"
        raise RefusedError("other-version", message) from None
    by = {"role": desk.by.role, "token": desk.by.token, "label": desk.by.label}
    event = Event(desk.version, type, KNOWN[type], desk.at, by, hidden, desk.dice.draw, data)
    return interruptions.with_ended(desk, event)


_HANDLERS: Mapping[str, Callable[[Desk, Command], Draft]] = {
    "join": roster.join,
    "leave": roster.leave,
    "begin-turn": course.begin_turn,
    "roll-initiative": course.roll_initiative,
    "act": deeds.act,
    "answer": deeds.answer,
    "apply": deeds.apply,
    "discard": deeds.discard,
    "contest": contests.contest,
    "spend": deeds.spend,
    "delay": course.delay,
    "intervene": course.intervene,
    "set": roster.set_by_hand,
    "next": course.next_slot,
    "undo": course.undo,
    "redo": course.redo,
    "close": course.close,
}

COMMANDS = tuple(_HANDLERS)
