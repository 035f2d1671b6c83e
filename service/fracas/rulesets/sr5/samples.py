"""How each kind of pack entry is put to use once, to see that a request may take it; and how weapons are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.kernel.ruleset import Comparison, Sample, Worth, no_better
from fracas.kernel.tables import rows_if_any
from fracas.kernel.vocabulary import EntryLookup, PackEntry
from fracas.rulesets.sr5.combatant import MELEE_CATEGORIES, PROGRAMS

Situation = Mapping[str, Any]

_BODY = {"body": 4, "strength": 4, "reaction": 4}
_SHOOTER = {**_BODY, "pool": 10, "rounds_before": 0, "rounds_phase": 0}
_FIGHTER = {**_BODY, "pool": 8}
_DECKER = {"pool": 10, "attack": 5}
_CASTER = {"magic": 5, "pool": 10, "drain_pool": 8}
_UNARMORED = {**_BODY, "pool": 6, "intuition": 3, "skills": {"blades": 3, "unarmed-combat": 3}}
_VICTIM = {**_UNARMORED, "armor_value": 9}
_BULLET = {"dv": 8, "damage": "physical", "ap": -1}
_GUN = {"skill": "automatics", "accuracy": 5, **_BULLET, "modes": ["SA"], "rc": 0}
_NEAR = 1
_AIMED: Situation = {"attacker": _SHOOTER, "target": {**_VICTIM, "edge": 2}}
_SHOT: Situation = {**_AIMED, "weapon": _GUN, "distance": _NEAR, "fire": {"mode": "semi-automatic"}}
_BLOW: Situation = {"attacker": _FIGHTER, "target": _VICTIM}
_HURT: Situation = {"damage": {"value": 8}}
_TAKER = dict.fromkeys(("body", "agility", "reaction", "strength", "willpower"), 3)
_INFLUENCED = {**_TAKER, "pain_resistance": 0, "limit_bonus": 0}


def _shot(situation: Situation) -> Sample:
    return Sample("ranged-attack", {**_SHOT, **situation})


def _blow(situation: Situation) -> Sample:
    return Sample("melee-attack", {**_BLOW, **situation})


def samples(entry: PackEntry, lookup: EntryLookup) -> Sequence[Sample]:
    """The trials of an entry; none for a kind that no procedure reads."""
    kind, use = entry.kind, {"use": entry.id}
    if kind == "weapon":
        melee = entry.data.get("category") in MELEE_CATEGORIES
        return [*(_blows_with(entry) if melee else _shots_with(entry, lookup))]
    if kind == "ammunition":
        return [_shot({"load": use})]
    if kind == "armor":
        target = {"target": {**_UNARMORED, "armor": [entry.id]}}
        hurt = {"target": {"body": 4, "strength": 4, "armor": [entry.id]}}
        return [_shot(target), _blow(target), Sample("damage-resistance", {**hurt, **_HURT})]
    if kind == "combatant":
        if entry.data.get("nature") in PROGRAMS:
            return [Sample("data-spike", {"attacker": _DECKER, "target": use})]
        return [*_fighting(entry)]
    if kind == "power" and "form" in entry.data:
        more = {"target_2": _VICTIM} if entry.data.get("range") == "area" else {}
        return [
            Sample("cast-spell", {"caster": _CASTER, "target": _VICTIM, "spell": use, "force": 5, **more})
        ]
    if kind == "drug":
        return [_drugged(entry), Sample("take-drug", {"taker": _INFLUENCED, "drug": use})]
    return ()


def _shots_with(weapon: PackEntry, lookup: EntryLookup) -> Iterator[Sample]:
    """Every way in which a weapon may be fired, and suppressive fire where it fires bursts."""
    ranges = lookup.entry("range", weapon.data.get("range", ""))
    distance = ranges.data.get("minimum", _NEAR) if ranges else _NEAR
    use: dict[str, Any] = {"weapon": {"use": weapon.id}, "distance": distance}
    payload = weapon.data.get("payload")
    load = next((one for one in lookup.entries("ammunition") if one.data.get("type") == payload), None)
    if load is not None and payload is not None and "ammunition" not in weapon.data:
        use["load"] = {"use": load.id}
    modes = weapon.data.get("modes", ())
    rows = rows_if_any(lookup, "firing-modes")
    ways = [mode for mode, row in rows.items() if row["mode"] in modes] or ["single-shot"]
    for mode in ways:
        yield _shot({**use, "fire": {"mode": mode}})
    if weapon.data.get("rounds", 2) > 1:
        yield Sample("ranged-volley", {**_SHOT, **use, "fire": {"mode": ways[0]}, "target_2": _VICTIM})
    if "FA" in modes:
        yield Sample("suppressive-fire", {"attacker": _SHOOTER, **use})
        escaping = {**use, "attacker": {**_SHOOTER, "suppression": 2}, "target": _SHOT["target"]}
        yield Sample("escape-suppression", escaping)


def _blows_with(weapon: PackEntry) -> Iterator[Sample]:
    """A blow with it, a parry, and a blow at several."""
    use = {"weapon": {"use": weapon.id}}
    yield _blow(use)
    yield _blow({"target": {**_VICTIM, "weapon": weapon.id, "active_defense": "parry"}})
    yield Sample("melee-sweep", {**_BLOW, **use, "target_2": _VICTIM, "way": "carnival"})


def _fighting(combatant: PackEntry) -> Iterator[Sample]:
    """A combatant attacks, and is attacked."""
    use = {"use": combatant.id}
    for side in ("attacker", "target"):
        yield _shot({side: use})
        yield _blow({side: use})


def _drugged(drug: PackEntry) -> Sample:
    """A combatant under its influence takes wounds."""
    numbers: dict[str, int] = dict(_INFLUENCED)
    for change in drug.data.get("changes", []):
        stat = str(change["stat"])
        if stat in numbers and "while" not in change:
            numbers[stat] = max(numbers[stat] + int(change.get("add", 0)), int(change.get("at_least", -20)))
    target = {**numbers, "physical": 4, "stun": 2, "armor": []}
    return Sample("damage-resistance", {"target": target, "damage": {"value": 6}})


_UNHURT = {"physical": 0, "stun": 0}
_ATTACKER = {"pool": 9, "strength": 4, "body": 4, "reaction": 4}
_BLASTS = ("grenade", "missile")
_SHOT_NOTHING = {"rounds_before": 0, "rounds_phase": 0}
_TARGET = {
    **dict.fromkeys(("body", "strength", "reaction", "intuition", "willpower"), 3),
    "pool": 6,
    **_UNHURT,
}
_STANDARD = (
    "9 dice and Strength 4 attack a target with 6 dice of defense and Body 3, without modifiers: at short range with "
    "the first of the weapon's firing modes, or hand to hand."
)


def _compared(weapon: PackEntry, armor: int, lookup: EntryLookup) -> Sample | None:
    """One attack of a trained combatant against rising armor; what strikes an area is aimed at a place, not at one."""
    attacks = ("ranged-attack", "melee-attack")
    if weapon.data.get("payload") in _BLASTS:
        return None
    attack = next((one for one in samples(weapon, lookup) if one.procedure in attacks), None)
    if attack is None:
        return None
    attacker = {**_ATTACKER, **(_SHOT_NOTHING if attack.procedure == "ranged-attack" else {})}
    aimed = {"attacker": attacker, "target": {**_TARGET, "armor_value": armor}}
    return Sample(attack.procedure, {**attack.situation, **aimed})


COMPARISON = Comparison(
    "Armor",
    range(0, 31, 3),
    _STANDARD,
    _compared,
    "hit",
    "damage",
    distances=(15, 40, 120, 300),
    worth=(
        Worth("damage", of=no_better),
        Worth("modes", more=True),
        Worth("features", more=True),
        Worth("magazine", more=True, missing=0),
        Worth("rc", more=True, missing=0),
    ),
)
