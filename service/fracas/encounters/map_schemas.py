"""What commands may say of the map: places, ways, walls and zones, and the commands about them."""

from __future__ import annotations

from marshmallow import fields, validate

from fracas.encounters.pasted_positions import MAX_TEXT
from fracas.encounters.schema_fields import (
    ID,
    MAX_LIST,
    MAX_THERE,
    WORD,
    Object,
    flag,
    maybe_number,
    number,
    text,
)
from fracas.engine.loading import Schema
from fracas.space import FARTHEST


class PointSchema(Schema):
    """A place on the map."""

    x = number("Metres to the right.", -FARTHEST, FARTHEST, required=True)
    y = number("Metres downwards.", -FARTHEST, FARTHEST, required=True)
    elevation = maybe_number("Metres above the ground of the map; 0 if left out.", -FARTHEST, FARTHEST)


class PositionSchema(Schema):
    """Where a combatant is. What is left out stays as it was; at first the elevation is 0, the size 1."""

    x = number("Metres to the right, of the middle.", -FARTHEST, FARTHEST, required=True)
    y = number("Metres downwards.", -FARTHEST, FARTHEST, required=True)
    elevation = maybe_number("Metres above the ground of the map.", -FARTHEST, FARTHEST)
    size = maybe_number("Metres across; what it is broader than 1 brings it nearer to everything.", 0, 1000)
    facing = number("Degrees clockwise, 0 to the right of the map; null: not known.", 0, 360, allow_none=True)


class MovementSchema(PositionSchema):
    """How a combatant moves, and to where."""

    via = fields.List(
        fields.Nested(PointSchema()),
        load_default=list,
        validate=validate.Length(max=MAX_LIST),
        metadata={"description": "Places on the way, in order; a straight line if left out."},
    )
    factor = number(
        "How many metres of movement a metre takes, beside the zones of the map: 2 on difficult ground.",
        0.1,
        10,
        load_default=1.0,
    )


class Place(Schema):
    """Combatants are somewhere, however far that is from where they were (GM). All of them are one event."""

    positions = fields.Dict(
        keys=fields.String(validate=WORD),
        values=fields.Nested(PositionSchema(), allow_none=True),
        load_default=dict,
        validate=validate.Length(1, MAX_THERE),
        metadata={"description": 'By combatant: `{"rook": {"x": 4, "y": 2.5}}`; null takes one off the map.'},
    )
    unit = text(
        "In which `text` counts: `m`, `ft`, `yd`, or what a square measures, such as `5 ft`; a line `unit: ft` in it "
        "counts before.",
        load_default="m",
    )
    text = text(
        "In place of `positions`, as people paste it: a line for each, `name or id, x, y, elevation`.",
        load_default="",
        validate=validate.Length(max=MAX_TEXT),
    )


class Move(Schema):
    """Combatants move as far as the rules let them. All of them are one event."""

    moves = fields.Dict(
        keys=fields.String(validate=WORD),
        values=fields.Nested(MovementSchema()),
        required=True,
        validate=validate.Length(1, MAX_THERE),
        metadata={"description": 'By combatant: `{"rook": {"x": 4, "y": 2.5}}`.'},
    )
    force = flag("Although the rules of movement speak against it (GM).")


class AreaSchema(Schema):
    """A wall or a zone: two points are a wall, more the corners of a zone, one is the middle of a round one."""

    label = text("What it is called.", load_default="", validate=validate.Length(max=80))
    points = fields.List(fields.Nested(PointSchema()), required=True, validate=validate.Length(1, MAX_LIST))
    radius = number("Metres, of a round zone.", 0, 10_000, load_default=0.0)
    elevation = number("Metres above the ground where it begins.", -FARTHEST, FARTHEST, load_default=0.0)
    height = maybe_number("Metres from there to its top; null: it ends nowhere.", 0, 10_000)
    factor = number("How many metres of movement a metre in it takes.", 0.1, 100, load_default=1.0)
    cover = maybe_number(
        "How much a wall hides of those behind it, 0 to 1, in place of what its height hides.", 0, 1
    )
    inside = Object(
        'What holds for those who stand in a zone: fields of combatants by name, `{"cover": "good"}`.'
    )
    across = Object(
        "What holds between two combatants if one stands in a zone, or they look through it: fields of the "
        'situation by path, `{"visibility": ["light-fog"]}`.'
    )


class Map(Schema):
    """Walls and zones of the map are set or removed (GM). All of them are one event."""

    areas = fields.Dict(
        keys=fields.String(validate=ID),
        values=fields.Nested(AreaSchema(), allow_none=True),
        required=True,
        validate=validate.Length(1, MAX_THERE),
        metadata={"description": "By id; null removes one."},
    )
