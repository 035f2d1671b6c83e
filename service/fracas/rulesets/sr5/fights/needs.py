"""What the actions of Shadowrun 5 need, and what of it a fight can report. What it cannot, people judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.rulesets.sr5.attacks.suppressive_fire import SUPPRESSING
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.fights.action_rules import ATTACK
from fracas.rulesets.sr5.fights.situating import IN_MELEE
from fracas.rulesets.sr5.fights.standing import saves_actions

Holds = Callable[[Table, Participant, Intent], bool | None]

_INTERFACES = ("ar", "cold-sim", "hot-sim")
_QUICK = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
_SMALL = (*_QUICK, "submachine-gun", "throwing-weapon", "grenade", "unarmed")


def in_melee_with(who: str, by: str, intent: Intent) -> list[str]:
    """With whom a combatant is in melee after what `by` does: with its targets, who can fight back."""
    if who != by:
        return [by]
    return [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]


def _flag(value: object) -> bool | None:
    return None if value is None else bool(value)


def _category(*categories: str) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        category = intent.thing.get("category")
        if category is None:
            return False if _empty_handed(who, intent) else None
        return category in categories

    return holds


def _empty_handed(who: Participant, intent: Intent) -> bool:
    """Nothing is meant, by a combatant of whose things all are known."""
    return bool(who.items) and not intent.item and not intent.thing


def _short_or_small(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A small weapon, or one for melee without reach."""
    category = intent.thing.get("category")
    if category in MELEE_CATEGORIES:
        return int(intent.thing.get("reach", 0)) == 0
    return None if category is None else category in _SMALL


def _long_or_large(table: Table, who: Participant, intent: Intent) -> bool | None:
    small = _short_or_small(table, who, intent)
    return None if small is None else not small


