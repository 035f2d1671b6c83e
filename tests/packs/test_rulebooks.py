"""The rulebooks hold everything that cites them: entries, docstrings, messages, and every procedure."""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fracas.book.book import Book
from fracas.book.telling import example
from fracas.engine.game import Games
from fracas.exports.pictures import picture
from fracas.packs.certainty import FIELDS, WORDS, mark
from fracas.packs.citations import cited, sections_of
from fracas.packs.flows import flows, path_of, written
from fracas.packs.library import Library
from fracas.packs.manuscript import MARK
from fracas.packs.schemas import entry_kinds

sys.path.append(str(Path(__file__).parents[2] / "scripts"))

import rulebook_flows

ROOT = Path(__file__).parents[2]
BOOKS = sorted(path.stem for path in (ROOT / "docs" / "rulebooks").glob("*.md"))
CITATION = re.compile(r"\bsections? (\d[\d.]*(?:(?:, and |, | and | to )\d[\d.]*)*)(?! of the SRD)")


@cache
def book(ruleset: str) -> Book:
    return Book(Games(Library.read([ROOT / "datapacks"], ruleset)), ruleset)


@pytest.mark.parametrize("ruleset", BOOKS)
def test_what_entries_cite_is_in_the_book(ruleset: str) -> None:
    there = {section.number for section in book(ruleset).manuscript.sections}
    entries = [entry for pack in book(ruleset).game.packs.packs for entry in pack.entries]
    lost = {
        entry.id: number for entry in entries for number in sections_of(entry, ruleset) if number not in there
    }
    assert lost == {}
    rules = book(ruleset).game.house_rules.values()
    assert {rule.about["source"]["ref"] for rule in rules} == {f"rulebook-{ruleset}"}
    assert [rule.id for rule in rules if rule.about["source"]["section"] not in there] == []


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_entry_and_every_house_rule_stands_on_the_page(ruleset: str) -> None:
    page = re.sub(r"\\(.)", r"\1", book(ruleset).whole())
    shelf = book(ruleset).game.packs
    entries = [entry for pack in shelf.packs for entry in pack.entries]
    assert len(entries) > 300
    assert [entry.id for entry in entries if " ".join(entry.label.split()) not in page] == []
    assert [id for id in shelf.options() if f"| `{id}` |" not in page] == []


@pytest.mark.parametrize("ruleset", BOOKS)
def test_numbers_of_sections_lead_there_on_the_page(ruleset: str) -> None:
    page = book(ruleset).whole()
    headings = re.findall(r"^#+ (\d.*)$", page, re.MULTILINE)
    places = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    links = re.findall(r"\[\d[\d.]*\]\(#([^)]+)\)", page)
    assert len(links) > 15
    assert set(links) <= places


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_procedure_has_one_place(ruleset: str) -> None:
    marks = [MARK.findall(section.text) for section in book(ruleset).manuscript.sections]
    placed = Counter(what for found in marks for name, what in found if name == "procedure")
    assert placed == Counter(book(ruleset).game.ruleset.procedures.keys())


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_procedure_is_told_in_steps(ruleset: str) -> None:
    """A numbered list of its own stands before the picture, with who does what and what comes of it."""
    told = {}
    for section in book(ruleset).manuscript.sections:
        before = ""
        for line in section.text.splitlines():
            found = MARK.fullmatch(line)
            before = before if found else f"{before}{line}\n"
            if found and found[1] == "procedure":
                told[found[2]] = re.findall(r"^\d+\. ", before, re.MULTILINE)
                before = ""
    assert {procedure: steps for procedure, steps in told.items() if len(steps) < 2} == {}


NEVER_ASKED = {
    "sr4": {"buy-hits"},
    "cwn": {"iron-hand", "trajectory-node", "gunlink-reroll", "total-defense", "veterans-luck"},
}
"""Decisions that every procedure of a kind declares, and that some of them never ask: `buy-hits` is a house rule."""


