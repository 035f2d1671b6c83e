"""Markdown of ours as HTML for programs that take words between square brackets or braces for commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])
_TAGS = {tag: tag for tag in ("p", "ul", "ol", "li", "table", "tr", "td")} | {
    "th": "td",
    "strong": "b",
    "em": "i",
}
"""Only what handouts of Roll20 may hold."""


def html(text: str, escaped: Callable[[str], str]) -> str:
    """A text with its paragraphs, lists and tables.

    Args:
        escaped: makes HTML of a piece of text, for the program that reads it.
    """
    return "".join(_pieces(_MARKDOWN.parse(text), escaped))


def _pieces(tokens: Sequence[Token], escaped: Callable[[str], str]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline":
            yield from _pieces(token.children or (), escaped)
        elif token.type in ("text", "code_inline"):
            yield escaped(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.nesting and token.tag in _TAGS and not token.hidden:
            yield f"<{'/' if token.nesting < 0 else ''}{_TAGS[token.tag]}>"
