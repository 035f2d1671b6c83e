"""When decisions such as Edge are asked: of one combatant, of all, and as this browser wanted it in other fights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.fight import Fight
from fracas.encounters.state import Combatant
from fracas.web.console import fights, sessions

ALWAYS, REACTIONS, NEVER, PLAYERS = "always", "reactions", "never", "players"
"""The last one of all combatants: those of players are asked."""
WHEN = {ALWAYS: (True, False), REACTIONS: (False, True), NEVER: (False, False)}
"""When a combatant's decisions are asked, as ``asks`` and ``asks_reactions``."""
OF_ALL = {ALWAYS: True, NEVER: False}
COOKIE = "fracas-asking"
_EVERYBODY = "*"
_DAYS = 365
MOST = 40
"""Combatants whose answer a browser remembers, the newest."""


class Wishes(NamedTuple):
    """What this browser wanted before.

    Attributes:
        everybody: `ALWAYS`, `PLAYERS` or `NEVER`; "" where it never has.
        own: for combatants by name.
    """

    everybody: str
    own: Mapping[str, str]

    def beginning(self, asked: bool) -> Wishes:
        """After a fight was begun in which players' characters are asked, or nobody."""
        usual = self.everybody if self.everybody == ALWAYS else PLAYERS
        return self._replace(everybody=usual if asked else NEVER)

    def command(self, one: Combatant) -> dict[str, Any] | None:
        """The command after which a combatant is asked as their name says; None where there is nothing to change."""
        wanted = WHEN.get(self.own.get(one.name, ""))
        if wanted is None or wanted == (one.asks, one.asks_reactions):
            return None
        return _set(one.id, wanted)

    def joining(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A command ``join`` that says when they are asked, where this browser has done so before."""
        general = WHEN.get(self.everybody)
        wanted = WHEN.get(self.own.get(str(body.get("name", "")), ""), general)
        if wanted is None or "asks" in body:
            return dict(body)
        return {**body, "asks": wanted[0], "asks_reactions": wanted[1]}


def install(console: Blueprint, encounters: Encounters) -> None:
    @console.post("/fight/<id>/asks")
    def asks(id: str) -> BaseResponse:
        """All are asked, or nobody; further fights of this browser begin so."""
        viewer = sessions.viewer(encounters, id)
        wanted = request.form.get("asks") == "true"
        bodies = of_all(encounters.fight(id), wanted)
        done = encounters.commands(id, viewer, bodies, request.form.get("key", "")[:200]) if bodies else None
        fight = done.fight if done is not None else encounters.fight(id)
        response = fights.changed(encounters, id, viewer, fight.history.version)
        keep(response, Wishes(ALWAYS if wanted else NEVER, {}))
        return response


def when_asked(one: Mapping[str, Any]) -> str:
    """When the decisions of a combatant are asked, as a word of `WHEN`."""
    return ALWAYS if one["asks"] else REACTIONS if one["asks_reactions"] else NEVER


def of_all(fight: Fight, wanted: bool) -> list[dict[str, Any]]:
    """The commands after which everybody is asked, or nobody."""
    when = WHEN[ALWAYS if wanted else NEVER]
    people = (one for one in fight.state.combatants.values() if not one.gone)
    return [_set(one.id, when) for one in people if (one.asks, one.asks_reactions) != when]


def _set(id: str, when: tuple[bool, bool]) -> dict[str, Any]:
    return {"command": "set", "combatant": id, "asks": when[0], "asks_reactions": when[1]}


def remembered() -> Wishes:
    """What this browser wanted in the fights before."""
    given = dict(parse_qsl(request.cookies.get(COOKIE, ""), max_num_fields=MOST + 1) if _short() else ())
    everybody = given.pop(_EVERYBODY, "")
    own = {name: when for name, when in given.items() if when in WHEN}
    return Wishes(everybody if everybody in (ALWAYS, PLAYERS, NEVER) else "", own)


def _short() -> bool:
    """Whether the cookie may be one of ours."""
    return request.cookies.get(COOKIE, "").count("&") <= MOST


def keep(response: BaseResponse, wishes: Wishes) -> None:
    """Have this browser remember what was wanted."""
    own = list(wishes.own.items())[-MOST:]
    response.set_cookie(
        COOKIE,
        urlencode([(_EVERYBODY, wishes.everybody), *own]),
        max_age=_DAYS * 86_400,
        path=f"{request.script_root}/console",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def keep_of(response: Response | BaseResponse, name: str, when: str) -> None:
    """Have this browser remember when a combatant of this name is asked."""
    known = remembered()
    own = {other: before for other, before in known.own.items() if other != name}
    keep(response, known._replace(own={**own, name: when}))


def as_before(encounters: Encounters, id: str, author: Author, own: Iterable[str]) -> None:
    """Have combatants asked as this browser wanted it before."""
    fight, wishes = encounters.fight(id), remembered()
    if fight.state.phase == "closed":
        return
    people = fight.state.combatants
    bodies = (wishes.command(people[who]) for who in own if who in people and not people[who].gone)
    encounters.commands(id, author, [body for body in bodies if body is not None])
