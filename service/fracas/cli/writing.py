"""Writing new files of packs, and what people see meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click


@contextmanager
def patience(what: str) -> Iterator[None]:
    """On a terminal, a sign that something is going on."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def quoted(path: str) -> str:
    """A path as one word of a command."""
    return f'"{path}"' if " " in path else path


def write_all(folder: Path, files: Mapping[str, str]) -> None:
    """Write new files; where that fails, take away those that were written."""
    written: list[Path] = []
    is_new = not folder.exists()
    try:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with (folder / name).open("xb") as file:
                written.append(folder / name)
                file.write(text.encode())
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        if is_new and folder.is_dir():
            for inner in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
                inner.rmdir()
            folder.rmdir()
        raise click.ClickException(f"{folder} cannot be written: {error.strerror or error}") from error


COPIES = ".schemas"
"""Folder of a pack with copies of the schemas, so that editors of everybody who shares the pack find them."""


def schemas_from(folder: Path, ruleset: str) -> str:
    """Where editors find the schemas, as seen from a pack: a path inside one clone, else that of its copies.

    A pack for a ruleset of another package always has copies: the clone's schemas know nothing of it.
    """
    from fracas.packs.schemas import shipped_rulesets
    from fracas.packs.shipped import shipped

    schemas = shipped("schemas").resolve()
    if ruleset in shipped_rulesets() and folder.resolve().is_relative_to(schemas.parent):
        return Path(os.path.relpath(schemas, folder.resolve())).as_posix()
    return COPIES


def copies_for(folder: Path, ruleset: str) -> dict[str, str]:
    """The copies of the schemas that a pack needs, by their path in it; none inside a clone."""
    return _copies() if schemas_from(folder, ruleset) == COPIES else {}


def _copies() -> dict[str, str]:
    from fracas.packs.attached import ATTACHED_SCHEMAS
    from fracas.packs.schemas import names, text
    from fracas.packs.shipped import shipped

    attached = {name: (shipped("schemas") / name).read_text("utf-8") for name in ATTACHED_SCHEMAS}
    return {
        f"{COPIES}/{name}": content
        for name, content in ({name: text(name) for name in names()} | attached).items()
    }


def refresh_copies(folder: Path) -> None:
    """Bring a pack's copies of the schemas up to date, if it has some."""
    if (folder / COPIES).is_dir():
        for name, text in _copies().items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(text.encode())
