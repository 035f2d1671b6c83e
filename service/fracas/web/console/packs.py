"""The packs: what is in them, and where each number comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, request

from fracas.book import wording
from fracas.engine.game import Games
from fracas.errors import suggestion
from fracas.exports.markdown import heading, lookup_rows
from fracas.packs.citations import rule_of
from fracas.packs.entries import Entry, Pack
from fracas.packs.schema_fields import form
from fracas.packs.schemas import entry_kinds, folder_of
from fracas.web.console.pages import drawn

MOST = 240
"""Entries of one list."""


def install(console: Blueprint, games: Games) -> None:
    @console.get("/packs")
    def packs() -> Response:
        """All packs; with ``q`` the entries whose name has all its words."""
        library = games.library
        words = request.args.get("q", "").casefold().split()
        ruleset, within, kind = (request.args.get(name, "") for name in ("ruleset", "pack", "kind"))
        rows = [
            {"manifest": pack.manifest, "kinds": Counter(entry.kind for entry in pack.entries)}
            for pack in library.packs.values()
        ]
        found = [
            entry
            for pack in library.packs.values()
            if ruleset in ("", pack.manifest.ruleset) and within in ("", pack.id)
            for entry in pack.entries
            if entry.kind != "example"
            and (not kind or entry.kind == kind)
            and (words or kind)
            and all(word in f"{entry.label} {entry.slug}".casefold() for word in words)
        ]
        shown: dict[str, Any] = {
            "found": found[:MOST],
            "more": max(0, len(found) - MOST),
            "asked": bool(words or kind),
        }
        if request.headers.get("HX-Target") == "found":
            return drawn("_found.html", **shown)
        return drawn(
            "packs.html",
            packs=rows,
            rulesets={id: games.game(id).ruleset.label for id in games.ids()},
            kinds=entry_kinds(),
            given=request.args,
            **shown,
        )

    @console.get("/entries/<path:id>")
    def entry(id: str) -> Response:
        library = games.library
        found = library.entry(id)
        if found is None:
            near = suggestion(id, (entry.id for pack in library.packs.values() for entry in pack.entries))
            abort(404, f"no entry {id[:120]!r}" + (f" ({near})" if near else ""))
        return drawn("entry.html", entry=found, **_reported(games, found))


class Row(NamedTuple):
    """One field of an entry.

    Attributes:
        author: id of the pack that set it.
        before: what it was before the first layer that changed it; None where none did.
    """

    title: str
    description: str
    shown: wording.Shown
    author: str
    before: wording.Shown | None


def _reported(games: Games, entry: Entry) -> dict[str, Any]:
    """The fields of an entry in words, where they come from, and who set each of them."""
    pack = games.library.packs[entry.pack]
    ruleset = pack.manifest.ruleset
    folder = folder_of(entry.kind)
    fields = wording.fields_of(folder, ruleset)
    order = [name for name in fields if name in entry.data]
    order += [name for name in entry.data if name not in fields]
    words = wording.Wording(games.game(ruleset))
    table = _table(entry, words)
    order = [name for name in order if table is None or name not in ("rows", "columns")]
    rows = []
    for name in order:
        field, before = fields.get(name), _before(entry, name)
        rows.append(
            Row(
                field.title if field else wording.word(name).capitalize(),
                field.description if field else "",
                words.shown(entry, name, entry.data[name]),
                entry.author_of((name,)),
                None if before is None else words.shown(entry, name, before),
            )
        )
    source = entry.meta.get("source", {})
    return {
        "what": form(folder, ruleset, {"slug": entry.slug, "label": entry.label, **entry.data})
        if fields
        else None,
        "pack": pack,
        "work": _work(games, entry, source),
        "source": source,
        "rule": rule_of(entry, ruleset),
        "rows": rows,
        "table": table,
        "ruleset": ruleset,
        "place": _within(pack, entry.place),
        "changes": [
            (change, other.manifest.title, _within(other, change.text()))
            for change in entry.changes
            for other in [games.library.packs[change.pack]]
        ],
        "lost": sorted({name for change in entry.changes for name in change.unset if name not in entry.data}),
    }


def _within(pack: Pack, place: str) -> str:
    """A place in a pack, without where the pack lies on the machine of the service."""
    return pack.id + place.removeprefix(pack.label)


def _work(games: Games, entry: Entry, source: Mapping[str, Any]) -> str:
    """The title of the work that an entry comes from, as its pack or the last layer that replaced it lists it."""
    for author in (entry.author_of(("source",)), entry.pack):
        for one in games.library.packs[author].manifest.raw.get("sources", ()):
            if one["id"] == source.get("ref"):
                return str(one.get("title", one["id"]))
    return str(source.get("ref", ""))


class Table(NamedTuple):
    """A table of a rulebook: the names of its columns with what they mean, and its rows, the name of each first."""

    columns: Sequence[tuple[str, str]]
    rows: Sequence[tuple[str, Sequence[str]]]


def _table(entry: Entry, words: wording.Wording) -> Table | None:
    """The table that an entry is, as in the rulebook; None for one of another kind."""
    if entry.kind != "table" or "rows" not in entry.data:
        return None
    meanings = {heading(name): words.cell(text) for name, text in entry.data.get("columns", {}).items()}
    (_, *columns), rows = lookup_rows(entry.data)
    return Table(
        [(name, meanings.get(name, "")) for name in columns],
        [(words.cell(row), [words.cell(cell) for cell in cells]) for row, *cells in rows],
    )


def _before(entry: Entry, name: str) -> Any:
    """What a field was before the first layer changed it; None where none did."""
    return next((change.before.get(name) for change in entry.changes if name in change.fields), None)