@pytest.mark.parametrize("ruleset", BOOKS)
def test_stored_flows_are_those_of_the_stages(ruleset: str) -> None:
    """If not, `python scripts/rulebook_flows.py` writes them anew."""
    assert path_of(ruleset).read_text("utf-8") == written(rulebook_flows.found(ruleset))
    assert flows(ruleset) == rulebook_flows.found(ruleset)


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_procedure_has_a_picture_of_what_its_stages_ask(ruleset: str) -> None:
    """Every decision that a procedure declares is in its picture and no other; every arrow leads from box to box."""
    seen: set[str] = set()
    for procedure in book(ruleset).game.ruleset.procedures.values():
        flow = flows(ruleset)[procedure.id]
        shown = {node.title.partition(":")[0] for node in flow.nodes if node.kind == "decision"}
        ids = {decision.id for decision in procedure.decisions if decision.label.partition(":")[0] in shown}
        assert len(ids) == len(shown), procedure.id
        assert {decision.id for decision in procedure.decisions} - ids <= NEVER_ASKED.get(ruleset, set())
        seen |= ids
        assert {flow.nodes[0].kind, flow.nodes[-1].kind} == {"numbers", "outcome"}, procedure.id
        assert all(node.by for node in flow.nodes if node.kind in ("roll", "decision"))
        assert {at for edge in flow.edges for at in edge} == set(range(len(flow.nodes)))
        drawn = ElementTree.fromstring(picture(flow, procedure.label))
        assert len(drawn.findall("{*}rect")) == len(flow.nodes)
    assert NEVER_ASKED.get(ruleset, set()) <= seen


def test_a_flow_tells_rolls_decisions_and_ends_in_their_order() -> None:
    flow = flows("cwn")["attack"]
    titles = [node.title for node in flow.nodes]
    wanted = ["Attack", "Damage", "Trauma", "Miss"]
    assert sorted(wanted, key=titles.index) == wanted
    assert {node.kind for node in flow.nodes} == {"numbers", "roll", "decision", "outcome"}


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_procedure_has_a_worked_example_told_with_its_dice(ruleset: str) -> None:
    games = book(ruleset).games
    for procedure in book(ruleset).game.ruleset.procedures:
        shown = example(games, ruleset, procedure)
        assert shown is not None, procedure
        entry, (*lines, summary) = shown
        thrown = [found[1] for line in lines if (found := re.search(r" rolls .*: ([\d, ]+) – ", line))]
        supplied = [str(face) for faces in entry.data.get("dice", ()) for face in faces]
        assert ", ".join(thrown) == ", ".join(supplied), procedure
        assert all(line.endswith((".", "”.")) for line in (*lines, summary)), procedure


def test_a_worked_example_is_told_in_the_order_of_its_stages_and_with_names() -> None:
    shown = example(book("cwn").games, "cwn", "attack")
    assert shown is not None
    rolls = [line for line in shown[1] if line.startswith("Wren, gunhand ")][:4]
    assert rolls == [
        "Wren, gunhand rolls 1d20 + 4 for attack: 7 – total 11.",
        "Wren, gunhand decides: Roll a missed shot again with the Gunlink? “Roll the attack again”.",
        "Wren, gunhand rolls 1d20 + 4 for attack: 12 – total 16.",
        "Wren, gunhand rolls 1d8 + 3 for damage: 6 – total 9.",
    ]


ALLOWED = re.compile(
    r"`[^`]*`|^\d+\. |\b\d*d\d+\b|\bR\d+\b|\(\d+(?:\.\d+)*\)|Shadowrun \d|Chummer 5|20th Anniversary|Healer 2|\b0\b"
    r"|\b(?:chapters?|sections?|step|see|of) (?!\d*d\d)\d[\d.]*(?:(?: to |, | and )\d[\d.]*)*"
    r"|natural 1 or 20|natural (?:1|20)\b"
    r"|5 or 6|show 1|shows 1|every 6|by a 6|show 6|below 1|00 is 100|00 as 100|from 1 to 100|\b4 (?:net )?hits\b",
    re.IGNORECASE,
)
"""Numbers that no pack holds: of sections, dice and their faces, of the works, and of Edge that is burned."""


@pytest.mark.parametrize("ruleset", BOOKS)
def test_the_text_repeats_no_number_of_the_packs(ruleset: str) -> None:
    """What a table shows, the text around it does not say again: the packs alone hold it, and layers change it."""
    sections = [section for section in book(ruleset).manuscript.sections if section.text]
    lines = [(section.heading, line) for section in sections for line in section.prose.splitlines()]
    assert len(lines) > 150
    lines += [
        (procedure.label, procedure.doc) for procedure in book(ruleset).game.ruleset.procedures.values()
    ]
    assert [(where, line) for where, line in lines if re.search(r"\d", ALLOWED.sub("", line))] == []


