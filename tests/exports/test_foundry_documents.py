"""Documents of Foundry: sound in form, stable in their ids, and made of every entry."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from exported_packs import LIBRARIES, PACKS, core, gritty
from hypothesis import given
from hypothesis import strategies as st
from item_schemas import complaints, document_check, item_check
from sheet_mappings import SYSTEMS
from system_facts import facts

from fracas.exports.foundry.compendiums import Compendium, compendiums, module_compendium
from fracas.exports.foundry.documents import document_id, text_html
from fracas.exports.foundry.mapped import systems_of
from fracas.exports.foundry.pages import journals, page_html
from fracas.exports.foundry.rulebook import IN_MODULE, IN_WORLD, pictures, rulebook
from fracas.exports.readable import by_kind
from fracas.exports.table_ranges import rolled
from fracas.packs.entries import Entry
from fracas.packs.library import Library
from fracas.packs.manuscript import of_pack
from fracas.packs.shipped import shipped

PREDATOR = "oFmSKcmTR5hpVQGC"
FORMS = {"JournalEntry": "journal", "RollTable": "table", "Macro": "macro", "Actor": "actor"}


@cache
def made(library: str, pack: str) -> tuple[Compendium, ...]:
    return (*compendiums(LIBRARIES[library](), pack), module_compendium())


def documents(library: str, pack: str, type: str = "") -> Iterator[dict[str, Any]]:
    for each in made(library, pack):
        if type in ("", each.type):
            yield from each.documents


def inner(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for field in ("pages", "results", "items"):
        yield from document.get(field, ())


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_every_document_has_the_form_that_foundry_wants(library: str, pack: str) -> None:
    for compendium in made(library, pack):
        assert compendium.documents
        form = FORMS.get(compendium.type)
        for document in compendium.documents:
            check = document_check(form) if form else item_check(compendium.system)
            assert complaints(check, document) == [], document["name"]
            assert document["_stats"]["systemId"] == (compendium.system or None)
        for folder in compendium.folders:
            assert complaints(document_check("folder"), folder) == []
        places = {None, *(folder["_id"] for folder in compendium.folders)}
        assert {document["folder"] for document in compendium.documents} <= places


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_no_two_documents_have_one_key_and_keys_are_made_of_ids(library: str, pack: str) -> None:
    for compendium in made(library, pack):
        keys = [each["_key"] for outer in compendium.stored for each in (outer, *inner(outer))]
        assert len(keys) == len(set(keys))
        for outer in compendium.stored:
            assert outer["_key"].endswith(f"!{outer['_id']}")
            assert all(each["_key"].endswith(f"!{outer['_id']}.{each['_id']}") for each in inner(outer))


def test_no_two_compendiums_of_all_packs_have_one_name() -> None:
    names = [each.name for pack in core().packs for each in compendiums(core(), pack)]
    assert len(names) == len(set(names)) > 10
    labels = [each.label for pack in core().packs for each in compendiums(core(), pack)]
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_every_entry_has_a_page_with_its_data(library: str, pack: str) -> None:
    found = LIBRARIES[library]().packs[pack]
    pages = {
        page["flags"]["fracas"]["entry"]: page
        for each in documents(library, pack, "JournalEntry")
        for page in each["pages"]
    }
    entries = {entry.id: entry for kind in by_kind(found).values() for entry in kind}
    rules = {id: pages.pop(id) for id in [*pages] if ":rulebook/" in id}
    book = of_pack(found)
    assert len(rules) == sum(len(chapter.written) for chapter in (book.chapters if book else ()))
    assert not [
        id
        for id, page in rules.items()
        if "<!--" in page["text"]["content"] or "**" in page["text"]["content"]
    ]
    assert set(pages) == set(entries)
    for id, page in pages.items():
        flags = page["flags"]["fracas"]
        assert json.loads(flags["data"]) == json.loads(json.dumps(entries[id].data))
        assert (flags["pack"], flags["kind"], flags["version"]) == (
            pack,
            entries[id].kind,
            found.manifest.version,
        )
        assert not list(bad_keys(flags)), id


def bad_keys(value: Any) -> Iterator[str]:
    """Keys that Foundry does not keep: it takes dots for paths, and -= for a removal."""
    if isinstance(value, dict):
        for key, part in value.items():
            if "." in key or key.startswith(("-=", "==")):
                yield key
            yield from bad_keys(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from bad_keys(part)


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_weapons_and_armor_are_items_of_the_system_that_plays_their_ruleset(library: str, pack: str) -> None:
    found = LIBRARIES[library]().packs[pack]
    (system,) = systems_of(LIBRARIES[library]().ruleset_packs(found.manifest.ruleset))
    expected = {entry.id for entry in found.entries if entry.kind in system.builders}
    items = [each for each in made(library, pack) if each.type == "Item"]
    assert {each.system for each in items} <= {system.id}
    assert {each["flags"]["fracas"]["entry"] for one in items for each in one.documents} == expected


def test_systems_and_what_they_have_items_of() -> None:
    assert {id: each.version for id, each in SYSTEMS.items()} == {
        id: facts(id).raw["version"] for id in SYSTEMS
    }
    assert {id: (each.ruleset, set(each.builders)) for id, each in SYSTEMS.items()} == {
        "shadowrun4e": ("sr4", {"weapon", "armor", "action"}),
        "shadowrun5e": ("sr5", {"weapon", "armor"}),
        "swnr": ("cwn", {"weapon", "armor"}),
        "dark-heresy": ("imperium", {"weapon", "armor"}),
    }


def test_items_of_systems_that_are_not_wanted_are_left_out() -> None:
    assert {each.system for each in compendiums(core(), "sr4-core", ("swnr",))} == {""}
    assert "shadowrun4e" in [each.system for each in compendiums(core(), "sr4-core", ("shadowrun4e",))]


# --- For the GM alone ---------------------------------------------------------------------------------------


def test_what_players_are_not_to_see_has_compendiums_of_its_own() -> None:
    closed = {each.name: each.manifest()["ownership"] for each in made("core", "sr4-core") if each.gm_only}
    nobody = {"PLAYER": "NONE", "TRUSTED": "NONE", "ASSISTANT": "OWNER"}
    assert closed == {"sr4-core-gm": nobody, "sr4-core-actors-shadowrun4e": nobody}
    assert not [
        each.name for each in made("core", "sr4-core") if "ownership" in each.manifest() and not each.gm_only
    ]
    kinds = {
        each.name: {page["flags"]["fracas"].get("kind") for one in each.documents for page in one["pages"]}
        for each in made("core", "sr4-core")
        if each.type == "JournalEntry"
    }
    assert kinds["sr4-core-gm"] == {"combatant", "skirmish"}
    assert not kinds["sr4-core-journal"] & kinds["sr4-core-gm"]


def test_actors_are_in_the_folder_of_their_skirmish_and_on_its_sides() -> None:
    (people,) = (each for each in made("core", "sr4-core") if each.type == "Actor")
    dock, room, *others = people.folders
    flags = dock["flags"]["fracas"]
    assert (dock["name"], flags["entry"]) == ("The loading dock", "sr4-core:skirmish/loading-dock")
    assert room["name"] == "The server room"
    assert [each["name"] for each in others] == [
        "A summoned spirit",
        "The drone patrol",
        "Other combatants",
        "Machines and vehicles",
    ]
    there = {each["_id"]: each for each in people.documents if each["folder"] == dock["_id"]}
    sides = {each["name"]: each["prototypeToken"]["disposition"] for each in there.values()}
    assert sides == {"Rook": 1, "Vex": 1, "Brick": -1, "Guard": -1}
    assert flags["skirmish"]["distance"] == 12
    placed = [
        (there[one["actor"]]["name"], one["side"], one["count"], one["player"])
        for one in flags["skirmish"]["combatants"]
    ]
    assert placed == [
        ("Rook", "runners", 1, True),
        ("Vex", "runners", 1, True),
        ("Guard", "corp", 2, False),
        ("Brick", "corp", 1, False),
    ]
    tokens = {each["name"]: each["prototypeToken"] for each in people.documents}
    assert (tokens["Rook"]["appendNumber"], tokens["Guard"]["appendNumber"]) == (False, True)
    (tagged,) = (each for each in made("core", "sr5-core") if each.type == "Actor")
    friends = {each["name"] for each in tagged.documents if each["prototypeToken"]["disposition"] == 1}
    assert {"Splice, decker", "Kestrel, street samurai"} <= friends
    assert not friends & {"Gate guard", "Roof sniper"}


@pytest.mark.parametrize(
    ("pack", "type", "folders"),
    [
        ("sr4-core", "Item", {"Weapons": 127, "Armor": 18, "Actions": 189}),
        ("cwn-core", "Item", {"Weapons": 84, "Armor": 14}),
        (
            "cwn-core",
            "Actor",
            {
                "Trouble in the alley": 4,
                "Player characters": 5,
                "Other combatants": 26,
                "Machines and vehicles": 19,
            },
        ),
        (
            "sr5-core",
            "Actor",
            {
                "The front gate": 4,
                "The drone patrol": 5,
                "Player characters": 2,
                "Other combatants": 46,
                "Machines and vehicles": 12,
            },
        ),
    ],
)
def test_items_and_actors_are_in_folders_by_kind(pack: str, type: str, folders: dict[str, int]) -> None:
    (found,) = (each for each in made("core", pack) if each.type == type)
    names = {each["_id"]: each["name"] for each in found.folders}
    assert Counter(names[each["folder"]] for each in found.documents) == folders


# --- Ids and hashes -----------------------------------------------------------------------------------------


def test_ids_are_the_same_forever() -> None:
    """A re-import finds documents by them: if this test fails, every table has duplicates."""
    assert document_id("Item", "sr4-core:weapon/ares-predator-iv") == PREDATOR
    items = {each["_id"]: each["name"] for each in documents("core", "sr4-core", "Item")}
    assert items[PREDATOR] == "Ares Predator IV"


@given(st.text(max_size=30), st.sampled_from(["Item", "RollTable"]))
def test_ids_have_sixteen_letters_and_digits(name: str, type: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9]{16}", document_id(type, name))
    assert document_id(type, name) != document_id(type, name + "x")
    assert document_id("Item", name) != document_id("Macro", name)


def hashes(library: Library, pack: str) -> dict[str, str]:
    return {
        each["_key"]: each["flags"]["fracas"]["hash"]
        for compendium in compendiums(library, pack)
        for outer in compendium.documents
        for each in (outer, *inner(outer))
    }


def test_a_hash_changes_when_its_entry_does_and_no_other() -> None:
    before, after = hashes(core(), "sr4-core"), hashes(gritty(), "sr4-core")
    changed = {entry.id for entry in gritty().packs["sr4-core"].entries if entry.changes}
    assert changed
    expected = set()
    for compendium in compendiums(gritty(), "sr4-core"):
        for outer in compendium.documents:
            those = [each for each in (outer, *inner(outer)) if each["flags"]["fracas"]["entry"] in changed]
            expected |= {each["_key"] for each in those}
            expected |= {outer["_key"]} if those else set()
    assert {key for key in after if before.get(key) != after[key]} == expected
    assert set(before) - set(after) == set()


@pytest.mark.parametrize(
    ("within", "begins"), [(IN_MODULE, "fracas."), (IN_WORLD, "world.fracas-"), ("", "{core}.")]
)
def test_pages_of_entries_lead_to_pages_of_the_rulebook(within: str, begins: str) -> None:
    """Of layers too, whose core has the rulebook; the module puts ``fracas-`` before the names of a world's."""
    made = {pack: compendiums(core(), pack, within=within) for pack in core().packs}
    pages = {
        f"{pack}-rulebook.JournalEntry.{journal['_id']}.JournalEntryPage.{page['_id']}": page["name"]
        for pack, found in made.items()
        for compendium in found
        if compendium.name == f"{pack}-rulebook"
        for journal in compendium.documents
        for page in journal["pages"]
    }
    links = [
        (ruleset_of(pack), link, title)
        for pack, found in made.items()
        for compendium in found
        if compendium.name in (f"{pack}-journal", f"{pack}-gm")
        for journal in compendium.documents
        for page in journal["pages"]
        for link, title in re.findall(r"@UUID\[Compendium\.([^\]]+)\]\{([^}]+)\}", page["text"]["content"])
    ]
    assert len(links) > 2000
    for ruleset, link, title in links:
        before = begins.format(core=f"{ruleset}-core")
        assert link.startswith(before)
        assert pages[link.removeprefix(before)] == title


