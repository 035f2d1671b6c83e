"""The house rules of a fight, changed after its beginning: between two turns, as a turn counts by the same rules."""

from __future__ import annotations

from typing import Any

from fracas.encounters.command_context import Command, CommandContext, Draft, for_gm, nothing_open
from fracas.encounters.state import State
from fracas.errors import InputError, RefusedError
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
    """House rules have other values from now on; those that are not named stay."""
    for_gm(context, "change house rules")
    if why_not := why_not_now(context.state, context.rules.words):
        raise RefusedError("not-over", why_not)
    nothing_open(context)
    now = context.state.options
    wanted = context.game.options({**now, **command["options"]})
    changed: dict[str, Any] = {id: wanted[id] for id in command["options"] if wanted[id] != now.get(id)}
    if not changed:
        raise InputError.one("options", "missing-field", "no house rule is changed")
    return "ruled", {"options": changed}, False
