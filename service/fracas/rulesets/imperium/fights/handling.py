"""What combatants hold: hands and arms, drawing and putting away, and the job of reloading (rulebook sections 3.1, 5.1
and 8.4); and what else their sheets report in a fight.

A thing is ready (in hand), put away, or lies on the ground (``dropped``). What a fight knows of it beside that:
``rounds`` loaded, ``reloading`` (actions that have gone into reloading it without a break), ``spare_magazines`` if the
GM counts them, and what `kept` takes from the packs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fracas.kernel.intents import Intent, Participant, Table, plainly_handled
from fracas.kernel.items import slug_of
from fracas.kernel.stage import Fact
from fracas.kernel.tables import row_of
from fracas.kernel.tracks import Job
from fracas.kernel.vocabulary import EntryLookup
from fracas.rulesets.imperium.attacks.close_combat import CloseCombat
from fracas.rulesets.imperium.attacks.flame import FlameAttack
from fracas.rulesets.imperium.attacks.grenades import PlantCharge
from fracas.rulesets.imperium.attacks.shooting import Shooting

USELESS = 4
"""The level of injury from which an arm is of no use (section 8.4)."""
ARMS = ("right", "left")
TWO_HANDED, OF_BODY, CLOSE, THROWN = "two_handed", "of_body", "close", "thrown"
"""What a fight keeps in mind of a thing, see `kept`."""

ItemState = Mapping[str, Fact]


def granted(lookup: EntryLookup, who: Participant) -> frozenset[str] | None:
    """What a combatant's abilities allow; None where they are not given."""
    if "traits" not in who.sheet:
        return None
    known = (lookup.entry("trait", reference) for reference in who.sheet["traits"])
    return frozenset(word for entry in known if entry is not None for word in entry.data.get("grants", ()))


def injury(who: Participant, location: str) -> int:
    """The level of a location's injury."""
    return int((who.sheet.get("injuries") or {}).get(location, 0))


def bleedings(who: Participant) -> int:
    """How many bleeding injuries a combatant has."""
    return sum((who.sheet.get("bleeding") or {}).values())


def stunned_actions(who: Participant) -> int:
    """Actions yet to lose."""
    return who.sheet.get("stunned_actions") or 0


def in_hand(who: Participant) -> list[str]:
    """The things that a combatant holds, as they came by them; fists are none, and what is thrown is gone."""
    ready = {name: state for name, state in who.items.items() if state.get("ready")}
    return [name for name, state in ready.items() if not state.get(OF_BODY) and not is_used_up(state)]


def is_used_up(state: ItemState) -> bool:
    """A thing that is thrown, of which none is left."""
    return bool(state.get(THROWN)) and state.get("rounds") == 0


def hands(who: Participant) -> dict[str, str]:
    """What each hand holds, by arm, "" for nothing: of two things the first is in the right hand, and a single one in
    the hand of the better arm; what takes two hands is in both."""
    held = in_hand(who)
    if any(who.items[name].get(TWO_HANDED) for name in held[:1]):
        return dict.fromkeys(ARMS, held[0])
    order = sorted(ARMS, key=lambda arm: injury(who, f"{arm}-arm") >= USELESS)
    return dict.fromkeys(ARMS, "") | dict(zip(order, held, strict=False))


def useful_arms(who: Participant) -> int:
    return sum(injury(who, f"{arm}-arm") < USELESS for arm in ARMS)


DRAW, LOAD = "draw", "load"
"""Words of an action's ``item``: taking in hand what is not, and putting away what is; an action of reloading."""
RELOADING = "reloading"
"""The condition of the packs, and the number of actions done."""
SPARE = "spare_magazines"
_BOTH_HANDS = frozenset(("basic", "heavy"))
_WITH_A_WEAPON = frozenset((Shooting.id, CloseCombat.id, FlameAttack.id, PlantCharge.id))
_OF_BODY = frozenset(("unarmed", "improvised"))


def is_of_body(item_data: Mapping[str, Any]) -> bool:
    """A fist, or the butt of a gun that is held anyway: never drawn, and never put away."""
    return not _OF_BODY.isdisjoint(item_data.get("features", ()))


def kept(item_data: Mapping[str, Any]) -> Mapping[str, Fact]:
    """What a fight keeps in mind of a thing: whether it strikes in close combat, takes both hands, is thrown, or
    belongs to the body; guns and grenades come loaded."""
    found: dict[str, Fact] = {}
    if is_of_body(item_data):
        found[OF_BODY] = True
    elif item_data.get("type") == "close":
        found[CLOSE] = True
    if item_data.get("type") in _BOTH_HANDS:
        found[TWO_HANDED] = True
    if item_data.get("type") == THROWN:
        found[THROWN] = True
    if isinstance(capacity := item_data.get("capacity"), int):
        found["rounds"] = capacity
    return found


