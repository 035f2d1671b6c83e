"""The endpoints that ``fracas bench`` compares with; they exist only where the settings ask for them.

They load and dump the same bodies through the same schemas as the real ones and do nothing in between.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint as PlainBlueprint

from fracas.engine import running
from fracas.engine.game import Games
from fracas.engine.loading import load
from fracas.engine.requests import Request, RequestSchema
from fracas.web.parsing import Blueprint
from fracas.web.schemas import AnswerSchema, OddsSchema

ATTACK: dict[str, Any] = {
    "ruleset": "sr4",
    "procedure": "ranged-attack",
    "situation": {
        "attacker": {
            "use": "rook",
            "physical": 3,
            "running": False,
            "in_melee": False,
            "in_cover": False,
            "in_moving_vehicle": False,
            "off_hand": False,
            "take_aim": 1,
            "targets_before": 0,
            "rounds_before": 0,
            "gyro": 0,
        },
        "target": {
            "use": "guard",
            "cover": "partial",
            "hidden": False,
            "running": True,
            "prone": False,
            "defenses_made": 1,
            "in_melee": False,
            "in_moving_vehicle": False,
        },
        "weapon": {"use": "ares-alpha", "ammunition": "apds"},
        "fire": {"mode": "short-burst", "spread": "narrow"},
        "called_shot": {"kind": "none"},
        "distance": 120,
        "visibility": ["light-fog"],
    },
    "modifiers": [{"to": "attack.pool", "label": "Slick floor", "value": -1}],
}
"""A full attack, with more than twelve candidate modifiers."""


def blueprint(games: Games) -> PlainBlueprint:
    """``/bench/resolve`` and ``/bench/odds``."""
    blp = Blueprint("bench", __name__, url_prefix="/bench")
    schema = RequestSchema(games)
    request = load(schema, ATTACK)
    answer, odds_answer = _hit(request), running.give_odds(request)

    @blp.route("/resolve", methods=["POST"])
    @blp.arguments(schema)
    @blp.response(200, AnswerSchema())
    def resolve(request: Request) -> dict[str, Any]:
        return answer

    @blp.route("/odds", methods=["POST"])
    @blp.arguments(schema)
    @blp.response(200, OddsSchema())
    def odds(request: Request) -> dict[str, Any]:
        return odds_answer

    return blp


def _hit(request: Request) -> dict[str, Any]:
    """An answer with a hit; a miss is shorter."""
    while True:
        answer = running.resolve(request)
        if answer["outcome"]["result"] == "hit":
            return answer
