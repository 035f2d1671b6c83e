"""Marshmallow schemas of what combatants may do, and of the odds of it."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields

from fracas.engine.loading import Schema
from fracas.engine.requests import NAME
from fracas.web.answers import Answer
from fracas.web.map_schemas import PointShownSchema
from fracas.web.schemas import RULE, MeasureSchema, OddsSchema


class ActionsQuerySchema(Schema):
    """Whose actions."""

    combatant = fields.String(required=True, validate=NAME, metadata={"description": "Id of a combatant."})
    action = fields.String(
        load_default=None, validate=NAME, metadata={"description": "Only this action, which takes less time."}
    )
    target = fields.String(
        load_default="",
        validate=NAME,
        metadata={
            "description": "Id of the combatant at which usual attacks are aimed; else the likeliest of each."
        },
    )


class ReasonSchema(Answer):
    """Why something is not allowed; the same that a refused command gives."""

    code = fields.String()
    message = fields.String()


class OfferSchema(Answer):
    """Something that may be allowed now, or not."""

    allowed = fields.Boolean()
    reasons = fields.List(fields.Nested(ReasonSchema()))


_TOKENS: Any = {"keys": fields.String(), "values": fields.Integer()}


class ActionOfferSchema(OfferSchema):
    """An action."""

    action = fields.String(metadata={"description": "Slug, for the command act."})
    label = fields.String()
    type = fields.String(allow_none=True)
    cost = fields.List(
        fields.Dict(**_TOKENS), metadata={"description": "Alternatives that pay for it, in tokens."}
    )
    payment = fields.Dict(
        **_TOKENS, metadata={"description": "What it would take now; empty if not allowed."}
    )
    payments = fields.List(
        fields.Dict(**_TOKENS),
        metadata={
            "description": "Every way to pay for it now, for the command's `pay`; `payment` is the first."
        },
    )
    choose_payment = fields.Boolean(
        metadata={"description": "The command has to say how it is paid (`pay`): nothing is taken unasked."}
    )
    skips = fields.Integer(metadata={"description": "Coming slots that it would take."})
    rule = fields.String(allow_none=True, metadata={"description": RULE})
    procedure = fields.String(allow_none=True)
    targets = fields.Boolean(metadata={"description": "It needs a target."})
    item = fields.String(allow_none=True, metadata={"description": "The weapon meant if none is named."})
    target = fields.String(allow_none=True, metadata={"description": "The likeliest target, by id."})
    situation = fields.Raw(
        metadata={"type": "object", "description": "What the action itself says of the situation."}
    )
    defaults = fields.Raw(
        metadata={
            "type": "object",
            "description": "What the fight's scene says of the situation, and the likeliest way where one has to be"
            " chosen, such as a firing mode or a spell: send it as `situation`, as it is or changed.",
        }
    )
    missing = fields.List(
        fields.String(),
        metadata={"description": "Fields of the situation that a command has to give for it, as paths."},
    )
    unlikely = fields.Boolean(
        metadata={
            "description": "Not forbidden, but it takes something that the fight does not have: see the reasons."
        }
    )
    judged = fields.List(
        fields.String(), metadata={"description": "What else it needs, which the GM checks."}
    )
    together = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={
            "description": "With which other actions it can be done as one: their slugs, by the field of the situation"
            " that names the other."
        },
    )


class UsualSchema(Answer):
    """An action that this combatant is likely to take with this gear."""

    action = fields.String(metadata={"description": "Slug, for the command act."})
    label = fields.String()
    item = fields.String(allow_none=True)
    target = fields.String(allow_none=True, metadata={"description": "The likeliest target, by id."})
    distance = fields.Float(
        allow_none=True, metadata={"description": "Metres to this target; null where nobody knows."}
    )
    situation = fields.Raw(
        metadata={"type": "object", "description": "Send it as `situation`, as it is or changed."}
    )
    hit = fields.Float(
        allow_none=True,
        metadata={"description": "The exact chance to hit this target, or of a spell to hurt it."},
    )
    drop = fields.Float(
        allow_none=True, metadata={"description": "The exact chance to take this target out."}
    )


class PurchaseOfferSchema(OfferSchema):
    """Something that a resource buys."""

    on = fields.String(metadata={"description": "For the command spend."})
    label = fields.String()
    cost = fields.Dict(**_TOKENS)


class InterventionOfferSchema(OfferSchema):
    """A way to use a delayed action."""

    when = fields.String()


class ReactionOddsSchema(Answer):
    """The measures of an action if it is answered in some way."""

    who = fields.String()
    action = fields.String(metadata={"description": "Slug of the reaction."})
    label = fields.String()
    measures = fields.List(fields.Nested(MeasureSchema()))


class PersonOddsSchema(Answer):
    """What a step of several does to one of them."""

    who = fields.String(metadata={"description": "Id of the combatant."})
    record = fields.String(metadata={"description": "The record of the procedure that they fill in."})
    measures = fields.Dict(
        keys=fields.String(),
        values=fields.Float(),
        metadata={"description": "The measures, of this one alone: a chance, or an expected number."},
    )


class SpotSchema(Answer):
    """A place where an action is done, and what comes of it."""

    spot = fields.Nested(PointShownSchema())
    measures = fields.List(fields.Nested(MeasureSchema()))
    people = fields.List(fields.Nested(PersonOddsSchema()))
    worth = fields.Float(
        metadata={
            "description": "The opponents that it takes out on average, less those of the own side; harm counts a "
            "little, too."
        }
    )


class SpotsSchema(Answer):
    """The best places for an action."""

    spots = fields.List(fields.Nested(SpotSchema()), metadata={"description": "The best first."})


class FightOddsSchema(OddsSchema):
    """The exact distribution over outcomes, and what reactions would change."""

    may_lack: ClassVar[tuple[str, ...]] = (*OddsSchema.may_lack, "reactions", "people")
    people = fields.List(
        fields.Nested(PersonOddsSchema()),
        metadata={"description": "Of a step that strikes several, what it does to each of them."},
    )
    reactions = fields.List(fields.Nested(ReactionOddsSchema()))


class OffersSchema(Answer):
    """What a combatant may do now."""

    combatant = fields.String()
    version = fields.Integer()
    acting = fields.Boolean(metadata={"description": "It is its slot."})
    budget = fields.Dict(**_TOKENS)
    usual = fields.List(
        fields.Nested(UsualSchema()),
        metadata={
            "description": "At most 8, the likeliest first, each attack once with each ready weapon; none out of turn."
        },
    )
    actions = fields.List(fields.Nested(ActionOfferSchema()))
    purchases = fields.List(fields.Nested(PurchaseOfferSchema()))
    delay = fields.Nested(OfferSchema())
    interventions = fields.List(fields.Nested(InterventionOfferSchema()))
    next = fields.Nested(OfferSchema())
