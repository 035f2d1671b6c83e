"""Marshmallow schemas of what the endpoints of encounters answer; those of commands lie in `encounters.schemas`."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import fields, validate

from fracas.encounters.tokens import ROLES
from fracas.engine.cards import cards_field
from fracas.engine.loading import Schema
from fracas.engine.requests import NAME, explain_field
from fracas.web.answers import Answer, moment, named_facts
from fracas.web.card_schemas import CardsSchema
from fracas.web.schemas import DecisionTakenSchema, ErrorSchema, RollSchema, TallySchema


def _object(description: str, **kwargs: Any) -> fields.Field[Any]:
    return fields.Raw(metadata={"type": "object", "description": description}, **kwargs)


def _whose(description: str = "") -> fields.List[str]:
    return fields.List(fields.String(), metadata={"description": description} if description else {})


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


class WordsSchema(Answer):
    """What the ruleset calls its spans."""

    turn = fields.String()
    part = fields.String()
    slot = fields.String()


class SlotSchema(Answer):
    """A slot that is still to come; those acting have the first one."""

    actors = _whose()
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
    situation = _object("What was settled when it was set.")
    when = fields.String(validate=validate.OneOf(("part", "turn-begin", "turn-end", "slot-end", "now")))
    turn = fields.Integer()
    part = fields.Integer()
    rank = fields.Integer(metadata={"description": "Its place in the order of that part."})
    lasting = fields.String(
        metadata={"description": "The condition of `who` with which it falls away; empty for none."}
    )
    due = fields.Boolean(
        metadata={"description": "Its time has come: act with it, or let it pass with next."}
    )


class ConditionShownSchema(Answer):
    """A condition that a combatant is in."""

    slug = fields.String()
    label = fields.String()
    unit = fields.String(metadata={"description": "What its time is counted in; empty for no time."})
    until = fields.Integer()
    towards = _whose("The combatants that it concerns; empty: everybody.")
    item = fields.String(
        allow_none=True,
        metadata={"description": "The thing that it concerns, with which it was brought about."},
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
    asks = fields.Boolean()
    asks_reactions = fields.Boolean()
    dice = fields.String(validate=validate.OneOf(("service", "hand")))
    sheet = _object("Its fields, without what conditions do.")
    items = _object("What is known of its things, by slug; of several of one model the second is slug#2.")
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
    marks = _object("What purchases and delays left.")
    skips = fields.Integer()


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
    owners = _whose("Whose question it is; empty: the GM's. The GM may answer all.")
    yours = fields.Boolean(metadata={"description": "You may answer it."})
    asked = moment("When it was asked.")
    deadline = moment("When its default answers; null: never.", allow_none=True)
    options = fields.List(fields.Nested(ShownOptionSchema()))
    default = fields.String()
    decision = fields.String()
    by = fields.String(metadata={"description": "The record of the procedure that decides."})
    about = named_facts("What the person who decides may know.")
    reaction = fields.Boolean(metadata={"description": "How somebody reacts to what is done to them."})
    dice = fields.String(metadata={"description": "What is rolled, such as 11d6 >= 5."})
    parts = fields.List(
        fields.Raw(metadata={"type": "object"}),
        metadata={"description": "The parts of a roll, each with who throws it and its groups of dice."},
    )


class ChangeSchema(Answer):
    """What changed, and why: a condition that ended or began, a number, who can act, a side that is beaten."""

    may_lack: ClassVar[tuple[str, ...]] = ("of", "towards", "was", "now")
    kind = fields.String(
        validate=validate.OneOf(("ends", "begins", "out", "back", "points", "side-out", "side-back"))
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
    of = fields.String(metadata={"description": "Id of another combatant on whom it depends."})
    towards = _whose("Whom the condition concerned.")
    was = fields.Integer(metadata={"description": "The number before."})
    now = fields.Integer(metadata={"description": "The number after."})
    text = fields.String(metadata={"description": "All of it as a sentence, in the words of the transcript."})


class FightDecisionSchema(DecisionTakenSchema):
    """A decision that was taken in a fight."""

    how = fields.String(validate=validate.OneOf(("chosen", "default", "timeout")))


class FightStepSchema(Answer):
    """A combat step under way."""

    may_lack: ClassVar[tuple[str, ...]] = ("cards", "modifiers", "facts", "unknown_", "changes")
    id = fields.String()
    summary = fields.String(metadata={"description": "What happened, or what is asked, in one sentence."})
    purpose = fields.String(validate=validate.OneOf(("action", "initiative", "contest")))
    actor = fields.String()
    target = fields.String(allow_none=True)
    action = fields.String(allow_none=True)
    item = fields.String(allow_none=True)
    procedure = fields.String()
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
        metadata={"description": "In the forms asked for; null for what not everybody may see."},
    )


class ExplainQuerySchema(Schema):
    """How steps are explained."""

    explain = explain_field()


class StepQuerySchema(ExplainQuerySchema):
    """How steps are told."""

    cards = cards_field()


class StepCardsSchema(Answer):
    """The cards of a step."""

    step = fields.String()
    cards = fields.Nested(CardsSchema())


class SideSchema(Answer):
    """A side of a fight, without those who have left it and without vehicles."""

    side = fields.String()
    able = _whose("Who can fight, or can again within a minute.")
    out = _whose("Who is out of the fight.")


class OverSchema(Answer):
    """That at most one side can still fight. Commands go on working."""

    left = fields.String(allow_none=True, metadata={"description": "The side that can; null for none."})
    out = _whose("The sides that cannot.")
    text = fields.String(metadata={"description": "The same in words."})


class EncounterSchema(Answer):
    """A fight as the role of the token sees it."""

    id = fields.String()
    version = fields.Integer()
    ruleset = fields.String()
    title = fields.String()
    options = named_facts("House rules.")
    settings = _object("How the table plays.")
    turn = fields.Integer()
    part = fields.Integer()
    parts = fields.Integer()
    phase = fields.String(
        validate=validate.OneOf(("setup", "initiative", "slot", "waiting", "due", "turn-over", "closed"))
    )
    words = fields.Nested(WordsSchema())
    seconds = fields.Integer(metadata={"description": "How long a turn lasts in the game."})
    acting = _whose("Whose slot it is.")
    order = fields.List(fields.Nested(SlotSchema()))
    combatants = fields.List(fields.Nested(CombatantSchema()))
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
    draws = fields.Integer(metadata={"description": "Dice draws so far."})


class LineSchema(Answer):
    """A sentence about what an event did."""

    kind = fields.String(metadata={"description": "effect, or the kind of a change."})
    who = fields.String(metadata={"description": "Id of the combatant it is about; empty for nobody alone."})
    cause = fields.String(metadata={"description": "Of a change; empty for effects."})
    text = fields.String()
    hidden = fields.Boolean(metadata={"description": "Others than the GM see less of it."})


class EventSchema(Answer):
    """What one command did; of one that you may not see only its version and the type `hidden`."""

    may_lack: ClassVar[tuple[str, ...]] = ("v", "at", "by", "hidden", "draws", "data", "lines")
    version = fields.Integer()
    type = fields.String()
    v = fields.Integer(metadata={"description": "The version of its data."})
    at = moment("When.")
    by = _object("Role, token and label of who did it.")
    hidden = fields.Boolean(metadata={"description": "Only the GM sees it."})
    draws = fields.Integer(metadata={"description": "Dice draws so far, with its own."})
    data = _object("What happened.")
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
            "description": "Of the steps that it began, continued or ended, as far as everybody may see them."
        },
    )


class EventsSchema(Answer):
    """Events of a fight, in order."""

    version = fields.Integer(metadata={"description": "Of the newest event there is."})
    events = fields.List(fields.Nested(EventSchema()))


class ActionsQuerySchema(Schema):
    """Whose actions."""

    combatant = fields.String(required=True, validate=NAME, metadata={"description": "Id of a combatant."})
    action = fields.String(
        load_default=None, validate=NAME, metadata={"description": "Only this action, which is told sooner."}
    )


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
    counts = fields.List(
        fields.List(fields.Integer()),
        metadata={"description": "Versions of the events that count, as ranges."},
    )
    events = fields.List(fields.Nested(EventSchema()))
    state = _object("What the events make; null where something is left out.", allow_none=True)