@pytest.mark.parametrize(("within", "folder"), [(IN_MODULE, "fracas"), (IN_WORLD, "fracas"), ("", "{core}")])
def test_pages_of_the_rulebook_show_every_procedure(within: str, folder: str) -> None:
    """As images: Foundry takes the tags of SVG out of texts. The files are in the module that the pages are in."""
    for core_pack in ("cwn-core", "imperium-core", "sr4-core", "sr5-core"):
        pack = core().packs[core_pack]
        contents = [page["text"]["content"] for one in rulebook(pack, within) for page in one["pages"]]
        shown = [found for text in contents for found in re.findall(r'<img src="([^"]+)" alt="[^"]', text)]
        begins = f"modules/{folder.format(core=core_pack)}/"
        files = pictures(pack)
        assert sorted(shown) == sorted(f"{begins}{name}" for name in files)
        assert len(files) > 10
        for content in files.values():
            drawn = ElementTree.fromstring(content)
            assert "background" in drawn.attrib["style"]
        assert not re.search(r"<(svg|path|rect)", "".join(contents))


def ruleset_of(pack: str) -> str:
    return core().packs[pack].manifest.ruleset


def test_a_new_version_of_a_pack_changes_no_hash() -> None:
    pack = core().packs["cwn-core"]
    later = pack._replace(manifest=pack.manifest._replace(version="99.0.0"))
    told = [[each["flags"]["fracas"] for each in journals(one)] for one in (pack, later)]
    assert [each["hash"] for each in told[0]] == [each["hash"] for each in told[1]]
    assert {each["version"] for each in told[1]} == {"99.0.0"}


