"""The packs that commands look things up in: the built-in ones and those of people, without broken ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fracas.errors import Problem
    from fracas.packs.entries import Pack
    from fracas.packs.library import Library


def shown_path(path: Path) -> str:
    """A path as a user in the current folder would write it."""
    absolute, here = path.resolve(), Path().resolve()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else absolute).as_posix()


def installed(folders: Sequence[Path], ruleset: str | None = None, without: Collection[str] = ()) -> Library:
    """The library of the built-in packs and those of the folders. A pack with faults is left out with a warning.

    Args:
        ruleset: only its packs.
        without: kinds to leave unread, such as ``examples``.
    """
    from fracas.packs.files import in_folder
    from fracas.packs.library import Library
    from fracas.packs.reading import read
    from fracas.packs.shipped import shipped

    packs: list[Pack] = []
    for root in _roots((shipped("datapacks"), *folders)):
        shown = shown_path(root)
        files = in_folder(root, "" if shown == "." else shown)
        pack, problems, _ = read(files, ruleset, None, without)
        if problems:
            _warn(root, problems)
        elif pack is not None:
            packs.append(pack)
    library = Library(packs)
    while library.faults:
        sick = []
        for pack in packs:
            # A second pack of one id goes by its folder.
            found = [fault.problem for fault in library.faults if fault.pack in (pack.id, pack.label)]
            if found:
                sick.append(pack)
                if pack.folder:
                    _warn(pack.folder, found)
        packs = [pack for pack in packs if pack not in sick] if sick else []
        library = Library(packs)
    return library


def _roots(folders: Iterable[Path]) -> list[Path]:
    """The packs of the folders, each once."""
    from fracas.packs.files import pack_folders

    found: dict[Path, Path] = {}
    for folder in folders:
        roots = pack_folders(folder)
        if not roots:
            click.echo(f"Warning: {folder} holds no pack", err=True)
        for root in roots:
            found.setdefault(root.resolve(), root)
    return list(found.values())


def _warn(root: Path, problems: Sequence[Problem]) -> None:
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    shown = shown_path(root)
    click.echo(f"Warning: left out {shown}: {problems[0]}{more}; see: fracas check {shown}", err=True)
