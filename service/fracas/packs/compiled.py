"""Compiled packs: what the strict reader made of their files, in one file of JSON, so that nobody parses them again.

The file begins with a line that says of what it was made: the version of Fracas, and a hash of all files of the packs.
With either changed it is stale, and the packs are read as people wrote them. A line of each pack follows; the first
line says of which rulesets they are, so that nobody reads those of others. It holds data alone, no code.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from fracas import __version__
from fracas.errors import PackError, Problem
from fracas.packs.entries import Pack
from fracas.packs.files import MANIFEST, PackFiles, in_folder
from fracas.packs.parsed_texts import PARSED
from fracas.packs.reading import read
from fracas.packs.yaml_source import Located, Where, YamlError

FORMAT: Final = 2
"""Changes with the form of the file."""

FILE: Final = Path(__file__).resolve().parents[1] / "__pycache__" / "packs.json"
"""Where the built-in packs are kept, beside what Python compiled itself."""


def compiled(folders: Sequence[Path]) -> bytes:
    """The packs in these folders as one file; the same files make the same bytes.

    Raises:
        PackError: a file cannot be read.
    """
    packs = [_compiled(in_folder(folder)) for folder in folders]
    body = b"\n".join(map(_written, packs))
    header = {
        "format": FORMAT,
        "version": __version__,
        "sources": sources(folders),
        "rulesets": [pack["ruleset"] for pack in packs],
        "body": hashlib.sha256(body).hexdigest(),
    }
    return _written(header) + b"\n" + body


def _written(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def sources(folders: Sequence[Path]) -> str:
    """A hash of all files of these packs, which changes with any of them."""
    found = hashlib.sha256()
    for files in map(in_folder, folders):
        for name in files.names:
            text = files.read(name)
            found.update(f"{files.label}/{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


def opened(
    content: bytes,
    folders: Iterable[Path] | None = None,
    ruleset: str | None = None,
    without: Collection[str] = (),
) -> list[Pack]:
    """The packs of a compiled file.

    Args:
        folders: where their sources lie; without them a position within an entry is that of the entry.
        ruleset: leave packs of other rulesets unread.
        without: folders of kinds to leave unread.

    Raises:
        PackError: it is no compiled file of this version.
    """
    stated, body = _checked(content)
    rulesets, lines = stated["rulesets"], body.split(b"\n") if body else []
    places = list(folders) if folders is not None else [None] * len(lines)
    return [
        _opened(json.loads(line), folder, without)
        for of, line, folder in zip(rulesets, lines, places, strict=True)
        if ruleset is None or of == ruleset
    ]


def fresh(
    folders: Sequence[Path], file: Path = FILE, ruleset: str | None = None, without: Collection[str] = ()
) -> list[Pack] | None:
    """The packs in these folders from a compiled file; None if there is none that fits them. See `opened`."""
    try:
        content = file.read_bytes()
        if _header(content.partition(b"\n")[0]).get("sources") == sources(folders):
            return opened(content, folders, ruleset, without)
    except (OSError, PackError):
        pass
    return None


def is_fresh(folders: Sequence[Path], file: Path = FILE) -> bool:
    """Whether there is a compiled file that fits the packs in these folders; they are not read from it."""
    try:
        header, _ = _checked(file.read_bytes())
    except (OSError, PackError):
        return False
    return bool(header["sources"] == sources(folders))


def keep(content: bytes, file: Path = FILE) -> None:
    """Write a compiled file in one step, so that nobody reads half of it.

    Raises:
        OSError: it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=file.name, dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(name, 0o644)
        os.replace(name, file)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _checked(content: bytes) -> tuple[Mapping[str, Any], bytes]:
    """The header and the lines of the packs.

    Raises:
        PackError: it is no compiled file of this version.
    """
    header, _, body = content.partition(b"\n")
    stated = _header(header)
    if stated.get("version") != __version__:
        raise PackError(
            (Problem("", "stale-packs", "these packs were compiled by another version of Fracas"),)
        )
    if stated.get("body") != hashlib.sha256(body).hexdigest():
        raise PackError((Problem("", "damaged-packs", "the compiled packs are damaged"),))
    return stated, body


def _header(line: bytes) -> Mapping[str, Any]:
    """The first line; empty if there is none that this version understands."""
    try:
        header = json.loads(line)
    except ValueError:
        return {}
    return header if isinstance(header, dict) and header.get("format") == FORMAT else {}


def _compiled(files: PackFiles) -> dict[str, Any]:
    """A pack: its files with their data, and where each entry begins; of the manifest, which every start asks, where
    all of it stands."""
    reading = read(files)
    if reading.problems or reading.pack is None:
        raise PackError(reading.problems)
    parts = {}
    for name in files.names:
        located = PARSED.load(files.read(name), files.name(name))
        parts[name] = [located.data, located.where if name == MANIFEST else list(_starts(located))]
    pack = reading.pack
    return {
        "label": files.label,
        "ruleset": pack.manifest.ruleset,
        "digest": pack.digest,
        "files": parts,
    }


def _starts(located: Located) -> Iterator[int]:
    entries = located.data.get("entries") if isinstance(located.data, dict) else None
    for at in range(len(entries) if isinstance(entries, list) else 0):
        line, column = located.position(("entries", at))
        yield (line - 1) << 32 | (column - 1)


def _opened(one: Mapping[str, Any], folder: Path | None, without: Collection[str]) -> Pack:
    files, label = one["files"], one["label"]

    def parsed(name: str) -> Located:
        data, places = files[name]
        where = places if name == MANIFEST else _Positions(places, folder and folder / name)
        return Located(data, where, f"{label}/{name}")

    found = read(PackFiles(label, tuple(files), _no_text, folder, parsed), without=without)
    if found.pack is None or found.problems:
        raise PackError(found.problems)
    return found.pack._replace(digest=one["digest"])


def _no_text(name: str) -> bytes:
    raise KeyError(name)


class _Positions:
    """Where the parts of a compiled file stand in its source, which is parsed when somebody asks.

    Args:
        starts: where each entry begins, as `Where` packs it.
        source: the file; None if it is not at hand.
    """

    __slots__ = ("_found", "_source", "_starts")

    def __init__(self, starts: Sequence[int], source: Path | None) -> None:
        self._starts, self._source = starts, source
        self._found: Where | None = None

    def __call__(self) -> Where:
        if self._found is None:
            self._found = self._of_source() or (0, {"entries": (0, (0, list(self._starts)))})
        return self._found

    def _of_source(self) -> Where | None:
        if self._source is not None:
            with suppress(OSError, YamlError):
                where = PARSED.load(self._source.read_bytes(), self._source.name).where
                return None if callable(where) else where
        return None
