"""A LevelDB database in the form in which LevelDB leaves one that was just written.

That is three files: ``CURRENT`` names the manifest, the manifest names a log, and the log holds one batch of all
records. LevelDB makes its sorted tables out of the log when it next opens the database, so none are written here. The
formats are described in LevelDB's documentation (``log_format.md``, ``impl.md``) and beside its classes VersionEdit
and WriteBatch.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct

CURRENT = "CURRENT"
"""A file that every LevelDB database has."""
_MANIFEST, _LOG, _NEXT = 1, 2, 3
"""Numbers of the files, and of the next that LevelDB makes."""


def database(records: Mapping[bytes, bytes]) -> dict[str, bytes]:
    """The files of a database by their names. The order of the records makes no difference to the bytes."""
    manifest = f"MANIFEST-{_MANIFEST:06}"
    return {
        CURRENT: f"{manifest}\n".encode(),
        manifest: _log(_version_edit()),
        f"{_LOG:06}.log": _log(_batch(records)),
    }


# --- What the two logs hold -----------------------------------------------------------------------------------

_COMPARATOR, _LOG_NUMBER, _NEXT_FILE_NUMBER, _LAST_SEQUENCE = range(1, 5)
"""Tags of the fields of a version edit."""
_PUT = b"\x01"
_BATCH_HEAD = Struct("<QI")
"""The sequence number of the first record, and the number of records."""


def _version_edit() -> bytes:
    """A database without tables, in which nothing was written before the log."""
    fields = (
        (_COMPARATOR, _prefixed(b"leveldb.BytewiseComparator")),
        (_LOG_NUMBER, _varint(_LOG)),
        (_NEXT_FILE_NUMBER, _varint(_NEXT)),
        (_LAST_SEQUENCE, _varint(0)),
    )
    return b"".join(_varint(tag) + value for tag, value in fields)


def _batch(records: Mapping[bytes, bytes]) -> bytes:
    head = _BATCH_HEAD.pack(1, len(records))
    return head + b"".join(_PUT + _prefixed(key) + _prefixed(value) for key, value in sorted(records.items()))


def _prefixed(data: bytes) -> bytes:
    return _varint(len(data)) + data


def _varint(number: int) -> bytes:
    """Seven bits to a byte, the lowest first; the eighth says that more follow."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


# --- The form of a log ----------------------------------------------------------------------------------------

_HEAD = Struct("<IHB")
"""Checksum, length and type of a fragment."""
_ROOM = 32768 - _HEAD.size
"""Bytes of an entry in a block, the unit of a log that no fragment may overstep."""
_FULL, _FIRST, _MIDDLE, _LAST = range(1, 5)


def _log(entry: bytes) -> bytes:
    """A log of a single entry: cut into fragments, each of which fills a block, but for the last."""
    found = bytearray()
    for begin in range(0, len(entry), _ROOM):
        part = entry[begin : begin + _ROOM]
        first, last = begin == 0, begin + _ROOM >= len(entry)
        type = (_FULL if last else _FIRST) if first else (_LAST if last else _MIDDLE)
        found += _HEAD.pack(_masked(_crc32c(bytes((type,)) + part)), len(part), type) + part
    return bytes(found)


def _crc_table() -> tuple[int, ...]:
    """The remainder of each byte; 0x82F63B78 is Castagnoli's polynomial, its lowest power in the highest bit."""
    found = list(range(256))
    for _ in range(8):
        found = [crc >> 1 ^ (0x82F63B78 if crc & 1 else 0) for crc in found]
    return tuple(found)


_CRC_TABLE = _crc_table()


def _crc32c(data: bytes) -> int:
    """The checksum CRC-32C, which the standard library lacks; about 15 MB in a second."""
    table, crc = _CRC_TABLE, 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _masked(crc: int) -> int:
    """A checksum as LevelDB keeps it, since one taken over data with checksums in it says little."""
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
