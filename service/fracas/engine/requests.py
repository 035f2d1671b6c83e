"""Requests: what a caller may ask for, checked once, for the web, the command line and worked examples alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from marshmallow import fields, post_load, pre_load, validate

from fracas.engine.cards import cards_field
from fracas.engine.game import Game, Games
from fracas.engine.loading import Schema, StrictBoolean, found, wrong
from fracas.engine.policies import (
    AT_LEAST,
    AT_MOST,
    CONDITIONS,
    MAX_AMONG,
    Choice,
    choice_problems,
    choices_of,
)
from fracas.errors import InputError, Problem, suggestion
from fracas.kernel.ruleset import AttemptRequest, Procedure
from fracas.kernel.tally import HandModifier

MAX_GROUPS = 64
MAX_GROUP_SIZE = 400
MAX_FACE = 1000
NAME = validate.Length(max=64)
EXPLAIN = ("applied", "all", "none")
"""How much of the numbers is explained: what counts and the names of what is unknown, every line with its verdict, or
nothing."""


def explain_field() -> fields.Field[Any]:
    """The field that says how the numbers of an answer are explained."""
    return fields.String(
        validate=validate.OneOf(EXPLAIN),
        load_default="applied",
        metadata={
            "description": "How the numbers are explained: by the lines that count and the names of what is unknown, "
            "by all lines with their verdicts, or not at all."
        },
    )


class DiceWish(NamedTuple):
    """Where the dice come from: ``system``, ``seed`` (None: the service makes one) or ``supplied``."""

    source: str = "system"
    seed: bytes | None = None
    faces: tuple[tuple[int, ...], ...] = ()


class Request(NamedTuple):
    """A checked request."""

    game: Game
    procedure: Procedure
    attempt: AttemptRequest
    mode: str
    dice: DiceWish
    choices: tuple[Choice, ...]
    attribution: bool
    exact: bool
    cards: tuple[str, ...] = ()
    explain: str = "applied"


class ModifierSchema(Schema):
    """A modifier typed in by hand; it becomes one entry of the tally it names."""

    to = fields.String(required=True, validate=NAME, metadata={"description": "Tally, such as attack.pool."})
    label = fields.String(load_default="By hand", validate=validate.Length(max=120))
    value = fields.Integer(required=True, strict=True, validate=validate.Range(-100, 100))


_VALUE: dict[str, Any] = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
WHEN: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "enum": list(CONDITIONS)},
        {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "anyOf": [
                    *_VALUE["anyOf"],
                    {"type": "array", "items": _VALUE, "minItems": 1, "maxItems": MAX_AMONG},
                    {
                        "type": "object",
                        "properties": {AT_LEAST: {"type": "integer"}, AT_MOST: {"type": "integer"}},
                        "additionalProperties": False,
                        "minProperties": 1,
                    },
                ]
            },
        },
        {"type": "null"},
    ],
    "description": (
        "A condition: the choice is taken each time it holds. A word, or what the "
        'context of the decision must be: `{"short": {"at_least": 1}, "glitch": "none"}`.'
    ),
}


class ChoiceSchema(Schema):
    """A decision taken in advance, once; in odds every time it is asked, and with a condition every time it holds."""

    decision = fields.String(
        required=True, validate=NAME, metadata={"description": "Id, such as edge-before."}
    )
    choose = fields.String(required=True, validate=NAME, metadata={"description": "Id of the option."})
    by = fields.String(
        load_default="", validate=NAME, metadata={"description": "Who decides; anybody if left out."}
    )
    roll = fields.String(
        load_default="", validate=NAME, metadata={"description": "Label of the roll it is about."}
    )
    when = fields.Raw(load_default=None, allow_none=True, metadata=WHEN)


FACES: dict[str, Any] = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1, "maximum": MAX_FACE},
    "maxItems": MAX_GROUP_SIZE,
}


class Faces(fields.Field[list[int]]):
    """One list of faces; the request it answers checks count and pips."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(metadata=FACES, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[int]:
        if not isinstance(value, list) or len(value) > MAX_GROUP_SIZE:
            raise wrong("invalid", f"a list of at most {MAX_GROUP_SIZE} faces is expected")
        for face in value:
            if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= MAX_FACE:
                raise wrong("invalid", "a face is a whole number from 1")
        return value


_FACES = fields.List(
    Faces(),
    validate=validate.Length(max=MAX_GROUPS),
    metadata={"description": "One list a group of dice, in the order asked."},
)


