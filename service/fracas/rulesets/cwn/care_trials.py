"""How entries of the packs are put to use by checks, saves, healing, drugs and poison, to see that they work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.cwn.checks.saves import KINDS

_MEDIC = {"skills": {"heal": 2}, "dexterity": 12, "intelligence": 12, "foci": {"healer": 2}}
_BODY = {"hp": 6, "constitution": 12, "system_strain": 2, "permanent_strain": 1}
_REPAIR = {"means": "repair", "points": 3}
_DOSED = {**_BODY, "save": 12, "skills": {"heal": 0}}
_VICTIM = {"save": 15, "traumatic_before": True}


def combatant_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Saves, tries something, loses its nerve, falls and is poisoned, as far as the entry tells what that takes."""
    who = {"use": entry.id}
    if "save" in entry.data or "level" in entry.data:
        for kind in KINDS:
            yield Trial("saving-throw", {"saver": who, "save": {"kind": kind}})
        yield Trial("major-injury", {"victim": {**who, "traumatic_before": True}})
        yield Trial("poison", {"victim": who, "drug": {"damage": "1d6"}})
    if "skill_bonus" in entry.data or "skills" in entry.data:
        check = {"skills": ["notice"], "attributes": ["wisdom"], "difficulty": 8}
        yield Trial("skill-check", {"tester": who, "check": check})
    if "morale" in entry.data:
        yield Trial("morale", {"tester": who})
    if "hit_dice" in entry.data:
        yield Trial("hit-points", {"npc": who})
    if "skill_bonus" in entry.data or {"skills", "wisdom"} <= entry.data.keys():
        yield Trial("surprise-check", {"tester": who})
    if "charisma" in entry.data:
        yield Trial("reaction-roll", {"face": who})


def drug_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Is taken and wears off, harms, heals or stabilizes, whichever it is for."""
    if entry.data.get("poison"):
        for situation in ({"drug": entry.id}, {"drug": entry.id, "poison": {"works": True}}):
            yield Trial("poison", {"victim": {**_VICTIM, "hp": 6, "named": True}, **situation})
        return
    for over in (False, True):
        yield Trial("take-drug", {"giver": _DOSED, "drug": {"use": entry.id, "worn_off": over}})
    aid = {"lurch": {"means": "lurch"}, "panacea": {"panacea": True, "medkit": True}}.get(entry.slug)
    if aid is not None:
        yield Trial("first-aid", {"healer": _MEDIC, "patient": _BODY, "aid": aid})
    if entry.slug == "trauma-patch":
        patched: dict[str, Any] = {"healer": _MEDIC, "patient": {"rounds_down": 1}}
        yield Trial("stabilize", {**patched, "stabilizing": {"means": entry.slug}})


def augmentation_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Is in a body that falls."""
    implanted = {"augmentations": [entry.id]}
    yield Trial("major-injury", {"victim": {**_VICTIM, **implanted}})
    if entry.slug == "skull-citadel":
        yield Trial("revival", {"owner": {**implanted, "strength": 12}})
    if entry.slug == "full-body-conversion":
        yield Trial("first-aid", {"healer": {}, "patient": {**_BODY, **implanted}, "aid": {**_REPAIR}})
