"""What actions need, and how far a fight knows whether it is the case (rulebook sections 3 and 9)."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.needs import Holds, in_condition, of_actor, of_item
from fracas.kernel.tables import row_of
from fracas.rulesets.imperium.attacks.close_combat import GUNS
from fracas.rulesets.imperium.fights import pairs
from fracas.rulesets.imperium.fights.handling import bleedings, granted, has_spare, is_of_body, is_used_up


def held(*types: str) -> Holds:
    """A ready weapon of one of these types; any type if none is named. What is thrown is held no more."""

    def holds(intent: Intent) -> bool | None:
        if not intent.thing or is_used_up(intent.state):
            return False
        if types and intent.thing.get("type") not in types:
            return False
        ready = intent.state.get("ready")
        return None if ready is None else bool(ready)

    return of_item(holds)


def loaded(intent: Intent) -> bool | None:
    rounds = intent.state.get("rounds")
    return rounds > 0 if isinstance(rounds, int) else None


def allowed_by(word: str) -> Holds:
    """An ability allows it."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = granted(intent.catalog, actor) if intent.catalog is not None else None
        return None if found is None else word in found

    return holds


def by_house_rule(option: str) -> Holds:
    return lambda table, actor, intent: bool(table.options.get(option))


def bleeds(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """Of the target; without one, of the actor."""
    patient = intent.target or actor
    return bleedings(patient) > 0 if "bleeding" in patient.sheet else None


def tended(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """All actions of healing but the last have been taken (table ``healing``)."""
    if intent.catalog is None or intent.catalog.entry("table", "healing") is None:
        return None
    done = int(actor.sheet.get("tending_actions", 0))
    return done + 1 >= int(row_of(intent.catalog, "healing", "actions")["value"])


NEEDS: Mapping[str, Need] = {
    "weapon-in-hand": Need("a weapon in hand", held()),
    "gun-in-hand": Need("a gun in hand", held(*GUNS)),
    "pistol-in-hand": Need("a pistol in hand", held("pistol")),
    "grenade-in-hand": Need("a grenade in hand", held("thrown")),
    # A weapon of close combat, or a gun, on which something to strike with may be fixed.
    "striking-weapon-in-hand": Need("something to strike with in hand", held("close", "basic")),
    "bare-hands": Need(
        "nothing but bare hands", of_item(lambda intent: not intent.item or is_of_body(intent.thing))
    ),
    "loaded-weapon": Need("something loaded", of_item(loaded)),
    "ammunition-at-hand": Need("ammunition at hand", of_item(lambda intent: has_spare(intent.state))),
    "psychic-powers": Need("psychic powers", allowed_by("psychic-powers")),
    "concentration": Need("concentration in the action before", in_condition("concentrating")),
    "bleeding-injury-in-reach": Need("a bleeding injury in reach", bleeds),
    "tended-long-enough": Need("the actions of tending before", tended),
    "prone": Need("to lie on the ground", of_actor(lambda who: bool(who.sheet.get("prone")))),
    "standing": Need("to stand", of_actor(lambda who: not who.sheet.get("prone"))),
    "merged-pair-open": Need(
        "a merged pair with one action to come", of_actor(lambda who: bool(pairs.open_with(who)))
    ),
    "talking-takes-an-action": Need("the house rule converse", by_house_rule("converse")),
    "subordination-rule": Need("the house rule subordination", by_house_rule("subordination")),
    "knee-to-chest-deep-water": Need("water between knee and chest"),
    "deep-water": Need("water deeper than the chest"),
    "vehicle": Need("a vehicle, or a mount"),
    "enemy-in-reach": Need("an enemy in reach"),
    "enemy-in-running-distance": Need("an enemy within a running move"),
    "medical-equipment": Need("medical equipment"),
}
"""By the words that actions of the packs use; those without a test are for people to judge."""
