"""Marshmallow schemas of the steps of a fight: what is asked, what was decided, and what changed."""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields, validate

from fracas.engine.cards import cards_field
from fracas.engine.loading import Schema
from fracas.engine.requests import explain_field
from fracas.web.answers import Answer, moment, named_facts, whose
from fracas.web.card_schemas import CardsSchema
from fracas.web.map_schemas import PointShownSchema
from fracas.web.schemas import RULE, DecisionTakenSchema, RollSchema, TallySchema


class ShownOptionSchema(Answer):
    """An option of a question."""

    may_lack: ClassVar[tuple[str, ...]] = ("cost", "price")
    id = fields.String()
    label = fields.String()
    cost = fields.Dict(keys=fields.String(), values=fields.Integer())
    price = fields.String(metadata={"description": "The cost in words, if there is one."})


class QuestionSchema(Answer):
    """What a step waits for."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "options",
        "default",
        "decision",
        "by",
        "about",
        "reaction",
        "dice",
        "parts",
    )
    id = fields.String()
    kind = fields.String(validate=validate.OneOf(("roll", "decision", "reaction", "confirm")))
    text = fields.String(metadata={"description": "What is asked, as a sentence for people."})
    owners = whose("Whose question it is; empty: the GM's. The GM may answer all.")
    yours = fields.Boolean(metadata={"description": "You may answer it."})
    asked = moment("When it was asked.")
    deadline = moment("When its default answers; null: never.", allow_none=True)
    options = fields.List(fields.Nested(ShownOptionSchema()))
    default = fields.String()
    decision = fields.String()
    by = fields.String(metadata={"description": "The record of the procedure that decides."})
    about = named_facts("What the person who decides may know.")
    reaction = fields.Boolean(metadata={"description": "How a target reacts to what is done to it."})
    dice = fields.String(metadata={"description": "What is rolled, such as 11d6 >= 5."})
    parts = fields.List(
        fields.Raw(metadata={"type": "object"}),
        metadata={"description": "The parts of a roll, each with who throws it and its groups of dice."},
    )


class ChangeSchema(Answer):
    """What changed, and why: a condition that ended or began, a number, who can act, a side that is beaten."""

    may_lack: ClassVar[tuple[str, ...]] = ("of", "towards", "was", "now", "goal", "metres")
    kind = fields.String(
        validate=validate.OneOf(
            ("ends", "begins", "out", "back", "points", "job", "moves", "side-out", "side-back")
        )
    )
    who = fields.String(metadata={"description": "Id of the combatant; empty for a side."})
    what = fields.String(
        metadata={"description": "The condition, number or side by its slug; empty where none stands for it."}
    )
    label = fields.String()
    cause = fields.String(
        metadata={"description": "A stable word, such as time, effect, unable, bond, after, by-hand."}
    )
    why = fields.String(metadata={"description": "The cause for people; empty where the event says it."})
    of = fields.String(metadata={"description": "Id of another combatant on which it depends."})
    towards = whose("The combatants that the condition concerned.")
    was = fields.Integer(metadata={"description": "The number before."})
    now = fields.Integer(metadata={"description": "The number after."})
    metres = fields.Float(metadata={"description": "How far a combatant moved."})
    goal = fields.Integer(metadata={"description": "How many actions a job takes, where that is known."})
    text = fields.String(metadata={"description": "All of it as a sentence, in the words of the transcript."})


class FightDecisionSchema(DecisionTakenSchema):
    """A decision that was taken in a fight."""

    how = fields.String(validate=validate.OneOf(("chosen", "default", "timeout")))


class PlacedFactSchema(Answer):
    """A fact of a step that follows from positions."""

    field = fields.String(metadata={"description": "Its path in the situation."})
    value = fields.Raw(metadata={"description": "What positions give."})
    by_hand = fields.Boolean(metadata={"description": "The command says otherwise, and that counts."})
    text = fields.String()


class StepPlacesSchema(Answer):
    """Where a step takes place."""

    spot = fields.Nested(
        PointShownSchema(), allow_none=True, metadata={"description": "The place that it is done to."}
    )
    landed = fields.Nested(
        PointShownSchema(),
        allow_none=True,
        metadata={"description": "Where it landed, after its scatter; null until that is known."},
    )
    facts = fields.List(fields.Nested(PlacedFactSchema()))


class FightStepSchema(Answer):
    """A combat step under way."""

    may_lack: ClassVar[tuple[str, ...]] = (
        *("cards", "modifiers", "facts", "unknown_", "changes", "rule"),
        "places",
    )
    id = fields.String()
    summary = fields.String(metadata={"description": "What happened, or what is asked, in one sentence."})
    purpose = fields.String(validate=validate.OneOf(("action", "initiative", "contest")))
    actor = fields.String()
    target = fields.String(allow_none=True)
    action = fields.String(allow_none=True)
    item = fields.String(allow_none=True)
    procedure = fields.String()
    rule = fields.String(metadata={"description": RULE})
    who = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "The combatant behind each record of the procedure."},
    )
    hidden = fields.Boolean()
    modifiers = fields.List(fields.Nested(TallySchema()))
    unknown_ = fields.List(
        fields.String(),
        data_key="unknown",
        attribute="unknown",
        metadata={"description": "Fields that would decide further modifiers."},
    )
    facts = named_facts("What follows from the situation.")
    places = fields.Nested(
        StepPlacesSchema(),
        metadata={
            "description": "Where it takes place, and what follows from that; left out where nobody knows."
        },
    )
    rolls = fields.List(fields.Nested(RollSchema()))
    decisions = fields.List(fields.Nested(FightDecisionSchema()))
    outcome = named_facts("What happened, and the numbers on the way.")
    effects = fields.List(fields.Raw(metadata={"type": "object"}))
    changes = fields.List(
        fields.Nested(ChangeSchema()),
        metadata={
            "description": "What its effects changed, of a step that is over; see `changes` of events."
        },
    )
    done = fields.Boolean(metadata={"description": "It is over, and its effects wait to be applied."})
    question = fields.Nested(QuestionSchema(), allow_none=True)
    cards = fields.Nested(
        CardsSchema(),
        allow_none=True,
        metadata={"description": "In the forms asked for; null for what not everyone may see."},
    )


class ExplainQuerySchema(Schema):
    """How steps are explained."""

    explain = explain_field()


class StepQuerySchema(ExplainQuerySchema):
    """How steps are reported."""

    cards = cards_field()


class StepCardsSchema(Answer):
    """The cards of a step."""

    step = fields.String()
    cards = fields.Nested(CardsSchema())
