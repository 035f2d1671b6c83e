"""The Mod: one script for Roll20, made of the scripts in integrations/roll20/fracas, with a pack in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from fracas import __version__
from fracas.exports.labels import Labels
from fracas.exports.markdown import lookup_rows
from fracas.exports.prose import html
from fracas.exports.readable import Line, by_kind, remarks, short_title, source
from fracas.exports.roll20.escaping import escape
from fracas.exports.roll20.macros import for_roll20, macros
from fracas.exports.roll20.tables import tables
from fracas.packs.citations import sections_of
from fracas.packs.entries import Entry, Pack
from fracas.packs.flows import flows
from fracas.packs.library import RulesetPacks
from fracas.packs.manuscript import Chapter, Section, of_pack
from fracas.packs.shipped import shipped
from fracas.packs.yaml_source import load

SCRIPT = "fracas.js"
_START = "fracas.mjs"
"""The script that uses all others."""

_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./([a-z-]+\.mjs)\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) )", re.MULTILINE)
_FRAME = """\
// Fracas %(version)s for Roll20. Made by `fracas export roll20`: change integrations/roll20/fracas and make it again.
// Scripts of a game share their names: of two such scripts one answers, with the packs of both.
var Fracas = ((earlier) => {
"use strict";

const PACK = %(pack)s;
if (earlier) {
  earlier.add(PACK);
  return earlier;
}

%(scripts)s
add(PACK);
return { add };
})(Fracas);
"""
_HANDOUTS = ("actions", "modifiers", "powers", "drugs", "conditions", "tables")
"""Kinds of entries that become handouts."""


class Handout(NamedTuple):
    """A text of the journal.

    Attributes:
        id: unlike that of any other of all packs.
        notes: HTML, in which Roll20 reads nothing but tags. A link to another handout has its id, as in
            ``<a href="handout:sr4-core:rulebook/8">``; the Mod knows what it is called in the game.
    """

    id: str
    name: str
    notes: str


def folder() -> Path:
    """Where the Mod's own files lie."""
    return shipped("integrations") / "roll20" / "fracas"


def script(pack: Pack, packs: RulesetPacks) -> str:
    """The text of the script, with a pack in it; `packs`: all packs of its ruleset."""
    return script_with(data(pack, packs))


def script_with(data: Mapping[str, Any] | None) -> str:
    """The same with what a pack would give; None: it holds no pack and only applies results."""
    pack = json.dumps(data, separators=(",", ":"))
    return _FRAME % {"version": __version__, "pack": pack, "scripts": "\n".join(_scripts().values())}


