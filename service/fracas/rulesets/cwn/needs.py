"""The words of an action's ``needs``: which of them a fight can tell, and how.

What nobody has told the fight (places, distances, what lies around) is for people to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.kernel.turns import Intent, Need, Participant, Table
from fracas.rulesets.cwn.sheet import alert, booster, level, listed, reflexes, slugs
from fracas.rulesets.cwn.vocabulary import COMBAT_SKILLS

Holds = Callable[[Table, Participant, Intent], bool | None]

SWARM = 4
"""Most participants of a swarm (3.1)."""
SWARMING, LED_SWARM = "swarming", "led-swarm"
BOOSTED = "reflexes-boosted"
_MELEE = ("melee", "unarmed")
_RANGED = ("gun", "bow", "launcher", "grenade")


def swarm_others(table: Table, actor: Participant, target: str) -> int | None:
    """Others of the actor's side in its swarm against somebody; None once the swarm of this round has struck."""
    side = [who for who in table.participants.values() if who.side == actor.side and who.able]
    if any(LED_SWARM in who.conditions for who in side):
        return None
    return sum(
        SWARMING in who.conditions and who.id != actor.id and (not who.targets or target in who.targets)
        for who in side
    )


def _ready(*types: str, thrown: bool = False) -> Holds:
    """A ready weapon of one of these types; fists are always ready."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        type = intent.thing.get("type")
        if type is None:
            return None
        if type not in types and not (thrown and intent.thing.get("thrown")):
            return False
        if type == "unarmed":
            return True
        ready = intent.state.get("ready")
        return None if ready is None else bool(ready)

    return holds


def _is_ready(table: Table, actor: Participant, intent: Intent) -> bool | None:
    ready = intent.state.get("ready")
    return None if ready is None else bool(ready)


def _area(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if not intent.thing:
        return None
    return _is_ready(table, actor, intent) if intent.thing.get("area") else False


def _thing(field: str, value: object = True) -> Holds:
    """The thing used has this in its data."""
    return lambda table, actor, intent: intent.thing.get(field) == value if intent.thing else None


def _mod(mod: str) -> Holds:
    """The thing used has this mod, as far as its mods are told."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        weapon = intent.situation.get("weapon")
        said = weapon.get("mods") if isinstance(weapon, Mapping) else None
        mods = said if said is not None else intent.thing.get("mods")
        return None if mods is None else mod in slugs(mods)

    return holds


def _rounds(least: int) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        rounds = intent.state.get("rounds")
        return rounds >= least if isinstance(rounds, int) else None

    return holds


def _level(field: str, name: str, least: int) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = level(actor.sheet, field, name)
        return None if found is None else found >= least

    return holds


def _edge(edge: str) -> Holds:
    return lambda table, actor, intent: listed(actor.sheet, "edges", edge)


def _implant(*implants: str) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        if "augmentations" not in actor.sheet:
            return None
        return not slugs(actor.sheet["augmentations"]).isdisjoint(implants)

    return holds


def _condition(condition: str) -> Holds:
    return lambda table, actor, intent: condition in actor.conditions


def _carried(thing: str) -> Holds:
    """Has it among what the fight knows of; what is not known of may be there all the same."""
    return lambda table, actor, intent: True if thing in slugs([*actor.items, intent.item]) else None


