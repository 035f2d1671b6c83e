"""``fracas migrate``: a diff that changes nothing, and packs that are migrated all or not at all."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fracas.cli.migrate import _show, migrate
from fracas.packs.library import Library
from fracas.packs.shipped import shipped

MANIFEST = """\
# The pack of {id}
id: {id}
title: A pack
version: 1.2.3
schema_version: 1   # the format
ruleset: sr4
status: ready
"""
WEAPONS = (
    "kind: weapons # all\r\n\r\n# Pistols\r\nentries:\r\n  - slug: a   # the first\r\n    label: 'A'\r\n"
)
ARMOR = "{kind: armor, entries: []}"


def pack(folder: Path, id: str = "mine", **files: str) -> Path:
    texts = {"pack": MANIFEST.format(id=id), "weapons": WEAPONS, "armor": ARMOR, **files}
    (folder / id).mkdir(parents=True)
    for name, text in texts.items():
        (folder / id / f"{name}.yaml").write_bytes(text.encode())
    return folder / id


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def migrated(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What the files of `pack` become."""
    changes = (
        (b"schema_version: 1 ", b"schema_version: 2 "),
        (b"kind: weapons # all\r\n", b"kind: weapons # all\r\nruleset: sr4\r\n"),
        (b"kind: armor,", b"kind: armor, ruleset: sr4,"),
    )
    new = dict(files)
    for name in new:
        for old, changed in changes:
            new[name] = new[name].replace(old, changed)
    assert all(new[name] != files[name] for name in files)
    return new


def run(*words: Any) -> Result:
    return CliRunner().invoke(migrate, [str(word) for word in words], prog_name="migrate")


DIFF = b"""\
--- {0}/armor.yaml
+++ {0}/armor.yaml
@@ -1 +1 @@
-{kind: armor, entries: []}
\\ No newline at end of file
+{kind: armor, ruleset: sr4, entries: []}
\\ No newline at end of file
--- {0}/pack.yaml
+++ {0}/pack.yaml
@@ -2,6 +2,6 @@
 id: mine
 title: A pack
 version: 1.2.3
-schema_version: 1   # the format
+schema_version: 2   # the format
 ruleset: sr4
 status: ready
--- {0}/weapons.yaml
+++ {0}/weapons.yaml
@@ -1,4 +1,5 @@
 kind: weapons # all\r
+ruleset: sr4\r
 \r
 # Pistols\r
 entries:\r
"""


