"""The JSON Schemas of the packs: they fit what ships, explain themselves, and refuse what is wrong."""

from __future__ import annotations

import copy
import fnmatch
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from fracas.errors import Problem
from fracas.kernel import predicates, values
from fracas.kernel.predicates import Compiler
from fracas.kernel.vocabulary import Field, Vocabulary
from fracas.packs.entries import KINDS, META
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load
from fracas.rulesets.cwn.vocabulary import ATTACK
from fracas.rulesets.sr4.vocabulary import RANGED_ATTACK

FOLDER = shipped("schemas")
PACKS = shipped("datapacks")
SCHEMAS: dict[str, Any] = {path.name: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
REGISTRY: Registry[Any] = Registry().with_resources(
    (name, DRAFT202012.create_resource(schema)) for name, schema in SCHEMAS.items()
)
LATER = {"actions", "conditions"}
"""Kinds of a later version, which have no schema yet."""


def validator(reference: str) -> Draft202012Validator:
    """Of a file, or of a part of it: ``weapons.schema.json#/$defs/sr4``."""
    return Draft202012Validator({"$ref": reference}, registry=REGISTRY)


def of_kind(kind: str) -> Draft202012Validator:
    return validator(f"{kind}.schema.json")


def complaints(errors: Iterable[ValidationError]) -> list[str]:
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in errors]


# --- The schemas themselves -------------------------------------------------------------------------------


