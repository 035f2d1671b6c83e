"""The rulebooks hold everything that cites them: entries, docstrings, messages, and every procedure."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fracas.book.book import Book
from fracas.book.flow import flow_of
from fracas.book.pictures import picture
from fracas.book.telling import example_of, told
from fracas.engine.game import Games
from fracas.exports.manuscript import MARK
from fracas.packs.citations import cited, sections_of
from fracas.packs.library import Library

ROOT = Path(__file__).parents[2]
BOOKS = sorted(path.stem for path in (ROOT / "docs" / "rulebooks").glob("*.md"))
CITATION = re.compile(r"\bsections? (\d[\d.]*(?:(?:, and |, | and | to )\d[\d.]*)*)(?! of the SRD)")


@cache
def book(ruleset: str) -> Book:
    return Book(Games(Library.read([ROOT / "datapacks"], ruleset)), ruleset)


@pytest.mark.parametrize("ruleset", BOOKS)
def test_what_entries_cite_is_in_the_book(ruleset: str) -> None:
    there = {section.number for section in book(ruleset).manuscript.sections}
    entries = [entry for pack in book(ruleset).game.shelf.packs for entry in pack.entries]
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
    shelf = book(ruleset).game.shelf
    entries = [entry for pack in shelf.packs for entry in pack.entries]
    assert len(entries) > 300
    assert [entry.id for entry in entries if " ".join(entry.label.split()) not in page] == []
    assert [id for id in shelf.options() if f"(`{id}`)" not in page] == []


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_procedure_has_one_place(ruleset: str) -> None:
    marks = [MARK.findall(section.text) for section in book(ruleset).manuscript.sections]
    placed = Counter(what for found in marks for name, what in found if name == "procedure")
    assert placed == Counter(book(ruleset).game.ruleset.procedures.keys())


NEVER_ASKED = {
    "sr4": {"buy-hits"},
    "cwn": {"iron-hand", "trajectory-node", "gunlink-reroll", "total-defense", "veterans-luck"},
}
"""Decisions that every procedure of a kind declares, and that some of them never ask: `buy-hits` is a house rule."""


@pytest.mark.parametrize("ruleset", BOOKS)
def test_every_procedure_has_a_picture_of_what_its_stages_ask(ruleset: str) -> None:
    """Every decision that a procedure declares is in its picture and no other; every arrow leads from box to box."""
    seen: set[str] = set()
    for procedure in book(ruleset).game.ruleset.procedures.values():
        flow = flow_of(book(ruleset).games, ruleset, procedure)
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
    flow = flow_of(book("cwn").games, "cwn", book("cwn").game.procedure("attack"))
    titles = [node.title for node in flow.nodes]
    wanted = ["Attack", "Damage", "Trauma", "Miss"]
    assert sorted(wanted, key=titles.index) == wanted
    assert {node.kind for node in flow.nodes} == {"numbers", "roll", "decision", "outcome"}


def test_a_worked_example_is_told_with_its_dice() -> None:
    entry = example_of(book("cwn").games, "cwn", "execution-attack")
    assert entry is not None
    text = " ".join(told(book("cwn").games, "cwn", entry))
    assert all(", ".join(map(str, faces)) in text for faces in entry.data["dice"])
    assert "hits" in text or "misses" in text


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
    assert [(number, file) for number, file in named if not book(ruleset).place_of(number)] == []
