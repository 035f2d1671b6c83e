"""What the actions of Shadowrun 4 need of weapons, ammunition and what is in the hand (rulebook sections 5.2 and 5.3).

A word without a test has a label only: the GM checks it. What is not known of a weapon is not known: no attack is
refused because it is not known whether the weapon is drawn."""

from __future__ import annotations

from collections.abc import Mapping

from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.items import slug_of
from fracas.kernel.needs import Form, Holds, all_known, is_ready, of_actor, of_data, of_item
from fracas.kernel.stage import Fact
from fracas.rulesets.sr4 import reloading
from fracas.rulesets.sr4.vocabulary import FIREARMS, PISTOLS, listed

_BLASTS = (*reloading.GRENADES, "grenade-launcher", "underbarrel-launcher", "missile-launcher")
_SHOOTING = (*FIREARMS, "bow", "crossbow")
_RANGED = (*_SHOOTING, "special-weapon", *reloading.SMALL_THROWN, *reloading.GRENADES)
_MELEE = listed("blade club exotic-melee-weapon cyber-melee cyber-blade cyber-club natural taser")


def _flag(state: Mapping[str, Fact], name: str) -> bool | None:
    value = state.get(name)
    return None if value is None else bool(value)


def _category(intent: Intent | None, *categories: str) -> bool | None:
    category = intent.item_data.get("category") if intent is not None else None
    return None if category is None else category in categories


def _may_have_ready(who: Participant, intent: Intent, *categories: str, least: int = 1) -> bool | None:
    """False where all that a combatant has is known, and fewer than `least` of these (or any) categories ready."""
    if not who.items:
        return None
    found = 0
    for name, state in who.items.items():
        entry = intent.lookup.entry("weapon", slug_of(name)) if intent.lookup is not None else None
        if categories and entry is not None and entry.data.get("category") not in categories:
            continue
        ready = _flag(state, "ready")
        if ready is None:
            return None
        found += ready
    return None if found >= least else False


def _with_nothing(who: Participant, intent: Intent, *categories: str) -> bool | None:
    """Whether an action can be done for which no thing of a combatant is named: one that is described, or any that is
    ready where the action is none of the thing itself. Otherwise nothing that a combatant has will do."""
    if intent.item_data:
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


