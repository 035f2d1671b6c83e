"""Adding an entry to a pack, so that the pack passes the check if it did before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fracas.cli.options import pack_folders, say
from fracas.cli.writing import patience, quoted, schemas_from, write_all

if TYPE_CHECKING:
    from fracas.errors import Problem
    from fracas.packs.entries import Entry, Pack
    from fracas.packs.files import PackFiles
    from fracas.packs.library import Library


class Place(NamedTuple):
    """The pack that an entry or a patch is added to, and the file in it.

    Attributes:
        before: what is in the file; None if there is none.
        faulty: kind and slug of entries that the pack has and that cannot be used.
    """

    pack: Pack
    files: PackFiles
    root: Path
    name: str
    before: bytes | None
    faulty: frozenset[tuple[str, str]]

    @property
    def ruleset(self) -> str:
        return self.pack.manifest.ruleset


def new_entry(
    kind: str, slug: str, root: Path, label: str, like: str | None, folders: Sequence[Path]
) -> None:
    """Adds an entry of a kind (``weapons``)."""
    from fracas.cli.installed import installed, shown_path
    from fracas.packs.scaffolding import check_slug, check_text, label_of
    from fracas.packs.yaml_source import load

    check_slug(slug)
    check_text(label, "label")
    place = place_of(kind, root)
    given = pack_folders(folders)
    library = installed((*given, root), place.ruleset)
    _check_new(kind, slug, place, library)
    with patience("Writing the entry and checking it"):
        text, origin = _sound(
            kind,
            slug,
            label or label_of(slug),
            place,
            _beginnings(kind, like, place, library),
            like is not None,
            given,
        )
    write(place, text)
    made = load(text)
    line, column = made.position(("entries", len(made.data["entries"]) - 1))
    shown = shown_path(root)
    say(f"Wrote {shown_path(root / place.name)}:{line}:{column}")
    if origin:
        say(f"  with the values of {origin}")
    say(f"Now fill in the fields, and run: fracas check {quoted(shown)}")


def add_entries(
    kind: str, entries: Sequence[Mapping[str, Any]], root: Path, folders: Sequence[Path]
) -> Sequence[str]:
    """Adds whole entries of a kind (``combatants``), all of them or none; the places where they stand now.

    Raises:
        ScaffoldError: the pack would not pass the check with them, or has one of them already.
    """
    from fracas.cli.installed import installed, shown_path
    from fracas.packs.scaffolding import ScaffoldError, check_slug, plain_lines, with_entry
    from fracas.packs.yaml_source import load

    place = place_of(kind, root)
    library = installed((*folders, root), place.ruleset)
    source = {"source": {"ref": first_source(place)}}
    schemas, name, before = schemas_of(place), place.files.name(place.name), place.before
    text = ""
    for entry in entries:
        check_slug(entry["slug"])
        _check_new(kind, entry["slug"], place, library)
        lines = plain_lines(kind, place.ruleset, {**source, **entry})
        text = with_entry(before, name, kind, place.ruleset, schemas, lines)
        before = text.encode()
    with patience("Writing the entries and checking them"):
        problems = new_problems(place, text, folders)
    if problems:
        shown = "\n".join(f"  {problem}" for problem in problems)
        raise ScaffoldError(f"nothing was written, because the pack would not pass the check:\n{shown}")
    write(place, text)
    made = load(text)
    first = len(made.data["entries"]) - len(entries)
    shown = shown_path(root / place.name)
    spots = (made.position(("entries", first + at)) for at in range(len(entries)))
    return [f"{shown}:{line}:{column}" for line, column in spots]


def ruleset_of(root: Path) -> str:
    """The ruleset of the pack in a folder.

    Raises:
        ScaffoldError, PackError: the folder holds no pack that can be used.
    """
    return place_of("combatants", root).ruleset


def _sound(
    kind: str,
    slug: str,
    label: str,
    place: Place,
    beginnings: Iterable[tuple[str, Mapping[str, Any] | None]],
    asked: bool,
    folders: Sequence[Path],
) -> tuple[str, str]:
    """The text of the file with an entry that passes the check, and what the entry was made after.

    Args:
        asked: the author chose what it begins with; else its values are marked as examples.

    Raises:
        ScaffoldError: whatever it begins with, it would not pass.
    """
    from fracas.packs.scaffolding import ScaffoldError, explained_lines, new_values, with_entry

    source, name = first_source(place), place.files.name(place.name)
    schemas = "" if place.before else schemas_of(place)
    problems: Sequence[Problem] = ()
    for origin, data in beginnings:
        values = new_values(kind, place.ruleset, slug, label, source, data)
        examples = () if asked else values.keys() - {"slug", "label", "source"}
        lines = explained_lines(kind, place.ruleset, values, examples)
        text = with_entry(place.before, name, kind, place.ruleset, schemas, lines)
        problems = new_problems(place, text, folders)
        if not problems:
            return text, origin
    shown = "\n".join(f"  {problem}" for problem in problems)
    raise ScaffoldError(f"nothing was written, because {slug} would not pass the check:\n{shown}")


def place_of(kind: str, root: Path) -> Place:
    """The file of a kind in a pack: ``<kind>.yaml``, or the only one in the folder ``<kind>``.

    Raises:
        ScaffoldError: the folder holds no pack, or the ruleset has no such kind.
        PackError: the pack's manifest cannot be used.
    """
    from fracas.cli.installed import shown_path
    from fracas.errors import PackError
    from fracas.packs.files import MANIFEST, in_folder
    from fracas.packs.reading import read
    from fracas.packs.scaffolding import ScaffoldError
    from fracas.packs.schema_fields import kinds_of

    shown = shown_path(root)
    files = in_folder(root, "" if shown == "." else shown)
    if MANIFEST not in files.names:
        raise ScaffoldError(f"{shown} is no pack: it has no {MANIFEST} ('fracas new pack' makes one)")
    pack, problems, faulty = read(files)
    if pack is None:
        raise PackError(problems)
    ruleset = pack.manifest.ruleset
    if kind not in kinds_of(ruleset):
        has = ", ".join(kinds_of(ruleset))
        raise ScaffoldError(f"the ruleset {ruleset} has no {kind} (it has {has})")
    inner = [name for name in files.names if re.fullmatch(rf"{kind}/[^/]+\.yaml", name)]
    single = f"{kind}.yaml"
    name = inner[0] if len(inner) == 1 and single not in files.names else single
    before = files.read(name) if name in files.names else None
    return Place(pack, files, root, name, before, faulty)


def first_source(place: Place) -> str:
    """The id of the first of the pack's sources.

    Raises:
        ScaffoldError: it has none.
    """
    from fracas.packs.scaffolding import ScaffoldError

    works = place.pack.manifest.raw.get("sources")
    ids = [work.get("id") for work in works if isinstance(work, dict)] if isinstance(works, list) else []
    if not ids:
        raise ScaffoldError(
            f"{place.files.name('pack.yaml')} lists no sources, and every entry names one "
            "(add 'sources: [{id: own, title: Our own numbers}]')"
        )
    return str(ids[0])


def _check_new(kind: str, slug: str, place: Place, library: Library) -> None:
    """Warn if a pack that is neither built in nor required has an entry of this kind and slug.

    Raises:
        ScaffoldError: this pack has one, or a pack that is used together with it in any case.
    """
    from fracas.packs.scaffolding import ScaffoldError
    from fracas.packs.schemas import entry_kinds

    for entry in place.pack.entries:
        if (entry.kind, entry.slug) == (entry_kinds()[kind], slug):
            raise ScaffoldError(f"{place.pack.id} has {entry.id} already, at {entry.place}")
    if (entry_kinds()[kind], slug) in place.faulty:
        raise ScaffoldError(f"{place.pack.id} has a {entry_kinds()[kind]} {slug!r} already, which has faults")
    removed = {operation.target for operation in place.pack.operations if operation.how != "patch"}
    below = library.below.get(place.pack.id, frozenset())
    others = [pack for pack in library.packs.values() if pack.id != place.pack.id]
    for entry in (entry for pack in others for entry in pack.entries):
        if (entry.kind, entry.slug) != (entry_kinds()[kind], slug) or entry.id in removed:
            continue
        message = f"{entry.pack} has a {entry.kind} {slug!r} too, at {entry.place}"
        if entry.pack in below or _is_built_in(library.packs[entry.pack]):
            hint = f"choose another slug; to change that one: fracas new patch {entry.id}"
            raise ScaffoldError(f"{message} ({hint})")
        click.echo(f"Warning: {message}; the two packs cannot be used together", err=True)


def _is_built_in(pack: Pack) -> bool:
    from fracas.packs.shipped import shipped

    return pack.folder is not None and pack.folder.resolve().is_relative_to(shipped("datapacks").resolve())


def _beginnings(
    kind: str, like: str | None, place: Place, library: Library
) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """What a new entry may begin with: the entry that was asked for, or the schema's examples.

    Where these do not go together, typical entries of the packs that are required serve.
    """
    from fracas.packs.skeletons import typical

    if like is not None:
        entry = _like(kind, like, place, library)
        yield entry.id, entry.data
        return
    yield "", None
    below = {*library.below.get(place.pack.id, ()), place.pack.id}
    entries = [entry for id in below if id in library.packs for entry in library.packs[id].entries]
    for entry in typical(entries, kind, place.ruleset)[:5]:
        yield entry.id, entry.data


def _like(kind: str, name: str, place: Place, library: Library) -> Entry:
    from fracas.packs.scaffolding import ScaffoldError
    from fracas.packs.schemas import entry_kinds
    from fracas.packs.search import find

    found = find(library, name, place.ruleset)
    fitting = [entry for entry in found if entry.kind == entry_kinds()[kind]]
    if not fitting:
        raise ScaffoldError(f"{found[0].id} is no {entry_kinds()[kind]}")
    return fitting[0]


def schemas_of(place: Place) -> str:
    """Where the pack's own files say that the schemas are, or where they are."""
    first = place.files.read("pack.yaml").decode(errors="replace")
    named = re.match(r"\ufeff?#\s*yaml-language-server:\s*\$schema=(\S+)/pack\.schema\.json", first)
    return named[1] if named else schemas_from(place.root, place.ruleset)


def new_problems(place: Place, text: str, folders: Sequence[Path]) -> Sequence[Problem]:
    """What is wrong with the pack once the file has this text, and was not before."""
    from fracas.engine.checking import check

    def found(files: PackFiles) -> list[Problem]:
        return list(check([files], folders).problems)

    def read(name: str) -> bytes:
        return text.encode() if name == place.name else place.files.read(name)

    names = tuple(sorted({*place.files.names, place.name}))
    problems = found(place.files._replace(names=names, read=read))
    before = set(found(place.files)) if problems else set()
    doubles = {"duplicate-slug"}  # those that matter have been refused, and of others a warning was given
    return [problem for problem in problems if problem not in before and problem.code not in doubles]


def write(place: Place, text: str) -> None:
    """Write the file of a place."""
    from fracas.packs.migrations.disk import Replacement, replace_files

    path = place.root / place.name
    if place.before is not None:
        replace_files([Replacement(path, place.before, text.encode())])
    else:
        write_all(path.parent, {path.name: text})
