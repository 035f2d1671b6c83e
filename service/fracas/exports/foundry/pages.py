"""Journal entries: one for each kind of a pack's entries, with a page for each of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from fracas.exports.foundry.documents import (
    Document,
    document_id,
    embedded,
    entry_flags,
    finished,
    pack_flags,
    text_html,
)
from fracas.exports.foundry.rulebook import HTML_FORMAT, RuleLinks
from fracas.exports.markdown import lookup_rows
from fracas.exports.readable import by_kind, lines, plain, remarks, short_title, source
from fracas.packs.entries import Entry, Pack

GM_KINDS = frozenset({"combatants", "skirmishes"})
"""Kinds of entries that players are not to see before they appear in play."""


def _no_links(entry: Entry) -> str:
    return ""


def journals(pack: Pack, gm_only: bool = False, rules: RuleLinks = _no_links) -> list[Document]:
    """A journal entry a kind. Each page carries the data of its entry in its flags, as JSON text.

    Args:
        gm_only: those that players are not to see; all others if it is false.
        rules: the links of entries to the rulebook.
    """
    return [
        _journal(pack, kind, entries, rules)
        for kind, entries in by_kind(pack).items()
        if (kind in GM_KINDS) == gm_only
    ]


def _journal(pack: Pack, kind: str, entries: Sequence[Entry], rules: RuleLinks) -> Document:
    name = f"{pack.id}:{kind}"
    document = {
        "_id": document_id("JournalEntry", name),
        "name": f"{short_title(pack)}: {kind.capitalize()}",
        "pages": [_page(pack, entry, (at + 1) * 100, rules) for at, entry in enumerate(entries)],
        "categories": [],
    }
    return finished("JournalEntry", document, pack_flags(pack, name))


def _page(pack: Pack, entry: Entry, sort: int, rules: RuleLinks) -> Document:
    # As text, because Foundry takes dots in keys for paths.
    data = json.dumps(entry.data, ensure_ascii=False, separators=(",", ":"))
    about = {"kind": entry.kind, "ruleset": pack.manifest.ruleset, "data": data}
    document = {
        "_id": document_id("JournalEntryPage", entry.id),
        "name": plain(entry.label),
        "type": "text",
        "title": {"show": True, "level": 1},
        "text": {
            "format": HTML_FORMAT,
            "content": page_html(entry, pack.manifest.ruleset) + _rules(rules(entry)),
        },
        "sort": sort,
        "ownership": {"default": -1},
    }
    return embedded(document, entry_flags(pack, entry, **about))


def _rules(links: str) -> str:
    return f"<p>The rule: {links}</p>" if links else ""


def page_html(entry: Entry, ruleset: str) -> str:
    """All that an entry says, as HTML; nothing in it is taken for tags."""
    if entry.kind == "table":
        head, rows = lookup_rows(entry.data)
        meanings = entry.data.get("columns", {})
        parts = [_grid(head, rows), _meanings(meanings.items())]
    else:
        parts = [_facts((line.title, line.text) for line in lines(entry, ruleset))]
    return "".join([*parts, _paragraph(remarks(entry)), _paragraph(source(entry))])


def _grid(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = "".join(f"<th>{text_html(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr><th>{text_html(first)}</th>{''.join(f'<td>{text_html(cell)}</td>' for cell in cells)}</tr>"
        for first, *cells in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<tr><th>{text_html(title)}</th><td>{text_html(text)}</td></tr>" for title, text in facts)
    return f"<table><tbody>{rows}</tbody></table>" if rows else ""


def _meanings(columns: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f"<dt>{text_html(name.replace('_', ' '))}</dt><dd>{text_html(plain(text))}</dd>"
        for name, text in columns
    )
    return f"<dl>{items}</dl>" if items else ""


def _paragraph(text: str) -> str:
    return f"<p>{text_html(text)}</p>" if text else ""
