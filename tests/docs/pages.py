"""The pages of the documentation, read as Markdown: their links, their words in code, their blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from docs_site import PAGES, ROOT
from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["PAGES", "ROOT"]

HISTORY = "CHANGELOG.md"
"""Tells what there was, too."""

GUIDES = ("docs/writing-a-game.md", "docs/writing-a-procedure.md")
"""Pages that build something from block to block; tests/docs/test_docs_guides.py follows them."""


class Block(NamedTuple):
    """A block of code; `line` is where its fence stands."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


@cache
def tokens(page: str) -> tuple[Token, ...]:
    """All of a page, those within lines included."""
    found: list[Token] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text_of(page)):
        found += [token, *(token.children or ())]
    return tuple(found)


def blocks(page: str) -> Iterator[Block]:
    for token in tokens(page):
        if token.type in ("fence", "code_block"):
            assert token.map
            yield Block(page, token.map[0] + 1, token.info.strip(), token.content)


def links(page: str) -> Iterator[str]:
    for token in tokens(page):
        target = token.attrGet("href") or token.attrGet("src")
        if target:
            yield str(target)


def words(page: str) -> Iterator[str]:
    """What stands in backticks within a line."""
    for token in tokens(page):
        if token.type == "code_inline":
            yield token.content


@cache
def anchors(page: str) -> frozenset[str]:
    """The fragments that lead to headings where Markdown is shown: on GitHub and on the site."""
    headings = [
        "".join(child.content for child in after.children or () if child.type in ("text", "code_inline"))
        for token, after in zip(tokens(page), tokens(page)[1:], strict=False)
        if token.type == "heading_open"
    ]
    return frozenset(
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings
    )
