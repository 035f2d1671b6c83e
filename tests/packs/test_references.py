"""References from entry to entry, and from entries to their sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from small_packs import entries, library, made, marked, only, told

from fracas.packs.entries import KINDS, Pack
from fracas.packs.library import Library
from fracas.packs.references import kind_named, reference_faults, reference_fields
from fracas.packs.schemas import names, schema

RULESETS = sorted({name.partition(".")[0] for name in names()} & {"cwn", "imperium", "sr4", "sr5"})
REFERENCE = "common.schema.json#/$defs/reference"


def pack(
    id: str,
    kind: str,
    *lines: str,
    requires: tuple[str, ...] = (),
    more: str = "",
    ruleset: str = "sr4",
    **files: str,
) -> Pack:
    """A pack with a file of entries, and files of other kinds."""
    texts = {f"{name}.yaml": text for name, text in files.items()} | {
        f"{kind}.yaml": entries(kind, *lines, ruleset=ruleset)
    }
    return made(id, texts, requires=requires, more=more, ruleset=ruleset)


def faults(*packs: Pack, faulty: frozenset[tuple[str, str]] = frozenset()) -> list[Any]:
    return list(reference_faults(library(*packs), faulty))


# --- Which fields refer to what ---------------------------------------------------------------------------


def referring(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Ways of property names, inside one schema part, to whatever is a `reference`."""
    if isinstance(node, dict):
        if node.get("$ref") == REFERENCE:
            yield path
        for key, part in node.items():
            if key == "properties":
                for name, field in part.items():
                    yield from referring(field, (*path, name))
            else:
                yield from referring(part, path)
    elif isinstance(node, list):
        for part in node:
            yield from referring(part, path)


def test_every_reference_of_every_schema_is_known_with_a_kind_that_exists() -> None:
    """In `<kind>-fields` directly, or in a part of the file that some `<kind>-fields` uses."""
    known = {
        path for ruleset in RULESETS for kind in KINDS.values() for path in reference_fields(ruleset, kind)
    }
    assert len(known) > 15
    for name in {*names()} - {"common.schema.json"}:
        for part, fields in schema(name).get("$defs", {}).items():
            for path in referring(fields):
                assert any(way[-len(path) :] == path for way in known), f"{name} {part}: {'.'.join(path)}"
    for ruleset in RULESETS:
        for kind in KINDS.values():
            for path, named in reference_fields(ruleset, kind).items():
                assert named in KINDS.values(), f"{ruleset} {kind}: {path} names a {named}"


@pytest.mark.parametrize(
    ("ruleset", "kind", "field", "named"),
    [
        ("sr4", "weapon", ("range",), "range"),
        ("sr4", "weapon", ("mounted_on",), "weapon"),
        ("sr4", "combatant", ("weapons",), "weapon"),
        ("sr4", "combatant", ("armor",), "armor"),
        ("sr4", "modifier", ("suppresses",), "modifier"),
        ("cwn", "modifier", ("suppresses",), "modifier"),
        ("cwn", "combatant", ("edges",), "trait"),
        ("cwn", "combatant", ("drones",), "vehicle"),
        ("sr4", "skirmish", ("combatants", "combatant"), "combatant"),
        ("cwn", "skirmish", ("combatants", "weapons"), "weapon"),
        ("cwn", "weapon", ("blast", "like"), "weapon"),
        ("cwn", "weapon", ("blast", "conditions"), "condition"),
        ("imperium", "weapon", ("mundane_weapon",), "weapon"),
        ("sr4", "condition", ("forbids",), "action"),
    ],
)
def test_what_some_fields_name(ruleset: str, kind: str, field: tuple[str, ...], named: str) -> None:
    assert reference_fields(ruleset, kind)[field] == named


def test_kinds_and_rulesets_without_references() -> None:
    assert reference_fields("sr4", "range") == {}
    assert reference_fields("no-such-ruleset", "weapon") == {}
    assert kind_named("as_weapon") == "weapon"
    assert kind_named("powers") == "power"


# --- References to entries --------------------------------------------------------------------------------

