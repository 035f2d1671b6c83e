"""What commands may say, as marshmallow schemas: one for each command, and the settings of a fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from fracas.engine.loading import Schema, StrictBoolean, load
from fracas.engine.requests import MAX_GROUPS, NAME, ChoiceSchema, Faces, ModifierSchema
from fracas.errors import InputError, suggestion
from fracas.kernel.economy import MAX_TOKENS
from fracas.space import FARTHEST

ID = validate.Regexp(
    r"[a-z0-9][a-z0-9-]{0,63}\Z", error="small letters, digits and hyphens are expected, at most 64"
)
WORD = validate.Length(min=1, max=100)
MAX_LIST = 64
MAX_THERE = 200
"""Combatants who are in a fight at a time; a command may name them all."""
MAX_CARRIED = 1000
"""The greatest number of one thing that a combatant carries."""


def _text(description: str, **kwargs: Any) -> fields.String:
    kwargs.setdefault("validate", NAME)
    return fields.String(metadata={"description": description}, **kwargs)


def _maybe(description: str, **kwargs: Any) -> fields.String:
    return _text(description, load_default=None, allow_none=True, **kwargs)


def _flag(description: str, default: bool | None = False) -> StrictBoolean:
    return StrictBoolean(
        load_default=default, allow_none=default is None, metadata={"description": description}
    )


def _whole(description: str, least: int, most: int, **kwargs: Any) -> fields.Integer:
    return fields.Integer(
        strict=True, validate=validate.Range(least, most), metadata={"description": description}, **kwargs
    )


def _words(description: str, most: int = MAX_LIST, **kwargs: Any) -> fields.List[str]:
    return fields.List(
        fields.String(validate=WORD),
        validate=validate.Length(max=most),
        metadata={"description": description},
        **kwargs,
    )


class _Object(fields.Dict):
    """An object of limited size, whose fields something else checks."""

    def __init__(self, description: str, most: int = MAX_LIST, **kwargs: Any) -> None:
        super().__init__(
            keys=fields.String(validate=WORD),
            load_default=dict,
            validate=validate.Length(max=most),
            metadata={"description": description},
            **kwargs,
        )


class _CombatantField(fields.Field[Any]):
    """A combatant of the packs, fields of one, or both."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, (str, Mapping)):
            raise ValidationError(
                "the name of a combatant of the packs, or an object with fields, is expected"
            )
        return value


