"""What a fight keeps of firearms: the mode of fire and the choke that they are set to (sections 5.2, 8.4 and 8.8).

Nobody says beforehand how a gun is set, so the first attack with it says so. Whoever fires otherwise later has to
change the setting first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.intents import Intent
from fracas.kernel.stage import Fact
from fracas.kernel.things import slug_of
from fracas.rulesets.sr4.ranged.barrier_attack import BarrierAttack
from fracas.rulesets.sr4.ranged.quick_draw import QuickDraw
from fracas.rulesets.sr4.ranged.ranged_attack import RangedAttack
from fracas.rulesets.sr4.ranged.suppressive_fire import ENTERED, SuppressiveFire
from fracas.rulesets.sr4.ranged.volley import RangedVolley
from fracas.rulesets.sr4.ranged.volley_facts import SPLIT_BURST, SPREAD_SHOT
from fracas.rulesets.sr4.ranged.weapon_setting import CHOKE, CHOKES, MODE

Told = Mapping[str, Any]

_SHOTS = (RangedAttack.id, RangedVolley.id, SuppressiveFire.id, BarrierAttack.id, QuickDraw.id)
_BURSTS = ("short-burst", "long-burst", "full-burst")
SET_TO: Mapping[str, Sequence[str]] = {
    "single-shot": ("SS",),
    "semi-automatic": ("SA",),
    "short-burst": ("FA", "BF"),
    "long-burst": ("FA",),
    "full-burst": ("FA",),
}
"""How a gun is set that fires so: an automatic weapon also fires short bursts."""
_USUAL = {"SS": "single-shot", "SA": "semi-automatic", "BF": "short-burst", "FA": "short-burst"}
"""What a gun fires that is set so, where nobody says it: the fewest rounds."""
_LABELS = {"SS": "single shots", "SA": "semi-automatic fire", "BF": "bursts", "FA": "full automatic fire"}


def objections(intent: Intent) -> Iterator[str]:
    """Why a weapon that is set otherwise is not fired so, as sentences without a full stop."""
    for record, one in _fired(intent):
        mode, kept = _mode(intent, record), one.state.get(MODE)
        if mode and kept and kept not in SET_TO[mode] and _selects(one):
            yield f"{_label(one)} is set to {_LABELS.get(str(kept), kept)}: change the gun mode first"
        choke, kept = _said(intent, record, CHOKE), one.state.get(CHOKE)
        if choke and kept and choke != kept:
            yield f"the choke of {_label(one)} is {kept}: change the choke first"


def left_set(intent: Intent) -> dict[str, dict[str, Fact]]:
    """To what an attack leaves its weapons set, by their names; what they are set to already is left out."""
    told = usual(intent)
    found: dict[str, dict[str, Fact]] = {}
    for record, one in _fired(intent):
        mode = _mode(intent, record) or told.get(record, {}).get(MODE, "")
        states: dict[str, Fact] = {}
        if mode and _selects(one) and one.state.get(MODE) not in SET_TO[mode]:
            has = one.thing.get("modes", ())
            states[MODE] = next((word for word in SET_TO[mode] if word in has), SET_TO[mode][0])
        choke = _said(intent, record, CHOKE) or told.get(record, {}).get(CHOKE, "")
        if choke and one.state.get(CHOKE) != choke:
            states[CHOKE] = choke
        if states:
            found[one.item] = states
    return found


def usual(intent: Intent) -> dict[str, dict[str, str]]:
    """How weapons are fired where neither the command nor the action says it, nested as in a request."""
    found: dict[str, dict[str, str]] = {}
    procedure = intent.action.get("procedure")
    for record, one in _fired(intent):
        told: dict[str, str] = {}
        mode = _mode(intent, record)
        if not mode and (mode := _usual_mode(one, procedure)):
            told[MODE] = mode
        if mode in _BURSTS and procedure != SuppressiveFire.id and not _said(intent, record, "spread"):
            told["spread"] = "narrow"
        if not _said(intent, record, CHOKE) and (choke := _usual_choke(intent, one)):
            told[CHOKE] = choke
        if told:
            found[record] = told
    return found


def _fired(intent: Intent) -> Iterator[tuple[str, Intent]]:
    """The weapons that an action fires, each with the record that says how. A zone of fire that somebody enters was
    opened before."""
    if intent.action.get("procedure") not in _SHOTS or _top(intent, "zone") == ENTERED:
        return
    if intent.item and intent.thing.get("modes"):
        yield "fire", intent
    if intent.second is not None and intent.second.thing.get("modes"):
        yield "fire_2", intent.second


def _selects(one: Intent) -> bool:
    return len(one.thing.get("modes", ())) > 1


def _label(one: Intent) -> str:
    entry = one.catalog.entry("weapon", slug_of(one.item)) if one.catalog is not None else None
    return entry.label if entry is not None else one.item


def _mode(intent: Intent, record: str) -> str:
    """How a weapon is fired, as far as that is said."""
    if intent.action.get("procedure") == SuppressiveFire.id or _top(intent, "volley") == SPLIT_BURST:
        return "full-burst"
    return _said(intent, record, MODE)


def _told(intent: Intent) -> tuple[Told, Told]:
    return intent.situation, intent.action.get("situation", {})


def _top(intent: Intent, name: str) -> Any:
    return next((told[name] for told in _told(intent) if name in told), None)


def _said(intent: Intent, record: str, name: str) -> str:
    for told in _told(intent):
        fire = told.get(record)
        if isinstance(fire, Mapping) and isinstance(value := fire.get(name), str):
            return value
    return ""


def _usual_mode(one: Intent, procedure: Any) -> str:
    kept, modes = one.state.get(MODE), one.thing.get("modes", ())
    if isinstance(kept, str) and kept in _USUAL:
        return _USUAL[kept]
    first = next((word for word in _USUAL if word in modes), "")
    return _USUAL.get(first, "") if procedure in (RangedAttack.id, BarrierAttack.id) else ""


def _usual_choke(intent: Intent, one: Intent) -> str:
    """Of a shotgun that fires shot: that to which it is set, and of a spread the narrowest that reaches them all."""
    kept = one.state.get(CHOKE)
    if _top(intent, "volley") == SPREAD_SHOT:
        return (
            str(kept) if kept else CHOKES[min(len(intent.people), len(CHOKES)) - 1] if intent.people else ""
        )
    return str(kept) if kept and one.thing.get("category") == "shotgun" and _fires_shot(one) else ""


def _fires_shot(one: Intent) -> bool:
    loaded = one.state.get("ammunition")
    said = one.situation.get("weapon")
    if isinstance(said, Mapping) and "ammunition" in said:
        loaded = said["ammunition"]
    entry = one.catalog.entry("ammunition", str(loaded)) if loaded and one.catalog is not None else None
    return bool(entry.data.get("flechette") if entry is not None else one.thing.get("flechette"))
