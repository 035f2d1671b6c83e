"""A rulebook with all that is made from the packs: what entries cite, in the sections that they cite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from fracas.book.manuscript import MARK, Manuscript, Section, cited, read
from fracas.book.tables import LEGEND, Link, options, tables
from fracas.book.wording import Wording
from fracas.engine.game import Game
from fracas.packs.entries import Entry

MADE = "Tables, house rules and pictures are made from the packs and the program; the text around them is written."
NOWHERE = "0"
"""The place of entries that cite no section of the book."""


class Chapter(NamedTuple):
    """A chapter and the sections in it, the first being its own beginning."""

    sections: tuple[Section, ...]

    @property
    def head(self) -> Section:
        return self.sections[0]

    @property
    def id(self) -> str:
        """Its part of an address: its number, or its title in small letters."""
        return self.head.number or self.head.title.lower().replace(" ", "-")


class Book:
    """The rulebook of a game.

    Raises:
        BookError: the ruleset has none, or it cannot be read.
    """

    def __init__(self, game: Game, manuscript: Manuscript | None = None) -> None:
        self.game = game
        self.ruleset = game.ruleset.id
        self.manuscript = manuscript or read(self.ruleset)

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        found: list[list[Section]] = []
        for section in self.manuscript.sections:
            if section.level == 2:
                found.append([])
            found[-1].append(section)
        return tuple(Chapter(tuple(sections)) for sections in found)

    @cached_property
    def placed(self) -> Mapping[str, Sequence[Entry]]:
        """The entries of each section, in the order of the packs. Those that cite no section, or another work, are
        `NOWHERE`; a section that the book does not have is there too."""
        found: dict[str, list[Entry]] = {}
        for pack in self.game.shelf.packs:
            for entry in pack.entries:
                for number in sections_of(entry, self.ruleset) or [NOWHERE]:
                    found.setdefault(number, []).append(entry)
        return found

    def place_of(self, number: str) -> str:
        """Where a section stands: its chapter, and its anchor there; "" if the book does not have it."""
        section = self.manuscript.section(number)
        return f"{number.partition('.')[0]}#{anchor(section.number)}" if section else ""

    def whole(self) -> str:
        """The book as one page of Markdown without links to entries."""
        parts = [f"# {self.manuscript.title}", self.manuscript.intro, MADE, "; ".join(LEGEND) + "."]
        for section in self.manuscript.sections:
            parts += [f"{'#' * section.level} {section.heading}", self.body(section)]
        return "\n\n".join(filter(None, parts)) + "\n"

    def body(self, section: Section, link: Link = lambda entry: "") -> str:
        """The Markdown of a section below its heading: its text, what is made for it, and the tables of its entries."""
        lines = (self._made(line, link) for line in section.text.splitlines())
        made = "\n\n".join(self._tables(section.number, link)) if section.number else ""
        return "\n\n".join(filter(None, ("\n".join(lines), made)))

    def _made(self, line: str, link: Link) -> str:
        """A line, or what a mark in its place stands for."""
        found = MARK.fullmatch(line)
        if found is None:
            return line
        match found[1]:
            case "options":
                return options(self.game.shelf)
            case "entries-elsewhere":
                return "\n\n".join(self._tables(NOWHERE, link))
        return line

    def _tables(self, number: str, link: Link) -> Iterator[str]:
        yield from tables(self.placed.get(number, ()), Wording(self.game), self.ruleset, link)


def anchor(number: str) -> str:
    """The anchor of a section: ``s8.2``."""
    return f"s{number}"


def sections_of(entry: Entry, ruleset: str) -> list[str]:
    """The sections of the ruleset's own book that an entry cites, where its tables stand."""
    source = entry.meta.get("source")
    if not isinstance(source, Mapping) or source.get("ref") != f"rulebook-{ruleset}":
        return []
    return cited(str(source.get("section", "")))
