"""The first page: a game, its skirmishes, or an empty fight with one click, house rules, and fights that go on."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as BaseResponse

from fracas.encounters.command_context import Author
from fracas.encounters.encounters import Encounters
from fracas.encounters.records import EncounterRow
from fracas.encounters.schemas import NewEncounterSchema
from fracas.encounters.skirmishes import joins
from fracas.encounters.tokens import author_of, hash_of
from fracas.engine.game import Game, Games
from fracas.engine.loading import load
from fracas.errors import InputError
from fracas.kernel.ruleset import Procedure
from fracas.packs.entries import Entry
from fracas.web.console import asking, board, forms, house_rules, sessions
from fracas.web.console.pages import drawn, gone_to
from fracas.web.encounter_access import check_storable
from fracas.web.quotas import Quotas

RECENT = 8
"""Fights of a browser that are shown with their turn; the others are in a fold."""


def install(console: Blueprint, games: Games, encounters: Encounters, quotas: Quotas) -> None:
    @console.get("/")
    def start() -> Response:
        """The game of the query, else that of the last fight of this browser, else the first."""
        ids = [id for id in games.ids() if games.game(id).ruleset.turns is not None]
        known = sorted(sessions.known_fights(encounters), key=lambda one: one[0].updated, reverse=True)
        wanted = [request.args.get("game", ""), *(row.ruleset for row, _ in known[:1]), *ids]
        chosen = next((id for id in wanted if id in ids), "")
        return drawn(
            "start.html",
            games=[_game(games.game(id)) for id in ids],
            chosen=_chosen(games.game(chosen)) if chosen else None,
            fights=[_fight(games, encounters, at, *one) for at, one in enumerate(known)],
            recent=RECENT,
            first_rules=house_rules.FIRST,
            asks=asking.remembered().everybody in (asking.ALWAYS, asking.PLAYERS),
        )

    @console.post("/begin")
    def begin() -> BaseResponse:
        """A fight: with the people of a skirmish and its first turn, or empty, and then people are loaded first."""
        apart = request.form.get(house_rules.DISTANCE, "").strip()
        given: dict[str, Any] = {
            "ruleset": request.form.get("ruleset", ""),
            "title": request.form.get("title", ""),
            "skirmish": request.form.get("skirmish") or None,
            "settings": {
                "apply": request.form.get("apply", "at-once"),
                **({"keep_rolls": True} if request.form.get("keep_rolls") else {}),
                **({"scene": {house_rules.DISTANCE: _apart(apart)}} if apart else {}),
            },
            "options": _options(games),
        }
        check_storable(given)
        wishes = asking.remembered().beginning(request.form.get("asks") == "true")
        quotas.check_fight()
        fight, issued = encounters.begin(load(NewEncounterSchema(), given))
        quotas.begun(fight.id)
        secret = next(one.secret for one in issued if one.token.role == "gm")
        if given["skirmish"]:
            author = encounters.author(fight.id, secret)
            if wishes.everybody in asking.OF_ALL:
                everybody = asking.of_all(fight, asking.OF_ALL[wishes.everybody])
                encounters.commands(fight.id, author, everybody)
            asking.as_before(encounters, fight.id, author, fight.state.combatants)
            encounters.command(fight.id, author, {"command": "begin-turn"})
        response = gone_to(f"/console/fight/{fight.id}" + ("" if given["skirmish"] else "/people"))
        sessions.remember(response, encounters, fight.id, secret)
        asking.keep(response, wishes)
        return response

    @console.get("/enter")
    def door() -> Response:
        """Where links for players lead: the key stands behind the #, which no server and no log sees."""
        return drawn("enter.html")

    @console.post("/enter")
    def enter() -> BaseResponse:
        """Keep a key that a user was given, or the key of an invitation that was pasted whole.

        Raises:
            InputError: it is the key to nothing.
        """
        secret = request.form.get("key", "").strip().rpartition("#")[2]
        found = encounters.store.token_by_hash(hash_of(secret)) if secret else None
        if found is None or found[1].revoked is not None:
            raise InputError.one(
                "key", "unknown-key", "this is no key to a fight of this service, or not any more"
            )
        response = gone_to(f"/console/fight/{found[0]}")
        sessions.remember(response, encounters, found[0], secret)
        if found[1].role == "player":
            asking.as_before(encounters, found[0], author_of(found[1]), found[1].combatants)
        return response


