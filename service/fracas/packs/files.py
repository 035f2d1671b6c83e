"""The files of a pack, wherever they lie: in a folder, in an uploaded archive, or in memory."""

from __future__ import annotations

import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path, PurePath, PurePosixPath
from typing import NamedTuple

from fracas.errors import PackError, Problem
from fracas.packs.yaml_faults import cut
from fracas.packs.yaml_source import Located

MANIFEST = "pack.yaml"
MAX_FILES = 500
"""YAML files of one pack, or of one archive."""

MAX_UNPACKED = 4_000_000
"""Bytes of all files of an archive together."""

_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Other ways of packing may ask for any amount of memory, and not every Python can read them."""

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error)
"""What a damaged archive makes the reader raise."""


class PackFiles(NamedTuple):
    """The YAML files of one pack.

    Attributes:
        label: what messages call its folder: ``datapacks/sr4-core``.
        names: paths inside the pack, with slashes, sorted.
        read: the bytes of one of them; raises OSError.
        folder: where it lies, or None.
        parsed: what one of them holds, if they were parsed before; then nobody reads their bytes.
    """

    label: str
    names: tuple[str, ...]
    read: Callable[[str], bytes]
    folder: Path | None = None
    parsed: Callable[[str], Located] | None = None

    def name(self, path: str) -> str:
        """What messages call a file of it."""
        return f"{self.label}/{path}" if self.label else path


def in_folder(folder: Path, label: str | None = None) -> PackFiles:
    """The pack in a folder, without the packs that lie further down in it."""
    names = sorted(_yaml_files(folder))
    label = folder.resolve().name if label is None else label
    return PackFiles(label, tuple(names), lambda name: (folder / name).read_bytes(), folder)


def _yaml_files(folder: Path) -> Iterator[str]:
    """Paths inside the folder, with slashes; hidden ones and those of packs further down are left out."""
    for where, inner, files in os.walk(folder):
        above = PurePath(where).relative_to(folder)
        if MANIFEST in files and above.parts:
            inner.clear()
            continue
        inner[:] = [name for name in inner if not name.startswith(".")]
        for name in (*inner, *files):  # a folder of such a name is no file, and is refused when it is read
            if fnmatch(name, "*.y*ml") and not name.startswith("."):
                yield (above / name).as_posix()


def _is_hidden(path: PurePath) -> bool:
    """Such as ``.pre-commit-config.yaml``, or in a folder such as ``.github``: no pack's file."""
    return any(part.startswith(".") for part in path.parts)


def in_memory(files: Mapping[str, bytes], label: str) -> PackFiles:
    """A pack whose files are at hand."""
    return PackFiles(label, tuple(sorted(files)), files.__getitem__)


def pack_folders(folder: Path) -> list[Path]:
    """The folder if it is a pack, or the packs one level down."""
    if (folder / MANIFEST).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))


def in_archive(content: bytes) -> list[PackFiles]:
    """The packs of a ZIP archive: at its root, or in folders.

    Nothing is written anywhere, and no more is unpacked than the limits allow, whatever the archive says of itself.

    Raises:
        PackError: no archive, none of our files in it, a path that leads outside, encrypted or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = _unpacked(archive)
    except _DAMAGED as error:
        raise _refused("bad-archive", f"the archive cannot be read: {cut(str(error))}") from error
    roots = {path.parent for path in files if path.name == MANIFEST}
    if not roots:
        raise _refused("no-pack", f"the archive holds no {MANIFEST}")
    packs: dict[PurePosixPath, dict[str, bytes]] = {root: {} for root in sorted(roots)}
    for path, data in files.items():
        root = next((parent for parent in path.parents if parent in roots), None)
        if root is not None:
            packs[root][path.relative_to(root).as_posix()] = data
    return [in_memory(own, "" if root == PurePosixPath() else root.as_posix()) for root, own in packs.items()]


def _unpacked(archive: zipfile.ZipFile) -> dict[PurePosixPath, bytes]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MAX_FILES:
        raise _refused("too-large", f"the archive holds {len(members)} files; at most {MAX_FILES} are read")
    files: dict[PurePosixPath, bytes] = {}
    left = MAX_UNPACKED
    for member in members:
        name = member.filename.replace("\\", "/")
        path, shown = PurePosixPath(name), repr(cut(name))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            raise _refused("bad-path", f"the path {shown} leads out of the archive")
        if not name.isprintable():
            raise _refused("bad-path", f"the path {shown} holds a sign that is not printable")
        if path.suffix not in (".yaml", ".yml") or _is_hidden(path):
            continue
        if member.flag_bits & 0x1:
            raise _refused("bad-archive", f"{shown} is encrypted")
        if member.compress_type not in _WAYS:
            raise _refused("bad-archive", f"{shown} is packed in another way than ZIP's usual one")
        if path in files:
            raise _refused("bad-archive", f"{shown} is in the archive twice")
        with archive.open(member) as stream:
            content = stream.read(left + 1)  # what the archive says about sizes may be a lie
        left -= len(content)
        if left < 0:
            raise _refused("too-large", f"unpacked, the archive has more than {MAX_UNPACKED:,} bytes")
        files[path] = content
    return files


def _refused(code: str, message: str) -> PackError:
    return PackError((Problem("", code, message),))