def _ready(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item:
        return False if _empty_handed(who, intent) else None
    return _flag(intent.state.get("ready"))


def _ready_of(*categories: str) -> Holds:
    """A thing of one of these categories, in the hand."""
    of_these = _category(*categories)

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        known = (of_these(table, who, intent), _ready(table, who, intent))
        return False if False in known else None if None in known else True

    return holds


def _has_not_come(table: Table, who: Participant, intent: Intent) -> bool | None:
    """What is due by a timer needs nothing more; the GM may force it when they see fit."""
    return False


def _ready_firearm(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the hand, and something that fires."""
    if not intent.item:
        return False if _empty_handed(who, intent) else None
    fires = "modes" in intent.thing if intent.thing else None
    known = (fires, _ready(table, who, intent))
    return False if False in known else None if None in known else True


def _melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A weapon for melee in the hand, or none at all: bare hands."""
    if not intent.item:
        return True
    category = intent.thing.get("category")
    if category is not None and category not in MELEE_CATEGORIES:
        return False
    return _ready(table, who, intent)


def _can_parry(table: Table, who: Participant, intent: Intent) -> bool | None:
    """With a melee weapon in the hand; not known where nothing is said of weapons."""
    known = [bool(state.get("ready") and state.get("melee")) for state in who.items.values()]
    return any(known) if known else None


def _modes(*modes: str) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        known = intent.thing.get("modes")
        return None if known is None else not set(modes).isdisjoint(known)

    return holds


def _smartgun(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Its system may also have been added to a gun; then people know."""
    if intent.thing and "modes" not in intent.thing:
        return False
    return True if "smartgun" in intent.thing.get("features", ()) else None


def _fed_by(*feeds: str) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        feed = intent.thing.get("feed")
        if feed is None:  # a club has none
            return False if intent.thing or _empty_handed(who, intent) else None
        return feed in feeds

    return holds


def _zone(table: Table, who: Participant, intent: Intent) -> bool | None:
    """That of the target, or of anybody where no target is said."""
    shooters = [intent.target] if intent.target else table.participants.values()
    return any(SUPPRESSING in one.conditions for one in shooters)


def _technomancer(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Nobody awakened is one; of others people know, where the sheet does not report."""
    known = who.sheet.get("technomancer")
    return bool(known) if known is not None else False if who.sheet.get("awakened") else None


def _smartlink(table: Table, who: Participant, intent: Intent) -> bool | None:
    return bool(who.sheet.get("smartlink", "none") != "none")


def _dni(table: Table, who: Participant, intent: Intent) -> bool | None:
    return bool(who.sheet.get("dni"))


def _ar_or_vr(table: Table, who: Participant, intent: Intent) -> bool | None:
    known = who.sheet.get("interface")
    return None if known is None else known in _INTERFACES


def _had_first_phase(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the first turn nobody defends themselves with a saved action before their first phase (section 7.5)."""
    return not saves_actions(table.options) or table.turn > 1 or who.done or who.id in table.acting


def _just_dropped(table: Table, who: Participant, intent: Intent) -> bool | None:
    """What takes them out came in this very phase; not known where boxes alone do it."""
    if who.able:
        return False
    return (table.turn, table.acting) in who.since.values() if who.since else None


def _no_attack_yet(table: Table, who: Participant, intent: Intent) -> bool | None:
    return not who.did.get(ATTACK)


def _unfired(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A rule of the house price: where attacks cost what they do in the ordinary game, they are counted instead."""
    if table.options.get("attack_cost") == "core":
        return True
    return not who.turn_uses.get(intent.item) if intent.item else None


def _bonus_physical(table: Table, who: Participant, intent: Intent) -> bool | None:
    return who.rolled.get("world") == "physical" and bool(who.rolled.get("bonus"))


def _several(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Known as soon as a combatant is named."""
    return len(intent.people) > 1 if intent.people else None


def _in(condition: str) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        return condition in who.conditions

    return holds


def _has(condition: str, field: str) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        return condition in who.conditions or bool(who.sheet.get(field))

    return holds


def _awakened(*kinds: str) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        known = who.sheet.get("awakened")
        if known is None:  # who has Magic is something; what, people know
            return None if who.sheet.get("magic") else False
        return known in kinds

    return holds


NEEDS: Mapping[str, Need] = {
    # Things in the hand
    "ready-firearm": Need("a ready weapon that fires", _ready_firearm),
    "ready-melee-weapon-or-bare-hands": Need("a ready melee weapon or bare hands", _melee),
    "melee-weapon-in-hand": Need("a melee weapon in the hand", _can_parry),
    "weapon-in-hand": Need("the weapon in the hand", _ready),
    "mode-single-shot": Need("a weapon that fires single shots", _modes("SS")),
    "mode-semi-automatic": Need("a weapon that fires semi-automatically", _modes("SA")),
    "mode-burst": Need("a weapon that fires bursts", _modes("BF")),
    "mode-automatic": Need("a weapon that fires automatically", _modes("FA")),
    "more-than-single-shots": Need("a weapon that fires more than single shots", _modes("SA", "BF", "FA")),
    "weapon-unfired-this-turn": Need("a weapon that has not been fired in this turn", _unfired),
    "no-attack-this-phase": Need("no attack before in this phase", _no_attack_yet),
    "small-weapon": Need("a handgun, a submachine gun, or a short or thrown weapon", _short_or_small),
    "large-weapon": Need("a long gun, a long blade or club, or a bow", _long_or_large),
    "quick-pistol": Need("a pistol", _category(*_QUICK)),
    "sword": Need("a long blade or club", _category(*MELEE_CATEGORIES)),
    "bow": Need("a bow", _category("bow")),
    "quick-draw-holster": Need("an arm slide or a quick-draw holster"),
    "throwing-weapon": Need("a throwing weapon in the hand", _ready_of("throwing-weapon")),
    "grenade": Need("a grenade in the hand", _ready_of("grenade")),
    "launcher": Need("a launcher", _category("grenade-launcher", "missile-launcher")),
    "clip-weapon": Need("a weapon with a clip", _fed_by("clip")),
    "weapon-without-clip": Need(
        "a weapon that is loaded without a clip", _fed_by("break", "cylinder", "magazine", "muzzle-loader")
    ),
    "smartgun": Need("a smartgun", _smartgun),
    "smartlink": Need("a smartlink", _smartlink),
    "dni": Need("a direct neural interface", _dni),
    "melee-weapon": Need("a melee weapon", _melee),
    # The moment
    "set-before": Need("to have been set, and its time to have come", _has_not_come),
    "had-first-phase": Need("one's first phase of the fight to have come", _had_first_phase),
    "bonus-physical-actions": Need("physical bonus actions in this turn", _bonus_physical),
    "just-dropped": Need("to have dropped in this phase", _just_dropped),
    "several-targets": Need("several targets", _several),
    "targets-within-movement": Need("targets within the distance that one moves"),
    "suppressive-fire": Need("a zone under suppressive fire", _zone),
    "to-be-suppressed": Need("to be in a zone under suppressive fire", _in("suppressed")),
    "good-cover": Need("something that covers more than half of one"),
    "passing-opponent": Need("an opponent who passes within 1 + Reach metres"),
    IN_MELEE: Need("to be in melee", _has(IN_MELEE, "in_melee")),
    "prone": Need("to be prone", _has("prone", "prone")),
    # Other worlds
    "ar-or-vr": Need("augmented or virtual reality", _ar_or_vr),
    "jumped-in": Need("to be jumped in", _in("jumped-in")),
    "technomancer": Need("a technomancer", _technomancer),
    "magician": Need("a magician", _awakened("magician", "mystic-adept")),
    "awakened": Need("an awakened character", _awakened("magician", "adept", "mystic-adept")),
}
"""Every word of the packs' actions; the labels follow "needs"."""
