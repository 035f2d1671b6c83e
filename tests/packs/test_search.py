"""Conditions on entries, their order, and what a name may mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fracas.packs.library import Library
from fracas.packs.search import (
    Condition,
    SearchError,
    check_fields,
    condition,
    find,
    kind_of,
    matches,
    ordered,
    paths,
    select,
    values,
)

ROW: dict[str, Any] = {
    "slug": "ares-predator-iv",
    "label": "Ares Predator IV",
    "pack": "sr4-core",
    "skill": "pistols",
    "dv": 5,
    "ap": -1,
    "rate": 2.5,
    "modes": ["SA", "BF"],
    "rounds": [10, 15],
    "area": False,
    "loud": True,
    "availability": "4R",
    "price": "12",
    "skills": {"pistols": 4, "dodge": 2},
    "changes": [{"stat": "agility", "add": [1, 2]}, {"stat": "body", "add": 1}],
    "totals": {"attack.pool": 11},
    "features": [],
    "notes": "",
    "none": None,
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("skill=pistols", ("skill", "=", "pistols")),
        ("skill==pistols", ("skill", "=", "pistols")),
        (" dv >= 6 ", ("dv", ">=", "6")),
        ("skills.pistols<=4", ("skills.pistols", "<=", "4")),
        ("label~predator iv", ("label", "~", "predator iv")),
        ("label=a=b", ("label", "=", "a=b")),
        ("notes!=", ("notes", "!=", "")),
        ("damage=1d6>2", ("damage", "=", "1d6>2")),
        ("dv<-1", ("dv", "<", "-1")),
    ],
)
def test_a_condition_is_read(text: str, expected: tuple[str, str, str]) -> None:
    assert condition(text) == expected


@pytest.mark.parametrize("text", ["", "skill", "=3", "skill pistols", "a b=c", "~"])
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(SearchError, match="is no condition"):
        condition(text)


@pytest.mark.parametrize("text", ["dv>high", "dv<=", "dv>=1d6"])
def test_only_numbers_are_compared(text: str) -> None:
    with pytest.raises(SearchError, match="compares numbers"):
        condition(text)


HOLDS = [
    *("skill=pistols", "skill=PISTOLS", "dv=5", "dv=5.0", "ap=-1", "rate=2.5", "dv!=6", "skill!=blades"),
    *("dv>4", "dv>=5", "dv<6", "dv<=5", "ap<0", "rate>2", "price>=12", "price=12"),
    *("modes=SA", "modes=bf", "modes!=FA", "modes~f", "rounds=15", "rounds>12", "rounds<12"),
    *("area=false", "area=no", "loud=yes", "loud=TRUE", "area!=true"),
    *("label~predator", "slug~ares", "pack=sr4-core", "availability=4r", "availability~R"),
    *("skills=pistols", "skills.pistols>=4", "skills.dodge=2", "skills~dod"),
    *("changes.stat=body", "changes.add>1", "changes.add=2", "totals.attack.pool=11"),
    *("features=", "notes=", "none=", "missing=", "missing!=3", "skill!=", "dv!=", "area!="),
]
FAILS = [
    *("skill=pistol", "dv=6", "dv!=5", "dv>5", "dv<5", "modes=FA", "modes!=SA", "rounds>15", "area=true"),
    *(
        "area=0",
        "loud=1",
        "availability>3",
        "label>3",
        "skills.pistols>4",
        "skills.blades>=0",
        "changes.stat=edge",
    ),
    *("features!=", "missing=3", "missing>0", "missing~a", "none=3", "skill=", "dv=", "modes=", "area~x"),
]


@pytest.mark.parametrize("text", HOLDS)
def test_a_condition_holds(text: str) -> None:
    assert matches(condition(text), ROW)


@pytest.mark.parametrize("text", FAILS)
def test_a_condition_does_not_hold(text: str) -> None:
    assert not matches(condition(text), ROW)


FIELDS = st.sampled_from(sorted({*paths(ROW), "missing", "skills.blades"}))


@given(
    FIELDS, st.one_of(st.sampled_from(["5", "pistols", "sa", "true", "", "4R", "11"]), st.text(max_size=3))
)
def test_unequal_is_the_opposite_of_equal(field: str, value: str) -> None:
    assert matches(Condition(field, "=", value), ROW) != matches(Condition(field, "!=", value), ROW)


@given(FIELDS, st.integers(-20, 20))
def test_comparisons_agree(field: str, limit: int) -> None:
    text = str(limit)
    least, more = (matches(Condition(field, sign, text), ROW) for sign in (">=", ">"))
    most, less = (matches(Condition(field, sign, text), ROW) for sign in ("<=", "<"))
    numbers = [
        value for found in values(ROW, field) for value in (found if isinstance(found, list) else [found])
    ]
    known = [
        float(value)
        for value in numbers
        if not isinstance(value, (bool, dict))
        and value is not None
        and str(value).lstrip("-").replace(".", "").isdigit()
    ]
    assert (least, more) == (any(value >= limit for value in known), any(value > limit for value in known))
    assert (most, less) == (any(value <= limit for value in known), any(value < limit for value in known))


def test_every_path_leads_to_a_value() -> None:
    found = set(paths(ROW))
    assert {"skills", "skills.pistols", "changes.stat", "totals.attack.pool"} <= found
    for path in found:
        assert list(values(ROW, path)), path


ROWS = [
    {"slug": "a", "dv": 5, "skill": "pistols", "skills": {"pistols": 3}},
    {"slug": "b", "dv": 7, "skill": "longarms"},
    {"slug": "c", "skill": "pistols", "dv": 7},
    {"slug": "d", "cost": "10"},
    {"slug": "e", "cost": "9"},
    {"slug": "f", "cost": "4R"},
]


def slugs(rows: Any) -> str:
    return "".join(row["slug"] for row in rows)


def test_all_conditions_must_hold() -> None:
    assert slugs(select(ROWS, [])) == "abcdef"
    assert slugs(select(ROWS, [condition("skill=pistols")])) == "ac"
    assert slugs(select(ROWS, [condition("skill=pistols"), condition("dv>5")])) == "c"
    assert slugs(select(ROWS, [condition("reach>1")], ["reach"])) == ""


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("skil=pistols", "'skill'"),
        ("skills.pistol>3", "'skills.pistols'"),
        ("Slug=a", "'slug'"),
        ("dvv>3", "'dv'"),
    ],
)
def test_an_unknown_field_names_the_nearest(text: str, near: str) -> None:
    with pytest.raises(SearchError, match=r"no entry here has a field") as caught:
        select(ROWS, [condition(text)])
    assert near in caught.value.message


def test_words_are_not_compared_with_numbers() -> None:
    with pytest.raises(SearchError, match="'skill' is a number in no entry"):
        select(ROWS, [condition("skill>3")])


def test_without_entries_no_field_is_unknown() -> None:
    assert select([], [condition("anything=3")]) == []
    check_fields(["anything"], [])


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("dv", "abcdef"),
        ("-dv", "bcadef"),
        ("cost", "edfabc"),
        ("-cost", "fdeabc"),
        ("slug", "abcdef"),
        ("-slug", "fedcba"),
    ],
)
def test_the_order(field: str, expected: str) -> None:
    """Numbers before words, those without the field at the end, equal ones as they were."""
    assert slugs(ordered(ROWS, field)) == expected


@pytest.mark.parametrize(
    ("word", "kind"), [("weapons", "weapons"), ("weapon", "weapons"), ("Mods", "mods"), ("armor", "armor")]
)
def test_a_kind_by_either_name(word: str, kind: str) -> None:
    assert kind_of(word) == kind


@pytest.mark.parametrize(
    ("word", "near"), [("wepons", "weapons"), ("ammo", "ammunition"), ("actoins", "actions")]
)
def test_an_unknown_kind_names_the_nearest(word: str, near: str) -> None:
    with pytest.raises(SearchError, match=f"did you mean '{near}'"):
        kind_of(word)


# Names.

MANIFEST = """
id: {id}
title: {id}
version: 1.0.0
schema_version: 2
ruleset: {ruleset}
status: ready
layer: {layer}
licenses: {{data: CC0-1.0}}
sources: [{{id: own, title: Own}}]
requires: {requires}
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    def pack(id: str, ruleset: str, layer: str, requires: str, **files: str) -> None:
        (tmp_path / id).mkdir()
        manifest = MANIFEST.format(id=id, ruleset=ruleset, layer=layer, requires=requires)
        (tmp_path / id / "pack.yaml").write_text(manifest, "utf-8")
        for kind, entries in files.items():
            text = f"kind: {kind}\nruleset: {ruleset}\nentries: {entries}\n"
            (tmp_path / id / f"{kind}.yaml").write_text(text, "utf-8")

    gun = "{slug: gun, label: Gun, renamed_from: [pistol], source: {ref: own}}"
    knife = "{slug: knife, label: Long Knife, source: {ref: own}}"
    pack("one", "sr4", "core", "[]", weapons=f"[{gun}, {knife}]", traits="[{slug: gun, label: Gun lover}]")
    saws = "{slug: saw, label: Saw}, {slug: sawn-off, label: Sawn-off}"
    pack("two", "cwn", "core", "[]", weapons=f"[{{slug: knife, label: Knife}}, {saws}]")
    pack("house", "sr4", "house", "[{id: one}]", weapons="[{remove: 'one:weapon/knife', source: {ref: own}}]")
    return Library.read([tmp_path])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("one:weapon/gun", ["one:weapon/gun"]),
        ("one:weapons/gun", ["one:weapon/gun"]),
        ("one:weapon/pistol", ["one:weapon/gun"]),
        ("weapon/gun", ["one:weapon/gun"]),
        ("weapons/gun", ["one:weapon/gun"]),
        ("gun", ["one:weapon/gun", "one:trait/gun"]),
        ("pistol", ["one:weapon/gun"]),
        ("saw", ["two:weapon/saw"]),
        ("GUN LOVER", ["one:trait/gun"]),
        ("knife", ["two:weapon/knife"]),
    ],
)
def test_what_a_name_means(library: Library, name: str, expected: list[str]) -> None:
    assert [entry.id for entry in find(library, name)] == expected


def test_names_of_one_ruleset(library: Library) -> None:
    assert [entry.id for entry in find(library, "knife", "cwn")] == ["two:weapon/knife"]
    with pytest.raises(SearchError, match="no entry 'saw'"):
        find(library, "saw", "sr4")


@pytest.mark.parametrize(
    ("name", "near"),
    [("sawe", "'saw'"), ("weapon/sawe", "'weapon/saw'"), ("two:weapon/sawe", "'two:weapon/saw'")],
)
def test_an_unknown_name_names_the_nearest_in_its_own_form(library: Library, name: str, near: str) -> None:
    with pytest.raises(SearchError) as caught:
        find(library, name)
    assert near in caught.value.message


def test_names_that_begin_so_are_listed(library: Library) -> None:
    with pytest.raises(SearchError, match=r"'sa' \(those that begin so: saw, sawn-off\)"):
        find(library, "sa")
    with pytest.raises(SearchError, match=r"did you mean 'knife'\?"):
        find(library, "kn")


def test_a_removed_entry_says_who_removed_it(library: Library) -> None:
    with pytest.raises(SearchError, match=r"house has removed one:weapon/knife, at house/weapons.yaml:3:"):
        find(library, "one:weapon/knife")