def _strain(points: int) -> Holds:
    """System Strain may not exceed Constitution by one's own choice (1.6)."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        had, most = actor.sheet.get("system_strain"), actor.sheet.get("constitution")
        return None if had is None or most is None else bool(had + points <= most)

    return holds


def _any(*needs: Holds) -> Holds:
    """One of them holds; unknown if that may be."""

    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = [need(table, actor, intent) for need in needs]
        return True if True in found else None if None in found else False

    return holds


def _exceptional(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if actor.player or table.options.get("snap_unnamed_npc") == "allow":
        return True
    named = actor.sheet.get("named")
    return None if named is None else bool(named)


def _engaged(table: Table, actor: Participant, intent: Intent) -> bool | None:
    return True if "engaged" in actor.conditions or actor.sheet.get("engaged") else None


def _prone(table: Table, actor: Participant, intent: Intent) -> bool | None:
    return "prone" in actor.conditions or bool(actor.sheet.get("prone"))


def _luck(table: Table, actor: Participant, intent: Intent) -> bool | None:
    left = actor.sheet.get("veterans_luck")
    return None if left is None else bool(left)


def _gunlink(table: Table, actor: Participant, intent: Intent) -> bool | None:
    left = actor.sheet.get("gunlink_rerolls")
    if left is not None and not left:
        return False
    return _any(
        lambda table, actor, intent: listed(actor.sheet, "cyberware", "gunlink"), _implant("gunlink")
    )(table, actor, intent)


def _reflexes(grade: int) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        if reflexes(actor.sheet) >= grade:
            return True
        # The art Alacrity is of a grade that sheets do not tell.
        graced = listed(actor.sheet, "edges", "alacrity")
        return None if graced or "augmentations" not in actor.sheet else False

    return holds


def _booster(table: Table, actor: Participant, intent: Intent) -> bool | None:
    return booster(actor.sheet) > 0 if "augmentations" in actor.sheet else None


def _combat_skill(table: Table, actor: Participant, intent: Intent) -> bool | None:
    levels = [level(actor.sheet, "skills", name) for name in COMBAT_SKILLS if name != "exert"]
    return None if None in levels else any(found is not None and found >= 1 for found in levels)


def _mortally_wounded(table: Table, actor: Participant, intent: Intent) -> bool | None:
    return None if intent.target is None else "mortally-wounded" in intent.target.conditions


def _unsuspecting(table: Table, actor: Participant, intent: Intent) -> bool | None:
    if intent.target is None:
        return None
    if alert(intent.target.sheet) >= 1:
        return False
    return True if "surprised" in intent.target.conditions else None


def _swarm_size(table: Table, actor: Participant, intent: Intent) -> bool | None:
    others = swarm_others(table, actor, intent.target.id if intent.target else "")
    return None if others is None else others < SWARM


def _not_struck(table: Table, actor: Participant, intent: Intent) -> bool | None:
    struck = any(LED_SWARM in who.conditions for who in table.participants.values() if who.side == actor.side)
    return None if struck else True  # there may be a second swarm


def _before_roll(table: Table, actor: Participant, intent: Intent) -> bool | None:
    return not table.options.get("instants_after_roll", True)


def _not(need: Holds) -> Holds:
    def holds(table: Table, actor: Participant, intent: Intent) -> bool | None:
        found = need(table, actor, intent)
        return None if found is None else not found

    return holds


NEEDS: Mapping[str, Need] = {
    # Weapons and other things
    "ready-melee-weapon-or-fist": Need("a ready melee weapon, or a fist", _ready(*_MELEE)),
    "ready-ranged-or-thrown-weapon": Need("a ready ranged or thrown weapon", _ready(*_RANGED, thrown=True)),
    "ready-weapon-or-fist": Need("a ready weapon, or a fist", _ready(*_MELEE, *_RANGED)),
    "ready-melee-or-thrown-weapon": Need(
        "a ready melee or thrown weapon", _ready(*_MELEE, "grenade", thrown=True)
    ),
    "ready-grenade": Need("a ready grenade", _ready("grenade")),
    "ready-area-weapon": Need("a ready weapon that strikes an area", _area),
    "ready-drug": Need("a ready drug", _is_ready),
    "ready-drone": Need("a ready drone", _is_ready),
    "ready-magazine-or-quiver": Need("a ready magazine or quiver"),
    "quick-reload-weapon": Need("a weapon that reloads quickly", _thing("reload", "quick")),
    "reload-of-at-most-a-round": Need("a weapon that is reloaded within a round"),
    "weapon-that-suppresses": Need("a weapon that can suppress", _thing("can_suppress")),
    "two-rounds-loaded": Need("two rounds loaded", _rounds(2)),
    "headshot-pod": Need("a Headshot Pod", _carried("headshot-pod")),
    "medkit": Need("a medkit", _carried("medkit")),
    "trauma-patch": Need("a Trauma Patch", _carried("trauma-patch")),
    "cyberdeck": Need("a cyberdeck"),
    "sealed-armor": Need("armor that can be sealed"),
    "biostabilizing-armor": Need("biostabilizing armor"),
    "no-suit-armor": Need("no suit armor on"),
    "bundle-of-small-items": Need("a bundle of small things"),
    "shock-burst": Need("a weapon with a Shock Burst", _mod("shock-burst")),
    "thermal-charge": Need("a weapon with a Thermal Charge", _mod("thermal-charge")),
    "reel-wires": Need("a weapon on Reel Wires", _mod("reel-wires")),
    "free-hand": Need("a free hand"),
    "both-hands-free": Need("both hands free"),
    "item-within-reach": Need("the thing within reach"),
    # Skills, foci and edges
    "combat-skill-1": Need("level 1 in a combat skill", _combat_skill),
    "shoot-1": Need("Shoot-1", _level("skills", "shoot", 1)),
    "armsmaster-1": Need("the focus Armsmaster", _level("foci", "armsmaster", 1)),
    "deadeye-1": Need("the focus Deadeye", _level("foci", "deadeye", 1)),
    "deadeye-2": Need("the focus Deadeye at level 2", _level("foci", "deadeye", 2)),
    "drone-pilot-2": Need("the focus Drone Pilot at level 2", _level("foci", "drone-pilot", 2)),
    "healer-1": Need("the focus Healer", _level("foci", "healer", 1)),
    "whirlwind-assault": Need("the focus Whirlwind Assault", _level("foci", "whirlwind-assault", 1)),
    "ghost": Need("the edge Ghost", _edge("ghost")),
    "ghost-or-close-combatant-2": Need(
        "the edge Ghost, or the focus Close Combatant at level 2",
        _any(_edge("ghost"), _level("foci", "close-combatant", 2)),
    ),
    "operators-fortune": Need("the edge Operator's Fortune", _edge("operators-fortune")),
    "veterans-luck": Need("Veteran's Luck left in this scene", _luck),
    "exceptional-fighter": Need("a name, or the GM's leave", _exceptional),
    # Implants and drugs
    "gunlink": Need("a Gunlink with a reroll left", _gunlink),
    "enhanced-reflexes": Need("Enhanced Reflexes", _reflexes(1)),
    "enhanced-reflexes-2": Need("Enhanced Reflexes II", _reflexes(2)),
    "reflexes-not-boosted": Need("reflexes not yet set off in this round", _not(_condition(BOOSTED))),
    "reaction-booster": Need("a Reaction Booster", _booster),
    "trajectory-optimization-node": Need(
        "a Trajectory Optimization Node", _implant("trajectory-optimization-node")
    ),
    "iron-hand-aegis": Need("an Iron Hand Aegis", _implant("iron-hand-aegis")),
    "shock-fists": Need("Shock Fists", _implant("shock-fists")),
    "retribution-shield": Need("a Retribution Shield", _implant("retribution-shield")),
    "banshee-module": Need("a Banshee Module", _implant("banshee-module")),
    "eye-dazzler": Need("an eye dazzler", _implant("eye-dazzler")),
    "zombie-wires": Need("Zombie Wires", _implant("zombie-wires")),
    "window": Need("the drug Window at work"),
    "1-system-strain": Need("room for 1 point of System Strain", _strain(1)),
    "2-system-strain": Need("room for 2 points of System Strain", _strain(2)),
    # What somebody is in
    "prone": Need("to be prone", _prone),
    "engaged": Need("an armed foe in melee", _engaged),
    "grappled": Need("to be grappled", _condition("grappled")),
    "grappling": Need("a foe held in a grapple", _condition("grappling")),
    "no-other-victim": Need("nobody else held in a grapple", _not(_condition("grappling"))),
    "jacked-in": Need("to be jacked in", _condition("jacked-in")),
    "deactivated": Need("something deactivated", _condition("deactivated")),
    "mortally-wounded": Need("to be mortally wounded", _condition("mortally-wounded")),
    "mortally-wounded-patient": Need("somebody mortally wounded", _mortally_wounded),
    "instants-before-the-roll": Need("the house rule that it is declared before the roll", _before_roll),
    # Targets, places and what happens
    "unsuspecting-target": Need("a target that suspects nothing", _unsuspecting),
    "at-most-four-in-swarm": Need("at most four in the swarm", _swarm_size),
    "in-swarm": Need("to be part of a swarm", _condition(SWARMING)),
    "swarm-has-not-struck": Need("a swarm that has not struck in this round", _not_struck),
    "foe-in-melee-range": Need("a foe in melee range"),
    "armed-for-melee": Need("a weapon for melee"),
    "foe-leaves-melee-without-withdrawal": Need("a foe who leaves melee without withdrawing"),
    "target-in-weapon-range": Need("a target in the weapon's range"),
    "victim-within-5-metres": Need("a victim within 5 metres"),
    "ally-within-3-metres": Need("an ally within 3 metres"),
    "straight-run-of-3-metres": Need("a straight run of 3 metres"),
    "at-most-twice-the-move": Need("a way of at most twice the Move"),
    "undisturbed-for-a-minute": Need("a minute undisturbed"),
    "one-healer-a-round": Need("no other healer at this patient in this round"),
    "fallen-for-at-most-six-rounds": Need("a patient who fell at most six rounds ago"),
    "missed-shot": Need("a shot that missed"),
    "melee-or-gunlinked-attack": Need("an attack in melee, or aimed by a Gunlink"),
    "bullet-arrow-or-thrown": Need("a bullet, an arrow or a thrown weapon to ward off"),
    # Drones, vehicles and hacking
    "controlled-drone": Need("a drone under control"),
    "drone-within-1000-metres": Need("a drone within 1000 metres"),
    "drone-with-suicide-charge": Need("a drone with a suicide charge"),
    "portable-drone-in-melee-range": Need("a portable drone in melee range"),
    "driver": Need("the wheel of a vehicle"),
    "gunner": Need("the seat at a gun"),
    "jack-control-port": Need("a vehicle with a jack control port"),
    "free-cpu-slot": Need("a free CPU slot"),
    "access": Need("access to the target"),
    "hijacked-device": Need("a hijacked device"),
}
