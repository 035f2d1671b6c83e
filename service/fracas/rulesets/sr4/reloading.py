"""What is done to weapons between attacks in Shadowrun 4: drawn, laid down, loaded (rulebook sections 5.2 and 8.5).

The state of a thing, as far as it is known: ``ready`` (in the hand and usable), ``dropped`` (on the ground),
``rounds`` (in the weapon; of arrows and throwing weapons those that are ready), ``loaded`` (a clip is in),
``spare_clips`` (also belts and drums), ``spare_rounds`` (loose ones; of throwing weapons those not in the hand),
``speed_loaders``, and ``mode`` and ``choke`` (see `firing`). A count that nobody reported stays unknown, and the GM
checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fracas.kernel.intents import HANDLINGS, Intent, Participant
from fracas.kernel.stage import Effect, Fact

State = Mapping[str, Fact]
States = dict[str, Fact]

SMALL_THROWN = ("throwing-knife", "shuriken")
"""Throwing weapons of which several are readied at once."""
GRENADES = ("grenade",)
BOWS = ("bow",)
CROSSBOWS = ("crossbow",)
SINGLE = (*SMALL_THROWN, *GRENADES, *BOWS)
"""What is readied piece by piece: an attack uses a piece up, and Ready Weapon brings the next."""

ALL, AGILITY, ONE = "all", "agility", "one"
LOADS: Mapping[str, str] = {
    **dict.fromkeys(("clip", "break", "belt", "drum"), ALL),
    **dict.fromkeys(("cylinder", "magazine"), AGILITY),
    **dict.fromkeys(("muzzle-loader", "bow", "crossbow"), ONE),
}
"""How much one action loads, by the feed, or the category of a weapon without one: table ``reloading``."""
WHOLE = ("clip", "belt", "drum")
"""Feeds of which a spare one goes in as it is, whatever was left in the old one."""
BY_ROUNDS = ("break", "cylinder", "magazine", "muzzle-loader")
"""Feeds that take loose rounds."""
SPEED_LOADED = ("cylinder",)


def feed_of(item: Mapping[str, Any]) -> str | None:
    """The row of `LOADS` of a weapon: its feed, ``bow`` or ``crossbow``; None for none, or if not known."""
    if item.get("category") in (*BOWS, *CROSSBOWS):
        return str(item["category"])
    feed = item.get("feed")
    return feed if feed in LOADS else None


def count(state: State, name: str) -> int | None:
    """A count of a thing's state; None when it is not known."""
    value = state.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def at_least(state: State, name: str, least: int = 1) -> bool | None:
    """Whether there are so many; None where they are not counted."""
    value = count(state, name)
    return None if value is None else value >= least