CORE = pack(
    "core",
    "weapons",
    "slug: bow, range: far, renamed_from: [arc]",
    "slug: gun, range: core:range/near",
    ranges=entries("ranges", "slug: near", "slug: far"),
    armor=entries("armor", "slug: coat"),
)


def test_references_that_lead_somewhere() -> None:
    people = pack(
        "people",
        "combatants",
        "slug: ann, weapons: [bow, arc, 'core:weapon/gun', core:weapon/arc], armor: [coat]",
        "slug: ben, weapons: [], armor: []",
        requires=("core",),
    )
    assert faults(CORE, people) == []


def test_references_that_lead_nowhere() -> None:
    lines, places = marked(
        "slug: ann, weapons: [bow, ^bwo, ^core:armor/coat], armor: [coat]",
        "slug: ben, weapons: [^core:weapon/coat, ^people:weapon/bow]",
    )
    found = faults(CORE, pack("people", "combatants", *lines, requires=("core",)))
    assert told(found) == [
        ("people", f"people/combatants.yaml:{place}", "unknown-reference") for place in places
    ]
    assert found[0].problem.message == "there is no weapon 'bwo'"
    assert found[0].problem.hint == "did you mean 'bow'?"


def test_references_inside_records() -> None:
    lines, places = marked(
        "slug: mine, blast: {like: grenade, conditions: [dazed, ^deaf]}",
        "slug: grenade, blast: {like: ^bomb}",
        "slug: odd, blast: true",
    )
    conditions = entries("conditions", "slug: dazed", ruleset="cwn")
    found = faults(pack("city", "weapons", *lines, ruleset="cwn", conditions=conditions))
    assert told(found) == [("city", f"city/weapons.yaml:{place}", "unknown-reference") for place in places]


def test_entries_of_other_rulesets_are_none() -> None:
    city = pack("city", "weapons", "slug: club", ruleset="cwn")
    people = pack("people", "combatants", "slug: ann, weapons: [club]")
    (fault,) = faults(city, people)
    assert (fault.pack, fault.problem.code, fault.problem.hint) == ("people", "unknown-reference", None)


def test_entries_that_have_faults_of_their_own_are_not_missed() -> None:
    people = pack(
        "people", "combatants", "slug: ann, weapons: [net, 'core:weapon/net', nut]", requires=("core",)
    )
    found = faults(CORE, people, faulty=frozenset({("weapon", "net"), ("armor", "nut")}))
    assert [fault.problem.message for fault in found] == ["there is no weapon 'nut'"]


def test_entries_of_a_pack_that_is_not_required() -> None:
    lines, places = marked("slug: ann, weapons: [^bow], armor: [^core:armor/coat]")
    found = faults(CORE, pack("people", "combatants", *lines))
    assert sorted(told(found)) == [
        ("people", f"people/combatants.yaml:{place}", "not-required") for place in places
    ]
    messages = {fault.problem.message for fault in found}
    assert "core:weapon/bow is of a pack that people does not require" in messages
    assert {fault.problem.hint for fault in found} == {"add it to 'requires' in pack.yaml"}


def test_what_is_required_by_what_is_required_will_do() -> None:
    middle = made("middle", requires=["core"])
    people = pack("people", "combatants", "slug: ann, weapons: [bow]", requires=("middle",))
    assert faults(CORE, middle, people) == []


def test_a_patch_answers_for_what_it_sets() -> None:
    people = pack("people", "combatants", "slug: ann, weapons: [bow]", requires=("core",))
    lines, (place,) = marked("patch: people:combatant/ann, set: {weapons: [gun, ^net]}")
    house = pack("house", "combatants", *lines, requires=("people",))
    assert told(faults(CORE, people, house)) == [
        ("house", f"house/combatants.yaml:{place}", "unknown-reference")
    ]


def test_where_a_required_pack_is_missing_references_may_be_to_its_entries() -> None:
    people = pack("people", "combatants", "slug: ann, weapons: [bow]", requires=("core",))
    above = pack("above", "combatants", "slug: ben, weapons: [gun]", requires=("people",))
    assert list(reference_faults(Library([people, above]))) == []


# --- Removed entries --------------------------------------------------------------------------------------


