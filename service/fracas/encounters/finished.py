"""A combat step as viewers see it, also when it is over: put together again from the events that hold its pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.encounters import by_itself, views
from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event, counts
from fracas.encounters.fight import Fight
from fracas.encounters.state import Resolution, resolution_of
from fracas.kernel.readers import Progress

_ID = re.compile(r"r([1-9]\d{0,15})(\.\d{1,6})?")
_AT_ONCE = 200
"""Events that are read at a time: most steps are over soon after they began."""


def step(
    encounters: Encounters,
    fight: Fight,
    id: str,
    viewer: Author,
    newest: Iterable[Event] = (),
    played: Progress | None = None,
) -> dict[str, Any] | None:
    """A step under way or over, with all its dice; None if there is none that stands and that the viewer may see.

    Args:
        id: as the event that opened it says, such as ``r12``.
        newest: the last events of the fight: a step that began and ended in them is not looked for in the store.
        played: a step that is over, as it was played; None: it is played again.
    """
    if id in fight.state.resolutions:
        return next(
            (one for one in views.steps(fight, viewer, encounters.glossary(fight)) if one["id"] == id), None
        )
    known = _ID.fullmatch(id)
    one, changes = _put_together(newest, id) if known else (None, ())
    if known and (one is None or one.outcome is None):
        one, changes = _put_together(_standing(encounters, fight, int(known[1])), id)
    reported = views.step_seen(one, fight.state, viewer, played) if one else None
    if one is None or reported is None:
        return None
    knows = viewer if one.hidden else views.EVERYBODY  # a viewer who may see it shows it to the whole table
    return {**reported, "changes": views.changed(changes, knows, fight.state, encounters.glossary(fight))}


def _standing(encounters: Encounters, fight: Fight, first: int) -> Iterator[Event]:
    """The events from one version on that count."""
    for after in range(first - 1, fight.history.version, _AT_ONCE):
        for event in encounters.events(fight.id, after, after + _AT_ONCE):
            if counts(fight.history.past, event.version):
                yield event


def since_opened(id: str, events: Sequence[Event]) -> list[Event]:
    """Of events that count, in order, those from the one on that opened a step; none if that is not among them."""
    known = _ID.fullmatch(id)
    if known is None or not events or events[0].version > int(known[1]):
        return []
    return [event for event in events if event.version >= int(known[1])]


def steps_of(event: Event) -> list[str]:
    """The ids of the steps that an event begins, continues or ends."""
    ids = ((piece.get("open") or {}).get("id", piece.get("resolution")) for piece in pieces(event.data))
    return [id for id in ids if id]


def _put_together(events: Iterable[Event], id: str) -> tuple[Resolution | None, Sequence[Mapping[str, Any]]]:
    """A step that is over, and what changed with its effects; None if it did not come to an end."""
    one: Resolution | None = None
    for event in events:
        if event.type in ("applied", "discarded") and event.data["resolution"] == id:
            return one, by_itself.changes_in(event)
        for piece in pieces(event.data):
            if (piece.get("open") or {}).get("id", piece.get("resolution")) != id:
                continue
            one = resolution_of(piece["open"]) if piece.get("open") else one
            if one is None:
                return None, ()
            one = with_piece(one, piece)
            if one.outcome is not None and piece["applied"]:
                return one, by_itself.changes_in(event)
        if one is None:
            return None, ()  # the event that would have opened it opened none
    return one, ()


def pieces(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The pieces of steps that an event holds; see `fold`."""
    return [piece for piece in (data.get("step"), *data.get("rolls", ()), *data.get("steps", ())) if piece]


def with_piece(one: Resolution, piece: Mapping[str, Any]) -> Resolution:
    """A step after another of its pieces."""
    found: dict[str, Any] = {"answers": (*one.answers, *piece["answers"])}
    if made := piece.get("prepared"):
        found |= {"first": made["first"], "tallies": tuple(made["tallies"]), "facts": made["facts"]}
    if piece.get("outcome") is not None:
        found |= {"outcome": piece["outcome"], "effects": tuple(piece["effects"])}
    return one._replace(**found)