def at_once(who: Mapping[str, Any], item: Mapping[str, Any]) -> int:
    """Pieces that one Ready Weapon readies: of small throwing weapons half the Agility, 1 at least (section 5.2)."""
    if item.get("category") not in SMALL_THROWN:
        return 1
    agility = who.get("agility", 0)
    return max(1, agility // 2) if isinstance(agility, int) else 1


def handled(who: Participant, intent: Intent, what: str) -> Mapping[str, Fact]:
    """The states that an action's ``item`` word sets."""
    item, state = intent.item_data, intent.state
    if what == "ready" and item.get("category") in SINGLE:
        return {**HANDLINGS["ready"], **_pieces(item, state, at_once(who.sheet, item))}
    if what == "load":
        return loaded(who.sheet, item, state)
    if what == "fill":
        return _filled(item, state)
    return HANDLINGS[what]


def _pieces(item: Mapping[str, Any], state: State, wanted: int) -> States:
    """More pieces in the hand, one arrow on the string at most; what is counted and not ready is spare."""
    rounds, spare = count(state, "rounds"), count(state, "spare_rounds")
    held = (rounds or 0) if state.get("ready") else 0
    if item.get("category") in BOWS:
        wanted = max(0, wanted - held)
    if spare is None:
        return {"rounds": held + wanted}
    carried = spare + ((rounds or 0) - held)
    taken = min(wanted, carried)
    return {"rounds": held + taken, "spare_rounds": carried - taken}


def loaded(who: Mapping[str, Any], item: Mapping[str, Any], state: State) -> States:
    """After one action of reloading (section 8.5). A spare clip, belt or drum replaces the old one with what was in it;
    loose rounds are added, as many as one action loads and are there."""
    feed, magazine = feed_of(item), count(item, "magazine")
    if feed in WHOLE or feed is None:
        spare = count(state, "spare_clips")
        reported: States = {"loaded": True}
        if magazine is not None:
            reported["rounds"] = magazine
        return reported if spare is None else reported | {"spare_clips": max(0, spare - 1)}
    agility = who.get("agility")
    limit = {ALL: magazine, ONE: 1}.get(LOADS[feed], agility if isinstance(agility, int) else None)
    return _added(item, state, limit)


def _added(item: Mapping[str, Any], state: State, limit: int | None) -> States:
    """Loose rounds, at most `limit`, as long as there is room and there are any."""
    magazine, spare = count(item, "magazine"), count(state, "spare_rounds")
    rounds = count(state, "rounds") or 0
    if magazine is None:
        return {}
    added = max(0, min(magazine - rounds, *(known for known in (limit, spare) if known is not None)))
    reported: States = {"rounds": rounds + added}
    return reported if spare is None else reported | {"spare_rounds": spare - added}


def _filled(item: Mapping[str, Any], state: State) -> States:
    """All at once with a speed loader, which is empty afterwards; its rounds are its own."""
    magazine, loaders = count(item, "magazine"), count(state, "speed_loaders")
    reported: States = {} if magazine is None else {"rounds": magazine}
    return reported if loaders is None else reported | {"speed_loaders": max(0, loaders - 1)}


# What an attack uses up.

PIECE, LAST_PIECE = "thrown", "thrown-last"


def piece_used(facts: Mapping[str, Any]) -> str:
    """What an attack uses up beside rounds: `PIECE` of what is thrown or shot piece by piece, `LAST_PIECE` if no other
    is ready; "" of a weapon that fires rounds. Takes the facts of an attack."""
    category, rounds = facts.get("weapon.category"), facts.get("weapon.rounds")
    if facts.get("weapon.feed", "none") != "none" or category not in (*SINGLE, *CROSSBOWS):
        return ""
    if category in CROSSBOWS:  # as with a gun, the weapon stays in the hand, and is empty
        return PIECE
    if category in BOWS:
        return LAST_PIECE
    return LAST_PIECE if rounds is not None and rounds <= 1 else PIECE


def used_up(record: str, piece: str) -> list[Effect]:
    """A piece less; without another the weapon is not ready any more. `record`: of the weapon."""
    effects = [Effect("item", "attacker", record, -1, (("state", "rounds"),))]
    if piece == LAST_PIECE:
        effects.append(Effect("item", "attacker", record, None, (("ready", False),)))
    return effects


# What an action needs of it: True, False, or None where it is not known.


def clip_in(item: Mapping[str, Any], state: State) -> bool | None:
    """Whether a clip is in, even an empty one: a weapon with counted rounds keeps its clip until it is taken out."""
    if item.get("feed", "clip") != "clip":
        return False
    if "feed" not in item:
        return None
    given = state.get("loaded")
    if given is not None:
        return bool(given)
    return True if count(state, "rounds") is not None else None


def has_spare(item: Mapping[str, Any], state: State) -> bool | None:
    """Whether there is something to load it with."""
    feed = feed_of(item)
    if feed is None and item.get("category") not in SINGLE:
        return None
    return at_least(state, "spare_clips" if feed in WHOLE else "spare_rounds")


def has_pieces(state: State) -> bool | None:
    """Whether more pieces can be made ready: spare ones, or those of a thing that is not in the hand."""
    rounds, spare = count(state, "rounds"), count(state, "spare_rounds")
    if spare is None:
        return None
    return spare + (0 if state.get("ready") else rounds or 0) > 0


def reloads(item: Mapping[str, Any]) -> bool | None:
    """Whether it takes a Complex Action to load it: everything without a clip, and crossbows; but no bow, no throwing
    weapon, and nothing that fires nothing."""
    if not item:
        return None
    if item.get("category") in CROSSBOWS:
        return True
    return feed_of(item) in (*BY_ROUNDS, "belt", "drum")


def is_full(item: Mapping[str, Any], state: State) -> bool:
    """Whether there is no room for another round, as far as that is known. A half empty belt may be changed."""
    magazine, rounds = count(item, "magazine"), count(state, "rounds")
    return magazine is not None and rounds is not None and rounds >= magazine
