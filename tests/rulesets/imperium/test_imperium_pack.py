"""The pack imperium-core: its entries are read, refer to what exists, and say the numbers of the rulebook."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from imperium_table import GAME, SHELF, data, entries, parse, rows

from fracas.kernel.economy import Payment, afford
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.entries import Entry
from fracas.packs.shipped import shipped
from fracas.rulesets.imperium import RULESET, vocabulary
from fracas.rulesets.imperium.attacks.attack_vocabulary import CLOSE_COMBAT, SHOOTING

DICE = re.compile(r"[1-9]\d*d(3|6|10)([+-]\d+)?")
PLAYED = ("weapon", "armor", "combatant", "mod", "trait")
BESIDE = {
    "weapon": set(),
    "armor": set(),
    "combatant": {"weapons"},
    "mod": {"silencer", "ammunition", "heard_on_matched_failure", "as_weapon"},
    "trait": {"grants"},
}
"""Fields that no procedure reads from the entry itself: what it refers to, or what it says of others."""


def slug(value: Any) -> str:
    return value.slug if isinstance(value, Entry) else str(value)


def everything(*kinds: str) -> list[Entry]:
    return [entry for kind in kinds for entry in entries(kind)]


def read_by(entry: Entry) -> dict[str, Any]:
    """What the trials of an entry read from it, by the name of the field."""
    found: dict[str, Any] = {}
    for trial in RULESET.trials(entry, SHELF):
        words = RULESET.procedures[trial.procedure].vocabulary
        said = words.parse(trial.situation, SHELF)
        for record in said.used:
            given = trial.situation[record]
            told = set(given) if isinstance(given, dict) else set()
            for path, value in said.facts.items():
                if path.rpartition(".")[0] == record and path.rpartition(".")[2] not in told:
                    found[path.rpartition(".")[2]] = value
    return found


# --- Every entry is put to use ------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", everything(*PLAYED), ids=slug)
def test_entry_is_read_by_a_procedure(entry: Entry) -> None:
    trials = RULESET.trials(entry, SHELF)
    assert trials
    for trial in trials:
        RULESET.procedures[trial.procedure].vocabulary.parse(trial.situation, SHELF)


@pytest.mark.parametrize("entry", everything("weapon", "armor", "combatant"), ids=slug)
def test_no_field_of_an_entry_is_passed_over(entry: Entry) -> None:
    read = read_by(entry)
    assert set(entry.data) - BESIDE[entry.kind] <= set(read)
    for name, value in entry.data.items():
        if isinstance(value, (int, float, str)) and name != "mundane_weapon":
            assert read[name] == value


def test_a_kind_that_nothing_reads_has_no_trials() -> None:
    assert not RULESET.trials(entries("table")[0], SHELF)


def test_entries_are_read_in_every_part_they_play() -> None:
    def parts(kind: str, name: str) -> set[str]:
        entry = SHELF.entry(kind, name)
        assert entry
        return {trial.procedure for trial in RULESET.trials(entry, SHELF)}

    assert parts("weapon", "sword") == {"close-combat"}
    assert parts("weapon", "bolt-pistol") == {"shooting", "close-combat"}
    assert parts("weapon", "frag-grenade") == {"shooting"}
    assert parts("armor", "flak-vest") == {"shooting", "close-combat"}
    assert parts("combatant", "agent") > {"shooting", "close-combat", "staunch-bleeding"}
    assert parts("mod", "bayonet") == {"shooting", "close-combat"}


# --- The vocabulary and the schema say the same -------------------------------------------------------------

SCHEMA = json.loads((shipped("schemas") / "imperium.schema.json").read_text("utf-8"))["$defs"]
PASSING = {
    "weapon": {"name", "fixed"},
    "armor": {"name"},
    "combatant": {"name", "mounted", "prone", "stunned", "conscious", "aware", "pace", "cover", "aim"}
    | {
        "behind_cover",
        "object",
        "hands_off",
        "dead",
        "suffering",
        "stunned_actions",
        "right_hand",
        "left_hand",
    },
    "mod": {"name"},
}
RECORDS = {
    "weapon": ["weapon"],
    "armor": ["armor"],
    "combatant": ["attacker", "target"],
    "mod": ["accessory"],
}


def sayable(kind: str) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for words in (SHOOTING, CLOSE_COMBAT):
        for field in words.fields.values():
            record, _, name = field.path.rpartition(".")
            if record in RECORDS[kind] and field.derived_from is None:
                found.setdefault(name, []).append(field)
    return found


@pytest.mark.parametrize("kind", RECORDS)
def test_schema_has_the_fields_of_the_vocabulary(kind: str) -> None:
    properties = set(SCHEMA[f"{kind}-fields"]["properties"])
    assert properties - BESIDE[kind] == set(sayable(kind)) - PASSING[kind]


@pytest.mark.parametrize("kind", RECORDS)
def test_schema_has_the_bounds_and_words_of_the_vocabulary(kind: str) -> None:
    for name, shape in SCHEMA[f"{kind}-fields"]["properties"].items():
        for field in sayable(kind).get(name, ()):
            assert bounds(shape) == bounds_of(field), field.path


def bounds(shape: dict[str, Any]) -> Any:
    if "items" in shape:
        shape = shape["items"]
    elif "additionalProperties" in shape:
        rating = shape["additionalProperties"]
        return (shape["propertyNames"]["enum"], rating["minimum"], rating["maximum"])
    if "$ref" in shape:
        return "reference"
    if "enum" in shape:
        return shape["enum"]
    if "maxLength" in shape:
        return shape["maxLength"]
    return (shape["type"], shape.get("minimum"), shape.get("maximum"))


def bounds_of(field: Field) -> Any:
    names = {"whole": "integer", "number": "number"}
    if field.type in names:
        return (names[field.type], field.least, field.most)
    if field.type == "ratings":
        return ([*field.choices], field.least, field.most)
    if field.type in ("choice", "words"):
        return [*field.choices]
    return {"flag": ("boolean", None, None), "text": field.most}.get(field.type, "reference")


def test_a_trait_grants_what_the_vocabulary_knows() -> None:
    grants = SCHEMA["trait-fields"]["properties"]["grants"]["items"]["enum"]
    assert grants == [*vocabulary.GRANTS]
    assert {word for trait in entries("trait") for word in trait.data["grants"]} == set(grants)


@pytest.mark.parametrize("words", [SHOOTING, CLOSE_COMBAT], ids=["shooting", "close"])
def test_derived_fields_name_a_field_that_can_be_said(words: Vocabulary) -> None:
    for field in words.fields.values():
        if field.derived_from is not None:
            assert words.fields[field.derived_from].derived_from is None, field.path


# --- References ---------------------------------------------------------------------------------------------

REFERENCES = [
    (entry.slug, kind, reference)
    for entry in everything("combatant", "weapon", "mod", "action", "condition")
    for name, kind in {
        "weapons": "weapon",
        "armor": "armor",
        "traits": "trait",
        "mundane_weapon": "weapon",
        "mods": "mod",
        "as_weapon": "weapon",
        "conditions": "condition",
        "forbids": "action",
    }.items()
    for reference in (
        [entry.data[name]] if isinstance(entry.data.get(name), str) else entry.data.get(name, ())
    )
]


@pytest.mark.parametrize(("who", "kind", "reference"), REFERENCES)
def test_reference_exists(who: str, kind: str, reference: str) -> None:
    assert SHELF.entry(kind, reference)


def test_every_entry_names_a_source_of_the_manifest() -> None:
    manifest = SHELF.packs[0].manifest.raw
    known = {source["id"] for source in manifest["sources"]}
    assert {entry.meta["source"]["ref"] for entry in SHELF.packs[0].entries} == known


# --- Actions and conditions -----------------------------------------------------------------------------------


def test_actions_of_a_pair_are_actions_of_the_pack() -> None:
    assert set(vocabulary.ACTIONS) <= {action.slug for action in entries("action")}


@pytest.mark.parametrize("action", entries("action"), ids=slug)
def test_action_can_be_paid(action: Entry) -> None:
    economy = GAME.economy
    assert economy
    cost = action.data.get("cost", economy.types.get(action.data.get("type", "")))
    assert cost is not None
    if "type" in action.data:
        assert isinstance(afford(economy.full(), economy.types[action.data["type"]]), Payment)


@pytest.mark.parametrize("condition", entries("condition"), ids=slug)
def test_condition_sets_fields_of_a_combatant(condition: Entry) -> None:
    for name, value in condition.data.get("sets", {}).items():
        facts = [
            parse(id, {who: {name: value}})
            for id, procedure in RULESET.procedures.items()
            for who, record in procedure.vocabulary.records.items()
            if record.entry_kind == "combatant" and f"{who}.{name}" in procedure.vocabulary.fields
        ]
        assert facts
        assert all([*fact.values()] == [value] for fact in facts)


@pytest.mark.parametrize("level", ["heavy", "serious", "acute"])
def test_injured_legs_leave_the_movement_of_the_table(level: str) -> None:
    fastest = rows("injury-effects")[f"leg-{level}"]["fastest"]
    rank = {name: row["rank"] for name, row in rows("movement").items() if row["rank"]}
    forbidden = set(data("condition", f"leg-{level}")["forbids"])
    wanted = {name for name in rank if rank[name] > rank[fastest] or (level == "acute" and name != "crawl")}
    assert forbidden & set(rank) == wanted


# --- What belongs together --------------------------------------------------------------------------------------


@pytest.mark.parametrize("weapon", entries("weapon"), ids=slug)
def test_weapon_is_whole(weapon: Entry) -> None:
    said = weapon.data
    assert DICE.fullmatch(said["damage"])
    assert ("parry_penalty" in said) == bool(said.get("may_parry"))
    assert ("semi-auto" in said.get("modes", ())) == ("semi_least" in said)
    assert (said["type"] == "close") == ("ws_modifier" in said) == ("modes" not in said)
    if said["type"] != "close":
        assert ("reload" in said) != ("one_shot" in said)
        assert weapon.meta["provenance"] == "default"


@pytest.mark.parametrize("armor", [one for one in entries("armor") if "material" in one.data], ids=slug)
def test_armor_is_a_piece_in_a_material(armor: Entry) -> None:
    said = armor.data
    piece = rows("armor-pieces")[said["piece"]]
    whole = set(piece["locations"].split())
    if armor.slug == "mesh-hooded-bodysuit":
        assert piece["hood"]
        whole.add("head")
    if "right-" in armor.slug or "left-" in armor.slug:
        assert piece["single"]
        whole = {place for place in whole if place.split("-")[0] in armor.slug}
    assert set(said["locations"]) == whole
    assert said["value"] == rows("armor-materials")[said["material"]]["value"]
    assert said.get("limited", False) is (said["piece"] == "vest")
    assert (armor.meta["provenance"], armor.meta["confidence"]) == ("default", "L")


def test_hit_locations_cover_every_roll_once() -> None:
    bands = rows("hit-location")
    assert tuple(bands) == vocabulary.LOCATIONS
    rolls = [roll for band in bands.values() for roll in range(band["from"], band["to"] + 1)]
    assert rolls == list(range(1, 101))
    torso = [
        roll for band in rows("torso-locations").values() for roll in range(band["from"], band["to"] + 1)
    ]
    assert torso == list(range(bands["body"]["from"], bands["body"]["to"] + 1))


@pytest.mark.parametrize("combatant", entries("combatant"), ids=slug)
def test_combatant_can_fight_with_what_they_carry(combatant: Entry) -> None:
    said = combatant.data
    granted = {word for ability in said["traits"] for word in data("trait", ability)["grants"]}
    assert said["weapons"]
    for name in said["weapons"]:
        weapon = data("weapon", name)
        assert set(weapon.get("requires", ())) <= granted
        assert weapon.get("encumbrance", 0) <= said["strength"]
    assert (said["injury_total"], said["injuries"], said["bleeding"]) == (0, {}, {})


def test_there_is_somebody_of_each_sort_to_fight_with() -> None:
    assert len(entries("combatant")) >= 6
    weapons = {name for combatant in entries("combatant") for name in combatant.data["weapons"]}
    assert {data("weapon", name)["type"] for name in weapons} == {"close", "pistol", "basic", "thrown"}