def _ready_melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Some categories, such as tasers, also hold weapons that are fired."""
    return False if intent.item_data.get("modes") else _ready(*_MELEE)(table, who, intent)


def _ready_to_fire(*categories: str) -> Holds:
    """Such a weapon, ready. What fires darts or a chemical deals no damage of its own, and has actions of its own."""
    ready = _ready(*categories)

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        another = "fires" in intent.item_data and "dv" not in intent.item_data
        return False if another else ready(table, who, intent)

    return holds


def _bare(intent: Intent) -> bool | None:
    if not intent.item or _category(intent, "unarmed"):
        return True
    return False if intent.item_data else None


def _no_clip_in_weapon(intent: Intent) -> bool | None:
    feed, clip = intent.item_data.get("feed"), reloading.clip_in(intent.item_data, intent.state)
    return False if feed not in (None, "clip") else None if clip is None else not clip


def _speed_loaded(intent: Intent) -> bool | None:
    """A cylinder, and a speed loader for it, as far as they are counted."""
    feed = intent.item_data.get("feed")
    strikes = _category(intent, *_MELEE) and not intent.item_data.get("modes")
    if strikes or (feed is not None and feed not in reloading.SPEED_LOADED):
        return False
    return reloading.at_least(intent.state, "speed_loaders")


def _has(feature: str) -> Holds:
    """A feature of the weapon; whether one is added to it or worn, people know."""
    return of_item(lambda intent: feature in intent.item_data.get("features", ()) or None)


def _two_ready(table: Table, who: Participant, intent: Intent) -> bool | None:
    if _may_have_ready(who, intent, *FIREARMS, least=2) is False:
        return False
    both = [one if one is not None and one.item else None for one in (intent, intent.second)]
    ready = (_flag(one.state, "ready") if one is not None else None for one in both)
    return all_known(*(_category(one, *FIREARMS) for one in both), *ready)


def _holstered(table: Table, who: Participant, intent: Intent | None) -> bool | None:
    if intent is None:
        return None
    if not intent.item:
        return _with_nothing(who, intent, *PISTOLS)
    ready = True if intent.state.get("dropped") else _flag(intent.state, "ready")
    return all_known(_category(intent, *PISTOLS), None if ready is None else not ready)


def _may_have_holstered(who: Participant, intent: Intent, least: int) -> bool:
    """So many pistols that are not ready, as far as all that a combatant has is known."""
    if not who.items or intent.lookup is None:
        return True
    away = (name for name, state in who.items.items() if not state.get("ready"))
    entries = [intent.lookup.entry("weapon", slug_of(name)) for name in away]
    return sum(entry is not None and entry.data.get("category") in PISTOLS for entry in entries) >= least


def _at_hand(table: Table, who: Participant, intent: Intent) -> bool | None:
    """What is known and not dropped: on the ground it may be out of reach. Arrows and throwing weapons need more."""
    if not intent.item:
        return _with_nothing(who, intent)
    piecewise = intent.item_data.get("category") in reloading.SINGLE
    if piecewise and reloading.has_pieces(intent.state) is False:
        return False
    return True if intent.item in who.items and not intent.state.get("dropped") else None


_SPARE = of_item(lambda intent: reloading.has_spare(intent.item_data, intent.state))
WEAPON_FORMS: Mapping[str, Form] = {
    "ready": _ready,
    "modes": lambda *modes: of_data("modes", lambda known: not set(modes).isdisjoint(known)),
    "rounds": lambda least: of_item(lambda it: reloading.at_least(it.state, "rounds", least)),
    "feature": _has,
}
"""How packs declare needs of weapons: a ready item of a category, a firing mode, so many rounds, a feature."""
WEAPON_CHECKS: Mapping[str, Holds] = {
    "ready-firearm": _ready_to_fire(*FIREARMS),
    "ready-firearm-in-each-hand": _two_ready,
    "ready-ranged-weapon": _ready(*_RANGED),
    "ready-shooting-weapon": _ready_to_fire(*_SHOOTING),
    "no-blast": of_data("category", lambda of: of not in _BLASTS),
    "ready-smartgun": lambda *of: all_known(_ready(*FIREARMS)(*of), _has("smartgun")(*of)),
    "ready-melee-weapon-or-bare-hands": lambda *of: True if _bare(of[2]) else _ready_melee(*of),
    "bare-hands": of_item(_bare),
    "own-body": of_item(lambda it: _category(it, "natural") or _bare(it)),
    "weapon-in-hand": lambda table, who, its: is_ready(its) if its.item else _with_nothing(who, its),
    "weapon-at-hand": _at_hand,
    "throwing-weapons-at-hand": lambda *of: all_known(
        _category(of[2], *reloading.SMALL_THROWN), _at_hand(*of)
    ),
    "holstered-pistol": _holstered,
    "several-modes": of_data("modes", lambda its: len(its) > 1),
    # Ammunition
    "clip-in-weapon": of_item(lambda it: reloading.clip_in(it.item_data, it.state)),
    "no-clip-in-weapon": of_item(_no_clip_in_weapon),
    "no-clip-fed-weapon": of_item(lambda it: reloading.reloads(it.item_data)),
    "spare-clip": _SPARE,
    "spare-ammunition": _SPARE,
    "speed-loader": of_item(_speed_loaded),
    "held-object": of_item(lambda it: bool(it.item and it.state.get("ready")) or None),
    "linked-device": of_actor(lambda who: bool(who.sheet.get("smartlink")) or None),
}
"""What checks the needs of weapons, ammunition and other things in the hand, which packs declare."""
WEAPON_NEEDS: Mapping[str, Need] = {
    "ready-melee-weapon": Need("a ready melee weapon", _ready_melee, lambda table, who, its: bool(who.items)),
    "two-holstered-pistols": Need(
        "two pistol-sized weapons in their holsters",
        lambda table, who, its: all_known(_holstered(table, who, its), _holstered(table, who, its.second)),
        lambda table, who, its: _may_have_holstered(who, its, 2),
    ),
}
"""Those whose likelihood depends on more than packs can say."""
