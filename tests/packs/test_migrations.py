"""Migrations: steps without gaps, nothing else changed, and files that are all new or all as they were."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_files import BEHIND, BETWEEN, COLONS, block_files, finished, flow_files, inserted, with_ruleset
from tiers import scale

from fracas.errors import PackError
from fracas.packs.files import in_folder
from fracas.packs.manifest import SCHEMA_VERSION
from fracas.packs.migrations import migrate, plan
from fracas.packs.migrations.disk import Replacement, contents, replace_files, replacements
from fracas.packs.migrations.step import Step, edited
from fracas.packs.reading import read_pack
from fracas.packs.yaml_editing import insert_key, replace_scalar
from fracas.packs.yaml_source import load

MANIFEST = b"""\
# My pack.
id: mine   # never change this
title: 'Mine'
version: 1.2.3
schema_version: 1 # of the files

ruleset: "sr4"
status: ready
"""
WEAPONS = b"""\
# yaml-language-server: $schema=../../schemas/weapons.schema.json

kind: weapons  # all of them
entries:

  # Pistols
  - slug: my-pistol
    label: "My Pistol"   # quotes that nobody needs
"""
PACK = {
    "pack.yaml": MANIFEST,
    "weapons.yaml": WEAPONS,
    "armor/suits.yaml": b"\xef\xbb\xbfentries: []\r\nkind: armor # last",
    "tables.yaml": b"--- {kind: tables, entries: []} # in braces\n",
}
NEW = {
    "pack.yaml": MANIFEST.replace(b"schema_version: 1 ", b"schema_version: 2 "),
    "weapons.yaml": WEAPONS.replace(b"# all of them\n", b"# all of them\nruleset: sr4\n"),
    "armor/suits.yaml": b"\xef\xbb\xbfentries: []\r\nkind: armor # last\r\nruleset: sr4",
    "tables.yaml": b"--- {kind: tables, ruleset: sr4, entries: []} # in braces\n",
}


def faults(files: Mapping[str, bytes], label: str = "") -> list[tuple[str, str]]:
    """Place and code of every problem."""
    with pytest.raises(PackError) as caught:
        migrate(files, label)
    return [(problem.path, problem.code) for problem in caught.value.problems]


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


# --- The steps --------------------------------------------------------------------------------------------


def test_the_steps_are_numbered_without_gaps_up_to_the_version_of_today() -> None:
    assert [(step.before, step.after) for step in plan.STEPS] == [
        (number, number + 1) for number in range(1, SCHEMA_VERSION)
    ]


def test_each_step_is_a_module_of_its_own_that_bears_its_numbers() -> None:
    modules = sorted(path.stem for path in Path(plan.__file__).parent.glob("v*.py"))
    assert modules == [f"v{step.before:03}_to_v{step.after:03}" for step in plan.STEPS]
    assert modules == [step.texts.__module__.rpartition(".")[2] for step in plan.STEPS]


# --- From 1 to 2 ------------------------------------------------------------------------------------------


def test_a_pack_of_version_1() -> None:
    before, after, files, steps = migrate(PACK)
    assert (before, after) == (1, 2)
    assert files == NEW
    assert steps == ("version 1 to 2: every file of entries names its ruleset",)


def test_a_migrated_pack_can_be_read_and_has_nothing_left_to_do(tmp_path: Path) -> None:
    files = migrate(PACK).files
    pack = read_pack(write(tmp_path / "mine", files))
    assert pack is not None
    assert [entry.id for entry in pack.entries] == ["mine:weapon/my-pistol"]
    assert migrate(files) == (2, 2, {}, ())


@given(
    files=st.dictionaries(
        st.sampled_from(["weapons.yaml", "weapons/a.yaml", "weapons/b.yaml"]),
        finished(block_files() | flow_files()),
        min_size=1,
    ),
    manifest=finished(
        st.tuples(BETWEEN, COLONS, BEHIND, BETWEEN, st.sampled_from(["sr4", "'sr4'", '"s\\x724"'])).map(
            lambda parts: "\n".join(
                [*parts[0], f"schema_version{parts[1]}1{parts[2]}", *parts[3], f"ruleset{parts[1]}{parts[4]}"]
            )
        )
    ),
)
@settings(max_examples=scale(100, 300))
def test_only_the_version_and_the_new_line_change_however_the_files_are_written(
    files: dict[str, str], manifest: str
) -> None:
    old = {name: text.encode() for name, text in {**files, "pack.yaml": manifest}.items()}
    new = {name: content.decode() for name, content in migrate(old).files.items()}
    assert set(new) == set(old)
    assert new["pack.yaml"] == re.sub(r"(schema_version[ :]+)1", r"\g<1>2", manifest)
    for name, text in files.items():
        assert inserted(text, new[name]).strip(" ,\r\n") == "ruleset: sr4"
        assert json.dumps(load(new[name]).data) == json.dumps(with_ruleset(load(text).data, "sr4"))


@given(
    files=st.dictionaries(
        st.sampled_from(["weapons.yaml", "weapons/a.yaml"]),
        finished(block_files({"ruleset": "'sr4' # mine"}) | flow_files({"ruleset": "sr4"})),
    )
)
def test_files_that_name_their_ruleset_stay_as_they_are(files: dict[str, str]) -> None:
    old = {name: text.encode() for name, text in files.items()}
    assert set(migrate({"pack.yaml": MANIFEST, **old}).files) == {"pack.yaml"}


@pytest.mark.parametrize(
    ("ruleset", "line"),
    [
        ("sr4", "sr4"),
        ("'12'", '"12"'),
        ('"true"', '"true"'),
        ("1e", "1e"),
        ("'1e5'", '"1e5"'),
        ("007", "007"),
    ],
)
def test_the_ruleset_stays_text(ruleset: str, line: str) -> None:
    files = {
        "pack.yaml": f"{{schema_version: 1, ruleset: {ruleset}}}".encode(),
        "armor.yaml": b"kind: armor\nentries: []\n",
    }
    migrated = migrate(files).files
    assert migrated["pack.yaml"] == f"{{schema_version: 2, ruleset: {ruleset}}}".encode()
    assert migrated["armor.yaml"] == f"kind: armor\nruleset: {line}\nentries: []\n".encode()


def test_a_number_with_a_sign_is_a_version_too() -> None:
    files = migrate({"pack.yaml": b"ruleset: sr4\nschema_version:\n  +1 # one\n"}).files
    assert files == {"pack.yaml": b"ruleset: sr4\nschema_version:\n  2 # one\n"}


# --- Refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manifest", "fault"),
    [
        (b"- a\n", ("pack.yaml:1:1", "bad-manifest")),
        (b"# empty\n", ("pack.yaml:1:1", "empty-file")),
        (b"ruleset: sr4\n", ("pack.yaml:1:1", "missing-field")),
        (b"schema_version: '1'\nruleset: sr4\n", ("pack.yaml:1:17", "bad-manifest")),
        (b"schema_version: 1.0\nruleset: sr4\n", ("pack.yaml:1:17", "bad-manifest")),
        (b"schema_version: true\nruleset: sr4\n", ("pack.yaml:1:17", "bad-manifest")),
        (b"schema_version: 0\nruleset: sr4\n", ("pack.yaml:1:17", "bad-manifest")),
        (b"schema_version: %d" % (SCHEMA_VERSION + 1), ("pack.yaml:1:17", "new-schema-version")),
        (b"schema_version: 1\n", ("pack.yaml:1:1", "bad-manifest")),
        (b"schema_version: 1\nruleset: 4\n", ("pack.yaml:2:10", "bad-manifest")),
        (b"schema_version: 1\nruleset: S R 4\n", ("pack.yaml:2:10", "bad-manifest")),
        (b"schema_version: 1\nschema_version: 1\n", ("pack.yaml:2:1", "duplicate-key")),
    ],
)
def test_a_manifest_that_cannot_be_migrated(manifest: bytes, fault: tuple[str, str]) -> None:
    assert faults({**PACK, "pack.yaml": manifest}) == [fault]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"kind: weapons\nentries: &all []\n", ("weapons.yaml:2:10", "no-alias")),
        (b"kind: weap\xffons\n", ("weapons.yaml:1:11", "not-text")),
        (b"- kind: weapons\n", ("weapons.yaml:1:1", "bad-file")),
        (b"entries: []\n", ("weapons.yaml:1:1", "bad-file")),
        (b"kind: weapons\nruleset: cwn\n", ("weapons.yaml:2:10", "wrong-ruleset")),
        (b"entries: []\n? kind\n: - a\n", ("weapons.yaml:3:3", "cannot-migrate")),
        (b"entries: []\nkind: of\n  weapons\n", ("weapons.yaml:2:1", "cannot-migrate")),
    ],
)
def test_a_file_that_cannot_be_migrated(content: bytes, fault: tuple[str, str]) -> None:
    assert faults({**PACK, "weapons.yaml": content}) == [fault]


def test_all_faults_of_a_pack_are_told_at_once_with_the_name_of_its_folder() -> None:
    broken = {**PACK, "weapons.yaml": b"a: !b c\n", "armor/suits.yaml": b"a: *b\n"}
    assert faults(broken, "packs/mine") == [
        ("packs/mine/weapons.yaml:1:4", "no-tag"),
        ("packs/mine/armor/suits.yaml:1:4", "no-alias"),
    ]
    odd = {**PACK, "weapons.yaml": b"entries: []\n", "armor/suits.yaml": b"kind: armor\nruleset: cwn\n"}
    assert {path for path, _ in faults(odd)} == {"weapons.yaml:1:1", "armor/suits.yaml:2:10"}


def test_a_pack_without_a_manifest() -> None:
    assert faults({"weapons.yaml": WEAPONS}, "mine") == [("mine/pack.yaml", "no-pack")]


def test_a_pack_from_the_future_says_how_to_go_on_whatever_its_files_hold() -> None:
    with pytest.raises(PackError, match=rf"knows versions up to {SCHEMA_VERSION} \(update Fracas\)"):
        migrate({"pack.yaml": b"schema_version: 999\n", "weapons.yaml": b"%YAML 3.0\n"})


# --- Steps that go wrong, and steps one after the other ---------------------------------------------------


def step(change: Callable[[str], str], data: Callable[[dict[str, Any]], Any], before: int = 1) -> Step:
    """A step that changes the manifest alone."""
    return Step(
        before,
        before + 1,
        "a test",
        lambda pack: edited(pack, {"pack.yaml": change}),
        lambda pack: {**pack, "pack.yaml": data(pack["pack.yaml"])},
    )


def raised(text: str) -> str:
    return replace_scalar(text, ("schema_version",), "2")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: raised(text).replace("Mine", "Yours"), id="another value"),
        pytest.param(lambda text: raised(text).replace('"sr4"', "sr4\nmore: 1"), id="another key"),
        pytest.param(lambda text: raised(text).replace("1.2.3", "1.2"), id="another type"),
        pytest.param(lambda text: text, id="nothing"),
        pytest.param(lambda text: raised(text) + "}", id="no YAML"),
    ],
)
def test_a_step_that_would_change_anything_else_fails(
    change: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "STEPS", (step(change, lambda data: {**data, "schema_version": 2}),))
    assert faults(PACK, "mine") == [("mine/pack.yaml:1:1", "cannot-migrate")]


def test_a_pack_takes_all_steps_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    second = step(
        lambda text: replace_scalar(insert_key(text, ("id",), "more", "[]"), ("schema_version",), "3"),
        lambda data: {"id": data["id"], "more": [], **data, "schema_version": 3},
        before=2,
    )
    monkeypatch.setattr(plan, "STEPS", (*plan.STEPS, second))
    monkeypatch.setattr(plan, "SCHEMA_VERSION", 3)
    both = migrate(PACK)
    assert (both.before, both.after) == (1, 3)
    assert both.steps == ("version 1 to 2: every file of entries names its ruleset", "version 2 to 3: a test")
    assert {**both.files, "pack.yaml": b""} == {**NEW, "pack.yaml": b""}
    one = migrate({**NEW})
    assert (one.before, one.after, one.steps) == (2, 3, both.steps[1:])
    assert one.files == {"pack.yaml": both.files["pack.yaml"]}
    line = b"id: mine   # never change this\n"
    assert one.files["pack.yaml"] == MANIFEST.replace(line, line + b"more: []\n").replace(
        b"version: 1 ", b"version: 3 "
    )


# --- Files ------------------------------------------------------------------------------------------------


def test_what_belongs_to_a_pack(tmp_path: Path) -> None:
    strangers = ("weapon.yaml", "weapons/more/x.yaml", "weapons.yml", "notes/x.yaml", "inner/pack.yaml")
    write(
        tmp_path, {**PACK, **dict.fromkeys((*strangers, "inner/weapons.yaml", ".git/armor.yaml"), b"a: [\n")}
    )
    assert contents(in_folder(tmp_path)) == PACK


def test_files_that_cannot_be_read_are_told_at_once(tmp_path: Path) -> None:
    files = in_folder(write(tmp_path / "mine", PACK))
    (tmp_path / "mine/weapons.yaml").unlink()
    (tmp_path / "mine/tables.yaml").unlink()
    with pytest.raises(PackError) as caught:
        contents(files)
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [
        ("mine/tables.yaml", "unreadable"),
        ("mine/weapons.yaml", "unreadable"),
    ]


def planned(folder: Path) -> list[Replacement]:
    write(folder, PACK)
    return replacements(folder, PACK, migrate(PACK).files)


def test_all_files_are_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    files = planned(tmp_path)
    modes = {replacement.path: replacement.path.stat().st_mode for replacement in files}
    assert files[-1].path.name == "pack.yaml"
    replace_files(files)
    assert snapshot(tmp_path) == NEW
    assert {path: path.stat().st_mode for path in modes} == modes


def failing(
    monkeypatch: pytest.MonkeyPatch, fails: Callable[[int], bool], error: BaseException | None = None
) -> list[str]:
    """Makes some calls of os.replace fail, counted from 1; the names of the files that were to be replaced."""
    replace, seen = os.replace, []

    def fake(source: Any, target: Any) -> None:
        seen.append(Path(target).name)
        if fails(len(seen)):
            raise error or PermissionError(13, "Permission denied")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fake)
    return seen


@pytest.mark.parametrize("at", [1, 2, 3, 4])
@pytest.mark.parametrize("ever_after", [False, True])
def test_a_write_that_fails_midway_leaves_everything_as_it_was(
    at: int, ever_after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = planned(tmp_path)
    seen = failing(monkeypatch, lambda number: number >= at if ever_after else number == at)
    with pytest.raises(PackError) as caught:
        replace_files(files)
    assert len(seen) == 2 * at - 1  # the last one that was tried needs no restoring
    assert snapshot(tmp_path) == PACK
    (problem,) = caught.value.problems
    assert problem.path == str(files[at - 1].path)
    assert problem.code == "unwritable"
    assert problem.message == "Permission denied; all files are as they were"


def test_an_interruption_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = planned(tmp_path)
    failing(monkeypatch, lambda number: number == 3, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        replace_files(files)
    assert snapshot(tmp_path) == PACK


def test_what_cannot_be_restored_is_named_and_its_old_content_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = planned(tmp_path)

    def refuse(path: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    failing(monkeypatch, lambda number: number >= 2)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(PackError) as caught:
        replace_files(files)
    found = snapshot(tmp_path)
    (spare,) = set(found) - set(PACK)
    lost = files[0].path.relative_to(tmp_path).as_posix()
    assert found.pop(spare) == PACK[lost]
    assert found == {**PACK, lost: NEW[lost]}
    assert "could not be restored" in caught.value.message
    assert Path(spare).name in caught.value.message
    assert str(files[0].path.resolve()) in caught.value.message


def test_a_disk_that_is_full_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = planned(tmp_path)
    sync, calls = os.fsync, []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 4:
            raise OSError(28, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PackError, match="No space left on device; nothing has been changed"):
        replace_files(files)
    assert snapshot(tmp_path) == PACK


def test_a_file_that_somebody_edits_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    files = planned(tmp_path)
    edited_since = {**PACK, "weapons.yaml": WEAPONS + b"  # one more\n"}
    write(tmp_path, edited_since)
    with pytest.raises(PackError, match="changed-meanwhile"):
        replace_files(files)
    assert snapshot(tmp_path) == edited_since


def test_a_file_that_vanishes_meanwhile_stops_everything(tmp_path: Path) -> None:
    files = planned(tmp_path)
    (tmp_path / "weapons.yaml").unlink()
    with pytest.raises(PackError, match="unwritable"):
        replace_files(files)
    assert snapshot(tmp_path) == {name: content for name, content in PACK.items() if name != "weapons.yaml"}
