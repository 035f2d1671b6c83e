"""The sheet mappings of the Foundry module: they fit their schema, and name only what the rulesets know."""

from __future__ import annotations

import copy
import importlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator
from sheet_mappings import sheet_mappings
from system_facts import Facts, facts

from fracas.engine.opening import open_games
from fracas.exports.foundry.mappings import ANY, for_any_system
from fracas.kernel.ruleset import Ruleset
from fracas.kernel.vocabulary import Field
from fracas.packs.shipped import shipped

SCHEMA = json.loads((shipped("schemas") / "foundry/sheet-mapping.schema.json").read_text("utf-8"))
CHECK = Draft202012Validator(SCHEMA)
TYPES_OF_FOUNDRY = Path(__file__).resolve().parents[1] / "js/node_modules/fvtt-types/src"
PICTURES = (TYPES_OF_FOUNDRY / "foundry/client/config.d.mts").read_text("utf-8")
"""Where Foundry's own pictures are named."""
RULESETS = ("cwn", "imperium", "sr4", "sr5")
MADE_FOR = ["dark-heresy", "shadowrun4e", "shadowrun5e", "swnr"]
"""Mappings of a certain game system."""
NAMES = sorted([*MADE_FOR, "generic", *(f"any-{id}" for id in RULESETS)])


def mapping(name: str) -> Any:
    return sheet_mappings()[name]


@cache
def ruleset(id: str) -> Ruleset:
    found: Ruleset = importlib.import_module(f"fracas.rulesets.{id}").RULESET
    return found


@cache
def fields(id: str, kind: str) -> Mapping[str, tuple[Field, ...]]:
    """What requests of a ruleset may say of a combatant or a weapon, by name; a name may mean several fields."""
    found: dict[str, tuple[Field, ...]] = {}
    for sheet in (*ruleset(id).procedures.values(), *ruleset(id).field_sets.values()):
        records = {path for path, record in sheet.vocabulary.records.items() if record.entry_kind == kind}
        for path, field in sheet.vocabulary.fields.items():
            record, _, name = path.rpartition(".")
            if record in records and field.derived_from is None:
                found[name] = (*found.get(name, ()), field)
    return found


@cache
def slugs(id: str, kind: str) -> frozenset[str]:
    """The entries of a kind that the built-in packs have for a ruleset."""
    packs = open_games(()).library.packs.values()
    entries = (entry for pack in packs if pack.manifest.ruleset == id for entry in pack.entries)
    return frozenset(entry.slug for entry in entries if entry.kind == kind)


def rulesets_of(name: str) -> tuple[str, ...]:
    return RULESETS if mapping(name)["ruleset"] == "*" else (mapping(name)["ruleset"],)


def systems_of(name: str) -> list[str]:
    """The game systems that a mapping is for."""
    own = [one for one in MADE_FOR if mapping(one)["ruleset"] in rulesets_of(name)]
    return own if mapping(name)["system"] == ANY else [name]


def sources(name: str) -> Iterator[tuple[str, str, str, Any]]:
    """Every field of a mapping: the kind of record, where it stands, its name, and its source."""
    for part, kind in (("combatants", "combatant"), ("weapons", "weapon")):
        for at, sheet in enumerate(mapping(name)[part]):
            for field, source in sheet["fields"].items():
                full = source if isinstance(source, dict) else {"from": source}
                yield kind, f"{name} {part}[{at}].{field}", field, full


def test_there_is_one_for_each_system_and_one_for_any() -> None:
    assert sorted(sheet_mappings()) == NAMES
    assert [name for name in NAMES if mapping(name)["system"] != ANY] == MADE_FOR
    assert [mapping(name)["id"] for name in NAMES] == NAMES
    assert {mapping(name)["ruleset"] for name in NAMES} == {*RULESETS, "*"}