def test_a_dry_run_prints_the_diff_and_changes_nothing(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    before = snapshot(tmp_path)
    result = run(folder, "--dry-run")
    assert result.exit_code == 0
    assert result.stdout_bytes == DIFF.replace(b"{0}", folder.as_posix().encode())
    assert result.stderr == (
        f"{folder}: version 1 to 2, 3 files would change\n    version 1 to 2: every file of entries names its ruleset\n"
    )
    assert snapshot(tmp_path) == before


def test_a_migrated_pack_can_be_played_with_and_a_second_run_does_nothing(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    expected = migrated(snapshot(tmp_path))
    result = run(folder)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{folder}: version 1 to 2, 3 files changed\n")
    assert snapshot(tmp_path) == expected
    assert list(Library.read([folder]).packs) == ["mine"]
    again = run(folder)
    assert (again.exit_code, again.stdout) == (0, f"{folder}: already at version 2\n")
    assert run(folder, "--dry-run").stdout == ""
    assert snapshot(tmp_path) == expected


def test_a_folder_of_packs_is_migrated_together(tmp_path: Path) -> None:
    pack(tmp_path, "one")
    pack(tmp_path, "two")
    expected = migrated(snapshot(tmp_path))
    new = pack(tmp_path, "three")
    assert run(new).exit_code == 0
    result = run(tmp_path)
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if not line.startswith(" ")] == [
        f"{tmp_path / 'one'}: version 1 to 2, 3 files changed",
        f"{new}: already at version 2",
        f"{tmp_path / 'two'}: version 1 to 2, 3 files changed",
    ]
    assert {**snapshot(tmp_path), **expected} == snapshot(tmp_path)


def test_with_a_fault_in_one_pack_no_pack_is_written(tmp_path: Path) -> None:
    pack(tmp_path, "one")
    pack(tmp_path, "two", weapons="kind: weapons\nentries: &a []\n", armor="entries: []\n")
    pack(tmp_path, "three", pack="schema_version: 99\n")
    before = snapshot(tmp_path)
    for words in ((), ("--dry-run",)):
        result = run(tmp_path, *words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("Error: ")
        assert f"{(tmp_path / 'two').as_posix()}/weapons.yaml:2:10: no-alias: " in result.stderr
        assert f"{(tmp_path / 'three').as_posix()}/pack.yaml:1:17: new-schema-version: " in result.stderr
        assert "(update Fracas)" in result.stderr
        assert snapshot(tmp_path) == before


@pytest.mark.parametrize("at", [2, 5])
def test_a_write_that_fails_midway_is_taken_back(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack(tmp_path, "one")
    pack(tmp_path, "two")
    before = snapshot(tmp_path)
    replace, calls = os.replace, []

    def fake(source: Any, target: Any) -> None:
        calls.append(target)
        if len(calls) == at:
            raise PermissionError(13, "Permission denied")
        replace(source, target)

    with monkeypatch.context() as context:
        context.setattr(os, "replace", fake)
        result = run(tmp_path)
    assert len(calls) == 2 * at - 1
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("unwritable: Permission denied; all files are as they were\n")
    assert snapshot(tmp_path) == before
    assert run(tmp_path).exit_code == 0
    assert snapshot(tmp_path) == migrated(before)


def test_json_tells_what_was_done(tmp_path: Path) -> None:
    folder = pack(tmp_path)
    plan = json.loads(run(folder, "--dry-run", "--json").stdout)
    done = json.loads(run(folder, "--json").stdout)
    known = {
        "folder": str(folder),
        "before": 1,
        "after": 2,
        "files": ["armor.yaml", "pack.yaml", "weapons.yaml"],
        "steps": ["version 1 to 2: every file of entries names its ruleset"],
    }
    assert done == {"status": "done", "packs": [known]}
    diff = plan["packs"][0].pop("diff")
    assert plan == {"status": "planned", "packs": [known]}
    assert diff.encode() == DIFF.replace(b"{0}", folder.as_posix().encode())
    nothing = json.loads(run(folder, "--json").stdout)["packs"]
    assert nothing == [{**known, "before": 2, "files": [], "steps": []}]


def test_json_tells_every_problem(tmp_path: Path) -> None:
    folder = pack(tmp_path, weapons="a: *b\n", armor="a: !c d\n")
    result = run(folder, "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    told = json.loads(result.stdout)
    assert told["status"] == "failed"
    assert [(problem["path"], problem["code"]) for problem in told["problems"]] == [
        (f"{folder.as_posix()}/armor.yaml:1:4", "no-tag"),
        (f"{folder.as_posix()}/weapons.yaml:1:4", "no-alias"),
    ]
    assert {"path", "code", "message", "hint"} == set(told["problems"][0])


def test_a_folder_without_packs_is_an_error_and_a_wrong_path_one_of_usage(tmp_path: Path) -> None:
    nothing = run(tmp_path)
    assert (nothing.exit_code, nothing.stdout) == (1, "")
    assert "no-pack" in nothing.stderr
    manifest = pack(tmp_path) / "pack.yaml"
    for words in ((tmp_path / "nowhere",), (manifest,), (), (tmp_path, "--wet-run")):
        assert run(*words).exit_code == 2
    assert manifest.read_text() == MANIFEST.format(id="mine")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_the_diff_in_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "20")
    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    line = "+label: [bold]a line that is longer than the terminal is wide"
    _show(f"--- a\n+++ a\n@@ -1 +1 @@\n context\r\n-old\n{line}\r\n")
    assert shown.getvalue().split("\n") == [
        "\x1b[1m--- a\x1b[0m",
        "\x1b[1m+++ a\x1b[0m",
        "\x1b[36m@@ -1 +1 @@\x1b[0m",
        " context",
        "\x1b[31m-old\x1b[0m",
        f"\x1b[32m{line}\x1b[0m",
        "",
    ]


def test_copies_of_the_schemas_are_brought_up_to_date(tmp_path: Path) -> None:
    folder = pack(tmp_path, weapons=WEAPONS)
    (folder / ".schemas").mkdir()
    (folder / ".schemas" / "weapons.schema.json").write_text("{}", "utf-8")
    assert run(folder, "--dry-run").exit_code == 0
    assert (folder / ".schemas" / "weapons.schema.json").read_text("utf-8") == "{}"
    assert run(folder).exit_code == 0
    for path in shipped("schemas").glob("*.json"):
        assert (folder / ".schemas" / path.name).read_bytes() == path.read_bytes()
