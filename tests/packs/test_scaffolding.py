"""Entries and packs written for people to fill in: they load strictly, fit the schemas, and explain themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fracas.errors import PackError, Problem
from fracas.packs.entries import KINDS, Pack
from fracas.packs.files import in_folder
from fracas.packs.library import Library
from fracas.packs.reading import read
from fracas.packs.scaffolding import (
    COMMENT_WIDTH,
    ScaffoldError,
    check_slug,
    check_text,
    explained_lines,
    label_of,
    new_file,
    new_values,
    plain_lines,
    with_entry,
)
from fracas.packs.schema_fields import (
    all_fields,
    allowed,
    completed,
    description_of,
    form,
    kinds_of,
    rulesets,
)
from fracas.packs.shipped import shipped
from fracas.packs.skeletons import Recipe, core_pack, simplest, skeleton, typical, versions_from
from fracas.packs.structure import structure_problems
from fracas.packs.yaml_editing import append_entry
from fracas.packs.yaml_source import load

EVERY = [(ruleset, kind) for ruleset in rulesets() for kind in kinds_of(ruleset)]


def written(ruleset: str, kind: str, like: Mapping[str, Any] | None = None, *, explained: bool = True) -> str:
    """A file with one new entry."""
    values = new_values(kind, ruleset, "my-own", "My own: 1", "own", like)
    write = explained_lines if explained else plain_lines
    return append_entry(new_file(kind, ruleset, "../schemas"), write(kind, ruleset, values))


# Entries.


@pytest.mark.parametrize("explained", [True, False], ids=["explained", "plain"])
@pytest.mark.parametrize(("ruleset", "kind"), EVERY)
def test_a_new_entry_loads_and_fits_its_schema(ruleset: str, kind: str, explained: bool) -> None:
    located = load(written(ruleset, kind, explained=explained), f"{kind}.yaml")
    assert structure_problems(located, kind) == []
    (entry,) = located.data["entries"]
    assert (entry["slug"], entry["label"], entry["source"]) == ("my-own", "My own: 1", {"ref": "own"})
    required = {field.name for field in form(kind, ruleset, entry).fields if field.required}
    assert entry.keys() == required


@pytest.mark.parametrize(("ruleset", "kind"), EVERY)
def test_every_field_is_there_with_its_meaning(ruleset: str, kind: str) -> None:
    """Those that are left out too, behind a # that only needs to be taken away."""
    text = written(ruleset, kind)
    fields = form(kind, ruleset, load(text).data["entries"][0]).fields
    uncommented = re.sub(r"^( {4})#(?! )", r"\1", text, flags=re.MULTILINE)
    entry = load(uncommented).data["entries"][0]
    assert list(entry) == [field.name for field in fields]
    assert {"slug", "label", "source", "provenance", "confidence", "notes", "tags"} <= entry.keys()
    said = " ".join(line.strip().removeprefix("#").strip() for line in text.splitlines())
    for field in fields:
        assert f"{field.title}: {field.description}".casefold() in said.casefold()
        assert field.allowed in said
        assert entry[field.name] == (load(text).data["entries"][0].get(field.name, field.example))


@pytest.mark.parametrize(("ruleset", "kind"), EVERY)
def test_each_optional_field_has_an_example_that_fits(ruleset: str, kind: str) -> None:
    """Its own part of the schema must accept the example; other fields may be demanded as well."""
    text = written(ruleset, kind)
    entry = load(text).data["entries"][0]
    for field in form(kind, ruleset, entry).fields:
        whole = completed(kind, ruleset, {**entry, field.name: field.example})
        data = json.dumps({"kind": kind, "ruleset": ruleset, "entries": [whole]})
        problems = structure_problems(load(data), kind)
        assert not [problem for problem in problems if problem.code != "exclusive-fields"]


@pytest.mark.parametrize(("ruleset", "kind"), EVERY)
def test_comments_stay_within_their_width(ruleset: str, kind: str) -> None:
    for line in written(ruleset, kind).splitlines():
        if line.strip().startswith("# ") and "yaml-language-server" not in line:
            assert len(line) <= COMMENT_WIDTH


def test_an_explanation_says_meaning_words_and_bounds() -> None:
    text = written("sr4", "weapons")
    assert (
        "    # Damage kind: which condition monitor it fills. One of: physical, stun.\n    damage: " in text
    )
    assert re.search(
        r"# Damage Value: before net hits, without Strength\. In boxes\.[^:]*"
        r"A whole number from 0 to 100\.\n    dv: 5\n",
        text,
    )
    assert re.search(r"True or false\.\n    #electric: true\n", text)
    assert re.search(r"A list of: SS, SA, BF, FA\.\n    modes: \[SA, BF\]\n", text)


