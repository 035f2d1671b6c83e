"""What a fight knows of people and things, as tests of what an action needs; None where it is not known."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, Participant, Table
from fracas.kernel.needs import Holds, of_actor
from fracas.kernel.things import slug_of
from fracas.rulesets.cwn.fights.sheet import level, listed, slugs


def no_thing(intent: Intent) -> bool | None:
    """What holds where the thing used is not known: False where there is none at all, as nothing that somebody has will
    do and nothing is named or brought by the action itself."""
    brought = "weapon" in intent.situation or "weapon" in intent.action.get("situation", {})
    return None if intent.item or brought or intent.catalog is None else False


def at_least(number: float | None, least: float) -> bool | None:
    return None if number is None else number >= least


def left_of(who: Participant, field: str) -> bool | None:
    """Whether there is any left of what the sheet counts."""
    left = who.sheet.get(field)
    return None if left is None else bool(left)


def of_type(*types: str, thrown: bool = False) -> Holds:
    """A weapon of one of these types, ready or not."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        type = intent.thing.get("type")
        if type is None:
            return no_thing(intent)
        return type in types or (thrown and bool(intent.thing.get("thrown")))

    return holds


def ready_type(*types: str, thrown: bool = False) -> Holds:
    """A ready weapon of one of these types; fists are always ready."""
    fits = of_type(*types, thrown=thrown)

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = fits(table, actor, intent)
        return found if not found or intent.thing["type"] == "unarmed" else is_ready(table, actor, intent)

    return holds


def is_ready(table: Table, actor: Participant, intent: Intent) -> bool | None:
    ready = intent.state.get("ready")
    return None if ready is None else bool(ready)


def ready_thing(field: str) -> Holds:
    """A ready thing that has this in its data."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        if not intent.thing:
            return no_thing(intent)
        return is_ready(table, actor, intent) if intent.thing.get(field) else False

    return holds


def of_kind(field: str, value: object = True) -> Holds:
    """The thing used has this in its data."""
    return lambda table, actor, intent: intent.thing.get(field) == value if intent.thing else no_thing(intent)


def has_mod(mod: str) -> Holds:
    """The thing used has this mod, as far as its mods are told."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        weapon = intent.situation.get("weapon")
        said = weapon.get("mods") if isinstance(weapon, Mapping) else None
        mods = said if said is not None else intent.thing.get("mods")
        return None if mods is None else mod in slugs(mods)

    return holds


def has_rounds(least: int) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        rounds = intent.state.get("rounds")
        return rounds >= least if isinstance(rounds, int) else None

    return holds


def at_level(field: str, name: str, least: int) -> Holds:
    return of_actor(lambda who: at_least(level(who.sheet, field, name), least))


def has_edge(edge: str) -> Holds:
    return of_actor(lambda who: listed(who.sheet, "edges", edge))


def has_implant(*implants: str) -> Holds:
    def holds(who: Participant) -> bool | None:
        if "augmentations" not in who.sheet:
            return None
        return not slugs(who.sheet["augmentations"]).isdisjoint(implants)

    return of_actor(holds)


def carries(thing: str) -> Holds:
    """Has it among what the fight knows of; what is not known of may be there all the same."""
    return lambda table, actor, intent: True if thing in slugs([*actor.items, intent.item]) else None


def done_with(thing: str) -> Holds:
    """It is the thing with which the action is done, or is there."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        return slug_of(intent.item) == thing if intent.item else carries(thing)(table, actor, intent)

    return holds


def bears_strain(points: int) -> Holds:
    """System Strain may not exceed Constitution by one's own choice (1.6)."""

    def holds(who: Participant) -> bool | None:
        had = who.sheet.get("system_strain")
        most = who.sheet.get("strain_maximum", who.sheet.get("constitution"))
        return None if had is None or most is None else bool(had + points <= most)

    return of_actor(holds)


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
