"""Vocabularies and schemas: an entry may say what a request may say, within the same bounds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest
from schema_files import FOLDER, At, followed

from fracas.engine.game import load_ruleset
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.rulesets.cwn.attacks.attack_vocabulary import ATTACK
from fracas.rulesets.imperium.attacks.vocabulary import CLOSE_COMBAT, SHOOTING
from fracas.rulesets.sr4.ranged.ranged_vocabulary import RANGED_ATTACK

sys.path.append(str(FOLDER.parent / "scripts"))

import pack_schemas

IMPERIUM = (SHOOTING, CLOSE_COMBAT)


class Mirror(NamedTuple):
    """A part of a schema that fills in records of vocabularies. It may have more fields than these.

    Attributes:
        passing: fields of the record that change from moment to moment, or that are a request's shorthand;
            an entry does not say them.
    """

    fields: At
    vocabularies: tuple[Vocabulary, ...]
    records: tuple[str, ...]
    passing: str


MIRRORS = {
    "sr4-weapon": Mirror(
        At("sr4.schema.json", "#/$defs/weapon-fields"), (RANGED_ATTACK,), ("weapon",), passing="name"
    ),
    "cwn-weapon": Mirror(
        At("cwn.schema.json", "#/$defs/weapon-fields"),
        (ATTACK,),
        ("weapon",),
        # An entry's own slug stands where the flag of a load of slugs would.
        passing="name slug ready thermal_charge_active machine_damage",
    ),
    "sr4-combatant": Mirror(
        At("sr4.schema.json", "#/$defs/combatant-fields"),
        (RANGED_ATTACK,),
        ("attacker", "target"),
        passing="""name running in_melee in_moving_vehicle pool specialized in_cover off_hand split_dice take_aim
        magnification targets_before rounds_before bursts_before deployed unaware full_defense defenses_made
        prone cover hidden burn_edge treated stabilized burning_dv acid_dv spell_armor combat_sense other_recoil
        spell_barrier physical_fresh stun_fresh allergic vulnerable
        hot_sim by_gunnery machine_boxes operator_wounds lock_dice inside_armor nauseated without_glitches""",
    ),
    "cwn-combatant": Mirror(
        At("cwn.schema.json", "#/$defs/combatant-fields"),
        (ATTACK,),
        ("attacker", "target"),
        passing="""name drugs prone flashbanged dazzled blinded attribute_modifier skill_level engaged
        main_spent in_moving_vehicle control_board total_defense can_total_defense charged cover visibility
        vehicle_state shock_proof soak_lost unsuspecting shock_fists iron_hand trajectory_node
        strength_change dexterity_change constitution_change intelligence_change wisdom_change charisma_change
        check_bonus circumstances
        out_of_field player traumatic_before injury_roll redundancy_broken durable mortally_wounded""",
    ),
    "imperium-weapon": Mirror(
        At("imperium.schema.json", "#/$defs/weapon-fields"),
        IMPERIUM,
        ("weapon",),
        passing="name fixed ready_round overheated",
    ),
    "imperium-armor": Mirror(
        At("imperium.schema.json", "#/$defs/armor-fields"), IMPERIUM, ("armor",), passing="name"
    ),
    "imperium-mod": Mirror(
        At("imperium.schema.json", "#/$defs/mod-fields"), IMPERIUM, ("accessory",), passing="name"
    ),
    "imperium-combatant": Mirror(
        At("imperium.schema.json", "#/$defs/combatant-fields"),
        IMPERIUM,
        ("attacker", "target"),
        passing="""name mounted prone stunned conscious aware pace cover aim behind_cover object hands_off dead
        suffering stunned_actions right_hand left_hand work_needed owed_actions braced
        burning holds ward pinned swerving steady numbed facing eyes_shut undaunted blast_distance""",
    ),
}
MIRRORED = pytest.mark.parametrize("mirror", [pytest.param(case, id=name) for name, case in MIRRORS.items()])


def sayable(mirror: Mirror) -> dict[str, list[Field]]:
    """The fields of the records by name; a field of both sides is there twice."""
    found: dict[str, list[Field]] = {}
    for field in (one for words in mirror.vocabularies for one in words.fields.values()):
        record, _, name = field.path.rpartition(".")
        if record in mirror.records and field.derived_from is None:
            found.setdefault(name, []).append(field)
    return found


@MIRRORED
def test_schema_has_the_fields_of_the_vocabulary(mirror: Mirror) -> None:
    properties, fields = set(mirror.fields.schema["properties"]), set(sayable(mirror))
    passing = set(mirror.passing.split())
    assert fields - passing <= properties
    assert not passing & properties
    assert passing <= fields


@MIRRORED
def test_bounds_and_words_are_those_of_the_vocabulary(mirror: Mirror) -> None:
    compared = 0
    for name, declared in sayable(mirror).items():
        if name in mirror.fields.schema["properties"]:
            allowed = shape(followed(mirror.fields.into("properties", name)))
            for field in declared:
                assert allows(allowed, shape_of(field)), f"{field.path}: {allowed}"
                compared += 1
    assert compared > 2


@pytest.mark.parametrize("ruleset", pack_schemas.RULESETS)
def test_the_schema_is_as_the_vocabularies_make_it(ruleset: str) -> None:
    """If not, `python scripts/pack_schemas.py` writes it anew."""
    stored = pack_schemas.path_of(ruleset).read_text("utf-8")
    assert stored == pack_schemas.written(pack_schemas.made(ruleset)) + "\n"


def _kept(names: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Each of these fields of entries (``kind.field``, by ruleset): as its schema has it, and as it is declared."""
    for ruleset, kept in names.items():
        fields = load_ruleset(ruleset).format.kinds
        defined = json.loads(pack_schemas.path_of(ruleset).read_text("utf-8"))["$defs"]
        for name in kept:
            kind, field = name.split(".")
            yield name, defined[f"{kind}-fields"]["properties"][field], fields[kind].fields[field]


