"""The words of an action's ``needs``: which of them a fight can check, and how; None where it is unknown.

What the fight does not know (places, distances, what lies around) the GM checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fracas.kernel import needs as kit
from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.items import slug_of
from fracas.kernel.needs import Form, Holds, anybody, of_actor, of_item, of_target, towards
from fracas.rulesets.cwn.fights import action_rules, crews, melee, situating
from fracas.rulesets.cwn.fights.sheet import alert, booster, boosts, level, listed, reflexes, slugs
from fracas.rulesets.cwn.harms.harm import DEAD, FULL_BODY

CHARGE_LEAST, CHARGE_MOVES = 3, 2
"""Metres of run-up that a charge takes at least, and how many Moves at most (section 3)."""
POD_ROUNDS = 2
"""Whole rounds for which a Headshot Pod is aimed (section 5.7)."""
REVIVAL_ROUNDS = 100
"""Rounds of six seconds, ten minutes of them, in which a Skull Citadel brings a combatant back (10.3)."""
PATCH_ROUNDS = 6
"""Whole rounds since the fall after which a Trauma Patch is useless (9.2)."""
SUICIDE_CHARGE = "suicide-charge"


def at_least(number: float | None, least: float) -> bool | None:
    return None if number is None else number >= least


def at_most(number: float | None, most: float) -> bool | None:
    return None if number is None else number <= most


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
        return kit.is_ready(intent) if found and ready and intent.item_data else found

    return of_item(of_intent)


def of_type(*types: str, thrown: bool = False, ready: bool = False) -> Holds:
    """A weapon of one of these types, or one that can be thrown; fists are always ready."""

    def holds(intent: Intent) -> bool | None:
        type = intent.item_data.get("type")
        if type is None:
            return no_item(intent)
        found = type in types or (thrown and bool(intent.item_data.get("thrown")))
        return kit.is_ready(intent) if found and ready and type != "unarmed" else found

    return of_item(holds)


ready_type = partial(of_type, ready=True)
_armed = ready_type("melee", "unarmed")


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


def counted(state: str, least: int) -> Holds:
    """So many of something that belongs to the item used, where they are counted."""
    return of_item(lambda its: n >= least if isinstance(n := its.state.get(state), int) else None)


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


def lists(field: str, word: str) -> Holds:
    return of_actor(lambda who: listed(who.sheet, field, word))


def bears_strain(points: int) -> Holds:
    """By choice, System Strain may not exceed Constitution (1.6)."""

    def holds(who: Participant) -> bool | None:
        had = who.sheet.get("system_strain")
        most = who.sheet.get("strain_maximum", who.sheet.get("constitution"))
        return None if had is None or most is None else bool(had + points <= most)

    return of_actor(holds)


def _is_laid(item: Mapping[str, Any]) -> bool:
    """What strikes an area and is laid, not thrown."""
    return item.get("type") == "grenade" and not item.get("thrown")


def _was_set(intent: Intent) -> bool | None:
    """A charge or a mine of which one is laid."""
    if not intent.item_data or not _is_laid(intent.item_data):
        return no_item(intent) if not intent.item_data else False
    return True if intent.state.get(action_rules.LAID) else None


def _exceptional(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if actor.player or table.options["snap_unnamed_npc"] == "allow":
        return True
    named = actor.sheet.get("named")
    return None if named is None else bool(named)


def _gunlink(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if kit.has_left("gunlink_rerolls")(table, actor, intent) is False:
        return False
    aims = lists("cyberware", "gunlink")
    return kit.one_of(aims, lists("augmentations", "gunlink"))(table, actor, intent)


def _reflexes(grade: int) -> Holds:
    def holds(who: Participant) -> bool | None:
        if reflexes(who.sheet) >= grade:
            return True
        # The art Alacrity is of a grade that sheets do not report.
        graced = listed(who.sheet, "edges", "alacrity")
        return None if graced or "augmentations" not in who.sheet else False

    return of_actor(holds)


def _dead_lately(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if DEAD not in actor.conditions:
        return False
    return table.turn - actor.since[DEAD][0] <= REVIVAL_ROUNDS if DEAD in actor.since else None


def _converted(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """The one who is to be repaired, where a combatant is named."""
    sheet = (intent.target or actor).sheet
    if "augmentations" not in sheet and "trauma_sources" not in sheet:
        return None
    found = FULL_BODY in slugs([*sheet.get("augmentations", ()), *sheet.get("trauma_sources", ())])
    return True if found else None if intent.target is None else False


def _unsuspecting(target: Participant) -> bool | None:
    if alert(target.sheet) >= 1:
        return False
    return True if "surprised" in target.conditions else None


def _in_swarm(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if melee.SWARMING not in actor.conditions or intent.target is None:
        return melee.SWARMING in actor.conditions
    return actor in melee.swarm_of(table, actor.side, intent.target.id)


def _near(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """Within reach where the fight knows it; anybody else may be, for all it knows."""
    near = {other.id for other in melee.within_reach(table, actor) if other.side != actor.side}
    return (bool(near) if intent.target is None else intent.target.id in near) or None


def _within_charge(table: Table, actor: Participant, intent: Intent) -> bool | None:
    move = action_rules.move_of(actor)
    return None if move is None else at_most(action_rules.charge_distance(intent), CHARGE_MOVES * move)


def _reflexes_left(who: Participant) -> bool | None:
    """Grades I and II serve once a scene, III twice (10.3); the uses of a scene are counted."""
    return bool(who.sheet.get("reflexes_used", 0) < (2 if reflexes(who.sheet) >= 3 else 1))


def _shaken(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """PCs never check (11). Of the events that call for it a fight knows who has fallen; the GM judges all others."""
    if actor.player:
        return False
    fallen = any(one.side == actor.side and not one.able for one in table.participants.values())
    return True if fallen else None


def _seat(seat: str) -> Holds:
    """Drives, or sits at a gun; not known where the fight knows of nobody aboard anything."""
    return lambda table, who, _: seat in who.conditions or (False if crews.is_known(table) else None)


def _cpu_slot(who: Participant) -> bool | None:
    slots = who.sheet.get("cpu_slots")
    return None if slots is None else bool(crews.running(who) < slots)


def _is_hacker(table: Table, actor: Participant, intent: Intent) -> bool:
    """Those whose sheets have numbers of a cyberdeck, and those with the edge Hacker."""
    deck = (actor.sheet.get(field) for field in ("access", "shielding", "cpu_slots"))
    return any(number is not None for number in deck) or bool(listed(actor.sheet, "edges", "hacker"))


def _blows_up(table: Table, actor: Participant, intent: Intent) -> bool | None:
    """The target is the drone that blows itself up, or its pilot names none; what a drone carries is not all known."""
    if intent.target is None:
        return True if slug_of(intent.item) == SUICIDE_CHARGE else None
    if not crews.is_drone(intent.target):
        return False
    return True if SUICIDE_CHARGE in slugs(intent.target.items) else None


_vehicles = anybody(lambda one: crews.is_vehicle(one.sheet))


FORMS: Mapping[str, Form] = {
    "type": of_type,
    "type_or_thrown": partial(of_type, thrown=True),
    "ready": ready_type,
    "ready_or_thrown": partial(ready_type, thrown=True),
    "ready_with": ready_with,
    "item": of_kind,
    "carried": carries,
    "used_or_carried": done_with,
    "mod": has_mod,
    "level": at_level,
    "edge": partial(lists, "edges"),
    "implant": partial(lists, "augmentations"),
    "strain": bears_strain,
}
"""How the packs declare needs of this game: of a weapon its type, whether it is ready or can be thrown, what its data
have, its mods; what is carried; levels of skills and foci, edges, implants, and room for System Strain."""

CHECKS: Mapping[str, Holds] = {
    # Weapons and other things
    "has-attacked": of_actor(lambda who: bool(who.targets) and who.spent.get("main", 0) > 0),
    "ready-area-weapon": of_data(lambda item: bool(item.get("area")) and not _is_laid(item), ready=True),
    "ready-magazine-or-quiver": counted(action_rules.SPARE, 1),
    "quick-reload-weapon": of_item(
        lambda its: its.item_data.get("reload") == "quick" if its.item_data else None
    ),
    "reload-of-at-most-a-round": kit.negated(of_kind("reload", "never")),
    "two-rounds-loaded": counted("rounds", 2),
    "ready-charge-or-mine": of_data(_is_laid, ready=True),
    "charge-set-before": of_item(_was_set),
    "pod-aimed-for-two-rounds": of_actor(lambda who: int(who.sheet.get("pod_aimed") or 0) >= POD_ROUNDS),
    # What is Readied may be sheathed, which costs nothing (section 3).
    "both-hands-free": of_actor(lambda who: None if action_rules.carried(who, readied=True) else True),
    # Skills, foci and edges
    "combat-skill-1": of_actor(lambda who: at_least(melee.combat_level(who), 1)),
    "ghost-or-close-combatant-2": kit.one_of(lists("edges", "ghost"), at_level("foci", "close-combatant", 2)),
    "exceptional-fighter": _exceptional,
    # Implants and drugs
    "gunlink": _gunlink,
    "enhanced-reflexes": _reflexes(1),
    "enhanced-reflexes-2": _reflexes(2),
    "reflexes-left": of_actor(_reflexes_left),
    "boosted-move": of_actor(lambda who: boosts(who) and reflexes(who.sheet) >= 2),
    "reaction-booster": of_actor(
        lambda who: booster(who.sheet) > 0 if "augmentations" in who.sheet else None
    ),
    "dead-for-ten-minutes": _dead_lately,
    "full-body-conversion": _converted,
    "engaged": lambda table, actor, intent: (
        bool(actor.sheet.get("engaged")) or melee.is_engaged(table, actor)
    ),
    "instants-before-the-roll": lambda table, actor, intent: not table.options["instants_after_roll"],
    # Targets, places and what happens
    "unsuspecting-target": of_target(_unsuspecting),
    "at-most-four-in-swarm": towards(
        lambda table, who, one: at_most(melee.swarm_others(table, who, one.id), melee.SWARM - 1)
    ),
    "in-swarm": _in_swarm,
    "swarm-has-not-struck": towards(lambda table, who, one: not melee.has_struck(table, who.side, one.id)),
    "foe-in-melee-range": _near,
    "armed-for-melee": lambda *of: _armed(*of) if of[2].item_data else melee.is_armed(of[1]),
    "foe-leaves-melee-without-withdrawal": lambda table, actor, intent: melee.may_strike(
        table, actor, intent.target
    ),
    "straight-run-of-3-metres": of_item(
        lambda its: at_least(action_rules.charge_distance(its), CHARGE_LEAST)
    ),
    "at-most-twice-the-move": _within_charge,
    "one-healer-a-round": kit.negated(kit.target_in_condition("tended")),
    "fallen-for-at-most-six-rounds": towards(
        lambda table, _, one: at_most(situating.rounds_down(table, one), PATCH_ROUNDS)
    ),
    "event-that-shakes-morale": _shaken,
    # Drones, vehicles and hacking
    "controlled-drone": crews.has_drone,
    "vehicle": of_target(lambda one: crews.is_vehicle(one.sheet)),
    "in-a-vehicle": of_actor(lambda who: True if crews.vehicle_of(who) else None),
    "targeting-board": crews.has_board,
    "uncontrolled-drone": of_actor(lambda who: crews.is_drone(who) and crews.acts_by_itself(who)),
    "mounted-weapon": of_actor(lambda who: bool(who.items)),
    "occupied": lambda table, actor, intent: True if crews.aboard(table, actor.id) else None,
    "program-that-runs": of_actor(lambda who: True if crews.running(who) else None),
}
"""What checks the needs that packs declare."""
NEEDS: Mapping[str, Need] = {
    "medkit": Need(
        "a medkit",
        carries("medkit"),
        lambda table, who, its: at_least(level(who.sheet, "skills", "heal"), 0) is True,
    ),
    "cyberdeck": Need("a cyberdeck", likely=_is_hacker),
    # What is not on the ground is not picked up; whether it is near, the GM checks.
    "item-within-reach": Need(
        "the thing within reach",
        of_item(lambda intent: None if not intent.state or intent.state.get("dropped") else False),
        lambda table, actor, intent: bool(intent.item),
    ),
    "medical-drone": Need("a drone that can stabilize", likely=anybody(crews.is_drone)),
    "drone-within-1000-metres": Need(
        "a drone within 1000 metres",
        likely=lambda table, actor, intent: intent.target is not None and crews.is_drone(intent.target),
    ),
    "drone-with-suicide-charge": Need(
        "a drone with a suicide charge", _blows_up, anybody(lambda one: SUICIDE_CHARGE in slugs(one.items))
    ),
    "portable-drone-in-melee-range": Need("a portable drone in melee range", likely=anybody(crews.is_drone)),
    "driver": Need("the wheel of a vehicle", _seat(crews.DRIVING), _vehicles),
    "gunner": Need("the seat at a gun", _seat(crews.AT_THE_GUN), _vehicles),
    "jack-control-port": Need("a vehicle with a jack control port", likely=_vehicles),
    # Which one is run, `action_rules.objections` compares.
    "program": Need("a program that is on the sheet", kit.of_sheet("programs", bool), _is_hacker),
    "free-cpu-slot": Need("a free CPU slot", of_actor(_cpu_slot), _is_hacker),
    "access": Need(
        "Access left", of_actor(lambda who: None if who.sheet.get("access") is None else True), _is_hacker
    ),
}
"""Those whose likelihood depends on more than packs can say."""
