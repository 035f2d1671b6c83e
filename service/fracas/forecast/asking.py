"""What a forecast is asked for: a fight that begins, or one that stands, and how its combatants choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from fracas.dice.sources import SeededDice
from fracas.encounters import fold
from fracas.encounters.command_context import Author, CommandContext
from fracas.encounters.commands import decide
from fracas.encounters.events import History
from fracas.encounters.fights import rules_of
from fracas.encounters.schema_fields import Object, maybe, text, whole, words
from fracas.encounters.schemas import SettingsSchema, load_command
from fracas.encounters.skirmishes import joins, skirmish_of
from fracas.encounters.state import State
from fracas.engine.game import Game, Games
from fracas.engine.loading import Schema
from fracas.errors import InputError, suggestion
from fracas.forecast.tactics import Book, Tactics, book_of

FIGHTS, MOST_FIGHTS = 1000, 100_000
MOST_CHANGES = 8
SEED = "fracas"
"""Where none is given."""
_SEED = b"combatants of a forecast"


class ForecastChangeSchema(Schema):
    """One thing that is otherwise, to see what it changes."""

    label = text("What is otherwise, for people.", required=True)
    add = fields.List(
        fields.Dict(),
        load_default=list,
        validate=validate.Length(max=24),
        metadata={"description": "Combatants who join beside the others, each as a command `join`."},
    )
    more = words("Ids of combatants of whom one more is there.", load_default=list)
    without = words("Ids of combatants who are not there.", load_default=list)
    situation = Object(
        'Facts of the scene that are otherwise, such as `{"distance": 30}`.', values=fields.Raw()
    )
    against = Object(
        'By side, facts of attacks on its combatants: `{"corp": {"target": {"cover": "good"}}}`.',
        values=fields.Dict(),
    )
    first = maybe("The side that acts first in turn 1.")
    tactics = Object("By side, the id of its tactics.", values=fields.String())


class ForecastSchema(Schema):
    """A forecast of a fight."""

    fights = whole("How many fights are played.", 1, MOST_FIGHTS, load_default=FIGHTS)
    start = whole(
        "The number of the first fight, from 0.",
        0,
        10_000_000,
        load_default=0,
        data_key="from",
    )
    seed = text("A word from which all dice follow.", load_default=SEED)
    tactics = Object("Tactics by side or combatant.", values=fields.String())
    against = Object(
        "By side, facts of attacks on its combatants.",
        values=fields.Dict(),
    )
    first = maybe("The side that acts first in turn 1.")
    compare = fields.List(
        fields.Nested(ForecastChangeSchema()),
        load_default=list,
        validate=validate.Length(max=MOST_CHANGES),
        metadata={"description": "What is compared, with the same dice."},
    )
    continuation = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=1_000_000),
        metadata={"description": "That of the answer before."},
    )


class NewForecastSchema(ForecastSchema):
    """A forecast of a fight that would begin."""

    ruleset = text("Such as sr4.", required=True)
    skirmish = maybe("A ready-made fight of the packs, whose people join.")
    combatants = fields.List(
        fields.Dict(),
        load_default=list,
        validate=validate.Length(max=24),
        metadata={"description": "Combatants, each as a command `join`, with `count` for several alike."},
    )
    options = fields.Dict(
        load_default=dict, metadata={"description": "House rules other than their defaults."}
    )
    situation = Object('Facts of the scene, such as `{"distance": 12}`.', values=fields.Raw())


def state_of_new(games: Games, asked: Mapping[str, Any]) -> tuple[Game, State]:
    """The fight that a request describes, before its first turn.

    Raises:
        InputError: an unknown ruleset, skirmish or house rule, or a combatant who cannot join.
    """
    game = games.game(asked["ruleset"])
    rules_of(game)
    economy = game.packs.economy()
    if economy is None:
        message = f"no pack of {game.ruleset.id} says what actions cost"
        raise InputError.one("ruleset", "no-economy", message)
    skirmish = skirmish_of(game, asked["skirmish"]) if asked.get("skirmish") else None
    scene = {**(skirmish.data.get("situation", {}) if skirmish else {}), **asked["situation"]}
    settings = {**SettingsSchema().load({}), "scene": scene}
    title = skirmish.label if skirmish else ""
    state = State(game.ruleset.id, title, game.options(asked["options"]), economy, settings)
    if skirmish is not None:
        for body in joins(game, skirmish):
            state = joined(game, state, body)
    for at, body in enumerate(asked["combatants"]):
        state = _joined_each(game, state, body, f"combatants[{at}]")
    return game, state


def _joined_each(game: Game, state: State, body: Mapping[str, Any], path: str) -> State:
    given = dict(body)
    count = given.pop("count", 1)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 24:
        raise InputError.one(f"{path}.count", "out-of-range", "1 to 24 is expected")
    try:
        for _ in range(count):
            state = joined(game, state, {"command": "join", **given})
    except InputError as error:
        raise InputError(one._replace(path=f"{path}.{one.path}") for one in error.problems) from None
    return state


def joined(game: Game, state: State, body: Mapping[str, Any]) -> State:
    """A fight with one combatant more.

    Raises:
        InputError: the combatant cannot join so.
    """
    rules = rules_of(game)
    context = CommandContext(game, rules, state, History(), Author("gm"), 0, SeededDice(_SEED))
    return fold.apply(rules, state, decide(context, load_command(body)))


def changed(game: Game, state: State, change: Mapping[str, Any], path: str) -> State:
    """A fight in which one thing is otherwise.

    Raises:
        InputError: it names combatants who are not there.
    """
    for name in ("without", "more"):
        for at, id in enumerate(change[name]):
            if id not in state.combatants:
                message, hint = f"there is no combatant {id!r}", suggestion(id, state.combatants)
                raise InputError.one(f"{path}.{name}[{at}]", "unknown-combatant", message, hint)
    left = {id: one for id, one in state.combatants.items() if id not in change["without"]}
    for at, id in enumerate(change["more"], start=1):
        one, another = state.combatants[id], f"{id}-more-{at}"
        left[another] = one._replace(id=another, name=f"{one.name} (one more)", position=None)
    scene = {**state.settings.get("scene", {}), **change["situation"]}
    state = state._replace(combatants=left, settings={**state.settings, "scene": scene})
    for at, body in enumerate(change["add"]):
        state = _joined_each(game, state, body, f"{path}.add[{at}]")
    return state


def chosen_tactics(
    game: Game, state: State, wanted: Mapping[str, str], path: str
) -> tuple[Book, dict[str, Tactics]]:
    """The tactics of each combatant: their own, those of their side, or the usual ones.

    Raises:
        InputError: a name that is no side, combatant or tactics.
    """
    book = book_of(game)
    known = {*state.combatants, *(one.side for one in state.combatants.values())}
    for name, id in wanted.items():
        if name not in known:
            hint = suggestion(name, known)
            raise InputError.one(
                f"{path}.{name}", "unknown-side", f"there is no side or combatant {name!r}", hint
            )
        book.named(id, f"{path}.{name}")
    usual = book.tactics[book.default]
    found = {}
    for id, one in state.combatants.items():
        named = wanted.get(id) or wanted.get(one.side)
        found[id] = book.tactics[named] if named else usual
    return book, found
