"""Patched entries as they are in the end, held against the schemas; entries that are left out for their faults."""

from __future__ import annotations

from typing import Any

import pytest
from small_packs import entries, files_of, made, marked

from fracas.packs.entries import NAMELESS
from fracas.packs.layer_results import result_faults
from fracas.packs.library import Library
from fracas.packs.reading import read
from fracas.packs.structure import structure_problems

RANGE = "slug: far, label: Far, short: 10, medium: 40, long: 100, extreme: 200, source: {ref: a}"
WHEN = "label: x, applies_to: [attack.pool], when: [], source: {ref: a}"
CORE = made(
    "core",
    {
        "ranges.yaml": entries("ranges", RANGE),
        "modifiers.yaml": entries("modifiers", f"slug: plus, value: 1, {WHEN}"),
    },
)
FAR, PLUS = "core:range/far", "core:modifier/plus"


def faults(kind: str, line: str, id: str = "house", *others: Any) -> list[Any]:
    pack = made(id, {f"{kind}.yaml": entries(kind, line)}, requires=["core", *(other.id for other in others)])
    library = Library([CORE, *others, pack])
    assert library.faults == ()
    return list(result_faults(library))


@pytest.mark.parametrize(
    "line", [f"patch: {FAR}, set: {{short: 5, label: New}}", f"patch: {FAR}, set: {{tags: [a]}}"]
)
def test_patches_that_leave_an_entry_whole(line: str) -> None:
    assert faults("ranges", line) == []


def test_a_field_that_the_entry_needs_is_taken_away() -> None:
    (line,), (place,) = marked(f"patch: {FAR}, unset: [^medium]")
    ((pack, problem),) = faults("ranges", line)
    assert (pack, problem.path, problem.code) == ("house", f"house/ranges.yaml:{place}", "missing-field")
    assert problem.message == "after this change of core:range/far, the entry lacks the field 'medium'"


@pytest.mark.parametrize("field", ["label", "source"])
def test_what_every_entry_has_is_taken_away(field: str) -> None:
    (line,), (place,) = marked(f"patch: {FAR}, unset: [^{field}]")
    ((_, problem),) = faults("ranges", line)
    assert (problem.path, problem.code) == (f"house/ranges.yaml:{place}", "missing-field")


def test_a_field_that_does_not_go_with_the_others() -> None:
    """With 'refuses' it is a refusal, which applies to procedures and has no value."""
    (line,), (place,) = marked(f"patch: {PLUS}, set: ^{{refuses: why}}")
    found = faults("modifiers", line)
    assert {fault.pack for fault in found} == {"house"}
    assert {fault.problem.path for fault in found} == {f"house/modifiers.yaml:{place}"}
    assert "wrong-form" in {fault.problem.code for fault in found}
    assert all(
        fault.problem.message.startswith("after this change of core:modifier/plus, ") for fault in found
    )


def test_a_value_that_no_schema_takes() -> None:
    """A patch that was read without its schema."""
    (line,), (place,) = marked(f"patch: {FAR}, set: {{medium: ^x}}")
    ((_, problem),) = faults("ranges", line)
    assert (problem.path, problem.code) == (f"house/ranges.yaml:{place}", "wrong-type")


def test_the_layer_at_fault_is_told_and_not_one_beside_it() -> None:
    one = made("one", {"ranges.yaml": entries("ranges", f"patch: {FAR}, unset: [medium]")}, requires=["core"])
    found = faults("ranges", f"patch: {FAR}, set: {{short: 5}}", "two", one)
    assert [fault.pack for fault in found] == ["one"]


# --- Entries that are left out ----------------------------------------------------------------------------

BROKEN = "kind: ranges\nruleset: sr4\nentries:\n  - slug: near\n    label: Near\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (BROKEN, {"near"}),
        (BROKEN.replace("slug:", "slgu:"), {NAMELESS}),
        (BROKEN + "    renamed_from: [close, nigh]\n", {"near", "close", "nigh"}),
        (BROKEN + "  - {slug: x\n", {"near", "x"}),
        (BROKEN.replace("slug: near", "'slug':  \"near\""), {"near"}),
        (BROKEN.replace("ranges", "rnages"), {"near"}),
        (BROKEN.replace("sr4", "cwn"), {"near"}),
        (BROKEN.replace("kind: ranges\n", ""), {"near"}),
        (BROKEN + "    label: Again\n", {"near"}),
        ("kind: ranges\nruleset: sr4\nentries: [near, 5, {slug: [a]}, {label: b, short: 1}]\n", {NAMELESS}),
        ("entries: nothing\n", set()),
        ("near\n", set()),
        ("", set()),
    ],
)
def test_names_of_entries_that_are_left_out(text: str, names: set[str]) -> None:
    pack, problems, faulty = read(files_of("core", {"ranges.yaml": text}), None, structure_problems)
    assert problems
    assert pack is not None
    assert pack.entries == ()
    assert {name for kind, name in faulty if kind == "range"} == names


def test_sound_entries_beside_a_broken_one_are_kept() -> None:
    fine = "  - {" + RANGE + "}\n"
    for text in (BROKEN + fine, BROKEN.replace("  - slug", fine + "  - slug"), BROKEN + fine + "extra: 1\n"):
        pack, _, faulty = read(files_of("core", {"ranges.yaml": text}), None, structure_problems)
        assert pack is not None
        assert [entry.slug for entry in pack.entries] == ["far"]
        assert faulty == {("range", "near")}


@pytest.mark.parametrize(
    "manifest",
    [
        "id: core\n",
        "id: core\nversion: x\n",
        "title: [\nid: core\n",
        "id: 'core'\nid: core\n",
        "\tid: core\nid: core",
    ],
)
def test_a_pack_whose_manifest_is_broken(manifest: str) -> None:
    files = files_of("core", {"pack.yaml": manifest, "ranges.yaml": entries("ranges", RANGE)})
    pack, problems, faulty = read(files, None, structure_problems)
    assert pack is None
    assert problems
    assert faulty == {("pack", "core"), ("range", "far")}