@pytest.mark.parametrize("name", NAMES)
def test_fits_the_schema(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert [error.message for error in CHECK.iter_errors(mapping(name))] == []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda one: one.pop("system"), "required"),
        (lambda one: one.update(sistem="x"), "additionalProperties"),
        (lambda one: one["combatants"][0]["fields"].update({"Body": "system.x"}), "pattern"),
        (lambda one: one["combatants"][0]["fields"].update(body="data.body"), "oneOf"),
        (lambda one: one["combatants"][0]["fields"].update(body={"as": "whole"}), "oneOf"),
        (lambda one: one["combatants"][0]["fields"].update(body={"from": "name", "value": 3}), "oneOf"),
        (lambda one: one["tracks"].update(hp={"field": "hp", "mark": 0}), "enum"),
        (lambda one: one["weapons"].clear(), "minItems"),
    ],
)
def test_the_schema_refuses(spoil: Any, told: str) -> None:
    spoilt = copy.deepcopy(mapping("swnr"))
    spoil(spoilt)
    assert told in {str(error.validator) for error in CHECK.iter_errors(spoilt)}


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_one_that_requests_may_say(name: str) -> None:
    wrong = [
        f"{where}: {id} has no such field"
        for kind, where, field, _ in sources(name)
        for id in rulesets_of(name)
        if field not in fields(id, kind)
    ]
    wrong += [
        f"absent {field}"
        for part, kind in (("combatants", "combatant"), ("weapons", "weapon"))
        for sheet in mapping(name)[part]
        for field in sheet.get("absent", {})
        for id in rulesets_of(name)
        if field not in fields(id, kind) or field in sheet["fields"]
    ]
    for kind in ("combatant", "weapon"):
        for field in mapping(name).get("asks", {}).get(kind, ()):
            (id,) = rulesets_of(name)
            texts = mapping(name)["asks"].get("texts", ())
            types = {one.type for one in fields(id, kind).get(field, ())}
            if not types or not types <= ({"text"} if field in texts else {"whole", "number"}):
                wrong.append(f"asks {kind} {field}: {types}")
    assert wrong == []


@pytest.mark.parametrize("id", RULESETS)
def test_a_ruleset_without_a_mapping_for_any_system_has_one_of_its_words(id: str) -> None:
    """What packs choose by hand is among what follows from the vocabularies."""
    made, given = for_any_system(ruleset(id)), mapping(f"any-{id}")
    assert [error.message for error in CHECK.iter_errors(made)] == []
    assert set(given["asks"]["weapon"]) <= set(made["asks"]["weapon"])
    assert {what: made["tracks"][what] for what in given["tracks"]} == given["tracks"]
    assert set(made["fleeting"]) == set(given.get("fleeting", ()))


TYPES = {
    "whole": {"whole"},
    "number": {"number", "whole"},
    "flag": {"flag"},
    "text": {"text"},
    "word": {"choice", "entry"},
    "words": {"words"},
}
"""The types of fields that a source of each kind may fill in."""


@pytest.mark.parametrize("name", NAMES)
def test_every_source_gives_what_its_field_takes(name: str) -> None:
    wrong = []
    for kind, where, field, source in sources(name):
        for id in rulesets_of(name):
            for one in fields(id, kind)[field]:
                wrong += [f"{where}: {fault}" for fault in faults(source, one, id)]
    assert wrong == []


def faults(source: Mapping[str, Any], field: Field, id: str) -> Iterator[str]:
    """What a source gives that its field does not take."""
    if "ratings" in source:
        if field.type != "ratings":
            yield f"ratings for {field.path}, which takes {field.type}"
        unknown = set(source["ratings"]["words"].values()) - set(field.choices)
        if field.choices and unknown:
            yield f"{field.path} knows no {sorted(unknown)}"
        return
    if "entries" in source:
        if (field.type, field.entry_kind) != ("entries", source["entries"]["kind"]):
            yield f"entries for {field.path}, which takes {field.type}"
        return
    if "value" in source:
        wanted = {"flag": bool, "whole": int, "text": str, "choice": str}[field.type]
        if type(source["value"]) is not wanted:
            yield f"{source['value']!r} for {field.path}, which takes {field.type}"
        return
    if field.type not in TYPES[source.get("as", "whole")]:
        yield f"{source.get('as', 'whole')} for {field.path}, which takes {field.type}"
    said = list(source.get("flags", {}))
    for word in source.get("words", {}).values():
        said += word if isinstance(word, list) else [word]
    known = slugs(id, field.entry_kind) if field.type == "entry" else set(field.choices)
    if field.type in ("choice", "words", "entry"):
        unknown = {word for word in said if word is not None} - known
        if unknown:
            yield f"{field.path} knows no {sorted(unknown)}"
    if field.type in ("flag", "whole") and source.get("words"):
        wanted = bool if field.type == "flag" else int
        if any(word is not None and type(word) is not wanted for word in said):
            yield f"{field.path} takes {field.type}, not {said}"


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_for_others_stands_below_them(name: str) -> None:
    for part in ("combatants", "weapons"):
        for sheet in mapping(name)[part]:
            fields = list(sheet["fields"])
            for at, source in enumerate(sheet["fields"].values()):
                if isinstance(source, dict) and "unless" in source:
                    assert source["unless"] in fields[:at], fields[at]


