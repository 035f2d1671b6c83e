"""Layers: what packs add to, patch, replace and remove in the packs below them."""

from __future__ import annotations

import pytest
import small_packs
from small_packs import entries, library, made, told, weapons

from fracas.packs.entries import Entry, Pack
from fracas.packs.library import Library

CORE = made(
    "core",
    weapons(
        "slug: bow, label: Bow, dv: 4, modes: [SS], renamed_from: [long-bow], source: {ref: a}, notes: old",
        "slug: gun, label: Gun, dv: 5, ap: -1, source: {ref: a}",
        "slug: club, dv: 2",
    ),
)
BOW = "core:weapon/bow"


def house(
    *lines: str, id: str = "house", requires: tuple[str, ...] = ("core",), kind: str = "weapons"
) -> Pack:
    """A pack whose entries and changes stand in lines 4, 5 ... of one file."""
    return made(id, {f"{kind}.yaml": entries(kind, *lines)}, layer="house", requires=requires)


def marked(line: str) -> tuple[str, str]:
    """The line without its ``^``, and the place of that."""
    (plain,), (place,) = small_packs.marked(line)
    return plain, place


def entry(found: Library, id: str = BOW) -> Entry:
    one = found.entry(id)
    assert one is not None
    return one


# --- What layers can do -----------------------------------------------------------------------------------


def test_an_entry_is_added() -> None:
    found = library(CORE, house("slug: net, dv: 0"))
    assert [weapon.id for weapon in found.ruleset_packs("sr4").entries("weapon")] == [
        BOW,
        "core:weapon/gun",
        "core:weapon/club",
        "house:weapon/net",
    ]
    assert entry(found, "house:weapon/net").changes == ()


def test_a_patch_sets_and_unsets_fields_and_leaves_the_rest() -> None:
    found = library(CORE, house(f"patch: {BOW}, set: {{dv: 6, ap: -2, label: Bow!}}, unset: [modes, notes]"))
    bow = entry(found)
    assert bow.data == {"dv": 6, "ap": -2}
    assert bow.meta == {
        "slug": "bow",
        "label": "Bow!",
        "renamed_from": ["long-bow"],
        "source": {"ref": "a"},
    }
    assert (bow.id, bow.slug, bow.label, bow.pack) == (BOW, "bow", "Bow!", "core")
    assert entry(found, "core:weapon/gun") == CORE.entries[1]
    assert [weapon.slug for weapon in found.ruleset_packs("sr4").entries("weapon")] == ["bow", "gun", "club"]
    ((pack, how, fields, before, _, unset),) = bow.changes
    assert (pack, how, fields) == ("house", "patch", {"dv", "ap", "label", "modes", "notes"})
    assert before == {"dv": 4, "label": "Bow", "modes": ["SS"], "notes": "old"}
    assert unset == ("modes", "notes")


def test_a_replacement_takes_the_place_of_an_entry() -> None:
    found = library(
        CORE, house(f"replace: {BOW}, label: New, dv: 9, renamed_from: [arc], source: {{ref: b}}")
    )
    bow = entry(found)
    assert bow.data == {"dv": 9}
    assert bow.meta == {
        "slug": "bow",
        "label": "New",
        "source": {"ref": "b"},
        "renamed_from": ["long-bow", "arc"],
    }
    assert (bow.id, bow.label, bow.pack) == (BOW, "New", "core")
    assert bow.changes[0].before["source"] == {"ref": "a"}
    for name in ("bow", "long-bow", "arc", "core:weapon/long-bow"):
        assert found.ruleset_packs("sr4").entry("weapon", name) is bow


def test_a_removed_entry_is_gone() -> None:
    found = library(CORE, house(f"remove: {BOW}"))
    assert found.entry(BOW) is None
    assert [weapon.slug for weapon in found.packs["core"].entries] == ["gun", "club"]
    assert found.removed[BOW].pack == "house"
    # By its former name too.
    assert found.removed["core:weapon/long-bow"].target == BOW


def test_a_removed_entrys_name_can_be_taken() -> None:
    found = library(CORE, house("slug: bow, dv: 7", f"remove: {BOW}"))
    bow = found.ruleset_packs("sr4").entry("weapon", "bow")
    assert bow is not None
    assert (bow.id, bow.data) == ("house:weapon/bow", {"dv": 7})


