"""Searching a rulebook: sections whose title or text has all words, and entries whose name has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fracas.book.book import Book
from fracas.packs.citations import sections_of
from fracas.packs.manuscript import MARK, Section

MOST = 40
"""Places that a search finds."""
_AROUND = 90


class Place(NamedTuple):
    """A place in a rulebook that a search has found.

    Attributes:
        section: the number of a section, as `Book.place_of` takes it.
        heading: number and title of the section.
        text: the words around the first one found, or the name of the entry.
    """

    section: str
    heading: str
    text: str


def search(book: Book, query: str) -> list[Place]:
    """The best places: sections with the words in their title, entries with them in their name, then other text."""
    words = query.casefold().split()
    if not words:
        return []
    titles, texts = [], []
    for section in book.manuscript.sections:
        plain = _plain(section.text)
        if section.number and _has(section.named, words):
            titles.append(Place(section.number, section.named, plain[: 2 * _AROUND]))
        elif section.number and _has(plain, words):
            texts.append(Place(section.number, section.named, _around(plain, words[0])))
    return [*titles, *_entries(book, words), *texts][:MOST]


def _entries(book: Book, words: Sequence[str]) -> Iterator[Place]:
    named = {section.number: section for section in book.manuscript.sections}
    for pack in book.game.shelf.packs:
        for entry in pack.entries:
            if entry.kind != "example" and _has(entry.label, words):
                section: Section | None = next(
                    (named[one] for one in sections_of(entry, book.ruleset) if one in named), None
                )
                if section is not None:
                    yield Place(section.number, section.named, f"{entry.label} ({entry.kind})")


def _has(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def _plain(text: str) -> str:
    """A text without marks and the signs of Markdown."""
    return " ".join(re.sub(r"[*`|]|\[([^\]]*)\]\([^)]*\)", r"\1", MARK.sub("", text)).split())


def _around(text: str, word: str) -> str:
    at = text.casefold().find(word)
    first, last = max(0, at - _AROUND), at + _AROUND
    return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")
