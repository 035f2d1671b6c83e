"""The rulebook that entries cite: a journal entry for each chapter with pictures of procedures, and links to its pages.

Foundry takes tags of SVG out of texts (`ALLOWED_HTML_TAGS`), but lets images be. So pictures are files of the module.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from fracas.exports.foundry.documents import (
    MODULE,
    Document,
    document_id,
    embedded,
    finished,
    pack_flags,
    text_html,
)
from fracas.exports.pictures import picture
from fracas.exports.prose import html
from fracas.packs.citations import sections_of
from fracas.packs.entries import Entry, Pack
from fracas.packs.flows import Flow, flows
from fracas.packs.library import Library
from fracas.packs.manuscript import Chapter, Manuscript, Section, of_pack

HTML_FORMAT = 1
"""Foundry's number for the format of a page's text."""

RuleLinks: TypeAlias = Callable[[Entry], str]
"""The links of an entry to the pages that it cites, as HTML with Foundry's sign for a link; "" for none."""


def compendium_name(pack: str) -> str:
    """The name of the compendium that holds the rulebook of a pack."""
    return f"{pack}-rulebook"


def rulebook(pack: Pack, within: str = "") -> list[Document]:
    """The text of the rulebook that the entries cite: a journal entry a chapter, with a page for each section in it.

    Args:
        within: see `rule_links`.
    """
    book = of_pack(pack)
    written = [chapter for chapter in (book.chapters if book else ()) if chapter.written]
    folder = f"modules/{MODULE if within else pack.id}"
    return [_chapter(pack, chapter, at * 100, folder) for at, chapter in enumerate(written)]


def pictures(pack: Pack) -> dict[str, bytes]:
    """The files with the pictures of its procedures, by their paths in the module."""
    ruleset = pack.manifest.ruleset
    found = flows(ruleset) if of_pack(pack) else {}
    return {
        _picture_path(ruleset, procedure): picture(flow, flow.nodes[0].title, alone=True).encode()
        for procedure, flow in found.items()
    }


def _picture_path(ruleset: str, procedure: str) -> str:
    return f"pictures/{ruleset}/{procedure}.svg"


def _content(section: Section, ruleset: str, folder: str) -> str:
    """The text of a section as HTML, with the pictures of its procedures."""
    parts = []
    for text, procedure in section.parts:
        parts.append(html(text, text_html))
        if procedure:
            parts.append(_figure(flows(ruleset)[procedure], f"{folder}/{_picture_path(ruleset, procedure)}"))
    return "".join(parts)


def _figure(flow: Flow, address: str) -> str:
    title, alt = text_html(flow.nodes[0].title), text_html("; ".join(flow.sentences()))
    return f'<figure><img src="{address}" alt="{alt}"/><figcaption>{title}</figcaption></figure>'


IN_MODULE = f"{MODULE}."
IN_WORLD = f"world.{MODULE}-"
"""What the id of a compendium begins with in our module, and where the module has imported it into a world."""


def rule_links(library: Library, ruleset: str, within: str = "") -> RuleLinks:
    """Links to the rulebook of a ruleset, which is among the compendiums of its core pack.

    Args:
        within: what the ids of these compendiums begin with; "" for a module that the core pack has for itself.
    """
    cores = (pack for pack in library.packs.values() if pack.manifest.ruleset == ruleset)
    core, book = next(((pack, book) for pack in cores if (book := of_pack(pack))), (None, None))
    if core is None or book is None:
        return lambda entry: ""
    collection = f"Compendium.{within or f'{core.id}.'}{compendium_name(core.id)}"

    # Thousands of entries cite some dozens of sections.
    @cache
    def link(number: str) -> str:
        page, title = _page(book, core.id, number)
        return f"@UUID[{collection}.{page}]{{{text_html(title)}}}" if page else ""

    def links(entry: Entry) -> str:
        return ", ".join(filter(None, dict.fromkeys(map(link, sections_of(entry, ruleset)))))

    return links


def _page(book: Manuscript, core: str, number: str) -> tuple[str, str]:
    """Where the page of a section is in the compendium, and its title; that of the chapter for one without text."""
    section = book.section(number)
    chapter = next((one for one in book.chapters if section in one.sections), None)
    if section is None or chapter is None or not chapter.written:
        return "", ""
    shown = section if section in chapter.written else chapter.written[0]
    name = _name(core, chapter)
    journal = f"JournalEntry.{document_id('JournalEntry', name)}"
    return f"{journal}.JournalEntryPage.{_page_id(name, shown)}", shown.heading


def _name(pack: str, chapter: Chapter) -> str:
    return f"{pack}:rulebook/{chapter.id}"


def _page_id(name: str, section: Section) -> str:
    return document_id("JournalEntryPage", f"{name}#{section.anchor}")


def _chapter(pack: Pack, chapter: Chapter, sort: int, folder: str) -> Document:
    name, ruleset = _name(pack.id, chapter), pack.manifest.ruleset
    document = {
        "_id": document_id("JournalEntry", name),
        "name": chapter.head.heading,
        "pages": [
            embedded(
                {
                    "_id": _page_id(name, section),
                    "name": section.heading,
                    "type": "text",
                    "title": {"show": True, "level": 1 if section.level == 2 else 2},
                    "text": {"format": HTML_FORMAT, "content": _content(section, ruleset, folder)},
                    "sort": (at + 1) * 100,
                    "ownership": {"default": -1},
                },
                pack_flags(pack, f"{name}#{section.anchor}"),
            )
            for at, section in enumerate(chapter.written)
        ],
        "categories": [],
        "sort": sort,
    }
    return finished("JournalEntry", document, pack_flags(pack, name))