def test_a_former_name_is_a_target() -> None:
    found = library(CORE, house("patch: core:weapon/long-bow, set: {dv: 6}"))
    assert entry(found).data["dv"] == 6


THIRD = f"patch: {BOW}, expects: {{dv: 7, ap: 1}}, set: {{dv: 8}}, unset: [ap]"


def test_a_chain_of_three_layers() -> None:
    one = house(f"patch: {BOW}, set: {{dv: 6}}", id="one")
    two = house(
        f"patch: {BOW}, expects: {{dv: 6}}, set: {{dv: 7, ap: 1}}", id="two", requires=("one", "core")
    )
    three = house(THIRD, id="three", requires=("two", "core", "one"))
    found = library(three, two, CORE, one)
    bow = entry(found)
    assert bow.data == {"dv": 8, "modes": ["SS"]}
    assert [(change.pack, change.before) for change in bow.changes] == [
        ("one", {"dv": 4}),
        ("two", {"dv": 6}),
        ("three", {"dv": 7, "ap": 1}),
    ]
    assert bow.author_of(("dv",)) == bow.author_of(("ap",)) == "three"
    assert bow.location_of(("dv",)) == "three/weapons.yaml:" + marked(THIRD.replace("dv: 8", "dv: ^8"))[1]
    assert bow.location_of(("ap",)) == "three/weapons.yaml:" + marked(THIRD.replace("[ap]", "[^ap]"))[1]
    assert bow.author_of(("modes", 0)) == "core"
    assert (
        bow.location_of(("modes", 0))
        == "core/weapons.yaml:4:" + marked("slug: bow, label: Bow, dv: 4, modes: [^SS]")[1][2:]
    )


def test_a_patch_of_a_replacement_and_a_replacement_of_a_patch() -> None:
    one = house(f"replace: {BOW}, dv: 9", id="one")
    two = house(f"patch: {BOW}, expects: {{dv: 9}}, set: {{dv: 10}}", id="two", requires=("one", "core"))
    assert entry(library(CORE, one, two)).data == {"dv": 10}
    one = house(f"patch: {BOW}, set: {{dv: 9}}", id="one")
    line, place = marked(f"replace: {BOW}, expects: {{dv: 9}}, ^ap: 1")
    two = house(line, id="two", requires=("one", "core"))
    bow = entry(library(CORE, one, two))
    assert bow.data == {"ap": 1}
    assert bow.author_of(()) == bow.author_of(("dv",)) == "two"
    assert bow.location_of(("ap",), of_key=True) == f"two/weapons.yaml:{place}"


def test_parts_of_a_field_are_set_by_who_set_the_field() -> None:
    line, place = marked(f"patch: {BOW}, set: {{modes: [SA, ^BF]}}")
    found = entry(library(CORE, house(line)))
    assert found.location_of(("modes", 1)) == f"house/weapons.yaml:{place}"
    _, place = marked(f"patch: {BOW}, set: {{^modes: [SA, BF]}}")
    assert found.location_of(("modes",), of_key=True) == f"house/weapons.yaml:{place}"


def test_changes_to_entries_with_faults_of_their_own_pass() -> None:
    packs = CORE, house("patch: core:weapon/broken, set: {dv: 6}", "remove: core:weapon/lost")
    assert told(Library(packs, frozenset({("weapon", "broken")})).faults) == [
        ("house", "house/weapons.yaml:5:14", "orphaned-change")
    ]


def test_two_patches_of_one_entry_in_one_pack() -> None:
    found = library(CORE, house(f"patch: {BOW}, set: {{dv: 6}}", f"patch: {BOW}, set: {{ap: 1}}"))
    assert entry(found).data == {"dv": 6, "ap": 1, "modes": ["SS"]}


# --- Changes that do not fit ------------------------------------------------------------------------------

