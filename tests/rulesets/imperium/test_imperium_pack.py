"""What belongs together in the entries of the pack, beyond what the schema asks for."""

from __future__ import annotations

import re

import pytest
from imperium_table import data, entries, game, parse, rows

from fracas.kernel.economy import Payment, afford
from fracas.kernel.vocabulary import Vocabulary
from fracas.rulesets.imperium import RULESET, vocabulary
from fracas.rulesets.imperium.attacks.vocabulary import CLOSE_COMBAT, SHOOTING

DICE = re.compile(r"[1-9]\d*d(3|6|10)([+-]\d+)?")


def test_a_trait_grants_what_the_vocabulary_knows() -> None:
    assert {word for trait in entries("trait") for word in trait.data["grants"]} == {*vocabulary.GRANTS}


@pytest.mark.parametrize("words", [SHOOTING, CLOSE_COMBAT], ids=["shooting", "close"])
def test_derived_fields_name_a_field_that_can_be_said(words: Vocabulary) -> None:
    for field in words.fields.values():
        if field.derived_from is not None:
            assert words.fields[field.derived_from].derived_from is None, field.path


# --- Actions and conditions -----------------------------------------------------------------------------------


def test_actions_of_a_pair_are_actions_of_the_pack() -> None:
    assert set(vocabulary.ACTIONS) <= {action.slug for action in entries("action")}


def test_action_can_be_paid() -> None:
    for action in entries("action"):
        economy = game().economy
        assert economy, action.slug
        cost = action.data.get("cost", economy.types.get(action.data.get("type", "")))
        assert cost is not None, action.slug
        if "type" in action.data:
            assert isinstance(afford(economy.full(), economy.types[action.data["type"]]), Payment), (
                action.slug
            )


def test_condition_sets_fields_of_a_combatant() -> None:
    for condition in entries("condition"):
        for name, value in condition.data.get("sets", {}).items():
            facts = [
                parse(id, {who: {name: value}})
                for id, procedure in RULESET.procedures.items()
                for who, record in procedure.vocabulary.records.items()
                if record.entry_kind == "combatant" and f"{who}.{name}" in procedure.vocabulary.fields
            ]
            assert facts, condition.slug
            assert all([*fact.values()] == [value] for fact in facts), condition.slug


@pytest.mark.parametrize("level", ["heavy", "serious", "acute"])
def test_injured_legs_leave_the_movement_of_the_table(level: str) -> None:
    fastest = rows("injury-effects")[f"leg-{level}"]["fastest"]
    rank = {name: row["rank"] for name, row in rows("movement").items() if row["rank"]}
    forbidden = set(data("condition", f"leg-{level}")["forbids"])
    wanted = {name for name in rank if rank[name] > rank[fastest] or (level == "acute" and name != "crawl")}
    assert forbidden & set(rank) == wanted


# --- What belongs together --------------------------------------------------------------------------------------


def test_weapon_is_whole() -> None:
    for weapon in entries("weapon"):
        said = weapon.data
        assert DICE.fullmatch(said.get("damage", "")) or {"stuns", "poison", "leaves"} & said.keys(), (
            weapon.slug
        )
        assert ("parry_penalty" in said) == bool(said.get("may_parry")), weapon.slug
        assert ("semi-auto" in said.get("modes", ())) == ("semi_least" in said), weapon.slug
        assert (said["type"] == "close") == ("ws_modifier" in said) == ("modes" not in said), weapon.slug
        if said["type"] != "close":
            assert ("reload" in said) != ("one_shot" in said), weapon.slug
            assert weapon.meta["provenance"] == "default", weapon.slug


def test_armor_is_a_piece_in_a_material() -> None:
    for armor in entries("armor"):
        if "material" not in armor.data:
            continue
        said = armor.data
        piece = rows("armor-pieces")[said["piece"]]
        whole = set(piece["locations"].split())
        if armor.slug == "mesh-hooded-bodysuit":
            assert piece["hood"], armor.slug
            whole.add("head")
        if "right-" in armor.slug or "left-" in armor.slug:
            assert piece["single"], armor.slug
            whole = {place for place in whole if place.split("-")[0] in armor.slug}
        assert set(said["locations"]) == whole, armor.slug
        assert said["value"] == rows("armor-materials")[said["material"]]["value"], armor.slug
        assert said.get("limited", False) is (said["piece"] == "vest"), armor.slug
        assert (armor.meta["provenance"], armor.meta["confidence"]) == ("default", "L"), armor.slug


def test_hit_locations_cover_every_roll_once() -> None:
    bands = rows("hit-location")
    assert tuple(bands) == vocabulary.LOCATIONS
    rolls = [roll for band in bands.values() for roll in range(band["from"], band["to"] + 1)]
    assert rolls == list(range(1, 101))
    torso = [
        roll for band in rows("torso-locations").values() for roll in range(band["from"], band["to"] + 1)
    ]
    assert torso == list(range(bands["body"]["from"], bands["body"]["to"] + 1))


def test_combatant_can_fight_with_what_they_carry() -> None:
    for combatant in entries("combatant"):
        said = combatant.data
        granted = {word for ability in said["traits"] for word in data("trait", ability)["grants"]}
        assert said["weapons"] or "hull" in said, combatant.slug
        for name in said["weapons"]:
            weapon = data("weapon", name)
            assert set(weapon.get("requires", ())) <= granted, combatant.slug
            assert weapon["type"] == "heavy" or weapon.get("encumbrance", 0) <= said["strength"], (
                combatant.slug
            )
        assert (said["injury_total"], said["injuries"], said["bleeding"]) == (0, {}, {}), combatant.slug


def test_there_is_somebody_of_each_sort_to_fight_with() -> None:
    assert len(entries("combatant")) >= 6
    weapons = {name for combatant in entries("combatant") for name in combatant.data["weapons"]}
    assert {data("weapon", name)["type"] for name in weapons} == {*vocabulary.TYPES}
