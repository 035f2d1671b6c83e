"""Combatants who come by what others do: a spirit that is summoned, a program that is launched."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fracas.encounters.command_context import CommandContext
from fracas.encounters.schema_fields import MAX_THERE
from fracas.encounters.sheets import carried_by, items_of, sheet_of, weapons_of
from fracas.encounters.state import Combatant, State, to_json

MAX_EVER = 1000
"""Combatants of a fight with those who have left; at a time there are at most `MAX_THERE`."""

_SLUG = re.compile(r"[^a-z0-9]+")


def free_id(state: State, name: str) -> str:
    """An id that no combatant has: ``guard``, ``guard-2``."""
    id = _SLUG.sub("-", name.lower()).strip("-")[:48] or "combatant"
    number, found = 1, id
    while found in state.combatants:
        number += 1
        found = f"{id}-{number}"
    return found


def numbered(name: str, count: int, taken: Collection[str] = ()) -> Iterator[str]:
    """Names for several of a kind, none of which is taken; for one of them with a number where others have one.

    >>> [*numbered("Guard", 1)], [*numbered("Guard", 2)], [*numbered("Guard", 1, {"Guard 1", "Guard 2"})]
    (['Guard'], ['Guard 1', 'Guard 2'], ['Guard 3'])
    >>> [*numbered("Guard", 1, {"Guard"})], [*numbered("Guard", 2, {"Guard 1", "Guard 2"})]
    (['Guard 2'], ['Guard 3', 'Guard 4'])
    """
    several = re.compile(re.escape(name) + r"(?: [1-9]\d{0,2})?")
    if count == 1 and not any(several.fullmatch(one) for one in taken):
        yield name
        return
    free = (f"{name} {number}" for number in itertools.count(2 if name in taken else 1))
    yield from itertools.islice((one for one in free if one not in taken), count)


def is_full(state: State, *, again: bool = False) -> bool:
    """Whether nobody more can join. `again`: it is one who was there before."""
    there = sum(not other.gone for other in state.combatants.values())
    return there >= MAX_THERE or (not again and len(state.combatants) >= MAX_EVER)


def newcomer(
    context: CommandContext, by: str, entry: str, detail: Mapping[str, Any]
) -> dict[str, Any] | None:
    """A combatant of the packs who joins the side of another, as events hold it; None where the fight is full.

    Args:
        by: id of the one who brings it.
        entry: slug of the combatant's entry.
        detail: ``set_`` and a field for what differs from the entry, such as ``set_force``.
    """
    if is_full(context.state):
        return None
    given: dict[str, Any] = {"use": entry}
    given |= {name.removeprefix("set_"): value for name, value in detail.items() if name.startswith("set_")}
    name, sheet = sheet_of(context.game, given)
    sheet = dict(context.rules.arriving(sheet, given, context.game.packs, context.state.options))
    items = items_of(
        context.game, weapons_of(context.game, given), context.rules, carried_by(context.game, given), sheet
    )
    owner = context.state.combatants[by]
    name = name or entry
    one = Combatant(
        free_id(context.state, name),
        name,
        owner.side,
        False,
        owner.hidden,
        False,
        "service",
        sheet,
        items=items,
    )
    return dict(to_json(one))
