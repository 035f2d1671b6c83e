"""The check of packs together with those that they build on, which lie beside them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from packs_in_folders import entries, write
from spoilt_packs import VALUES, spoilt
from tiers import scale
from whole_packs import files_of, texts_of

from fracas.engine import checking, opening
from fracas.engine.checking import Report, check
from fracas.packs.files import in_folder

STREET = texts_of("street")


def manifest(id: str = "house", more: str = "requires: [{id: street}]\n", layer: str = "house") -> str:
    return (
        f"id: {id}\ntitle: T\nversion: 1.0.0\nschema_version: 2\nruleset: sr4\nstatus: ready\nlayer: {layer}\n"
        f"licenses: {{data: CC0-1.0}}\nsources: [{{id: ours, title: Ours}}]\n{more}"
    )


@pytest.fixture
def built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of built-in packs that holds the street only."""
    folder = tmp_path / "built-in"
    write(folder / "street", STREET)
    monkeypatch.setattr(checking, "shipped", lambda name: folder)
    monkeypatch.setattr(opening, "shipped", lambda name: folder)
    return folder


def check_house(files: Mapping[str, str], *folders: Path, more: str = "requires: [{id: street}]\n") -> Report:
    return check([files_of({"pack.yaml": manifest(more=more), **files}, "house")], folders)


def told(report: Report) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in report.problems]


# --- Packs beside -----------------------------------------------------------------------------------------


def test_a_pack_builds_on_a_built_in_one(built_in: Path) -> None:
    gun = "slug: big, label: Big, category: shotgun, skill: longarms, dv: 7, damage: physical, ap: 0"
    gun += ", armor_kind: ballistic, modes: [SA], rc: 0, rc_deployed: 0, rounds: 5, magazine: 5, feed: clip"
    gun += ", range: close, features: [smartgun], source: {ref: ours}"
    report = check_house({"weapons.yaml": entries("weapons", gun)})
    assert report == Report(("house",), 1, 0, ())


def test_a_pack_builds_on_one_in_a_folder(built_in: Path, tmp_path: Path) -> None:
    below = tmp_path / "packs" / "below"
    write(below, {"pack.yaml": manifest("below"), "armor.yaml": entries("armor", ARMOR.format("vest"))})
    patch = entries(
        "armor", "patch: below:armor/vest, expects: {impact: 1}, set: {impact: 2}, source: {ref: ours}"
    )
    more = "requires: [{id: below}]\n"
    assert check_house({"armor.yaml": patch}, tmp_path / "packs", more=more).problems == ()
    assert check_house({"armor.yaml": patch}, below, more=more).problems == ()
    assert [code for _, code in told(check_house({"armor.yaml": patch}, more=more))] == ["missing-pack"]


PLUS = "label: L, applies_to: [attack.pool], value: 1, source: {ref: ours}"
ARMOR = "slug: {}, label: A, ballistic: 1, impact: 1, source: {{ref: ours}}"


def test_the_faults_of_packs_beside_are_not_told(built_in: Path, tmp_path: Path) -> None:
    broken = {
        "yaml": {"pack.yaml": manifest("yaml"), "armor.yaml": "kind: [\n"},
        "schema": {"pack.yaml": manifest("schema"), "armor.yaml": entries("armor", "slug: a")},
        "lost": {"pack.yaml": manifest("lost", "requires: [{id: nowhere}]\n")},
        "orphan": {
            "pack.yaml": manifest("orphan"),
            "armor.yaml": entries("armor", "remove: street:armor/cote, source: {ref: ours}"),
        },
        "word": {
            "pack.yaml": manifest("word"),
            "modifiers.yaml": entries("modifiers", f"slug: w, {PLUS}, when: ['attacker:runing']"),
        },
        "reference": {
            "pack.yaml": manifest("reference"),
            "modifiers.yaml": entries("modifiers", f"slug: r, {PLUS}, when: [], suppresses: [rnning]"),
        },
    }
    for name, texts in broken.items():
        write(tmp_path / "packs" / name, texts)
        assert check([in_folder(tmp_path / "packs" / name)], (tmp_path / "packs",)).problems
    example = STREET["examples.yaml"].replace("our-table", "ours").replace("hits: 2", "hits: 5")
    report = check_house(
        {"armor.yaml": entries("armor", ARMOR.format("vest")), "examples.yaml": example}, tmp_path / "packs"
    )
    # Nor do they keep the examples from being run.
    assert told(report) == [("house/examples.yaml:17:30", "example-fails")]


