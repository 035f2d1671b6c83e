"""The house rules of a fight, changed after its beginning: between two turns, as a turn counts by the same rules; and
what is so in the whole fight, such as the distance, changed at any time."""

from __future__ import annotations

from typing import Any

from fracas.encounters.command_context import Command, CommandContext, Draft, for_gm, nothing_open
from fracas.encounters.state import State
from fracas.engine.game import Game
from fracas.errors import InputError, RefusedError, suggestion
from fracas.kernel.field import Field
from fracas.kernel.turns import Words

BETWEEN = ("setup", "turn-over")
"""Phases in which nothing is under way that has counted by the rules so far."""


def why_not_now(state: State, words: Words) -> str:
    """Why house rules cannot change now; "" if they can. Scores, budgets and steps of a turn follow from them."""
    if state.phase in BETWEEN:
        return ""
    if state.phase == "closed":
        return "the fight is over"
    return f"house rules change between two {words.turn}s, and {words.turn} {state.turn} is not over"


def change_rules(context: CommandContext, command: Command) -> Draft:
    """House rules and facts of the scene have other values from now on; those that are not named stay."""
    for_gm(context, "change house rules")
    scene = _scene(context, command["scene"])
    why_not = why_not_now(context.state, context.rules.words)
    if why_not and (context.state.phase == "closed" or command["options"] or not scene):
        raise RefusedError("not-over", why_not)
    nothing_open(context)
    now = context.state.options
    wanted = context.game.options({**now, **command["options"]})
    changed: dict[str, Any] = {id: wanted[id] for id in command["options"] if wanted[id] != now.get(id)}
    if not changed and not scene:
        raise InputError.one("options", "missing-field", "no house rule is changed")
    return "ruled", {"options": changed, **({"scene": scene} if scene else {})}, False


def fields_of_scene(game: Game) -> dict[str, Field]:
    """What may be so in a whole fight, by path."""
    found: dict[str, Field] = {}
    for procedure in game.ruleset.procedures.values():
        found = {**procedure.vocabulary.fields, **found}
    return found


def _scene(context: CommandContext, given: dict[str, Any]) -> dict[str, Any]:
    """The facts that change.

    Raises:
        InputError: no procedure has such a field, or the field does not take such a value.
    """
    now = context.state.settings.get("scene", {})
    vocabularies = [one.vocabulary for one in context.game.ruleset.procedures.values()]
    for path, value in given.items():
        knows = next((one for one in vocabularies if path in one.fields), None)
        if knows is None:
            hint = suggestion(path, fields_of_scene(context.game))
            raise InputError.one(f"scene.{path}", "unknown-field", f"no rule reads {path!r}", hint)
        if value is not None and (fault := knows.fault(path, value, context.game.packs)):
            raise InputError.one(f"scene.{path}", "wrong-value", f"{knows.fields[path].label}: {fault}")
    return {path: value for path, value in given.items() if value != now.get(path)}
