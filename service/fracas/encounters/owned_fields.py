"""Fields of a sheet that a condition owns: ``prone`` is the condition of that name, and not set beside it. A condition
of another name says which it owns (``owns``), such as the full dodge that it is if ``full_defense`` is ``dodge``.

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
from fracas.kernel.stage import Fact


@lru_cache(maxsize=16)
def owners(game: Game) -> Mapping[str, Mapping[Fact, str]]:
    """Fields of a sheet, each with the slug of the condition that each of its values is."""
    found: dict[str, dict[Fact, str]] = {}
    for entry in game.packs.entries("condition"):
        sets, same = entry.data.get("sets", {}), entry.slug.replace("-", "_")
        fields = [*entry.data.get("owns", ()), *([same] if sets.get(same) is True else [])]
        for field in fields:
            if field in sets:
                found.setdefault(field, {})[sets[field]] = entry.slug
    return found


def by_hand(
    context: CommandContext, who: str, fields: Mapping[str, Any], had: Collection[str]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fields that are left to be set, and the effects that stand for the others.

    Args:
        had: slugs of the conditions in which a combatant is.
    """
    left = dict(fields)
    effects: list[dict[str, Any]] = []
    for field, values in owners(context.game).items():
        if field not in fields:
            continue
        begins = _of(values, fields[field])
        others = (slug for slug in values.values() if slug in had and slug != begins)
        effects += ({"type": "remove-condition", "who": who, "what": slug} for slug in others)
        if begins:
            del left[field]
            reported = condition(context, begins, {}, "")
            effects.append({"type": "add-condition", "who": who, "what": begins, **reported})
    return left, effects


def arriving(
    context: CommandContext, sheet: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[Condition, ...]]:
    """The sheet of a combatant who joins, and the conditions in which they come. One whose duration is
    thrown for stays a field: a fight throws for what happens in it."""
    left, conditions = dict(sheet), []
    for field, values in owners(context.game).items():
        slug = _of(values, left.get(field))
        entry = context.game.packs.entry("condition", slug)
        lasts = entry.data.get("lasts", {}) if entry is not None else {}
        if entry is not None and not isinstance(lasts.get("count"), str):
            del left[field]
            conditions.append(condition_of(condition(context, slug, {}, "")["condition"]))
    return left, tuple(conditions)


def _of(values: Mapping[Fact, str], value: Any) -> str:
    """The condition that a value of a field is; "" for none."""
    return values.get(value, "") if isinstance(value, (bool, str)) else ""
