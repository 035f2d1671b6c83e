"""The weapons of a ruleset, weighed: ``/v1/rulesets/<id>/balance``."""

from __future__ import annotations

from typing import Any

from flask import Response, abort, current_app, request
from marshmallow import fields, validate

from fracas.engine.balance_report import reported
from fracas.engine.balancing import Balances
from fracas.engine.game import Games
from fracas.engine.loading import Schema
from fracas.errors import UnknownNameError
from fracas.web import work
from fracas.web.answers import Answer, object_field
from fracas.web.parsing import Blueprint
from fracas.web.schemas import ErrorSchema


class BalanceQuerySchema(Schema):
    """Which weapons are wanted."""

    pack = fields.String(
        load_default="",
        validate=validate.Length(max=80),
        metadata={"description": "Only the weapons of this pack, weighed against those of all."},
    )
    group = fields.String(
        data_key="class",
        load_default="",
        validate=validate.Length(max=80),
        metadata={"description": "Only this class of weapons, which takes a fraction of the time."},
    )


class CountedSchema(Answer):
    """A field of weapons that counts beside the damage."""

    field = fields.String()
    label = fields.String()
    better = fields.String(validate=validate.OneOf(("more", "less")))


class ArmorValuesSchema(Answer):
    """The armor that is varied."""

    label = fields.String()
    values = fields.List(fields.Integer())


class WeaponRefSchema(Answer):
    """A weapon."""

    id = fields.String()
    label = fields.String()


class WeighedSchema(Answer):
    """A weapon against the others of its class."""

    id = fields.String()
    label = fields.String()
    group = fields.String(data_key="class")
    damage = fields.List(
        fields.List(fields.Float()),
        metadata={
            "description": "The expected damage by distance and, within, by armor; 0 where it does not reach."
        },
    )
    mean = fields.Float(
        allow_none=True,
        metadata={"description": "The average over all armor and the distances that its class reaches."},
    )
    share = fields.Float(
        allow_none=True, metadata={"description": "`mean` as a part of the middle of its class."}
    )
    outlier = fields.Boolean(metadata={"description": "Its share is far from 1."})
    beats = fields.Integer(
        metadata={"description": "How many of its class are nowhere better and somewhere worse."}
    )
    beats_all = fields.Boolean()
    beaten_by = fields.List(
        fields.Nested(WeaponRefSchema),
        metadata={"description": "The weapons that leave no reason to choose it, the best first."},
    )
    counted = object_field("What counts beside the damage, by field, as the packs have it.")
    why = fields.String(metadata={"description": 'Why there are no numbers; "" where there are.'})


class BalanceSchema(Answer):
    """The weapons of a ruleset, weighed against each other."""

    ruleset = fields.String()
    standard = fields.String(metadata={"description": "The attack by which they are compared, in words."})
    armor = fields.Nested(ArmorValuesSchema)
    distances = fields.List(
        fields.Integer(allow_none=True),
        metadata={"description": "In meters; null for the distance of the standard attack."},
    )
    counted = fields.List(fields.Nested(CountedSchema))
    weapons = fields.List(fields.Nested(WeighedSchema))


def blueprint(games: Games, balances: Balances, budget: float) -> Blueprint:
    """The endpoint.

    Args:
        budget: seconds of processor time for odds, of which this has `work.BALANCE` times as much.
    """
    blp = Blueprint("balance", __name__, url_prefix="/v1", description="Weapons, weighed against each other.")

    @blp.route("/rulesets/<id>/balance")
    @blp.arguments(BalanceQuerySchema(), location="query")
    @blp.response(200, BalanceSchema())
    @blp.alt_response(404, schema=ErrorSchema())
    @blp.alt_response(422, schema=ErrorSchema())
    def balance(wanted: dict[str, Any], id: str) -> Response:
        """Is a weapon too good?

        The exact expected damage of the same attack with each weapon, over armor and distance, against the others of
        its class, with what else counts: what stands out, and what another weapon leaves no reason to choose. The
        answer changes only when packs do: ask with If-None-Match.
        """
        digest = games.library.digest
        if request.if_none_match.contains(digest):
            response = current_app.response_class(status=304)
            response.set_etag(digest)
            return response
        try:
            game = games.game(id)
        except UnknownNameError as error:
            abort(404, str(error))
        found = balances.of(game, digest, work.budget(budget * work.BALANCE), wanted["group"])
        answer = reported(found, id, wanted["pack"])
        response = current_app.response_class(current_app.json.dumps(answer), mimetype="application/json")
        response.set_etag(digest)
        response.headers["Cache-Control"] = "no-cache"
        return response

    return blp
