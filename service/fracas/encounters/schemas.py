"""What commands may say, as marshmallow schemas: one for each command, and the settings of a fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from fracas.encounters.map_schemas import Map, Move, MovementSchema, Place, PointSchema, PositionSchema
from fracas.encounters.schema_fields import (
    ID,
    MAX_LIST,
    MAX_THERE,
    WORD,
    Object,
    flag,
    maybe,
    text,
    whole,
    words,
)
from fracas.engine.loading import Schema, StrictBoolean, load
from fracas.engine.requests import MAX_GROUPS, ChoiceSchema, Faces, ModifierSchema
from fracas.errors import InputError, suggestion
from fracas.kernel.economy import MAX_TOKENS

MAX_CARRIED = 1000
"""The greatest number of one thing that a combatant carries."""


class _CombatantField(fields.Field[Any]):
    """A combatant of the packs, fields of one, or both."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, (str, Mapping)):
            raise ValidationError(
                "the name of a combatant of the packs, or an object with fields, is expected"
            )
        return value


class InitiativeChoiceSchema(ChoiceSchema):
    """A decision about initiative, taken in advance."""

    combatant = text("Whose; those of all combatants if left out.")


class Join(Schema):
    """A combatant joins the fight (GM)."""

    combatant = _CombatantField(
        required=True,
        metadata={
            "oneOf": [{"type": "string"}, {"type": "object"}],
            "description": "A combatant of the packs, an object with fields of one, or both with `use`.",
        },
    )
    id = maybe("Its id in the fight; made from the name if left out.", validate=ID)
    name = text("What it is called.", load_default="", validate=validate.Length(max=80))
    side = text("Who belongs together.", load_default="")
    player = flag("It belongs to a player.")
    hidden = flag("Only the GM knows of it.")
    asks = flag("Decisions are asked; left out: those of players' combatants are.", None)
    asks_reactions = flag(
        "Reactions to what is done to it are asked, such as a parry or full defense, even where `asks` is false."
    )
    dice = fields.String(
        load_default="service",
        validate=validate.OneOf(("service", "hand")),
        metadata={"description": "Who throws its dice: the service, or a hand that types them in."},
    )
    position = fields.Nested(
        PositionSchema(),
        load_default=None,
        allow_none=True,
        metadata={"description": "Where it is on the map; left out: it is not known."},
    )
    weapons = words(
        "Slugs of weapons, the first one ready; those of the pack's entry if left out.",
        load_default=None,
        allow_none=True,
    )
    carried = fields.Dict(
        keys=fields.String(validate=WORD),
        values=fields.Integer(strict=True, validate=validate.Range(0, MAX_CARRIED)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=MAX_LIST),
        metadata={
            "description": "What is carried beside the weapons, to be used up: how many of each, by slug: "
            '`{"grenade-frag": 2}`; what the pack\'s entry lists if left out.'
        },
    )


class Leave(Schema):
    """A combatant leaves the fight (GM)."""

    combatant = text("Who.", required=True)


class BeginTurn(Schema):
    """The next turn begins, and initiative is rolled (GM)."""

    decisions = fields.List(
        fields.Nested(InitiativeChoiceSchema()), load_default=list, validate=validate.Length(max=MAX_THERE)
    )
    given = Object(
        'Initiative set by hand, by combatant: `{"rook": {"hits": 3}}`.', MAX_THERE, values=fields.Dict()
    )
    force = flag("Although the turn before is not over.")


class RollInitiative(Schema):
    """Those whose initiative is missing roll, such as late comers (GM)."""

    decisions = fields.List(
        fields.Nested(InitiativeChoiceSchema()), load_default=list, validate=validate.Length(max=MAX_THERE)
    )
    given = Object("Initiative set by hand, by combatant.", MAX_THERE, values=fields.Dict())