def test_a_pack_that_requires_a_broken_one_beside(built_in: Path, tmp_path: Path) -> None:
    """It is as if it were not there: the service would leave it out."""
    write(tmp_path / "below", {"pack.yaml": manifest("below", "requires: [{id: nowhere}]\n")})
    report = check_house({}, tmp_path, more="requires: [{id: below}]\n")
    assert told(report) == [("house/pack.yaml:10:17", "missing-pack")]


def test_a_checked_pack_takes_the_place_of_the_one_beside(built_in: Path) -> None:
    texts = dict(STREET)
    texts["weapons.yaml"] = texts["weapons.yaml"].replace("slug: stick", "slug: pole")
    report = check([files_of(texts, "mine")])
    assert told(report) == [("mine/combatants.yaml:33:9", "unknown-reference")]
    assert check([in_folder(built_in / "street")]).problems == ()


def test_checked_packs_build_on_each_other_in_any_order(built_in: Path) -> None:
    one = files_of(
        {"pack.yaml": manifest("one"), "armor.yaml": entries("armor", ARMOR.format("vest"))}, "one"
    )
    patch = entries("armor", "patch: one:armor/vest, set: {impact: 9}, source: {ref: ours}")
    two = files_of({"pack.yaml": manifest("two", "requires: [{id: one}]\n"), "armor.yaml": patch}, "two")
    for packs in ([one, two], [two, one]):
        report = check(packs)
        assert (report.problems, report.entries) == ((), 2)


def test_two_checked_packs_of_one_id(built_in: Path) -> None:
    one, two = (files_of({"pack.yaml": manifest()}, label) for label in ("here", "there"))
    report = check([one, two])
    assert told(report) == [("there/pack.yaml:1:5", "duplicate-pack")]
    assert "at here/pack.yaml:1:5" in report.problems[0].message


def test_a_pack_whose_folder_is_called_like_another_pack(built_in: Path) -> None:
    """Faults belong to packs, not to what their folders are called."""
    broken = STREET["combatants.yaml"].replace("[coat, hat]", "[coat, helmet]")
    write(built_in / "street", {"combatants.yaml": broken})
    report = check([files_of({"pack.yaml": manifest()}, "street")])
    assert report.problems == ()


# --- What a missing pack hides ----------------------------------------------------------------------------


def test_what_follows_from_a_missing_pack_is_not_told(built_in: Path) -> None:
    when = "applies_to: [attack.pool], value: 1, source: {ref: ours}, when"
    people = STREET["combatants.yaml"].replace("our-table", "ours").replace("slug: ann", "slug: ben")
    for one, other in (
        ("coat, hat", "plate"),
        ("- snub", "- laser"),
        ("street:", "nowhere:"),
        ("stick", "staff"),
    ):
        people = people.replace(one, other)
    files = {
        "armor.yaml": entries(
            "armor",
            "patch: nowhere:armor/coat, set: {impact: 9}, source: {ref: ours}",
            ARMOR.format("vest"),
            ARMOR.format("bad").replace("impact: 1", "impact: x"),
        ),
        "combatants.yaml": people,
        "modifiers.yaml": entries(
            "modifiers",
            f"slug: m, label: M, {when}: [{{eq: [option.daylight, true]}}]",
            f"slug: n, label: N, {when}: ['attacker:runing']",
        ),
        "examples.yaml": STREET["examples.yaml"].replace("our-table", "ours").replace("snub", "laser"),
    }
    report = check_house(files, more="requires: [{id: nowhere}]\noption_defaults: {daylight: true}\n")
    assert [(path.rpartition(":")[0], code) for path, code in told(report)] == [
        ("house/armor.yaml:6", "wrong-type"),
        ("house/modifiers.yaml:5", "unknown-term"),
        ("house/pack.yaml:10", "missing-pack"),
    ]


def test_a_required_pack_that_is_checked_and_broken_is_not_missing(built_in: Path) -> None:
    below = files_of({"pack.yaml": manifest("below").replace("1.0.0", "one")}, "below")
    above = files_of({"pack.yaml": manifest("above", "requires: [{id: below}]\n")}, "above")
    assert told(check([below, above])) == [("below/pack.yaml:3:10", "wrong-form")]