@pytest.mark.parametrize("name", NAMES)
def test_tracks_are_those_of_the_rules(name: str) -> None:
    """An effect on a track does to the sheet of Foundry what it does to the sheet of a fight."""
    given = mapping(name)["tracks"]
    rules = [ruleset(id).turns for id in rulesets_of(name)]
    known = {what: track for turns in rules if turns for what, track in turns.tracks.items()}
    if known:
        assert {what: (one["field"], one["mark"]) for what, one in given.items()} == {
            what: (known[what].field, known[what].mark) for what in given
        }
        assert not [what for what in given if known[what].flag or known[what].token]
        fleeting = {what for what, track in known.items() if track.fleeting}
        assert name == "generic" or set(mapping(name).get("fleeting", ())) == fleeting
    if mapping(name)["system"] == ANY:
        return
    places = {field for kind, _, field, source in sources(name) if {"write", "pool"} & set(source)}
    assert not [what for what, track in known.items() if track.field in places and what not in given]
    for what, one in given.items():
        written = [
            source for kind, _, field, source in sources(name) if (kind, field) == ("combatant", one["field"])
        ]
        assert any("pool" in source or "write" in source for source in written), what
        # Who cannot have it, such as a vehicle Stun, always has none of it.
        assert all({"pool", "write"} & set(source) or source.get("value") == 0 for source in written), what


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_what_is_read(name: str) -> None:
    for _, where, _, source in sources(name):
        if "write" in source:
            paths = source["from"] if isinstance(source["from"], list) else [source["from"]]
            assert source["write"] in paths, where
            assert "words" not in source, f"{where}: words cannot be written back"
            assert "pattern" not in source, where
        if "pattern" in source:
            assert re.compile(source["pattern"]).groups == 1, where


@pytest.mark.parametrize("name", NAMES)
def test_conditions_are_those_of_the_packs(name: str) -> None:
    for condition, status in mapping(name)["conditions"].items():
        assert all(condition in slugs(id, "condition") for id in rulesets_of(name)), condition
        assert all(status in facts(system).raw["statuses"] for system in systems_of(name)), status
    for condition, picture in mapping(name)["pictures"].items():
        assert all(condition in slugs(id, "condition") for id in rulesets_of(name)), condition
        assert condition not in mapping(name)["conditions"], f"{condition} has a status already"
        assert f"icons/svg/{picture}.svg" in PICTURES, picture
    for id in rulesets_of(name):
        assert mapping(name).get("defeated", "dead") in slugs(id, "condition")


def test_a_weapon_of_each_game_can_be_fired_with_what_its_mapping_reads() -> None:
    """What the rules cannot do without is marked as needed, so that its lack is named."""
    for name, needed in (
        ("shadowrun4e", {"skill", "dv", "ap", "damage", "modes", "range", "armor_kind"}),
        ("swnr", {"damage", "type"}),
    ):
        sheet = mapping(name)["weapons"][0]["fields"]
        marked = {field for field, one in sheet.items() if isinstance(one, dict) and one.get("needed")}
        assert marked == needed, name


# --- Against the facts of the game systems --------------------------------------------------------------------


class Place(NamedTuple):
    """A path that a mapping names.

    Attributes:
        where: in the mapping.
        kind: ``actors`` or ``items``.
        types: of the documents; the path must exist in one of them, or in each of them.
        each: in each of them.
        source: the source of the field.
        stored: something is written there.
    """

    where: str
    kind: str
    types: tuple[str, ...]
    path: str
    each: bool
    source: Mapping[str, Any]
    stored: bool = False


def places_of(name: str) -> Iterator[Place]:
    """Every path that a mapping names."""
    for part, kind in (("combatants", "actors"), ("weapons", "items")):
        for sheet in mapping(name)[part]:
            for field, short in sheet["fields"].items():
                source = short if isinstance(short, dict) else {"from": short}
                yield from _paths_of(f"{part} {sheet['types']} {field}", kind, tuple(sheet["types"]), source)


def _paths_of(where: str, kind: str, types: tuple[str, ...], source: Mapping[str, Any]) -> Iterator[Place]:
    needed = bool(source.get("needed"))
    paths = source.get("from", [])
    paths = [paths] if isinstance(paths, str) else paths
    for path in paths:
        yield Place(where, kind, types, path, needed and len(paths) == 1, source)
    for path in source.get("flags", {}).values():
        yield Place(where, kind, types, path, True, {})
    for key in ("write", "down_from"):
        if key in source:
            yield Place(where, kind, types, source[key], True, {}, stored=key == "write")
    if pool := source.get("pool"):
        items = (pool["items"],)
        for path in (pool["value"], *([pool["most"]] if "most" in pool else [])):
            yield Place(where, "items", items, path, True, {}, stored=path == pool["value"])
        for path, wanted in pool.get("where", {}).items():
            yield Place(where, "items", items, path, True, {"words": {str(wanted): wanted}})
        if "own" in pool:
            yield Place(where, kind, types, pool["own"], True, {}, stored=True)
    if held := source.get("entries"):
        for path, wanted in held.get("where", {"name": ""}).items():
            yield Place(where, "items", (held["items"],), path, True, {"words": {str(wanted): wanted}})
    if rated := source.get("ratings"):
        if "items" in rated:
            for path in (rated["rating"], rated.get("by", "name")):
                yield Place(where, "items", (rated["items"],), path, True, {})
        else:
            yield Place(where, kind, types, f"{rated['object']}.any.{rated['rating']}", True, {})