class DiceSchema(Schema):
    """Where the dice come from."""

    source = fields.String(
        load_default="system",
        validate=validate.OneOf(("system", "seed", "supplied")),
        metadata={"description": "The system's generator, a committed seed, or dice that people threw."},
    )
    seed = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Regexp(
            r"^([0-9a-fA-F]{2}){16,64}$(?!\n)", error="16 to 64 bytes in hexadecimal are expected"
        ),
        metadata={"description": "A seed to replay, in hexadecimal; the service makes one if left out."},
    )
    faces = _FACES

    @pre_load
    def of_list(self, data: Any, **_: Any) -> Any:
        return {"source": "supplied", "faces": data} if isinstance(data, list) else data

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> DiceWish:
        faces = data.get("faces")
        if (data["source"] == "supplied") != (faces is not None):
            raise wrong("invalid", "faces go with the source 'supplied', and only with it", "faces")
        seed = data["seed"]
        if seed and data["source"] != "seed":
            raise wrong("invalid", "a seed goes with the source 'seed'", "seed")
        return DiceWish(data["source"], bytes.fromhex(seed) if seed else None, tuple(map(tuple, faces or ())))


class DiceField(fields.Field[DiceWish]):
    """An object that says where the dice come from, or just the faces that people threw."""

    schema = DiceSchema()

    def __init__(self, **kwargs: Any) -> None:
        faces = {"type": "array", "items": FACES, "maxItems": MAX_GROUPS}
        either = [{"$ref": "#/components/schemas/Dice"}, faces]
        super().__init__(metadata={"anyOf": either}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> DiceWish:
        wish: DiceWish = self.schema.load(value)
        return wish


class RequestSchema(Schema):
    """A combat step to resolve, or to give the odds of."""

    ruleset = fields.String(required=True, validate=NAME, metadata={"examples": ["sr4"]})
    procedure = fields.String(required=True, validate=NAME, metadata={"examples": ["ranged-attack"]})
    situation = fields.Raw(
        required=True,
        metadata={"type": "object", "description": "What is known; its fields depend on the procedure."},
    )
    options = fields.Dict(
        load_default=dict, metadata={"description": "House rules other than their defaults."}
    )
    modifiers = fields.List(
        fields.Nested(ModifierSchema()), load_default=list, validate=validate.Length(max=32)
    )
    decisions = fields.List(
        fields.Nested(ChoiceSchema()), load_default=list, validate=validate.Length(max=32)
    )
    mode = fields.String(load_default="auto", validate=validate.OneOf(("auto", "step")))
    dice = DiceField(load_default=DiceWish)
    attribution = StrictBoolean(
        load_default=True,
        metadata={"description": "Odds only: what each modifier changes."},
    )
    exact = StrictBoolean(
        load_default=False,
        metadata={"description": "Odds only: exact fractions as text."},
    )
    cards = cards_field()
    explain = explain_field()

    def __init__(self, games: Games, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.games = games

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> Request:
        try:
            return check_request(data, self.games.game(data["ruleset"]))
        except InputError as error:
            raise found(error.problems) from error


class HouseRules(NamedTuple):
    """All house rules of a game, checked, and the same as facts of an attempt."""

    options: Mapping[str, Any]
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, game: Game, given: Mapping[str, Any]) -> HouseRules:
        """
        Raises:
            InputError: see `Game.options`.
        """
        options = game.options(given)
        return cls(options, {f"option.{id}": value for id, value in options.items()})


def check_request(data: Mapping[str, Any], game: Game, house_rules: HouseRules | None = None) -> Request:
    """Names, situation, options, modifiers and decisions against the game; `data` is as the schema leaves it.

    Args:
        house_rules: those of the fight; None: those of `data`.

    Raises:
        InputError: all faults at once.
    """
    procedure = game.procedure(data["procedure"])
    problems: list[Problem] = []
    given = None
    try:
        given = procedure.vocabulary.parse(data["situation"], game.packs)
    except InputError as error:
        problems += error.problems
    try:
        house_rules = house_rules or HouseRules.of(game, data["options"])
    except InputError as error:
        problems += error.problems
    hand = tuple(HandModifier(item["to"], item["label"], item["value"]) for item in data["modifiers"])
    for at, modifier in enumerate(hand):
        if modifier.to not in procedure.targets:
            hint = suggestion(modifier.to, procedure.targets)
            message = f"{procedure.id} has no number {modifier.to!r}"
            problems.append(Problem(f"modifiers[{at}].to", "unknown-target", message, hint))
    choices: tuple[Choice, ...] = ()
    try:
        choices = choices_of(data["decisions"])
    except InputError as error:
        problems += error.problems
    problems += choice_problems(choices, procedure.decisions, procedure.id)
    if problems or given is None or house_rules is None:
        raise InputError(problems)
    options = house_rules.options
    given.facts.update(house_rules.facts)
    if data["mode"] == "step":
        opened = frozenset(decision.id for decision in procedure.decisions)
    else:
        opened = frozenset(choice.decision for choice in choices)
    asked = AttemptRequest(given, options, hand, opened, game.rules(procedure, options), game.packs)
    return Request(
        game,
        procedure,
        asked,
        data["mode"],
        data["dice"],
        choices,
        data["attribution"],
        data["exact"],
        tuple(data.get("cards", ())),
        data.get("explain", "applied"),
    )