def test_every_kind_has_a_schema() -> None:
    kinds = (set(KINDS) - LATER) | {"pack", "common"}
    assert set(SCHEMAS) == {f"{kind}.schema.json" for kind in kinds}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema_is_valid_and_says_what_it_is(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    # A relative reference with a version: editors and validators find the other files next to this one.
    assert schema["$id"] == f"{name}?version=1"
    assert schema["title"]
    assert schema["description"].endswith(".")


MAPS = ("properties", "$defs", "dependentSchemas")
ONE = ("items", "additionalProperties", "unevaluatedProperties", "propertyNames", "then", "else", "not")
MANY = ("prefixItems", "oneOf", "allOf", "anyOf")


def schemas_in(schema: Any, pointer: str, name: str | None = None) -> Iterator[tuple[str, str | None, Any]]:
    """Every schema in a schema, with its pointer and, for a property's, the property's name."""
    if not isinstance(schema, Mapping):
        return
    yield pointer, name, schema
    for word in MAPS:
        for key, part in schema.get(word, {}).items():
            place = f"{pointer}/{word}/{key.replace('~', '~0').replace('/', '~1')}"
            yield from schemas_in(part, place, key if word == "properties" else None)
    for word in ONE:
        yield from schemas_in(schema.get(word), f"{pointer}/{word}")
    for word in MANY:
        for at, part in enumerate(schema.get(word, ())):
            yield from schemas_in(part, f"{pointer}/{word}/{at}")


ALL = [(file, *found) for file, schema in sorted(SCHEMAS.items()) for found in schemas_in(schema, "#")]
PROPERTIES = [pytest.param(f"{file}{at}", schema, id=f"{file}{at}") for file, at, name, schema in ALL if name]


def followed(schema: Mapping[str, Any], file: str) -> dict[str, Any]:
    """The schema with what its references add; what it says itself comes first."""
    if "$ref" not in schema:
        return dict(schema)
    found = REGISTRY.resolver(file).lookup(schema["$ref"])
    target = schema["$ref"].partition("#")[0] or file
    return {**followed(found.contents, target), **schema}


@pytest.mark.parametrize(("place", "schema"), PROPERTIES)
def test_property_explains_itself(place: str, schema: dict[str, Any]) -> None:
    full = followed(schema, place.partition("#")[0])
    assert 1 < len(full["title"]) <= 50
    assert full["title"][0].isupper()
    assert full["description"].endswith(".")
    assert len(full["description"]) <= 400
    # Editors show descriptions as plain text.
    assert "`" not in full["description"]
    assert full["examples"]
    for example in full["examples"]:
        assert not complaints(validator(place).iter_errors(example))


def test_shared_parts_explain_themselves() -> None:
    for name, part in SCHEMAS["common.schema.json"]["$defs"].items():
        assert part["title"], name
        assert part["description"].endswith("."), name
        assert part["examples"], name
        for example in part["examples"]:
            assert not complaints(validator(f"common.schema.json#/$defs/{name}").iter_errors(example)), name


def test_no_property_is_let_through() -> None:
    """Each mapping with named properties is closed, or is one that a closed one builds on."""
    built_on = {"common.schema.json#/$defs/entry", "pack.schema.json#/$defs/rule"}
    for file, at, _, schema in ALL:
        closed = schema.get("unevaluatedProperties") is False or "additionalProperties" in schema
        # An entry of no known ruleset is refused whatever else it has.
        if "properties" in schema and f"{file}{at}" not in built_on and not at.endswith("/unknown"):
            assert closed, f"{file}{at}"


def test_only_presence_or_type_decides_between_alternatives() -> None:
    for file, at, _, schema in ALL:
        assert "anyOf" not in schema, f"{file}{at}"
        if "if" in schema:
            assert set(schema["if"]) <= {"required", "type", "properties"}, f"{file}{at}"


def test_patterns_have_words_for_editors() -> None:
    for file, at, _, schema in ALL:
        if "pattern" in schema and "type" in schema:
            assert schema["patternErrorMessage"].endswith("."), f"{file}{at}"
            assert schema["pattern"].startswith("^"), f"{file}{at}"


def test_operators_are_those_of_the_kernel() -> None:
    parts = SCHEMAS["common.schema.json"]["$defs"]
    assert tuple(parts["operation"]["properties"]) == predicates.OPERATORS
    assert set(parts["expression"]["properties"]) == set(values.OPERATORS)
    assert set(parts["entry"]["properties"]) == META


# --- What ships -------------------------------------------------------------------------------------------

FILES = sorted(PACKS.rglob("*.yaml"))


def kind_of(path: Path) -> str:
    """The kind of a file: its own name, or the name of the folder it lies in."""
    parts = path.relative_to(PACKS).parts
    return path.stem if len(parts) == 2 else parts[1]


def name_of(path: Path) -> str:
    return path.relative_to(PACKS).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_shipped_file_is_valid(path: Path) -> None:
    located = load(path.read_bytes(), name_of(path))
    found = []
    for error in of_kind(kind_of(path)).iter_errors(located.data):
        line, column = located.position([*error.absolute_path])
        found.append(f"{located.name}:{line}:{column}: {error.message[:200]}")
    assert not found


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_shipped_file_names_its_schema(path: Path) -> None:
    first = path.read_text("utf-8").splitlines()[0]
    found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert found, first
    assert (path.parent / found[1]).resolve() == FOLDER / f"{kind_of(path)}.schema.json"
    assert (path.parent / found[1]).is_file()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_shipped_file_is_of_a_known_kind(path: Path) -> None:
    """A file under another name would be passed over in silence."""
    parts = path.relative_to(PACKS).parts
    assert len(parts) in (2, 3)
    assert kind_of(path) in ({"pack"} if path.name == "pack.yaml" and len(parts) == 2 else set(KINDS) - LATER)


def test_every_file_of_a_pack_is_yaml() -> None:
    assert {path.suffix for path in PACKS.glob("*/**/*") if path.is_file()} == {".yaml"}


def test_a_strict_validator_agrees() -> None:
    """One that resolves references by the letter of the standard, and has its own regular expressions."""
    strict = pytest.importorskip("jsonschema_rs")
    registry = strict.Registry(list(SCHEMAS.items()))
    for path in FILES:
        check = strict.Draft202012Validator(SCHEMAS[f"{kind_of(path)}.schema.json"], registry=registry)
        data = load(path.read_bytes()).data
        assert check.is_valid(data), name_of(path)
        assert not check.is_valid({**data, "no-such-key": 1}), name_of(path)


def test_editor_settings_know_every_file() -> None:
    settings = json.loads((PACKS.parent / ".vscode" / "settings.json").read_text("utf-8"))
    wanted: dict[str, list[str]] = {"schemas/pack.schema.json": ["datapacks/*/pack.yaml"]}
    for kind in set(KINDS) - LATER:
        wanted[f"schemas/{kind}.schema.json"] = [f"datapacks/*/{kind}.yaml", f"datapacks/*/{kind}/*.yaml"]
    assert settings["yaml.schemas"] == wanted
    for path in FILES:
        name = path.relative_to(PACKS.parent).as_posix()
        chosen = {
            schema
            for schema, globs in settings["yaml.schemas"].items()
            if any(fnmatch.fnmatchcase(name, glob) and name.count("/") == glob.count("/") for glob in globs)
        }
        assert chosen == {f"schemas/{kind_of(path)}.schema.json"}, name


# --- Full files: one for each sort of entry, with every field there is -----------------------------------

META_FIELDS = """
    slug: full-entry
    label: Full entry
    source: {ref: rulebook-sr4, section: "8.2", page: 150}
    provenance: default
    confidence: M
    notes: made up
    tags: [test]
    renamed_from: [old-slug]
"""
PACK = """
id: full-pack
title: Full pack
version: 1.2.3
schema_version: 1
ruleset: sr4
status: ready
licenses: {data: CC0-1.0, text: CC-BY-4.0, art: CC0-1.0}
authors: [Somebody]
description: Everything.
notice: Unofficial.
sources: [{id: book, title: The book, url: "https://example.org", license: CC0-1.0}]
requires: [{id: sr4-core, version: ">=0.1,<1"}]
conflicts: [{id: other, version: "==2.0.0"}]
options:
  one: {type: flag, default: true, label: One, doc: On or off.}
  two: {type: choice, default: a, label: Two, doc: A or b., choices: [a, b]}
  three: {type: whole, default: 2, label: Three, doc: A number.}
stack_caps: {aim: 3}
"""
MODIFIER = """
    applies_to: [attack.pool]
    when:
      - attacker:running
      - all: [tracer, weapon.modes:FA]
      - any: [target:prone, {none: [target:hidden]}]
      - not: target.cover:good
      - eq: [option.recoil, flat]
      - ne: [weapon.rounds, 0]
      - lt: [distance, 5]
      - lte: [distance, attacker.strength]
      - gt: [distance, 2]
      - gte: [distance, 2.5]
      - in: [attribute, [agility, reaction]]
    value:
      "+":
        - "-": [target.defenses_made]
        - "*": [-2, attacker.targets_before]
        - min: [1, {floor: [attacker.skill, 2]}]
        - max: [0, {ceil: [attacker.strength, 3]}]
        - if: [{gt: [distance, 5]}, -2, 0]
    stack: cover
    suppresses: [range-long]
"""
REFUSAL = """
    applies_to: [ranged-attack.refusal]
    when: [range.band:beyond]
    refuses: beyond_range
"""
SR4_WEAPON = """
    category: heavy-pistol
    skill: pistols
    dv: 5
    dv_half_strength: true
    damage: physical
    electric: true
    flechette: true
    ap: -1
    ap_half: true
    armor_kind: ballistic
    modes: [SA]
    rc: 1
    rc_deployed: 2
    recoil_factor: 2
    rounds: 15
    magazine: 15
    feed: clip
    range: heavy-pistol
    features: [smartgun]
    minimum_strength: 2
    ammunition: apds
    availability: 4R
    cost: 350
"""
CWN_WEAPON = """
    type: gun
    skills: [shoot]
    attributes: [dexterity]
    damage: 1d10+2
    shock: 2
    shock_ac: 13
    trauma_die: 1d8
    trauma_rating: 3
    range_normal: 10
    range_long: 100
    magazine: 8
    rounds: 8
    two_handed: false
    pistol_sized: true
    can_burst: false
    can_suppress: false
    thrown: false
    non_lethal: never
    adds_punch: true
    miss_damage: 1d6
    improvised: true
    area: false
    rocket: false
    wrecks_machines: false
    mods: [customized]
    unrested: rifle
    encumbrance: 1
    cost: 200
"""
SR4_ARMOR = """
    ballistic: 8
    impact: 6
    stacks: true
    availability: "2"
    cost: 900
"""
CWN_ARMOR = """
    accessory: false
    ranged_ac: 13
    melee_ac: 12
    soak: 3
    trauma_target: 1
    encumbrance: 1
    look: subtle
    cost: 250
"""
AMMUNITION = """
    dv: 6
    ap: -1
    ap_half: true
    armor_kind: impact
    damage: stun
    replaces: true
    electric: true
    flechette: true
    gel: true
    tracer: true
    availability: 5R
    cost: 80
"""
RANGE = """
    short: 5
    medium: 20
    long: 40
    extreme: 60
    minimum: 2
    per_strength: true
"""
TABLE = """
    rows:
      glare: {normal: -1, ultrasound: 0}
      fog: {normal: -2}
"""
SR4_COMBATANT = """
    metatype: ork
    body: 4
    agility: 4
    reaction: 4
    strength: 4
    charisma: 4
    intuition: 4
    logic: 4
    willpower: 4
    edge: 3
    edge_points: 2
    skills: {pistols: 4}
    armor: [armor-vest]
    ballistic_bonus: 1
    impact_bonus: 1
    ballistic: 6
    impact: 4
    senses: [low-light]
    smartlink: true
    flare_compensation: true
    ambidextrous: true
    physical: 1
    stun: 1
    pain_resistance: 1
    low_pain_tolerance: true
    extra_boxes: 1
    extra_overflow: 1
    soak_bonus: 1
    gyro: 3
    recoil_compensation: 1
    passes: 2
    weapons: [ares-predator-iv]
"""
CWN_COMBATANT = """
    named: true
    level: 3
    base_attack_bonus: 1
    strength: 10
    dexterity: 10
    wisdom: 10
    skills: {shoot: 1}
    foci: {deadeye: 1}
    attack_bonus_ranged: 2
    attack_bonus_melee: 2
    attacks: 2
    killing_blow: true
    veterans_luck: true
    cyberware: [gunlink]
    gunlink_rerolls: 1
    skillplugs: 1
    ranged_ac: 13
    melee_ac: 12
    armor: [street-leathers]
    cyber_ac: 14
    dexterity_modifier: 1
    trauma_target: 6
    trauma_sources: [hard-to-kill]
    soak: 3
    hp: 10
    frail: true
    shock_immune: true
    shock_shield: true
    poison_immune: true
    human_sized: true
    machine: false
    vehicle_armor: 5
    driver_skill: 1
    move: 10
    hit_dice: 2
    skill_bonus: 1
    save: 15
    morale: 8
    weapons: [knife]
"""
EXAMPLE = """
    request:
      procedure: ranged-attack
      situation: {attacker: rook, target: {use: guard, prone: true}, distance: 4}
      options: {recoil: flat}
      modifiers: [{to: attack.pool, label: Rain, value: -1}]
    dice: [[1, 4, 5], [6]]
    decisions: [{decision: edge-before, choose: spend, by: attacker, roll: attack}]
    expect:
      status: resolved
      refusals: [empty_weapon]
      totals: {attack.pool: 11}
      modifiers: {attack.pool: {smartlink: 2}}
      rolls: [{faces: [1, 4, 5], hits: 1}]
      outcome: {result: hit, damage: 5}
      effects:
        - type: mark
          who: target
          what: stun
          amount: 5
          state: rounds
          unit: round
          length: 3
          hp_then: 1
"""


class Full(NamedTuple):
    """A full file.

    Attributes:
        part: the schema of its one entry; "" for a manifest.
        optional: fields that may be left out, each by itself, named by the end of their path; no others may.
    """

    kind: str
    part: str
    data: Any
    optional: frozenset[str]


def full_file(kind: str, part: str, text: str, optional: str) -> Full:
    if part:
        text = f"kind: {kind}\nentries:\n  -{META_FIELDS[4:]}{text}"
        optional += " provenance confidence notes tags renamed_from section page"
    return Full(kind, part, load(text).data, frozenset(optional.split()))


FULL = {
    "pack": full_file(
        "pack",
        "",
        PACK,
        """licenses data text art authors description notice url license requires requires.version conflicts
        conflicts.version options one two three doc stack_caps aim""",
    ),
    "modifier": full_file("modifiers", "modifier", MODIFIER, "stack suppresses"),
    "refusal": full_file("modifiers", "refusal", REFUSAL, ""),
    "sr4-weapon": full_file(
        "weapons",
        "sr4",
        SR4_WEAPON,
        """dv_half_strength electric flechette ap_half recoil_factor minimum_strength ammunition availability
        cost""",
    ),
    # Shock, a Trauma Die, a range and a magazine are of no use without their other half.
    "cwn-weapon": full_file(
        "weapons",
        "cwn",
        CWN_WEAPON,
        """skills attributes damage magazine adds_punch miss_damage improvised rocket wrecks_machines unrested
        encumbrance cost""",
    ),
    "sr4-armor": full_file("armor", "sr4", SR4_ARMOR, "stacks availability cost"),
    "cwn-armor": full_file("armor", "cwn", CWN_ARMOR, "encumbrance look cost"),
    "ammunition": full_file(
        "ammunition",
        "ammunition",
        AMMUNITION,
        "ap_half damage replaces electric flechette gel tracer availability cost",
    ),
    "range": full_file("ranges", "range", RANGE, "minimum per_strength"),
    "table": full_file("tables", "table", TABLE, "glare fog glare.normal ultrasound"),
    "sr4-combatant": full_file(
        "combatants",
        "sr4",
        SR4_COMBATANT,
        """ballistic_bonus impact_bonus ballistic impact flare_compensation ambidextrous pain_resistance
        low_pain_tolerance extra_boxes extra_overflow soak_bonus gyro recoil_compensation passes""",
    ),
    "cwn-combatant": full_file(
        "combatants",
        "cwn",
        CWN_COMBATANT,
        """named level base_attack_bonus strength dexterity wisdom skills attack_bonus_ranged
        attack_bonus_melee attacks killing_blow gunlink_rerolls skillplugs ranged_ac melee_ac armor cyber_ac
        dexterity_modifier trauma_target trauma_sources soak frail shock_immune shock_shield poison_immune
        human_sized machine vehicle_armor driver_skill hit_dice skill_bonus save morale""",
    ),
    "example": full_file(
        "examples",
        "example",
        EXAMPLE,
        """options modifiers modifiers.label dice decisions by roll status refusals totals rolls faces hits
        outcome result outcome.damage effects type who what amount state unit length hp_then""",
    ),
}
CASES = pytest.mark.parametrize("full", [pytest.param(case, id=name) for name, case in FULL.items()])

# --- Every way to spoil them ------------------------------------------------------------------------------

Trail = tuple[str | int, ...]


def parts(data: Any, path: Trail = ()) -> Iterator[tuple[Trail, Any]]:
    """Every value with its path, the outermost first. What a situation holds is the procedure's business."""
    yield path, data
    if path[-1:] == ("situation",):
        return
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from parts(value, (*path, key))


def changed(data: Any, path: Trail, change: Callable[[Any, Any], None]) -> Any:
    """A copy in which `change` was made to the container of the value at `path`."""
    new = copy.deepcopy(data)
    container = new
    for step in path[:-1]:
        container = container[step]
    change(container, path[-1])
    return new


def replaced(data: Any, path: Trail, value: Any) -> Any:
    return changed(data, path, lambda container, key: container.__setitem__(key, value)) if path else value


def renamed(data: Any, path: Trail, name: str) -> Any:
    def rename(container: dict[str, Any], key: str) -> None:
        items = [(name if known == key else known, value) for known, value in container.items()]
        container.clear()
        container.update(items)

    return changed(data, path, rename)


def fields(full: Full) -> list[Trail]:
    """The path of every key of every mapping."""
    return [path for path, _ in parts(full.data) if path and isinstance(path[-1], str)]


def accepted(full: Full, mutants: Iterable[tuple[str, Any]]) -> list[str]:
    """The mutants that pass; none should."""
    check = of_kind(full.kind)
    return [told for told, mutant in mutants if check.is_valid(mutant)]


def told(path: Trail, change: str = "") -> str:
    return ".".join(map(str, path)) + change


@CASES
def test_full_file_is_valid_and_full(full: Full) -> None:
    assert not complaints(of_kind(full.kind).iter_errors(full.data))
    part = SCHEMAS[f"{full.kind}.schema.json"]
    if full.part:
        (item,) = full.data["entries"]
        assert set(item) == set(part["$defs"][full.part]["properties"]) | META
    else:
        assert set(full.data) == set(part["properties"])


def test_every_alternative_has_a_full_file() -> None:
    covered = {(full.kind, full.part) for full in FULL.values()}
    for name, schema in SCHEMAS.items():
        kind = name.partition(".")[0]
        for part, definition in schema.get("$defs", {}).items():
            if "allOf" in definition and part != "unknown":
                assert (kind, part) in covered


def may_be_left_out(full: Full, path: Trail) -> bool:
    names = ".".join(step for step in path if isinstance(step, str))
    return any(f".{names}".endswith(f".{field}") for field in full.optional)


@CASES
def test_required_fields_are_required_and_the_others_are_not(full: Full) -> None:
    check = of_kind(full.kind)
    for path in fields(full):
        container: Any = full.data
        for step in path[:-1]:
            container = container[step]
        if len(container) == 1:
            continue  # A mapping of one field is about that field: see the tests of predicates and values.
        without = changed(full.data, path, lambda container, key: container.pop(key))
        assert check.is_valid(without) == may_be_left_out(full, path), told(path)


NAMED_AT_WILL = {"options", "stack_caps", "rows", "glare", "fog"}
NAMED_AT_WILL |= {"totals", "attack.pool", "modifiers", "outcome"}
"""Mappings whose keys are names that a pack chooses; they must look like names."""


def misspelled(path: Trail) -> str:
    free = len(path) > 1 and (path[-2] in NAMED_AT_WILL or path[-3:-1] == ("rolls", 0))
    return "No name!" if free else f"{path[-1]}x"


@CASES
def test_misspelled_keys_are_refused(full: Full) -> None:
    mutants = [(told(path), renamed(full.data, path, misspelled(path))) for path in fields(full)]
    assert mutants
    assert accepted(full, mutants) == []


@CASES
def test_unknown_keys_are_refused(full: Full) -> None:
    places = [(*path, "Unheard of") for path, value in parts(full.data) if isinstance(value, dict)]
    places = [path for path in places if "situation" not in path]
    assert accepted(full, [(told(path), replaced(full.data, path, 1)) for path in places]) == []


def of_any_scalar(path: Trail) -> bool:
    """Where the schema cannot know the type: the sides of `eq`, `ne` and `in`, house rules, facts."""
    if {"eq", "ne", "in"} & set(path) and path[-2:] not in (("eq", 0), ("ne", 0), ("in", 0), ("in", 1)):
        return True
    names = [step for step in path if isinstance(step, str)]
    return names[-2:-1] == ["outcome"] or names[-2:] in (["rolls", "hits"], ["options", "recoil"])


def wrong_types(path: Trail, value: Any) -> Iterator[Any]:
    """Values of other types than the one at `path`, none of which will do there."""
    if value is True or value is False:
        yield from ([], {}) if of_any_scalar(path) else ("true", 1, None, [], {})
    elif isinstance(value, (int, float)):
        yield from ([], {})
        if not of_any_scalar(path):
            yield from ("?!", True)
            if "amount" not in path and path[-2:] != ("attack.pool", "smartlink"):
                yield None  # There it says that nothing counts.
    elif isinstance(value, str):
        yield from ([], {})
        if not of_any_scalar(path):
            yield from (True, None)
            if "when" not in path and "value" not in path:
                yield 7
    elif isinstance(value, list):
        yield from ("?!", 7, True, None, {})
    else:
        yield from ("?!", 1.5, True, None, [])


@CASES
def test_values_of_another_type_are_refused(full: Full) -> None:
    mutants = [
        (told(path, f" = {wrong!r}"), replaced(full.data, path, wrong))
        for path, value in parts(full.data)
        for wrong in wrong_types(path, value)
    ]
    assert accepted(full, mutants) == []


@CASES
def test_numbers_out_of_range_are_refused(full: Full) -> None:
    mutants = [
        (told(path, f" = {wrong!r}"), replaced(full.data, path, wrong))
        for path, value in parts(full.data)
        for wrong in (10**9, -(10**9))
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        # Facts, and what a predicate compares with, may be any number.
        if not {"when", "outcome", "hits"} & set(path) and "if" not in path[:-2]
    ]
    assert accepted(full, mutants) == []


@CASES
def test_fractions_are_refused_where_whole_numbers_belong(full: Full) -> None:
    metres = {"short", "medium", "long", "extreme", "minimum", "range_normal", "range_long", "move"}
    mutants = [
        (told(path), replaced(full.data, path, value + 0.5))
        for path, value in parts(full.data)
        if isinstance(value, int) and not isinstance(value, bool)
        if path[-1] not in metres and not {"when", "outcome", "hits"} & set(path) and path[-4:-2] != ("if", 0)
    ]
    assert accepted(full, mutants) == []


@CASES
def test_unknown_words_are_refused(full: Full) -> None:
    """Words of a closed list, and names that do not look like names. Titles and the like are free text."""
    manifest = {"title", "description", "notice", "doc", "authors", "licenses", "license"}
    free = {"label", "notes", "section"} | manifest
    mutants = [
        (told(path), replaced(full.data, path, "No such, word!"))
        for path, value in parts(full.data)
        if isinstance(value, str) and not free & set(path) and not of_any_scalar(path)
    ]
    assert accepted(full, mutants) == []


@CASES
def test_empty_text_and_doubles_are_refused(full: Full) -> None:
    mutants = []
    for path, value in parts(full.data):
        if isinstance(value, str) and not of_any_scalar(path):
            mutants.append((told(path), replaced(full.data, path, "")))
    for path, value in parts(full.data):
        if path and path[-1] in {"modes", "features", "mods", "senses", "cyberware", "tags", "applies_to"}:
            mutants.append((told(path), replaced(full.data, path, [*value, *value])))
    assert accepted(full, mutants) == []


@pytest.mark.parametrize("kind", ["weapons", "armor", "combatants"])
def test_an_entry_of_no_ruleset_is_refused(kind: str) -> None:
    entry = {"slug": "a", "label": "A", "source": {"ref": "b"}}
    (error,) = of_kind(kind).iter_errors({"kind": kind, "entries": [entry]})
    assert list(error.absolute_path) == ["entries", 0]
    asked = {name for context in error.context or () for name in context.validator_value}
    wanted = {"weapons": {"dv", "type"}, "armor": {"ballistic", "ranged_ac"}, "combatants": {"body", "hp"}}
    assert asked == wanted[kind]


@pytest.mark.parametrize("kind", ["weapons", "armor", "combatants"])
def test_fields_of_two_rulesets_do_not_mix(kind: str) -> None:
    sr4, cwn = (full.data["entries"][0] for full in FULL.values() if full.kind == kind)
    assert not of_kind(kind).is_valid({"kind": kind, "entries": [{**sr4, **cwn}]})
    for name in set(cwn) - set(sr4):
        assert not of_kind(kind).is_valid({"kind": kind, "entries": [{**sr4, name: cwn[name]}]}), name
    dispatching = {"dv", "ballistic", "body"}
    for name in set(sr4) - set(cwn) - dispatching:
        assert not of_kind(kind).is_valid({"kind": kind, "entries": [{**cwn, name: sr4[name]}]}), name


@pytest.mark.parametrize("kind", sorted(set(KINDS) - LATER))
def test_the_frame_of_a_file(kind: str) -> None:
    check = of_kind(kind)
    assert check.is_valid({"kind": kind, "entries": []})
    for wrong in (
        [],
        None,
        {},
        {"kind": kind},
        {"entries": []},
        {"kind": "others", "entries": []},
        {"kind": kind, "entries": {}},
        {"kind": kind, "entries": None},
        {"kind": kind, "entries": ["a"]},
        {"kind": kind, "entries": [None]},
        {"kind": kind, "entries": [{}]},
        {"kind": kind, "entries": [], "more": 1},
    ):
        assert not check.is_valid(wrong), wrong


# --- Details ----------------------------------------------------------------------------------------------


SHAPES = """
    slug:         a 7 a-b ak-97               | A -a a_b a.b a:b ä
    reference:    a a-b pack:weapon/a         | A pack:a weapon/a pack:weapon/ :weapon/a p:w/A
    availability: 0 2 4R 16F                  | R F4 4r 02 100 4RF -1 2.5
    path:         distance attacker.take_aim attacker.foci.close-combatant | Distance .a a. a..b a:b 1a a-b
    term:         tracer attack:ranged target.cover:good weapon.modes:FA   | Tracer a: :a a:b:c a;b a:-b
    tally:        attack.pool shock.ac ranged-attack.refusal               | attack .pool attack. a.b.c A.b
"""


@pytest.mark.parametrize("shape", SHAPES.strip().splitlines())
def test_shapes_of_words(shape: str) -> None:
    part, _, words = shape.partition(": ")
    good, _, bad = words.partition("|")
    check = validator(f"common.schema.json#/$defs/{part.strip()}")
    assert [word for word in good.split() if not check.is_valid(word)] == []
    assert [
        word for word in [*bad.split(), "", "a b", " a", "a" * 200, 7, None] if check.is_valid(word)
    ] == []


@pytest.mark.parametrize("field", ["damage", "trauma_die", "miss_damage"])
def test_dice_of_cwn_weapons(field: str) -> None:
    check = validator(f"weapons.schema.json#/$defs/cwn/properties/{field}")
    good, bad = "1d6 2d6+1 3d10-2 10d100", "d6 0d6 1d0 1d 6 1d6+ 1d6+1d4 1D6 100d6 1d6*2"
    assert [dice for dice in good.split() if not check.is_valid(dice)] == []
    assert [dice for dice in bad.split() if check.is_valid(dice)] == []


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("version", "0.1.0 10.20.30 1.0.0-rc.1 1.0.0+build.5", "1 1.0 1.0.0.0 01.0.0 1.0.0- v1.0.0"),
        ("id", "sr4-core my-pack 7th", "SR4 a_b -a a.b"),
    ],
)
def test_words_of_a_manifest(field: str, good: str, bad: str) -> None:
    check = validator(f"pack.schema.json#/properties/{field}")
    assert [word for word in good.split() if not check.is_valid(word)] == []
    assert [word for word in bad.split() if check.is_valid(word)] == []


