"""What actions need of weapons, ammunition and other things in the hand (rulebook sections 5.2, 5.3 and 8.5).

What is not known of a weapon is not known: nobody is refused an attack because nobody said that the weapon is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.needs import Holds, all_known, of_actor, of_item
from fracas.kernel.stage import Fact
from fracas.kernel.things import slug_of
from fracas.rulesets.sr4 import reloading
from fracas.rulesets.sr4.vocabulary import FIREARMS, PISTOLS

_THROWN = ("throwing-knife", "shuriken", "special-weapon")
_GRENADES = ("grenade",)
_LAUNCHERS = ("grenade-launcher", "underbarrel-launcher", "missile-launcher")
_EXPLOSIVES = (*_GRENADES, *_LAUNCHERS)
_RANGED = (*FIREARMS, "bow", "crossbow", *_THROWN, *_GRENADES)
_BARE = ("unarmed",)
_MELEE = (
    "blade",
    "club",
    "exotic-melee-weapon",
    "cyber-melee",
    "cyber-blade",
    "cyber-club",
    "taser",
    "special-weapon",
)


def _flag(state: Mapping[str, Fact], name: str) -> bool | None:
    value = state.get(name)
    return None if value is None else bool(value)


def _category(intent: Intent, *categories: str) -> bool | None:
    category = intent.thing.get("category")
    return None if category is None else category in categories


def _may_have_ready(who: Participant, intent: Intent, *categories: str, least: int = 1) -> bool | None:
    """False where all that somebody has is known, and less than `least` of these categories (of all, if none is named)
    is ready."""
    if not who.items:
        return None
    found = 0
    for name, state in who.items.items():
        entry = intent.catalog.entry("weapon", slug_of(name)) if intent.catalog is not None else None
        if categories and entry is not None and entry.data.get("category") not in categories:
            continue
        ready = _flag(state, "ready")
        if ready is None:
            return None
        found += ready
    return None if found >= least else False


def _with_nothing(who: Participant, intent: Intent, *categories: str) -> bool | None:
    """Whether an action can be done for which no thing of somebody is named: one that is described, or any that is
    ready where the action is none of the thing itself. Otherwise nothing that somebody has will do."""
    if intent.thing:
        return _category(intent, *categories) if categories else None
    if who.items and not {"procedure", "item"}.isdisjoint(intent.action):
        return False
    return _may_have_ready(who, intent, *categories)


def _ready(*categories: str) -> Holds:
    """A thing of one of these categories, ready for use."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        if not intent.item:
            return _with_nothing(who, intent, *categories)
        return all_known(_category(intent, *categories), _flag(intent.state, "ready"))

    return holds


_ready_of_melee = _ready(*_MELEE)


def _ready_melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Some categories, such as tasers, also hold weapons that are fired."""
    return False if intent.thing.get("modes") else _ready_of_melee(table, who, intent)


def _armed_or_bare(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item or _category(intent, *_BARE):
        return True
    return _ready_melee(table, who, intent)


def _bare(intent: Intent) -> bool | None:
    if not intent.item or _category(intent, *_BARE):
        return True
    return False if intent.thing else None


def _modes(*modes: str) -> Holds:
    """A weapon that fires in one of these modes."""
    return _knows("modes", lambda known: not set(modes).isdisjoint(known))


def _knows(name: str, holds: Callable[[Any], bool]) -> Holds:
    """What holds of something that the packs say of the item; not known where they do not."""
    return of_item(lambda intent: None if intent.thing.get(name) is None else holds(intent.thing[name]))


def _no_clip_in_weapon(intent: Intent) -> bool | None:
    feed, clip = intent.thing.get("feed"), reloading.clip_in(intent.thing, intent.state)
    return False if feed not in (None, "clip") else None if clip is None else not clip


def _speed_loaded(intent: Intent) -> bool | None:
    """A cylinder, and a speed loader for it, as far as they are counted."""
    feed, loaders = intent.thing.get("feed"), reloading.count(intent.state, "speed_loaders")
    if feed is not None and feed not in reloading.SPEED_LOADED:
        return False
    if _category(intent, *_MELEE) and not intent.thing.get("modes"):
        return False
    return None if loaders is None else loaders > 0


def _in_hand(table: Table, who: Participant, intent: Intent) -> bool | None:
    return _flag(intent.state, "ready") if intent.item else _with_nothing(who, intent)


def _rounds(least: int) -> Holds:
    def holds(intent: Intent) -> bool | None:
        rounds = reloading.count(intent.state, "rounds")
        return None if rounds is None else rounds >= least

    return of_item(holds)


def _smartgun(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A smartgun system may also have been added to the weapon; then people know."""
    features = intent.thing.get("features")
    smart = True if features is not None and "smartgun" in features else None
    return all_known(_ready(*FIREARMS)(table, who, intent), smart)


