"""What needs of actions are made of here: what holds of the item used, of its user, and of the target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.items import slug_of
from fracas.kernel.needs import Holds, of_actor, of_item, of_target
from fracas.rulesets.cwn.fights.sheet import level, listed, slugs


def at_least(number: float | None, least: float) -> bool | None:
    return None if number is None else number >= least


def one_of(*needs: Holds) -> Holds:
    """One of them holds; unknown if that may be."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = [need(table, actor, intent) for need in needs]
        return True if True in found else None if None in found else False

    return holds


def negated(need: Holds) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = need(table, actor, intent)
        return None if found is None else not found

    return holds


def towards(holds: Callable[[Table, Participant, Participant], bool | None]) -> Holds:
    """What holds of the actor towards the target; unknown without one."""
    return lambda table, actor, intent: None if intent.target is None else holds(table, actor, intent.target)


def target_in(condition: str) -> Holds:
    return of_target(lambda one: condition in one.conditions)


# What the action is done with.


def no_item(intent: Intent) -> bool | None:
    """What holds where the item used is unknown: False where there is none at all, as nothing that the
    combatant has will do, and the action neither names nor brings one."""
    brought = "weapon" in intent.situation or "weapon" in intent.action.get("situation", {})
    return None if intent.item or brought or intent.lookup is None else False


def of_data(holds: Callable[[Mapping[str, Any]], bool | None], *, ready: bool = False) -> Holds:
    """What holds of the data of the item used; `ready`: it must be ready as well."""

    def of_intent(intent: Intent) -> bool | None:
        found = holds(intent.item_data) if intent.item_data else no_item(intent)
        return is_ready(intent) if found and ready and intent.item_data else found

    return of_item(of_intent)


def is_ready(intent: Intent) -> bool | None:
    ready = intent.state.get("ready")
    return None if ready is None else bool(ready)


def of_type(*types: str, thrown: bool = False, ready: bool = False) -> Holds:
    """A weapon of one of these types, or one that can be thrown; fists are always ready."""

    def holds(intent: Intent) -> bool | None:
        type = intent.item_data.get("type")
        if type is None:
            return no_item(intent)
        found = type in types or (thrown and bool(intent.item_data.get("thrown")))
        return is_ready(intent) if found and ready and type != "unarmed" else found

    return of_item(holds)


ready_type = partial(of_type, ready=True)


def of_kind(field: str, value: object = True) -> Holds:
    """The item used has this in its data."""
    return of_data(lambda item: item.get(field) == value)


def ready_with(field: str) -> Holds:
    """A ready item that has this in its data."""
    return of_data(lambda item: bool(item.get(field)), ready=True)


def has_mod(mod: str) -> Holds:
    """The item used has this mod, as far as its mods are known."""

    def holds(intent: Intent) -> bool | None:
        weapon = intent.situation.get("weapon")
        given = weapon.get("mods") if isinstance(weapon, Mapping) else None
        mods = given if given is not None else intent.item_data.get("mods")
        return None if mods is None else mod in slugs(mods)

    return of_item(holds)


def two_rounds(intent: Intent) -> bool | None:
    rounds = intent.state.get("rounds")
    return rounds >= 2 if isinstance(rounds, int) else None


def carries(item: str) -> Holds:
    """Has it among what the fight knows of; what is not known of may be there all the same."""
    return lambda table, actor, intent: True if item in slugs([*actor.items, intent.item]) else None


def done_with(item: str) -> Holds:
    """It is the item with which the action is done, or it is there."""
    there = carries(item)
    return lambda table, actor, intent: (
        slug_of(intent.item) == item if intent.item else there(table, actor, intent)
    )


# Who does it.


def at_level(field: str, name: str, least: int) -> Holds:
    return of_actor(lambda who: at_least(level(who.sheet, field, name), least))


def has_edge(edge: str) -> Holds:
    return of_actor(lambda who: listed(who.sheet, "edges", edge))


def has_implant(implant: str) -> Holds:
    return of_actor(lambda who: listed(who.sheet, "augmentations", implant))


def bears_strain(points: int) -> Holds:
    """By choice, System Strain may not exceed Constitution (1.6)."""

    def holds(who: Participant) -> bool | None:
        had = who.sheet.get("system_strain")
        most = who.sheet.get("strain_maximum", who.sheet.get("constitution"))
        return None if had is None or most is None else bool(had + points <= most)

    return of_actor(holds)
