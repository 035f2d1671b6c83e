"""The application factory."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, redirect, render_template, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.local import LocalProxy
from werkzeug.wrappers import Response as BaseResponse

from fracas import __version__
from fracas.encounters.encounters import Encounters
from fracas.encounters.feed import Feed
from fracas.engine.balancing import Balances
from fracas.engine.game import Games
from fracas.engine.opening import open_games
from fracas.forecast.parts import Parts
from fracas.packs import certainty, manuscript
from fracas.packs.shipped import package
from fracas.web import (
    balance,
    combat,
    encounter_tokens,
    encounters,
    errors,
    exchange,
    forecasts,
    foundry,
    guard,
    library,
    openapi,
    packs,
)
from fracas.web.callers import Callers
from fracas.web.documented import DocumentedApi
from fracas.web.encounter_access import Tickets
from fracas.web.parsing import Blueprint
from fracas.web.quotas import Quotas
from fracas.web.schemas import HealthSchema
from fracas.web.settings import MAX_BODY, Settings

try:
    import orjson
except ImportError:  # the extra `fast` is not installed
    _fast_dumps: Callable[[Any], bytes] | None = None
else:
    _fast_dumps = orjson.dumps

_PAGE_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
)


class _Json(DefaultJSONProvider):
    """Compact JSON in the order of the fields; by orjson where it is installed."""

    sort_keys = False

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        if _fast_dumps is not None and not kwargs:
            with suppress(
                TypeError
            ):  # half a character, which a caller may send and only the other writer can escape
                return _fast_dumps(obj).decode()
        return json.dumps(obj, separators=(",", ":"), allow_nan=False)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return current_app.response_class(self.dumps(*args), mimetype="application/json")


_read: dict[tuple[tuple[Path, ...], tuple[str, ...]], Games] = {}
"""Packs that the server has read: a worker that is a copy of it, as on Linux, need not read them again."""


def read_packs(settings: Settings) -> Games:
    """The games of these packs, kept for `create_app` in a worker of this process.

    Raises:
        PackError: a built-in pack cannot be used, or there is none of those to be left out.
    """
    games = open_games(settings.packs, without=settings.without)
    _read[settings.packs, settings.without] = games
    return games


INTERFACE, PAGES = "interface", "pages"
PARTS = frozenset((INTERFACE, PAGES))
"""What an application can have: what programs call, and what people see in a browser."""


def create_app(settings: Settings | None = None, parts: Collection[str] = PARTS) -> Flask:
    """The service, or parts of it.

    Raises:
        PackError: a built-in pack cannot be used. Others are left out, and reported.
        DatabaseError: the database of encounters cannot be opened.
    """
    from fracas.web.database import open_encounters

    settings = settings or Settings.from_environment()
    games = _read.pop((settings.packs, settings.without), None)
    games = games or open_games(settings.packs, without=settings.without)
    return assembled(settings, games, open_encounters(games, settings.database), parts)


def assembled(settings: Settings, games: Games, fights: Encounters, parts: Collection[str] = PARTS) -> Flask:
    """The service with games and fights that are open already."""
    app = Flask("fracas.web", root_path=str(package() / "web"))
    app.extensions["fracas"] = games
    app.extensions["fracas.encounters"] = fights
    app.extensions["fracas.balances"] = Balances()
    settings = settings._replace(secret=settings.secret or os.urandom(32))
    app.extensions["fracas.forecasts"] = Parts(settings.secret or b"")
    limits = settings.limits
    fights.max_tokens = limits.tokens_per_fight
    quotas = Quotas(limits, fights)
    feed = app.extensions["fracas.feed"] = Feed(
        fights,
        listeners=limits.listeners,
        each_fight=limits.listeners_per_fight,
        each_caller=limits.listeners_per_caller,
    )
    app.json = _Json(app)
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY)
    callers = Callers()
    guard.install(app, settings, callers)
    errors.install(app)
    if INTERFACE in parts:
        _add_interface(app, settings, games, fights, feed, quotas)
    if PAGES in parts:
        _add_pages(app, settings, games, fights, feed, quotas, callers)
    return app


def _add_interface(
    app: Flask, settings: Settings, games: Games, fights: Encounters, feed: Feed, quotas: Quotas
) -> None:
    app.config.update(
        API_TITLE="Fracas",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={
            "servers": [
                {
                    "url": (settings.public.prefix if settings.public else "") or "/",
                    "description": "Where this document is from: http://127.0.0.1:8844, unless set otherwise.",
                }
            ],
            "info": {
                "description": "Resolves combat steps of tabletop games and explains every number. Unofficial.",
                "license": {"name": "MIT", "identifier": "MIT"},
            },
        },
    )
    secret = settings.secret or os.urandom(32)
    tickets = Tickets(secret)
    api = DocumentedApi(app)
    api.register_blueprint(_service(games))
    api.register_blueprint(packs.blueprint(games, settings))
    api.register_blueprint(library.blueprint(games))
    api.register_blueprint(balance.blueprint(games, app.extensions["fracas.balances"], settings.budget))
    api.register_blueprint(combat.blueprint(games, secret, settings.budget))
    api.register_blueprint(exchange.blueprint(games, fights, settings.budget))
    api.register_blueprint(
        forecasts.blueprint(games, fights, app.extensions["fracas.forecasts"], settings.budget)
    )
    api.register_blueprint(foundry.blueprint(games))
    api.register_blueprint(encounters.blueprint(fights, settings, tickets, feed, quotas))
    api.register_blueprint(encounter_tokens.blueprint(fights, settings, tickets, feed, quotas))
    if settings.bench:
        from fracas.web import bench

        app.register_blueprint(bench.blueprint(games))
    app.register_blueprint(openapi.pages(api.described, games))
    app.register_blueprint(packs.schemas())


def _add_pages(
    app: Flask,
    settings: Settings,
    games: Games,
    fights: Encounters,
    feed: Feed,
    quotas: Quotas,
    callers: Callers,
) -> None:
    from fracas.web import book, bridge
    from fracas.web.console.blueprint import blueprint as console

    # What every address in a page begins with: the path under which a proxy shows the service, mostly "".
    app.jinja_env.globals["root"] = LocalProxy(lambda: request.script_root)
    app.jinja_env.globals.update(
        mark=certainty.mark,
        legend=certainty.legend,
        has_book=manuscript.has_book,
        rule_of_procedure=manuscript.rule_of_procedure,
    )
    balances = app.extensions["fracas.balances"]
    parts = app.extensions["fracas.forecasts"]
    app.register_blueprint(console(games, fights, feed, settings, callers, quotas, balances, parts))
    app.register_blueprint(book.pages(games))
    app.register_blueprint(bridge.pages(games))

    @app.get("/")
    def home() -> BaseResponse:
        asked = request.query_string.decode("ascii", "ignore")
        return redirect(f"{request.script_root}/console/{asked and f'?{asked}'}")

    @app.get("/docs")
    def docs() -> Response:
        response = current_app.make_response(render_template("docs.html", version=__version__))
        response.headers["Content-Security-Policy"] = _PAGE_POLICY
        return response


def _service(games: Games) -> Blueprint:
    blp = Blueprint("service", __name__, description="The service itself.")

    @blp.route("/health")
    @blp.response(200, HealthSchema())
    def health() -> dict[str, Any]:
        """Whether the service works"""
        left_out = sorted(Path(folder).name for folder in games.left_out)
        packs = len(games.library.packs)
        return {"status": "ok", "version": __version__, "packs": packs, "left_out": left_out}

    return blp
