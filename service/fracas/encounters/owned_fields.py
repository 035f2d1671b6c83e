"""Fields of a sheet that a condition owns: ``prone`` is the condition of that name, and not set beside it.

Combatants who get such a field by hand, or join with it, get the condition, which then ends like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from fracas.encounters.command_context import CommandContext
from fracas.encounters.consequences import condition
from fracas.encounters.state import Condition, condition_of
from fracas.engine.game import Game


@lru_cache(maxsize=16)
def owners(game: Game) -> Mapping[str, str]:
    """Flags of a sheet, each with the slug of the condition of the same name that sets it."""
    found = {}
    for entry in game.packs.entries("condition"):
        field = entry.slug.replace("-", "_")
        if entry.data.get("sets", {}).get(field) is True:
            found[field] = entry.slug
    return found


def by_hand(
    context: CommandContext, who: str, fields: Mapping[str, Any], had: Collection[str]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fields that are left to be set, and the effects that stand for the others.

    Args:
        had: slugs of the conditions in which a combatant is.
    """
    left, effects = dict(fields), []
    for field, slug in owners(context.game).items():
        if field not in fields:
            continue
        if fields[field]:
            del left[field]
            reported = condition(context, slug, {}, "")
            effects.append({"type": "add-condition", "who": who, "what": slug, **reported})
        elif slug in had:
            effects.append({"type": "remove-condition", "who": who, "what": slug})
    return left, effects


def arriving(
    context: CommandContext, sheet: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[Condition, ...]]:
    """The sheet of a combatant who joins, and the conditions in which they come. One whose duration is
    thrown for stays a field: a fight throws for what happens in it."""
    left, conditions = dict(sheet), []
    for field, slug in owners(context.game).items():
        entry = context.game.packs.entry("condition", slug)
        lasts = entry.data.get("lasts", {}) if entry is not None else {}
        if left.get(field) is True and not isinstance(lasts.get("count"), str):
            del left[field]
            conditions.append(condition_of(condition(context, slug, {}, "")["condition"]))
    return left, tuple(conditions)
