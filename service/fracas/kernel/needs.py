"""What most words of an action's ``needs`` ask, as functions that `intents.Need` takes; None where it is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table

__all__ = [
    "Holds",
    "Likely",
    "all_known",
    "anybody",
    "friends_towards",
    "has_left",
    "in_condition",
    "in_condition_towards",
    "maybe",
    "never",
    "of_actor",
    "of_data",
    "of_item",
    "of_sheet",
    "of_target",
]

Holds = Callable[[Table, Participant, Intent], bool | None]
"""Whether the actor meets a requirement with what they are about to do; None where it is not known."""
Likely = Callable[[Table, Participant, Intent], bool]
"""Whether that may well be so where it is not known."""


def never(table: Table, actor: Participant, intent: Intent) -> bool:
    """Not likely where it is not known: a sheet, an item or a condition would show it."""
    return False


def maybe(table: Table, actor: Participant, intent: Intent) -> bool:
    """Likely where it is not known, because nobody need tell the fight, such as how far away a target is."""
    return True


def anybody(suits: Callable[[Participant], bool]) -> Likely:
    """Likely where a combatant of the fight is such."""
    return lambda table, actor, intent: any(map(suits, table.participants.values()))


def of_actor(holds: Callable[[Participant], bool | None]) -> Holds:
    """What holds of the actor."""
    return lambda table, actor, intent: holds(actor)


def of_target(holds: Callable[[Participant], bool | None]) -> Holds:
    """What holds of the target; not known without one."""
    return lambda table, actor, intent: None if intent.target is None else holds(intent.target)


def of_item(holds: Callable[[Intent], bool | None]) -> Holds:
    """What holds of the item with which the action is done, by the action alone."""
    return lambda table, actor, intent: holds(intent)


def of_data(field: str, holds: Callable[[Any], bool]) -> Holds:
    """What holds of a field of the item's entry; not known where the packs do not have it."""
    return of_item(lambda intent: holds(intent.item_data[field]) if field in intent.item_data else None)


def of_sheet(field: str, holds: Callable[[Any], bool]) -> Holds:
    """What holds of a field of the actor's sheet; not known where the sheet does not have it."""
    return of_actor(lambda who: holds(who.sheet[field]) if field in who.sheet else None)


def in_condition(condition: str, field: str = "") -> Holds:
    """The actor is in a condition, or has the field of the sheet that it sets."""
    return of_actor(lambda who: condition in who.conditions or bool(field and who.sheet.get(field)))


def in_condition_towards(condition: str) -> Holds:
    """The actor is in a condition that concerns the target, where one is named."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        if condition not in actor.conditions or intent.target is None:
            return condition in actor.conditions
        return intent.target.id in actor.towards.get(condition, (intent.target.id,))

    return holds


def has_left(field: str) -> Holds:
    """The actor has any left of what the sheet counts."""

    def left(who: Participant) -> bool | None:
        count = who.sheet.get(field)
        return None if count is None else count > 0

    return of_actor(left)


def all_known(*known: bool | None) -> bool | None:
    """Whether all of these hold, as far as they are known."""
    return False if False in known else None if None in known else True


def friends_towards(table: Table, actor: Participant, target: Participant, condition: str) -> int:
    """How many others of the actor's side are in a condition towards the target, such as in melee with them."""
    others = (who for who in table.participants.values() if who.able and who.id != actor.id)
    return sum(who.side == actor.side and target.id in who.towards.get(condition, ()) for who in others)
