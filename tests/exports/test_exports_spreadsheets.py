"""CSV and Markdown: everything is there, readable, and harmless in the program that opens it."""

from __future__ import annotations

import csv
import io
import re

import pytest
from exported_packs import LIBRARIES, PACKS, core, gritty
from hypothesis import example, given
from hypothesis import strategies as st

from fracas.exports.markdown import escaped, markdown
from fracas.exports.readable import NOT_EXPORTED, by_kind, readable
from fracas.exports.spreadsheets import BOM, csv_files, guarded, written
from fracas.packs.entries import KINDS

DANGEROUS = "=+-@＝＋－＠\t\r\n"


def rows(text: str) -> list[dict[str, str]]:
    assert text.startswith(BOM)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM), newline="")))


def test_each_pack_is_in_the_folder_of_its_name() -> None:
    found = {(name, pack) for name, library in LIBRARIES.items() for pack in library().packs}
    assert found == set(PACKS)


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_every_entry_has_a_line_with_all_that_it_says(library: str, pack: str) -> None:
    found = LIBRARIES[library]().packs[pack]
    files = csv_files(found)
    expected = {kind for kind, name in KINDS.items() if any(entry.kind == name for entry in found.entries)}
    assert set(files) == {f"{kind}.csv" for kind in expected - set(NOT_EXPORTED)}
    for kind, entries in by_kind(found).items():
        lines = rows(files[f"{kind}.csv"])
        if kind == "tables":
            cells = {(entry.id, row, column): value for entry in entries
                     for row, values in entry.data["rows"].items() for column, value in values.items()}  # fmt: skip
            read = {(line["id"], line["row"], line["column"]): line["value"] for line in lines}
            assert len(lines) == len(cells) == len(read)
            assert read == {place: guarded(readable(value)) for place, value in cells.items()}
            continue
        assert [line["id"] for line in lines] == [entry.id for entry in entries]
        for entry, line in zip(entries, lines, strict=True):
            assert line["label"] == guarded(entry.label)
            assert {name: line[name] for name in entry.data} == {
                name: guarded(readable(value)) for name, value in entry.data.items()
            }


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_no_cell_is_a_formula(library: str, pack: str) -> None:
    for text in csv_files(LIBRARIES[library]().packs[pack]).values():
        for line in rows(text):
            for cell in line.values():
                assert cell[:1] not in DANGEROUS or not cell or re.fullmatch(r"[+-]?[\d.]+", cell), cell


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
@example("=cmd|' /C calc'!A0")
@example("  @SUM(A1)")
@example("-2 for each metre")
def test_a_guarded_text_is_itself_and_no_formula(text: str) -> None:
    shown = guarded(text)
    assert shown in (text, f"'{text}")
    bare = shown.lstrip()
    assert not bare or bare[0] not in DANGEROUS or re.fullmatch(r"[+-]?\d+(\.\d+)?", shown)


@given(st.lists(st.lists(st.text(alphabet='a,";\n\r =-', max_size=6), min_size=1, max_size=3), max_size=4))
def test_what_is_written_can_be_read(table: list[list[str]]) -> None:
    read = list(csv.reader(io.StringIO(written(table), newline="")))
    assert read == [[guarded(cell) for cell in row] for row in table]


@pytest.mark.parametrize("number", ["-4", "0", "+2", "0.5"])
def test_numbers_stay_numbers(number: str) -> None:
    assert guarded(number) == number


def test_layers_are_applied() -> None:
    pistol = "sr4-core:weapon/ares-predator-iv"
    dv = [
        next(
            line["dv"]
            for line in rows(csv_files(library.packs["sr4-core"])["weapons.csv"])
            if line["id"] == pistol
        )
        for library in (core(), gritty())
    ]
    assert dv == ["5", "6"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"-": ["weapon.excess"]}, "−weapon.excess"),
        ({"min": ["a.b", {"floor": ["a.c", 2]}]}, "lowest of (a.b, (a.c / 2 rounded down))"),
        ({"if": [["target:prone"], 2, 0]}, "2 if (target:prone), else 0"),
        ({"not": ["target:prone"]}, "not (target:prone)"),
        ({"any": ["a:b", {"gte": ["a.c", 3]}]}, "a:b or (a.c ≥ 3)"),
        ([{"if": {"success": True}, "removes": ["prone"]}], "(if: (success: yes); removes: prone)"),
        ({"fire": {"mode": "full-burst"}}, "fire: (mode: full-burst)"),
        ([["a", "b"], ["c"]], "(a, b), c"),
        (None, ""),
        (False, "no"),
    ],
)
def test_nested_values_are_readable(value: object, text: str) -> None:
    assert readable(value) == text


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_a_markdown_document_has_every_entry_in_whole_tables(library: str, pack: str) -> None:
    found = LIBRARIES[library]().packs[pack]
    text = markdown(found)
    lines = text.splitlines()
    for kind, entries in by_kind(found).items():
        start = lines.index(f"## {kind.capitalize()}")
        section = lines[
            start : next((at for at in range(start + 1, len(lines)) if lines[at].startswith("## ")), None)
        ]
        for entry in entries:
            begin = f"### {escaped(entry.label)}" if kind == "tables" else f"| {escaped(entry.label)} |"
            assert any(line.startswith(begin) for line in section), entry.id
    width = 0
    for line in lines:
        if line.startswith("|"):
            columns = len(re.findall(r"(?<!\\)\|", line))
            assert width in (0, columns), line
            width = columns
        else:
            width = 0


@given(st.text())
def test_nothing_in_a_cell_ends_it_or_is_html(text: str) -> None:
    shown = escaped(text)
    assert "\n" not in shown
    assert not re.search(r"(?<!\\)(\\\\)*[|<>]", shown)