def field_at(known: Facts, place: Place, type: str) -> Mapping[str, Any] | None:
    if place.path == "name":
        return {"type": "text"}
    return known.field(place.kind, type, place.path.removeprefix("system."))


@pytest.mark.parametrize("name", MADE_FOR)
def test_every_path_is_one_of_the_system(name: str) -> None:
    known = facts(name)
    assert mapping(name)["checked"] == known.raw["version"]
    wrong = []
    for place in places_of(name):
        found = {type: field_at(known, place, type) for type in place.types}
        lacking = [type for type, field in found.items() if field is None]
        if lacking and (place.each or len(lacking) == len(found)):
            wrong.append(f"{place.where}: {lacking} have no {place.path}")
        if place.stored and any(field and field.get("derived") for field in found.values()):
            wrong.append(
                f"{place.where}: {place.path} is worked out by the system, so nothing can be written there"
            )
    assert wrong == []


@pytest.mark.parametrize("name", MADE_FOR)
def test_every_word_is_one_of_the_system(name: str) -> None:
    known = facts(name)
    wrong = []
    for place in places_of(name):
        for type in place.types:
            field = field_at(known, place, type) or {}
            choices = field.get("choices") or field.get("words")
            if field.get("type") == "flag":
                choices = ["true", "false"]
            if "words" in place.source and choices:
                allowed = {str(choice).lower() for choice in (*choices, "")}
                unknown = [word for word in place.source["words"] if word.lower() not in allowed]
                wrong += [f"{place.where}: {place.path} is never {word!r}" for word in unknown]
    assert wrong == []


@pytest.mark.parametrize("name", MADE_FOR)
def test_every_skill_is_one_of_the_system(name: str) -> None:
    """Each word is a skill of the system, and each of its skills that the ruleset fights with has a word."""
    skills = facts(name).raw.get("skills", {})
    said = {_letters(skill) for skill in skills}
    for _, where, _, source in sources(name):
        if "ratings" in source:
            words = source["ratings"]["words"]
            lost = [word for word in words if _letters(word) not in said | HEARD_OF.get(name, set())]
            assert lost == [], where


@pytest.mark.parametrize("name", MADE_FOR)
def test_the_tracker_has_fields_of_the_system(name: str) -> None:
    combat = facts(name).raw["combat"]
    for key, fields in (("pass", "fields"), ("acted", "combatants")):
        if path := mapping(name).get("tracker", {}).get(key):
            kept, _, field = path.partition(".")
            assert field in combat.get(fields, ()) if kept == "system" else path.startswith(f"flags.{name}.")
    assert set(mapping(name).get("tracker", {}).get("left_out", ())) <= set(combat.get("acts", ()))


HEARD_OF = {"swnr": {"drive", "fix", "program"}}
"""Skills that the sheet adds under other names than those in the compendium."""


def _letters(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"^[\w.]+\.(?=\w+$)", "", word.lower()))


@pytest.mark.parametrize("name", MADE_FOR)
def test_buttons_go_where_the_sheets_of_the_system_have_theirs(name: str) -> None:
    assert mapping(name)["controls"] == facts(name).raw["made"]["sheet"]["controls"]


@pytest.mark.parametrize("name", MADE_FOR)
def test_damage_is_counted_by_tracks(name: str) -> None:
    assert mapping(name)["damage"]
    assert set(mapping(name)["damage"]) <= mapping(name)["tracks"].keys()


@pytest.mark.parametrize("name", MADE_FOR)
def test_the_scene_suggests_what_an_attack_of_the_ruleset_knows(name: str) -> None:
    said = mapping(name)
    attacks = [
        one.vocabulary.fields
        for one in ruleset(said["ruleset"]).procedures.values()
        if {"attacker", "target", "weapon"} <= one.vocabulary.records.keys()
    ]
    for rule in said["suggests"].values():
        words = [word for word in (*rule.get("from", ()), rule.get("value")) if isinstance(word, str)]
        known = [fields[rule["field"]] for fields in attacks if rule["field"] in fields]
        assert known, rule
        assert all(set(words) <= set(field.choices) for field in known), rule
