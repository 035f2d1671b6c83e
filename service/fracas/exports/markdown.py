"""A pack as one Markdown document of tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.exports.readable import by_kind, plain, readable, remarks, source, title_of, titles
from fracas.packs.entries import Entry, Pack

_LABEL = "label"
_BETWEEN = re.compile(r"_|(?<!\d)-|-(?!\d)")
"""What stands between the words of a key; a hyphen between numbers stays."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$])")


def markdown(pack: Pack) -> str:
    """The document: a section for each kind, with a table for each category or type of its entries."""
    manifest = pack.manifest
    parts = [f"# {escaped(manifest.title)}", _about(pack)]
    for kind, entries in by_kind(pack).items():
        parts.append(f"## {kind.capitalize()}")
        if kind == "tables":
            for entry in entries:
                parts += [f"### {escaped(entry.label)}", *_lookup(entry)]
            continue
        by = sorted_by(entries)
        for name, group in grouped(entries, by).items():
            parts += [f"### {escaped(name.replace('-', ' ').capitalize())}"] if by else []
            parts.append(table(group, kind, manifest.ruleset, without=(by,)))
    return "\n\n".join(filter(None, parts)) + "\n"


def escaped(text: str) -> str:
    """A text that stays itself in a line of Markdown or a cell of its tables."""
    return _SPECIAL.sub(r"\\\1", plain(text))


def _about(pack: Pack) -> str:
    raw = pack.manifest.raw
    licenses = raw.get("licenses")
    license = readable(licenses) if licenses else ""
    reported = [plain(raw.get("description")), plain(raw.get("notice"))]
    given = [
        f"Version {pack.manifest.version}",
        f"ruleset {pack.manifest.ruleset}",
        *([license] if license else []),
    ]
    return "\n\n".join(escaped(text) for text in (*reported, ", ".join(given) + ".") if text)


def sorted_by(entries: Sequence[Entry]) -> str:
    """The field that says what sort each of the entries is; "" if there is none."""
    fields = ("category", "type")
    return next(
        (name for name in fields if all(isinstance(entry.data.get(name), str) for entry in entries)), ""
    )


def grouped(entries: Sequence[Entry], by: str) -> dict[str, list[Entry]]:
    """By their sort, so that a table shows the columns of its own sort only."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.data[by] if by else "", []).append(entry)
    return found


def table(entries: Sequence[Entry], kind: str, ruleset: str, without: Collection[str] = ()) -> str:
    """Entries of one kind with all their fields, in the order of the schema; `without`: fields left out."""
    given = dict.fromkeys(name for entry in entries for name in entry.data if name not in without)
    names = [name for name in titles(kind, ruleset) if name in given]
    names += [name for name in given if name not in names]
    head = ["Name", *(title_of(kind, ruleset, name) for name in names), "Notes", "Source"]
    rows = [
        [entry.label, *(readable(entry.data.get(name)) for name in names), remarks(entry), source(entry)]
        for entry in entries
    ]
    return drawn(head, ([escaped(cell) for cell in row] for row in rows))


def _lookup(entry: Entry) -> Iterator[str]:
    """A table of the pack as a table, the meanings of its columns, and where it comes from."""
    yield from lookup(entry)
    if reported := ". ".join(filter(None, (remarks(entry).rstrip("."), source(entry)))):
        yield escaped(f"{reported}.")


def lookup(entry: Entry, worded: Callable[[str], str] = str) -> Iterator[str]:
    """A table of the pack as a table, and the meanings of its columns.

    Args:
        worded: what stands for a text of its authors.
    """
    head, rows = lookup_rows(entry.data)
    yield drawn(head, ([escaped(worded(cell)) for cell in row] for row in rows))
    if meanings := entry.data.get("columns"):
        yield "\n".join(
            f"- {escaped(heading(name))}: {escaped(worded(text))}" for name, text in meanings.items()
        )


def lookup_rows(data: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """The heads of the columns of a table entry, and its rows: the name of the row, then a text for each column.

    A row is called by its ``label``, or else by its key in words.
    """
    rows: Mapping[str, Mapping[str, Any]] = data.get("rows", {})
    names = [name for name in dict.fromkeys(name for row in rows.values() for name in row) if name != _LABEL]
    return ["", *map(heading, names)], [
        [values.get(_LABEL) or heading(row), *(plain(values.get(name)) for name in names)]
        for row, values in rows.items()
    ]


def heading(name: str) -> str:
    """A key in words, with a large first letter: "Level 1", "4-7"."""
    words = _BETWEEN.sub(" ", name)
    return words[:1].upper() + words[1:]


def drawn(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of heads and of cells that are Markdown; columns that are empty in all rows are left out."""
    heads, cells = [escaped(name) for name in head], [list(row) for row in rows]
    kept = [at for at in range(len(heads)) if at == 0 or any(row[at] for row in cells)]
    first, *others = (f"| {' | '.join(line[at] for at in kept)} |" for line in (heads, *cells))
    return "\n".join([first, "|" + " --- |" * len(kept), *others])