class Act(Schema):
    """A combatant takes an action."""

    combatant = text("Who.", required=True)
    action = text("Slug of an action of the packs.", required=True)
    target = maybe("The combatant that it is done to.")
    others = words(
        "Further people that it concerns, such as those in reach of a blast, for the further records of the procedure.",
        load_default=list,
    )
    item = maybe(
        "The weapon, by its slug; of several of one model the second is slug#2. "
        "The first ready one that will do if left out."
    )
    second_item = maybe("A second weapon, named in the same way, for what is done with two.")
    timer = maybe("Id of what is due: the action happens by itself, and costs nothing.")
    situation = fields.Dict(
        load_default=dict,
        metadata={
            "description": "What the fight does not know of the procedure's situation: distance, cover."
        },
    )
    modifiers = fields.List(
        fields.Nested(ModifierSchema()), load_default=list, validate=validate.Length(max=32)
    )
    decisions = fields.List(
        fields.Nested(ChoiceSchema()), load_default=list, validate=validate.Length(max=32)
    )
    ask = flag("Ask who acts for the decisions that are not taken here.", True)
    hidden = flag("Only the GM sees it (GM).")
    force = flag("Although something speaks against it (GM).")
    confirm = flag("Although the target is out of the fight: the answer to the refusal confirm-target.")
    pay = fields.Dict(
        keys=fields.String(validate=WORD),
        values=fields.Integer(strict=True, validate=validate.Range(1, MAX_TOKENS)),
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=MAX_TOKENS),
        metadata={
            "description": "How it is paid, in tokens: one of the offer's `payments`; the first if left out."
        },
    )
    spot = fields.Nested(
        PointSchema(),
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The place on the map that it is done to, such as where a grenade is thrown: distances, "
            "and who is in reach, follow from it."
        },
    )
    to = fields.Nested(
        MovementSchema(),
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Where on the map the combatant moves for it, as far as the rules let them; a charge goes "
            "to its target if left out."
        },
    )
    note = text("A few words for the log.", load_default="", validate=validate.Length(max=200))


class AnswerCommand(Schema):
    """A question is answered: a choice, dice that people threw, or neither: the service throws."""

    question = text("Its id.", required=True)
    choose = maybe("Id of the option.")
    dice = fields.List(
        Faces(),
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=MAX_GROUPS),
        metadata={
            "description": "One list a group of dice, in the order asked, for the parts that are yours."
        },
    )


class Apply(Schema):
    """The effects of a finished step are applied (GM)."""

    resolution = text("Its id.", required=True)
    only_ = fields.List(
        fields.Integer(strict=True),
        data_key="only",
        attribute="only",
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=MAX_LIST),
        metadata={"description": "Numbers of the effects to apply, from 0; all if left out."},
    )


class Discard(Schema):
    """A step is given up, and what it would do is not done (GM)."""

    resolution = text("Its id.", required=True)


class Contest(Schema):
    """A test that several make, such as surprise: what follows is reported when all have thrown (GM)."""

    contest = text("Which.", required=True)
    combatants = words("Who takes part; all who are there if left out.", MAX_THERE, load_default=list)
    situations = Object(
        'What the fight does not know of a test, by combatant: `{"rook": {"tester": {"alerted": true}}}`.',
        MAX_THERE,
        values=fields.Dict(),
    )
    decisions = fields.List(
        fields.Nested(InitiativeChoiceSchema()), load_default=list, validate=validate.Length(max=MAX_THERE)
    )


class Spend(Schema):
    """A resource buys something outside of a roll, such as Edge a place at the front."""

    combatant = text("Who.", required=True)
    on = text("What it buys, such as go-first.", required=True)


class Delay(Schema):
    """A combatant whose slot it is holds its action back."""

    combatant = text("Who.", required=True)


class Intervene(Schema):
    """A delayed action is used."""

    combatant = text("Who.", required=True)
    when = fields.String(
        load_default="before",
        validate=validate.OneOf(("before", "with", "after", "now")),
        metadata={"description": "Before, with or after those who act; now if no combatant acts."},
    )


class Set(Schema):
    """Values are set by hand (GM); players set when their combatants are asked: `asks` and `asks_reactions`."""

    combatant = text("Whose.", required=True)
    fields_ = Object("Fields of the sheet; null makes one unknown.", data_key="fields", attribute="fields")
    items = Object(
        'What is known of its things, by slug: `{"katana": {"ready": true}}`.', values=fields.Dict()
    )
    add = words("Slugs of conditions to add.", load_default=list)
    towards = words(
        "The combatants that the conditions to add concern; none in particular if left out.",
        MAX_THERE,
        load_default=list,
    )
    remove = words("Slugs of conditions to remove.", load_default=list)
    rolled = fields.Dict(
        load_default=None, allow_none=True, metadata={"description": 'Its initiative roll: `{"hits": 3}`.'}
    )
    name = maybe("What it is called.", validate=validate.Length(min=1, max=80))
    side = maybe("Who belongs together.")
    player = flag("It belongs to a player.", None)
    hidden = flag("Only the GM knows of it.", None)
    asks = flag("Its decisions are asked.", None)
    asks_reactions = flag("Its reactions are asked, even where its other decisions are not.", None)
    dice = maybe("Who throws its dice.", validate=validate.OneOf(("service", "hand")))
    skips = whole("Coming slots that it has given up.", 0, 10, load_default=None, allow_none=True)
    done = flag("It has had its slot.", None)


