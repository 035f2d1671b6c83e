"""Compiled packs are the packs, and a stale file of them is not used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from fracas.engine import opening
from fracas.engine.opening import open_games
from fracas.errors import PackError
from fracas.packs import compiled
from fracas.packs.entries import Entry, Pack
from fracas.packs.files import pack_folders
from fracas.packs.reading import read_pack
from fracas.packs.shipped import shipped

MANIFEST = """id: {id}
title: A pack
version: 0.1.0
schema_version: 2
ruleset: sr4
status: wip
licenses: {{data: CC0-1.0, code: MIT}}
sources: {{}}
"""
ARMOR = """kind: armor
ruleset: sr4
entries:
  - slug: coat
    label: Coat
    ballistic: {ballistic}
    impact: 4
  - slug: vest
    label: Vest
    ballistic: 6
    impact: 4
"""


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    for id in ("first", "second"):
        folder = tmp_path / "packs" / id
        folder.mkdir(parents=True)
        (folder / "pack.yaml").write_text(MANIFEST.format(id=id), "utf-8")
        (folder / "armor.yaml").write_text(ARMOR.format(ballistic=6), "utf-8")
    return pack_folders(tmp_path / "packs")


@pytest.fixture(scope="module")
def shipped_file() -> bytes:
    return opening.compile_built_in()


def what(entry: Entry) -> object:
    return entry._replace(location=entry.location.start())  # type: ignore[arg-type]


def parts(pack: Pack) -> Iterator[object]:
    yield pack.manifest._replace(location=None)  # type: ignore[arg-type]
    yield from map(what, pack.entries)
    for operation in pack.operations:
        yield operation._replace(location=operation.location.start())  # type: ignore[arg-type]
    yield {name: located.data for name, located in pack.attached.items()}
    yield pack.digest, pack.label, pack.left_out


def test_the_shipped_packs_are_the_same_with_their_sources_and_without(shipped_file: bytes) -> None:
    folders = pack_folders(shipped("datapacks"))
    read = [pack for folder in folders if (pack := read_pack(folder)) is not None]
    with_sources, without = compiled.opened(shipped_file, folders), compiled.opened(shipped_file)
    assert [pack.folder for pack in with_sources] == folders
    assert [pack.folder for pack in without] == [None] * len(folders)
    for one, two, three in zip(read, with_sources, without, strict=True):
        assert list(parts(one)) == list(parts(two)) == list(parts(three))
        for entry, same in zip(one.entries, two.entries, strict=True):
            field = tuple(entry.data)[:1]
            assert entry.location_of(field) == same.location_of(field)


def test_packs_of_other_rulesets_and_kinds_that_are_not_needed_stay_unread(shipped_file: bytes) -> None:
    folders = pack_folders(shipped("datapacks"))
    all_of_them = [pack for pack in compiled.opened(shipped_file) if pack.manifest.ruleset == "sr4"]
    found = compiled.opened(shipped_file, folders, "sr4", ("examples",))
    assert [pack.id for pack in found] == [pack.id for pack in all_of_them]
    for pack, whole in zip(found, all_of_them, strict=True):
        assert [entry.id for entry in pack.entries] == [
            one.id for one in whole.entries if one.kind != "example"
        ]
        assert pack.digest == whole.digest


def test_a_manifest_says_where_its_parts_stand_without_its_source(shipped_file: bytes) -> None:
    folders = pack_folders(shipped("datapacks"))
    for folder, pack in zip(folders, compiled.opened(shipped_file), strict=True):
        read = read_pack(folder)
        assert read is not None
        for option in pack.manifest.options:
            for path in ((), ("options", option.id), ("options", option.id, "default")):
                assert pack.manifest.location.text(path) == read.manifest.location.text(path)


def test_the_same_files_make_the_same_bytes(shipped_file: bytes) -> None:
    assert opening.compile_built_in() == shipped_file


def test_without_its_source_a_field_is_where_its_entry_is(folders: list[Path]) -> None:
    content = compiled.compiled(folders)
    near, far = (compiled.opened(content, which)[0].entries[1] for which in (folders, None))
    assert near.place == far.place == "first/armor.yaml:8:5"
    assert near.location_of(("impact",)) == "first/armor.yaml:11:13"
    assert far.location_of(("impact",)) == "first/armor.yaml:8:5"


def test_a_file_is_fresh_until_a_source_changes(folders: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "kept" / "packs.json"
    assert compiled.fresh(folders, file) is None
    compiled.keep(compiled.compiled(folders), file)
    found = compiled.fresh(folders, file)
    assert found is not None
    assert [pack.id for pack in found] == ["first", "second"]
    armor = folders[0] / "armor.yaml"
    before = armor.read_text("utf-8")
    armor.write_text(ARMOR.format(ballistic=7), "utf-8")
    assert compiled.fresh(folders, file) is None
    armor.write_text(before, "utf-8")
    assert compiled.fresh(folders, file) is not None
    armor.rename(folders[0] / "weapons.yaml")
    assert compiled.fresh(folders, file) is None
    assert compiled.fresh(folders[:1], file) is None


def test_a_file_of_another_version_is_stale(
    folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "packs.json"
    content = compiled.compiled(folders)
    compiled.keep(content, file)
    monkeypatch.setattr(compiled, "__version__", "0.0.1")
    assert compiled.fresh(folders, file) is None
    with pytest.raises(PackError, match="another version"):
        compiled.opened(content)


@hypothesis_settings(max_examples=40)
@given(cut=st.integers(0, 3000), junk=st.binary(max_size=20))
def test_a_damaged_file_is_never_half_used(
    cut: int, junk: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("packs")
    (folder / "pack.yaml").write_text(MANIFEST.format(id="one"), "utf-8")
    content = compiled.compiled([folder])
    file = folder.parent / "packs.json"
    damaged = content[:cut] + junk + content[cut + len(junk) :]
    compiled.keep(damaged, file)
    assert compiled.fresh([folder], file) is None or damaged == content
    if damaged.partition(b"\n")[0] == content.partition(b"\n")[0] and damaged != content:
        with pytest.raises(PackError, match="damaged"):
            compiled.opened(damaged)


def test_games_of_compiled_packs_are_the_games(
    shipped_file: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "packs.json"
    monkeypatch.setattr(compiled.fresh, "__defaults__", (file, None, ()))
    slow = open_games(())
    compiled.keep(shipped_file, file)
    monkeypatch.setattr(opening, "_built_in", None)  # nobody reads YAML now
    quick = open_games(())
    assert quick.library.digest == slow.library.digest
    for id in quick.ids():
        assert quick.game(id).house_rules == slow.game(id).house_rules
        assert quick.game(id).economy == slow.game(id).economy
        assert not quick.faults(id)
    beside = open_games((shipped("docs") / "house-rules",))
    assert "gritty-streets" in beside.library.packs


def test_the_first_start_keeps_what_it_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytes] = []
    monkeypatch.setattr(compiled, "is_fresh", lambda folders: False)
    monkeypatch.setattr(compiled, "keep", kept.append)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    opening.keep_built_in()
    assert not kept
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    opening.keep_built_in()
    assert [compiled.opened(content)[0].id for content in kept] == ["cwn-core"]
    monkeypatch.setattr(compiled, "is_fresh", lambda folders: True)
    opening.keep_built_in()
    assert len(kept) == 1


def test_a_damaged_file_is_not_fresh(folders: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "packs.json"
    assert not compiled.is_fresh(folders, file)
    compiled.keep(compiled.compiled(folders), file)
    assert compiled.is_fresh(folders, file)
    assert not compiled.is_fresh(folders[:1], file)
    file.write_bytes(file.read_bytes()[:-1])
    assert not compiled.is_fresh(folders, file)
