"""``fracas new``: a pack of one's own, and entries with every field explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fracas.cli.options import PACKS, pack_folders, say
from fracas.cli.writing import copies_for, patience, quoted, schemas_from, write_all

if TYPE_CHECKING:
    from fracas.errors import Problem
    from fracas.packs.entries import Pack
    from fracas.packs.library import Library


class _Group(click.Group):
    """``pack``, and one command for each kind of entry."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from fracas.packs.schemas import entry_kinds

        return [*super().list_commands(ctx), *entry_kinds().values()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from fracas.packs.schemas import entry_kinds

        for kind, one in entry_kinds().items():
            if cmd_name in (kind, one):
                return _command(kind, one)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from fracas.errors import suggestion

        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            hint = (
                suggestion(args[0], self.list_commands(ctx)) or "'fracas new --help' lists what can be added"
            )
            ctx.fail(f"there is nothing to make that is called {args[0]!r} ({hint})")
        return super().resolve_command(ctx, args)


@click.group(cls=_Group)
def new() -> None:
    """Begin a pack, or add an entry or a patch to one.

    \b
      fracas new pack my-guns --ruleset sr4
      fracas new weapon back-alley-special --pack my-guns
      fracas new patch ares-predator-iv --pack my-guns --set dv=7
    """


# --- A pack ---------------------------------------------------------------------------------------------


@new.command("pack", short_help="Begin a pack, with one example of each kind of entry.")
@click.argument("id")
@click.option(
    "--ruleset",
    metavar="RULESET",
    default="sr4",
    show_default=True,
    help="One that is installed: sr4, sr5, imperium, cwn, or that of another package.",
)
@click.option("--title", default="", help="What people call the pack.  [default: made of the ID]")
@click.option("--author", default="", help="Who writes it.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where the pack's own folder is made.  [default: the current folder]",
)
@click.option("--empty", is_flag=True, help="Without any example of an entry.")
@PACKS
def new_pack(
    id: str, ruleset: str, title: str, author: str, folder: Path, empty: bool, folders: Sequence[Path]
) -> None:
    """Make a folder ID with a pack that holds one example of each kind of entry.

    The examples are entries like any other: the game offers them until they are deleted. --empty makes a pack without
    them.

    The ID is made of small letters, digits and hyphens. Nothing is ever overwritten.
    """
    from fracas.cli.installed import installed, shown_path
    from fracas.packs.scaffolding import ScaffoldError, check_slug, check_text
    from fracas.packs.skeletons import Recipe, core_pack, skeleton

    check_slug(id, "id of a pack")
    check_text(title, "title")
    check_text(author, "author")
    target = folder / id
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        message = f"{shown_path(target)} is there already, and nothing is overwritten"
        raise ScaffoldError(f"{message} (choose another id, or another --folder)")
    given = pack_folders(folders)
    library = installed(given)
    if id in library.packs:
        raise ScaffoldError(f"there is a pack {id!r} already, in {library.packs[id].label}")
    core = core_pack(library, ruleset)
    taken = frozenset(
        (entry.kind, entry.slug) for pack in _beside(library, folder, ruleset) for entry in pack.entries
    )
    recipe = Recipe(id, title, author, core, taken, schemas_from(target, ruleset), empty)
    with patience("Making the pack and checking it"):
        files = skeleton(recipe, lambda made: _problems_of(made, given))
    write_all(target, {**files, **copies_for(target, ruleset)})
    shown = shown_path(target)
    say(f"Made the pack {id} in {shown}{':' if empty else ', with one example of each kind:'}")
    for name in files:
        say(f"  {shown}/{name}")
    say(f"Now read {shown}/README.md, change what you like, and run: fracas check {quoted(shown)}")


def _beside(library: Library, folder: Path, ruleset: str) -> Iterator[Pack]:
    """The packs whose slugs are taken: those in use, and those in the folder where the new one will lie."""
    from fracas.packs.files import in_folder, pack_folders
    from fracas.packs.reading import read

    yield from (pack for pack in library.packs.values() if pack.manifest.ruleset == ruleset)
    for root in pack_folders(folder):
        pack = read(in_folder(root), ruleset).pack
        if pack is not None:
            yield pack


def _problems_of(files: Mapping[str, str], folders: Sequence[Path]) -> Sequence[Problem]:
    from fracas.engine.checking import check
    from fracas.packs.files import in_memory

    made = {name: text.encode() for name, text in files.items() if name.endswith(".yaml")}
    return check([in_memory(made, "")], folders).problems


# --- A patch --------------------------------------------------------------------------------------------


@new.command("patch", short_help="Change fields of another pack's entry.")
@click.argument("id")
@click.argument("changes", nargs=-1, metavar="[FIELD=VALUE]...")
@click.option(
    "--pack",
    "root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder of the pack that changes it.  [default: the current folder]",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="FIELD=VALUE",
    help="A field's new value, as YAML: dv=7, 'modes=[SA, BF]'; may be given several times.",
)
@click.option("--unset", multiple=True, metavar="FIELD", help="A field to take away.")
@PACKS
def patch(
    id: str,
    changes: Sequence[str],
    root: Path,
    settings: Sequence[str],
    unset: Sequence[str],
    folders: Sequence[Path],
) -> None:
    """Change fields of the entry ID, which another pack has, and leave its other fields as they are.

    The ID is a full one (sr4-core:weapon/ares-predator-iv), or a slug or label that only one entry has. The patch says
    which values it expects, so that the check reports it if a later version of that pack changes them. New values may
    stand behind the ID or with --set; without any, write them into the file. For example:

    \b
      fracas new patch ares-predator-iv dv=7 --pack my-guns
    """
    from fracas.cli.patching import new_patch

    new_patch(id, root, (*settings, *changes), unset, folders)


# --- An entry -------------------------------------------------------------------------------------------


def _command(kind: str, one: str) -> click.Command:
    from fracas.packs.scaffolding import with_article

    what = with_article(one)

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
        from fracas.cli.entry_writing import new_entry

        new_entry(kind, slug, root, label, like, folders)

    return command


_HELP = """Add {what} to a pack, with a comment above each field that says what it means and may be.

The SLUG is its short name: small letters, digits and hyphens. Required fields are filled in, the others are left out
with a # in front. What is written passes the check.
"""
