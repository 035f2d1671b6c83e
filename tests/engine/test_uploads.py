"""Packs that people send: archives, and single files, which are given a pack to lie in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from whole_packs import files_of, texts_of

from fracas.engine import checking
from fracas.engine.checking import check
from fracas.engine.uploads import uploaded
from fracas.errors import PackError, Problem
from fracas.packs.library import Library
from fracas.packs.yaml_source import load

STREET = texts_of("street")
CITY = texts_of("city")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """The street and the city are the built-in packs."""
    for pack, texts in (("street", STREET), ("city", CITY)):
        for name, text in texts.items():
            path = tmp_path / pack / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    monkeypatch.setattr(checking, "shipped", lambda name: tmp_path)
    return Library.read([tmp_path])


def zipped(files: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def faults(content: str, library: Library) -> list[tuple[str, str]]:
    report = check(uploaded(content.encode(), False, library))
    return [(problem.path, problem.code) for problem in report.problems]


def armor(*lines: str) -> str:
    return "kind: armor\nruleset: sr4\nentries:\n" + "".join(f"  - {{{line}}}\n" for line in lines)


VEST = "slug: vest, label: Vest, ballistic: 1, impact: 1, source: {ref: some-book}"


def test_one_file_of_entries(library: Library) -> None:
    (files,) = uploaded(armor(VEST).encode(), False, library)
    assert (files.label, files.names, files.folder) == ("upload", ("armor.yaml", "pack.yaml"), None)
    manifest: Any = load(files.read("pack.yaml")).data
    assert manifest["ruleset"] == "sr4"
    assert manifest["requires"] == [{"id": "street"}]
    assert manifest["sources"] == [{"id": "some-book", "title": "some-book"}]
    report = check([files])
    assert (report.problems, report.packs, report.entries) == ((), ("upload",), 1)


def test_a_file_may_build_on_every_pack_of_its_ruleset(library: Library) -> None:
    content = armor(
        VEST, "patch: street:armor/coat, expects: {impact: 2}, set: {impact: 3}, source: {ref: mine}"
    )
    assert faults(content, library) == []
    people = STREET["combatants.yaml"].replace("slug: ann", "slug: ben")
    assert faults(people, library) == []
    assert faults(CITY["drugs.yaml"].replace("slug: calm", "slug: rage"), library) == []


def test_the_faults_of_a_file_of_entries(library: Library) -> None:
    content = armor(
        VEST.replace("impact: 1", "imapct: 1"), VEST.replace("vest", "coat"), "remove: street:armor/cote"
    )
    assert faults(content, library) == [
        ("upload/armor.yaml:4:45", "unknown-field"),
        ("upload/armor.yaml:5:12", "duplicate-slug"),
        ("upload/armor.yaml:6:6", "missing-field"),
    ]


@pytest.mark.parametrize(
    ("content", "place", "code"),
    [
        ("kind: armor\nruleset: sr4\nentries: [a\n", "upload/armor.yaml:3:10", "bad-yaml"),
        ("kind: 'armor'\nkind: armor\nentries: []\n", "upload/armor.yaml:2:1", "duplicate-key"),
        ("# x\n{kind: armor, entries: [*a]}\n", "upload/armor.yaml:2:25", "no-alias"),
        ("kind: armor\nruleset: sr4\n", "upload/armor.yaml:1:1", "missing-field"),
        ("kind: armor\nruleset: sr9\nentries: []\n", "upload/armor.yaml:2:10", "unknown-choice"),
        ("kind: armor\nentries: []\n", "upload/armor.yaml:1:1", "missing-field"),
        ("kind: armor\nruleset: [sr4]\nentries: []\n", "upload/armor.yaml:2:10", "unknown-choice"),
        ("id: x\nschema_version: 2\nid: y\n", "upload/pack.yaml:3:1", "duplicate-key"),
        ("id: x\nschema_version: 1\n", "upload/pack.yaml:2:17", "old-schema-version"),
        ("{schema_version: 2}", "upload/pack.yaml:1:2", "missing-field"),
    ],
)
def test_faults_are_for_the_report(content: str, place: str, code: str, library: Library) -> None:
    found = faults(content, library)
    assert (place, code) in found
    assert {path for path, _ in found} == {place}


@pytest.mark.parametrize("ref", ["Not A Name", "", "x" * 65, "a/b"])
def test_a_source_that_is_no_name(ref: str, library: Library) -> None:
    found = faults(armor(VEST.replace("some-book", f'"{ref}"')), library)
    assert [path for path, _ in found] == ["upload/armor.yaml:4:70"]


def test_a_manifest_alone(library: Library) -> None:
    (files,) = uploaded(STREET["pack.yaml"].encode(), False, library)
    assert files.names == ("pack.yaml",)
    report = check([files])
    assert (report.packs, report.problems) == (("street",), ())


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("just: data\n", ("upload:1:1", "bad-file", None)),
        ("[1, 2]\n", ("upload:1:1", "bad-file", None)),
        ("text", ("upload:1:1", "bad-file", None)),
        ("kind: armour\n", ("upload:1:1", "bad-file", "did you mean 'armor'?")),
        ("kind: [armor]\n", ("upload:1:1", "bad-file", None)),
        ("", ("upload:1:1", "empty-file", None)),
        ("a: [b\n", ("upload:1:4", "bad-yaml", None)),
        ("kind: armour\nb: *c\n", ("upload:2:4", "no-alias", None)),
    ],
)
def test_what_is_no_file_of_a_pack(
    content: str, problem: tuple[str, str, str | None], library: Library
) -> None:
    with pytest.raises(PackError) as caught:
        uploaded(content.encode(), False, library)
    (found,) = caught.value.problems
    place, code, hint = problem
    assert (found.path, found.code) == (place, code)
    if hint:
        assert found.hint == hint


def test_bytes_that_are_no_text(library: Library) -> None:
    with pytest.raises(PackError) as caught:
        uploaded(b"\xff\xfek\x00", False, library)
    assert [problem.code for problem in caught.value.problems] == ["not-text"]


def test_an_alias_bomb_stays_small(library: Library) -> None:
    lines = ["kind: armor", "ruleset: sr4", "a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]"
        for old, new in zip("abcdefghi", "bcdefghij", strict=True)
    ]
    found = faults("\n".join(lines) + "\nentries: []\n", library)
    assert {code for _, code in found} == {"no-alias", "too-many-problems"}
    assert len(found) == 101


def test_an_archive_gives_the_report_of_its_folders(library: Library) -> None:
    broken = {**STREET, "armor.yaml": STREET["armor.yaml"].replace("cost: 300", "cost: x")}
    packs = uploaded(zipped({f"some/where/{name}": text for name, text in broken.items()}), True, library)
    assert [pack.label for pack in packs] == ["some/where"]
    assert check(packs) == check([files_of(broken, "some/where")])
    assert [problem.path for problem in check(packs).problems] == ["some/where/armor.yaml:9:9"]


def test_an_archive_of_several_packs(library: Library) -> None:
    files = {
        f"{pack}/{name}": text for pack, texts in (("s", STREET), ("c", CITY)) for name, text in texts.items()
    }
    report = check(uploaded(zipped(files), True, library))
    assert sorted(report.packs) == ["city", "street"]
    assert report.problems == ()


def test_an_archive_that_cannot_be_read(library: Library) -> None:
    for content, code in ((b"PK", "bad-archive"), (zipped({"a.yaml": ""}), "no-pack")):
        with pytest.raises(PackError) as caught:
            uploaded(content, True, library)
        assert [problem.code for problem in caught.value.problems] == [code]
    assert isinstance(caught.value.problems[0], Problem)