def handled(table: Table, who: str, intent: Intent, what: str) -> Mapping[str, Fact]:
    """The states that an action's ``item`` word sets."""
    if what == DRAW:
        return plainly_handled("stow" if intent.state.get("ready") else "ready", intent.item_data)
    if what == LOAD:
        return _loaded(table.participants[who], intent)
    return plainly_handled(what, intent.item_data)


def _loaded(who: Participant, intent: Intent) -> Mapping[str, Fact]:
    """One action of reloading. What is loaded directly gets its share of shots at once; a magazine goes in with the
    last of as many actions as the weapon takes, without a break."""
    capacity, needed = intent.item_data.get("capacity"), intent.item_data.get("reload")
    if not isinstance(capacity, int) or not isinstance(needed, int):
        return {}
    if intent.item_data.get("loaded_directly"):
        rounds = intent.state.get("rounds")
        return {"rounds": min(capacity, rounds - (-capacity // needed))} if isinstance(rounds, int) else {}
    if not finishes(who, intent):
        return {RELOADING: _actions_done(who, intent) + 1}
    spare = intent.state.get(SPARE)
    left = {SPARE: max(0, spare - 1)} if isinstance(spare, int) else {}
    return {"rounds": capacity, RELOADING: 0, **left}


def _actions_done(who: Participant, intent: Intent) -> int:
    done = intent.state.get(RELOADING)
    going_on = intent.item in who.condition_items.get(RELOADING, ())
    return done if going_on and isinstance(done, int) else 0


def job(participant: Participant, condition: str, item: str, lookup: EntryLookup) -> Job | None:
    """How far a job of several actions is: reloading, healing an injury, or something long, which takes as many as the
    GM says (``work_needed``), or the table of jobs."""
    if condition == RELOADING:
        entry = lookup.entry("weapon", slug_of(item))
        done, needed = (
            participant.items.get(item, {}).get(RELOADING),
            entry.data.get("reload") if entry else None,
        )
        return Job(done, needed if isinstance(needed, int) else None) if isinstance(done, int) else None
    if condition in _COUNTED:
        field, table, row, column = _COUNTED[condition]
        needed = participant.sheet.get("work_needed") if condition == AT_WORK else None
        if needed is None and lookup.entry("table", table) is not None:
            needed = row_of(lookup, table, row)[column]
        return Job(int(participant.sheet.get(field, 0)), needed)
    return None


AT_WORK = "at-work"
_COUNTED = {
    AT_WORK: ("work_actions", "action-jobs", "long-job", "actions"),
    "tending": ("tending_actions", "healing", "actions", "value"),
}
"""Conditions that count the actions of a job: the field of the sheet, and where a table has how many it takes."""


def finishes(who: Participant, intent: Intent) -> bool:
    """Whether one more action ends the job of reloading."""
    needed = intent.item_data.get("reload")
    if intent.item_data.get("loaded_directly") or not isinstance(needed, int):
        return True
    return _actions_done(who, intent) + 1 >= needed


def objections(who: Participant, intent: Intent) -> Iterator[str]:
    """What speaks against using or handling a thing so, beyond the words that the action needs; without a full stop."""
    if intent.action.get("procedure") in _WITH_A_WEAPON:
        if intent.second is not None:
            yield "one weapon is used at a time"
        if intent.state.get(TWO_HANDED) and useful_arms(who) < 2:
            yield "it takes two hands"
    what = intent.action.get("item")
    if what == DRAW and intent.item:
        yield from _against_drawing(who, intent)
    elif what == LOAD and intent.item_data:
        yield from _against_loading(intent)


def _against_drawing(who: Participant, intent: Intent) -> Iterator[str]:
    drawn = [one for one in (intent, intent.second) if one is not None]
    if any(is_of_body(one.item_data) for one in drawn):
        yield "it is always at hand"
        return
    if any(one.state.get("destroyed") for one in drawn):
        yield "it is destroyed"
    if any(is_used_up(one.state) for one in drawn):
        yield "none is left"
    names = {one.item for one in drawn}
    held = [who.items[name] for name in in_hand(who) if name not in names]
    fresh = [kept(one.item_data) for one in drawn if not one.state.get("ready")]
    taken = sum(2 if state.get(TWO_HANDED) else 1 for state in (*held, *fresh) if not state.get(OF_BODY))
    if fresh and taken > useful_arms(who):
        yield "has no hand free for it; what is named with it is put away by the same action"


def _against_loading(intent: Intent) -> Iterator[str]:
    capacity, rounds = intent.item_data.get("capacity"), intent.state.get("rounds")
    if intent.item_data.get("one_shot") or not isinstance(intent.item_data.get("reload"), int):
        yield "it is not reloaded"
    elif isinstance(rounds, int) and isinstance(capacity, int) and rounds >= capacity:
        yield "it is fully loaded"


def has_spare(intent: Intent) -> bool | None:
    """A magazine at hand, where they are counted."""
    spare = intent.state.get(SPARE)
    return spare > 0 if isinstance(spare, int) else None
