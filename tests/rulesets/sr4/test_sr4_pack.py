"""What belongs together in the entries of the pack, beyond what the schema asks for."""

from __future__ import annotations

from typing import Any

import pytest
from sr4_table import GAME, entries, guns

from fracas.packs.entries import Entry
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK


def slug(value: Any) -> str:
    return value.slug if isinstance(value, Entry) else str(value)


def sayable(record: str) -> set[str]:
    """What the vocabulary lets one say of a record."""
    return {path.removeprefix(f"{record}.") for path in RANGED_ATTACK.fields if path.startswith(f"{record}.")}


@pytest.mark.each("weapon", guns, ids=slug)
def test_weapon_s_data(weapon: Entry) -> None:
    data = weapon.data
    assert set(data) - {"availability", "cost"} <= sayable("weapon")
    if data["category"] == "natural-ranged":  # as far as its owner sees, and of its owner's Magic
        assert data["dv_magic"] is True
        return
    assert GAME.packs.entry("range", data["range"])
    heavy = {"light-machine-gun", "medium-machine-gun", "heavy-machine-gun", "assault-cannon"}
    doubles = data["category"] in heavy or (data["category"] == "shotgun" and "BF" in data["modes"])
    assert data.get("recoil_factor", 1) == (2 if doubles else 1)
    assert data["rc_deployed"] >= data["rc"]
    assert data["rounds"] == data["magazine"] > 0
    assert (data["armor_kind"] == "impact") >= bool(data.get("flechette") or data.get("electric"))


@pytest.mark.parametrize("sort", ["grenade", "missile"])
def test_launchers_have_something_to_fire(sort: str) -> None:
    assert [weapon.slug for weapon in entries("weapon") if weapon.data.get("fires") == sort]
    warheads = [entry for entry in entries("ammunition") if entry.data.get("fits") == sort]
    assert warheads
    for warhead in warheads:
        data = warhead.data
        if "dv" in data:
            assert data["replaces"] is True
            # The radius of an explosion is where nothing is left of it.
            assert not data["blast_falloff"] or data["blast_radius"] == data["dv"] // data["blast_falloff"]
        else:
            assert data["delivers"]


@pytest.mark.each("combatant", lambda: entries("combatant"), ids=slug)
def test_combatant_s_data(combatant: Entry) -> None:
    counted = {"augmentations": "augmentation", "traits": "trait", "powers": "power"}
    beside = {"passes", "weapons", "unarmed_dv", "unarmed_physical", "toxin_dice", "tradition", *counted}
    beside |= {"walk", "run", "engulfs", "world", "speed", "vehicle_response", "initiative"}
    icon = {
        path.removeprefix("attacker.") for path in GAME.ruleset.procedures["matrix-attack"].vocabulary.fields
    }
    assert set(combatant.data) - beside <= sayable("attacker") | sayable("target") | icon
    assert combatant.data.get("edge_points") == combatant.data.get("edge")
    for field, kind in {**counted, "weapons": "weapon"}.items():
        for reference in combatant.data.get(field, ()):
            assert GAME.packs.entry(kind, reference), reference


@pytest.mark.each(
    "combatant", lambda: [one for one in entries("combatant") if "metatype" in one.data], ids=slug
)
def test_combatant_is_within_the_limits_of_the_metatype(combatant: Entry) -> None:
    if combatant.data.get("agent"):  # a program has none
        return
    metatype = GAME.packs.entry("metatype", combatant.data["metatype"])
    assert metatype
    for name, most in metatype.data["maximum"].items():
        assert 1 <= combatant.data[name] <= most * 3 // 2, name
    assert set(metatype.data["senses"]) <= set(combatant.data["senses"])


def test_every_armor_field_is_known() -> None:
    for piece in entries("armor"):
        assert set(piece.data) - {"availability", "cost"} <= {"ballistic", "impact", "stacks"}, piece.id


def test_who_is_down_takes_no_action() -> None:
    """Score 0 is not among them: who has no action left may still go on full defense (rulebook 4.3)."""
    down = {entry.slug for entry in entries("condition") if entry.data.get("incapacitates")}
    beings = {"disrupted", "phase-lost", "sick", "paralyzed", "petrified", "crashed"}
    beings |= {"turned-to-stone", "turned-to-goo"}
    hurt = {"unconscious", "dying", "stabilized", "dead", "incapacitated", "wrecked", "banished"}
    assert down == hurt | beings