@pytest.mark.parametrize(
    "rule",
    [
        {"type": "flag", "default": 1, "label": "A"},
        {"type": "flag", "default": "yes", "label": "A"},
        {"type": "flag", "default": True, "label": "A", "choices": ["a", "b"]},
        {"type": "choice", "default": "a", "label": "A"},
        {"type": "choice", "default": True, "label": "A", "choices": ["a", "b"]},
        {"type": "choice", "default": "a", "label": "A", "choices": ["a"]},
        {"type": "choice", "default": "a", "label": "A", "choices": ["a", "a"]},
        {"type": "whole", "default": True, "label": "A"},
        {"type": "whole", "default": 1.5, "label": "A"},
        {"type": "whole", "default": 1001, "label": "A"},
        {"type": "number", "default": 1, "label": "A"},
        {"default": True, "label": "A"},
        {"type": "flag", "default": True},
    ],
)
def test_house_rules_that_contradict_themselves(rule: dict[str, Any]) -> None:
    assert not validator("pack.schema.json#/$defs/option").is_valid(rule)


def test_a_modifier_adds_or_refuses() -> None:
    check = of_kind("modifiers")

    def valid(**fields: Any) -> bool:
        meta = {"slug": "a", "label": "A", "when": [], "source": {"ref": "b"}}
        return check.is_valid({"kind": "modifiers", "entries": [{**meta, **fields}]})

    assert valid(applies_to=["attack.pool"], value=1)
    assert valid(applies_to=["ranged-attack.refusal"], refuses="no_way")
    assert not valid(applies_to=["attack.pool"], refuses="no_way")
    assert not valid(applies_to=["ranged-attack.refusal"], value=1)
    assert not valid(applies_to=["ranged-attack.refusal"], refuses="no_way", value=1)
    assert not valid(applies_to=["ranged-attack.refusal"], refuses="no_way", stack="a")
    assert not valid(applies_to=["attack.pool"])
    assert not valid(applies_to=[], value=1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("shock", "shock_ac"),
        ("trauma_die", "trauma_rating"),
        ("range_normal", "range_long"),
        ("magazine", "rounds"),
    ],
)
def test_fields_that_need_each_other(first: str, second: str) -> None:
    entry = dict(FULL["cwn-weapon"].data["entries"][0])
    check = of_kind("weapons")
    del entry[second]
    assert not check.is_valid({"kind": "weapons", "entries": [entry]})
    del entry[first]
    assert check.is_valid({"kind": "weapons", "entries": [entry]})


