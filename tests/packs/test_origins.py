"""Where the fields of an entry come from, layer by layer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_packs import entries, library, made, marked

from fracas.errors import UnknownNameError
from fracas.packs.entries import Pack
from fracas.packs.library import Library
from fracas.packs.origins import Removal, origins

CORE_LINES, CORE_PLACES = marked(
    "slug: bow, label: ^Bow, dv: ^4, modes: ^[SS], source: ^{ref: a}, notes: ^old",
    "slug: gun, dv: 5",
)
CORE = made(
    "core",
    {"weapons.yaml": entries("weapons", *CORE_LINES)},
    more="options:\n  graze: {type: flag, default: true, label: Grazing}\n",
)
LABEL, DV, MODES, SOURCE, NOTES = (f"core/weapons.yaml:{place}" for place in CORE_PLACES)
BOW = "core:weapon/bow"


def layer(id: str, line: str, *below: str, more: str = "") -> tuple[Pack, list[str]]:
    """A pack with one change, and the places of the ``^`` in it."""
    lines, places = marked(line)
    pack = made(id, {"weapons.yaml": entries("weapons", *lines)}, requires=("core", *below), more=more)
    return pack, [f"{id}/weapons.yaml:{place}" for place in places]


def test_an_entry_that_nobody_changed() -> None:
    found = origins(library(CORE), BOW)
    assert (found.id, found.label, found.removed) == (BOW, "Bow", None)
    assert found.fields == {
        "label": (("Bow", "core", LABEL),),
        "dv": ((4, "core", DV),),
        "modes": ((["SS"], "core", MODES),),
        "source": (({"ref": "a"}, "core", SOURCE),),
        "notes": (("old", "core", NOTES),),
    }


def test_patches_on_top_of_each_other() -> None:
    one, (set_dv, set_ap) = layer("one", f"patch: {BOW}, set: {{dv: ^6, ap: ^-1}}")
    two, (again, gone, no_notes) = layer("two", f"patch: {BOW}, set: {{dv: ^7}}, unset: [^ap, ^notes]", "one")
    fields = origins(library(two, one, CORE), BOW).fields
    assert fields == {
        "label": (("Bow", "core", LABEL),),
        "source": (({"ref": "a"}, "core", SOURCE),),
        "dv": ((4, "core", DV), (6, "one", set_dv), (7, "two", again)),
        "modes": ((["SS"], "core", MODES),),
        "ap": ((-1, "one", set_ap), (None, "two", gone)),
        "notes": (("old", "core", NOTES), (None, "two", no_notes)),
    }


def test_a_field_that_is_taken_away_and_comes_back() -> None:
    one, (gone,) = layer("one", f"patch: {BOW}, unset: [^dv]")
    two, (back,) = layer("two", f"patch: {BOW}, set: {{dv: ^9}}", "one")
    fields = origins(library(CORE, one, two), BOW).fields
    assert fields["dv"] == ((4, "core", DV), (None, "one", gone), (9, "two", back))


def test_a_replacement_sets_everything() -> None:
    one, places = layer("one", f"replace: {BOW}, label: ^New, dv: ^9, ap: ^1, source: ^{{ref: b}}")
    whole = "one/weapons.yaml:4:5"
    label, dv, ap, source = places
    found = origins(library(CORE, one), BOW)
    assert found.label == "New"
    assert found.fields == {
        "label": (("Bow", "core", LABEL), ("New", "one", label)),
        "dv": ((4, "core", DV), (9, "one", dv)),
        "ap": ((1, "one", ap),),
        "source": (({"ref": "a"}, "core", SOURCE), ({"ref": "b"}, "one", source)),
        "modes": ((["SS"], "core", MODES), (None, "one", whole)),
        "notes": (("old", "core", NOTES), (None, "one", whole)),
    }


def test_a_patch_of_a_replacement() -> None:
    one, (old,) = layer("one", f"replace: {BOW}, dv: ^9, source: {{ref: b}}")
    two, (new,) = layer("two", f"patch: {BOW}, set: {{dv: ^10}}", "one")
    fields = origins(library(CORE, one, two), BOW).fields
    assert fields["dv"] == ((4, "core", DV), (9, "one", old), (10, "two", new))
    assert [setting.pack for setting in fields["modes"]] == ["core", "one"]


def test_a_removed_entry() -> None:
    one, (place,) = layer("one", f"remove: ^{BOW}")
    found = origins(library(CORE, one), BOW)
    assert found == (BOW, "", {}, Removal("one", place), {})
    assert found.to_json() == {
        "id": BOW,
        "label": "",
        "removed": {"pack": "one", "place": place},
        "fields": {},
    }


def test_a_former_name() -> None:
    core = made("core", {"weapons.yaml": entries("weapons", "slug: bow, dv: 1, renamed_from: [arc]")})
    found = origins(library(core), "core:weapon/arc")
    assert found.id == BOW
    one, _ = layer("one", f"remove: {BOW}")
    assert origins(library(core, one), "core:weapon/arc").removed is not None


def test_a_house_rule() -> None:
    one, _ = layer("one", "slug: x", more="option_defaults: {graze: false}\n")
    found = origins(library(CORE, one), "core:option/graze")
    assert (found.id, found.label, found.removed) == ("core:option/graze", "Grazing", None)
    assert found.fields == {
        "default": ((True, "core", "core/pack.yaml:8:32"), (False, "one", "one/pack.yaml:9:26"))
    }


@pytest.mark.parametrize(
    ("id", "code", "hint"),
    [
        ("core:weapon/bwo", "unknown-entry", "did you mean 'core:weapon/bow'?"),
        ("coer:weapon/bow", "unknown-entry", "did you mean 'core:weapon/bow'?"),
        ("bow", "unknown-entry", "did you mean 'core:weapon/bow'?"),
        ("core:option/grze", "unknown-option", "did you mean 'core:option/graze'?"),
        ("core:optin/graze", "unknown-entry", "did you mean 'core:option/graze'?"),
        ("house:option/graze", "unknown-entry", "did you mean 'core:option/graze'?"),
        ("", "unknown-entry", "known: core:option/graze, core:weapon/bow, core:weapon/gun"),
    ],
)
def test_what_does_not_exist(id: str, code: str, hint: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        origins(library(CORE), id)
    (problem,) = caught.value.problems
    assert (problem.code, problem.hint) == (code, hint)
    assert repr(id) in problem.message


def test_an_option_is_only_found_under_the_pack_that_declares_it() -> None:
    one, _ = layer("one", "slug: x", more="option_defaults: {graze: false}\n")
    with pytest.raises(UnknownNameError):
        origins(library(CORE, one), "one:option/graze")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("text", "text"),
        ("two\nlines  and\tmore", "two lines and more"),
        (7, "7"),
        (True, "true"),
        ([1, "a"], "[1, a]"),
        ({"ä": None}, "{ä: null}"),
        ("x" * 80, "x" * 57 + "..."),
        ("x" * 60, "x" * 60),
    ],
)
def test_values_on_one_short_line(value: Any, shown: str) -> None:
    text = f"kind: weapons\nruleset: sr4\nentries: [{{slug: bow, dv: {json.dumps(value)}}}]\n"
    found = origins(library(made("core", {"weapons.yaml": text})), BOW)
    assert found.fields["dv"][0].shown == shown


def test_a_field_that_was_taken_away_is_shown_as_such() -> None:
    one, _ = layer("one", f"patch: {BOW}, unset: [dv]")
    assert origins(library(CORE, one), BOW).fields["dv"][-1].shown == "(unset)"


STEPS = st.lists(
    st.fixed_dictionaries(
        {
            "dv": st.integers(0, 9) | st.none(),
            "ap": st.integers(0, 9) | st.none(),
            "rc": st.integers(0, 9) | st.none(),
        }
    ),
    max_size=5,
)


@given(STEPS)
def test_the_history_is_what_happened(steps: list[dict[str, int | None]]) -> None:
    """A model of three fields, changed by one pack after the other."""
    packs, below = [CORE], ["core"]
    said: dict[str, list[tuple[int | None, str]]] = {"dv": [(4, "core")], "ap": [], "rc": []}
    for at, step in enumerate(steps):
        id = f"p{at}"
        sets = {field: value for field, value in step.items() if value is not None}
        unsets = [
            field
            for field, value in step.items()
            if value is None and said[field] and said[field][-1][0] is not None
        ]
        if not sets and not unsets:
            continue
        for field in (*sets, *unsets):
            said[field].append((sets.get(field), id))
        change = {"patch": BOW} | ({"set": sets} if sets else {}) | ({"unset": unsets} if unsets else {})
        text = f"kind: weapons\nruleset: sr4\nentries: [{json.dumps(change)}]\n"
        packs.append(made(id, {"weapons.yaml": text}, requires=below))
        below = [*below, id]
    found: Library = library(*packs)
    fields = origins(found, BOW).fields
    for field, settings in said.items():
        assert [(setting.value, setting.pack) for setting in fields.get(field, ())] == settings
        for setting in fields.get(field, ()):
            assert setting.place.startswith(f"{setting.pack}/weapons.yaml:")
    assert origins(found, BOW).to_json()["fields"].keys() == fields.keys()
