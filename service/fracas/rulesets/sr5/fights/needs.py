"""What the actions of Shadowrun 5 need, as far as a fight can report it; what it cannot, the GM checks.

Rulebook sections 3, 6.1, 7 and 8.3."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fracas.kernel import needs
from fracas.kernel.intents import Intent, Need, Participant, Table
from fracas.kernel.monitors import DEAD, DYING
from fracas.kernel.needs import Form, Holds, all_known, of_actor, of_data, of_item
from fracas.rulesets.sr5.attacks.ranged import SUPPRESSING
from fracas.rulesets.sr5.attacks.vocabulary import PISTOLS
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES, VIRTUAL
from fracas.rulesets.sr5.fights.action_rules import ATTACK, saves_actions
from fracas.rulesets.sr5.fights.online import is_program, of_marks

IN_MELEE = "in-melee"
"""The condition of the packs, towards the opponents in melee with a combatant."""
_SMALL = (*PISTOLS, "submachine-gun", "throwing-weapon", "grenade", "unarmed")


def _unnamed(who: Participant, intent: Intent) -> bool | None:
    """What holds where no thing is named: nothing of a combatant of whose things all are known."""
    return False if who.items and not intent.item and not intent.item_data else None


def _has(key: str, *values: str) -> Holds:
    """The thing has one of these values."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        value = intent.item_data.get(key)
        return _unnamed(who, intent) if value is None else value in values

    return holds


def _sized(small: bool) -> Holds:
    """A small weapon, which is also one for melee without reach; or any other one."""

    def holds(intent: Intent) -> bool | None:
        category = intent.item_data.get("category")
        if category in MELEE_CATEGORIES:
            return (int(intent.item_data.get("reach", 0)) == 0) is small
        return None if category is None else (category in _SMALL) is small

    return of_item(holds)


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
    return all_known("modes" in intent.item_data if intent.item_data else None, _ready(table, who, intent))


def _melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A weapon for melee in the hand, or none at all: bare hands, which machines do not have."""
    if not intent.item:
        return not who.sheet.get("vehicle")
    category = intent.item_data.get("category")
    return category in (None, *MELEE_CATEGORIES) and _ready(table, who, intent)


def _can_parry(who: Participant) -> bool | None:
    """With a melee weapon in the hand; not known where nothing is given of weapons."""
    known = [bool(state.get("ready") and state.get("melee")) for state in who.items.values()]
    return any(known) if known else None


def _modes(*modes: str) -> Holds:
    return of_data("modes", lambda known: not set(modes).isdisjoint(known))


def _smartgun(intent: Intent) -> bool | None:
    """Its system may also have been added to a gun; then people know."""
    if intent.item_data and "modes" not in intent.item_data:
        return False
    return True if "smartgun" in intent.item_data.get("features", ()) else None


def _fed_by(*feeds: str) -> Holds:
    """A weapon that is loaded so; what is no gun has no feed."""
    fed, gun = _has("feed", *feeds), of_item(lambda it: not it.item_data or "feed" in it.item_data)
    return lambda table, who, intent: gun(table, who, intent) and fed(table, who, intent)


def _zone(table: Table, who: Participant, intent: Intent) -> bool | None:
    """That of the target, or of anybody where no target is given."""
    shooters = [intent.target] if intent.target else table.participants.values()
    return any(SUPPRESSING in one.conditions for one in shooters)


def _technomancer(who: Participant) -> bool | None:
    """Nobody awakened is one; of others people know, where the sheet does not report."""
    known = who.sheet.get("technomancer")
    return bool(known) if known is not None else False if who.sheet.get("awakened") else None


def _had_first_phase(table: Table, who: Participant, intent: Intent) -> bool | None:
    """In the first turn nobody defends themselves with a saved action before their first phase (section 7.5)."""
    return not saves_actions(table.options) or table.turn > 1 or who.done or who.id in table.acting


def _just_dropped(table: Table, who: Participant, intent: Intent) -> bool | None:
    """What takes them out came in this very phase; not known where boxes alone do it."""
    now = (table.turn, table.acting) in who.since.values() if who.since else None
    return False if who.able else now


def _unfired(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A rule of the house price: where attacks cost what they do in the ordinary game, they are counted instead."""
    core = table.options["attack_cost"] == "core"
    return True if core else not who.turn_uses.get(intent.item) if intent.item else None


