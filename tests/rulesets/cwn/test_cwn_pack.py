"""The pack and the attack's vocabulary: what one names, the other knows."""

from __future__ import annotations

from typing import Any

import pytest
from cwn_table import facts_of, play, prepare, shelf

from fracas.rulesets.cwn import vocabulary

SHOOTER = {"base_attack_bonus": 3, "attribute_modifier": 1, "skill_level": 1}
PERSON = {"ranged_ac": 12, "melee_ac": 12, "trauma_target": 6, "soak": 0, "hp": 40, "human_sized": True}


def said(kind: str, field: str) -> list[Any]:
    return [entry.data[field] for entry in shelf().entries(kind) if field in entry.data]


def sources_of_trauma() -> set[str]:
    single = [*said("augmentation", "trauma_source"), *said("mod", "trauma_source")]
    return {*single, *(word for words in said("trait", "trauma_sources") for word in words)}


def test_every_word_of_the_vocabulary_is_an_entry() -> None:
    assert {*said("mod", "word"), *said("augmentation", "weapon_mod")} == set(vocabulary.MODS)
    assert set(said("trait", "focus")) == set(vocabulary.FOCI)
    assert set(said("augmentation", "aims")) == set(vocabulary.CYBERWARE)
    assert set(said("drug", "word")) == set(vocabulary.DRUGS)
    assert sources_of_trauma() == set(vocabulary.TRAUMA_SOURCES)


def test_modifiers_of_gear_read_its_word() -> None:
    """A modifier that a mod, implant, drug or trait names asks for that thing's word."""
    modifiers = {entry.slug: str(entry.data["when"]) for entry in shelf().entries("modifier")}
    for kind, field in (("mod", "word"), ("augmentation", "trauma_source"), ("drug", "word")):
        for entry in shelf().entries(kind):
            # A Gunlink on board counts as one that is worn: the ruleset derives it from the mod.
            if field not in entry.data or entry.slug == "onboard-gunlink":
                continue
            for slug in entry.data.get("modifiers", ()):
                if slug != "shock-shield":
                    assert entry.data[field] in modifiers[slug], (entry.id, slug)


@pytest.mark.parametrize("mod", vocabulary.MODS)
def test_every_mod_fits_into_a_request(mod: str) -> None:
    weapon = {"use": "heavy-pistol", "mods": [mod]}
    attacker = SHOOTER | {"cyberware": ["cranial-jack"]}
    assert prepare({"attacker": attacker, "target": PERSON, "weapon": weapon, "distance": 5}).stage


@pytest.mark.parametrize(
    ("weapon", "damage", "trauma", "rating"),
    [
        ("anti-materiel-rifle", [2, 2, 2], 12, 3),
        ("heavy-machine-gun", [2, 2, 2], 12, 3),
        ("drone-cannon", [2, 2], 10, 3),
        ("mounted-autogun", [2, 2, 2], 12, 2),
    ],
)
def test_guns_that_wreck_machines(weapon: str, damage: list[int], trauma: int, rating: int) -> None:
    drone = shelf().entry("vehicle", "pitbull")
    assert drone is not None
    ac = drone.data["ac"]
    target = {"ranged_ac": ac, "melee_ac": ac, "trauma_target": drone.data["trauma_target"], "soak": 0}
    situation = {
        "attacker": SHOOTER,
        "target": target | {"hp": drone.data["hp"], "machine": True},
        "weapon": weapon,
        "attack": {"rested": True},
        "distance": 50,
    }
    facts = facts_of(play(situation, [[10], damage, [trauma]]))
    assert facts["traumatic"]
    assert facts["damage"] == (sum(damage) + 1) * rating


def test_a_rocket_flies_wide_of_people() -> None:
    situation = {"attacker": SHOOTER, "target": PERSON, "weapon": "rocket-launcher", "distance": 50}
    assert facts_of(play(situation, [[10]]))["attack_total"] == 10 + 5 - 4
    machine = PERSON | {"human_sized": False}
    assert facts_of(play(situation | {"target": machine}, [[2]]))["attack_total"] == 2 + 5


def test_weapons_with_a_blast_are_aimed_at_a_point_or_hit_somebody() -> None:
    for entry in shelf().entries("weapon"):
        blast = entry.data.get("blast", {})
        if "aim_ac" in blast:
            assert entry.data["area"], entry.id
        if entry.data["area"]:
            refused = prepare({"attacker": "wren", "target": "swat", "weapon": entry.slug, "distance": 5})
            assert "area_weapon" in {refusal.code for refusal in refused.refusals}, entry.id
