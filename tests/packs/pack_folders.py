"""Packs in folders, as people write them, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fracas.errors import PackError, Problem
from fracas.packs.library import Library

MANIFEST = """\
id: {id}
title: A pack
version: 1.2.3
schema_version: 2
ruleset: {ruleset}
status: ready
"""
FIELDS = ("id", "title", "version", "schema_version", "ruleset", "status")


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def make_pack(
    under: Path,
    id: str = "core",
    files: Mapping[str, str | bytes] | None = None,
    ruleset: str = "sr4",
    more: str = "",
) -> Path:
    """A pack in a folder of its own id."""
    manifest = MANIFEST.format(id=id, ruleset=ruleset) + more
    return write(under / id, {"pack.yaml": manifest, **(files or {})})


def weapons(*entries: str) -> str:
    return "kind: weapons\nruleset: sr4\nentries:\n" + "".join(f"  - {entry}\n" for entry in entries)


def problems(*folders: Path) -> list[Problem]:
    with pytest.raises(PackError) as caught:
        Library.read(folders)
    assert caught.value.problems
    return list(caught.value.problems)


def faults(*folders: Path) -> list[tuple[str, str]]:
    """Place and code of every problem."""
    return [(problem.path, problem.code) for problem in problems(*folders)]