CASES = [
    (
        f"patch: {BOW}, expects: {{dv: ^5}}, set: {{dv: 6}}",
        "unexpected-value",
        "dv of core:weapon/bow is 4, and 5 was expected",
        None,
    ),
    (
        f"patch: {BOW}, expects: {{dv: ^true}}, set: {{dv: 6}}",
        "unexpected-value",
        "dv of core:weapon/bow is 4, and true was expected",
        None,
    ),
    (
        f"remove: {BOW}, expects: {{dv: 4, ap: ^1}}",
        "unexpected-value",
        "ap of core:weapon/bow is not there, and 1 was expected",
        None,
    ),
    (
        f"replace: {BOW}, dv: 1, expects: {{modes: ^[SA]}}",
        "unexpected-value",
        'modes of core:weapon/bow is ["SS"], and ["SA"] was expected',
        None,
    ),
    (
        f"patch: {BOW}, unset: [modes, ^mods]",
        "nothing-to-unset",
        "core:weapon/bow has no 'mods'",
        "did you mean 'modes'?",
    ),
    (
        "patch: ^core:weapon/bwo, set: {dv: 6}",
        "orphaned-change",
        "there is no entry core:weapon/bwo",
        "did you mean 'core:weapon/bow'?",
    ),
    (
        "patch: ^coer:weapon/bow, set: {dv: 6}",
        "orphaned-change",
        "there is no pack 'coer'",
        "did you mean 'core'?",
    ),
    (
        "remove: ^house:weapon/net",
        "own-entry",
        "house:weapon/net is an entry of this very pack",
        "change the entry itself",
    ),
    (
        "replace: ^core:armor/coat, label: x",
        "wrong-kind",
        "core:armor/coat is of another kind than this file, which holds entries of kind 'weapon'",
        "put it into armor.yaml",
    ),
    (
        "remove: ^core:wepon/bow",
        "wrong-kind",
        "core:wepon/bow is of another kind than this file, which holds entries of kind 'weapon'",
        "did you mean 'weapon'?",
    ),
    (
        "remove: ^beside:weapon/net",
        "not-required",
        "house changes an entry of beside, which it does not require",
        "add it to 'requires' in pack.yaml",
    ),
]


@pytest.mark.parametrize("expects", ["dv: 4", "modes: [SS], notes: old, label: Bow", "source: {ref: a}"])
def test_what_is_expected_is_there(expects: str) -> None:
    assert (
        entry(library(CORE, house(f"patch: {BOW}, expects: {{{expects}}}, set: {{dv: 6}}"))).data["dv"] == 6
    )


@pytest.mark.parametrize(("line", "code", "message", "hint"), CASES)
def test_a_change_that_does_not_fit(line: str, code: str, message: str, hint: str | None) -> None:
    line, place = marked(line)
    found = Library([CORE, made("beside", weapons("slug: net")), house(line)])
    ((pack, problem),) = found.faults
    assert pack == "house"
    assert problem == (f"house/weapons.yaml:{place}", code, message, hint)
    # Nothing is half done.
    assert found.packs["core"].entries == CORE.entries
    assert found.removed == {}


def test_a_wrong_value_names_who_set_it() -> None:
    one = house(f"patch: {BOW}, set: {{dv: 6}}", id="one")
    two = house(f"patch: {BOW}, expects: {{dv: 4}}, set: {{dv: 5}}", id="two", requires=("core", "one"))
    (fault,) = Library([CORE, one, two]).faults
    assert fault.problem.message == "dv of core:weapon/bow is 6, and 4 was expected"
    assert (
        fault.problem.hint == f"one set it at one/weapons.yaml:{marked(f'patch: {BOW}, set: {{dv: ^6}}')[1]}"
    )


def test_every_wrong_value_is_told_at_once() -> None:
    parts = f"patch: {BOW}, expects: {{dv: ^1, ap: ^2, modes: [SS]}}, unset: [^x, ^y]".split("^")
    found = Library([CORE, house("".join(parts))])
    places = [marked("".join(parts[:at]) + "^")[1] for at in range(1, 5)]
    assert told(found.faults) == [
        ("house", f"house/weapons.yaml:{place}", code)
        for place, code in zip(places, ["unexpected-value"] * 2 + ["nothing-to-unset"] * 2, strict=True)
    ]