@pytest.mark.parametrize("ruleset", BOOKS)
def test_what_is_said_to_be_ours_is_ours(ruleset: str) -> None:
    """The other way round, `test_ruleset_pages` has it: all that is ours is named there."""
    text = next(one.text for one in book(ruleset).manuscript.sections if one.title == "What is ours")
    shelf = book(ruleset).game.packs
    rows = [line.strip("|").split("|") for line in text.splitlines() if "`" in line]
    assert len(rows) > 20
    for folder, slugs, _ in rows:
        kind = entry_kinds()[folder.strip()]
        for slug in re.findall(r"`([^`]+)`", slugs):
            entry = shelf.entry(kind, slug)
            assert entry is not None, (kind, slug)
            assert entry.meta.get("provenance") == "default", entry.id


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_number_that_is_not_published_is_listed(ruleset: str) -> None:
    section = next(
        one for one in book(ruleset).manuscript.sections if one.title == "How sure the numbers are"
    )
    text = re.sub(
        r"\\(.)", r"\1", "".join(part for part in book(ruleset).body(section) if isinstance(part, str))
    )
    unsure = [
        " ".join(entry.label.split())
        for pack in book(ruleset).game.packs.packs
        for entry in pack.entries
        if entry.kind != "example" and mark(entry.meta)
    ]
    assert len(unsure) > 40
    assert [label for label in unsure if label not in text] == []


def test_tables_are_those_of_the_packs_in_use() -> None:
    """A layer of house rules shows in them, and so does whatever changes a pack."""
    library = Library.read([ROOT / "datapacks", ROOT / "docs" / "house-rules"], "sr4")
    changed = Book(Games(library), "sr4").whole()
    patched = [entry for pack in library.packs.values() for entry in pack.entries if entry.changes]
    assert patched
    before = book("sr4").whole().splitlines()
    assert len([line for line in changed.splitlines() if line not in before]) >= len(patched)


@pytest.mark.parametrize("ruleset", BOOKS)
def test_what_docstrings_and_notes_cite_is_in_the_book(ruleset: str) -> None:
    files = [*(ROOT / "service" / "fracas" / "rulesets" / ruleset).rglob("*.py")]
    files += (ROOT / "datapacks").glob(f"{ruleset}-*/**/*.yaml")
    texts = {path: " ".join(path.read_text("utf-8").split()) for path in files}
    named = [
        (number, path.relative_to(ROOT).as_posix())
        for path, text in texts.items()
        for found in CITATION.findall(text)
        for number in cited(found)
    ]
    assert len(named) > 10
    assert [(number, file) for number, file in named if not book(ruleset).location_of(number)] == []


def test_rulings_of_cwn_that_are_cited_are_in_the_book() -> None:
    files = [
        *(ROOT / "service/fracas/rulesets/cwn").rglob("*.py"),
        *(ROOT / "datapacks/cwn-core").rglob("*.yaml"),
    ]
    cited = {found for path in files for found in re.findall(r"\bR\d{1,2}\b", path.read_text("utf-8"))}
    rulings = next(one.text for one in book("cwn").manuscript.sections if one.number == "17")
    assert len(cited) > 15
    assert cited - set(re.findall(r"^\| (R\d+) \|", rulings, re.MULTILINE)) == set()


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_entry_says_where_it_comes_from(ruleset: str) -> None:
    """Without signs it is published there, and sure: `certainty`."""
    for pack in book(ruleset).game.packs.packs:
        for entry in pack.entries:
            assert entry.meta["source"]["ref"], entry.id
            assert {entry.meta.get(name, "H") for name in FIELDS} <= {"H", *WORDS}, entry.id


@pytest.mark.parametrize("chapter", range(16, 27))
def test_what_the_later_chapters_of_imperium_have_is_ours(chapter: int) -> None:
    entries = [
        entry
        for pack in book("imperium").game.packs.packs
        for entry in pack.entries
        if entry.kind != "example" and entry.meta["source"].get("section", "").split(".")[0] == str(chapter)
    ]
    assert entries
    assert [entry.id for entry in entries if entry.meta.get("provenance") != "default"] == []
