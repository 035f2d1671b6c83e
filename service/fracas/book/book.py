"""A rulebook with all that is made from the packs: what entries cite, in the sections that they cite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from fracas.book.tables import Link, marked, options, tables
from fracas.book.telling import example
from fracas.book.wording import Wording
from fracas.engine.game import Games
from fracas.exports.markdown import escaped
from fracas.exports.pictures import KEY, picture
from fracas.kernel.ruleset import Procedure
from fracas.packs.certainty import LEGEND
from fracas.packs.citations import address, sections_of
from fracas.packs.entries import Entry
from fracas.packs.flows import flows
from fracas.packs.manuscript import MARK, Manuscript, Section, read

MADE = "Tables, house rules and pictures are made from the packs and the program; the text around them is written."
NOWHERE = ""
"""The place of entries that cite no section of the book."""
ON_PAGE = "#"
"""Stands for the address of the page itself."""

_NAMED = re.compile(r"(\bchapter |\bsection |\bsee |\()(\d+(?:\.\d+)*)\b", re.IGNORECASE)


class Picture(NamedTuple):
    """A picture within a section.

    Attributes:
        svg: the picture as an element of a page.
        text: the same in lines of words.
    """

    svg: str
    text: tuple[str, ...]


class Book:
    """The rulebook of a game.

    Raises:
        BookError: the ruleset has none, or it cannot be read.
    """

    def __init__(self, games: Games, ruleset: str, manuscript: Manuscript | None = None) -> None:
        self.games = games
        self.game = games.game(ruleset)
        self.ruleset = ruleset
        self.manuscript = manuscript or read(ruleset)

    @cached_property
    def placed(self) -> Mapping[str, Sequence[Entry]]:
        """The entries of each section, in the order of the packs; those that cite no section of this book `NOWHERE`."""
        there = {section.number for section in self.manuscript.sections}
        found: dict[str, list[Entry]] = {}
        for pack in self.game.packs.packs:
            for entry in pack.entries:
                cited = [number for number in sections_of(entry, self.ruleset) if number in there]
                for number in cited or [NOWHERE]:
                    found.setdefault(number, []).append(entry)
        return found

    def location_of(self, number: str) -> str:
        """Where a section stands: its chapter, and its anchor there; "" if the book does not have it."""
        section = self.manuscript.section(number)
        return f"{number.partition('.')[0]}#{section.anchor}" if section else ""

    def whole(self) -> str:
        """The book as one page of Markdown, with pictures, and links to its own sections but none to entries."""
        pages = [f"# {self.manuscript.title}", self._linked(self.manuscript.intro, ON_PAGE)]
        pages += [f"{MADE} {KEY}", "; ".join(LEGEND) + "."]
        for section in self.manuscript.sections:
            pages.append(f"{'#' * section.level} {section.heading}")
            for part in self.body(section, ON_PAGE):
                pages.append(part if isinstance(part, str) else f"<figure>{part.svg}</figure>")
        return "\n\n".join(filter(None, pages)) + "\n"

    def body(self, section: Section, root: str | None = None) -> Iterator[str | Picture]:
        """What stands below the heading of a section: its text, what is made for it, and the tables of its entries, as
        Markdown and pictures.

        Args:
            root: what the addresses of entries and sections begin with; None for a text without links, and `ON_PAGE`
                for one that leads to sections of its own page alone.
        """
        link = _no_link if root in (None, ON_PAGE) else partial(_entry_link, root)
        lines: list[str] = []
        for line in section.text.splitlines():
            found = MARK.fullmatch(line)
            if found is None:
                lines.append(self._linked(line, root))
            else:
                yield "\n".join(lines)
                lines = []
                yield from self._made(found[1], found[2], link, root)
        yield "\n".join(lines)
        if section.number:
            yield from self._tables(section.number, link)

    def _made(self, what: str, of: str, link: Link, root: str | None) -> Iterator[str | Picture]:
        """What a mark stands for."""
        match what:
            case "options":
                yield self._linked(options(self.game.packs, Wording(self.game)), root)
            case "marked":
                yield from marked(self.game.packs, link)
            case "entries-elsewhere":
                yield from self._tables(NOWHERE, link)
            case "procedure":
                yield from self._procedure(self.game.procedure(of))

    def _procedure(self, procedure: Procedure) -> Iterator[str | Picture]:
        """A procedure with its numbers, its picture, and a worked example in sentences."""
        yield f"**{escaped(procedure.label)}.** {escaped(procedure.doc)}"
        flow = flows(self.ruleset)[procedure.id]
        yield Picture(picture(flow, procedure.label), tuple(flow.sentences()))
        if shown := example(self.games, self.ruleset, procedure.id):
            entry, sentences = shown
            yield f"*For example: {escaped(entry.label)}*"
            yield "\n".join(f"- {escaped(sentence)}" for sentence in sentences)

    def _linked(self, text: str, root: str | None) -> str:
        """The text with links at the numbers of sections that it names."""
        return text if root is None else _NAMED.sub(partial(self._section_link, root), text)

    def _section_link(self, root: str, named: re.Match[str]) -> str:
        section = self.manuscript.section(named[2])
        if section is None:
            return named[0]
        place = _heading_id(section) if root == ON_PAGE else address(self.ruleset, named[2])
        return f"{named[1]}[{named[2]}]({root}{place})"

    def _tables(self, number: str, link: Link) -> Iterator[str]:
        yield from tables(self.placed.get(number, ()), Wording(self.game), self.ruleset, link)


def _heading_id(section: Section) -> str:
    """What generators of sites, and GitHub, call the place of a heading."""
    return re.sub(r"[^\w\s-]", "", section.heading).strip().lower().replace(" ", "-")


def _no_link(entry: Entry) -> str:
    return ""


def _entry_link(root: str, entry: Entry) -> str:
    return f"{root}/console/entries/{entry.id}"
