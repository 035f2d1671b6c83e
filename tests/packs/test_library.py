"""The library: packs put together, and their entries found by ruleset, kind and name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pack_folders import faults, make_pack, problems, weapons

from fracas.errors import Problem
from fracas.packs.entries import Entry
from fracas.packs.library import Library, RulesetPacks


def shelf_of(tmp_path: Path, *packs: tuple[str, str]) -> RulesetPacks:
    """Of packs with these weapons, in this order."""
    folders = [make_pack(tmp_path, id, {"weapons.yaml": text}) for id, text in packs]
    return Library.read(folders).ruleset_packs("sr4")


def data_of(entry: Entry | None) -> Any:
    assert entry is not None
    return entry.data.get("dv")


def test_by_slug_and_by_id(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, ("core", weapons("{slug: bow, dv: 4}", "{slug: gun, dv: 5}")))
    assert data_of(shelf.entry("weapon", "bow")) == 4
    assert data_of(shelf.entry("weapon", "core:weapon/gun")) == 5
    assert list(shelf.names("weapon")) == ["bow", "gun"]
    assert [entry.id for entry in shelf.entries("weapon")] == ["core:weapon/bow", "core:weapon/gun"]
    for reference in (
        "Bow",
        "knife",
        "",
        "core:weapon/knife",
        "other:weapon/bow",
        "core:armor/bow",
        ":",
        "weapon/bow",
    ):
        assert shelf.entry("weapon", reference) is None
    for reference in ("bow", "core:weapon/bow"):
        assert shelf.entry("armor", reference) is None
    assert shelf.entries("armor") == []
    assert list(shelf.names("armor")) == []


def test_packs_cannot_have_entries_of_one_name(tmp_path: Path) -> None:
    make_pack(tmp_path, "core", {"weapons.yaml": weapons("{slug: bow, dv: 4}", "{slug: gun, dv: 5}")})
    house = weapons("{slug: knife, dv: 1}", "{slug: bow, dv: 6}")
    make_pack(
        tmp_path,
        "house",
        {"weapons.yaml": house, "armor.yaml": "kind: armor\nruleset: sr4\nentries: [slug: gun]"},
    )
    assert problems(tmp_path) == [
        Problem(
            "house/weapons.yaml:5:12",
            "duplicate-slug",
            "weapon 'bow' exists already: core:weapon/bow at core/weapons.yaml:4:5",
            "choose another slug, or write 'replace: core:weapon/bow' in place of the slug",
        )
    ]


def test_what_packs_require_decides_their_order_and_not_the_folders(tmp_path: Path) -> None:
    requires = "layer: {}\nrequires: [{{id: core}}]\n"
    house = make_pack(tmp_path, "a-house", more=requires.format("house"))
    table = make_pack(tmp_path, "a-table", more=requires.format("table"))
    core = make_pack(tmp_path, "core", {"weapons.yaml": weapons("{slug: bow, dv: 4}")})
    for folders in ([core, house, table], [table, house, core], [house, core, table]):
        library = Library.read(folders)
        assert list(library.packs) == ["core", "a-house", "a-table"]
        assert [pack.id for pack in library.ruleset_packs("sr4").packs] == ["core", "a-house", "a-table"]
        assert library.below == {"core": frozenset(), "a-house": {"core"}, "a-table": {"core"}}


def test_the_library_of_a_pack_and_what_it_builds_on(tmp_path: Path) -> None:
    patch = "kind: weapons\nruleset: sr4\nentries:\n  - {{patch: core:weapon/bow, set: {{dv: {}}}}}\n"
    requires = "layer: house\nrequires: [{{id: {}}}]\n"
    make_pack(tmp_path, "core", {"weapons.yaml": weapons("{slug: bow, dv: 4}")})
    make_pack(tmp_path, "one", {"weapons.yaml": patch.format(5)}, more=requires.format("core"))
    make_pack(
        tmp_path,
        "two",
        {"weapons.yaml": patch.format(6)},
        more=requires.format("one").replace("}]", "}, {id: core}]"),
    )
    make_pack(tmp_path, "beside", more=requires.format("core"))
    make_pack(tmp_path, "foreign", ruleset="cwn")
    library = Library.read([tmp_path])
    for pack, others, dv in (("core", [], 4), ("one", ["core"], 5), ("two", ["core", "one"], 6)):
        part = library.up_to(pack)
        assert list(part.packs) == [*others, pack]
        assert data_of(part.entry("core:weapon/bow")) == dv
    assert data_of(library.entry("core:weapon/bow")) == 6


def test_former_slugs(tmp_path: Path) -> None:
    core = weapons("{slug: gun, dv: 5, renamed_from: [pistol, sidearm]}", "{slug: sidearm, dv: 3}")
    shelf = shelf_of(tmp_path, ("core", core))
    for reference in ("pistol", "core:weapon/pistol"):
        found = shelf.entry("weapon", reference)
        assert found is not None
        assert (found.slug, found.id) == ("gun", "core:weapon/gun")
        assert shelf.entry("armor", reference) is None
    assert "pistol" not in shelf.names("weapon")
    # What bears the name now comes before what once bore it.
    for reference in ("sidearm", "core:weapon/sidearm"):
        assert data_of(shelf.entry("weapon", reference)) == 3


def test_packs_of_one_ruleset_only(tmp_path: Path) -> None:
    make_pack(tmp_path, "one", {"weapons.yaml": weapons("{slug: bow, dv: 1}")}, "sr4")
    other = weapons("{slug: bow, dv: 2}").replace("sr4", "cwn")
    make_pack(tmp_path, "two", {"weapons.yaml": other}, "cwn")
    library = Library.read([tmp_path])
    assert data_of(library.ruleset_packs("sr4").entry("weapon", "bow")) == 1
    assert data_of(library.ruleset_packs("cwn").entry("weapon", "bow")) == 2
    assert library.ruleset_packs("sr4").entry("weapon", "two:weapon/bow") is None
    assert library.ruleset_packs("cwn").ruleset == "cwn"
    assert library.ruleset_packs("sr4") is library.ruleset_packs("sr4")
    assert library.ruleset_packs("none").packs == ()
    assert data_of(library.entry("two:weapon/bow")) == 2
    for id in ("two:weapon/gun", "three:weapon/bow", "bow", ""):
        assert library.entry(id) is None


def test_house_rules_and_caps_of_several_packs(tmp_path: Path) -> None:
    rule = "options: {{{}: {{type: flag, default: {}}}, {}: {{type: whole, default: {}}}}}\n"
    make_pack(
        tmp_path, "a", more=rule.format("first", "true", "many", 1) + "stack_caps: {aim: 1, mod: many}\n"
    )
    changed = "stack_caps: {aim: 3}\nrequires: [{id: a}]\noption_defaults: {many: 2}\n"
    make_pack(tmp_path, "b", more=rule.format("second", "false", "more", 4) + changed)
    make_pack(tmp_path, "c", ruleset="cwn", more=rule.format("first", "false", "third", 3))
    library = Library.read([tmp_path])
    options = library.ruleset_packs("sr4").options()
    assert {id: rule.default for id, rule in options.items()} == {
        "first": True,
        "many": 2,
        "second": False,
        "more": 4,
    }
    assert library.ruleset_packs("sr4").caps() == {"aim": 3, "mod": 2}
    assert library.ruleset_packs("sr4").caps({"many": 7}) == {"aim": 3, "mod": 7}
    assert {id: rule.default for id, rule in library.ruleset_packs("cwn").options().items()} == {
        "first": False,
        "third": 3,
    }


def test_the_last_pack_that_states_an_economy_counts(tmp_path: Path) -> None:
    assert Library.read([]).ruleset_packs("sr4").economy() is None
    make_pack(tmp_path, "a", more="economy: {span: phase}\n")
    make_pack(tmp_path, "b", more="economy: {span: turn}\nlayer: house\n")
    make_pack(tmp_path, "c", more="layer: table\n")
    assert Library.read([tmp_path]).ruleset_packs("sr4").economy() == {"span": "turn"}


def test_the_digest_of_a_library_changes_with_its_packs(tmp_path: Path) -> None:
    make_pack(tmp_path, "a", {"weapons.yaml": weapons("{slug: bow}")})
    one = Library.read([tmp_path]).digest
    assert Library.read([tmp_path]).digest == one
    make_pack(tmp_path, "b")
    two = Library.read([tmp_path]).digest
    make_pack(tmp_path, "a", {"weapons.yaml": weapons("{slug: bow} # sharp")})
    assert len({one, two, Library.read([tmp_path]).digest}) == 3


def test_a_folder_without_packs(tmp_path: Path) -> None:
    assert faults(tmp_path) == [(str(tmp_path), "no-pack")]
    assert faults(tmp_path / "missing") == [(str(tmp_path / "missing"), "no-pack")]
