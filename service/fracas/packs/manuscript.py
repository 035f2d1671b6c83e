"""The text of a rulebook as it is written: numbered sections of Markdown with marks where something is made.

A mark is a comment on a line of its own, ``<!-- options -->`` or ``<!-- procedure: attack -->``. Pages that show plain
Markdown hide it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fracas.errors import FracasError
from fracas.packs.citations import address
from fracas.packs.entries import Pack
from fracas.packs.shipped import shipped

_HEADING = re.compile(r"(#{1,4}) (?:(\d+(?:\.\d+)*)\.? )?(\S.*)")
MARK = re.compile(r"<!-- ([a-z-]+)(?:: ([\w -]+))? -->")
"""What is made, and of what."""


class Section(NamedTuple):
    """A heading, and what stands between it and the next one.

    Attributes:
        number: as entries cite it, such as ``8.2``; "" if it has none.
        level: 2 for a chapter, 3 and 4 for what is in it.
    """

    number: str
    title: str
    level: int
    text: str

    @property
    def prose(self) -> str:
        """Its text without what is made."""
        return "\n".join(line for line in self.text.splitlines() if not MARK.fullmatch(line)).strip()

    @property
    def parts(self) -> Iterator[tuple[str, str]]:
        """Its text in pieces, each with the procedure that is drawn after it; "" for none. Nothing else is made."""
        lines: list[str] = []
        for line in self.text.splitlines():
            found = MARK.fullmatch(line)
            if found is None:
                lines.append(line)
            elif found[1] == "procedure":
                yield "\n".join(lines).strip(), found[2]
                lines = []
        yield "\n".join(lines).strip(), ""

    @property
    def heading(self) -> str:
        """Number and title: ``8.2 Modifiers of the attacker``."""
        return f"{self.number}. {self.title}" if self.number and self.level == 2 else self.named

    @property
    def anchor(self) -> str:
        """Its anchor on a page: ``s8.2``, or its title in small letters."""
        return f"s{self.number}" if self.number else self.title.lower().replace(" ", "-")

    @property
    def named(self) -> str:
        return f"{self.number} {self.title}".lstrip()


class Chapter(NamedTuple):
    """A chapter and the sections in it, the first being its own beginning."""

    sections: tuple[Section, ...]

    @property
    def head(self) -> Section:
        return self.sections[0]

    @property
    def written(self) -> list[Section]:
        """The sections that have a text of their own; others hold tables alone."""
        return [section for section in self.sections if section.prose]

    @property
    def id(self) -> str:
        """Its part of an address: its number, or its title in small letters."""
        return self.head.number or self.head.anchor


class Manuscript(NamedTuple):
    """The text of one rulebook.

    Attributes:
        intro: what stands before the first chapter.
    """

    ruleset: str
    title: str
    intro: str
    sections: tuple[Section, ...]

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        found: list[list[Section]] = []
        for section in self.sections:
            if section.level == 2:
                found.append([])
            found[-1].append(section)
        return tuple(Chapter(tuple(sections)) for sections in found)

    def section(self, number: str) -> Section | None:
        """The section that a number cites: ``7.5`` is also the fifth point of a numbered list in section 7."""
        whole, _, item = number.rpartition(".")
        by = {section.number: section for section in self.sections if section.number}
        if number in by or whole not in by:
            return by.get(number)
        return by[whole] if re.search(rf"^{item}\. ", by[whole].text, re.MULTILINE) else None


def of_pack(pack: Pack) -> Manuscript | None:
    """The rulebook that the entries of a core pack cite; None for layers, and for packs that cite another one."""
    ruleset = pack.manifest.ruleset
    cited = {work.get("id") for work in pack.manifest.raw.get("sources") or ()}
    cites = pack.manifest.layer == "core" and f"rulebook-{ruleset}" in cited
    return read(ruleset) if cites and has_book(ruleset) else None


def has_book(ruleset: str) -> bool:
    """Whether this project has a rulebook of the ruleset; rulesets of other packages have none here."""
    try:
        return _file(ruleset).is_file()
    except FileNotFoundError:
        return False


def read(ruleset: str) -> Manuscript:
    """
    Raises:
        BookError: there is no such rulebook.
    """
    if not has_book(ruleset):
        raise BookError(f"there is no rulebook of {ruleset!r}")
    return parsed(ruleset, _file(ruleset).read_text("utf-8"))


@cache
def rule_of_procedure(ruleset: str, procedure: str) -> str:
    """The address in the service of the section that draws a procedure, such as ``/book/sr4/8.2``; "" for none."""
    sections = read(ruleset).sections if has_book(ruleset) else ()
    mark = f"<!-- procedure: {procedure} -->"
    number = next((section.number for section in sections if mark in section.text.splitlines()), "")
    return address(ruleset, number) if number else ""


def parsed(ruleset: str, text: str) -> Manuscript:
    """The manuscript of a text.

    Raises:
        BookError: it begins without a title, or two sections have one number.
    """
    pieces = [*_pieces(text)]
    if not pieces or pieces[0][0].level != 1:
        raise BookError(f"the rulebook of {ruleset} begins with its title: # ...")
    (head, intro), *rest = pieces
    sections = tuple(section._replace(text=body) for section, body in rest)
    seen: set[str] = set()
    for section in sections:
        if section.number and section.number in seen:
            raise BookError(f"the rulebook of {ruleset} has two sections {section.number}")
        seen.add(section.number)
    return Manuscript(ruleset, head.title, intro, sections)


def _file(ruleset: str) -> Path:
    return shipped("docs") / "rulebooks" / f"{ruleset}.md"


def _pieces(text: str) -> Iterator[tuple[Section, str]]:
    """Each heading with the text below it."""
    head: Section | None = None
    body: list[str] = []
    for line in text.splitlines():
        if found := _HEADING.fullmatch(line):
            if head is not None:
                yield head, "\n".join(body).strip()
            head, body = Section(found[2] or "", found[3], len(found[1]), ""), []
        else:
            body.append(line)
    if head is not None:
        yield head, "\n".join(body).strip()


class BookError(FracasError):
    """A rulebook that cannot be read."""

    code = "bad-book"