# --- What is in them ----------------------------------------------------------------------------------------


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, Any]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


def read_html(text: str) -> _Tags:
    parser = _Tags()
    parser.feed(text)
    parser.close()
    return parser


def some_entry(kind: str, label: str, data: dict[str, Any], **meta: Any) -> Entry:
    model = core().packs["sr4-core"].entries[0]
    return model._replace(kind=kind, label=label, data=data, meta=meta)


WORDS = st.text(alphabet="<>&\"'/aé=\u202e ", min_size=1, max_size=12)


@given(WORDS, WORDS)
def test_nothing_of_an_entry_becomes_a_tag(word: str, other: str) -> None:
    script = f"<img src=x onerror=alert(1)>{word}"
    allowed = {"table", "thead", "tbody", "tr", "th", "td", "p", "dl", "dt", "dd"}
    entries = [
        some_entry("weapon", script, {"features": [script, other], script: {script: other}}, notes=script),
        some_entry(
            "table", "x", {"rows": {"a": {"b": script}}, "columns": {"b": script}}, source={"ref": script}
        ),
    ]
    for entry in entries:
        found = read_html(page_html(entry, "sr4"))
        assert all(tag in allowed and not attrs for tag, attrs in found.seen)
        assert "onerror=alert(1)" in found.text


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_html_is_well_formed(library: str, pack: str) -> None:
    for document in documents(library, pack):
        for text in (
            *(page["text"]["content"] for page in document.get("pages", ())),
            *(each["description"] for each in document.get("results", ())),
            document.get("description", ""),
        ):
            ElementTree.fromstring(f"<div>{text}</div>")


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_the_ranges_of_a_table_fill_the_numbers_of_its_dice(library: str, pack: str) -> None:
    for document in documents(library, pack, "RollTable"):
        count, sides = map(int, document["formula"].split("d"))
        numbers = [at for each in document["results"] for at in range(each["range"][0], each["range"][1] + 1)]
        assert numbers == list(range(count, count * sides + 1)), document["name"]
        assert all(each["weight"] == each["range"][1] - each["range"][0] + 1 for each in document["results"])


