"""What the actions of Shadowrun 5 need, and what of it a fight can report. What it cannot, people judge."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.needs import Holds, all_known, in_condition, of_actor, of_item
from fracas.rulesets.sr5.attacks.suppressive_fire import SUPPRESSING
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES
from fracas.rulesets.sr5.fights.action_rules import ATTACK, saves_actions
from fracas.rulesets.sr5.fights.situating import IN_MELEE

_INTERFACES = ("ar", "cold-sim", "hot-sim")
_QUICK = ("taser", "holdout", "light-pistol", "heavy-pistol", "machine-pistol")
_SMALL = (*_QUICK, "submachine-gun", "throwing-weapon", "grenade", "unarmed")


def in_melee_with(who: str, by: str, intent: Intent) -> list[str]:
    """With whom a combatant is in melee after what `by` does: with its targets, who can fight back."""
    if who != by:
        return [by]
    return [one.id for one in intent.people if one.able and not one.sheet.get("vehicle")]


def _unnamed(who: Participant, intent: Intent) -> bool | None:
    """What holds where no thing is named: nothing of somebody of whose things all are known."""
    return False if who.items and not intent.item and not intent.thing else None


def _has(key: str, *values: str) -> Holds:
    """The thing has one of these values."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        value = intent.thing.get(key)
        return _unnamed(who, intent) if value is None else value in values

    return holds


def _small(intent: Intent) -> bool | None:
    """A small weapon, or one for melee without reach."""
    category = intent.thing.get("category")
    if category in MELEE_CATEGORIES:
        return int(intent.thing.get("reach", 0)) == 0
    return None if category is None else category in _SMALL


def _large(intent: Intent) -> bool | None:
    small = _small(intent)
    return None if small is None else not small