def test_what_entries_may_not_have_is_less_than_requests_may_say() -> None:
    for name, said, declared in _kept(pack_schemas.OWN):
        if "items" in said:
            assert set(said["items"]["enum"]) < set(declared["items"]["enum"]), name
        else:
            fewest, most = said["minimum"], said["maximum"]
            assert declared["minimum"] <= fewest <= most <= declared["maximum"], name
            assert (fewest, most) != (declared["minimum"], declared["maximum"]), name


def shape(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a property allows, without what it says about it."""
    compared = (
        "type enum minimum maximum maxLength items maxItems propertyNames additionalProperties maxProperties"
    )
    return {name: schema[name] for name in compared.split() if name in schema}


def allows(said: Any, wanted: Any) -> bool:
    """Whether two shapes are the same, but that the schema may know more words."""
    if not isinstance(said, Mapping) or not isinstance(wanted, Mapping):
        return bool(said == wanted)
    return said.keys() == wanted.keys() and all(
        set(said[word]) >= set(wanted[word]) if word == "enum" else allows(said[word], wanted[word])
        for word in said
    )


def shape_of(field: Field) -> dict[str, Any]:
    bounds = {"minimum": field.least, "maximum": field.most}
    reference = {"$ref": "common.schema.json#/$defs/reference"}
    shapes: dict[str, dict[str, Any]] = {
        "whole": {"type": "integer", **bounds},
        "number": {"type": "number", **bounds},
        "flag": {"type": "boolean"},
        "choice": {"enum": [*field.choices]},
        "words": {"type": "array", "items": {"enum": [*field.choices]}, "maxItems": 64},
        "text": {"type": "string", "maxLength": field.most},
        "ratings": {
            "type": "object",
            **({"propertyNames": {"enum": [*field.choices]}} if field.choices else {}),
            "additionalProperties": {"type": "integer", **bounds},
            "maxProperties": 64,
        },
        "entry": {"type": "string"},
        "entries": {"type": "array", "items": reference, "maxItems": 64},
    }
    return shapes[field.type]


def test_labels_of_entries_differ_only_where_they_must() -> None:
    for name, said, declared in _kept(pack_schemas.LABELS):
        assert said["title"] != declared["title"], name