@pytest.mark.parametrize(
    ("slug", "formula", "pack"),
    [
        ("reactions", "2d6", "cwn-core"),
        ("major-injuries", "1d12", "cwn-core"),
        ("hit-location", "1d100", "imperium-core"),
        ("scatter-direction", "1d6", "sr4-core"),
    ],
)
def test_tables_are_rolled_with_their_dice(slug: str, formula: str, pack: str) -> None:
    (found,) = (
        each for each in documents("core", pack, "RollTable")
        if each["flags"]["fracas"]["entry"] == f"{pack}:table/{slug}"
    )  # fmt: skip
    assert found["formula"] == formula


@pytest.mark.parametrize("slug", ["falling", "visibility", "barriers", "strength-recoil"])
def test_what_is_looked_up_is_a_page_and_no_roll_table(slug: str) -> None:
    id = f"sr4-core:table/{slug}"
    assert id not in {each["flags"]["fracas"]["entry"] for each in documents("core", "sr4-core", "RollTable")}
    pages = (page for each in documents("core", "sr4-core", "JournalEntry") for page in each["pages"])
    (page,) = (page for page in pages if page["flags"]["fracas"]["entry"] == id)
    assert "<table>" in page["text"]["content"]


@pytest.mark.parametrize(
    "rows",
    [
        [{"least": 1, "most": 3}, {"least": 5, "most": 6}],  # a gap
        [{"least": 1, "most": 3}, {"least": 3, "most": 6}],  # twice
        [{"least": 1, "most": None}, {"least": 4, "most": None}],
        [{"least": 3, "most": 1}],
        [{"least": 2, "most": 6}],  # no 1
        [{"least": 1, "most": 7}],
        [{"least": True, "most": 6}],
        [{"least": "1", "most": 6}],
        [{"degrees": 0}] * 5,
        [],
    ],
)
def test_dice_that_do_not_fit_the_rows_roll_no_table(rows: list[dict[str, Any]]) -> None:
    assert rolled({"roll": "1d6", "rows": {f"row-{at}": row for at, row in enumerate(rows)}}) is None