# --- Predicates and values: the schema and the compiler say the same ----------------------------------------


class Words:
    """A vocabulary in which the words of these tests are known."""

    def term(self, word: str) -> tuple[str, Any] | None:
        return ("flag", True) if word in self.terms() else None

    def terms(self) -> Iterable[str]:
        return ("who:flag", "tracer", "a.choice:good")

    def paths(self) -> Iterable[str]:
        return ("number", "other", "flag", "a.choice")

    def is_number(self, path: str) -> bool:
        return path in ("number", "other")

    def is_whole(self, path: str) -> bool:
        return self.is_number(path)

    def is_list(self, path: str) -> bool:
        return False

    def choices(self, path: str) -> tuple[str, ...] | None:
        return ("good", "bad") if path == "a.choice" else None

    def source_of(self, path: str) -> str:
        return path


GOOD_PREDICATES: list[Any] = [
    "tracer",
    "who:flag",
    "a.choice:good",
    {"all": ["tracer", "who:flag"]},
    {"any": ["tracer"]},
    {"none": ["tracer", {"not": "who:flag"}]},
    {"not": {"any": ["tracer", {"all": ["who:flag"]}]}},
    {"eq": ["number", 1]},
    {"eq": ["number", "other"]},
    {"eq": ["a.choice", "good"]},
    {"eq": ["flag", True]},
    {"ne": ["flag", False]},
    {"lt": ["number", 1.5]},
    {"lte": ["number", "other"]},
    {"gt": ["number", -3]},
    {"gte": ["number", 0]},
    {"in": ["a.choice", ["good", "bad"]]},
    {"in": ["number", [1, 2]]},
]
BAD_PREDICATES: list[Any] = [
    None,
    7,
    True,
    "",
    "Tracer!",
    {},
    {"tracer": True},
    {"and": ["tracer"]},
    {"all": ["tracer"], "any": ["tracer"]},
    {"all": []},
    {"any": "tracer"},
    {"none": {"not": "tracer"}},
    {"not": None},
    {"not": 7},
    {"eq": ["number"]},
    {"eq": ["number", 1, 2]},
    {"eq": [1, "number"]},
    {"eq": "number"},
    {"eq": ["number", None]},
    {"eq": ["number", [1]]},
    {"lt": ["number", True]},
    {"gte": ["number", {"+": [1, 2]}]},
    {"in": ["number", 1]},
    {"in": ["a.choice", "good"]},
    {"in": ["a.choice"]},
]
GOOD_VALUES: list[Any] = [
    0,
    -2,
    "number",
    {"+": [1, 2]},
    {"+": [1, "number", "other", 4]},
    {"-": ["number"]},
    {"-": [1, "number"]},
    {"*": [2, {"-": ["number"]}]},
    {"min": [1, 2, 3]},
    {"max": [0, {"floor": ["number", 2]}]},
    {"ceil": ["number", 2]},
    {"if": ["tracer", 1, "number"]},
    {"if": [{"gt": ["number", 5]}, -2, {"if": ["who:flag", 1, 0]}]},
]
BAD_VALUES: list[Any] = [
    None,
    True,
    1.5,
    "",
    "No path!",
    [],
    [1],
    {},
    {"+": 1},
    {"+": [1]},
    {"*": [1]},
    {"min": [1]},
    {"max": []},
    {"-": []},
    {"-": [1, 2, 3]},
    {"floor": [1]},
    {"floor": [1, 2, 3]},
    {"ceil": 1},
    {"if": ["tracer", 1]},
    {"if": ["tracer", 1, 2, 3]},
    {"if": [1, 2, 3]},
    {"if": [{"gt": ["number"]}, 1, 2]},
    {"avg": [1, 2]},
    {"+": [1, 2], "-": [1, 2]},
    {"+": [1, None]},
    {"+": [1, [2]]},
    {"+": [1, {"*": [2]}]},
    {"+": [1] * 21},
]