def _ready(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item:
        return _unnamed(who, intent)
    ready = intent.state.get("ready")
    return None if ready is None else bool(ready)


def _ready_of(*categories: str) -> Holds:
    """A thing of one of these categories, in the hand."""
    of_these = _has("category", *categories)
    return lambda table, who, intent: all_known(of_these(table, who, intent), _ready(table, who, intent))


def _ready_firearm(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the hand, and something that fires."""
    if not intent.item:
        return _unnamed(who, intent)
    return all_known("modes" in intent.thing if intent.thing else None, _ready(table, who, intent))


def _melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A weapon for melee in the hand, or none at all: bare hands."""
    if not intent.item:
        return True
    category = intent.thing.get("category")
    if category is not None and category not in MELEE_CATEGORIES:
        return False
    return _ready(table, who, intent)


def _can_parry(who: Participant) -> bool | None:
    """With a melee weapon in the hand; not known where nothing is said of weapons."""
    known = [bool(state.get("ready") and state.get("melee")) for state in who.items.values()]
    return any(known) if known else None


def _modes(*modes: str) -> Holds:
    def fires(intent: Intent) -> bool | None:
        known = intent.thing.get("modes")
        return None if known is None else not set(modes).isdisjoint(known)

    return of_item(fires)


def _smartgun(intent: Intent) -> bool | None:
    """Its system may also have been added to a gun; then people know."""
    if intent.thing and "modes" not in intent.thing:
        return False
    return True if "smartgun" in intent.thing.get("features", ()) else None


def _fed_by(*feeds: str) -> Holds:
    """A weapon that is loaded so; what is no gun has no feed."""
    fed = _has("feed", *feeds)
    return lambda table, who, intent: (
        False if intent.thing and "feed" not in intent.thing else fed(table, who, intent)
    )


def _zone(table: Table, who: Participant, intent: Intent) -> bool | None:
    """That of the target, or of anybody where no target is said."""
    shooters = [intent.target] if intent.target else table.participants.values()
    return any(SUPPRESSING in one.conditions for one in shooters)


def _technomancer(who: Participant) -> bool | None:
    """Nobody awakened is one; of others people know, where the sheet does not report."""
    known = who.sheet.get("technomancer")
    return bool(known) if known is not None else False if who.sheet.get("awakened") else None


def _uses_matrix(who: Participant) -> bool | None:
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


def _unfired(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A rule of the house price: where attacks cost what they do in the ordinary game, they are counted instead."""
    if table.options.get("attack_cost") == "core":
        return True
    return not who.turn_uses.get(intent.item) if intent.item else None


def _awakened(*kinds: str) -> Holds:
    def awakened(who: Participant) -> bool | None:
        known = who.sheet.get("awakened")
        if known is None:  # who has Magic is something; what, people know
            return None if who.sheet.get("magic") else False
        return known in kinds

    return of_actor(awakened)


NEEDS: Mapping[str, Need] = {
    # Things in the hand
    "ready-firearm": Need("a ready weapon that fires", _ready_firearm),
    "ready-melee-weapon-or-bare-hands": Need("a ready melee weapon or bare hands", _melee),
    "melee-weapon-in-hand": Need("a melee weapon in the hand", of_actor(_can_parry)),
    "weapon-in-hand": Need("the weapon in the hand", _ready),
    "mode-single-shot": Need("a weapon that fires single shots", _modes("SS")),
    "mode-semi-automatic": Need("a weapon that fires semi-automatically", _modes("SA")),
    "mode-burst": Need("a weapon that fires bursts", _modes("BF")),
    "mode-automatic": Need("a weapon that fires automatically", _modes("FA")),
    "more-than-single-shots": Need("a weapon that fires more than single shots", _modes("SA", "BF", "FA")),
    "weapon-unfired-this-turn": Need("a weapon that has not been fired in this turn", _unfired),
    "no-attack-this-phase": Need(
        "no attack before in this phase", of_actor(lambda who: not who.did.get(ATTACK))
    ),
    "small-weapon": Need("a handgun, a submachine gun, or a short or thrown weapon", of_item(_small)),
    "large-weapon": Need("a long gun, a long blade or club, or a bow", of_item(_large)),
    "quick-pistol": Need("a pistol", _has("category", *_QUICK)),
    "sword": Need("a long blade or club", _has("category", *MELEE_CATEGORIES)),
    "bow": Need("a bow", _has("category", "bow")),
    "quick-draw-holster": Need("an arm slide or a quick-draw holster"),
    "throwing-weapon": Need("a throwing weapon in the hand", _ready_of("throwing-weapon")),
    "grenade": Need("a grenade in the hand", _ready_of("grenade")),
    "launcher": Need("a launcher", _has("category", "grenade-launcher", "missile-launcher")),
    "clip-weapon": Need("a weapon with a clip", _fed_by("clip")),
    "weapon-without-clip": Need(
        "a weapon that is loaded without a clip", _fed_by("break", "cylinder", "magazine", "muzzle-loader")
    ),
    "smartgun": Need("a smartgun", of_item(_smartgun)),
    "smartlink": Need("a smartlink", of_actor(lambda who: who.sheet.get("smartlink", "none") != "none")),
    "dni": Need("a direct neural interface", of_actor(lambda who: bool(who.sheet.get("dni")))),
    "melee-weapon": Need("a melee weapon", _melee),
    # The moment
    # What is due by a timer needs nothing more; the GM may force it when they see fit.
    "set-before": Need("to have been set, and its time to have come", of_actor(lambda who: False)),
    "had-first-phase": Need("one's first phase of the fight to have come", _had_first_phase),
    "bonus-physical-actions": Need(
        "physical bonus actions in this turn",
        of_actor(lambda who: who.rolled.get("world") == "physical" and bool(who.rolled.get("bonus"))),
    ),
    "just-dropped": Need("to have dropped in this phase", _just_dropped),
    "several-targets": Need(
        "several targets", of_item(lambda intent: len(intent.people) > 1 if intent.people else None)
    ),
    "targets-within-movement": Need("targets within the distance that one moves"),
    "suppressive-fire": Need("a zone under suppressive fire", _zone),
    "to-be-suppressed": Need("to be in a zone under suppressive fire", in_condition("suppressed")),
    "good-cover": Need("something that covers more than half of one"),
    "passing-opponent": Need("an opponent who passes within 1 + Reach metres"),
    IN_MELEE: Need("to be in melee", in_condition(IN_MELEE, "in_melee")),
    "prone": Need("to be prone", in_condition("prone", "prone")),
    # Other worlds
    "ar-or-vr": Need("augmented or virtual reality", of_actor(_uses_matrix)),
    "jumped-in": Need("to be jumped in", in_condition("jumped-in")),
    "technomancer": Need("a technomancer", of_actor(_technomancer)),
    "magician": Need("a magician", _awakened("magician", "mystic-adept")),
    "awakened": Need("an awakened character", _awakened("magician", "adept", "mystic-adept")),
}
"""Every word of the packs' actions; the labels follow "needs"."""
