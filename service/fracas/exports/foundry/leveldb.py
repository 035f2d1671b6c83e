"""Writing compendiums as Foundry keeps them: a LevelDB database each. The package plyvel does it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from fracas.errors import FracasError
from fracas.exports.foundry.documents import EMBEDDED, Document

MISSING = (
    "compendiums are LevelDB databases, and the package plyvel, which writes them, is not installed: "
    "pip install fracas[foundry] (there is none for Windows: use WSL there, or the module's dialog 'Import packs', "
    "which needs no compendiums)"
)
_MARK = "CURRENT"
"""A file that every LevelDB database has."""


class LevelDbError(FracasError):
    """A compendium that cannot be written."""

    code = "no-leveldb"


def available() -> bool:
    """Whether compendiums can be written here."""
    try:
        import_module("plyvel")
    except ImportError:  # it is not there, or not made for this computer
        return False
    return True


def write(folder: Path, documents: Iterable[Document]) -> None:
    """Write a compendium; one that is there already is replaced.

    Raises:
        LevelDbError: plyvel is missing, the folder holds something else, or Foundry has it open.
    """
    if not available():
        raise LevelDbError(MISSING)
    import plyvel

    _check_free(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".fracas-") as made:
        new = Path(made) / "new"
        database = plyvel.DB(str(new), create_if_missing=True, error_if_exists=True)
        try:
            with database.write_batch() as batch:
                for document in documents:
                    for key, value in records(document):
                        batch.put(key.encode(), json.dumps(value, separators=(",", ":")).encode())
            database.compact_range()
        finally:
            database.close()
        (new / "LOG").unlink(missing_ok=True)  # tells when it was written, and nothing that Foundry reads
        if folder.exists():
            shutil.move(folder, Path(made) / "old")
        shutil.move(new, folder)


def _check_free(folder: Path) -> None:
    """Refuse to replace what is no compendium, or one that a running Foundry would lose."""
    import plyvel

    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not (folder / _MARK).is_file():
        raise LevelDbError(f"{folder} is no compendium, so it is not replaced; choose another folder")
    try:
        plyvel.DB(str(folder)).close()
    except plyvel.IOError as error:
        raise LevelDbError(f"{folder} is in use; stop Foundry or its world first") from error
    except plyvel.Error:  # a broken one is replaced
        return


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