def compiles(raw: Any, how: Callable[[Any, Compiler], Any]) -> list[Problem]:
    compiler = Compiler(Words())
    how(raw, compiler)
    return [problem for _, problem in compiler.problems]


def as_predicate(raw: Any, compiler: Compiler) -> Any:
    return compiler.predicate(raw)


def as_value(raw: Any, compiler: Compiler) -> Any:
    return values.compile_value(raw, compiler)


@pytest.mark.parametrize("raw", GOOD_PREDICATES, ids=json.dumps)
def test_predicate_is_accepted(raw: Any) -> None:
    assert not complaints(validator("common.schema.json#/$defs/predicate").iter_errors(raw))
    assert not complaints(validator("common.schema.json#/$defs/predicates").iter_errors([raw, raw]))
    assert not compiles(raw, as_predicate)


@pytest.mark.parametrize("raw", BAD_PREDICATES, ids=json.dumps)
def test_predicate_is_refused(raw: Any) -> None:
    assert not validator("common.schema.json#/$defs/predicate").is_valid(raw)
    assert not validator("common.schema.json#/$defs/predicates").is_valid(["tracer", raw])
    assert not validator("common.schema.json#/$defs/predicate").is_valid({"not": {"any": ["tracer", raw]}})
    assert compiles(raw, as_predicate)


