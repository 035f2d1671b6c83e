"""``fracas migrate``."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fracas.cli.options import JSON
from fracas.errors import PackError, Problem

if TYPE_CHECKING:
    from fracas.packs.migrations import Migration


class _Planned(NamedTuple):
    """A pack, the files that it has, and what becomes of them."""

    folder: Path
    before: Mapping[str, bytes]
    migration: Migration

    def diff(self) -> str:
        """What changes, as a unified diff, with the files' own line ends."""
        return "".join(
            line
            for name, content in sorted(self.migration.files.items())
            for line in _diff((self.folder / name).as_posix(), self.before[name], content)
        )

    def to_json(self, dry_run: bool) -> dict[str, Any]:
        before, after, files, steps = self.migration
        known = {"folder": str(self.folder), "before": before, "after": after}
        known |= {"files": sorted(files), "steps": list(steps)}
        return {**known, "diff": self.diff()} if dry_run else known

    def summary(self, dry_run: bool) -> str:
        before, after, files, steps = self.migration
        if not steps:
            return f"{self.folder}: already at version {after}"
        count = f"{len(files)} file{'' if len(files) == 1 else 's'}"
        done = "would change" if dry_run else "changed"
        return "\n    ".join((f"{self.folder}: version {before} to {after}, {count} {done}", *steps))


@click.command()
@click.argument("path", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would change, as a diff, and change nothing.")
@JSON
def migrate(path: Path, dry_run: bool, as_json: bool) -> None:
    """Bring the packs in PATH to the newest file format.

    PATH is a pack's folder or a folder of packs. Comments and everything else that need not change stay as they
    are. Either all packs are migrated or none: with a fault in one of them nothing is written.
    """
    try:
        planned = _plan(path)
        if not dry_run:
            _write(planned)
    except PackError as error:
        if as_json:
            problems = [problem._asdict() for problem in error.problems]
            click.echo(json.dumps({"status": "failed", "problems": problems}, indent=2))
            raise SystemExit(1) from error
        raise click.ClickException(error.message) from error
    if as_json:
        packs = [pack.to_json(dry_run) for pack in planned]
        status = "planned" if dry_run else "done"
        click.echo(json.dumps({"status": status, "packs": packs}, indent=2))
        return
    if dry_run:
        _show("".join(pack.diff() for pack in planned))
    for pack in planned:
        click.echo(pack.summary(dry_run), err=dry_run)  # so that standard output is nothing but the diff


def _plan(path: Path) -> list[_Planned]:
    """The migrations of all packs of a folder.

    Raises:
        PackError: there is no pack, or one of them cannot be migrated; all faults at once.
    """
    from fracas.packs.files import in_folder, pack_folders
    from fracas.packs.library import no_pack
    from fracas.packs.migrations import migrate as plan
    from fracas.packs.migrations.disk import contents

    folders = pack_folders(path)
    planned: list[_Planned] = []
    problems: list[Problem] = [] if folders else [no_pack(path)]
    for folder in folders:
        try:
            files = contents(in_folder(folder, folder.as_posix()))
            planned.append(_Planned(folder, files, plan(files, folder.as_posix())))
        except PackError as error:
            problems += error.problems
    if problems:
        raise PackError(problems)
    return planned


def _write(planned: list[_Planned]) -> None:
    from fracas.cli.writing import refresh_copies
    from fracas.packs.migrations.disk import replace_files, replacements

    replace_files(
        [
            replacement
            for pack in planned
            for replacement in replacements(pack.folder, pack.before, pack.migration.files)
        ]
    )
    for pack in planned:
        refresh_copies(pack.folder)


_ENDS = ("\n\\ No newline at end of file\n", "\n")


def _diff(name: str, before: bytes, after: bytes) -> list[str]:
    """The lines of a unified diff that ``patch`` understands."""
    old, new = (content.decode().splitlines(keepends=True) for content in (before, after))
    lines = list(difflib.unified_diff(old, new, name, name))
    return [line if line.endswith("\n") else line + _ENDS[line.endswith("\r")] for line in lines]


_STYLES = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}


def _show(diff: str) -> None:
    """Print a diff: in colours on a terminal, else byte for byte."""
    if not sys.stdout.isatty():
        click.echo(diff.encode(), nl=False)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line in diff.splitlines():
        style = next((style for sign, style in _STYLES.items() if line.startswith(sign)), "")
        console.print(Text(line, style))
