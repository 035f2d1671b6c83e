"""Compendiums as Foundry keeps them: a folder with a LevelDB database for each."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fracas.errors import FracasError
from fracas.exports.foundry.documents import EMBEDDED, Document
from fracas.exports.foundry.leveldb import CURRENT, database


class CompendiumError(FracasError):
    """A compendium that cannot be written."""

    code = "no-compendium"


def files(documents: Iterable[Document]) -> dict[str, bytes]:
    """The files of a compendium by their names; the same documents make the same bytes."""
    found = (record for document in documents for record in records(document))
    return database({key.encode(): json.dumps(value, separators=(",", ":")).encode() for key, value in found})


def write(folder: Path, documents: Iterable[Document]) -> None:
    """Write a compendium; one that is there already is replaced.

    Raises:
        CompendiumError: the folder holds something else, or Foundry has it open.
        OSError: it cannot be written.
    """
    _check_free(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fracas-") as made:
        new = Path(made) / "new"
        new.mkdir()
        for name, content in files(documents).items():
            (new / name).write_bytes(content)
        if folder.exists():
            shutil.move(folder, Path(made) / "old")
        shutil.move(new, folder)


def _check_free(folder: Path) -> None:
    """Refuse to replace what is no compendium, or one that a running Foundry would lose."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not (folder / CURRENT).is_file():
        raise CompendiumError(f"{folder} is no compendium, so it is not replaced; choose another folder")
    if _is_open(folder / "LOCK"):
        raise CompendiumError(f"{folder} is in use; stop Foundry or its world first")


def _is_open(lock: Path) -> bool:
    """Whether a process has the database open whose lock file this is.

    LevelDB keeps that file open: on Windows so that nothing else can open it, elsewhere with a lock on it.
    """
    if not lock.exists():  # never opened
        return False
    if sys.platform == "win32":
        try:
            lock.open("r+b").close()
        except PermissionError:
            return True
        return False
    import fcntl

    with lock.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def records(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records of a document: its own, which names those in it by their ids, and one of each of them."""
    yield document["_key"], {name: _reference(name, value) for name, value in _content(document)}
    for field in EMBEDDED:
        for inner in document.get(field, ()):
            yield inner["_key"], dict(_content(inner))


def _content(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in document.items() if name != "_key")


def _reference(field: str, value: Any) -> Any:
    return [inner["_id"] for inner in value] if field in EMBEDDED else value
