"""Marshmallow schemas of a fight as it stands: who is in it, whose turn it is, and what will happen.

Those of its steps lie in `step_schemas`, of commands in `encounters.schemas`, of what these did in `event_schemas`.
"""

from __future__ import annotations

from typing import ClassVar

from marshmallow import fields, validate

from fracas.web.answers import Answer, moment, named_facts, object_field, whose
from fracas.web.map_schemas import AreaShownSchema, PointShownSchema, PositionShownSchema
from fracas.web.schemas import ErrorSchema
from fracas.web.step_schemas import ChangeSchema, FightStepSchema


class StaleSchema(ErrorSchema):
    """The encounter has moved on."""

    current = fields.Integer(metadata={"description": "The version now."})


class SecretSchema(Answer):
    """A token; its secret is shown here and never again."""

    id = fields.String()
    secret = fields.String()


class FirstTokensSchema(Answer):
    """The tokens that an encounter begins with."""

    gm = fields.Nested(SecretSchema())
    observer = fields.Nested(SecretSchema())


class BegunSchema(Answer):
    """A new encounter."""

    id = fields.String()
    version = fields.Integer()
    commitment = fields.String(metadata={"description": "The SHA-256 of the seed of its dice."})
    tokens = fields.Nested(FirstTokensSchema())


class EncounterRowSchema(Answer):
    """An encounter in a list."""

    id = fields.String()
    title = fields.String()
    ruleset = fields.String()
    version = fields.Integer()
    closed = moment("When it was closed.", allow_none=True)
    created = moment("When it was begun.")
    updated = moment("When the last event came.")
    deadline = moment("When the time of an open question is over.", allow_none=True)
    head = fields.String(
        metadata={"description": "The hash of its last event; empty if an earlier version stored that."}
    )


class WordsSchema(Answer):
    """What the ruleset calls its spans."""

    turn = fields.String()
    part = fields.String()
    slot = fields.String()


class SlotSchema(Answer):
    """A slot that is still to come; those acting have the first one."""

    actors = whose()
    may_lack: ClassVar[tuple[str, ...]] = ("timer",)
    together = fields.Boolean()
    label = fields.String()
    timer = fields.String(
        metadata={"description": "What goes off by itself then, in place of anybody acting."}
    )


class TimerSchema(Answer):
    """Something that will happen by itself: a fuse, a fire that goes on burning."""

    id = fields.String(metadata={"description": "For `timer` of the command act."})
    label = fields.String()
    action = fields.String(metadata={"description": "The action that it is, when its time has come."})
    who = fields.String(metadata={"description": "The combatant who takes that action."})
    item = fields.String()
    situation = object_field("What was settled when it was set.")
    when = fields.String(validate=validate.OneOf(("part", "turn-begin", "turn-end", "slot-end", "now")))
    turn = fields.Integer()
    part = fields.Integer()
    rank = fields.Integer(metadata={"description": "Its place in the order of that part."})
    lasting = fields.String(
        metadata={"description": "The condition of `who` with which it falls away; empty for none."}
    )
    spot = fields.Nested(
        PointShownSchema(),
        allow_none=True,
        metadata={"description": "Where on the map it will happen; null where it is not known."},
    )
    due = fields.Boolean(
        metadata={"description": "Its time has come: act with it, or let it pass with next."}
    )
    happened = fields.Boolean(metadata={"description": "Its action is taken: the fight goes on with next."})


class JobSchema(Answer):
    """How far something is that takes several actions."""

    done = fields.Integer(metadata={"description": "Actions that have gone into it without a break."})
    of = fields.Integer(allow_none=True, metadata={"description": "How many it takes; null: not known."})


class ConditionShownSchema(Answer):
    """A condition that a combatant is in."""

    slug = fields.String()
    label = fields.String()
    unit = fields.String(metadata={"description": "What its time is counted in; empty for no time."})
    until = fields.Integer()
    towards = whose("The combatants that it concerns; empty: all of them.")
    item = fields.String(
        allow_none=True,
        metadata={"description": "The thing that it concerns, with which it was brought about."},
    )
    job = fields.Nested(
        JobSchema(),
        allow_none=True,
        metadata={"description": "For a condition that counts the actions of a job; null for any other."},
    )


class MovingSchema(Answer):
    """How a combatant moves until their next slot."""

    mode = fields.String(metadata={"description": "A word of the ruleset, such as run."})
    metres = fields.Float(
        allow_none=True, metadata={"description": "In this part; null where no rate is known."}
    )
    turn = fields.Float(allow_none=True, metadata={"description": "Metres in the whole turn."})


class GaugeSchema(Answer):
    """A number that a table keeps an eye on."""

    id = fields.String(metadata={"description": "The name of its track."})
    label = fields.String()
    value = fields.Integer()
    most = fields.Integer(
        allow_none=True, metadata={"description": "Where it ends; null where the sheet does not say."}
    )
    fills = fields.Boolean(
        metadata={
            "description": "Bad as it rises, like boxes of a monitor; otherwise as it falls, like hit points."
        }
    )
    harm = fields.Boolean(
        metadata={"description": "How badly a combatant is hurt; otherwise what is left to spend."}
    )


