"""Tables of a rulebook, made from the packs: entries in words, lookup tables, house rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fracas.book.wording import Wording, by_force, fields_of, word
from fracas.exports.markdown import drawn, escaped, grouped, lookup, sorted_by
from fracas.exports.readable import plain
from fracas.packs.certainty import FIELDS, LEGEND, WORDS, mark
from fracas.packs.entries import Entry
from fracas.packs.library import RulesetPacks
from fracas.packs.schemas import entry_kinds, folder_of

Link = Callable[[Entry], str]
"""The address of an entry; "" for none."""

_BY_FORCE = "by_force"
_LEFT_OUT = {
    "action": frozenset({"usual", "outcomes", "situation", "item", "procedure", "test", "answers", "points"}),
    "modifier": frozenset({"stack", "refuses"}),
    "combatant": frozenset({"named", "uses"}),
}
"""Fields that a program needs and that a reader of the rules does not miss."""


def tables(entries: Sequence[Entry], reported: Wording, ruleset: str, link: Link) -> Iterator[str]:
    """Markdown of all entries of a section: for each kind and category a table, and each lookup table by itself."""
    for folder, kind in entry_kinds().items():
        found = [entry for entry in entries if entry.kind == kind]
        if kind == "example":
            yield from _examples(found, link)
        elif kind == "table":
            for entry in found:
                yield f"**{_named(entry, link)}**"
                yield from lookup(entry, reported.cell)
                yield from filter(None, [_notes(entry, reported)])
        elif found:
            by = sorted_by(found)
            for name, group in grouped(found, by).items():
                yield f"**{folder.capitalize()}{f': {escaped(word(name))}' if by else ''}**"
                yield _table(group, reported, ruleset, by, link)


def _table(entries: Sequence[Entry], reported: Wording, ruleset: str, without: str, link: Link) -> str:
    kind = entries[0].kind
    left_out = _LEFT_OUT.get(kind, frozenset()) | {without}
    fields = fields_of(folder_of(kind), ruleset)
    data = [_by_columns(entry, fields) for entry in entries]
    given = dict.fromkeys(name for one in data for name in one if name not in left_out)
    names = [name for name in fields if name in given] + [name for name in given if name not in fields]
    head = [
        "Name",
        *(fields[name].title if name in fields else word(name).capitalize() for name in names),
        "Notes",
    ]
    rows = [
        [
            _named(entry, link),
            *(escaped(_cell(entry, name, its, reported)) for name in names),
            _notes(entry, reported),
        ]
        for entry, its in zip(entries, data, strict=True)
    ]
    filled = [at for at, _ in enumerate(head) if any(row[at] for row in rows)]
    return drawn([head[at] for at in filled], ([row[at] for at in filled] for row in rows))


def _by_columns(entry: Entry, fields: Collection[str]) -> Mapping[str, Any]:
    """The fields of an entry; what it has by its Force is in the column of each number, such as "F + 3"."""
    added: Mapping[str, int] = entry.data.get(_BY_FORCE, {})
    if not added:
        return entry.data
    own = {name: by_force(more) for name, more in added.items() if name in fields}
    return {**entry.data, **own, _BY_FORCE: {name: more for name, more in added.items() if name not in own}}


def _notes(entry: Entry, reported: Wording) -> str:
    """Its notes; that its authors chose its numbers is what its sign says."""
    return escaped(reported.sentence(plain(entry.meta.get("notes"))))


def _cell(entry: Entry, name: str, data: Mapping[str, Any], reported: Wording) -> str:
    refuses = entry.kind == "modifier" and "refuses" in entry.data
    if refuses and name == "value":
        return "refused"
    if name not in data:
        return ""
    value: Any = data[name]
    if refuses and name == "applies_to":
        return ", ".join(reported.procedure(to.rpartition(".")[0]) for to in value)
    if name == "needs" and entry.kind == "action":
        return ", ".join(map(reported.need, value))
    return reported.shown(entry, name, value).text


def _named(entry: Entry, link: Link) -> str:
    """The name of an entry, with its marks, as a link where it has an address."""
    return _linked(entry, link) + mark(entry.meta)


def _linked(entry: Entry, link: Link) -> str:
    address, name = link(entry), escaped(entry.label)
    return f"[{name}]({address})" if address else name


def _examples(entries: Iterable[Entry], link: Link) -> Iterator[str]:
    """The worked examples by the procedure that each of them plays, in one line each."""
    by: dict[str, list[str]] = {}
    for entry in entries:
        procedure = entry.data.get("request", {}).get("procedure", "")
        by.setdefault(procedure, []).append(_named(entry, link))
    if by:
        yield "**Worked examples**"
        yield "\n".join(f"- {escaped(word(name))}: {'; '.join(names)}" for name, names in by.items())


def marked(packs: RulesetPacks, link: Link) -> Iterator[str]:
    """All entries that have a sign, by the sign and by their kind."""
    entries = [entry for pack in packs.packs for entry in pack.entries if entry.kind != "example"]
    for sign, meaning in zip(WORDS, LEGEND, strict=True):
        by = {
            folder: [
                _linked(entry, link)
                for entry in entries
                if entry.kind == kind and sign in map(entry.meta.get, FIELDS)
            ]
            for folder, kind in entry_kinds().items()
        }
        if any(by.values()):
            yield f"**{meaning}**"
            yield "\n".join(f"- {folder}: {'; '.join(names)}" for folder, names in by.items() if names)


def options(packs: RulesetPacks, reported: Wording) -> str:
    """The house rules with their defaults; a default that a layer has changed stands beside that of the core."""
    rows = []
    for id, setting in packs.settings.items():
        rule = setting.rule
        choices = " / ".join(f"{escaped(rule.shown(choice))} `{choice}`" for choice in rule.choices)
        choices = choices or {"flag": "on or off", "whole": "a number"}.get(rule.type, "")
        (_, first, _), *later = setting.history
        defaults = [rule.shown(first), *(f"{rule.shown(value)} with {pack}" for pack, value, _ in later)]
        name = f"{escaped(rule.label)}{mark(rule.about)}"
        section = rule.about.get("source", {}).get("section", "")
        where = f"section {section}" if section else ""
        rows.append(
            [
                name,
                *map(escaped, (reported.sentence(rule.doc), ", ".join(defaults))),
                choices,
                where,
                f"`{id}`",
            ]
        )
    return drawn(["House rule", "Meaning", "Default", "Choices", "Rule", "In requests"], rows)