@pytest.mark.parametrize("raw", GOOD_VALUES, ids=json.dumps)
def test_value_is_accepted(raw: Any) -> None:
    assert not complaints(validator("common.schema.json#/$defs/value").iter_errors(raw))
    assert not compiles(raw, as_value)


@pytest.mark.parametrize("raw", BAD_VALUES, ids=json.dumps)
def test_value_is_refused(raw: Any) -> None:
    assert not validator("common.schema.json#/$defs/value").is_valid(raw)
    assert not validator("common.schema.json#/$defs/value").is_valid({"min": [1, {"-": [raw]}]})
    assert compiles(raw, as_value)


# --- Vocabularies: an entry may say what a request may say, within the same bounds -------------------------


class Mirror(NamedTuple):
    """A schema that fills in records of a vocabulary.

    Attributes:
        beside: fields that no rule reads from the record.
        passing: fields of the record that change from moment to moment, or that are a request's shorthand;
            an entry does not say them.
    """

    part: str
    vocabulary: Vocabulary
    records: tuple[str, ...]
    beside: str
    passing: str


MIRRORS = {
    "sr4-weapon": Mirror(
        "weapons.schema.json#/$defs/sr4",
        RANGED_ATTACK,
        ("weapon",),
        beside="availability cost",
        passing="name",
    ),
    "cwn-weapon": Mirror(
        "weapons.schema.json#/$defs/cwn",
        ATTACK,
        ("weapon",),
        beside="encumbrance cost",
        # An entry's own slug stands where the flag of a load of slugs would.
        passing="name slug ready thermal_charge_active",
    ),
    "sr4-combatant": Mirror(
        "combatants.schema.json#/$defs/sr4",
        RANGED_ATTACK,
        ("attacker", "target"),
        beside="passes weapons",
        passing="""name running in_melee in_moving_vehicle pool specialized in_cover off_hand split_dice take_aim
        magnification targets_before rounds_before bursts_before deployed unaware full_defense defenses_made
        prone cover hidden""",
    ),
    "cwn-combatant": Mirror(
        "combatants.schema.json#/$defs/cwn",
        ATTACK,
        ("attacker", "target"),
        beside="attacks hit_dice skill_bonus save morale weapons",
        passing="""name drugs prone flashbanged dazzled blinded attribute_modifier skill_level engaged
        main_spent in_moving_vehicle control_board total_defense can_total_defense charged cover visibility
        vehicle_state""",
    ),
}
MIRRORED = pytest.mark.parametrize("mirror", [pytest.param(case, id=name) for name, case in MIRRORS.items()])


