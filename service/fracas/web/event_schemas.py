"""Marshmallow schemas of what commands did: events, their lines, and the log of a fight."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields, validate

from fracas.encounters.tokens import ROLES
from fracas.engine.loading import Schema
from fracas.web.answers import Answer, moment, object_field
from fracas.web.step_schemas import FightStepSchema, StepCardsSchema


class LineSchema(Answer):
    """A sentence about what an event did."""

    kind = fields.String(metadata={"description": "effect, or the kind of a change."})
    who = fields.String(metadata={"description": "Id of the combatant it is about; empty: none alone."})
    cause = fields.String(metadata={"description": "Of a change; empty for effects."})
    text = fields.String()
    hidden = fields.Boolean(metadata={"description": "Others than the GM see less of it."})


class EventSchema(Answer):
    """What one command did; of one that you may not see only its version, the type `hidden` and `previous`."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "v",
        "at",
        "by",
        "hidden",
        "draws",
        "data",
        "lines",
        "previous",
        "salt",
    )
    version = fields.Integer()
    type = fields.String()
    v = fields.Integer(metadata={"description": "The version of its data."})
    at = moment("When.")
    by = object_field("Role, token and label of who did it.")
    hidden = fields.Boolean(metadata={"description": "Only the GM sees it."})
    draws = fields.Integer(metadata={"description": "Dice draws so far, with its own."})
    data = object_field("What happened.")
    previous = fields.String(
        metadata={
            "description": "The hash of the event before. Fights of earlier versions of Fracas have none."
        }
    )
    salt = fields.String(metadata={"description": "Of the hash of this event; the GM's alone."})
    lines = fields.List(
        fields.Nested(LineSchema()),
        metadata={"description": "What it did to people, in the words of the transcript. Logs have none."},
    )


class DoneSchema(Answer):
    """What a command did."""

    may_lack: ClassVar[tuple[str, ...]] = ("cards",)
    encounter = fields.String()
    version = fields.Integer(metadata={"description": "After the command."})
    repeated = fields.Boolean(metadata={"description": "It had been done before, under the same key."})
    events = fields.List(fields.Nested(EventSchema()))
    steps = fields.List(
        fields.Nested(FightStepSchema()), metadata={"description": "The steps under way now."}
    )
    ended = fields.List(
        fields.Nested(FightStepSchema()), metadata={"description": "The steps that the command ended."}
    )
    cards = fields.List(
        fields.Nested(StepCardsSchema()),
        metadata={
            "description": "Of the steps that it began, continued or ended, as far as everyone may see them."
        },
    )


class EventsSchema(Answer):
    """Events of a fight, in order."""

    version = fields.Integer(metadata={"description": "Of the newest event there is."})
    events = fields.List(fields.Nested(EventSchema()))


class EventsQuerySchema(Schema):
    """Which events."""

    after = fields.Integer(
        load_default=0,
        validate=validate.Range(0, 2**53),
        metadata={"description": "Those after this version."},
    )
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 1000))
    ticket = fields.String(
        load_default="",
        validate=validate.Length(max=1000),
        metadata={"description": "Stands in for a token; for the live feed only."},
    )


class LogQuerySchema(Schema):
    """Which log."""

    format = fields.String(load_default="json", validate=validate.OneOf(("json", "markdown")))


class LogSchema(Answer):
    """The whole log of a fight."""

    format = fields.String(metadata={"description": "fracas-log"})
    version = fields.Integer(metadata={"description": "Of the format."})
    fracas = fields.String(metadata={"description": "The version of Fracas that wrote it."})
    encounter = fields.String()
    title = fields.String()
    ruleset = fields.String()
    packs = fields.List(fields.List(fields.String()), metadata={"description": "Ids and versions."})
    viewer = fields.String(validate=validate.OneOf(ROLES))
    complete = fields.Boolean(metadata={"description": "Nothing is left out."})
    closed = fields.Boolean()
    commitment = fields.String()
    seed = fields.String(allow_none=True, metadata={"description": "Disclosed once the fight is closed."})
    draws = fields.Integer()
    head = fields.String(metadata={"description": "The hash of the last event."})
    counts = fields.List(
        fields.List(fields.Integer()),
        metadata={"description": "Versions of the events that count, as ranges."},
    )
    events = fields.List(fields.Nested(EventSchema()))
    state = object_field("What the events make; null where something is left out.", allow_none=True)
