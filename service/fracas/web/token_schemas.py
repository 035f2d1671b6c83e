"""Marshmallow schemas of the tokens of an encounter, and of tickets to its feed."""

from __future__ import annotations

from marshmallow import fields, validate

from fracas.encounters.tokens import ROLES
from fracas.engine.loading import Schema
from fracas.engine.requests import NAME
from fracas.web.answers import Answer, moment


class NewTokenSchema(Schema):
    """A token to be."""

    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    label = fields.String(
        load_default="", validate=validate.Length(max=80), metadata={"description": "Whose it is."}
    )
    combatants = fields.List(
        fields.String(validate=NAME),
        load_default=list,
        validate=validate.Length(max=64),
        metadata={"description": "Ids of the combatants that a player commands."},
    )


class TokenSchema(Answer):
    """A token, without its secret."""

    id = fields.String()
    role = fields.String(validate=validate.OneOf(ROLES))
    label = fields.String()
    combatants = fields.List(fields.String(), metadata={"description": "The combatants that it commands."})
    created = moment("When it was made.")
    revoked = moment("When it was revoked; null: it is good.", allow_none=True)


class NewSecretSchema(TokenSchema):
    """A token with its secret, which is shown here and never again."""

    secret = fields.String()


class TicketSchema(Answer):
    """Lets a browser open the feed of an encounter: ``events?ticket=...``."""

    ticket = fields.String()
    expires = moment("Until when it is good.")