class _Number(fields.Float):
    """A number, and no text of one."""

    def _validated(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("invalid")
        return float(super()._validated(value))


def _number(description: str, least: float, most: float, **kwargs: Any) -> _Number:
    return _Number(validate=validate.Range(least, most), metadata={"description": description}, **kwargs)


def _maybe_number(description: str, least: float, most: float) -> _Number:
    return _number(description, least, most, load_default=None, allow_none=True)


class PointSchema(Schema):
    """A place on the map."""

    x = _number("Metres to the right.", -FARTHEST, FARTHEST, required=True)
    y = _number("Metres downwards.", -FARTHEST, FARTHEST, required=True)
    elevation = _maybe_number("Metres above the ground of the map; 0 if left out.", -FARTHEST, FARTHEST)


class PositionSchema(Schema):
    """Where a combatant is. What is left out stays as it was; at first the elevation is 0, the size 1."""

    x = _number("Metres to the right, of the middle.", -FARTHEST, FARTHEST, required=True)
    y = _number("Metres downwards.", -FARTHEST, FARTHEST, required=True)
    elevation = _maybe_number("Metres above the ground of the map.", -FARTHEST, FARTHEST)
    size = _maybe_number("Metres across; what it is broader than 1 brings it nearer to everything.", 0, 1000)
    facing = _maybe_number("Degrees clockwise, 0 to the right of the map.", 0, 360)


class MovementSchema(PositionSchema):
    """How a combatant moves, and to where."""

    via = fields.List(
        fields.Nested(PointSchema()),
        load_default=list,
        validate=validate.Length(max=MAX_LIST),
        metadata={"description": "Places on the way, in order; a straight line if left out."},
    )
    factor = _number(
        "How many metres of movement a metre takes, beside the zones of the map: 2 on difficult ground.",
        0.1,
        10,
        load_default=1.0,
    )


class InitiativeChoiceSchema(ChoiceSchema):
    """A decision about initiative, taken in advance."""

    combatant = _text("Whose; those of all combatants if left out.")


class Join(Schema):
    """A combatant joins the fight (GM)."""

    combatant = _CombatantField(
        required=True,
        metadata={
            "oneOf": [{"type": "string"}, {"type": "object"}],
            "description": "A combatant of the packs, an object with fields of one, or both with `use`.",
        },
    )
    id = _maybe("Its id in the fight; made from the name if left out.", validate=ID)
    name = _text("What it is called.", load_default="", validate=validate.Length(max=80))
    side = _text("Who belongs together.", load_default="")
    player = _flag("It belongs to a player.")
    hidden = _flag("Only the GM knows of it.")
    asks = _flag("Decisions are asked; left out: those of players' combatants are.", None)
    asks_reactions = _flag(
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
        metadata={"description": "Where it is on the map; left out: nobody has said it."},
    )
    weapons = _words(
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

    combatant = _text("Who.", required=True)


class BeginTurn(Schema):
    """The next turn begins, and initiative is rolled (GM)."""

    decisions = fields.List(
        fields.Nested(InitiativeChoiceSchema()), load_default=list, validate=validate.Length(max=MAX_THERE)
    )
    given = _Object(
        'Initiative set by hand, by combatant: `{"rook": {"hits": 3}}`.', MAX_THERE, values=fields.Dict()
    )
    force = _flag("Although the turn before is not over.")


class RollInitiative(Schema):
    """Those whose initiative is missing roll, such as late comers (GM)."""

    decisions = fields.List(
        fields.Nested(InitiativeChoiceSchema()), load_default=list, validate=validate.Length(max=MAX_THERE)
    )
    given = _Object("Initiative set by hand, by combatant.", MAX_THERE, values=fields.Dict())


class Act(Schema):
    """A combatant takes an action."""

    combatant = _text("Who.", required=True)
    action = _text("Slug of an action of the packs.", required=True)
    target = _maybe("The combatant that it is done to.")
    others = _words(
        "Further people that it concerns, such as those in reach of a blast, for the further records of the procedure.",
        load_default=list,
    )
    item = _maybe(
        "The weapon, by its slug; of several of one model the second is slug#2. "
        "The first ready one that will do if left out."
    )
    second_item = _maybe("A second weapon, named in the same way, for what is done with two.")
    timer = _maybe("Id of what is due: the action happens by itself, and costs nothing.")
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
    ask = _flag("Ask who acts for the decisions that are not taken here.", True)
    hidden = _flag("Only the GM sees it (GM).")
    force = _flag("Although something speaks against it (GM).")
    confirm = _flag("Although the target is out of the fight: the answer to the refusal confirm-target.")
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
    note = _text("A few words for the log.", load_default="", validate=validate.Length(max=200))


class AnswerCommand(Schema):
    """A question is answered: a choice, dice that people threw, or neither: the service throws."""

    question = _text("Its id.", required=True)
    choose = _maybe("Id of the option.")
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

    resolution = _text("Its id.", required=True)
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

    resolution = _text("Its id.", required=True)


class Contest(Schema):
    """A test that several make, such as surprise: what follows is reported when all have thrown (GM)."""

    contest = _text("Which.", required=True)
    combatants = _words("Who takes part; all who are there if left out.", MAX_THERE, load_default=list)
    situations = _Object(
        'What the fight does not know of a test, by combatant: `{"rook": {"tester": {"alerted": true}}}`.',
        MAX_THERE,
        values=fields.Dict(),
    )
    decisions = fields.List(
        fields.Nested(InitiativeChoiceSchema()), load_default=list, validate=validate.Length(max=MAX_THERE)
    )


class Spend(Schema):
    """A resource buys something outside of a roll, such as Edge a place at the front."""

    combatant = _text("Who.", required=True)
    on = _text("What it buys, such as go-first.", required=True)


class Delay(Schema):
    """A combatant whose slot it is holds its action back."""

    combatant = _text("Who.", required=True)


class Intervene(Schema):
    """A delayed action is used."""

    combatant = _text("Who.", required=True)
    when = fields.String(
        load_default="before",
        validate=validate.OneOf(("before", "with", "after", "now")),
        metadata={"description": "Before, with or after those who act; now if no combatant acts."},
    )


class Set(Schema):
    """Values are set by hand (GM); players set when their combatants are asked: `asks` and `asks_reactions`."""

    combatant = _text("Whose.", required=True)
    fields_ = _Object("Fields of the sheet; null makes one unknown.", data_key="fields", attribute="fields")
    items = _Object(
        'What is known of its things, by slug: `{"katana": {"ready": true}}`.', values=fields.Dict()
    )
    add = _words("Slugs of conditions to add.", load_default=list)
    towards = _words(
        "The combatants that the conditions to add concern; none in particular if left out.",
        MAX_THERE,
        load_default=list,
    )
    remove = _words("Slugs of conditions to remove.", load_default=list)
    rolled = fields.Dict(
        load_default=None, allow_none=True, metadata={"description": 'Its initiative roll: `{"hits": 3}`.'}
    )
    name = _maybe("What it is called.", validate=validate.Length(min=1, max=80))
    side = _maybe("Who belongs together.")
    player = _flag("It belongs to a player.", None)
    hidden = _flag("Only the GM knows of it.", None)
    asks = _flag("Its decisions are asked.", None)
    asks_reactions = _flag("Its reactions are asked, even where its other decisions are not.", None)
    dice = _maybe("Who throws its dice.", validate=validate.OneOf(("service", "hand")))
    skips = _whole("Coming slots that it has given up.", 0, 10, load_default=None, allow_none=True)
    done = _flag("It has had its slot.", None)


class Place(Schema):
    """Combatants are somewhere, however far that is from where they were (GM). All of them are one event."""

    positions = fields.Dict(
        keys=fields.String(validate=WORD),
        values=fields.Nested(PositionSchema(), allow_none=True),
        required=True,
        validate=validate.Length(1, MAX_THERE),
        metadata={"description": 'By combatant: `{"rook": {"x": 4, "y": 2.5}}`; null takes one off the map.'},
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
    force = _flag("Although the rules of movement speak against it (GM).")


class AreaSchema(Schema):
    """A wall or a zone: two points are a wall, more the corners of a zone, one is the middle of a round one."""

    label = _text("What it is called.", load_default="", validate=validate.Length(max=80))
    points = fields.List(fields.Nested(PointSchema()), required=True, validate=validate.Length(1, MAX_LIST))
    radius = _number("Metres, of a round zone.", 0, 10_000, load_default=0.0)
    elevation = _number("Metres above the ground where it begins.", -FARTHEST, FARTHEST, load_default=0.0)
    height = _maybe_number("Metres from there to its top; null: it ends nowhere.", 0, 10_000)
    factor = _number("How many metres of movement a metre in it takes.", 0.1, 100, load_default=1.0)
    cover = _maybe_number(
        "How much a wall hides of those behind it, 0 to 1, in place of what its height hides.", 0, 1
    )
    inside = _Object(
        'What holds for those who stand in a zone: fields of combatants by name, `{"cover": "good"}`.'
    )
    across = _Object(
        "What holds between two of whom one stands in a zone, or who look through it: fields of the "
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


class Next(Schema):
    """Those who act are done, and the fight goes on."""

    combatant = _maybe("Only this one is done.")


class Undo(Schema):
    """The last events no longer count (GM; a player their own last command, where the table allows it)."""

    steps = _whole("How many events.", 1, 100_000, load_default=1)
    to = _whole(
        "In place of steps: the version of the event that is to be the last.",
        1,
        10**9,
        load_default=None,
        allow_none=True,
    )


class Redo(Schema):
    """Events that were undone count again (GM)."""

    steps = _whole("How many events.", 1, 100_000, load_default=1)
    to = _whole(
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


class ChangeRules(Schema):
    """House rules have other values from now on (GM): before the first turn, or between two turns."""

    options = fields.Dict(
        keys=fields.String(),
        required=True,
        validate=validate.Length(1, 200),
        metadata={
            "description": 'By house rule: `{"initiative": "individual"}`; the others stay as they are.'
        },
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


def _is_plain(value: Any) -> None:
    if not isinstance(value, (bool, int, float, str)) or len(str(value)) > 64:
        raise ValidationError("true, false, a number or a word of at most 64 characters is expected")


class SettingsSchema(Schema):
    """How a table plays."""

    apply = fields.String(
        load_default="confirm",
        validate=validate.OneOf(("confirm", "at-once")),
        metadata={"description": "Effects wait for the GM's confirmation, or are applied at once."},
    )
    timeout = _whole(
        "Seconds after which a question's default answers; null: never.",
        1,
        86_400,
        load_default=None,
        allow_none=True,
    )
    player_undo = _flag(
        "A player may take back their own last command if no other command came after it and no dice fell."
    )
    keep_rolls = StrictBoolean(
        metadata={"description": "No undo takes back an event in which dice fell; false if left out."}
    )
    open_sheets = _flag("Players and observers see the sheets of others.")
    scene = _Object(
        'Facts of a situation by path, such as `{"distance": 12}`, with which clients fill in their forms. They count '
        "once a command says them.",
        values=fields.Raw(validate=_is_plain),
    )


class NewEncounterSchema(Schema):
    """A fight to begin."""

    ruleset = _text("Such as sr4.", required=True)
    title = _text("What the fight is called.", load_default="", validate=validate.Length(max=120))
    skirmish = _maybe(
        "A ready-made fight of the packs: its people join, and its label is the title if none is said."
    )
    options = fields.Dict(
        load_default=dict, metadata={"description": "House rules other than their defaults."}
    )
    settings = fields.Nested(SettingsSchema(), load_default=lambda: SettingsSchema().load({}))
