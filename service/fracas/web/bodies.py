"""Bodies of requests: read whole before anything is done, within a time, and so many at a time.

A body that has not arrived holds nothing but its bytes: no thread and no turn waits for it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from fracas.web.settings import most_of

Receive = Callable[[], Awaitable[Any]]

SECONDS = 10.0
"""In which a body must have arrived."""

GRACE = 0.25
"""Seconds after which a body that has not arrived counts as unfinished: many callers at once are none of these."""

ALL = 512
"""Bodies that may be on their way at the same time, of all callers."""

MAX_DRAINED = 64 * 1_048_576
"""Bytes of a body that is too large which are read, so that its sender can hear the answer."""


class GoneError(Exception):
    """The caller has hung up."""


class Refusal(NamedTuple):
    """Why a request is not handled.

    Attributes:
        retry: seconds after which it may be sent again; 0 if that is no use.
    """

    status: int
    code: str
    message: str
    retry: int = 0


class RefusedError(Exception):
    """A request is not handled."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Bodies:
    """Reads bodies.

    Args:
        each: how many of one caller may be on their way.
        seconds: see `SECONDS`.
    """

    def __init__(self, each: int, seconds: float = SECONDS) -> None:
        self._each = each
        self._seconds = seconds
        self._coming: Counter[str] = Counter()

    async def read(self, path: str, length: str, address: str, receive: Receive) -> bytes:
        """The body; of one that is too large its beginning, which the application refuses.

        Args:
            path: of the request, which decides how large a body may be.
            length: that the request names; "" if it names none.
            address: of the caller.

        Raises:
            GoneError: the caller hung up before it had arrived.
            RefusedError: it takes too long, or too many are on their way.
        """
        coming = asyncio.ensure_future(_whole(most_of(path), length, receive))
        try:
            await asyncio.wait((coming,), timeout=GRACE)
            if coming.done():
                return coming.result()
            self._check_room(address)
            self._coming[address] += 1
            try:
                await asyncio.wait((coming,), timeout=self._seconds - GRACE)
            finally:
                self._coming[address] -= 1
                if not self._coming[address]:
                    del self._coming[address]
            if coming.done():
                return coming.result()
        finally:
            coming.cancel()
        message = f"the body has not arrived within {self._seconds:g} seconds: send the request again"
        raise RefusedError(Refusal(408, "too-slow", message))

    def _check_room(self, address: str) -> None:
        if self._coming[address] >= self._each:
            message = (
                f"{self._each} requests of this address are still being sent: finish some of them first "
                "(the limit bodies-per-caller)"
            )
            raise RefusedError(Refusal(429, "too-many-bodies", message, 1))
        if self._coming.total() >= ALL:
            message = f"{ALL} requests are still being sent: try again"
            raise RefusedError(Refusal(503, "busy", message, 2))


async def _whole(most: int, length: str, receive: Receive) -> bytes:
    keeps = 0 if length.isdecimal() and int(length) > most else most + 1
    body, read = bytearray(), 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise GoneError
        part = message.get("body", b"")
        read += len(part)
        body += part[: max(0, keeps - len(body))]
        if not message.get("more_body", False) or read > MAX_DRAINED:
            return bytes(body)