def test_an_entry_that_is_still_needed_cannot_be_removed() -> None:
    people = pack("people", "combatants", "slug: ann, weapons: [arc, core:weapon/bow]", requires=("core",))
    house = pack("house", "weapons", "remove: core:weapon/bow", requires=("core",))
    found = faults(CORE, people, house)
    assert told(found) == [("house", "house/weapons.yaml:4:14", "still-needed")] * 2
    assert found[0].problem.message == (
        "people:combatant/ann needs core:weapon/bow: its weapons names it, at people/combatants.yaml:4:27"
    )


def test_who_builds_on_a_removal_answers_for_it() -> None:
    house = pack("house", "weapons", "remove: core:weapon/bow", requires=("core",))
    people = pack("people", "combatants", "slug: ann, weapons: [bow]", requires=("core", "house"))
    found = faults(CORE, house, people)
    assert told(found) == [("people", "people/combatants.yaml:4:27", "unknown-reference")]
    assert found[0].problem.message == "house has removed the weapon 'bow', at house/weapons.yaml:4:5"


def test_who_removes_answers_for_its_own_entries() -> None:
    house = pack(
        "house",
        "weapons",
        "remove: core:weapon/bow",
        requires=("core",),
        combatants=entries("combatants", "slug: ann, weapons: [bow]"),
    )
    problem = only(faults(CORE, house))
    assert (problem.path, problem.code) == ("house/combatants.yaml:4:27", "unknown-reference")
    assert problem.message == "this pack has removed the weapon 'bow', at house/weapons.yaml:4:5"


def test_removals_in_other_rulesets_have_nothing_to_do_with_it() -> None:
    city = pack("city", "weapons", "slug: net", ruleset="cwn")
    house = pack("rules", "weapons", "remove: city:weapon/net", requires=("city",), ruleset="cwn")
    people = pack("people", "combatants", "slug: ann, weapons: [net]")
    assert told(faults(city, house, people)) == [
        ("people", "people/combatants.yaml:4:27", "unknown-reference")
    ]


def test_a_removed_entrys_name_that_is_taken_again() -> None:
    house = pack("house", "weapons", "remove: core:weapon/bow", "slug: bow", requires=("core",))
    people = pack("people", "combatants", "slug: ann, weapons: [bow]", requires=("house",))
    assert faults(CORE, house, people) == []


# --- Sources ----------------------------------------------------------------------------------------------

SOURCES = "sources: [{id: book, title: A book}, {id: table, title: Ours}]\n"


def test_sources_that_the_pack_lists() -> None:
    assert faults(pack("a", "weapons", "slug: bow, source: {ref: book}", "slug: gun", more=SOURCES)) == []


def test_sources_that_the_pack_does_not_list() -> None:
    one = pack(
        "one", "weapons", "slug: bow, source: {ref: bok}", "slug: gun, source: {ref: web}", more=SOURCES
    )
    two = pack("two", "weapons", "slug: net, source: {ref: book}")
    found = faults(one, two)
    assert told(found) == [
        ("one", "one/weapons.yaml:4:31", "unknown-source"),
        ("one", "one/weapons.yaml:5:31", "unknown-source"),
        ("two", "two/weapons.yaml:4:31", "unknown-source"),
    ]
    assert found[0].problem[2:] == ("one lists no source 'bok'", "did you mean 'book'?")
    assert found[1].problem.hint == "known: book, table"
    assert found[2].problem.hint is None


def test_changes_name_sources_of_their_own_pack() -> None:
    lines, places = marked(
        "patch: core:weapon/bow, set: {range: near}, source: {ref: ^tabel}",
        "replace: core:weapon/gun, range: near, source: {ref: ^elsewhere}",
        "remove: core:weapon/club, source: {ref: table}",
    )
    house = pack("house", "weapons", *lines, requires=("core",), more=SOURCES)
    core = pack(
        "core",
        "weapons",
        "slug: bow, source: {ref: old}",
        "slug: gun, source: {ref: old}",
        "slug: club, source: {ref: old}",
        ranges=entries("ranges", "slug: near"),
        more="sources: [{id: old, title: Old}]\n",
    )
    found = sorted(told(faults(core, house)))
    assert found == [("house", f"house/weapons.yaml:{place}", "unknown-source") for place in places]
