"""Marshmallow schemas of what is around a combatant on the map."""

from __future__ import annotations

from marshmallow import fields, validate

from fracas.engine.loading import Schema
from fracas.engine.requests import NAME
from fracas.space import FARTHEST
from fracas.web.answers import Answer
from fracas.web.map_schemas import PositionShownSchema

_COORDINATE = validate.Range(-FARTHEST, FARTHEST)


class SurroundingsQuerySchema(Schema):
    """Around which combatant."""

    combatant = fields.String(required=True, validate=NAME, metadata={"description": "Id of a combatant."})
    item = fields.String(
        load_default="",
        validate=NAME,
        metadata={"description": "The weapon whose range bands are wanted; the first in hand if left out."},
    )
    x = fields.Float(
        load_default=None,
        validate=_COORDINATE,
        metadata={"description": "Of a place to which distances are wanted, too."},
    )
    y = fields.Float(load_default=None, validate=_COORDINATE)
    elevation = fields.Float(load_default=0.0, validate=_COORDINATE)


class UnitSchema(Answer):
    """What the ruleset measures in."""

    name = fields.String()
    metres = fields.Float(metadata={"description": "In one of it."})


class WaySchema(Answer):
    """An action that lets a combatant move further."""

    action = fields.String(metadata={"description": "Slug, for the command act, with `to`."})
    label = fields.String()
    metres = fields.Float(metadata={"description": "That are left after it."})


class MovementLeftSchema(Answer):
    """How far a combatant may still move."""

    span = fields.String(metadata={"description": "At whose beginning all of it is there again."})
    left = fields.Float(
        allow_none=True,
        metadata={
            "description": "Metres without another action; null where the rules keep no account of it."
        },
    )
    moved = fields.Float(metadata={"description": "Metres in this span so far."})
    ways = fields.List(fields.Nested(WaySchema()))


class BandSchema(Answer):
    """A range band of a weapon."""

    band = fields.String()
    label = fields.String()
    until = fields.Float(metadata={"description": "Metres where it ends."})


class NeighborSchema(Answer):
    """Another combatant on the map."""

    id = fields.String()
    name = fields.String()
    side = fields.String()
    metres = fields.Float(allow_none=True, metadata={"description": "Between the two bodies."})
    distance = fields.Float(allow_none=True, metadata={"description": "The same in the unit of the ruleset."})
    bearing = fields.Integer(
        allow_none=True, metadata={"description": "Degrees clockwise, 0 to the right of the map."}
    )
    from_spot = fields.Float(
        allow_none=True, metadata={"description": "Metres from the place that is named."}
    )
    band = fields.String(allow_none=True, metadata={"description": "Of the weapon; beyond for out of range."})
    cover = fields.String(
        allow_none=True,
        metadata={
            "description": "That walls give; null where the map has none, or the ruleset no words for it."
        },
    )
    in_reach = fields.Boolean(metadata={"description": "In melee reach of the combatant."})
    engaged = fields.Boolean(metadata={"description": "An opponent, and one of the two reaches the other."})
    in_the_way = fields.List(
        fields.String(), metadata={"description": "Ids of those who stand in the line between the two."}
    )


class SurroundingsSchema(Answer):
    """What is around a combatant."""

    combatant = fields.String()
    version = fields.Integer()
    unit = fields.Nested(UnitSchema())
    position = fields.Nested(PositionShownSchema(), allow_none=True)
    movement = fields.Nested(MovementLeftSchema())
    reach = fields.Float(metadata={"description": "Metres of melee reach."})
    engaged = fields.List(fields.String(), metadata={"description": "Ids of opponents in melee reach."})
    item = fields.String(allow_none=True, metadata={"description": "The weapon of the range bands."})
    bands = fields.List(fields.Nested(BandSchema()))
    spot = fields.Float(allow_none=True, metadata={"description": "Metres to the place that is named."})
    others = fields.List(fields.Nested(NeighborSchema()), metadata={"description": "The nearest first."})
