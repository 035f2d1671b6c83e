"""``fracas export``: files that other programs open, of any pack in use."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import Run
from foundry_leveldb import ClassicLevel

HOUSE_RULES = Path(__file__).resolve().parents[2] / "docs" / "house-rules"


def lines(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_csv_files_of_a_pack(run: Run, tmp_path: Path) -> None:
    done = run("export", "csv", "sr4-core", "--out", tmp_path / "sheets")
    assert done.status == 0, done.err
    assert {"weapons.csv", "modifiers.csv", "tables.csv"} < names(tmp_path / "sheets")
    assert "examples.csv" not in names(tmp_path / "sheets")
    raw = (tmp_path / "sheets" / "weapons.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfid,label,")
    assert b"\r\n" in raw
    pistol = next(
        each for each in lines(tmp_path / "sheets/weapons.csv") if each["label"] == "Ares Predator IV"
    )
    assert (pistol["dv"], pistol["ap"], pistol["features"]) == ("5", "-1", "smartgun")


def test_layers_of_other_folders_are_applied(run: Run, tmp_path: Path) -> None:
    done = run("export", "csv", "sr4-core", "--out", tmp_path, "--packs", HOUSE_RULES)
    assert done.status == 0, done.err
    pistol = next(each for each in lines(tmp_path / "weapons.csv") if each["label"] == "Ares Predator IV")
    assert pistol["dv"] == "6"


def test_without_a_folder_csv_files_go_into_one_named_for_the_pack(tmp_path: Path, run: Run) -> None:
    command = [sys.executable, "-m", "fracas.cli", "export", "csv", "imperium-core"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "weapons.csv" in names(tmp_path / "imperium-core-csv")
    assert "to imperium-core-csv: " in done.stdout


def test_markdown_is_printed_or_written(run: Run, tmp_path: Path) -> None:
    printed = run("export", "markdown", "gritty-streets", "--packs", HOUSE_RULES)
    assert printed.status == 0, printed.err
    assert printed.out.startswith("# ")
    assert "## Weapons" in printed.out
    done = run(
        "export", "markdown", "gritty-streets", "--packs", HOUSE_RULES, "--out", tmp_path / "deep" / "x.md"
    )
    assert done.status == 0, done.err
    assert (tmp_path / "deep" / "x.md").read_text("utf-8") == printed.out


# --- Foundry ------------------------------------------------------------------------------------------------


def manifest(folder: Path) -> Any:
    return json.loads((folder / "module.json").read_text("utf-8"))


def test_compendiums_with_a_module_of_their_own(
    run: Run, classic_level: ClassicLevel, tmp_path: Path
) -> None:
    done = run("export", "foundry", "sr4-core", "--out", tmp_path)
    assert done.status == 0, done.err
    packs = {each["name"]: each for each in manifest(tmp_path)["packs"]}
    assert set(packs) == names(tmp_path / "packs")
    assert packs["sr4-core-items-shadowrun4e"]["system"] == "shadowrun4e"
    assert "system" not in packs["sr4-core-journal"]
    for each in packs.values():
        assert classic_level.read(tmp_path / each["path"])
    assert manifest(tmp_path)["id"] == "sr4-core"
    assert manifest(tmp_path)["version"]


def test_a_second_export_keeps_what_people_added_to_the_module(run: Run, tmp_path: Path) -> None:
    assert run("export", "foundry", "imperium-core", "--out", tmp_path).status == 0
    first = manifest(tmp_path)
    own = {"name": "imperium-core-maps", "label": "Maps", "path": "packs/imperium-core-maps", "type": "Scene"}
    gone = {"name": "imperium-core-old", "label": "Old", "path": "packs/imperium-core-old", "type": "Item"}
    flags = {"fracas": {**first["flags"]["fracas"], "compendiums": ["imperium-core-old"]}, "other": 1}
    changed = {
        **first,
        "url": "https://example.org",
        "version": "0.0.1",
        "packs": [gone, own],
        "flags": flags,
    }
    (tmp_path / "module.json").write_text(json.dumps(changed), "utf-8")
    assert run("export", "foundry", "imperium-core", "--out", tmp_path).status == 0
    assert manifest(tmp_path) == {
        **first,
        "url": "https://example.org",
        "packs": [*first["packs"], own],
        "flags": {**first["flags"], "other": 1},
    }


@pytest.mark.parametrize("text", ['{"id": "dice-of-somebody"}', '{"flags": []}', "[]"])
def test_another_module_is_left_alone(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "module.json").write_text(text, "utf-8")
    complaint = run("export", "foundry", "imperium-core", "--out", tmp_path).complaint()
    assert "is of another module; choose another folder" in complaint
    assert names(tmp_path) == {"module.json"}
    assert (tmp_path / "module.json").read_text("utf-8") == text


def test_a_manifest_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "module.json").write_text("{", "utf-8")
    assert (
        "module.json cannot be read"
        in run("export", "foundry", "imperium-core", "--out", tmp_path).complaint()
    )


def test_a_contributed_pack(run: Run, tmp_path: Path) -> None:
    assert run("new", "pack", "my-guns", "--ruleset", "sr4", "--folder", tmp_path).status == 0
    done = run("export", "foundry", "my-guns", "--out", tmp_path / "module", "--packs", tmp_path / "my-guns")
    assert done.status == 0, done.err
    assert {"my-guns-journal", "my-guns-items-shadowrun4e"} <= names(tmp_path / "module" / "packs")


# --- What goes wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["csv"], ["markdown"], ["foundry", "--out", "x"]])
def test_an_unknown_pack_is_answered_with_the_nearest(run: Run, words: list[str]) -> None:
    complaint = run("export", words[0], "sr4-cor", *words[1:]).complaint()
    assert complaint == "no pack 'sr4-cor' is installed (did you mean 'sr4-core'?)"


def test_a_pack_that_only_changes_others(run: Run, tmp_path: Path) -> None:
    pack = (HOUSE_RULES / "gritty-streets" / "pack.yaml").read_text("utf-8")
    (tmp_path / "quiet").mkdir()
    (tmp_path / "quiet" / "pack.yaml").write_text(pack.replace("gritty-streets", "quiet"), "utf-8")
    (tmp_path / "quiet" / "weapons.yaml").write_text(
        "kind: weapons\nruleset: sr4\nentries:\n"
        "  - patch: sr4-core:weapon/ares-predator-iv\n    set: {dv: 6}\n    source: {ref: our-table}\n",
        "utf-8",
    )
    complaint = run("export", "markdown", "quiet", "--packs", tmp_path / "quiet").complaint()
    assert (
        complaint
        == "quiet has no entries of its own; it changes sr4-core: export that, with this pack in use"
    )


@pytest.mark.parametrize("words", [["csv"], ["foundry"]])
def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    complaint = run("export", *words, "imperium-core", "--out", tmp_path / "file" / "in-it").complaint()
    assert "cannot be" in complaint