def test_what_another_pack_has_removed() -> None:
    one, two = house(f"remove: {BOW}", id="one"), house("patch: core:weapon/long-bow, set: {dv: 5}", id="two")
    (fault,) = Library([CORE, one, two]).faults
    assert fault.pack == "two"
    assert fault.problem == (
        "two/weapons.yaml:4:13",
        "orphaned-change",
        "one has removed core:weapon/long-bow, at one/weapons.yaml:4:5",
        None,
    )


def test_changes_of_packs_that_are_missing_are_not_told_again() -> None:
    found = Library([house("patch: core:weapon/bow, set: {dv: 5}")])
    assert told(found.faults) == [("house", "house/pack.yaml:9:10", "missing-pack")]


def test_a_duplicate_slug() -> None:
    city = made("city", {"weapons.yaml": entries("weapons", "slug: net", ruleset="cwn")}, ruleset="cwn")
    found = Library([CORE, city, house("slug: net", "slug: bow")])
    ((pack, problem),) = found.faults
    assert pack == "house"
    assert problem == (
        "house/weapons.yaml:5:12",
        "duplicate-slug",
        "weapon 'bow' exists already: core:weapon/bow at core/weapons.yaml:4:5",
        "choose another slug, or write 'replace: core:weapon/bow' in place of the slug",
    )


# --- Packs beside each other ------------------------------------------------------------------------------

DISPUTES = [
    ("patch: {}, set: {{dv: ^6}}", "patch: {}, set: {{ap: 1, dv: ^7}}", "dv of "),
    ("patch: {}, set: {{dv: ^6}}", "patch: {}, unset: [modes, ^dv]", "dv of "),
    ("patch: {}, unset: [^dv]", "patch: {}, set: {{dv: ^7}}", "dv of "),
    ("^patch: {}, set: {{dv: 6}}", "replace: ^{}, dv: 7", ""),
    ("^patch: {}, set: {{dv: 6}}", "remove: ^{}", ""),
    ("^replace: {}, dv: 6", "patch: ^{}, set: {{accuracy: 7}}", ""),
    ("^replace: {}, dv: 6", "replace: ^{}, dv: 7", ""),
    ("^replace: {}, dv: 6", "remove: ^{}", ""),
]


@pytest.mark.parametrize(("one", "two", "what"), DISPUTES)
def test_what_two_packs_beside_each_other_change(one: str, two: str, what: str) -> None:
    one, there = marked(one.format(BOW))
    two, here = marked(two.format(BOW))
    if not what:
        there = "4:5"  # the whole change
    first, second = house(one, id="one"), house(two, id="two")
    ((pack, problem),) = Library([CORE, first, second]).faults
    code = "disputed-field" if what else "disputed-entry"
    assert (pack, problem.path, problem.code) == ("two", f"two/weapons.yaml:{here}", code)
    assert problem.message == f"one changes {what}core:weapon/bow too, at one/weapons.yaml:{there}"
    assert problem.hint == "require one to come after it, or leave one of the two out"
    # Whichever comes first, the other is told.
    assert [fault.pack for fault in Library([CORE, second, first]).faults] == ["one"]
    # One that builds on the other may.
    above = house(two, id="two", requires=("core", "one"))
    assert Library([CORE, above, first]).faults == ()
    # Two of one pack may not.
    ((pack, problem),) = Library([CORE, house(one, two)]).faults
    assert (pack, problem.code, problem.hint) == ("house", "double-change", "put the two together")
    assert problem.path == f"house/weapons.yaml:5:{here.removeprefix('4:')}"
    assert (
        problem.message == f"this pack changes {what}core:weapon/bow already, at house/weapons.yaml:{there}"
    )


def test_two_packs_beside_each_other_remove_an_entry() -> None:
    (fault,) = Library([CORE, house(f"remove: {BOW}", id="one"), house(f"remove: {BOW}", id="two")]).faults
    assert (fault.pack, fault.problem.code) == ("two", "orphaned-change")
    assert fault.problem.message == "one has removed core:weapon/bow, at one/weapons.yaml:4:5"


def test_packs_beside_each_other_may_change_different_fields() -> None:
    packs = [house(f"patch: {BOW}, set: {{{field}: 1}}", id=field) for field in ("dv", "ap", "rc")]
    assert entry(library(CORE, *packs)).data == {"dv": 1, "ap": 1, "rc": 1, "modes": ["SS"]}