def _game(game: Game) -> dict[str, Any]:
    counts = {kind: len(game.packs.entries(kind)) for kind in ("combatant", "weapon")}
    return {"id": game.ruleset.id, "label": game.ruleset.label, **counts}


def _chosen(game: Game) -> dict[str, Any]:
    return {
        "id": game.ruleset.id,
        "label": game.ruleset.label,
        "skirmishes": [
            {"entry": entry, "sides": _sides(game, entry)} for entry in game.packs.entries("skirmish")
        ],
        "house_rules": tuple(game.house_rules.values()),
        "unit": next((unit for one in game.ruleset.procedures.values() if (unit := _unit(one))), ""),
    }


def _apart(text: str) -> int:
    value = forms.whole(text)
    if not isinstance(value, int) or value < 0:
        raise InputError.one(
            house_rules.DISTANCE, "wrong-type", f"must be a whole number, not {text!r} (for instance 10)"
        )
    return value


def _unit(procedure: Procedure) -> str:
    field = procedure.vocabulary.fields.get(house_rules.DISTANCE)
    return field.unit if field is not None else ""


def _sides(game: Game, skirmish: Entry) -> list[list[dict[str, Any]]]:
    """Those who fight in a skirmish, as their tokens show them, by side."""
    sides: dict[str, list[dict[str, Any]]] = {}
    for body in joins(game, skirmish):
        members = sides.setdefault(body["side"], [])
        called = board.name_of(body["name"])
        members.append({"called": called, "colour": [*sides].index(body["side"]) + 1, "name": body["name"]})
    return list(sides.values())


def _fight(games: Games, encounters: Encounters, at: int, row: EncounterRow, by: Author) -> dict[str, Any]:
    """A fight of this browser in a line; the newest with the turn that they are in."""
    game = games.game(row.ruleset) if row.ruleset in games.ids() else None
    turns = game.ruleset.turns if game is not None else None
    turn = encounters.fight(row.id).state.turn if turns is not None and at < RECENT else 0
    now = datetime.fromtimestamp(encounters.now() / 1000).astimezone()
    last = datetime.fromtimestamp(row.updated / 1000).astimezone()
    return {
        "id": row.id,
        "title": row.title or "A fight",
        "about": [
            "over" if row.closed else "",
            game.ruleset.label if game is not None else row.ruleset,
            f"{turns.words.turn} {turn}" if turns is not None and turn else "",
            f"as {by.label or by.role}" if by.role != "gm" else "",
        ],
        "at": last.isoformat(timespec="minutes"),
        "when": when(last, now),
        "closed": bool(row.closed),
        "gm": by.role == "gm",
    }


def when(then: datetime, now: datetime) -> str:
    """A time as people say it.

    >>> day = datetime(2026, 11, 24, 22, 41)
    >>> when(day, day), when(datetime(2026, 11, 22, 9, 5), day), when(datetime(2025, 3, 4), day)
    ('today 22:41', 'Sunday 09:05', '4 March 2025')
    """
    days = (now.date() - then.date()).days
    if days <= 0:
        return f"today {then:%H:%M}"
    if days < 7:
        return f"{then:%A %H:%M}"
    return f"{then.day} {then:%B}" + (f" {then.year}" if then.year != now.year else "")


def _options(games: Games) -> dict[str, Any]:
    """The house rules that the form sets; fields that are left as they are say nothing."""
    ruleset = request.form.get("ruleset", "")
    rules = games.game(ruleset).house_rules if ruleset in games.ids() else {}
    return dict(house_rules.given_in(rules, request.form, {}))
