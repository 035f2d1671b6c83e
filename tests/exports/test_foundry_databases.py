"""Compendiums on the disk: Foundry's own command line reads back every document, and nothing is lost or changed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from exported_packs import LIBRARIES, core
from foundry_leveldb import ClassicLevel

from fracas.exports.foundry import databases
from fracas.exports.foundry.compendiums import Compendium, compendiums, module_compendium
from fracas.exports.foundry.databases import CompendiumError

TOOLS = Path(__file__).resolve().parents[1] / "js"
CLI = TOOLS / "node_modules/@foundryvtt/foundryvtt-cli"
UNPACK = """
const [, cli, root, out, ...names] = process.argv;
const { extractPack } = await import(cli);
for (const name of names) await extractPack(`${root}/${name}`, `${out}/${name}`, { log: false });
"""


@cache
def every() -> dict[str, Compendium]:
    """The compendiums of all packs."""
    return {
        f"{name}-{each.name}": each
        for name, library in LIBRARIES.items()
        for each in (
            module_compendium(),
            *(one for pack in library().packs for one in compendiums(library(), pack)),
        )
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("compendiums")
    for name, each in every().items():
        databases.write(root / name, each.stored)
    return root


@pytest.fixture(scope="module")
def unpacked(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the library of the official command line reads, a file for each document."""
    read = tmp_path_factory.mktemp("read")
    shutil.copytree(written, read / "packs")  # opening a database changes its files
    node(str(CLI / "index.mjs"), str(read / "packs"), str(read / "out"), *every())
    return read / "out"


def node(*arguments: str) -> None:
    command = ["node", "--input-type=module", "-e", UNPACK, "--", *arguments]
    done = subprocess.run(command, cwd=TOOLS, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def documents_in(folder: Path) -> dict[str, Any]:
    found = [json.loads(path.read_text("utf-8")) for path in folder.glob("*.json")]
    assert len({each["_key"] for each in found}) == len(found)
    return {each["_key"]: each for each in found}


def by_key(compendium: Compendium) -> dict[str, Any]:
    return {each["_key"]: each for each in json.loads(json.dumps(compendium.stored))}


def test_the_official_tool_reads_every_document_unchanged(unpacked: Path) -> None:
    changed = [name for name, each in every().items() if documents_in(unpacked / name) != by_key(each)]
    assert len(every()) > 50
    assert not changed


def test_the_official_command_line_reads_a_compendium(written: Path, tmp_path: Path) -> None:
    """The same through its program, as people call it."""
    name = "core-sr4-core-tables"
    shutil.copytree(written / name, tmp_path / "packs" / name)
    command = ["node", str(CLI / "fvtt.mjs"), "package", "unpack", "-n", name, "--in", str(tmp_path / "packs"),
               "--out", str(tmp_path / "out"), "--id", "x", "--type", "Module"]  # fmt: skip
    done = subprocess.run(command, cwd=TOOLS, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert documents_in(tmp_path / "out") == by_key(every()[name])


# --- Records --------------------------------------------------------------------------------------------------


def compendium(pack: str, type: str) -> Compendium:
    return next(each for each in compendiums(core(), pack) if each.type == type)


@pytest.fixture(scope="module")
def tables() -> Sequence[Mapping[str, Any]]:
    """The documents of a compendium of tables."""
    return compendium("cwn-core", "RollTable").documents


def keys(classic_level: ClassicLevel, folder: Path) -> list[str]:
    """Those of the documents that are in no other."""
    return [key.decode() for key in classic_level.read(folder) if key.startswith(b"!tables!")]


def test_embedded_documents_have_records_of_their_own(classic_level: ClassicLevel, tmp_path: Path) -> None:
    journal = compendium("sr4-core", "JournalEntry")
    databases.write(tmp_path / "pack", journal.documents)
    found = {key.decode(): json.loads(value) for key, value in classic_level.read(tmp_path / "pack").items()}
    first = journal.documents[0]
    assert found[first["_key"]]["pages"] == [page["_id"] for page in first["pages"]]
    for page in first["pages"]:
        assert found[page["_key"]]["text"] == page["text"]
    assert len(found) == sum(1 + len(each["pages"]) for each in journal.documents)
    assert all("_key" not in value for value in found.values())


def test_actors_their_items_and_their_folders_have_records(
    classic_level: ClassicLevel, tmp_path: Path
) -> None:
    people = compendium("sr4-core", "Actor")
    databases.write(tmp_path / "pack", people.stored)
    found = {key.decode(): json.loads(value) for key, value in classic_level.read(tmp_path / "pack").items()}
    for actor in people.documents:
        assert found[actor["_key"]]["items"] == [item["_id"] for item in actor["items"]]
        for item in actor["items"]:
            assert found[item["_key"]]["system"] == json.loads(json.dumps(item["system"]))
            assert found[item["_key"]]["effects"] == []
    folders = [key for key in found if key.startswith("!folders!")]
    assert folders == sorted(each["_key"] for each in people.folders)
    assert {actor["folder"] for actor in people.documents} == {each["_id"] for each in people.folders}


def test_the_same_documents_make_the_same_bytes(tables: Sequence[Mapping[str, Any]]) -> None:
    again = tuple(json.loads(json.dumps(each)) for each in reversed(tables))
    assert databases.files(tables) == databases.files(again)
    assert databases.files(tables) != databases.files(tables[1:])


# --- Replacing ------------------------------------------------------------------------------------------------


def test_a_compendium_is_replaced_though_it_was_in_use(
    classic_level: ClassicLevel, tmp_path: Path, tables: Sequence[Mapping[str, Any]]
) -> None:
    folder = tmp_path / "packs" / "some"
    databases.write(folder, tables)
    assert len(keys(classic_level, folder)) == len(tables)
    databases.write(folder, tables[:1])
    assert len(keys(classic_level, folder)) == 1
    assert [path.name for path in folder.parent.iterdir()] == ["some"]  # nothing is left lying about


def test_one_that_is_in_use_is_left_alone(
    classic_level: ClassicLevel, tmp_path: Path, tables: Sequence[Mapping[str, Any]]
) -> None:
    folder = tmp_path / "some"
    databases.write(folder, tables)
    with classic_level.held(folder), pytest.raises(CompendiumError, match="in use; stop Foundry"):
        databases.write(folder, tables[:1])
    assert len(keys(classic_level, folder)) == len(tables)


def test_what_is_no_compendium_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    with pytest.raises(CompendiumError, match="is no compendium"):
        databases.write(tmp_path, [])
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"


def test_a_broken_one_is_replaced(
    classic_level: ClassicLevel, tmp_path: Path, tables: Sequence[Mapping[str, Any]]
) -> None:
    folder = tmp_path / "some"
    databases.write(folder, tables)
    next(folder.glob("MANIFEST-*")).write_bytes(b"spoilt")
    databases.write(folder, tables)
    assert len(keys(classic_level, folder)) == len(tables)