def test_terms_of_the_game_keep_their_capital() -> None:
    assert re.search(r"# Ranged AC: Armor Class against", written("cwn", "armor"), re.IGNORECASE)
    assert ": Armor Class against" in written("cwn", "armor")


def test_the_form_follows_the_values() -> None:
    """A weapon with reach is a melee weapon: it needs no magazine."""

    def required(values: dict[str, Any]) -> set[str]:
        return {field.name for field in form("weapons", "sr4", values).fields if field.required}

    assert "magazine" in required({})
    assert "magazine" not in required({"reach": 1})
    assert {"dv", "ap"} <= required({"reach": 1})
    assert "dv" not in required({"fires": "grenade"})
    assert {field.name for field in form("modifiers", "sr4", {"refuses": "x"}).fields} >= {"refuses", "when"}
    assert "value" not in {field.name for field in form("modifiers", "sr4", {"refuses": "x"}).fields}
    assert {"value", "refuses"} <= all_fields("modifiers", "sr4").keys()


def test_fields_of_layers_are_no_fields_of_a_new_entry() -> None:
    for ruleset, kind in EVERY:
        assert (
            not {"replace", "expects", "patch", "remove", "set", "unset"} & all_fields(kind, ruleset).keys()
        )


def test_one_of_several_fields_is_enough() -> None:
    required = {field.name for field in form("actions", "sr4", {}).fields if field.required}
    assert "type" in required
    required = {
        field.name for field in form("actions", "sr4", {"cost": [{"simple": 1}]}).fields if field.required
    }
    assert "type" not in required


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"type": "integer", "minimum": 1}, "A whole number, at least 1."),
        ({"type": "number", "maximum": 2.5}, "A number, at most 2.5."),
        ({"type": "integer"}, "A whole number."),
        ({"type": "boolean"}, "True or false."),
        ({"enum": ["a", True]}, "One of: a, true."),
        ({"const": 2}, "Always 2."),
        ({"type": "string", "maxLength": 9}, "At most 9 characters."),
        ({"type": "array", "minItems": 2, "items": {"type": "integer"}}, "At least 2. Each a whole number."),
        ({"type": "object", "properties": {"ref": {}, "page": {}}}, "Parts: ref, page."),
        ({"type": ["integer", "string"]}, ""),
    ],
)  # fmt: skip
def test_what_a_schema_allows(part: dict[str, Any], expected: str) -> None:
    assert allowed(part) == expected


@pytest.fixture(scope="module")
def library() -> Library:
    """The shipped packs, without those that are being written and do not fit yet."""
    from fracas.packs.files import pack_folders

    readings = [read(in_folder(root)) for root in pack_folders(shipped("datapacks"))]
    return Library([reading.pack for reading in readings if reading.pack and not reading.problems])


def test_a_copy_has_the_values_and_not_the_story(library: Library) -> None:
    entry = library.ruleset_packs("sr4").entry("weapon", "ares-predator-iv")
    assert entry is not None
    values = new_values("weapons", "sr4", "mine", "Mine", "own", entry.data)
    assert values == {**entry.data, "slug": "mine", "label": "Mine", "source": {"ref": "own"}}


def test_copies_of_all_shipped_entries_fit_their_schemas(library: Library) -> None:
    count = 0
    for pack in library.packs.values():
        ruleset = pack.manifest.ruleset
        for kind in kinds_of(ruleset):
            for entry in [entry for entry in pack.entries if entry.kind == KINDS[kind]][::7]:
                assert structure_problems(load(written(ruleset, kind, entry.data)), kind) == []
                count += 1
    assert count > 100


@pytest.mark.parametrize(
    ("slug", "near"),
    [("My Gun", "my-gun"), ("Ares_Predator", "ares-predator"), ("-x-", "x"), ("a" * 70, "a" * 64)],
)
def test_a_bad_slug_is_refused_with_a_proposal(slug: str, near: str) -> None:
    with pytest.raises(ScaffoldError, match=f"did you mean '{near}'"):
        check_slug(slug)


@pytest.mark.parametrize("slug", ["", "---", "✂"])
def test_a_hopeless_slug_is_refused(slug: str) -> None:
    with pytest.raises(ScaffoldError, match="small letters, digits and hyphens are expected"):
        check_slug(slug)


@pytest.mark.parametrize("text", ["a\nb", "\udc80", "\0"])
def test_text_that_cannot_be_shown_is_refused(text: str) -> None:
    with pytest.raises(ScaffoldError, match="the title"):
        check_text(text, "title")


