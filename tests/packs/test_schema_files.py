"""The schemas and the shipped files: each accepts every one of its kind, and editors find them."""

from __future__ import annotations

import fnmatch
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from schema_files import ATTACHED, FILES, FOLDER, PACKS, SCHEMAS, kind_of, name_of, of_kind, validator
from schema_specimens import file_of, made_up_specimens, rulesets_of

from fracas.packs.entries import KINDS
from fracas.packs.structure import structure_problems
from fracas.packs.yaml_source import load


def test_shipped_files_are_valid() -> None:
    found: list[Any] = []
    for path in FILES:
        located = load(path.read_bytes(), name_of(path))
        for error in of_kind(kind_of(path)).iter_errors(located.data):
            line, column = located.position([*error.absolute_path])
            found.append(f"{located.name}:{line}:{column}: {error.message[:200]}")
        found += structure_problems(located, kind_of(path))
    assert found == []


def test_shipped_files_name_their_schema() -> None:
    first = {path: path.read_text("utf-8").splitlines()[0] for path in FILES}
    named = {path: line.removeprefix("# yaml-language-server: $schema=") for path, line in first.items()}
    assert {name_of(path): line for path, line in first.items() if line == named[path]} == {}
    schemas = {path: FOLDER / f"{kind_of(path)}.schema.json" for path in FILES}
    wrong = [path for path in FILES if (path.parent / named[path]).resolve() != schemas[path]]
    assert [(name_of(path), named[path]) for path in wrong] == []
    assert [schema for schema in schemas.values() if not schema.is_file()] == []


@pytest.mark.parametrize(("path", "schema"), ATTACHED.items(), ids=map(name_of, ATTACHED))
def test_a_file_for_another_program_is_valid_and_names_its_schema(path: Path, schema: str) -> None:
    located = load(path.read_bytes(), name_of(path))
    read = json.loads((FOLDER / schema).read_text("utf-8"))
    Draft202012Validator.check_schema(read)
    assert [error.message for error in Draft202012Validator(read).iter_errors(located.data)] == []
    assert structure_problems(located, "/".join(path.relative_to(PACKS).parts[1:])) == []
    first = path.read_text("utf-8").splitlines()[0]
    named = first.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / named).resolve() == FOLDER / schema


def test_shipped_files_are_of_known_kinds() -> None:
    """A file under another name would be passed over in silence."""
    parts = {path: path.relative_to(PACKS).parts for path in FILES}
    kinds = {path: {"pack"} if parts[path][1:] == ("pack.yaml",) else {*KINDS} for path in FILES}
    assert [name_of(path) for path in FILES if kind_of(path) not in kinds[path]] == []
    assert {len(found) for found in parts.values()} <= {2, 3}


def test_every_file_of_a_pack_is_yaml() -> None:
    assert {path.suffix for path in PACKS.glob("*/**/*") if path.is_file()} == {".yaml"}


def strictly(kind: str) -> Any:
    """A validator that resolves references by the letter of the standard, and has its own regular expressions."""
    registry = jsonschema_rs.Registry(list(SCHEMAS.items()))
    return jsonschema_rs.Draft202012Validator(SCHEMAS[f"{kind}.schema.json"], registry=registry)


def test_a_strict_validator_agrees() -> None:
    for path in FILES:
        check = strictly(kind_of(path))
        data = load(path.read_bytes()).data
        assert check.is_valid(data), name_of(path)
        assert not check.is_valid({**data, "no-such-key": 1}), name_of(path)


def test_a_strict_validator_takes_the_made_up_files() -> None:
    """The other tests spoil them, so they had better be right by more than one opinion."""
    checks = {kind: strictly(kind) for kind in ("pack", *KINDS)}
    wrong = [item.name for item in made_up_specimens() if not checks[item.kind].is_valid(item.data)]
    assert not wrong
    assert {item.kind for item in made_up_specimens()} == set(checks)


def test_editor_settings_know_every_file() -> None:
    settings = json.loads((PACKS.parent / ".vscode" / "settings.json").read_text("utf-8"))
    wanted: dict[str, list[str]] = {"schemas/pack.schema.json": ["datapacks/*/pack.yaml"]}
    for kind in KINDS:
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


# --- The frame of a file ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_frame_of_a_file(kind: str) -> None:
    check, (ruleset, *_) = of_kind(kind), rulesets_of(kind)
    whole = {"kind": kind, "ruleset": ruleset, "entries": []}
    assert check.is_valid(whole)
    for name in whole:
        assert not check.is_valid({key: value for key, value in whole.items() if key != name}), name
    for wrong in (
        {"kind": "others"},
        {"ruleset": "sr6"},
        {"ruleset": None},
        {"entries": {}},
        {"entries": None},
        {"entries": ["a"]},
        {"entries": [None]},
        {"entries": [{}]},
        {"more": 1},
    ):
        assert not check.is_valid({**whole, **wrong}), wrong
    assert not check.is_valid([])
    assert not check.is_valid(None)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_file_takes_the_rulesets_whose_entries_it_describes(kind: str) -> None:
    said = validator(f"{kind}.schema.json#/properties/ruleset")
    words = SCHEMAS["common.schema.json"]["$defs"]["ruleset"]["enum"]
    described = rulesets_of(kind) if "allOf" in SCHEMAS[f"{kind}.schema.json"] else words
    assert [word for word in words if said.is_valid(word)] == [word for word in words if word in described]
    assert {item.data["ruleset"] for item in made_up_specimens() if item.kind == kind} == set(
        rulesets_of(kind)
    )


def test_fields_of_two_rulesets_do_not_mix() -> None:
    """What only another ruleset's entries have is refused in this one's."""
    tried = 0
    for kind in KINDS:
        forms = rulesets_of(kind)
        for ruleset, form in forms.items():
            own = [item.data["entries"][0] for item in made_up_specimens() if is_entry(item, kind, ruleset)]
            known = fields_of(kind, ruleset)
            for other in forms.keys() - {ruleset}:
                for name in fields_of(kind, other) - known:
                    value = next(
                        item.data["entries"][0][name]
                        for item in made_up_specimens()
                        if is_entry(item, kind, other) and name in item.data["entries"][0]
                    )
                    tried += 1
                    mixed = file_of(kind, ruleset, {**own[0], name: value})
                    assert not of_kind(kind).is_valid(mixed), (form, name)
    assert tried


def is_entry(item: Any, kind: str, ruleset: str) -> bool:
    return bool(item.kind == kind and item.data["ruleset"] == ruleset and "slug" in item.data["entries"][0])


def fields_of(kind: str, ruleset: str) -> set[str]:
    found: set[str] = set()
    for item in made_up_specimens():
        if is_entry(item, kind, ruleset):
            found |= set(item.data["entries"][0])
    return found
