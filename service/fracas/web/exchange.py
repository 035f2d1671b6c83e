"""Exchanges: ``/v1/exchange`` and ``/v1/encounters/<id>/exchange``."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields

from fracas.encounters.encounters import Encounters
from fracas.encounters.exchange_requests import ExchangeRequestSchema, FightExchangeSchema, answered
from fracas.encounters.fight_exchanges import fought, opponents_of, round_of, wanted_blows
from fracas.engine.game import Games
from fracas.errors import InputError
from fracas.web import work
from fracas.web.answers import Answer
from fracas.web.encounter_access import author
from fracas.web.encounter_answers import answer
from fracas.web.parsing import Blueprint, documents_refusals
from fracas.web.schemas import ErrorSchema

EXAMPLE = {
    "ruleset": "sr4",
    "attacks": [
        {
            "procedure": "ranged-attack",
            "situation": {
                "attacker": "rook",
                "target": {"use": "guard", "cover": "partial"},
                "weapon": "ares-predator-iv",
                "fire": {"mode": "semi-automatic"},
                "distance": 12,
            },
            "times": 3,
        }
    ],
}


class ExchangeRowSchema(Answer):
    """An attack of an exchange."""

    attack = fields.Integer(metadata={"description": "Which of the attacks of the request, from 0."})
    label = fields.String()
    hit = fields.Float(metadata={"description": "The chance to hit a target who has not dropped yet."})
    down = fields.Float(metadata={"description": "The chance that the target has dropped by then."})
    damage = fields.Float(metadata={"description": "The expected damage of all attacks by then."})
    impossible = fields.Float(
        metadata={"description": "The chance that the rules refuse it by then; it does nothing."}
    )
    estimated = fields.Boolean(
        metadata={"description": "An estimate: a sample stands for too many ways to be hurt."}
    )


class OrdersSchema(Answer):
    """The orders that were compared."""

    compared = fields.Integer()
    worst = fields.List(fields.Nested(ExchangeRowSchema))


class ExchangeSchema(Answer):
    """What comes of several attacks on one target."""

    may_lack = ("refusals", "orders", "attacks", "down", "standing", "damage", "cut")
    status = fields.String(metadata={"description": "resolved, or refused."})
    attacks = fields.List(fields.Nested(ExchangeRowSchema), metadata={"description": "In their order."})
    down = fields.Float(metadata={"description": "The chance that the target drops."})
    standing = fields.Float(metadata={"description": "The chance that the target is still standing."})
    damage = fields.Float()
    cut = fields.Boolean(metadata={"description": "There was no time for the attacks that are missing."})
    orders = fields.Nested(OrdersSchema)
    refusals = fields.List(fields.String())


def blueprint(games: Games, encounters: Encounters, budget: float) -> Blueprint:
    """The endpoints.

    Args:
        budget: seconds of processor time for odds, of which this has `work.EXCHANGE` times as much.
    """
    blp = Blueprint(
        "exchange", __name__, url_prefix="/v1", description="Several attacks, one after the other."
    )

    @blp.route("/exchange", methods=["POST"])
    @blp.arguments(ExchangeRequestSchema(games), example=EXAMPLE)
    @blp.response(200, ExchangeSchema())
    @documents_refusals(blp, ErrorSchema())
    def exchange(wanted: dict[str, Any]) -> dict[str, Any]:
        """Several attacks on one target, one after the other

        The exact chances that the target has dropped after each attack, with what their wounds, conditions and defenses
        change in the next one. Ask with the attacks that the others make in a round for the chance to survive it. The
        attacker is in each attack as before: rounds, recoil and actions are not counted.
        """
        return answered(wanted, work.budget(budget * work.EXCHANGE))

    @blp.route("/encounters/<id>/exchange", methods=["POST"])
    @blp.arguments(FightExchangeSchema(), example={"target": "rook"})
    @blp.response(200, ExchangeSchema())
    @documents_refusals(blp, ErrorSchema())
    @blp.alt_response(401, schema=ErrorSchema())
    @blp.alt_response(404, schema=ErrorSchema())
    def exchange_in_fight(wanted: dict[str, Any], id: str) -> Response:
        """Several attacks on one target in a fight

        With all that the fight knows; nothing happens in it. Without `attacks`, each opponent of `target` makes its
        likeliest attack as often as its actions of a round last, at most 12 in all: `standing` is the chance to survive
        that.
        """
        by = author(encounters, id)
        fight = encounters.fight(id)
        context = encounters.context(fight, by)._replace(budget=work.budget(budget * work.EXCHANGE))
        if wanted["attacks"]:
            blows = wanted_blows(context, wanted["attacks"])
        else:
            target = wanted["target"]
            blows = round_of(context, target, opponents_of(context, target))
            if not blows:
                message = "no opponent can attack them as things stand"
                raise InputError.one("target", "no-exchange", message, "has initiative been rolled?")
        return answer(fought(blows, wanted["order"]), 200, fight.history.version)

    return blp
