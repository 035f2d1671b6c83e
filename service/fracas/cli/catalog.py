"""Commands that show what packs hold: ``fracas list`` and ``fracas show``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fracas.cli.options import JSON, PACKS, pack_folders, say

if TYPE_CHECKING:
    from fracas.packs.entries import Entry, Pack
    from fracas.packs.library import Library
    from fracas.packs.search import Row


@click.command("list", short_help="List the entries of a KIND.")
@click.argument("kind")
@click.option("--ruleset", metavar="RULESET", help="Only entries of this ruleset, such as sr4 or cwn.")
@click.option(
    "--where",
    "wheres",
    multiple=True,
    metavar="CONDITION",
    help="Only entries that fulfil it; may be given several times.",
)
@click.option("--sort", metavar="FIELD", help="In the order of a field; -FIELD for the highest first.")
@click.option("--columns", metavar="A,B,C", help="Show these fields instead of those that say most.")
@PACKS
@JSON
def list_(
    kind: str,
    ruleset: str | None,
    wheres: Sequence[str],
    sort: str | None,
    columns: str | None,
    folders: Sequence[Path],
    as_json: bool,
) -> None:
    """List the entries of a KIND, such as weapons, modifiers or conditions.

    A CONDITION is a field, one of = != < <= > >= ~ (contains), and a value. Put it in quotes. A list fulfils it if
    one of its items does; a dot leads into a field. For example:

    \b
      fracas list weapons --ruleset sr4 --where 'skill=pistols' --where 'dv>=5'
      fracas list weapons --where 'modes=BF' --where 'label~colt' --sort -dv
      fracas list combatants --where 'skills.pistols>=4' --columns slug,skills.pistols
    """
    from fracas.packs.search import (
        SearchError,
        by_ruleset,
        check_fields,
        condition,
        kind_of,
        ordered,
        row_of,
        select,
    )

    if kind.casefold() in ("word", "words"):
        raise SearchError(
            "the words of predicates and needs are no entries: `fracas words RULESET` lists them"
        )
    conditions = [condition(text) for text in wheres]
    kind = kind_of(kind)
    library = library_of(folders, ruleset, () if kind == "examples" else ("examples",))
    entries = {
        entry.id: (row_of(entry, id), entry)
        for id, ruleset_packs in by_ruleset(library).items()
        for entry in ruleset_packs.entries(_singular(kind))
    }
    rows = [row for row, _ in entries.values()]
    named = [name.strip() for name in (columns or "").split(",") if name.strip()]
    known = _known_fields(kind, rows)
    check_fields([*named, *([sort.removeprefix("-")] if sort else [])], rows, known)
    rows = select(rows, conditions, known)
    rows = ordered(rows, sort) if sort else rows
    if as_json:
        found = [_picked(row, named) if named else _as_json(*entries[row["id"]]) for row in rows]
        click.echo(json.dumps(found, indent=2))
    elif not rows:
        click.echo(f"No {kind} fulfil that." if wheres else f"There are no {kind}.", err=True)
    else:
        asked = [each.field for each in conditions] + ([sort.removeprefix("-")] if sort else [])
        _print_list(kind, rows, named, asked, known)


def _print_list(
    kind: str, rows: Sequence[Row], named: Sequence[str], asked: Sequence[str], known: Sequence[str]
) -> None:
    from fracas.cli import tables
    from fracas.cli.terminal import line_width, to_terminal
    from fracas.packs.schema_fields import form, kinds_of
    from fracas.packs.search import values

    on_terminal = to_terminal()
    width = line_width()
    if named:
        table = tables.chosen(rows, named, width if on_terminal else None)
    else:
        rulesets = {row["ruleset"] for row in rows}
        several = ["ruleset"] if len(rulesets) > 1 else []
        packs = ["pack"] if len({row["pack"] for row in rows}) > len(rulesets) else []
        varied = [name for name in asked if len({json.dumps([*values(row, name)]) for row in rows}) > 1]
        required = [
            {field.name: 1 for field in form(kind, id, {}).fields if field.required}
            for id in sorted(rulesets)
            if kind in kinds_of(id)
        ]
        shared = [name for name in required[0] if all(name in each for each in required)] if required else []
        order = tables.importance(rows, [*shared, *packs], known)
        table = tables.layout(rows, order, list(dict.fromkeys(("slug", "label", *several, *varied))), width)
    if not on_terminal:
        for line in tables.plain(table):
            say(line)
        return
    count = f"{len(rows)} {kind if len(rows) > 1 else _singular(kind)}"
    left_out = [*table.left_out[:8], *(["..."] if len(table.left_out) > 8 else [])]
    tables.print_table(table, count + (f"; --columns shows more: {', '.join(left_out)}" if left_out else ""))


def _known_fields(kind: str, rows: Sequence[Row]) -> list[str]:
    """The fields that the schemas know, of the rulesets at hand."""
    from fracas.packs.schema_fields import all_fields, kinds_of

    rulesets = sorted({row["ruleset"] for row in rows})
    return list(
        dict.fromkeys(name for id in rulesets if kind in kinds_of(id) for name in all_fields(kind, id))
    )


def _picked(row: Row, names: Sequence[str]) -> dict[str, Any]:
    from fracas.packs.search import values

    found = {name: list(values(row, name)) for name in names}
    return {name: each[0] if len(each) == 1 else each or None for name, each in found.items()}


def _as_json(row: Row, entry: Entry) -> dict[str, Any]:
    """An entry as the service gives it, and where it stands."""
    return {
        "id": entry.id,
        "kind": entry.kind,
        "ruleset": row["ruleset"],
        "slug": entry.slug,
        "label": entry.label,
        "pack": entry.pack,
        "data": entry.data,
        "meta": {name: value for name, value in entry.meta.items() if name not in ("slug", "label")},
        "place": entry.place,
    }


def _singular(kind: str) -> str:
    from fracas.packs.schemas import entry_kinds

    return entry_kinds()[kind]


def library_of(folders: Sequence[Path], ruleset: str | None = None, without: Sequence[str] = ()) -> Library:
    """The packs in use, of one ruleset or of all.

    Raises:
        SearchError: there is no pack of the ruleset.
    """
    from fracas.cli.installed import installed
    from fracas.errors import suggestion
    from fracas.packs.schema_fields import rulesets
    from fracas.packs.search import SearchError

    library = installed(pack_folders(folders), ruleset, without)
    if ruleset is not None and not library.packs:
        if ruleset in rulesets():
            raise SearchError(f"no pack of the ruleset {ruleset!r} is installed")
        hint = suggestion(ruleset, rulesets())
        raise SearchError(f"there is no ruleset {ruleset!r}" + (f" ({hint})" if hint else ""))
    return library


# --- One entry ------------------------------------------------------------------------------------------


@click.command(short_help="Show one entry, with the meaning of its fields.")
@click.argument("id")
@PACKS
@JSON
def show(id: str, folders: Sequence[Path], as_json: bool) -> None:
    """Show one entry: all its fields with their meaning, its source, and where it stands.

    The ID is a full one (sr4-core:weapon/ares-predator-iv), or kind and slug (weapon/ares-predator-iv), or a slug or
    label that only one entry has.
    """
    from fracas.packs.search import row_of

    library = library_of(folders)
    entry = one_entry(library, id)
    pack = library.packs[entry.pack]
    if as_json:
        row = row_of(entry, pack.manifest.ruleset)
        click.echo(json.dumps(_as_json(row, entry), indent=2))
        return
    _print_entry(entry, pack, library)


def one_entry(library: Library, name: str, ruleset: str | None = None) -> Entry:
    """The entry that a name means, as in `search.find`.

    Raises:
        SearchError: no entry is called so.
        ClickException: several are.
    """
    from fracas.packs.search import find

    found = find(library, name, ruleset)
    if len(found) > 1:
        lines = "\n".join(f"  {entry.id}  ({entry.label})" for entry in found)
        raise click.ClickException(f"{name!r} may mean several entries; give the id of one of them:\n{lines}")
    return found[0]


def _print_entry(entry: Entry, pack: Pack, library: Library) -> None:
    from fracas.cli import tables
    from fracas.packs.schema_fields import form, kinds_of
    from fracas.packs.schemas import folder_of

    ruleset = pack.manifest.ruleset
    kind = folder_of(entry.kind)
    raw = {**entry.meta, **entry.data}
    fields = (
        {field.name: field for field in form(kind, ruleset, raw).fields} if kind in kinds_of(ruleset) else {}
    )
    order = [
        *(name for name in fields if name in entry.data),
        *(name for name in entry.data if name not in fields),
    ]
    rows = []
    for name in order:
        author = entry.author_of((name,))
        note = f"set by {author}" if author != entry.pack else ""
        title = fields[name].title if name in fields else ""
        rows.append(tables.Line(name, title, entry.data[name], note))
    about = [tables.Line("", title, text) for title, text in _about(entry, pack, library)]
    heading = [entry.label, entry.id, entry.place.rpartition(":")[0]]
    tables.print_sheet(heading, [rows, about])


def _about(entry: Entry, pack: Pack, library: Library) -> list[tuple[str, str]]:
    """What there is to say of an entry besides its data."""
    from fracas.packs import certainty
    from fracas.packs.citations import sections_of

    meta = entry.meta
    found = [("Pack", f"{pack.manifest.title} {pack.manifest.version}")]
    if source := meta.get("source"):
        author = library.packs.get(entry.author_of(("source",)), pack)
        found.append(("Source", _source(source, author)))
    if sections := sections_of(entry, pack.manifest.ruleset):
        found.append(("Rule", f"fracas book {pack.manifest.ruleset} {sections[0]}"))
    for name in certainty.FIELDS:
        found += [(name.capitalize(), line) for line in certainty.legend([{name: meta.get(name)}])]
    if "notes" in meta:
        found.append(("Notes", str(meta["notes"])))
    if meta.get("tags"):
        found.append(("Tags", ", ".join(meta["tags"])))
    if meta.get("renamed_from"):
        found.append(("Formerly", ", ".join(meta["renamed_from"])))
    if entry.changes:
        by = ", ".join(dict.fromkeys(change.pack for change in entry.changes))
        found.append(("Changed by", f"{by}; see: fracas why {entry.id}"))
    return found


def _source(source: Any, pack: Pack) -> str:
    """A source with the title that the manifest gives it."""
    if not isinstance(source, dict):
        return str(source)
    works = pack.manifest.raw.get("sources") or []
    titles = {work.get("id"): work.get("title") for work in works if isinstance(work, dict)}
    ref = source.get("ref")
    title = f"{titles[ref]} ({ref})" if titles.get(ref) else str(ref)
    parts = [title]
    parts += [f"section {source['section']}"] if "section" in source else []
    parts += [f"page {source['page']}"] if "page" in source else []
    return ", ".join(parts)
