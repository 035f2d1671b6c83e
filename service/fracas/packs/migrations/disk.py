"""Reading the files of a pack, and replacing many files so that either all of them are new or none is."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from fracas.errors import PackError, Problem
from fracas.packs.files import MANIFEST, PackFiles
from fracas.packs.schemas import entry_kinds


class Replacement(NamedTuple):
    """A file, what it holds, and what it shall hold."""

    path: Path
    before: bytes
    after: bytes


def contents(files: PackFiles) -> dict[str, bytes]:
    """The manifest and the files of entries of a pack, by their paths inside it. Other YAML files are left out.

    Raises:
        PackError: for every file that cannot be read.
    """
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    for name in files.names:
        if name == MANIFEST or _holds_entries(name):
            try:
                found[name] = files.read(name)
            except OSError as error:
                problems.append(Problem(files.name(name), "unreadable", _reason(error)))
    if problems:
        raise PackError(problems)
    return found


def _holds_entries(name: str) -> bool:
    """Whether a path inside a pack is ``<kind>.yaml`` or ``<kind>/<name>.yaml``."""
    kind, slash, rest = name.removesuffix(".yaml").partition("/")
    return name.endswith(".yaml") and kind in entry_kinds() and "/" not in rest and bool(rest) == bool(slash)


def replacements(folder: Path, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[Replacement]:
    """The files of one pack to replace; the manifest last, so that a half-written pack still counts as old."""
    names = sorted(after, key=lambda name: (name == MANIFEST, name))
    return [Replacement(folder / name, before[name], after[name]) for name in names]


def replace_files(files: Sequence[Replacement]) -> None:
    """Give all these files their new content, in this order, or leave every one as it was.

    The new content and a copy of the old are written beside each file first, so that little more than renaming is
    left to go wrong. A link stays a link, and what it leads to is replaced.

    Raises:
        PackError: a file has changed since it was read, or something cannot be written. The message says whether
            everything is as it was.
    """
    spare: list[Path] = []
    try:
        _replace(files, spare)
    finally:
        for path in spare:
            with contextlib.suppress(OSError):
                path.chmod(stat.S_IREAD | stat.S_IWRITE)  # Windows deletes no file that is read-only
                path.unlink()


def _replace(files: Sequence[Replacement], spare: list[Path]) -> None:
    """Does the work; `spare` gets the files to delete in the end."""
    copies: list[tuple[Path, Path, Path, bytes]] = []
    for path, before, after in files:
        try:
            place = path.resolve(strict=True)
            if place.read_bytes() != before:
                message = "the file has changed in the meantime; nothing has been written"
                raise PackError((Problem(str(path), "changed-meanwhile", message, "try again"),))
            for content in (after, before):
                spare.append(_beside(place, content))
        except OSError as error:
            raise _unwritable(path, error, "nothing has been changed") from error
        copies.append((place, spare[-2], spare[-1], before))
    begun = 0
    try:
        for place, new, _, _ in copies:
            begun += 1
            os.replace(new, place)
    except BaseException as error:
        lost = [(place, old) for place, _, old, before in copies[:begun] if not _restored(place, old, before)]
        for _, old in lost:
            spare.remove(old)
        if not isinstance(error, OSError):
            raise
        outcome = "all files are as they were"
        if lost:
            kept = ", ".join(f"{place} (its old content is in {old.name})" for place, old in lost)
            outcome = f"these files could not be restored: {kept}"
        raise _unwritable(files[begun - 1].path, error, outcome) from error


def _restored(place: Path, old: Path, before: bytes) -> bool:
    """Put the old content back where it is not in place; whether it is there now."""
    with contextlib.suppress(OSError):
        if place.read_bytes() == before:
            return True
    try:
        os.replace(old, place)
    except OSError:
        try:
            place.write_bytes(before)
        except OSError:
            return False
    return True


def _beside(place: Path, content: bytes) -> Path:
    """A new file in the same folder, with the same permissions."""
    handle, name = tempfile.mkstemp(".tmp", f".{place.name}.", place.parent)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        shutil.copymode(place, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _unwritable(path: Path, error: OSError, outcome: str) -> PackError:
    return PackError((Problem(str(path), "unwritable", f"{_reason(error)}; {outcome}"),))


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or "the system gives no reason"