def _two_ready(table: Table, who: Participant, intent: Intent) -> bool | None:
    def ready(one: Intent | None) -> bool | None:
        if one is None or not one.item:
            return None
        return all_known(_category(one, *FIREARMS), _flag(one.state, "ready"))

    if _may_have_ready(who, intent, *FIREARMS, least=2) is False:
        return False
    return all_known(ready(intent), ready(intent.second))


def _holstered(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item:
        return _with_nothing(who, intent, *PISTOLS)
    ready = True if intent.state.get("dropped") else _flag(intent.state, "ready")
    return all_known(_category(intent, *PISTOLS), None if ready is None else not ready)


def _two_holstered(table: Table, who: Participant, intent: Intent) -> bool | None:
    second = _holstered(table, who, intent.second) if intent.second is not None else None
    return all_known(_holstered(table, who, intent), second)


def _at_hand(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Something that is known and was not dropped; what lies on the ground may be out of reach. Of arrows and of what
    is thrown there must be more."""
    if not intent.item:
        return _with_nothing(who, intent)
    more = reloading.has_pieces(intent.state) if intent.thing.get("category") in reloading.SINGLE else True
    if more is False:
        return False
    return True if intent.item in who.items and not intent.state.get("dropped") else None


def _thrown_at_hand(table: Table, who: Participant, intent: Intent) -> bool | None:
    return all_known(_category(intent, *reloading.SMALL_THROWN), _at_hand(table, who, intent))


def _magnifies(intent: Intent) -> bool | None:
    """The weapon; what is worn, people know."""
    return True if "image-magnification" in intent.thing.get("features", ()) else None


_SPARE = of_item(lambda intent: reloading.has_spare(intent.thing, intent.state))

WEAPON_NEEDS: Mapping[str, Need] = {
    "ready-firearm": Need("a ready firearm", _ready(*FIREARMS)),
    "ready-firearm-in-each-hand": Need("a ready firearm in each hand", _two_ready),
    "ready-ranged-weapon": Need("a ready ranged weapon", _ready(*_RANGED)),
    "no-blast": Need(
        "a weapon that fires nothing explosive",
        _knows("category", lambda category: category not in _EXPLOSIVES),
    ),
    "ready-shotgun": Need("a ready shotgun", _ready("shotgun")),
    "ready-smartgun": Need("a ready smartgun", _smartgun),
    "ready-throwing-weapon": Need("a ready throwing weapon", _ready(*_THROWN)),
    "ready-grenade": Need("a ready grenade", _ready(*_GRENADES)),
    "ready-launcher": Need("a ready grenade or missile launcher", _ready(*_LAUNCHERS)),
    "ready-melee-weapon": Need("a ready melee weapon", _ready_melee),
    "ready-melee-weapon-or-bare-hands": Need("a ready melee weapon or bare hands", _armed_or_bare),
    "ready-mounted-weapon": Need("a ready mounted or vehicle weapon"),
    "bare-hands": Need("bare hands", of_item(_bare)),
    "weapon-in-hand": Need("the weapon in the hand", _in_hand),
    "weapon-at-hand": Need("a weapon at hand", _at_hand),
    "throwing-weapons-at-hand": Need("small throwing weapons at hand", _thrown_at_hand),
    "image-magnification": Need("image magnification", of_item(_magnifies)),
    "holstered-pistol": Need("a pistol-sized weapon in its holster", _holstered),
    "two-holstered-pistols": Need("two pistol-sized weapons in their holsters", _two_holstered),
    "mode-single-shot": Need("a weapon that fires single shots", _modes("SS")),
    "mode-semi-automatic": Need("a weapon that fires semi-automatically", _modes("SA")),
    "mode-burst-or-automatic": Need("a weapon that fires bursts", _modes("BF", "FA")),
    "mode-automatic": Need("a weapon that fires automatically", _modes("FA")),
    "several-modes": Need(
        "a weapon with several firing modes", _knows("modes", lambda modes: len(modes) > 1)
    ),
    # Ammunition
    "clip-in-weapon": Need(
        "a clip in the weapon", of_item(lambda intent: reloading.clip_in(intent.thing, intent.state))
    ),
    "no-clip-in-weapon": Need("a weapon that takes a clip and has none", of_item(_no_clip_in_weapon)),
    "no-clip-fed-weapon": Need(
        "a weapon that takes no clip", of_item(lambda intent: reloading.reloads(intent.thing))
    ),
    "six-rounds": Need("6 rounds in the weapon", _rounds(6)),
    "twenty-rounds": Need("20 rounds in the weapon", _rounds(20)),
    "spare-clip": Need("a spare clip", _SPARE),
    "spare-ammunition": Need("spare ammunition", _SPARE),
    "speed-loader": Need("a cylinder and a speed loader for it", of_item(_speed_loaded)),
    "held-object": Need(
        "something in the hand",
        of_item(lambda intent: bool(intent.item and intent.state.get("ready")) or None),
    ),
    "smartlink": Need("a smartlink", of_actor(lambda who: bool(who.sheet.get("smartlink")))),
    "linked-device": Need(
        "a linked device", of_actor(lambda who: True if who.sheet.get("smartlink") else None)
    ),
}
