"""How entries of the packs are put to use by tests, injuries and their care, to see that they work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fracas.kernel.ruleset import Trial
from fracas.kernel.vocabulary import Catalog, PackEntry
from fracas.rulesets.imperium.checks.characteristic_test import KINDS, SUBORDINATION
from fracas.rulesets.imperium.vocabulary import CHARACTERISTICS

_INJURED = {"injuries": {"left-leg": 3}}
_BLEEDING = {"bleeding": {"left-leg": 2}}
_BLEEDS = {"injury_total": 30, **_INJURED, **_BLEEDING}
_MANY = dict.fromkeys(CHARACTERISTICS, 50)


def combatant_care_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Tests everything, suffers from injuries, is treated, treats, and is cold, as far as the entry reports."""
    who = {"use": entry.id}
    for name in CHARACTERISTICS:
        if name in entry.data:
            yield Trial("characteristic-test", {"tester": who, "test": {"characteristic": name}})
    if "initiative" in entry.data:
        yield Trial("initiative", {"roller": {**who, "surprised": True}})
    if "toughness" in entry.data:
        hurt = {**who, **_BLEEDS}
        yield Trial("injury", {"victim": who, "injury": {"damage": 12}})
        yield Trial("bleeding", {"victim": hurt})
        yield Trial("consciousness", {"victim": hurt})
        yield Trial("recovery", {"patient": {**who, **_INJURED}})
        yield Trial("staunch-bleeding", {"healer": who, "patient": _BLEEDING})
        yield Trial("cold", {"victim": who, "cold": {"missing": ["fire"]}})
    if "sagacity" in entry.data:
        healing = {"equipment": True, "gm_allows": True}
        yield Trial("heal-injury", {"healer": who, "patient": _INJURED, "healing": healing})


def trait_care_trials(entry: PackEntry, catalog: Catalog) -> Iterator[Trial]:
    """Belongs to a combatant who tests, swims, leaps, heals, recovers and uses a power."""
    able: dict[str, Any] = {**_MANY, "traits": [entry.id]}
    for kind in KINDS:
        if kind != SUBORDINATION:  # under an option only
            yield Trial("characteristic-test", {"tester": able, "test": {"kind": kind}})
    healing = {"equipment": False, "gm_allows": True}
    healer = {"sagacity": 50, "traits": [entry.id]}
    yield Trial("heal-injury", {"healer": healer, "patient": _INJURED, "healing": healing})
    yield Trial("recovery", {"patient": {"toughness": 50, "traits": [entry.id], **_INJURED}})
    if "psychic-powers" in entry.data.get("grants", ()):
        psyker = {"willpower": 50, "traits": [entry.id], "concentrated": True}
        yield Trial("use-psychic-power", {"psyker": psyker, "power": {"difficulty": 10}})
