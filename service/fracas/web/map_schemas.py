"""Marshmallow schemas of the map of a fight: places, positions, walls and zones."""

from __future__ import annotations

from marshmallow import fields

from fracas.web.answers import Answer, object_field


class PointShownSchema(Answer):
    """A place on the map."""

    x = fields.Float(metadata={"description": "Metres to the right."})
    y = fields.Float(metadata={"description": "Metres downwards."})
    elevation = fields.Float(metadata={"description": "Metres above the ground of the map."})


class PositionShownSchema(PointShownSchema):
    """Where a combatant is."""

    size = fields.Float(metadata={"description": "Metres across."})
    facing = fields.Float(
        allow_none=True,
        metadata={"description": "Degrees clockwise, 0 to the right of the map; null where nobody knows."},
    )


class AreaShownSchema(Answer):
    """A wall of the map, which has two points, or a zone."""

    label = fields.String()
    points = fields.List(fields.Nested(PointShownSchema()))
    radius = fields.Float(metadata={"description": "Metres, of a round zone, which has one point."})
    elevation = fields.Float(metadata={"description": "Metres above the ground where it begins."})
    height = fields.Float(
        allow_none=True, metadata={"description": "Metres to its top; null: it ends nowhere."}
    )
    factor = fields.Float(metadata={"description": "Metres of movement that a metre in it takes."})
    cover = fields.Float(
        allow_none=True,
        metadata={"description": "How much a wall hides, 0 to 1; null: as its height says."},
    )
    inside = object_field("Fields of those who stand in it.")
    across = object_field("Fields of the situation of those who look through it, by path.")