def sayable(mirror: Mirror) -> dict[str, list[Field]]:
    """The fields of the records by name; a field of both sides is there twice."""
    found: dict[str, list[Field]] = {}
    for field in mirror.vocabulary.fields.values():
        record, _, name = field.path.rpartition(".")
        if record in mirror.records and field.derived_from is None:
            found.setdefault(name, []).append(field)
    return found


@MIRRORED
def test_schema_has_the_fields_of_the_vocabulary(mirror: Mirror) -> None:
    file, _, part = mirror.part.partition("#/$defs/")
    properties = set(SCHEMAS[file]["$defs"][part]["properties"])
    fields = set(sayable(mirror))
    beside, passing = set(mirror.beside.split()), set(mirror.passing.split())
    assert properties - beside == fields - passing
    assert beside <= properties
    assert passing <= fields


@MIRRORED
def test_bounds_and_words_are_those_of_the_vocabulary(mirror: Mirror) -> None:
    file, _, part = mirror.part.partition("#/$defs/")
    properties = SCHEMAS[file]["$defs"][part]["properties"]
    for name, declared in sayable(mirror).items():
        if name in properties:
            for field in declared:
                assert shape(followed(properties[name], file)) == shape_of(field), field.path


def shape(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a property allows, without what it says about it."""
    compared = (
        "type enum minimum maximum maxLength items maxItems propertyNames additionalProperties maxProperties"
    )
    return {name: schema[name] for name in compared.split() if name in schema}


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
            "propertyNames": {"enum": [*field.choices]},
            "additionalProperties": {"type": "integer", **bounds},
            "maxProperties": 64,
        },
        "entry": {"type": "string"},
        "entries": {"type": "array", "items": reference, "maxItems": 64},
    }
    return shapes[field.type]