# --- Changes of packs beside ------------------------------------------------------------------------------


def test_what_a_change_breaks_in_another_packs_entry_is_told_at_the_change(built_in: Path) -> None:
    """The entry lies in the street, and only this pack can mend it."""
    lines = [
        "patch: street:range/close, set: {short: 500}, source: {ref: ours}",
        "patch: street:weapon/snub, unset: [dv], source: {ref: ours}",
        "patch: street:modifier/aim, set: {value: attacker.take_aimm}, source: {ref: ours}",
        "patch: street:combatant/ann, set: {weapons: [club]}, source: {ref: ours}",
        "patch: street:action/shoot, set: {type: long}, source: {ref: ours}",
    ]
    kinds = [line.split(":")[2].split("/")[0] for line in lines]
    files = {f"{kind}s.yaml": entries(f"{kind}s", line) for kind, line in zip(kinds, lines, strict=True)}
    found = {
        problem.path.split(".")[0].removeprefix("house/"): problem for problem in check_house(files).problems
    }
    assert found.keys() >= {"weapons", "modifiers", "combatants", "actions"}
    places = {name: int(problem.path.rsplit(":", 1)[1]) - len("  - {") - 1 for name, problem in found.items()}
    assert lines[1][places["weapons"] :].startswith("dv]")
    assert lines[2][places["modifiers"] :].startswith("attacker.take_aimm")
    assert lines[3][places["combatants"] :].startswith("club")
    assert lines[4][places["actions"] :].startswith("long")
    assert "after this change of street:weapon/snub" in found["weapons"].message


def test_a_change_that_only_shows_in_use(built_in: Path) -> None:
    """The entry's own schema takes the value, and what no longer fits is a field that this pack did not touch."""
    patch = "patch: street:augmentation/quick-nerves, set: {ratings: 2}, source: {ref: ours}"
    (problem,) = {*check_house({"augmentations.yaml": entries("augmentations", patch)}).problems}
    assert (problem.path, problem.code) == ("house/augmentations.yaml:4:5", "wrong-count")
    assert problem.message == (
        "after this change of street:augmentation/quick-nerves, there are 3 values for 2 ratings"
    )


def test_an_entry_that_no_longer_fits_what_a_pack_beside_changes_of_it(built_in: Path) -> None:
    """The part where it shows stands in a pack that is not checked; the entry that was changed is."""
    changes = "[{stat: reaction, add: [1, 2, 3]}]"
    patch = f"patch: street:augmentation/quick-nerves, set: {{changes: {changes}}}, source: {{ref: ours}}"
    write(
        built_in / "house",
        {
            "pack.yaml": manifest(more="requires: [{id: street}]\n"),
            "augmentations.yaml": entries("augmentations", patch),
        },
    )
    (name,) = [name for name, text in STREET.items() if "quick-nerves" in text and "kind: augm" in text]
    assert "ratings: 3" in STREET[name]
    street = {**STREET, name: STREET[name].replace("ratings: 3", "ratings: 2", 1)}
    problems = [one for one in check([files_of(street, "street")]).problems if one.code == "wrong-count"]
    line = next(at for at, text in enumerate(STREET[name].splitlines(), 1) if "quick-nerves" in text)
    (told,) = [one for one in problems if "house" in one.message]
    assert checking.split_place(told.path)[:2] == (f"street/{name}", line)
    assert told.message == (
        "with what house changes of street:augmentation/quick-nerves, there are 3 values for 2 ratings"
    )


# --- Anything at all --------------------------------------------------------------------------------------


@hypothesis_settings(max_examples=scale(26, 80))
@given(st.lists(VALUES, min_size=1, max_size=6), st.integers(0, 10**9))
def test_whatever_a_pack_holds_there_is_a_report(values: list[Any], seed: int) -> None:
    """Nothing raises, and every fault has a place in a file of the pack."""
    texts = spoilt(STREET, values, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "shipped", lambda name: Path(__file__).parent)
        report = check([files_of(texts, "street")])
    for problem in report.problems:
        file, line, column = checking.split_place(problem.path)
        assert file.removeprefix("street/") in texts, problem
        assert line is not None or problem.code == "unknown-file", problem
        assert column is None or column >= 1
        assert problem.message
    assert len({*report.problems}) == len(report.problems)
