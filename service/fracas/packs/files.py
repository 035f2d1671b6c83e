"""The files of a pack, wherever they lie: in a folder, in an uploaded archive, or in memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from fracas.errors import PackError, Problem

MANIFEST = "pack.yaml"
MAX_FILES = 500
"""YAML files of one pack, or of one archive."""

MAX_UNPACKED = 4_000_000
"""Bytes of all files of an archive together."""


class PackFiles(NamedTuple):
    """The YAML files of one pack.

    Attributes:
        label: what messages call its folder: ``datapacks/sr4-core``.
        names: paths inside the pack, with slashes, sorted.
        read: the bytes of one of them; raises OSError.
        folder: where it lies, or None.
    """

    label: str
    names: tuple[str, ...]
    read: Callable[[str], bytes]
    folder: Path | None = None

    def name(self, path: str) -> str:
        """What messages call a file of it."""
        return f"{self.label}/{path}" if self.label else path


def in_folder(folder: Path, label: str | None = None) -> PackFiles:
    """The pack in a folder, without the packs that lie further down in it."""
    inner = {path.parent for path in folder.rglob(MANIFEST) if path.parent != folder}
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.y*ml")
        if not inner.intersection(path.parents) and not _is_hidden(path.relative_to(folder))
    )
    label = folder.resolve().name if label is None else label
    return PackFiles(label, tuple(names), lambda name: (folder / name).read_bytes(), folder)


def _is_hidden(path: Path) -> bool:
    """Below a folder such as ``.github``, whose files are no pack's."""
    return any(part.startswith(".") for part in path.parts[:-1])


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
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError) as error:
        raise _refused("bad-archive", f"the archive cannot be read: {error}") from error
    roots = sorted(PurePosixPath(name).parent for name in files if PurePosixPath(name).name == MANIFEST)
    if not roots:
        raise _refused("no-pack", f"the archive holds no {MANIFEST}")
    return [_pack_of(root, roots, files) for root in roots]


def _pack_of(root: PurePosixPath, roots: Iterable[PurePosixPath], files: Mapping[str, bytes]) -> PackFiles:
    others = [other for other in roots if other != root and root in (*other.parents, other)]
    own = {
        PurePosixPath(name).relative_to(root).as_posix(): content
        for name, content in files.items()
        if PurePosixPath(name).is_relative_to(root)
        and not any(PurePosixPath(name).is_relative_to(other) for other in others)
    }
    return in_memory(own, "" if str(root) == "." else root.as_posix())


def _unpacked(archive: zipfile.ZipFile) -> dict[str, bytes]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MAX_FILES:
        raise _refused("too-large", f"the archive holds {len(members)} files; at most {MAX_FILES} are read")
    files: dict[str, bytes] = {}
    left = MAX_UNPACKED
    for member in members:
        name = member.filename.replace("\\", "/")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or ":" in name or "\0" in name:
            raise _refused("bad-path", f"the path {name[:120]!r} leads out of the archive")
        if member.flag_bits & 0x1:
            raise _refused("bad-archive", f"{name[:120]!r} is encrypted")
        if path.suffix not in (".yaml", ".yml") or any(part.startswith(".") for part in path.parts[:-1]):
            continue
        if name in files:
            raise _refused("bad-archive", f"{name[:120]!r} is in the archive twice")
        with archive.open(member) as stream:
            content = stream.read(left + 1)  # what the archive says about sizes may be a lie
        left -= len(content)
        if left < 0:
            raise _refused("too-large", f"unpacked, the archive has more than {MAX_UNPACKED:,} bytes")
        files[path.as_posix()] = content
    return files


def _refused(code: str, message: str) -> PackError:
    return PackError((Problem("", code, message),))