def _awakened(*kinds: str) -> Holds:
    def awakened(who: Participant) -> bool | None:
        known = who.sheet.get("awakened")
        if known is None:  # who has Magic is something; what, people know
            return None if who.sheet.get("magic") else False
        return known in kinds

    return of_actor(awakened)


def _knows_spell(table: Table, who: Participant, intent: Intent) -> bool | None:
    """As far as the sheet lists powers; which one is cast, `objections` compare."""
    known, lookup = who.sheet.get("powers"), intent.lookup
    if known is None or lookup is None:
        return None
    entries = (lookup.entry("power", str(power)) for power in known)
    return any(entry is not None and entry.data.get("type") == "spell" for entry in entries)


def _may_drive(table: Table, who: Participant, intent: Intent) -> bool:
    """A rigger, or anybody where the fight has a vehicle."""
    rigs = bool((who.sheet.get("skills") or {}).get("gunnery"))
    return rigs or any(one.sheet.get("vehicle") for one in table.participants.values())


def _may_enter(table: Table, who: Participant, intent: Intent) -> bool:
    """As `_may_drive`; of several machines of the side, one has to be named."""
    ours = [one for one in table.participants.values() if one.side == who.side and one.sheet.get("vehicle")]
    return len(ours) < 2 and _may_drive(table, who, intent)


FORMS: Mapping[str, Form] = {
    "modes": _modes,
    "category": partial(_has, "category"),
    "ready": _ready_of,
    "feed": _fed_by,
    "awakened": _awakened,
    "embodied": lambda: of_actor(lambda who: not is_program(who)),
}
"""How the packs declare needs of this game: of a weapon its modes, its category, whether one of a category is in the
hand, how it is loaded; who is awakened how, and who has a body."""
CHECKS: Mapping[str, Holds] = {
    # Things in the hand
    "ready-firearm": _ready_firearm,
    "ready-melee-weapon-or-bare-hands": _melee,
    "melee-weapon-in-hand": of_actor(_can_parry),
    "weapon-in-hand": _ready,
    "weapon-unfired-this-turn": _unfired,
    "no-attack-this-phase": of_actor(lambda me: not me.did.get(ATTACK)),
    "small-weapon": _sized(True),
    "large-weapon": _sized(False),
    "smartgun": of_item(_smartgun),
    "melee-weapon": _melee,
    # The moment
    # What is due by a timer needs nothing more; the GM may force it when they see fit.
    "set-before": of_actor(lambda who: False),
    "had-first-phase": _had_first_phase,
    "bonus-physical-actions": of_actor(
        lambda who: who.rolled.get("world") == "physical" and bool(who.rolled.get("bonus"))
    ),
    "just-dropped": _just_dropped,
    "several-targets": of_item(lambda it: len(it.people) > 1 if it.people else None),
    "suppressive-fire": _zone,
    "wounded-patient": needs.of_target(
        lambda one: (
            DEAD not in one.conditions and (bool(one.sheet.get("physical") or one.sheet.get("stun")) or None)
        )
    ),
    "dying-patient": needs.of_target(lambda one: DYING in one.conditions or None),
    # Other worlds
    "mark": of_marks(1),
    "two-marks": of_marks(2),
    "three-marks": of_marks(3),
    "ar-or-vr": needs.of_sheet("interface", lambda used: used in ("ar", *VIRTUAL)),
    "cyberdeck": needs.of_sheet("attack", lambda attack: True),
    "controlled-by-a-spell": of_actor(lambda me: bool({"controlled", "obedient"} & {*me.conditions})),
    "technomancer": of_actor(_technomancer),
    "known-spell": _knows_spell,
}
"""What checks the needs that packs declare; their labels follow "needs"."""
NEEDS: Mapping[str, Need] = {
    "vehicle-or-drone": Need("a vehicle or a drone", likely=_may_drive),
    "machine-to-jump-into": Need(
        "a vehicle or a drone", needs.of_target(lambda one: bool(one.sheet.get("vehicle"))), likely=_may_enter
    ),
}
"""Those whose likelihood depends on more than packs can say."""