def test_a_label_is_made_of_the_slug() -> None:
    assert label_of("back-alley-special") == "Back alley special"


# Files.

OWN = """\
# My guns, by Ann.
kind: weapons
ruleset: sr4
entries:
  - slug: first   # keep me
    label: "First"

# The end.
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_the_rest_of_a_file_stays_as_it_was(line_end: str, mark: str) -> None:
    before = mark + OWN.replace("\n", line_end)
    made = with_entry(
        before.encode(), "weapons.yaml", "weapons", "sr4", "", ["slug: second", "# About it", "label: S"]
    )
    new = ["", "  - slug: second", "    # About it", "    label: S"]
    head, tail = before.split(line_end + line_end)
    assert made == head + line_end + line_end.join(new) + line_end + line_end + tail


@pytest.mark.parametrize(
    ("before", "code"),
    [
        (b"kind: weapons\nruleset: sr4\n", "cannot-append"),
        (b"kind: [weapons\n", "bad-yaml"),
        (b"kind: \xff\n", "not-text"),
        (b"entries: []\nentries: []\n", "duplicate-key"),
    ],
)
def test_a_file_that_cannot_be_added_to(before: bytes, code: str) -> None:
    with pytest.raises(PackError) as caught:
        with_entry(before, "here/weapons.yaml", "weapons", "sr4", "", ["slug: a"])
    (problem,) = caught.value.problems
    assert problem.code == code
    assert problem.path.startswith("here/weapons.yaml")


def test_a_new_file_names_its_schema() -> None:
    first, *_ = new_file("weapons", "cwn", "file:///C:/schemas/").splitlines()
    assert first == "# yaml-language-server: $schema=file:///C:/schemas/weapons.schema.json"


# Packs.


def structure(files: Mapping[str, str]) -> list[Problem]:
    """The strict reading and the JSON Schemas, of all the files of a pack."""
    from fracas.packs.files import in_memory

    made = {name: text.encode() for name, text in files.items() if name.endswith(".yaml")}
    return list(read(in_memory(made, ""), None, structure_problems).problems)


def recipe(library: Library, ruleset: str, **changes: Any) -> Recipe:
    made = Recipe("mine", "", "", core_pack(library, ruleset), frozenset(), "../schemas")
    return made._replace(**changes)


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_new_pack_has_an_example_of_each_kind(library: Library, ruleset: str) -> None:
    files = skeleton(recipe(library, ruleset), structure)
    worked = any(entry.kind == "example" for entry in core_pack(library, ruleset).entries)
    kinds = [kind for kind in kinds_of(ruleset) if kind != "examples" or worked]
    assert set(files) == {"pack.yaml", "README.md", *(f"{kind}.yaml" for kind in kinds)}
    for kind in kinds:
        text = files[f"{kind}.yaml"]
        if kind == "modifiers":  # which would count in every step
            assert load(text).data["entries"] == []
            text = re.sub(r"(?m)^# (?= |# Made)|^(entries:) \[\]$|^# It counts.*\n", r"\1", text)
        located = load(text)
        assert structure_problems(located, kind) == []
        (entry,) = located.data["entries"]
        assert (entry["slug"], entry["source"]) == (f"my-{KINDS[kind]}", {"ref": "own"})
        assert f"`{kind}.yaml` | {description_of(kind)}" in files["README.md"]
    manifest = load(files["pack.yaml"])
    assert structure_problems(manifest, "pack") == []
    core = core_pack(library, ruleset).manifest
    assert manifest.data["requires"] == [{"id": core.id, "version": versions_from(core.version)}]
    assert (manifest.data["layer"], manifest.data["status"]) == ("house", "wip")


def test_the_worked_example_uses_the_new_weapon(library: Library) -> None:
    for ruleset in ("sr4", "cwn"):
        files = skeleton(recipe(library, ruleset), structure)
        (example,) = load(files["examples.yaml"]).data["entries"]
        assert example["request"]["situation"]["weapon"] == "my-weapon"
        assert example["dice"]


def test_title_and_author(library: Library) -> None:
    files = skeleton(recipe(library, "sr4", title="Guns: #1", author="Ann 'A' \"B\""), structure)
    manifest = load(files["pack.yaml"]).data
    assert (manifest["title"], manifest["authors"]) == ("Guns: #1", ["Ann 'A' \"B\""])
    assert files["README.md"].startswith("# Guns: #1\n")
    assert load(skeleton(recipe(library, "sr4"), structure)["pack.yaml"]).data["title"] == "Mine"


def test_slugs_that_others_have_are_not_taken_again(library: Library) -> None:
    taken = frozenset({("weapon", "my-weapon"), ("armor", "my-armor"), ("armor", "mine-armor")})
    files = skeleton(recipe(library, "sr4", taken=taken), structure)
    found = {
        kind: load(files[f"{kind}.yaml"]).data["entries"][0]["slug"] for kind in ("weapons", "armor", "mods")
    }
    assert found == {"weapons": "mine-weapon", "armor": "my-armor-2", "mods": "my-mod"}
    assert load(files["examples.yaml"]).data["entries"][0]["request"]["situation"]["weapon"] == "mine-weapon"


def test_an_example_that_does_not_pass_is_replaced_by_another(library: Library) -> None:
    """Here the first two armors are refused by the check."""
    tried: list[str] = []

    def check(files: Mapping[str, str]) -> list[Problem]:
        tried.append(re.findall(r"Made after (\S+)\.", files["armor.yaml"])[0])
        return [Problem("armor.yaml:5:1", "refused", "no")] if len(tried) < 3 else []

    files = skeleton(recipe(library, "sr4"), check)
    assert len(set(tried)) == 3
    assert tried[-1] in files["armor.yaml"]


@pytest.mark.parametrize("path", ["pack.yaml:1:1", "armor.yaml:1:1", ""])
def test_what_never_passes_is_told(library: Library, path: str) -> None:
    with pytest.raises(PackError, match="always wrong"):
        skeleton(recipe(library, "sr4"), lambda files: [Problem(path, "wrong", "always wrong")])


def test_without_an_entry_to_copy_the_schema_serves(library: Library) -> None:
    core = core_pack(library, "sr4")
    bare = core._replace(
        entries=tuple(entry for entry in core.entries if entry.kind in ("weapon", "combatant"))
    )
    files = skeleton(recipe(library, "sr4", core=bare), structure)
    assert "examples.yaml" not in files
    assert "Made after" not in files["mods.yaml"]
    assert load(files["mods.yaml"]).data["entries"][0]["slug"] == "my-mod"


@pytest.mark.parametrize(
    ("version", "expected"), [("0.2.7", ">=0.2,<1"), ("1.3.0-beta.1", ">=1.3,<2"), ("12.0.0", ">=12.0,<13")]
)
def test_required_versions(version: str, expected: str) -> None:
    assert versions_from(version) == expected


def test_unknown_rulesets_and_missing_core_packs(library: Library) -> None:
    with pytest.raises(ScaffoldError, match="did you mean 'sr5'"):
        core_pack(library, "sr6")
    empty = Library([])
    with pytest.raises(ScaffoldError, match="a pack imperium-core was expected"):
        core_pack(empty, "imperium")


def test_the_core_is_taken_as_it_is_without_house_rules(library: Library, tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(
        "{id: house, title: H, version: 1.0.0, schema_version: 2, ruleset: sr4, status: wip, layer: house, "
        "licenses: {data: CC0-1.0}, sources: [{id: own, title: O}], requires: [{id: sr4-core}]}",
        "utf-8",
    )
    (tmp_path / "weapons.yaml").write_text(
        "{kind: weapons, ruleset: sr4, entries: [{patch: 'sr4-core:weapon/ares-predator-iv', set: {dv: 99}, "
        "source: {ref: own}}]}",
        "utf-8",
    )
    house = read(in_folder(tmp_path)).pack
    assert isinstance(house, Pack)
    both = Library([*(pack for pack in library.packs.values()), house])
    changed = both.ruleset_packs("sr4").entry("weapon", "ares-predator-iv")
    assert changed is not None
    assert changed.data["dv"] == 99
    own = {entry.slug: entry for entry in core_pack(both, "sr4").entries if entry.kind == "weapon"}
    assert own["ares-predator-iv"].data["dv"] != 99


@pytest.mark.parametrize(("ruleset", "kind"), EVERY)
def test_simple_and_typical_entries(library: Library, ruleset: str, kind: str) -> None:
    entries = core_pack(library, ruleset).entries
    known = [entry for entry in entries if entry.kind == KINDS[kind]]
    for found in (simplest(entries, kind, ruleset), typical(entries, kind, ruleset)):
        assert sorted(entry.slug for entry in found) == sorted(entry.slug for entry in known)
    if known and kind != "examples":
        sets = [frozenset(entry.data) for entry in known]
        assert sets.count(frozenset(typical(entries, kind, ruleset)[0].data)) == max(map(sets.count, sets))
