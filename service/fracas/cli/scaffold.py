"""``fracas new``: a pack of one's own, and entries with every field explained."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fracas.cli.options import PACKS, pack_folders, say

if TYPE_CHECKING:
    from fracas.errors import Problem
    from fracas.packs.entries import Entry, Pack
    from fracas.packs.files import PackFiles
    from fracas.packs.library import Library


class _Group(click.Group):
    """``pack``, and one command for each kind of entry."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from fracas.packs.entries import KINDS

        return [*super().list_commands(ctx), *KINDS.values()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from fracas.packs.entries import KINDS

        kinds = {one: kind for kind, one in KINDS.items()}
        if cmd_name in kinds:
            return _command(kinds[cmd_name], cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Group)
def new() -> None:
    """Begin a pack, or add an entry to one.

    \b
      fracas new pack my-guns --ruleset sr4
      fracas new weapon back-alley-special --pack my-guns
    """


# --- A pack ---------------------------------------------------------------------------------------------


@new.command("pack")
@click.argument("id")
@click.option(
    "--ruleset", metavar="RULESET", default="sr4", show_default=True, help="sr4, sr5, imperium or cwn."
)
@click.option("--title", default="", help="What people call the pack.  [default: made of the ID]")
@click.option("--author", default="", help="Who writes it.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where the pack's own folder is made.  [default: the current folder]",
)
@PACKS
def new_pack(id: str, ruleset: str, title: str, author: str, folder: Path, folders: Sequence[Path]) -> None:
    """Make a folder ID with a pack that holds one example of each kind of entry.

    The ID is made of small letters, digits and hyphens. Nothing is ever overwritten.
    """
    from fracas.cli.installed import installed, shown_path
    from fracas.packs.scaffolding import ScaffoldError, check_slug
    from fracas.packs.skeletons import Recipe, core_pack, skeleton

    check_slug(id, "id of a pack")
    target = folder / id
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        message = f"{shown_path(target)} is there already, and nothing is overwritten"
        raise ScaffoldError(f"{message} (choose another id, or another --folder)")
    given = pack_folders(folders)
    library = installed(given, ruleset)
    if id in library.packs:
        raise ScaffoldError(f"there is a pack {id!r} already, in {library.packs[id].label}")
    core = core_pack(library, ruleset)
    taken = frozenset(
        (entry.kind, entry.slug) for pack in _beside(library, folder, ruleset) for entry in pack.entries
    )
    recipe = Recipe(id, title, author, core, taken, _schemas_from(target))
    with _patience("Making the pack and checking it"):
        files = skeleton(recipe, lambda made: _problems_of(made, given))
    _write_all(target, files)
    shown = shown_path(target)
    say(f"Made the pack {id} in {shown}, with one example of each kind:")
    for name in files:
        say(f"  {shown}/{name}")
    say(f"Now read {shown}/README.md, change what you like, and run: fracas check {shown}")


@contextmanager
def _patience(what: str) -> Iterator[None]:
    """On a terminal, a sign that something is going on."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _beside(library: Library, folder: Path, ruleset: str) -> Iterator[Pack]:
    """The packs whose slugs are taken: those in use, and those in the folder where the new one will lie."""
    from fracas.packs.files import in_folder, pack_folders
    from fracas.packs.reading import read

    yield from library.packs.values()
    for root in pack_folders(folder):
        pack = read(in_folder(root), ruleset).pack
        if pack is not None:
            yield pack


def _problems_of(files: Mapping[str, str], folders: Sequence[Path]) -> Sequence[Problem]:
    from fracas.engine.checking import check
    from fracas.packs.files import in_memory

    made = {name: text.encode() for name, text in files.items() if name.endswith(".yaml")}
    return check([in_memory(made, "")], folders).problems


def _write_all(folder: Path, files: Mapping[str, str]) -> None:
    """Write new files; where that fails, take away those that were written."""
    written: list[Path] = []
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            with (folder / name).open("xb") as file:
                written.append(folder / name)
                file.write(text.encode())
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        if is_new and folder.is_dir():
            folder.rmdir()
        raise click.ClickException(f"{folder} cannot be written: {error.strerror or error}") from error


def _schemas_from(folder: Path) -> str:
    """Where editors find the schemas, as seen from a folder: a path inside one clone, else the address."""
    from fracas.packs.shipped import shipped

    schemas = shipped("schemas").resolve()
    if folder.resolve().is_relative_to(schemas.parent):
        return Path(os.path.relpath(schemas, folder.resolve())).as_posix()
    return schemas.as_uri()


# --- An entry -------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """The pack that an entry is added to, and the file in it."""

    pack: Pack
    files: PackFiles
    root: Path
    name: str
    before: bytes | None

    @property
    def ruleset(self) -> str:
        return self.pack.manifest.ruleset


def _command(kind: str, one: str) -> click.Command:
    article = "an" if one[0] in "aeiou" else "a"
    what = "armor" if one == "armor" else "ammunition" if one == "ammunition" else f"{article} {one}"

    @click.command(one, help=_HELP.format(what=what, one=one), short_help=f"Add {what} to a pack.")
    @click.argument("slug")
    @click.option(
        "--pack",
        "root",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=Path(),
        help="The pack's folder.  [default: the current folder]",
    )
    @click.option("--label", default="", help="What people call it.  [default: made of the SLUG]")
    @click.option("--from", "like", metavar="ID", help="Begin with the values of this entry, of any pack.")
    @PACKS
    def command(slug: str, root: Path, label: str, like: str | None, folders: Sequence[Path]) -> None:
        _new_entry(kind, slug, root, label, like, folders)

    return command


_HELP = """Add {what} to a pack, with a comment above each field that says what it means and may be.

The SLUG is its short name: small letters, digits and hyphens. Required fields are filled in, the others are left out
with a # in front. What is written passes the check.
"""


def _new_entry(
    kind: str, slug: str, root: Path, label: str, like: str | None, folders: Sequence[Path]
) -> None:
    """Adds an entry of a kind (``weapons``)."""
    from fracas.cli.installed import installed, shown_path
    from fracas.packs.scaffolding import ScaffoldError, check_slug, explained_lines, label_of, new_values
    from fracas.packs.yaml_source import load

    check_slug(slug)
    place = _place(kind, root)
    source = _first_source(place)
    given = pack_folders(folders)
    library = installed((*given, root), place.ruleset)
    _check_new(kind, slug, place, library)
    problems: Sequence[Problem] = ()
    for origin, data in _beginnings(kind, like, place, library):
        values = new_values(kind, place.ruleset, slug, label or label_of(slug), source, data)
        text = _with_entry(kind, place, explained_lines(kind, place.ruleset, values))
        problems = _new_problems(place, text, given)
        if not problems:
            break
    else:
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise ScaffoldError(f"nothing was written, because {slug} would not pass the check:\n{lines}")
    _write(place, text)
    made = load(text)
    line, column = made.position(("entries", len(made.data["entries"]) - 1))
    shown = shown_path(root)
    say(f"Wrote {shown_path(root / place.name)}:{line}:{column}")
    if origin:
        say(f"  with the values of {origin}")
    say(f"Now fill in the fields, and run: fracas check {shown}")


def _place(kind: str, root: Path) -> _Place:
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
    pack, problems, _ = read(files)
    if pack is None:
        raise PackError(problems)
    ruleset = pack.manifest.ruleset
    if kind not in kinds_of(ruleset):
        has = ", ".join(kinds_of(ruleset))
        raise ScaffoldError(f"the ruleset {ruleset} has no {kind} (it has {has})")
    inner = [name for name in files.names if re.fullmatch(rf"{kind}/[^/]+\.yaml", name)]
    single = f"{kind}.yaml"
    name = inner[0] if len(inner) == 1 and single not in files.names else single
    return _Place(pack, files, root, name, files.read(name) if name in files.names else None)


def _first_source(place: _Place) -> str:
    from fracas.packs.scaffolding import ScaffoldError

    works = place.pack.manifest.raw.get("sources")
    ids = [work.get("id") for work in works if isinstance(work, dict)] if isinstance(works, list) else []
    if not ids:
        raise ScaffoldError(
            f"{place.files.name('pack.yaml')} lists no sources, and every entry names one "
            "(add 'sources: [{id: own, title: Our own numbers}]')"
        )
    return str(ids[0])


def _check_new(kind: str, slug: str, place: _Place, library: Library) -> None:
    """
    Raises:
        ScaffoldError: the pack has an entry of this kind and slug.
    """
    from fracas.packs.entries import KINDS
    from fracas.packs.scaffolding import ScaffoldError

    for entry in place.pack.entries:
        if (entry.kind, entry.slug) == (KINDS[kind], slug):
            raise ScaffoldError(f"{place.pack.id} has {entry.id} already, at {entry.place}")
    for pack in library.packs.values():
        for entry in pack.entries:
            if pack.id != place.pack.id and (entry.kind, entry.slug) == (KINDS[kind], slug):
                message = f"Warning: {pack.id} has a {entry.kind} {slug!r} too, at {entry.place}"
                click.echo(f"{message}; the two packs cannot be used together", err=True)


def _beginnings(
    kind: str, like: str | None, place: _Place, library: Library
) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """What a new entry may begin with: the entry that was asked for, or the schema's examples.

    Where these do not go together, the simplest entries of the packs that are required serve.
    """
    from fracas.packs.scaffolding import copied_values
    from fracas.packs.skeletons import simplest

    if like is not None:
        entry = _like(kind, like, place, library)
        yield entry.id, copied_values(entry)
        return
    yield "", None
    below = {*library.below.get(place.pack.id, ()), place.pack.id}
    entries = [entry for id in below if id in library.packs for entry in library.packs[id].entries]
    for entry in simplest(entries, kind, place.ruleset)[:5]:
        yield entry.id, copied_values(entry)


def _like(kind: str, name: str, place: _Place, library: Library) -> Entry:
    from fracas.packs.entries import KINDS
    from fracas.packs.scaffolding import ScaffoldError
    from fracas.packs.search import find

    found = find(library, name, place.ruleset)
    fitting = [entry for entry in found if entry.kind == KINDS[kind]]
    if not fitting:
        raise ScaffoldError(f"{found[0].id} is no {KINDS[kind]}")
    return fitting[0]


def _with_entry(kind: str, place: _Place, lines: Sequence[str]) -> str:
    """The text of the file with one more entry.

    Raises:
        PackError: the file that is there cannot be read.
    """
    from fracas.errors import PackError, Problem
    from fracas.packs.scaffolding import new_file
    from fracas.packs.yaml_editing import EditError, append_entry
    from fracas.packs.yaml_source import YamlError

    name = place.files.name(place.name)
    try:
        if place.before is None:
            return append_entry(new_file(kind, place.ruleset, _schemas_of(place)), lines)
        return append_entry(place.before.decode(), ["", *lines])
    except UnicodeDecodeError as error:
        raise PackError([Problem(name, "not-text", "the file is not UTF-8")]) from error
    except EditError as error:
        where = f"{name}:{error.position.line}:{error.position.column}"
        raise PackError([Problem(where, "cannot-append", error.message)]) from error
    except YamlError as error:
        raise PackError(
            Problem(f"{name}:{fault.position.line}:{fault.position.column}", fault.code, fault.message, fault.hint)
            for fault in error.problems
        ) from error


def _schemas_of(place: _Place) -> str:
    """Where the pack's own files say that the schemas are, or where they are."""
    first = place.files.read("pack.yaml").decode(errors="replace")
    said = re.match(r"\ufeff?#\s*yaml-language-server:\s*\$schema=(\S+)/pack\.schema\.json", first)
    return said[1] if said else _schemas_from(place.root)


def _new_problems(place: _Place, text: str, folders: Sequence[Path]) -> Sequence[Problem]:
    """What is wrong with the pack once the file has this text, and was not before."""
    from fracas.engine.checking import check

    def found(files: PackFiles) -> list[Problem]:
        return list(check([files], folders).problems)

    def read(name: str) -> bytes:
        return text.encode() if name == place.name else place.files.read(name)

    names = tuple(sorted({*place.files.names, place.name}))
    problems = found(place.files._replace(names=names, read=read))
    before = set(found(place.files)) if problems else set()
    return [problem for problem in problems if problem not in before]


def _write(place: _Place, text: str) -> None:
    from fracas.packs.migrations.disk import Replacement, replace_files

    path = place.root / place.name
    if place.before is not None:
        replace_files([Replacement(path, place.before, text.encode())])
    else:
        _write_all(path.parent, {path.name: text})
