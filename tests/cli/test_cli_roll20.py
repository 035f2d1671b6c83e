"""``fracas export roll20``: a Mod as Roll20's repository of scripts wants it, and what games without it need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Run
from jsonschema import Draft202012Validator

from fracas.packs.shipped import shipped

HOUSE_RULES = Path(__file__).resolve().parents[2] / "docs" / "house-rules"
SCHEMA = json.loads((shipped("schemas") / "roll20/script.schema.json").read_text("utf-8"))


def manifest(folder: Path) -> Any:
    """The Mod's manifest, which must be right."""
    found = json.loads((folder / "fracas/script.json").read_text("utf-8"))
    Draft202012Validator(SCHEMA).validate(found)
    assert found["name"] == "fracas"
    for version in (found["version"], *found["previousversions"]):
        assert (folder / "fracas" / version / found["script"]).is_file()
    return found


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def change(folder: Path, **values: Any) -> None:
    path = folder / "fracas/script.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **values}), "utf-8")


def test_a_folder_with_the_mod_and_texts_for_games_without(run: Run, tmp_path: Path) -> None:
    done = run("export", "roll20", "sr4-core", "--out", tmp_path)
    assert done.status == 0, done.err
    version = manifest(tmp_path)["version"]
    assert version in done.out
    mod = {"README.md", "fracas.js", "script.json", f"{version}/fracas.js"}
    assert files(tmp_path) == {"import-table.txt", "macros.md", *(f"fracas/{name}" for name in mod)}
    script = (tmp_path / "fracas/fracas.js").read_text("utf-8")
    assert script == (tmp_path / f"fracas/{version}/fracas.js").read_text("utf-8")
    assert '"id":"sr4-core"' in script
    lines = (tmp_path / "import-table.txt").read_text("utf-8").splitlines()
    assert all(line.startswith("!import-table") for line in lines)
    assert (tmp_path / "macros.md").read_text("utf-8").startswith("# ")


def test_a_pack_without_rolled_tables_has_no_lines_for_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "import-table.txt").write_text("of an earlier export", "utf-8")
    assert run("export", "roll20", "sr5-core", "--out", tmp_path).status == 0
    assert {name for name in files(tmp_path) if "/" not in name} == {"macros.md"}


def test_the_readme_tells_of_every_command(run: Run, tmp_path: Path) -> None:
    assert run("export", "roll20", "cwn-core", "--out", tmp_path).status == 0
    readme = (tmp_path / "fracas/README.md").read_text("utf-8")
    about = manifest(tmp_path)["description"]
    for command in (
        "help",
        "import-pack",
        "token-actions",
        "status",
        "remove",
        "config",
        "markers",
        "import",
        "undo",
    ):
        assert f"`!fracas {command}" in readme
        assert f"`!fracas {command}" in about


def test_equal_packs_make_equal_files(run: Run, tmp_path: Path) -> None:
    assert run("export", "roll20", "imperium-core", "--out", tmp_path).status == 0
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    assert run("export", "roll20", "imperium-core", "--out", tmp_path).status == 0
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == before


def test_earlier_versions_and_what_people_wrote_stay(run: Run, tmp_path: Path) -> None:
    assert run("export", "roll20", "imperium-core", "--out", tmp_path).status == 0
    now = manifest(tmp_path)["version"]
    old = tmp_path / "fracas/0.0.1"
    old.mkdir()
    (old / "fracas.js").write_text("old", "utf-8")
    change(tmp_path, version="0.0.1", previousversions=["0.0.0"], roll20userid="45672", authors="Somebody")
    assert run("export", "roll20", "imperium-core", "--out", tmp_path).status == 0
    found = manifest(tmp_path)
    assert (found["version"], found["previousversions"]) == (now, ["0.0.1"])
    assert (found["roll20userid"], found["authors"]) == ("45672", "Somebody")
    assert (old / "fracas.js").read_text("utf-8") == "old"


def test_layers_are_applied(run: Run, tmp_path: Path) -> None:
    assert run("export", "roll20", "sr4-core", "--out", tmp_path / "plain").status == 0
    done = run("export", "roll20", "sr4-core", "--out", tmp_path / "house", "--packs", HOUSE_RULES)
    assert done.status == 0, done.err
    texts = [(tmp_path / each / "fracas/fracas.js").read_text("utf-8") for each in ("plain", "house")]
    assert texts[0] != texts[1]


@pytest.mark.parametrize("text", ['{"name": "dice", "script": "dice.js"}', "[]", '{"name": "fracas"}'])
def test_another_script_is_left_alone(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "fracas").mkdir()
    (tmp_path / "fracas/script.json").write_text(text, "utf-8")
    complaint = run("export", "roll20", "imperium-core", "--out", tmp_path).complaint()
    assert "is of another script; choose another folder" in complaint
    assert files(tmp_path) == {"fracas/script.json"}


def test_a_manifest_that_cannot_be_read_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fracas").mkdir()
    (tmp_path / "fracas/script.json").write_text("{", "utf-8")
    complaint = run("export", "roll20", "imperium-core", "--out", tmp_path).complaint()
    assert "script.json cannot be read" in complaint
    assert files(tmp_path) == {"fracas/script.json"}


def test_no_such_pack(run: Run, tmp_path: Path) -> None:
    complaint = run("export", "roll20", "sr4-cor", "--out", tmp_path).complaint()
    assert "no pack 'sr4-cor' is installed (did you mean 'sr4-core'?)" in complaint


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("version", "0.1.0-beta"),
        ("version", 1),
        ("previousversions", ["0.1", "0.1"]),
        ("script", "fracas.mjs"),
        ("roll20userid", "me"),
        ("modifies", {"graphic": "all"}),
        ("useroptions", [{"name": "x", "type": "color", "description": "x"}]),
        ("authors", []),
        ("colour", "red"),
    ],
)
def test_the_schema_refuses_what_roll20_refuses(field: str, wrong: Any) -> None:
    found = json.loads((shipped("integrations") / "roll20/fracas/script.json").read_text("utf-8"))
    check = Draft202012Validator(SCHEMA)
    assert check.is_valid(found)
    assert not check.is_valid({**found, field: wrong})
    if field in SCHEMA["required"]:
        assert not check.is_valid({name: value for name, value in found.items() if name != field})
