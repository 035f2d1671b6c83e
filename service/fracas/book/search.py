"""Searching a rulebook: sections whose title or text has words that begin so, and what has them in its name:
procedures, house rules and entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fracas.book.book import Book
from fracas.packs.citations import cited, sections_of
from fracas.packs.manuscript import MARK, rule_of_procedure

MOST = 40
"""Places that a search finds."""
_AROUND = 90

Word = re.Pattern[str]
"""What begins a word: a search for "cover" does not find "recovery"."""


class Place(NamedTuple):
    """A place in a rulebook that a search has found.

    Attributes:
        section: the number of a section, as `Book.location_of` takes it.
        heading: number and title of the section.
        text: the words around the first one found, or the name of the entry.
    """

    section: str
    heading: str
    text: str


def search(book: Book, query: str) -> list[Place]:
    """The best places: sections with the words in their title, what is called so, then other text."""
    words = [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in query.split()]
    if not words:
        return []
    titles, texts = [], []
    for section in book.manuscript.sections:
        plain = _plain(section.text)
        if section.number and _has(section.named, words):
            titles.append(Place(section.number, section.named, _excerpt(plain, 0)))
        elif section.number and _has(plain, words):
            found = words[0].search(plain)
            texts.append(Place(section.number, section.named, _excerpt(plain, found.start() if found else 0)))
    return [*titles, *_named(book, words), *texts][:MOST]


def _named(book: Book, words: Sequence[Word]) -> Iterator[Place]:
    """Procedures, house rules and entries that have the words in their names, where their rule stands."""
    ruleset, packs = book.game.ruleset, book.game.packs
    for procedure in ruleset.procedures.values():
        rule = rule_of_procedure(ruleset.id, procedure.id)
        yield from _place(book, words, f"{procedure.label} (procedure)", [rule.rpartition("/")[2]])
    for setting in packs.settings.values():
        section = str(setting.rule.about.get("source", {}).get("section", ""))
        yield from _place(book, words, f"{setting.rule.label} (house rule)", cited(section))
    for pack in packs.packs:
        for entry in pack.entries:
            if entry.kind != "example":
                name = f"{entry.label} ({entry.kind})"
                yield from _place(book, words, name, sections_of(entry, ruleset.id))


def _place(book: Book, words: Sequence[Word], name: str, numbers: Sequence[str]) -> Iterator[Place]:
    """Where something with this name stands, if the name has the words."""
    if _has(name.rpartition(" (")[0], words):
        sections = map(book.manuscript.section, numbers)
        if section := next(filter(None, sections), None):
            yield Place(section.number, section.named, name)


def _has(text: str, words: Sequence[Word]) -> bool:
    return all(word.search(text) for word in words)


def _plain(text: str) -> str:
    """A text without marks and the signs of Markdown."""
    return " ".join(re.sub(r"-{3,}|[*`|]|\[([^\]]*)\]\([^)]*\)", r"\1", MARK.sub("", text)).split())


def _excerpt(text: str, at: int) -> str:
    """The words around a place in a text, none of them cut."""
    first, last = max(0, at - _AROUND), max(at, _AROUND) + _AROUND
    if first:
        first = text.find(" ", first, at) + 1 or at
    if last < len(text):
        last = text.rfind(" ", at, last) if " " in text[at:last] else last
    return ("… " if first else "") + text[first:last] + (" …" if last < len(text) else "")
