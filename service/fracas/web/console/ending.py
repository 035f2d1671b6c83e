"""How a fight went, in numbers: for the GM at any time, for everybody when it is over."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from fracas.encounters.encounters import Encounters
from fracas.encounters.tallying import tally
from fracas.errors import ForbiddenError
from fracas.web.console import board, sessions
from fracas.web.console.pages import FRAGMENT, drawn

WIDEST = 4.0
"""Luck that fills half of its bar."""
EVEN = 0.05
"""Luck that is nearer to none is none."""


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.get("/fight/<id>/summary")
    def summary(id: str) -> Response:
        """The summary as a page, or the part of it that changes with the fight."""
        template = "_summary.html" if FRAGMENT in request.headers else "summary.html"
        return drawn(template, **_shown(encounters, id))

    @console.get("/fight/<id>/luck")
    def luck(id: str) -> Response:
        """The luck with the dice so far, for the page of the log, which does not wait for it."""
        return drawn("_luck.html", **_shown(encounters, id))


def _shown(encounters: Encounters, id: str) -> dict[str, Any]:
    """
    Raises:
        ForbiddenError: the viewer is no GM, and the fight goes on.
    """
    viewer, fight = sessions.viewer(encounters, id), encounters.fight(id)
    if viewer.role != "gm" and fight.state.phase != "closed":
        raise ForbiddenError("the summary is for the GM until the fight is over")
    events = encounters.events(id, 0, fight.history.version)
    found = tally(encounters.game(fight), encounters.rules(fight), fight, events, viewer)
    view = encounters.view(fight, viewer)
    people = {one["id"]: one for one in board.people_of(view, {})}
    rows = [
        {
            **people[who],
            "monitors": board.in_row(people[who]["monitors"]),
            "count": count,
            "luck": _luck(count.luck) if count.rolled else None,
        }
        for who, count in found.by.items()
        if who in people
    ]
    counts = list(found.by.values())
    return {
        "fight": view,
        "viewer": viewer,
        "ruleset": encounters.game(fight).ruleset.label,
        "rows": rows,
        "names": {one["id"]: one["name"] for one in view["combatants"]},
        "title": _title(view),
        "colour": board.sides_of(view).get((view["over"] or {}).get("left", ""), 0),
        "actions": found.actions,
        "minutes": found.minutes,
        "attacks": sum(count.attacks for count in counts),
        "hits": sum(count.hits for count in counts),
        "dealt": sum(count.taken for count in counts),
        "out": sum(one["out"] for one in people.values()),
    }


def _title(view: board.View) -> str:
    """Who has won, as far as it is decided."""
    over, when = view["over"], f"{view['words']['turn']} {view['turn']}"
    if over is None:
        return f"The fight up to {when}" if view["turn"] else "The fight has not begun"
    if over["left"] is None:
        return f"Nobody is left standing in {when}"
    return f"Won by the {over['left']} in {when}"


def _luck(luck: float) -> dict[str, Any]:
    """Luck as a number with its sign, and as a bar: where it begins and how wide it is, in hundredths."""
    width = min(abs(luck), WIDEST) / WIDEST * 50
    text = f"{luck:+.1f}".replace("-", "−") if abs(luck) >= EVEN else "0"
    return {"text": text, "x": 50 - width if luck < 0 else 50, "width": width}
