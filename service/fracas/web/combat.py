"""Resolving combat steps and giving odds: ``/v1/resolve``, ``/v1/resolve/continue``, ``/v1/odds``."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app

from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.requests import Request, RequestSchema
from fracas.web import work
from fracas.web.parsing import Blueprint, documents_refusals
from fracas.web.schemas import AnswerSchema, ContinueSchema, ErrorSchema, OddsSchema

EXAMPLE = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": "rook",
        "target": {"use": "guard", "cover": "partial"},
        "weapon": "ares-predator-iv",
        "fire": {"mode": "semi-automatic"},
        "distance": 12,
    },
}


def blueprint(games: Games, secret: bytes | None, budget: float) -> Blueprint:
    """The endpoints, with schema instances made once.

    Args:
        budget: seconds of processor time for odds.
    """
    blp = Blueprint("combat", __name__, url_prefix="/v1", description="Combat steps and their odds.")
    stepper = running.Stepper(secret, games.ruleset)
    request_schema, continue_schema = RequestSchema(games), ContinueSchema()
    answer_schema, odds_schema, error_schema = AnswerSchema(), OddsSchema(), ErrorSchema()

    @blp.route("/resolve", methods=["POST"])
    @blp.arguments(request_schema, example=EXAMPLE)
    @blp.response(200, answer_schema)
    @documents_refusals(blp, error_schema)
    def resolve(request: Request) -> Response:
        """Resolve a combat step

        In mode auto it runs to the outcome. In mode step it stops at each roll and decision, and the answer holds
        what it awaits and a continuation for /v1/resolve/continue.
        """
        return _answered(stepper.begin(request) if request.mode == "step" else running.resolve(request))

    @blp.route("/resolve/continue", methods=["POST"])
    @blp.arguments(continue_schema)
    @blp.response(200, answer_schema)
    @documents_refusals(blp, error_schema)
    def go_on(data: dict[str, Any]) -> Response:
        """Answer the question of a waiting step"""
        dice = None if data["dice"] is None else tuple(map(tuple, data["dice"]))
        answer = running.Answer(dice, data["choose"])
        return _answered(stepper.go_on(data["continuation"], answer, data["cards"]))

    @blp.route("/odds", methods=["POST"])
    @blp.arguments(request_schema, example=EXAMPLE)
    @blp.response(200, odds_schema)
    @documents_refusals(blp, error_schema)
    def odds(request: Request) -> Response:
        """The exact odds of a combat step

        The same body as for /v1/resolve. Decisions take their default, except those of `decisions`, which are taken
        every time they are asked.
        """
        return _answered(running.give_odds(request, work.budget(budget)))

    return blp


def _answered(answer: dict[str, Any]) -> Response:
    """An answer as it is: it has the form of its schema already, and going through it field by field takes long."""
    return current_app.response_class(current_app.json.dumps(answer), mimetype="application/json")
