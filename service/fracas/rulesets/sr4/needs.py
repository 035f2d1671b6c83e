"""What the actions of Shadowrun 4 need, and what of it a fight can tell.

A word that a fight cannot judge has a label only; people judge it. What is not known of a weapon is not known: nobody
is refused an attack because nobody said that the weapon is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fracas.kernel.stage import Fact
from fracas.kernel.turns import DELAYING, Intent, Need, Participant, Table
from fracas.rulesets.sr4.standing import actions
from fracas.rulesets.sr4.vocabulary import FIREARMS, PISTOLS

Holds = Callable[[Table, Participant, Intent], bool | None]

SURPRISED = "surprised"

_THROWN = ("throwing-knife", "shuriken", "special-weapon")
_GRENADES = ("grenade",)
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


def phase_begun(table: Table, who: Participant) -> bool:
    """Whether somebody's own Action Phase of this pass has begun; a delay is declared in it.

    Where Free Actions keep until the end of the turn, one of an earlier pass serves as well.
    """
    if who.id in table.acting or who.done or who.marks.get(DELAYING) == table.part:
        return True
    keeps = table.options.get("free_action_scope") == "turn"
    return keeps and bool(who.rolled) and min(actions(who, table.options), default=table.part) < table.part


def _both(*known: bool | None) -> bool | None:
    """All of these, as far as they are known."""
    if any(fact is False for fact in known):
        return False
    return None if None in known else True


def _flag(state: Mapping[str, Fact], name: str) -> bool | None:
    value = state.get(name)
    return None if value is None else bool(value)


def _count(state: Mapping[str, Fact], name: str) -> int | None:
    value = state.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _category(intent: Intent, *categories: str) -> bool | None:
    category = intent.thing.get("category")
    return None if category is None else category in categories


def _may_have_ready(who: Participant, least: int = 1) -> bool | None:
    """False where the readiness of everything is known, and less than `least` is ready."""
    states = [_flag(state, "ready") for state in who.items.values()]
    return False if states and None not in states and states.count(True) < least else None


def _ready(*categories: str) -> Holds:
    """A thing of one of these categories, ready for use."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        if not intent.item:
            return _may_have_ready(who)
        return _both(_category(intent, *categories), _flag(intent.state, "ready"))

    return holds


_ready_melee = _ready(*_MELEE)


