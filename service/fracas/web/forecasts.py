"""How fights will end: ``/v1/forecast`` and ``/v1/encounters/<id>/forecast``."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import fields

from fracas.encounters.encounters import Encounters
from fracas.engine.game import Games
from fracas.errors import ForbiddenError
from fracas.forecast.asking import ForecastSchema, NewForecastSchema, state_of_new
from fracas.forecast.parts import Parts
from fracas.web import work
from fracas.web.answers import Answer
from fracas.web.encounter_access import author
from fracas.web.encounter_answers import answer
from fracas.web.parsing import Blueprint, documents_refusals
from fracas.web.schemas import ErrorSchema

READY = 4
"""Times the budget of odds that making a forecast ready may take."""
EXAMPLE = {"ruleset": "sr4", "skirmish": "loading-dock", "fights": 100, "tactics": {"corp": "cautious"}}


class EstimateSchema(Answer):
    """A chance or a difference of chances as fights show it, with the bounds between which it lies in 95 of 100
    cases."""

    value = fields.Float()
    low = fields.Float()
    high = fields.Float()


class ForecastSideSchema(Answer):
    """How often a side wins."""

    side = fields.String()
    wins = fields.Nested(EstimateSchema())


class TurnsSchema(Answer):
    """How many turns fights take; eight of ten lie between `low` and `high`."""

    mean = fields.Float()
    low = fields.Float()
    median = fields.Float()
    high = fields.Float()


class RoundsSpentSchema(Answer):
    """What is shot or thrown of an item, on average."""

    item = fields.String()
    label = fields.String()
    mean = fields.Float()


class PointsSpentSchema(Answer):
    """Points of a field that are spent, on average, such as Edge."""

    field = fields.String()
    mean = fields.Float()


class LeftWithSchema(Answer):
    """A condition at the end."""

    condition = fields.String()
    label = fields.String()
    chance = fields.Nested(EstimateSchema())


class ForecastCombatantSchema(Answer):
    """What becomes of a combatant."""

    combatant = fields.String()
    name = fields.String()
    side = fields.String()
    down = fields.Nested(EstimateSchema())
    down_by_turn = fields.List(fields.Float(), metadata={"description": "By the end of each turn."})
    left_with = fields.List(fields.Nested(LeftWithSchema()))
    fled = fields.Nested(EstimateSchema())
    wins_if_down = fields.Nested(
        EstimateSchema(),
        allow_none=True,
        metadata={"description": "The side's chance if they go down."},
    )
    wins_if_standing = fields.Nested(
        EstimateSchema(), allow_none=True, metadata={"description": "And if not."}
    )
    rounds_spent = fields.List(fields.Nested(RoundsSpentSchema()))
    spent = fields.List(fields.Nested(PointsSpentSchema()))


class TurningPointSchema(Answer):
    """How much a turn decides."""

    turn = fields.Integer()
    reached = fields.Float(metadata={"description": "Share of fights that come to it."})
    decided = fields.Float(metadata={"description": "The share of fights that end in it."})
    moves = fields.Float(metadata={"description": "How far it moves the first side's chance, on average."})


class OutlookSchema(Answer):
    """What fights add up to."""

    fights = fields.Integer()
    sides = fields.List(fields.Nested(ForecastSideSchema()))
    drawn = fields.Nested(EstimateSchema())
    undecided = fields.Nested(EstimateSchema())
    rounds = fields.Nested(TurnsSchema())
    combatants = fields.List(fields.Nested(ForecastCombatantSchema()))
    turning_points = fields.List(fields.Nested(TurningPointSchema()))


class ComparedSchema(OutlookSchema):
    """The same with one thing otherwise."""

    label = fields.String()
    differences = fields.List(
        fields.Nested(ForecastSideSchema()),
        metadata={"description": "How much more often each side wins so."},
    )


class ChooserSchema(Answer):
    """How a combatant chooses."""

    combatant = fields.String()
    name = fields.String()
    tactics = fields.String()
    label = fields.String()
    attacks = fields.List(fields.String(), metadata={"description": "What they attack with first."})


class ForecastAnswerSchema(OutlookSchema):
    """A forecast, or the part of it that is done."""

    ruleset = fields.String()
    title = fields.String()
    seed = fields.String()
    start = fields.Integer(data_key="from")
    wanted = fields.Integer(metadata={"description": "How many fights were asked for."})
    tactics = fields.List(fields.Nested(ChooserSchema()))
    ignores = fields.List(fields.String(), metadata={"description": "What tactics pass over, as sentences."})
    assumed = fields.List(fields.String(), metadata={"description": "What was assumed of this fight."})
    compared = fields.List(fields.Nested(ComparedSchema()))
    continuation = fields.String(
        allow_none=True,
        metadata={"description": "Send it with the same body for more fights."},
    )


def blueprint(games: Games, encounters: Encounters, parts: Parts, budget: float) -> Blueprint:
    """The endpoints.

    Args:
        budget: seconds of processor time for the fights of one answer.
    """
    blp = Blueprint("forecasts", __name__, url_prefix="/v1", description="How fights will end.")
    error_schema = ErrorSchema()
    budgets = (lambda: work.budget(READY * budget), lambda: work.budget(budget))

    @blp.route("/forecast", methods=["POST"])
    @blp.arguments(NewForecastSchema(), example=EXAMPLE)
    @blp.response(200, ForecastAnswerSchema())
    @documents_refusals(blp, error_schema)
    def forecast(asked: dict[str, Any]) -> Response:
        """How a fight will end

        It is played as often as the budget allows. Where that is less than `fights`, the answer has a `continuation`:
        the same body with it plays on, and its answer counts all fights so far.
        """
        game, state = state_of_new(games, asked)
        return answer(parts.answer(game, state, asked, budgets))

    @blp.route("/encounters/<id>/forecast", methods=["POST"])
    @blp.arguments(ForecastSchema(), example={"fights": 100})
    @blp.response(200, ForecastAnswerSchema())
    @documents_refusals(blp, error_schema)
    @blp.alt_response(401, schema=error_schema)
    @blp.alt_response(404, schema=error_schema)
    def forecast_of_fight(asked: dict[str, Any], id: str) -> Response:
        """How a fight that stands will end, for the GM

        From a new turn on, with everybody as they are. What goes on from an earlier answer needs the fight as it stood.
        """
        by = author(encounters, id)
        if by.role != "gm":
            raise ForbiddenError("only the GM may have a fight forecast: it shows what sheets hide")
        fight = encounters.fight(id)
        game = encounters.game(fight)
        found = parts.answer(game, fight.state, asked, budgets)
        return answer(found, 200, fight.history.version)

    return blp
