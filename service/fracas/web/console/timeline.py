"""The ticks of the timeline, one for each action that counts: its side, and whether it hurt or took down anybody."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from flask import Blueprint, Response

from fracas.encounters.by_itself import OUT, changes_in, effects_of
from fracas.encounters.encounters import Encounters
from fracas.encounters.events import Event, counts
from fracas.encounters.fight import Fight
from fracas.encounters.finished import pieces
from fracas.encounters.sight import sees
from fracas.web.console import board, sessions
from fracas.web.console.pages import drawn

MOST = 60
"""Ticks that are shown, the newest."""
_KEPT = 64
"""Fights whose ticks are kept between two requests."""
NOTHING, HURT, KILL, TURN = "", "hurt", "kill", "turn"
_GRAVE = (NOTHING, HURT, KILL)


class Tick(NamedTuple):
    """What one event did.

    Attributes:
        kind: `TURN` for the beginning of a turn, else the gravest of what the event did.
        who: id of the actor of an action that the event began; "" for an event that goes on with one.
        step: the id of the step that it began, or goes on with; "" for none.
    """

    version: int
    kind: str
    who: str
    step: str


class _Known(NamedTuple):
    head: str
    ticks: tuple[Tick, ...]
    version: int


def install(console: Blueprint, encounters: Encounters) -> None:
    known: OrderedDict[str, _Known] = OrderedDict()

    @console.get("/fight/<id>/ticks")
    def ticks(id: str) -> Response:
        """The ticks of the actions that count, fetched after the table, which does not wait for them."""
        viewer = sessions.gm(encounters, id)
        fight = encounters.fight(id)
        found = known[id] = _brought_up(encounters, fight, known.get(id))
        known.move_to_end(id)
        if len(known) > _KEPT:
            known.popitem(last=False)
        sides = board.sides_of(encounters.view(fight, viewer))
        colours = {
            one.id: sides.get(one.side, 0)
            for one in fight.state.combatants.values()
            if sees(viewer, fight.state, one.id)
        }
        return drawn("_ticks.html", ticks=shown(found.ticks, fight, colours))


def _brought_up(encounters: Encounters, fight: Fight, known: _Known | None) -> _Known:
    """The ticks of all events of a fight, also of those that do not count; read once."""
    version = fight.history.version
    after = known.version if known is not None and known.version <= version else 0
    events = encounters.events(fight.id, after, version)
    if after and known is not None:
        fits = events[0].previous == known.head if events else fight.head == known.head
        if not fits:  # a backup has taken the place of what it was
            after, events = 0, encounters.events(fight.id, 0, version)
    before = known.ticks if known is not None and after else ()
    made = (tick for event in events if (tick := tick_of(event)) is not None)
    return _Known(fight.head, (*before, *made), version)


def tick_of(event: Event) -> Tick | None:
    """What an event adds to the timeline; None for nothing."""
    if event.type == "began-turn":
        return Tick(event.version, TURN, "", "")
    found = [
        piece for piece in pieces(event.data) if (piece.get("open") or {}).get("purpose") != "initiative"
    ]
    opened = next((piece["open"] for piece in found if piece.get("open")), None)
    step = opened["id"] if opened else next((str(piece["resolution"]) for piece in found), "")
    step = step or str(event.data.get("resolution", ""))
    who = opened["actor"] if opened else event.data.get("combatant", "") if event.type == "acted" else ""
    kind = NOTHING
    if any(effect["type"] == "mark" and effect["amount"] for effect in effects_of(event.data)):
        kind = HURT
    if any(change["kind"] == OUT for change in changes_in(event)):
        kind = KILL
    return Tick(event.version, kind, who, step) if who or kind else None


def shown(ticks: tuple[Tick, ...], fight: Fight, colours: dict[str, int]) -> list[dict[str, str | int]]:
    """The newest ticks of what counts: an action with what its later events did, and the turns between."""
    found: list[dict[str, str | int]] = []
    begun: dict[str, dict[str, str | int]] = {}
    for tick in ticks:
        if not counts(fight.history.past, tick.version):
            continue
        if tick.kind == TURN:
            found.append({"kind": TURN, "side": 0})
        elif tick.who:
            found.append({"kind": tick.kind, "side": colours.get(tick.who, 0)})
            begun[tick.step] = found[-1]
        elif (one := begun.get(tick.step)) is not None:
            one["kind"] = max(str(one["kind"]), tick.kind, key=_GRAVE.index)
    return found[-MOST:]