class CombatantSchema(Answer):
    """A combatant in the fight. The fields that may lack are shown to the GM, to those who command it, and where sheets
    are open."""

    may_lack: ClassVar[tuple[str, ...]] = (
        "asks",
        "asks_reactions",
        "dice",
        "sheet",
        "items",
        "rolled",
        "budget",
        "gauges",
        "marks",
        "skips",
    )
    id = fields.String()
    name = fields.String()
    side = fields.String()
    player = fields.Boolean()
    hidden = fields.Boolean()
    gone = fields.Boolean()
    able = fields.Boolean()
    unable = fields.String(metadata={"description": "What keeps it from acting; empty for nothing."})
    out = fields.Boolean(
        metadata={"description": "Out of the fight, and not only kept from acting for a moment."}
    )
    done = fields.Boolean()
    delaying = fields.Boolean()
    rank = fields.String()
    conditions = fields.List(fields.Nested(ConditionShownSchema()))
    movement = fields.Nested(
        MovingSchema(),
        allow_none=True,
        metadata={"description": "Null where the rules keep no account of it."},
    )
    position = fields.Nested(
        PositionShownSchema(), allow_none=True, metadata={"description": "Null where it is not known."}
    )
    asks = fields.Boolean()
    asks_reactions = fields.Boolean()
    dice = fields.String(validate=validate.OneOf(("service", "hand")))
    sheet = object_field("Its fields, without what conditions do.")
    items = object_field(
        "What is known of its things, by slug; of several of one model the second is slug#2."
    )
    rolled = named_facts("What its initiative roll gave.")
    budget = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "Tokens for actions that are left."},
    )
    gauges = fields.List(
        fields.Nested(GaugeSchema()),
        metadata={"description": "What a table keeps an eye on, such as the boxes of monitors; harm first."},
    )
    marks = object_field("What purchases and delays left.")
    skips = fields.Integer()


class SideSchema(Answer):
    """A side of a fight, without those who have left it and without vehicles."""

    side = fields.String()
    able = whose("Who can fight, or can again within a minute.")
    out = whose("Who is out of the fight.")


class OverSchema(Answer):
    """That at most one side can still fight. Commands go on working."""

    left = fields.String(allow_none=True, metadata={"description": "The side that can; null for none."})
    out = whose("The sides that cannot.")
    text = fields.String(metadata={"description": "The same in words."})


class ContributionSchema(Answer):
    """What a player added to the seed of the dice."""

    label = fields.String(metadata={"description": "Of the player's token."})
    entropy = fields.String()


class EncounterSchema(Answer):
    """A fight as the role of the token sees it."""

    may_lack: ClassVar[tuple[str, ...]] = ("draws",)
    id = fields.String()
    version = fields.Integer()
    ruleset = fields.String()
    title = fields.String()
    options = named_facts("House rules.")
    settings = object_field("How the table plays.")
    turn = fields.Integer()
    part = fields.Integer()
    parts = fields.Integer()
    phase = fields.String(
        validate=validate.OneOf(("setup", "initiative", "slot", "waiting", "due", "turn-over", "closed"))
    )
    words = fields.Nested(WordsSchema())
    seconds = fields.Integer(metadata={"description": "How long a turn lasts in the game."})
    acting = whose("Whose slot it is.")
    order = fields.List(fields.Nested(SlotSchema()))
    combatants = fields.List(fields.Nested(CombatantSchema()))
    areas = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(AreaShownSchema()),
        metadata={"description": "Walls and zones of the map, by id."},
    )
    timers = fields.List(fields.Nested(TimerSchema()))
    contest = fields.String(
        allow_none=True, metadata={"description": "The contest in which some have still to throw."}
    )
    steps = fields.List(fields.Nested(FightStepSchema()))
    changes = fields.List(
        fields.Nested(ChangeSchema()), metadata={"description": "What the newest event changed."}
    )
    sides = fields.List(fields.Nested(SideSchema()))
    over = fields.Nested(
        OverSchema(), allow_none=True, metadata={"description": "Null while more than one side can fight."}
    )
    undoable = fields.Integer(metadata={"description": "Events that undo can take back."})
    redoable = fields.Integer()
    commitment = fields.String(metadata={"description": "The SHA-256 of the seed of the dice."})
    head = fields.String(
        metadata={"description": "The hash of the newest event, which the next one carries."}
    )
    contributions = fields.List(
        fields.Nested(ContributionSchema()),
        metadata={"description": "What players have added to the present seed of the dice, in order."},
    )
    may_contribute = fields.Boolean(
        metadata={"description": "No die has fallen yet, so players may still contribute."}
    )
    draws = fields.Integer(
        metadata={
            "description": "Dice draws so far. Left out for others than the GM until the fight is closed."
        }
    )
