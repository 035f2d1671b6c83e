"""``fracas export``: packs in the forms of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fracas.cli.options import PACKS, pack_folders, say
from fracas.cli.writing import patience

if TYPE_CHECKING:
    from fracas.exports.foundry.compendiums import Compendium
    from fracas.packs.entries import Pack
    from fracas.packs.library import Library


_FOLDER = click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder to write to."
)


@click.group()
def export() -> None:
    """Write a pack in the form of another program, or Fracas itself for a page.

    PACK is the id of a pack, such as sr4-core; what other packs in use change in it is applied. Worked examples are
    left out.
    """


@export.command("csv")
@click.argument("pack")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder to write to.  [default: PACK-csv]"
)
@PACKS
def csv_(pack: str, out: Path | None, folders: Sequence[Path]) -> None:
    """Write a CSV file for each kind of entry, for spreadsheets."""
    from fracas.exports.spreadsheets import csv_files

    library = _library(pack, folders)
    out = out or Path(f"{pack}-csv")
    files = csv_files(library.packs[pack])
    for name, text in files.items():
        _write(out / name, text)
    say(f"Wrote {len(files)} files to {_shown(out)}: {', '.join(files)}")


@export.command()
@click.argument("pack")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write.  [default: print it]"
)
@PACKS
def markdown(pack: str, out: Path | None, folders: Sequence[Path]) -> None:
    """Write one Markdown document of tables."""
    from fracas.exports.markdown import markdown

    text = markdown(_library(pack, folders).packs[pack])
    if out is None:
        say(text.rstrip("\n"))
        return
    _write(out, text)
    say(f"Wrote {_shown(out)}")


@export.command()
@click.argument("pack")
@_FOLDER
@PACKS
def foundry(pack: str, out: Path, folders: Sequence[Path]) -> None:
    """Write compendiums of Foundry VTT 13 and 14, in a module of the pack's own.

    They are journal entries, roll tables, macros, and items for the game system that plays the pack's ruleset.
    Compendiums of an earlier export are replaced. Of its module.json only version and compendiums change, so that you
    may add to it; one of another module is left alone.
    """
    from fracas.exports.foundry import databases
    from fracas.exports.foundry.compendiums import compendiums
    from fracas.exports.foundry.module import MANIFEST
    from fracas.exports.foundry.rulebook import pictures

    library = _library(pack, folders)
    with patience("Building the compendiums"):
        made = compendiums(library, pack, within="")
        manifest = _manifest(out / MANIFEST, library.packs[pack], made)  # refuses before anything is written
        for each in made:
            try:
                databases.write(out / each.manifest()["path"], each.stored)
            except OSError as error:
                raise click.ClickException(f"{out} cannot be written: {error.strerror or error}") from error
    for each in made:
        say(f"{_shown(out / each.manifest()['path'])}: {len(each.documents)} documents ({each.type})")
    for name, content in pictures(library.packs[pack]).items():
        _write(out / name, content.decode())
    _write(out / MANIFEST, manifest)
    say(f"Wrote {_shown(out / MANIFEST)}")


def _manifest(path: Path, pack: Pack, made: Sequence[Compendium]) -> str:
    """The text of a module's manifest: a new one, or that of an earlier export brought up to date.

    Raises:
        ClickException: there is one that is not of this pack.
    """
    import json

    from fracas.exports.foundry.module import is_of, pack_manifest, updated

    found = pack_manifest(pack, made)
    if path.exists():
        before = _json(path)
        if not is_of(before, pack):
            raise click.ClickException(f"{_shown(path)} is of another module; choose another folder")
        found = updated(before, found)
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


@export.command()
@click.argument("out", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--pyodide",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The unpacked npm package of Pyodide.  [default: npm fetches it]",
)
@click.option("--page", is_flag=True, help="Add the page with the console, for any static host.")
def inside(out: Path, pyodide: Path | None, page: bool) -> None:
    """Write what a page needs to run Fracas without a service: Python for browsers, the application and the packs.

    It needs Node.js. The same sources make the same files; contents.json has their hashes.
    """
    from fracas.inside import bundle, playground

    with patience(f"Building, with Pyodide {bundle.PYODIDE}"):
        parts = playground.build(out, pyodide) if page else bundle.build(out, pyodide)
    for name, part in parts.items():
        say(f"{part.packed:>12,}  {name}")
    say(f"{sum(part.packed for part in parts.values()):>12,}  bytes, compressed, in {_shown(out)}")


@export.command()
@click.argument("pack")
@_FOLDER
@PACKS
def roll20(pack: str, out: Path, folders: Sequence[Path]) -> None:
    """Write what Roll20 takes: a Mod script with the pack in it, macros, and lines that import tables.

    The folder fracas holds the Mod as Roll20's repository of scripts wants it; fracas/fracas.js is what you paste as a
    script of your own. Earlier versions in it stay. macros.md is for games without this Mod, and so is
    import-table.txt, if the pack has tables that are rolled.
    """
    from fracas.exports.roll20.macros import macros_page
    from fracas.exports.roll20.script import MANIFEST, files, version
    from fracas.exports.roll20.tables import import_lines

    library = _library(pack, folders)
    found = library.packs[pack]
    packs = library.ruleset_packs(found.manifest.ruleset)
    mod = out / "fracas"
    earlier = _earlier_mod(mod / MANIFEST)  # refuses before anything is written
    versions = [path.name for path in mod.iterdir() if path.is_dir()] if earlier else ()
    for name, text in files(found, packs, earlier, versions).items():
        _write(mod / name, text)
    say(f"{_shown(mod)}: the Mod, version {version(found)}")
    others = {
        "import-table.txt": "".join(f"{line}\n" for line in import_lines(found)),
        "macros.md": macros_page(packs, found),
    }
    for name, text in others.items():
        if text:
            _write(out / name, text)
            say(f"Wrote {_shown(out / name)}")
        else:
            (out / name).unlink(missing_ok=True)  # of an earlier export


def _earlier_mod(path: Path) -> dict[str, Any] | None:
    """The manifest of an earlier export of the Mod; None if there is none.

    Raises:
        ClickException: there is one that is not of this Mod.
    """
    from fracas.exports.roll20.script import is_of_the_mod

    if not path.exists():
        return None
    found: dict[str, Any] = _json(path)
    if not is_of_the_mod(found):
        raise click.ClickException(f"{_shown(path)} is of another script; choose another folder")
    return found


def _library(pack: str, folders: Sequence[Path]) -> Library:
    """The packs in use, with this one among them.

    Raises:
        ClickException: there is none of this id, or it has nothing to export.
    """
    from fracas.cli.installed import installed
    from fracas.errors import suggestion

    library = installed(pack_folders(folders), None, ("examples",))
    if pack not in library.packs:
        hint = suggestion(pack, library.packs)
        raise click.ClickException(f"no pack {pack!r} is installed" + (f" ({hint})" if hint else ""))
    if not library.packs[pack].entries:
        changed = dict.fromkeys(each.target.partition(":")[0] for each in library.packs[pack].operations)
        more = f"; it changes {', '.join(changed)}: export that, with this pack in use" if changed else ""
        raise click.ClickException(f"{pack} has no entries of its own{more}")
    return library


def _json(path: Path) -> Any:
    import json

    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{_shown(path)} cannot be read: {error}") from error


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error


def _shown(path: Path) -> str:
    from fracas.cli.installed import shown_path

    return shown_path(path)