@pytest.mark.parametrize(("library", "pack"), PACKS)
def test_macros_call_the_module_with_an_action_of_the_pack(library: str, pack: str) -> None:
    shelf = LIBRARIES[library]().ruleset_packs(LIBRARIES[library]().packs[pack].manifest.ruleset)
    for document in documents(library, pack, "Macro"):
        call = re.fullmatch(r'game\.modules\.get\("fracas"\)\.api\.(\w+)\((.*)\);', document["command"])
        assert call is not None
        if call[1] == "act":
            found = shelf.by_id(json.loads(call[2])["action"])
            assert found is not None
            assert found.data["procedure"]
        else:
            names = ("attack", "odds", "initiative", "undo", "skirmish")
            assert (call[1], call[2]) in {(name, "") for name in names}


def test_every_action_that_is_resolved_has_a_macro() -> None:
    actions = {e.id for e in core().packs["sr4-core"].entries if e.kind == "action" and "procedure" in e.data}
    macros = {each["flags"]["fracas"]["entry"] for each in documents("core", "sr4-core", "Macro")}
    assert actions < macros


def test_macros_call_what_the_module_offers() -> None:
    script = (shipped("integrations") / "foundry/scripts/api.mjs").read_text("utf-8")
    offered = re.search(r"^export const api = \{(.*?)\}", script, re.MULTILINE | re.DOTALL)
    assert offered is not None
    names = set(re.findall(r"\w+", offered[1]))
    called = {
        re.sub(r".*\.api\.(\w+)\(.*", r"\1", each["command"])
        for each in documents("core", "sr4-core", "Macro")
    }
    assert called == {"attack", "odds", "initiative", "undo", "act", "skirmish"}
    assert called <= names


def test_a_text_of_a_pack_is_neither_markup_nor_run() -> None:
    told = text_html("<b> [[/r 1d20]] @UUID[Actor.x]{him} &Reference[prone] x[1]")
    assert "<" not in told
    assert "[[" not in told
    assert not re.search(r"[@&;]\w+\[", told)
    assert told.replace("\u2060", "") == html.escape(
        "<b> [[/r 1d20]] @UUID[Actor.x]{him} &Reference[prone] x[1]"
    )
