"""Schemas of the cards that an answer comes with."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields, validate

from fracas.exports.cards.card import GROUPS
from fracas.web.answers import Answer


class DieSchema(Answer):
    """A die of a roll."""

    face = fields.Integer()
    hit = fields.Boolean(
        allow_none=True, metadata={"description": "Whether it is one; null for dice that are read together."}
    )


class CardRollSchema(Answer):
    """Dice that were thrown, for people."""

    label = fields.String()
    by = fields.String(metadata={"description": "Name of the one who threw them."})
    dice = fields.String()
    sides = fields.Integer()
    faces = fields.List(fields.Nested(DieSchema()))
    hits = fields.Integer(allow_none=True)
    total = fields.Integer(allow_none=True)
    text = fields.String(metadata={"description": "What they came to."})


class CardLineSchema(Answer):
    """A line of a card."""

    group = fields.String(validate=validate.OneOf(GROUPS))
    label = fields.String()
    value = fields.String()


class CardEffectSchema(Answer):
    """A change to apply, in words and as `!fracas import` has it."""

    who = fields.String()
    name = fields.String()
    type = fields.String()
    what = fields.String()
    amount = fields.Integer(allow_none=True)
    text = fields.String()


class CardButtonSchema(Answer):
    """A command that a card offers."""

    label = fields.String()
    command = fields.String()


class CardSchema(Answer):
    """A card as plain data. None of its texts is escaped."""

    title = fields.String()
    ruleset = fields.String()
    procedure = fields.String()
    status = fields.String(validate=validate.OneOf(("resolved", "waiting", "refused")))
    who = fields.Dict(keys=fields.String(), values=fields.String())
    result = fields.String(metadata={"description": "The outcome in a word; empty if there is none."})
    rolls = fields.List(fields.Nested(CardRollSchema()))
    lines = fields.List(fields.Nested(CardLineSchema()))
    effects = fields.List(fields.Nested(CardEffectSchema()))
    buttons = fields.List(fields.Nested(CardButtonSchema()))


class CardsSchema(Answer):
    """The card in each form that was asked for, fit to be read by the whole table."""

    may_lack: ClassVar[tuple[str, ...]] = ("data", "roll20", "markdown", "text", "mod", "beyond20")
    data = fields.Nested(CardSchema())
    roll20 = fields.String(metadata={"description": "A message for Roll20's chat, on one line."})
    markdown = fields.String()
    text = fields.String()
    mod = fields.String(
        metadata={"description": "The command that applies it in Roll20; empty if there is nothing to apply."}
    )
    beyond20 = fields.Raw(
        allow_none=True,
        metadata={
            "type": "object",
            "description": "What a page hands to the browser extension Beyond20; null while the step waits.",
        },
    )