def _armed_or_bare(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item or _category(intent, *_BARE):
        return True
    return _ready_melee(table, who, intent)


def _bare(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item or _category(intent, *_BARE):
        return True
    return False if intent.thing else None


def _modes(*modes: str) -> Holds:
    """A weapon that fires in one of these modes."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        known = intent.thing.get("modes")
        return None if known is None else not set(modes).isdisjoint(known)

    return holds


def _feed_is_clip(intent: Intent) -> bool | None:
    feed = intent.thing.get("feed")
    return None if feed is None else feed == "clip"


def _clip_in(intent: Intent) -> bool | None:
    """Whether a clip is in: said by ``loaded``, otherwise told by rounds; an empty clip may still be in."""
    loaded = _flag(intent.state, "loaded")
    if loaded is None and _count(intent.state, "rounds"):
        loaded = True
    return loaded


def _clip_in_weapon(table: Table, who: Participant, intent: Intent) -> bool | None:
    return _both(_feed_is_clip(intent), _clip_in(intent))


def _no_clip_in_weapon(table: Table, who: Participant, intent: Intent) -> bool | None:
    loaded = _clip_in(intent)
    return _both(_feed_is_clip(intent), None if loaded is None else not loaded)


def _no_clip_fed_weapon(table: Table, who: Participant, intent: Intent) -> bool | None:
    clip = _feed_is_clip(intent)
    return None if clip is None else not clip


def _rounds(least: int) -> Holds:
    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        rounds = _count(intent.state, "rounds")
        return None if rounds is None else rounds >= least

    return holds


def _smartgun(table: Table, who: Participant, intent: Intent) -> bool | None:
    """A smartgun system may also have been added to the weapon; then people know."""
    features = intent.thing.get("features")
    smart = True if features is not None and "smartgun" in features else None
    return _both(_ready(*FIREARMS)(table, who, intent), smart)


def _linked(table: Table, who: Participant, intent: Intent) -> bool | None:
    return True if who.sheet.get("smartlink") else None


def _two_ready(table: Table, who: Participant, intent: Intent) -> bool | None:
    firearm = _category(intent, *FIREARMS) if intent.item else None
    return _both(_may_have_ready(who, 2), firearm, _flag(intent.state, "ready") if intent.item else None)


def _holstered(table: Table, who: Participant, intent: Intent) -> bool | None:
    if not intent.item:
        return None
    ready = _flag(intent.state, "ready")
    return _both(_category(intent, *PISTOLS), None if ready is None else not ready)


def _held_object(table: Table, who: Participant, intent: Intent) -> bool | None:
    return True if intent.item and _flag(intent.state, "ready") else None


def _in_melee(table: Table, who: Participant, intent: Intent) -> bool | None:
    both = intent.target is not None and who.sheet.get("in_melee") and intent.target.sheet.get("in_melee")
    return True if both else None


def _in(condition: str, field: str = "") -> Holds:
    """In a condition, or with the field of the sheet that it sets."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        return condition in who.conditions or bool(field and who.sheet.get(field))

    return holds


def _perhaps_in(condition: str) -> Holds:
    """In a condition, which is not the only way to have what is needed."""

    def holds(table: Table, who: Participant, intent: Intent) -> bool | None:
        return True if condition in who.conditions else None

    return holds


def _not_surprised(table: Table, who: Participant, intent: Intent) -> bool | None:
    return SURPRISED not in who.conditions


def _own_phase_begun(table: Table, who: Participant, intent: Intent) -> bool | None:
    return phase_begun(table, who)


def _awakened(table: Table, who: Participant, intent: Intent) -> bool | None:
    """Nobody without Magic can; whether somebody with Magic can, people know."""
    return False if who.sheet.get("magic") == 0 else None


NEEDS: Mapping[str, Need] = {
    # Weapons
    "ready-firearm": Need("a ready firearm", _ready(*FIREARMS)),
    "ready-firearm-in-each-hand": Need("a ready firearm in each hand", _two_ready),
    "ready-ranged-weapon": Need("a ready ranged weapon", _ready(*_RANGED)),
    "ready-shotgun": Need("a ready shotgun", _ready("shotgun")),
    "ready-smartgun": Need("a ready smartgun", _smartgun),
    "ready-throwing-weapon": Need("a ready throwing weapon", _ready(*_THROWN)),
    "ready-grenade": Need("a ready grenade", _ready(*_GRENADES)),
    "ready-melee-weapon": Need("a ready melee weapon", _ready_melee),
    "ready-melee-weapon-or-bare-hands": Need("a ready melee weapon or bare hands", _armed_or_bare),
    "ready-mounted-weapon": Need("a ready mounted or vehicle weapon"),
    "bare-hands": Need("bare hands", _bare),
    "weapon-at-hand": Need("a weapon at hand"),
    "throwing-weapons-at-hand": Need("throwing weapons at hand"),
    "holstered-pistol": Need("a pistol-sized weapon in its holster", _holstered),
    "two-holstered-pistols": Need("two pistol-sized weapons in their holsters"),
    "mode-single-shot": Need("a weapon that fires single shots", _modes("SS")),
    "mode-semi-automatic": Need("a weapon that fires semi-automatically", _modes("SA")),
    "mode-burst-or-automatic": Need("a weapon that fires bursts", _modes("BF", "FA")),
    "mode-automatic": Need("a weapon that fires automatically", _modes("FA")),
    # Ammunition
    "clip-in-weapon": Need("a clip in the weapon", _clip_in_weapon),
    "no-clip-in-weapon": Need("a weapon that takes a clip and has none", _no_clip_in_weapon),
    "no-clip-fed-weapon": Need("a weapon that takes no clip", _no_clip_fed_weapon),
    "twenty-rounds": Need("20 rounds in the weapon", _rounds(20)),
    "spare-clip": Need("a spare clip"),
    "spare-ammunition": Need("spare ammunition"),
    # The moment
    "own-phase-begun": Need("one's own Action Phase of this pass to have begun", _own_phase_begun),
    "not-surprised": Need("not to be surprised", _not_surprised),
    "attack-or-aim-next": Need("an attack or Take Aim right afterwards"),
    "opponent-passing-or-leaving": Need("an opponent who passes or breaks out of melee"),
    # Place and hands
    "prone": Need("to be prone", _in("prone", "prone")),
    "held": Need("to be held", _in("held")),
    "holding": Need("to hold somebody", _in("holding")),
    "held-object": Need("something in the hand", _held_object),
    "object-in-reach": Need("an object within reach"),
    "patient-in-reach": Need("a patient within reach"),
    "target-in-melee-range": Need("a target in melee range", _in_melee),
    "linked-device": Need("a linked device", _linked),
    # Magic
    "magician": Need("a magician", _awakened),
    "astral-projector": Need("somebody who can project", _awakened),
    "astral-sight": Need("astral sight", _awakened),
    "astral-form-or-perceiving": Need("astral form or perception", _perhaps_in("astral-projection")),
    "sustained-spell": Need("a sustained spell", _perhaps_in("sustaining-spell")),
    "active-focus": Need("an active focus"),
    "inactive-focus": Need("an inactive focus"),
    "spirit-present": Need("a spirit that is present"),
    "bound-or-summoned-spirit": Need("a bound or summoned spirit"),
}
"""Every word of the packs' actions; the labels follow "needs"."""