class Next(Schema):
    """Those who act are done, and the fight goes on."""

    combatant = maybe("Only this one is done.")


class Undo(Schema):
    """The last events no longer count (GM; a player their own last command, where the table allows it)."""

    steps = whole("How many events.", 1, 100_000, load_default=1)
    to = whole(
        "In place of steps: the version of the event that is to be the last.",
        1,
        10**9,
        load_default=None,
        allow_none=True,
    )


class Redo(Schema):
    """Events that were undone count again (GM)."""

    steps = whole("How many events.", 1, 100_000, load_default=1)
    to = whole(
        "In place of steps: the version of the last event to count again.",
        1,
        10**9,
        load_default=None,
        allow_none=True,
    )


class Contribute(Schema):
    """A player adds to what the dice of the fight come from, before the first of them falls."""

    entropy = fields.String(
        required=True,
        validate=validate.Length(min=1, max=200),
        metadata={
            "description": "Anything that others cannot foresee: random digits, or a few words of your own."
        },
    )


def _is_plain(value: Any) -> None:
    if not isinstance(value, (bool, int, float, str)) or len(str(value)) > 64:
        raise ValidationError("true, false, a number or a word of at most 64 characters is expected")


class ChangeRules(Schema):
    """House rules have other values from now on (GM): before the first turn, or between two turns; or something is so
    in the whole fight, at any time."""

    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        validate=validate.Length(max=200),
        metadata={
            "description": 'By house rule: `{"initiative": "individual"}`; the others stay as they are.'
        },
    )
    scene = Object(
        'Facts of the settings\' `scene` that change: `{"distance": 8}`; null removes one.',
        values=fields.Raw(allow_none=True, validate=_is_plain),
    )


class Close(Schema):
    """The fight is over; the seed of its dice is disclosed (GM)."""


SCHEMAS: Mapping[str, Schema] = {
    "join": Join(),
    "leave": Leave(),
    "begin-turn": BeginTurn(),
    "roll-initiative": RollInitiative(),
    "act": Act(),
    "answer": AnswerCommand(),
    "apply": Apply(),
    "discard": Discard(),
    "contest": Contest(),
    "spend": Spend(),
    "delay": Delay(),
    "intervene": Intervene(),
    "set": Set(),
    "place": Place(),
    "move": Move(),
    "map": Map(),
    "change-rules": ChangeRules(),
    "next": Next(),
    "undo": Undo(),
    "redo": Redo(),
    "contribute": Contribute(),
    "close": Close(),
}
"""By the word that stands under ``command``."""


def load_command(data: Any) -> dict[str, Any]:
    """A command as `commands.decide` takes it.

    Raises:
        InputError: every fault, with field paths.
    """
    kind = data.get("command") if isinstance(data, Mapping) else None
    if kind is None:
        raise InputError.one("command", "missing-field", "which command?", "known: " + ", ".join(SCHEMAS))
    schema = SCHEMAS.get(kind) if isinstance(kind, str) else None
    if schema is None:
        raise InputError.one("command", "unknown-command", f"no command {kind!r}", suggestion(kind, SCHEMAS))
    loaded: dict[str, Any] = load(schema, {name: value for name, value in data.items() if name != "command"})
    return {"command": kind, **loaded}


class SettingsSchema(Schema):
    """How a table plays."""

    apply = fields.String(
        load_default="confirm",
        validate=validate.OneOf(("confirm", "at-once")),
        metadata={"description": "Effects wait for the GM's confirmation, or are applied at once."},
    )
    timeout = whole(
        "Seconds after which a question's default answers; null: never.",
        1,
        86_400,
        load_default=None,
        allow_none=True,
    )
    player_undo = flag(
        "A player may take back their own last command if no other command came after it and no dice fell."
    )
    keep_rolls = StrictBoolean(
        metadata={"description": "No undo takes back an event in which dice fell; false if left out."}
    )
    open_sheets = flag("Players and observers see the sheets of others.")
    scene = Object(
        'Facts of a situation by path, such as `{"distance": 12}`, with which clients fill in their forms. They count '
        "once a command says them.",
        values=fields.Raw(validate=_is_plain),
    )


class NewEncounterSchema(Schema):
    """A fight to begin."""

    ruleset = text("Such as sr4.", required=True)
    title = text("What the fight is called.", load_default="", validate=validate.Length(max=120))
    skirmish = maybe(
        "A ready-made fight of the packs: its people join, and its label is the title if none is given."
    )
    options = fields.Dict(
        load_default=dict, metadata={"description": "House rules other than their defaults."}
    )
    settings = fields.Nested(SettingsSchema(), load_default=lambda: SettingsSchema().load({}))