@cache
def _scripts() -> dict[str, str]:
    """The scripts by their names, each after those that it uses, without imports and exports: they become one."""
    found: dict[str, str] = {}

    def add(name: str) -> None:
        text = (folder() / "scripts" / name).read_text("utf-8")
        for used in _IMPORT.findall(text):
            if used not in found:
                add(used)
        found[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(_START)
    return found


def data(pack: Pack, packs: RulesetPacks) -> dict[str, Any]:
    """What the Mod gets of a pack: ``Pack`` in packs.mjs."""
    given = for_roll20(packs)
    return {
        "id": pack.id,
        "title": short_title(pack),
        "version": pack.manifest.version,
        "bars": given.get("bars", {}),
        "markers": {**_markers(), **given.get("markers", {})},
        "tables": [{"id": each.entry_id, "name": each.name, "rows": each.rows} for each in tables(pack)],
        "handouts": [each._asdict() for each in handouts(pack, packs)],
        "macros": [
            {
                "id": f"{pack.id}:{each.id}",
                "name": each.name,
                "text": each.text,
                "token": "@{selected" in each.text,
            }
            for each in macros(packs, pack)
        ],
    }


@cache
def _markers() -> dict[str, str]:
    """The markers of conditions that are much the same in all rulesets."""
    path = folder().parent / "markers.yaml"
    found: dict[str, str] = load(path.read_bytes(), path.name).data
    return found


def handouts(pack: Pack, packs: RulesetPacks) -> list[Handout]:
    """One for each file of the pack's actions, modifiers and tables, so that none becomes too long to read."""
    rules, labels = _rule_links(packs), Labels(packs)
    return [
        Handout(
            f"{pack.id}:{kind}{part and f'/{part}'}",
            f"{short_title(pack)}: {kind.capitalize()}{part and f', {part}'}",
            "".join(_reported(entry, labels, rules) for entry in entries),
        )
        for kind, entries in by_kind(pack).items()
        if kind in _HANDOUTS
        for part, entries in _by_file(kind, entries).items()
    ] + _rulebook(pack)


def _rulebook(pack: Pack) -> list[Handout]:
    """The chapters of the rulebook that the entries cite. Handouts show no pictures but those of Roll20's own library,
    so that what a picture shows stands in words."""
    book = of_pack(pack)
    return [
        Handout(
            _rule_id(pack.id, chapter),
            f"{short_title(pack)}: {chapter.head.heading}",
            "".join(
                f"<h3>{escape(section.heading)}</h3>{_section(section, pack.manifest.ruleset)}"
                for section in chapter.written
            ),
        )
        for chapter in (book.chapters if book else ())
        if chapter.written
    ]


def _rule_id(pack: str, chapter: Chapter) -> str:
    return f"{pack}:rulebook/{chapter.id}"


def _section(section: Section, ruleset: str) -> str:
    parts = []
    for text, procedure in section.parts:
        parts.append(html(text, escape))
        if procedure:
            flow = flows(ruleset)[procedure]
            first, *steps = (f"<li>{escape(line)}</li>" for line in flow.sentences())
            parts.append(f"<p><b>{escape(flow.nodes[0].title)}</b></p><ul>{first}{''.join(steps)}</ul>")
    return "".join(parts)


def _rule_links(packs: RulesetPacks) -> Callable[[Entry], str]:
    """Links of entries to the chapters with the sections that they cite."""
    core, book = next(((pack, book) for pack in packs.packs if (book := of_pack(pack))), (None, None))

    def links(entry: Entry) -> str:
        if core is None or book is None:
            return ""
        cited = (book.section(number) for number in dict.fromkeys(sections_of(entry, book.ruleset)))
        found = []
        for section in filter(None, cited):
            chapter = next(one for one in book.chapters if section in one.sections)
            if chapter.written:
                id = _rule_id(core.id, chapter)
                found.append(f'<a href="handout:{id}">{escape(section.named)}</a>')
        return ", ".join(found)

    return links


def _by_file(kind: str, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Entries by the names of their files, in words; "" for the file that is named for the kind."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        name = PurePosixPath(entry.location.located.name).stem
        found.setdefault("" if name == kind else name.replace("-", " "), []).append(entry)
    return found


def _reported(entry: Entry, labels: Labels, rules: Callable[[Entry], str]) -> str:
    facts = _grid(entry.data) if entry.kind == "table" else _facts(labels.lines(entry))
    links = rules(entry)
    reported = (
        escape(remarks(entry)),
        f"<i>{escape(source(entry))}</i>" if source(entry) else "",
        f"The rule: {links}" if links else "",
    )
    return f"<h3>{escape(entry.label)}</h3>{facts}" + "".join(f"<p>{html}</p>" for html in reported if html)


def _facts(found: Iterable[Line]) -> str:
    facts = "<br>".join(f"<b>{escape(line.title)}</b> {escape(line.text)}" for line in found)
    return f"<p>{facts}</p>" if facts else ""


def _grid(table: Mapping[str, Any]) -> str:
    """A table to look things up in, and what its columns mean; the dice, if it is rolled."""
    head, rows = lookup_rows(table)
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    titles = "".join(f"<td><b>{escape(cell)}</b></td>" for cell in head)
    drawn = "".join(f"<tr>{row}</tr>" for row in (titles, *cells))
    meanings = [(name.replace("_", " "), text) for name, text in table.get("columns", {}).items()]
    reported = [("Roll", table["roll"]), *meanings] if "roll" in table else meanings
    facts = "<br>".join(f"<b>{escape(name)}</b> {escape(text)}" for name, text in reported)
    return f"<table>{drawn}</table>" + (f"<p>{facts}</p>" if facts else "")
