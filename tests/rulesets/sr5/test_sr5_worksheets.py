"""The packs of Shadowrun 5 held against the words of its procedures."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from sr5_table import CORE, GAMES, HOUSE, MELEE, RANGED, entry

from fracas.engine.game import Game, compile_modifier
from fracas.errors import InputError
from fracas.kernel.predicates import Compiler
from fracas.kernel.ruleset import Procedure
from fracas.kernel.values import compile_value
from fracas.kernel.vocabulary import Field
from fracas.packs.entries import Entry
from fracas.packs.schemas import schema
from fracas.rulesets.sr5 import RULESET

SHEETS = pytest.mark.parametrize("sheet", [pytest.param(sheet, id=sheet.id) for sheet in (RANGED, MELEE)])
BOTH = pytest.mark.parametrize("game", [pytest.param(game, id=name) for name, game in GAMES.items()])


def used(kind: str, game: Game = HOUSE) -> list[Entry]:
    return game.packs.entries(kind)


# --- Entries are read ---------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("kind", ["weapon", "armor", "ammunition", "combatant"])
def test_every_entry_is_put_to_use(kind: str, game: Game) -> None:
    for one in used(kind, game):
        samples = RULESET.samples(one, game.packs)
        assert samples, one.id
        for sample in samples:
            RULESET.procedures[sample.procedure].vocabulary.parse(sample.situation, game.packs)


def test_other_kinds_need_no_trial() -> None:
    for kind in ("range", "table", "action", "mod"):
        assert not any(RULESET.samples(one, HOUSE.packs) for one in used(kind))


def test_a_weapon_is_read_with_its_numbers() -> None:
    said = RANGED.vocabulary.parse({"weapon": "ak-97", "load": "apds", "attacker": "kestrel"}, HOUSE.packs)
    assert said.facts["weapon.dv"] == 10
    assert said.facts["weapon.accuracy"] == 5
    assert said.facts["weapon.modes"] == ("SA", "BF", "FA")
    assert said.facts["weapon.range"].slug == "assault-rifles"
    assert said.facts["load.ap"] == -4
    assert said.facts["load.type"] == "apds"
    assert said.facts["attacker.skills"]["automatics"] == 6
    assert [piece.slug for piece in said.facts["attacker.armor"]] == ["armor-jacket", "helmet"]
    assert said.used == {
        "weapon": "sr5-core:weapon/ak-97",
        "load": "sr5-core:ammunition/apds",
        "attacker": "sr5-core:combatant/kestrel",
    }


def test_a_request_replaces_what_an_entry_says() -> None:
    said = MELEE.vocabulary.parse({"weapon": {"use": "katana", "reach": 2}}, HOUSE.packs)
    assert said.facts["weapon.reach"] == 2
    assert said.facts["weapon.dv"] == 3


def test_thrown_grenades_bring_their_load() -> None:
    for one in used("weapon"):
        if one.data["category"] == "grenade":
            said = RANGED.vocabulary.parse({"weapon": one.slug}, HOUSE.packs)
            assert said.facts["weapon.ammunition"].slug == one.slug
            assert said.facts["weapon.ammunition"].data["type"] == "grenade"


@pytest.mark.parametrize(
    ("situation", "code"),
    [
        ({"weapon": "ak-98"}, "unknown-entry"),
        ({"weapon": {"dv": -1}}, "out-of-range"),
        ({"load": {"type": "apdz"}}, "unknown-choice"),
        ({"target": {"cover": True}}, "unknown-choice"),
        ({"attacker": {"charging": True}}, "unknown-field"),
        ({"attacker": {"wound_modifier": -1}}, "unknown-field"),
        ({"fire": {"mode": "BF"}}, "unknown-choice"),
    ],
)
def test_what_is_wrong_is_told(situation: Any, code: str) -> None:
    with pytest.raises(InputError) as caught:
        RANGED.vocabulary.parse(situation, HOUSE.packs)
    assert [problem.code for problem in caught.value.problems] == [code]


def test_derived_fields_name_what_can_be_said() -> None:
    for sheet in (RANGED, MELEE):
        said = {field.path for field in sheet.vocabulary.fields.values() if field.derived_from is None}
        for field in sheet.vocabulary.fields.values():
            assert field.derived_from is None or field.derived_from in said, field.path


# --- Modifiers compile --------------------------------------------------------------------------------------


def options_of(game: Game) -> list[dict[str, Any]]:
    """Every combination of the options that modifiers read, the others at their defaults."""
    read = {
        name: rule.choices
        for name, rule in game.house_rules.items()
        if any(f"option.{name}" in repr(one.data) for one in used("modifier", game))
    }
    return [game.options(dict(zip(read, values, strict=True))) for values in product(*read.values())]


@BOTH
@SHEETS
def test_every_modifier_compiles(sheet: Procedure, game: Game) -> None:
    vocabulary = game.vocabulary(sheet)
    for one, _ in game.modifiers(sheet):
        compiler = Compiler(vocabulary)
        compiler.predicate(one.data["when"], ("when",))
        compile_value(one.data.get("value", 0), compiler, ("value",))
        assert compiler.problems == [], one.id


@BOTH
@SHEETS
def test_modifiers_compile_under_every_option(sheet: Procedure, game: Game) -> None:
    for options in options_of(game):
        facts = {f"option.{name}": value for name, value in options.items()}
        for one, _ in game.modifiers(sheet):
            compiler = Compiler(game.vocabulary(sheet))
            compile_modifier(one, compiler, facts)
            assert compiler.problems == [], one.id


@BOTH
def test_every_modifier_belongs_to_a_procedure(game: Game) -> None:
    reached = {one.id for sheet in game.sheets() for one, _ in game.modifiers(sheet)}
    assert reached == {one.id for one in used("modifier", game)}


@BOTH
def test_suppressed_modifiers_apply_to_the_same_number(game: Game) -> None:
    for one in used("modifier", game):
        for slug in one.data.get("suppresses", ()):
            assert set(one.data["applies_to"]) == set(entry("modifier", slug, game).data["applies_to"]), slug


def test_the_layer_reads_its_options() -> None:
    assert len(options_of(CORE)) == 2
    assert len(options_of(HOUSE)) == 16


# --- Schemas ------------------------------------------------------------------------------------------------

PASSING = """name running prone in_melee in_moving_vehicle pool specialized split_dice off_hand called_shot
    called_initiative visibility_help light_help wind_help blind_fire around_corner imaging_from_cover in_cover
    suppressed take_aim aim_for aim_turns deployed rounds_before rounds_phase rounds_in_phase charging
    superior_position touch_only friends_in_melee
    unaware sprinting full_defense defenses_made strapped_in cover reach awaits_charge active_defense stabilized
    limit_bonus in_hand weapon sensor_attack lock_dice control evasive signature noise"""
BESIDE = """metatype essence magic awakened technomancer initiate_grade initiative_dice interface data_processing
    firewall attack device_rating drain_attribute bonus_physical bonus_matrix bonus_magic bonus_world
    augmentations powers weapons sleaze programs noise_reduction through_device running_silent resonance pilot
    handling speed maneuvering clearsight toxin_protection"""


@pytest.mark.parametrize(
    ("part", "records", "passing", "beside"),
    [
        ("weapon", ("weapon",), "name fired_this_turn", "availability cost"),
        ("ammunition", ("load",), "name", "availability cost"),
        ("combatant", ("attacker", "target"), PASSING, BESIDE),
    ],
)
def test_schema_and_vocabulary_say_the_same(
    part: str, records: tuple[str, ...], passing: str, beside: str
) -> None:
    properties = schema("sr5.schema.json")["$defs"][f"{part}-fields"]["properties"]
    declared: dict[str, list[Field]] = {}
    for sheet in (RANGED, MELEE):
        for field in sheet.vocabulary.fields.values():
            record, _, name = field.path.rpartition(".")
            if record in records and field.derived_from is None:
                declared.setdefault(name, []).append(field)
    assert set(properties) - set(beside.split()) == set(declared) - set(passing.split())
    assert set(beside.split()) <= set(properties)
    for name in set(declared) & set(properties):
        for field in declared[name]:
            found = {key: value for key, value in properties[name].items() if key in _COMPARED}
            assert found == _shape(field), field.path


_COMPARED = (
    "type",
    "enum",
    "minimum",
    "maximum",
    "items",
    "maxItems",
    "propertyNames",
    "additionalProperties",
)
_REFERENCE = {"$ref": "common.schema.json#/$defs/reference"}


def _shape(field: Field) -> dict[str, Any]:
    bounds = {"minimum": field.least, "maximum": field.most}
    shapes: dict[str, dict[str, Any]] = {
        "whole": {"type": "integer", **bounds},
        "number": {"type": "number", **bounds},
        "flag": {"type": "boolean"},
        "choice": {"enum": [*field.choices]},
        "words": {"type": "array", "items": {"enum": [*field.choices]}, "maxItems": 64},
        "ratings": {
            "type": "object",
            "propertyNames": {"enum": [*field.choices]},
            "additionalProperties": {"type": "integer", **bounds},
        },
        "entry": {},
        "entries": {"type": "array", "items": _REFERENCE, "maxItems": 64},
    }
    return shapes[field.type]


def test_accessories_are_mods_and_firing_modes_are_rows() -> None:
    """Words of the vocabulary that name entries or rows name all of them."""
    features = RANGED.vocabulary.fields["weapon.features"].choices
    assert {one.slug for one in used("mod") if one.data["for"] == "weapon"} == set(features)
    armor_mods = RANGED.vocabulary.fields["target.armor_mods"].choices
    protecting = {one.slug for one in used("mod") if "protects_against" in one.data}
    assert protecting == set(armor_mods)
    modes = RANGED.vocabulary.fields["fire.mode"].choices
    assert set(entry("table", "firing-modes").data["rows"]) == set(modes)
    vision = RANGED.vocabulary.fields["target.vision"].choices
    assert set(entry("table", "vision-enhancements").data["rows"]) == set(vision)
    for column in ("visibility", "light", "glare", "wind"):
        words = RANGED.vocabulary.fields[f"environment.{column}"].choices
        rows = entry("table", "environment").data["rows"].values()
        assert [row[column] for row in rows if column in row] == list(words)
