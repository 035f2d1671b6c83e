"""Where dice come from: the system's generator, a committed seed, or people.

All three deal faces for a typed request through one method. A source keeps the count of draws, nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from fracas.dice.requests import Faces, Request, check_faces
from fracas.errors import DiceError, InputError

BLOCK = 4096
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""The paddings of HMAC, as translations of the bytes of a key."""
SEED_BYTES = 32


class Dealt(NamedTuple):
    """Faces with their origin, for the record.

    Attributes:
        source: ``system``, ``seed``, ``supplied``, or ``none`` where no dice were asked for.
        draw: index of the first draw of a committed seed, or None.
    """

    faces: tuple[Faces, ...]
    source: str
    draw: int | None = None


class DiceSource(Protocol):
    """Deals faces for a request."""

    def deal(self, request: Request) -> Dealt: ...


def _table(sides: int) -> tuple[bytes, bytes]:
    """A translation of bytes to faces, and the bytes to drop so that every face is equally likely."""
    fair = 256 - 256 % sides
    return bytes(value % sides + 1 for value in range(256)), bytes(range(fair, 256))


_TABLES = {sides: _table(sides) for sides in (2, 3, 4, 6, 8, 10, 12, 20, 100)}


def _table_of(sides: int) -> tuple[bytes, bytes]:
    return _TABLES.setdefault(sides, _table(sides))


def _faces_of(raw: bytes, sides: int) -> bytes:
    table, dropped = _TABLES.get(sides) or _table_of(sides)
    return raw.translate(table, dropped)


class SystemDice:
    """Dice from the operating system's generator, through a buffer for each thread.

    The buffer belongs to one process: after a fork the child starts its own, so that no two workers deal alike.
    """

    _local = threading.local()

    def deal(self, request: Request) -> Dealt:
        faces: list[Faces] = []
        for dice, sides, exploding in request.groups():
            thrown = self._draw(dice, sides)
            faces.append(_with_added(thrown, sides, self._draw) if exploding else tuple(thrown))
        return Dealt(tuple(faces), "system")

    def _draw(self, count: int, sides: int) -> bytes:
        local = self._local
        if getattr(local, "process", None) != os.getpid():
            local.process, local.raw, local.at = os.getpid(), b"", 0
        faces = b""
        while len(faces) < count:
            if local.at >= len(local.raw):
                local.raw, local.at = os.urandom(BLOCK), 0
            wanted = count - len(faces)
            faces += _faces_of(local.raw[local.at : local.at + wanted], sides)
            local.at += wanted
        return faces


class SeededDice:
    """Dice that anybody can recompute from a seed, and from what others contribute to it.

    Draw number `d` (one group of dice thrown at once, or the dice that its explosions add) uses the bytes of
    HMAC-SHA-256(key, d as 8 bytes big-endian, block as 4 bytes big-endian) for block 0, 1, ...; a byte b below
    the largest multiple of the number of sides is the face b mod sides + 1, any other byte is skipped.
    The commitment, published before the first draw, is the SHA-256 of the seed in hexadecimal.

    Args:
        contributions: what others add, in order, after the commitment and before the first draw; see `key_of`.
    """

    def __init__(self, seed: bytes, draw: int = 0, contributions: Sequence[str] = ()) -> None:
        if not 16 <= len(seed) <= 64:
            raise InputError.one("dice.seed", "bad-seed", "a seed has 16 to 64 bytes")
        key = key_of(seed, contributions).ljust(64, b"\0")
        self.seed = seed
        self.draw = draw
        self._inner = hashlib.sha256(key.translate(_INNER))
        self._outer = hashlib.sha256(key.translate(_OUTER))

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.seed).hexdigest()

    def deal(self, request: Request) -> Dealt:
        first = self.draw
        faces: list[Faces] = []
        for dice, sides, exploding in request.groups():
            thrown = self._draw(dice, sides)
            faces.append(_with_added(thrown, sides, self._draw) if exploding else tuple(thrown))
        return Dealt(tuple(faces), "seed", first)

    def throw(self, dice: int, sides: int) -> Faces:
        """Plain dice, as one draw."""
        return tuple(self._draw(dice, sides))

    def _draw(self, count: int, sides: int) -> bytes:
        message = self.draw << 32  # the draw, and block 0
        self.draw += 1
        table, dropped = _TABLES.get(sides) or _table_of(sides)
        faces = self._block(message).translate(table, dropped)
        while len(faces) < count:
            message += 1
            faces += self._block(message).translate(table, dropped)
        return faces[:count]

    def _block(self, message: int) -> bytes:
        inner = self._inner.copy()
        inner.update(message.to_bytes(12, "big"))
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


def key_of(seed: bytes, contributions: Sequence[str]) -> bytes:
    """What the dice come from: the seed, or with contributions HMAC-SHA-256(seed, the SHA-256 of each, one after the
    other)."""
    if not contributions:
        return seed
    message = b"".join(hashlib.sha256(text.encode()).digest() for text in contributions)
    return hmac.digest(seed, message, "sha256")


def new_seed() -> bytes:
    """A fresh secret seed."""
    return os.urandom(SEED_BYTES)


def _with_added(faces: bytes, sides: int, draw: _Draw) -> Faces:
    """The faces, and those of the dice that each highest face adds."""
    thrown = tuple(faces)
    while tops := faces.count(sides):
        faces = draw(tops, sides)
        thrown += tuple(faces)
    return thrown


class _Draw(Protocol):
    def __call__(self, count: int, sides: int) -> bytes: ...


class SuppliedDice:
    """Dice that people threw, in the order in which they are asked for: one list of faces a group."""

    def __init__(self, faces: Sequence[Sequence[int]], path: str = "dice") -> None:
        self._faces = list(faces)
        self._path = path
        self._used = 0

    def deal(self, request: Request) -> Dealt:
        groups = len(request.groups())
        given = self._faces[self._used : self._used + groups]
        if len(given) < groups:
            raise DiceError.one(
                self._path,
                "too-few-dice",
                f"{request} asks for {', '.join(map(str, request.groups()[len(given) :]))}, "
                f"and only {len(self._faces)} lists of faces were given",
            )
        checked = check_faces(request, given, self._path, self._used)
        self._used += groups
        return Dealt(checked, "supplied")

    def finish(self) -> None:
        """Complain of dice that nobody asked for.

        Raises:
            DiceError: some lists of faces are left.
        """
        left = len(self._faces) - self._used
        if left:
            raise DiceError.one(
                f"{self._path}[{self._used}]",
                "too-many-dice-given",
                f"{left} lists of faces were given but not asked for",
            )
