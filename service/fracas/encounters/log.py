"""The log of a fight for people who were there: everything as JSON, which `audit.verify` recomputes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fracas import __version__
from fracas.encounters import sight
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event
from fracas.encounters.fight import Fight
from fracas.encounters.state import to_json
from fracas.encounters.transcript import written
from fracas.errors import ForbiddenError

FORMAT, VERSION = "fracas-log", 2
"""Logs of version 1 have no hashes: neither `head` nor `previous` and `salt` of events."""


def log_json(encounters: Encounters, id: str, viewer: Author) -> dict[str, Any]:
    """A fight with all its events, also those that are undone, ready for JSON.

    The GM gets the events exactly as they are stored, and the state that they make. Others get what they may see of
    them (``complete`` is false), and no state. The seed of the dice is disclosed once the fight is closed.

    Raises:
        NoEncounterError: there is none of that id.
        ForbiddenError: the fight is not closed, and the viewer is not the GM.
    """
    fight, events = opened(encounters, id, viewer)
    complete = sight.sees_all(viewer)
    reported = events[0].data
    closed = fight.state.phase == "closed"
    return {
        "format": FORMAT,
        "version": VERSION,
        "fracas": __version__,
        "encounter": id,
        "title": reported["title"],
        "ruleset": reported["ruleset"],
        "packs": reported["packs"],
        "viewer": viewer.role,
        "complete": complete,
        "closed": closed,
        "commitment": reported["commitment"],
        "seed": events[-1].data["seed"] if closed else None,
        "draws": fight.history.draws,
        "head": fight.head,
        "counts": to_json(fight.history.past),
        "events": [sight.event(event, viewer, fight.state) for event in events],
        "state": to_json(fight.state) if complete else None,
    }


def opened(encounters: Encounters, id: str, viewer: Author) -> tuple[Fight, Sequence[Event]]:
    """A fight and its events, for a viewer who may have its log.

    Raises:
        NoEncounterError, ForbiddenError: see `log_json`.
    """
    fight = encounters.fight(id)
    if not sight.sees_all(viewer) and fight.state.phase != "closed":
        raise ForbiddenError("the log is the GM's until the fight is closed")
    return fight, encounters.events(id, 0, fight.history.version)


def log_markdown(encounters: Encounters, id: str, viewer: Author) -> str:
    """The same as a text that people can read; see `transcript`.

    Raises:
        NoEncounterError, ForbiddenError: see `log_json`.
    """
    fight, events = opened(encounters, id, viewer)
    return written(encounters.game(fight), encounters.rules(fight), fight, events, viewer)
