"""Options that several commands share, and how commands print."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

PACKS = click.option(
    "--packs",
    "folders",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of packs beside the built-in ones and those in FRACAS_PACKS; may be given several times.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def say(text: str) -> None:
    """Print text that may hold half a character, which a request may contain and no terminal can show."""
    click.echo(text.encode("utf-8", "replace").decode())


def pack_folders(given: Sequence[Path]) -> tuple[Path, ...]:
    """The folders of FRACAS_PACKS (split as in PATH) and those given, each once."""
    named = [Path(folder) for folder in os.environ.get("FRACAS_PACKS", "").split(os.pathsep) if folder]
    return tuple({folder.resolve(): folder for folder in (*named, *given)}.values())
