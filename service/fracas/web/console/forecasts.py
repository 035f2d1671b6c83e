"""How a fight will end, for people: of a ready-made one, or of one that stands. The page asks part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from fracas.encounters.encounters import Encounters
from fracas.encounters.skirmishes import skirmish_of
from fracas.encounters.state import State
from fracas.engine.game import Game, Games
from fracas.engine.loading import load
from fracas.errors import ForbiddenError
from fracas.forecast.asking import SEED, ForecastSchema, NewForecastSchema, state_of_new
from fracas.forecast.parts import Parts
from fracas.forecast.tactics import book_of
from fracas.web import work
from fracas.web.console import sessions
from fracas.web.console.pages import drawn
from fracas.web.forecasts import READY
from fracas.web.settings import Settings

FIGHTS = (200, 1000, 5000)
"""Among which people choose."""
MOST_SHOWN = 6
"""Turns of which the page shows who is down by then."""
_TACTICS, _FIRST = "tactics.", "first"
_MORE, _COVER, _FIRSTS = "more", "cover", "firsts"
"""Of what is compared: one more combatant, cover for a side, and each side first."""


def install(
    console: Blueprint, games: Games, encounters: Encounters, parts: Parts, settings: Settings
) -> None:
    budgets = (lambda: work.budget(READY * settings.budget), lambda: work.budget(settings.budget))

    @console.get("/forecast")
    def forecast() -> Response:
        """The page of a ready-made fight, before any part is played."""
        game = games.game(request.args.get("game", ""))
        skirmish = skirmish_of(game, request.args.get("skirmish", ""))
        _, state = state_of_new(games, _new(game, skirmish.slug))
        more: dict[str, Any] = {"game_id": game.ruleset.id, "skirmish": skirmish.slug}
        return drawn("forecast.html", **_page(game, state, skirmish.label, **more))

    @console.post("/forecast/part")
    def part() -> Response:
        """The fights so far, and how to go on."""
        game = games.game(request.form.get("game", ""))
        asked = _new(game, request.form.get("skirmish", ""))
        _, state = state_of_new(games, asked)
        return _part(game, state, {**asked, **_asked(request.form, state)})

    @console.get("/fight/<id>/forecast")
    def forecast_of_fight(id: str) -> Response:
        game, state, title = _fight(id)
        viewer = sessions.viewer(encounters, id)
        menu: dict[str, Any] = {
            "viewer": viewer,
            "fight": encounters.view(encounters.fight(id), viewer),
            "ruleset": game.ruleset.label,
        }
        return drawn("forecast.html", **_page(game, state, title or "A fight", of_fight=id, **menu))

    @console.post("/fight/<id>/forecast/part")
    def part_of_fight(id: str) -> Response:
        game, state, _ = _fight(id)
        return _part(game, state, {**load(ForecastSchema(), {}), **_asked(request.form, state)})

    def _fight(id: str) -> tuple[Game, State, str]:
        viewer = sessions.viewer(encounters, id)
        if viewer.role != "gm":
            raise ForbiddenError("only the GM may have a fight forecast: it shows what sheets hide")
        fight = encounters.fight(id)
        return encounters.game(fight), fight.state, fight.state.title

    def _part(game: Game, state: State, asked: Mapping[str, Any]) -> Response:
        stopped = bool(request.form.get("stopped"))
        found = parts.answer(game, state, asked, budgets, paused=stopped)
        rest = {
            name: value for name, value in request.form.items() if name not in ("continuation", "stopped")
        }
        again = {name: value for name, value in rest.items() if value} | {"seed": found["seed"]}
        points = sorted(found["turning_points"], key=lambda one: -one["moves"])[:3]
        shown: dict[str, Any] = {
            "found": found,
            "rest": rest,
            "points": sorted(points, key=lambda one: one["turn"]),
            "again": f"{request.path.removesuffix('/part')}?{urlencode(again)}",
            "turns": range(
                1, min(MOST_SHOWN, max(len(one["down_by_turn"]) for one in found["combatants"])) + 1
            ),
        }
        return drawn("_forecast.html", **shown, turn=_turn(game), stopped=stopped)


def _new(game: Game, skirmish: str) -> dict[str, Any]:
    asked: dict[str, Any] = load(NewForecastSchema(), {"ruleset": game.ruleset.id, "skirmish": skirmish})
    return asked


def _page(game: Game, state: State, title: str, **more: Any) -> dict[str, Any]:
    book = book_of(game)
    sides = list(dict.fromkeys(one.side for one in state.combatants.values() if not one.gone))
    shown: dict[str, Any] = {"tactics": list(book.tactics.values()), "usual": book.default}
    people = [one for one in state.combatants.values() if not one.gone]
    shown |= {"people": people, "covers": _covers(game), "turn": _turn(game), "chosen": request.args}
    return {**shown, "sides": sides, "counts": FIGHTS, "title": title, **more}


def _turn(game: Game) -> str:
    return game.ruleset.turns.words.turn if game.ruleset.turns else "turn"


def _covers(game: Game) -> list[str]:
    """The kinds of cover that a target can have, where the ruleset names them."""
    for id, declared in game.ruleset.attacks.items():
        field = game.procedure(id).vocabulary.fields.get(f"{declared.target}.cover")
        if field is not None and field.choices:
            return [str(choice) for choice in field.choices if choice != "none"]
    return []


def _changes(form: Mapping[str, str], state: State) -> Iterator[dict[str, Any]]:
    """What the form compares with."""
    if more := form.get(_MORE):
        name = state.combatants[more].name if more in state.combatants else more
        yield {"label": f"one more {name}", "more": [more]}
    kind, _, side = form.get(_COVER, "").partition(":")
    if side:
        label = f"{kind.replace('-', ' ')} cover for the {side}"
        yield {"label": label, "against": {side: {"target": {"cover": kind}}}}
    if form.get(_FIRSTS):
        sides = dict.fromkeys(one.side for one in state.combatants.values() if not one.gone)
        yield from ({"label": f"the {side} act first", "first": side} for side in sides)


def _asked(form: Mapping[str, str], state: State) -> dict[str, Any]:
    """What the form chooses, checked as a request."""
    given: dict[str, Any] = {
        "fights": int(form.get("fights", "0")) if form.get("fights", "").isdecimal() else FIGHTS[0],
        "tactics": {
            name.removeprefix(_TACTICS): value
            for name, value in form.items()
            if name.startswith(_TACTICS) and value
        },
        "continuation": form.get("continuation") or None,
        "first": form.get(_FIRST) or None,
        "seed": form.get("seed") or SEED,
        "compare": list(_changes(form, state)),
    }
    return {name: value for name, value in load(ForecastSchema(), given).items() if name in given}
